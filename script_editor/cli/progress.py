"""What a person sees while an edit runs: one line that changes, or every step with -v; without a terminal, the chunks."""

import json
import os
import shutil
import sys
from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from script_editor.agent.events import (
    Event,
    ReplyRejected,
    TextArrived,
    ToolFinished,
    ToolStarted,
    TurnStarted,
)
from script_editor.cli.printable import printable
from script_editor.cli.render import one_line
from script_editor.cli.session import Session

if TYPE_CHECKING:
    from script_editor.app.hooks import PartStarted


class Progress:
    """Draws a run's events on stderr; with -q and --json only what -v asks for.

    Where no line can be drawn over, what takes long still gets a line of its own as it begins.
    """

    def __init__(self, session: Session):
        self._steps = session.verbose > 0
        self._streams = session.verbose == 1  # -vv shows every reply whole
        silent = self._steps or session.quiet or session.json
        can_redraw = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._line, self._plain = not silent and can_redraw, not silent and not can_redraw
        self._done: list[str] = []
        self._drawn = False
        self._streaming = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _value: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.pause()

    def listen(self, event: Event) -> None:
        """Take one event of the run."""
        if self._steps:
            self._show_step(event)
        elif self._line:
            self._show_line(event)

    def draft(self, text: str) -> None:
        """Show a piece of the text that the model writes, as it arrives."""
        if self._streams:
            self._stream(text)

    def tell(self, line: str) -> None:
        """Show what begins now."""
        if self._steps:
            self._tell(line)
        elif self._line:
            self._draw(f"{line} …")
        elif self._plain:
            self._tell(line)

    def part(self, part: "PartStarted") -> None:
        """Show that a chunk of a long script begins; with -v also what all of it will about cost."""
        if self._steps and part.number == 1:
            self._tell(f"  about {part.tokens_in:,} tokens to send, {part.tokens_out:,} to receive")
        indent = "  " if self._steps else ""
        self.tell(f"{indent}chunk {part.number} of {part.count} (lines {part.first}-{part.last})")

    def pause(self) -> None:
        """Leave the terminal clean for something else."""
        if self._drawn:
            click.echo("\r\x1b[2K", nl=False, err=True)
            self._drawn = False
        self._end_stream()

    # --- with -v -----------------------------------------------------------------------------

    def _show_step(self, event: Event) -> None:
        match event:
            case TurnStarted(turn=turn):
                self._tell(f"step {turn}")
            case TextArrived(text=text) if self._streams:
                self._stream(text)
            case ToolStarted(action=action):
                arguments = json.dumps(action.arguments, ensure_ascii=False)
                self._tell(f"  {action.tool} {one_line(arguments, 200)}")
            case ToolFinished(step=step):
                mark = "ok" if step.ok else "refused"
                self._tell(
                    *(f"  {line}" for line in (f"{mark}, {step.seconds:.2f} s", *_head(step.observation)))
                )
            case ReplyRejected(correction=correction):
                self._tell(
                    f"  unreadable reply ({correction.malformed.code}): {correction.malformed.message}"
                )
            case _:
                pass

    def _tell(self, *lines: str) -> None:
        self._end_stream()
        for line in lines:
            click.echo(click.style(printable(line), dim=True), err=True)

    def _stream(self, text: str) -> None:
        click.echo(click.style(printable(text, keep="\n\t"), dim=True), nl=False, err=True)
        self._streaming = not text.endswith("\n")

    def _end_stream(self) -> None:
        if self._streaming:
            click.echo("", err=True)
            self._streaming = False

    # --- one line ----------------------------------------------------------------------------

    def _show_line(self, event: Event) -> None:
        match event:
            case TurnStarted():
                self._draw("thinking …")
            case ToolStarted(action=action):
                self._draw(f"{action.tool} …")
            case ToolFinished(step=step):
                self._done.append(
                    f"{step.action.tool} {'ok' if step.ok else 'refused'} ({step.seconds:.1f} s)"
                )
                self._draw("")
            case _:
                pass

    def _draw(self, present: str) -> None:
        width = shutil.get_terminal_size().columns - 2  # a line that wraps cannot be drawn over
        text = one_line("  ".join([*self._done[-3:], present]), width)
        click.echo(f"\r\x1b[2K{text}", nl=False, err=True)
        self._drawn = True


def _head(observation: str, limit: int = 6) -> Sequence[str]:
    lines = observation.split("\n")
    return lines if len(lines) <= limit else [*lines[:limit], f"… {len(lines) - limit} more lines"]
