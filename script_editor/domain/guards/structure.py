"""What holds a script together must come back: labels, time codes, cue numbers, placeholders, production cues, headings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import changed_pairs, compact
from script_editor.domain.guards.frames import frames
from script_editor.domain.guards.marks import (
    Mark,
    MarkKind,
    candidates,
    is_production,
    is_timing_or_number,
    labels,
    marks,
)
from script_editor.domain.guards.suspicion import is_dictated, listed
from script_editor.domain.intent import Intent, given_texts, read_intent, without_texts_to_write
from script_editor.domain.segments import NumberedScript, Segment

_KINDS: tuple[MarkKind, ...] = ("time code", "cue number", "cue", "heading")
_PLACES: tuple[MarkKind, ...] = ("time code", "speaker label")
"""Marks by which people point at a line without speaking of the mark itself."""


def structure(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find marks of structure that were lost, or changed places. New ones are fine: a cue may have been split."""
    yield from frames(before, after, context)
    intent = read_intent(context.instruction)
    old, new = marks(before), marks(after)
    lost = _Lost(before, after, intent, context.instruction)
    yield from _placeholders(old, new, lost)
    if intent.structure or intent.genre:
        return
    for kind in _KINDS:
        if kind == "cue" and intent.translation:
            continue  # what a cue says is translated with the rest
        old_kind, new_kind = ([mark for mark in side if mark.kind == kind] for side in (old, new))
        yield from _sequence(old_kind, new_kind, lost)
    if not intent.translation:
        yield from _labels(*labels(before, after), lost)


class _Lost:
    """Which lost marks are excused: named by the instruction, or on lines that went because somebody asked."""

    def __init__(self, before: NumberedScript, after: NumberedScript, intent: Intent, instruction: str):
        self.before, self.after, self.intent = before, after, intent
        self._instruction = instruction
        named = without_texts_to_write(instruction)
        self._named = compact(named)
        self._quoted = [text.casefold() for text in given_texts(named)]
        self.fewer_lines = max(0, len(before.segments) - len(after.segments))

    def is_named(self, mark: Mark) -> bool:
        """Say whether the instruction speaks of a mark, or quotes words of it that are to change."""
        shown = compact(mark.shown)
        is_spoken_of = bool(shown) and shown in self._named
        is_quoted = any(text in mark.shown.casefold() for text in self._quoted)
        is_meant = (is_spoken_of or is_quoted) and not self._is_left_out(mark)
        return is_meant or self._is_reworded(mark) or self._is_renamed(mark) or self._is_refilled(mark)

    def _is_refilled(self, mark: Mark) -> bool:
        """Say whether the instruction speaks of the kind of a cue (画面, SFX), and the line has another of that kind."""
        line, kind = self._changed.get(mark.number), compact(_kind_of(mark))
        if mark.kind != "cue" or line is None or len(kind) < 2 or kind not in self._named:
            return False
        return any(
            other.kind == "cue" and other.number == line.number and compact(_kind_of(other)) == kind
            for other in marks(self.after)
        )

    def _is_renamed(self, mark: Mark) -> bool:
        """Say whether a speaker got a new name that the instruction gives."""
        line = self._changed.get(mark.number)
        if mark.kind != "speaker label" or line is None:
            return False
        known = {old.key for old in candidates(self.before)}
        names = (other for other in candidates(self.after) if other.number == line.number)
        return any(
            name.key not in known and compact(name.shown) in compact(self._instruction) for name in names
        )

    def _is_left_out(self, mark: Mark) -> bool:
        """Say whether a line kept its place and only lost a name or time by which the instruction found it.

        "Make 00:12 funnier" asks for no other time; a line that goes, or gets another mark, may be what was asked for.
        """
        line = self._changed.get(mark.number)
        if mark.kind not in _PLACES or self.intent.removal or line is None:
            return False
        others = candidates(self.after) if mark.kind == "speaker label" else marks(self.after)
        instead = (other for other in others if other.kind == mark.kind and other.number == line.number)
        return not any(map(self._may_be_wanted, instead)) and not is_dictated(line.content, self._instruction)

    def _may_be_wanted(self, mark: Mark) -> bool:
        """Say whether a mark may be what another one was to become: not a speaker nobody named, who was there before."""
        known = {old.key for old in candidates(self.before)} if mark.kind == "speaker label" else set()
        return mark.key not in known or compact(mark.shown) in compact(self._instruction)

    def _is_reworded(self, mark: Mark) -> bool:
        """Say whether a mark changed in nothing but words that the instruction speaks of without quotation marks."""
        line = self._changed.get(mark.number)
        others = [other.key for other in marks(self.after) if line and other.number == line.number]
        gone = (compact(words) for key in others for words in _replaced(mark.key, key))
        return any(len(words) > 1 and words in self._named for words in gone)

    @cached_property
    def _changed(self) -> dict[int, Segment]:
        """The new lines that stand for changed old ones, by the old number."""
        return {old.number: new for old, new in changed_pairs(self.before, self.after) if old and new}

    @cached_property
    def removed(self) -> frozenset[int]:
        """Numbers of old lines that have no counterpart in the new text."""
        pairs = changed_pairs(self.before, self.after)
        return frozenset(old.number for old, new in pairs if old is not None and new is None)

    def likeliest(self, marks: Sequence[Mark], missing: Counter[str]) -> list[Mark]:
        """Return as many marks of each key as are missing: of removed lines, of changed ones, then others; later ones first."""
        left = Counter(missing)
        chosen = []
        for mark in sorted(marks, key=self._likelihood):
            if left[mark.key] > 0:
                left[mark.key] -= 1
                chosen.append(mark)
        return sorted(chosen, key=lambda mark: mark.number)

    def _likelihood(self, mark: Mark) -> tuple[bool, bool, int]:
        return mark.number not in self.removed, mark.number not in self._changed, -mark.number

    def unexcused(self, gone: Sequence[Mark]) -> list[Mark]:
        """Return the lost marks that neither the instruction names nor a wished removal explains."""
        left = [mark for mark in gone if not self.is_named(mark)]
        if not left or not (self.intent.removal or self.intent.shorter or self.intent.summary):
            return left
        many = self.intent.shorter or self.intent.summary or self.intent.bulk
        if not (self.intent.removal or self.intent.summary) and self._spoken_removed() == 0:
            return left  # a script gets no shorter by what is not spoken
        if many and len({mark.number for mark in left}) <= self.fewer_lines:
            return []
        if not many and self.intent.lines is not None and self._spoken_removed() > self.intent.lines:
            return left
        return [mark for mark in left if mark.number not in self.removed]

    def _spoken_removed(self) -> int:
        lines = (self.before.segments[number - 1].content for number in self.removed)
        return sum(not (is_timing_or_number(line) or is_production(line)) for line in lines)


def _kind_of(cue: Mark) -> str:
    """Return what stands before the colon of a cue: SFX in [SFX: door slams]; all of it when there is none."""
    return cue.key.partition(":")[0]


def _replaced(old: str, new: str) -> tuple[str, str]:
    """Return what of `old` is not in `new`, between what both begin and end with.

    Twice, with the character before and the one after it: of 轻盾 → 云盾 only 轻 differs.
    """
    shorter = min(len(old), len(new))
    start = next((k for k in range(shorter) if old[k] != new[k]), shorter)
    tail = next((k for k in range(shorter - start) if old[-1 - k] != new[-1 - k]), shorter - start)
    end = len(old) - tail
    return old[max(0, start - 1) : end], old[start : end + 1]


def _placeholders(old: Sequence[Mark], new: Sequence[Mark], lost: _Lost) -> Iterator[Finding]:
    kept = {mark.key for mark in new if mark.kind == "placeholder"}
    gone = [mark for mark in old if mark.kind == "placeholder" and mark.key not in kept]
    if gone := lost.unexcused(gone):
        yield _finding(gone, lost, "placeholder_lost", "is missing from the edited text")


def _sequence(old: Sequence[Mark], new: Sequence[Mark], lost: _Lost) -> Iterator[Finding]:
    old_keys, new_keys = [mark.key for mark in old], [mark.key for mark in new]
    if is_subsequence(old_keys, new_keys):
        return
    missing = Counter(old_keys) - Counter(new_keys)
    if not missing:
        if not lost.intent.order:
            yield _finding([_first_out_of_order(old, new_keys)], lost, "structure_lost", "changed its place")
        return
    if gone := lost.unexcused(lost.likeliest(old, missing)):
        yield _finding(gone, lost, "structure_lost", "is missing from the edited text")


def _labels(old: Sequence[Mark], new: Sequence[Mark], lost: _Lost) -> Iterator[Finding]:
    """Compare who speaks in turn: two lines of one speaker in a row may become one, but nobody may fall silent."""
    had, has = Counter(mark.key for mark in old), Counter(mark.key for mark in new)
    fewer = had - has
    turns_old, turns_new = ([key for key, _ in groupby(mark.key for mark in side)] for side in (old, new))
    if is_subsequence(turns_old, turns_new) and fewer.total() <= lost.fewer_lines:
        return
    gone = lost.unexcused(lost.likeliest(old, fewer))
    if gone:
        yield _finding(gone, lost, "structure_lost", "is missing from the edited text")
    elif not fewer and not lost.intent.order:
        yield _finding(
            [_first_out_of_order(old, [mark.key for mark in new])],
            lost,
            "structure_lost",
            "changed its place",
        )


def is_subsequence(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Say whether all of `part` occurs in `whole` in the same order."""
    rest = iter(whole)
    return all(any(key == other for other in rest) for key in part)


def _first_out_of_order(old: Sequence[Mark], new_keys: Sequence[str]) -> Mark:
    rest = iter(new_keys)
    return next(mark for mark in old if not any(mark.key == other for other in rest))


def _finding(gone: Sequence[Mark], lost: _Lost, code: str, what: str) -> Finding:
    """Return a finding that names the mark, and where its line stands in the new text."""
    first = gone[0]
    place = {old.number: new for old, new in changed_pairs(lost.before, lost.after) if old is not None}
    new = place.get(first.number)
    more = f" (and {len(gone) - 1} more)" if len(gone) > 1 else ""
    numbers = tuple(sorted({line.number for mark in gone if (line := place.get(mark.number)) is not None}))
    where = f"; see {listed(numbers)}" if numbers else ""
    return Finding(
        guard="structure",
        code=code,
        level="error",
        message=f"The {first.kind} {first.shown}{more} of line {first.number} {what}{where}.",
        segments=numbers,
        example=new.content[:80] if new is not None else "",
        was=lost.before.segments[first.number - 1].content[:80],
    )
