"""Values as lines of text or as JSON values. No decisions, no questions, no output."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click
from rich.cells import cell_len, set_cell_size

from script_editor.cli.printable import printable
from script_editor.domain.diff import Change
from script_editor.domain.duration import estimate
from script_editor.domain.marks import Mark
from script_editor.domain.script import Version, VersionInfo
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.app.proposals import Review
    from script_editor.domain.findings import Finding
    from script_editor.domain.locks import Lock


_SPACES_ZH: Mapping[str, str] = {
    "line end": "换行符", "indentation or trailing space": "缩进或行尾空格", "blank line added": "增加空行",
    "blank line removed": "删去空行", "blank line changed": "空行有变动", "final newline added": "末尾加上换行",
    "final newline removed": "末尾去掉换行", "byte order mark added": "加上 BOM", "byte order mark removed": "去掉 BOM",
}  # fmt: skip
"""What changes in the space around words, as `Change.note` names it."""


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


def change_lines(changes: Sequence[Change], language: Language = "en") -> list[str]:
    """Return changes inline, one line each, as `  2  今天[-我们-]{+咱们+}…`; the marks stay without colour.

    The number is that of the line in the new text; a line that is taken out has the one it had, as `-2`.
    """
    lines = []
    for change in changes:
        if change.kind == "space":
            number = change.after_line or change.before_line
            note = (
                f"（{_SPACES_ZH.get(change.note, change.note)}）" if language == "zh" else f"({change.note})"
            )
            lines.append(f"{number or '':>3}  {note}")
        else:
            sign = {"insert": "+", "delete": "-"}.get(change.kind, " ")
            lines.append(f"{_number(change):>3} {sign}{_marked(change.marks)}")
    return lines


def _number(change: Change) -> str:
    if change.after_line is None:
        return f"-{change.before_line}" if change.before_line is not None else ""
    return str(change.after_line)


def numbered_change_lines(changes: Sequence[Change], language: Language = "en") -> list[str]:
    """Return changes as `change_lines` does, each with its id in front, as --hunks names it."""
    width = len(str(max((change.id for change in changes), default=1)))
    return [
        f"[{change.id:>{width}}] {line}"
        for change, line in zip(changes, change_lines(changes, language), strict=True)
    ]


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


def clock(seconds: float, language: Language = "en") -> str:
    """Return a spoken time for people: "18 s" or "18 秒", "8:04"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} 秒" if language == "zh" else f"{whole} s"
    return f"{whole // 60}:{whole % 60:02d}"


def seconds_change(before: float, after: float, language: Language = "en") -> str:
    """Return how the spoken time changed: "18 s → 23 s", "8:04 → 6:31 (-19 %)"; one time when it did not."""
    was, now = clock(before, language), clock(after, language)
    if was == now:
        return now
    percent = round((after - before) / before * 100) if before >= 30 else 0
    if not percent:
        return f"{was} → {now}"
    return f"{was} → {now}（{percent:+d}%）" if language == "zh" else f"{was} → {now} ({percent:+d} %)"


def finding_lines(findings: Sequence["Finding"], language: Language = "en") -> list[str]:
    """Return what the checks found, one line each, errors first, in the language of the request."""
    # late: a history needs no wordings
    from script_editor.domain.refusals import finding_sentence

    lines = []
    for finding in sorted(findings, key=lambda finding: finding.level):
        colour = "red" if finding.level == "error" else "yellow"
        said = finding_sentence(finding, language)
        lines.append(click.style("! ", fg=colour, bold=True) + printable(said))
    return lines


def note_lines(notes: Iterable[str], language: Language = "en") -> list[str]:
    """Return the notes of an edit, one line each, in the language of the request."""
    from script_editor.app.notes import note_sentence  # late, as in finding_lines

    return [printable(note_sentence(note, language)) for note in notes]


def checks_data(findings: Sequence["Finding"]) -> dict[str, Any]:
    """Return the findings as JSON values, with how many there are of each level."""
    levels = [finding.level for finding in findings]
    return {
        "errors": levels.count("error"),
        "warnings": levels.count("warning"),
        "findings": [
            {
                "check": finding.guard,
                "code": finding.code,
                "level": finding.level,
                "message": finding.message,
                "lines": list(finding.segments),
            }
            for finding in findings
        ],
    }


def apply_command(review: "Review") -> str:
    """Return the command that saves a proposal; one with a failed check has to be forced."""
    failed = any(finding.level == "error" for finding in review.findings)
    return f"script-editor apply {review.proposal.id}{' --force' if failed else ''}"


def review_data(review: "Review") -> dict[str, Any]:
    """Return a proposal with its changes and checks as JSON values."""
    proposal = review.proposal
    return {
        "proposal": proposal.id,
        "script": proposal.script_id,
        "base": f"v{proposal.base_number}",
        "status": proposal.status,
        "changes": [change_data(change) for change in review.changes],
        "seconds": {
            "before": round(estimate(review.base.text).seconds, 1),
            "after": round(estimate(proposal.text).seconds, 1),
        },
        "checks": checks_data(review.findings),
        "notes": list(review.notes),
    }


# --- locks -----------------------------------------------------------------------------------


_LOCKED = {"segment": "line", "phrase": "words", "speaker": "speaker"}


def lock_kind(lock: "Lock") -> str:
    """Return what is locked, in a person's word."""
    return _LOCKED[lock.kind]


def lock_name(lock: "Lock") -> str:
    """Return a lock in a few words: `words “轻盾”`."""
    return f"{lock_kind(lock)} “{one_line(lock.text, 60)}”"


def lock_data(lock: "Lock") -> dict[str, Any]:
    """Return a lock as JSON values."""
    return {
        "id": lock.id,
        "kind": lock.kind,
        "text": lock.text,
        "occurrences": lock.occurrences,
        "note": lock.note,
    }


# --- versions --------------------------------------------------------------------------------


def when(version: VersionInfo) -> str:
    """Return a version's time in the user's zone, to the minute."""
    return moment(version.created_at)


def moment(time: datetime) -> str:
    """Return a time in the user's zone, to the minute."""
    return time.astimezone().strftime("%Y-%m-%d %H:%M")


def came_from(version: VersionInfo) -> str:
    """Return in a word where a version came from: a model, a person, a file, an older version."""
    if version.restored_number is not None:
        return f"{version.source}→v{version.restored_number}"
    if version.source == "edit":
        return version.provenance.model or "edit"
    return {"manual": "by hand"}.get(version.source, version.source)


def why(version: VersionInfo) -> str:
    """Return what was asked for, in quotes, or what the person noted."""
    told = reason(version)
    return f"“{told}”" if told and _is_asked(version) else told


def reason(version: VersionInfo) -> str:
    """Return what was asked for, or what the person noted, as they wrote it."""
    about = version.provenance
    return (about.instruction or "") if _is_asked(version) else about.message


def _is_asked(version: VersionInfo) -> bool:
    return bool(version.provenance.instruction) and version.restored_number is None


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


def comparison_lines(
    before: Version, after: Version, changes: Sequence[Change], width: int | None = None
) -> list[str]:
    """Return the head of a diff on one line, or on two where `width` cells are not enough for that."""
    net = len(after.text) - len(before.text)
    time = seconds_change(estimate(before.text).seconds, estimate(after.text).seconds)
    head = f"{after.script_id}  v{before.number} → v{after.number}   {when(after)}"
    numbers = f"{count(len(changes), 'change')}, net {net:+,} characters   {time}"
    is_step = after.parent_number == before.number  # else the note tells only of the last of several
    asked = f"  {one_line(why(after), 50)}" if is_step and why(after) else ""
    whole = f"{head}{asked}   {numbers}"
    return [whole] if width is None or cell_len(whole) <= width else [head + asked, f"  {numbers}"]
