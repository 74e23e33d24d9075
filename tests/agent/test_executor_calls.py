"""The calls of one turn: reads side by side, writes in order, one answer each, and nothing twice."""

import contextvars
import threading
import time
from collections.abc import Callable

import pytest

from script_editor.agent.events import CallsPlanned, RunEnded, ToolFinished
from script_editor.agent.steps import Limits
from script_editor.errors import ScriptNotFound, StoreFull
from tests.agent.fakes import Recorder
from tests.agent.runs import (
    EDIT,
    GET,
    TASKS,
    Decides,
    a_run,
    answered,
    ask_for,
    briefly,
    decided,
    finish,
    tool,
    wanted,
)

HANG_SECONDS = 20


def gate() -> tuple[threading.Event, Callable[[], str]]:
    """A tool that waits until it is let go."""
    opened = threading.Event()

    def wait() -> str:
        assert opened.wait(timeout=HANG_SECONDS)
        return "waited"

    return opened, wait


def join_calls() -> None:
    """Wait until no thread of a call is left."""
    for thread in threading.enumerate():
        if thread.name.startswith("call-"):
            thread.join(timeout=HANG_SECONDS)


def raising(error: BaseException) -> Callable[[], str]:
    def fail() -> str:
        raise error

    return fail


def test_reads_of_one_turn_run_at_the_same_time() -> None:
    meeting = threading.Barrier(3)
    planner = Decides([ask_for("a", "b", "c"), finish("好。")])

    def meet() -> str:
        meeting.wait(timeout=HANG_SECONDS)
        return "met"

    result = decided(planner, *[tool(name, meet) for name in "abc"]).run(TASKS["zh"])

    assert briefly(result.steps) == [(name, "met", True) for name in "abc"]


def test_no_more_than_four_run_at_once_and_all_run() -> None:
    opened, wait = gate()
    meeting = threading.Barrier(4)
    heard = Recorder()
    started: list[int] = []

    def meet() -> str:
        if not opened.is_set():
            meeting.wait(timeout=HANG_SECONDS)
            time.sleep(0.05)  # a fifth would have begun by now
            started.append(heard.kinds.count("ToolStarted"))
            opened.set()
        return wait()

    names = [f"t{number}" for number in range(8)]
    planner = Decides([ask_for(*names), finish("好。")])

    result = decided(planner, *[tool(name, meet) for name in names], heard=heard).run(TASKS["zh"])

    assert started[0] == 4
    assert [step.observation for step in result.steps] == ["waited"] * 8


def test_results_and_events_keep_the_order_of_the_calls_whichever_ends_first() -> None:
    opened, wait = gate()
    heard = Recorder()
    planner = Decides([ask_for("slow", "fast"), finish("好。")])

    def fast() -> str:
        opened.set()
        return "fast"

    result = decided(planner, tool("slow", wait), tool("fast", fast), heard=heard).run(TASKS["zh"])

    assert briefly(result.steps) == [("slow", "waited", True), ("fast", "fast", True)]
    assert heard.kinds[2:7] == ["CallsPlanned", "ToolStarted", "ToolStarted", "ToolFinished", "ToolFinished"]
    assert [event.step for event in heard.events if isinstance(event, ToolFinished)] == list(result.steps)


def test_a_whole_turn_is_told_before_its_first_call() -> None:
    run = a_run("tools", wanted("tools", GET, EDIT), answered("tools", "好。"))

    result = run.executor.run(TASKS["zh"])

    [planned] = [event for event in run.heard.events if isinstance(event, CallsPlanned)]
    assert list(planned.actions) == [step.action for step in result.steps]


def test_a_write_waits_for_the_reads_before_it_and_the_reads_after_it_wait_for_the_write() -> None:
    order: list[str] = []

    def noted(name: str) -> Callable[[], str]:
        def note() -> str:
            order.append(name)
            return name

        return note

    def late() -> str:
        assert not late_started.wait(timeout=0.05)
        return noted("late")()

    late_started = threading.Event()
    tools = [
        tool("early", late), tool("read", noted("read")), tool("w1", noted("w1"), writes=True),
        tool("w2", noted("w2"), writes=True), tool("after", noted("after")),
    ]  # fmt: skip

    decided(Decides([ask_for("early", "read", "w1", "w2", "after"), finish("好。")]), *tools).run(TASKS["zh"])

    assert order == ["read", "late", "w1", "w2", "after"]


@pytest.mark.parametrize("facts", [{"writes": True}, {"parallel": False}], ids=["writes", "says no"])
def test_what_may_not_run_beside_others_runs_in_the_thread_of_the_loop(facts: dict[str, bool]) -> None:
    threads: list[threading.Thread] = []

    def where() -> str:
        threads.append(threading.current_thread())
        return "done"

    decided(
        Decides([ask_for("a", "b"), finish("好。")]), tool("a", where, **facts), tool("b", where, **facts)
    ).run(TASKS["zh"])

    assert threads == [threading.current_thread()] * 2


def test_with_one_thread_everything_runs_in_the_thread_of_the_loop() -> None:
    threads: list[threading.Thread] = []
    tools = [tool(name, lambda: str(threads.append(threading.current_thread()))) for name in "ab"]

    decided(Decides([ask_for("a", "b"), finish("好。")]), *tools, max_threads=1).run(TASKS["zh"])

    assert threads == [threading.current_thread()] * 2


def test_events_come_from_the_thread_of_the_loop() -> None:
    threads: set[threading.Thread] = set()
    heard = Recorder(lambda _event: threads.add(threading.current_thread()))

    decided(Decides([ask_for("a", "b"), finish("好。")]), tool("a"), tool("b"), heard=heard).run(TASKS["zh"])

    assert threads == {threading.current_thread()}


def test_calls_side_by_side_see_the_context_variables_of_the_caller() -> None:
    zone = contextvars.ContextVar("zone", default="UTC")
    zone.set("Asia/Shanghai")

    result = decided(
        Decides([ask_for("a", "b"), finish("好。")]), tool("a", zone.get), tool("b", zone.get)
    ).run("x")

    assert [step.observation for step in result.steps] == ["Asia/Shanghai"] * 2


def test_no_more_calls_start_side_by_side_than_the_limit_allows() -> None:
    done: list[str] = []
    names = [f"t{number}" for number in range(6)]
    tools = [tool(name, lambda one=name: str(done.append(one))) for name in names]

    result = decided(Decides([ask_for(*names)]), *tools, limits=Limits(max_tool_calls=3)).run(TASKS["zh"])

    assert (result.stop_reason, sorted(done)) == ("call_limit", names[:3])
    assert [step.executed for step in result.steps] == [True] * 3 + [False] * 3


def test_a_call_that_is_refused_among_others_side_by_side_keeps_its_place() -> None:
    turns = [ask_for(("look", f"look{number}")) for number in range(2)]
    planner = Decides([*turns, ask_for("a", ("look", "again"), "b"), finish("好。")])

    result = decided(planner, tool("a"), tool("look"), tool("b")).run(TASKS["zh"])

    assert [(step.action.tool, step.executed) for step in result.steps[2:]] == [
        ("a", True), ("look", False), ("b", True),
    ]  # fmt: skip


def test_a_repair_by_the_model_is_possible_beside_others() -> None:
    def missing() -> str:
        raise ScriptNotFound("tea", known=("tea-ad",))

    result = decided(Decides([ask_for("a", "b"), finish("好。")]), tool("a", missing), tool("b")).run(
        TASKS["zh"]
    )

    assert [(step.ok, step.executed) for step in result.steps] == [(False, True), (True, True)]


@pytest.mark.parametrize(
    "error", [StoreFull("The disk is full."), RuntimeError("a bug")], ids=["ours", "a bug"]
)
def test_the_first_failure_side_by_side_starts_nothing_more_and_loses_nothing(error: Exception) -> None:
    opened, wait = gate()
    heard = Recorder(lambda event: opened.set() if isinstance(event, ToolFinished) else None)
    tools = [tool("bad", raising(error)), *[tool(name, wait) for name in ("slow", "other", "last", "never")]]
    executor = decided(Decides([ask_for("bad", "slow", "other", "last", "never")]), *tools, heard=heard)

    if isinstance(error, RuntimeError):
        with pytest.raises(RuntimeError, match="a bug"):
            executor.run(TASKS["en"])
    else:
        assert executor.run(TASKS["en"]).error is error

    ended = heard.events[-1]
    assert isinstance(ended, RunEnded)
    assert [(step.action.tool, step.ok, step.executed) for step in ended.result.steps] == [
        ("bad", False, True),
        ("slow", True, True),
        ("other", True, True),
        ("last", True, True),
        ("never", False, False),
    ]
    assert str(error) in ended.result.steps[0].observation


def test_an_interrupt_while_calls_run_side_by_side_returns_and_starts_nothing_more() -> None:
    opened, wait = gate()
    done: list[str] = []
    heard = Recorder(lambda _event: interrupt_at_fourth())

    def interrupt_at_fourth() -> None:
        if heard.kinds[-1] == "ToolStarted" and heard.kinds.count("ToolStarted") == 4:
            raise KeyboardInterrupt

    def working(name: str) -> Callable[[], str]:
        def work() -> str:
            done.append(name)
            return wait()

        return work

    result = decided(
        Decides([ask_for(*"abcdef")]), *[tool(name, working(name)) for name in "abcdef"], heard=heard
    ).run(TASKS["en"])
    opened.set()
    join_calls()

    assert result.stop_reason == "cancelled"
    assert [(step.executed, step.uncertain, step.ok) for step in result.steps] == [
        *[(True, True, False)] * 4,
        *[(False, False, False)] * 2,
    ]
    assert sorted(done) == ["a", "b", "c"]


def test_what_came_before_an_interrupt_is_kept_side_by_side() -> None:
    def interrupt(event: object) -> None:
        if isinstance(event, ToolFinished) and event.step.action.tool == "first":
            join_calls()
            raise KeyboardInterrupt

    def second() -> str:
        time.sleep(0.05)
        return "found"

    tools = [tool("first"), tool("second", second)]

    result = decided(Decides([ask_for("first", "second")]), *tools, heard=Recorder(interrupt)).run(
        TASKS["en"]
    )

    assert result.stop_reason == "cancelled"
    assert briefly(result.steps) == [("first", "done", True), ("second", "found", True)]


def test_an_interrupt_out_of_a_thread_cancels_the_run() -> None:
    planner = Decides([ask_for("good", "stop")])

    result = decided(planner, tool("good"), tool("stop", raising(KeyboardInterrupt()))).run(TASKS["en"])

    assert (result.stop_reason, len(result.steps), result.steps[1].uncertain) == ("cancelled", 2, True)


def test_a_call_that_outlives_the_deadline_is_left_behind() -> None:
    opened, wait = gate()
    planner = Decides([ask_for("slow", "fast")])

    result = decided(planner, tool("slow", wait), tool("fast"), limits=Limits(max_seconds=0.3)).run(
        TASKS["en"]
    )
    opened.set()

    assert result.stop_reason == "time_limit"
    assert [(step.action.tool, step.ok, step.uncertain) for step in result.steps] == [
        ("slow", False, True), ("fast", True, False),
    ]  # fmt: skip


# --- errors of a tool's own ---


@pytest.mark.parametrize(
    ("error", "observation"),
    [(TimeoutError("No answer."), "Error: No answer."), (TimeoutError(), "Error: TimeoutError")],
    ids=["with a message", "without one"],
)
def test_an_error_that_a_tool_handles_is_an_observation(error: Exception, observation: str) -> None:
    planner = Decides([ask_for("ask"), finish("好。")])

    result = decided(planner, tool("ask", raising(error), handled=(OSError,))).run(TASKS["en"])

    assert (result.stop_reason, briefly(result.steps)) == ("finished", [("ask", observation, True)])
    assert (result.steps[0].ok, result.steps[0].uncertain) == (False, False)


def test_a_write_of_unknown_outcome_is_not_repeated_before_something_was_read() -> None:
    tries: list[int] = []

    def post() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise TimeoutError("No answer.")
        return "saved"

    planner = Decides([
        ask_for(("post", "1")), ask_for(("post", "2")), ask_for("look"), ask_for(("post", "3")), finish("好。"),
    ])  # fmt: skip
    post_tool = tool("post", post, writes=True, handled=(TimeoutError,))

    result = decided(planner, post_tool, tool("look")).run(TASKS["en"])

    assert [(step.action.call_id, step.executed, step.ok) for step in result.steps] == [
        ("1", True, False), ("2", False, False), ("look", True, True), ("3", True, True),
    ]  # fmt: skip
    assert result.steps[0].uncertain
    assert result.steps[0].observation.endswith("look before you do it again.")
    assert "Read what is there first" in result.steps[1].observation


def test_an_id_that_a_planner_uses_again_becomes_another_one() -> None:
    planner = Decides([ask_for(("a", "x"), ("b", "y")), ask_for(("a", "y"), ("b", "z")), finish("好。")])

    result = decided(planner, tool("a"), tool("b")).run(TASKS["zh"])

    assert [step.action.call_id for step in result.steps] == ["x", "y", "call_2_1", "z"]
