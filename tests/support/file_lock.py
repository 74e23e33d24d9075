"""Another process that has the write lock of SQLite files, for as long as a test likes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HOLD = """
import sqlite3, sys
held = []
for path in sys.argv[1:]:
    connection = sqlite3.connect(path, isolation_level=None, timeout=60)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    held.append(connection)
print("held", flush=True)
sys.stdin.readline()
"""


class LockHolder:
    """A process that began to write to some files and did not end it."""

    def __init__(self, *paths: Path):
        command = [sys.executable, "-c", _HOLD, *map(str, paths)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == "held\n"

    @property
    def pid(self) -> int:
        return self._process.pid

    def stop(self) -> None:
        """Let the process stand still with its locks, as Ctrl-Z does."""
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOWAIT)  # a signal takes effect a moment later

    def release(self) -> None:
        """Let the process go on, and end without having written anything."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._process.communicate("\n")


@contextmanager
def locked(*paths: Path) -> Iterator[LockHolder]:
    """Keep files locked until the holder is told to release them, or the block ends."""
    holder = LockHolder(*paths)
    try:
        yield holder
    finally:
        holder.release()
