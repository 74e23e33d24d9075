"""On a server, a process that stands still inside a transaction lets go of what it locked, and then goes on."""

import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

import pytest
import sqlalchemy as sa

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import ItemRef, Steps
from script_editor.store.durable import durable_databases
from tests.batch.working.test_fencing import HANG_SECONDS, said
from tests.store.support import raw

REF = ItemRef("b-1", 1, 1)
IDLE_SECONDS = 1.0

_forked = multiprocessing.get_context("forkserver")


def stander(url: str, pipe: Connection) -> None:
    """Run one item that locks a row in its last transaction, tells so, and goes on when it is told to.

    Tells "locked" each time it has the row, and "done", or what was in the way.
    """
    databases = durable_databases(url, workers=1, idle_seconds=IDLE_SECONDS)
    engine = DbosEngine(databases, queue="edits-test")

    def end(session: Any) -> None:
        session.execute(sa.text("UPDATE place SET held = held + 1"))
        pipe.send("locked")
        pipe.recv()
        session.execute(sa.text("INSERT INTO result VALUES ('made')"))

    def workflow(_ref: ItemRef, steps: Steps) -> None:
        steps.commit("end", end)
        pipe.send("done")

    engine.start(workflow, workers=1)
    engine.submit([REF])
    while not engine.left():
        time.sleep(0.02)
    pipe.send(f"left: {engine.trouble}")
    signal.pause()


@pytest.fixture
def standing(postgres_url: str) -> Iterator[tuple[BaseProcess, Connection]]:
    with raw(postgres_url) as connection:
        connection.execute(sa.text("CREATE TABLE place (held INTEGER)"))
        connection.execute(sa.text("INSERT INTO place VALUES (0)"))
        connection.execute(sa.text("CREATE TABLE result (name VARCHAR(40))"))
        connection.commit()
    pipe, other = _forked.Pipe()
    process = _forked.Process(target=stander, args=(postgres_url, other), daemon=True)
    process.start()
    other.close()
    yield process, pipe
    process.kill()
    process.join(HANG_SECONDS)


def test_a_stopped_process_lets_go_of_its_locks_and_does_its_work_once_it_goes_on(
    postgres_url: str, standing: tuple[BaseProcess, Connection]
) -> None:
    process, pipe = standing
    assert process.pid is not None
    assert said(pipe) == "locked"
    os.kill(process.pid, signal.SIGSTOP)

    with raw(postgres_url) as connection:
        connection.execute(sa.text(f"SET lock_timeout = {round(HANG_SECONDS * 1000)}"))
        connection.execute(sa.text("UPDATE place SET held = held + 100"))
        connection.commit()

    os.kill(process.pid, signal.SIGCONT)
    pipe.send("go on")  # into a transaction that is no more
    assert said(pipe) == "locked"  # so all of it is done again
    pipe.send("go on")
    assert said(pipe) == "done"
    with raw(postgres_url) as connection:
        held = connection.execute(sa.text("SELECT held FROM place")).scalar_one()
        made = connection.execute(sa.text("SELECT count(*) FROM result")).scalar_one()
    assert (held, made) == (101, 1)
