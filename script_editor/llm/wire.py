"""The chat-completions format: our words into a request body, and what came back into a Reply. No network.

Read with mistrust: services leave fields out, send null for text and objects for JSON text, and
number the tool calls of a stream as they like. What has no `choices` is not an answer; every other
oddity is read as what it most likely means.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast, get_args

from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import FinishReason, Message, Reply, ToolCall, ToolSpec, Usage

Json = dict[str, Any]  # an object of the service's or a schema's own shape, open by nature

_FINISH_REASONS = frozenset(get_args(FinishReason))


class AnswerError(ValueError):
    """What came back is not a chat completion; the text says what it is instead."""


# --- sending ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """One request, in our words. None and empty fields are not sent."""

    model: str
    messages: Sequence[Message]
    tools: Sequence[ToolSpec] = ()
    stop: Sequence[str] = ()
    response_format: Json | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    stream: bool = False

    def body(self, refused: Collection[Feature] = ()) -> Json:
        """Return the JSON body of the request, without those of OPTIONAL that are `refused`.

        `max_tokens` is the older name of the cap and the one nearly all compatible servers read; some refuse
        the newer one, which OpenAI's own reasoning models demand.
        """
        strict = "strict" not in refused
        cap = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
        wants_usage = self.stream and "stream_options" not in refused
        optional: Json = {
            "tools": [_tool(tool, strict=strict) for tool in self.tools] or None,
            "tool_choice": _tool_choice(self.tools),
            "stop": list(self.stop) or None,
            "response_format": _response_format(self.response_format, strict=strict),
            cap: self.max_output_tokens,
            "temperature": self.temperature,
            "stream": self.stream or None,
            "stream_options": {"include_usage": True} if wants_usage else None,
        }
        return {
            "model": self.model,
            "messages": wire_messages(self.messages),
            **{name: value for name, value in optional.items() if value is not None},
        }


def _tool(tool: ToolSpec, *, strict: bool) -> Json:
    function: Json = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": {**function, "strict": True} if strict else function}


def _tool_choice(tools: Iterable[ToolSpec]) -> Json | None:
    forced = next((tool.name for tool in tools if tool.is_forced), None)
    return None if forced is None else {"type": "function", "function": {"name": forced}}


def _response_format(wanted: Json | None, *, strict: bool) -> Json | None:
    if wanted is None or strict or "json_schema" not in wanted:
        return wanted
    schema = {name: value for name, value in wanted["json_schema"].items() if name != "strict"}
    return {**wanted, "json_schema": schema}


def wire_messages(messages: Iterable[Message]) -> list[Json]:
    """Return `messages` as the service wants them: one system message in front, the others in order."""
    system: list[str] = []
    wire: list[Json] = []
    asked_by_function_call = False
    for message in messages:
        match message.role:
            case "system":
                system.append(message.content)
            case "user":
                wire.append({"role": "user", "content": message.content})
            case "assistant":
                wire.append(_assistant(message))
                asked_by_function_call = bool(wire[-1].get("function_call")) and not wire[-1].get(
                    "tool_calls"
                )
            case "tool" if asked_by_function_call:
                # The answer to the older form of a call has no id and a role of its own.
                wire.append({"role": "function", "name": message.name or "", "content": message.content})
            case "tool":
                call_id = message.tool_call_id or ""
                wire.append({"role": "tool", "tool_call_id": call_id, "content": message.content})
    front = [{"role": "system", "content": "\n\n".join(system)}] if system else []
    return [*front, *wire]


def _assistant(message: Message) -> Json:
    if message.raw is not None:
        raw = {"role": "assistant", **message.raw}
        # Some servers answer 500 to a null here, though it is what they sent themselves.
        return {**raw, "content": ""} if raw.get("content", "") is None else raw
    wire: Json = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [_wire_call(call) for call in message.tool_calls]
    return wire


def _wire_call(call: ToolCall) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


# --- receiving -------------------------------------------------------------------------------


def read_completion(answer: object, *, model: str) -> Reply:
    """Return the reply in a whole chat completion; `model` is its author when it names none.

    Raises:
        AnswerError: it has no choice with a message in it.
    """
    if not isinstance(answer, dict):
        raise AnswerError(f"a JSON {kind_of(answer)}")
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices:
        raise AnswerError("JSON without choices")
    message = choices[0].get("message") if isinstance(choices[0], dict) else None
    if not isinstance(message, dict):
        raise AnswerError("a choice without a message")
    return reply_from(
        message,
        finish_reason=choices[0].get("finish_reason"),
        usage=answer.get("usage"),
        model=answer.get("model") or model,
    )


def kind_of(value: object) -> str:
    """Return what JSON calls a value that is no object."""
    return {list: "list", str: "string", type(None): "null"}.get(type(value), "number")


def reply_from(message: Json, *, finish_reason: object, usage: object, model: str) -> Reply:
    """Return the reply in an assistant message and what came along with it."""
    refusal = message.get("refusal")
    return Reply(
        text=text_of(message.get("content")),
        tool_calls=tuple(_calls(message)),
        finish_reason=_finish_reason(finish_reason),
        refusal=refusal if isinstance(refusal, str) and refusal else None,
        usage=_usage(usage),
        model=str(model),
        message=message,
    )


def _finish_reason(value: object) -> FinishReason:
    if isinstance(value, str) and value in _FINISH_REASONS:
        return cast(FinishReason, value)
    return "unknown"


def text_of(content: object) -> str:
    """Return the text of a content: a string, null, or a list of parts of which only text counts."""
    if isinstance(content, list):
        return "".join(text_of(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _calls(message: Json) -> Iterable[ToolCall]:
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict):
            yield _call(call.get("function"), call_id=str(call.get("id") or ""))
    if not calls and isinstance(message.get("function_call"), dict):
        yield _call(message["function_call"], call_id="")


def _call(function: object, *, call_id: str) -> ToolCall:
    named = function if isinstance(function, dict) else {}
    return ToolCall(call_id, str(named.get("name") or ""), arguments_of(named.get("arguments")))


def arguments_of(value: object) -> str:
    """Return arguments as text; some servers send the object itself."""
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _usage(value: object) -> Usage:
    match value:
        case {"prompt_tokens": int(prompt), "completion_tokens": int(completion)}:
            return Usage(prompt, completion)
        case _:
            return Usage(known=False)
