"""Ids of calls that are unique in a run, whatever a planner that is not shown all of it has given them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from script_editor.agent.steps import AgentAction
from script_editor.llm.chat import Message


def with_fresh_ids(
    actions: Sequence[AgentAction], *, taken: Collection[str], turn: int
) -> tuple[AgentAction, ...]:
    """Return the actions of a turn, with a new id in place of each that is in `taken`; the message follows."""
    used = {call_id for action in actions for call_id in (action.call_id, *action.repeated_ids)}
    new_ids: dict[str, str] = {}
    for position, call_id in enumerate(sorted(used & set(taken)), start=1):
        new_id = f"call_{turn}_{position}"
        while new_id in used or new_id in taken:
            new_id += "_"
        used.add(new_id)
        new_ids[call_id] = new_id
    return tuple(_renamed(action, new_ids) for action in actions) if new_ids else tuple(actions)


def _renamed(action: AgentAction, new_ids: Mapping[str, str]) -> AgentAction:
    return replace(
        action,
        call_id=new_ids.get(action.call_id, action.call_id),
        repeated_ids=tuple(new_ids.get(one, one) for one in action.repeated_ids),
        message=_renamed_message(action.message, new_ids) if action.message else None,
    )


def _renamed_message(message: Message, new_ids: Mapping[str, str]) -> Message:
    calls = tuple(replace(call, id=new_ids.get(call.id, call.id)) for call in message.tool_calls)
    raw = message.raw and {key: _renamed_raw(key, value, new_ids) for key, value in message.raw.items()}
    return replace(message, tool_calls=calls, raw=raw)


def _renamed_raw(key: str, value: Any, new_ids: Mapping[str, str]) -> Any:  # JSON of the service's own shape
    if key != "tool_calls" or not isinstance(value, list):
        return value
    return [
        {**entry, "id": new_ids.get(str(entry.get("id")), entry.get("id"))}
        if isinstance(entry, dict)
        else entry
        for entry in value
    ]
