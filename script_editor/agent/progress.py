"""The books of one run: what happened, what it cost, and whether a limit is reached."""

from collections.abc import Callable, Sequence

from script_editor.agent.endings import Ending
from script_editor.agent.language import language_of
from script_editor.agent.repetition import Repetition, with_note
from script_editor.agent.steps import AgentStep, Correction, Limits, Malformed, RunResult
from script_editor.errors import BudgetReached, ModelFailure, ScriptEditorError
from script_editor.llm.chat import Message, Usage


class Progress:
    """One run while it goes on. The only thing of the loop that changes."""

    def __init__(self, task: str, past: Sequence[Message], *, limits: Limits, clock: Callable[[], float]):
        self.task, self.past, self.language = task, tuple(past), language_of(task)
        self.steps: list[AgentStep] = []
        self.corrections: list[Correction] = []
        self.usage = Usage()
        self.turn = 0
        self._limits, self._clock = limits, clock
        self._started = clock()
        self._acting_turns = 0
        self._malformed_in_a_row = 0
        self._repetition = Repetition()

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

    def before_turn(self) -> Ending | None:
        """Time and tokens: what must not be exceeded by asking once more."""
        spent = self.usage.prompt_tokens + self.usage.completion_tokens
        if self._limits.max_tokens is not None and spent >= self._limits.max_tokens:
            return Ending("token_limit")
        return self._time_over()

    def before_acting(self) -> Ending | None:
        """Steps: the turn after the last one allowed may still answer, but not act."""
        if self._acting_turns >= self._limits.max_steps:
            return Ending("step_limit")
        self._acting_turns += 1
        self._malformed_in_a_row = 0
        return None

    def before_call(self) -> Ending | None:
        """Calls and time, looked at before each single tool."""
        if len(self.steps) >= self._limits.max_tool_calls:
            return Ending("call_limit")
        return self._time_over()

    def _time_over(self) -> Ending | None:
        return Ending("time_limit") if self.remaining_seconds == 0 else None

    # --- what happened ---

    def add_correction(self, malformed: Malformed) -> tuple[Correction, Ending | None]:
        """Keep a reply that could not be used; too many in a row end the run."""
        correction = Correction(malformed=malformed, turn=self.turn)
        self.corrections.append(correction)
        self._malformed_in_a_row += 1
        too_many = self._malformed_in_a_row >= self._limits.max_malformed_in_a_row
        return correction, Ending("unreadable") if too_many else None

    def add_step(self, step: AgentStep, *, writes: bool) -> tuple[AgentStep, Ending | None]:
        """Keep a step, with a note for the model when it repeats itself; too often ends the run."""
        times = self._repetition.count(step, writes=writes)
        kept = with_note(step, self.language) if times > 1 else step
        self.steps.append(kept)
        return kept, Ending("repeating") if times >= self._limits.max_identical_calls else None

    # --- the end ---

    def ended_by(self, error: ScriptEditorError) -> Ending:
        """Return the ending for an error: a budget that was used up is a limit, everything else a failure."""
        out_of_time = self.remaining_seconds == 0
        if isinstance(error, ModelFailure | BudgetReached) and out_of_time:
            return Ending("time_limit", error=error)
        return Ending("token_limit" if isinstance(error, BudgetReached) else "failed", error=error)

    def result(self, ending: Ending) -> RunResult:
        """Return everything the run leaves behind."""
        return RunResult(
            stop_reason=ending.stop_reason,
            output=ending.sentence(self.language),
            steps=tuple(self.steps),
            corrections=tuple(self.corrections),
            usage=self.usage,
            seconds=self.seconds,
            error=ending.error,
        )
