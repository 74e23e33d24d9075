"""Moments in the past as people write them: `2026-11-20`, `monday`, `3d`, `昨天`, `周一`, `3天前`. In the user's zone.

A day means its beginning; a weekday is the last one, today included. The present is given, and nothing here reads
a clock.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from unicodedata import normalize

from script_editor.domain.written_numbers import han_value
from script_editor.errors import BadInput
from script_editor.patterns import Pattern

_HINT = "Use a date (2026-11-20, 11-20), a time (14:30), a day (today, yesterday, monday) or a span (3d, 12h, 2w)."
_SPANS: Mapping[str, timedelta] = {
    **dict.fromkeys(("min", "mins", "minute", "minutes", "m", "分钟"), timedelta(minutes=1)),
    **dict.fromkeys(("h", "hour", "hours", "小时", "个小时", "钟头", "个钟头"), timedelta(hours=1)),
    **dict.fromkeys(("d", "day", "days", "天"), timedelta(days=1)),
    **dict.fromkeys(("w", "week", "weeks", "周", "星期", "个星期", "礼拜", "个礼拜"), timedelta(weeks=1)),
    **dict.fromkeys(("mo", "month", "months", "个月"), timedelta(days=30)),
    **dict.fromkeys(("y", "year", "years", "年"), timedelta(days=365)),
}
_DAYS_AGO: Mapping[str, int] = {
    "today": 0, "今天": 0, "今日": 0, "yesterday": 1, "昨天": 1, "昨日": 1, "前天": 2, "大前天": 3,
}  # fmt: skip
_WEEKDAYS: Mapping[str, int] = {
    spelled: number
    for number, (name, han) in enumerate(
        zip(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"), "一二三四五六日", strict=True)
    )
    for spelled in (
        name, name[:3], f"{name[:3]}.", *(f"{week}{han}" for week in ("周", "星期", "礼拜", "週")),
    )
} | {"tues": 1, "weds": 2, "thur": 3, "thurs": 3, "周天": 6, "星期天": 6, "礼拜天": 6}  # fmt: skip
_SPAN = Pattern(
    r"(\d{1,6}|[一二两三四五六七八九十百]{1,4}|an?|半)\s*([a-z]+|[\u4e00-\u9fff]+?)\s*(?:ago|以前|之前|前)?"
)
_LAST = Pattern(r"(?:the )?(?:last|past) (?=\S+ )|(?:过去|最近|近)的?")
_DATE = Pattern(r"(?:(\d{4})\s*[-/.年])?\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号]?(?:[t\s]+(.+))?")
_TIME = Pattern(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,6})?)?")
_ZONED = Pattern(r"\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?:z|[+-]\d{2}:?\d{2})")


def parse_since(raw: str, now: datetime) -> datetime:
    """Return the moment that a person means; `now` is the present with the user's zone.

    Raises:
        BadInput: it is none of these, or lies in the future.
    """
    said = normalize("NFKC", raw).strip().lower().removeprefix("since ").strip()
    try:
        moment = _zoned(said) or _span_before(said, now) or _day(said, now) or _date(said, now)
    except (ValueError, OverflowError) as error:  # the 31st of June, a million years ago
        raise BadInput(f"{raw!r} is no moment.", hint=_HINT) from error
    if moment is None:
        raise BadInput(f"{raw!r} is no moment.", hint=_HINT)
    if moment > now:
        raise BadInput(f"{raw!r} lies in the future.", hint=_HINT)
    return moment


def parse_span(raw: str) -> timedelta:
    """Return the length of time that `30d`, `12h`, "2 weeks" or "3天" names. Raises BadInput."""
    span = _span(normalize("NFKC", raw).strip().lower())
    if span is None:
        raise BadInput(f"{raw!r} is no length of time.", hint="Use a number and a unit: 30d, 12h, 2w.")
    return span


def _span(said: str) -> timedelta | None:
    named = _SPAN.fullmatch(_LAST.sub("", said))
    if named is None or named[2] not in _SPANS:
        return None
    unit = _SPANS[named[2]]
    return unit * _number(named[1])


def _number(said: str) -> float:
    if said in ("a", "an"):
        return 1
    if said == "半":
        return 0.5
    return int(said) if said.isdecimal() else float(han_value(said) or 0)


def _span_before(said: str, now: datetime) -> datetime | None:
    span = _span(said)
    return None if span is None else now - span


def _zoned(said: str) -> datetime | None:
    return datetime.fromisoformat(said.upper()) if _ZONED.fullmatch(said) else None


def _day(said: str, now: datetime) -> datetime | None:
    """Return the beginning of a day that is named, with a time of day behind it if there is one."""
    name, _, time = said.partition(" ")
    if name in ("this", "last") and time:
        return _week(name, time, now)
    if said in ("本周", "这周", "这星期", "这个星期", "本星期"):
        return _midnight(now, now.weekday())
    if said in ("上周", "上星期", "上个星期"):
        return _midnight(now, now.weekday() + 7)
    if last := re.fullmatch(r"(?:上个?|last )(?=周|星期|礼拜|週)(.+)", said):
        return None if last[1] not in _WEEKDAYS else _midnight(now, now.weekday() + 7 - _WEEKDAYS[last[1]])
    if name in _DAYS_AGO:
        return _at(_midnight(now, _DAYS_AGO[name]), time)
    if name in _WEEKDAYS:
        return _at(_midnight(now, (now.weekday() - _WEEKDAYS[name]) % 7), time)
    if _TIME.fullmatch(said):
        return _at(_midnight(now, 0), said)
    return None


def _week(which: str, named: str, now: datetime) -> datetime | None:
    """Return the beginning of this or the last week, or of a weekday in it."""
    start = now.weekday() + (7 if which == "last" else 0)
    if named == "week":
        return _midnight(now, start)
    if named not in _WEEKDAYS:
        return None
    if which == "last":  # the last Monday is the one before today, whatever week that was in
        return _midnight(now, (now.weekday() - _WEEKDAYS[named] - 1) % 7 + 1)
    return _midnight(now, start - _WEEKDAYS[named])


def _date(said: str, now: datetime) -> datetime | None:
    named = _DATE.fullmatch(said)
    if named is None:
        return None
    year, month, day, time = named.groups()
    found = now.replace(year=int(year or now.year), month=int(month), day=int(day))
    if year is None and found > now:  # a day without a year is the last one of that name
        found = found.replace(year=now.year - 1)
    return _at(_midnight(found, 0), time or "")


def _at(midnight: datetime, time: str) -> datetime | None:
    if not time:
        return midnight
    named = _TIME.fullmatch(time.strip())
    if named is None:
        return None
    return _local(midnight.replace(hour=int(named[1]), minute=int(named[2]), second=int(named[3] or 0)))


def _midnight(now: datetime, days_ago: int) -> datetime:
    day = now - timedelta(days=days_ago)
    return _local(day.replace(hour=0, minute=0, second=0, microsecond=0))


def _local(moment: datetime) -> datetime:
    """Return a wall-clock time with the offset that holds on its own day: summer time may lie between."""
    return moment.replace(tzinfo=None).astimezone()
