"""Every collected reply of a model comes to the calls, the answer or the correction that it should."""

from typing import Any

import pytest

from script_editor.agent.modes import MODES, read_reply
from script_editor.agent.steps import Actions, AgentFinish, Malformed, Outcome
from tests.agent.fakes import Desk
from tests.support.cases import load, skip_unknown

KEYS = {"id", "mode", "raw", "expect", "why", "source", "finish_reason"}
EXPECTED = {
    "action": {"tool", "input"},
    "actions": {"calls"},
    "finish": {"output"},
    "parse_error": {"feedback_must_mention"},
}


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("case", load("agent_output_cases.jsonl"))
def test_agent_output_case(case: dict[str, Any], language: Any) -> None:
    expect = case["expect"]
    for word in _unknown(case, expect):
        skip_unknown(word)

    outcome = read_reply(
        case["mode"],
        case["raw"],
        Desk().toolbox(),
        finish_reason=case.get("finish_reason", "stop"),
        language=language,
    )

    if expect["kind"] == "parse_error":
        assert isinstance(outcome, Malformed), outcome
        feedback = f"{outcome.message}\n{outcome.hint}".casefold()
        assert [word for word in expect["feedback_must_mention"] if word.casefold() not in feedback] == []
    else:
        assert _told(outcome) == _expected(expect)


def _unknown(case: dict[str, Any], expect: dict[str, Any]) -> list[str]:
    words = [*(case.keys() - KEYS), *({case["mode"]} - MODES.keys()), *({expect["kind"]} - EXPECTED.keys())]
    return words or [*(expect.keys() - EXPECTED[expect["kind"]] - {"kind"})]


def _expected(expect: dict[str, Any]) -> object:
    if expect["kind"] == "finish":
        return expect["output"]
    calls = expect["calls"] if expect["kind"] == "actions" else [expect]
    return [(call["tool"], call["input"]) for call in calls]


def _told(outcome: Outcome) -> object:
    match outcome:
        case Actions(actions):
            return [(action.tool, action.arguments) for action in actions]
        case AgentFinish(output=output):
            return output
        case Malformed():
            return outcome
