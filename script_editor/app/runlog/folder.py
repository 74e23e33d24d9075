"""Which log files there are, and which of them may go. A file whose run goes on is never removed.

A file is named for the moment its run began and the run's id, so that names sort by age. Its writer holds
a lock on it, which ends with the writer, however that ends.
"""

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

_NAME = re.compile(r"(\d{8}T\d{6})Z-([A-Za-z0-9._-]{1,80})\.jsonl")
_STAMP = "%Y%m%dT%H%M%S"
_FEW_FILES, _SHARE = 256, 16
_LOOK_AGAIN = timedelta(minutes=1)
_TALLY = "unmeasured"
"""This file has a byte for each run since the sizes were last looked at; without it they are looked at."""
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
"""Opens nothing that has another end to wait for, and nothing in another place. Windows knows neither."""


@dataclass(frozen=True, slots=True)
class LogFile:
    """The log of one run; `started` is exact to the second."""

    path: Path
    run_id: str
    started: datetime
    bytes: int


def file_name(run_id: str, started: datetime) -> str:
    """Return the name of the log of a run."""
    return f"{started.astimezone(UTC).strftime(_STAMP)}Z-{run_id}.jsonl"


class LogFolder:
    """The log files in one folder, which need not be there."""

    def __init__(self, folder: Path):
        self._folder = folder
        self._count, self._looked = 0, datetime.min.replace(tzinfo=UTC)
        """How many logs were left at the last look, and when that was."""

    @property
    def path(self) -> Path:
        """Where it is."""
        return self._folder

    def files(self) -> tuple[LogFile, ...]:
        """Return all logs, newest first; a folder that is not there or cannot be read has none."""
        return tuple(sorted(self._found(), key=lambda file: file.path.name, reverse=True))

    def find(self, run_id: str) -> LogFile | None:
        """Return the newest log of the run with this id, None when there is none."""
        return next((file for file in self.files() if file.run_id == run_id), None)

    def remove(self, files: Sequence[LogFile]) -> tuple[LogFile, ...]:
        """Remove logs and return those that are gone; one whose run goes on stays."""
        return tuple(file for file in files if _removed(file.path))

    def rotate(self, *, max_bytes: float, max_age: timedelta, now: datetime) -> None:
        """Remove the logs that are too old, and the oldest ones while all together are too large.

        Sizes take a question to the system for each file. So among very many they are looked at only when a
        sixteenth as many runs as there are logs have begun since; and until then a process that runs one after
        another looks only once a minute which there are.
        """
        names = None if self._count > _FEW_FILES else self._sorted_names()
        count = self._count if names is None else len(names)
        is_due = count <= _FEW_FILES or self._is_due(count)
        if names is None:
            if not is_due and now - self._looked < _LOOK_AGAIN:
                return
            names = self._sorted_names()
        gone = self._remove_most(names, max_bytes, file_name("", now - max_age), measured=is_due)
        self._count, self._looked = len(names) - gone, now

    def _sorted_names(self) -> list[str]:
        return sorted(self._names())

    def _remove_most(self, names: Sequence[str], max_bytes: float, too_old: str, *, measured: bool) -> int:
        """Remove from the first on what has to go, and return how many that were."""
        sizes = [self._size(name) if measured else 0 for name in names]
        total, gone = sum(sizes), 0
        for name, size in zip(names, sizes, strict=True):
            if total <= max_bytes and name >= too_old:
                break
            if _removed(self._folder / name):
                total, gone = total - size, gone + 1
        return gone

    def _is_due(self, count: int) -> bool:
        """Count one more run; say whether there were so many, among `count` logs, that sizes are looked at again."""
        try:
            tally = os.open(self._folder / _TALLY, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _AT_ONCE, 0o600)
        except OSError:
            return True
        try:
            os.write(tally, b".")
            is_due = os.fstat(tally).st_size * _SHARE >= count
            if is_due:
                os.ftruncate(tally, 0)
        except OSError:
            return True
        finally:
            os.close(tally)
        return is_due

    def _names(self) -> Iterator[str]:
        with suppress(OSError), os.scandir(self._folder) as entries:
            yield from (entry.name for entry in entries if _NAME.fullmatch(entry.name) and _is_plain(entry))

    def _found(self) -> Iterator[LogFile]:
        for name in self._names():
            named = _NAME.fullmatch(name)
            assert named is not None, "only such names are found"
            with suppress(ValueError):  # it is no date
                started = datetime.strptime(named[1], _STAMP).replace(tzinfo=UTC)
                yield LogFile(self._folder / name, named[2], started, self._size(name))

    def _size(self, name: str) -> int:
        try:
            return (self._folder / name).stat().st_size
        except OSError:  # it went meanwhile
            return 0


def hold(descriptor: int) -> bool:
    """Mark an open log as that of a run that goes on; False when another process has done so.

    The mark ends when the file is closed, by whatever end of the process.
    """
    try:
        import fcntl  # late: it is there on POSIX only
    except ModuleNotFoundError:  # Windows does not remove a file that is open
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # held, or on a file system that knows no locks: then it stays
        return False
    return True


def _is_plain(entry: "os.DirEntry[str]") -> bool:
    """Say whether it is a file: what only has a log's name, such as a pipe or a link, is none."""
    try:
        return entry.is_file(follow_symlinks=False)
    except OSError:  # it went meanwhile
        return False


def _removed(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | _AT_ONCE)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        if not (stat.S_ISREG(os.fstat(descriptor).st_mode) and hold(descriptor)):
            return False
        path.unlink(missing_ok=True)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
