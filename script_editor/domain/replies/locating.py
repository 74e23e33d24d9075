"""Where a block's text stands in a script: exactly once, or once after folding; a near miss is an error.

Two blank-line rules are lines' own: a search text that begins or ends with a blank line begins or ends at
a line, so that no neighbour is joined to it.
"""

from functools import cached_property

from script_editor.domain.folding import Folded, fold_text
from script_editor.domain.matching import RUNGS, Rung, nearest_passage
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

Span = tuple[int, int]
_EXTRA_BLANK = Pattern(r"\A(?:[^\S\n]*\n)+|(?:\n[^\S\n]*)+\Z")
_ESCAPE = Pattern(r"\\([\"'\\nt])")
_PLAIN = {"n": "\n", "t": "\t"}


class Locator:
    """Finds search texts in one script; folds the script once for each rung."""

    def __init__(self, script: NumberedScript):
        self._script = script

    def locate(self, search: str) -> Span:
        """Return the one span of the script that `search` means.

        Raises:
            EditRefused: ambiguous_match when it stands there more than once, no_match with the nearest line.
        """
        for rung in RUNGS:
            spans = self.spans(search, rung)
            if len(spans) > 1:
                raise self._ambiguous(search, spans)
            if spans:
                return spans[0]
        raise self._missing(search)

    @cached_property
    def contents(self) -> tuple[str, ...]:
        """The script's lines without their indentation."""
        return tuple(segment.content for segment in self._script.segments)

    def has(self, search: str) -> bool:
        """Say whether `search` stands in the script once or more."""
        return any(self.spans(search, rung) for rung in RUNGS)

    def spans(self, search: str, rung: Rung) -> list[Span]:
        """Return every place of `search` on one rung, also those that overlap."""
        haystack = self._folded[rung]
        needle = search if rung == "exact" else fold_text(search, tight=rung == "tight").text
        found: list[Span] = []
        at = haystack.text.find(needle) if needle.strip() else -1
        while at >= 0:
            span = haystack.span(at, at + len(needle))
            if span is not None and self._keeps_lines(needle, haystack.text, at):
                found.append(span)
            at = haystack.text.find(needle, at + 1)
        return found

    @cached_property
    def _folded(self) -> dict[Rung, Folded]:
        text = self._script.text
        return {
            "exact": _line_ends_only(text),
            "folded": fold_text(text),
            "tight": fold_text(text, tight=True),
        }

    def _keeps_lines(self, needle: str, text: str, at: int) -> bool:
        end = at + len(needle)
        starts_line = at == 0 or text[at - 1] == "\n"
        ends_line = end == len(text) or text[end] == "\n"
        return (starts_line or not needle.startswith("\n")) and (ends_line or not needle.endswith("\n"))

    # --- what to say when it is not there once -----------------------------------------------------

    def _ambiguous(self, search: str, spans: list[Span]) -> EditRefused:
        numbers = sorted({number for span in spans for number in self._numbers(span)})
        return EditRefused(
            "ambiguous_match",
            f"{_short(search)!r} occurs {len(spans)} times, in lines {', '.join(map(str, numbers[:8]))}.",
            segments=numbers,
            advice="Quote a neighbouring line as well, or name the line by its id.",
        )

    def _numbers(self, span: Span) -> list[int]:
        return [s.number for s in self._script.segments if s.start < span[1] and span[0] < s.end]

    def _missing(self, search: str) -> EditRefused:
        wanted = [line.strip() for line in search.split("\n") if line.strip()]
        unknown = next((line for line in wanted if not self.has(line)), wanted[0] if wanted else "")
        nearest = nearest_passage(self.contents, unknown)
        numbers = [
            segment.number for segment in self._script.segments if nearest and segment.content == nearest
        ]
        return EditRefused(
            "no_match",
            f"{_short(unknown)!r} does not occur in the script.",
            segments=numbers[:3],
            nearest=nearest,
            advice="Quote the script exactly as it stands, or name the line by its id.",
        )


def _line_ends_only(text: str) -> Folded:
    """Return the text with LF for CRLF, and nothing else folded; letters keep their combining marks."""
    starts: list[int] = []
    ends: list[int] = []
    chars: list[str] = []
    for index, char in enumerate(text):
        if char == "\n" and chars and chars[-1] == "\r":
            chars[-1], ends[-1] = "\n", index + 1
            continue
        chars.append(char)
        starts.append(index)
        ends.append(index + 1)
    return Folded("".join(chars), tuple(starts), tuple(ends))


def without_outer_blank_lines(text: str) -> str:
    """Return a text without blank lines at its ends."""
    return _EXTRA_BLANK.sub("", text)


def unescaped(text: str) -> str:
    """Return a text whose quotation marks and line ends were escaped once too often as it was meant."""
    return _ESCAPE.sub(lambda match: _PLAIN.get(match[1], match[1]), text)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
