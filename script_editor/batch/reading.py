"""Where batches stand and what came of them: read from the store, and nothing is written."""

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from script_editor.batch.following import watched
from script_editor.batch.pacing import IsStopping
from script_editor.batch.paging import each_item
from script_editor.batch.progress import Event
from script_editor.batch.terms import HowToRun, Planner, prices_of
from script_editor.domain.batches import (
    TROUBLED,
    BatchState,
    Item,
    ItemState,
    Limits,
    Results,
    Takeable,
    Tally,
)
from script_editor.errors import BudgetShort, SetupError

if TYPE_CHECKING:
    from pathlib import Path

    from script_editor.app.services import Services
    from script_editor.batch.exporting import Form
    from script_editor.batch.outlook import Outlook
    from script_editor.batch.results import ResultRow
    from script_editor.domain.batch_ports import BatchStore


class BatchReader:
    """The batches of one store, for whoever looks at them."""

    def __init__(
        self,
        batches: "BatchStore",
        services: "Callable[[], Services]",
        *,
        planner: Callable[[], Planner],
        max_output_tokens: int | None,
        service_of: Callable[[str], str] | None,
        look_seconds: float,
    ):
        """Take a store; the rest is as `BatchService` takes it."""
        self._batches, self._services, self._planner = batches, services, planner
        self._max_output_tokens, self._look_seconds = max_output_tokens, look_seconds
        self._service_of = service_of

    def status(self, batch_id: str) -> Tally:
        """Return where a batch stands; see `census.as_seen`. Raises BatchNotFound."""
        return self._as_seen(self._batches.tally(batch_id))

    def _as_seen(self, tally: Tally) -> Tally:
        if tally.batch.state != "running":
            return tally
        from script_editor.batch.working.census import as_seen  # late: what stands still is seen by nobody

        return as_seen(self._batches, tally)

    def limits(self, batch_id: str) -> Limits:
        """Return how often a batch may call its model at present, see `BatchStore.limits`: at the address that is
        configured, where that can be used. Raises BatchNotFound."""
        batch = self._batches.batch(batch_id)
        if self._service_of is not None:
            with suppress(SetupError):
                return self._batches.limits(batch_id, service=self._service_of(batch.recipe.model))
        return Limits(
            requests_per_minute=batch.bounds.requests_per_minute,
            tokens_per_minute=batch.bounds.tokens_per_minute,
        )

    def takeable(self, batch_id: str) -> Takeable:
        """Return what can still be done with the results of a batch: saved, or taken back."""
        return self._batches.takeable(batch_id)

    def list(
        self, *, states: Collection[BatchState] | None = None, limit: int | None = None
    ) -> tuple[Tally, ...]:
        """Return batches as `status` tells them, newest first; `states` are those that are stored, None means all."""
        return tuple(map(self._as_seen, self._batches.batches(states=states, limit=limit)))

    def failures(
        self, batch_id: str, *, states: Collection[ItemState] | None = None, limit: int | None = None
    ) -> Iterator[Item]:
        """Yield the items that are TROUBLED, by their number, or those in `states`. Raises BatchNotFound."""
        self._batches.batch(batch_id)
        return each_item(self._batches, batch_id, states=states or TROUBLED, limit=limit)

    def outlook(self, batch_id: str, how: HowToRun, *, again: Collection[ItemState] = ()) -> "Outlook":
        """Return what a run would about take, with the items in `again` besides the open ones. Raises BatchNotFound."""
        from script_editor.batch.outlook import outlook  # late: reading a tally needs none of it

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

    def workers(self, batch_id: str | None = None) -> int:
        """Return how many other processes work on batches of this store at present; with `batch_id` those that take
        items of it."""
        from script_editor.batch.working.census import at_work  # late: reading a tally needs none of it

        return at_work(self._batches, None if batch_id is None else self._batches.batch(batch_id))

    def is_worker(self, pid: int) -> bool:
        """Say whether the process with that id, of this machine, works on batches or is about to."""
        from script_editor.batch.working.census import is_worker  # late: reading a tally needs none of it

        return is_worker(self._batches, pid)

    def shortage(self, batch_id: str) -> BudgetShort | None:
        """Return what a batch that stands still for its budget lacks, None where that cannot be told. Raises BatchNotFound."""
        tally = self._batches.tally(batch_id)
        if (tally.batch.state, tally.batch.pause_reason) != ("paused", "budget"):
            return None
        from script_editor.batch.shortage import shortage  # late: reading a tally needs none of it

        return shortage(
            tally,
            tally.batch.bounds,
            scripts=self._services().store,
            batches=self._batches,
            max_output_tokens=self._max_output_tokens,
            is_before=False,
        )

    def watch(self, batch_id: str, *, is_stopping: IsStopping) -> Iterator[Event]:
        """Yield what happens in a batch that others run, until it stands still or `is_stopping`; nothing is written.

        It stands still, too, where nobody has worked on it for a while: nothing would happen however long one looks.

        Ends with the last event that fits the batch; with none where `is_stopping` ended it.
        """
        return watched(
            self._batches,
            batch_id,
            is_stopping=is_stopping,
            look_seconds=self._look_seconds,
            as_seen=self._as_seen,
        )

    def results(self, batch_id: str) -> Results:
        """Return what became of the results of a batch: saved, taken back, warned of."""
        return self._batches.results(batch_id)

    def columns(self, batch_id: str) -> tuple[str, ...]:
        """Return the names of the columns that the rows of a plan have besides those that mean something, in order."""
        names: dict[str, None] = {}
        for item in each_item(self._batches, batch_id):
            names.update(dict.fromkeys(name for name, _ in item.job.columns))
        return tuple(names)

    def export(self, batch_id: str, *, states: Collection[ItemState] | None = None) -> "Iterator[ResultRow]":
        """Yield what became of every item, by number; see `results.as_csv` and `as_json_lines`."""
        from script_editor.batch.results import rows  # late: reading a tally needs none of it

        batch = self._batches.batch(batch_id)
        return rows(batch, each_item(self._batches, batch_id, states=states), self._services().store)

    def would_be_lost(self, batch_id: str, path: "Path", form: "Form") -> bool:
        """Say whether an export of a batch would write over something else; see `exporting.would_be_lost`."""
        from script_editor.batch.exporting import would_be_lost  # late: reading a tally needs none of it

        items = each_item(self._batches, batch_id)
        return would_be_lost(path, form, items, self.columns(batch_id))
