"""Which lines of a script are said aloud, and what of them: not headings, timings, labels, cues and marks.

A line is judged by itself wherever that can be done, so that two halves of a script are read as the
whole is. Formats with a grammar of their own (tables, screenplays) are for their readers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from script_editor.domain.segments import is_blank, physical_lines
from script_editor.domain.spoken.labels import after_label

Kind = Literal["speech", "cue", "silent", "blank", "gap"]

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff〇々\U00020000-\U0003ffff"
"""Chinese characters, as the inside of a character class; one that is compiled costs a millisecond."""

_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_CUE_TIMES = rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?|\s*\d:\d\d:\d\d\.\d{{3}},\d:\d\d:\d\d\.\d{{3}}\s*"
_BLOCK = r"(?:WEBVTT|NOTE|STYLE|REGION)(?:[ \t].*)?"
_COMMENTS = (("<!--", "-->"), ("/*", "*/"), ("[[", "]]"))
_SHOWN = "[^\\s\u200b\u200c\u200d\u2060\ufeff]"
_HIDDEN = "\ufffc"  # keeps a line that a comment covers from being taken for a blank one
_WIDTH = {ord("\uff10") + i: ord("0") + i for i in range(10)} | {
    upper + i: ord(plain) + i for upper, plain in ((0xFF21, "A"), (0xFF41, "a")) for i in range(26)
}

_SILENT = (
    r"#{1,6}(?:[ \t].*)?|#[^\s#]+(?:\s+#[^\s#]+)*"  # a heading, a line of hashtags
    r"|[-*_=~—\s]{3,}|(?=.*---)[\s:|-]+"  # a rule, the line under a table's head
    r"|(?:INT|EXT|EST|I/E)[. ].*|(?:FADE|CUT|SMASH CUT|DISSOLVE)[A-Z ]*[:.]"
)
_LEAD = (
    r"(?:[>♪♫\s]|[-*+•·–—](?=\s)|\d{1,3}[.)](?=\s))*"  # quotes, list marks
    rf"(?:[\[［【(（<]\s*{_TIME}(?:\s*[-–—~～至到]\s*{_TIME})?\s*[\]］】)）>]\s*[|:：-]?"
    rf"|{_TIME}\s*[-–—~～至到]\s*{_TIME}\s*[|:：-]?"
    r"|(?:\d{1,2}:\d{2}:\d{2}(?:[.,]\d{1,3})?|0\d?:\d{2}(?:[.,]\d{1,3})?)(?![\d:])\s*[|:：-]?"
    r"|\d{1,2}:\d{2}\s*[|：\t])?\s*"
)
"""Marks and a time code at the start of a line; a bare `8:30` before a word is said."""


@dataclass(frozen=True, slots=True)
class SpokenLine:
    """One physical line. `text` is what may be said of it, "" unless it is a "speech" or a "cue".

    A "cue" is a line of a subtitle, a "gap" the blank line that ends one. Blank lines and gaps are no
    segments; all others are, in order.
    """

    kind: Kind
    text: str = ""


def spoken_lines(text: str) -> tuple[SpokenLine, ...]:
    """Return every physical line of `text` with what is said of it.

    In a subtitle that repeats its words in a second language, the language that comes first counts.
    """
    shown = _without_comments(text)
    contents = [shown[line.start : line.content_end] for line in physical_lines(shown)]
    silent = _silent_numbers(contents)
    lines: list[SpokenLine] = []
    cue: list[str] | None = None  # what the cue at hand said so far
    for index, content in enumerate(contents):
        if is_blank(content):
            lines.append(SpokenLine("blank" if cue is None else "gap"))
            cue = None
        elif index in silent or re.fullmatch(_SILENT, content.strip()):
            lines.append(SpokenLine("silent"))
        elif is_cue_times(content):
            lines.append(SpokenLine("silent"))
            cue = []
        elif cue is not None:
            lines.append(_cue_line(content, cue))
        else:
            lines.append(_line(content))
    return tuple(lines)


def han_count(text: str) -> int:
    """Return how many Chinese characters `text` has."""
    return 0 if text.isascii() else sum(map(_is_han, text))


def _is_han(char: str) -> bool:
    return (
        "\u4e00" <= char <= "\u9fff"
        or "\u3400" <= char <= "\u4dbf"
        or char in "〇々"
        or "\uf900" <= char <= "\ufaff"
        or "\U00020000" <= char <= "\U0003ffff"
    )


def is_cue_times(content: str) -> bool:
    """Say whether a line holds the times of a subtitle (SRT, WebVTT or SBV)."""
    begins = content.lstrip()[:1]  # looked at first, because this is asked of every line
    return begins.isdigit() and ":" in content and re.fullmatch(_CUE_TIMES, content) is not None


def _line(content: str) -> SpokenLine:
    # No mark and no time begins with a letter, and most lines do.
    start = None if content[0].isalpha() else re.match(_LEAD, content)
    said = after_label(content[start.end() if start else 0 :].translate(_WIDTH))
    return SpokenLine("silent") if said is None else SpokenLine("speech", said)


def _cue_line(content: str, cue: list[str]) -> SpokenLine:
    said = _line(content).text
    if said and (said in cue or any(_is_translation(said, other) for other in cue)):
        return SpokenLine("silent")
    cue.append(said)
    return SpokenLine("cue", said) if said else SpokenLine("silent")


def _is_translation(line: str, other: str) -> bool:
    """Say whether one line is Chinese and the other, without a Chinese character, says as much."""
    han, other_han = han_count(line), han_count(other)
    if bool(han) == bool(other_han):
        return False
    words = len(re.findall(r"[^\W\d_]{2,}", other if han else line))
    return 2 * words >= max(han, other_han) > 0 or words >= 4


def _without_comments(text: str) -> str:
    """Return `text` with comments hidden, every character and line end of it still in its place."""
    for opening, closing in _COMMENTS:
        start = text.find(opening)
        pieces, done = [], 0
        while start >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
            end += len(closing)
            pieces += [text[done:start], re.sub(_SHOWN, _HIDDEN, text[start:end])]
            start, done = text.find(opening, end), end
        text = "".join((*pieces, text[done:]))
    return text


def _silent_numbers(contents: Sequence[str]) -> frozenset[int]:
    """Return the indexes of lines that are silent because of the lines around them."""
    return frozenset(
        (*_cue_heads(contents), *_front_matter(contents), *_fenced(contents), *_blocks(contents))
    )


def _cue_heads(contents: Sequence[str]) -> Iterator[int]:
    """Yield cue numbers, and names of cues, which stand alone above the times."""
    for index in range(len(contents) - 1):
        if is_cue_times(contents[index + 1]) and (
            contents[index].strip().lstrip("\ufeff").isdigit() or index == 0 or is_blank(contents[index - 1])
        ):
            yield index


def _front_matter(contents: Sequence[str]) -> Iterator[int]:
    if not contents or contents[0].rstrip() != "---":
        return
    for index, content in enumerate(contents[1:], start=1):
        if content.rstrip() in ("---", "..."):
            yield from range(index + 1)
            return
        if not re.match(r"\s|$|#|- |[^\s:：]+\s*:", content):
            return


def _fenced(contents: Sequence[str]) -> Iterator[int]:
    """Yield the lines of code blocks that are closed; an open fence hides nothing."""
    opened: tuple[int, str] | None = None
    for index, content in enumerate(contents):
        fence = re.match(r"\s*(```+|~~~+)", content)
        if fence is None:
            continue
        if opened is None:
            opened = (index, fence[1][:3])
        elif fence[1].startswith(opened[1]):
            yield from range(opened[0], index + 1)
            opened = None


def _blocks(contents: Sequence[str]) -> Iterator[int]:
    """Yield the header, notes and styles of WebVTT, each up to the next blank line."""
    if not contents or not contents[0].lstrip("\ufeff").startswith("WEBVTT"):
        return
    inside = True
    for index, content in enumerate(contents):
        if is_blank(content):
            inside = False
        elif index == 0 or (is_blank(contents[index - 1]) and re.fullmatch(_BLOCK, content)):
            inside = True
        if inside:
            yield index
