"""What all workers together may take from a service and from a budget, on both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.batches import Batch, Bounds, Job, Permit, Recipe, Wait
from script_editor.errors import BatchNotFound
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.sql import SqlScriptStore, open_store
from tests.store.support import ALICE, raw
from tests.store.taking_up import on

SERVICE = f"https://models.example/v1 {'m' * 80}"
RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")
FREE = Bounds()
PRICED = Bounds(price_in=1.0, price_out=2.0)
BOUNDED = replace(PRICED, budget=10.0)
THREADS = 8


@pytest.fixture
def batches(store: SqlScriptStore, store_url: str) -> Iterator[SqlBatchStore]:
    for script_id in ("video_001", "video_002"):
        store.create(script_id, "一\n", provenance=ALICE)
    with open_batches(store_url, workers=THREADS) as opened:
        yield opened


def planned(batches: SqlBatchStore, bounds: Bounds) -> Batch:
    jobs = [
        Job(seq=seq, script_id=script_id, base_number=1, instruction="改短一点", key=script_id)
        for seq, script_id in enumerate(("video_001", "video_002"), 1)
    ]
    return batches.create_batch(RECIPE, jobs, target="propose", bounds=bounds)


def ask(batches: SqlBatchStore, batch: Batch, **wanted: Any) -> Permit | Wait:
    asked = {"service": SERVICE, "worker_id": "w", "tokens": 100, "cost": 1.0, **wanted}
    return batches.take_permit(batch.id, 1, **asked)


def granted(answer: Permit | Wait) -> Permit:
    assert isinstance(answer, Permit), answer
    return answer


def waiting(answer: Permit | Wait) -> Wait:
    assert isinstance(answer, Wait), answer
    return answer


def test_without_limits_everybody_may_call(batches: SqlBatchStore):
    batch = planned(batches, FREE)

    permits = [granted(ask(batches, batch)) for _ in range(50)]
    for permit in permits:
        batches.settle_permit(permit.id, tokens=1, cost=None)

    assert 50 == len(permits)
    assert (None, None) == (batches.tally(batch.id).spent, batches.tally(batch.id).in_flight)


def test_a_permit_is_asked_for_a_batch_that_is_there(batches: SqlBatchStore):
    with pytest.raises(BatchNotFound):
        batches.take_permit("b-nothere", 1, service=SERVICE, worker_id="w", tokens=1, cost=0.0)


def test_requests_are_spread_over_the_minute(batches: SqlBatchStore):
    batch = planned(batches, Bounds(requests_per_minute=2))

    granted(ask(batches, batch))
    wait = waiting(ask(batches, batch))

    assert "requests" == wait.reason
    assert 0 < wait.seconds <= 30.5
    granted(ask(batches, batch, service="another"))


def test_two_batches_share_what_a_service_allows(batches: SqlBatchStore):
    first, second = (planned(batches, Bounds(requests_per_minute=1)) for _ in range(2))

    granted(ask(batches, first))

    assert "requests" == waiting(ask(batches, second)).reason


def test_tokens_are_counted_as_reckoned_until_the_call_is_over(batches: SqlBatchStore):
    batch = planned(batches, Bounds(tokens_per_minute=6000))
    permit = granted(ask(batches, batch, tokens=3000))
    reckoned = waiting(ask(batches, batch, tokens=1))

    batches.settle_permit(permit.id, tokens=2000, cost=None)
    settled = waiting(ask(batches, batch, tokens=1))

    assert ("tokens", "tokens") == (reckoned.reason, settled.reason)
    assert settled.seconds < reckoned.seconds - 10, "a third of half a minute is given back"


def test_a_call_that_took_nothing_makes_room_at_once(batches: SqlBatchStore):
    batch = planned(batches, Bounds(tokens_per_minute=600))
    permit = granted(ask(batches, batch, tokens=600))
    waiting(ask(batches, batch, tokens=600))

    batches.settle_permit(permit.id, tokens=0, cost=None)

    granted(ask(batches, batch, tokens=600))


def test_a_call_that_is_bigger_than_a_minute_goes_alone(batches: SqlBatchStore):
    batch = planned(batches, Bounds(tokens_per_minute=1000))

    granted(ask(batches, batch, tokens=3000))

    assert 60 < waiting(ask(batches, batch, tokens=1)).seconds <= 183


def test_a_call_uses_up_its_share_of_a_minute_and_of_the_slack(sqlite_url: str):
    """On SQLite alone, since PostgreSQL has a clock that no test can move."""
    with open_store(sqlite_url, create=False) as store, open_batches(sqlite_url) as batches:
        for script_id in ("video_001", "video_002"):
            store.create(script_id, "一\n", provenance=ALICE)
        with freeze_time("2026-03-01 12:00:00"):
            by_requests = planned(batches, Bounds(requests_per_minute=2))
            by_tokens = planned(batches, Bounds(tokens_per_minute=6000))
            big = planned(batches, Bounds(tokens_per_minute=1000))

            granted(ask(batches, by_requests, service="a"))
            permit = granted(ask(batches, by_tokens, service="b", tokens=3000))
            granted(ask(batches, big, service="c", tokens=3000))
            waits = [
                waiting(ask(batches, batch, service=service, tokens=1)).seconds
                for batch, service in ((by_requests, "a"), (by_tokens, "b"), (big, "c"))
            ]
            batches.settle_permit(permit.id, tokens=2000, cost=None)
            settled = waiting(ask(batches, by_tokens, service="b", tokens=1)).seconds

    assert pytest.approx([30.5, 30.5, 183.0]) == waits
    assert pytest.approx(30.5 * 2 / 3) == settled


def test_a_service_that_asks_everybody_to_wait_is_left_alone(batches: SqlBatchStore):
    limited, free = planned(batches, Bounds(requests_per_minute=600)), planned(batches, FREE)

    batches.hold_off(SERVICE, 40)
    batches.hold_off(SERVICE, 5)

    for batch in (limited, free):
        wait = waiting(ask(batches, batch))
        assert "service" == wait.reason and 5 < wait.seconds <= 40
        granted(ask(batches, batch, service="another"))


@pytest.mark.parametrize("per_minute", [1, 3, 60, 200])
def test_no_minute_sees_more_requests_than_it_may_and_none_is_wasted(sqlite_url: str, per_minute: int):
    """On SQLite alone, since PostgreSQL has a clock that no test can move."""
    minutes, moments = 4, []
    with open_store(sqlite_url, create=False) as store, open_batches(sqlite_url) as batches:
        for script_id in ("video_001", "video_002"):
            store.create(script_id, "一\n", provenance=ALICE)
        with freeze_time("2026-03-01 12:00:00") as clock:
            batch = planned(batches, Bounds(requests_per_minute=per_minute))
            start = clock()
            while clock() - start < timedelta(minutes=minutes):
                answer = ask(batches, batch)
                if isinstance(answer, Permit):
                    moments.append(clock())
                else:
                    clock.tick(answer.seconds + 0.0005)  # nobody wakes in time

    for first, moment in enumerate(moments):
        minute = [other for other in moments[first:] if other - moment <= timedelta(seconds=60)]
        assert len(minute) <= per_minute
    assert len(moments) >= 0.97 * minutes * per_minute - 1


def test_threads_that_ask_at_once_get_no_more_than_a_minute_allows(batches: SqlBatchStore):
    batch = planned(batches, Bounds(requests_per_minute=1, tokens_per_minute=60))

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(lambda _: ask(batches, batch, tokens=30), range(40)))

    assert 1 == sum(isinstance(answer, Permit) for answer in answers)


def test_money_is_counted_as_reckoned_until_the_call_is_over(batches: SqlBatchStore):
    batch = planned(batches, PRICED)
    first, second = (granted(ask(batches, batch, cost=2.5)) for _ in range(2))

    batches.settle_permit(first.id, tokens=10, cost=0.5)
    during = batches.tally(batch.id)
    batches.settle_permit(second.id, tokens=None, cost=None)
    after = batches.tally(batch.id)

    assert (0.5, 2.5) == (during.spent, during.in_flight)
    assert (3.0, 0.0) == (after.spent, after.in_flight)
    assert [after] == list(batches.batches())


def test_a_permit_is_settled_once(batches: SqlBatchStore):
    batch = planned(batches, PRICED)
    permit = granted(ask(batches, batch, cost=2.0))

    for cost in (1.0, 5.0):
        batches.settle_permit(permit.id, tokens=10, cost=cost)
    batches.settle_permit("c-nothere", tokens=10, cost=1.0)

    assert 1.0 == batches.tally(batch.id).spent


def test_a_budget_is_never_gone_past(batches: SqlBatchStore):
    batch = planned(batches, BOUNDED)
    permits = [granted(ask(batches, batch, cost=4.0)) for _ in range(2)]

    while_they_run = waiting(ask(batches, batch, cost=4.0))
    batches.settle_permit(permits[0].id, tokens=1, cost=1.0)
    after_a_cheap_one = granted(ask(batches, batch, cost=4.0))
    for permit in (permits[1], after_a_cheap_one):
        batches.settle_permit(permit.id, tokens=1, cost=4.0)
    used_up = waiting(ask(batches, batch, cost=1.5))

    assert ("budget", "budget") == (while_they_run.reason, used_up.reason)
    assert while_they_run.seconds > 0 == used_up.seconds
    assert 9.0 == batches.tally(batch.id).spent
    granted(ask(batches, batch, cost=1.0))


def test_a_call_that_costs_more_than_the_budget_is_never_made(batches: SqlBatchStore):
    batch = planned(batches, BOUNDED)

    assert Wait(seconds=0.0, reason="budget") == ask(batches, batch, cost=10.5)
    assert 0.0 == batches.tally(batch.id).in_flight


def test_a_budget_that_grows_lets_the_batch_go_on(batches: SqlBatchStore):
    batch = planned(batches, replace(BOUNDED, budget=1.0))
    batches.settle_permit(granted(ask(batches, batch)).id, tokens=1, cost=1.0)
    waiting(ask(batches, batch))

    batches.take_up(batch.id, terms=on("propose", replace(BOUNDED, budget=2.0)))

    granted(ask(batches, batch))


def test_a_wait_for_the_service_takes_nothing_of_the_budget(batches: SqlBatchStore):
    batch = planned(batches, replace(BOUNDED, requests_per_minute=1))
    granted(ask(batches, batch))

    assert "requests" == waiting(ask(batches, batch)).reason
    assert 1.0 == batches.tally(batch.id).in_flight


def test_threads_that_ask_at_once_never_go_past_the_budget(batches: SqlBatchStore):
    batch = planned(batches, BOUNDED)

    def call(number: int) -> float:
        answer = ask(batches, batch, cost=1.0)
        if isinstance(answer, Wait):
            return 0.0
        cost = 0.5 if number % 2 else 1.0
        batches.settle_permit(answer.id, tokens=1, cost=cost)
        return cost

    with ThreadPoolExecutor(THREADS) as pool:
        paid = sum(pool.map(call, range(60)))

    tally = batches.tally(batch.id)
    assert (paid, 0.0) == (tally.spent, tally.in_flight)
    assert 9.0 < paid <= 10.0


def test_the_calls_of_a_lost_worker_count_as_spent(batches: SqlBatchStore):
    batch = planned(batches, PRICED)
    lost = granted(ask(batches, batch, worker_id="lost", cost=2.0))
    granted(ask(batches, batch, worker_id="w", cost=3.0))

    for _ in range(2):
        batches.forget_lost("lost")
    batches.settle_permit(lost.id, tokens=1, cost=0.1)

    tally = batches.tally(batch.id)
    assert (2.0, 3.0) == (tally.spent, tally.in_flight)


def test_the_calls_of_a_worker_that_left_count_as_spent(batches: SqlBatchStore):
    batch = planned(batches, PRICED)
    batches.register_worker("w", host="here", pid=1)
    granted(ask(batches, batch, cost=2.0))

    batches.forget_worker("w")

    assert (2.0, 0.0) == (batches.tally(batch.id).spent, batches.tally(batch.id).in_flight)


def test_the_calls_of_workers_that_are_gone_are_found_whatever_became_of_their_items(
    batches: SqlBatchStore, store_url: str
):
    """A crash can leave calls whose item was cancelled, so that nobody comes by for it."""
    batch = planned(batches, BOUNDED)
    for worker_id in ("w", "silent", "idle"):
        batches.register_worker(worker_id, host="here", pid=1)
    for worker_id in ("w", "silent", "unknown"):
        granted(ask(batches, batch, worker_id=worker_id, cost=3.0))
    with raw(store_url) as connection:
        long_ago = sa.text("UPDATE worker SET beat = :moment WHERE id <> 'w'")
        connection.execute(long_ago, {"moment": "2026-03-01 12:00:00+00:00"})

    lost = batches.lost_workers(silent_seconds=60)
    for worker_id in lost:
        batches.forget_lost(worker_id)

    assert {"silent", "unknown", "idle"} == lost
    assert frozenset() == batches.lost_workers(silent_seconds=60)
    tally = batches.tally(batch.id)
    assert (6.0, 3.0) == (tally.spent, tally.in_flight), "the worker that lives keeps its call"
    assert (True, False) == (batches.beat("w"), batches.beat("silent"))


def test_what_nobody_told_of_a_call_is_in_its_batch_s_money_as_what_it_was_reckoned_with(
    batches: SqlBatchStore,
):
    """Its tokens are nowhere, so whoever shows both sums has to know."""
    batch = planned(batches, PRICED)
    batches.register_worker("w", host="here", pid=1)
    told, untold, _lost = (granted(ask(batches, batch, cost=2.0)) for _ in range(3))
    batches.settle_permit(told.id, tokens=10, cost=0.5)
    before = batches.tally(batch.id)

    batches.settle_permit(untold.id, tokens=None, cost=None)
    batches.forget_lost("w")

    after = batches.tally(batch.id)
    assert (0.5, 0.0, 0) == (before.spent, before.reckoned, before.untold)
    assert (4.5, 4.0, 2) == (after.spent, after.reckoned, after.untold)


def test_a_batch_that_stands_still_for_its_budget_knows_which_call_did_not_fit(batches: SqlBatchStore):
    batch = planned(batches, replace(BOUNDED, budget=1.0))
    batches.set_state(batch.id, "running")

    waiting(ask(batches, batch, cost=1.25))
    paused = batches.batch(batch.id)
    again = batches.set_state(batch.id, "running")

    assert ("paused", "budget", 1.25) == (paused.state, paused.pause_reason, paused.refused_cost)
    assert again.refused_cost is None


def test_a_batch_is_over_its_budget_when_more_was_spent(batches: SqlBatchStore):
    batch = planned(batches, BOUNDED)
    first, second = (granted(ask(batches, batch, cost=5.0)) for _ in range(2))

    batches.settle_permit(first.id, tokens=1, cost=5.0)
    batches.settle_permit(second.id, tokens=1, cost=5.0)
    at_it = batches.tally(batch.id).is_over_budget
    batches.take_up(batch.id, terms=lambda found: (found.target, replace(BOUNDED, budget=9.99)))

    assert (False, True) == (at_it, batches.tally(batch.id).is_over_budget)
