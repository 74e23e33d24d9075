"""What the store's tests share: a person, raw SQL, and many processes at one moment."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Any

import sqlalchemy as sa
from sqlalchemy import orm

from script_editor.domain.batches import Ending, Item
from script_editor.domain.script import Provenance
from script_editor.store.batch_store import SqlBatchStore
from script_editor.store.engine import open_engine

ALICE = Provenance(author="alice")
PATIENCE_SECONDS = 60

_spawn = multiprocessing.get_context("spawn")


@contextmanager
def raw(url: str) -> Iterator[sa.Connection]:
    """Yield a plain connection, for what no door of the store can show or do; committed at the end."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        yield connection


@contextmanager
def engine_of(url: str) -> Iterator[sa.Engine]:
    """Yield an engine of the store's own making; closed at the end."""
    engine = open_engine(url)
    try:
        yield engine
    finally:
        engine.dispose()


class OpenBatches(SqlBatchStore):
    """Batches with their `engine`, for the transactions in which items end: in the program a durable one makes them."""

    def __init__(self, engine: sa.Engine):
        super().__init__(engine)
        self.engine = engine

    def end(self, batch_id: str, seq: int, attempt: int, ending: Ending) -> Item:
        """Write what an attempt came to, in a transaction of its own."""
        with orm.Session(self.engine) as session, session.begin():
            return self.end_item(session, batch_id, seq, attempt, ending)


def allow_changes(connection: sa.Connection) -> None:
    """Drop what protects versions, as someone would who edits the database by hand."""
    for name in ("trg_version_no_update", "trg_version_no_delete"):
        on_table = "" if connection.dialect.name == "sqlite" else " ON version"
        connection.execute(sa.text(f"DROP TRIGGER {name}{on_table}"))


def together(count: int, work: Callable[..., str], *arguments: Any) -> list[str]:
    """Return what `work(*arguments, barrier)` returns in each of `count` processes, sorted."""
    barrier = _spawn.Barrier(count, timeout=PATIENCE_SECONDS)
    pipes, processes = [], []
    for _ in range(count):
        receiver, sender = _spawn.Pipe(duplex=False)
        process = _spawn.Process(target=_report, args=(sender, work, arguments, barrier))
        process.start()
        sender.close()
        pipes.append(receiver)
        processes.append(process)
    results = [pipe.recv() for pipe in pipes]
    for process in processes:
        process.join(PATIENCE_SECONDS)
    return sorted(results)


def _report(
    sender: Connection, work: Callable[..., str], arguments: tuple[Any, ...], barrier: Barrier
) -> None:
    try:
        sender.send(work(*arguments, barrier))
    except BaseException as error:
        sender.send(f"{type(error).__name__}: {error}")
        raise
