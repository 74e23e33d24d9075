"""Ctrl-C at a better moment: what must not be cut in two is finished first.

An interrupt can come between any two steps of a program, so between saving and remembering that it was saved,
and in the middle of a driver's code. `held` moves it to the end of a block. Such blocks are short, but one may
have to wait for a lock of a database: the third interrupt therefore goes through at once.

Handlers of signals are per process and run in the main thread only; in other threads nothing here does anything,
and neither where interrupts are ignored, end the process at once, or are handled by something that is not Python.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

PATIENCE = 3
"""The interrupt with this number is no longer held back, counted from the outermost block on: the person means it."""

_Handler = Callable[[int, FrameType | None], object]


class _Stand:
    """Stands in for the handler of SIGINT while anything is held.

    `is_open` lets interrupts through as they come; the first that went through closes it, so that what is
    tidied up after it is not interrupted by the next. `passed` counts those that went through.
    """

    def __init__(self, before: _Handler):
        self._before = before
        self.is_open = False
        self.waiting = self.passed = 0

    def __call__(self, _number: int, frame: FrameType | None) -> None:
        self.waiting += 1
        if self.is_open:
            self.deliver(frame)
        elif self.passed + self.waiting >= PATIENCE:
            # Gone before it raises: wherever that hits, no handler is left behind that nobody takes away.
            self.leave()
            self.deliver(frame)

    def deliver(self, frame: FrameType | None = None) -> None:
        """Do what an interrupt does without this, which mostly is to raise KeyboardInterrupt."""
        self.waiting, self.is_open = 0, False
        self.passed += 1
        self._before(signal.SIGINT, frame)

    def leave(self) -> None:
        """Give the place back, unless somebody else has taken it in the meantime."""
        if _standing() is self:
            signal.signal(signal.SIGINT, self._before)


class Hold:
    """A block in which interrupts are held back."""

    def __init__(self, stand: _Stand, *, was_open: bool, is_outermost: bool = False):
        self._stand, self._was_open, self._passed = stand, was_open, stand.passed
        self._is_forgotten, self._is_outermost = False, is_outermost

    @property
    def around(self) -> bool:
        """Whether interrupts go through around this block."""
        return self._was_open and self._stand.passed == self._passed

    @contextmanager
    def lifted(self) -> Iterator[None]:
        """Let interrupts through in a part of the block, if they go through around it."""
        with _opened(self._stand, self.around):
            yield

    def forget(self) -> None:
        """Drop what came so far or comes until the end of the block: what it would stop is done, and to be told."""
        self._is_forgotten = True

    def deliver(self) -> None:
        """At the end of the block, let through what came and was not forgotten, if it goes through around it."""
        if self._is_forgotten:
            self._stand.waiting = 0
        elif self._stand.waiting and (self.around or self._is_outermost):
            self._stand.deliver()


@contextmanager
def held() -> Iterator[Hold]:
    """Hold interrupts back until the block is over; then one that came is raised, whatever the block raised.

    Blocks may stand in each other: an inner one ends in the peace of the outer one.

    Raises:
        KeyboardInterrupt: at the end, if one came; inside the block, for the third.
    """
    stand = _standing()
    if stand is not None:
        with _within(stand) as hold:
            yield hold
        return
    stand = _installed()
    hold = Hold(stand, was_open=True, is_outermost=True)
    try:
        yield hold
    finally:
        stand.leave()
        hold.deliver()


@contextmanager
def let_through() -> Iterator[None]:
    """Let interrupts through inside `held`, also in several of them: here is what a person may stop.

    One that came before is raised at once. After the first in the block the following are held back again.
    """
    stand = _standing()
    if stand is None:
        yield
        return
    with _opened(stand, True):
        yield


@contextmanager
def _within(stand: _Stand) -> Iterator[Hold]:
    hold = Hold(stand, was_open=stand.is_open)
    stand.is_open = False
    try:
        yield hold
    finally:
        stand.is_open = hold.around
        hold.deliver()


@contextmanager
def _opened(stand: _Stand, is_open: bool) -> Iterator[None]:
    around = Hold(stand, was_open=stand.is_open)
    stand.is_open = is_open
    try:
        if is_open and stand.waiting:
            stand.deliver()
        yield
    finally:
        stand.is_open = around.around


def _standing() -> _Stand | None:
    """Return the stand that is in place, in the thread that it is about."""
    if threading.get_ident() != threading.main_thread().ident:
        return None
    found = signal.getsignal(signal.SIGINT)
    return found if isinstance(found, _Stand) else None


def _installed() -> _Stand:
    """Return a stand that took the place of the handler, or one without effect where it must not."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or isinstance(before, signal.Handlers):
        return _Stand(signal.default_int_handler)
    stand = _Stand(before)
    with suppress(ValueError):  # another thread, or an interpreter that may not
        signal.signal(signal.SIGINT, stand)
    return stand
