"""Limits: each has its own end, names what was completed, and may leave the model a last word."""

from collections.abc import Callable

import pytest

from script_editor.agent.events import ConclusionStarted, RunEnded, ToolSkipped
from script_editor.agent.planner import Planned
from script_editor.agent.steps import Actions, Limits, RunResult, StopReason
from script_editor.errors import BudgetReached, ModelFailure
from script_editor.errors.endings import BudgetKind
from script_editor.llm.chat import Usage
from tests.agent.fakes import Clock, Recorder
from tests.agent.runs import (
    EDIT,
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
    briefly,
    decided,
    finish,
    tool,
    wanted,
)

NOT_AFTER_LIMIT = "This call was not executed: a limit of the run was reached before it."


def save(version: int = 2) -> Callable[[], str]:
    return lambda: f"tea-ad: version {version} saved\nand more"


@pytest.mark.parametrize(
    ("limits", "stop_reason"),
    [
        (Limits(max_steps=2), "step_limit"),
        (Limits(max_model_calls=2), "model_call_limit"),
        (Limits(max_tool_calls=2), "call_limit"),
        (Limits(max_tokens=24), "token_limit"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_budget_has_its_own_end(limits: Limits, stop_reason: StopReason) -> None:
    planner = Decides([ask_for((name, name)) for name in ("a", "b", "c")])

    result = decided(planner, tool("a"), tool("b"), tool("c"), limits=limits).run(TASKS["en"])

    assert result.stop_reason == stop_reason
    assert (result.finished, result.tool_calls, [step.ok for step in result.steps][:2]) == (
        False,
        2,
        [True, True],
    )


def test_a_malformed_reply_is_a_model_call_but_no_step() -> None:
    planner = Decides([UNREADABLE, ask_for("a"), UNREADABLE])

    result = decided(planner, tool("a"), limits=Limits(max_model_calls=3)).run(TASKS["zh"])

    assert (result.stop_reason, result.model_calls, result.tool_calls) == ("model_call_limit", 3, 1)
    assert result.output == "已停止：任务还没有完成，就达到了一次运行的模型调用上限。"


def test_the_calls_of_a_turn_that_may_not_act_are_answered_and_not_counted() -> None:
    heard = Recorder()
    planner = Decides([ask_for("a", "b")])

    result = decided(planner, tool("a"), tool("b"), heard=heard, limits=Limits(max_steps=0)).run(TASKS["en"])

    assert briefly(result.steps) == [("a", NOT_AFTER_LIMIT, False), ("b", NOT_AFTER_LIMIT, False)]
    assert (result.tool_calls, [step.ok for step in result.steps]) == (0, [False, False])
    assert heard.kinds[-3:] == ["ToolSkipped", "ToolSkipped", "RunEnded"]


def test_a_limit_between_the_calls_of_a_turn_leaves_none_without_an_answer() -> None:
    planner = Decides([ask_for("a", "b", "c")])
    tools = [tool(name, writes=True) for name in ("a", "b", "c")]

    result = decided(planner, *tools, limits=Limits(max_tool_calls=1)).run(TASKS["zh"])

    told = "这个调用没有执行：在它之前就达到了本次运行的上限。"
    assert briefly(result.steps) == [("a", "done", True), ("b", told, False), ("c", told, False)]


@pytest.mark.parametrize(
    ("kind", "stop_reason"),
    [("tokens", "token_limit"), ("seconds", "time_limit"), ("calls", "model_call_limit")],
)
def test_a_budget_that_another_meter_found_used_up_is_that_limit(
    kind: BudgetKind, stop_reason: StopReason
) -> None:
    error = BudgetReached("Nothing is left.", kind=kind)

    result = decided(Decides([error])).run(TASKS["zh"])

    assert (result.stop_reason, result.error) == (stop_reason, error)


# --- the sentence ---


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "Stopped: the limit of steps for one run was reached before the task was finished."
            " Completed: tea-ad: version 2 saved; tea-ad: version 3 saved",
        ),
        (
            "zh",
            "已停止：任务还没有完成，就达到了一次运行的步数上限。已完成：tea-ad: version 2 saved；tea-ad: version 3 saved",
        ),
    ],
)
def test_the_sentence_at_a_limit_names_what_was_completed(language: str, sentence: str) -> None:
    planner = Decides([ask_for("save"), ask_for("look"), ask_for("again"), ask_for("save")])
    tools = [tool("save", save(2), writes=True), tool("again", save(3), writes=True), tool("look")]

    result = decided(planner, *tools, limits=Limits(max_steps=3)).run(TASKS[language])

    assert result.output == sentence


def test_what_was_completed_is_named_after_a_failure_as_well() -> None:
    planner = Decides([ask_for("save"), ModelFailure("The service answered 500.")])

    result = decided(planner, tool("save", save(), writes=True)).run(TASKS["en"])

    assert result.output == "The run failed: The service answered 500. Completed: tea-ad: version 2 saved"


def test_a_write_that_failed_or_never_ran_is_not_completed() -> None:
    planner = Decides([ask_for("broken"), ask_for("save")])
    broken = tool("broken", lambda: 1 // 0, writes=True, handled=(ZeroDivisionError,))  # type: ignore[arg-type,return-value]

    result = decided(planner, broken, tool("save", writes=True), limits=Limits(max_steps=1)).run(TASKS["zh"])

    assert result.output == "已停止：任务还没有完成，就达到了一次运行的步数上限。"


def test_the_application_may_say_itself_what_was_completed() -> None:
    def completed(steps: object) -> list[str]:
        assert isinstance(steps, list | tuple)
        return [f"{len(steps)} 步"]

    planner = Decides([ask_for("look")])

    result = decided(planner, tool("look"), limits=Limits(max_steps=0), completed=completed).run(TASKS["zh"])

    assert result.output.endswith("已完成：1 步")


# --- a last word of the model ---


def at_the_step_limit(planner: Decides, **options: object) -> RunResult:
    options = {"limits": Limits(max_steps=1), "early_stopping": "generate", **options}
    tools = [tool("save", save(), writes=True), tool("look")]
    return decided(planner, *tools, **options).run(TASKS["en"])


def test_the_model_sums_up_at_a_limit_if_it_is_let() -> None:
    heard = Recorder()
    planner = SumsUp([ask_for("save"), ask_for("look")], summary=finish("I saved it, the rest is left."))

    result = at_the_step_limit(planner, heard=heard)

    assert (result.stop_reason, result.finished, result.concluded) == ("step_limit", False, True)
    assert (result.output, result.usage, result.model_calls) == (
        "I saved it, the rest is left.",
        Usage(30, 6),
        3,
    )
    assert [(tool, executed) for tool, _, executed in briefly(planner.summed[0])] == [
        ("save", True),
        ("look", False),
    ]
    assert ConclusionStarted("step_limit") in heard.events
    assert heard.kinds.count("ToolSkipped") == 1
    assert heard.events[-1] == RunEnded(result)


@pytest.mark.parametrize(
    "summary",
    [ModelFailure("down"), UNREADABLE, ask_for("save"), finish(" \n")],
    ids=["the service fails", "the reply is unreadable", "it calls a tool", "it says nothing"],
)
def test_a_summary_that_fails_leaves_the_sentence_of_the_program(summary: Decision) -> None:
    planner = SumsUp([ask_for("save"), ask_for("look")], summary=summary)

    result = at_the_step_limit(planner)

    assert (result.stop_reason, result.concluded, result.error) == ("step_limit", False, None)
    assert result.output.endswith("Completed: tea-ad: version 2 saved")
    assert result.tool_calls == 1


@pytest.mark.parametrize(
    "limits",
    [
        Limits(max_steps=1, max_model_calls=2),
        Limits(max_steps=1, max_tokens=24),
        Limits(max_steps=1, max_seconds=2),
    ],
    ids=["model calls", "tokens", "time"],
)
def test_no_summary_is_asked_for_where_nothing_is_left_to_ask_with(limits: Limits) -> None:
    clock = Clock()

    def slow() -> Actions:
        clock.now += 2
        return ask_for("look")

    planner = SumsUp([ask_for("save"), slow])

    result = at_the_step_limit(planner, limits=limits, clock=clock)

    assert (result.stop_reason, result.concluded, planner.summed) == ("step_limit", False, [])


@both_modes
def test_a_model_sums_up_without_tools_and_sees_every_call_answered(mode: str) -> None:
    replies = [wanted(mode, GET), wanted(mode, EDIT), answered(mode, "I have read it.")]
    run = a_run(mode, *replies, limits=Limits(max_steps=1), early_stopping="generate")

    result = run.executor.run(TASKS["en"])

    assert (result.output, result.concluded, run.desk.done) == ("I have read it.", True, ["get tea-ad"])
    asked = run.model.calls[-1]
    assert asked.tools == ()
    assert any("大家好。" in message.content for message in asked.messages)
    assert any("was not executed" in message.content for message in asked.messages)


def test_a_planner_that_cannot_sum_up_is_not_asked_to() -> None:
    result = at_the_step_limit(Decides([ask_for("save"), ask_for("look")]))

    assert (result.stop_reason, result.concluded) == ("step_limit", False)


def test_a_model_that_could_not_be_read_is_not_asked_for_a_summary() -> None:
    planner = SumsUp([UNREADABLE] * 3)

    result = at_the_step_limit(planner)

    assert (result.stop_reason, planner.summed) == ("unreadable", [])


def test_an_interrupt_during_the_summary_cancels_the_run() -> None:
    result = at_the_step_limit(SumsUp([ask_for("save"), ask_for("look")], summary=KeyboardInterrupt()))

    assert (result.stop_reason, result.output) == (
        "cancelled",
        "Cancelled. Completed: tea-ad: version 2 saved",
    )
    assert len(result.steps) == 2


# --- the same call again ---


@both_modes
def test_the_same_call_is_pointed_out_then_refused_then_stopped(mode: str) -> None:
    run = a_run(mode, *[wanted(mode, GET)] * 4)

    result = run.executor.run(TASKS["en"])

    assert result.stop_reason == "repeating"
    assert [(step.executed, step.ok) for step in result.steps] == [
        (True, True), (True, True), (False, False), (False, False),
    ]  # fmt: skip
    assert "same call with the same result" in result.steps[1].observation
    assert result.steps[2].observation.startswith("This call was not executed: it was made before")
    assert run.desk.done == ["get tea-ad"] * 2
    assert sum(isinstance(event, ToolSkipped) for event in run.heard.events) == 2


@both_modes
def test_a_refused_call_tells_the_model_and_the_run_goes_on(mode: str) -> None:
    run = a_run(mode, *[wanted(mode, GET)] * 3, answered(mode, "好。"))

    result = run.executor.run(TASKS["zh"])

    assert (result.stop_reason, result.output, result.tool_calls) == ("finished", "好。", 2)
    assert "它已经做过不止一次" in run.model.calls[3].messages[-1].content


@pytest.mark.parametrize(("limit", "executed"), [(1, 1), (2, 1), (3, 1), (4, 2), (6, 4)])
def test_how_often_a_call_may_repeat_is_a_limit(limit: int, executed: int) -> None:
    planner = Decides([ask_for(("look", str(number))) for number in range(9)])

    result = decided(planner, tool("look"), limits=Limits(max_identical_calls=limit)).run(TASKS["zh"])

    assert (result.stop_reason, result.tool_calls) == ("repeating", executed)
    assert len(result.steps) == max(2, limit)


def test_a_result_that_changes_is_no_repetition() -> None:
    numbers = iter(range(9))
    planner = Decides([*[ask_for(("look", str(number))) for number in range(6)], finish("好。")])

    result = decided(planner, tool("look", lambda: str(next(numbers)))).run(TASKS["zh"])

    assert (result.stop_reason, result.tool_calls) == ("finished", 6)


@both_modes
def test_a_write_in_between_starts_the_count_of_repeated_calls_again(mode: str) -> None:
    replies = [wanted(mode, one) for one in (GET, GET, EDIT, GET, GET)]
    run = a_run(mode, *replies, answered(mode, "好。"))
    run.desk.modify_script = lambda _arguments, _call_id: "saved"  # type: ignore[method-assign]

    result = run.executor.run(TASKS["zh"])

    assert (result.stop_reason, result.tool_calls) == ("finished", 5)


def test_a_write_does_not_start_its_own_count_again() -> None:
    planner = Decides([ask_for(("save", str(number))) for number in range(4)])

    result = decided(planner, tool("save", lambda: "already so", writes=True)).run(TASKS["zh"])

    assert (result.stop_reason, result.tool_calls) == ("repeating", 2)


def test_a_repetition_may_be_summed_up() -> None:
    planner = SumsUp([ask_for(("look", str(number))) for number in range(4)])

    result = decided(planner, tool("look"), early_stopping="generate").run(TASKS["zh"])

    assert (result.stop_reason, result.output, result.concluded) == ("repeating", "总结。", True)


def test_usage_that_the_planner_reports_counts_against_the_tokens() -> None:
    planner = Decides([Planned(ask_for("look"), Usage(90, 10))])

    result = decided(planner, tool("look"), limits=Limits(max_tokens=100)).run(TASKS["zh"])

    assert (result.stop_reason, result.usage) == ("token_limit", Usage(90, 10))
