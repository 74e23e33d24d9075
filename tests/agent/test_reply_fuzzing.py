"""Whatever a model replies, in whatever mode: it comes to one of the typed outcomes, and what is run was asked for."""

import os
import random
from collections import Counter
from typing import Any

import pytest

from script_editor.agent.language import Language
from script_editor.agent.modes import MODES, read_reply
from script_editor.agent.steps import Actions, AgentFinish, Malformed, Outcome
from script_editor.agent.tools import Toolbox
from tests.agent.fakes import Desk
from tests.agent.nasty_replies import Raw, nasty_reply
from tests.support.cases import load

SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
COUNT = 5_040 if not SOAK else 200_040
CHUNKS = 4
EACH = COUNT // (len(MODES) * CHUNKS)
REASONS = ("stop", "length", "tool_calls", "function_call", "content_filter", "unknown")
LANGUAGES: tuple[Language, ...] = ("zh", "en")

TOOLBOX = Desk().toolbox()
REAL = [
    text
    for (case,) in (parameter.values for parameter in load("agent_output_cases.jsonl"))
    for text in (case["raw"] if isinstance(case["raw"], str) else case["raw"].get("content") or str(case["raw"]),)
]  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("mode", sorted(MODES))
def test_every_reply_comes_to_a_typed_outcome(mode: str, chunk: int) -> None:
    rng = random.Random(f"{mode} {chunk}")
    came_to = Counter[str]()

    for _ in range(EACH):
        raw, reason, language = nasty_reply(rng, REAL), rng.choice(REASONS), rng.choice(LANGUAGES)
        outcome = _read(mode, raw, reason, language)
        assert_sound(outcome, raw, reason)
        came_to[type(outcome).__name__] += 1

    # A generator that makes nothing but rubbish would test one path only.
    assert came_to["Malformed"] and came_to["Actions"] and (came_to["AgentFinish"] or mode == "json"), came_to


def _read(mode: str, raw: Raw, reason: str, language: Language) -> Outcome:
    try:
        return read_reply(
            mode, raw, TOOLBOX, finish_reason=reason, turn=2, taken_ids={"a"}, language=language
        )
    except Exception as crash:
        raise AssertionError(f"{mode} {reason}: {raw!r}") from crash


def assert_sound(outcome: Outcome, raw: Raw, reason: str) -> None:
    """Check what holds for every outcome, whatever the reply was."""
    match outcome:
        case Actions(actions):
            ids = [call_id for action in actions for call_id in (action.call_id, *action.repeated_ids)]
            assert actions and len(set(ids)) == len(ids) and "a" not in ids, raw
            assert all(_fits(TOOLBOX, action.tool, action.arguments) for action in actions), raw
            assert reason not in ("length", "content_filter") or not any(
                TOOLBOX.writes(action.tool) for action in actions
            ), raw
        case AgentFinish(output=output):
            assert output.strip(), raw
        case Malformed(code=code, message=message, hint=hint):
            assert code and message.strip() and hint.strip(), raw


def _fits(toolbox: Toolbox, tool: str, arguments: dict[str, Any]) -> bool:
    names = toolbox.signature(tool).partition("(")[2]
    return all(f"{key}:" in names for key in arguments)
