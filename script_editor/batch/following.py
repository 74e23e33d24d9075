"""What happened in a batch since the last look, read from the store: it does not matter which process did it."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from script_editor.batch.pacing import IsStopping, looks, waited
from script_editor.batch.paging import CHUNK
from script_editor.batch.progress import (
    BatchCancelled,
    BatchEnded,
    Event,
    ItemEnded,
    Paused,
    PauseReason,
    Progress,
    Waiting,
)
from script_editor.domain.batches import ENDED, Change, Tally
from script_editor.domain.script import utc_now

if TYPE_CHECKING:  # the protocol names every kind of edit; looking at a batch needs none of them
    from script_editor.domain.batch_ports import BatchStore

PACE_SECONDS = 120.0
"""The pace is that of so long a time; a batch that has come to a halt shows it soon."""
OVERLAP = timedelta(seconds=5)
"""How long before another one an end may have been written that is seen after it."""
SKEW = timedelta(minutes=5)
"""How far the clock of the store may be behind ours; an end before that would be counted, but not told."""
DESERTED_SECONDS = 10.0
"""Whoever watches a batch that nobody works on waits so long for somebody: a worker may be started anew, or be begun."""
_LEAST_SECONDS = 1.0


class Follower:
    """Looks at one batch again and again. What was over before the first look is not told."""

    def __init__(self, batches: "BatchStore", batch_id: str, *, clock: Callable[[], float] = time.monotonic):
        self._batches, self._batch_id, self._clock = batches, batch_id, clock
        self._from = utc_now() - SKEW
        self._told = {_mark(change): change.at for change in self._changed()}
        self._pace: deque[tuple[float, int]] = deque()

    def look(self) -> tuple[Tally, Iterator[ItemEnded]]:
        """Return where the batch stands, and the items that ended since the last look; those are read as they are asked for."""
        tally = self._batches.tally(self._batch_id)  # first: whatever it counts as ended is found below
        new = [change for change in self._changed() if _mark(change) not in self._told]
        self._note(new)
        self._keep_pace(tally)
        return tally, self._ended(new)

    def progress(
        self, tally: Tally, *, waiting_for: Waiting | None = None, left: int | None = None
    ) -> Progress:
        """Return a tally with the pace of the last looks."""
        pace = self._items_per_minute()
        left = tally.left if left is None else left
        return Progress(
            tally=tally,
            items_per_minute=pace,
            seconds_left=None if not pace else left / pace * 60,
            waiting_for=waiting_for,
        )

    def _changed(self) -> tuple[Change, ...]:
        """Return what may be new: their marks only, since a cancelled batch ends all its items in one moment."""
        return self._batches.changes(self._batch_id, states=ENDED, since=self._from)

    def _ended(self, new: list[Change]) -> Iterator[ItemEnded]:
        for start in range(0, len(new), CHUNK):
            some = new[start : start + CHUNK]
            read = self._batches.items(self._batch_id, states=ENDED, seqs=[change.seq for change in some])
            items = {(item.job.seq, item.attempt): item for item in read}
            yield from (ItemEnded(item=items[mark]) for mark in map(_mark, some) if mark in items)

    def _note(self, new: list[Change]) -> None:
        """Remember what was told as long as it can be found again, and no longer: batches are long."""
        if new:
            self._told.update((_mark(change), change.at) for change in new)
            self._from = new[-1].at - OVERLAP
            self._told = {mark: moment for mark, moment in self._told.items() if moment >= self._from}

    def _keep_pace(self, tally: Tally) -> None:
        now = self._clock()
        self._pace.append((now, tally.ended))
        while now - self._pace[0][0] > PACE_SECONDS:
            self._pace.popleft()

    def _items_per_minute(self) -> float | None:
        (began, before), (now, after) = self._pace[0], self._pace[-1]
        if now - began < _LEAST_SECONDS or after <= before:
            return None
        return (after - before) / (now - began) * 60


def _mark(change: Change) -> tuple[int, int]:
    return change.seq, change.attempt


def watched(
    batches: "BatchStore",
    batch_id: str,
    *,
    is_stopping: IsStopping,
    look_seconds: float,
    as_seen: Callable[[Tally], Tally],
) -> Iterator[Event]:
    """Yield what happens in a batch that others run, until it stands still or `is_stopping`; see `BatchService.watch`.

    `as_seen` returns a tally as it is to be told: see `census.as_seen`.
    """
    follower, waits = Follower(batches, batch_id), looks(look_seconds)
    last_seen = time.monotonic()
    while True:
        tally, ended = follower.look()
        yield from ended
        seen = as_seen(tally)
        is_deserted = _is_deserted(seen)
        tally = seen if is_deserted else tally  # else some that it counts were not told
        yield follower.progress(tally)
        last_seen = last_seen if is_deserted else time.monotonic()
        may_go_on = is_deserted and time.monotonic() - last_seen < DESERTED_SECONDS
        if (last := last_event(tally)) is not None and not may_go_on:
            yield last
            return
        waited(next(waits), is_stopping)
        if is_stopping():
            return


def _is_deserted(tally: Tally) -> bool:
    return (tally.batch.state, tally.batch.pause_reason) == ("paused", "deserted")


def last_event(tally: Tally) -> Paused | BatchCancelled | BatchEnded | None:
    """Return the event that a batch which stands still has ended with, None for one that does not."""
    match tally.batch.state:
        case "paused":
            return Paused(tally=tally, reason=_reason(tally))
        case "cancelled":
            return BatchCancelled(tally=tally)
        case "done":
            return BatchEnded(tally=tally)
        case _:
            return None


def _reason(tally: Tally) -> PauseReason:
    known: tuple[PauseReason, ...] = ("budget", "sample", "deserted", "refused", "empty", "unreachable")
    return next((reason for reason in known if reason == tally.batch.pause_reason), "interrupted")
