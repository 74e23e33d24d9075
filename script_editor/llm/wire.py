"""The body of a chat-completions request, made of our words. No network.

What a service is known to refuse is left out, or said in another way that it takes.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from script_editor.llm import history
from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import Message, ToolCall, ToolSpec

Json = dict[str, Any]  # an object of the service's or a schema's own shape, open by nature

MAX_STOPS = 4
"""Some services refuse more; readers cut at all of them again."""


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
        cap = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
        streams = (self.stream or "whole" in refused) and "stream" not in refused
        optional: Json = {
            **_tools(self.tools, strict="strict" not in refused),
            "stop": None if "stop" in refused else list(self.stop[:MAX_STOPS]) or None,
            "response_format": _response_format(self.response_format, strict="strict" not in refused),
            cap: self.max_output_tokens,
            "temperature": None if "temperature" in refused else self.temperature,
            "stream": streams or None,
            "stream_options": {"include_usage": True}
            if streams and "stream_options" not in refused
            else None,
        }
        return {
            "model": self.model,
            "messages": wire_messages(self.messages, refused),
            **{name: value for name, value in optional.items() if value is not None},
        }


def _tools(tools: Sequence[ToolSpec], *, strict: bool) -> Json:
    """Return the fields that tell of the tools, in the newer form or in the older one."""
    forced = next((tool.name for tool in tools if tool.is_forced), None)
    if any(tool.is_legacy for tool in tools):
        return {
            "functions": [_function(tool) for tool in tools],
            "function_call": None if forced is None else {"name": forced},
        }
    return {
        "tools": [{"type": "function", "function": _function(tool, strict=strict)} for tool in tools] or None,
        "tool_choice": None if forced is None else {"type": "function", "function": {"name": forced}},
    }


def _function(tool: ToolSpec, *, strict: bool = False) -> Json:
    assert history.sound_name(tool.name) == tool.name, f"services do not take {tool.name!r} as a name"
    function: Json = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {**function, "strict": True} if strict else function


def _response_format(wanted: Json | None, *, strict: bool) -> Json | None:
    if wanted is None or strict or "json_schema" not in wanted:
        return wanted
    schema = {name: value for name, value in wanted["json_schema"].items() if name != "strict"}
    return {**wanted, "json_schema": schema}


def wire_messages(messages: Iterable[Message], refused: Collection[Feature] = ()) -> list[Json]:
    """Return `messages` as the service wants them: one system message in front, the others in order.

    Calls and answers are mended where they do not fit together; see `history.mended`.
    """
    messages = tuple(messages)
    system = [message.content for message in messages if message.role == "system"]
    wire = history.mended([_wire(message) for message in messages if message.role != "system"])
    if "message_fields" in refused:
        wire = history.with_plain_fields(wire)
    if "parallel_calls" in refused:
        wire = history.one_call_each(wire)
    if system and "system" in refused:
        wire = history.with_first_words("\n\n".join(system), wire)
    elif system:
        wire = [{"role": "system", "content": "\n\n".join(system)}, *wire]
    return history.alternating(wire) if "repeated_roles" in refused else wire


def _wire(message: Message) -> Json:
    match message.role:
        case "assistant":
            return _assistant(message)
        case "tool":
            call_id, name = message.tool_call_id or "", message.name or ""
            return {"role": "tool", "tool_call_id": call_id, "name": name, "content": message.content}
        case "function":
            return {"role": "function", "name": message.name or "", "content": message.content}
        case role:
            return {"role": role, "content": message.content}


def _assistant(message: Message) -> Json:
    if message.raw is not None:
        return {"content": "", **message.raw, "role": "assistant"}
    wire: Json = {"role": "assistant", "content": message.content}
    if message.tool_calls:
        wire["tool_calls"] = [_wire_call(call) for call in message.tool_calls]
    return wire


def _wire_call(call: ToolCall) -> Json:
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
