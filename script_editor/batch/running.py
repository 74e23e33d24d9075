"""One run of a batch in this process, from its first event to its last."""

import time
from collections.abc import Callable, Collection, Generator, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from script_editor.batch.engine import ItemRef
from script_editor.batch.following import Follower
from script_editor.batch.progress import (
    BatchCancelled,
    BatchEnded,
    Began,
    Event,
    Last,
    Left,
    Paused,
    PauseReason,
    Progress,
    Stopping,
)
from script_editor.domain.batches import BatchState, ItemState, Tally
from script_editor.errors import Conflict

if TYPE_CHECKING:  # watching a batch works on none of it
    from script_editor.batch.crew import Crew
    from script_editor.domain.batch_ports import BatchStore

STOPPING_SECONDS = 30.0
"""How long the items that run are waited for when the batch stands still or a person wants to leave."""
QUIET_SECONDS = 60.0
"""After so long without any item at work the queue is filled again."""
CHUNK = 1000
FIRST_LOOK_SECONDS = 0.1
"""A small batch is over soon, so the first looks come quickly one after another."""

IsStopping = Callable[[], bool]


OPEN: tuple[ItemState, ...] = ("queued", "running")
WAITING: tuple[ItemState, ...] = ("queued",)
"""What a pause takes out of the queue. What runs elsewhere gives itself up at its next step: taken away in the middle
of a call, its answer could not be noted, and would be paid for again."""


def refs(batches: "BatchStore", batch_id: str, *, states: Collection[ItemState] = OPEN) -> Iterator[ItemRef]:
    """Yield the items of a batch in these states by their number, read a few at a time."""
    after = 0
    while found := batches.items(batch_id, states=states, after=after, limit=CHUNK):
        for item in found:
            yield ItemRef(batch_id, item.job.seq, item.attempt)
        after = found[-1].job.seq


def chunks(items: Iterator[ItemRef]) -> Iterator[list[ItemRef]]:
    """Yield items, so many at a time."""
    while chunk := list(islice(items, CHUNK)):
        yield chunk


def looks(seconds: float) -> Iterator[float]:
    """Yield how long to wait before each further look, at most `seconds`."""
    wait = FIRST_LOOK_SECONDS
    while True:
        yield min(wait, seconds)
        wait *= 1.5


def waited(seconds: float, is_stopping: IsStopping) -> None:
    """Wait, but no longer than until `is_stopping`."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and not is_stopping():
        time.sleep(min(left, FIRST_LOOK_SECONDS))


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
    reasons: dict[str, PauseReason] = {"budget": "budget", "sample": "sample", "refused": "refused"}
    return reasons.get(tally.batch.pause_reason, "interrupted")


class Run:
    """Puts the open items of a batch into the queue and tells what becomes of them, until there is nothing to tell.

    `sample` bounds how many items are put there. `others` says how many other processes work at present.
    """

    def __init__(
        self,
        batch_id: str,
        crew: "Crew",
        batches: "BatchStore",
        *,
        is_stopping: IsStopping,
        others: Callable[[], int],
        are_new: bool,
        sample: int | None = None,
        look_seconds: float = 1.0,
        quiet_seconds: float = QUIET_SECONDS,
    ):
        self._batch_id, self._crew, self._batches = batch_id, crew, batches
        self._is_stopping, self._others = is_stopping, others
        self._are_new, self._sample, self._look_seconds = are_new, sample, look_seconds
        self._goal: int | None = None
        self._quiet_seconds, self._quiet_since, self._last_ended = quiet_seconds, time.monotonic(), 0
        self._follower = Follower(batches, batch_id)

    def events(self, began: Began) -> Generator[Event, None, Last]:
        """Yield what happens, and return how it ended: to be told when the crew has left."""
        yield began
        yield from self._submit()
        waits = looks(self._look_seconds)
        while True:
            tally, ended = self._follower.look()
            yield from ended
            yield self._progress(tally)
            if self._is_over(tally):
                yield from self._drained()
                return self._ending()
            self._stir(tally)
            waited(next(waits), self._is_stopping)

    # --- putting items into the queue --------------------------------------------------------

    def _submit(self) -> Iterator[Event]:
        items = refs(self._batches, self._batch_id)
        if self._sample is not None:
            self._goal = self._batches.tally(self._batch_id).ended + self._sample
            items = islice(items, self._sample)
        shown = time.monotonic()
        for chunk in chunks(items):
            if self._is_stopping():
                return
            self._crew.queue(chunk, are_new=self._are_new)
            if time.monotonic() - shown >= self._look_seconds:
                shown = time.monotonic()
                yield from self._told()

    def _told(self) -> Iterator[Event]:
        tally, ended = self._follower.look()
        yield from ended
        yield self._progress(tally)

    def _progress(self, tally: Tally) -> Progress:
        return self._follower.progress(tally, waiting_for=self._crew.waiting_for, left=self._to_do(tally))

    def _to_do(self, tally: Tally) -> int:
        """Return how many more items are to end."""
        return tally.left if self._goal is None else min(tally.left, max(self._goal - tally.ended, 0))

    def _stir(self, tally: Tally) -> None:
        """Put items into the queue again after a long time in which none ran: a loss of power may have taken them out."""
        now = time.monotonic()
        if tally.count("running") or tally.ended != self._last_ended:
            self._last_ended, self._quiet_since = tally.ended, now
        elif now - self._quiet_since > self._quiet_seconds:
            self._quiet_since = now
            for chunk in chunks(islice(refs(self._batches, self._batch_id), self._to_do(tally))):
                self._crew.queue(chunk, are_new=False)

    # --- the end -----------------------------------------------------------------------------

    def _is_over(self, tally: Tally) -> bool:
        stands = tally.batch.state != "running" or not self._to_do(tally)
        return stands or self._is_stopping() or self._crew.refusal is not None

    def _ending(self) -> Last:
        """Leave the batch in the state that fits, and return the event that says so."""
        tally = self._batches.tally(self._batch_id)
        if tally.batch.state == "cancelled":
            return BatchCancelled(tally=tally)
        if not tally.left:
            return BatchEnded(tally=self._moved(tally, "done"))
        if tally.batch.state == "paused":
            return self._stood_still(tally)
        if others := self._others():
            return Left(tally=tally, other_workers=others)
        return self._stood_still(self._moved(tally, "paused", self._pause_reason(tally)))

    def _pause_reason(self, tally: Tally) -> PauseReason:
        if self._crew.refusal is not None:
            return "refused"
        return "interrupted" if self._to_do(tally) else "sample"

    def _drained(self) -> Iterator[Event]:
        end = time.monotonic() + STOPPING_SECONDS
        is_told = False
        while not self._crew.drain(self._look_seconds if is_told else 0.0) and time.monotonic() < end:
            tally, ended = self._follower.look()
            yield from ended
            if not is_told:
                yield Stopping(tally=tally, running=tally.count("running"))
                is_told = True
        yield from self._follower.look()[1]

    def _moved(self, tally: Tally, state: BatchState, reason: str = "") -> Tally:
        try:
            return replace(tally, batch=self._batches.set_state(self._batch_id, state, reason=reason))
        except Conflict:  # somebody moved it in this very moment
            return self._batches.tally(self._batch_id)

    def _stood_still(self, tally: Tally) -> Paused:
        for chunk in chunks(refs(self._batches, self._batch_id, states=WAITING)):
            self._crew.withdraw(chunk)
        return Paused(tally=tally, reason=_reason(tally))
