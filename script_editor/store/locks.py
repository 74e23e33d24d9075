"""Locks: what the versions of a script must keep. A lock is released, never deleted."""

from typing import TYPE_CHECKING, cast

from sqlmodel import Session, col, select, update

from script_editor.domain.script import utc_now
from script_editor.errors import NotFound, StaleHead
from script_editor.store import rows, shelf
from script_editor.store.schema.locks import LockRow

if TYPE_CHECKING:
    from script_editor.domain.locks import Lock, LockKind


def active(session: Session, script_id: str) -> "tuple[Lock, ...]":
    """Return the locks that hold, oldest first; none for a script that is not there."""
    statement = select(LockRow).where(LockRow.script_id == script_id, col(LockRow.released_at).is_(None))
    return tuple(_value(row) for row in session.exec(statement.order_by(col(LockRow.seq))))


def add(
    session: Session,
    script_id: str,
    *,
    kind: "LockKind",
    text: str,
    occurrences: int,
    since_number: int,
    author: str,
    note: str,
) -> "Lock":
    """Keep a lock, or return the one that holds as much of the same; see `ScriptStore.add_lock`."""
    # Under the lock of the script: no version can be added between the look at the head and this row.
    script = shelf.find_writable(session, script_id, lock=True)
    held = next((lock for lock in active(session, script_id) if (lock.kind, lock.text) == (kind, text)), None)
    if held is not None and held.occurrences >= occurrences:
        return held
    if script.head_number != since_number:
        raise StaleHead(script_id, expected=since_number, actual=script.head_number)
    if held is not None:  # the text stands more often now, and all of it is to be kept
        release(session, str(held.id), released_by=author)
    row = LockRow(
        id=rows.new_id(session, LockRow, "k"),
        script_id=script_id,
        kind=kind,
        text=text,
        occurrences=occurrences,
        since_number=since_number,
        reason=note,
        author=author,
        created_at=utc_now(),
    )
    rows.add(session, row)
    return _value(row)


def release(session: Session, lock_id: str, *, released_by: str) -> "Lock":
    """Close a lock that holds; see `ScriptStore.release_lock`."""
    rows.check_texts(LockRow, released_by=released_by)
    # The condition decides between two who release at once.
    released = session.exec(
        update(LockRow)
        .where(col(LockRow.id) == lock_id, col(LockRow.released_at).is_(None))
        .values(released_at=utc_now(), released_by=released_by)
    )
    row = session.exec(select(LockRow).where(LockRow.id == lock_id)).first()
    if row is None:
        raise NotFound(f"There is no lock {lock_id!r}.")
    if released.rowcount != 1:
        raise NotFound(f"Lock {lock_id} was released before, by {row.released_by}.")
    return _value(row)


def _value(row: LockRow) -> "Lock":
    # Late: the rules about locks need not load at every start, only where there is a lock.
    from script_editor.domain.locks import Lock

    return Lock(
        kind=cast("LockKind", row.kind),
        text=row.text,
        occurrences=row.occurrences,
        id=row.id,
        note=row.reason,
    )
