"""The vocabulary of a run: what a planner decides, what happened, and how it ended."""

from dataclasses import dataclass, field
from typing import Any, Literal

from script_editor.errors import ScriptEditorError
from script_editor.llm.chat import Message, Usage

StopReason = Literal[
    "finished",  # the planner gave its answer
    "returned_directly",  # a tool marked return_direct ended the run with its observation
    "step_limit",
    "call_limit",
    "token_limit",
    "time_limit",
    "unreadable",  # too many malformed replies in a row
    "repeating",  # the same call with the same result, again and again
    "cancelled",  # the person interrupted
    "failed",  # the model service or a tool failed; RunResult.error says how
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
    """An action and what came back. `ok` is False when the observation reports an error."""

    action: AgentAction
    observation: str
    ok: bool
    seconds: float = 0.0


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
    max_tool_calls: int = 16
    """Tool calls of all turns together."""
    max_tokens: int | None = None
    """Prompt and completion tokens together, as reported by the service."""
    max_seconds: float | None = 1800.0
    """Wall-clock seconds; also the deadline of every request."""
    max_malformed_in_a_row: int = 3
    """Consecutive replies that could not be read."""
    max_identical_calls: int = 3
    """How often the same call may give the same result; a write in between starts the count again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """How a run ended. `steps` and `corrections` hold everything that happened, also after a failure.

    `error` is what ended a run that failed, or that ran out of time inside a request.
    """

    stop_reason: StopReason
    output: str
    steps: tuple[AgentStep, ...] = ()
    corrections: tuple[Correction, ...] = ()
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    error: ScriptEditorError | None = None

    @property
    def finished(self) -> bool:
        """Whether the planner came to an end of its own."""
        return self.stop_reason in ("finished", "returned_directly")
