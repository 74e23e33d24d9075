"""What came back in the chat-completions format, as a Reply. No network.

Read with mistrust: services leave fields out, send null for text and objects for JSON text, and
number the tool calls of a stream as they like. What has no `choices` is not an answer; every other
oddity is read as what it most likely means.
"""

import json
from collections.abc import Iterable
from typing import Any, cast, get_args

from script_editor.llm.chat import FinishReason, Reply, ToolCall, Usage

Json = dict[str, Any]  # an object of the service's own shape, open by nature

_MOST_TOKENS = 1_000_000_000
"""No request or reply has more; the largest that models take have some millions."""
_FINISH_REASONS = frozenset(get_args(FinishReason))


class AnswerError(ValueError):
    """What came back is not a chat completion; the text says what it is instead."""


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
    """Return what the service says that the reply took; not known where it says what cannot be, for it is money."""
    match value:
        case {"prompt_tokens": prompt, "completion_tokens": completion} if _is_number(
            prompt, least=1
        ) and _is_number(completion, least=0):
            return Usage(prompt, completion)
        case _:
            return Usage(known=False)


def _is_number(value: object, *, least: int) -> bool:
    """Say whether a value is a number of tokens; true and false are numbers in Python."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= _MOST_TOKENS
