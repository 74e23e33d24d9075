"""Items of a batch, one by one: how they are read, begun and given up."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from typing import cast

import sqlalchemy as sa
from sqlmodel import Session, col, select

from script_editor.domain.batches import (
    ENDED,
    Change,
    Item,
    ItemState,
    Job,
    Wishes,
)
from script_editor.domain.findings import Finding
from script_editor.errors import NotFound
from script_editor.store import proposals
from script_editor.store.batches import counts, plans
from script_editor.store.batches.clock import now
from script_editor.store.rows import storable
from script_editor.store.schema.batches import BatchRow, ItemRow
from script_editor.store.schema.proposals import ProposalRow


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
    row = find(session, batch_id, seq)
    found = value(session, row)
    return replace(found, warnings=_warnings(session, [row]).get(row.proposal_id or "", ()))


def listed(
    session: Session,
    batch_id: str,
    *,
    states: Collection[ItemState] | None,
    after: int,
    seqs: Collection[int] | None,
    limit: int | None,
) -> tuple[Item, ...]:
    """Return items of a batch; see `BatchStore.items`."""
    common = plans.find(session, batch_id).instruction
    statement = select(ItemRow).where(ItemRow.batch_id == batch_id, col(ItemRow.seq) > after)
    if states is not None:
        statement = statement.where(col(ItemRow.state).in_(states))
    if seqs is not None:
        statement = statement.where(col(ItemRow.seq).in_(seqs))
    rows = session.exec(statement.order_by(col(ItemRow.seq)).limit(limit)).all()
    warnings = _warnings(session, rows)
    return tuple(_value(row, common, warnings.get(row.proposal_id or "", ())) for row in rows)


def changes(
    session: Session, batch_id: str, *, states: Collection[ItemState], since: datetime
) -> tuple[Change, ...]:
    """Return which items changed; see `BatchStore.changes`."""
    plans.find(session, batch_id)
    statement = (
        select(ItemRow.seq, ItemRow.attempt, ItemRow.updated_at)
        .where(ItemRow.batch_id == batch_id, col(ItemRow.updated_at) >= since)
        .where(col(ItemRow.state).in_(states))
        .order_by(col(ItemRow.updated_at), col(ItemRow.seq))
    )
    return tuple(Change(*row) for row in session.exec(statement))


def _warnings(session: Session, rows: Sequence[ItemRow]) -> dict[str, tuple[Finding, ...]]:
    """Return what the checks said of the proposals of items that are "done"; one of which they said nothing is left
    out."""
    ids = [row.proposal_id for row in rows if row.state == "done" and row.proposal_id is not None]
    found: dict[str, tuple[Finding, ...]] = {}
    for some in plans.chunks(ids, plans.CHUNK):
        warned = select(ProposalRow.id, ProposalRow.findings).where(
            col(ProposalRow.id).in_(some), has_findings()
        )
        found.update((id, tuple(map(proposals.finding, records))) for id, records in session.exec(warned))
    return found


def has_findings() -> sa.ColumnElement[bool]:
    """Return the condition that the checks said something of a proposal."""
    return sa.cast(col(ProposalRow.findings), sa.Text) != "[]"


def begin(
    session: Session, batch_id: str, seq: int, attempt: int, *, worker_id: str, instead_of: str | None
) -> Item:
    """Mark an item as running; see `BatchStore.begin_item`."""
    row = find(session, batch_id, seq, lock=True)
    is_free = row.worker_id in (None, worker_id, instead_of)
    if row.state not in ENDED and row.attempt == attempt and is_free:
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


def put_back(session: Session, batch_id: str, seq: int, *, worker_id: str, is_stray: bool) -> bool:
    """Queue an item again that its worker gave up, or that was taken away from it; see `BatchStore.put_back`."""
    row = find(session, batch_id, seq, lock=True)
    is_own = row.state == "running" and row.worker_id == worker_id
    if not is_own or not (is_stray or plans.find(session, batch_id).state == "paused"):
        return False
    change(session, row, "queued", worker_id=None)
    return True


def count_crash(
    session: Session, batch_id: str, seq: int, *, worker_id: str, max_crashes: int, reason: str
) -> Item:
    """Note that the worker of an item is gone; see `BatchStore.count_crash`."""
    row = find(session, batch_id, seq, lock=True)
    if row.state == "running" and row.worker_id == worker_id:
        _crash(session, row, max_crashes=max_crashes, reason=reason)
    return value(session, row)


def _crash(session: Session, row: ItemRow, *, max_crashes: int, reason: str = "") -> None:
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


def take_over(
    session: Session,
    batch_id: str,
    seq: int,
    *,
    worker_id: str,
    by: str,
    alive: Collection[str],
    max_crashes: int,
) -> Item | None:
    """Let one of those who look after the others take an item over; see `BatchStore.take_over`."""
    row = find(session, batch_id, seq, lock=True)
    if row.state == "running" and row.worker_id == worker_id:
        _crash(session, row, max_crashes=max_crashes)
    if row.state in ("queued", "cancelled"):
        if row.worker_id in alive and row.worker_id != by:
            return None
        row.worker_id = by
        session.add(row)
        session.flush()
    return value(session, row)


def leave(session: Session, worker_id: str, changes: counts.Changes) -> None:
    """Queue the items again that a worker has left in order: nothing went wrong with them."""
    is_left = col(ItemRow.worker_id) == worker_id, col(ItemRow.state) == "running"
    # Who changes many items of a batch holds it: else two could lock the same items in different orders.
    their = select(ItemRow.batch_id).where(*is_left).distinct()
    for batch_id in sorted(session.exec(their).all()):
        plans.find(session, batch_id, lock=True)
    left = (
        sa.update(ItemRow)
        .where(*is_left)
        .values(state="queued", worker_id=None, updated_at=now(session))
        .returning(col(ItemRow.batch_id), col(ItemRow.seq))
    )
    for batch_id, seq in session.connection().execute(left):
        changes.move(batch_id, seq, "running", "queued")


def value(session: Session, row: ItemRow) -> Item:
    """Return an item as a value."""
    common = row.instruction
    if common is None:
        common = session.exec(select(BatchRow.instruction).where(BatchRow.id == row.batch_id)).one()
    return _value(row, common)


def _value(row: ItemRow, common: str, warnings: tuple[Finding, ...] = ()) -> Item:
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
            columns=tuple((name, cell) for name, cell in row.cells or ()),
        ),
        state=cast(ItemState, row.state),
        worker_id=row.worker_id,
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
        warnings=warnings,
    )
