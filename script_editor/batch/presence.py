"""Which items this process is at: how many at a time, which it gave up for now, and whether it wants to leave."""

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from script_editor.batch.engine import Interrupted, ItemRef

_SLOT_SECONDS = 0.5


class Presence:
    """What the threads of a process tell each other. One that is `stopping` begins nothing; one that is `leaving`
    takes no further step either."""

    def __init__(self, workers: int):
        self.stopping, self.leaving = threading.Event(), threading.Event()
        self._slots = threading.BoundedSemaphore(max(workers, 1))
        self._changed = threading.Condition()
        self._at: dict[ItemRef, int] = {}
        self._begun: Counter[str] = Counter()
        self._left: dict[ItemRef, bool] = {}

    @contextmanager
    def at(self, ref: ItemRef) -> Iterator[None]:
        """Be at an item, once there is a free place.

        Raises:
            Interrupted: the process wants to leave.
        """
        with self._counted(ref), self._slot(), self._begun_one(ref.batch_id):
            yield

    @contextmanager
    def _counted(self, ref: ItemRef) -> Iterator[None]:
        with self._changed:
            # Twice where it was taken away and came back while its last call is still under way.
            self._at[ref] = self._at.get(ref, 0) + 1
            self._left.pop(ref, None)
        try:
            yield
        finally:
            with self._changed:
                self._at[ref] -= 1
                if not self._at[ref]:
                    del self._at[ref]
                self._changed.notify_all()

    @contextmanager
    def _slot(self) -> Iterator[None]:
        while not self._slots.acquire(timeout=_SLOT_SECONDS):
            if self.stopping.is_set():
                raise Interrupted
        try:
            if self.stopping.is_set():
                raise Interrupted
            yield
        finally:
            self._slots.release()

    @contextmanager
    def _begun_one(self, batch_id: str) -> Iterator[None]:
        with self._changed:
            self._begun[batch_id] += 1
        try:
            yield
        finally:
            with self._changed:
                self._begun[batch_id] -= 1

    def begun(self, batch_id: str) -> int:
        """Return how many items of a batch have a place here, and are neither over nor given up."""
        with self._changed:
            return self._begun[batch_id]

    def leave(self, ref: ItemRef, *, is_failure: bool) -> None:
        """Note that an item was given up for now; `is_failure` says that something was in the way."""
        with self._changed:
            self._left[ref] = is_failure

    def returned(self, items: Sequence[ItemRef]) -> None:
        """Note that items that were given up are in the queue again."""
        with self._changed:
            for ref in items:
                self._left.pop(ref, None)

    def left(self) -> dict[ItemRef, bool]:
        """Return the items that were given up and are not run any more, and whether something was in the way."""
        with self._changed:
            return {ref: failed for ref, failed in self._left.items() if ref not in self._at}

    def unfinished(self) -> tuple[ItemRef, ...]:
        """Return the items that are run or were given up."""
        with self._changed:
            return tuple({*self._at, *self._left})

    def wait_for_all(self, timeout_seconds: float) -> bool:
        """Wait until no item is run; return whether that came true in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._at, timeout_seconds)
