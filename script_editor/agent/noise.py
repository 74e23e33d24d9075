"""What stands around arguments without meaning anything: fences, backticks, end tags, one stray brace."""

import re

from script_editor.agent.json_repair import BrokenJson, decode, same

_FENCE = r"(?:`{3,}+|~{3,}+|'{3}+)[ \t]*+[\w+-]*+"
_NOISE = re.compile(
    rf"{_FENCE}|`++|\*\*|</[\w.:｜-]{{1,40}}>|<[|｜/][^<>|｜\n]{{1,40}}[|｜]?>|[\s\u200b\ufeff]++"
)
_BEFORE = re.compile(rf"(?:{_FENCE}(?=[\s{{\[｛])|`++|[\s\u200b\ufeff]++|\*\*)*+")
_OPENING_LINE = re.compile(rf"\s*+{_FENCE}[ \t\r]*+\n")
_CLOSING_FENCES = ("```", "~~~", "'''")
_WORD_OR_BRACKET = re.compile(r"\w|[{}\[\]｛｝]")
_STRAY = frozenset("}｝])")
_NEAR_CHARS = 200


class DifferentValue(Exception):
    """A second, different value stands behind the first."""


def skip(text: str, at: int) -> int:
    """Return the offset of the first thing at or behind `at` that is not space, a fence or a backtick."""
    match = _BEFORE.match(text, at)
    return match.end() if match else at


def unfenced(text: str) -> str:
    """Return `text` without one fence that encloses the whole of it."""
    opening, inside = _OPENING_LINE.match(text), text.rstrip()
    if opening is None or len(inside) < opening.end() + 3 or not inside.endswith(_CLOSING_FENCES):
        return text
    body = inside[opening.end() :]
    return (body[:-3] if body.endswith("'''") else body.rstrip("`~")).rstrip("\r\n")


def rest_of_line(text: str, at: int) -> str:
    """Return what stands between `at` and the end of its line."""
    newline = text.find("\n", at)
    return text[at : newline if newline >= 0 else len(text)]


def is_in_sentence(text: str, start: int, end: int) -> bool:
    """Whether prose stands in the same line before `start` and behind `end`, so that what is between is a part of it."""
    before = text[max(0, start - _NEAR_CHARS) : start].rpartition("\n")[2]
    behind = text[end : end + _NEAR_CHARS].partition("\n")[0]
    return bool(prose_in(before) and prose_in(behind))


def prose_in(text: str) -> str:
    """Return what is left of `text` without noise, "" when it is noise or punctuation only."""
    left = _NOISE.sub(" ", text).strip()
    return "" if left in _STRAY or not _WORD_OR_BRACKET.search(left) else left


def prose_behind(text: str, value: object) -> str:
    """Return the prose in `text`, which stands behind the arguments `value`; the same value once more is noise.

    Raises:
        DifferentValue: another complete object stands there.
    """
    start = skip(text, 0)
    if not text.startswith(("{", "｛"), start):
        return prose_in(text)
    try:
        again = decode(text, start)
    except BrokenJson:
        return prose_in(text)
    if not same(again.value, value):
        raise DifferentValue
    return prose_in(text[again.end :])
