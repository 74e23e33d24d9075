"""The loop of an agent: ask what to do, do it, show what came of it, until there is an answer.

    limits → planner → calls in order → steps → events, and again

The planner decides and has checked its decision; the toolbox acts; this module only sees to it that
every turn goes the same way and that every run ends with everything that happened in hand.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from script_editor.agent.call_ids import with_fresh_ids
from script_editor.agent.calling import Caller
from script_editor.agent.concluding import CONCLUDABLE, Concludes, EarlyStopping
from script_editor.agent.endings import Ending
from script_editor.agent.events import (
    AnswerQuestioned,
    CallsPlanned,
    ConclusionStarted,
    Listener,
    ModeChanged,
    ReplyRejected,
    RunEnded,
    TextArrived,
    ToolFinished,
    ToolSkipped,
    TurnStarted,
    UsageReported,
    ignore,
)
from script_editor.agent.parsing_errors import HandleParsingErrors, reworded
from script_editor.agent.planner import Planned, Planner
from script_editor.agent.progress import Progress
from script_editor.agent.shown import Completed, Shown, Trim, first_lines_of_writes
from script_editor.agent.steps import (
    Actions,
    AgentAction,
    AgentFinish,
    AgentStep,
    Limits,
    Malformed,
    Outcome,
    RunResult,
)
from script_editor.agent.tools import Toolbox
from script_editor.errors import ScriptEditorError
from script_editor.llm.chat import Message, OnText

MAX_THREADS = 4
"""How many calls of one turn that only read may run beside each other."""

AnswerCheck = Callable[[AgentFinish, Sequence[AgentStep]], str | None]
"""Says what is wrong with an answer after these steps, in words for the model; None when nothing is."""


class Executor:
    """Runs tasks with one planner and one toolbox. `listener` is told of everything as it happens.

    At a limit the run ends with a sentence of the program that names what was `completed`, by default the first
    lines of the successful writes; with `early_stopping="generate"` the planner is asked for a summary first,
    if it can make one (see `concluding`) and calls, tokens and time are left.

    `trim` and `max_shown_chars` bound the steps that the planner is shown (see `shown`), never those returned.
    `handle_parsing_errors` says what becomes of a reply that cannot be read. `answer_check` may object to an
    answer once: the planner is told and asked again, and then the answer is taken; if asking again leads to
    nothing, the first answer is. `mode` is the mode the planner begins in, if it has any, for ModeChanged.

    Without `streams` replies are asked for whole: there is no TextArrived, and a reply that breaks off can be
    asked for again, which one that somebody has begun to read cannot.
    """

    def __init__(
        self,
        planner: Planner,
        toolbox: Toolbox,
        *,
        limits: Limits | None = None,
        listener: Listener = ignore,
        clock: Callable[[], float] = time.monotonic,
        early_stopping: EarlyStopping = "force",
        trim: Trim = None,
        max_shown_chars: int | None = 60_000,
        handle_parsing_errors: HandleParsingErrors = True,
        answer_check: AnswerCheck | None = None,
        completed: Completed | None = None,
        max_threads: int = MAX_THREADS,
        mode: str = "",
        streams: bool = True,
    ):
        self._planner, self._toolbox = planner, toolbox
        self._limits, self._tell, self._clock = limits or Limits(), listener, clock
        self._early_stopping, self._mode = early_stopping, mode
        self._heard: OnText | None = (lambda text: listener(TextArrived(text))) if streams else None
        self._handle_parsing_errors = handle_parsing_errors
        self._answer_check: AnswerCheck = answer_check or (lambda _answer, _steps: None)
        self._completed = completed or first_lines_of_writes(toolbox.writes)
        self._shown = Shown(trim, max_shown_chars, self._completed)
        self._caller = Caller(toolbox=toolbox, tell=listener, clock=clock, max_threads=max_threads)

    def run(self, task: str, past: Sequence[Message] = ()) -> RunResult:
        """Carry out `task` and return how it ended; `past` is the conversation before it.

        Limits, a person's no, an interrupt (Ctrl-C) and failures of the model or a tool are stop reasons, and
        the steps so far are kept. In every step list each call of a turn is answered once, also those that
        were not executed. Nothing is ever run twice by the loop itself.

        Only what is a bug is raised, in a tool, the planner or the listener, and a second interrupt. After
        a bug the listener has been told RunEnded with all steps before it is raised. A tool that runs in the
        thread of the loop is not broken off at the deadline: it is looked at before each call, and passed
        to each request.
        """
        run = Progress(task, past, limits=self._limits, clock=self._clock)
        run.mode = self._mode
        try:
            return self._close(run, self._loop(run))
        except KeyboardInterrupt:
            return self._close(run, Ending("cancelled"))
        except ScriptEditorError as error:
            return self._close(run, run.ended_by(error))
        except BaseException as bug:
            with suppress(Exception):  # a listener that raises must not hide the bug
                self._close(run, Ending("crashed", detail=type(bug).__name__))
            raise

    def _loop(self, run: Progress) -> Ending:
        while True:
            if ending := run.before_asking() or self._turn(run):
                return self._conclude(run, run.settled(ending))

    def _turn(self, run: Progress) -> Ending | None:
        run.turn += 1
        self._tell(TurnStarted(run.turn))
        match self._ask(run):
            case AgentFinish() as answer:
                return self._accept(run, answer)
            case Malformed() as malformed:
                return self._reject(run, malformed)
            case Actions(actions):
                return self._act(run, actions)

    def _ask(self, run: Progress) -> Outcome:
        run.model_calls += 1
        planned = self._planner.plan(
            run.task,
            self._shown.of(run.steps, run.language),
            tuple(run.corrections),
            run.past,
            turn=run.turn,
            timeout_seconds=run.remaining_seconds,
            on_text=self._heard,
        )
        return self._booked(run, planned)

    def _booked(self, run: Progress, planned: Planned) -> Outcome:
        run.usage += planned.usage
        if planned.mode and planned.mode != run.mode:
            if run.mode or planned.mode_reason:
                self._tell(ModeChanged(run.mode, planned.mode, planned.mode_reason))
            run.mode = planned.mode
        self._tell(UsageReported(run.usage))
        return planned.outcome

    def _accept(self, run: Progress, answer: AgentFinish) -> Ending | None:
        objection = self._answer_check(answer, tuple(run.steps))
        if not objection or run.was_questioned:
            return Ending("finished", answer.output, objected=bool(objection))
        self._tell(AnswerQuestioned(run.question(answer, objection)))
        return None

    def _reject(self, run: Progress, malformed: Malformed) -> Ending | None:
        correction, ending = run.add_correction(reworded(malformed, self._handle_parsing_errors))
        self._tell(ReplyRejected(correction))
        return Ending("unreadable") if self._handle_parsing_errors is False else ending

    def _act(self, run: Progress, actions: Sequence[AgentAction]) -> Ending | None:
        actions = with_fresh_ids(actions, taken=run.call_ids, turn=run.turn)
        run.open(actions)
        self._tell(CallsPlanned(actions))
        if ending := run.before_acting() or self._caller.carry_out(run, actions):
            return ending
        return self._returned_directly(run.steps[-1]) if len(actions) == 1 else None

    def _returned_directly(self, step: AgentStep) -> Ending | None:
        """End with the observation of a tool that is marked so; of several calls none may speak for all."""
        direct = step.ok and self._toolbox.returns_directly(step.action.tool)
        return Ending("returned_directly", step.observation) if direct else None

    def _conclude(self, run: Progress, ending: Ending) -> Ending:
        """Return `ending` with the planner's own summary, if it is to make one and can."""
        wanted = self._early_stopping == "generate" and ending.stop_reason in CONCLUDABLE
        if not wanted or not isinstance(self._planner, Concludes) or run.before_asking():
            return ending
        self._answer_open_calls(run, ending)
        self._tell(ConclusionStarted(ending.stop_reason))
        run.model_calls += 1
        try:
            outcome = self._booked(
                run,
                self._planner.conclude(
                    run.task,
                    self._shown.of(run.steps, run.language),
                    run.past,
                    timeout_seconds=run.remaining_seconds,
                    on_text=self._heard,
                ),
            )
        except ScriptEditorError:  # the limit is what ended the run, and its sentence needs no model
            return ending
        if not isinstance(outcome, AgentFinish) or not outcome.output.strip():
            return ending
        objected = bool(self._answer_check(outcome, tuple(run.steps)))
        return replace(ending, output=outcome.output, concluded=True, objected=objected)

    def _close(self, run: Progress, ending: Ending) -> RunResult:
        ending = run.settled(ending)
        self._answer_open_calls(run, ending)
        result = run.result(ending, self._completed(run.steps))
        self._tell(RunEnded(result))
        return result

    def _answer_open_calls(self, run: Progress, ending: Ending) -> None:
        """Give each call of the last turn that has no step yet one that says why it was not carried out."""
        while step := run.next_unanswered(ending.stop_reason):
            run.steps.append(step)
            self._tell(ToolFinished(step) if step.executed else ToolSkipped(step))
