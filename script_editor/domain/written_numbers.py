"""Numbers as scripts and people write them, in Chinese and English: 12, 3,000, 1.2万, twelve, 十二, 两, 一半, two thirds.

Only what a number is worth and where it stands; what it counts, and whether it matters, is for the reader.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from script_editor.domain.counting import (
    CARDINALS,
    HAN_DIGITS,
    HAN_LARGE,
    HAN_UNITS,
    ONES,
    PARTS,
    SCALES,
    TENS,
    any_of,
    english_value,
    han_value,
)
from script_editor.patterns import Pattern

__all__ = ["HAN", "WrittenNumber", "half_width", "han_value", "written_numbers"]


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number at [start, end) of a text; `is_spelled` says that it is written in words or Han characters."""

    start: int
    end: int
    value: float
    is_spelled: bool


_FULL_WIDTH = (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), 0xFF05, 0xFF04, 0xFF0F)
_WIDTH = str.maketrans({chr(code): chr(code - 0xFEE0) for code in _FULL_WIDTH})


def half_width(text: str) -> str:
    """Return `text` with full-width digits, letters, ％, ＄ and ／ as ASCII; every offset stays."""
    return text.translate(_WIDTH)


HAN = "".join([*HAN_DIGITS, *HAN_UNITS, *HAN_LARGE])
"""The Han numerals, for a character class."""
_HAN_RUN = Pattern(f"[{HAN}]{{1,16}}")
_WORD = any_of(list(CARDINALS))
_SCALE = "|".join(SCALES)
_UNIT = rf"(?:(?:{any_of(TENS)})[ -](?:{any_of(ONES)})|{_WORD})\b"
# "and" joins parts only after a scale: "a hundred and two" is one number, "lines three and four" are two.
_SCALED = rf"(?: (?:{_SCALE})\b)+(?: (?:and )?{_UNIT})?"
_ENGLISH_RUN = Pattern(
    rf"\b(?:{_UNIT}(?:{_SCALED})*|(?:half )?an?(?:{_SCALED})+)(?P<percent> (?:percent|per cent)\b)?",
    re.IGNORECASE,
)
_FIGURE = Pattern(
    r"(?P<figure>\d{1,3}(?:[,，]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?)"
    r"(?P<scale> ?(?:百万|千万|[百千万萬亿億]|k(?![a-z])|(?:hundred|thousand|million|billion|dozen)\b))?"
    r"(?P<percent> ?(?:%|percent\b|per cent\b))?",
    re.IGNORECASE,
)
_SIGNS = {"百": 100, "千": 1000, "百万": 10**6, "千万": 10**7, "k": 1000, **HAN_LARGE, **SCALES}
_ANY_ZH = rf"(?:\d+(?:\.\d+)?|[{HAN}]{{1,16}})"
_PERCENT_ZH = Pattern(
    rf"百分之(?P<share>{_ANY_ZH}(?:[点點][{HAN}]+)?)|(?P<all>百分百)"
    rf"|(?P<tenths>[{HAN}]|\d)成(?=[，。！？,.!?、；;的以左多…～~—）)」”]|$)"
)
_PART_ZH = Pattern(rf"(?P<whole>{_ANY_ZH})分之(?P<part>{_ANY_ZH})")
_POINT_ZH = Pattern(
    rf"(?P<left>[{HAN}]{{1,8}})[点點](?P<right>[零〇一二三四五六七八九]{{1,6}})(?=[倍元块塊公万萬亿億米斤升度吨秒%])"
)
_HALF_UNIT = "小时|小時|个|個|年|月|斤|碗|杯|勺|匙|公里|颗|顆|价|價|瓶|包|块|塊|张|張"
_HALF_ZH = Pattern(rf"一半|(?<![大多对對])半(?={_HALF_UNIT})")
_PART_EN = Pattern(
    rf"\b(?P<part>an?|{_WORD})[ -](?P<whole>half|halve|third|quarter|fourth|fifth|sixth|eighth|tenth)s?\b"
    r"|\b(?P<half>half)\b(?! an? dozen)|\b(?P<top>\d+)/(?P<bottom>[1-9]\d*)\b",
    re.IGNORECASE,
)


_AND_A_HALF = Pattern(rf"\b(?P<number>\d+|{_WORD}) and a half\b", re.IGNORECASE)


def _and_a_half(match: re.Match[str]) -> float:
    number = match["number"]
    return (float(number) if number[0].isdigit() else english_value(number)) + 0.5


def _percent_zh(match: re.Match[str]) -> float:
    if match["all"]:
        return 1.0
    if match["tenths"]:
        return _value_zh(match["tenths"]) / 10
    whole, _, decimals = match["share"].replace("點", "点").partition("点")
    return (_value_zh(whole) + _decimals(decimals)) / 100


def _part_zh(match: re.Match[str]) -> float:
    whole = _value_zh(match["whole"])
    return _value_zh(match["part"]) / whole if whole else 0.0


def _point_zh(match: re.Match[str]) -> float:
    return han_value(match["left"]) + _decimals(match["right"])


def _part_en(match: re.Match[str]) -> float:
    if match["half"]:
        return 0.5
    if match["top"]:
        return float(match["top"]) / float(match["bottom"])
    top = 1.0 if match["part"].lower() in ("a", "an") else english_value(match["part"])
    return top / PARTS[match["whole"].lower()]


def _figure(match: re.Match[str]) -> float:
    value = float(re.sub("[,，]", "", match["figure"]))
    value *= _SIGNS[match["scale"].strip().lower()] if match["scale"] else 1
    return value / 100 if match["percent"] else value


def _words(match: re.Match[str]) -> float:
    percent = match["percent"]
    return english_value(match[0].removesuffix(percent)) / 100 if percent else english_value(match[0])


def _value_zh(text: str) -> float:
    return float(text) if text[0].isascii() else han_value(text)


def _decimals(han: str) -> float:
    return float("0." + "".join(str(HAN_DIGITS.get(char, 0)) for char in han)) if han else 0.0


_READERS: tuple[tuple[Pattern, Callable[[re.Match[str]], float]], ...] = (
    (_PERCENT_ZH, _percent_zh),
    (_PART_ZH, _part_zh),
    (_AND_A_HALF, _and_a_half),
    (_PART_EN, _part_en),
    (_POINT_ZH, _point_zh),
    (_HALF_ZH, lambda _match: 0.5),
    (_FIGURE, _figure),
    (_HAN_RUN, lambda match: han_value(match[0])),
    (_ENGLISH_RUN, _words),
)
"""Longer readings first: what one reader took, the next ones do not see."""
_MAY_HOLD = Pattern(
    rf"[\d半{HAN}]|\b(?:{_WORD}|an? (?:{_SCALE}|half|third|quarter|fifth|tenth)|half)\b",
    re.IGNORECASE,
)


def written_numbers(text: str) -> tuple[WrittenNumber, ...]:
    """Return the numbers in `text`, left to right. Percentages are shares of one: 20% is 0.2.

    Nothing is left out for being idiomatic: 三心二意 holds 3 and 2. Letters glued to digits are the
    caller's business.
    """
    plain = half_width(text)
    if _MAY_HOLD.search(plain) is None:
        return ()
    found = []
    for pattern, value_of in _READERS:
        for match in pattern.finditer(plain):
            value = round(value_of(match), 6)
            found.append(
                WrittenNumber(match.start(), match.end(), value, plain[match.start()] not in "0123456789")
            )
        plain = pattern.sub(_taken, plain)
    return tuple(sorted(found, key=lambda number: number.start))


def _taken(match: re.Match[str]) -> str:
    return "\x00" * len(match[0])
