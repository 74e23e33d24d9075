"""The last transaction of an item where the database undoes it for the sake of another: it is made again."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import ItemRef, Steps
from script_editor.store.durable import DurableDatabases, durable_databases
from tests.batch.test_dbos_engine import HANG_SECONDS, Recorder, results, wait_until

REF = ItemRef("b-1", 1, 1)


@pytest.fixture
def databases(postgres_url: str) -> Iterator[DurableDatabases]:
    made = durable_databases(postgres_url, workers=2)
    with made.store.begin() as connection:
        connection.execute(sa.text("CREATE TABLE result (name VARCHAR(40))"))
    yield made
    made.close()


@contextmanager
def running(databases: DurableDatabases, workflow: Any) -> Iterator[DbosEngine]:
    engine = DbosEngine(databases, queue="edits-test")
    engine.start(workflow, workers=2)
    try:
        yield engine
    finally:
        engine.close()


class Undone(Recorder):
    """A recorder whose last transaction is undone by the server some times, with this code."""

    def __init__(self, code: str, times: int):
        super().__init__()
        self._code, self._times = code, times
        self.tries = 0

    def _end(self, session: Any, said: list[Any]) -> Any:
        self.tries += 1
        if self.tries <= self._times:
            raised = f"DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '{self._code}'; END $$"
            session.execute(sa.text(raised))
        return super()._end(session, said)


@pytest.mark.parametrize("code", ["40P01", "40001"], ids=["a deadlock", "no place in a line"])
def test_a_transaction_that_was_undone_for_another_is_made_again(
    databases: DurableDatabases, code: str
) -> None:
    recorder = Undone(code, times=2)

    with running(databases, recorder) as engine:
        engine.submit([REF])
        recorder.wait()

        assert not engine.left()
        assert engine.trouble == ""
    assert recorder.tries == 3
    assert recorder.done == ["call 0", "call 1", "call 2", "end"]
    assert results(databases) == ["call 2"]


def test_one_that_never_gets_its_turn_gives_the_item_up_and_nothing_is_held_against_it(
    databases: DurableDatabases,
) -> None:
    recorder = Undone("40P01", times=1_000)

    with running(databases, recorder) as engine:
        engine.submit([REF])
        wait_until(engine.left)
        left = dict(engine.left())

    assert left == {REF: False}
    assert 2 < recorder.tries < 1_000
    assert results(databases) == []


def test_an_error_of_the_database_that_speaks_against_the_work_is_not_repeated(
    databases: DurableDatabases,
) -> None:
    """And it is not recorded as the result of the step either: that would be so for all times."""
    recorder = Undone("23505", times=1)

    with running(databases, recorder) as engine:
        engine.submit([REF])
        wait_until(engine.left)
        assert (recorder.tries, dict(engine.left())) == (1, {REF: True})
        assert "refused a write" in engine.trouble
        engine.give_back([REF])
        assert recorder.ended.wait(HANG_SECONDS)

    assert results(databases) == ["call 2"]


def test_a_step_is_done_once_however_often_the_last_transaction_is(databases: DurableDatabases) -> None:
    calls: list[str] = []
    recorder = Undone("40P01", times=1)

    def workflow(ref: ItemRef, steps: Steps) -> None:
        steps.step("paid", lambda: calls.append("paid"))
        recorder(ref, steps)

    with running(databases, workflow) as engine:
        engine.submit([REF])
        recorder.wait()

    assert calls == ["paid"]
