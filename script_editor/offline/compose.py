"""Putting the parts of an instruction together into one plan over the script as shown.

Each line's final content is computed from all parts and written by one operation. Where parts
overlap, the earlier one holds; a line that ends up empty is deleted; two parts that want different
things of one line are refused.
"""

from collections.abc import Sequence

from script_editor.domain.edits import resolve
from script_editor.domain.operations import (
    Delete,
    Gap,
    InsertAfter,
    InsertBefore,
    Move,
    Operation,
    Plan,
    Replace,
)
from script_editor.domain.segments import NumberedScript, Segment, is_blank
from script_editor.domain.splices import apply
from script_editor.offline import doubts, refusals
from script_editor.offline.effects import Arrival, Change, Effects
from script_editor.offline.wording import Language

_LEFT_OVER = " 。．.!！?？,，、;；:：…~～\"“”「」『』‘’'()（）"


def compose(effects: Sequence[Effects], script: NumberedScript, language: Language) -> Plan:
    """Return one plan that does what all parts ask.

    Raises:
        EditRefused: ambiguous_match when parts contradict each other, empty when nothing would be
            left, unchanged when the script would stay as it is.
    """
    plan = Plan(
        script_id=script.script_id,
        base_version=script.version,
        operations=_Composition(effects, script, language).operations(),
    )
    if not plan.operations:
        raise refusals.unchanged(language)
    text = apply(script.text, resolve(script, plan))
    if text == script.text:
        raise refusals.unchanged(language)
    if is_blank(text):
        raise refusals.nothing_left(language)
    return plan


def touched(plan: Plan, script: NumberedScript) -> tuple[int, ...]:
    """Return the numbers of the segments that a plan changes, moves, or puts something beside."""
    ids = {
        reference
        for operation in plan.operations
        for reference in (operation.id, *_anchor_ids(operation))
        if reference is not None
    }
    return tuple(sorted(script.resolve_reference(reference).number for reference in ids))


def _anchor_ids(operation: Operation) -> tuple[str | None, ...]:
    return (operation.before, operation.after) if isinstance(operation, Move) else ()


class _Composition:
    """Collects the effects of all parts by line."""

    def __init__(self, effects: Sequence[Effects], script: NumberedScript, language: Language):
        self._script, self._language = script, language
        self._changes: dict[int, list[Change]] = {}
        self._rewritten: dict[int, str] = {}
        self._deleted: dict[int, Gap] = {}
        self._arrivals: list[Arrival] = []
        self._blanks: dict[int, tuple[bool, bool]] = {}
        self._drops_blank_lines = any(part.drops_blank_lines for part in effects)
        for part in effects:
            self._add(part)
        self._check()
        self._rewritten_elsewhere = self._moved_before_text()

    def operations(self) -> tuple[Operation, ...]:
        """Return the operations: those on lines in the order of the script, then what arrives elsewhere."""
        written = [operation for segment in self._script.segments for operation in self._of(segment)]
        return (*written, *self._arriving())

    def _add(self, part: Effects) -> None:
        for change in part.changes:
            self._add_change(change)
        for number, text in part.rewritten:
            if self._rewritten.setdefault(number, text) != text:
                raise doubts.contradiction(self._language, (number,))
        for number, gap in part.deleted:
            if self._deleted.get(number, "keep") == "keep":
                self._deleted[number] = gap
        for number, side in part.blanks:
            before, after = self._blanks.get(number, (False, False))
            self._blanks[number] = (before or side == "before", after or side == "after")
        self._arrivals += part.arrivals

    def _add_change(self, change: Change) -> None:
        others = self._changes.setdefault(change.number, [])
        for other in others:
            same_place = (change.start, change.end) == (other.start, other.end) and change.start < change.end
            if same_place and change.text != other.text:
                raise doubts.contradiction(self._language, (change.number,))
        if not any(_overlap(change, other) for other in others):
            others.append(change)

    def _check(self) -> None:
        moved = [arrival.moved for arrival in self._arrivals if arrival.moved is not None]
        twice = {number for number in moved if moved.count(number) > 1}
        lost = self._deleted.keys() & {*moved, *self._rewritten}
        if twice or lost:
            raise doubts.contradiction(self._language, sorted(twice | lost))

    # --- one operation for each line -------------------------------------------------------------

    def _of(self, segment: Segment) -> list[Operation]:
        gap = self._deleted.get(segment.number)
        if gap is not None:
            return [Delete(segment.id, self._blank_gap(segment) if self._drops_blank_lines else gap)]
        content = self._content(segment)
        blank_gap = self._blank_gap(segment) if self._drops_blank_lines else "keep"
        if self._is_empty(segment, content) or segment.number in self._rewritten_elsewhere:
            return [Delete(segment.id, blank_gap)]
        if blank_gap != "keep":
            return self._without_blank(segment, content, blank_gap)
        before, after = self._blanks.get(segment.number, (False, False))
        content = "\n" * before + content + "\n\n" * after
        return [Replace(segment.id, content)] if content != segment.content else []

    def _is_empty(self, segment: Segment, content: str) -> bool:
        """Say whether nothing of a line is left, or nothing but the marks of a sentence that went."""
        changes = self._changes.get(segment.number, [])
        only_deletes = bool(changes) and all(change.text == "" for change in changes)
        return is_blank(content) or (only_deletes and not content.strip(_LEFT_OVER))

    def _content(self, segment: Segment) -> str:
        if segment.number in self._rewritten:
            return self._rewritten[segment.number]
        pieces, done = [], 0
        for change in sorted(
            self._changes.get(segment.number, []), key=lambda change: (change.start, change.end)
        ):
            pieces += [segment.content[done : change.start], change.text]
            done = change.end
        return "".join([*pieces, segment.content[done:]])

    def _blank_gap(self, segment: Segment) -> Gap:
        """Return on which side of a segment blank lines are to go: the same side for the whole script."""
        lines, segments = self._script.lines, self._script.segments
        before = segments[segment.number - 2].line if segment.number > 1 else -1
        after = segments[segment.number].line if segment.number < len(segments) else len(lines)
        if segments[0].line > 0:
            return "before" if segment.line - before > 1 else "keep"
        return "after" if after - segment.line > 1 else "keep"

    def _without_blank(self, segment: Segment, content: str, gap: Gap) -> list[Operation]:
        """Write a line anew in its place, since blank lines can only go together with a line."""
        return [Delete(segment.id, gap), InsertBefore(segment.id, self._indented(segment, content))]

    def _indented(self, segment: Segment, content: str) -> str:
        """Return content with the white space around it that is no part of a segment."""
        line, text = self._script.lines[segment.line], self._script.text
        return text[line.start : segment.start] + content + text[segment.end : line.content_end]

    # --- lines that come from elsewhere ----------------------------------------------------------

    def _moved_before_text(self) -> frozenset[int]:
        """Return the moved lines that are deleted and written as text where they go.

        That is where new text follows them, since operations put new text first, and where blank
        lines are dropped, since those go with the deletion of a line.
        """
        written: set[tuple[int, str]] = set()
        carried: set[int] = set()
        for arrival in reversed(self._arrivals):
            place = (arrival.anchor, arrival.side)
            if arrival.moved is None:
                written.add(place)
            elif place in written or self._drops_blank_lines:
                carried.add(arrival.moved)
        return frozenset(carried)

    def _arriving(self) -> list[Operation]:
        return [self._arrival(arrival) for arrival in self._arrivals]

    def _arrival(self, arrival: Arrival) -> Operation:
        anchor = self._script.segment(arrival.anchor).id
        before = arrival.side == "before"
        if arrival.moved is not None and arrival.moved not in self._rewritten_elsewhere:
            moved = self._script.segment(arrival.moved).id
            return Move(moved, before=anchor) if before else Move(moved, after=anchor)
        text = arrival.text
        if arrival.moved is not None:
            segment = self._script.segment(arrival.moved)
            text = self._indented(segment, self._content(segment))
        return InsertBefore(anchor, text) if before else InsertAfter(anchor, text)


def _overlap(change: Change, other: Change) -> bool:
    if change.start == change.end and other.start == other.end:
        return False
    return change.start < other.end and other.start < change.end
