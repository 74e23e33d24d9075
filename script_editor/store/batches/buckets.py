"""How often a service may be asked, and whose limits hold for it, on the clock that all workers share.

The rates are kept by the generic cell rate algorithm: for each kind a bucket remembers the moment from which on the
service may be asked again, and a call moves it on by its share of a minute. Being late is forgiven for SLACK_SECONDS,
so that workers that wait and wake a little late use the whole allowance; shares are that much longer, so that no
minute ever sees more than it may. What is big needs no rule of its own: it goes when nothing else is counted any
more, and what follows waits until it is made up for.

A limit is about the service, so it holds for batches that were given none as well, while the batch that was given it
is at work: it runs, and has called lately, or has items at a worker that gives signs of life. Of several the strictest
holds. Who calls a service without any limit finds none there, and writes nothing.

A bucket is not believed blindly. Moments that were written by a clock which has been put back since are forgotten,
and what was reckoned by a lower limit than the batch has now is reckoned again by that one.

The statements are written down once, in words that both databases know: composing them for each model call takes
several times as long as running them.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Literal, get_args

import sqlalchemy as sa
from sqlmodel import Session

from script_editor.domain.batches import MAX_HOLD_SECONDS, SILENT_SECONDS, Bounds, Limits, Wait
from script_editor.errors import BatchNotFound
from script_editor.store.batches.clock import now

MINUTE = 60.0
SLACK_SECONDS = 1.0
BETWEEN_SECONDS = 10.0
"""A batch that has called is at work for so long, also where it is between two items at the moment."""
CLOCK_SECONDS = 60.0
"""By so much what asks may be behind what wrote last, which waited for a lock meanwhile; by more only where a clock
was put back."""
_MOST_TIMES = 10.0
"""A call that took more tokens than it was reckoned with counts for so many times its share at most."""

Kind = Literal["requests", "tokens"]
_KINDS: tuple[Kind, ...] = get_args(Kind)


def _is_at_work(kind: Kind) -> str:
    """Return the condition that the batch whose limit a bucket keeps is another one, and at work."""
    at = f"{kind}_batch"
    return (
        f"{at}.id = bucket.{kind}_limited_by AND {at}.id <> batch.id AND {at}.state = 'running' AND ("
        f"bucket.{kind}_limited_until BETWEEN :moment AND :moment + {BETWEEN_SECONDS + CLOCK_SECONDS}"
        " OR EXISTS (SELECT 1 FROM batch_item AS item JOIN worker ON worker.id = item.worker_id"
        f" WHERE item.batch_id = {at}.id AND item.state = 'running' AND worker.beat >= :alive))"
    )


_LOOK = (
    sa.text(
        "SELECT batch.bounds, bucket.*, requests_batch.id AS requests_by,"
        " requests_batch.bounds AS requests_bounds, tokens_batch.id AS tokens_by,"
        " tokens_batch.bounds AS tokens_bounds FROM batch"
        " LEFT JOIN rate_bucket AS bucket ON bucket.service = :service"
        f" LEFT JOIN batch AS requests_batch ON {_is_at_work('requests')}"
        f" LEFT JOIN batch AS tokens_batch ON {_is_at_work('tokens')}"
        " WHERE batch.id = :batch_id"
    )
    .bindparams(sa.bindparam("alive", type_=sa.DateTime(timezone=True)))
    .columns(bounds=sa.JSON(), requests_bounds=sa.JSON(), tokens_bounds=sa.JSON())
)
_MAKE = sa.text(
    "INSERT INTO rate_bucket"
    " (service, requests_at, tokens_at, held_until, moved_at, requests_limited_until, tokens_limited_until) "
    "VALUES (:service, 0, 0, 0, 0, 0, 0) ON CONFLICT DO NOTHING"
)


def _noted(kind: Kind) -> str:
    """Return what notes that a batch was given a limit, where it is to be noted: `…_limit` is NULL elsewhere."""
    limit = f"CAST(:{kind}_limit AS BIGINT)"
    return (
        f"{kind}_per_minute = COALESCE({limit}, {kind}_per_minute), "
        f"{kind}_limited_by = CASE WHEN {limit} IS NULL THEN {kind}_limited_by ELSE :batch_id END, "
        f"{kind}_limited_until = CASE WHEN {limit} IS NULL THEN {kind}_limited_until"
        f" ELSE :moment + {BETWEEN_SECONDS} END"
    )


def _moved_on(kind: Kind) -> str:
    at = f"CASE WHEN {kind}_at > :{kind}_floor THEN {kind}_at ELSE :{kind}_floor END + :{kind}_share"
    return f"{kind}_at = CASE WHEN :{kind}_share = 0 THEN {kind}_at ELSE {at} END"


_PASS = sa.text(
    f"UPDATE rate_bucket SET {_moved_on('requests')}, {_moved_on('tokens')}, "
    f"{_noted('requests')}, {_noted('tokens')}, moved_at = :moment "
    "WHERE service = :service AND held_until <= :moment"
    " AND (:requests_share = 0 OR requests_at <= :moment) AND (:tokens_share = 0 OR tokens_at <= :moment) "
    "RETURNING service"
)
_PUT_RIGHT = sa.text(
    "UPDATE rate_bucket SET requests_at = :requests_at, tokens_at = :tokens_at, held_until = :held_until, "
    f"{_noted('requests')}, {_noted('tokens')}, moved_at = :moment "
    "WHERE service = :service AND moved_at = :seen_at"
)
# A share that was reckoned by a lower limit than holds now is smaller by now.
_GIVE_BACK = sa.text(
    "UPDATE rate_bucket SET tokens_at = tokens_at + :more"
    " * CASE WHEN tokens_per_minute > :rate THEN :rate / tokens_per_minute ELSE 1 END WHERE service = :service"
)
_HOLD = sa.text(
    "UPDATE rate_bucket SET held_until = :until"
    " WHERE service = :service AND (held_until < :until OR held_until > :until + :too_long)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known before a call: the bounds that hold for the batch, with the limits of others where it was given none
    itself (`own` are without), and how long the service is not to be asked, in seconds from `moment` on.

    `noted` are the limits of its own that are to be noted for others. `is_off` says that the bucket is to be put right.
    """

    service: str
    batch_id: str
    own: Bounds
    bounds: Bounds
    by: tuple[str, str]
    moment: float
    ahead: dict[Kind, float]
    held: float
    noted: dict[Kind, int | None]
    is_off: bool
    seen_at: float

    @property
    def wait(self) -> Wait | None:
        """What to wait for, None where the service may be asked."""
        waits = [Wait(seconds=self.held, reason="service")]
        waits += [Wait(seconds=self.ahead[kind], reason=kind) for kind in _KINDS if _limit(self.bounds, kind)]
        longest = max(waits, key=lambda wait: wait.seconds)
        return longest if longest.seconds > 0 else None

    @property
    def limits(self) -> Limits:
        """The limits that hold, and of which batch they are."""
        return Limits(
            requests_per_minute=self.bounds.requests_per_minute,
            tokens_per_minute=self.bounds.tokens_per_minute,
            requests_by=self.by[0],
            tokens_by=self.by[1],
        )


def look(session: Session, batch_id: str, service: str) -> Seen:
    """Return what holds for a batch that wants to call a service, without any write or lock. Raises BatchNotFound."""
    moment = now(session)
    values = {
        "batch_id": batch_id,
        "service": service,
        "moment": moment.timestamp(),
        "alive": moment - timedelta(seconds=SILENT_SECONDS),
    }
    row = session.connection().execute(_LOOK, values).first()
    if row is None:
        raise BatchNotFound(batch_id)
    return _seen(row, batch_id, service, moment.timestamp())


def _seen(row: Any, batch_id: str, service: str, moment: float) -> Seen:  # a row of _LOOK
    own = Bounds(**row.bounds)
    others = {kind: _limit_of_other(row, kind) for kind in _KINDS}
    noted = {kind: _to_note(_limit(own, kind), others[kind]) for kind in _KINDS}
    is_put_back = (row.moved_at or 0.0) > moment + CLOCK_SECONDS
    found = {kind: max((getattr(row, f"{kind}_at") or 0.0) - moment, 0.0) for kind in _KINDS}
    held = max((row.held_until or 0.0) - moment, 0.0)
    ahead = {kind: 0.0 if is_put_back else found[kind] * _shrunk(row, kind, noted[kind]) for kind in _KINDS}
    is_held = not is_put_back and held <= MAX_HOLD_SECONDS + CLOCK_SECONDS
    limits = {kind: _limit(own, kind) or others[kind] for kind in _KINDS}
    return Seen(
        service=service,
        batch_id=batch_id,
        own=own,
        bounds=replace(own, requests_per_minute=limits["requests"], tokens_per_minute=limits["tokens"]),
        by=(_by(row, "requests", own, others), _by(row, "tokens", own, others)),
        moment=moment,
        ahead=ahead,
        held=held if is_held else 0.0,
        noted=noted,
        is_off=is_put_back or ahead != found or (held > 0 and not is_held),
        seen_at=row.moved_at or 0.0,
    )


def _limit(bounds: Bounds, kind: Kind) -> int | None:
    return bounds.requests_per_minute if kind == "requests" else bounds.tokens_per_minute


def _limit_of_other(row: Any, kind: Kind) -> int | None:
    """Return what another batch that is at work was given; by its bounds as they are now, it may have been taken away."""
    bounds = getattr(row, f"{kind}_bounds")
    return _limit(Bounds(**bounds), kind) if bounds else None


def _to_note(own: int | None, other: int | None) -> int | None:
    """Return the limit of a batch's own where others are to keep it: not while a stricter one holds."""
    return own if own is not None and (other is None or own <= other) else None


def _shrunk(row: Any, kind: Kind, noted: int | None) -> float:
    """Return which share of what is counted is left, where a batch is given a higher limit than it was counted by."""
    before = getattr(row, f"{kind}_per_minute")
    return before / noted if before and noted and noted > before else 1.0


def _by(row: Any, kind: Kind, own: Bounds, others: dict[Kind, int | None]) -> str:
    return getattr(row, f"{kind}_by") if _limit(own, kind) is None and others[kind] else ""


def share(amount: int, per_minute: int | None) -> float:
    """Return the seconds for which a call uses up an allowance; 0 where there is no limit."""
    return amount * (MINUTE + SLACK_SECONDS) / per_minute if per_minute else 0.0


def count(session: Session, seen: Seen, tokens: int) -> Wait | None:
    """Count one call of so many tokens, or return what to wait for."""
    shares: dict[Kind, float] = {
        "requests": share(1, seen.bounds.requests_per_minute),
        "tokens": share(tokens, seen.bounds.tokens_per_minute),
    }
    if not any(shares.values()):
        return None
    values = _values(seen, shares)
    connection = session.connection()
    if seen.is_off:
        connection.execute(_PUT_RIGHT, values)
    if connection.execute(_PASS, values).first() is not None:
        return None
    connection.execute(_MAKE, {"service": seen.service})
    if connection.execute(_PASS, values).first() is not None:
        return None
    bucket = connection.execute(sa.text("SELECT * FROM rate_bucket WHERE service = :service"), values).one()
    ahead: dict[Kind, float] = {kind: getattr(bucket, f"{kind}_at") - seen.moment for kind in _KINDS}
    # Where somebody else has moved it back in between, it is worth asking again at once.
    again = replace(seen, ahead=ahead, held=bucket.held_until - seen.moment)
    return again.wait or Wait(seconds=0.0, reason="requests")


def _values(seen: Seen, shares: dict[Kind, float]) -> dict[str, Any]:
    values: dict[str, Any] = {
        "service": seen.service,
        "batch_id": seen.batch_id,
        "moment": seen.moment,
        "held_until": seen.moment + seen.held,
        "seen_at": seen.seen_at,
    }
    for kind in _KINDS:
        values[f"{kind}_at"] = seen.moment + seen.ahead[kind]
        values[f"{kind}_share"] = shares[kind]
        values[f"{kind}_floor"] = _floor(seen.moment, shares[kind])
        values[f"{kind}_limit"] = seen.noted[kind]
    return values


def _floor(moment: float, share: float) -> float:
    """Return how far back a bucket may lag: unused time before that is gone."""
    return moment - max(0.0, SLACK_SECONDS - share)


def correct(session: Session, service: str, *, reckoned: int, took: int, share: float) -> None:
    """Count what a call took in the place of what it was reckoned with, which counted for `share` seconds.

    What a service says of it is believed within bounds: one absurd figure would keep everybody away for years.
    """
    if not reckoned or not share:
        return
    more = share * (min(took / reckoned, _MOST_TIMES) - 1)
    if more:
        rate = reckoned * (MINUTE + SLACK_SECONDS) / share
        session.connection().execute(_GIVE_BACK, {"service": service, "more": more, "rate": rate})


def hold_off(session: Session, service: str, seconds: float) -> None:
    """Let nobody call a service for so long."""
    until = now(session).timestamp() + min(seconds, MAX_HOLD_SECONDS)
    session.connection().execute(_MAKE, {"service": service})
    values = {"service": service, "until": until, "too_long": MAX_HOLD_SECONDS + CLOCK_SECONDS}
    session.connection().execute(_HOLD, values)
