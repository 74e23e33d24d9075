"""The loop of an agent: ask what to do, do it, show what came of it, until there is an answer.

    limits → planner → calls in order → steps → events, and again

The planner decides and has checked its decision; the toolbox acts; this module only sees to it that
every turn goes the same way and that every run ends with everything that happened in hand.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from script_editor.agent.endings import Ending
from script_editor.agent.events import (
    Listener,
    ReplyRejected,
    RunEnded,
    TextArrived,
    ToolFinished,
    ToolStarted,
    TurnStarted,
    UsageReported,
    ignore,
)
from script_editor.agent.planner import Planner
from script_editor.agent.progress import Progress
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
from script_editor.llm.chat import Message


class Executor:
    """Runs tasks with one planner and one toolbox. `listener` is told of everything as it happens."""

    def __init__(
        self,
        planner: Planner,
        toolbox: Toolbox,
        *,
        limits: Limits | None = None,
        listener: Listener = ignore,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._planner, self._toolbox = planner, toolbox
        self._limits, self._listener, self._clock = limits or Limits(), listener, clock

    def run(self, task: str, past: Sequence[Message] = ()) -> RunResult:
        """Carry out `task` and return how it ended; `past` is the conversation before it.

        Limits, an interrupt (Ctrl-C) and failures of the model or a tool are stop reasons, and the steps
        so far are kept. Only what is a bug is raised, and a second interrupt.
        """
        run = Progress(task, past, limits=self._limits, clock=self._clock)
        try:
            ending = self._loop(run)
        except KeyboardInterrupt:
            ending = Ending("cancelled")
        except ScriptEditorError as error:
            ending = run.ended_by(error)
        result = run.result(ending)
        self._listener(RunEnded(result))
        return result

    def _loop(self, run: Progress) -> Ending:
        while True:
            if ending := run.before_turn() or self._turn(run):
                return ending

    def _turn(self, run: Progress) -> Ending | None:
        run.turn += 1
        self._listener(TurnStarted(run.turn))
        match self._ask(run):
            case AgentFinish(output=output):
                return Ending("finished", output)
            case Malformed() as malformed:
                return self._reject(run, malformed)
            case Actions(actions):
                return self._act(run, actions)

    def _ask(self, run: Progress) -> Outcome:
        planned = self._planner.plan(
            run.task,
            run.steps,
            run.corrections,
            run.past,
            turn=run.turn,
            timeout_seconds=run.remaining_seconds,
            on_text=lambda text: self._listener(TextArrived(text)),
        )
        run.usage += planned.usage
        self._listener(UsageReported(run.usage))
        return planned.outcome

    def _reject(self, run: Progress, malformed: Malformed) -> Ending | None:
        correction, ending = run.add_correction(malformed)
        self._listener(ReplyRejected(correction))
        return ending

    def _act(self, run: Progress, actions: Sequence[AgentAction]) -> Ending | None:
        if ending := run.before_acting():
            return ending
        for action in actions:
            if ending := run.before_call():
                return ending
            step, ending = self._call(run, action)
            if ending:
                return ending
        return self._returned_directly(step) if len(actions) == 1 else None

    def _call(self, run: Progress, action: AgentAction) -> tuple[AgentStep, Ending | None]:
        self._listener(ToolStarted(action))
        started = self._clock()
        called = self._toolbox.call(action)
        called = replace(called, seconds=self._clock() - started)
        step, ending = run.add_step(called, writes=self._toolbox.writes(action.tool))
        self._listener(ToolFinished(step))
        return step, ending

    def _returned_directly(self, step: AgentStep) -> Ending | None:
        """End with the observation of a tool that is marked so; of several calls none may speak for all."""
        direct = step.ok and self._toolbox.returns_directly(step.action.tool)
        return Ending("returned_directly", step.observation) if direct else None
