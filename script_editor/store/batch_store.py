"""Batches in the database of the scripts: each use case is one transaction on SQLite or PostgreSQL.

What people read and decide is written as safely as a version. What can be found out again, which item a worker
is at, its signs of life, the calls it makes, goes through a second engine that does not wait for the disk.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import sqlalchemy as sa

from script_editor.domain.batches import (
    Base,
    Batch,
    BatchState,
    Bounds,
    Change,
    Done,
    Ending,
    Item,
    ItemState,
    Job,
    Limits,
    Permit,
    Recipe,
    Results,
    Takeable,
    Tally,
    Target,
    Wait,
    Worker,
)
from script_editor.store.batches import (
    buckets,
    done,
    endings,
    items,
    moving,
    permits,
    plans,
    standing,
    takings,
    workers,
)
from script_editor.store.engine import database_url, is_sqlite, open_engine, writing
from script_editor.store.files import find_file
from script_editor.store.migrate import prepare
from script_editor.store.patience import Patience, end_idle_transactions
from script_editor.store.repeating import read, written

if TYPE_CHECKING:
    from script_editor.domain.batch_ports import BatchStore


BUSY_SECONDS = 30.0
"""How long a write waits for others: many workers share the one write lock of a SQLite file."""


def open_batches(
    path_or_url: str, *, workers: int = 0, busy_seconds: float = BUSY_SECONDS
) -> "SqlBatchStore":
    """Open the batches of a store that is there; close it when done. `workers` is how many threads will use it.

    Raises:
        StoreUnusable: there is no store, or it cannot be reached or read.
        SchemaTooOld, SchemaTooNew: its tables are not those of this program; it was left untouched.
    """
    url = database_url(path_or_url)
    patience = Patience(busy_seconds)
    durable, fast = (
        open_engine(url, is_durable=is_durable, pool_size=max(5, workers), patience=patience)
        for is_durable in (True, False)
    )
    for engine in (durable, fast):
        patience.hold_to(engine)
        end_idle_transactions(engine)
    try:
        if is_sqlite(durable):
            find_file(Path(str(durable.url.database)), create=False)
        prepare(durable, create=False)
    except BaseException:
        durable.dispose()
        raise
    return SqlBatchStore(durable, fast=fast, patience=patience)


class SqlBatchStore:
    """A `BatchStore` (see `domain.batch_ports`, whose docstrings are the contract) over two engines for one database.

    It may be shared by threads. Used with `with`, it is closed at the end.
    """

    def __init__(self, engine: sa.Engine, *, fast: sa.Engine | None = None, patience: Patience | None = None):
        """Take the engine of the store, and one that need not be durable; None uses the first for everything.

        `patience` is what both are held to, None where nothing shortens their waits.
        """
        self._engine, self._fast, self._patience = engine, fast or engine, patience

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. The store can still be used: it opens new ones."""
        self._engine.dispose()
        self._fast.dispose()

    def hurry(self, *, is_leaving: bool) -> None:
        """Wait for locks only shortly from now on, or as long as before."""
        if self._patience is not None:
            self._patience.hurry(is_leaving=is_leaving)

    def create_batch(self, recipe: Recipe, jobs: Iterable[Job], *, target: Target, bounds: Bounds) -> Batch:
        """Store a plan with all its items."""
        with writing(self._engine) as session:  # not done again: the jobs may be used up
            return plans.create(session, recipe, jobs, target=target, bounds=bounds)

    def done_before(self, keys: Sequence[str]) -> Mapping[str, Done]:
        """Return those of `keys` whose work was done before and still is."""
        return read(self._engine, done.before, keys)

    def bases(self, script_ids: Sequence[str]) -> Mapping[str, Base]:
        """Return the head of each script, to plan on."""
        return read(self._engine, plans.bases, script_ids)

    def batch(self, batch_id: str) -> Batch:
        """Return one batch."""
        return read(self._engine, lambda session: plans.value(plans.find(session, batch_id)))

    def batches(
        self, *, states: Collection[BatchState] | None = None, limit: int | None = None
    ) -> tuple[Tally, ...]:
        """Return batches with their counts, newest first."""
        return read(self._engine, plans.listed, states=states, limit=limit)

    def tally(self, batch_id: str) -> Tally:
        """Return where a batch stands."""
        return read(self._engine, plans.tally, batch_id)

    def takeable(self, batch_id: str) -> Takeable:
        """Return what can still be done with the results of a batch."""
        return read(self._engine, takings.takeable, batch_id)

    def results(self, batch_id: str) -> Results:
        """Return what became of the results of a batch."""
        return read(self._engine, standing.results, batch_id)

    def is_taken_back(self, batch_id: str, seq: int) -> bool:
        """Return whether an item made a version whose change no longer stands."""
        return read(self._engine, standing.is_taken_back, batch_id, seq)

    def item(self, batch_id: str, seq: int) -> Item:
        """Return one item."""
        return read(self._engine, items.read, batch_id, seq)

    def items(
        self,
        batch_id: str,
        *,
        states: Collection[ItemState] | None = None,
        after: int = 0,
        seqs: Collection[int] | None = None,
        limit: int | None = None,
    ) -> tuple[Item, ...]:
        """Return items by their number."""
        return read(self._engine, items.listed, batch_id, states=states, after=after, seqs=seqs, limit=limit)

    def changes(self, batch_id: str, *, states: Collection[ItemState], since: datetime) -> tuple[Change, ...]:
        """Return which items changed, in the order of change."""
        return read(self._engine, items.changes, batch_id, states=states, since=since)

    def set_state(
        self,
        batch_id: str,
        state: BatchState,
        *,
        reason: str = "",
        unless: Collection[BatchState] = (),
        unchanged_since: datetime | None = None,
    ) -> Batch:
        """Move a batch to `state`."""
        return written(
            self._engine,
            plans.set_state,
            batch_id,
            state,
            reason=reason,
            unless=unless,
            unchanged_since=unchanged_since,
        )

    def take_up(
        self,
        batch_id: str,
        *,
        terms: Callable[[Batch], tuple[Target, Bounds]],
        retried: Collection[ItemState] = (),
        with_cancelled: bool = False,
        unless: Collection[BatchState] = (),
    ) -> Batch:
        """Let a batch run, with items queued again."""
        return written(
            self._engine,
            moving.take_up,
            batch_id,
            terms=terms,
            retried=retried,
            with_cancelled=with_cancelled,
            unless=unless,
        )

    def put_back(self, batch_id: str, seq: int, *, worker_id: str, is_stray: bool = False) -> bool:
        """Queue an item again that its worker gave up because its batch is paused, or that was taken away from it."""
        return written(self._fast, items.put_back, batch_id, seq, worker_id=worker_id, is_stray=is_stray)

    def overtake(self, batch_id: str, seq: int, *, error: str, hint: str) -> Item:
        """Make an item whose script moved after its proposal a "conflict"."""
        return written(self._engine, takings.overtake, batch_id, seq, error=error, hint=hint)

    def cancel_open(self, batch_id: str, *, unless: Collection[BatchState] = ()) -> int:
        """Make every item that is not over "cancelled"."""
        return written(self._engine, moving.cancel_open, batch_id, unless=unless)

    def begin_item(
        self, batch_id: str, seq: int, attempt: int, *, worker_id: str, instead_of: str | None = None
    ) -> Item:
        """Mark an item as "running" and return it."""
        return written(
            self._fast, items.begin, batch_id, seq, attempt, worker_id=worker_id, instead_of=instead_of
        )

    def end_item(self, connection: object, batch_id: str, seq: int, attempt: int, ending: Ending) -> Item:
        """Write what an attempt came to, in the transaction of the engine's session."""
        with endings.joined(connection) as session:
            return endings.end(session, batch_id, seq, attempt, ending)

    def count_crash(
        self, batch_id: str, seq: int, *, worker_id: str, max_crashes: int, reason: str = ""
    ) -> Item:
        """Note that the worker that ran an item is gone."""
        return written(
            self._engine,
            items.count_crash,
            batch_id,
            seq,
            worker_id=worker_id,
            max_crashes=max_crashes,
            reason=reason,
        )

    def take_over(
        self,
        batch_id: str,
        seq: int,
        *,
        worker_id: str,
        by: str,
        alive: Collection[str],
        max_crashes: int,
    ) -> Item | None:
        """Let one worker take over an item of one that is gone."""
        return written(
            self._engine,
            items.take_over,
            batch_id,
            seq,
            worker_id=worker_id,
            by=by,
            alive=alive,
            max_crashes=max_crashes,
        )

    def register_worker(self, worker_id: str, *, host: str, pid: int) -> None:
        """Note that a worker has begun."""
        written(self._fast, workers.register, worker_id, host=host, pid=pid)

    def beat(self, worker_id: str) -> bool:
        """Note a sign of life; False for a worker that is not known any more."""
        return written(self._fast, workers.beat, worker_id)

    def forget_worker(self, worker_id: str) -> None:
        """Note that a worker has ended in order."""
        written(self._fast, workers.forget, worker_id)

    def workers(self, *, silent_seconds: float) -> tuple[Worker, ...]:
        """Return the workers that gave a sign of life within that time."""
        return read(self._fast, workers.listed, silent_seconds=silent_seconds)

    def lost_workers(self, *, silent_seconds: float) -> frozenset[str]:
        """Return what is left of workers that gave no sign of life within that time."""
        return read(self._fast, workers.lost, silent_seconds=silent_seconds)

    def forget_lost(self, worker_id: str) -> None:
        """Note that a worker is gone for good, and count the calls that it was making as spent."""
        written(self._fast, workers.forget_lost, worker_id)

    def take_permit(
        self, batch_id: str, seq: int, *, service: str, worker_id: str, tokens: int, cost: float
    ) -> Permit | Wait:
        """Ask for one model call."""
        # Many wait for a permit and ask again and again: they take no lock until there may be one.
        seen = read(self._fast, permits.look, batch_id, service=service, tokens=tokens, cost=cost)
        if not isinstance(seen, buckets.Seen):
            return seen
        return written(
            self._fast,
            permits.take,
            batch_id,
            seq,
            seen,
            worker_id=worker_id,
            tokens=tokens,
            cost=cost,
        )

    def limits(self, batch_id: str, *, service: str) -> Limits:
        """Return how often a batch may call a service at present."""
        return read(self._fast, buckets.look, batch_id, service).limits

    def settle_permit(self, permit_id: str, *, tokens: int | None, cost: float | None) -> None:
        """Put what a call really took in the place of the estimate."""
        written(self._fast, permits.settle, permit_id, tokens=tokens, cost=cost)

    def hold_off(self, service: str, seconds: float) -> None:
        """Let nobody call `service` for so long."""
        written(self._fast, buckets.hold_off, service, seconds)


if TYPE_CHECKING:
    _fulfils: type[BatchStore] = SqlBatchStore
