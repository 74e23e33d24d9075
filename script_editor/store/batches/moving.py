"""Many items of a batch at once: taken up, tried again, cancelled."""

from collections.abc import Callable, Collection, Mapping
from typing import Any

import sqlalchemy as sa
from sqlmodel import Session, col

from script_editor.domain.batches import Batch, BatchState, Bounds, ItemState, Target
from script_editor.domain.script import utc_now
from script_editor.store.batches import counts, plans
from script_editor.store.batches.clock import now
from script_editor.store.schema.batches import ItemRow
from script_editor.store.schema.proposals import ProposalRow
from script_editor.store.schema.scripts import ScriptRow

_Moved = list[tuple[int, ItemState, ItemState]]


def take_up(
    session: Session,
    batch_id: str,
    *,
    terms: Callable[[Batch], tuple[Target, Bounds]],
    retried: Collection[ItemState],
    with_cancelled: bool,
    unless: Collection[BatchState],
) -> Batch:
    """Let a batch run, with items queued again; see `BatchStore.take_up`."""
    batch = plans.set_state(session, batch_id, "running", reason="", unless=unless)
    target, bounds = terms(batch)  # which is locked by now: nobody else's terms are lost
    if retried:
        _reopen(session, batch_id, retried)
    if with_cancelled:
        _requeue_cancelled(session, batch_id)
    return plans.set_bounds(session, batch_id, target=target, bounds=bounds)


def _reopen(session: Session, batch_id: str, states: Collection[ItemState]) -> None:
    """Queue items again, each with its next attempt."""
    batch = plans.find(session, batch_id, lock=True)
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
    _close_open(session, batch_id, states, author=batch.author)
    moved: _Moved = []
    for state in sorted(states):
        rebased = _rebased() if state == "conflict" else {}
        moved += _move_all(session, batch_id, state, "queued", **fresh, **rebased)
    counts.move(session, batch_id, moved)


def _rebased() -> Mapping[str, Any]:
    """Return the values that put an item over its script's head."""
    head = sa.select(col(ScriptRow.head_number)).where(col(ScriptRow.id) == col(ItemRow.script_id))
    return {"base_number": head.scalar_subquery()}


def _close_open(session: Session, batch_id: str, states: Collection[ItemState], *, author: str) -> None:
    """Close the open proposals that the last attempts left: what is done again replaces them."""
    left = sa.select(col(ItemRow.proposal_id)).where(
        col(ItemRow.batch_id) == batch_id,
        col(ItemRow.state).in_(states),
        col(ItemRow.proposal_id).is_not(None),
    )
    session.connection().execute(
        sa.update(ProposalRow)
        .where(col(ProposalRow.id).in_(left), col(ProposalRow.status) == "pending")
        .values(status="rejected", decided_at=utc_now(), decided_by=author, reason=f"batch retry {batch_id}")
    )


def _requeue_cancelled(session: Session, batch_id: str) -> None:
    """Queue cancelled items again on the same attempt: what was finished of them is not repeated."""
    counts.move(session, batch_id, _move_all(session, batch_id, "cancelled", "queued"))


def cancel_open(session: Session, batch_id: str, *, unless: Collection[BatchState] = ()) -> int:
    """Cancel every item that is not over; see `BatchStore.cancel_open`."""
    if plans.find(session, batch_id, lock=True).state in unless:
        return 0
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
