"""The assistant message that asked for tools, as it is shown to the model again."""

import json
from collections.abc import Mapping, Sequence

from script_editor.agent.modes.mode import Requested
from script_editor.agent.raw_reply import RawMessage, RawReply
from script_editor.agent.steps import AgentAction
from script_editor.llm.chat import Message, ToolCall


def assistant_message(reply: RawReply, requested: Requested, actions: Sequence[AgentAction]) -> Message:
    """Return the message as it came, with unique ids, known names and readable arguments in its calls.

    Everything else a service put into it stays. Calls that were written into the text become calls
    of the message, and leave the text: what is replayed must be answerable by id.
    """
    by_id = {call_id: action for action in actions for call_id in (action.call_id, *action.repeated_ids)}
    calls = tuple(
        ToolCall(call.call_id, by_id[call.call_id].tool, _arguments(call.arguments, by_id[call.call_id]))
        for call in requested.calls
    )
    return Message(
        role="assistant", content=requested.preamble, tool_calls=calls, raw=_raw(reply, requested, calls)
    )


def _arguments(written: object, action: AgentAction) -> str:
    """Return the arguments as the model wrote them if that is plain JSON, or as they were understood."""
    if isinstance(written, str):
        try:
            if isinstance(json.loads(written), dict):
                return written
        except (ValueError, RecursionError):
            pass
    return json.dumps(action.arguments, ensure_ascii=False)


def _raw(reply: RawReply, requested: Requested, calls: Sequence[ToolCall]) -> RawMessage:
    raw = dict(reply.message or {})
    entries = raw.get("tool_calls")
    if raw.get("function_call") and not entries:
        return raw  # the older form has no ids that could be wrong
    raw.pop("function_call", None)
    kept = (
        entries
        if isinstance(entries, list) and len(entries) == len(calls) and not reply.unpacked
        else [{}] * len(calls)
    )
    wire = [_entry(entry, call) for entry, call in zip(kept, calls, strict=True)]
    return {**raw, "role": "assistant", "content": requested.preamble, "tool_calls": wire}


def _entry(entry: object, call: ToolCall) -> RawMessage:
    kept = dict(entry) if isinstance(entry, Mapping) else {}
    function = kept.get("function")
    inner = dict(function) if isinstance(function, Mapping) else {}
    named = {**inner, "name": call.name, "arguments": call.arguments}
    return {**kept, "id": call.id, "type": "function", "function": named}
