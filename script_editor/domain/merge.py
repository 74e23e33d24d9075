"""Two texts that grew from one base, brought together by lines; and which changes of one fit the other.

The rules are those of diff3 as git applies them: what only one side changed is taken, what both changed in
the same way is taken once, and everything else that overlaps or touches is a conflict. Two things are
looser, because they say nothing about a line: a byte order mark and a final newline are merged apart from
the lines they stand beside. Lines that moved, or that recur beside an edit, can be matched in several
ways; there git may see a conflict where none is seen here, or the other way round. Which one of several equal
lines stayed can be open too: there git may take another one of them for it, and put what was written beside it
there. Nothing that a side wrote is lost by either reading.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from script_editor.domain.diff import (
    Alignment,
    Side,
    TextLine,
    align,
    matcher,
    put_together,
    take_apart,
)
from script_editor.domain.selection import take

Span = tuple[int, int]
"""A stretch of physical lines: first index and the one after the last; empty between two lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A place that both sides changed, in different ways. The texts have their line ends.

    `*_lines` are segment numbers; where a side has no line there, the last one before the place.
    """

    base: str
    ours: str
    theirs: str
    base_lines: tuple[int, ...]
    ours_lines: tuple[int, ...]
    theirs_lines: tuple[int, ...]
    span: Span = field(repr=False)
    """Where the place is among the physical lines of the base."""


@dataclass(frozen=True, slots=True)
class Merged:
    """The outcome: `text` is None exactly when there are conflicts."""

    text: str | None
    conflicts: tuple[Region, ...] = ()


def merge(base: str, ours: str, theirs: str) -> Merged:
    """Return `ours` and `theirs` in one text, every byte from one of the three."""
    old, left, right = take_apart(base, ours, theirs)
    lines: list[TextLine] = []
    conflicts: list[Region] = []
    done = 0
    for place in _places(_edits(old.lines, left.lines), _edits(old.lines, right.lines)):
        lines += old.lines[done : place.base[0]]
        done = place.base[1]
        mine, other = left.lines[slice(*place.ours)], right.lines[slice(*place.theirs)]
        if place.by_ours and place.by_theirs and mine != other:
            conflicts.append(_region(place, old, left, right))
        lines += mine if place.by_ours else other
    if conflicts:
        return Merged(None, tuple(conflicts))
    lines += old.lines[done:]
    mark = left.mark if right.mark == old.mark else right.mark
    return Merged(put_together(mark, lines, _is_ended(old.is_ended, left.is_ended, right.is_ended)))


def _is_ended(base: bool | None, ours: bool | None, theirs: bool | None) -> bool | None:
    """Return whether the last line gets a line end; over a base without lines, one that either side gave."""
    if theirs == base:
        return ours
    return theirs if ours == base else bool(ours or theirs)


def which_fit(base: str, head: str, proposal: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids of `changes(base, proposal)` that can be carried over to `head`, and of those that cannot.

    All fitting changes together merge without a conflict.
    """
    aligned = align(base, proposal)
    spans = _spans(aligned)
    old, new = take_apart(base, head)
    moved = [edit.base for edit in _edits(old.lines, new.lines)]
    contested = [region.span for region in merge(base, head, proposal).conflicts]
    every = [change.id for change in aligned.changes]
    fitting = {id for id in every if not (_meets(spans.get(id), moved) and _meets(spans.get(id), contested))}
    while conflicts := merge(base, head, take(base, proposal, fitting)).conflicts:
        # Taken alone, changes can be matched to the base in another way than all together.
        contested = [region.span for region in conflicts]
        fitting -= {id for id in fitting if _meets(spans.get(id), contested)} or set(fitting)
    return tuple(id for id in every if id in fitting), tuple(id for id in every if id not in fitting)


def _spans(aligned: Alignment) -> dict[int, Span]:
    """Return where in the base the changes of lines are; those of the very ends of a text are nowhere."""
    found: dict[int, Span] = {}
    position = 0
    for row in aligned.rows:
        span = (position, position) if row.old is None else (row.old, row.old + 1)
        position = span[1]
        if row.change is not None:
            found[row.change.id] = span
    return found


def _meets(span: Span | None, others: Sequence[Span]) -> bool:
    return span is not None and any(span[0] <= end and start <= span[1] for start, end in others)


# --- what one side changed -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Edit:
    """A stretch of the base and what one side has in its place."""

    base: Span
    new: Span


def _edits(base: Sequence[TextLine], new: Sequence[TextLine]) -> list[_Edit]:
    """Return the edits that lead from `base` to `new`, in order.

    Where a stretch could be put in or taken out at several places, it is the last of them, as in git.
    """
    found: list[_Edit] = []
    limit = len(base)
    for i1, i2, j1, j2 in reversed(_differences(base, new)):
        steps = 0
        if i1 == i2:
            steps = _slide(new[j1 : j2 + limit - i2], j2 - j1)
        elif j1 == j2:
            steps = _slide(base[i1:limit], i2 - i1)
        found.append(_Edit((i1 + steps, i2 + steps), (j1 + steps, j2 + steps)))
        limit = i1 + steps
    return found[::-1]


def _slide(lines: Sequence[TextLine], size: int) -> int:
    """Return how far the first `size` lines can move down so that the same lines remain."""
    steps = 0
    while steps + size < len(lines) and lines[steps] == lines[steps + size]:
        steps += 1
    return steps


def _differences(base: Sequence[TextLine], new: Sequence[TextLine]) -> list[tuple[int, int, int, int]]:
    found = []
    for tag, i1, i2, j1, j2 in matcher(base, new, blank_is_common=False).get_opcodes():
        if tag == "equal":
            continue
        # A common line counts only with the one that it follows, which may have changed.
        while i1 < i2 and j1 < j2 and base[i1] == new[j1]:
            i1, j1 = i1 + 1, j1 + 1
        while i1 < i2 and j1 < j2 and base[i2 - 1] == new[j2 - 1]:
            i2, j2 = i2 - 1, j2 - 1
        if i1 < i2 or j1 < j2:
            found.append((i1, i2, j1, j2))
    return found


# --- what both sides changed -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    """A stretch of the base that was edited, and the same stretch on both sides."""

    base: Span
    ours: Span
    theirs: Span
    by_ours: bool
    by_theirs: bool


def _places(ours: Sequence[_Edit], theirs: Sequence[_Edit]) -> Iterator[_Place]:
    """Yield the stretches of the base that were edited; edits that overlap or touch are in one."""
    edits = sorted([(edit, True) for edit in ours] + [(edit, False) for edit in theirs], key=_order)
    grown = {True: 0, False: 0}  # how many lines longer each side is so far
    while edits:
        start, end = edits[0][0].base
        count = 0
        while count < len(edits) and edits[count][0].base[0] <= end:
            end = max(end, edits[count][0].base[1])
            count += 1
        group, edits = edits[:count], edits[count:]
        before = dict(grown)
        for edit, is_ours in group:
            grown[is_ours] += edit.new[1] - edit.new[0] - (edit.base[1] - edit.base[0])
        spans = {side: (start + before[side], end + grown[side]) for side in (True, False)}
        sides = {is_ours for _, is_ours in group}
        yield _Place((start, end), spans[True], spans[False], True in sides, False in sides)


def _order(edit: tuple[_Edit, bool]) -> Span:
    return edit[0].base


def _region(place: _Place, base: Side, ours: Side, theirs: Side) -> Region:
    return Region(
        base=_text(base, place.base),
        ours=_text(ours, place.ours),
        theirs=_text(theirs, place.theirs),
        base_lines=_numbers(base, place.base),
        ours_lines=_numbers(ours, place.ours),
        theirs_lines=_numbers(theirs, place.theirs),
        span=place.base,
    )


def _text(side: Side, span: Span) -> str:
    is_last = span[1] == len(side.lines)
    return put_together("", side.lines[slice(*span)], side.is_ended if is_last else True)


def _numbers(side: Side, span: Span) -> tuple[int, ...]:
    found = tuple(side.numbers[index] for index in range(*span) if index in side.numbers)
    before = (side.numbers[index] for index in range(span[0] - 1, -1, -1) if index in side.numbers)
    return found or tuple([next(before, 1)] if side.numbers else [])
