"""How long a text is wanted: as a share of what it is, in seconds, or in words."""

import re

from script_editor.domain.intent.content_wishes import SHORTER
from script_editor.domain.intent.given import LINE_REFERENCE
from script_editor.domain.written_numbers import WrittenNumber, written_numbers
from script_editor.patterns import Pattern

_EACH = Pattern(
    r"(?:每|单|單|各)[^，,。]{0,10}$|\b(?:each|every|per)\b[^,.]{0,30}$|(?:前|头|開頭|开头|第|first"
    r"|last|opening) ?$",
    re.IGNORECASE,
)
_SECONDS = Pattern(r"[ -]?(?:个)?(?:秒|seconds?\b|secs?\b|s\b)", re.IGNORECASE)
_MINUTES = Pattern(
    r"[ -]?(?:个)?(?:分(?P<half>半)|分(?:钟|鐘)(?P<half2>半)?|minutes?\b|mins?\b)",
    re.IGNORECASE,
)
_WORDS = Pattern(r" ?(?:个|個|来|多)?(?:汉)?字|[ -]?(?:words?|characters?|chars)\b", re.IGNORECASE)
_TIMES = Pattern(r" ?倍|[ -]?(?:times|fold)\b", re.IGNORECASE)
_TO = Pattern(
    r"(?:到|至|成|为|為|剩|剩下|留|留下|保留|只有|原来的|原來的|\bto|\bto about|\bto around|\bat"
    r"|\bonly|\bkeep|\bof)(?:约|大约|差不多|大概|原来的|原文的)? ?$",
    re.IGNORECASE,
)
_OF_LENGTH = Pattern(r" ?(?:of (?:the|its)|as long|the (?:length|size)|as much)", re.IGNORECASE)
_LONGER_BY = Pattern(r"长|長|扩|擴|增|加|\b(?:long\w*|expand\w*|extend\w*|add\w*|more)\b", re.IGNORECASE)
_HALVED = Pattern(r"减半|減半|\b(?:halve|in half|half (?:as long|the length|its length))\b", re.IGNORECASE)
_DOUBLED = Pattern(r"翻倍|一倍|加倍|\b(?:twice as long|double (?:the|its) length)\b", re.IGNORECASE)


def length(spoken: str) -> tuple[float | None, float | None, int | None]:
    """Return the share of the base, the seconds and the number of words that are asked for."""
    ratio = 0.5 if _HALVED.search(spoken) else 2.0 if _DOUBLED.search(spoken) else None
    seconds: float | None = None
    words: int | None = None
    for number in written_numbers(spoken):
        before, after = spoken[: number.start], spoken[number.end :]
        if _EACH.search(before):
            continue
        if _SECONDS.match(after):
            seconds = number.value + (seconds if seconds is not None and seconds % 60 == 0 else 0)
        elif minutes := _MINUTES.match(after):
            seconds = number.value * 60 + (30 if minutes["half"] or minutes["half2"] else 0)
        elif _WORDS.match(after):
            words = round(number.value) if number.value >= 5 else words
        elif _TIMES.match(after):
            ratio = number.value
        elif 0 < number.value < 1:
            ratio = _share(number, before, after, spoken)
    return ratio, seconds, words


def _share(number: WrittenNumber, before: str, after: str, spoken: str) -> float:
    """Return the length that "by a third", "to 80 %" or "20% longer" comes to, as a share of the base."""
    if _TO.search(before) or _OF_LENGTH.match(after):
        return number.value
    if _LONGER_BY.search(spoken) and not SHORTER.search(spoken):
        return 1 + number.value
    return 1 - number.value


_RANGE = Pattern(r"[到至~～–—-]|\b(?:to|through)\b", re.IGNORECASE)
_LAST_FEW = Pattern(
    r"(?:前|后|最后|最前|开头|结尾|末尾|first|last) ?\S{1,5}$|(?:first|last) (?:one|two|three|four"
    r"|\d+) ",
    re.IGNORECASE,
)


def named_lines(spoken: str) -> int | None:
    """Return how many lines an instruction names by their numbers, None when it names none."""
    total = 0
    for reference in LINE_REFERENCE.finditer(spoken):
        values = [number.value for number in written_numbers(reference[0])]
        if _LAST_FEW.match(reference[0]):
            total += int(values[0]) if values else 1
        elif len(values) == 2 and _RANGE.search(reference[0]):
            total += int(abs(values[1] - values[0])) + 1
        else:
            total += max(1, len(values))
    return total or None
