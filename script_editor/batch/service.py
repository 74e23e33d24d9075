"""What is done with batches: plan, run, watch, stop, go on, and take or take back the results.

A front end calls one method for each command. What lasts is a generator of events (`progress`) or of results; one
that is left early puts its things in order.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from script_editor.batch.following import Follower
from script_editor.batch.progress import BatchEnded, Began, Event
from script_editor.batch.running import IsStopping, Run, chunks, last_event, looks, refs, waited
from script_editor.batch.terms import DEFAULT_WORKERS as DEFAULT_WORKERS
from script_editor.batch.terms import HowToRun as HowToRun
from script_editor.batch.terms import Planner as Planner
from script_editor.batch.terms import bounds_of, check, prices_of
from script_editor.domain.batches import TROUBLED, Batch, Item, ItemState, Tally
from script_editor.errors import BadInput, Conflict, MissingExtra

if TYPE_CHECKING:
    from script_editor.app.services import Services
    from script_editor.batch.crew import Crew, MakeEngine, Workplace
    from script_editor.batch.engine import ItemRef
    from script_editor.batch.outlook import Outlook
    from script_editor.batch.plan import PlanReport, PlanRequest
    from script_editor.batch.results import ResultRow, Reverted, Saved
    from script_editor.domain.batch_ports import BatchStore

LOOK_SECONDS = 1.0
_PAGE = 500


class BatchService:
    """The batches of one store."""

    def __init__(
        self,
        batches: "BatchStore",
        services: "Callable[[], Services]",
        *,
        planner: Callable[[], Planner],
        workplace: "Callable[[], Workplace]",
        make_engine: "MakeEngine",
        look_seconds: float = LOOK_SECONDS,
    ):
        """Take a store; what a command does not need is not made: reading a tally needs neither model nor engine.

        `planner` and `workplace` raise SetupError where settings clash, `make_engine` MissingExtra.
        """
        self._batches, self._services = batches, services
        self._planner, self._workplace, self._make_engine = planner, workplace, make_engine
        self._look_seconds = look_seconds

    # --- planning and reading ----------------------------------------------------------------

    def plan(self, request: "PlanRequest") -> "PlanReport":
        """Freeze a plan and return it with what was found; see `batch.plan.make_plan`."""
        from script_editor.batch.plan import make_plan  # late: reading where a batch stands plans nothing

        planner = self._planner()
        prices = planner.prices_of(planner.model)
        return make_plan(
            request,
            scripts=self._services().store,
            batches=self._batches,
            model=planner.model,
            prompts=planner.prompts,
            price_in=prices.sent if prices else None,
            price_out=prices.received if prices else None,
            is_offline=planner.is_offline,
        )

    def status(self, batch_id: str) -> Tally:
        """Return where a batch stands. Raises BatchNotFound."""
        return self._batches.tally(batch_id)

    def list(self, *, limit: int | None = None) -> tuple[Tally, ...]:
        """Return all batches, newest first."""
        return self._batches.batches(limit=limit)

    def failures(
        self, batch_id: str, *, states: Collection[ItemState] | None = None, limit: int | None = None
    ) -> Iterator[Item]:
        """Yield the items that are TROUBLED, by their number, or those in `states`. Raises BatchNotFound."""
        self._batches.batch(batch_id)
        return self._items(batch_id, states or TROUBLED, limit)

    def _items(
        self, batch_id: str, states: Collection[ItemState] | None, limit: int | None = None
    ) -> Iterator[Item]:
        after, left = 0, limit
        while left is None or left > 0:
            page = _PAGE if left is None else min(_PAGE, left)
            found = self._batches.items(batch_id, states=states, after=after, limit=page)
            yield from found
            if len(found) < page:
                return
            after, left = found[-1].job.seq, None if left is None else left - len(found)

    def outlook(self, batch_id: str, how: HowToRun, *, again: Collection[ItemState] = ()) -> "Outlook":
        """Return what a run would about take, with the items in `again` besides the open ones. Raises BatchNotFound."""
        from script_editor.batch.outlook import outlook  # late: see plan

        return outlook(
            batch_id,
            scripts=self._services().store,
            batches=self._batches,
            prices=prices_of(self._batches.batch(batch_id), self._planner()),
            workers=how.workers,
            sample=how.sample,
            again=again,
            is_offline=self._planner().is_offline,
        )

    def workers(self, *, besides: str = "") -> int:
        """Return how many other processes work on batches of this store at present, `besides` one of them."""
        from script_editor.batch.worker import living  # late: see plan

        return len(living(self._batches, besides=besides))

    # --- running -----------------------------------------------------------------------------

    def run(self, batch_id: str, how: HowToRun, *, is_stopping: IsStopping) -> Iterator[Event]:
        """Work on a batch until nothing is left, the sample is done, the budget is used up, it is cancelled, or
        `is_stopping`; yield what happens.

        It is also how a batch goes on: what is finished is never repeated, and a second run at the same time shares
        the work. A batch whose items are all over says so at once.

        Raises (before anything is spent):
            BatchNotFound, or BadInput: it was cancelled, and only `resume` takes it up again.
            SetupError: the model or its prompts are not those that were planned, or a budget without prices.
            MissingExtra: the packages of the extra `batch` are not there.
        Raises (later): KeyRefused, ModelUnknown of the first calls, when none was answered; the batch is paused.
        """
        batch = self._batches.batch(batch_id)
        if batch.state == "cancelled":
            raise BadInput(
                f"{batch_id} was cancelled.", hint=f"Take it up again: script-editor batch resume {batch_id}"
            )
        yield from self._run(batch, how, is_stopping, self._checked(batch, how))

    def resume(self, batch_id: str, how: HowToRun, *, is_stopping: IsStopping) -> Iterator[Event]:
        """Run a batch that was paused, was cancelled, or lost its workers, each item from its last finished step.

        Raises what `run` raises.
        """
        batch = self._batches.batch(batch_id)
        crew = self._checked(batch, how)
        if batch.state == "cancelled":
            batch = self._batches.set_state(batch_id, "running")
            self._batches.requeue_cancelled(batch_id)
        yield from self._run(batch, how, is_stopping, crew)

    def retry(
        self,
        batch_id: str,
        how: HowToRun,
        *,
        is_stopping: IsStopping,
        states: Collection[ItemState] | None = None,
    ) -> Iterator[Event]:
        """Run those items that are TROUBLED, or in `states` of these, as a new attempt.

        A conflict is taken up over the head as it is now. What else is open in the batch goes on as well.

        Raises BadInput when nothing is to be tried again, and what `run` raises.
        """
        batch = self._batches.batch(batch_id)
        crew = self._checked(batch, how)
        if not self._batches.reopen(batch_id, states or TROUBLED):
            raise BadInput(
                f"{batch_id} has no item to try again.",
                hint=f"See where it stands: script-editor batch status {batch_id}",
            )
        yield from self._run(batch, how, is_stopping, crew)

    def _run(self, batch: Batch, how: HowToRun, is_stopping: IsStopping, crew: "Crew") -> Iterator[Event]:
        tally = self._batches.tally(batch.id)
        if not tally.left:
            yield BatchEnded(tally=self._as_done(tally))
            return
        prompts_changed = batch.recipe.prompts != self._planner().prompts
        are_new = batch.state == "planned"
        self._set_bounds(batch, how)
        with crew.at_work():
            self._batches.set_state(batch.id, "running")
            others = self.workers(besides=crew.worker_id)
            if how.sample is not None and not (are_new or others):
                self._withdraw(batch.id, crew.withdraw)  # what an earlier run left in the queue
            run = Run(
                batch.id,
                crew,
                self._batches,
                is_stopping=is_stopping,
                others=lambda: self.workers(besides=crew.worker_id),
                are_new=are_new,
                sample=how.sample,
                look_seconds=self._look_seconds,
            )
            last = yield from run.events(
                Began(
                    tally=self._batches.tally(batch.id),
                    items=tally.left if how.sample is None else min(how.sample, tally.left),
                    other_workers=others,
                    prompts_changed=prompts_changed,
                )
            )
        if crew.refusal is not None:
            raise crew.refusal
        # Not before what was under way is in the queue again, and counted as waiting.
        yield replace(last, tally=self._batches.tally(batch.id))

    def _crew(self, workers: int) -> "Crew":
        """Return a crew that has not begun; the packages that it needs are there."""
        from script_editor.batch.crew import Crew  # late: see plan

        place = self._workplace()
        engine = self._make_engine(place.queue, workers)
        return Crew(place, engine, self._services().store, self._batches, workers=workers)

    def _as_done(self, tally: Tally) -> Tally:
        """Return the tally of a batch without open items, which is done unless it was cancelled."""
        if tally.batch.state in ("done", "cancelled"):
            return tally
        if tally.batch.state == "planned":  # of nothing at all
            self._batches.set_state(tally.batch.id, "running")
        return replace(tally, batch=self._batches.set_state(tally.batch.id, "done"))

    def _checked(self, batch: Batch, how: HowToRun) -> "Crew":
        """Return a crew that has not begun, once everything that can be known before is in order."""
        check(batch, how, self._planner())
        return self._crew(how.workers)

    def _set_bounds(self, batch: Batch, how: HowToRun) -> None:
        bounds, target = bounds_of(batch, how, self._planner()), how.target or batch.target
        if (bounds, target) != (batch.bounds, batch.target):
            self._batches.set_bounds(batch.id, target=target, bounds=bounds)

    # --- workers, watchers, cancelling -------------------------------------------------------

    def work(self, *, workers: int, is_stopping: IsStopping) -> Iterator[Event]:
        """Take items of every batch that runs with the model of this process, until `is_stopping`.

        Yielded is what happens in these batches, whichever process does it. Raises MissingExtra, and SetupError, also
        when the first calls are refused; then the batches are left to the other workers.
        """
        from script_editor.batch.attending import Attendance  # late: see plan

        with self._crew(workers).at_work() as crew:
            attendance = Attendance(crew, self._batches, model=self._planner().model)
            yield from attendance.events(is_stopping, look_seconds=self._look_seconds)
        if crew.refusal is not None:
            raise crew.refusal

    def watch(self, batch_id: str, *, is_stopping: IsStopping) -> Iterator[Event]:
        """Yield what happens in a batch that others run, until it stands still or `is_stopping`; nothing is written.

        Ends with the last event that fits the batch; with none where `is_stopping` ended it.
        """
        follower, waits = Follower(self._batches, batch_id), looks(self._look_seconds)
        while True:
            tally, ended = follower.look()
            yield from ended
            yield follower.progress(tally)
            if (last := last_event(tally)) is not None:
                yield last
                return
            waited(next(waits), is_stopping)
            if is_stopping():
                return

    def cancel(self, batch_id: str) -> Tally:
        """Cancel a batch: what waits is over at once, what runs stops at its next step, here and elsewhere.

        Versions and proposals stay. Raises BatchNotFound, BadInput for a batch that is over.
        """
        try:
            self._batches.set_state(batch_id, "cancelled")
        except Conflict as error:
            raise BadInput(f"{batch_id} is over: there is nothing to cancel.") from error
        open_items = [*refs(self._batches, batch_id)]
        self._batches.cancel_open(batch_id)
        with suppress(MissingExtra):  # then nothing runs here, and elsewhere the state says it
            self._take_out(open_items)
        return self._batches.tally(batch_id)

    def _take_out(self, items: "Sequence[ItemRef]") -> None:
        from script_editor.batch.crew import engine_alone  # late: see plan

        with engine_alone(self._make_engine) as engine:
            for chunk in chunks(iter(items)):
                engine.cancel(chunk)

    def _withdraw(self, batch_id: str, take_out: "Callable[[Sequence[ItemRef]], None]") -> None:
        for chunk in chunks(refs(self._batches, batch_id)):
            take_out(chunk)

    # --- results -----------------------------------------------------------------------------

    def export(self, batch_id: str, *, states: Collection[ItemState] | None = None) -> "Iterator[ResultRow]":
        """Yield what became of every item, by number; see `results.as_csv` and `as_json_lines`."""
        from script_editor.batch.results import rows  # late: see plan

        batch = self._batches.batch(batch_id)
        return rows(batch, self._items(batch_id, states), self._services().store)

    def apply(self, batch_id: str, *, author: str, only_clean: bool) -> "Iterator[Saved]":
        """Save the open proposals of a batch in which no guard found an error, each where its script did not move;
        with `only_clean` those of which no guard even warned.

        Each is one transaction; told is what was saved and what was left, and why. Doing it again saves nothing
        twice.
        """
        from script_editor.batch.results import saved  # late: see plan

        self._batches.batch(batch_id)
        services = self._services()
        return (
            saved(item, services, author=author, only_clean=only_clean)
            for item in self._items(batch_id, None)
        )

    def revert(self, batch_id: str, *, author: str) -> "Iterator[Reverted]":
        """Bring each script back to what it was before this batch, as a new version, where nobody wrote since.

        Each is one transaction; told is what was brought back and what was left, and why. Doing it again changes
        nothing.
        """
        from script_editor.batch.results import brought_back  # late: see plan

        self._batches.batch(batch_id)
        services = self._services()
        return (brought_back(item, services, author=author) for item in self._items(batch_id, None))

    def gc(self) -> int:
        """Delete what the engine remembers of items that are over, and return of how many. No result is lost."""
        from script_editor.batch.crew import engine_alone  # late: see plan

        deleted = 0
        with engine_alone(self._make_engine) as engine:
            while some := engine.sweep():
                deleted += some
        return deleted
