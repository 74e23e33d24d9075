"""What the databases' drivers complain about, said in one sentence of ours.

No driver's exception leaves the store. Sentences name the place of the store and never a password.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoFreeConnection

from script_editor.errors import (
    SetupError,
    StoreDamaged,
    StoreFull,
    StoreLocked,
    StoreUnreachable,
    StoreUnusable,
)
from script_editor.store.holders import Holder, writer_of
from script_editor.store.read_only import has_unfinished, is_shut_off


class _Meaning(NamedTuple):
    """How one kind of complaint is reported; the sentence continues the place's name."""

    kind: type[SetupError]
    sentence: str
    hint: str


_FULL = _Meaning(
    StoreFull, "cannot grow: the disk or its quota is full; nothing was written.", "Free space and try again."
)
_LOCKED = _Meaning(
    StoreLocked,
    "was locked by another process for too long; nothing was written.",
    "Try again; if it stays locked, look for a program that keeps it open, or was stopped (as by Ctrl-Z) in a write.",
)
_STOOD_STILL = _Meaning(
    StoreLocked,
    "ended a write in which this program stood still (as by Ctrl-Z, or a machine that slept); nothing was written.",
    "Try again.",
)
_READ_ONLY = _Meaning(
    StoreUnusable,
    "cannot be written: the file or its folder is read-only.",
    "Check its owner and mode, or name another store.",
)
_DENIED = _Meaning(
    StoreUnusable, "cannot be opened: permission denied.", "Check its owner and mode, or name another store."
)
_NOT_A_DATABASE = _Meaning(
    StoreUnusable, "is not a SQLite database; it was left as it is.", "Name another file."
)
_DAMAGED = _Meaning(StoreDamaged, "is damaged.", "Restore a backup; keep the damaged file until that worked.")
_DISK_ERROR = _Meaning(
    StoreUnusable,
    "cannot be read or written: the disk reports an error.",
    "Check the disk, and whether it is local.",
)
_BROKEN_RULE = _Meaning(
    StoreDamaged,
    "refused a write that its own rules should allow; nothing was written.",
    "Its history may not fit together: keep a copy of the store, and restore a backup.",
)
_UNREACHABLE = _Meaning(
    StoreUnreachable, "cannot be reached.", "Check the address, and that the server is running."
)
_CROWDED = _Meaning(
    StoreUnreachable,
    "takes no further connection: as many are open as its server allows.",
    "Run fewer processes at a time, or let the server take more (max_connections, or the limit of the role).",
)
_PASSWORD = _Meaning(
    StoreUnusable, "refused the user or the password.", "Check both in the address of the store."
)
_NO_DATABASE = _Meaning(StoreUnusable, "does not exist on that server.", "Create it first: createdb NAME")

_STATE_OF_SERVER = "the database system is"
"""Begins what a server says that starts up, shuts down, or recovers."""

_SQLITE = {
    sqlite3.SQLITE_PERM: _DENIED,
    sqlite3.SQLITE_BUSY: _LOCKED,
    sqlite3.SQLITE_LOCKED: _LOCKED,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _DISK_ERROR,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CONSTRAINT: _BROKEN_RULE,
    sqlite3.SQLITE_NOTADB: _NOT_A_DATABASE,
}
# The first match decides: a class of codes stands after its members.
_SQLSTATES = {
    "53100": _FULL,
    "55P03": _LOCKED,
    "40P01": _LOCKED,
    "40001": _LOCKED,
    "42501": _DENIED,
    "25006": _READ_ONLY,
    "25P03": _STOOD_STILL,
    "23": _BROKEN_RULE,
    "28": _PASSWORD,
    "3D000": _NO_DATABASE,
    "53300": _CROWDED,
    "08": _UNREACHABLE,
    "57P": _UNREACHABLE,
}
# A connection that fails carries no code, only the words of libpq and the server; the first match decides.
_REFUSALS = {
    "too many clients": _CROWDED,
    "too many connections": _CROWDED,
    "connection slots are reserved": _CROWDED,
    "password authentication failed": _PASSWORD,
    "no password supplied": _PASSWORD,
    "role ": _PASSWORD,
    "no pg_hba.conf entry": _PASSWORD,
    "does not exist": _NO_DATABASE,
    "failed to resolve host": _UNREACHABLE,
    "permission denied": _DENIED,
    "connection": _UNREACHABLE,
}


@contextmanager
def explained(url: sa.URL) -> Iterator[None]:
    """Turn what a driver raises inside the block into a SetupError; other errors pass unchanged.

    Raises:
        StoreFull: the disk, the quota or the database is full.
        StoreDamaged: the file is corrupt, or a constraint refused what the program's own checks allowed.
        StoreLocked: another process did not let go of it in time.
        StoreUnreachable: the server does not answer, or takes no further connection.
        StoreUnusable: everything else: read-only, refused.
    """
    try:
        yield
    except DBAPIError as error:
        raise explanation(error, url) from error
    except NoFreeConnection as error:
        raise StoreUnreachable(
            f"{place(url)} has no free connection: too many threads use it at once.",
            hint="Run fewer at a time.",
        ) from error


def explanation(error: DBAPIError, url: sa.URL) -> SetupError:
    """Return what `explained` raises in the place of an error."""
    cause = error.orig
    if isinstance(cause, sqlite3.Error):
        # The low byte is the kind; the rest says which of its variants.
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_CANTOPEN:
            return _why_not_opened(Path(url.database or ""))
        meaning = _SQLITE.get(code)
    else:
        meaning = _postgres_meaning(cause)
    if meaning is None:
        return StoreUnusable(f"{place(url)} cannot be used: {_first_line(cause, url)}")
    if meaning is _LOCKED and (holder := _holder(url)) is not None:
        return _locked_by(holder, url)
    detail = "" if meaning.kind is StoreFull else f" ({_first_line(cause, url)})"
    return meaning.kind(f"{place(url)} {meaning.sentence}{detail}", hint=meaning.hint)


def _holder(url: sa.URL) -> Holder | None:
    is_file = url.get_backend_name() == "sqlite" and url.database
    return writer_of(Path(url.database or "")) if is_file else None


def _locked_by(holder: Holder, url: sa.URL) -> StoreLocked:
    if not holder.stands_still:
        return StoreLocked(
            f"{place(url)} was locked by process {holder.pid} for too long; nothing was written.",
            hint="Try again when that process is done, or end it.",
        )
    return StoreLocked(
        f"{place(url)} is locked by process {holder.pid}, which was stopped (as by Ctrl-Z) while it wrote; "
        "nothing was written.",
        hint=f"Let it go on (fg, or kill -CONT {holder.pid}) or end it (kill -9 {holder.pid}), and try again: "
        "neither loses anything.",
    )


def is_for_now(error: BaseException) -> bool:
    """Say whether a server that is there refused a connection only for the moment: as many are open as it allows, or it
    is about to start or to stop."""
    return _postgres_meaning(error) is _CROWDED or _STATE_OF_SERVER in str(error)


def is_away(error: BaseException) -> bool:
    """Say whether nobody answered at the address of a server."""
    return _postgres_meaning(error) is _UNREACHABLE


def is_lost_connection(error: SetupError) -> bool:
    """Say whether an error of `explained` is that a connection, which there was, broke."""
    cause = error.__cause__
    return isinstance(cause, DBAPIError) and cause.connection_invalidated


def place(url: sa.URL) -> str:
    """Return how a sentence names this store: its path, or database and host; never user or password."""
    if url.get_backend_name() == "sqlite":
        return f"The store {url.database}"
    host = url.host or url.query.get("host") or "this machine"
    return f"The PostgreSQL database {url.database!r} on {host if isinstance(host, str) else ', '.join(host)}"


def _postgres_meaning(cause: BaseException | None) -> _Meaning | None:
    state = getattr(cause, "sqlstate", None)
    if state is None:
        words = str(cause)
        return next((meaning for part, meaning in _REFUSALS.items() if part in words), None)
    return next((meaning for start, meaning in _SQLSTATES.items() if state.startswith(start)), None)


def _why_not_opened(path: Path) -> StoreUnusable:
    # SQLite says "unable to open database file" for all of these.
    try:
        if is_shut_off(path) and has_unfinished(path):
            return StoreUnusable(
                f"The store {path} cannot be read: a program broke off while it wrote, and the folder is read-only.",
                hint="List the scripts once where the folder can be written, or copy it with its -wal file.",
            )
        if path.is_dir():
            return StoreUnusable(f"{path} is a folder, not a store.", hint="Name a file in it.")
        if not path.parent.is_dir():
            return StoreUnusable(
                f"There is no folder {path.parent}, so there is no store in it.",
                hint="Create the folder, or name another store.",
            )
    except PermissionError:
        pass
    return StoreUnusable(f"The store {path} {_DENIED.sentence}", hint=_DENIED.hint)


def _first_line(cause: BaseException | None, url: sa.URL) -> str:
    lines = str(cause).strip().splitlines()
    line = lines[0] if lines else type(cause).__name__
    return line.replace(str(url.password), "***") if url.password else line
