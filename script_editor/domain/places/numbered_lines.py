"""Which lines of one script a number in a person's words means: of lines, sentences, cues, paragraphs or sections."""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from script_editor.domain.places.line_numbers import Ordinal
from script_editor.domain.places.outline import Outline, Section
from script_editor.patterns import Pattern

Numbers = tuple[int, ...]
_T = TypeVar("_T")

_SENTENCE_END = Pattern(r"[。！？!?…]+[”」』\"']*|\.(?=\s)")
_FEW = 5
"""So many sentences from the start or the end may be counted in every way; more of them would cost too much."""


def resolve(
    ordinal: Ordinal, outline: Outline, among: Numbers | None = None, *, exact: bool = False
) -> Numbers:
    """Return the lines that an ordinal means: of the script, or of the lines `among`; none when there are too few.

    A line is a numbered line. With `exact` so is a sentence; without it, a single sentence is counted in all the
    ways that people count them: by number, by spoken line, by cue and by full stop.
    """
    pool = tuple(segment.number for segment in outline.script.segments) if among is None else among
    if not ordinal.first:
        return ()
    match ordinal.unit:
        case "line":
            return _slice(pool, ordinal)
        case "sentence" | "cue":
            return _slice(pool, ordinal) if exact else _counted(ordinal, outline, pool)
        case "paragraph":
            blocks = [block for block in outline.blocks if among is None or set(block) <= set(among)]
            if len(blocks) < 2:
                return _slice(pool, ordinal)
            return tuple(number for block in _slice(blocks, ordinal) for number in block)
        case "section":
            members = [(section.heading, *section.members) for section in _top(outline)]
            return tuple(sorted({number for section in _slice(members, ordinal) for number in section}))


def _counted(ordinal: Ordinal, outline: Outline, pool: Numbers) -> Numbers:
    found = set(_in_cues(ordinal, outline, pool)) | set(_slice(pool, ordinal))
    if _is_single(ordinal) and not (ordinal.unit == "cue" and outline.has_cues):
        spoken = tuple(number for number in pool if number in outline.spoken_set)
        found |= {*_slice(spoken, ordinal), *_slice(_by_sentence(outline, spoken), ordinal)}
    return tuple(sorted(found))


def _is_single(ordinal: Ordinal) -> bool:
    """Say whether it is one sentence, or a few counted from an end, which nobody says of line numbers."""
    is_from_end = ordinal.first == 1 or ordinal.last == -1
    return ordinal.first == ordinal.last or (is_from_end and abs(ordinal.last - ordinal.first) < _FEW)


def _in_cues(ordinal: Ordinal, outline: Outline, pool: Numbers) -> Iterator[int]:
    """Yield the lines of the cues that an ordinal means, where the text is in cues."""
    if outline.has_cues:
        within = set(pool)
        for stamp in _slice([stamp for stamp in outline.stamps if stamp.members[0] in within], ordinal):
            yield from stamp.members


def _top(outline: Outline) -> list[Section]:
    """Return the sections that count as parts: those of the highest level that has more than one."""
    for level in sorted({section.level for section in outline.sections}):
        found = [section for section in outline.sections if section.level == level]
        if len(found) > 1:
            return found
    return list(outline.sections)


def _by_sentence(outline: Outline, numbers: Numbers) -> Numbers:
    found: list[int] = []
    for number in numbers:
        content = outline.script.segment(number).content
        found += [number] * max(len([part for part in _SENTENCE_END.split(content) if part.strip()]), 1)
    return tuple(found)


def _slice(items: Sequence[_T], ordinal: Ordinal) -> tuple[_T, ...]:
    low, high = (len(items) + n if n < 0 else n - 1 for n in (ordinal.first, ordinal.last))
    return tuple(dict.fromkeys(items[max(low, 0) : high + 1])) if low <= high and high >= 0 else ()
