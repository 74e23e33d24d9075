"""Which lines of a script one call to a model is shown, and which of them it may edit.

A short script is shown whole. In a long one, an instruction that names its place gets that place with
its neighbours; one about everything is carried out in chunks, so that no reply grows without bound.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from script_editor.app.timing import spoken
from script_editor.domain.locks import Lock, marked
from script_editor.domain.operations import Constraints
from script_editor.domain.places import is_whole, named_in
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

Kind = Literal["whole", "places", "chunk"]

SMALL_TOKENS = 500
"""A script up to this size is always shown whole: less would save nothing."""
REWRITE_TOKENS = 2_000
"""Above this, a request about the whole text goes in chunks: many models cut longer replies off."""
VIEW_TOKENS = 12_000
"""Up to this, a request that names no place, but need not change everything, sees the whole script."""
CHUNK_TOKENS = 1_500
NEIGHBOURS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one call is shown: `editable` and, to be read only, `context`; both are segment numbers, ascending.

    `number` of `count` counts the chunks of one request from 1.
    """

    kind: Kind
    editable: tuple[int, ...]
    context: tuple[int, ...] = ()
    number: int = 1
    count: int = 1


_HAN = Pattern("[\u2e80-\u9fff\uff00-\uffef]+")


def tokens(text: str) -> int:
    """Return about how many tokens a text takes: Han characters 1.5 each, other text a quarter of its length."""
    han = sum(map(len, _HAN.findall(text)))
    return round(han * 1.5 + (len(text) - han) / 4)


def first_look(script: NumberedScript, instruction: str, constraints: Constraints) -> tuple[Part, ...]:
    """Return what to show first: one part, or the chunks of a request about a long text.

    With targets, only they are editable.
    """
    every = tuple(segment.number for segment in script.segments)
    wanted = constraints.targets or every
    is_small = tokens(script.text) <= SMALL_TOKENS
    if is_small:
        return (_part("whole", wanted, every),)
    if constraints.targets:
        return _pieces(script, constraints.targets, "places")
    named = named_in(instruction, script)
    if named and not _needs_other_lines(script, constraints):
        return _pieces(script, _with_neighbours(named, len(every)), "places")
    return everything(
        script, constraints, in_chunks=is_whole(instruction) or constraints.duration is not None
    )


def _needs_other_lines(script: NumberedScript, constraints: Constraints) -> bool:
    """Say whether the script does not have the wanted time yet, which a few lines can seldom give it."""
    if constraints.duration is None:
        return False
    seconds = spoken(script.text).seconds
    return not constraints.duration.meets(seconds, seconds)


def everything(
    script: NumberedScript, constraints: Constraints, *, in_chunks: bool = False
) -> tuple[Part, ...]:
    """Return the whole script as one part, or as chunks where a reply about all of it would be too long."""
    every = tuple(segment.number for segment in script.segments)
    limit = REWRITE_TOKENS if in_chunks else VIEW_TOKENS
    if tokens(script.text) <= limit:
        return (_part("whole", constraints.targets or every, every),)
    return chunks(script, constraints.targets or every)


def chunks(script: NumberedScript, numbers: Sequence[int]) -> tuple[Part, ...]:
    """Return `numbers` in chunks of bounded size, each with its neighbours to be read only."""
    groups = _grouped(script, numbers)
    return tuple(
        Part(
            kind="chunk",
            editable=tuple(group),
            context=_around(group, len(script.segments)),
            number=index,
            count=len(groups),
        )
        for index, group in enumerate(groups, 1)
    )


def shown(script: NumberedScript, part: Part, locks: tuple[Lock, ...]) -> str:
    """Return a part as a model sees it: `S5:k7 | text`, `S6:qm [locked] | text`, and `~ | text` for context.

    Lines that are left out show as their range, `(8-40)`.
    """
    locked = marked(script, locks)
    editable, numbers = set(part.editable), sorted({*part.editable, *part.context})
    rows: list[str] = []
    for before, number in pairwise([0, *numbers]):
        rows += _gap(before + 1, number - 1)
        segment = script.segments[number - 1]
        address = segment.id if number in editable else "~"
        rows.append(
            f"{address} [locked] | {segment.content}"
            if number in locked
            else f"{address} | {segment.content}"
        )
    return "\n".join([*rows, *_gap((numbers[-1] if numbers else 0) + 1, len(script.segments))])


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers as people write them: "3-5, 9"."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][1] + 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in found)


def _part(kind: Kind, editable: Sequence[int], seen: Sequence[int]) -> Part:
    return Part(kind=kind, editable=tuple(editable), context=tuple(sorted(set(seen) - set(editable))))


def _pieces(script: NumberedScript, numbers: Sequence[int], kind: Kind) -> tuple[Part, ...]:
    groups = _grouped(script, numbers)
    if len(groups) > 1:
        return chunks(script, numbers)
    return (_part(kind, numbers, [*numbers, *_around(numbers, len(script.segments))]),)


def _grouped(script: NumberedScript, numbers: Sequence[int]) -> list[list[int]]:
    groups: list[list[int]] = [[]]
    used = 0
    for number in numbers:
        size = tokens(script.segments[number - 1].content) + 8  # the id
        if groups[-1] and used + size > CHUNK_TOKENS:
            groups.append([])
            used = 0
        groups[-1].append(number)
        used += size
    return groups


def _with_neighbours(numbers: Sequence[int], last: int) -> tuple[int, ...]:
    return tuple(
        sorted({*numbers, *(n + step for n in numbers for step in (-1, 1) if 1 <= n + step <= last)})
    )


def _around(numbers: Sequence[int], last: int) -> tuple[int, ...]:
    """Return the neighbours of a group that do not belong to it."""
    near = {
        number + step
        for number in numbers
        for step in range(-NEIGHBOURS, NEIGHBOURS + 1)
        if 1 <= number + step <= last
    }
    return tuple(sorted(near - set(numbers)))


def _gap(first: int, last: int) -> list[str]:
    if first > last:
        return []
    return [f"({first})" if first == last else f"({first}-{last})"]
