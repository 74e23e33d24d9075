"""The books of one run: what happened, what it cost, and whether a limit is reached."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from script_editor.agent.endings import Ending
from script_editor.agent.language import language_of
from script_editor.agent.repetition import Repetition, with_note
from script_editor.agent.steps import (
    AgentAction,
    AgentFinish,
    AgentStep,
    Correction,
    Limits,
    Malformed,
    RunResult,
    StopReason,
)
from script_editor.agent.unanswered import broken_off, not_executed
from script_editor.errors import BudgetReached, Declined, ModelFailure, ScriptEditorError
from script_editor.errors.endings import BudgetKind
from script_editor.llm.chat import Message, Usage

_BUDGETS: Mapping[BudgetKind, StopReason] = {
    "tokens": "token_limit",
    "seconds": "time_limit",
    "calls": "model_call_limit",
}

_GIVES_WAY: Collection[StopReason] = frozenset({
    "step_limit", "model_call_limit", "call_limit", "token_limit", "time_limit", "unreadable", "repeating", "failed",
})  # fmt: skip
"""The ends before which a questioned answer stands; a person's word and a bug come first."""


class Progress:
    """One run while it goes on. The only thing of the loop that changes."""

    def __init__(self, task: str, past: Sequence[Message], *, limits: Limits, clock: Callable[[], float]):
        self.task, self.past, self.language = task, tuple(past), language_of(task)
        self.steps: list[AgentStep] = []
        self.corrections: list[Correction] = []
        self.usage = Usage()
        self.turn = self.model_calls = 0
        self.mode = ""
        self.was_questioned = False
        self._standing: AgentFinish | None = None
        self._limits, self._clock = limits, clock
        self._started = clock()
        self._acting_turns = self._tool_calls = self._malformed_in_a_row = 0
        self._open_turn: tuple[int, tuple[AgentAction, ...]] = (0, ())
        self._begun: set[str] = set()
        self._repetition = Repetition(limits.max_identical_calls)

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return self._clock() - self._started

    @property
    def remaining_seconds(self) -> float | None:
        """Seconds until the deadline; None when there is none."""
        limit = self._limits.max_seconds
        return None if limit is None else max(0.0, limit - self.seconds)

    # --- limits: each returns the ending, or None to go on ---

    def before_asking(self) -> Ending | None:
        """Model calls, tokens and time: what must not be exceeded by asking once more."""
        if self._limits.max_model_calls is not None and self.model_calls >= self._limits.max_model_calls:
            return Ending("model_call_limit")
        spent = self.usage.prompt_tokens + self.usage.completion_tokens
        if self._limits.max_tokens is not None and spent >= self._limits.max_tokens:
            return Ending("token_limit")
        return self.time_over()

    def before_acting(self) -> Ending | None:
        """Steps: the turn after the last one allowed may still answer, but not act."""
        if self._acting_turns >= self._limits.max_steps:
            return Ending("step_limit")
        self._acting_turns += 1
        self._malformed_in_a_row, self._standing = 0, None
        return None

    def before_call(self, action: AgentAction, *, writes: bool) -> Ending | AgentStep | None:
        """Repetition, calls and time, looked at before each single tool; a step is a refusal of this call alone."""
        verdict = self._repetition.verdict(action, writes=writes)
        if verdict == "stop":
            return Ending("repeating")
        if verdict != "run":
            return not_executed(action, verdict, self.language)
        if self._tool_calls >= self._limits.max_tool_calls:
            return Ending("call_limit")
        return self.time_over()

    def time_over(self) -> Ending | None:
        """The deadline, looked at alone."""
        return Ending("time_limit") if self.remaining_seconds == 0 else None

    # --- what happened ---

    def add_correction(self, malformed: Malformed) -> tuple[Correction, Ending | None]:
        """Keep a reply that could not be used; too many in a row end the run, and so does one after a question."""
        correction = Correction(malformed=malformed, turn=self.turn)
        self.corrections.append(correction)
        self._malformed_in_a_row += 1
        too_many = self._malformed_in_a_row >= self._limits.max_malformed_in_a_row
        return correction, Ending("unreadable") if too_many or self._standing else None

    def question(self, answer: AgentFinish, objection: str) -> Correction:
        """Keep an answer that was not accepted, with the objection as a correction that is no unreadable reply."""
        malformed = Malformed(
            code="unproven_answer", message=objection, hint="", raw=answer.log or answer.output
        )
        correction = Correction(malformed=malformed, turn=self.turn)
        self.corrections.append(correction)
        self._standing, self.was_questioned = answer, True
        return correction

    def open(self, actions: Sequence[AgentAction]) -> None:
        """Take the calls of a turn; from now on each of them is owed a step, in this order."""
        self._open_turn = (len(self.steps), tuple(actions))  # in one go: an interrupt may come at any time

    def begin(self, action: AgentAction) -> None:
        """Count a call that is about to run."""
        self._begun.add(action.call_id)
        self._tool_calls += 1

    def add_step(self, step: AgentStep, *, writes: bool) -> AgentStep:
        """Keep the step of the next open call, with a note for the model when it repeats itself."""
        times = self._repetition.count(step, writes=writes) if step.executed else 0
        kept = with_note(step, self.language) if times > 1 else step
        self.steps.append(kept)
        return kept

    @property
    def answered(self) -> int:
        """How many calls of the open turn have their step."""
        return len(self.steps) - self._open_turn[0]

    def next_unanswered(self, reason: StopReason) -> AgentStep | None:
        """Return the step that answers the next open call of a run that ends, or None when all are answered."""
        left = self._open_turn[1][self.answered :]
        if not left:
            return None
        if left[0].call_id in self._begun:
            return broken_off(left[0], self.language)
        return not_executed(left[0], reason, self.language)

    @property
    def call_ids(self) -> set[str]:
        """The ids of all calls that have a step."""
        return {one for step in self.steps for one in (step.action.call_id, *step.action.repeated_ids)}

    # --- the end ---

    def ended_by(self, error: ScriptEditorError) -> Ending:
        """Return the ending for an error: a no, a budget that was used up, or a failure."""
        if isinstance(error, BudgetReached):
            return Ending(_BUDGETS[error.kind], error=error)
        if isinstance(error, ModelFailure) and self.time_over():
            return Ending("time_limit", error=error)
        return Ending("declined" if isinstance(error, Declined) else "failed", error=error)

    def settled(self, ending: Ending) -> Ending:
        """Return `ending`, or the answer that was questioned if nothing better came of asking once more."""
        if self._standing is None or ending.stop_reason not in _GIVES_WAY:
            return ending
        return Ending("finished", self._standing.output, objected=True)

    def result(self, ending: Ending, completed: Sequence[str] = ()) -> RunResult:
        """Return everything the run leaves behind."""
        return RunResult(
            stop_reason=ending.stop_reason,
            output=ending.sentence(self.language, completed),
            steps=tuple(self.steps),
            corrections=tuple(self.corrections),
            usage=self.usage,
            seconds=self.seconds,
            error=ending.error,
            model_calls=self.model_calls,
            concluded=ending.concluded,
            objected=ending.objected,
            why=replace(ending, output="").sentence(self.language),
        )
