"""A whole rewrite, read as what it changes: operations on the lines that differ.

Lines that look the same keep the author's bytes, and so does everything a changed line shares with the
line it came from; only what was asked about (punctuation, spacing, markup, blank lines) is taken as it
was written. Missing lines become deletions, never guesses: guards judge them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from script_editor.domain.folding import fold_text, tokens
from script_editor.domain.guards import declines, first_line, is_placeholder, is_refusal
from script_editor.domain.intent import Intent
from script_editor.domain.operations import Operation
from script_editor.domain.projection import adopt, spacing_habit
from script_editor.domain.replies.alignment import Column, Row, align, looks
from script_editor.domain.replies.authorship import Authorship
from script_editor.domain.replies.chatter import is_rule
from script_editor.domain.replies.choices import refuse_choices
from script_editor.domain.replies.enclosures import FENCE
from script_editor.domain.replies.indentation import indented
from script_editor.domain.replies.moves import with_moved_lines
from script_editor.domain.replies.restoring import Limited, only_targets
from script_editor.domain.replies.rewriting import Rewriting, WrittenLines, own_gaps, written_lines
from script_editor.domain.replies.wrappers import unwrapped
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused

_FEW = 2


@dataclass(frozen=True, slots=True)
class Reading:
    """The operations a reply comes to; `is_restored` says that lines outside the targets were put back."""

    operations: tuple[Operation, ...]
    is_restored: bool = False


def read_whole(
    body: str, script: NumberedScript, authorship: Authorship, intent: Intent, targets: Sequence[int]
) -> Reading:
    """Return what a whole rewrite changes.

    Raises:
        EditRefused: empty, refusal, commentary, truncated (see `unwrapped`), no_match for a script without lines.
    """
    if not script.segments:
        raise EditRefused("no_match", "The script has no lines that could be rewritten.")
    lines = [line.removeprefix("\ufeff") for line in unwrapped(body.split("\n"), authorship)]
    written = written_lines(lines)
    if all(FENCE.fullmatch(line) or is_rule(line) for line in written.lines):
        raise EditRefused("empty", "The reply holds no text.")
    refuse_choices(lines, authorship)
    _refuse_refusal(written, authorship)
    return _compared(written, script, authorship, intent, frozenset(number - 1 for number in targets))


def _refuse_refusal(written: WrittenLines, authorship: Authorship) -> None:
    first = written.lines[0]
    is_alone = (
        len(written.lines) <= _FEW and len(authorship.lines) > _FEW and not authorship.is_asked_for(first)
    )
    is_declined = declines(first) if is_alone else is_refusal(first)
    if is_declined and not any(authorship.resembles_any(line) for line in written.lines[:20]):
        raise EditRefused("refusal", f"The model refused: {first_line(first)}")


def _compared(
    written: WrittenLines,
    script: NumberedScript,
    authorship: Authorship,
    intent: Intent,
    targets: frozenset[int],
) -> Reading:
    old = [segment.content for segment in script.segments]
    new = [line.strip() for line in written.lines]
    columns = align(_rows(old, own_gaps(script), intent), _rows(new, written.gaps, intent))
    gaps = written.gaps
    if not intent.blank_lines:
        gaps = _without_double_spacing(gaps, own_gaps(script), columns)
    limited = only_targets(columns, targets, old, new, is_placeholder) if targets else Limited(columns)
    changed = _changed(limited.columns, old, new, authorship, intent)
    is_limited = bool(targets) and not limited.is_broken
    wanted = {index: text for index, text in changed.items() if not is_limited or index in targets}
    texts = indented(written.lines, limited.columns, script)
    rewriting = Rewriting(
        script,
        limited.columns,
        with_moved_lines(texts, limited.columns, script, lambda line: _key(line, intent)),
        _outer_gaps(gaps, script) if intent.blank_lines else gaps,
        changed=wanted,
        shows_gaps=intent.blank_lines,
        anchors=targets,
        restored=limited.restored,
    )
    return Reading(
        tuple(rewriting.operations()),
        limited.columns != columns or bool(limited.restored) or wanted != changed,
    )


def _rows(lines: Sequence[str], gaps: Sequence[int], intent: Intent) -> list[Row]:
    return [Row(_key(line, intent), looks(line), gap > 0) for line, gap in zip(lines, gaps, strict=False)]


def _key(line: str, intent: Intent) -> str:
    """Return what two lines must have in common to be the same line."""
    if intent.spacing:
        return line
    return looks(line, without_emphasis=not intent.markup)


def _without_double_spacing(
    gaps: tuple[int, ...], own: tuple[int, ...], columns: Sequence[Column]
) -> tuple[int, ...]:
    """Return the blank lines of a reply without one it put between all neighbours that still are neighbours."""
    dense = [
        gaps[right.new]
        for left, right in pairwise(columns)
        if None not in (left.old, left.new) and right.old and right.new and own[right.old] == 0
    ]
    if not all(gaps[1:-1]) or not all(dense):
        return gaps
    if not dense and (all(own[1:-1]) or all(column.old is not None for column in columns)):
        return gaps  # nothing shows that it is a habit of the reply
    return (gaps[0], *(max(gap - 1, 0) for gap in gaps[1:-1]), gaps[-1])


def _outer_gaps(gaps: tuple[int, ...], script: NumberedScript) -> tuple[int, ...]:
    """Return the blank lines with those at the ends, which a reply never shows reliably, at most the author's."""
    own = own_gaps(script)
    if len(gaps) < 2:
        return gaps
    return (min(gaps[0], own[0]), *gaps[1:-1], min(gaps[-1], own[-1]))


def _changed(
    columns: Sequence[Column], old: Sequence[str], new: Sequence[str], authorship: Authorship, intent: Intent
) -> dict[int, str]:
    """Return the old lines that change, and how they are to be written."""
    script_habit = _habit(authorship.script)
    changed: dict[int, str] = {}
    for column in columns:
        if column.old is None or column.new is None:
            continue
        own, line = old[column.old], new[column.new]
        if own == line or _key(own, intent) == _key(line, intent):
            continue
        if not intent.spacing:
            line = adopt(own, line, is_spaced=_spacing_for(line, script_habit, authorship))
        if line != own:
            changed[column.old] = line
    return changed


def _habit(script: NumberedScript) -> bool | None:
    """Say how the author writes Chinese beside Latin; None when the script does not show it."""
    habits = {spacing_habit(tokens(segment.content)[1]) for segment in script.segments} - {None}
    return habits.pop() if len(habits) == 1 else None


def _spacing_for(line: str, habit: bool | None, authorship: Authorship) -> bool | None:
    """Return the habit to write a line in; words that were asked for in quotation marks keep their spaces."""
    spaced = (text for text in authorship.quoted if " " in text and text in line)
    is_asked_for = any(fold_text(text, tight=True).text != fold_text(text).text for text in spaced)
    return None if is_asked_for else habit
