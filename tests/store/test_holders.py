"""What is said when another process keeps a SQLite store locked."""

import sys
from pathlib import Path

import pytest
import sqlalchemy as sa

from script_editor.errors import StoreLocked
from script_editor.store.engine import open_engine
from script_editor.store.holders import writer_of
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE, raw
from tests.support.file_lock import locked

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who has a lock")


def refused(url: str) -> StoreLocked:
    """Return what a writer is told that does not want to wait."""
    hasty = SqlScriptStore(open_engine(url, busy_seconds=0.05))
    with pytest.raises(StoreLocked) as caught:
        hasty.create("video_001", "一", provenance=ALICE)
    hasty.close()
    return caught.value


@linux_only
def test_a_process_that_was_stopped_while_it_wrote_is_named_with_what_to_do(
    sqlite_url: str, sqlite_path: Path
) -> None:
    with locked(sqlite_path) as holder:
        holder.stop()
        error = refused(sqlite_url)

        assert str(error) == (
            f"The store {sqlite_path} is locked by process {holder.pid}, which was stopped (as by Ctrl-Z) while it "
            "wrote; nothing was written."
        )
        assert f"kill -CONT {holder.pid}" in error.hint and f"kill -9 {holder.pid}" in error.hint
        assert (error.exit_code, error.code) == (6, "store_locked")


@linux_only
def test_a_process_that_only_takes_long_is_named_as_one_to_wait_for(
    sqlite_url: str, sqlite_path: Path
) -> None:
    with locked(sqlite_path) as holder:
        error = refused(sqlite_url)

        assert f"was locked by process {holder.pid} for too long" in str(error)
        assert "Try again when that process is done" in error.hint
        assert "Ctrl-Z" not in f"{error}{error.hint}"


def test_nobody_is_told_to_end_the_process_that_is_asking(sqlite_url: str, sqlite_path: Path) -> None:
    with raw(sqlite_url) as connection:
        connection.execute(sa.text("BEGIN IMMEDIATE"))
        error = refused(sqlite_url)

        assert "was locked by another process for too long" in str(error)
        assert "Ctrl-Z" in error.hint
        assert writer_of(sqlite_path) is None


def test_a_store_that_nobody_writes_to_or_that_is_not_there_has_no_writer(
    sqlite_url: str, sqlite_path: Path
) -> None:
    with raw(sqlite_url) as connection:
        connection.execute(sa.text("SELECT count(*) FROM script"))
        assert writer_of(sqlite_path) is None
    assert writer_of(sqlite_path.with_name("nowhere")) is None
