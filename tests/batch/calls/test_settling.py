"""An answer that was paid for is kept, whatever goes wrong with counting it."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from script_editor.batch.calls.calling import Caller
from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.working.worker import BatchWorker
from script_editor.errors import KeyRefused, StoreLocked
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.store.batch_store import open_batches
from script_editor.store.durable import durable_databases
from tests.batch.calls.test_calling import PRICES, SENT, Desk, Open
from tests.batch.calls.test_calling import desk as desk
from tests.support.openai_server import Behaviour, Exchange, completion, status

BUSY_SECONDS = 0.2


@contextmanager
def write_lock(url: str) -> Iterator[sqlite3.Connection]:
    """Yield a connection that can take and let go of the write lock of a store, from any thread."""
    path = url.removeprefix("sqlite:///")
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        yield connection
    finally:
        connection.close()


def answering_under(lock: sqlite3.Connection) -> Behaviour:
    """Return an answer before which the store is locked: it is there, and cannot be counted."""

    def behave(exchange: Exchange) -> None:
        lock.execute("BEGIN IMMEDIATE")
        completion("好", usage=(11, 2))(exchange)

    return behave


def caller_of(here: Desk) -> Caller:
    model = OpenAIChat("m", api_key="sk-0123456789", base_url=here.server.base_url, max_retries=0)
    return Caller(
        model=model,
        batches=here.batches,
        service="here",
        worker_id="one",
        max_output_tokens=6,
        jitter=lambda: 1.0,
    )


@pytest.fixture
def store_url(sqlite_url: str) -> str:
    """The write lock of a file is the one that everybody waits for."""
    return sqlite_url


def test_a_reply_is_kept_though_it_cannot_be_counted_and_is_counted_later(desk: Open, store_url: str) -> None:
    with write_lock(store_url) as lock, open_batches(store_url, busy_seconds=BUSY_SECONDS) as hasty:
        begun = desk([answering_under(lock), completion("再来", usage=(5, 1))], PRICES)
        here = Desk(store_url, hasty, begun.batch, begun.server)
        caller = caller_of(here)

        reply = here.ask(caller)

        assert reply.text == "好"
        assert here.money() == (0.0, SENT + 6.0)  # it counts with the most that it may have taken
        with pytest.raises(StoreLocked):
            caller.settling.catch_up()
        lock.execute("ROLLBACK")
        assert here.ask(caller, 2).text == "再来"
        assert here.money() == (13.0 + 6.0, 0.0)


def test_a_refusal_is_told_as_it_is_though_it_cannot_be_counted(desk: Open, store_url: str) -> None:
    with write_lock(store_url) as lock, open_batches(store_url, busy_seconds=BUSY_SECONDS) as hasty:

        def refuse(exchange: Exchange) -> None:
            lock.execute("BEGIN IMMEDIATE")
            status(403, "not this text")(exchange)

        begun = desk([refuse], PRICES)
        here = Desk(store_url, hasty, begun.batch, begun.server)
        caller = caller_of(here)

        with pytest.raises(KeyRefused):
            here.ask(caller)
        lock.execute("ROLLBACK")
        caller.settling.catch_up()

        assert here.money() == (0.0, 0.0)


def test_a_worker_counts_what_is_open_before_it_leaves(store_url: str, desk: Open) -> None:
    """Else everything would be counted with what it was reckoned with when the worker is forgotten."""
    databases = durable_databases(store_url, workers=1)
    engine = DbosEngine(databases, queue="edits-test", worker_id="one")
    with write_lock(store_url) as lock, open_batches(store_url, busy_seconds=BUSY_SECONDS) as hasty:
        begun = desk([answering_under(lock)], PRICES)
        here = Desk(store_url, hasty, begun.batch, begun.server)
        caller = caller_of(here)
        worker = BatchWorker(engine, hasty, look_seconds=3600, chore=caller.settling.catch_up)
        worker.start(lambda _ref, _steps: None, workers=1)
        here.ask(caller)
        lock.execute("ROLLBACK")

        worker.close()

        assert here.money() == (13.0, 0.0)
    databases.close()
