"""How long a script is wanted to be, as a person says it: in an option, or among the words of an instruction."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from script_editor.domain.amounts import SHARE, TIME, fold, number_of, seconds_of, share_of
from script_editor.domain.targets.clauses import clauses
from script_editor.domain.targets.forms import AT_LEAST, AT_MOST, EN_FORMS, ZH_FORMS
from script_editor.errors import BadInput

Bound = Literal["about", "at_most", "at_least"]

ABOUT, ABOUT_SECONDS = 0.10, 2.0
"""How far "about 45 s" may be missed: a tenth, and 2 s at least. Speakers differ by more than that."""
OVER = 0.03
"""How far a limit may be passed: what rounding and one syllable come to, and no more."""
POINTS = 0.05
"""How far a share of the old length may be missed: 20 % shorter is 15 to 25."""

_DAY_SECONDS, _LARGEST_RATIO = 86_400, 10.0
_SHORTEST_WISH = 5.0
"""Fewer seconds are a pause or a shot, never a script."""
_HINT = (
    r"\d|[秒半倍]|[一二两兩三四五六七八九]\s*成|分[钟鐘之]|[零〇一二两兩三四五六七八九十百][个個]?[\s-]*分|[a-z][\s-]*分"
    r"|second|minute|hour|half|halve|third|quarter|fifth|percent|twice|double"
)
"""Without any of these no length is named; most instructions need no closer look."""
_AMOUNT = rf"{TIME}|{SHARE}|倍|halve|twice|double|\d ?(?:times|x)\b"
"""Without any of these no form matches a clause. The forms take a hundred times as long to compile."""
_EXAMPLES = (
    "Write a time (45s, 1m30s, 1:30, 45秒, 一分半) or a share (90%, -20%, 20% shorter, half, 缩短20%, 一半)."
)
_EXAMPLES_ZH = "请写时间（45s、1m30s、1:30、45秒、一分半）或比例（90%、-20%、缩短20%、一半）。"


@dataclass(frozen=True, slots=True, kw_only=True)
class DurationTarget:
    """A wanted spoken time: exactly one of `seconds`, and `ratio` of the base's time (0.8 is 20 % shorter).

    `bound` says whether the figure is meant as such, or as a limit in one direction.
    """

    seconds: float | None = None
    ratio: float | None = None
    bound: Bound = "about"

    def wanted_seconds(self, before_seconds: float) -> float:
        """Return the time meant, for a base that takes `before_seconds`."""
        return self.seconds if self.seconds is not None else (self.ratio or 0.0) * before_seconds

    def meets(self, before_seconds: float, after_seconds: float) -> bool:
        """Say whether a text of `after_seconds`, made of one of `before_seconds`, is as long as wanted.

        About a time: a tenth, or 2 s if that is more. About a share: five points. A limit: 3 %.
        """
        wanted = self.wanted_seconds(before_seconds)
        match self.bound:
            case "at_most":
                over, slack = after_seconds - wanted, OVER * wanted
            case "at_least":
                over, slack = wanted - after_seconds, OVER * wanted
            case "about":
                over = abs(after_seconds - wanted)
                slack = POINTS * before_seconds if self.ratio else max(ABOUT * wanted, ABOUT_SECONDS)
        return over <= slack + 1e-6  # what sums of fractions may be off by

    def __str__(self) -> str:
        if self.seconds is not None:
            return f"{_LIMITS[self.bound]}{round(self.seconds, 1):g} s"
        percent = round(100 * ((self.ratio or 0.0) - 1), 1)
        if percent == 0:
            return f"{_LIMITS[self.bound]}the same length"
        # To be at most 80 % of the old length is to be at least 20 % shorter.
        bound = _TURNED[self.bound] if percent < 0 else self.bound
        return f"{_LIMITS[bound]}{abs(percent):g} % {'shorter' if percent < 0 else 'longer'}"


_LIMITS: dict[Bound, str] = {"about": "", "at_most": "at most ", "at_least": "at least "}
_TURNED: dict[Bound, Bound] = {"about": "about", "at_most": "at_least", "at_least": "at_most"}


def parse_target(text: str) -> DurationTarget:
    """Return the target that an option's value names, such as `45s`, `1:30`, `一分半`, `-20%` or `half`.

    A bare number is seconds. A bare share is what remains of the old length ("90%"), one with a sign or
    with a word for it is the difference ("-20%", "20% shorter"). Raises BadInput with examples otherwise.
    """
    wish = fold(text)
    target = _bare(wish) or next(_targets_of(wish), None)
    if target is None:
        raise BadInput(
            f"{text!r} is not a length that a script can have.", hint=_EXAMPLES,
            zh=f"“{text}”不是一个时长。", zh_hint=_EXAMPLES_ZH,
        )  # fmt: skip
    return target


def target_in(instruction: str) -> DurationTarget | None:
    """Return the length that an instruction asks the whole script to have, None when it names none.

    Precision comes first: a time that is content ("把煮面时间改成四分钟"), quoted, or about a part of the
    script ("把开头压到三秒") is no target, nor are two that contradict each other. Of a time and a share,
    the time counts.
    """
    if not re.search(_HINT, instruction, re.IGNORECASE):
        return None
    found = [target for clause in clauses(instruction) for target in _targets_of(clause)]
    times = [target for target in found if target.seconds is not None] or found
    return times[0] if len(set(times)) == 1 else None


def _bare(wish: str) -> DurationTarget | None:
    """Read an option's value that is an amount with or without a sign or a limit."""
    bound = _bound(wish)
    amount = re.sub(f"{AT_MOST}|{AT_LEAST}|左右|about|around|~", "", wish).strip()
    if re.fullmatch(r"\d{1,5}(?:\.\d{1,3})?", amount):
        return _time(float(amount), bound)
    if re.fullmatch(TIME, amount):
        return _time(seconds_of(amount), bound)
    signed = re.fullmatch(rf"(?P<sign>[-+])? ?(?P<share>{SHARE})", amount)
    if signed is None:
        return None
    share = share_of(signed["share"])
    return _ratio(
        share if signed["sign"] is None else 1 + share if signed["sign"] == "+" else 1 - share, bound
    )


def _targets_of(clause: str) -> Iterator[DurationTarget]:
    """Yield the target that a whole clause names, if it names one that a script can have."""
    if not re.search(_AMOUNT, clause):
        return
    forms = ZH_FORMS if re.search("[一-龥]", clause) else EN_FORMS
    for found in (re.fullmatch(form, clause) for form in forms):
        target = found and _target(found, _bound(clause))
        if target:
            yield target
            return


def _target(found: re.Match[str], bound: Bound) -> DurationTarget | None:
    parts = found.groupdict()
    if time := parts.get("time"):
        seconds = seconds_of(time)
        if low := parts.get("low"):
            seconds, bound = (_low_seconds(low, time) + seconds) / 2, "about"
        return _time(seconds, bound) if seconds >= _SHORTEST_WISH else None
    if share := parts.get("share"):
        part = share_of(share)
        if parts.get("to") is not None:
            return _ratio(part, bound)
        if parts.get("grow"):
            return _ratio(1 + part, bound)
        return _ratio(1 - part, _TURNED[bound])
    if times := parts.get("times"):
        return _ratio(number_of(times), bound)
    return _ratio(0.5 if parts.get("half") else 2.0, bound)


def _low_seconds(low: str, time: str) -> float:
    """Return the lower end of a range; `45 to 60 seconds` names its unit once."""
    return seconds_of(re.sub(r"^\d+", low, time)) if low.isdigit() else seconds_of(low)


def _bound(clause: str) -> Bound:
    if re.search(AT_MOST, clause):
        return "at_most"
    return "at_least" if re.search(AT_LEAST, clause) else "about"


def _time(seconds: float, bound: Bound) -> DurationTarget | None:
    return DurationTarget(seconds=seconds, bound=bound) if 0 < seconds <= _DAY_SECONDS else None


def _ratio(ratio: float, bound: Bound) -> DurationTarget | None:
    return DurationTarget(ratio=round(ratio, 6), bound=bound) if 0 < ratio <= _LARGEST_RATIO else None
