"""Replacing stretches of a text, with everything between them left as it is."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, order=True)
class Splice:
    """Put `text` in place of the characters [start, end) of the original."""

    start: int
    end: int
    text: str = field(compare=False)


def apply(text: str, splices: Sequence[Splice]) -> str:
    """Return `text` with the splices carried out; they are sorted and do not overlap."""
    pieces: list[str] = []
    done = 0
    for splice in splices:
        assert done <= splice.start <= splice.end <= len(text), "splices overlap or leave the text"
        pieces += [text[done : splice.start], splice.text]
        done = splice.end
    result = "".join([*pieces, text[done:]])
    assert _kept_is_identical(text, result, splices), "a byte outside the splices changed"
    return result


def _kept_is_identical(before: str, after: str, splices: Sequence[Splice]) -> bool:
    old = new = 0
    for splice in splices:
        kept = splice.start - old
        if before[old : splice.start] != after[new : new + kept]:
            return False
        new += kept
        if after[new : new + len(splice.text)] != splice.text:
            return False
        old, new = splice.end, new + len(splice.text)
    return before[old:] == after[new:]
