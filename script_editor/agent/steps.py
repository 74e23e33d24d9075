"""The vocabulary of a run: what a planner decides, what happened, and how it ended."""

from dataclasses import dataclass, field
from typing import Any, Literal

from script_editor.errors import ScriptEditorError
from script_editor.llm.chat import Message, Usage

StopReason = Literal[
    "finished",  # the planner gave its answer
    "returned_directly",  # a tool marked return_direct ended the run with its observation
    "step_limit",  # turns that call tools
    "model_call_limit",
    "call_limit",  # tool calls
    "token_limit",
    "time_limit",
    "unreadable",  # too many malformed replies in a row, or one where none is allowed
    "repeating",  # the same call with the same result, again and again
    "cancelled",  # the person interrupted
    "declined",  # the person looked at a change and said no; RunResult.error is that no
    "failed",  # the model service or a tool failed; RunResult.error says how
    "crashed",  # a bug: what was raised goes on to the caller, the listener has been told this result
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentAction:
    """One tool call the planner decided on. `arguments` passed the tool's schema already.

    `log` is the model's own text of the whole turn; `turn` groups the calls of one reply, counting
    from 1; `call_id` is unique in the run. `message` is the assistant message for replay, the same
    for all calls of a turn.
    """

    tool: str
    arguments: dict[str, Any]  # validated JSON values
    log: str
    call_id: str
    turn: int
    message: Message | None = None
    repeated_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStep:
    """An action and what came back. `ok` is False when the observation reports an error.

    Without `executed` the call was never begun (the run ended before it, or it was refused): the
    observation says why, so that every call of a turn has its answer, and it counts as no tool call.
    `uncertain` says that it was begun and nobody knows whether it took effect: it was interrupted or broke.
    """

    action: AgentAction
    observation: str
    ok: bool
    seconds: float = 0.0
    executed: bool = True
    uncertain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFinish:
    """The planner's answer."""

    output: str
    log: str


@dataclass(frozen=True, slots=True)
class Actions:
    """One or more calls of one reply, in the model's order; every one passed preflight."""

    actions: tuple[AgentAction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """A reply from which nothing may be run. `message` says what is wrong with it, `hint` what a right one looks like.

    Both are for the model, in the language of the run; identifiers (tools, arguments, labels) stay
    in English. `raw` is the reply as it came.
    """

    code: str
    message: str
    hint: str
    raw: str = ""


Outcome = Actions | AgentFinish | Malformed


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A malformed reply and the feedback the model got for it; kept in the run, never run."""

    malformed: Malformed
    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a run must stop. Every field counts from the start of the run; None means no limit."""

    max_steps: int = 8
    """Turns of the planner that may call tools. A malformed reply is not a step."""
    max_model_calls: int | None = None
    """Times the planner is asked, malformed replies and a closing summary included; calls that a tool makes are not seen here."""
    max_tool_calls: int = 16
    """Tool calls of all turns together that were begun."""
    max_tokens: int | None = None
    """Prompt and completion tokens together, as reported by the service."""
    max_seconds: float | None = 1800.0
    """Wall-clock seconds; also the deadline of every request."""
    max_malformed_in_a_row: int = 3
    """Consecutive replies that could not be read."""
    max_identical_calls: int = 4
    """The request for a call with an unchanged result that ends the run; see `repetition`. Less than 2 means 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """How a run ended. `steps` and `corrections` hold everything that happened, also after a failure.

    `error` is what ended a run that failed or was declined, or that ran out of time inside a request.
    `model_calls` counts how often the planner was asked. `concluded` says that `output` is the model's own
    summary, asked for at a limit; the stop reason is still that limit. `objected` says that `output` is an
    answer of the model which the application's check did not accept. `why` is one sentence on the stop
    reason alone.
    """

    stop_reason: StopReason
    output: str
    steps: tuple[AgentStep, ...] = ()
    corrections: tuple[Correction, ...] = ()
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    error: ScriptEditorError | None = None
    model_calls: int = 0
    concluded: bool = False
    objected: bool = False
    why: str = ""

    @property
    def tool_calls(self) -> int:
        """How many tool calls were begun."""
        return sum(step.executed for step in self.steps)

    @property
    def finished(self) -> bool:
        """Whether the planner came to an end of its own."""
        return self.stop_reason in ("finished", "returned_directly")
