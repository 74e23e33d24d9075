"""What a process does that works on batches as `batch run` does, for tests that kill it."""

import os
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from script_editor.app.rewriter import LlmRewriter
from script_editor.batch.calling import Caller
from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import ItemRef
from script_editor.batch.worker import BatchWorker, is_alone, leave_at_once
from script_editor.batch.workflow import ItemWorkflow
from script_editor.llm.chat import ChatModel, Message, Reply
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.durable import DurableDatabases, durable_databases
from script_editor.store.sql import SqlScriptStore, open_store


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What the program is to do.

    `die_at` is a moment at which it kills itself, once for each file `die_once`: "reply" (a call was answered and not
    noted), "committed" (the result is in the store, and not in the engine's records), "noted" (in both). `poison` is
    a script whose every call ends the process.
    """

    url: str
    base_url: str
    batch_id: str
    workers: int = 4
    beat_seconds: float = 0.2
    silent_seconds: float = 3.0
    look_seconds: float = 0.3
    drain_seconds: float = 30.0
    die_at: str = ""
    die_once: str = ""
    poison: str = ""
    submits: bool = True


class Endangered:
    """A ChatModel whose calls may end the process."""

    def __init__(self, model: ChatModel, orders: Orders):
        self._model, self._orders = model, orders

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def features(self) -> Any:
        return self._model.features  # type: ignore[attr-defined]

    def complete(self, messages: Sequence[Message], **how: Any) -> Reply:
        if self._orders.poison and any(self._orders.poison in message.content for message in messages):
            os._exit(1)
        reply = self._model.complete(messages, **how)
        if self._orders.die_at == "reply":
            die_once(self._orders)
        return reply


def die_once(orders: Orders) -> None:
    """Kill this process, unless it or another did so before."""
    with suppress(FileExistsError):
        Path(orders.die_once).touch(exist_ok=False)
        os.kill(os.getpid(), signal.SIGKILL)


def watch_records(databases: DurableDatabases, orders: Orders) -> None:
    """Kill the process when the engine is about to note the last step of an item, or the item's end."""
    marks = {"committed": ("INSERT INTO", "operation_outputs"), "noted": ("UPDATE", "workflow_status")}

    @sa.event.listens_for(databases.system, "before_cursor_execute")
    def look(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        verb, table = marks[orders.die_at]
        said = repr(parameters)
        if table in statement and verb in statement and ("'end'" in said or "'SUCCESS'" in said):
            die_once(orders)


def submit(engine: DbosEngine, batches: SqlBatchStore, batch_id: str) -> None:
    """Queue what is open."""
    items = batches.items(batch_id, states=("queued", "running"))
    engine.submit([ItemRef(batch_id, item.job.seq, item.attempt) for item in items])


def work(orders: Orders, pipe: Connection) -> None:
    """Work until nothing of the batch is left, or until Ctrl-C; tell "ready" once items are taken, and how it ended."""
    databases = durable_databases(orders.url, workers=orders.workers)
    if orders.die_at in ("committed", "noted"):
        watch_records(databases, orders)
    batches = open_batches(orders.url, workers=orders.workers)
    engine = DbosEngine(databases, queue="edits-test", is_alone=lambda: is_alone(batches))
    worker = BatchWorker(
        engine,
        batches,
        beat_seconds=orders.beat_seconds,
        silent_seconds=orders.silent_seconds,
        look_seconds=orders.look_seconds,
    )
    with open_store(orders.url, create=False) as scripts:
        try:
            worker.start(workflow(orders, engine, batches, scripts), workers=orders.workers)
            if orders.submits:
                submit(engine, batches, orders.batch_id)
            pipe.send("ready")
            while batches.tally(orders.batch_id).left:
                time.sleep(0.05)
        except KeyboardInterrupt:
            is_done = worker.drain(orders.drain_seconds)
            worker.close()
            pipe.send("drained" if is_done else "left")
            leave_at_once(130)
        worker.drain(orders.drain_seconds)
        worker.close()
    pipe.send("trouble: " + engine.trouble if engine.trouble else "over")


def workflow(
    orders: Orders, engine: DbosEngine, batches: SqlBatchStore, scripts: SqlScriptStore
) -> ItemWorkflow:
    """Return the workflow of items over the service that the orders name."""
    model = Endangered(
        OpenAIChat("test-model", api_key="sk-test", base_url=orders.base_url, max_retries=0), orders
    )
    caller = Caller(model=model, batches=batches, service="test", worker_id=engine.worker_id)
    return ItemWorkflow(
        scripts=scripts,
        batches=batches,
        model=model,
        make_rewriter=lambda model, hooks: LlmRewriter(model, hooks=hooks),
        sending=caller.sending,
        worker_id=engine.worker_id,
    )
