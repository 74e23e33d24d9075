"""A process with the durable engine alone, over a table in which a second row would show."""

import os
import signal
from multiprocessing.connection import Connection
from typing import Any

import sqlalchemy as sa

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import Interrupted, ItemRef, Steps
from script_editor.store.durable import DurableDatabases, durable_databases

REF = ItemRef("b-1", 1, 1)


def toy(url: str, pipe: Connection, takes_from: str | None, dies: bool, tells: bool) -> None:
    """Run one item, after taking it from another process if one is named.

    Tells its own id, then "call" within its only call, "before" when it comes to the last transaction, for which it
    waits to be told, and "done" or "interrupted". With `dies` it kills itself once its result is committed, and with
    `tells` it says besides, once it has tried to take the item, whose that is.
    """
    databases = durable_databases(url, workers=1)
    if dies:
        _die_after_the_commit(databases)
    engine = DbosEngine(databases, queue="edits-test")

    def workflow(_ref: ItemRef, steps: Steps) -> None:
        try:
            steps.step("model", lambda: pipe.send("call"))
            pipe.send("before")
            pipe.recv()
            steps.commit("end", _insert)
        except Interrupted:
            pipe.send("interrupted")
            raise
        pipe.send("done")

    engine.start(workflow, workers=1)
    pipe.send(engine.worker_id)
    engine.submit([REF])
    if takes_from is not None:
        engine.take_over([REF], worker_id=takes_from)
    if tells:
        pipe.send(", ".join(owner for _ref, owner in engine.claimed()) or "nobody")
    signal.pause()


def _insert(session: Any) -> None:
    session.execute(sa.text("INSERT INTO result VALUES ('made')"))


def _die_after_the_commit(databases: DurableDatabases) -> None:
    @sa.event.listens_for(databases.system, "before_cursor_execute")
    def look(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if "INSERT INTO" in statement and "operation_outputs" in statement and "'end'" in repr(parameters):
            os.kill(os.getpid(), signal.SIGKILL)
