"""Which lines of two texts belong together: equal lines first, then lines that changed into each other.

Built for long scripts: lines that occur once on both sides divide the texts, so the time is close to
linear even when hundreds of lines changed or repeat.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from script_editor.domain.segments import NumberedScript, Segment
from script_editor.patterns import Pattern

Pair = tuple[Segment | None, Segment | None]
_EXACT_CELLS = (
    2_500  # above this many line pairs, a stretch without unique lines counts as changed as a whole
)
_PAIRING_CELLS = 900  # above this many line pairs, changed lines are paired by a look at the next few only
_LOOK_AHEAD = 3
ALIKE = 0.3
"""Lines less alike than this are not one line that changed."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch that differs: the old lines that stood there and the new ones that do; one side may be empty."""

    old: tuple[Segment, ...]
    new: tuple[Segment, ...]


@lru_cache(maxsize=4)  # every guard of one check asks for the same two texts
def blocks(before: NumberedScript, after: NumberedScript) -> tuple[Block, ...]:
    """Return the stretches that differ, in order; lines count as equal when their content is."""
    return tuple(_blocks(before.segments, after.segments))


@lru_cache(maxsize=4)
def changed_pairs(before: NumberedScript, after: NumberedScript) -> tuple[Pair, ...]:
    """Return the lines that differ, as old and new; None where a line came or went."""
    return tuple(pair for block in blocks(before, after) for pair in paired(block))


def _blocks(old: Sequence[Segment], new: Sequence[Segment]) -> Iterator[Block]:
    head = 0
    shorter = min(len(old), len(new))
    while head < shorter and old[head].content == new[head].content:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail].content == new[-1 - tail].content:
        tail += 1
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    if not old and not new:
        return
    i = j = 0
    for next_i, next_j in [*_anchors(old, new), (len(old), len(new))]:
        if i < next_i or j < next_j:
            is_part = next_i < len(old) or i > 0
            stretch = old[i:next_i], new[j:next_j]
            yield from _blocks(*stretch) if is_part else [Block(tuple(stretch[0]), tuple(stretch[1]))]
        i, j = next_i + 1, next_j + 1


def _anchors(old: Sequence[Segment], new: Sequence[Segment]) -> list[tuple[int, int]]:
    """Return pairs of indexes of equal lines, rising on both sides."""
    if not old or not new:
        return []
    old_times, new_times = (Counter(segment.content for segment in side) for side in (old, new))
    places = {segment.content: j for j, segment in enumerate(new) if new_times[segment.content] == 1}
    unique = [
        (i, places[segment.content])
        for i, segment in enumerate(old)
        if old_times[segment.content] == 1 and segment.content in places
    ]
    if unique:
        return _longest_rise(unique)
    if len(old) * len(new) > _EXACT_CELLS or old_times.keys().isdisjoint(new_times):
        return []
    matcher = SequenceMatcher(None, [s.content for s in old], [s.content for s in new], autojunk=False)
    return [(a + k, b + k) for a, b, size in matcher.get_matching_blocks() for k in range(size)]


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second numbers rise (patience sorting)."""
    tops: list[int] = []
    top_at: list[int] = []
    below: list[int] = []
    for index, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        below.append(top_at[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [j]
        top_at[pile : pile + 1] = [index]
    rise = []
    index = top_at[-1]
    while index >= 0:
        rise.append(pairs[index])
        index = below[index]
    return rise[::-1]


# --- lines that changed into each other ------------------------------------------------------


def paired(block: Block) -> Iterator[Pair]:
    """Yield the lines of a stretch that differs as old and new, in order."""
    old, new = block.old, block.new
    if len(old) == len(new) and (len(old) == 1 or len(old) * len(new) > _PAIRING_CELLS):
        yield from zip(old, new, strict=True)
        return
    matches = _best_matches(old, new) if len(old) * len(new) <= _PAIRING_CELLS else _near_matches(old, new)
    i = j = 0
    for next_i, next_j in [*matches, (len(old), len(new))]:
        # Between two matches lines of equal number replaced each other; otherwise they came and went.
        gap_old, gap_new = old[i:next_i], new[j:next_j]
        if len(gap_old) == len(gap_new):
            yield from zip(gap_old, gap_new, strict=True)
        else:
            yield from ((segment, None) for segment in gap_old)
            yield from ((None, segment) for segment in gap_new)
        if next_i < len(old):
            yield old[next_i], new[next_j]
        i, j = next_i + 1, next_j + 1


def _best_matches(old: Sequence[Segment], new: Sequence[Segment]) -> list[tuple[int, int]]:
    """Return the matching with the greatest likeness in all, by dynamic programming."""
    likeness = [[alike(a.content, b.content) for b in new] for a in old]
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            taken = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] >= ALIKE else 0.0
            best[i][j] = max(taken, best[i + 1][j], best[i][j + 1])
    matches = []
    i = j = 0
    while i < len(old) and j < len(new):
        if best[i][j] == best[i + 1][j]:
            i += 1
        elif best[i][j] == best[i][j + 1]:
            j += 1
        else:
            matches.append((i, j))
            i, j = i + 1, j + 1
    return matches


def _near_matches(old: Sequence[Segment], new: Sequence[Segment]) -> list[tuple[int, int]]:
    """Return a matching found by looking, for each new line, at a few old ones: the next ones, and those at its height."""
    matches = []
    i = 0
    for j, segment in enumerate(new):
        height = j * len(old) // len(new)
        nearby = {*range(i, i + _LOOK_AHEAD), *range(height - _LOOK_AHEAD, height + _LOOK_AHEAD + 1)}
        places = sorted(k for k in nearby if i <= k < len(old))
        score, index = max(((alike(old[k].content, segment.content), -k) for k in places), default=(0.0, 0))
        if score >= ALIKE:
            matches.append((-index, j))
            i = -index + 1
    return matches


def alike(one: str, other: str) -> float:
    """Return how much of two lines is the same, 0 to 1, by pairs of neighbouring characters."""
    a, b = bigrams(one), bigrams(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else float(one == other)


_SOUNDLESS = Pattern(r"[\W_]+")


@lru_cache(maxsize=8192)
def bigrams(line: str) -> frozenset[str]:
    """Return the pairs of neighbouring letters of a line, without space, punctuation and case."""
    plain = compact(line)
    return frozenset(plain[k : k + 2] for k in range(len(plain) - 1)) or frozenset([plain] if plain else [])


def compact(text: str) -> str:
    """Return a text without space, punctuation and case."""
    return _SOUNDLESS.sub("", text).casefold()
