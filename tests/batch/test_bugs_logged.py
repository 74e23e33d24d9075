"""A bug of the program costs one item, and leaves enough behind to find it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from script_editor.app.runlog.traces import read_trace
from script_editor.app.runlog.writing import RunFiles
from script_editor.cli.traces import trace_lines
from script_editor.domain.batches import DIRECT
from script_editor.store.sql import SqlScriptStore, open_store
from tests.batch.item_world import World, script_store

KEY = "sk-live-0123456789abcdef"


@pytest.fixture
def scripts(sqlite_url: str) -> Iterator[SqlScriptStore]:
    with open_store(sqlite_url, create=False) as store:
        yield script_store(store)


@pytest.mark.parametrize("mode", [DIRECT, "tools"])
def test_the_log_of_a_run_that_a_bug_ended_says_where_and_holds_no_key(
    scripts: SqlScriptStore, tmp_path: Path, mode: str
) -> None:
    folder = tmp_path / "log"
    world = World(
        scripts, [ZeroDivisionError(f"with {KEY}")], mode, journals=RunFiles(folder, secrets=(KEY,))
    )

    with pytest.raises(ZeroDivisionError):
        world.run()

    (path,) = folder.iterdir()
    (end,) = read_trace(path).of_kind("end")
    assert "Traceback (most recent call last)" in end["traceback"]
    assert "in _send" in end["traceback"] and "ZeroDivisionError: with" in end["traceback"]
    assert KEY not in path.read_text(encoding="utf-8")
    assert any("in _send" in line for line in trace_lines(read_trace(path)))


def test_the_log_of_a_run_that_ended_otherwise_has_no_traceback(
    scripts: SqlScriptStore, tmp_path: Path
) -> None:
    folder = tmp_path / "log"

    World(scripts, ["no edit at all"] * 9, DIRECT, journals=RunFiles(folder)).run()

    (path,) = folder.iterdir()
    (end,) = read_trace(path).of_kind("end")
    assert "traceback" not in end
