"""What a tool tells the agent: compact rows, script text always behind a segment id."""

from collections.abc import Sequence

from script_editor.app.scope import Pending
from script_editor.domain.diff import Change
from script_editor.domain.duration import estimate
from script_editor.domain.locks import Lock
from script_editor.domain.script import VersionInfo

_SHOWN_CHANGES = 12
_SHOWN_CHARS = 160


def change_rows(changes: Sequence[Change], limit: int = _SHOWN_CHANGES) -> list[str]:
    """Return changes as compact rows, `- S2 | old` and `+ S2 | new`, with a note where some are left out."""
    rows: list[str] = []
    for change in changes[:limit]:
        if change.kind == "space":
            rows.append(f"~ {change.note}")
            continue
        if change.before_line is not None:
            rows.append(f"- S{change.before_line} | {_short(change.before)}")
        if change.after_line is not None:
            rows.append(f"+ S{change.after_line} | {_short(change.after)}")
    if len(changes) > limit:
        rows.append(f"({len(changes) - limit} more changes)")
    return rows


def told(pending: Pending) -> str:
    """Return how much an edit changes, and what it does to the spoken time."""
    before, after = estimate(pending.base.text).seconds, estimate(pending.after).seconds
    return f"{change_count(pending.changes)}, about {before:.0f} s before, {after:.0f} s after"


def rows(pending: Pending) -> list[str]:
    """Return notes, findings and changes as rows."""
    return [
        *pending.notes,
        *(f"! {finding.message}" for finding in pending.findings),
        *change_rows(pending.changes),
    ]


def history_row(version: VersionInfo, change_count: int | None) -> str:
    """Return one version as a row."""
    when = version.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
    source = f"{version.source} of v{version.restored_number}" if version.restored_number else version.source
    why = version.provenance.instruction or version.provenance.message
    count = "" if change_count is None else f" | {change_count} change{'' if change_count == 1 else 's'}"
    return f"v{version.number} | {when} | {source}{count} | {_short(' '.join(why.split()))}"


def broken_notes(locks: Sequence[Lock]) -> list[str]:
    """Return what a person is told about locks that an older text does not hold."""
    return [
        f"Lines of {lock.text} are locked, and differ in it."
        if lock.kind == "speaker"
        else f"The locked text {lock.text!r} is not in it."
        for lock in locks
    ]


def change_count(changes: Sequence[Change]) -> str:
    """Return a number of changes with its noun."""
    return f"{len(changes)} change{'' if len(changes) == 1 else 's'}"


def _short(text: str) -> str:
    text = text.strip()
    return text if len(text) <= _SHOWN_CHARS else text[: _SHOWN_CHARS - 1] + "…"
