"""Ctrl-C while a batch runs: the first ends it in order, the second at once, which is as safe as a crash. A terminal that
is closed ends it in order."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from script_editor.errors.endings import INTERRUPTED

_SHOW_CURSOR = b"\x1b[?25h"
_CLEAR_BELOW = b"\x1b[J"
_CLEAR_LINE, _UP = b"\r\x1b[2K", b"\x1b[1A"
_ONE_PRESS_SECONDS = 0.2
"""A press may come twice, from the terminal and from a program around this one that passes it on."""
_OUTPUTS = (1, 2)
_HANG_UP = getattr(signal, "SIGHUP", None)
"""Windows has none."""


class Presses:
    """How often a person wanted to leave, by Ctrl-C, by ending the process politely (SIGTERM), or by closing the terminal.

    `last_words` are told to whoever leaves at once, for whom nothing else is told; `drawn_rows` is asked how many
    lines at the bottom of the screen are drawn over and over, so that none of them is left there.
    """

    def __init__(self, last_words: str = "", drawn_rows: Callable[[], int] = lambda: 0):
        self.count, self._counted_at = 0, 0.0
        self._drawn_rows = drawn_rows
        self._terminals = [output for output in _OUTPUTS if os.isatty(output)]
        self._last_words = f"{last_words}\n".encode() if last_words else b""

    @property
    def is_stopping(self) -> bool:
        """Whether the person wants no more items to be taken."""
        # A plain number: a handler may come in the middle of whatever a lock guards, and would wait for it forever.
        return self.count > 0

    def press(self, _number: int, _frame: FrameType | None) -> None:
        """Take one press; the second leaves without a word to other workers, and never comes back."""
        now = time.monotonic()
        if self.count and now - self._counted_at < _ONE_PRESS_SECONDS:
            return
        self.count, self._counted_at = self.count + 1, now
        if self.count > 1:
            with suppress(OSError):  # nobody is left to whom it could be told
                os.write(2, self._goodbye())
            os._exit(INTERRUPTED)

    def hang_up(self, number: int, frame: FrameType | None) -> None:
        """Take the end of the terminal as the first press, and never as the second: shells pass on what the system has
        told already. What is still told goes nowhere, since the work could not end in order where telling fails."""
        for output in self._terminals:
            if not os.isatty(output):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, output)
                os.close(nowhere)
        if not self.count:
            self.press(number, frame)

    def _goodbye(self) -> bytes:
        if not os.isatty(2):
            return self._last_words
        # What draws there has hidden the cursor, and left it at the end of its last line.
        return self._cleared() + self._last_words + _SHOW_CURSOR

    def _cleared(self) -> bytes:
        """Return what takes away what is drawn, and leaves the cursor at the beginning of a clean line."""
        rows = self._drawn_rows()
        if not rows:
            return b"\n" + _CLEAR_BELOW
        return _CLEAR_LINE + (_UP + _CLEAR_LINE) * (rows - 1) + _CLEAR_BELOW


@contextmanager
def presses(last_words: str = "", drawn_rows: Callable[[], int] = lambda: 0) -> Iterator[Presses]:
    """Count presses in a block instead of raising KeyboardInterrupt; where they are ignored they stay so.

    To be entered in the main thread, the only one that may handle signals.
    """
    told = Presses(last_words, drawn_rows)
    handlers: dict[signal.Signals, Callable[[int, FrameType | None], None]] = {
        signal.SIGINT: told.press,
        signal.SIGTERM: told.press,
    }
    if _HANG_UP is not None:
        handlers[_HANG_UP] = told.hang_up
    before = {
        number: signal.getsignal(number)
        for number in handlers
        if signal.getsignal(number) is not signal.SIG_IGN
    }
    for number in before:
        signal.signal(number, handlers[number])
    try:
        yield told
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
