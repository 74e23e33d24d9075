"""A limit is about the service: batches that were given none keep it too while another one runs, on both databases."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from freezegun import freeze_time

from script_editor.domain.batches import Batch, Bounds, Job, Permit, Recipe, Wait
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.batches.permits import KEPT_SECONDS
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
    return batches.create_batch(RECIPE, [JOB], target="propose", bounds=bounds)


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


def test_a_limit_is_forgotten_some_time_after_its_batch_has_called_last(sqlite_url: str):
    """On SQLite alone, since PostgreSQL has a clock that no test can move."""
    with open_store(sqlite_url, create=False) as store, open_batches(sqlite_url) as batches:
        store.create("video_001", "一\n", provenance=ALICE)
        free, limited = planned(batches, FREE), planned(batches, Bounds(requests_per_minute=1))
        told = []
        with freeze_time("2026-03-01 12:00:00") as clock:
            ask(batches, limited)
            for seconds in (30, 60, KEPT_SECONDS, 1):
                clock.tick(seconds)
                told.append(reason(ask(batches, free)))

    assert ["requests", "granted", "granted", "granted"] == told
    with raw(sqlite_url) as connection:
        counted = connection.exec_driver_sql("SELECT count(*) FROM batch_permit").scalar_one()
    assert 2 == counted, "that of the limited batch and the one of the other that it was counted with"


def test_who_calls_a_service_that_nobody_limits_writes_nothing(batches: SqlBatchStore, store_url: str):
    free = planned(batches, replace(FREE))
    batches.hold_off("s", 0)

    assert "granted" == reason(ask(batches, free))
    with raw(store_url) as connection:
        assert 0 == connection.exec_driver_sql("SELECT count(*) FROM batch_permit").scalar_one()
