"""What all workers together may take from a service and from a budget, one model call at a time.

The rates are kept by the generic cell rate algorithm: for each kind a bucket remembers the moment from which on the
service may be asked again, and a call moves it on by its share of a minute. Being late is forgiven for SLACK_SECONDS,
so that workers that wait and wake a little late use the whole allowance; shares are that much longer, so that no
minute ever sees more than it may. What is big needs no rule of its own: it goes when nothing else is counted any
more, and what follows waits until it is made up for.

A limit is about the service, so it holds for batches that were given none as well: the bucket remembers what a batch
was told, for KEPT_SECONDS after its last call. Who calls a service without any limit finds none there, and writes
nothing.

Every model call comes by twice, so the statements are written down once, in words that both databases know:
composing them each time takes several times as long as running them.
"""

from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from sqlmodel import Session, col

from script_editor.domain.batches import Bounds, Permit, Wait
from script_editor.errors import BatchNotFound
from script_editor.store.batches import counts, plans
from script_editor.store.batches.clock import now
from script_editor.store.schema.batches import PermitRow

MINUTE = 60.0
SLACK_SECONDS = 1.0
KEPT_SECONDS = 120.0
"""So long after it could call again a batch may still be about to: the slowest answers take that long."""
_ASK_AGAIN_SECONDS = 0.5

_LOOK = sa.text(
    "SELECT bounds, requests_at, tokens_at, held_until, requests_per_minute, requests_limited_until,"
    " tokens_per_minute, tokens_limited_until FROM batch "
    "LEFT JOIN rate_bucket ON service = :service WHERE id = :batch_id"
).columns(sa.Column("bounds", sa.JSON))
_MAKE_BUCKET = sa.text(
    "INSERT INTO rate_bucket"
    " (service, requests_at, tokens_at, held_until, requests_limited_until, tokens_limited_until) "
    "VALUES (:service, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING"
)


def _moved_on(kind: str) -> str:
    """Return what moves one of the moments on, and notes the limit that the batch was given itself."""
    at = f"CASE WHEN {kind}_at > :{kind}_floor THEN {kind}_at ELSE :{kind}_floor END + :{kind}_share"
    limit = f"CAST(:{kind}_limit AS BIGINT)"
    return (
        f"{kind}_at = CASE WHEN :{kind}_share = 0 THEN {kind}_at ELSE {at} END, "
        f"{kind}_per_minute = COALESCE({limit}, {kind}_per_minute), "
        f"{kind}_limited_until ="
        f" CASE WHEN {limit} IS NULL THEN {kind}_limited_until ELSE {at} + {KEPT_SECONDS} END"
    )


_PASS = sa.text(
    f"UPDATE rate_bucket SET {_moved_on('requests')}, {_moved_on('tokens')} "
    "WHERE service = :service AND held_until <= :moment"
    " AND (:requests_share = 0 OR requests_at <= :moment) AND (:tokens_share = 0 OR tokens_at <= :moment) "
    "RETURNING service"
)
_GIVE_BACK = sa.text("UPDATE rate_bucket SET tokens_at = tokens_at + :more WHERE service = :service")
_HOLD = sa.text("UPDATE rate_bucket SET held_until = :until WHERE service = :service AND held_until < :until")
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


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known before a permit is taken: the bounds of the batch, with the limits of its service where it was
    given none (`own` are without), and when they were looked at."""

    bounds: Bounds
    own: Bounds
    moment: float


def look(session: Session, batch_id: str, *, service: str, tokens: int, cost: float) -> Permit | Wait | Seen:
    """Return what `take` would answer where that needs no write: a wait, or a permit where nothing is counted."""
    row = session.connection().execute(_LOOK, {"batch_id": batch_id, "service": service}).first()
    if row is None:
        raise BatchNotFound(batch_id)
    own, moment = Bounds(**row.bounds), now(session).timestamp()
    bounds = _with_limits(own, row, moment)
    wait = None if row.held_until is None else _wait(row, bounds, moment)
    if wait is not None:
        return wait
    if _is_counted(bounds):
        return Seen(bounds, own, moment)
    return Permit(id="", tokens=tokens, cost=cost, is_counted=False)


def take(
    session: Session,
    batch_id: str,
    seq: int,
    seen: Seen,
    *,
    service: str,
    worker_id: str,
    tokens: int,
    cost: float,
) -> Permit | Wait:
    """Ask for one model call; see `BatchStore.take_permit`."""
    wait = _money_wait(session, batch_id, seen, cost) or _pass(session, service, seen, tokens)
    if wait is not None:
        return wait
    permit = Permit(id=f"c-{uuid4().hex}", tokens=tokens, cost=cost)
    values = {
        "id": permit.id, "batch_id": batch_id, "seq": seq, "service": service, "worker_id": worker_id,
        "tokens": tokens, "token_share": _share(tokens, seen.bounds.tokens_per_minute), "cost": cost,
    }  # fmt: skip
    session.connection().execute(_KEEP, values)
    return permit


def settle(session: Session, permit_id: str, *, tokens: int | None, cost: float | None) -> None:
    """Put what a call took in the place of the estimate; see `BatchStore.settle_permit`."""
    ended = session.connection().execute(_END, {"id": permit_id}).first()
    if ended is None:
        return  # it was counted before: settled, or taken for lost
    more = 0.0 if tokens is None or not ended.tokens else ended.token_share * (tokens / ended.tokens - 1)
    if more:
        session.connection().execute(_GIVE_BACK, {"service": ended.service, "more": more})
    counts.spend(session, ended.batch_id, ended.seq, ended.cost if cost is None else cost)


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
        changes.spend(batch_id, seq, cost)


def hold_off(session: Session, service: str, seconds: float) -> None:
    """Let nobody call a service for so long."""
    until = now(session).timestamp() + seconds
    session.connection().execute(_MAKE_BUCKET, {"service": service})
    session.connection().execute(_HOLD, {"service": service, "until": until})


def _with_limits(own: Bounds, bucket: Any, moment: float) -> Bounds:  # a row with its columns, or without any
    """Return the bounds of a batch with the limits that others keep which call the same service."""
    requests, tokens = own.requests_per_minute, own.tokens_per_minute
    if requests is None and (bucket.requests_limited_until or 0) > moment:
        requests = bucket.requests_per_minute
    if tokens is None and (bucket.tokens_limited_until or 0) > moment:
        tokens = bucket.tokens_per_minute
    return replace(own, requests_per_minute=requests, tokens_per_minute=tokens)


def _is_counted(bounds: Bounds) -> bool:
    rates = bounds.requests_per_minute, bounds.tokens_per_minute
    money = bounds.budget, bounds.price_in, bounds.price_out
    return any(rates) or any(amount is not None for amount in money)


def _share(amount: int, per_minute: int | None) -> float:
    """Return the seconds for which a call uses up an allowance; 0 where there is no limit."""
    return amount * (MINUTE + SLACK_SECONDS) / per_minute if per_minute else 0.0


def _pass(session: Session, service: str, seen: Seen, tokens: int) -> Wait | None:
    """Count one call of so many tokens in one statement, or return what to wait for."""
    requests_share = _share(1, seen.bounds.requests_per_minute)
    tokens_share = _share(tokens, seen.bounds.tokens_per_minute)
    if not requests_share and not tokens_share:
        return None
    values = {
        "service": service,
        "moment": seen.moment,
        "requests_share": requests_share,
        "requests_floor": _floor(seen.moment, requests_share),
        "requests_limit": seen.own.requests_per_minute,
        "tokens_share": tokens_share,
        "tokens_floor": _floor(seen.moment, tokens_share),
        "tokens_limit": seen.own.tokens_per_minute,
    }
    connection = session.connection()
    if connection.execute(_PASS, values).first() is not None:
        return None
    connection.execute(_MAKE_BUCKET, {"service": service})
    if connection.execute(_PASS, values).first() is not None:
        return None
    bucket = connection.execute(sa.text("SELECT * FROM rate_bucket WHERE service = :service"), values).one()
    # Where somebody else has moved it back in between, it is worth asking again at once.
    return _wait(bucket, seen.bounds, seen.moment) or Wait(seconds=0.0, reason="requests")


def _floor(moment: float, share: float) -> float:
    """Return how far back a bucket may lag: unused time before that is gone."""
    return moment - max(0.0, SLACK_SECONDS - share)


def _wait(bucket: Any, bounds: Bounds, moment: float) -> Wait | None:  # a row of rate_bucket
    waits = [Wait(seconds=bucket.held_until - moment, reason="service")]
    if bounds.requests_per_minute:
        waits.append(Wait(seconds=bucket.requests_at - moment, reason="requests"))
    if bounds.tokens_per_minute:
        waits.append(Wait(seconds=bucket.tokens_at - moment, reason="tokens"))
    longest = max(waits, key=lambda wait: wait.seconds)
    return longest if longest.seconds > 0 else None


# --- money -------------------------------------------------------------------------------------


def _money_wait(session: Session, batch_id: str, seen: Seen, cost: float) -> Wait | None:
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
        plans.set_state(session, batch_id, "paused", reason="budget")
    return Wait(seconds=0.0, reason="budget")


def _money(session: Session, batch_id: str) -> tuple[float, float]:
    """Return what the finished calls cost and what the others may, as they are at one moment."""
    spent, flying = session.connection().execute(_MONEY, {"batch_id": batch_id}).one()
    return float(spent), float(flying)
