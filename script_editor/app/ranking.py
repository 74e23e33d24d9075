"""A script that is meant by its place among all: the longest, the newest, the third one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from script_editor.app.asked import words_of
from script_editor.patterns import Pattern

By = Literal["longest", "shortest", "newest", "place"]


@dataclass(frozen=True, slots=True)
class Rank:
    """By what a script is the one: its spoken time, its last change, or its place in the list, from 1; -1 is the last."""

    by: By
    place: int = 0


_UNIT = r"(?:[条个支篇集期部]|则)"
_NOUN = r"(?:脚本|视频|影片|文案|稿子?|片子)"
_ONE_ZH = rf"的?(?:[那这]?一?{_UNIT}{_NOUN}?|{_NOUN})"
_ONE_EN = r"(?: one| script| video)\b"
_SUPERLATIVES: Sequence[tuple[By, Pattern]] = (
    ("longest", Pattern(rf"最长{_ONE_ZH}|\blongest{_ONE_EN}", re.I)),
    ("shortest", Pattern(rf"最短{_ONE_ZH}|\bshortest{_ONE_EN}", re.I)),
    (
        "newest",
        Pattern(
            rf"最(?:近|后)(?:一次)?(?:改|更新|修改|编辑|动)过?{_ONE_ZH}|最新{_ONE_ZH}"
            rf"|\b(?:newest|most recent|latest|(?:most recently|last) (?:edited|changed|modified|updated)){_ONE_EN}",
            re.I,
        ),
    ),
)
_NUMBER_ZH = r"(?:\d{1,4}|[一二三四五六七八九十]{1,3})"
_PLACE = Pattern(
    rf"第(?P<zh>{_NUMBER_ZH}){_UNIT}{_NOUN}|^\W*(?:请|帮我|把|将)*第(?P<first>{_NUMBER_ZH}){_UNIT}(?=的|[，,]|开头|结尾|标题)"
    rf"|(?P<no>\d{{1,4}})\s*号{_NOUN}|(?P<last>最后一{_UNIT}{_NOUN}|^\W*(?:请|帮我|把|将)*最后一{_UNIT}(?=的|[，,]"
    rf"|开头|结尾|标题)|\blast (?:script|video)\b)"
    r"|^\W*(?P<bare>\d{1,3})\W*$"
    r"|\b(?P<en>first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?:script|video)\b",
    re.IGNORECASE,
)
_EN = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_DIGITS = "零一二三四五六七八九"


def rank_in(instruction: str) -> Rank | None:
    """Return by what place a script is meant, or None when the words say none."""
    words = words_of(instruction)
    for by, pattern in _SUPERLATIVES:
        if pattern.search(words):
            return Rank(by)
    found = _PLACE.search(words)
    if found is None:
        return None
    if found["last"]:
        return Rank("place", -1)
    if found["en"]:
        return Rank("place", _EN.index(found["en"].lower()) + 1)
    return Rank("place", number_in(found["zh"] or found["first"] or found["no"] or found["bare"]))


def number_in(digits: str) -> int:
    """Return the number below a hundred that Chinese or Arabic digits say."""
    if digits.isdigit() and digits.isascii():
        return int(digits)
    tens, ten, ones = digits.rpartition("十")
    if not ten:
        return _DIGITS.find(digits[0])
    return (_DIGITS.find(tens) if tens else 1) * 10 + (_DIGITS.find(ones) if ones else 0)
