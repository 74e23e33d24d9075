"""How far a long plan is, on one line of a terminal that is drawn over; elsewhere, and for short ones, nothing."""

import os
import shutil
import sys
import time
from types import TracebackType
from typing import Self

import click

from script_editor.cli.session import Session

_PATIENCE_SECONDS = 0.5
"""What is over sooner needs no line."""
_REDRAW_SECONDS = 0.1
_CLEAR = "\r\x1b[K"


class Counting:
    """Draws how many rows were read and items stored; silent with -q and --json."""

    def __init__(self, session: Session):
        can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._can_draw = can_redraw and not (session.quiet or session.json)
        self._session, self._is_drawn = session, False
        self._next = time.monotonic() + _PATIENCE_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._is_drawn:
            click.echo(_CLEAR, nl=False, err=True)

    def tell(self, read: int, stored: int) -> None:
        """Take how many rows were read so far, and how many items of these are stored."""
        now = time.monotonic()
        if not self._can_draw or now < self._next:
            return
        self._next, self._is_drawn = now + _REDRAW_SECONDS, True
        room = shutil.get_terminal_size().columns // 2  # a wide character takes two
        click.echo(f"{_CLEAR}{self._said(read, stored)[:room]}", nl=False, err=True)

    def _said(self, read: int, stored: int) -> str:
        zh = self._session.language == "zh"
        if stored:
            return f"写入计划 {stored:,}/{read:,} …" if zh else f"Planning: {stored:,} of {read:,} …"
        return f"读取 {read:,} 行 …" if zh else f"Reading: {read:,} rows …"
