"""When to ask a service again, and how long to wait before. Decides; it neither sends nor sleeps."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MAX_RETRY_AFTER_SECONDS = 60.0
FIRST_BACKOFF_SECONDS = 0.5
MAX_BACKOFF_SECONDS = 20.0

_PASSING_STATUSES = frozenset({408, 409, 429})  # timed out, lock held, too many requests


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """A request brought no reply and is sent again after `seconds`; 0 says that this is done now.

    `retry` of at most `retries` it will be. `is_busy` says that the service answered, if only that it cannot.
    """

    seconds: float
    retry: int
    retries: int
    is_busy: bool


OnWait = Callable[[Wait], None]


def no_wait_told(_wait: Wait) -> None:
    """Tell nobody."""


def is_passing(status: int) -> bool:
    """Whether an HTTP status speaks of trouble that may be over at the next try."""
    return status in _PASSING_STATUSES or status >= 500


def wait_seconds(failures: int, retry_after: float | None, jitter: Callable[[], float]) -> float:
    """Return how long to wait after that many failures in a row, the first being 1.

    What the service asked for wins, up to MAX_RETRY_AFTER_SECONDS. Otherwise the wait doubles, and
    `jitter` (0 to 1) takes up to half of it away, so that many clients do not come back at once.
    """
    if retry_after is not None:
        return min(retry_after, MAX_RETRY_AFTER_SECONDS)
    doubled = FIRST_BACKOFF_SECONDS * 2.0 ** min(failures - 1, 10)
    return min(doubled, MAX_BACKOFF_SECONDS) * (1 - jitter() / 2)


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Return the wait that a service asked for, or None when it asked for none that makes sense.

    `headers` has lower-case names. Read are `retry-after-ms`, then `retry-after` in seconds or as a
    date. A date is measured from the service's own `date`, since its clock and ours may differ.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        seconds = _number(headers.get(name, "")) * unit
        if math.isfinite(seconds) and seconds > 0:
            return seconds
    until = _date(headers.get("retry-after", ""))
    if until is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    seconds = (until - now).total_seconds()
    return seconds if seconds > 0 else None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # no date, or none of a year that there can be
        return None
    # "-0000" and a missing zone are read as a naive time; HTTP dates are always UTC.
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
