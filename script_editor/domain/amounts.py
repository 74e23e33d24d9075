"""Times and shares as people write them, Chinese and English: 45s, 1分30秒, 一分半, half a minute; 20%, 两成, a third.

The patterns are for text in small letters whose width is folded (`fold`). `seconds_of` and `share_of`
read what a pattern matched.
"""

import re
import unicodedata

from script_editor.domain.counting import ONES, PARTS, TEENS, TENS, english_value, han_value

_ZH = r"(?:\d{1,4}(?:\.\d{1,3})?|[零〇一二两兩三四五六七八九十百]{1,5})"
_EN = (
    rf"(?:\d{{1,4}}(?:\.\d{{1,3}})?|\b(?:(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(ONES)}))?"
    rf"|{'|'.join(ONES)}|an?|{'|'.join(TEENS)})\b)"
)
_UNIT = r"(?:小时|小時|钟头|分钟|分鐘|分(?!之)|毫秒|秒钟|秒鐘|秒|(?:hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s|ms)(?![a-z]))"
_COUNT = rf"(?:半|half(?:[ -]an?)?|{_ZH}|{_EN})"
_COUNT_HALF = "(?: and a half| ?[个個] ?半?)?"
_UNIT_HALF = "(?: ?半(?:钟|鐘)?|,? and a half)?"
_PIECE = f"{_COUNT}{_COUNT_HALF}[ -]?{_UNIT}{_UNIT_HALF}"

TIME = (
    rf"(?:{_PIECE}(?:(?:,? and|,)? ?{_PIECE})?(?:(?<=[分钟鐘])零?{_ZH}(?![\d %成个人字行句]))?"
    r"|\d{1,3}m\d{1,2}s(?![a-z])|\d{1,2}:[0-5]\d(?::[0-5]\d)?(?![\d:]))"
)
"""Pattern of a length of time."""

SHARE = (
    rf"(?:\d{{1,3}}(?:\.\d{{1,2}})? ?(?:%|percent|per cent)|百分之 ?{_ZH}|[一二两兩三四五六七八九] ?成半?|\d ?成|一半|半"
    r"|[二三四五六七八九十] ?分之 ?[一二两兩三四五六七八九]|[1-9]/(?:[2-9]|10)"
    r"|(?:(?:an?|one|two|three|four)[- ])?(?:half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|eighths?|tenths?)\b)"
)
"""Pattern of a part of a whole."""


def fold(text: str) -> str:
    """Return `text` in small letters and half width, with single spaces, for the patterns to look at."""
    return " ".join(unicodedata.normalize("NFKC", text).lower().replace("−", "-").split())


def number_of(text: str) -> float:
    """Return the number that digits, Chinese characters or English words below a hundred mean."""
    text = text.strip()
    if text[0].isdigit():
        return float(text)
    if text[0].isascii():
        return 1 if text in ("a", "an") else english_value(text)
    return han_value(text)


def seconds_of(text: str) -> float:
    """Return the seconds of what `TIME` matched."""
    if ":" in text:
        *hours, minutes, seconds = map(int, text.split(":"))
        return sum(hours) * 3600 + minutes * 60 + seconds
    total, end = 0.0, 0
    pieces = rf"({_COUNT})({_COUNT_HALF})[ -]?({_UNIT}|m(?=\d))({_UNIT_HALF})"
    for piece in re.finditer(pieces, text):
        number, half, unit, half_unit = piece.groups()
        value = 0.5 if number == "半" or number.startswith("half") else number_of(number)
        value += 0.5 * bool(half_unit or "半" in half or "half" in half)
        total, end = total + value * _seconds_in(unit), piece.end()
    rest = text[end:].lstrip(" 零")
    return total + (number_of(rest) if re.fullmatch(_ZH, rest) else 0)


def _seconds_in(unit: str) -> float:
    if unit in ("ms", "毫秒"):
        return 0.001
    return {"h": 3600, "小": 3600, "钟": 3600, "m": 60, "分": 60}.get(unit[0], 1)


def share_of(text: str) -> float:
    """Return the part of a whole that what `SHARE` matched means: 20% is 0.2."""
    if percent := re.match(r"[\d.]+(?= ?(?:%|per))", text):
        return float(percent[0]) / 100
    if text.startswith("百分之"):
        return number_of(text[3:]) / 100
    if "成" in text:
        return (number_of(text[0]) + 0.5 * text.endswith("半")) / 10
    if "分之" in text:
        lower, upper = text.split("分之")
        return number_of(upper) / number_of(lower)
    if "/" in text:
        upper, lower = text.split("/")
        return float(upper) / float(lower)
    if "半" in text:
        return 0.5
    *count, part = re.split(r"[- ]", text)
    return (number_of(count[0]) if count else 1) / PARTS.get(part.removesuffix("s"), 1)
