"""What a person sees of a running batch, on stderr: a bar and what is waited for; without a terminal, a line for each item."""

import os
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click
from rich.cells import cell_len

from script_editor.cli.batch import items, words
from script_editor.cli.printable import printable
from script_editor.cli.session import Session
from script_editor.cli.wrapping import wrapped
from script_editor.domain.batches import TROUBLED, Item, Tally

if TYPE_CHECKING:
    from rich.live import Live
    from rich.progress import Progress
    from rich.text import Text

_INDENT, _DOT = "  ", " · "
_FEW = 50
"""Up to so many items each one has its line above the bar; of more only those that went wrong, unless -v asks."""


class Drawing:
    """Draws where a batch stands; silent with -q and --json."""

    def __init__(self, session: Session, tally: Tally):
        self._session, self._language = session, session.language
        self._all = session.verbose > 0 or tally.batch.total <= _FEW
        silent = session.quiet or session.json
        can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._bar = _Bar(tally) if can_redraw and not silent else None
        self._is_plain = not can_redraw and not silent

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
            self._session.drawn_rows = self._bar.rows
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if self._bar:
            self._bar.stop()
            self._session.drawn_rows = 0

    def item(self, item: Item) -> None:
        """Show that an item is over."""
        line = items.item_line(item, self._language)
        if self._bar and (self._all or item.state in TROUBLED or item.warnings):
            self._bar.print(line)
        elif self._is_plain:
            click.echo(line, err=True)

    def tell(self, line: str) -> None:
        """Show a sentence."""
        if self._bar:
            self._bar.print(printable(self._session.as_here(line)))
        else:
            self._session.say(line)

    def move(
        self,
        tally: Tally,
        *,
        items_per_minute: float | None = None,
        seconds_left: float | None = None,
        waiting: str = "",
        running: int = 0,
    ) -> None:
        """Show how far the batch is; `waiting` is why nothing moves, "" when something does, and `running` how many items
        are waited for."""
        if self._bar:
            about = words.pace(items_per_minute, seconds_left, waiting, self._language, running=running)
            used = [*reversed(words.used(tally, self._language))]  # money before tokens
            self._bar.move(tally, words.states(tally, self._language), [*about, *used])
            self._session.drawn_rows = self._bar.rows


def fitted(states: Sequence[str], about: Sequence[str], width: int) -> list[str]:
    """Return what is told under the bar: one line where all of it fits, else the items, and what else fits on a second.

    `about` is in the order of its use: what does not fit at its end is left out.
    """
    one = _INDENT + _DOT.join([*states, *about])
    if cell_len(one) <= width:
        return [one]
    kept = list(about)
    while len(kept) > 1 and cell_len(_INDENT + _DOT.join(kept)) > width:
        kept.pop()
    return [_INDENT + _DOT.join(part) for part in (states, kept) if part]


class _Bar:
    """A bar, and the numbers under it; `rows` is how many lines of the screen it takes."""

    def __init__(self, tally: Tally):
        self._live, self._progress, self._numbers = _parts()
        self.rows = 2
        self._task = self._progress.add_task(
            tally.batch.id, total=max(tally.batch.total, 1), completed=tally.ended
        )

    def start(self) -> None:
        self._live.start()

    def stop(self) -> None:
        self._live.stop()

    def print(self, line: str) -> None:
        from rich.text import Text

        # A long sentence of a service is worth reading whole.
        for part in wrapped(line, self._live.console.width):
            self._live.console.print(Text.from_ansi(part), soft_wrap=True)

    def move(self, tally: Tally, states: Sequence[str], about: Sequence[str]) -> None:
        self._progress.update(self._task, completed=tally.ended, total=max(tally.batch.total, 1))
        told = fitted(states, about, self._live.console.width)
        self._numbers.plain = "\n".join(told)
        self.rows = 1 + max(1, len(told))


def _parts() -> "tuple[Live, Progress, Text]":
    """Return the area that is drawn over and over, and the two things in it."""
    # late: rich.console is a third of what a command's start-up takes
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn
    from rich.text import Text

    context = click.get_current_context(silent=True)
    console = Console(stderr=True, highlight=False, no_color=context is not None and context.color is False)
    progress = Progress(
        TextColumn("{task.description}"), BarColumn(bar_width=None), MofNCompleteColumn(), TaskProgressColumn(),
        console=console, expand=True,
    )  # fmt: skip
    numbers = Text(no_wrap=True, overflow="ellipsis")
    live = Live(Group(progress, numbers), console=console, refresh_per_second=4, transient=True)
    return live, progress, numbers
