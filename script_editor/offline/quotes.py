"""Quotations in an instruction: what stands in quotation marks is text, never grammar.

Each quotation is replaced by one private-use character, so that no pattern of the grammar can look
inside it. 【】 are kept as part of the text they enclose, because scripts use them as labels.
"""

from dataclasses import dataclass

_CLOSERS = {
    "“": "”", "”": "“", "„": "”“", "〝": "〞", "「": "」", "『": "』", "《": "》", "〈": "〉", "«": "»",
    "‘": "’", "【": "】", '"': '"', "＂": "＂", "'": "'", "＇": "＇", "`": "`",
}  # fmt: skip
_SLOPPY_DOUBLE = '“”„"＂'
_APOSTROPHES = "'’‘"
_MAX_DEPTH = 8  # quotations of one kind inside each other; also what keeps hostile input linear
_MAX_SINGLE_CHARS = 600  # an apostrophe that never closes must not be looked for to the end

FIRST_TOKEN = 0x100000
TOKENS = f"[{chr(FIRST_TOKEN)}-{chr(0x10FFFD)}]"
"""A character class for patterns: one quotation."""


@dataclass(frozen=True, slots=True)
class Quote:
    """One quotation: the text it means, and how it was typed."""

    value: str
    source: str


def is_token(char: str) -> bool:
    """Say whether a character of a masked instruction stands for a quotation."""
    return ord(char) >= FIRST_TOKEN


def mask(text: str) -> tuple[str, tuple[Quote, ...]]:
    """Return `text` with one character per quotation, and the quotations in order.

    An opening mark without its partner is an ordinary character.
    """
    kept: list[str] = []
    quotes: list[Quote] = []
    position = 0
    while position < len(text):
        end = _closing(text, position)
        if end is None:
            kept.append(_harmless(text[position]))
            position += 1
            continue
        source = text[position : end + 1]
        value = source if source[0] == "【" else source[1:-1]
        kept.append(chr(FIRST_TOKEN + len(quotes)))
        quotes.append(Quote(value, source))
        position = end + 1
    return "".join(kept), tuple(quotes)


def _harmless(char: str) -> str:
    """Keep a private-use character of the input from being taken for a quotation."""
    return "\ufffd" if is_token(char) else char


def _closing(text: str, start: int) -> int | None:
    """Return where the quotation that opens at `start` closes, or None when none opens there."""
    opener = text[start]
    closers = _CLOSERS.get(opener)
    if closers is None:
        return None
    if opener in _APOSTROPHES:
        return _closing_single(text, start, closers)
    exact = _closing_nested(text, start, closers)
    if exact is None and opener in _SLOPPY_DOUBLE:
        return next((i for i in range(start + 1, len(text)) if text[i] in _SLOPPY_DOUBLE), None)
    return exact


def _closing_nested(text: str, start: int, closers: str) -> int | None:
    if all(text.find(closer, start + 1) < 0 for closer in closers):
        return None
    depth = 0
    for index in range(start + 1, len(text)):
        if text[index] in closers:
            if depth == 0:
                return index
            depth -= 1
        elif text[index] == text[start]:
            depth += 1
            if depth > _MAX_DEPTH:
                return None
    return None


def _closing_single(text: str, start: int, closers: str) -> int | None:
    """Find the partner of a single quotation mark, which looks like an apostrophe."""
    before = text[start - 1] if start else " "
    if _is_latin(before) or text[start + 1 : start + 2].strip() == "":
        return None
    for index in range(start + 1, min(len(text), start + _MAX_SINGLE_CHARS)):
        after = text[index + 1] if index + 1 < len(text) else " "
        if text[index] in closers and not text[index - 1].isspace() and not _is_latin(after):
            return index
    return None


def _is_latin(char: str) -> bool:
    return char.isascii() and char.isalnum()
