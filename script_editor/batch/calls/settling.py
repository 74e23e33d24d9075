"""Counting what model calls really took, without ever losing an answer that was paid over it."""

import threading
from collections import deque
from dataclasses import dataclass

from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Permit
from script_editor.errors import OF_THE_STORE


@dataclass(frozen=True, slots=True)
class Taken:
    """What a call took; None where nobody told, and then it took what it was reckoned with."""

    tokens: int | None
    cost: float | None


class Settling:
    """Settles permits, at once or as soon as the store lets us. Safe to share between threads.

    Until then a call counts with what it was reckoned with, so no limit is passed for it.
    """

    def __init__(self, batches: BatchStore):
        self._batches = batches
        self._open: deque[tuple[Permit, Taken]] = deque()
        self._turn = threading.Lock()

    def settle(self, permit: Permit, taken: Taken) -> None:
        """Count a call; where the store cannot be written, `catch_up` does it later, and nothing is raised."""
        if not permit.is_counted:
            return
        try:
            self._write(permit, taken)
        except OF_THE_STORE:
            self._open.append((permit, taken))

    def catch_up(self) -> None:
        """Settle what is still open, as far as that goes.

        Raises StoreUnusable, StoreFull: the store still cannot be written.
        """
        if not self._open or not self._turn.acquire(blocking=False):
            return  # nothing to do, or somebody is at it
        try:
            while self._open:
                self._write(*self._open[0])
                self._open.popleft()
        finally:
            self._turn.release()

    def _write(self, permit: Permit, taken: Taken) -> None:
        self._batches.settle_permit(permit.id, tokens=taken.tokens, cost=taken.cost)
