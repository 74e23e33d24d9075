"""What differs between two texts, as numbered changes that a person can review one by one.

Lines are compared first; lines that changed into each other are paired, and a pair is marked (`marks`).
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from script_editor.domain.marks import TOKEN, Mark, marks
from script_editor.domain.segments import NumberedScript, is_blank

ChangeKind = Literal["replace", "insert", "delete", "space"]

_BOM, _NEWLINE = "\ufeff", "\n"
OFTEN = 20
"""A line that occurs more often than this says nothing about which line it is."""
_PAIRING_CELLS = 40_000  # above this many line pairs in one block, lines are paired by position


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One reviewable difference. `id` counts from 1 in the order of the texts.

    `before_line` and `after_line` are segment numbers, None on the side where there is no line (or
    only a blank one). Kind "space" is a change that nobody hears: blank lines, indentation, line
    ends; `note` then says which.
    """

    id: int
    kind: ChangeKind
    before_line: int | None
    after_line: int | None
    before: str
    after: str
    marks: tuple[Mark, ...]
    note: str = ""


def changes(before: str, after: str) -> tuple[Change, ...]:
    """Return the changes that lead from `before` to `after`; none exactly when the texts are equal."""
    return align(before, after).changes


Pair = tuple[int | None, int | None]
TextLine = tuple[str, str]
"""A physical line: its content and its line end. Apart, because a content may end with a lone CR."""
LineKey = tuple[TextLine, TextLine | None, int]
"""What a line is matched by: itself; where it is common, also the line that it follows, and how far behind."""


class Side:
    """A text taken apart: byte order mark, lines, whether the last one has a line end.

    A last line without a line end has `ending` here, so that it can be compared; `is_ended` tells, None
    when there is no line at all. `numbers` are the segment numbers of the lines that have one.
    """

    def __init__(self, text: str, ending: str):
        script = NumberedScript("", 1, text)
        self.mark = _BOM if text.startswith(_BOM) else ""
        self.lines: tuple[TextLine, ...] = tuple(
            (text[line.start : line.content_end], text[line.content_end : line.end] or ending)
            for line in script.lines
        )
        self.is_ended = text.endswith(_NEWLINE) if self.lines else None
        self.numbers = {segment.line: segment.number for segment in script.segments}


def take_apart(*texts: str) -> tuple[Side, ...]:
    """Return texts as sides that can be compared line by line, one ending standing in for missing ones."""
    ended = next((text for text in texts if text.endswith(_NEWLINE)), None)
    if ended is None:
        ending: str = NumberedScript("", 1, "".join(texts)).newline
    else:
        ending = "\r\n" if ended.endswith("\r\n") else _NEWLINE
    return tuple(Side(text, ending) for text in texts)


def put_together(mark: str, lines: Sequence[TextLine], is_ended: bool | None) -> str:
    """Return the text of these parts; without `is_ended` the last line loses its line end."""
    text = mark + "".join(content + ending for content, ending in lines)
    return text[: -len(lines[-1][1])] if lines and not is_ended else text


@dataclass(frozen=True, slots=True)
class Row:
    """A line, or a line and what became of it, as indexes of physical lines; None where there is none.

    `change` is None where nothing changed.
    """

    old: int | None
    new: int | None
    change: Change | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two texts side by side, with every change at its place; `mark` is about the byte order mark."""

    old: Side
    new: Side
    rows: tuple[Row, ...]
    mark: Change | None
    final_newline: Change | None

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes in the order of their ids."""
        found = [*(row.change for row in self.rows), self.mark, self.final_newline]
        return tuple(change for change in found if change is not None)


def align(before: str, after: str) -> Alignment:
    """Return which line of `before` is or became which line of `after`."""
    old, new = take_apart(before, after)
    rows: list[Row] = []
    last = 0
    for i, j in _matched(old.lines, new.lines):
        change = _change(last + 1, old, new, i, j)
        last += change is not None
        rows.append(Row(i, j, change))
    mark = final_newline = None
    if old.mark != new.mark:
        last += 1
        mark = _space(last, None, None, f"byte order mark {'added' if new.mark else 'removed'}")
    if None not in (old.is_ended, new.is_ended) and old.is_ended != new.is_ended:
        note = f"final newline {'added' if new.is_ended else 'removed'}"
        final_newline = _space(last + 1, None, None, note)
    return Alignment(old, new, tuple(rows), mark, final_newline)


def _matched(old: Sequence[TextLine], new: Sequence[TextLine]) -> Iterator[Pair]:
    """Yield every line of both texts in order, equal and paired lines together.

    Equal lines at both ends are matched first: where lines recur, the longest equal stretch that the
    comparison looks for may otherwise be one that makes twenty changes out of one.
    """
    head, tail = _equal_ends(old, new)
    yield from ((index, index) for index in range(head))
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    for tag, i1, i2, j1, j2 in matcher(*middle).get_opcodes():
        if tag == "equal":
            yield from zip(range(head + i1, head + i2), range(head + j1, head + j2), strict=True)
            continue
        contents = [[content for content, _ in lines] for lines in (middle[0][i1:i2], middle[1][j1:j2])]
        for i, j in _paired(*contents):
            yield (None if i is None else head + i1 + i), (None if j is None else head + j1 + j)
    yield from zip(range(len(old) - tail, len(old)), range(len(new) - tail, len(new)), strict=True)


def _equal_ends(old: Sequence[TextLine], new: Sequence[TextLine]) -> tuple[int, int]:
    """Return how many lines are equal at the start, and how many of the rest at the end."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def matcher(
    old: Sequence[TextLine], new: Sequence[TextLine], *, blank_is_common: bool = True
) -> SequenceMatcher[int]:
    """Return the comparison of lines, where a common one counts only by its place after one that is not.

    Without that, a text with a blank line between all others takes cubic time.
    """
    counts = [Counter(lines) for lines in (old, new)]
    common = {line for counted in counts for line, times in counted.items() if times > OFTEN}
    if blank_is_common:
        common |= {line for counted in counts for line in counted if is_blank(line[0])}
    numbers: dict[LineKey, int] = {}  # difflib hashes what it compares again and again
    first, second = (
        [numbers.setdefault(key, len(numbers)) for key in _keys(lines, common)] for lines in (old, new)
    )
    return SequenceMatcher(None, first, second, autojunk=False)


def _keys(lines: Sequence[TextLine], common: Collection[TextLine]) -> Iterator[LineKey]:
    after, steps = None, 0
    for line in lines:
        if line in common:
            steps += 1
            yield line, after, steps
        else:
            after, steps = line, 0
            yield line, None, 0


def _change(id: int, old: Side, new: Side, i: int | None, j: int | None) -> Change | None:
    """Return what became of one line or of a pair of lines, None when they are equal after all."""
    if i is not None and j is not None and old.lines[i] == new.lines[j]:
        return None
    before = "" if i is None else old.lines[i][0]
    after = "" if j is None else new.lines[j][0]
    before_line = None if i is None else old.numbers.get(i)
    after_line = None if j is None else new.numbers.get(j)
    if before_line is None and after_line is None:
        return _space(id, None, None, _blank_note(i, j), before, after)
    if before_line is not None and after_line is not None:
        if before.strip() == after.strip():
            note = "line end" if before == after else "indentation or trailing space"
            return _space(id, before_line, after_line, note, before, after)
        return Change(
            id=id, kind="replace", before_line=before_line, after_line=after_line,
            before=before, after=after, marks=marks(before, after),
        )  # fmt: skip
    kind: ChangeKind = "insert" if before_line is None else "delete"
    mark: Mark = Mark("insert", after) if before_line is None else Mark("delete", before)
    return Change(
        id=id,
        kind=kind,
        before_line=before_line,
        after_line=after_line,
        before=before,
        after=after,
        marks=(mark,),
    )


def _blank_note(i: int | None, j: int | None) -> str:
    if i is None:
        return "blank line added"
    return "blank line removed" if j is None else "blank line changed"


def _space(
    id: int, before_line: int | None, after_line: int | None, note: str, before: str = "", after: str = ""
) -> Change:
    return Change(
        id=id, kind="space", before_line=before_line, after_line=after_line,
        before=before, after=after, marks=(), note=note,
    )  # fmt: skip


def _paired(old: Sequence[str], new: Sequence[str]) -> list[Pair]:
    """Return which old line became which new one, in order; lines without a partner stand alone."""
    if not old or not new:
        return [(i, None) for i in range(len(old))] + [(None, j) for j in range(len(new))]
    if len(old) * len(new) > _PAIRING_CELLS:
        shared = min(len(old), len(new))
        rest: list[Pair] = [(i, None) for i in range(shared, len(old))]
        return [*((i, i) for i in range(shared)), *rest, *((None, j) for j in range(shared, len(new)))]
    return _best_alignment(_likeness(old, new))


def _likeness(old: Sequence[str], new: Sequence[str]) -> list[list[float]]:
    """Return for every pair how alike the lines are, 0 to 1, by the tokens they share."""
    bags = [[Counter(TOKEN.findall(line.strip())) for line in side] for side in (old, new)]
    table = []
    for i, a in enumerate(bags[0]):
        row = []
        for j, b in enumerate(bags[1]):
            if is_blank(old[i]) or is_blank(new[j]):
                row.append(0.05 if is_blank(old[i]) and is_blank(new[j]) else 0.0)
            else:
                row.append(2 * (a & b).total() / max(a.total() + b.total(), 1))
        table.append(row)
    if len(old) == len(new):  # lines rewritten one for one have no better partner than their place
        for i in range(len(old)):
            if not is_blank(old[i]) and not is_blank(new[i]):
                table[i][i] = max(table[i][i], 0.02)
    return table


def _best_alignment(likeness: Sequence[Sequence[float]]) -> list[Pair]:
    """Return the order-keeping pairing with the greatest total likeness."""
    rows, columns = len(likeness), len(likeness[0])
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            paired = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] > 0 else -1.0
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    pairs: list[Pair] = []
    i = j = 0
    while i < rows and j < columns:
        if likeness[i][j] > 0 and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    pairs += [(k, None) for k in range(i, rows)]
    pairs += [(None, k) for k in range(j, columns)]
    return pairs
