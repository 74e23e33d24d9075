"""Markdown and HTML that appear in narration, where a voice would read them out."""

import re
from collections.abc import Iterable, Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import blocks
from script_editor.domain.guards.suspicion import found_at
from script_editor.domain.intent import given_texts, read_intent
from script_editor.domain.segments import NumberedScript, Segment
from script_editor.patterns import Pattern

_SIGNS: dict[str, Pattern] = {
    "a heading": Pattern(r"#{1,6}\s+\S"),
    "emphasis": Pattern(
        r"\*\*[^*\s][^*\n]{0,300}\*\*|(?<!\w)__[^_\s][^_\n]{0,300}__(?!\w)"
        r"|(?<![\w*])\*[^*\s\d][^*\n]{0,120}[^*\s]?\*(?![\w*])"
    ),
    "a list": Pattern(r"[-*+•●▪◦‣]\s+\S"),
    "a numbered list": Pattern(r"(?:\d{1,2}[.)）]\s*|\d{1,2}、|[（(]\d{1,2}[)）])(?=\D)"),
    "a table": Pattern(r"\|[^|\n]*\|.*|[-:| ]{5,}$(?<=\|)"),
    "code marks": Pattern(r"`{3,}|~{3,}|.{0,200}`[^`\n]{1,80}`"),
    "a quotation mark of Markdown": Pattern(r">\s+\S"),
    "a rule": Pattern(r"(?:-\s?){3,}$|(?:\*\s?){3,}$|_{3,}$"),
    "a link": Pattern(r".{0,200}!?\[[^\[\]\n]{1,80}\]\([^()\s]{1,200}\)"),
    "HTML": Pattern(
        r".{0,300}?</?(?:b|i|u|em|strong|br|p|div|span|h[1-6]|ul|ol|li|a|mark|small|font|sub|sup|hr"
        r"|blockquote|code|pre|table|tr|td)(?:\s[^<>\n]{0,100})?/?>",
        re.IGNORECASE,
    ),
}
_DOCUMENT = frozenset(
    {"a heading", "emphasis", "a list", "a table", "a link", "code marks", "a quotation mark of Markdown"}
)
"""Signs of a text that is Markdown already: it may get more of it."""
_ITEMS = 2


def markup(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find lines that gained Markdown or HTML in a script without any, unless it was asked for."""
    if before.text == after.text or read_intent(context.instruction).markup:
        return
    if not _signs(segment for block in blocks(before, after) for segment in block.new):
        return
    had, has = _signs(before.segments), _signs(after.segments)
    is_document = any(sign in _DOCUMENT for sign in had)
    for sign, numbers in has.items():
        fresh = len(numbers) - len(had.get(sign, ()))
        if fresh <= 0 or had.get(sign) or (is_document and sign != "HTML"):
            continue
        if sign == "a numbered list" and fresh < _ITEMS:
            continue
        segment = after.segments[numbers[0] - 1]
        if not any(segment.content in text for text in given_texts(context.instruction)):
            yield found_at(
                segment, "markdown_added", f"gained {sign}, which a voice would read out", guard="markup"
            )


def _signs(segments: Iterable[Segment]) -> dict[str, list[int]]:
    """Return for each kind of markup the lines that hold it."""
    found: dict[str, list[int]] = {}
    for segment in segments:
        for sign, pattern in _SIGNS.items():
            held = pattern.search(segment.content) if sign == "emphasis" else pattern.match(segment.content)
            if held:
                found.setdefault(sign, []).append(segment.number)
    return found
