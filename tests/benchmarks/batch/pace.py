"""How many edits a second a batch makes beside the plainest way to do the same, by a model that takes its time.

The plain way is a pool of threads in one process that calls `edit_script` for each script and saves. The batch
does it with a durable engine: on SQLite in one process, on PostgreSQL in two that share the same number of threads.
"""

import signal
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import sqlalchemy as sa

from script_editor.errors.endings import INTERRUPTED
from script_editor.store.engine import database_url
from tests.benchmarks.batch.sizes import ITEMS
from tests.benchmarks.batch.worlds import INSTRUCTION, Place, Service, Store, goal, service

AT_A_TIME, CALL_SECONDS = 32, 0.7
GOALS = {"SQLite": 0.80, "PostgreSQL": 0.85}
CALLS = 3
_WINDOW = 10
_START_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Pace:
    """Edits a second: over all of them, and in the slowest and the middle window of ten; how many calls it took, and
    how many of those were made before."""

    mean: float
    slowest: float
    middle: float
    calls: int
    repeated: int


def run(place: Place) -> bool:
    """Print what was measured and the goal; return whether it is met and no call was made twice."""
    batch = _shared_batch if place.is_shared else _batch
    with service(CALL_SECONDS) as slow:
        plain = _paced(place, slow, lambda store: _pool(store))
        durable = _paced(place, slow, batch)
    print(
        f"{place.name}: {ITEMS:,} scripts, {AT_A_TIME} at a time, {CALLS} calls of {CALL_SECONDS} s each; "
        f"edits a second (windows of {_WINDOW})"
    )
    processes = "2 processes" if place.is_shared else "1 process"
    for what, pace in (("pool of threads", plain), (f"batch, {processes}", durable)):
        print(
            f"  {what:20}{pace.mean:8.2f}   middle window {pace.middle:6.2f}   slowest {pace.slowest:6.2f}"
            f"   calls {pace.calls:,}, repeated {pace.repeated}"
        )
    is_once = durable.repeated == 0 and durable.calls == CALLS * ITEMS
    if not is_once:
        print(f"  MISSED: {CALLS * ITEMS:,} calls were to be made, each once")
    return (
        goal("batch over the pool", durable.mean / plain.mean, GOALS[place.name], at_least=True) and is_once
    )


def _paced(place: Place, slow: Service, work: Callable[[Store], None]) -> Pace:
    """Return the pace of `work` over a new store, from its first call to the end of its last edit, as the service
    saw it: what comes before and after, starting and planning, is not in it."""
    with place.filled(ITEMS, service=slow.address) as store:
        slow.forget()
        work(store)
    told = slow.told()
    moments = [told.began, *sorted(told.ended)]
    assert len(moments) == ITEMS + 1, f"{len(told.ended)} edits of {ITEMS}"
    windows = [_WINDOW / (after - before) for before, after in pairwise(moments[::_WINDOW])]
    mean = ITEMS / (moments[-1] - moments[0])
    return Pace(mean, min(windows), statistics.median(windows), told.calls, told.repeated)


def _pool(store: Store) -> None:
    store.program("pool", INSTRUCTION, str(AT_A_TIME))


def _batch(store: Store) -> None:
    _run(store, store.planned("--mode", "tools"), AT_A_TIME)


def _run(store: Store, batch_id: str, workers: int) -> None:
    store.command("batch", "run", batch_id, "--workers", str(workers), "--apply", "--yes", "--json")


def _shared_batch(store: Store) -> None:
    """Run a batch in the process that was asked for it and in a worker that was there before, half of it each."""
    half, batch_id = AT_A_TIME // 2, store.planned("--mode", "tools")
    with store.process("batch", "worker", "--workers", str(half), "--json") as worker:
        _wait_for_worker(store, worker)
        _run(store, batch_id, half)
        worker.send_signal(signal.SIGTERM)
        assert worker.wait() in (0, INTERRUPTED)


def _wait_for_worker(store: Store, worker: "subprocess.Popen[str]") -> None:
    engine = sa.create_engine(database_url(store.address), poolclass=sa.NullPool)
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and worker.poll() is None:
        with engine.connect() as connection:
            if connection.exec_driver_sql("SELECT count(*) FROM worker").scalar_one():
                return
        time.sleep(0.1)
    raise AssertionError("the worker did not start")
