"""What a person says in a chat: lines typed at a prompt, or the lines of a pipe."""

import sys
from collections.abc import Iterator
from contextlib import suppress

import click

PROMPT = "> "
MORE = "… "


class Leaving(Exception):
    """The person pressed Ctrl-C twice in a row with nothing typed."""


def typed() -> Iterator[str]:
    """Yield what is typed on a terminal until Ctrl-D, several lines as one where all but the last end in a backslash.

    Lines can be edited and brought back with the arrow keys; nothing of them is written to a file. Ctrl-C throws away
    what was typed so far.

    Raises:
        Leaving: see there.
    """
    _use_readline()
    is_second = False
    while True:
        try:
            said = _typed_at_once()
        except EOFError:
            click.echo("", err=True)
            return
        except KeyboardInterrupt:
            is_empty = not _typed_so_far()
            click.echo("", err=True)
            if is_second and is_empty:
                raise Leaving from None
            is_second = is_empty
            if is_second:
                click.echo("Ctrl-D leaves; so does Ctrl-C once more.", err=True)
            continue
        except UnicodeDecodeError:
            click.echo("What was typed is not UTF-8; nothing was done.", err=True)
            continue
        is_second = False
        yield said


def piped() -> Iterator[str | None]:
    """Yield the lines of stdin as they arrive, joined as in `typed`; None for one that is not UTF-8."""
    lines: list[str | None] = []
    for raw in sys.stdin.buffer:
        line = _decoded(raw)
        goes_on = line is not None and line.endswith("\\")
        lines.append(line[:-1] if goes_on and line is not None else line)
        if not goes_on:
            yield _joined(lines)
            lines = []
    if lines:
        yield _joined(lines)


def _decoded(raw: bytes) -> str | None:
    with suppress(UnicodeDecodeError):
        return raw.decode("utf-8-sig").rstrip("\r\n")
    return None


def _joined(lines: list[str | None]) -> str | None:
    return None if None in lines else "\n".join(line for line in lines if line is not None)


def _typed_at_once() -> str:
    lines = [_read(PROMPT)]
    while lines[-1].endswith("\\"):
        lines[-1] = lines[-1][:-1]
        lines.append(_read(MORE))
    return "\n".join(lines)


def _read(prompt: str) -> str:
    if sys.stdout.isatty():
        line = input(prompt)  # the line editor has to know the prompt's width
        _remember(line)
        return line
    # Otherwise the prompt would become part of the result.
    click.echo(prompt, nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")


def _use_readline() -> None:
    with suppress(ImportError):  # not everywhere; without it lines can still be typed
        import readline

        readline.set_auto_history(False)  # or else every "y" to a question would be among what was said


def _remember(line: str) -> None:
    """Let a line be brought back with the arrow keys; it is in no file."""
    with suppress(ImportError):
        import readline

        if line.strip():
            readline.add_history(line)


def _typed_so_far() -> str:
    with suppress(ImportError):
        import readline

        return readline.get_line_buffer()
    return ""
