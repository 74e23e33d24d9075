"""Which process keeps others from writing a SQLite file: what it says of itself is only that somebody does.

Linux tells it, for the processes that one may see; elsewhere nobody knows.
"""

import os
from pathlib import Path
from typing import NamedTuple

_WRITER = 120
"""The byte of the `-shm` file that SQLite locks for a writer, in a file with write-ahead logging."""
_STOPPED = "Tt"


class Holder(NamedTuple):
    """A process with the write lock; one that `stands_still` was stopped, and keeps it until it is let go on."""

    pid: int
    stands_still: bool


def writer_of(path: Path) -> Holder | None:
    """Return the other process that has the write lock of a file with write-ahead logging, None where nobody knows."""
    try:
        inode = Path(f"{path}-shm").stat().st_ino
        locks = Path("/proc/locks").read_text(encoding="ascii")
    except (OSError, ValueError):
        return None
    pids = {_pid_of_writer(line.split(), inode) for line in locks.splitlines()} - {0, os.getpid()}
    return next((Holder(pid, _stands_still(pid)) for pid in pids), None)


def _pid_of_writer(words: list[str], inode: int) -> int:
    """Return who has the lock that a line tells of, 0 where it is another one: `9: POSIX ADVISORY WRITE 17 fe:00:35 120 120`."""
    match words:
        case [_, "POSIX", _, "WRITE", pid, file, first, last]:
            is_it = file.rpartition(":")[2] == str(inode) and first.isdigit() and int(first) <= _WRITER
            return int(pid) if is_it and (last == "EOF" or int(last) >= _WRITER) and pid.isdigit() else 0
        case _:
            return 0


def _stands_still(pid: int) -> bool:
    try:
        found = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return found.rpartition(")")[2].split()[0] in _STOPPED  # the name before it may hold anything
