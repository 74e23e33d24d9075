"""A SQLite store in a folder where nothing can be written: how it is read all the same.

A file with write-ahead logging keeps its newest pages in `-wal` and their index in `-shm` beside it. SQLite makes
both to read, unless they are there; where it cannot, it refuses (`mode=ro` alone changes nothing about that). With
`immutable=1` it reads the file alone and takes no locks. That is the whole store as long as no `-wal` holds anything,
and only for a moment: somebody else may be able to write. So it is decided anew for every connection, and a
connection lives for one transaction.

A file that cannot be written in a folder that can be needs none of this.
"""

import os
from collections.abc import MutableMapping
from pathlib import Path
from typing import Any
from urllib.parse import quote


def is_shut_off(path: Path) -> bool:
    """Say whether a store is there whose folder takes no new files."""
    try:
        return path.exists() and not _may_write(path.parent)
    except OSError:  # a folder that may not be entered; opening the file tells of it
        return False


def has_unfinished(path: Path) -> bool:
    """Say whether the store has pages beside it that its own file lacks, left by a program that broke off or still runs."""
    return any(_holds_something(Path(f"{path}{end}")) for end in ("-wal", "-journal"))


def read_alone(arguments: list[Any], options: MutableMapping[str, Any]) -> None:
    """Let the driver open the file alone where that shows the whole store; its arguments are changed for that."""
    path = Path(str(arguments[0]))
    if is_shut_off(path) and not has_unfinished(path):
        arguments[0] = f"file:{quote(str(path))}?mode=ro&immutable=1"
        options["uri"] = True


def _may_write(folder: Path) -> bool:
    return os.access(folder, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _holds_something(path: Path) -> bool:
    try:
        return path.stat().st_size > 0
    except OSError:
        return False
