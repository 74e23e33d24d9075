"""A limit is about the service: batches that were given none keep it too while another one runs, on both databases."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.batches import Batch, BatchState, Bounds, Job, Limits, Permit, Recipe, Wait
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.batches.buckets import BETWEEN_SECONDS
from script_editor.store.sql import SqlScriptStore, open_store
from tests.store.support import ALICE, raw

RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")
JOB = Job(seq=1, script_id="video_001", base_number=1, instruction="改短一点", key="k")
FREE = Bounds()


@pytest.fixture
def batches(store: SqlScriptStore, store_url: str) -> Iterator[SqlBatchStore]:
    store.create("video_001", "一\n", provenance=ALICE)
    with open_batches(store_url) as opened:
        yield opened


def planned(batches: SqlBatchStore, bounds: Bounds) -> Batch:
    """Return a batch that runs."""
    batch = batches.create_batch(RECIPE, [JOB], target="propose", bounds=bounds)
    return batches.set_state(batch.id, "running")


def ask(batches: SqlBatchStore, batch: Batch, **wanted: Any) -> Permit | Wait:
    asked = {"service": "s", "worker_id": "w", "tokens": 100, "cost": 0.0, **wanted}
    return batches.take_permit(batch.id, 1, **asked)


def reason(answer: Permit | Wait) -> str:
    return answer.reason if isinstance(answer, Wait) else "granted"


def test_a_batch_without_a_limit_keeps_that_of_another(batches: SqlBatchStore):
    free, limited = planned(batches, FREE), planned(batches, Bounds(requests_per_minute=1))
    before = [reason(ask(batches, free)) for _ in range(3)]
    ask(batches, limited)

    after, elsewhere = ask(batches, free), ask(batches, free, service="another")

    assert ["granted"] * 3 == before
    assert ("requests", "granted") == (reason(after), reason(elsewhere))


def test_the_calls_of_a_batch_without_a_limit_count_for_the_other(batches: SqlBatchStore):
    free, limited = planned(batches, FREE), planned(batches, Bounds(tokens_per_minute=600))
    ask(batches, limited, tokens=1)

    answers = [ask(batches, free, tokens=600), ask(batches, limited, tokens=1)]

    assert ["granted", "tokens"] == [reason(answer) for answer in answers]


def test_each_kind_of_limit_is_kept_besides_a_batch_s_own(batches: SqlBatchStore):
    by_requests = planned(batches, Bounds(requests_per_minute=600))
    by_tokens = planned(batches, Bounds(tokens_per_minute=6000))
    ask(batches, by_tokens, tokens=3000)

    assert "tokens" == reason(ask(batches, by_requests))


def test_a_batch_s_own_limit_wins(batches: SqlBatchStore):
    strict, generous = (planned(batches, Bounds(requests_per_minute=limit)) for limit in (1, 6000))
    with freeze_time("2026-03-01 12:00:00"):
        ask(batches, generous)

        answers = [reason(ask(batches, generous)) for _ in range(5)]

    assert ["granted"] * 5 == answers
    assert "granted" == reason(ask(batches, strict))


@pytest.mark.parametrize("state", ["paused", "cancelled", "done"])
def test_a_limit_holds_for_others_only_while_its_batch_runs(batches: SqlBatchStore, state: BatchState):
    free, limited = planned(batches, FREE), planned(batches, Bounds(requests_per_minute=1))
    ask(batches, limited)
    while_it_runs = reason(ask(batches, free))

    if state == "done":
        batches.cancel_open(limited.id)
    batches.set_state(limited.id, state)

    assert ("requests", "granted") == (while_it_runs, reason(ask(batches, free)))


def test_a_limit_that_is_taken_away_holds_for_nobody_any_more(batches: SqlBatchStore):
    free, limited = planned(batches, FREE), planned(batches, Bounds(requests_per_minute=1))
    ask(batches, limited)

    batches.take_up(limited.id, terms=lambda batch: (batch.target, FREE))

    assert ["granted", "granted"] == [reason(ask(batches, batch)) for batch in (free, limited)]


def long_ago(url: str, table: str, column: str) -> None:
    """Let a moment be an hour old, as no clock of a server can be moved."""
    value = "'2026-03-01 12:00:00+00:00'" if table == "worker" else f"{column} - 3600"
    with raw(url) as connection:
        connection.execute(sa.text(f"UPDATE {table} SET {column} = {value}"))


def test_a_limit_holds_while_its_batch_waits_for_its_next_call(batches: SqlBatchStore, store_url: str):
    """A call may take minutes, and with one request a minute the next one waits as long."""
    free, limited = planned(batches, FREE), planned(batches, Bounds(requests_per_minute=1))
    batches.register_worker("w", host="here", pid=1)
    batches.begin_item(limited.id, 1, 1, worker_id="w")
    ask(batches, limited)
    long_ago(store_url, "rate_bucket", "requests_limited_until")

    at_work = reason(ask(batches, free))
    long_ago(store_url, "worker", "beat")
    silent = reason(ask(batches, free))

    assert ("requests", "granted") == (at_work, silent)


def test_a_limit_is_gone_with_the_last_process_of_its_batch(batches: SqlBatchStore, store_url: str):
    free, limited = planned(batches, FREE), planned(batches, Bounds(requests_per_minute=1))
    batches.register_worker("w", host="here", pid=1)
    batches.begin_item(limited.id, 1, 1, worker_id="w")
    ask(batches, limited)
    long_ago(store_url, "rate_bucket", "requests_limited_until")

    batches.forget_lost("w")

    assert "granted" == reason(ask(batches, free))


def test_between_two_items_a_batch_is_still_at_work(sqlite_url: str):
    """On SQLite alone, since PostgreSQL has a clock that no test can move."""
    with open_store(sqlite_url, create=False) as store, open_batches(sqlite_url) as batches:
        store.create("video_001", "一\n", provenance=ALICE)
        free, limited = planned(batches, FREE), planned(batches, Bounds(requests_per_minute=1))
        told = []
        with freeze_time("2026-03-01 12:00:00") as clock:
            ask(batches, limited)
            for seconds in (1, BETWEEN_SECONDS - 2, 2):
                clock.tick(seconds)
                told.append(reason(ask(batches, free)))

    assert ["requests", "requests", "granted"] == told


def test_of_two_limits_the_stricter_one_holds_as_long_as_its_batch_is_at_work(batches: SqlBatchStore):
    free = planned(batches, FREE)
    strict, generous = (planned(batches, Bounds(tokens_per_minute=limit)) for limit in (600, 60_000))
    ask(batches, strict, tokens=1)
    ask(batches, generous, tokens=1)
    both = batches.limits(free.id, service="s")

    batches.set_state(strict.id, "paused")
    ask(batches, generous, tokens=1)
    one = batches.limits(free.id, service="s")

    assert Limits(tokens_per_minute=600, tokens_by=strict.id) == both
    assert Limits(tokens_per_minute=60_000, tokens_by=generous.id) == one


def test_the_limits_that_hold_are_a_batch_s_own_or_those_of_another_one(batches: SqlBatchStore):
    own = planned(batches, Bounds(requests_per_minute=30))
    other = planned(batches, Bounds(requests_per_minute=10, tokens_per_minute=600))
    before = batches.limits(own.id, service="s")
    ask(batches, other)

    after, elsewhere = (batches.limits(own.id, service=service) for service in ("s", "another"))

    assert Limits(requests_per_minute=30) == before == elsewhere
    assert Limits(requests_per_minute=30, tokens_per_minute=600, tokens_by=other.id) == after


def test_who_calls_a_service_that_nobody_limits_writes_nothing(batches: SqlBatchStore, store_url: str):
    free = planned(batches, replace(FREE))
    batches.hold_off("s", 0)

    assert "granted" == reason(ask(batches, free))
    with raw(store_url) as connection:
        assert 0 == connection.exec_driver_sql("SELECT count(*) FROM batch_permit").scalar_one()
