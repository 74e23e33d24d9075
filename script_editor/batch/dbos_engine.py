"""The durable engine that ships: DBOS Transact. Nothing else of the program knows it.

An item is a DBOS workflow, a step a DBOS step, and the last transaction a transaction of a DBOS data source, so
that the store's rows and the record that they were written are committed together. What a workflow has done is
kept as JSON; its arguments are three short values, since the store holds everything else.

DBOS keeps one instance for each process, so there can be one engine at a time.
"""

import json
import logging
import os
import socket
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Protocol

from script_editor.batch.engine import Interrupted, ItemRef, Json, Steps, Workflow
from script_editor.batch.presence import Presence
from script_editor.errors import MissingExtra, ScriptEditorError, StoreUnusable

try:
    from dbos import (
        DBOS,
        DBOSClient,
        DBOSPortableJSONSerializer,
        EnqueueOptions,
        PortableWorkflowError,
        SQLAlchemyDatasource,
        WorkflowStatus,
    )
    from dbos import error as dbos_error
except ImportError as missing:
    raise MissingExtra("batch", what="Running a batch") from missing

APPLICATION = "script-editor"
VERSION = "batch-wf-1"
"""Names the order of steps; workflows that were begun under another one are begun again from their start."""
POLLING_SECONDS = 0.1
SCHEMA = "dbos"

_WORKFLOW = "edit_item"
_SUBMIT_CHUNK = 500
_CHUNK = 2000
_SLOT_SECONDS = 0.5

_TAKEN_AWAY = (dbos_error.DBOSWorkflowCancelledError, dbos_error.DBOSWorkflowConflictIDError)
_DOES_NOT_FIT = (
    dbos_error.DBOSUnexpectedStepError,
    dbos_error.DBOSStepNondeterminismError,
    PortableWorkflowError,  # an error was recorded as the result of a step, which `_carrying` never lets happen
)


class Databases(Protocol):
    """Where the engine keeps what it knows: connections that only the store can make, so their types stay there."""

    @property
    def system(self) -> Any:
        """The database of DBOS's own records."""

    @property
    def system_url(self) -> str:
        """Its address."""

    @property
    def store(self) -> Any:
        """The database of the scripts; the first statement of each of its transactions writes."""

    @property
    def sessions(self) -> Any:
        """Makes the sessions of these transactions, in the form that `BatchStore.end_item` takes."""

    @property
    def isolation(self) -> str:
        """Their isolation level."""


def new_worker_id() -> str:
    """Return a name for this process that no process ever had, so that nobody's work is taken for its own."""
    return f"{socket.gethostname()}-{os.getpid()}-{uuid.uuid4().hex[:8]}"


class DbosEngine:
    """Runs items as DBOS workflows; see `DurableEngine`.

    `queue` is shared by the processes that can do the same work. `is_alone` says whether no other process takes
    from it at present: how many items a process may take is stored with the queue, for all of them.
    """

    def __init__(
        self,
        databases: Databases,
        *,
        queue: str,
        worker_id: str | None = None,
        is_alone: Callable[[], bool] = lambda: True,
    ):
        self.worker_id = worker_id or new_worker_id()
        self.trouble = ""
        """Why an item was last given up for now, other than by a wish; "" if none was."""
        self.presence = Presence(0)
        self._databases, self._queue, self._is_alone = databases, queue, is_alone

    # --- from start to end -------------------------------------------------------------------

    def start(self, workflow: Workflow, *, workers: int) -> None:
        """Begin to take items from the queue.

        Raises:
            StoreUnusable: the records cannot be opened.
        """
        self.presence, self._workflow = Presence(workers), workflow
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        try:
            with _explained():
                self._launch(workers)
        except BaseException:
            DBOS.destroy(destroy_registry=True)  # else the process could never start another
            raise

    def _launch(self, workers: int) -> None:
        self._dbos = DBOS(
            config={
                "name": APPLICATION,
                "application_version": VERSION,
                "executor_id": self.worker_id,
                "system_database_engine": self._databases.system,
                "dbos_system_schema": SCHEMA,
                "serializer": DBOSPortableJSONSerializer(),
                "use_listen_notify": False,
                "notification_listener_polling_interval_sec": POLLING_SECONDS,  # how long its end is waited for
                "log_level": "CRITICAL",
                "enable_otlp": False,
            }
        )

        @DBOS.workflow(name=_WORKFLOW, max_recovery_attempts=None)
        def edit_item(batch_id: str, seq: int, attempt: int) -> None:
            self._run(ItemRef(batch_id, seq, attempt))

        store = self._databases.store
        self._source = SQLAlchemyDatasource.create(
            f"{store.dialect.name}://",
            engine=store,
            schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            sessionmaker=self._databases.sessions,
        )
        # Before the start, which looks for queues: the next look is a second later. What it makes besides, for
        # notifications, is never used.
        DBOS.migrate(self._databases.system_url, schema=SCHEMA)
        self._client = DBOSClient(
            system_database_engine=self._databases.system,
            dbos_system_schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            application_name=APPLICATION,
            lazy=True,
        )
        if workers:
            self._open_queue(workers)
        DBOS.listen_queues([self._queue] if workers else [])
        DBOS.launch()

    def _open_queue(self, workers: int) -> None:
        # A few more than can run, so that none waits for the next look at the queue.
        taken = workers + max(2, workers // 4)
        queue = self._client.retrieve_queue(self._queue)
        if queue is not None and not self._is_alone():
            taken = max(taken, queue.worker_concurrency or 0)
        self._client.register_queue(
            self._queue, worker_concurrency=taken, polling_interval_sec=POLLING_SECONDS
        )

    def drain(self, timeout_seconds: float) -> bool:
        """Take no more items, and wait for those that run."""
        self.presence.stopping.set()
        for event in self._dbos.background_thread_stop_events:
            event.set()
        return self.presence.wait_for_all(timeout_seconds)

    def close(self) -> None:
        """Leave; what this process did not finish goes back to the queue at once.

        A model call that is under way is not waited for: its thread lives until it is answered.
        """
        self.presence.stopping.set()
        self.presence.leaving.set()
        DBOS.destroy(destroy_registry=True)
        self.give_back(self.presence.unfinished())
        self._client.destroy()

    # --- the queue ---------------------------------------------------------------------------

    def submit(self, items: Sequence[ItemRef]) -> None:
        """Queue items, in transactions of some hundred."""
        for chunk in _chunks(items, _SUBMIT_CHUNK):
            with _explained(), self._databases.system.begin() as connection:
                for ref in chunk:
                    self._client.enqueue_in_transaction(
                        connection, self._options(ref), ref.batch_id, ref.seq, ref.attempt
                    )

    def _options(self, ref: ItemRef) -> EnqueueOptions:
        return {"workflow_name": _WORKFLOW, "queue_name": self._queue, "workflow_id": ref.workflow_id}

    def cancel(self, items: Sequence[ItemRef]) -> None:
        """Take items away from the queue and from whoever runs them."""
        for chunk in _chunks(items, _CHUNK):
            with _explained():
                self._client.cancel_workflows([ref.workflow_id for ref in chunk])

    def resume(self, items: Sequence[ItemRef]) -> None:
        """Queue cancelled items, and those that this process gave up; what another process has is its own."""
        for chunk in _chunks(items, _CHUNK):
            known = {found.workflow_id: found for found in self._found(chunk)}
            begun = [ref for ref in chunk if ref.workflow_id in known]
            over = [ref for ref in begun if _is_over(known[ref.workflow_id])]
            self.forget(over)
            self.submit([*over, *(ref for ref in chunk if ref.workflow_id not in known)])
            self._queue_again(ref for ref in begun if known[ref.workflow_id].status == "CANCELLED")
            self.give_back([ref for ref in begun if ref in self.presence.left()])

    def _queue_again(self, items: Iterable[ItemRef]) -> None:
        names = [ref.workflow_id for ref in items]
        if names:
            with _explained():
                self._client.resume_workflows(names, queue_name=self._queue)

    def _found(self, items: Sequence[ItemRef]) -> Sequence[WorkflowStatus]:
        names = [ref.workflow_id for ref in items]
        with _explained():
            return self._client.list_workflows(workflow_ids=names, load_input=False, load_output=False)

    def _in_state(self, status: str, *, limit: int | None = None) -> Sequence[WorkflowStatus]:
        # Other programs may keep workflows in the same schema.
        with _explained():
            return self._client.list_workflows(
                status=status,
                name=_WORKFLOW,
                application_name=APPLICATION,
                limit=limit,
                load_input=False,
                load_output=False,
            )

    def forget(self, items: Sequence[ItemRef]) -> None:
        """Delete the records of items."""
        for chunk in _chunks(items, _CHUNK):
            self._delete([ref.workflow_id for ref in chunk])
        self.presence.returned(items)

    def _delete(self, names: list[str]) -> None:
        with _explained():
            self._client.delete_workflows(names)

    # --- what a supervisor needs -------------------------------------------------------------

    def claimed(self) -> Sequence[tuple[ItemRef, str]]:
        """Return the items that some process has taken, each with the id of that process."""
        found = self._in_state("PENDING")
        return [(ItemRef.parse(each.workflow_id), each.executor_id or "") for each in found]

    def take_over(self, items: Sequence[ItemRef], *, worker_id: str) -> None:
        """Queue items again that `worker_id` had taken, as far as they are still its own."""
        for chunk in _chunks(items, _CHUNK):
            names: dict[str, list[str]] = {}
            for found in self._found(chunk):
                if found.status == "PENDING" and found.executor_id == worker_id:
                    names.setdefault(found.queue_name or self._queue, []).append(found.workflow_id)
            for queue, of_queue in names.items():
                with _explained():
                    self._client.resume_workflows(of_queue, queue_name=queue)

    def left(self) -> Mapping[ItemRef, bool]:
        """Return the items that this process took and gave up, and whether something was in the way."""
        return self.presence.left()

    def give_back(self, items: Sequence[ItemRef]) -> None:
        """Queue items again that this process gave up, as far as they are still its own."""
        # First, since they may be taken and given up again before this returns.
        self.presence.returned(items)
        try:
            self.take_over(items, worker_id=self.worker_id)
        except StoreUnusable:
            for ref in items:
                self.presence.leave(ref, is_failure=True)
            raise

    def sweep(self) -> int:
        """Delete some of the records of workflows that are over, and return how many."""
        found = self._in_state("SUCCESS", limit=_CHUNK)
        self._delete([each.workflow_id for each in found])
        return len(found)

    # --- one item ----------------------------------------------------------------------------

    def _run(self, ref: ItemRef) -> None:
        """Run an item. Where it is not finished Interrupted is raised, of which DBOS records nothing: the row stays
        this process's own until it is given back or taken over."""
        steps = _DbosSteps(self, ref)
        try:
            with self.presence.at(ref):
                self._workflow(ref, steps)
        except Interrupted:
            if not steps.is_lost:
                self.presence.leave(ref, is_failure=steps.has_failed)
            raise
        except Exception as error:
            # DBOS would take it for the end of the workflow, and the item would never end.
            self.trouble = _first_line(error)
            self.presence.leave(ref, is_failure=True)
            raise Interrupted from error

    def run_step(self, name: str, work: Callable[[], str]) -> str:
        """Run a step of the workflow that this thread is in."""
        return DBOS.run_step({"name": name}, work)

    def run_transaction(self, name: str, work: Callable[[object], Callable[[], str]]) -> str:
        """Run a step of this thread's workflow whose record is written in the transaction of its work."""
        options: Any = {"name": name, "isolation_level": self._databases.isolation}  # a type of DBOS's own
        return self._source.run_tx_step(options, lambda: work(self._source.sql_session())())

    def begin_again(self, ref: ItemRef) -> None:
        """Queue an item whose records do not fit the program as it is now, without them."""
        self.forget([ref])
        self.submit([ref])


class _Carried(BaseException):
    """Takes an error of the work past DBOS, which would record it as the result of the step for all times."""

    def __init__(self, error: Exception):
        self.error = error


class _DbosSteps(Steps):
    """The steps of one running workflow.

    `is_lost` says that it is no longer this process's, `has_failed` that the engine could not do its part.
    """

    def __init__(self, engine: DbosEngine, ref: ItemRef):
        self._engine, self._ref = engine, ref
        self.is_lost = self.has_failed = False

    @property
    def is_stopping(self) -> bool:
        return self._engine.presence.stopping.is_set()

    def step(self, name: str, work: Callable[[], Json]) -> Json:
        return self._durably(lambda: self._engine.run_step(name, _carrying(work)))

    def commit(self, name: str, work: Callable[[object], Json]) -> Json:
        return self._durably(
            lambda: self._engine.run_transaction(name, lambda session: _carrying(lambda: work(session)))
        )

    def _durably(self, run: Callable[[], str]) -> Json:
        if self._engine.presence.leaving.is_set():
            raise Interrupted
        try:
            return json.loads(run())
        except _Carried as carried:
            failure = carried.error
        except _TAKEN_AWAY as error:
            self.is_lost = True
            raise Interrupted from error
        except _DOES_NOT_FIT as error:
            self.is_lost = True
            self._engine.begin_again(self._ref)
            raise Interrupted from error
        except Exception as error:  # of DBOS or of its database; those of the work are carried past it
            self.has_failed, self._engine.trouble = True, _first_line(error)
            raise Interrupted from error
        raise failure


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what DBOS and its database raise into an error of the program."""
    try:
        yield
    except ScriptEditorError:
        raise
    except Exception as error:
        raise StoreUnusable(f"The records of running batches cannot be used: {_first_line(error)}") from error


def _carrying(work: Callable[[], Json]) -> Callable[[], str]:
    def run() -> str:
        try:
            return _json(work())
        except Exception as error:  # raised again by `_durably`
            raise _Carried(error) from None

    return run


def _json(value: Json) -> str:
    """Return a value as JSON that every database takes: half a surrogate pair can be written as an escape only."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _is_over(found: WorkflowStatus) -> bool:
    """Say whether a workflow cannot go on: it has ended, or another version of the program began it."""
    return found.status in ("SUCCESS", "ERROR") or found.app_version not in (None, VERSION)


def _chunks(items: Sequence[ItemRef], size: int) -> Iterator[list[ItemRef]]:
    waiting = iter(items)
    while chunk := list(islice(waiting, size)):
        yield chunk
