"""The same call with the same result, again and again: noticed, pointed out, refused, and stopped.

With the limit at 4: the second time the call runs and its observation says that it repeats itself; the third
time it is not run, and told so; the fourth time the run ends. A larger limit lets it run more often before the
last two, a smaller one less often. A result that differs starts the count again, and so does a successful
write in between, except for its own. Arguments count as they were given.

A write of which nobody knows whether it took effect is refused until something was read successfully; then it
counts as new.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from script_editor.agent.language import Language
from script_editor.agent.steps import AgentAction, AgentStep

Verdict = Literal["run", "repeated", "unsure", "stop"]

_NOTES: Mapping[Language, str] = {
    "en": "(Note: this is the same call with the same result as before. Do something else, or answer.)",
    "zh": "（提示：这个调用和上次完全相同，结果也相同。请换一种做法，或者直接回答。）",
}


@dataclass(slots=True)
class _Seen:
    observation: str
    times: int


class Repetition:
    """Counts, for each call, how often in a row it was asked for with the same result."""

    def __init__(self, max_identical_calls: int):
        self._stop_at = max(2, max_identical_calls)
        self._seen: dict[str, _Seen] = {}
        self._unsure: set[str] = set()

    def verdict(self, action: AgentAction, *, writes: bool) -> Verdict:
        """Say what is to become of a call before it is run; one that is not run counts as asked for."""
        key = _key(action)
        seen = self._seen.get(key)
        if seen is None:
            return "run"
        if seen.times + 1 >= self._stop_at:
            return "stop"
        if writes and key in self._unsure:
            seen.times += 1
            return "unsure"
        if seen.times + 2 >= self._stop_at:
            seen.times += 1
            return "repeated"
        return "run"

    def count(self, step: AgentStep, *, writes: bool) -> int:
        """Return how often this call has had this result in a row, this time included."""
        key = _key(step.action)
        if step.uncertain:
            self._unsure.add(key)
        elif step.ok and not writes:
            self._forget_doubts()
        seen = self._seen.get(key)
        if seen is None or seen.observation != step.observation:
            seen = _Seen(step.observation, 0)
        if writes and step.ok:
            self._seen.clear()
        self._seen[key] = seen
        seen.times += 1
        return seen.times

    def _forget_doubts(self) -> None:
        for key in self._unsure:
            self._seen.pop(key, None)
        self._unsure.clear()


def with_note(step: AgentStep, language: Language) -> AgentStep:
    """Return `step` with an observation that tells the model it repeats itself."""
    return replace(step, observation=f"{step.observation}\n{_NOTES[language]}")


def _key(action: AgentAction) -> str:
    return json.dumps([action.tool, action.arguments], sort_keys=True)
