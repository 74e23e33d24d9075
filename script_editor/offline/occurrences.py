"""Where a text occurs in a line, by the rules of this editor: exact case, whole words, whole numbers.

Chinese text matches anywhere. A text that begins or ends with a letter or digit of an alphabet with
spaces between words must not continue there, so `art` is not in `start`, `500` not in `1500` and
`80` not in `80.5` or `21:80`.
"""

import re
from functools import lru_cache

_JOINED = ".,:．："  # marks that make one number of the digits on both sides
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_TIDY_BEFORE = " "
_TIDY_AFTER = " ,.!?;:)"

Span = tuple[int, int]


@lru_cache(maxsize=4096)
def _in_word(char: str) -> bool:
    return (char.isalnum() or char == "_") and not _UNSPACED.match(char)


def occurrences(content: str, text: str) -> tuple[Span, ...]:
    """Return the spans of `text` in `content`, left to right, not overlapping."""
    found: list[Span] = []
    start = content.find(text) if text else -1
    while start >= 0:
        end = start + len(text)
        if _stands_alone(content, start, end):
            found.append((start, end))
            start = content.find(text, end)
        else:
            start = content.find(text, start + 1)
    return tuple(found)


def _stands_alone(content: str, start: int, end: int) -> bool:
    first, last = content[start], content[end - 1]
    before, after = content[max(start - 2, 0) : start][::-1], content[end : end + 2]
    return not (_continues(first, before) or _continues(last, after))


def _continues(edge: str, beyond: str) -> bool:
    """Say whether the word or number with `edge` at its end goes on in `beyond`, read away from it."""
    if not beyond or not _in_word(edge):
        return False
    if edge.isdigit() and len(beyond) == 2 and beyond[0] in _JOINED and beyond[1].isdigit():
        return True
    return _in_word(beyond[0])


def tidied(content: str, span: Span) -> Span:
    """Widen the span of a word that is deleted by the one space it leaves over, if it leaves one."""
    start, end = span
    before = content[start - 1] if start else _TIDY_BEFORE
    after = content[end] if end < len(content) else _TIDY_AFTER[0]
    if content[start:end].strip() != content[start:end]:
        return span
    if start and before == " " and after in _TIDY_AFTER:
        return start - 1, end
    if start == 0 and after == " " and end < len(content):
        return start, end + 1
    return span
