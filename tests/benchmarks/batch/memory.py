"""What a worker's memory comes to while many items wait, and while a tenth of them does.

Measured is the largest resident set of each of two processes: the one that runs the batch, which puts all of its items
into the queue and takes them out again when it is interrupted, and a worker that is started before and knows only
the queue. Both go on until every item is in the queue and some hundred edits are made; then they are
interrupted, the worker first. With few items they make as many edits as with many before, so that what differs is
what waits. The process that plans is another one and does not count.
"""

import json
import signal
import subprocess
import sys
import time
from dataclasses import dataclass

import sqlalchemy as sa

from script_editor.batch.dbos_engine import SCHEMA
from script_editor.batch.engine import ItemRef
from script_editor.errors.endings import INTERRUPTED
from script_editor.store.durable import durable_databases
from tests.benchmarks.batch.sizes import A_TENTH, PLANNED
from tests.benchmarks.batch.worlds import HERE, Place, Service, Store, goal, service

GOAL = 1.2
EDITS = 200
WORKERS, CALL_SECONDS = 8, 0.2
_MEASURED = (sys.executable, "-S", str(HERE.parent / "peers" / "measure.py"))
_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Peaks:
    """Megabytes of the process that runs the batch and of the worker beside it, after so many edits by both."""

    runner: float
    worker: float
    edits: int


def run(place: Place) -> bool:
    """Print what was measured and the goals; return whether both are met."""
    with service(CALL_SECONDS) as slow:
        many = _peaks(place, slow, PLANNED, edits=EDITS)
        few = _peaks(place, slow, A_TENTH, edits=min(many.edits, A_TENTH // 2))
    print(f"{place.name}: largest resident set, {WORKERS} items at a time in each of two processes")
    for items, each in ((A_TENTH, few), (PLANNED, many)):
        print(
            f"  {items:9,} items   batch run {each.runner:6.0f} MB   batch worker {each.worker:6.0f} MB"
            f"   after {each.edits:,} edits"
        )
    met = [
        goal(f"batch run with {PLANNED:,} over {A_TENTH:,}", many.runner / few.runner, GOAL),
        goal(f"batch worker with {PLANNED:,} over {A_TENTH:,}", many.worker / few.worker, GOAL),
    ]
    return all(met)


def _peaks(place: Place, slow: Service, items: int, *, edits: int) -> Peaks:
    workers = ("--workers", str(WORKERS), "--quiet")
    with place.filled(items, service=slow.address) as store:
        batch_id = store.planned("--mode", "tools")
        slow.forget()
        with (
            store.process("batch", "worker", *workers, before=_MEASURED, output=subprocess.PIPE) as worker,
            store.process(
                "batch", "run", batch_id, "--yes", *workers, before=_MEASURED, output=subprocess.PIPE
            ) as runner,
        ):
            last = ItemRef(batch_id, items, 1)
            while len(slow.told().ended) < edits or not _is_queued(store, last):
                assert runner.poll() is None and worker.poll() is None, "a process ended by itself"
                time.sleep(_LOOK_SECONDS)
            # While another works, the one that runs the batch would leave the rest to it.
            worker_peak, runner_peak = _interrupted(worker), _interrupted(runner)
        return Peaks(runner_peak, worker_peak, len(slow.told().ended))


def _is_queued(store: Store, item: ItemRef) -> bool:
    """Say whether an item was put into the engine's queue; the engine has no question for that."""
    databases = durable_databases(store.address, workers=1)
    schema = f"{SCHEMA}." if databases.system.dialect.name == "postgresql" else ""
    known = sa.text(f"SELECT count(*) FROM {schema}workflow_status WHERE workflow_uuid = :id")
    try:
        with databases.system.connect() as connection:
            return bool(connection.execute(known, {"id": item.workflow_id}).scalar_one())
    finally:
        databases.close()


def _interrupted(process: "subprocess.Popen[str]") -> float:
    """Interrupt a process as Ctrl-C does, wait until it has ended in order, and return its peak in megabytes."""
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate()
    assert process.returncode == INTERRUPTED, f"{process.returncode}: {output[-2000:]}"
    return float(json.loads(output)["peak_megabytes"])
