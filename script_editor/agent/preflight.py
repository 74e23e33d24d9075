"""Rules for the calls of one reply taken together, when each by itself is in order."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from script_editor.agent.calls import RequestedCall
from script_editor.agent.feedback import Problem, is_cut

_EXCERPT_CHARS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedCall:
    """A requested call that fits its tool. `everything` holds its arguments with the defaults filled in."""

    tool: str
    writes: bool
    exclusive: str | None
    arguments: dict[str, Any]  # validated JSON values
    everything: dict[str, Any]  # validated JSON values
    prose: str
    requested: RequestedCall

    @property
    def key(self) -> str:
        """The same for calls that ask for the same."""
        return json.dumps([self.tool, self.everything], sort_keys=True)


def problems_together(calls: Sequence[CheckedCall], finish_reason: str) -> list[Problem]:
    """Return why none of `calls` may run: the reply was cut, prose around a write, or writes that clash."""
    return [*_cut_short(calls, finish_reason), *_prose_around(calls), *_clashes(calls)]


def _cut_short(calls: Sequence[CheckedCall], finish_reason: str) -> list[Problem]:
    unsafe = any(call.writes or not call.requested.complete for call in calls)
    return [Problem("cut", {"reason": finish_reason})] if is_cut(finish_reason) and unsafe else []


def _prose_around(calls: Sequence[CheckedCall]) -> list[Problem]:
    return [
        Problem(
            "prose",
            {"tool": call.tool, "where": call.requested.where, "excerpt": call.prose[:_EXCERPT_CHARS]},
        )
        for call in calls
        if call.prose and call.writes
    ]


def _clashes(calls: Sequence[CheckedCall]) -> list[Problem]:
    """Return the writes that replace a thing as a whole, each with another write to the same thing."""
    problems: list[Problem] = []
    for call in calls:
        target = _target(call, call.exclusive)
        for other in calls if target else ():
            if other.writes and other.key != call.key and _target(other, call.exclusive) == target:
                facts = {"first": call.tool, "second": other.tool, "value": target}
                problems.append(Problem("clash", facts))
    return problems


def _target(call: CheckedCall, argument: str | None) -> str:
    return str(call.arguments.get(argument, "")).strip().casefold() if argument else ""


def with_unique_ids(
    calls: Sequence[RequestedCall], *, turn: int, taken: Collection[str] = ()
) -> tuple[RequestedCall, ...]:
    """Return `calls` with an id each: its own, or one of its turn and position if that is missing or used already."""
    used = set(taken)
    named: list[RequestedCall] = []
    for position, call in enumerate(calls, start=1):
        call_id = call.call_id.strip()
        if not call_id or call_id in used:
            call_id = f"call_{turn}_{position}"
        while call_id in used:
            call_id += "_"
        used.add(call_id)
        named.append(replace(call, call_id=call_id))
    return tuple(named)
