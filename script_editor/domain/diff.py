"""What differs between two texts, as numbered changes that a person can review one by one.

Lines are compared first; lines that changed into each other are paired, and a pair is marked word by
word in Latin text and character by character in Han text, with numbers in one piece. Small islands
between two marks are joined, because "[-我-]{+咱+}们[-要聊-]{+来唠+}" helps nobody.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from script_editor.domain.segments import Line, NumberedScript, is_blank

MarkKind = Literal["equal", "delete", "insert"]
ChangeKind = Literal["replace", "insert", "delete", "space"]

WHOLE_LINE_BELOW = 0.4
"""Pairs less alike than this are shown as one line taken out and one put in."""
ISLAND_TOKENS = 2
"""Equal stretches of at most so many tokens between two marks are joined to them."""
_BOM, _NEWLINE = "\ufeff", "\n"
OFTEN = 20
"""A line that occurs more often than this says nothing about which line it is."""
_PAIRING_CELLS = 40_000  # above this many line pairs in one block, lines are paired by position

_TOKEN = re.compile(
    r"\d+(?:[.,:：\-–/]\d+)*[%％]?"  # 3,000 · 21:30 · 380-750 · 12.8%
    r"|[^\W\d_㐀-䶿一-鿿豈-﫿\u3040-\u30ff]+(?:['’][^\W\d_]+)*"  # words of scripts that use spaces
    r"|\s+"
    r"|.",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch of a line that stayed, went or came."""

    kind: MarkKind
    text: str


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
    old, new = _Side(before), _Side(after)
    found: list[Change] = []
    matcher = SequenceMatcher(None, _keys(old.lines), _keys(new.lines), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        for i, j in _paired(old.lines[i1:i2], new.lines[j1:j2]):
            change = _change(len(found) + 1, old, new, _at(i, i1), _at(j, j1))
            if change is not None:
                found.append(change)
    for note in _edges(before, after):
        found.append(_space(len(found) + 1, None, None, note))
    return tuple(found)


def _edges(before: str, after: str) -> Iterator[str]:
    """Yield what changed at the very start and end of the texts, where no line shows it."""
    if not before or not after:
        return
    if before.startswith(_BOM) != after.startswith(_BOM):
        yield f"byte order mark {'added' if after.startswith(_BOM) else 'removed'}"
    if before.endswith(_NEWLINE) != after.endswith(_NEWLINE):
        yield f"final newline {'added' if after.endswith(_NEWLINE) else 'removed'}"


def _keys(lines: Sequence[str]) -> list[tuple[str, str]]:
    """Return what lines are matched by: a line that occurs often counts only together with the one before it.

    Without that, a text with a blank line between all others takes cubic time.
    """
    often = {line for line, times in Counter(lines).items() if times > OFTEN}
    return [
        (line, lines[index - 1] if index and (line in often or is_blank(line)) else "")
        for index, line in enumerate(lines)
    ]


def marks(before: str, after: str) -> tuple[Mark, ...]:
    """Return how one line became the other, as stretches that read in order."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < WHOLE_LINE_BELOW:
        whole = (Mark("delete", before), Mark("insert", after))
        return tuple(mark for mark in whole if mark.text)
    rows = [(tag == "equal", old[i1:i2], new[j1:j2]) for tag, i1, i2, j1, j2 in matcher.get_opcodes()]
    return tuple(_as_marks(_join_islands(rows)))


Row = tuple[bool, list[str], list[str]]  # equal?, old tokens, new tokens


def _join_islands(rows: Sequence[Row]) -> list[Row]:
    last = len(rows) - 1
    loose = [
        (equal and not (0 < index < last and _is_island(old)), old, new)
        for index, (equal, old, new) in enumerate(rows)
    ]
    joined = []
    for equal, group in groupby(loose, key=lambda row: row[0]):
        stretch = list(group)
        joined.append(
            (equal, [t for _, old, _ in stretch for t in old], [t for _, _, new in stretch for t in new])
        )
    return joined


def _is_island(tokens: Sequence[str]) -> bool:
    return len(tokens) <= ISLAND_TOKENS and all(token[0].isalnum() or token.isspace() for token in tokens)


def _as_marks(rows: Sequence[Row]) -> Iterator[Mark]:
    for equal, old, new in rows:
        if equal:
            yield Mark("equal", "".join(old))
            continue
        if old:
            yield Mark("delete", "".join(old))
        if new:
            yield Mark("insert", "".join(new))


class _Side:
    """One of the two texts: its physical lines with line ends, and the segment number of each.

    A last line without a line end is compared as if it had one; `changes` reports the final newline.
    """

    def __init__(self, text: str):
        self.script = NumberedScript("", 1, text)
        newline = self.script.newline
        self.lines = [self._full(line, newline) for line in self.script.lines]
        self.numbers = {segment.line: segment.number for segment in self.script.segments}

    def _full(self, line: Line, newline: str) -> str:
        full = self.script.text[line.start : line.end]
        return full if line.end > line.content_end else full + newline

    def content(self, index: int) -> str:
        line = self.script.lines[index]
        return self.script.text[line.start : line.content_end]


def _at(index: int | None, offset: int) -> int | None:
    return None if index is None else index + offset


def _change(id: int, old: _Side, new: _Side, i: int | None, j: int | None) -> Change | None:
    """Return what became of one line or of a pair of lines, None when they are equal after all."""
    if i is not None and j is not None and old.lines[i] == new.lines[j]:
        return None
    before = "" if i is None else old.content(i)
    after = "" if j is None else new.content(j)
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


Pair = tuple[int | None, int | None]


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
    bags = [[Counter(_TOKEN.findall(line.strip())) for line in side] for side in (old, new)]
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
