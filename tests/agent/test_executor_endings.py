"""Ends that nobody planned: Ctrl-C at any moment, a person's no, failures and bugs. Nothing is lost."""

import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

import pytest

from script_editor.agent import executor as executor_module
from script_editor.agent.events import (
    CallsPlanned,
    Event,
    RunEnded,
    TextArrived,
    ToolFinished,
    ToolSkipped,
    ToolStarted,
    TurnStarted,
    UsageReported,
)
from script_editor.agent.executor import Executor
from script_editor.agent.steps import AgentStep, Limits, RunResult
from script_editor.agent.tools import Tool, Toolbox
from script_editor.errors import Declined, ModelFailure, Objected, StoreFull
from tests.agent.fakes import NoArguments, Recorder
from tests.agent.runs import (
    EDIT,
    GET,
    TASKS,
    UNREADABLE,
    Decides,
    SumsUp,
    a_run,
    answered,
    ask_for,
    briefly,
    decided,
    finish,
    tool,
    wanted,
)

CANCELLED_BEFORE = "This call was not executed: the person cancelled the run."
BROKEN_OFF = "This call was broken off before it ended. Whether it took effect is not known: look before you do it again."


def raising(error: BaseException) -> Callable[[], str]:
    def fail() -> str:
        raise error

    return fail


def three_calls(
    second: Callable[[], str], heard: Recorder | None = None, *, language: str = "en", writes: bool = True
) -> RunResult:
    """A turn of three calls, one after the other; the second does what it is told."""
    tools = [tool("one", writes=writes), tool("two", second, writes=writes), tool("three", writes=writes)]
    return decided(Decides([ask_for("one", "two", "three")]), *tools, heard=heard).run(TASKS[language])


def only(heard: Recorder, kind: type[ToolFinished] | type[ToolSkipped]) -> list[AgentStep]:
    return [event.step for event in heard.events if isinstance(event, kind)]


def test_an_interrupt_in_a_tool_answers_every_call_and_says_which_one_is_uncertain() -> None:
    heard = Recorder()

    result = three_calls(raising(KeyboardInterrupt()), heard)

    assert (result.stop_reason, result.output) == ("cancelled", "Cancelled. Completed: done")
    assert briefly(result.steps) == [
        ("one", "done", True),
        ("two", BROKEN_OFF, True),
        ("three", CANCELLED_BEFORE, False),
    ]
    assert [step.uncertain for step in result.steps] == [False, True, False]
    assert (only(heard, ToolFinished), only(heard, ToolSkipped)) == (
        list(result.steps[:2]),
        [result.steps[2]],
    )
    assert heard.events[-1] == RunEnded(result)


def test_what_is_said_of_open_calls_is_said_in_the_language_of_the_task() -> None:
    result = three_calls(raising(KeyboardInterrupt()), language="zh")

    assert [step.observation for step in result.steps[1:]] == [
        "这个调用没有结束就中断了。 不知道它有没有生效：再做一次之前请先查看。",
        "这个调用没有执行：用户取消了运行。",
    ]


MOMENTS = [TurnStarted, TextArrived, UsageReported, CallsPlanned, ToolStarted, ToolFinished]


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("count", [1, 2])
def test_an_interrupt_at_any_moment_keeps_what_was_done_and_answers_every_call(
    moment: type[Event], count: int
) -> None:
    seen: list[Event] = []

    def interrupt(event: Event) -> None:
        seen.extend([event] if isinstance(event, moment) else [])
        if len(seen) == count and seen[-1] is event:
            raise KeyboardInterrupt

    replies = [wanted("tools", EDIT, GET), wanted("tools", GET), answered("tools", "好。")]
    run = a_run("tools", *replies, heard=Recorder(interrupt))

    result = run.executor.run(TASKS["zh"])

    assert result.stop_reason == "cancelled" and run.heard.events[-1] == RunEnded(result)
    planned = [
        action for event in run.heard.events if isinstance(event, CallsPlanned) for action in event.actions
    ]
    assert [step.action for step in result.steps] == planned
    wrote = [step for step in result.steps if step.action.tool == "modify_script" and step.ok]
    assert len(wrote) == run.desk.done.count("modify tea-ad")


def test_a_second_interrupt_while_the_run_is_being_closed_is_raised() -> None:
    def again(event: Event) -> None:
        if isinstance(event, ToolSkipped):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        three_calls(raising(KeyboardInterrupt()), Recorder(again))


def test_a_no_of_the_person_ends_the_run_with_a_reason_of_its_own() -> None:
    no = Declined(hint="The proposal is kept.")

    result = three_calls(raising(no))

    assert (result.stop_reason, result.error, result.finished) == ("declined", no, False)
    assert result.output == "Stopped: the person said no to a change. Completed: done"
    assert briefly(result.steps)[1:] == [
        ("two", "Not saved.", True),
        ("three", "This call was not executed: the person said no to a change before it.", False),
    ]
    assert not result.steps[1].uncertain


def test_a_no_with_a_reason_is_an_observation() -> None:
    planner = Decides([ask_for("save"), finish("好。")])

    result = decided(planner, tool("save", raising(Objected("too long")), writes=True)).run(TASKS["en"])

    assert result.stop_reason == "finished"
    assert "too long" in planner.shown[1][0].observation


def test_a_failure_of_a_tool_answers_every_call_of_the_turn() -> None:
    result = three_calls(raising(StoreFull("The disk is full.")))

    assert result.stop_reason == "failed"
    assert briefly(result.steps)[1:] == [
        ("two", "The disk is full.", True),
        ("three", "This call was not executed: the run ended before it, because of an error.", False),
    ]


def test_nothing_is_run_again_by_the_loop_after_a_failure() -> None:
    tries: list[int] = []

    def fail() -> str:
        tries.append(1)
        raise ModelFailure("The service answered 500.", retryable=True)

    three_calls(fail)

    assert len(tries) == 1


@pytest.mark.parametrize("error", [RuntimeError("a bug"), SystemExit(3)], ids=["a bug", "an exit"])
def test_a_bug_in_a_tool_is_raised_after_the_listener_was_told_everything(error: BaseException) -> None:
    heard = Recorder()

    with pytest.raises(type(error)) as raised:
        three_calls(raising(error), heard)

    assert raised.value is error
    ended = heard.events[-1]
    assert isinstance(ended, RunEnded)
    assert (ended.result.stop_reason, ended.result.error) == ("crashed", None)
    assert ended.result.output == (
        f"The run broke off because of an error in the program ({type(error).__name__}). Completed: done"
    )
    assert [(step.action.tool, step.ok, step.uncertain, step.executed) for step in ended.result.steps] == [
        ("one", True, False, True), ("two", False, True, True), ("three", False, False, False),
    ]  # fmt: skip


def test_a_bug_in_the_planner_is_raised_after_the_listener_was_told_everything() -> None:
    heard = Recorder()
    planner = Decides([ask_for("save"), AssertionError("not scripted")])

    with pytest.raises(AssertionError, match="not scripted"):
        decided(planner, tool("save", writes=True), heard=heard).run(TASKS["zh"])

    ended = heard.events[-1]
    assert isinstance(ended, RunEnded)
    assert briefly(ended.result.steps) == [("save", "done", True)]


def test_a_listener_that_raises_ends_the_run_and_is_not_hidden() -> None:
    def always(event: Event) -> None:
        if isinstance(event, ToolFinished | ToolSkipped | RunEnded):
            raise ValueError(type(event).__name__)

    done: list[str] = []

    with pytest.raises(ValueError, match="ToolFinished"):
        three_calls(lambda: str(done.append("two")), Recorder(always))

    assert done == []


# --- Ctrl-C at any line ---

ENGINE = str(Path(executor_module.__file__).parent)


@contextmanager
def interrupt_at(line_count: int) -> Iterator[list[str]]:
    """Raise KeyboardInterrupt where the engine reaches its n-th line of code; the place is noted."""
    places: list[str] = []
    lines = 0

    def trace(frame: FrameType, event: str, _arg: object) -> object:
        nonlocal lines
        if not frame.f_code.co_filename.startswith(ENGINE):
            return None
        lines += event == "line"
        if lines == line_count and event == "line" and not places:
            places.append(f"{frame.f_code.co_name} in {Path(frame.f_code.co_filename).name}")
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)  # type: ignore[arg-type]
    try:
        yield places
    finally:
        sys.settrace(before)


def interrupted(line_count: int, limits: Limits) -> tuple[str, RunResult | None, Counter[str]]:
    """Run everything a run can do; return where it was interrupted, its result, and the ids of the calls that ran."""
    ran: Counter[str] = Counter()

    def note(_arguments: NoArguments, call_id: str) -> str:
        ran[call_id] += 1
        return "done"

    tools = [
        Tool(name=name, description=name, args=NoArguments, run=note, writes=name == "save")
        for name in ("look", "see", "save")
    ]
    decisions = [
        ask_for("save", "look", "see", ("save", "save2")),
        UNREADABLE,
        finish("Not yet."),
        ask_for(("look", "look2")),
        finish("Done."),
    ]
    executor = Executor(
        SumsUp(decisions),
        Toolbox(tools),
        limits=limits,
        early_stopping="generate",
        answer_check=lambda answer, _steps: "Why?" if answer.output == "Not yet." else None,
    )
    result = None
    with interrupt_at(line_count) as places, suppress(KeyboardInterrupt):
        result = executor.run(TASKS["en"])
    for thread in threading.enumerate():
        if thread.name.startswith("call-"):
            thread.join(timeout=20)
    return "".join(places), result, ran


@pytest.mark.parametrize("limits", [Limits(), Limits(max_steps=1)], ids=["to the end", "to a limit"])
@pytest.mark.parametrize("first", [1, 5, 9])
def test_an_interrupt_at_any_line_denies_nothing_that_ran_and_repeats_nothing(
    first: int, limits: Limits
) -> None:
    places: set[str] = set()
    for line_count in range(first, 5_000, 13):
        place, result, ran = interrupted(line_count, limits)
        if not place:
            break
        places.add(place)
        if result is None:  # before the run had begun
            assert not ran, place
            continue
        steps = {step.action.call_id: step for step in result.steps}
        assert len(steps) == len(result.steps), place
        assert set(ran) <= set(steps) and max(ran.values(), default=0) <= 1, place
        assert all(steps[call_id].executed for call_id in ran), place
        assert all(steps[call_id].ok or steps[call_id].uncertain for call_id in ran), place
    assert len(places) > 20


@pytest.mark.skipif(sys.platform == "win32", reason="the signal is sent by the POSIX way")
def test_a_real_signal_while_calls_run_side_by_side_ends_the_run_at_once() -> None:
    opened = threading.Event()

    def wait() -> str:
        opened.wait(timeout=20)
        return "waited"

    def signal_then_wait() -> str:
        os.kill(os.getpid(), signal.SIGINT)
        return wait()

    planner = Decides([ask_for("a", "b")])

    result = decided(planner, tool("a", wait), tool("b", signal_then_wait)).run(TASKS["en"])
    was_open = opened.is_set()
    opened.set()

    assert (result.stop_reason, was_open) == ("cancelled", False)
    assert [step.uncertain for step in result.steps] == [True, True]
