"""The same call with the same result, again and again: noticed, pointed out to the model, and stopped."""

import json
from collections import Counter
from dataclasses import replace

from script_editor.agent.language import Language
from script_editor.agent.steps import AgentStep

_NOTES: dict[Language, str] = {
    "en": "(Note: this is the same call with the same result as before. Do something else, or answer.)",
    "zh": "（提示：这个调用和上次完全相同，结果也相同。请换一种做法，或者直接回答。）",
}


class Repetition:
    """Counts equal calls with equal results. A successful write starts the count of all others again."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def count(self, step: AgentStep, *, writes: bool) -> int:
        """Return how often this call has had this result, this time included."""
        key = json.dumps([step.action.tool, step.action.arguments, step.observation], sort_keys=True)
        if writes and step.ok:
            self._seen = Counter({key: self._seen[key]})
        self._seen[key] += 1
        return self._seen[key]


def with_note(step: AgentStep, language: Language) -> AgentStep:
    """Return `step` with an observation that tells the model it repeats itself."""
    return replace(step, observation=f"{step.observation}\n{_NOTES[language]}")
