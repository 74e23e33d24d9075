"""How often the folder of logs is looked through: a batch begins many runs, and there may be very many logs."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from script_editor.app.runlog.folder import LogFolder, file_name

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
MONTH = timedelta(days=30)
MANY, FEW = 320, 200


def fill(folder: Path, count: int) -> LogFolder:
    for number in range(count):
        add(folder, f"r-{number:04d}", NOW - timedelta(days=1) + timedelta(seconds=number))
    return LogFolder(folder)


def add(folder: Path, run_id: str, started: datetime) -> Path:
    path = folder / file_name(run_id, started)
    path.write_bytes(b"x" * 1000)
    return path


def add_old(folder: Path) -> Path:
    """Add a log that has to go at the next look."""
    return add(folder, "r-old", NOW - timedelta(days=40))


def rotate(logs: LogFolder, now: datetime = NOW, *, max_bytes: float = 1e9) -> None:
    logs.rotate(max_bytes=max_bytes, max_age=MONTH, now=now)


def test_among_very_many_logs_the_next_runs_look_at_none(tmp_path: Path) -> None:
    logs = fill(tmp_path, MANY)
    rotate(logs)
    old = add_old(tmp_path)

    for _ in range(5):
        rotate(logs, NOW + timedelta(seconds=59))

    assert old.exists()


def test_they_are_looked_at_once_a_minute(tmp_path: Path) -> None:
    logs = fill(tmp_path, MANY)
    rotate(logs)
    old = add_old(tmp_path)

    rotate(logs, NOW + timedelta(seconds=61))

    assert not old.exists()


def test_they_are_measured_after_a_sixteenth_as_many_runs(tmp_path: Path) -> None:
    logs = fill(tmp_path, MANY)

    left = []
    for _ in range(MANY // 16):
        rotate(logs, max_bytes=100_000)
        left.append(len(logs.files()))

    assert [MANY] * (MANY // 16 - 1) + [100] == left


def test_runs_of_other_processes_count_as_well(tmp_path: Path) -> None:
    folders = [fill(tmp_path, MANY), LogFolder(tmp_path)]

    for number in range(MANY // 16):
        rotate(folders[number % 2], max_bytes=100_000)

    assert 100 == len(folders[0].files())


@pytest.mark.parametrize("before", [0, FEW])
def test_few_logs_are_looked_at_for_every_run(tmp_path: Path, before: int) -> None:
    logs = fill(tmp_path, before)
    rotate(logs)
    old = add_old(tmp_path)

    rotate(logs)

    assert not old.exists()
    assert not (tmp_path / "unmeasured").exists()
