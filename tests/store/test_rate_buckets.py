"""What a bucket remembers is not believed blindly: a clock that was put back, another limit, an absurd usage."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.batches import MAX_HOLD_SECONDS, Batch, Bounds, Job, Permit, Recipe, Wait
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.sql import SqlScriptStore, open_store
from tests.store.support import ALICE, raw

RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")
JOB = Job(seq=1, script_id="video_001", base_number=1, instruction="改短一点", key="k")
HOURS_6 = 6 * 3600


@pytest.fixture
def batches(store: SqlScriptStore, store_url: str) -> Iterator[SqlBatchStore]:
    store.create("video_001", "一\n", provenance=ALICE)
    with open_batches(store_url) as opened:
        yield opened


@contextmanager
def at_noon(url: str) -> Iterator[tuple[SqlBatchStore, Any]]:
    """Yield batches and their clock; on SQLite alone, since PostgreSQL has one that no test can move."""
    with open_store(url, create=False) as store, open_batches(url) as batches:
        store.create("video_001", "一\n", provenance=ALICE)
        with freeze_time("2026-03-01 12:00:00") as clock:
            yield batches, clock


def planned(batches: SqlBatchStore, bounds: Bounds) -> Batch:
    """Return a batch that runs."""
    batch = batches.create_batch(RECIPE, [JOB], target="propose", bounds=bounds)
    return batches.set_state(batch.id, "running")


def ask(batches: SqlBatchStore, batch: Batch, **wanted: Any) -> Permit | Wait:
    asked = {"service": "s", "worker_id": "w", "tokens": 100, "cost": 0.0, **wanted}
    return batches.take_permit(batch.id, 1, **asked)


def reason(answer: Permit | Wait) -> str:
    return answer.reason if isinstance(answer, Wait) else "granted"


def seconds(answer: Permit | Wait) -> float:
    return answer.seconds if isinstance(answer, Wait) else 0.0


def give(batches: SqlBatchStore, batch: Batch, **limits: Any) -> None:
    batches.take_up(batch.id, terms=lambda found: (found.target, Bounds(**limits)))


def written_ahead(url: str, by_seconds: float) -> None:
    """Let a bucket have been written by a clock that was ahead, and was put right since."""
    columns = (
        "requests_at",
        "tokens_at",
        "held_until",
        "moved_at",
        "requests_limited_until",
        "tokens_limited_until",
    )
    moved = ", ".join(f"{name} = {name} + {by_seconds}" for name in columns)
    with raw(url) as connection:
        connection.execute(sa.text(f"UPDATE rate_bucket SET {moved}"))


# --- a clock that was put back ---------------------------------------------------------------


@pytest.mark.parametrize("limits", [{"requests_per_minute": 600}, {"tokens_per_minute": 60_000}])
def test_a_clock_that_was_put_back_keeps_nobody_away(
    batches: SqlBatchStore, store_url: str, limits: dict[str, int]
):
    batch, free = planned(batches, Bounds(**limits)), planned(batches, Bounds())
    ask(batches, batch)
    written_ahead(store_url, HOURS_6)

    answers = [ask(batches, each) for each in (batch, free)]

    assert ["granted", "granted"] == [
        reason(answer) if seconds(answer) > 1 else "granted" for answer in answers
    ]


def test_after_a_clock_was_put_back_the_limit_is_kept_as_before(sqlite_url: str):
    with at_noon(sqlite_url) as (batches, clock):
        batch = planned(batches, Bounds(requests_per_minute=2))
        ask(batches, batch)
        clock.tick(-HOURS_6)

        answers = [ask(batches, batch) for _ in range(3)]

    assert ["granted", "requests", "requests"] == [reason(answer) for answer in answers]
    assert pytest.approx([0, 30.5, 30.5]) == [seconds(answer) for answer in answers]


def test_a_service_that_was_held_by_a_clock_ahead_is_asked_again(batches: SqlBatchStore, store_url: str):
    limited, free = planned(batches, Bounds(requests_per_minute=600)), planned(batches, Bounds())
    batches.hold_off("s", 40)
    written_ahead(store_url, HOURS_6)

    ahead = [reason(ask(batches, batch)) for batch in (free, limited)]
    batches.hold_off("s", 40)
    anew = seconds(ask(batches, free))

    assert ["granted", "granted"] == ahead
    assert 30 < anew <= 40


def test_nobody_is_held_off_longer_than_there_is_to_be_asked_again(batches: SqlBatchStore):
    free = planned(batches, Bounds())

    batches.hold_off("s", 100 * MAX_HOLD_SECONDS)

    assert MAX_HOLD_SECONDS - 10 < seconds(ask(batches, free)) <= MAX_HOLD_SECONDS


def test_who_asks_with_an_old_moment_is_no_clock_that_was_put_back(batches: SqlBatchStore, store_url: str):
    """A writer may have waited for the lock of a file since it looked at the clock."""
    batch = planned(batches, Bounds(requests_per_minute=1))
    ask(batches, batch)
    written_ahead(store_url, 30)

    assert seconds(ask(batches, batch)) > 80


# --- another limit ---------------------------------------------------------------------------


def test_what_was_counted_by_a_lower_limit_weighs_less_under_a_higher_one(sqlite_url: str):
    with at_noon(sqlite_url) as (batches, _clock):
        batch = planned(batches, Bounds(tokens_per_minute=20))
        ask(batches, batch, tokens=120)
        mistyped = seconds(ask(batches, batch, tokens=120))

        give(batches, batch, tokens_per_minute=200_000)
        right = seconds(ask(batches, batch, tokens=120))
        again = seconds(ask(batches, batch, tokens=120))

    assert pytest.approx(366.0) == mistyped
    assert pytest.approx([366.0 * 20 / 200_000] * 2, abs=1e-4) == [right, again]


def test_a_call_goes_as_soon_as_the_higher_limit_lets_it(sqlite_url: str):
    with at_noon(sqlite_url) as (batches, clock):
        batch = planned(batches, Bounds(requests_per_minute=1))
        ask(batches, batch)
        give(batches, batch, requests_per_minute=60)
        waited = seconds(ask(batches, batch))

        clock.tick(waited + 0.001)

        assert pytest.approx(61 / 60) == waited
        assert "granted" == reason(ask(batches, batch))


def test_a_batch_with_a_higher_limit_does_not_lift_that_of_one_at_work(sqlite_url: str):
    with at_noon(sqlite_url) as (batches, _clock):
        strict, generous = (planned(batches, Bounds(requests_per_minute=limit)) for limit in (1, 6000))
        ask(batches, strict)

        answers = [ask(batches, generous), ask(batches, strict)]

    assert pytest.approx([61.0, 61.0]) == [seconds(answer) for answer in answers]


def test_a_call_under_way_is_given_back_by_the_limit_that_holds_when_it_ends(sqlite_url: str):
    with at_noon(sqlite_url) as (batches, _clock):
        batch = planned(batches, Bounds(tokens_per_minute=20))
        permit = ask(batches, batch, tokens=120)
        assert isinstance(permit, Permit)
        give(batches, batch, tokens_per_minute=1200)
        ask(batches, batch)

        batches.settle_permit(permit.id, tokens=240, cost=None)

        assert pytest.approx(2 * 120 * 61 / 1200) == seconds(ask(batches, batch))


# --- an absurd usage -------------------------------------------------------------------------


def test_one_absurd_usage_keeps_nobody_away_for_long(sqlite_url: str):
    with at_noon(sqlite_url) as (batches, _clock):
        batch = planned(batches, Bounds(tokens_per_minute=60_000))
        permit = ask(batches, batch, tokens=1000)
        assert isinstance(permit, Permit)

        batches.settle_permit(permit.id, tokens=10**9, cost=None)

        assert pytest.approx(10 * 61 / 60) == seconds(ask(batches, batch))


def test_no_call_gives_money_back(batches: SqlBatchStore):
    batch = planned(batches, Bounds(price_in=1.0, price_out=1.0, budget=10.0))
    permit = ask(batches, batch, cost=1.0)
    assert isinstance(permit, Permit)

    batches.settle_permit(permit.id, tokens=1, cost=-1000.0)

    assert 0.0 == batches.tally(batch.id).spent
    assert "budget" == reason(ask(batches, batch, cost=11.0))
