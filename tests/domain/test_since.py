"""What a person means by --since, in the zone of the machine."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from script_editor.domain.since import parse_since, parse_span
from script_editor.errors import BadInput


@pytest.fixture(autouse=True)
def shanghai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def now() -> datetime:
    """Return Wednesday, 2026-11-25 at 01:30 in Shanghai, where it is still Tuesday in UTC."""
    return datetime(2026, 11, 24, 17, 30, tzinfo=UTC).astimezone()


@pytest.mark.parametrize(
    ("said", "local"),
    [
        ("2026-11-20", "2026-11-20 00:00"),
        ("2026/11/20", "2026-11-20 00:00"),
        ("2026.11.20", "2026-11-20 00:00"),
        ("2026年11月20日", "2026-11-20 00:00"),
        ("２０２６－１１－２０", "2026-11-20 00:00"),
        ("11-20", "2026-11-20 00:00"),
        ("11月20日", "2026-11-20 00:00"),
        ("12-24", "2025-12-24 00:00"),
        ("2026-11-20 14:30", "2026-11-20 14:30"),
        ("2026-11-20T14:30:05", "2026-11-20 14:30"),
        ("2026-11-20T14:30Z", "2026-11-20 22:30"),
        ("2026-11-20T14:30:00+08:00", "2026-11-20 14:30"),
        ("00:15", "2026-11-25 00:15"),
        ("today", "2026-11-25 00:00"),
        ("今天", "2026-11-25 00:00"),
        ("yesterday", "2026-11-24 00:00"),
        ("昨天 08:00", "2026-11-24 08:00"),
        ("前天", "2026-11-23 00:00"),
        ("monday", "2026-11-23 00:00"),
        ("Mon", "2026-11-23 00:00"),
        ("since Monday", "2026-11-23 00:00"),
        ("wednesday", "2026-11-25 00:00"),
        ("thursday", "2026-11-19 00:00"),
        ("last wednesday", "2026-11-18 00:00"),
        ("last monday", "2026-11-23 00:00"),
        ("周一", "2026-11-23 00:00"),
        ("星期天", "2026-11-22 00:00"),
        ("上周一", "2026-11-16 00:00"),
        ("上个星期三", "2026-11-18 00:00"),
        ("this week", "2026-11-23 00:00"),
        ("本周", "2026-11-23 00:00"),
        ("last week", "2026-11-16 00:00"),
        ("上周", "2026-11-16 00:00"),
        ("3d", "2026-11-22 01:30"),
        ("3 days ago", "2026-11-22 01:30"),
        ("the last 3 days", "2026-11-22 01:30"),
        ("3天前", "2026-11-22 01:30"),
        ("最近三天", "2026-11-22 01:30"),
        ("两周前", "2026-11-11 01:30"),
        ("a week ago", "2026-11-18 01:30"),
        ("90min", "2026-11-25 00:00"),
        ("半小时前", "2026-11-25 01:00"),
        ("12h", "2026-11-24 13:30"),
    ],
)  # fmt: skip
def test_a_moment_is_read_in_the_users_zone(said: str, local: str) -> None:
    moment = parse_since(said, now())

    assert moment.astimezone().strftime("%Y-%m-%d %H:%M") == local
    assert moment.utcoffset() is not None


@pytest.mark.parametrize(
    "said",
    ["", "soon", "3", "d", "3x", "2026-13-01", "2026-02-30", "25:00", "99999y", "tomorrow", "周八", "last", "2027-01-01",
     "今天 later", "--", "上周八"],
)  # fmt: skip
def test_anything_else_is_refused_with_what_may_be_said(said: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_since(said, now())

    assert "2026-11-20" in refused.value.hint


def test_summer_time_between_then_and_now_does_not_move_midnight(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    after = datetime(2026, 10, 26, 12, 0, tzinfo=UTC).astimezone()

    assert parse_since("2026-10-24", after).astimezone(UTC) == datetime(2026, 10, 23, 22, 0, tzinfo=UTC)
    assert parse_since("saturday", after).astimezone(UTC) == datetime(2026, 10, 23, 22, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "span"),
    [("30d", timedelta(days=30)), ("12 hours", timedelta(hours=12)), ("2周", timedelta(weeks=2)),
     ("三天", timedelta(days=3)), ("0d", timedelta(0)), ("1 month", timedelta(days=30))],
)  # fmt: skip
def test_a_span_is_a_number_and_a_unit(said: str, span: timedelta) -> None:
    assert parse_span(said) == span


@pytest.mark.parametrize("said", ["", "30", "monday", "-3d", "3 parsecs"])
def test_what_is_no_span_is_refused(said: str) -> None:
    with pytest.raises(BadInput):
        parse_span(said)
