"""Where a search text stands in a text: exactly, or after folding; never by similarity.

Folding is used to find, never to write: every result is offsets into the original, and `project`
writes only what differs. That exact must win over folded, that a folded hit must be the only one, and
that near misses must not be applied are lessons from the trackers of code-editing tools; similarity is
used for the error only.
"""

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Literal

from script_editor.domain.folding import fold_text
from script_editor.domain.projection import project as project

Rung = Literal["exact", "folded", "tight"]
RUNGS: tuple[Rung, ...] = ("exact", "folded", "tight")
"""How closely a search text may be matched, closest first; a looser one counts only where no closer one hits."""
_MAX_COMPARED = 500
"""How many characters of a passage are compared for a hint."""


def fold(text: str) -> tuple[str, list[int]]:
    """Return `text` folded, and for each folded character the offset it came from, plus the end.

    The list has one more entry than the folded text: the last is `len(text)`.
    """
    folded = fold_text(text)
    return folded.text, [*folded.starts, len(text)]


def find_all(text: str, search: str, *, folded: bool = False, tight: bool = False) -> list[tuple[int, int]]:
    """Return the spans of `search` in `text`, left to right, not overlapping; offsets, end exclusive.

    `tight` is folded, and does not see spaces between Chinese and Latin or blank lines.
    """
    if not folded and not tight:
        return _scan(text, search)
    haystack = fold_text(text, tight=tight)
    needle = fold_text(search, tight=tight).text
    spans = (haystack.span(start, end) for start, end in _scan(haystack.text, needle))
    return [span for span in spans if span is not None]


def _scan(text: str, search: str) -> list[tuple[int, int]]:
    spans = []
    start = text.find(search)
    while start >= 0 and search:
        end = start + len(search)
        # "cafe" does not stand in "café" when the accent is a character of its own.
        if not (end < len(text) and unicodedata.combining(text[end])):
            spans.append((start, end))
        start = text.find(search, end)
    return spans


def nearest_passage(lines: Sequence[str], search: str) -> str:
    """Return the line most like `search`, or "" when none shares half of it. For messages only."""
    wanted = fold(search[:_MAX_COMPARED])[0]
    matcher = SequenceMatcher(None, "", wanted, autojunk=False)
    best, best_score = "", 0.5
    for line in lines:
        matcher.set_seq1(fold(line[:_MAX_COMPARED])[0])
        shared = sum(block.size for block in matcher.get_matching_blocks())
        score = shared / max(len(wanted), 1)
        if score > best_score:
            best, best_score = line.strip(), score
    return best
