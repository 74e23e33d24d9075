"""Whatever a planner decides and whatever tools do: every run ends, every call is answered once, nothing runs twice."""

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from script_editor.agent.events import (
    CallsPlanned,
    RunEnded,
    ToolFinished,
    ToolSkipped,
    ToolStarted,
    TurnStarted,
)
from script_editor.agent.executor import Executor
from script_editor.agent.steps import Actions, AgentAction, Limits, RunResult, StopReason
from script_editor.agent.tools import AnyTool, Tool, Toolbox
from script_editor.errors import Declined, ModelFailure, Objected, ScriptNotFound, StoreFull
from tests.agent.fakes import NoArguments, Recorder
from tests.agent.runs import UNREADABLE, Decision, SumsUp, finish


class Bug(Exception):
    """Something no one expects."""


ENDINGS = [
    *[lambda: None] * 6, lambda: ScriptNotFound("tea"), lambda: Objected("too long"), lambda: TimeoutError("late"),
    lambda: StoreFull("full"), Declined, lambda: Bug("bug"), KeyboardInterrupt,
]  # fmt: skip
TOOLS = ["read_1", "read_2", "read_3", "alone", "write_1", "write_2"]


@dataclass
class World:
    """Tools that end as the test has drawn it, and the ids of the calls that really ran."""

    endings: list[BaseException | None]
    ran: Counter[str] = field(default_factory=Counter)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, _arguments: NoArguments, call_id: str) -> str:
        with self.lock:
            self.ran[call_id] += 1
            ending = self.endings.pop() if self.endings else None
        if ending is not None:
            raise ending
        return f"done {call_id[-1]}"

    def tools(self) -> list[AnyTool]:
        return [
            Tool(
                name=name, description=name, args=NoArguments, run=self.run, writes=name.startswith("write"),
                parallel=name != "alone", return_direct=name == "read_3", handled=(TimeoutError,),
            )
            for name in TOOLS
        ]  # fmt: skip


def actions() -> st.SearchStrategy[Decision]:
    call = st.sampled_from(TOOLS)
    turns = st.lists(call, min_size=1, max_size=6)
    return turns.map(
        lambda names: Actions(
            tuple(
                AgentAction(tool=name, arguments={}, log="", call_id=f"id_{number}", turn=0)
                for number, name in enumerate(names)
            )
        )
    )


def others() -> st.SearchStrategy[Decision]:
    return st.sampled_from(["answer", "unreadable", "unreadable", "failure", "bug", "Ctrl-C"]).map(
        lambda kind: {
            "answer": finish("好。"),
            "unreadable": UNREADABLE,
            "failure": ModelFailure("down"),
            "bug": Bug("planner"),
            "Ctrl-C": KeyboardInterrupt(),
        }[kind]
    )


def small(most: int) -> st.SearchStrategy[int]:
    return st.integers(0, most)


limits = st.builds(
    Limits,
    max_steps=small(6),
    max_model_calls=st.none() | small(8),
    max_tool_calls=small(12),
    max_tokens=st.none() | small(90),
    max_malformed_in_a_row=st.integers(1, 3),
    max_identical_calls=st.integers(1, 5),
)


@settings(max_examples=300, deadline=None)
@given(
    decisions=st.lists(actions() | actions() | others(), max_size=10),
    summary=actions() | others(),
    endings=st.lists(st.sampled_from(ENDINGS).map(lambda make: make()), max_size=20),
    limits=limits,
    generate=st.booleans(),
    believes=st.booleans(),
    trim=st.none() | st.integers(1, 3),
    max_threads=st.sampled_from([1, 4]),
)
def test_any_run(
    decisions: Sequence[Decision],
    summary: Decision,
    endings: list[BaseException | None],
    limits: Limits,
    generate: bool,
    believes: bool,
    trim: int | None,
    max_threads: int,
) -> None:
    world, heard = World(list(endings)), Recorder()
    planner = SumsUp([*decisions, *[finish("完。")] * 2], summary=summary)
    executor = Executor(
        planner,
        Toolbox(world.tools()),
        limits=limits,
        listener=heard,
        early_stopping="generate" if generate else "force",
        answer_check=lambda _answer, _steps: None if believes else "That did not happen.",
        trim=trim,
        max_threads=max_threads,
    )

    try:
        returned = executor.run("task")
    except Bug:
        returned = None

    ended = heard.events[-1]
    assert isinstance(ended, RunEnded)
    assert returned in (None, ended.result)
    assert (returned is None) == (ended.result.stop_reason == "crashed")
    assert_sound(ended.result, heard, world, limits)
    for shown in [*planner.shown, *planner.summed]:
        assert_answered_once([step.action.call_id for step in shown], shown)


def assert_sound(result: RunResult, heard: Recorder, world: World, limits: Limits) -> None:
    assert result.stop_reason in get_args(StopReason) and result.output
    planned = [
        action for event in heard.events if isinstance(event, CallsPlanned) for action in event.actions
    ]
    assert [step.action for step in result.steps] == planned
    assert_answered_once([action.call_id for action in planned], result.steps)

    started = [event.action.call_id for event in heard.events if isinstance(event, ToolStarted)]
    finished = [event.step for event in heard.events if isinstance(event, ToolFinished)]
    skipped = [event.step for event in heard.events if isinstance(event, ToolSkipped)]
    assert sorted(started) == sorted(step.action.call_id for step in finished)
    assert all(step.executed for step in finished) and not any(step.executed or step.ok for step in skipped)
    assert len(finished) + len(skipped) == len(result.steps)
    assert max(world.ran.values(), default=0) <= 1, "a call ran twice"
    if result.stop_reason != "cancelled":  # a call may have been started only in name
        assert set(world.ran) == set(started)

    assert result.tool_calls == len(started) <= limits.max_tool_calls
    acting = {step.action.turn for step in result.steps if step.executed}
    assert len(acting) <= limits.max_steps
    if limits.max_model_calls is not None:
        assert result.model_calls <= limits.max_model_calls
    if limits.max_tokens is not None and result.model_calls:
        assert result.usage.prompt_tokens + result.usage.completion_tokens < limits.max_tokens + 12
    turns = sum(isinstance(event, TurnStarted) for event in heard.events)
    assert turns <= result.model_calls <= turns + 1


def assert_answered_once(call_ids: Sequence[str], steps: Sequence[object]) -> None:
    assert len(call_ids) == len(set(call_ids)) == len(steps)
