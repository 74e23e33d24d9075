"""How a note in English becomes a Chinese phrase: by its pattern, its parts put into a template.

Guards and raise sites note their facts in English, and so do the proposals that are stored already; the
tables (`found_zh`, `raised_zh`) hold what each note says in Chinese. A note that no row knows is told by
`faults` from its passages and numbers.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from script_editor.domain.refusals.words_zh import WORDS
from script_editor.patterns import Pattern

LINES = r"(?:the )?lines? (?P<lines>[\d, –-]{1,200}(?:and \d+(?: more)?)?)"
"""A pattern of line numbers as guards list them; they become 第 3、5 行."""
_MAX_READ_CHARS = 1200
_SHOWN_LINES = 8
_MORE = Pattern(r"and (\d+) more")
_RANGES = Pattern(r"\d+(?:[-–]\d+)?")


@dataclass(frozen=True, slots=True)
class Saying:
    """One kind of note. In `zh`, {name} stands for a group of the pattern.

    A group `lines…` becomes line numbers, `text…` a passage cut to fit, `word…` a word of the tables,
    `note` what a person noted, `ids` a list of numbers, `more` how many there are besides; all others stand
    as they are. `is_placed` says that the phrase names its lines itself. An empty `zh` adds nothing to the reason's own sentence.
    """

    pattern: Pattern
    zh: str
    is_placed: bool = False


@dataclass(frozen=True, slots=True)
class Told:
    """A note in Chinese, without a full stop; `is_placed` says that it names its lines itself."""

    text: str
    is_placed: bool


def saying(pattern: str, zh: str, *, is_placed: bool = False) -> Saying:
    """Return a row of the tables; the pattern is of the whole note without its full stop."""
    return Saying(Pattern(pattern, re.DOTALL), zh, is_placed)


def in_chinese(note: str, sayings: Iterable[Saying], chars: int) -> Told | None:
    """Return what a note says, passages cut to `chars` characters; None when no row knows it."""
    note = note[:_MAX_READ_CHARS].strip()
    for plain in dict.fromkeys((note.removesuffix("."), note)):
        for row in sayings:
            match = row.pattern.fullmatch(plain)
            if match:
                parts = {name: _part(name, value or "", chars) for name, value in match.groupdict().items()}
                return Told(row.zh.format_map(parts), row.is_placed)
    return None


def shortened(text: str, max_chars: int) -> str:
    """Return `text` in one line, cut to `max_chars` characters."""
    line = " ".join(text[:_MAX_READ_CHARS].split())
    return line if len(line) <= max_chars else line[: max_chars - 1].rstrip() + "…"


def lines_zh(numbers: Sequence[int | str], total: int | None = None) -> str:
    """Return line numbers as a phrase: 第 3、5 行, 第 1、2 行等 9 行 when only the first are named."""
    shown = "、".join(map(str, numbers[:_SHOWN_LINES]))
    total = len(numbers) if total is None else total
    return f"第 {shown} 行{f'等 {total} 行' if total > len(numbers[:_SHOWN_LINES]) else ''}"


def _part(name: str, value: str, chars: int) -> str:
    if name.startswith("lines"):
        more = _MORE.search(value)
        named = _RANGES.findall(value[: more.start()] if more else value)
        return lines_zh(named, len(named) + int(more[1]) if more else None)
    if name.startswith("word"):
        return WORDS.get(value.strip(), "")
    if name == "ids":
        return value.replace(", ", "、")
    if name.startswith("text"):
        return shortened(value, chars)
    if name == "note":
        return f"，说明是“{shortened(value, chars)}”" if value else ""
    if name == "more":
        return f"等 {int(value) + 1} 处" if value else ""
    return value[:80]
