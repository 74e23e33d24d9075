"""Items of a batch: how they are read, begun, taken up again and given up."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlmodel import Session, col, select

from script_editor.domain.batches import ENDED, Item, ItemState, Job, Wishes
from script_editor.errors import NotFound
from script_editor.store.batches import counts, plans
from script_editor.store.batches.clock import now
from script_editor.store.rows import storable
from script_editor.store.schema.batches import BatchRow, ItemRow
from script_editor.store.schema.scripts import ScriptRow, VersionRow

_Moved = list[tuple[int, ItemState, ItemState]]


def find(session: Session, batch_id: str, seq: int, *, lock: bool = False) -> ItemRow:
    """Return the row of an item; with `lock`, nobody else changes it until the end.

    Raises:
        BatchNotFound, NotFound: there is no such batch, or no such item in it.
    """
    statement = select(ItemRow).where(ItemRow.batch_id == batch_id, ItemRow.seq == seq)
    if lock:
        statement = statement.with_for_update()
    row = session.exec(statement, execution_options={"populate_existing": True}).first()
    if row is None:
        plans.find(session, batch_id)
        raise NotFound(f"Batch {batch_id} has no item {seq}.")
    return row


def read(session: Session, batch_id: str, seq: int) -> Item:
    """Return one item. Raises BatchNotFound, NotFound."""
    return value(session, find(session, batch_id, seq))


def listed(
    session: Session,
    batch_id: str,
    *,
    states: Collection[ItemState] | None,
    after: int,
    changed_since: datetime | None,
    limit: int | None,
) -> tuple[Item, ...]:
    """Return items of a batch; see `BatchStore.items`."""
    common = plans.find(session, batch_id).instruction
    statement = select(ItemRow).where(ItemRow.batch_id == batch_id, col(ItemRow.seq) > after)
    if states is not None:
        statement = statement.where(col(ItemRow.state).in_(states))
    if changed_since is not None:
        statement = statement.where(col(ItemRow.updated_at) >= changed_since)
        statement = statement.order_by(col(ItemRow.updated_at), col(ItemRow.seq))
    else:
        statement = statement.order_by(col(ItemRow.seq))
    return tuple(_value(row, common) for row in session.exec(statement.limit(limit)))


def begin(session: Session, batch_id: str, seq: int, attempt: int, *, worker_id: str) -> Item:
    """Mark an item as running; see `BatchStore.begin_item`."""
    row = find(session, batch_id, seq, lock=True)
    if row.state not in ENDED and row.attempt == attempt:
        change(session, row, "running", worker_id=worker_id)
    return value(session, row)


def change(session: Session, row: ItemRow, state: ItemState, **values: object) -> None:
    """Move an item, whose row is locked, to a state, and count it there."""
    before = cast(ItemState, row.state)
    for name, value in {**values, "state": state, "updated_at": now(session)}.items():
        setattr(row, name, value)
    session.add(row)
    session.flush()
    if before != state:
        counts.move(session, row.batch_id, [(row.seq, before, state)])


def reopen(session: Session, batch_id: str, states: Collection[ItemState]) -> tuple[Item, ...]:
    """Queue items again, each with its next attempt; see `BatchStore.reopen`."""
    common = plans.find(session, batch_id, lock=True).instruction
    fresh = {
        "attempt": col(ItemRow.attempt) + 1,
        "crashes": 0,
        "error_type": "",
        "error": "",
        "hint": "",
        "notes": [],
        "result_number": None,
        "proposal_id": None,
        "run_id": None,
    }
    moved: _Moved = []
    for state in sorted(states):
        rebased = _rebased() if state == "conflict" else {}
        moved += _move_all(session, batch_id, state, "queued", **fresh, **rebased)
    counts.move(session, batch_id, moved)
    return _by_number(session, batch_id, sorted(seq for seq, _, _ in moved), common)


def _rebased() -> Mapping[str, Any]:
    """Return the values that put an item over its script's head. Over another text it is other work: its key goes."""
    head = sa.select(col(ScriptRow.head_number)).where(col(ScriptRow.id) == col(ItemRow.script_id))
    head_hash = sa.select(col(ScriptRow.head_hash)).where(col(ScriptRow.id) == col(ItemRow.script_id))
    base_hash = sa.select(col(VersionRow.content_hash)).where(
        col(VersionRow.script_id) == col(ItemRow.script_id),
        col(VersionRow.number) == col(ItemRow.base_number),
    )
    is_same = head_hash.scalar_subquery() == base_hash.scalar_subquery()
    return {
        "base_number": head.scalar_subquery(),
        "key": sa.case((is_same, col(ItemRow.key)), else_=""),
    }


def _by_number(session: Session, batch_id: str, seqs: list[int], common: str) -> tuple[Item, ...]:
    found: list[Item] = []
    for some in plans.chunks(seqs, plans.CHUNK):
        rows = select(ItemRow).where(ItemRow.batch_id == batch_id, col(ItemRow.seq).in_(some))
        found += (_value(row, common) for row in session.exec(rows.order_by(col(ItemRow.seq))))
    return tuple(found)


def requeue_cancelled(session: Session, batch_id: str) -> None:
    """Queue cancelled items again on the same attempt: what was finished of them is not repeated."""
    plans.find(session, batch_id, lock=True)
    counts.move(session, batch_id, _move_all(session, batch_id, "cancelled", "queued"))


def cancel_open(session: Session, batch_id: str) -> int:
    """Cancel every item that is not over; see `BatchStore.cancel_open`."""
    plans.find(session, batch_id, lock=True)
    moved = _move_all(session, batch_id, "queued", "cancelled")
    moved += _move_all(session, batch_id, "running", "cancelled")
    # A queued item may have begun between the two; now it is not over, and it was in neither.
    moved += _move_all(session, batch_id, "queued", "cancelled")
    counts.move(session, batch_id, moved)
    return len(moved)


def _move_all(
    session: Session, batch_id: str, before: ItemState, after: ItemState, **values: object
) -> _Moved:
    """Move all items from one state to another, locking their rows; the caller counts them."""
    statement = (
        sa.update(ItemRow)
        .where(col(ItemRow.batch_id) == batch_id, col(ItemRow.state) == before)
        .values(state=after, worker_id=None, updated_at=now(session), **values)
        .returning(col(ItemRow.seq))
        .execution_options(synchronize_session=False)
    )
    return [(seq, before, after) for seq in session.connection().scalars(statement)]


def count_crash(
    session: Session, batch_id: str, seq: int, *, worker_id: str, max_crashes: int, reason: str
) -> Item:
    """Note that the worker of an item is gone; see `BatchStore.count_crash`."""
    row = find(session, batch_id, seq, lock=True)
    if row.state == "running" and row.worker_id == worker_id:
        crashes = row.crashes + 1
        if crashes > max_crashes:
            kind = "trouble" if reason else "crashed"
            error = (
                f"It could not be worked on, {crashes} times; at last: {storable(reason)}"
                if reason
                else f"The program ended {crashes} times while it worked on this item."
            )
            change(session, row, "dead", worker_id=None, crashes=crashes, error_type=kind, error=error)
        else:
            change(session, row, "queued", worker_id=None, crashes=crashes)
    return value(session, row)


def leave(session: Session, worker_id: str) -> None:
    """Queue the items again that a worker has left in order: nothing went wrong with them."""
    left = (
        sa.update(ItemRow)
        .where(col(ItemRow.worker_id) == worker_id, col(ItemRow.state) == "running")
        .values(state="queued", worker_id=None, updated_at=now(session))
        .returning(col(ItemRow.batch_id), col(ItemRow.seq))
    )
    moved: dict[str, _Moved] = {}
    for batch_id, seq in session.connection().execute(left):
        moved.setdefault(batch_id, []).append((seq, "running", "queued"))
    for batch_id, some in sorted(moved.items()):
        counts.move(session, batch_id, some)


def value(session: Session, row: ItemRow) -> Item:
    """Return an item as a value."""
    common = row.instruction
    if common is None:
        common = session.exec(select(BatchRow.instruction).where(BatchRow.id == row.batch_id)).one()
    return _value(row, common)


def _value(row: ItemRow, common: str) -> Item:
    wishes = row.wishes
    return Item(
        batch_id=row.batch_id,
        job=Job(
            seq=row.seq,
            script_id=row.script_id,
            base_number=row.base_number,
            instruction=common if row.instruction is None else row.instruction,
            key=row.key,
            wishes=Wishes(
                target=wishes.get("target"), only=wishes.get("only"), keep=tuple(wishes.get("keep", ()))
            ),
        ),
        state=cast(ItemState, row.state),
        attempt=row.attempt,
        crashes=row.crashes,
        updated_at=row.updated_at,
        error_type=row.error_type,
        error=row.error,
        hint=row.hint,
        result_number=row.result_number,
        proposal_id=row.proposal_id,
        run_id=row.run_id,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        notes=tuple(row.notes),
    )
