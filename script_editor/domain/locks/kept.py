"""Which lines of a text kept their place in another one.

When two lines change places, nobody can see in the result which of them moved. A line counts as kept
only when every shortest account of the change leaves it where it is: in "a b c" → "b a c" neither a nor b
is, in "a b c" → "c a b" both are, because there c alone moved.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

_MOST_PAIRS = 200_000
"""Above so many pairs of equal lines, the n-th of them before is taken for the n-th after."""

Pair = tuple[int, int]


def kept_in_place(before: Sequence[str], after: Sequence[str], watched: Collection[str]) -> frozenset[int]:
    """Return the indices of lines of `before` that stand, unmoved, in `after`.

    Evidence are the lines that occur once on each side and the `watched` ones, however often they occur.
    """
    head = _shared(before, after)
    tail = _shared(before[head:][::-1], after[head:][::-1])
    ends = {*range(head), *range(len(before) - tail, len(before))}
    middle, changed = before[head : len(before) - tail], after[head : len(after) - tail]
    pairs = _pairs(middle, changed, frozenset(watched))
    return frozenset(ends | {head + index for index in _in_every_order(pairs)})


def _shared(before: Sequence[str], after: Sequence[str]) -> int:
    count = 0
    for old, new in zip(before, after, strict=False):
        if old != new:
            break
        count += 1
    return count


def _pairs(before: Sequence[str], after: Sequence[str], watched: frozenset[str]) -> list[Pair]:
    """Return where lines of `before` may stand in `after`, by place before and, for one line, last place first."""
    old, new = Counter(before), Counter(after)
    places: defaultdict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(after):
        if line in watched or (old[line] == 1 and new[line] == 1):
            places[line].append(index)
    if sum(len(places.get(line, ())) for line in before) > _MOST_PAIRS:
        return list(_in_turn(before, places))
    return [(index, place) for index, line in enumerate(before) for place in reversed(places.get(line, ()))]


def _in_turn(before: Sequence[str], places: dict[str, list[int]]) -> Iterator[Pair]:
    seen: Counter[str] = Counter()
    for index, line in enumerate(before):
        if seen[line] < len(places.get(line, ())):
            yield index, places[line][seen[line]]
        seen[line] += 1


def _in_every_order(pairs: Sequence[Pair]) -> set[int]:
    """Return the first members that are part of every longest chain of pairs rising in both members."""
    upto = _chain_lengths([place for _, place in pairs])
    onward = _chain_lengths([-place for _, place in reversed(pairs)])[::-1]
    longest = max(upto, default=0)
    at_rank: defaultdict[int, set[int]] = defaultdict(set)
    for (index, _), before, after in zip(pairs, upto, onward, strict=True):
        if before + after - 1 == longest:
            at_rank[before].add(index)
    return {index for indices in at_rank.values() if len(indices) == 1 for index in indices}


def _chain_lengths(places: Sequence[int]) -> list[int]:
    """Return for each place the length of the longest rising chain that ends with it.

    Several places of one line come falling, so that no chain takes two of them.
    """
    ends: list[int] = []
    lengths = []
    for place in places:
        rank = bisect_left(ends, place)
        if rank == len(ends):
            ends.append(place)
        else:
            ends[rank] = place
        lengths.append(rank + 1)
    return lengths
