"""What the model calls of a process wait for at present, for whoever shows how a batch goes."""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from script_editor.batch.progress import Waiting


class Waits:
    """Counts the waiting calls by what they wait for. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock, self._reasons = threading.Lock(), Counter[Waiting]()

    @contextmanager
    def noted(self, reason: Waiting) -> Iterator[None]:
        """Count a call as waiting while the block runs."""
        with self._lock:
            self._reasons[reason] += 1
        try:
            yield
        finally:
            with self._lock:
                self._reasons[reason] -= 1

    def now(self) -> Waiting | None:
        """Return what most of the waiting calls wait for, None when none does."""
        with self._lock:
            found = [(count, reason) for reason, count in self._reasons.items() if count]
        return max(found)[1] if found else None
