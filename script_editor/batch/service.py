"""What is done with batches: plan, run, watch, stop, go on, and take or take back the results.

A front end calls one method for each command. What lasts is a generator of events (`progress`) or of results; one
that is left early puts its things in order.
"""

from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from script_editor.batch.pacing import IsStopping
from script_editor.batch.paging import chunks, each_item, refs
from script_editor.batch.progress import Event
from script_editor.batch.reading import BatchReader
from script_editor.batch.terms import DEFAULT_WORKERS as DEFAULT_WORKERS
from script_editor.batch.terms import HowToRun as HowToRun
from script_editor.batch.terms import Planner as Planner
from script_editor.batch.working.workshop import Verb as Verb
from script_editor.batch.working.workshop import Workshop
from script_editor.domain.batches import BatchState, ItemState, Tally
from script_editor.errors import BadInput, Conflict, MissingExtra

if TYPE_CHECKING:
    from script_editor.app.services import Services
    from script_editor.batch.planning.plan import PlanReport, PlanRequest, Tell
    from script_editor.batch.taking import Outcome
    from script_editor.batch.working.crew import MakeEngine, Workplace
    from script_editor.domain.batch_ports import BatchStore

LOOK_SECONDS = 1.0
_TAKEN_UP: tuple[BatchState, ...] = ("running", "paused", "done")
"""A batch that was cancelled is in one of them only if somebody has taken it up since."""


class BatchService(BatchReader):
    """The batches of one store."""

    def __init__(
        self,
        batches: "BatchStore",
        services: "Callable[[], Services]",
        *,
        planner: Callable[[], Planner],
        workplace: "Callable[[], Workplace]",
        make_engine: "MakeEngine",
        max_output_tokens: int | None = None,
        service_of: Callable[[str], str] | None = None,
        look_seconds: float = LOOK_SECONDS,
    ):
        """Take a store; what a command does not need is not made: reading a tally needs neither model nor engine.

        `planner` and `workplace` raise SetupError where settings clash, `make_engine` MissingExtra. `max_output_tokens`
        bounds each reply, None where nothing does. `service_of` names for which service the limits of a model are;
        without it only those are known that a batch was given itself.
        """
        super().__init__(
            batches,
            services,
            planner=planner,
            max_output_tokens=max_output_tokens,
            service_of=service_of,
            look_seconds=look_seconds,
        )
        self._workshop = Workshop(
            batches,
            services,
            planner=planner,
            workplace=workplace,
            make_engine=make_engine,
            max_output_tokens=max_output_tokens,
            look_seconds=look_seconds,
        )

    # --- planning -----------------------------------------------------------------------------

    def plan(self, request: "PlanRequest", *, tell: "Tell" = lambda _read, _stored: None) -> "PlanReport":
        """Freeze a plan and return it with what was found; see `batch.planning.plan.make_plan`."""
        from script_editor.batch.planning.plan import (
            make_plan,  # late: reading where a batch stands plans nothing
        )

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
            tell=tell,
        )

    # --- running -----------------------------------------------------------------------------

    def run(self, batch_id: str, how: HowToRun, *, is_stopping: IsStopping) -> Generator[Event]:
        """Work on a batch until nothing is left, the sample is done, the budget is used up, it is cancelled, or
        `is_stopping`; yield what happens.

        It is also how a batch goes on: what is finished is never repeated, and a second run at the same time shares
        the work. A batch whose items are all over says so at once.

        Raises (before anything is spent):
            BatchNotFound, or BadInput: it was cancelled, and only `resume` takes it up again.
            SetupError: the model or its prompts are not those that were planned, or a budget without prices.
            BudgetShort: what is left of the budget covers no call.
            MissingExtra: the packages of the extra `batch` are not there.
        Raises (later): KeyRefused, AccountEmpty, ModelUnknown, or a ModelFailure, when no call has a prospect: the key or
            the model is refused, nothing is left to pay with, or the service does not answer; the batch is paused.
        """
        yield from self._workshop.shift("run", batch_id, how).events(is_stopping)

    def resume(self, batch_id: str, how: HowToRun, *, is_stopping: IsStopping) -> Generator[Event]:
        """Run a batch that was paused, was cancelled, or lost its workers, each item from its last finished step.

        Raises what `run` raises.
        """
        yield from self._workshop.shift("resume", batch_id, how).events(is_stopping)

    def retry(
        self,
        batch_id: str,
        how: HowToRun,
        *,
        is_stopping: IsStopping,
        states: Collection[ItemState] | None = None,
    ) -> Generator[Event]:
        """Run those items that are TROUBLED, or in `states` of these, as a new attempt.

        A conflict is taken up over the head as it is now. What else is open in the batch goes on as well, and so does
        what was cancelled.

        Raises BadInput when nothing is to be tried again, and what `run` raises.
        """
        yield from self._workshop.shift("retry", batch_id, how, states).events(is_stopping)

    def begin(
        self, verb: Verb, batch_id: str, how: HowToRun, *, states: Collection[ItemState] | None = None
    ) -> None:
        """Let a batch run as `verb` would, for another process that goes on with it by `run`; see `stand_down`.

        Raises what the method of that name raises before anything is spent.
        """
        self._workshop.shift(verb, batch_id, how, states).begin()

    def stand_down(self, batch_id: str) -> None:
        """Pause a batch that runs, and that nobody works on after all."""
        batch = self._batches.batch(batch_id)
        if batch.state == "running" and not self.workers(batch_id):
            with suppress(Conflict):  # it was cancelled or taken up in this very moment
                self._batches.set_state(
                    batch_id, "paused", reason="interrupted", unchanged_since=batch.updated_at
                )

    @property
    def is_busy(self) -> bool:
        """Whether a model call was still under way when the last work ended: a normal end of the process waits for it."""
        return self._workshop.is_busy

    # --- workers, watchers, cancelling -------------------------------------------------------

    def work(self, *, workers: int, is_stopping: IsStopping) -> Generator[Event]:
        """Take items of every batch that runs with the model of this process, until `is_stopping`.

        Yielded is what happens in these batches, whichever process does it. Raises MissingExtra, and SetupError; also
        what `run` raises later: then the batches are left to the other workers, and paused where there is none.
        """
        from script_editor.batch.queues import ALL
        from script_editor.batch.working.attending import Attendance  # late: see plan

        with self._workshop.crew(workers, ALL).at_work() as crew:
            attendance = Attendance(crew, self._batches, model=self._planner().model)
            yield from attendance.events(is_stopping, look_seconds=self._look_seconds)
        if crew.refusal is not None:
            raise crew.refusal

    def cancel(self, batch_id: str) -> Tally:
        """Cancel a batch: what waits is over at once, what runs stops at its next step, here and elsewhere.

        Versions and proposals stay. Raises BatchNotFound, BadInput for a batch that is over.
        """
        is_over = self._batches.tally(batch_id).batch.state == "done"
        try:
            if not is_over:
                self._batches.set_state(batch_id, "cancelled")
        except Conflict:
            is_over = True
        if is_over:
            raise BadInput(
                f"{batch_id} is over: there is nothing to cancel.",
                zh=f"{batch_id} 已经结束，没有可以取消的。",
            )
        open_items = [*refs(self._batches, batch_id)]
        self._batches.cancel_open(batch_id, unless=_TAKEN_UP)
        # Where the engine is missing nothing runs, and elsewhere the state says it.
        with suppress(MissingExtra), self._workshop.engine_alone() as engine:
            for chunk in chunks(iter(open_items)):
                if self._batches.batch(batch_id).state in _TAKEN_UP:
                    break  # what is taken away all the same in this moment comes back: see `working.strays`
                engine.cancel(chunk)
        return self._batches.tally(batch_id)

    # --- results -----------------------------------------------------------------------------

    def apply(self, batch_id: str, *, author: str, only_clean: bool) -> "Iterator[Outcome]":
        """Save the open proposals of a batch in which no guard found an error, each where its script did not move;
        with `only_clean` those of which no guard even warned.

        Each is one transaction; told is what was saved and what was left, and why. Doing it again saves nothing
        twice. An item whose script moved becomes a conflict, which `retry` takes up.
        """
        from script_editor.batch.taking import saved  # late: see plan

        self._batches.batch(batch_id)
        services = self._services()
        return (
            saved(item, services, self._batches, author=author, only_clean=only_clean)
            for item in each_item(self._batches, batch_id)
        )

    def revert(self, batch_id: str, *, author: str) -> "Iterator[Outcome]":
        """Bring each script back to what it was before this batch, as a new version, where nobody wrote since.

        Each is one transaction; told is what was brought back and what was left, and why. Doing it again changes
        nothing.
        """
        from script_editor.batch.taking import brought_back  # late: see plan

        self._batches.batch(batch_id)
        services = self._services()
        return (
            brought_back(item, services, self._batches, author=author)
            for item in each_item(self._batches, batch_id)
        )

    def discard(
        self, batch_id: str, *, author: str, states: Collection[ItemState] | None = None
    ) -> "Iterator[Outcome]":
        """Close the proposals of a batch that are still open, those of items in `states` or all; nothing is saved.

        Each is one transaction; told is what was closed, and of what was left, why. The texts stay in the store, and
        the work is planned anew where it is asked for again. Doing it again changes nothing.
        """
        from script_editor.batch.taking import discarded  # late: see plan

        self._batches.batch(batch_id)
        services = self._services()
        return (
            discarded(item, services, author=author)
            for item in each_item(self._batches, batch_id, states=states)
        )

    def gc(self) -> int:
        """Delete what the engine remembers of items that are over, and return of how many. No result is lost."""
        deleted = 0
        with self._workshop.engine_alone() as engine:
            while some := engine.sweep():
                deleted += some
        return deleted
