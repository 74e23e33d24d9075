"""Where sentences stand inside a line, and which lines make a paragraph."""

import re

from script_editor.domain.segments import NumberedScript

_CLOSING = "”’」』》）)\"'】］]"
_OPENING = "“‘「『《（(【［["
_END = re.compile(rf"(?:[。！？!?]+|\.{{3,}}|…+|\.)[{re.escape(_CLOSING)}]*")
_ABBREVIATION = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|St|vs|etc|No|Prof|e\.g|i\.e|a\.m|p\.m)|\b[A-Z])$")

Span = tuple[int, int]


def sentences(content: str) -> tuple[Span, ...]:
    """Return the sentences of a line, without the white space between them; offsets, end exclusive.

    A line without any final mark is one sentence.
    """
    spans: list[Span] = []
    start = 0
    for match in _END.finditer(content):
        if _ends_sentence(content, match):
            spans.append(_trimmed(content, start, match.end()))
            start = match.end()
    if content[start:].strip():
        spans.append(_trimmed(content, start, len(content)))
    return tuple(spans)


def _ends_sentence(content: str, match: re.Match[str]) -> bool:
    end = match.end()
    if end == len(content):
        return True
    following = content[end]
    mark = match[0].rstrip(_CLOSING)
    if mark.startswith((".", "…")):  # decimals, addresses, a pause in the middle of a thought
        return following.isspace() and not (mark == "." and _ABBREVIATION.search(content[: match.start()]))
    quoted = match[0] != mark
    return not quoted or following.isspace() or following in _OPENING


def _trimmed(content: str, start: int, end: int) -> Span:
    piece = content[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def without_sentence(content: str, span: Span) -> Span:
    """Return the span to take out so that no white space is left over where the sentence stood."""
    start, end = span
    if end < len(content):
        return start, end + len(content[end:]) - len(content[end:].lstrip())
    return len(content[:start].rstrip()), end


def paragraphs(script: NumberedScript) -> tuple[tuple[int, ...], ...]:
    """Return the runs of segments that no blank line parts, as segment numbers."""
    runs: list[list[int]] = []
    previous = -2
    for segment in script.segments:
        if segment.line != previous + 1:
            runs.append([])
        runs[-1].append(segment.number)
        previous = segment.line
    return tuple(tuple(run) for run in runs)
