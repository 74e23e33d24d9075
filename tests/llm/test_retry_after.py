"""What a service asks for in `Retry-After`, and what nobody can wait for."""

import pytest

from script_editor.llm.retry import retry_after_seconds

NOON = "Wed, 04 Mar 2026 12:00:00 GMT"


@pytest.mark.parametrize(
    "told",
    [
        "Wed, 04 Mar 99999999999999999999 12:00:00 GMT",
        "Wed, 04 Mar 2147483648 12:00:00 GMT",
        "Wed, 04 Mar 10000 12:00:00 GMT",
        "Wed, 99999999999999999999 Mar 2026 12:00:00 GMT",
        "Wed, 04 Mar 2026 12:00:00 +99999999999999999999",
        "1e999",
        "soon",
        "",
    ],
)
def test_what_makes_no_sense_is_no_wait(told: str) -> None:
    assert retry_after_seconds({"retry-after": told, "date": NOON}) is None


def test_a_date_of_the_service_that_makes_no_sense_is_not_used() -> None:
    headers = {"retry-after": "Wed, 04 Mar 9998 12:00:00 GMT", "date": "Wed, 04 Mar 99999999999 12:00:00 GMT"}

    assert (retry_after_seconds(headers) or 0) > 0


def test_a_date_is_measured_from_that_of_the_service() -> None:
    assert 5.0 == retry_after_seconds({"retry-after": "Wed, 04 Mar 2026 12:00:05 GMT", "date": NOON})
