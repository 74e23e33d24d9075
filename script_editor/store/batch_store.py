"""Batches in the database of the scripts: each use case is one transaction on SQLite or PostgreSQL.

What people read and decide is written as safely as a version. What can be found out again, which item a worker
is at, its signs of life, the calls it makes, goes through a second engine that does not wait for the disk.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import sqlalchemy as sa

from script_editor.domain.batches import (
    Batch,
    BatchState,
    Bounds,
    Ending,
    Item,
    ItemState,
    Job,
    Permit,
    Recipe,
    Tally,
    Target,
    Wait,
    Worker,
)
from script_editor.domain.script import VersionInfo
from script_editor.store import versions
from script_editor.store.batches import endings, items, permits, plans, workers
from script_editor.store.engine import database_url, is_sqlite, open_engine, reading, writing
from script_editor.store.files import find_file
from script_editor.store.migrate import prepare

if TYPE_CHECKING:
    from script_editor.domain.batch_ports import BatchStore


BUSY_SECONDS = 30.0
"""How long a write waits for others: many workers share the one write lock of a SQLite file."""


def open_batches(path_or_url: str, *, workers: int = 0) -> "SqlBatchStore":
    """Open the batches of a store that is there; close it when done. `workers` is how many threads will use it.

    Raises:
        StoreUnusable: there is no store, or it cannot be reached or read.
        SchemaTooOld, SchemaTooNew: its tables are not those of this program; it was left untouched.
    """
    url = database_url(path_or_url)
    durable, fast = (
        open_engine(url, busy_seconds=BUSY_SECONDS, is_durable=is_durable, pool_size=max(5, workers))
        for is_durable in (True, False)
    )
    try:
        if is_sqlite(durable):
            find_file(Path(str(durable.url.database)), create=False)
        prepare(durable, create=False)
    except BaseException:
        durable.dispose()
        raise
    return SqlBatchStore(durable, fast=fast)


class SqlBatchStore:
    """A `BatchStore` (see `domain.batch_ports`, whose docstrings are the contract) over two engines for one database.

    It may be shared by threads. Used with `with`, it is closed at the end.
    """

    def __init__(self, engine: sa.Engine, *, fast: sa.Engine | None = None):
        """Take the engine of the store, and one that need not be durable; None uses the first for everything."""
        self._engine, self._fast = engine, fast or engine

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

    def create_batch(self, recipe: Recipe, jobs: Iterable[Job], *, target: Target, bounds: Bounds) -> Batch:
        """Store a plan with all its items."""
        with writing(self._engine) as session:
            return plans.create(session, recipe, jobs, target=target, bounds=bounds)

    def settled_keys(self, keys: Sequence[str]) -> frozenset[str]:
        """Return those of `keys` whose work was done before."""
        with reading(self._engine) as session:
            return plans.settled_keys(session, keys)

    def versions_of(self, script_ids: Sequence[str]) -> Mapping[str, VersionInfo]:
        """Return the head of each script without its text."""
        with reading(self._engine) as session:
            return versions.head_infos(session, script_ids)

    def batch(self, batch_id: str) -> Batch:
        """Return one batch."""
        with reading(self._engine) as session:
            return plans.value(plans.find(session, batch_id))

    def batches(self, *, limit: int | None = None) -> tuple[Tally, ...]:
        """Return all batches with their counts, newest first."""
        with reading(self._engine) as session:
            return plans.listed(session, limit=limit)

    def tally(self, batch_id: str) -> Tally:
        """Return where a batch stands."""
        with reading(self._engine) as session:
            return plans.tally(session, batch_id)

    def item(self, batch_id: str, seq: int) -> Item:
        """Return one item."""
        with reading(self._engine) as session:
            return items.read(session, batch_id, seq)

    def items(
        self,
        batch_id: str,
        *,
        states: Collection[ItemState] | None = None,
        after: int = 0,
        changed_since: datetime | None = None,
        limit: int | None = None,
    ) -> tuple[Item, ...]:
        """Return items by their number, or in the order of change."""
        with reading(self._engine) as session:
            return items.listed(
                session, batch_id, states=states, after=after, changed_since=changed_since, limit=limit
            )

    def set_state(self, batch_id: str, state: BatchState, *, reason: str = "") -> Batch:
        """Move a batch to `state`."""
        with writing(self._engine) as session:
            return plans.set_state(session, batch_id, state, reason=reason)

    def set_bounds(self, batch_id: str, *, target: Target, bounds: Bounds) -> Batch:
        """Let a batch take more or less, or save instead of propose."""
        with writing(self._engine) as session:
            return plans.set_bounds(session, batch_id, target=target, bounds=bounds)

    def reopen(self, batch_id: str, states: Collection[ItemState]) -> tuple[Item, ...]:
        """Queue items again, each with its next attempt."""
        with writing(self._engine) as session:
            return items.reopen(session, batch_id, states)

    def cancel_open(self, batch_id: str) -> int:
        """Make every item that is not over "cancelled"."""
        with writing(self._engine) as session:
            return items.cancel_open(session, batch_id)

    def requeue_cancelled(self, batch_id: str) -> None:
        """Queue cancelled items again, on the attempt they were in."""
        with writing(self._engine) as session:
            items.requeue_cancelled(session, batch_id)

    def begin_item(self, batch_id: str, seq: int, attempt: int, *, worker_id: str) -> Item:
        """Mark an item as "running" and return it."""
        with writing(self._fast) as session:
            return items.begin(session, batch_id, seq, attempt, worker_id=worker_id)

    def end_item(self, connection: object, batch_id: str, seq: int, attempt: int, ending: Ending) -> Item:
        """Write what an attempt came to, in the transaction of the engine's session."""
        with endings.joined(connection) as session:
            return endings.end(session, batch_id, seq, attempt, ending)

    def count_crash(
        self, batch_id: str, seq: int, *, worker_id: str, max_crashes: int, reason: str = ""
    ) -> Item:
        """Note that the worker that ran an item is gone."""
        with writing(self._engine) as session:
            return items.count_crash(
                session, batch_id, seq, worker_id=worker_id, max_crashes=max_crashes, reason=reason
            )

    def register_worker(self, worker_id: str, *, host: str, pid: int) -> None:
        """Note that a worker has begun."""
        with writing(self._fast) as session:
            workers.register(session, worker_id, host=host, pid=pid)

    def beat(self, worker_id: str) -> None:
        """Note a sign of life."""
        with writing(self._fast) as session:
            workers.beat(session, worker_id)

    def forget_worker(self, worker_id: str) -> None:
        """Note that a worker has ended in order."""
        with writing(self._fast) as session:
            workers.forget(session, worker_id)

    def workers(self, *, silent_seconds: float) -> tuple[Worker, ...]:
        """Return the workers that gave a sign of life within that time."""
        with reading(self._fast) as session:
            return workers.listed(session, silent_seconds=silent_seconds)

    def take_permit(
        self, batch_id: str, seq: int, *, service: str, worker_id: str, tokens: int, cost: float
    ) -> Permit | Wait:
        """Ask for one model call."""
        # Many wait for a permit and ask again and again: they take no lock until there may be one.
        with reading(self._fast) as session:
            seen = permits.look(session, batch_id, service=service, tokens=tokens, cost=cost)
        if not isinstance(seen, permits.Seen):
            return seen
        with writing(self._fast) as session:
            return permits.take(
                session, batch_id, seq, seen, service=service, worker_id=worker_id, tokens=tokens, cost=cost
            )

    def settle_permit(self, permit_id: str, *, tokens: int | None, cost: float | None) -> None:
        """Put what a call really took in the place of the estimate."""
        if permit_id == permits.UNCOUNTED:
            return
        with writing(self._fast) as session:
            permits.settle(session, permit_id, tokens=tokens, cost=cost)

    def release_permits(self, worker_id: str) -> None:
        """Count the calls that a lost worker was making as spent."""
        with writing(self._fast) as session:
            permits.release(session, worker_id)

    def hold_off(self, service: str, seconds: float) -> None:
        """Let nobody call `service` for so long."""
        with writing(self._fast) as session:
            permits.hold_off(session, service, seconds)


if TYPE_CHECKING:
    _fulfils: type[BatchStore] = SqlBatchStore
