"""A text as numbered spoken lines, without changing a byte of it.

A segment is one non-blank physical line. Lines end at LF or CRLF and nowhere else: U+2028, NEL,
form feeds and lone CR are part of a line, because `str.splitlines` would cut texts where no author
sees an end. Segment numbers count from 1 and are the line numbers of every message and option.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

LineEnd = Literal["", "\n", "\r\n"]

_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"  # no 0/o, 1/l: read aloud and typed by people
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_REFERENCE = Pattern(r"[Ss]?0*([1-9][0-9]{0,6})(?::([0-9a-z]{2}))?")


def check_of(content: str) -> str:
    """Return two characters that depend on a line's content, to catch a number that is off by one."""
    digest = hashlib.sha256(content.encode("utf-8", "surrogatepass")).digest()
    return _ALPHABET[digest[0] % 32] + _ALPHABET[digest[1] % 32]


@dataclass(frozen=True, slots=True)
class Line:
    """One physical line as offsets into the text: content is [start, content_end), its line end [content_end, end)."""

    start: int
    content_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Segment:
    """One addressable spoken line.

    [start, end) is the line without its indentation, trailing space and line end, so that replacing
    it leaves those as the author wrote them. `line` is the index of its physical line, from 0.
    """

    number: int
    line: int
    start: int
    end: int
    content: str
    check: str

    @property
    def id(self) -> str:
        """The address shown to a model: number and check, such as `S5:k7`."""
        return f"S{self.number}:{self.check}"


def physical_lines(text: str) -> tuple[Line, ...]:
    """Return the lines of `text`; the last one may lack a line end, and an empty text has none.

    A BOM that was left at the start of the text belongs to no line.
    """
    lines = []
    start = 1 if text.startswith("\ufeff") else 0
    while start < len(text):
        newline = text.find("\n", start)
        if newline < 0:
            lines.append(Line(start, len(text), len(text)))
            break
        content_end = newline - 1 if newline > start and text[newline - 1] == "\r" else newline
        lines.append(Line(start, content_end, newline + 1))
        start = newline + 1
    return tuple(lines)


def is_blank(content: str) -> bool:
    """Say whether a line shows nothing: white space and invisible characters only."""
    return content.strip().strip(_INVISIBLE).strip() == ""


@dataclass(frozen=True)
class NumberedScript:
    """A text of one script and version, with its segments found anew from the text.

    `text` is never altered; all spans are offsets into it.
    """

    script_id: str
    version: int
    text: str

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """All physical lines, blank ones included."""
        return physical_lines(self.text)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The non-blank lines, numbered from 1."""
        found: list[Segment] = []
        for index, line in enumerate(self.lines):
            raw = self.text[line.start : line.content_end]
            if is_blank(raw):
                continue
            start = line.start + len(raw) - len(raw.lstrip())
            content = raw.strip()
            found.append(
                Segment(len(found) + 1, index, start, start + len(content), content, check_of(content))
            )
        return tuple(found)

    @cached_property
    def newline(self) -> LineEnd:
        """The line end that new lines get where no neighbour decides: the most frequent one, LF if none."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf > self.text.count("\n") - crlf else "\n"

    def segment(self, number: int) -> Segment:
        """Return segment `number`. Raises EditRefused("no_match") when the script is shorter."""
        if not 1 <= number <= len(self.segments):
            raise EditRefused(
                "no_match",
                f"There is no line {number}: {self.script_id} v{self.version} has {len(self.segments)} lines "
                f"(blank lines are not counted).",
                advice=f"See the numbers: script-editor show {self.script_id} --lines",
            )
        return self.segments[number - 1]

    def resolve_reference(self, reference: str) -> Segment:
        """Return the segment that `S5`, `5` or `S5:k7` names; a check that is given must be right.

        Raises:
            EditRefused: "malformed" when it is no reference, "no_match" when the line is missing or the
                check belongs to another line.
        """
        match = _REFERENCE.fullmatch(reference.strip())
        if match is None:
            raise EditRefused("malformed", f"{reference!r} is not a segment id such as S5:k7.")
        segment = self.segment(int(match[1]))
        if match[2] is not None and match[2] != segment.check:
            elsewhere = [other.id for other in self.segments if other.check == match[2]]
            raise EditRefused(
                "no_match",
                f"{reference} does not fit: line {segment.number} is {segment.id} | {segment.content}",
                segments=(segment.number,),
                advice=f"That check belongs to {', '.join(elsewhere[:3])}." if elsewhere else "",
            )
        return segment

    def view(self, first: int = 1, last: int | None = None) -> str:
        """Return segments `first` to `last` as a model sees them, one per line: `S5:k7 | text`."""
        return "\n".join(f"{segment.id} | {segment.content}" for segment in self.segments[first - 1 : last])
