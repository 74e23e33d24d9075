"""Numbers as people write them in an instruction: 3, ３, 三, three, third, 3rd, 两."""

import re

_ZH_DIGITS = {char: value for value, chars in enumerate(("零〇", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
              for char in chars}  # fmt: skip
_ZH_UNITS = {"十": 10, "百": 100, "千": 1000}

_UNITS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_UNIT_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_TEEN_ORDINALS = [
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
_TEN_ORDINALS = [
    "twentieth",
    "thirtieth",
    "fortieth",
    "fiftieth",
    "sixtieth",
    "seventieth",
    "eightieth",
    "ninetieth",
]

_EN_VALUES = {
    **{word: value for value, word in enumerate(_UNITS + _TEENS, start=1)},
    **{word: value for value, word in enumerate(_UNIT_ORDINALS + _TEEN_ORDINALS, start=1)},
    **{word: 10 * value for value, word in enumerate(_TENS, start=2)},
    **{word: 10 * value for value, word in enumerate(_TEN_ORDINALS, start=2)},
}


def _any(words: list[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_LARGE = f"(?:{_any(_TENS)})"

ZH = r"(?:\d{1,6}|[零〇一二两三四五六七八九十百千]{1,7})"
"""Pattern of a number in a Chinese instruction."""

EN = rf"(?:\d{{1,6}}(?!\d)|{_LARGE}[- ](?:{_any(_UNITS)})\b|(?:{_any(_UNITS + _TEENS + _TENS)})\b)"
"""Pattern of a cardinal number in an English instruction."""

EN_ORDINAL = (
    rf"(?:\d{{1,6}}(?:st|nd|rd|th)\b|{_LARGE}[- ](?:{_any(_UNIT_ORDINALS)})\b"
    rf"|(?:{_any(_UNIT_ORDINALS + _TEEN_ORDINALS + _TEN_ORDINALS)})\b)"
)
"""Pattern of an ordinal number in an English instruction."""


def value(text: str) -> int:
    """Return the number that `text` means; it must match one of the patterns above."""
    digits = re.match(r"\d+", text)
    if digits:
        return int(digits[0])
    if text[0] in _ZH_DIGITS or text[0] in _ZH_UNITS:
        return _zh_value(text)
    return sum(_EN_VALUES[word] for word in re.split(r"[- ]", text))


def _zh_value(text: str) -> int:
    total, digit = 0, 0
    for char in text:
        if char in _ZH_UNITS:
            total += max(digit, 1) * _ZH_UNITS[char]
            digit = 0
        else:
            digit = digit * 10 + _ZH_DIGITS[char]
    return total + digit
