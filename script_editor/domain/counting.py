"""Number words, Chinese and English: what they are worth, and how numbers look in a request: 3, 三, 两, three, 21st.

The one home of these words. It compiles nothing, because it loads with every command that counts time.
"""

import re

HAN_DIGITS = {
    **{char: value for value, chars in enumerate(
        ("零〇", "一壹", "二两兩贰", "三叁", "四肆", "五伍", "六陆", "七柒", "八捌", "九玖")) for char in chars},
    "俩": 2, "倆": 2, "仨": 3,
}  # fmt: skip
HAN_UNITS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
HAN_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}

ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = [
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
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "dozen": 12}
PARTS = {
    "half": 2, "halve": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8, "tenth": 10,
}  # fmt: skip
"""How many of a part of a whole, in its singular, make the whole."""
CARDINALS = {
    **{word: value for value, word in enumerate(["zero", *ONES, *TEENS])},
    **{word: 10 * value for value, word in enumerate(TENS, start=2)},
}
_FIRSTS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"]
_ORDINALS = {
    **{word: value for value, word in enumerate(_FIRSTS, start=1)},
    **{word + "th": CARDINALS[word] for word in TEENS if word != "twelve"},
    "twelfth": 12,
    **{word[:-1] + "ieth": CARDINALS[word] for word in TENS},
}


def any_of(words: list[str]) -> str:
    """Return the words as alternatives of a pattern, longer ones first."""
    return "|".join(sorted(words, key=len, reverse=True))


ZH = r"(?:\d{1,6}|[零〇一二两兩三四五六七八九十百千]{1,7})"
"""Pattern of a number in a Chinese request."""
EN = (
    rf"(?:\d{{1,6}}(?!\d)|(?:{any_of(TENS)})[- ](?:{any_of(ONES)})\b"
    rf"|(?:{any_of([*ONES, *TEENS, *TENS])})\b)"
)
"""Pattern of a cardinal number in a lower-case English request."""
EN_ORDINAL = (
    rf"(?:\d{{1,6}}(?:st|nd|rd|th)\b|(?:{any_of(TENS)})[- ](?:{any_of(_FIRSTS)})\b"
    rf"|(?:{any_of(list(_ORDINALS))})\b)"
)
"""Pattern of an ordinal number in a lower-case English request."""


def count_of(text: str) -> int:
    """Return the number that `text` means; it must match one of the patterns above."""
    digits = re.match(r"\d+", text)
    if digits:
        return int(digits[0])
    if not text.isascii():
        return int(han_value(text))
    return sum(_ORDINALS.get(word, CARDINALS.get(word, 0)) for word in re.split("[- ]", text))


def han_value(text: str) -> float:
    """Return what a run of Han numerals is worth: 三百二 is 320, 二〇二四 is 2024, 一万五 is 15000."""
    if not any(char in HAN_UNITS or char in HAN_LARGE for char in text):
        return float("".join(str(HAN_DIGITS[char]) for char in text))
    total, section, digit, unit = 0, 0, 0, 1
    for char in text:
        if char in HAN_DIGITS:
            digit = HAN_DIGITS[char]
            unit = 1 if char in "零〇" else unit
        elif char in HAN_UNITS:
            section += max(digit, 1) * HAN_UNITS[char]
            digit, unit = 0, HAN_UNITS[char]
        else:
            total = (total + max(section + digit, 1)) * HAN_LARGE[char]
            section, digit, unit = 0, 0, HAN_LARGE[char]
    # A last digit without a unit counts the next smaller one: 三百二 is 320, but 三百零二 is 302.
    return float(total + section + digit * (unit // 10 if unit >= 100 else 1))


def english_value(text: str) -> float:
    """Return what a run of English number words is worth: "a hundred and twenty" is 120, "half a dozen" is 6."""
    total, section = 0.0, 0.0
    for word in re.split(r"[ -]+", text.lower()):
        if word in CARDINALS:
            section += CARDINALS[word]
        elif word == "half":
            section = 0.5
        elif word in ("hundred", "dozen"):
            section = (section or 1) * SCALES[word]
        elif word in SCALES:
            total += (section or 1) * SCALES[word]
            section = 0.0
    return total + section
