"""Ctrl-C while a batch runs: the first ends it in order, the second at once, which is as safe as a crash."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from script_editor.errors.endings import INTERRUPTED

_SHOW_CURSOR = b"\x1b[?25h"


class Presses:
    """How often a person wanted to leave, by Ctrl-C or by ending the process politely (SIGTERM)."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def is_stopping(self) -> bool:
        """Whether the person wants no more items to be taken."""
        # A plain number: a handler may come in the middle of whatever a lock guards, and would wait for it forever.
        return self.count > 0

    def press(self, _number: int, _frame: FrameType | None) -> None:
        """Take one press; the second leaves without a word to anybody, and never comes back."""
        self.count += 1
        if self.count > 1:
            if os.isatty(2):  # what draws there has hidden the cursor
                os.write(2, _SHOW_CURSOR + b"\n")
            os._exit(INTERRUPTED)


@contextmanager
def presses() -> Iterator[Presses]:
    """Count presses in a block instead of raising KeyboardInterrupt; where they are ignored they stay so.

    To be entered in the main thread, the only one that may handle signals.
    """
    told = Presses()
    before = {
        number: signal.getsignal(number)
        for number in (signal.SIGINT, signal.SIGTERM)
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    for number in before:
        signal.signal(number, told.press)
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
