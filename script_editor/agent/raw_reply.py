"""An assistant message of any shape, as text and requested calls; read with mistrust, never with an exception."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from script_editor.agent.calls import RequestedCall, canonical
from script_editor.agent.json_repair import BrokenJson, decode, starts_value

_PARALLEL = frozenset({"multi_tool_use.parallel", "parallel"})

RawMessage = dict[str, Any]  # the service's own shape, open by nature


@dataclass(frozen=True, slots=True)
class RawReply:
    """What a message holds. `unpacked` is True when one entry of it became several calls."""

    text: str = ""
    calls: tuple[RequestedCall, ...] = ()
    refusal: str = ""
    message: RawMessage | None = None
    unpacked: bool = False

    @property
    def is_reasoning(self) -> bool:
        """Whether a reply from which nothing else was read holds reasoning at least."""
        return bool(self.text.strip() or (self.message or {}).get("reasoning_content"))


def raw_reply(raw: object) -> RawReply:
    """Return what `raw` holds: a text, or an assistant message as a service sends it."""
    if not isinstance(raw, Mapping):
        return RawReply(text=raw if isinstance(raw, str) else "")
    message = {str(key): value for key, value in raw.items()}
    entries = message.get("tool_calls")
    requested = [_entry(entry) for entry in entries] if isinstance(entries, list) else []
    if message.get("function_call"):
        requested.append(_entry(message["function_call"]))
    calls = [call for request in requested for call in unpacked(request)]
    return RawReply(
        text=_text(message.get("content")),
        calls=tuple(calls),
        refusal=_refusal(message),
        message=message,
        unpacked=len(calls) != len(requested),
    )


def _text(content: object) -> str:
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _refusal(message: Mapping[str, object]) -> str:
    content = message.get("content")
    parts = [message, *(content if isinstance(content, list) else [])]
    refusals = [part.get("refusal") for part in parts if isinstance(part, Mapping)]
    return next((refusal.strip() for refusal in refusals if isinstance(refusal, str) and refusal.strip()), "")


def _entry(entry: object) -> RequestedCall:
    """Return one entry of `tool_calls`, or a `function_call`; what is missing stays empty and is reported later."""
    entry = entry if isinstance(entry, Mapping) else {}
    function = entry.get("function")
    named = function if isinstance(function, Mapping) else entry
    name, call_id = named.get("name"), entry.get("id")
    arguments = next(
        (named[key] for key in ("arguments", "args", "input", "parameters") if key in named), None
    )
    return RequestedCall(
        name=name if isinstance(name, str) else "",
        arguments=arguments,
        call_id=call_id if isinstance(call_id, str) else "",
        complete=_ends_by_itself(arguments),
    )


def _ends_by_itself(arguments: object) -> bool:
    """Whether arguments show their end: an object does, a bare value may have been cut anywhere."""
    return not isinstance(arguments, str) or not arguments.strip() or starts_value(arguments.strip()[0])


def unpacked(call: RequestedCall) -> list[RequestedCall]:
    """Return the calls inside `multi_tool_use.parallel`, or the call itself."""
    if canonical(call.name) not in _PARALLEL:
        return [call]
    uses = _decoded(call.arguments)
    inner = uses.get("tool_uses") if isinstance(uses, Mapping) else None
    if not isinstance(inner, list) or not inner:
        return [call]
    return [replace(_use(use), complete=call.complete) for use in inner]


def _use(use: object) -> RequestedCall:
    use = use if isinstance(use, Mapping) else {}
    name = use.get("recipient_name", use.get("name"))
    return RequestedCall(name=name if isinstance(name, str) else "", arguments=use.get("parameters"))


def _decoded(arguments: object) -> object:
    if not isinstance(arguments, str):
        return arguments
    try:
        return decode(arguments).value
    except BrokenJson:
        return None
