"""What of a line is a fact: figures with what they count, and what `named_facts` reads.

Labels, time codes and cue numbers are structure, not facts.
"""

import re
from functools import lru_cache, partial

from script_editor.domain.guards.named_facts import READERS, Fact, Key, Reader, Weight, decades_named
from script_editor.domain.guards.units import CLASSIFIERS, MEASURES, Measure, unit_after
from script_editor.domain.intent import LINE_REFERENCE
from script_editor.domain.written_numbers import HAN, WrittenNumber, half_width, han_value, written_numbers
from script_editor.patterns import Pattern

# --- what is no number, or not one of its own ------------------------------------------------

_CLOCK_CODE = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_NOT_SPOKEN = Pattern(
    rf"{_CLOCK_CODE}\s*-->\s*{_CLOCK_CODE}|(?<!\d)\d{{1,2}}(?::\d{{2}}){{2}}[.,]\d{{3}}(?!\d)|^\s*[\[(（【<]?\s*{_CLOCK_CODE}(?:\s*(?:-->|[-–—~～至到])\s*{_CLOCK_CODE})?\s*[\])）】>]?(?=\s"
    rf"|$|[^\w:.,])"
    r"|^\s*\d{1,6}\s*$|^\s*\d{1,3}[.、)）](?!\d)|^\s*\d+(?:\.\d+)?\s*[-–~～]\s*\d+(?:\.\d+)?\s*(?:s|秒)[:：]?"
    r"|[\[【][^\[\]【】\n]*[\]】]|\{\{[^{}\n]*\}\}|\$\{[^{}\n]*\}|\{[^{}\n]*\}"
)
_IDIOM = Pattern(
    r"十分(?!钟|鐘|之|\d)|[统統唯单單专專划归逐某]一|万一|千万(?=[别不要记注小得])"
    r"|一[点點些下起样樣般直定切旦边邊会會共致]"
    r"|四[周处季]|三心二意|乱七八糟|七上八下|五花八门|四面八方"
    r"|十全十美|千方百计|成千上万|千千万万|三三两两|两全其美|五颜六色|七嘴八舌|丢三落四|不三不四"
    r"|三言两语|三天两头|半天|一天到晚|[双十]十一|五一"
    r"|(?:星期|礼拜|禮拜)[一二三四五六日天]|周[一二三四五六日](?!\d|十)"
    r"|第[一二三四五六七八九十百\d]{1,4}|初[一二三四五六七八九十]"
    r"|(?<![一二三四五六七八九])(?:三二一|一二三|三、二、一)(?![一二三四五六七八九])"
    rf"|[{HAN}]?十[几来多幾來](?!\d)|[几幾上数數][十百千万萬亿](?=[{CLASSIFIERS}年人块天]|$)"
    rf"|十[来多余](?=.)|(?<![{HAN}\d])[百千万][来多余](?=.)|再三|八卦|二手|二维码|三明治|三文鱼|三角|四川|九成九"
    r"|两口子|百货|百姓|万能|二话不说|[这那哪每]一|一一|[万萬]分|千言万语|三维|二次元|[三四]合一"
    r"|\b(?:one (?:of|another|by one|day|more|last|thing|time)|one or two|two or three|24/7|fifty[- ]fifty)\b",
    re.IGNORECASE,
)

# --- counted things --------------------------------------------------------------------------

_MONEY_SIGN = Pattern(r"(?P<sign>US\$|HK\$|\$|￥|¥|€|£|RMB|USD|CNY) ?$", re.IGNORECASE)
_CURRENCY = {"$": "dollar", "us$": "dollar", "usd": "dollar", "hk$": "dollar", "¥": "yuan", "￥": "yuan",
             "rmb": "yuan", "cny": "yuan", "€": "euro", "£": "pound"}  # fmt: skip
_PERCENT = Pattern(r"[%％]|percent|per cent|百分|成$", re.IGNORECASE)
_VAGUE_BEFORE = Pattern(
    r"(?:[这那前头後后每最近上下]|\b(?:these|those|last|next|past|first|every|the|other)) ?$", re.IGNORECASE
)
_HALF_MORE = Pattern(r"半(?!天|路|夜|价)")
_HALF_UNIT = Pattern(r"[个個]半(?=小时|小時|钟头|月|星期)")
_ROUND = frozenset({100.0, 1000.0, 10_000.0, 1_000_000.0, 100_000_000.0, 1_000_000_000.0})
_LOOSE_DIMENSIONS = frozenset({"people", "multiple", "floor"})
_FEW = 10


def _counted(text: str, number: WrittenNumber) -> Fact | None:
    """Return the fact that a number in a line is, or None when it says nothing of its own."""
    value, end = number.value, number.end
    half = _HALF_UNIT.match(text, end)
    if half:
        value, end = value + 0.5, half.end()
    measure, unit, unit_end = unit_after(text, end)
    if measure is not None and not half and value >= 1 and _HALF_MORE.match(text, unit_end):
        value, unit_end = value + 0.5, unit_end + 1
    sign = _MONEY_SIGN.search(text[max(0, number.start - 4) : number.start])
    is_percent = number.value < 1 and _PERCENT.search(text[number.start : end]) is not None
    if sign or is_percent:
        unit = _CURRENCY[sign["sign"].lower()] if sign else "percent"
    is_measured = measure is not None or bool(sign) or is_percent
    is_few_people = measure is not None and measure.dimension in _LOOSE_DIMENSIONS and value <= _FEW
    weight = _weight(text, number, value, is_measured=is_measured and not is_few_people, unit=unit)
    if weight is None:
        return None
    shown = text[number.start : unit_end if measure is not None and not is_percent else end].strip("\x00")
    return Fact(_keys(value, measure, unit), unit, (sign["sign"] if sign else "") + shown, weight)


def _keys(value: float, measure: Measure | None, unit: str) -> frozenset[Key]:
    """Return the ways to say an amount: the bare number, and what it comes to in the base unit."""
    keys: set[Key] = {("n", value)}
    if measure is not None:
        keys.add((measure.dimension, round(value * measure.factor, 3)))
    if unit in _CURRENCY.values():
        keys.add((unit, value))
    if unit == "percent":
        keys.add(("n", round(value * 100, 4)))
    if unit == "discount":  # 八折 is 80 % of the price, or 20 % off
        share = value / 10 if value < _FEW else value / 100
        keys |= {("n", round(share, 4)), ("n", round(1 - share, 4))}
    return frozenset(keys)


def _weight(text: str, number: WrittenNumber, value: float, *, is_measured: bool, unit: str) -> Weight | None:
    if not number.is_spelled:
        return "firm" if is_measured or value > 1 else "loose"
    if value == 1:
        return "faint" if is_measured else None
    if is_measured:
        return "loose" if _VAGUE_BEFORE.search(text[: number.start]) else "firm"
    if value in _ROUND:  # "a hundred reasons" is no count
        return "loose" if unit else None
    if value > _FEW and value == round(value):
        return "firm"
    is_han = text[number.start] in HAN or text[number.start] == "半"
    return "loose" if unit or not is_han else None


_SAME_AS_TWO = Pattern(
    r"\b(?:twice|double[sd]?|both|couple|pair|duo)\b|翻倍|一倍|双倍|[俩倆]",
    re.IGNORECASE,
)
_ABOUT = Pattern(
    rf"(?<![{HAN}])(?P<low>[一二两三四五六七八])(?P<high>[二三四五六七八九])(?=[{CLASSIFIERS}秒天年月分人块岁十百千万]"
    rf"|小时)"
)


def _about(match: re.Match[str]) -> Fact | None:
    """Return 七八个小时 as both its numbers: vague enough to go, but the same as 7 to 8 hours."""
    low, high = han_value(match["low"]), han_value(match["high"])
    return Fact(frozenset({("n", low), ("n", high)}), "", match[0], "faint")


_MORE_THAN = Pattern(rf"(?P<count>\d{{1,6}}[百千万亿]|[{HAN}]{{1,10}}[百千万萬亿])[多余餘来來](?!的?是)")


def _more_than(match: re.Match[str]) -> Fact:
    """Return 三万多 as its number, which may go: nobody said how much more."""
    return Fact(frozenset({("n", written_numbers(match["count"])[0].value)}), "", match[0], "faint")


# --- reading a line --------------------------------------------------------------------------

_AND_SMALL_CHANGE = Pattern(
    rf"(?<![\d.])(?P<whole>\d{{1,6}}|[{HAN}]{{1,8}})(?P<unit>块|塊|元|米)(?P<part>\d{{1,2}}"
    rf"|[一二三四五六七八九])(?:毛|角)?(?![\d{HAN}{CLASSIFIERS}元块天年月人万倍%])"
)


def _and_small_change(match: re.Match[str]) -> Fact:
    """Return 九块九, 9块9 and 1米65 as what they are: 9.9, 9.9 and 1.65."""
    part = match["part"] if match["part"].isascii() else f"{han_value(match['part']):.0f}"
    whole = float(match["whole"]) if match["whole"].isascii() else han_value(match["whole"])
    measure = MEASURES[match["unit"]]
    return Fact(_keys(whole + float(f"0.{part}"), measure, measure.name), measure.name, match[0], "firm")


_READERS: tuple[tuple[Pattern, Reader], ...] = (
    *READERS,
    (_AND_SMALL_CHANGE, _and_small_change),
    (_ABOUT, _about),
    (_MORE_THAN, _more_than),
    (_SAME_AS_TWO, lambda match: Fact(frozenset({("n", 2.0)}), "", match[0], "faint")),
)
_MAY_HOLD = Pattern(
    rf"[\d@半％{HAN}]|\.[a-z]{{2}}|[A-Z]{{3}}|\b(?:t[wehio]|o[n']|f[oi]|s[ie]|e[il]|n[i]|half|a (?:h"
    rf"|t|m|d|q|c)|double|both|couple|pair)",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def facts_of(line: str) -> tuple[Fact, ...]:
    """Return the facts of a line, as they stand in it."""
    if _MAY_HOLD.search(line) is None:
        return ()
    text = _NOT_SPOKEN.sub(_taken, half_width(line))
    found: list[tuple[int, Fact]] = []
    for pattern, read in _READERS:
        text = pattern.sub(partial(_take, read, found), text)
    text = _IDIOM.sub(_taken, text)
    found += [
        (number.start, fact)
        for number in written_numbers(text)
        if (fact := _counted(text, number)) is not None
    ]
    return tuple(fact for _, fact in sorted(found, key=lambda item: item[0]))


@lru_cache(maxsize=64)
def named_keys(instruction: str) -> frozenset[Key]:
    """Return the keys of everything in an instruction that might name a fact, bare numerals included."""
    said = LINE_REFERENCE.sub(" ", instruction)
    bare: set[Key] = {("n", number.value) for number in written_numbers(said)}
    return frozenset(bare | decades_named(said) | {key for fact in facts_of(said) for key in fact.keys})


def _take(read: Reader, found: list[tuple[int, Fact]], match: re.Match[str]) -> str:
    """Note the fact that a match is, and return what the next readers see in its place."""
    fact = read(match)
    if fact is None:
        return match[0]
    found.append((match.start(), fact))
    return _taken(match)


def _taken(match: re.Match[str]) -> str:
    return "\x00" * len(match[0])
