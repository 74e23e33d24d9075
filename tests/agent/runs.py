"""Executors over canned replies or canned decisions, and everything to look at afterwards."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from script_editor.agent.executor import Executor
from script_editor.agent.planner import ModePlanner, Planned
from script_editor.agent.steps import (
    Actions,
    AgentAction,
    AgentFinish,
    AgentStep,
    Correction,
    Limits,
    Malformed,
    Outcome,
)
from script_editor.agent.tools import AnyTool, Tool, Toolbox
from script_editor.llm.chat import Message, OnText, Reply, ToolCall, Usage
from script_editor.llm.scripted import Scripted, ScriptedModel
from tests.agent.fakes import Clock, Desk, NoArguments, Recorder

TASKS = {"zh": "把 tea-ad 改短一些", "en": "Make tea-ad shorter, please"}


def wanted(mode: str, *calls: tuple[str, dict[str, object]]) -> Reply:
    """A reply that asks for `calls` in the format of `mode`."""
    if mode == "tools":
        entries = [
            ToolCall(f"call_{index}", tool, json.dumps(arguments, ensure_ascii=False))
            for index, (tool, arguments) in enumerate(calls)
        ]
        return Reply(tool_calls=tuple(entries), finish_reason="tool_calls", usage=Usage(10, 2))
    (tool, arguments), *_ = calls
    written = json.dumps(arguments, ensure_ascii=False)
    return Reply(text=f"Thought: …\nAction: {tool}\nAction Input: {written}", usage=Usage(10, 2))


def answered(mode: str, text: str) -> Reply:
    """A reply that ends the run."""
    return Reply(text=text if mode == "tools" else f"Final Answer: {text}", usage=Usage(10, 2))


GET = ("get_script", {"script_id": "tea-ad"})
EDIT = ("modify_script", {"script_id": "tea-ad", "instruction": "更短"})


@dataclass
class Run:
    """An executor over canned replies, and everything to look at afterwards."""

    executor: Executor
    model: ScriptedModel
    desk: Desk
    heard: Recorder
    clock: Clock


def a_run(
    mode: str,
    *replies: Scripted,
    limits: Limits | None = None,
    more_tools: Sequence[AnyTool] = (),
    heard: Recorder | None = None,
    clock: Clock | None = None,
    **options: Any,  # whatever the executor takes
) -> Run:
    """Make a run; `options` are further ones of the executor."""
    desk, heard, clock, model = Desk(), heard or Recorder(), clock or Clock(), ScriptedModel(replies)
    toolbox = Toolbox([*desk.tools(), *more_tools])
    planner = ModePlanner(mode, model, toolbox)
    executor = Executor(planner, toolbox, limits=limits, listener=heard, clock=clock, **options)
    return Run(executor, model, desk, heard, clock)


both_modes = pytest.mark.parametrize("mode", ["react", "tools"])


# --- decisions instead of replies ---

Decision = Outcome | Planned | BaseException | Callable[[], Outcome]


@dataclass
class Decides:
    """A planner that decides what a test wrote down; it keeps what it was shown each time. It cannot sum up."""

    decisions: list[Decision]
    shown: list[tuple[AgentStep, ...]] = field(default_factory=list)
    corrections: list[tuple[Correction, ...]] = field(default_factory=list)

    def plan(
        self,
        _task: str,
        steps: Sequence[AgentStep],
        corrections: Sequence[Correction],
        _past: Sequence[Message],
        *,
        turn: int,
        timeout_seconds: float | None = None,  # noqa: ARG002
        on_text: OnText | None = None,  # noqa: ARG002
    ) -> Planned:
        self.shown.append(tuple(steps))
        self.corrections.append(tuple(corrections))
        decided = planned(self.decisions.pop(0))
        match decided.outcome:
            case Actions(actions):
                own = tuple(replace(action, turn=turn) for action in actions)
                return replace(decided, outcome=Actions(own))
        return decided


@dataclass
class SumsUp(Decides):
    """A planner that can also sum up, once, with `summary`."""

    summary: Decision = field(default_factory=lambda: finish("总结。"))
    summed: list[tuple[AgentStep, ...]] = field(default_factory=list)

    def conclude(
        self,
        _task: str,
        steps: Sequence[AgentStep],
        _past: Sequence[Message],
        *,
        timeout_seconds: float | None = None,  # noqa: ARG002
        on_text: OnText | None = None,  # noqa: ARG002
    ) -> Planned:
        self.summed.append(tuple(steps))
        return planned(self.summary)


def planned(decision: Decision) -> Planned:
    """What a decision is as a planner's result; an exception is raised."""
    if isinstance(decision, BaseException):
        raise decision
    if isinstance(decision, Planned):
        return decision
    return Planned(decision() if callable(decision) else decision, Usage(10, 2))


def ask_for(*calls: str | tuple[str, str]) -> Actions:
    """Calls of tools without arguments; each is a name, or a name and an id."""
    named = [(call, call) if isinstance(call, str) else call for call in calls]
    return Actions(
        tuple(AgentAction(tool=tool, arguments={}, log="", call_id=one, turn=0) for tool, one in named)
    )


def finish(text: str) -> AgentFinish:
    """An answer."""
    return AgentFinish(output=text, log=text)


UNREADABLE = Malformed(code="empty", message="Your reply was empty.", hint="Answer.", raw="")


def tool(name: str, run: Callable[[], str] = lambda: "done", **facts: Any) -> AnyTool:  # whatever Tool takes
    """A tool without arguments."""
    return Tool(name=name, description=name, args=NoArguments, run=lambda _arguments, _id: run(), **facts)


def decided(planner: Decides, *tools: AnyTool, heard: Recorder | None = None, **options: Any) -> Executor:
    """An executor over a planner of this kind."""
    return Executor(planner, Toolbox(tools), listener=heard or Recorder(), **options)


def briefly(steps: Sequence[AgentStep]) -> list[tuple[str, str, bool]]:
    """Tool, observation and whether it was executed."""
    return [(step.action.tool, step.observation, step.executed) for step in steps]
