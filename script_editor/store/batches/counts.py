"""How many items of a batch are in each state, and what all of them took: kept up with every change.

Counting the items themselves takes longer the more there are, and a batch is looked at once a second. The counts
are spread over a few rows (see `CountRow`): an item always moves the same one, so that two items that end at once
seldom wait for each other. Locks are taken in one order: the batch, which whoever changes many items holds, the items,
the calls, and the counts last, all of them at once and in order. Nobody who holds a count ever waits for anything else.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import sqlalchemy as sa
from sqlmodel import Session, col, update

from script_editor.domain.batches import ItemState
from script_editor.store.schema.batches import CountRow

_SHARDS = 16
"""Never less than it was: an old batch has as many rows as there were then."""
_STATES: tuple[ItemState, ...] = get_args(ItemState)
_AMOUNTS = ("prompt_tokens", "completion_tokens", "spent", "reckoned", "untold", "unpriced")
# Composed once: every model call comes by.
_SPEND = sa.text(
    "UPDATE batch_count SET spent = spent + :money, reckoned = reckoned + :reckoned, untold = untold + :untold"
    " WHERE batch_id = :batch_id AND shard = :shard"
)


@dataclass(frozen=True, slots=True)
class Counts:
    """What the items of a batch came to so far; states in which there is none are left out. See `CountRow`."""

    states: Mapping[ItemState, int]
    prompt_tokens: int
    completion_tokens: int
    spent: float
    reckoned: float
    untold: int
    unpriced: int


def begin(session: Session, batch_id: str) -> None:
    """Make the counts of a new batch."""
    rows = [{"batch_id": batch_id, "shard": shard} for shard in range(_SHARDS)]
    zeros = dict.fromkeys((*_STATES, *_AMOUNTS), 0)
    session.connection().execute(sa.insert(CountRow), [{**zeros, **row} for row in rows])


class Changes:
    """What is to be counted at the end of a transaction, of any batches."""

    def __init__(self) -> None:
        self._deltas: defaultdict[tuple[str, int], defaultdict[str, float]] = defaultdict(
            lambda: defaultdict(int)
        )

    def move(self, batch_id: str, seq: int, before: ItemState | None, after: ItemState) -> None:
        """Count an item in another state than before; a new one was in None."""
        deltas = self._deltas[batch_id, _shard(seq)]
        if before is not None:
            deltas[before] -= 1
        deltas[after] += 1

    def spend_untold(self, batch_id: str, seq: int, money: float) -> None:
        """Add to what an item's batch took the money that a call was reckoned with of which nobody will tell more."""
        deltas = self._deltas[batch_id, _shard(seq)]
        deltas["spent"] += money
        deltas["reckoned"] += money
        deltas["untold"] += 1

    def write(self, session: Session) -> None:
        """Write it. Nothing that others may hold can be locked in this transaction any more."""
        for (batch_id, shard), deltas in sorted(self._deltas.items()):
            _change(session, batch_id, shard, deltas)


def enter(session: Session, batch_id: str, state: ItemState, seqs: Iterable[int]) -> None:
    """Count new items."""
    changes = Changes()
    for seq in seqs:
        changes.move(batch_id, seq, None, state)
    changes.write(session)


def move(session: Session, batch_id: str, moved: Iterable[tuple[int, ItemState, ItemState]]) -> None:
    """Count items, each with its number, the state it was in and the one it is in now."""
    changes = Changes()
    for seq, before, after in moved:
        changes.move(batch_id, seq, before, after)
    changes.write(session)


def charge(session: Session, batch_id: str, seq: int, *, sent: int, received: int, is_priced: bool) -> None:
    """Add tokens to what an item's batch took; those without a price are in no sum of money."""
    change = {"prompt_tokens": sent, "completion_tokens": received}
    _change(session, batch_id, _shard(seq), change | {"unpriced": 0 if is_priced else sent + received})


def spend(session: Session, batch_id: str, seq: int, money: float, *, is_told: bool = True) -> None:
    """Add the money of a call to what an item's batch took; with `is_told` False it is what the call was reckoned with,
    since nobody told what it took."""
    values = {"batch_id": batch_id, "shard": _shard(seq), "money": money}
    untold = {"reckoned": 0.0, "untold": 0} if is_told else {"reckoned": money, "untold": 1}
    session.connection().execute(_SPEND, values | untold)


def read(session: Session, batch_ids: Sequence[str]) -> Mapping[str, Counts]:
    """Return the counts of batches, by id; one that has none is left out."""
    sums = (sa.func.sum(getattr(CountRow, name)) for name in (*_STATES, *_AMOUNTS))
    batch_id = col(CountRow.batch_id)
    statement = sa.select(batch_id, *sums).where(batch_id.in_(batch_ids)).group_by(batch_id)
    return {row[0]: _counts(row[1:]) for row in session.connection().execute(statement)}


def _counts(sums: Sequence[int]) -> Counts:
    states = {state: int(count) for state, count in zip(_STATES, sums, strict=False) if count}
    sent, received, spent, reckoned, untold, unpriced = sums[len(_STATES) :]
    return Counts(states, int(sent), int(received), float(spent), float(reckoned), int(untold), int(unpriced))


def _shard(seq: int) -> int:
    return seq % _SHARDS


def _change(session: Session, batch_id: str, shard: int, change: Mapping[str, float]) -> None:
    deltas = {name: getattr(CountRow, name) + delta for name, delta in change.items() if delta}
    if deltas:
        session.exec(
            update(CountRow)
            .where(col(CountRow.batch_id) == batch_id, col(CountRow.shard) == shard)
            .values(deltas)
            .execution_options(synchronize_session=False)
        )
