"""What one process does for one batch that it was asked to run, step by step: open, begin, work, end."""

from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace

from script_editor.batch.engine import SharedEngine
from script_editor.batch.following import last_event
from script_editor.batch.pacing import IsStopping
from script_editor.batch.paging import chunks, refs
from script_editor.batch.progress import Began, Event, Last, Left
from script_editor.batch.shortage import shortage
from script_editor.batch.terms import HowToRun, Planner, agreed, bounds_of, check
from script_editor.batch.working.course import Course, pause_reason_of
from script_editor.batch.working.crew import Crew
from script_editor.batch.working.running import Run
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Batch, BatchState, ItemState, Tally
from script_editor.domain.ports import ScriptStore
from script_editor.errors import Conflict, ScriptEditorError


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a batch is worked on: its store, what is configured, and what makes a crew for a batch.

    `engine_alone` returns an engine that works on nothing. `max_output_tokens` bounds each reply, None where nothing does.
    """

    batches: BatchStore
    scripts: ScriptStore
    planner: Planner
    make_crew: Callable[[int, str], Crew]
    engine_alone: Callable[[], AbstractContextManager[SharedEngine]]
    max_output_tokens: int | None
    look_seconds: float


@dataclass(slots=True, kw_only=True)
class Shift:
    """The work of a process on a batch, as it was when it was looked at.

    Items in `retried` are tried again, and those that were cancelled go on `with_cancelled`.
    """

    place: Place
    batch: Batch
    how: HowToRun
    with_cancelled: bool = False
    retried: Collection[ItemState] = ()
    _crew: Crew = field(init=False)

    def open(self) -> None:
        """Refuse what cannot be done, before anything is written or spent.

        Raises SetupError, BudgetShort, and MissingExtra; see `BatchService.run`.
        """
        check(self.batch, self.how, self.place.planner)
        self._crew = self.place.make_crew(self.how.workers, self.batch.id)
        self._crew.check_machines()
        self._check_budget()

    def _check_budget(self) -> None:
        """Raises BudgetShort where the budget, as it is or as this run sets it, covers no call at all."""
        tally = self._tally()
        if self.how.budget is None and tally.batch.bounds.budget is None:
            return
        short = shortage(
            tally,
            bounds_of(tally.batch, self.how, self.place.planner),
            scripts=self.place.scripts,
            batches=self.place.batches,
            max_output_tokens=self.place.max_output_tokens,
            is_before=True,
        )
        if short is not None:
            raise short

    def begin(self) -> bool:
        """Let the batch run, and say whether there is anything to do: not where all of it is over, or where it was
        cancelled since it was looked at, which is never undone by chance."""
        if not self._has_work(self._tally()):
            return False
        if self.how.sample is not None:
            self._withdraw()
        unless: tuple[BatchState, ...] = () if self.batch.state == "cancelled" else ("cancelled",)
        try:
            self.place.batches.take_up(
                self.batch.id,
                terms=lambda batch: agreed(batch, self.how, self.place.planner),
                retried=self.retried,
                with_cancelled=self.with_cancelled,
                unless=unless,
            )
        except Conflict:
            return False
        return self._tally().left > 0

    def _has_work(self, tally: Tally) -> bool:
        is_cancelled = tally.batch.state == "cancelled" or tally.count("cancelled") > 0
        is_new = tally.batch.state == "planned"
        return bool(tally.left or self.retried or is_new or (self.with_cancelled and is_cancelled))

    def _withdraw(self) -> None:
        """Take out of the queue what an earlier run left there, so that a sample is no larger than it is to be."""
        if self._tally().batch.state == "planned" or self._is_run_elsewhere():
            return
        with self.place.engine_alone() as engine:
            for chunk in chunks(refs(self.place.batches, self.batch.id)):
                if self._is_run_elsewhere():
                    break  # what is taken away all the same in this moment comes back: see `strays`
                engine.cancel(chunk)

    def _is_run_elsewhere(self) -> bool:
        batch = self._tally().batch
        return batch.state == "running" and self._crew.others(batch) > 0

    def events(self, is_stopping: IsStopping) -> Iterator[Event]:
        """Begin, work until there is nothing to do or `is_stopping`, and yield what happens.

        A batch that is left in any other way is paused, unless others go on with it.
        """
        if not self._begin_in_sight():
            yield self._standing()
            return
        try:
            with self._crew.at_work():
                last = yield from self._work(is_stopping)
            if isinstance(last, Left):
                last = self._left(last)
        except BaseException:
            self._interrupt()
            raise
        finally:
            self.place.batches.hurry(is_leaving=False)
        if self._crew.refusal is not None:
            raise self._crew.refusal
        # Not before what was under way is in the queue again, and counted as waiting.
        yield replace(last, tally=self._tally())

    def _begin_in_sight(self) -> bool:
        """Begin as a worker whom others can see: who leaves the batch in this moment would pause it otherwise."""
        if not self._has_work(self._tally()):
            return False
        self._crew.announce()
        is_begun = False
        try:
            is_begun = self.begin()
        finally:
            if not is_begun:
                self._crew.retire()
        return is_begun

    def _left(self, left: Left) -> Last:
        """Return how a batch stands that was left to others: paused, where they have left in the same moment and left
        it to this process."""
        tally = self._tally()
        if tally.batch.state == "running" and not self._crew.others(tally.batch):
            refusal = self._crew.refusal
            reason = "interrupted" if refusal is None else pause_reason_of(refusal)
            tally = Course(self.batch.id, self._crew, self.place.batches).pause(tally, reason)
        return last_event(tally) or left

    def _work(self, is_stopping: IsStopping) -> Generator[Event, None, Last]:
        course = Course(self.batch.id, self._crew, self.place.batches)
        run = Run(
            course,
            self._crew,
            is_stopping=is_stopping,
            are_new=self.batch.state == "planned",
            sample=self.how.sample,
            look_seconds=self.place.look_seconds,
        )
        tally = course.tally()
        last = yield from run.events(
            Began(
                tally=tally,
                items=tally.left if self.how.sample is None else min(self.how.sample, tally.left),
                other_workers=self._crew.others(tally.batch),
                prompts_changed=self.batch.recipe.prompts != self.place.planner.prompts,
            )
        )
        if not isinstance(last, Left):
            self._crew.attend(())
        return last

    def _standing(self) -> Event:
        """Return how a batch stands that was not begun."""
        tally = Course(self.batch.id, self._crew, self.place.batches).tally()
        return last_event(tally) or Left(tally=tally, other_workers=max(self._crew.others(tally.batch), 1))

    def _interrupt(self) -> None:
        """Pause the batch where nobody goes on with it; whatever ended the work is told, and not that this failed."""
        self._crew.retire()
        with suppress(ScriptEditorError):
            tally = self._tally()
            if tally.batch.state == "running" and not self._crew.others(tally.batch):
                Course(self.batch.id, self._crew, self.place.batches).pause(tally, "interrupted")

    def _tally(self) -> Tally:
        return self.place.batches.tally(self.batch.id)
