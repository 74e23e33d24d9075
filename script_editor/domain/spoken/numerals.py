"""How many syllables a number in digits has when it is read out, in Chinese or in English, with sign and unit.

Numbers in words (三百, three hundred) are no business of this module: they are counted as words.
"""

import re
from typing import Literal

from script_editor.patterns import Pattern

Language = Literal["zh", "en"]

_DIGIT_BY_DIGIT = 7
"""Numbers of this many digits without grouping are codes and telephone numbers."""

_UNITS = {
    # as their names are read: syllables in Chinese, in English
    "%": (3, 2), "％": (3, 2), "‰": (3, 3), "℃": (3, 5), "°C": (3, 5), "℉": (3, 5), "°F": (3, 5), "°": (1, 2),
    "km/h": (5, 6), "m/s": (3, 5), "kWh": (3, 4), "mAh": (3, 4), "Mbps": (4, 6), "fps": (3, 4), "mph": (5, 4),
    "GHz": (3, 3), "MHz": (3, 3), "kHz": (3, 3), "Hz": (2, 1), "km": (2, 4), "cm": (2, 4), "mm": (2, 4),
    "nm": (2, 4), "μm": (2, 3), "m²": (3, 3), "㎡": (3, 3), "m": (1, 2), "kg": (2, 3), "mg": (2, 3), "g": (1, 1),
    "ml": (2, 4), "mL": (2, 4), "L": (1, 2), "GB": (2, 3), "MB": (2, 3), "TB": (2, 3), "KB": (2, 3), "kW": (2, 3),
    "W": (1, 1), "V": (1, 1), "dB": (2, 3), "ms": (2, 4), "min": (2, 2), "s": (1, 2), "h": (2, 1), "ft": (1, 1),
    "lbs": (1, 1), "lb": (1, 1), "oz": (2, 2), "kcal": (2, 4), "x": (1, 1), "am": (2, 2), "pm": (2, 2),
    "AM": (2, 2), "PM": (2, 2), "a.m": (2, 2), "p.m": (2, 2),
}  # fmt: skip
_MONEY = {"$": (2, 2), "¥": (1, 2), "￥": (1, 2), "€": (2, 2), "£": (2, 1)}
_MONTHS = (4, 4, 1, 2, 1, 1, 2, 2, 3, 3, 3, 3)  # January to December

_NUMBER = "|".join(
    (
        r"(?P<date>\d{4}([-/.])(?:0?[1-9]|1[0-2])\2(?:0?[1-9]|[12]\d|3[01])(?!\d))",
        r"(?P<clock>[0-2]?\d:[0-5]\d(?::[0-5]\d)?(?![\d:])(?P<half>[ \u00a0]?[AaPp]\.?[Mm]\b)?)",
        r"(?P<dashed>(?:\d{2,4}(?:-\d{3,4}){2}|\d{3}-\d{4}|0\d{2,3}-\d{7,8})(?![\d-]))",
        r"(?P<fraction>[1-9]/(?:[2-9]|10)(?![\d/]))",
        r"(?P<sign>[-−])?(?P<money>[$¥￥€£])?(?P<digits>\d{1,3}(?:,\d{3}){1,4}(?!\d)(?:\.\d+)?|\d+(?:\.\d+)*|\.\d+)"
        r"(?:(?P<ordinal>st|nd|rd|th)(?![A-Za-z])|[ \u00a0]?(?P<unit>[%％‰℃℉㎡]|°[CF]?"
        rf"|(?:{'|'.join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True) if unit[0].isalpha())})"
        r"(?![A-Za-z0-9])))?",
    )
)

_ONES = (2, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 3, 1, 2, 2, 2, 2, 3, 2, 2)  # zero to nineteen
_TENS = (0, 1, 2, 2, 2, 2, 2, 3, 2, 2)  # ten to ninety


def read_number(text: str, start: int, language: Language) -> tuple[int, int]:
    """Return where the number that starts at `start` ends, and its syllables when read out.

    Its sign, currency, ordinal ending and unit are part of it. A number directly behind a letter is
    part of a name (`RTX4090`). `start` must be at a digit, or at a sign, currency or point before one.
    """
    found = Pattern(_NUMBER).match(text, start)
    assert found is not None, "the caller saw a digit here"
    return found.end(), _syllables(found, language)


def _syllables(found: re.Match[str], language: Language) -> int:
    if found["date"]:
        year, month, day = re.split(r"[-/.]", found["date"])
        return _date(year, int(month), int(day), language)
    if found["clock"]:
        half = 2 if found["half"] else 0
        return _clock(found["clock"].removesuffix(found["half"] or ""), language, is_named=bool(half)) + half
    if found["dashed"]:
        return _one_by_one(found["dashed"].replace("-", ""), language)
    if found["fraction"]:
        upper, lower = map(int, found["fraction"].split("/"))
        return _fraction(upper, lower, language)
    return _number(found, language) + _around(found, language)


def _around(found: re.Match[str], language: Language) -> int:
    """Return the syllables of a number's sign, currency and unit."""
    column = 0 if language == "zh" else 1
    unit, money, text = found["unit"], found["money"], found.string
    count = 0
    if found["sign"]:
        count += 2 if language == "en" or (unit and unit[0] in "℃℉°") else 1  # minus; 零下, 负
    if money and text[found.end() : found.end() + 1] not in ("元", "块"):
        count += _MONEY[money][column]
    if unit and not (unit == "s" and re.fullmatch(r"[12]\d\d0", found["digits"])):  # the 1990s
        count += _UNITS[unit][column]
    return count


def _number(found: re.Match[str], language: Language) -> int:
    digits = found["digits"]
    whole, *parts = digits.replace(",", "").split(".")
    if found["ordinal"] and not parts and len(whole) < _DIGIT_BY_DIGIT:
        return _english(int(whole)) + (whole.endswith("2") and whole != "12") + _has_tieth(int(whole))
    if len(parts) == 1:
        if found["money"] and len(parts[0]) == 2 and language == "en":
            return _whole(whole or "0", found, language) + (_english(int(parts[0])) if int(parts[0]) else 0)
        return (
            _whole(whole or "0", found, language, is_grouped="," in digits)
            + 1
            + _one_by_one(parts[0], language)
        )
    if parts:  # a version or an address
        return sum(_whole(part, found, language) for part in (whole, *parts)) + len(parts)
    if language == "zh" and digits == "100" and found["unit"] in ("%", "％"):
        return 1  # 百分之百
    return _whole(whole, found, language, is_grouped="," in digits)


def _whole(digits: str, found: re.Match[str], language: Language, *, is_grouped: bool = False) -> int:
    """Return the syllables of a whole number, or of the whole part of one."""
    if not is_grouped and (len(digits) >= _DIGIT_BY_DIGIT or (digits[0] == "0" and len(digits) > 1)):
        return _one_by_one(digits, language)
    text, number = found.string, int(digits)
    is_name = found.start() > 0 and text[found.start() - 1].isalpha() and text[found.start() - 1].isascii()
    if language == "zh":
        is_year = number > 1000 and Pattern(r" ?(?:[-–—~～至到] ?\d{4} ?)?年").match(text, found.end())
        if len(digits) == 4 and not is_grouped and (is_name or (is_year and number < 3000)):
            return 4
        return len(chinese_reading(number))
    is_count = found["money"] or (found["unit"] and found["unit"] != "s")
    if len(digits) == 4 and not is_grouped and not is_count and (is_name or 1100 <= number < 2100):
        return _english_year(number)
    return _english(number)


def _one_by_one(digits: str, language: Language) -> int:
    return len(digits) if language == "zh" else sum(_ONES[int(digit)] for digit in digits)


def _fraction(upper: int, lower: int, language: Language) -> int:
    """Return the syllables of 1/2; one that is not below 1 is read as two numbers."""
    if upper >= lower:
        return 2 if language == "zh" else _ONES[upper] + _ONES[lower]
    if language == "zh":
        return 2 + len(chinese_reading(upper)) + len(chinese_reading(lower))
    return _ONES[upper] + (2 if lower == 4 else _ONES[lower])


def _clock(clock: str, language: Language, *, is_named: bool) -> int:
    """Return the syllables of 8:30; `is_named` says that am or pm follows, so that nobody says o'clock."""
    hour, minute, *second = map(int, clock.split(":"))
    if language == "zh":
        count = len(chinese_reading(hour)) + 1
        if minute or second:
            count += len(chinese_reading(minute)) + (0 < minute < 10)
        return count + sum(2 + len(chinese_reading(part)) for part in second)
    count = _english(hour)
    count += _english(minute) + (minute < 10) if minute else 0 if is_named else 2
    return count + sum(_english(part) for part in second)


def _date(year: str, month: int, day: int, language: Language) -> int:
    if language == "zh":
        return len(year) + len(chinese_reading(month)) + len(chinese_reading(day)) + 3
    return _MONTHS[month - 1] + _english(day) + _has_tieth(day) + _english_year(int(year))


def _english_year(year: int) -> int:
    """Return the syllables of four digits read as two pairs: nineteen oh five, twenty twenty-six."""
    if year % 1000 < 10:
        return _english(year)
    century, rest = divmod(year, 100)
    if rest == 0:
        return _english(century) + 2
    return _english(century) + _english(rest) + (rest < 10)


def _has_tieth(number: int) -> int:
    """Return 1 for twentieth to ninetieth, which have a syllable more than the number."""
    return int(number % 10 == 0 and number % 100 >= 20)


def _english(number: int) -> int:
    """Return the syllables of a cardinal number, without "and"."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (_ONES[number % 10] if number % 10 else 0)
    size = 100 if number < 1000 else 1000 ** ((len(str(number)) - 1) // 3)
    upper, rest = divmod(number, size)
    return _english(upper) + 2 + (_english(rest) if rest else 0)  # hundred, thousand, million … have two


def chinese_reading(number: int) -> str:
    """Return a whole number below 10**16 as it is read in Chinese: 105 is 一百零五, 12 is 十二."""
    text, has_gap = "", False
    for name, size in (("万亿", 10**12), ("亿", 10**8), ("万", 10**4), ("", 1)):
        group = number // size % 10**4
        if group:
            text += "零" * (text != "" and (has_gap or group < 1000)) + _four_digits(group) + name
        has_gap = text != "" and (group == 0 or (has_gap and not group))
    return (text[1:] if text.startswith("一十") else text) or "零"


def _four_digits(group: int) -> str:
    text, has_gap = "", False
    for name, size in (("千", 1000), ("百", 100), ("十", 10), ("", 1)):
        digit = group // size % 10
        if digit:
            text += "零" * (has_gap and text != "") + "零一二三四五六七八九"[digit] + name
        has_gap = digit == 0
    return text
