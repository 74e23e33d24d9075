"""Aligned lines as operations: what becomes of each line of a script, and of the blank lines between.

The blank lines of a script belong to the gaps between its lines and are the author's; a reply's blank
lines count only where it writes new lines, or where they are what was asked about.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from script_editor.domain.operations import BlankLines, Delete, InsertAfter, InsertBefore, Operation, Replace
from script_editor.domain.replies.alignment import Column
from script_editor.domain.segments import NumberedScript, Segment, is_blank


@dataclass(frozen=True, slots=True)
class WrittenLines:
    """The lines of a text that are not blank, and how many blank lines stand before each and after the last."""

    lines: tuple[str, ...]
    gaps: tuple[int, ...]


def written_lines(lines: Sequence[str]) -> WrittenLines:
    """Return physical lines without the blank ones, which are counted."""
    spoken: list[str] = []
    gaps = [0]
    for line in lines:
        if is_blank(line):
            gaps[-1] += 1
        else:
            spoken.append(line)
            gaps.append(0)
    return WrittenLines(tuple(spoken), tuple(gaps))


def own_gaps(script: NumberedScript) -> tuple[int, ...]:
    """Return how many blank lines stand before each line of a script and after the last."""
    places = [segment.line for segment in script.segments]
    bounds = [-1, *places, len(script.lines)]
    return tuple(right - left - 1 for left, right in pairwise(bounds))


@dataclass(frozen=True, slots=True)
class Stretch:
    """What happens between two lines that stay; either is None at an end of the script.

    `gone` are indices of the old lines in between, `added` of the new ones; `before_next` is the index of
    the new line that the second stands for, or the number of new lines.
    """

    left: int | None
    right: int | None
    gone: tuple[int, ...]
    added: tuple[int, ...]
    before_next: int


def stretches(columns: Sequence[Column], new_count: int, restored: frozenset[int]) -> Iterator[Stretch]:
    """Yield the stretches around all lines that stay, also those in which nothing happens."""
    left: int | None = None
    gone: list[int] = []
    added: list[int] = []
    next_new = 0
    for column in columns:
        next_new = next_new if column.new is None else column.new + 1
        if column.old is not None and (column.new is not None or column.old in restored):
            before_next = next_new if column.new is None else column.new
            yield Stretch(left, column.old, tuple(gone), tuple(added), before_next)
            left, gone, added = column.old, [], []
        elif column.old is not None:
            gone.append(column.old)
        elif column.new is not None:
            added.append(column.new)
    yield Stretch(left, None, tuple(gone), tuple(added), new_count)


class Rewriting:
    """Makes the operations. `texts` are the new lines as they are to be written; `changed` the old lines that change.

    With `shows_gaps` the blank lines of the new text are taken over; otherwise the author's stay.
    `anchors` are old lines that new ones are preferably tied to, `restored` such that stay without a new one.
    """

    def __init__(
        self,
        script: NumberedScript,
        columns: Sequence[Column],
        texts: Sequence[str],
        gaps: Sequence[int],
        *,
        changed: Mapping[int, str],
        shows_gaps: bool,
        anchors: frozenset[int] = frozenset(),
        restored: frozenset[int] = frozenset(),
    ):
        self._script, self._columns, self._texts, self._gaps = script, columns, texts, gaps
        self._changed, self._shows_gaps, self._anchors = changed, shows_gaps, anchors
        self._restored, self._own_gaps = restored, own_gaps(script)

    def operations(self) -> Iterator[Operation]:
        """Yield the operations that turn the script into the new text, in the order of the script."""
        for stretch in stretches(self._columns, len(self._texts), self._restored):
            yield from self._between(stretch)
            if stretch.right is not None and stretch.right in self._changed:
                yield Replace(self._segment(stretch.right).id, self._changed[stretch.right])

    def _between(self, stretch: Stretch) -> Iterator[Operation]:
        match bool(stretch.gone), bool(stretch.added):
            case False, False:
                yield from self._gap(stretch)
            case True, False:
                yield from self._deleted(stretch)
            case False, True:
                yield from self._inserted(stretch)
            case True, True:
                yield from self._exchanged(stretch)

    # --- gaps ------------------------------------------------------------------------------------

    def _own(self, stretch: Stretch) -> tuple[int, ...]:
        """Return the author's blank lines in a stretch: before each line that goes, and before the next that stays."""
        after = len(self._own_gaps) - 1 if stretch.right is None else stretch.right
        return tuple(self._own_gaps[index] for index in (*stretch.gone, after))

    def _shown(self, stretch: Stretch) -> tuple[int, ...]:
        """Return the blank lines that the new text shows in a stretch, in the same way."""
        return tuple(self._gaps[index] for index in (*stretch.added, stretch.before_next))

    def _blank(self, stretch: Stretch, count: int) -> Iterator[Operation]:
        """Yield what makes the blank lines before the next line that stays, or after the last line, `count`."""
        if stretch.right is not None:
            yield BlankLines(self._segment(stretch.right).id, count)
            return
        yield BlankLines(self._script.segments[-1].id, count, side="behind")

    def _gap(self, stretch: Stretch) -> Iterator[Operation]:
        own, shown = self._own(stretch)[0], self._shown(stretch)[0]
        if self._shows_gaps and own != shown:
            yield from self._blank(stretch, shown)

    # --- lines that go -----------------------------------------------------------------------------

    def _deleted(self, stretch: Stretch) -> Iterator[Operation]:
        own, shown = self._own(stretch), self._shown(stretch)[0]
        is_at_an_end = stretch.left is None or stretch.right is None
        is_more = is_at_an_end and not self._shows_gaps and shown > sum(own)  # how many more says nothing
        if shown == sum(own) or is_more:  # the new text shows all of the author's blank lines
            yield from (Delete(self._segment(old).id) for old in stretch.gone)
            return
        wanted = shown if self._shows_gaps else self._gap_left(stretch, own)
        kept = next(
            (index for index in (len(own) - 1, *range(len(own))) if own[index] == wanted), len(own) - 1
        )
        for index, old in enumerate(stretch.gone):
            yield Delete(self._segment(old).id, gap="before" if index < kept else "after")
        if own[kept] != wanted:
            yield from self._blank(stretch, wanted)

    def _gap_left(self, stretch: Stretch, own: Sequence[int]) -> int:
        """Return how many blank lines stay where lines go: one of the author's gaps, never two in a row."""
        if stretch.left is None:
            return own[0]
        if stretch.right is None:
            return own[-1]
        return next((gap for gap in own if gap), 0)

    # --- lines that come ---------------------------------------------------------------------------

    def _inserted(self, stretch: Stretch) -> Iterator[Operation]:
        own, before, after = self._own(stretch)[0], *self._outer_gaps(stretch)
        inner = self._joined(stretch.added)
        is_tied_to_next = stretch.right is not None and (stretch.left is None or self._prefers_next(stretch))
        if stretch.right is not None and (is_tied_to_next or (before == own != after)):
            yield InsertBefore(self._segment(stretch.right).id, inner + "\n" * (after + 1))
            if before != own:
                yield from self._blank(stretch, before)
        elif stretch.left is not None:
            yield InsertAfter(self._segment(stretch.left).id, "\n" * before + inner + "\n")
            if after != own:
                yield from self._blank(stretch, after)

    def _prefers_next(self, stretch: Stretch) -> bool:
        return stretch.left not in self._anchors and stretch.right in self._anchors

    def _outer_gaps(self, stretch: Stretch) -> tuple[int, int]:
        """Return how many blank lines stand before and after new lines; the author's gap is one of the two."""
        own, shown = self._own(stretch)[0], self._shown(stretch)
        before, after = shown[0], shown[-1]
        if self._shows_gaps:
            return before, after
        if stretch.left is None:
            return own, after
        if stretch.right is None:
            return before, own
        if own == 0:
            return before, after
        if self._prefers_next(stretch) and not after:
            return own, 0
        return (own if before else 0), (own if after or not before else 0)

    def _joined(self, added: Sequence[int]) -> str:
        """Return new lines with the blank lines between them."""
        first, *others = added
        return self._texts[first] + "".join(
            "\n" * (self._gaps[index] + 1) + self._texts[index] for index in others
        )

    # --- lines that go for others --------------------------------------------------------------------

    def _exchanged(self, stretch: Stretch) -> Iterator[Operation]:
        first, *others = stretch.gone
        yield Replace(self._segment(first).id, self._joined(stretch.added))
        for old in others:
            yield Delete(self._segment(old).id, gap="before")
        if not self._shows_gaps:
            return
        own, shown = self._own(stretch), self._shown(stretch)
        if own[0] != shown[0]:
            yield BlankLines(self._segment(first).id, shown[0])
        if own[-1] != shown[-1]:
            yield from self._blank(stretch, shown[-1])

    def _segment(self, index: int) -> Segment:
        return self._script.segments[index]
