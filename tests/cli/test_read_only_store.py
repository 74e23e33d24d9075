"""A store that cannot be written: what shows something works, and what writes says so in one sentence."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import Command

WITHOUT_RIGHTS = "-dac_override,-dac_read_search"
"""What lets root pass by modes."""


@pytest.fixture(params=["folder", "file"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "there"
    folder.mkdir()
    path = folder / "store.db"
    assert Command(path)("seeds", "load").exit_code == 0
    locked = folder if request.param == "folder" else path
    before = locked.stat().st_mode
    locked.chmod(0o500 if request.param == "folder" else 0o400)
    yield path
    locked.chmod(before)


def run(database: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run a command as somebody for whom modes count."""
    as_anyone = []
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("root passes by modes, and there is no setpriv to take that right away")
        as_anyone = ["setpriv", f"--bounding-set={WITHOUT_RIGHTS}", f"--inh-caps={WITHOUT_RIGHTS}"]
    state = str(database.parent.parent / "state")
    return subprocess.run(
        [*as_anyone, sys.executable, "-m", "script_editor", "--db", str(database), "--model", "offline", *arguments],
        capture_output=True, text=True, encoding="utf-8", check=False, timeout=60,
        env={**os.environ, "SCRIPT_EDITOR_STATE": state},
    )  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [["show", "video_001"], ["history", "video_003"], ["list"], ["diff", "video_003"], ["log"]],
    ids=" ".join,
)
def test_what_shows_something_works(database: Path, arguments: list[str]) -> None:
    ran = run(database, *arguments)

    assert (ran.returncode, "Error" in ran.stderr) == (0, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ["edit", "video_001", "把“频道”改成“节目”", "--yes"],
        ["undo", "video_003"],
        ["new", "video_099", "--text", "大家好。"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_writes_is_refused_in_one_sentence(database: Path, arguments: list[str]) -> None:
    ran = run(database, *arguments)

    assert ran.returncode == 6
    assert ran.stderr.count("Error: ") == 1
    assert "cannot be written: the file or its folder is read-only" in ran.stderr
