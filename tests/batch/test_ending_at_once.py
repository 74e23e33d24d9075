"""The last transaction of an item on SQLite: it has the write lock from its first moment, so it never fails in the
middle because somebody else wrote."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from script_editor.batch.progress import BatchEnded
from script_editor.store.durable import DurableDatabases, durable_databases
from script_editor.store.sql import open_store
from tests.batch.service_desk import HANG_SECONDS, Desk
from tests.batch.test_service import last

ITEMS = 40


@pytest.fixture
def databases(sqlite_url: str) -> Iterator[DurableDatabases]:
    with open_store(sqlite_url, create=False), closing(durable_databases(sqlite_url, workers=2)) as opened:
        yield opened


def test_the_last_transaction_has_the_write_lock_before_its_first_statement(
    databases: DurableDatabases,
) -> None:
    path = Path(str(databases.store.url.database))
    with closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as another:
        # As the engine begins it, twice: the second has a connection that was used before.
        for _ in range(2):
            with databases.sessions(bind=databases.store) as session, session.begin():
                session.connection(execution_options={"isolation_level": databases.isolation})

                with pytest.raises(sqlite3.OperationalError, match="locked"):
                    another.execute("BEGIN IMMEDIATE")

            another.execute("BEGIN IMMEDIATE")
            another.execute("ROLLBACK")


def test_what_the_engine_only_reads_takes_no_lock(databases: DurableDatabases) -> None:
    path = Path(str(databases.store.url.database))
    with (
        closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as another,
        databases.store.begin() as connection,
    ):
        assert connection.execute(sa.text("SELECT count(*) FROM batch_item")).scalar_one() == 0

        another.execute("BEGIN IMMEDIATE")
        another.execute("ROLLBACK")


def test_two_processes_end_their_items_at_once_and_each_item_ends_once(sqlite_url: str) -> None:
    """Offline items take no time but that of their last transaction, so the processes are at it all the time."""
    with closing(Desk(sqlite_url)) as desk:
        batch_id = desk.plan(desk.fill(ITEMS), target="apply")

        with desk.elsewhere("run", batch_id) as other:
            events = desk.run(batch_id)
            said, _ = other.communicate(timeout=HANG_SECONDS)

        assert (type(last(events)), said.split()[-1]) == (BatchEnded, "BatchEnded")
        assert desk.states(batch_id) == {"done": ITEMS}
        assert [desk.app.scripts.read(f"v{number}").number for number in range(1, ITEMS + 1)] == [2] * ITEMS
