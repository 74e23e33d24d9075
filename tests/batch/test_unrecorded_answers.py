"""What is paid for and cannot be noted at that moment: the process keeps it, and asks for it no second time."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa

from script_editor.store.durable import DurableDatabases
from tests.batch.test_dbos_engine import REF, Recorder, results, running, wait_until
from tests.batch.test_dbos_engine import databases as databases

_REFUSING = {
    "sqlite": [
        "CREATE TRIGGER refuse BEFORE INSERT ON operation_outputs "
        "BEGIN SELECT RAISE(ABORT, 'the disk does not answer'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'the disk does not answer' "
        "USING ERRCODE = 'io_error'; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER refuse BEFORE INSERT ON dbos.operation_outputs FOR EACH ROW EXECUTE FUNCTION refuse()",
    ],
}
_TAKING_AGAIN = {
    "sqlite": ["DROP TRIGGER refuse"],
    "postgresql": ["DROP TRIGGER refuse ON dbos.operation_outputs", "DROP FUNCTION refuse()"],
}


@contextmanager
def refusing(databases: DurableDatabases) -> Iterator[None]:
    """Let the database of the engine's records refuse each step, as a disk does that is full or does not answer."""
    for statements in (_REFUSING, _TAKING_AGAIN):
        with databases.system.begin() as connection:
            for statement in statements[databases.system.dialect.name]:
                connection.execute(sa.text(statement))
        if statements is _REFUSING:
            yield


def test_an_answer_that_cannot_be_noted_for_a_while_is_asked_for_once(databases: DurableDatabases) -> None:
    recorder = Recorder()

    with running(databases, recorder) as engine:
        with refusing(databases):
            engine.submit([REF])
            for _ in range(3):
                wait_until(engine.left)
                kept = list(recorder.done)
                engine.give_back([REF])
            wait_until(engine.left)
        engine.give_back([REF])
        recorder.wait()

    assert "the disk does not answer" in engine.trouble
    assert kept == ["call 0"]
    assert recorder.done == ["call 0", "call 1", "call 2", "end"]
    assert results(databases) == ["call 2"]


def test_an_item_that_is_begun_anew_is_not_given_an_answer_of_before(databases: DurableDatabases) -> None:
    recorder = Recorder()

    with running(databases, recorder) as engine:
        with refusing(databases):
            engine.submit([REF])
            wait_until(engine.left)
        engine.forget([REF])
        engine.submit([REF])
        recorder.wait()

    assert recorder.done == ["call 0", "call 0", "call 1", "call 2", "end"]
