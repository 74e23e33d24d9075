"""What a worker does while another process stands still with the write locks of the SQLite files of a batch."""

import signal
import time
from pathlib import Path

import pytest

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.working.worker import BatchWorker
from script_editor.errors import StoreLocked
from script_editor.store.batch_store import open_batches
from script_editor.store.durable import durable_databases, records_file
from tests.batch.real_workers import CALLS, working
from tests.support.file_lock import locked

BUSY_SECONDS = 0.2
ITEMS = 8


@pytest.fixture
def files(sqlite_url: str, sqlite_path: Path) -> tuple[Path, Path]:
    """The store, and the engine's records."""
    return sqlite_path, records_file(sqlite_path)


def refused_start(url: str) -> StoreLocked:
    """Return what a worker is told that begins now, and leaves without a trace."""
    databases = durable_databases(url, workers=1, busy_seconds=BUSY_SECONDS)
    with open_batches(url, busy_seconds=BUSY_SECONDS) as batches:
        worker = BatchWorker(DbosEngine(databases, queue="edits-test"), batches)
        with pytest.raises(StoreLocked) as caught:
            worker.start(lambda _ref, _steps: None, workers=1)
        assert not batches.workers(silent_seconds=3600)
    databases.close()
    return caught.value


@pytest.mark.parametrize("which", [0, 1], ids=["store", "records"])
def test_a_worker_that_begins_says_what_is_locked_and_a_later_one_does_everything(
    sqlite_url: str, files: tuple[Path, Path], which: int
) -> None:
    with working(sqlite_url, 2) as work:
        with locked(files[which]) as holder:
            holder.stop()
            error = refused_start(sqlite_url)
            assert str(files[which]) in str(error)
            assert "locked by" in str(error) or "was locked" in str(error)
            assert (error.exit_code, error.code) == (6, "store_locked")
            assert "let it go on" in error.hint.lower() or "Ctrl-Z" in error.hint
        work.finish()

        work.assert_applied_once()


def test_a_lock_that_is_let_go_in_time_is_only_waited_for(sqlite_url: str, files: tuple[Path, Path]) -> None:
    with working(sqlite_url, 2) as work:
        with locked(*files) as holder:
            process = work.begin_soon()
            time.sleep(1.0)  # what began meanwhile waits; one that did not would pass, and prove less
            assert work.states() == {"queued": 2}
            holder.release()
        assert process.end() == "over"

        work.assert_applied_once()


@pytest.fixture(params=["all", "store", "records"])
def met(request: pytest.FixtureRequest, files: tuple[Path, Path]) -> tuple[Path, ...]:
    """The files that are locked in the middle of the work."""
    chosen: dict[str, tuple[Path, ...]] = {"all": files, "store": files[:1], "records": files[1:]}
    return chosen[request.param]


def test_a_lock_in_the_middle_of_the_work_is_waited_out_and_held_against_no_item(
    sqlite_url: str, met: tuple[Path, ...]
) -> None:
    with working(sqlite_url, ITEMS, seconds=0.1) as work:
        process = work.begin(workers=4, busy_seconds=BUSY_SECONDS)
        work.wait(lambda: work.service.total >= 4)
        with locked(*met) as holder:
            holder.stop()
            time.sleep(12 * BUSY_SECONDS)  # more often than an item may crash, each wait is over in vain
            assert process.exit_code is None
            assert work.is_open
        assert process.end() == "over"

        work.assert_applied_once()
        assert work.states() == {"done": ITEMS}
        assert [item.crashes for item in work.items()] == [0] * ITEMS
        assert work.service.total == ITEMS * CALLS  # what was answered meanwhile was kept


def test_ctrl_c_ends_a_worker_that_waits_for_a_lock_and_the_next_one_goes_on(
    sqlite_url: str, files: tuple[Path, Path]
) -> None:
    with working(sqlite_url, ITEMS, seconds=0.1) as work:
        process = work.begin(workers=4, busy_seconds=BUSY_SECONDS, drain_seconds=1.0)
        work.wait(lambda: work.service.total >= 4)
        with locked(*files) as holder:
            holder.stop()
            process.send_signal(signal.SIGINT)
            process.end()
            assert process.exit_code == 130
        work.finish()

        work.assert_applied_once()
        assert work.states() == {"done": ITEMS}
        assert work.service.total <= ITEMS * CALLS + 4  # no more than what was under way
