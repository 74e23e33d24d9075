"""How Chinese instructions name lines: 第3行, 倒数第二句, 前两行, 2~4行, 包含“…”的行."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from script_editor.offline.lines import ALL_LINES, EveryOther, Holding, Lines, Relation, Run, Unit, nth
from script_editor.offline.marks import mark_named
from script_editor.offline.numerals import ZH, value
from script_editor.offline.quotes import TOKENS
from script_editor.offline.wording import Phrase, pattern

UNIT = r"(?:自然段落?|段落|段话|段(?![子位时])|句子|句话|句(?![号式型法])|行字幕|行(?![业李为动程情人]))"
RANGE = r"\s*(?:一?直?到|至|-|~|—+|–|－)\s*"
LIST = r"\s*(?:、|,|以及|还有|和|与|跟|及|同|&)\s*"
_NOUN = r"(?:(?:这|那)?[一二两三四五]?个?(?:词语|单词|词|字眼|字样|字|名字|数字|文字|标点|符号))?"
_HAVE = (
    r"(?:里面|里边|里|中间?|当中)?(?:也|都)?(?:包含|含有|包括|带有|带着|写有|写着|出现|提到|提及"
    r"|说到|讲到|涉及|含|带|有)"
    r"(?:有|过|了|着)*"
)
_TEXT = rf"(?P<text>{TOKENS}(?:\s*(?:或者?|、|,)\s*{TOKENS})*|[^\n,{TOKENS[1:-1]}]{{1,40}}?)"
_ALL = r"(?:所有的?|全部的?|每一?个?|任何|凡是?|一切|各个?)"
_COUNTED = rf"(?:第(?P<nth>{ZH})(?:个|处|次|条)?|(?P<last>最后一?个))的?"
_KIND = (
    r"(?P<each>所有的?|全部的?|每一?|任何|那些|这些)?(?P<only>那一?|这一?|那个"
    rf"|这个)?(?:第(?P<nth2>{ZH})|(?P<last2>最后一))?(?P<unit>{UNIT})"
)


@dataclass(frozen=True, slots=True)
class Found:
    """A reference and where it ends in the phrase."""

    lines: Lines
    end: int


def texts_in(words: Phrase) -> tuple[str, ...]:
    """Return the texts by which lines are found: quotations, the forms of a named mark, or the words."""
    mark = mark_named(words.folded)
    if mark is not None:
        return tuple(text for text, _, _ in mark.forms())
    return words.quoted() or (words.literal,)


def unit_of(word: str) -> Unit:
    """Return the unit a word such as 句话 names."""
    if "段" in word:
        return "paragraph"
    return "sentence" if "句" in word else "line"


def _numbers(match: re.Match[str]) -> Lines | None:
    """Read 第2、4到6行: a list of numbers and ranges before one unit."""
    body = match["body"]
    picks = []
    for part in re.split(LIST, body):
        ends = [value(number) for number in re.findall(ZH, part)]
        picks.append(Run(ends[0], ends[-1]))
    is_bare_count = "第" not in body and len(picks) == 1 and re.fullmatch(r"[^\d\s]+", body)
    if (is_bare_count and picks[0].first == picks[0].last) or any(pick.first == 0 for pick in picks):
        return None  # 三行 counts lines, it does not name one
    return Lines(tuple(picks), unit_of(match["unit"]))


def _single(match: re.Match[str]) -> Lines | None:
    number = value(match["n"])
    return nth(number, unit_of(match.groupdict().get("unit") or "行")) if number else None


def _from_end(match: re.Match[str]) -> Lines:
    return nth(-value(match["n"]), unit_of(match["unit"]))


def _first_ones(match: re.Match[str]) -> Lines | None:
    count = value(match["n"])
    if count == 1 and match["where"] == "前":
        return None  # 前一行 is the line before some other one
    return Lines((Run(1, count),), unit_of(match["unit"]))


def _last_ones(match: re.Match[str]) -> Lines | None:
    count = value(match["n"])
    if count == 1 and match["where"] in ("后", "后面", "倒数"):
        return None
    return Lines((Run(-count, -1),), unit_of(match["unit"]))


def _edge(number: int) -> Callable[[re.Match[str]], Lines]:
    return lambda match: nth(number, unit_of(match["unit"]))


def _all(match: re.Match[str]) -> Lines:
    return Lines(ALL_LINES.picks, unit_of(match["unit"]), each=True)


def _every_other(match: re.Match[str]) -> Lines:
    return Lines((EveryOther(1 if match["odd"] else 2),), unit_of(match["unit"]), each=True)


def read_holding(match: re.Match[str], phrase: Phrase) -> Lines:
    """Return the lines that a match of one of HOLDING names; the text is taken from `phrase`."""
    groups = match.groupdict()
    values = texts_in(phrase.cut(*match.span("text")))
    counted = groups.get("nth") or groups.get("nth2")
    if counted:
        which: int | None = value(counted)
    elif groups.get("last") or groups.get("last2"):
        which = -1
    else:
        which = None if groups.get("only") and not groups.get("each") else 0
    relation: Relation = "starts" if groups.get("starts") else "ends" if groups.get("ends") else "contains"
    pick = Holding(values, relation, which, bool(groups.get("negated")))
    each = bool(groups.get("each") or groups.get("every"))
    return Lines((pick,), unit_of(groups.get("unit") or "行"), each=each)


_QUANTIFIED = rf"(?:(?P<every>{_ALL})|{_COUNTED})?"
_START_WORDS = r"(?:开头|开始|打头|起头|起首)"
_END_WORDS = r"(?:结尾|收尾|结束|收束)"

Reader = Callable[[re.Match[str]], Lines | None]

HOLDING = (
    rf"{_QUANTIFIED}(?P<negated>不|没有?|未)?(?:以|用"
    rf"|由){_TEXT}{_NOUN}(?:(?P<starts>{_START_WORDS})|(?P<ends>{_END_WORDS}))的{_KIND}",
    rf"{_QUANTIFIED}(?:(?P<starts>开头|行首|句首|最前面)|(?P<ends>结尾|末尾|行尾|句尾))(?:是"
    rf"|为){_TEXT}{_NOUN}的{_KIND}",
    rf"{_QUANTIFIED}(?P<negated>不|没有?|未)?{_HAVE}{_TEXT}{_NOUN}的{_KIND}",
    rf"(?P<every>{_ALL})?(?P<text>{TOKENS}){_NOUN}(?:(?P<starts>{_START_WORDS})"
    rf"|(?P<ends>{_END_WORDS}))的{_KIND}",
    rf"(?P<every>{_ALL})?(?P<text>{TOKENS}){_NOUN}(?:所在|在|出现)的{_KIND}",
    rf"(?P<text>{TOKENS}){_NOUN}的?(?P<only>那一?|一|那个|(?:这一?|这个)(?![句段]))(?P<unit>{UNIT})",
)
"""Patterns of lines that are named by a text in them; read by `read_holding`."""

NUMBERED: tuple[tuple[str, Reader], ...] = (
    (rf"(?:{_ALL}|第)?(?:(?P<odd>奇数|单数)|偶数|双数)的?(?P<unit>{UNIT})", _every_other),
    (rf"(?:{_ALL})(?P<unit>{UNIT})", _all),
    (rf"(?:倒数|倒着?数|从后往前数?|从下往上数?)第(?P<n>{ZH})个?(?P<unit>{UNIT})", _from_end),
    (rf"(?P<where>倒数|最后面?|末尾|结尾|最末|最下面|后面?)的?(?P<n>{ZH})(?P<unit>{UNIT})", _last_ones),
    (rf"(?P<where>前面?|头|开头|最前面?|最开始|最上面)的?(?P<n>{ZH})(?P<unit>{UNIT})", _first_ones),
    (rf"(?:末|尾|最末尾?|最后|末尾|结尾|收尾|最下面)的?(?:那|这)?一?(?P<unit>{UNIT})", _edge(-1)),
    (rf"(?:首|头|开头|起始|最前面?|最上面|最开始|开篇)的?(?:那|这|第)?一?(?P<unit>{UNIT})", _edge(1)),
    (
        rf"(?P<body>第?\s*{ZH}(?:(?:{LIST}|{RANGE})第?\s*{ZH})*)\s*(?:这?[两三四五六]|这"
        rf"|个)?(?P<unit>{UNIT})",
        _numbers,
    ),
    (rf"行\s*(?P<n>{ZH})", _single),
    (r"l(?P<n>\d{1,6})(?![a-z0-9])", _single),
)
"""Patterns of lines that are named by their place, each with its reader."""

_AFTER_ALL = (
    r"(?:之后|以后|往后|后面|后边|下面|后)的?(?:所有|全部|其他|其余|剩下)?的?(?:行|内容|部分|句子|文字|台词)"
)
_BEFORE_ALL = r"(?:之前|以前|前面|前边|上面|前)的?(?:所有|全部|其他|其余)?的?(?:行|内容|部分|句子|文字|台词)"
_TO_END = (
    rf"(?:{RANGE}(?:最后一?行?|结尾|末尾|文末|末行|全文结束|结束)|(?:开始|起)(?:往后|以后"
    r"|之后)?的?(?:所有|全部)?的?(?:行|内容)?"
    rf"(?:{RANGE}(?:最后一?行?|结尾|末尾))?)"
)


def rest_of(lines: Lines, phrase: Phrase, end: int) -> Found | None:
    """Read what turns one line into all before it, all after it, or all from it on."""
    numbers = lines.single_numbers()
    if numbers is None or len(numbers) != 1:
        return None
    for words, run in (
        (_AFTER_ALL, Run(numbers[0] + 1, -1)),
        (_BEFORE_ALL, Run(1, numbers[0] - 1)),
        (_TO_END, Run(numbers[0], -1)),
    ):
        match = pattern(words).match(phrase.folded, end)
        if match and run.first and run.last:
            return Found(Lines((run,), lines.unit), match.end())
    return None
