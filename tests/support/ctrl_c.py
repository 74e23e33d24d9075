"""Ctrl-C at an exact step of a program: a real signal, sent when so many calls have been made.

Python looks for signals where a function of Python begins and where a built-in one has returned. Elsewhere, as
before the built-in end of a `with`, none ever arrives, and locks would be left that no real interrupt leaves.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_LOOKED_AT = ("call", "c_return")


def press(times: int = 1) -> None:
    """Press Ctrl-C; without anything in its way it raises KeyboardInterrupt here."""
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGINT)


class Steps:
    """Counts the steps inside `counted`, and presses Ctrl-C at some of them, counted from 1."""

    def __init__(self, *presses: int):
        self.count = 0
        self._presses = frozenset(presses)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is done in the block by this thread."""
        sys.setprofile(self._step)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _step(self, _frame: FrameType, event: str, _argument: object) -> None:
        self.count += event in _LOOKED_AT
        if event in _LOOKED_AT and self.count in self._presses:
            press()


def steps_of(work: Callable[[], object]) -> int:
    """Return how many steps a piece of work takes."""
    steps = Steps()
    with steps.counted():
        work()
    return steps.count
