"""Many processes write one script at once, and a process is killed while it writes: nothing is lost."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from script_editor.app.scripts import ScriptService
from script_editor.store.sql import open_store
from tests.app.writers import edit_many
from tests.store.support import together

PROCESSES, EDITS = 8, 50
SOAK = "SCRIPT_EDITOR_SOAK" in os.environ


@pytest.mark.parametrize("retry", [True, False], ids=["with retry", "without retry"])
def test_no_writer_is_silently_overwritten(store_url: str, retry: bool) -> None:
    with open_store(store_url, create=False) as store:
        ScriptService(store).new("video_001", "start\n", author="tester")

    results = [result.split("\n") for result in together(PROCESSES, edit_many, store_url, EDITS, retry)]
    conflicts = sum(int(lines[0]) for lines in results)
    saved = [text for lines in results for text in lines[1:]]

    with open_store(store_url, create=False) as store:
        history = store.history("video_001")
        texts = [store.version("video_001", version.number).text.strip() for version in history]
        assert store.verify() == ()
    assert len(saved) == PROCESSES * EDITS - (0 if retry else conflicts)
    assert [version.number for version in history] == list(range(1 + len(saved), 0, -1))
    assert sorted(texts) == sorted(["start", *saved])


def killed_edit(database: Path, number: int, patience: float) -> bool:
    """Start one edit in a process of its own and kill it after `patience` seconds; say whether it ended well before."""
    process = subprocess.Popen(
        [sys.executable, "-m", "script_editor", "--db", str(database), "--model", "offline",
         "edit", "video_001", f"把第1行改成“第{number}次的内容”", "--yes", "-q"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        return process.wait(timeout=patience) == 0
    except subprocess.TimeoutExpired:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        return False


@pytest.mark.soak
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no kill -9")
def test_killing_the_program_at_any_moment_leaves_a_sound_store(tmp_path: Path) -> None:
    database = tmp_path / "store.db"
    with open_store(str(database), create=True) as store:
        ScriptService(store).new("video_001", "开头\n第二行\n", author="tester")
    started = time.perf_counter()
    assert killed_edit(database, 0, 60)
    usual = time.perf_counter() - started
    finished = {0}

    for number in range(1, 250 if SOAK else 50):
        if killed_edit(database, number, random.uniform(0.1, 1.3) * usual):
            finished.add(number)

    with open_store(str(database), create=False) as store:
        assert store.verify() == ()
        texts = {store.version("video_001", v.number).text for v in store.history("video_001")}
    written = {f"第{number}次的内容\n第二行\n": number for number in range(250)}
    assert texts - {"开头\n第二行\n"} <= set(written)
    assert finished <= {written[text] for text in texts & set(written)}
    for command in (["history", "video_001"], ["show", "video_001"], ["undo", "video_001"], ["proposals"]):
        done = subprocess.run(
            [sys.executable, "-m", "script_editor", "--db", str(database), *command],
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
