"""What happened in a batch since the last look, read from the store: it does not matter which process did it."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import TYPE_CHECKING

from script_editor.batch.progress import Event, ItemEnded, Progress, Waiting
from script_editor.domain.batches import ENDED, Item, Tally
from script_editor.domain.script import utc_now

if TYPE_CHECKING:  # the protocol names every kind of edit; looking at a batch needs none of them
    from script_editor.domain.batch_ports import BatchStore

PACE_SECONDS = 120.0
"""The pace is that of so long a time; a batch that has come to a halt shows it soon."""
OVERLAP = timedelta(seconds=5)
"""How long before another one an end may have been written that is seen after it."""
SKEW = timedelta(minutes=5)
"""How far the clock of the store may be behind ours; an end before that would be counted, but not told."""
_LEAST_SECONDS = 1.0


class Follower:
    """Looks at one batch again and again. What was over before the first look is not told."""

    def __init__(self, batches: "BatchStore", batch_id: str, *, clock: Callable[[], float] = time.monotonic):
        self._batches, self._batch_id, self._clock = batches, batch_id, clock
        self._from = utc_now() - SKEW
        self._told = {_mark(item): item.updated_at for item in self._changed()}
        self._pace: deque[tuple[float, int]] = deque()

    def look(self) -> tuple[Tally, tuple[ItemEnded, ...]]:
        """Return where the batch stands, and the items that ended since the last look."""
        tally = self._batches.tally(self._batch_id)  # first: whatever it counts as ended is found below
        new = [item for item in self._changed() if _mark(item) not in self._told]
        self._note(new)
        self._keep_pace(tally)
        return tally, tuple(ItemEnded(item=item) for item in new)

    def events(self, *, waiting_for: Waiting | None = None, left: int | None = None) -> Iterator[Event]:
        """Yield what happened, and where the batch stands; `left` is how many items are still to end, None for all."""
        tally, ended = self.look()
        yield from ended
        yield self.progress(tally, waiting_for=waiting_for, left=left)

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

    def _changed(self) -> tuple[Item, ...]:
        return self._batches.items(self._batch_id, states=ENDED, changed_since=self._from)

    def _note(self, new: list[Item]) -> None:
        """Remember what was told as long as it can be found again, and no longer: batches are long."""
        if new:
            self._told.update((_mark(item), item.updated_at) for item in new)
            self._from = max(item.updated_at for item in new) - OVERLAP
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


def _mark(item: Item) -> tuple[int, int]:
    return item.job.seq, item.attempt
