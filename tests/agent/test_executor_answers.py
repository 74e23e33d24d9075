"""Replies that are no good: unreadable ones, and answers the application does not believe."""

from collections.abc import Sequence

import pytest

from script_editor.agent.events import AnswerQuestioned, ModeChanged, ReplyRejected
from script_editor.agent.planner import Planned
from script_editor.agent.steps import AgentFinish, AgentStep, Limits, Malformed, StopReason
from script_editor.errors import ModelFailure, StoreFull
from script_editor.llm.chat import Usage
from tests.agent.fakes import Recorder
from tests.agent.runs import (
    GET,
    TASKS,
    UNREADABLE,
    Decides,
    Decision,
    SumsUp,
    a_run,
    answered,
    ask_for,
    both_modes,
    decided,
    finish,
    tool,
    wanted,
)

# --- what is said of a reply that cannot be read ---


@both_modes
@pytest.mark.parametrize(
    "handling",
    ["Check your output!", lambda malformed: f"Check your output! ({malformed.code})"],
    ids=["a text", "a function"],
)
def test_the_application_may_word_the_feedback(mode: str, handling: object) -> None:
    run = a_run(mode, "", answered(mode, "好。"), handle_parsing_errors=handling)

    result = run.executor.run(TASKS["zh"])

    told = run.model.calls[1].messages[-1].content
    assert told == ("Check your output!" if isinstance(handling, str) else "Check your output! (empty)")
    assert [one.malformed.code for one in result.corrections] == ["empty"]


@both_modes
def test_without_handling_the_first_unreadable_reply_ends_the_run(mode: str) -> None:
    run = a_run(mode, wanted(mode, GET), "", handle_parsing_errors=False)

    result = run.executor.run(TASKS["zh"])

    assert (result.stop_reason, result.output) == ("unreadable", "已停止：模型的回复无法读取。")
    assert (len(result.steps), len(result.corrections)) == (1, 1)
    assert run.heard.kinds[-2:] == ["ReplyRejected", "RunEnded"]


# --- answers the application does not believe ---


def must_have_saved(_answer: AgentFinish, steps: Sequence[AgentStep]) -> str | None:
    return None if any(step.ok and step.action.tool == "save" for step in steps) else "Nothing was saved."


def checked(
    planner: Decides, heard: Recorder | None = None, limits: Limits | None = None
) -> tuple[StopReason, str, bool]:
    def full() -> str:
        raise StoreFull("The disk is full.")

    tools = [tool("save", writes=True), tool("look"), tool("full", full, writes=True)]
    run = decided(planner, *tools, heard=heard, limits=limits, answer_check=must_have_saved)
    result = run.run(TASKS["en"])
    return result.stop_reason, result.output, result.objected


def test_an_answer_that_stands_the_check_is_taken_at_once() -> None:
    planner = Decides([ask_for("save"), finish("Saved.")])

    assert checked(planner) == ("finished", "Saved.", False)


def test_an_answer_is_questioned_once_and_then_taken_with_a_flag() -> None:
    heard = Recorder()
    planner = Decides([finish("Saved."), finish("Really saved.")])

    assert checked(planner, heard) == ("finished", "Really saved.", True)
    [questioned] = [event.correction for event in heard.events if isinstance(event, AnswerQuestioned)]
    assert questioned.malformed == Malformed(
        code="unproven_answer", message="Nothing was saved.", hint="", raw="Saved."
    )
    assert planner.corrections[1] == (questioned,)
    assert not any(isinstance(event, ReplyRejected) for event in heard.events)


def test_after_the_question_the_model_may_do_what_it_claimed() -> None:
    planner = Decides([finish("Saved."), ask_for("save"), finish("Now it is saved.")])

    assert checked(planner) == ("finished", "Now it is saved.", False)


def test_a_better_answer_after_the_question_is_not_flagged() -> None:
    claims = lambda answer, _steps: "Nothing was saved." if "Saved" in answer.output else None  # noqa: E731
    planner = Decides([finish("Saved."), finish("Sorry, nothing was done.")])

    result = decided(planner, answer_check=claims).run(TASKS["en"])

    assert (result.output, result.objected) == ("Sorry, nothing was done.", False)


@pytest.mark.parametrize(
    ("second", "limits"),
    [
        (UNREADABLE, Limits()),
        (ModelFailure("down"), Limits()),
        (finish("never asked"), Limits(max_model_calls=1)),
        (finish("never asked"), Limits(max_tokens=12)),
        (ask_for("save"), Limits(max_steps=0)),
    ],
    ids=["unreadable", "the service fails", "no model calls", "no tokens", "no steps"],
)
def test_the_first_answer_stands_flagged_when_asking_again_leads_to_nothing(
    second: Decision, limits: Limits
) -> None:
    assert checked(Decides([finish("Saved."), second]), limits=limits) == ("finished", "Saved.", True)


def test_a_question_is_no_unreadable_reply() -> None:
    planner = Decides(
        [UNREADABLE, UNREADABLE, finish("Saved."), ask_for("save"), UNREADABLE, finish("Saved.")]
    )

    assert checked(planner) == ("finished", "Saved.", False)


@pytest.mark.parametrize(
    ("then", "stop_reason"),
    [(KeyboardInterrupt(), "cancelled"), (ask_for("full"), "failed")],
    ids=["Ctrl-C", "a tool fails"],
)
def test_an_interrupt_and_a_failing_tool_count_more_than_a_questioned_answer(
    then: Decision, stop_reason: StopReason
) -> None:
    assert checked(Decides([finish("Saved."), then]))[0] == stop_reason


def test_a_model_that_went_to_work_after_the_question_is_stopped_by_a_limit_like_any_other() -> None:
    planner = Decides([finish("Saved."), ask_for("look"), ask_for("look")])

    assert checked(planner, limits=Limits(max_steps=1))[0] == "step_limit"


def test_a_summary_at_a_limit_is_checked_too() -> None:
    planner = SumsUp([ask_for("look")], summary=finish("Saved."))
    executor = decided(
        planner,
        tool("look"),
        limits=Limits(max_steps=0),
        early_stopping="generate",
        answer_check=must_have_saved,
    )

    result = executor.run(TASKS["en"])

    assert (result.stop_reason, result.output, result.objected) == ("step_limit", "Saved.", True)


# --- modes ---


def test_a_planner_that_goes_on_in_another_mode_is_noticed() -> None:
    heard = Recorder()
    planner = Decides([
        Planned(ask_for(("look", "1")), Usage(), "tools"),
        Planned(ask_for(("look", "2")), Usage(), "json", "no tools here"),
        Planned(finish("好。"), Usage(), "json"),
    ])  # fmt: skip

    decided(planner, tool("look"), heard=heard).run(TASKS["zh"])

    changed = [event for event in heard.events if isinstance(event, ModeChanged)]
    assert changed == [ModeChanged("tools", "json", "no tools here")]


def test_a_mode_that_changes_in_the_first_turn_is_noticed_when_the_executor_knows_it() -> None:
    heard = Recorder()
    planner = Decides([Planned(finish("好。"), Usage(), "react")])

    decided(planner, heard=heard, mode="tools").run(TASKS["zh"])

    assert heard.kinds == ["TurnStarted", "ModeChanged", "UsageReported", "RunEnded"]


def test_a_mode_that_changes_in_the_first_turn_for_a_reason_is_told_in_any_case() -> None:
    heard = Recorder()
    planner = Decides([Planned(finish("好。"), Usage(), "react", "no tools here")])

    decided(planner, heard=heard).run(TASKS["zh"])

    assert heard.events[1] == ModeChanged("", "react", "no tools here")
