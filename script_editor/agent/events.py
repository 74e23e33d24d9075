"""What a run tells a listener while it goes on. Values only; drawing them is the front end's work."""

from collections.abc import Callable
from dataclasses import dataclass

from script_editor.agent.steps import AgentAction, AgentStep, Correction, RunResult
from script_editor.llm.chat import Usage


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The planner is about to be asked; `turn` counts from 1."""

    turn: int


@dataclass(frozen=True, slots=True)
class TextArrived:
    """A piece of the model's text, as streamed."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is about to run."""

    action: AgentAction


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool has run; the step holds its observation."""

    step: AgentStep


@dataclass(frozen=True, slots=True)
class ReplyRejected:
    """A reply could not be read; the model was told why."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class UsageReported:
    """Tokens used by the run so far."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over."""

    result: RunResult


Event = TurnStarted | TextArrived | ToolStarted | ToolFinished | ReplyRejected | UsageReported | RunEnded
Listener = Callable[[Event], None]


def ignore(_event: Event) -> None:
    """Listen to nothing."""
