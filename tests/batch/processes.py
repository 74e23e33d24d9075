"""What a process does that works on batches as `batch run` does, for tests that kill it."""

import os
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from script_editor.app.rewriter import LlmRewriter
from script_editor.batch.calls.calling import Caller
from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import ItemRef, Json, Steps, Workflow
from script_editor.batch.items.workflow import ItemWorkflow
from script_editor.batch.working.worker import BatchWorker, is_alone, leave_at_once
from script_editor.llm.chat import ChatModel, Message, Reply
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.durable import DurableDatabases, durable_databases
from script_editor.store.sql import SqlScriptStore, open_store
from tests.batch.memory_engine import Kill, Moment

_moments = count()
"""The moments at which this process may kill itself, as they come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What the program is to do.

    `die_at` is a moment at which it kills itself, once for each file `die_once`, after it let `die_after` such moments
    pass: "reply" (a call was answered and not noted), "committed" (the result is in the store, and not in the
    engine's records), "noted" (in both). `kill` is one at a step of the item with the number `kill_seq`. `poison` are
    scripts whose every call ends the process. It submits the items up to `last_seq`, or all of them. `key` tells the service who asks. `busy_seconds` is how long a write
    waits for the lock of a file. With few `silent_seconds` a worker that is only slow, on a machine with much to do,
    is taken for a lost one.
    """

    url: str
    base_url: str
    batch_id: str
    workers: int = 4
    beat_seconds: float = 0.2
    silent_seconds: float = 60.0
    look_seconds: float = 0.3
    drain_seconds: float = 30.0
    die_at: str = ""
    die_once: str = ""
    die_after: int = 0
    kill: Kill | None = None
    kill_seq: int = 0
    poison: tuple[str, ...] = ()
    key: str = "sk-test"
    submits: bool = True
    last_seq: int | None = None
    busy_seconds: float = 30.0


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
        if any(name in message.content for name in self._orders.poison for message in messages):
            os._exit(1)
        reply = self._model.complete(messages, **how)
        if self._orders.die_at == "reply":
            die_once(self._orders)
        return reply


def die_once(orders: Orders) -> None:
    """Kill this process, unless it or another did so before, or more such moments are to pass."""
    if next(_moments) < orders.die_after:
        return
    with suppress(FileExistsError):
        Path(orders.die_once).touch(exist_ok=False)
        die()


def die() -> None:
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)


class MortalSteps:
    """The steps of a real engine, at one of which the process is killed."""

    def __init__(self, steps: Steps, kill: Kill):
        self._steps, self._kill, self._numbers = steps, kill, count()

    @property
    def is_stopping(self) -> bool:
        """See Steps.is_stopping."""
        return self._steps.is_stopping

    def is_own(self) -> bool:
        """See Steps.is_own."""
        return self._steps.is_own()

    def step(self, name: str, work: Callable[[], Json]) -> Json:
        """See Steps.step."""
        number = next(self._numbers)
        self._be_killed(number, "before")

        def inside() -> Json:
            result = work()
            self._be_killed(number, "inside")
            return result

        result = self._steps.step(name, inside)
        self._be_killed(number, "after")
        return result

    def commit(self, name: str, work: Callable[[object], Json]) -> Json:
        """See Steps.commit."""
        number = next(self._numbers)
        self._be_killed(number, "before")

        def inside(connection: object) -> Json:
            result = work(connection)
            self._be_killed(number, "inside")
            return result

        result = self._steps.commit(name, inside)
        self._be_killed(number, "after")
        return result

    def _be_killed(self, number: int, moment: Moment) -> None:
        if self._kill == Kill(number, moment):
            die()


def mortal(workflow: Workflow, orders: Orders) -> Workflow:
    """Return the workflow with the kill that is ordered."""

    def run(ref: ItemRef, steps: Steps) -> None:
        is_meant = ref.seq == orders.kill_seq
        workflow(ref, MortalSteps(steps, orders.kill) if orders.kill and is_meant else steps)

    return run


def watch_records(databases: DurableDatabases, orders: Orders) -> None:
    """Kill the process when the engine is about to note the last step of an item, or the item's end."""
    marks = {"committed": ("INSERT INTO", "operation_outputs"), "noted": ("UPDATE", "workflow_status")}

    @sa.event.listens_for(databases.system, "before_cursor_execute")
    def look(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        verb, table = marks[orders.die_at]
        said = repr(parameters)
        if table in statement and verb in statement and ("'end'" in said or "'SUCCESS'" in said):
            die_once(orders)


def submit(engine: DbosEngine, batches: SqlBatchStore, orders: Orders) -> None:
    """Queue what is open."""
    items = batches.items(orders.batch_id, states=("queued", "running"))
    refs = [ItemRef(orders.batch_id, item.job.seq, item.attempt) for item in items]
    engine.submit([ref for ref in refs if orders.last_seq is None or ref.seq <= orders.last_seq])


def work(orders: Orders, pipe: Connection) -> None:
    """Work until nothing of the batch is left, or until Ctrl-C; tell "ready" once items are taken, and how it ended."""
    try:
        _work(orders, pipe)
    except Exception as error:
        pipe.send(f"failed: {error!r}")  # what the process prints is not seen in the report of a test
        raise


def _work(orders: Orders, pipe: Connection) -> None:
    databases = durable_databases(orders.url, workers=orders.workers, busy_seconds=orders.busy_seconds)
    if orders.die_at in ("committed", "noted"):
        watch_records(databases, orders)
    batches = open_batches(orders.url, workers=orders.workers, busy_seconds=orders.busy_seconds)
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
            whole = workflow(orders, engine, batches, scripts)
            worker.start(mortal(whole, orders), workers=orders.workers)
            if orders.submits:
                submit(engine, batches, orders)
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
        OpenAIChat("test-model", api_key=orders.key, base_url=orders.base_url, max_retries=0), orders
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
