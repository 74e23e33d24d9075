"""Streams that are closed or full, as of a job that a clock starts: the work is done, and the exit code tells."""

import subprocess
import sys
from pathlib import Path

import pytest

DO = "把“频道”改成“直播间”"


def ran(folder: Path, command: str, redirected: str) -> "subprocess.CompletedProcess[str]":
    """Run a command of the program in a shell, with its streams redirected."""
    program = f"{sys.executable} -m script_editor --db {folder}/s.db -m offline"
    environment = {
        "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(filter(None, sys.path)), "HOME": str(folder),
        "SCRIPT_EDITOR_STATE": str(folder / "state"), "LANG": "C.UTF-8",
    }  # fmt: skip
    return subprocess.run(
        ["bash", "-c", f"{program} {command} {redirected}"], cwd=folder, env=environment, check=False,
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ep_1.txt").write_text("欢迎来到频道。\n", encoding="utf-8")
    assert ran(tmp_path, "import ep_1.txt", "").returncode == 0
    return tmp_path


@pytest.mark.parametrize("redirected", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_a_closed_stream_stops_nothing(folder: Path, redirected: str) -> None:
    made = ran(folder, f"batch plan ep_1 --do {DO}", redirected)
    edited = ran(folder, f"edit ep_1 {DO} --yes", redirected)

    assert (made.returncode, edited.returncode) == (0, 0)
    assert "Traceback" not in made.stderr + edited.stderr
    assert ran(folder, "show ep_1", "").stdout == "欢迎来到直播间。\n"
    assert len(ran(folder, "batch list", "").stdout.splitlines()) >= 1


@pytest.mark.parametrize("redirected", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_what_is_opened_later_does_not_become_a_closed_stream(folder: Path, redirected: str) -> None:
    """What is written to stderr would stand in the store else."""
    assert ran(folder, "show nobody", redirected).returncode == 3

    assert ran(folder, "show ep_1", "").stdout == "欢迎来到频道。\n"


@pytest.mark.parametrize(("redirected", "said"), [(">/dev/full", "No space left"), (">/dev/full 2>&1", "")])
def test_a_full_stdout_fails_without_a_traceback(folder: Path, redirected: str, said: str) -> None:
    told = ran(folder, "show ep_1", redirected)

    assert told.returncode == 1
    assert said in told.stderr and "Traceback" not in told.stderr
