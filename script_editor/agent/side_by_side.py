"""Calls that run at the same time, each in a thread of its own, a few at once.

A thread cannot be stopped. So a thread begins one call and nothing after it, only the loop begins the next one,
and when the loop goes away (Ctrl-C, the deadline) the calls that are running end by themselves and their results
are dropped. The threads are daemons: they do not keep the process alive.
"""

from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")

_POLL_SECONDS = 0.5  # where waiting cannot be interrupted, Ctrl-C is noticed after this


class SideBySide(Generic[T]):
    """Runs pieces of work beside each other, at most `max_threads` at a time."""

    def __init__(self, max_threads: int):
        self._max_threads = max_threads
        self._results: SimpleQueue[tuple[int, T | BaseException]] = SimpleQueue()
        self.running = 0

    @property
    def is_full(self) -> bool:
        """Whether another piece has to wait."""
        return self.running >= self._max_threads

    def start(self, number: int, work: Callable[[], T]) -> None:
        """Begin a piece of work, known by its number; it sees the context variables of the caller."""
        context = copy_context()

        def run() -> None:
            try:
                result: T | BaseException = context.run(work)
            except BaseException as error:  # it belongs into the thread that waits for it
                result = error
            self._results.put((number, result))

        self.running += 1
        Thread(target=run, name=f"call-{number}", daemon=True).start()

    def next(self, timeout_seconds: float | None) -> tuple[int, T] | None:
        """Return the next result that is ready, or None if none was within the time or half a second.

        Raises:
            BaseException: what the work raised.
        """
        wait = _POLL_SECONDS if timeout_seconds is None else min(timeout_seconds, _POLL_SECONDS)
        try:
            number, result = self._results.get(timeout=wait)
        except Empty:
            return None
        self.running -= 1
        if isinstance(result, BaseException):
            raise result
        return number, result
