"""What all workers together may take from a service and from a budget, one model call at a time.

The rates are kept by the generic cell rate algorithm: for each kind a bucket remembers the moment from which on the
service may be asked again, and a call moves it on by its share of a minute. Being late is forgiven for SLACK_SECONDS,
so that workers that wait and wake a little late use the whole allowance; shares are that much longer, so that no
minute ever sees more than it may. What is big needs no rule of its own: it goes when nothing else is counted any
more, and what follows waits until it is made up for.

Every model call comes by twice, so the statements are written down once, in words that both databases know:
composing them each time takes several times as long as running them.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import uuid4

import sqlalchemy as sa
from sqlmodel import Session, col, select

from script_editor.domain.batches import Bounds, Permit, Wait
from script_editor.errors import BatchNotFound
from script_editor.store.batches import counts, plans
from script_editor.store.batches.clock import now
from script_editor.store.schema.batches import PermitRow, WorkerRow

MINUTE = 60.0
SLACK_SECONDS = 1.0
LOST_SECONDS = 300.0
"""A call of a worker that gave no sign of life for so long is not waited for."""
UNCOUNTED = ""
"""The id of permits where nothing is bounded and nothing has a price."""
_ASK_AGAIN_SECONDS = 0.5

_LOOK = sa.text(
    "SELECT bounds, requests_at, tokens_at, held_until FROM batch "
    "LEFT JOIN rate_bucket ON service = :service WHERE id = :batch_id"
).columns(sa.Column("bounds", sa.JSON))
_MAKE_BUCKET = sa.text(
    "INSERT INTO rate_bucket (service, requests_at, tokens_at, held_until) VALUES (:service, 0, 0, 0) "
    "ON CONFLICT DO NOTHING"
)
_PASS = sa.text(
    "UPDATE rate_bucket SET "
    "requests_at = CASE WHEN :request_share = 0 THEN requests_at"
    " WHEN requests_at > :request_floor THEN requests_at + :request_share ELSE :request_floor + :request_share END, "
    "tokens_at = CASE WHEN :token_share = 0 THEN tokens_at"
    " WHEN tokens_at > :token_floor THEN tokens_at + :token_share ELSE :token_floor + :token_share END "
    "WHERE service = :service AND held_until <= :moment"
    " AND (:request_share = 0 OR requests_at <= :moment) AND (:token_share = 0 OR tokens_at <= :moment) "
    "RETURNING service"
)
_GIVE_BACK = sa.text("UPDATE rate_bucket SET tokens_at = tokens_at + :more WHERE service = :service")
_HOLD = sa.text("UPDATE rate_bucket SET held_until = :until WHERE service = :service AND held_until < :until")
_KEEP = sa.text(
    "INSERT INTO batch_permit (id, batch_id, seq, service, worker_id, tokens, token_share, cost, taken_at) "
    "VALUES (:id, :batch_id, :seq, :service, :worker_id, :tokens, :token_share, :cost, :moment)"
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
    """What is known before a permit is taken: the bounds of the batch, and when they were looked at."""

    bounds: Bounds
    moment: float


def look(session: Session, batch_id: str, *, service: str, tokens: int, cost: float) -> Permit | Wait | Seen:
    """Return what `take` would answer where that needs no write: a wait, or a permit where nothing is counted."""
    row = session.connection().execute(_LOOK, {"batch_id": batch_id, "service": service}).first()
    if row is None:
        raise BatchNotFound(batch_id)
    bounds, moment = Bounds(**row.bounds), now(session).timestamp()
    wait = None if row.held_until is None else _wait(row, bounds, moment)
    if wait is not None:
        return wait
    return Seen(bounds, moment) if _is_counted(bounds) else Permit(id=UNCOUNTED, tokens=tokens, cost=cost)


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
        "moment": seen.moment,
    }  # fmt: skip
    session.connection().execute(_KEEP, values)
    return permit


def settle(session: Session, permit_id: str, *, tokens: int | None, cost: float | None) -> None:
    """Put what a call took in the place of the estimate; see `BatchStore.settle_permit`."""
    ended = _spend(session, [permit_id], cost)
    if ended is None or tokens is None or not ended.tokens:
        return
    more = ended.token_share * (tokens / ended.tokens - 1)
    if more:
        session.connection().execute(_GIVE_BACK, {"service": ended.service, "more": more})


def release(session: Session, worker_id: str) -> None:
    """Count the calls of a lost worker as spent; see `BatchStore.release_permits`."""
    lost = select(PermitRow.id).where(PermitRow.worker_id == worker_id).order_by(col(PermitRow.id))
    _spend(session, session.exec(lost).all())


def hold_off(session: Session, service: str, seconds: float) -> None:
    """Let nobody call a service for so long."""
    until = now(session).timestamp() + seconds
    session.connection().execute(_MAKE_BUCKET, {"service": service})
    session.connection().execute(_HOLD, {"service": service, "until": until})


def _is_counted(bounds: Bounds) -> bool:
    rates = bounds.requests_per_minute, bounds.tokens_per_minute
    money = bounds.budget, bounds.price_in, bounds.price_out
    return any(rates) or any(amount is not None for amount in money)


def _share(amount: int, per_minute: int | None) -> float:
    """Return the seconds for which a call uses up an allowance; 0 where there is no limit."""
    return amount * (MINUTE + SLACK_SECONDS) / per_minute if per_minute else 0.0


def _pass(session: Session, service: str, seen: Seen, tokens: int) -> Wait | None:
    """Count one call of so many tokens in one statement, or return what to wait for."""
    request_share = _share(1, seen.bounds.requests_per_minute)
    token_share = _share(tokens, seen.bounds.tokens_per_minute)
    if not request_share and not token_share:
        return None
    values = {
        "service": service,
        "moment": seen.moment,
        "request_share": request_share,
        "request_floor": _floor(seen.moment, request_share),
        "token_share": token_share,
        "token_floor": _floor(seen.moment, token_share),
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
    budget = _locked_budget(session, batch_id)
    spent, flying = _money(session, batch_id)
    if budget is None or spent + flying + cost <= budget:
        return None
    _spend(session, _lost(session, batch_id, seen.moment))
    spent, flying = _money(session, batch_id)
    # Calls that are being made may cost less than they were reckoned with.
    is_open = flying > 0 and spent + cost <= budget
    return Wait(seconds=_ASK_AGAIN_SECONDS if is_open else 0.0, reason="budget")


def _locked_budget(session: Session, batch_id: str) -> float | None:
    return Bounds(**plans.find(session, batch_id, lock=True).bounds).budget


def _money(session: Session, batch_id: str) -> tuple[float, float]:
    """Return what the finished calls cost and what the others may, as they are at one moment."""
    spent, flying = session.connection().execute(_MONEY, {"batch_id": batch_id}).one()
    return float(spent), float(flying)


def _lost(session: Session, batch_id: str, moment: float) -> list[str]:
    """Return the calls of workers that nobody heard of for long: a crash can leave some that no reaper sees."""
    alive = select(WorkerRow.id).where(WorkerRow.beat >= now(session) - timedelta(seconds=LOST_SECONDS))
    lost = select(PermitRow.id).where(
        PermitRow.batch_id == batch_id,
        PermitRow.taken_at < moment - LOST_SECONDS,
        col(PermitRow.worker_id).not_in(alive),
    )
    return list(session.exec(lost.order_by(col(PermitRow.id))))


def _spend(session: Session, permit_ids: Iterable[str], cost: float | None = None) -> Any:
    """Count calls as made, for `cost` or what they were reckoned with; return the last that was still counted."""
    last = None
    for permit_id in permit_ids:
        ended = session.connection().execute(_END, {"id": permit_id}).first()
        if ended is not None:  # else it was counted before: settled, or taken for lost
            money = ended.cost if cost is None else cost
            counts.spend(session, ended.batch_id, ended.seq, money)
            last = ended
    return last
