"""How one line became another: word by word in Latin text, character by character in Han text.

Numbers stay in one piece, and small islands between two marks are joined, because
"[-我-]{+咱+}们[-要聊-]{+来唠+}" helps nobody.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from script_editor.patterns import Pattern

MarkKind = Literal["equal", "delete", "insert"]

WHOLE_LINE_BELOW = 0.4
"""Pairs less alike than this are shown as one line taken out and one put in."""
ISLANDTOKENS = 2
"""Equal stretches of at most so many tokens between two marks are joined to them."""

TOKEN = Pattern(
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


def marks(before: str, after: str) -> tuple[Mark, ...]:
    """Return how one line became the other, as stretches that read in order."""
    old, new = TOKEN.findall(before), TOKEN.findall(after)
    tokens = SequenceMatcher(None, old, new, autojunk=False)
    if tokens.ratio() < WHOLE_LINE_BELOW:
        whole = (Mark("delete", before), Mark("insert", after))
        return tuple(mark for mark in whole if mark.text)
    rows = [(tag == "equal", old[i1:i2], new[j1:j2]) for tag, i1, i2, j1, j2 in tokens.get_opcodes()]
    return tuple(_as_marks(_join_islands(rows)))


_Tokens = tuple[bool, list[str], list[str]]  # equal?, old tokens, new tokens


def _join_islands(rows: Sequence[_Tokens]) -> list[_Tokens]:
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
    return len(tokens) <= ISLANDTOKENS and all(token[0].isalnum() or token.isspace() for token in tokens)


def _as_marks(rows: Sequence[_Tokens]) -> Iterator[Mark]:
    for equal, old, new in rows:
        if equal:
            yield Mark("equal", "".join(old))
            continue
        if old:
            yield Mark("delete", "".join(old))
        if new:
            yield Mark("insert", "".join(new))
