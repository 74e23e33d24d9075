"""Values as lines of text or as JSON values. No decisions, no questions, no output."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click
from rich.cells import cell_len, set_cell_size

from script_editor.cli.printable import printable
from script_editor.domain.diff import Change, Mark
from script_editor.domain.script import Version, VersionInfo


def count(number: int, noun: str) -> str:
    """Return a number with its noun: "1 change", "3 changes"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def one_line(text: str, limit: int = 60) -> str:
    """Return a text on one line of at most `limit` terminal cells."""
    line = printable(" ".join(text.split()))
    return line if cell_len(line) <= limit else set_cell_size(line, limit - 1).rstrip() + "…"


def table(rows: Sequence[Sequence[str]], width: int | None = None) -> list[str]:
    """Return rows as aligned lines; widths are terminal cells, so Chinese aligns.

    With `width`, the last column is shortened so that a row fits on a line of so many cells.
    """
    if not rows:
        return []
    rows = [tuple(printable(cell) for cell in row) for row in rows]
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if width is not None:
        room = max(width - sum(widths[:-1]) - 2 * len(widths[:-1]), 10)
        rows = [(*row[:-1], one_line(row[-1], room)) for row in rows]
        widths[-1] = min(widths[-1], room)
    padded = [
        "  ".join(set_cell_size(cell, width) for cell, width in zip(row, widths, strict=True)) for row in rows
    ]
    return [line.rstrip() for line in padded]


# --- texts and changes -----------------------------------------------------------------------


def numbered_lines(lines: Iterable[tuple[int, str]]) -> list[str]:
    """Return spoken lines with their numbers in front."""
    rows = list(lines)
    width = len(str(rows[-1][0])) if rows else 1
    return [f"{number:>{max(width, 3)}}  {printable(content)}" for number, content in rows]


def change_lines(changes: Sequence[Change]) -> list[str]:
    """Return changes inline, one line each, as `  2  今天[-我们-]{+咱们+}…`; the marks stay without colour."""
    lines = []
    for change in changes:
        if change.kind == "space":
            number = change.after_line or change.before_line
            lines.append(f"{number or '':>3}  ({change.note})")
        else:
            number = change.after_line or change.before_line
            sign = {"insert": "+", "delete": "-"}.get(change.kind, " ")
            lines.append(f"{number or '':>3} {sign}{_marked(change.marks)}")
    return lines


def _marked(marks: Sequence[Mark]) -> str:
    pieces = []
    for mark in marks:
        text = printable(mark.text)
        match mark.kind:
            case "equal":
                pieces.append(text)
            case "delete":
                pieces.append(click.style(f"[-{text}-]", fg="red", strikethrough=True))
            case "insert":
                pieces.append(click.style(f"{{+{text}+}}", fg="green"))
    return "".join(pieces)


def change_data(change: Change) -> Mapping[str, Any]:
    """Return a change as JSON values; line numbers count from 1, null where there is no line."""
    return {
        "id": change.id,
        "kind": change.kind,
        "before_line": change.before_line,
        "after_line": change.after_line,
        "before": change.before,
        "after": change.after,
        **({"note": change.note} if change.note else {}),
    }


# --- versions --------------------------------------------------------------------------------


def when(version: VersionInfo) -> str:
    """Return a version's time in the user's zone, to the minute."""
    return version.created_at.astimezone().strftime("%Y-%m-%d %H:%M")


def came_from(version: VersionInfo) -> str:
    """Return in a word where a version came from: a model, a person, a file, an older version."""
    if version.restored_number is not None:
        return f"{version.source}→v{version.restored_number}"
    if version.source == "edit":
        return version.provenance.model or "edit"
    return {"manual": "by hand"}.get(version.source, version.source)


def why(version: VersionInfo) -> str:
    """Return what was asked for, or what the person noted."""
    about = version.provenance
    return (
        f"“{about.instruction}”" if about.instruction and version.restored_number is None else about.message
    )


def version_data(version: VersionInfo) -> dict[str, Any]:
    """Return a version, without its text, as JSON values."""
    about = version.provenance
    return {
        "script": version.script_id,
        "version": f"v{version.number}",
        "created_at": version.created_at.isoformat(),
        "source": version.source,
        "restored": f"v{version.restored_number}" if version.restored_number else None,
        "author": about.author,
        "instruction": about.instruction,
        "message": about.message,
        "model": about.model,
        "tokens": {"in": about.prompt_tokens, "out": about.completion_tokens},
        "hash": version.content_hash,
    }


def comparison_line(before: Version, after: Version, changes: Sequence[Change]) -> str:
    """Return the head line of a diff."""
    is_step = after.parent_number == before.number  # else the note tells only of the last of several
    asked = f"  {one_line(why(after), 50)}" if is_step and why(after) else ""
    net = len(after.text) - len(before.text)
    return (
        f"{after.script_id}  v{before.number} → v{after.number}   {when(after)}{asked}   "
        f"{count(len(changes), 'change')}, net {net:+,} characters"
    )
