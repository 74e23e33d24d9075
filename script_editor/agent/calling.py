"""The calls of one turn: what may run side by side does, everything else one by one; results keep the order of the calls."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

from script_editor.agent.endings import Ending
from script_editor.agent.events import Listener, ToolFinished, ToolSkipped, ToolStarted
from script_editor.agent.language import Language
from script_editor.agent.progress import Progress
from script_editor.agent.side_by_side import SideBySide
from script_editor.agent.steps import AgentAction, AgentStep
from script_editor.agent.tools import Toolbox
from script_editor.agent.unanswered import broken_off


class _Came(NamedTuple):
    """What came of one call; an error has its step too, and ends the run."""

    step: AgentStep
    error: Exception | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Carries out calls and keeps their steps in the run."""

    toolbox: Toolbox
    tell: Listener
    clock: Callable[[], float]
    max_threads: int

    def carry_out(self, run: Progress, actions: Sequence[AgentAction]) -> Ending | None:
        """Make the calls of one turn in their order, as far as the limits let them.

        Raises:
            Exception: what a tool raised and the model cannot repair; its step and those before it are kept.
        """
        for beside, group in groupby(
            actions, key=lambda action: self.toolbox.runs_beside_others(action.tool)
        ):
            together = tuple(group)
            side_by_side = beside and len(together) > 1 and self.max_threads > 1
            ending = (
                _Group(self, run, together).carry_out() if side_by_side else self._one_by_one(run, together)
            )
            if ending:
                return ending
        return None

    def _one_by_one(self, run: Progress, actions: Sequence[AgentAction]) -> Ending | None:
        for action in actions:
            match self.permission(run, action):
                case Ending() as ending:
                    return ending
                case AgentStep() as refused:
                    self.keep(run, refused)
                case None:
                    self.begin(run, action)
                    came = self.attempt(action, run.language)
                    self.keep(run, came.step)
                    if came.error:
                        raise came.error
        return None

    def permission(self, run: Progress, action: AgentAction) -> Ending | AgentStep | None:
        """Return why a call may not run, or None."""
        return run.before_call(action, writes=self.toolbox.writes(action.tool))

    def begin(self, run: Progress, action: AgentAction) -> None:
        """Count and announce a call that is about to run."""
        run.begin(action)
        self.tell(ToolStarted(action))

    def attempt(self, action: AgentAction, language: Language) -> _Came:
        """Run one call, in whatever thread."""
        started = self.clock()
        try:
            came = _Came(self.toolbox.call(action))
        except Exception as error:  # kept with the step, and raised again as soon as that is in the books
            came = _Came(broken_off(action, language, error), error)
        return came._replace(step=replace(came.step, seconds=self.clock() - started))

    def keep(self, run: Progress, step: AgentStep) -> None:
        """Keep and announce the step of the next open call."""
        kept = run.add_step(step, writes=self.toolbox.writes(step.action.tool))
        self.tell(ToolFinished(kept) if kept.executed else ToolSkipped(kept))


class _Group:
    """Calls that run side by side. The first failure stops the next from starting; what runs is waited for."""

    def __init__(self, caller: Caller, run: Progress, actions: Sequence[AgentAction]):
        self._caller, self._run, self._actions = caller, run, actions
        self._before = run.answered
        self._waiting = deque(enumerate(actions))
        self._begun = 0
        self._threads: SideBySide[_Came] = SideBySide(caller.max_threads)
        self._came: dict[int, _Came] = {}
        self._ending: Ending | None = None

    @property
    def _kept(self) -> int:
        return self._run.answered - self._before

    def carry_out(self) -> Ending | None:
        try:
            while self._kept < len(self._actions) and self._has_come(self._kept):
                self._keep_next()
        finally:  # also after Ctrl-C: what has come in the meantime is kept
            self._take_all_that_came()
            while self._kept < self._begun:
                self._keep_next()
        if errors := [came.error for _, came in sorted(self._came.items()) if came.error]:
            raise errors[0]
        return self._ending

    def _keep_next(self) -> None:
        number = self._kept
        came = self._came.get(number)
        step = came.step if came else broken_off(self._actions[number], self._run.language)
        self._caller.keep(self._run, step)

    def _has_come(self, number: int) -> bool:
        """Wait for a result; False when it will not come, because the call never begins or the time is over."""
        while number not in self._came:
            self._start_more()
            if number in self._came or not self._threads.running:
                break
            if ready := self._threads.next(self._run.remaining_seconds):
                self._take(*ready)
            elif over := self._run.time_over():
                self._ending = over
                break
        return number in self._came

    def _start_more(self) -> None:
        while self._waiting and not self._threads.is_full:
            number, action = self._waiting.popleft()
            match self._caller.permission(self._run, action):
                case Ending() as ending:
                    self._ending = ending
                    self._waiting.clear()
                case AgentStep() as refused:
                    self._begun, self._came[number] = number + 1, _Came(refused)
                case None:
                    self._begun = number + 1
                    self._caller.begin(self._run, action)
                    self._threads.start(number, partial(self._caller.attempt, action, self._run.language))

    def _take(self, number: int, came: _Came) -> None:
        self._came[number] = came
        if came.error:
            self._waiting.clear()

    def _take_all_that_came(self) -> None:
        while self._threads.running and (ready := self._threads.next(0)):
            self._take(*ready)
