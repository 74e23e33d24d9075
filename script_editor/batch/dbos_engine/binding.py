"""The only module that speaks to DBOS: how it is started, its records, and the steps of the workflow of a thread.

DBOS keeps one instance for each process, so there can be one at a time.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

from script_editor.batch.dbos_engine.databases import Databases
from script_editor.batch.engine import ItemRef
from script_editor.batch.queues import ALL, of_batch
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

TAKEN_AWAY = (dbos_error.DBOSWorkflowCancelledError, dbos_error.DBOSWorkflowConflictIDError)
"""Another process has the workflow, or nobody is to have it."""
DOES_NOT_FIT = (
    dbos_error.DBOSUnexpectedStepError,
    dbos_error.DBOSStepNondeterminismError,
)
"""What is recorded of a workflow was not recorded by this program."""
RECORDED_ERROR = PortableWorkflowError
"""An error was recorded as the result of a step; see `forget_errors`."""


class Record(NamedTuple):
    """What DBOS knows of one item."""

    ref: ItemRef
    status: str
    queue: str | None
    worker_id: str
    is_over: bool
    """Whether it cannot go on: it has ended, or another version of the program began it."""


class Binding:
    """DBOS in this process, over two databases, for the items of one queue, or those of the batches it attends."""

    def __init__(self, databases: Databases, *, queue: str, worker_id: str):
        self._databases, self._queue, self._worker_id = databases, queue, worker_id

    # --- from start to end -------------------------------------------------------------------

    def start(self, run: Callable[[ItemRef], None], *, workers: int, is_alone: Callable[[], bool]) -> None:
        """Begin to run items, each in a thread; see `DbosEngine.start`."""
        logging.getLogger("dbos").setLevel(logging.CRITICAL)
        try:
            with self._writing():
                self._dbos = DBOS(config=self._config())
                _register(run)
                self._source = self._new_source()
                # Before the start, which looks for queues: the next look is a second later. What it makes besides,
                # for notifications, is never used.
                DBOS.migrate(self._databases.system_url, schema=SCHEMA)
                self._client = self._new_client()
                first = [self._queue] if workers and ALL not in self._queue else []
                for queue in first:
                    self._open_queue(queue, workers, is_alone)
                DBOS.listen_queues(first)
                DBOS.launch()
        except BaseException:
            DBOS.destroy(destroy_registry=True)  # else the process could never start another
            raise

    def _config(self) -> Any:  # a type of DBOS's own
        return {
            "name": APPLICATION,
            "application_version": VERSION,
            "executor_id": self._worker_id,
            "system_database_engine": self._databases.system,
            "dbos_system_schema": SCHEMA,
            "serializer": DBOSPortableJSONSerializer(),
            "use_listen_notify": False,
            "notification_listener_polling_interval_sec": POLLING_SECONDS,  # how long its end is waited for
            "log_level": "CRITICAL",
            "enable_otlp": False,
        }

    def _new_source(self) -> SQLAlchemyDatasource:
        store = self._databases.store
        return SQLAlchemyDatasource.create(
            f"{store.dialect.name}://",
            engine=store,
            schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            sessionmaker=self._databases.sessions,
        )

    def _new_client(self) -> DBOSClient:
        return DBOSClient(
            system_database_engine=self._databases.system,
            dbos_system_schema=SCHEMA,
            serializer=DBOSPortableJSONSerializer(),
            application_name=APPLICATION,
            lazy=True,
        )

    def attend(self, queues: Sequence[str], *, workers: int, is_alone: Callable[[], bool]) -> None:
        """Take items from these queues from now on, and from no others.

        A queue that nobody attends any more is closed: its thread would look into it for ever. Where somebody does
        after all, the next `attend` opens it again; what waits in it stays.
        """
        heard = self._dbos._listening_queues  # named once before the start, and looked at each second since
        assert heard is not None, "it is named by `start`"
        with self._explained():
            gone = [queue for queue in queues if self._client.retrieve_queue(queue) is None]
        new = [queue for queue in queues if queue not in heard or queue in gone]
        old = set(heard) - set(queues)
        if new or old:
            with self._writing():
                for queue in old:
                    self._client.delete_queue(queue)
                for queue in new:
                    self._open_queue(queue, workers, is_alone)
            heard[:] = queues

    def _open_queue(self, name: str, workers: int, is_alone: Callable[[], bool]) -> None:
        # A few more than can run, so that none waits for the next look at the queue.
        taken = workers + max(2, workers // 4)
        queue = self._client.retrieve_queue(name)
        if queue is not None and not is_alone():
            taken = max(taken, queue.worker_concurrency or 0)
        self._client.register_queue(name, worker_concurrency=taken, polling_interval_sec=POLLING_SECONDS)

    def stop_taking(self) -> None:
        """Take no more items from the queue."""
        for event in self._dbos.background_thread_stop_events:
            event.set()

    def stop(self) -> None:
        """End DBOS; its records can still be used until `close`."""
        DBOS.destroy(destroy_registry=True)

    def close(self) -> None:
        """Let go of the records."""
        self._client.destroy()

    # --- the records -------------------------------------------------------------------------

    def enqueue(self, items: Sequence[ItemRef]) -> None:
        """Queue items, in transactions of some hundred; one that has a record already is left alone."""
        for chunk in chunks(items, _SUBMIT_CHUNK):
            with self._explained(), self._databases.system.begin() as connection:
                for ref in chunk:
                    self._client.enqueue_in_transaction(
                        connection, self._options(ref), ref.batch_id, ref.seq, ref.attempt
                    )

    def _options(self, ref: ItemRef) -> EnqueueOptions:
        queue = of_batch(self._queue, ref.batch_id)
        return {"workflow_name": _WORKFLOW, "queue_name": queue, "workflow_id": ref.workflow_id}

    def requeue(self, items: Sequence[ItemRef], *, queue: str) -> None:
        """Put items that have a record, and are not over, into a queue, whoever had them."""
        if items:
            with self._writing():
                self._client.resume_workflows([ref.workflow_id for ref in items], queue_name=queue)

    def cancel(self, items: Sequence[ItemRef]) -> None:
        """Take items away from the queue and from whoever runs them."""
        for chunk in chunks(items, _CHUNK):
            with self._writing():
                self._client.cancel_workflows([ref.workflow_id for ref in chunk])

    def delete(self, items: Sequence[ItemRef]) -> None:
        """Delete the records of items."""
        for chunk in chunks(items, _CHUNK):
            with self._writing():
                self._client.delete_workflows([ref.workflow_id for ref in chunk])

    def forget_errors(self, ref: ItemRef) -> None:
        """Delete what DBOS recorded as failures of an item's steps, for it would raise them again for all times.

        An error of the work never gets there, so each is of a database that could not carry a step out at that moment:
        its disk was full, say, when all was written but the end. What was committed has no such record.
        """
        prefix = "" if self._databases.system_url.startswith("sqlite") else f"{SCHEMA}."
        for database, table, column in (
            (self._databases.store, "datasource_outputs", "workflow_id"),
            (self._databases.system, "operation_outputs", "workflow_uuid"),
        ):
            self._databases.run(
                database,
                f"DELETE FROM {prefix}{table} WHERE {column} = :id AND error IS NOT NULL",
                id=ref.workflow_id,
            )

    def records(self, items: Sequence[ItemRef]) -> dict[ItemRef, Record]:
        """Return what is known of items; one that is not known is left out."""
        found: dict[ItemRef, Record] = {}
        for chunk in chunks(items, _CHUNK):
            names = [ref.workflow_id for ref in chunk]
            with self._explained():
                rows = self._client.list_workflows(workflow_ids=names, load_input=False, load_output=False)
            found.update((record.ref, record) for record in map(_record, rows))
        return found

    def has(self, ref: ItemRef) -> bool:
        """Say whether an item is claimed by this process."""
        record = self.records([ref]).get(ref)
        return record is not None and (record.status, record.worker_id) == ("PENDING", self._worker_id)

    def in_state(self, status: str, *, at_most: int | None = None) -> list[Record]:
        """Return the records in one of DBOS's states; other programs may keep theirs in the same schema."""
        with self._explained():
            rows = self._client.list_workflows(
                status=status,
                name=_WORKFLOW,
                application_name=APPLICATION,
                limit=at_most,
                load_input=False,
                load_output=False,
            )
        return [_record(row) for row in rows]

    def some_ended(self) -> list[ItemRef]:
        """Return some of the items that ended."""
        return [record.ref for record in self.in_state("SUCCESS", at_most=_CHUNK)]

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Turn what DBOS and its database raise into an error of the program."""
        try:
            with self._databases.explained(self._databases.system):
                yield
        except ScriptEditorError:
            raise
        except Exception as error:  # DBOS's own errors have no class in common
            raise StoreUnusable(
                f"The records of running batches cannot be used: {first_line(error)}"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """As `_explained`, and first wait for one's turn: for a locked file DBOS would wait without end, and say nothing."""
        with self._explained():
            self._databases.wait_for_turn()
            yield

    # --- the workflow of this thread ---------------------------------------------------------

    def run_step(self, name: str, work: Callable[[], str]) -> str:
        """Run a step of the workflow that this thread is in."""
        return DBOS.run_step({"name": name}, work)

    def run_transaction(self, name: str, work: Callable[[object], str]) -> str:
        """Run a step of this thread's workflow whose record is written in the transaction of its work.

        Where `work` raises what the database says when a transaction is to be repeated, it is.
        """
        options: Any = {"name": name, "isolation_level": self._databases.isolation}  # a type of DBOS's own
        return self._source.run_tx_step(options, lambda: work(self._source.sql_session()))


def _register(run: Callable[[ItemRef], None]) -> None:
    @DBOS.workflow(name=_WORKFLOW, max_recovery_attempts=None)
    def edit_item(batch_id: str, seq: int, attempt: int) -> None:
        run(ItemRef(batch_id, seq, attempt))


def _record(row: WorkflowStatus) -> Record:
    is_over = row.status in ("SUCCESS", "ERROR") or row.app_version not in (None, VERSION)
    ref = ItemRef.parse(row.workflow_id)
    return Record(ref, str(row.status), row.queue_name, row.executor_id or "", is_over)


def first_line(error: Exception) -> str:
    """Return what an error says, on one line."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def chunks(items: Sequence[ItemRef], size: int) -> Iterator[list[ItemRef]]:
    """Yield items, at most so many at a time."""
    waiting = iter(items)
    while chunk := list(islice(waiting, size)):
        yield chunk
