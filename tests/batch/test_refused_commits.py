"""The last transaction of an item that the database refuses at its very end, as on a disk that is full for a while."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from script_editor.store.durable import DurableDatabases, durable_databases
from script_editor.store.engine import is_sqlite
from tests.batch.test_dbos_engine import HANG_SECONDS, REF, Recorder, results, running, wait_until


@pytest.fixture
def databases(store_url: str) -> Iterator[DurableDatabases]:
    """The databases of an engine; a result for which no row stands in `room` is refused when it is committed."""
    made = durable_databases(store_url, workers=2)
    with made.store.begin() as connection:
        connection.execute(sa.text("CREATE TABLE room (name VARCHAR(40) PRIMARY KEY)"))
        refers = "REFERENCES room (name) DEFERRABLE INITIALLY DEFERRED"
        connection.execute(sa.text(f"CREATE TABLE result (name VARCHAR(40) {refers})"))
    yield made
    made.close()


def test_a_commit_that_was_refused_is_not_the_result_for_all_times(databases: DurableDatabases) -> None:
    recorder = Recorder()

    with running(databases, recorder) as engine:
        engine.submit([REF])
        wait_until(engine.left)
        assert dict(engine.left()) == {REF: True}
        assert results(databases) == []
        make_room(databases)
        engine.give_back([REF])
        assert recorder.ended.wait(HANG_SECONDS)

    assert recorder.done == ["call 0", "call 1", "call 2", "end", "end"]
    assert results(databases) == ["call 2"]


def test_another_process_makes_the_commit_that_was_refused_to_the_first(databases: DurableDatabases) -> None:
    first, second = Recorder(), Recorder()

    with running(databases, first) as engine:
        engine.submit([REF])
        wait_until(engine.left)
    make_room(databases)
    with running(databases, second) as engine:
        engine.resume([REF])
        second.wait()

    assert (first.done[-1], second.done) == ("end", ["end"])
    assert results(databases) == ["call 2"]


def test_a_refusal_that_stayed_in_the_records_is_not_believed_by_another_process(
    databases: DurableDatabases,
) -> None:
    """As when the disk was so full that it could not be deleted any more."""
    first, second = Recorder(), Recorder()

    with running(databases, first) as engine, undeletable_records(databases):
        engine.submit([REF])
        wait_until(engine.left)
    make_room(databases)
    with running(databases, second) as engine:
        engine.resume([REF])
        wait_until(lambda: engine.left() or second.ended.is_set())
        engine.give_back([*engine.left()])
        second.wait()

    assert second.done == ["end"]
    assert results(databases) == ["call 2"]


def make_room(databases: DurableDatabases) -> None:
    with databases.store.begin() as connection:
        connection.execute(sa.text("INSERT INTO room VALUES ('call 2')"))


@contextmanager
def undeletable_records(databases: DurableDatabases) -> Iterator[None]:
    """Keep the records of transactions from being deleted."""
    if is_sqlite(databases.store):
        kept = "CREATE TRIGGER kept BEFORE DELETE ON datasource_outputs BEGIN SELECT RAISE(IGNORE); END"
        free = "DROP TRIGGER kept"
    else:
        kept = "CREATE RULE kept AS ON DELETE TO dbos.datasource_outputs DO INSTEAD NOTHING"
        free = "DROP RULE kept ON dbos.datasource_outputs"
    with databases.store.begin() as connection:
        connection.execute(sa.text(kept))
    yield
    with databases.store.begin() as connection:
        connection.execute(sa.text(free))
