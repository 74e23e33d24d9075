"""Which line of a new text stands for which line of the old one.

Lines that look the same are paired first (the ends, then lines that occur once in both); what lies between
is paired so that the lines have most in common, and a rewritten line finds the line it came from.
Near-linear for texts that share most lines.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from script_editor.domain.folding import fold_text
from script_editor.patterns import Pattern

_MAX_CELLS = 40_000
_BAND = 24
"""How far from the diagonal lines are compared when two stretches are too long to compare all with all."""
_EQUAL = 2.0
_ANY_LINE = 0.05
_SAME_PLACE = 0.1
_EMPHASIS = Pattern(r"\*\*|__")
_WORD = Pattern(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3005-\u3007\u3040-\u30ff\u3400-\u9fff]+")
_WRAPPED = Pattern(r"([*_`])(?!\1)(.+)(?<!\1)\1")


@dataclass(frozen=True, slots=True)
class Column:
    """A place in both texts: an old and a new line that belong together, or one of them alone; indices from 0."""

    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class Row:
    """A line as it is compared: `key` decides what is the same, `looks` how like two lines are.

    `opens_block` says that a blank line stands before it.
    """

    key: str
    looks: str
    opens_block: bool = False


def looks(line: str, *, without_emphasis: bool = True) -> str:
    """Return what a line looks like: folded, without indentation and, unless asked for, without Markdown emphasis."""
    seen = fold_text(line.strip(), tight=True).text.strip()
    if not without_emphasis:
        return seen
    plain = _EMPHASIS.sub("", seen).strip()
    wrapped = _WRAPPED.fullmatch(plain)
    return (wrapped[2] if wrapped else plain).strip() or seen


@lru_cache(maxsize=8192)
def grams(looks: str) -> frozenset[str]:
    """Return the words of a line, each Chinese character one of them, and the pairs that stand together."""
    words = _WORD.findall(looks.casefold()) or [*looks]
    return frozenset(words) | {f"{left} {right}" for left, right in pairwise(words)}


def likeness(left: str, right: str) -> float:
    """Return how much two lines share, from 0 to 1; both as they look."""
    return _dice(grams(left), grams(right))


def _dice(left: frozenset[str], right: frozenset[str]) -> float:
    total = len(left) + len(right)
    return 2 * len(left & right) / total if total else 1.0


def align(old: Sequence[Row], new: Sequence[Row]) -> tuple[Column, ...]:
    """Return the columns of two texts, in order; every line of both stands in exactly one."""
    pairs = [*_same([row.key for row in old], [row.key for row in new], 0, 0)]
    columns: list[Column] = []
    i = j = 0
    for next_i, next_j in [*pairs, (len(old), len(new))]:
        columns += (
            Column(None if at is None else i + at, None if to is None else j + to)
            for at, to in _paired(old[i:next_i], new[j:next_j])
        )
        if next_i < len(old):
            columns.append(Column(next_i, next_j))
        i, j = next_i + 1, next_j + 1
    return tuple(columns)


def _same(old: Sequence[str], new: Sequence[str], at: int, to: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of equal lines, in order; `at` and `to` are where the two stretches begin."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    yield from ((at + step, to + step) for step in range(head))
    inner_old, inner_new = old[head : len(old) - tail], new[head : len(new) - tail]
    if inner_old and inner_new:
        yield from _inner(inner_old, inner_new, at + head, to + head)
    yield from ((at + len(old) - step, to + len(new) - step) for step in range(tail, 0, -1))


def _inner(old: Sequence[str], new: Sequence[str], at: int, to: int) -> Iterator[tuple[int, int]]:
    landmarks = _landmarks(old, new)
    if len(old) * len(new) <= _MAX_CELLS and (not landmarks or _is_crossed(old, new, landmarks)):
        return  # which of several equal lines is meant shows by the lines around them
    if not landmarks:
        matcher = SequenceMatcher(None, old, new, autojunk=False)
        for block in matcher.get_matching_blocks():
            yield from ((at + block.a + step, to + block.b + step) for step in range(block.size))
        return
    i = j = 0
    for next_i, next_j in [*landmarks, (len(old), len(new))]:
        yield from _same(old[i:next_i], new[j:next_j], at + i, to + j)
        if next_i < len(old):
            yield at + next_i, to + next_j
        i, j = next_i + 1, next_j + 1


def _landmarks(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest run of lines that occur once in both texts and stand in the same order."""
    once_old, once_new = Counter(old), Counter(new)
    where = {line: index for index, line in enumerate(new) if once_new[line] == 1}
    pairs = [(i, where[line]) for i, line in enumerate(old) if once_old[line] == 1 and line in where]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int | None] = []
    for index, (_, j) in enumerate(pairs):
        place = bisect_left(tails, j)
        before.append(ends[place - 1] if place else None)
        tails[place : place + 1] = [j]
        ends[place : place + 1] = [index]
    found: list[tuple[int, int]] = []
    at: int | None = ends[-1] if ends else None
    while at is not None:
        found.append(pairs[at])
        at = before[at]
    return found[::-1]


def _is_crossed(old: Sequence[str], new: Sequence[str], landmarks: Sequence[tuple[int, int]]) -> bool:
    """Say whether a line that repeats stands before a landmark in one text and behind it in the other.

    Then it may be the landmark that moved: a line carried over a refrain leaves more lines where they are.
    """
    had, has = Counter(old), Counter(new)
    repeated = {line for line in had.keys() & has.keys() if had[line] > 1 or has[line] > 1}
    if not repeated:
        return False
    surplus: Counter[str] = Counter()
    i = j = 0
    for next_i, next_j in landmarks:
        passed = [line for line in (*old[i:next_i], *new[j:next_j]) if line in repeated]
        surplus.update(line for line in new[j:next_j] if line in repeated)
        surplus.subtract(line for line in old[i:next_i] if line in repeated)
        if any(surplus[line] * (has[line] - had[line] - surplus[line]) < 0 for line in passed):
            return True
        i, j = next_i + 1, next_j + 1
    return False


Pair = tuple[int | None, int | None]


def _paired(old: Sequence[Row], new: Sequence[Row]) -> list[Pair]:
    """Return columns of two stretches: the pairing with the most likeness in all; equal lines count double."""
    if not old or not new:
        return [*((i, None) for i in range(len(old))), *((None, j) for j in range(len(new)))]
    seen_old = [grams(row.looks) for row in old]
    seen_new = [grams(row.looks) for row in new]

    def score(i: int, j: int) -> float:
        same_place = _SAME_PLACE if old[i].opens_block == new[j].opens_block else 0.0
        alike = _EQUAL if old[i].key == new[j].key else _dice(seen_old[i], seen_new[j])
        return alike + same_place + _ANY_LINE

    best: list[list[float]] = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    taken: set[tuple[int, int]] = set()
    is_small = len(old) * len(new) <= _MAX_CELLS
    for i in range(len(old)):
        middle = i * len(new) // len(old)
        columns = (
            range(len(new)) if is_small else range(max(0, middle - _BAND), min(len(new), middle + _BAND + 1))
        )
        row, above = best[i + 1], best[i]
        for j in range(len(new)):
            row[j + 1] = max(above[j + 1], row[j])
            if j in columns and (value := above[j] + score(i, j)) > row[j + 1]:
                row[j + 1] = value
                taken.add((i, j))
    return _walked_back(best, taken, len(old), len(new))


def _walked_back(best: Sequence[Sequence[float]], taken: set[tuple[int, int]], i: int, j: int) -> list[Pair]:
    columns: list[Pair] = []
    while i or j:
        if i and j and (i - 1, j - 1) in taken and best[i][j] > max(best[i - 1][j], best[i][j - 1]):
            i, j = i - 1, j - 1
            columns.append((i, j))
        elif j and (not i or best[i][j - 1] >= best[i - 1][j]):
            j -= 1
            columns.append((None, j))
        else:
            i -= 1
            columns.append((i, None))
    return columns[::-1]
