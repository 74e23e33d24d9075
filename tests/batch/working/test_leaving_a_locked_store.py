"""A store that stays locked: what a run says that it waits for, and how soon it is left."""

import time
from contextlib import closing
from pathlib import Path

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.progress import Progress
from script_editor.batch.service import HowToRun
from script_editor.batch.working.worker import BatchWorker
from script_editor.store.batch_store import open_batches
from script_editor.store.durable import BUSY_SECONDS, durable_databases, records_file
from script_editor.store.patience import LEAVING_SECONDS
from tests.batch.calls.test_settling import write_lock
from tests.batch.service_desk import Desk, Service
from tests.batch.test_service import FUNNIER
from tests.support.openai_server import OpenAIServer


def test_the_end_of_a_worker_waits_for_no_lock_as_long_as_its_work_would(sqlite_url: str) -> None:
    """It writes four times at its end, and each could wait for as long as a write may."""
    path = sqlite_url.removeprefix("sqlite:///")
    databases = durable_databases(sqlite_url, workers=1)
    with open_batches(sqlite_url) as batches:
        worker = BatchWorker(DbosEngine(databases, queue="edits-test"), batches, look_seconds=3600)
        worker.start(lambda _ref, _steps: None, workers=1)
        with write_lock(sqlite_url) as store, write_lock(f"sqlite:///{records_file(Path(path))}") as records:
            store.execute("BEGIN IMMEDIATE")
            records.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            worker.close()
            took = time.monotonic() - began
            store.execute("ROLLBACK")
            records.execute("ROLLBACK")
        assert 0 < LEAVING_SECONDS < took < BUSY_SECONDS
    databases.close()


def test_a_run_says_that_it_waits_for_a_store_that_stays_locked(sqlite_url: str) -> None:
    service = Service()
    service.hold.clear()
    told: list[Progress] = []
    with (
        OpenAIServer(service) as server,
        closing(Desk(sqlite_url, server.base_url)) as desk,
        write_lock(sqlite_url) as lock,
    ):
        batch_id = desk.plan(desk.fill(4), instruction=FUNNIER)
        for event in desk.batches.run(batch_id, HowToRun(workers=2), is_stopping=lambda: False):
            if not isinstance(event, Progress):
                continue
            if not told and service.calls.total() == 2:
                lock.execute("BEGIN IMMEDIATE")
                service.hold.set()
                told.append(event)
            elif event.waiting_for == "store" and len(told) == 1:
                told.append(event)
                lock.execute("ROLLBACK")

        assert len(told) == 2
        assert desk.states(batch_id) == {"done": 4}
        assert service.calls.total() == 4
