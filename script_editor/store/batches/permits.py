"""What all workers together may take from a budget, one model call at a time; how often they may call is counted by
`buckets`.

A call counts as what it is reckoned with from the moment it may be made until it is settled, and for good where nobody
ever tells what it took.
"""

from uuid import uuid4

import sqlalchemy as sa
from sqlmodel import Session, col

from script_editor.domain.batches import Bounds, Permit, Wait
from script_editor.store.batches import buckets, counts, plans
from script_editor.store.schema.batches import PermitRow

_ASK_AGAIN_SECONDS = 0.5

_KEEP = sa.text(
    "INSERT INTO batch_permit (id, batch_id, seq, service, worker_id, tokens, token_share, cost) "
    "VALUES (:id, :batch_id, :seq, :service, :worker_id, :tokens, :token_share, :cost)"
)
_END = sa.text(
    "DELETE FROM batch_permit WHERE id = :id RETURNING batch_id, seq, service, tokens, token_share, cost"
)
# One statement: between two, a call that is settled would be in neither sum.
_MONEY = sa.text(
    "SELECT (SELECT COALESCE(SUM(spent), 0) FROM batch_count WHERE batch_id = :batch_id),"
    " (SELECT COALESCE(SUM(cost), 0) FROM batch_permit WHERE batch_id = :batch_id)"
)


def look(
    session: Session, batch_id: str, *, service: str, tokens: int, cost: float
) -> Permit | Wait | buckets.Seen:
    """Return what `take` would answer where that needs no write: a wait, or a permit where nothing is counted."""
    seen = buckets.look(session, batch_id, service)
    is_counted = _is_counted(seen.bounds)
    # Where the bucket is wrong, a wait would be, too, and only a write mends it.
    if (wait := seen.wait) is not None and not (is_counted and seen.is_off):
        return wait
    return seen if is_counted else Permit(id="", tokens=tokens, cost=cost, is_counted=False)


def take(
    session: Session, batch_id: str, seq: int, seen: buckets.Seen, *, worker_id: str, tokens: int, cost: float
) -> Permit | Wait:
    """Ask for one model call; see `BatchStore.take_permit`."""
    wait = _money_wait(session, batch_id, seen, cost) or buckets.count(session, seen, tokens)
    if wait is not None:
        return wait
    permit = Permit(id=f"c-{uuid4().hex}", tokens=tokens, cost=cost)
    values = {
        "id": permit.id, "batch_id": batch_id, "seq": seq, "service": seen.service, "worker_id": worker_id,
        "tokens": tokens, "token_share": buckets.share(tokens, seen.bounds.tokens_per_minute), "cost": cost,
    }  # fmt: skip
    session.connection().execute(_KEEP, values)
    return permit


def settle(session: Session, permit_id: str, *, tokens: int | None, cost: float | None) -> None:
    """Put what a call took in the place of the estimate; see `BatchStore.settle_permit`."""
    ended = session.connection().execute(_END, {"id": permit_id}).first()
    if ended is None:
        return  # it was counted before: settled, or taken for lost
    if tokens is None:
        counts.spend(session, ended.batch_id, ended.seq, ended.cost, is_told=False)
        return
    buckets.correct(session, ended.service, reckoned=ended.tokens, took=tokens, share=ended.token_share)
    counts.spend(session, ended.batch_id, ended.seq, ended.cost if cost is None else max(cost, 0.0))


def release(session: Session, worker_id: str, changes: counts.Changes) -> None:
    """Count the calls of a lost worker as spent, for what they were reckoned with; see `BatchStore.forget_lost`."""
    is_own = col(PermitRow.worker_id) == worker_id
    # In their order: two that look for the same ones never wait for each other.
    ids = sa.select(col(PermitRow.id)).where(is_own).order_by(col(PermitRow.id)).with_for_update()
    ended = (
        sa.delete(PermitRow)
        .where(col(PermitRow.id).in_(ids))
        .returning(col(PermitRow.batch_id), col(PermitRow.seq), col(PermitRow.cost))
    )
    for batch_id, seq, cost in session.connection().execute(ended):
        changes.spend_untold(batch_id, seq, cost)


def _is_counted(bounds: Bounds) -> bool:
    rates = bounds.requests_per_minute, bounds.tokens_per_minute
    money = bounds.budget, bounds.price_in, bounds.price_out
    return any(rates) or any(amount is not None for amount in money)


def _money_wait(session: Session, batch_id: str, seen: buckets.Seen, cost: float) -> Wait | None:
    if seen.bounds.budget is None:
        return None
    # Whoever asks for money of this batch waits here: two that look at once would both see it free.
    batch = plans.find(session, batch_id, lock=True)
    budget = Bounds(**batch.bounds).budget
    spent, flying = _money(session, batch_id)
    if budget is None or spent + flying + cost <= budget:
        return None
    # Calls that are being made may cost less than they were reckoned with.
    if flying > 0 and spent + cost <= budget:
        return Wait(seconds=_ASK_AGAIN_SECONDS, reason="budget")
    if batch.state == "running":
        # Here and not by whoever is told: until then somebody may have let it go on with a larger budget.
        plans.set_state(session, batch_id, "paused", reason="budget", refused_cost=cost)
    return Wait(seconds=0.0, reason="budget")


def _money(session: Session, batch_id: str) -> tuple[float, float]:
    """Return what the finished calls cost and what the others may, as they are at one moment."""
    spent, flying = session.connection().execute(_MONEY, {"batch_id": batch_id}).one()
    return float(spent), float(flying)
