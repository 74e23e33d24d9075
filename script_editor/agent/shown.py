"""Which of the steps so far the planner is shown: whole turns, the newest ones. What is returned is never trimmed."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from script_editor.agent.language import Language
from script_editor.agent.steps import AgentStep

Turn = tuple[AgentStep, ...]
Trim = int | Callable[[Sequence[AgentStep]], Sequence[AgentStep]] | None
Completed = Callable[[Sequence[AgentStep]], Sequence[str]]
"""Names what was completed in some steps, one short phrase each."""


class Shown:
    """Trims the steps of a long run for the planner, and tells it how much it does not see.

    `trim` is a number of turns to keep, at least one, or a function that is given all steps and returns those to
    show; it may reword observations and leave out turns, but not part of a turn. After it, the oldest turns go
    until the rest has at most `max_chars`; the newest one always stays. None means no such limit. What is left out
    is told with the first observation that is shown, and by nothing when the function shows nothing at all.
    """

    def __init__(self, trim: Trim, max_chars: int | None, completed: Completed):
        if isinstance(trim, int) and trim < 1:
            raise ValueError(f"At least one turn must be shown, not {trim}.")
        self._trim, self._max_chars, self._completed = trim, max_chars, completed

    def of(self, steps: Sequence[AgentStep], language: Language) -> tuple[AgentStep, ...]:
        """Return what the planner is shown of `steps`.

        Raises:
            ValueError: the trimming function has split a turn, or changed the order.
        """
        turns = _turns(steps)
        kept = self._within(self._trimmed(turns, steps))
        shown = {turn[0].action.turn for turn in kept}
        left_out = [turn for turn in turns if turn[0].action.turn not in shown]
        if not left_out or not kept:
            return tuple(step for turn in kept for step in turn)
        first, *others = (step for turn in kept for step in turn)
        note = self._note(left_out, language)
        return (replace(first, observation=f"{note}\n{first.observation}"), *others)

    def _trimmed(self, turns: list[Turn], steps: Sequence[AgentStep]) -> list[Turn]:
        if self._trim is None:
            return turns
        if isinstance(self._trim, int):
            return turns[-self._trim :]
        kept = _turns(self._trim(tuple(steps)))
        whole = {turn[0].action.turn: _ids(turn) for turn in turns}
        numbers = [turn[0].action.turn for turn in kept]
        if numbers != sorted(set(numbers)) or any(
            _ids(turn) != whole.get(turn[0].action.turn) for turn in kept
        ):
            raise ValueError("Steps may be trimmed by whole turns only, and keep their order.")
        return kept

    def _within(self, turns: list[Turn]) -> list[Turn]:
        if self._max_chars is None:
            return turns
        first, left = len(turns), self._max_chars
        while first and (left := left - _chars(turns[first - 1])) >= 0:
            first -= 1
        return turns[min(first, len(turns) - 1) :] if turns else turns

    def _note(self, turns: Sequence[Turn], language: Language) -> str:
        done = self._completed([step for turn in turns for step in turn])
        if language == "zh":
            told = f"，其中已完成：{'；'.join(done)}" if done else ""
            return f"（提示：另有 {len(turns)} 轮较早的调用没有在这里显示{told}）"
        told = f" Completed in them: {'; '.join(done)}." if done else ""
        were = "1 earlier turn is" if len(turns) == 1 else f"{len(turns)} earlier turns are"
        return f"(Note: {were} not shown here.{told})"


def first_lines_of_writes(writes: Callable[[str], bool], max_chars: int = 200) -> Completed:
    """Return a function that names each successful write by the first line of its observation."""

    def completed(steps: Sequence[AgentStep]) -> list[str]:
        texts = [step.observation for step in steps if step.ok and writes(step.action.tool)]
        return [text.strip().split("\n", 1)[0][:max_chars].rstrip() for text in texts]

    return completed


def _turns(steps: Sequence[AgentStep]) -> list[Turn]:
    return [tuple(turn) for _, turn in groupby(steps, key=lambda step: step.action.turn)]


def _ids(turn: Turn) -> list[str]:
    return [step.action.call_id for step in turn]


def _chars(turn: Turn) -> int:
    """Return about how long a turn is in a request; the log stands there once."""
    arguments = sum(len(json.dumps(step.action.arguments, ensure_ascii=False)) for step in turn)
    return len(turn[0].action.log) + sum(len(step.observation) for step in turn) + arguments
