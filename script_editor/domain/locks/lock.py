"""Locks: what of a script must survive every edit, by its text and not by its place.

The rule is enforced on the result of an edit, whatever made it: operations, a whole rewrite or a person.
An edit is asked for no more than what stood in the text before it, so that a lock whose text was lost
by a revert does not block every later edit.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, assert_never

from script_editor.domain.diff import changes
from script_editor.domain.findings import Finding
from script_editor.domain.locks.kept import kept_in_place
from script_editor.domain.locks.phrases import count_phrase, forms_of
from script_editor.domain.segments import NumberedScript
from script_editor.domain.speakers import speaker_lines

LockKind = Literal["segment", "phrase", "speaker"]

_SHOWN = 80
_NOWHERE = "\n"  # no line holds a line end, so this content is found nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Something that no edit may change.

    `text` is one whole line, or several that stand together, LF between them, without indentation (segment);
    words inside a line (phrase); or a speaker's name, all of whose lines are then locked (speaker).
    `occurrences` is how often it stood in
    the text when it was locked: a new text must have at least as many. `id` names a stored lock, None a
    lock for one request (`--keep`). `note` is the person's reason.
    """

    kind: LockKind
    text: str
    occurrences: int = 1
    id: str | None = None
    note: str = ""


def violations(
    before: NumberedScript, after: NumberedScript, locks: tuple[Lock, ...], *, moved: Collection[int] = ()
) -> Iterator[Finding]:
    """Yield one finding for each lock that `after` breaks, in the order of the locks.

    A locked line must be there byte for byte, as often as it was locked, and must not have changed places
    with lines around it that are still there; a locked group must still stand together, and a locked
    speaker must say the same lines in the same order and no others. New lines beside a locked one are fine.

    `moved` are numbers of lines of `before` that are known to have been carried elsewhere. Without it,
    two neighbours that changed places count as both moved, because the result does not show which was.
    """
    if before.text == after.text:
        return
    comparison = _Comparison(before, after, locks, frozenset(moved))
    for lock in locks:
        match lock.kind:
            case "segment":
                found = _segment_broken(lock, comparison)
            case "speaker":
                found = _speaker_broken(lock, comparison)
            case "phrase":
                found = _phrase_broken(lock, comparison)
            case _:
                assert_never(lock.kind)
        if found is not None:
            yield found


def missing(text: str, locks: Iterable[Lock]) -> tuple[Lock, ...]:
    """Return the locks that stand in `text` less often than they were locked."""
    script = NumberedScript("", 1, text)
    return tuple(lock for lock in locks if _occurrences(script, lock) < lock.occurrences)


def marked(script: NumberedScript, locks: Iterable[Lock]) -> frozenset[int]:
    """Return the numbers of the lines that locks hold as wholes: locked lines and all lines of locked speakers."""
    return frozenset(number for lock in locks for number in _held(script, lock))


def keep(text: str, words: Iterable[str]) -> tuple[tuple[Lock, ...], tuple[str, ...]]:
    """Return phrase locks for one request, and the words that `text` does not have.

    A word that stands there only in other case, width or quotes is locked as it stands there; several
    such forms make several locks.
    """
    locks: list[Lock] = []
    absent: list[str] = []
    for word in dict.fromkeys(word.strip() for word in words):
        forms = forms_of(text, word)
        locks += [Lock(kind="phrase", text=form, occurrences=count_phrase(text, form)) for form in forms]
        if not forms:
            absent.append(word)
    return tuple({lock.text: lock for lock in locks}.values()), tuple(absent)


def _occurrences(script: NumberedScript, lock: Lock) -> int:
    match lock.kind:
        case "segment":
            return len(_runs(script, lock.text))
        case "speaker":
            return len(speaker_lines(script, lock.text))
        case "phrase":
            return count_phrase(script.text, lock.text)


def _held(script: NumberedScript, lock: Lock) -> Iterator[int]:
    if lock.kind == "segment":
        for run in _runs(script, lock.text):
            yield from run
    elif lock.kind == "speaker":
        yield from speaker_lines(script, lock.text)


def _runs(script: NumberedScript, text: str) -> list[range]:
    """Return where the lines of `text` stand directly after one another, as segment numbers; no overlaps."""
    wanted = [line.removesuffix("\r").strip() for line in text.split("\n")]
    wanted = [line for line in wanted if line]
    contents = [segment.content for segment in script.segments]
    found: list[range] = []
    index = 0
    while wanted and index + len(wanted) <= len(contents):
        if contents[index] == wanted[0] and contents[index : index + len(wanted)] == wanted:
            found.append(range(index + 1, index + 1 + len(wanted)))
            index += len(wanted)
        else:
            index += 1
    return found


@dataclass(frozen=True)
class _Comparison:
    """Two texts, what kept its place between them, and where each line went."""

    before: NumberedScript
    after: NumberedScript
    locks: Sequence[Lock]
    moved: frozenset[int]

    @cached_property
    def kept(self) -> frozenset[int]:
        """Numbers of lines of `before` that stand unmoved in `after`."""
        held = marked(self.before, self.locks)
        old = [
            _NOWHERE if segment.number in self.moved - held else segment.content
            for segment in self.before.segments
        ]
        new = [segment.content for segment in self.after.segments]
        watched = {self.before.segment(number).content for number in held}
        return frozenset(index + 1 for index in kept_in_place(old, new, watched))

    @cached_property
    def places(self) -> dict[int, int]:
        """For the lines of `before` that are still a line: its number in `after`."""
        found = changes(self.before.text, self.after.text)
        pairs = {c.before_line: c.after_line for c in found if c.before_line and c.after_line}
        gone = {c.before_line for c in found if c.before_line}
        new = {c.after_line for c in found if c.after_line}
        old_rest = [s.number for s in self.before.segments if s.number not in gone]
        new_rest = [s.number for s in self.after.segments if s.number not in new]
        return pairs | dict(zip(old_rest, new_rest, strict=False))

    def place(self, number: int) -> int | None:
        """Return where line `number` of `before` stands or would stand now; None in an empty text."""
        for earlier in range(number, 0, -1):
            if earlier in self.places:
                step = 0 if earlier == number else 1
                return min(self.places[earlier] + step, len(self.after.segments))
        return 1 if self.after.segments else None

    def content(self, number: int) -> str:
        """Return the line of `after` that line `number` of `before` became, "" when it is gone."""
        return self.after.segment(self.places[number]).content if number in self.places else ""


def _segment_broken(lock: Lock, comparison: _Comparison) -> Finding | None:
    old, new = _runs(comparison.before, lock.text), _runs(comparison.after, lock.text)
    required = min(lock.occurrences, len(old))
    unmoved = [run for run in old if comparison.kept.issuperset(run)]
    if len(new) >= required and len(unmoved) >= required:
        return None
    if len(new) >= required:
        run = next(run for run in old if not comparison.kept.issuperset(run))
        start = new[min(old.index(run), len(new) - 1)].start
        what = f"Line {run.start} is locked and must keep its place; this edit moves it"
        return _finding(lock, what, start, example="")
    return _segment_changed(lock, comparison, old)


def _segment_changed(lock: Lock, comparison: _Comparison, old: Sequence[range]) -> Finding:
    """Say which line of which occurrence is not there as it was, or what came between the lines of a group."""
    for number in (number for run in old for number in run):
        content = comparison.content(number)
        if content == comparison.before.segment(number).content:
            continue
        place = comparison.place(number)
        if content:
            return _finding(lock, f"Line {number} is locked; this edit changes it", place, example=content)
        return _finding(lock, f"Line {number} is locked; this edit removes it", place, example="")
    for run in old:
        at = [comparison.places[number] for number in run]
        between = [n for n in range(at[0], at[-1]) if n not in at]
        if between:
            example = comparison.after.segment(between[0]).content
            which = f"Lines {run.start}-{run.stop - 1}"
            what = f"{which} are locked together; this edit puts a line between them"
            return _finding(lock, what, between[0], example=example)
    first = old[0].start
    what = f"Line {first} is locked; this edit changes it"
    return _finding(lock, what, comparison.place(first), example="")


def _speaker_broken(lock: Lock, comparison: _Comparison) -> Finding | None:
    old = speaker_lines(comparison.before, lock.text)
    new = speaker_lines(comparison.after, lock.text)
    said = [comparison.before.segment(number).content for number in old]
    says = [comparison.after.segment(number).content for number in new]
    if not old or (said == says and comparison.kept.issuperset(old)):
        return None
    what = f"All lines of {lock.text} are locked"
    for number, content in zip(old, said, strict=True):
        if comparison.content(number) != content:
            now = comparison.content(number)
            doing = f"this edit {'changes' if now else 'removes or moves'} line {number}"
            return _finding(lock, f"{what}; {doing}", comparison.place(number), example=now, was=content)
    placed = {comparison.places[number] for number in old}
    added = next((number for number in new if number not in placed), None)
    if added is not None:
        example = comparison.after.segment(added).content
        return _finding(lock, f"{what}; this edit adds one", added, example=example)
    shifted = next((number for number in old if number not in comparison.kept), old[0])
    was = comparison.before.segment(shifted).content
    what = f"{what} and must keep their places; this edit moves line {shifted}"
    return _finding(lock, what, comparison.place(shifted), was=was)


def _phrase_broken(lock: Lock, comparison: _Comparison) -> Finding | None:
    stood = count_phrase(comparison.before.text, lock.text)
    stands = count_phrase(comparison.after.text, lock.text)
    if stands >= min(lock.occurrences, stood):
        return None
    poorer = [
        segment.number
        for segment in comparison.before.segments
        if count_phrase(segment.content, lock.text)
        > count_phrase(comparison.content(segment.number), lock.text)
    ]
    # Where the words stood: nothing is saved, so the person still has those lines. A number that the new text
    # does not reach is told by its place there.
    count = len(comparison.after.segments)
    found = (n if n <= count else comparison.place(n) for n in poorer)
    places = tuple(dict.fromkeys(place for place in found if place is not None))
    why = f" ({lock.note})" if lock.note else ""
    return Finding(
        guard="locked",
        code="locked_changed",
        level="error",
        message=f'"{_short(lock.text)}" is locked{why}, and the edit would take it away.',
        segments=places,
        example=_short(comparison.content(poorer[0])) if poorer else "",
        was=lock.text,
        advice=_release(lock),
    )


def _finding(lock: Lock, what: str, place: int | None, *, example: str = "", was: str = "") -> Finding:
    """Return a finding whose sentence names lines of the text before, which the person still has.

    Its `segments` are the lines of the new text, as of every finding.
    """
    wanted = was or lock.text
    why = f" ({lock.note})" if lock.note else ""
    return Finding(
        guard="locked",
        code="locked_changed",
        level="error",
        message=f'{what}. Locked is: "{_short(wanted)}"{why}.',
        segments=() if place is None else (place,),
        example=_short(example),
        was=wanted,
        advice=_release(lock),
    )


def _release(lock: Lock) -> str:
    """Return the command that releases a stored lock; one for a single request needs none."""
    return f"script-editor unlock {{id}} --id {lock.id}" if lock.id else ""


def _short(text: str) -> str:
    line = text.replace("\n", " / ")
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
