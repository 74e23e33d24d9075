"""Facts that are no plain count: addresses, codes and telephone numbers, decades and clock times.

A fact has `keys`, all the ways to say it: 半小时, 30 minutes and 三十分钟 share one. Two facts are the same when
they share a key.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from script_editor.domain.written_numbers import HAN, han_value
from script_editor.patterns import Pattern

Weight = Literal["firm", "loose", "faint"]
Key = tuple[str, float | str]


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as written. `unit` is what is counted, in one spelling, "" when unknown.

    `weight` says what a loss means: a firm fact must be kept; a loose one (两个, three things) may go in
    other words, but not become another number; a faint one (一勺) counts only when another number of the
    same unit takes its place.
    """

    keys: frozenset[Key]
    unit: str
    text: str
    weight: Weight

    def is_same_as(self, other: "Fact") -> bool:
        """Say whether two facts share a key; where both measure the same kind of thing, in that measure.

        So 三分钟 is not 三天, and 9 am is not 9 pm, but "at nine" may be either.
        """
        kinds = {kind for kind, _ in self.keys} & {kind for kind, _ in other.keys} - {"n"}
        shared = self.keys & other.keys
        if not kinds and self._amounts and other._amounts:
            return self._amounts | other._amounts == {"pound", "mass"}  # "pounds" may be either
        return any(kind in kinds for kind, _ in shared) if kinds else bool(shared)

    @property
    def _amounts(self) -> set[str]:
        """What it is an amount of, where that cannot be another thing: 3 kg are not 3 km, nor £5 $5."""
        return {kind for kind, _ in self.keys} & _AMOUNTS


_AMOUNTS = frozenset({"time", "length", "mass", "volume", "data", "yuan", "dollar", "euro", "pound"})
Reader = Callable[[re.Match[str]], Fact | None]

# --- names -----------------------------------------------------------------------------------

_URL_END = r"[^\s，。！？、；：“”《》（）()<>\[\]\x00]"
_ADDRESS = Pattern(
    r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32}){1,4}"
    rf"|(?:https?://|www\.){_URL_END}+"
    rf"|\b[\w-]{{1,40}}(?:\.[\w-]{{1,40}}){{0,3}}\.(?:(?:com|cn|net|org|io|co|tv|me|app|dev|ai|shop"
    rf"|info|edu|gov|fm|xyz|store|online|site|club|uk|de|fr|jp|eu|gg|cc)\b(?:/{_URL_END}*)?"
    rf"|[a-z]{{2,6}}/{_URL_END}+)"
    r"|(?<![\w@])@[A-Za-z0-9_.]{2,30}",
    re.IGNORECASE | re.ASCII,
)
_CODE_ANNOUNCED = Pattern(
    r"(?:优惠码|折扣码|邀请码|兑换码|优惠口令|口令|暗号|\bcode|\bcoupon)\s*(?:是|为|：|:|is)?\s*[“\"'「]?"
    r"(?P<code>\\?(?-i:[A-Z0-9])(?-i:[A-Z0-9_-]){2,}(?![a-z]))",
    re.IGNORECASE,
)
_PHONE = Pattern(r"(?<![\d.])\+?\d{2,4}(?:[- ]\d{3,4}){1,3}(?!\d)|(?<![\d.])\d{7,}(?![\d.])")
_CODE = Pattern(r"(?<![A-Za-z0-9.])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?:\+|(?![A-Za-z0-9]))", re.ASCII)
_FIGURE_AND_UNIT = Pattern(r"\d[\d.,]*(?:[A-Za-z]{1,3}|k)$")
_HYPHENED_WORDS = Pattern(r"\d+(?:-[A-Za-z]{3,})+$")  # 12-year-old, 45-second


def _name(kind: str, written: str) -> Fact:
    plain = (
        re.sub(r"^https?://|^www\.|/$", "", written.casefold().rstrip(".,;:!?"))
        if kind == "address"
        else written
    )
    written = written.rstrip(".,;:!?")
    return Fact(frozenset({(kind, re.sub(r"[^\w@./?=&%#]|_", "", plain.casefold()))}), kind, written, "firm")


def _code(match: re.Match[str]) -> Fact | None:
    written = match[0]
    has_both = any(char.isdigit() for char in written) and any(char.isalpha() for char in written)
    if not has_both or _FIGURE_AND_UNIT.fullmatch(written) or _HYPHENED_WORDS.fullmatch(written):
        return None
    return _name("code", written)


def _phone(match: re.Match[str]) -> Fact | None:
    digits = re.sub(r"\D", "", match[0])
    return Fact(frozenset({("phone", digits)}), "phone", match[0], "firm") if len(digits) >= 7 else None


# --- times -----------------------------------------------------------------------------------

_ERA = Pattern(
    rf"(?P<century>\d{{1,2}}|[{HAN}]{{1,3}})世[纪紀](?P<decade>\d{{2}}|[{HAN}]{{2,3}})年代"
    rf"|上(?:个|個)?世[纪紀](?P<last>\d{{2}}|[{HAN}]{{2,3}})年代|(?<!\d)(?P<year>\d{{3}}0)(?:['’]?s\b|年代)"
)
_DAY_PART = r"(?:早上|上午|中午|下午|晚上|凌晨|傍晚|夜里|清晨|今晚|明早|每晚|早晨|到|至|从)"
_CLOCK = Pattern(
    rf"(?P<part>{_DAY_PART})?(?P<zh>\d{{1,2}}|[{HAN}]{{1,3}})(?:[点點]"
    rf"|[时時](?=[\d一二三四五六半整许，。、,；\s]|$))(?P<sure>钟|鐘|整)?"
    rf"(?:(?P<minute_zh>\d{{1,2}}|[{HAN}]{{2,3}})(?:分(?!之)|(?![\d{HAN}倍元块个万]))|(?P<half>半)"
    rf"|(?P<quarter>[一三13])刻)?"
    r"|(?<![\d:])(?P<hour>\d{1,2})[:：](?P<minute>\d{2})(?![\d:])(?: ?[ap]\.?m\b\.?)?"
    r"|\b(?P<am>\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) ?[ap]\.?m\b\.?"
    r"|\b(?P<oclock>\w{1,6}) o['’]clock\b|\bhalf past (?P<past>\w{1,6})\b",
    re.IGNORECASE,
)
_NOT_A_CLOCK = Pattern(r"[建要注意说想看理原好小内提心都不]|[ ]?(?:[:：])")
_HOURS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12,
}  # fmt: skip
_MORNING = Pattern(r"早|上午|凌晨|清晨|a\.?m", re.IGNORECASE)
_EVENING = Pattern(r"下午|晚|傍晚|夜|p\.?m", re.IGNORECASE)


def _era(match: re.Match[str]) -> Fact:
    if match["year"]:
        year = float(match["year"])
    elif match["last"]:
        year = 1900 + _whole(match["last"])
    else:
        year = 100 * (_whole(match["century"]) - 1) + _whole(match["decade"])
    return Fact(frozenset({("era", year), ("n", year)}), "era", match[0], "firm")


_DECADE = Pattern(rf"(?<!\d)(?P<digits>\d0)(?:['’]?s\b|年代)|(?<!世纪)(?<!世紀)(?P<han>[{HAN}]{{1,2}}十)年代")


def decades_named(text: str) -> frozenset[tuple[str, float]]:
    """Return the keys of the decades that "60年代", "六十年代" or "the 60s" may mean, in any century."""
    tens = [
        float(match["digits"]) if match["digits"] else _whole(match["han"])
        for match in _DECADE.finditer(text)
    ]
    return frozenset(("era", 100 * century + ten) for ten in tens for century in range(10, 22))


def _clock(match: re.Match[str]) -> Fact | None:
    minute, is_sure = 0.0, True
    if match["zh"]:
        hour = _whole(match["zh"])
        is_exact = bool(
            match["minute_zh"] or match["half"] or match["quarter"] or match["sure"] or match["part"]
        )
        if not is_exact and (hour == 1 or _NOT_A_CLOCK.match(match.string, match.end())):
            return None
        is_sure = is_exact or match["zh"].isdigit()
        minute = _whole(match["minute_zh"]) if match["minute_zh"] else 30.0 if match["half"] else 0.0
        minute = 15 * _whole(match["quarter"]) if match["quarter"] else minute
    else:
        written = match["hour"] or match["am"] or match["oclock"] or match["past"]
        hour = float(written) if written.isdigit() else float(_HOURS.get(written.lower(), -1))
        minute = float(match["minute"] or (30 if match["past"] else 0))
    if not 0 <= hour <= 24 or minute >= 60:
        return None
    keys: set[Key] = {("clock", time) for time in _times(hour, minute, match[0])}
    keys |= {("n", hour), ("n", hour % 12 or 12.0)} if minute == 0 else set()
    return Fact(frozenset(keys), "clock", match[0], "firm" if is_sure else "loose")


_TURN_OF_THE_DAY = Pattern(
    r"\b(?P<noon>(?:at |12 |before |after |until |till |by |from )noon)\b"
    r"|\b(?:at |12 |before |after |until |till |by |from )midnight\b|(?P<noon_zh>正午)|午夜|子夜",
    re.IGNORECASE,
)


def _turn_of_the_day(match: re.Match[str]) -> Fact:
    time = 720.0 if match["noon"] or match["noon_zh"] else 0.0
    return Fact(frozenset({("clock", time), ("n", 12.0)}), "clock", match[0], "loose")


def _times(hour: float, minute: float, written: str) -> set[float]:
    """Return the minutes of the day that a clock time may mean: two when it does not say which half."""
    time = 60 * hour + minute
    if hour > 12 or hour == 0:
        return {time % 1440}
    early, late = time % 720, time % 720 + 720
    if hour < 12 and _EVENING.search(written):
        return {late}
    return {early} if hour < 12 and _MORNING.search(written) else {early, late}


def _whole(written: str) -> float:
    return float(written) if written.isascii() else han_value(written)


_SHORTCUT = Pattern(
    r"(?<![A-Za-z])(?:(?:ctrl|cmd|command|alt|shift|option|win)\s?\+\s?){1,3}[A-Z0-9]\w{0,4}", re.IGNORECASE
)

READERS: tuple[tuple[Pattern, Reader], ...] = (
    (_ADDRESS, lambda match: _name("address", match[0])),
    (_CODE_ANNOUNCED, lambda match: _name("code", match["code"])),
    (_SHORTCUT, lambda match: _name("code", match[0])),
    (_PHONE, _phone),
    (_ERA, _era),
    (_CLOCK, _clock),
    (_TURN_OF_THE_DAY, _turn_of_the_day),
    (_CODE, _code),
)
"""In this order: what one reader took, the next ones do not see."""
