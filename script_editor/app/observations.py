"""What a tool tells the agent: compact rows, script text always behind a segment id."""

from collections.abc import Sequence

from script_editor.app.notes import note_sentence
from script_editor.app.scope import Pending
from script_editor.domain.diff import Change
from script_editor.domain.duration import estimate
from script_editor.domain.locks import Lock
from script_editor.domain.refusals import finding_sentence
from script_editor.domain.script import VersionInfo
from script_editor.errors import Language

_SHOWN_CHANGES = 12
_SHOWN_CHARS = 160


def change_rows(
    changes: Sequence[Change], limit: int = _SHOWN_CHANGES, *, language: Language = "en"
) -> list[str]:
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
        more = len(changes) - limit
        rows.append(f"（另有 {more} 处改动）" if language == "zh" else f"({more} more changes)")
    return rows


def told(pending: Pending, language: Language = "en") -> str:
    """Return how much an edit changes, and what it does to the spoken time."""
    before, after = estimate(pending.base.text).seconds, estimate(pending.after).seconds
    if language == "zh":
        return f"{len(pending.changes)} 处改动，原来约 {before:.0f} 秒，改后约 {after:.0f} 秒"
    return f"{change_count(pending.changes)}, about {before:.0f} s before, {after:.0f} s after"


def rows(pending: Pending, language: Language = "en") -> list[str]:
    """Return notes, findings and changes as rows, in the language of the request."""
    return [
        *(note_sentence(note, language) for note in pending.notes),
        *(f"! {finding_sentence(finding, language)}" for finding in pending.findings),
        *change_rows(pending.changes, language=language),
    ]


def history_row(version: VersionInfo, change_count: int | None) -> str:
    """Return one version as a row."""
    when = version.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
    source = f"{version.source} of v{version.restored_number}" if version.restored_number else version.source
    why = version.provenance.instruction or version.provenance.message
    count = "" if change_count is None else f" | {change_count} change{'' if change_count == 1 else 's'}"
    return f"v{version.number} | {when} | {source}{count} | {_short(' '.join(why.split()))}"


def broken_notes(locks: Sequence[Lock], language: Language = "en") -> list[str]:
    """Return what a person is told about locks that an older text does not hold."""
    if language == "zh":
        return [
            f"“{lock.text}”的台词已锁定，而这一版里的不一样。"
            if lock.kind == "speaker"
            else f"这一版里没有锁定的文字“{lock.text}”。"
            for lock in locks
        ]
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
