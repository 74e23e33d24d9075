"""What a run tells a listener while it goes on. Values only; drawing them is the front end's work.

The order is fixed. A turn starts, its text arrives, its usage is reported; then its reply is rejected, its
answer is questioned, or its calls are planned, and each of them ends in exactly one ToolFinished or ToolSkipped,
in the order of the calls. Calls that run side by side start before the first of them has finished.
RunEnded comes last. All events come from the thread that runs the loop.
"""

from collections.abc import Callable
from dataclasses import dataclass

from script_editor.agent.steps import AgentAction, AgentStep, Correction, RunResult, StopReason
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
class CallsPlanned:
    """The model asks for these calls, all of one turn; none has begun. The log of each is the model's own text."""

    actions: tuple[AgentAction, ...]


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is about to run."""

    action: AgentAction


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool that was started has run, failed or was broken off; the step holds its observation."""

    step: AgentStep


@dataclass(frozen=True, slots=True)
class ToolSkipped:
    """A call that was planned was not started and will not be; the step's observation says why."""

    step: AgentStep


@dataclass(frozen=True, slots=True)
class ReplyRejected:
    """A reply could not be read; the correction is what the model is told, if the run goes on."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class AnswerQuestioned:
    """The application did not accept the answer; the model is told why and asked once more."""

    correction: Correction


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The planner now talks to the model in another mode; `from_mode` is "" when it is not known, `reason` may be empty."""

    from_mode: str
    to_mode: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ConclusionStarted:
    """A limit was reached, and the model is asked for a summary instead of a next step."""

    stop_reason: StopReason


@dataclass(frozen=True, slots=True)
class UsageReported:
    """Tokens used by the run so far."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The run is over."""

    result: RunResult


Event = (
    TurnStarted
    | TextArrived
    | ModeChanged
    | UsageReported
    | ReplyRejected
    | AnswerQuestioned
    | CallsPlanned
    | ToolStarted
    | ToolFinished
    | ToolSkipped
    | ConclusionStarted
    | RunEnded
)

Listener = Callable[[Event], None]
"""Is told of each event as it happens. What it raises is not hidden: it ends the run like a bug of the program."""


def ignore(_event: Event) -> None:
    """Listen to nothing."""
