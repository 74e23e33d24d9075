"""Several real worker processes on one store, what they are told from outside, and how they leave.

Those that are marked have a long form, with more items and more of what happens to them.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.store.durable import durable_databases
from script_editor.store.sql import open_store
from tests.batch.real_workers import CALLS, HANG_SECONDS, Work, working
from tests.store.support import ALICE, raw
from tests.store.taking_up import take_up

IS_SOAK = bool(os.environ.get("SCRIPT_EDITOR_SOAK"))


@contextmanager
def engine_outside(work: Work) -> Iterator[DbosEngine]:
    """Yield an engine that takes no items, as a second command has it."""
    databases = durable_databases(work.url, workers=1)
    engine = DbosEngine(databases, queue="edits-test")
    engine.start(lambda _ref, _steps: None, workers=0)
    try:
        yield engine
    finally:
        engine.close()
        databases.store.dispose()
        databases.system.dispose()


@pytest.mark.soak
def test_many_items_at_once_do_not_lock_each_other_out_of_a_sqlite_file(sqlite_url: str) -> None:
    count = 1_000 if IS_SOAK else 300

    with working(sqlite_url, count, mode="direct") as work:
        work.finish(workers=32)

        work.assert_applied_once()
        assert work.service.total == count


def test_a_large_worker_takes_few_of_the_connections_that_a_server_has(postgres_url: str) -> None:
    """Of a hundred, which is what a server has unless it is told otherwise: for five such workers."""
    most = 20
    counted: list[int] = []

    with working(postgres_url, 100, mode="direct", seconds=0.1) as work:
        processes = [work.begin(workers=32) for _ in range(2)]
        while work.is_open:
            counted.append(connections(work.url))
        for process in processes:
            assert process.end() == "over"

        work.assert_applied_once()
        assert work.service.total == 100
    assert 2 < max(counted) <= 2 * most


def connections(url: str) -> int:
    """Return how many connections a database has, besides the one that asks."""
    at_it = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    with raw(url) as connection:
        return int(connection.execute(sa.text(f"SELECT count(*) {at_it}")).scalar_one())


@pytest.mark.soak
def test_two_processes_share_a_batch_and_do_it_once(store_url: str) -> None:
    items = 600 if IS_SOAK else 40

    with working(store_url, items, seconds=0.05) as work:
        processes = [work.begin(workers=4) for _ in range(2)]  # each submits everything
        for process in processes:
            assert process.end() == "over"

        work.assert_applied_once()
        assert work.service.total == items * CALLS


@pytest.mark.soak
def test_a_cancelled_batch_stops_and_goes_on_where_it_stood(store_url: str) -> None:
    cancels, items = (6, 80) if IS_SOAK else (1, 12)

    with working(store_url, items) as work:
        for number in range(cancels):
            cancel_and_take_up(work, submits=number == 0)
        work.finish(workers=4, submits=False)

        work.assert_applied_once()
        assert work.states() == {"done": items}
        # No more than what was under way is asked again.
        assert work.service.total <= items * CALLS + 4 * cancels


def cancel_and_take_up(work: Work, *, submits: bool) -> None:
    """Cancel a batch in the middle of the work, check that it stands still, and queue it again."""
    enough, is_cancelled = work.service.total + 6, threading.Event()

    def keep_back(_script_id: str, _kind: str) -> None:
        if work.service.total >= enough:
            is_cancelled.wait(HANG_SECONDS)

    work.service.on_call = keep_back
    process = work.begin(workers=4, submits=submits)
    work.wait(lambda: work.service.total >= enough)
    with work.store() as batches, engine_outside(work) as engine:
        batches.set_state(work.batch_id, "cancelled")
        batches.cancel_open(work.batch_id)
        engine.cancel(work.refs())
        is_cancelled.set()
        assert process.end() == "over"
        stopped, states = work.service.total, work.states()
        take_up(batches, work.batch_id, with_cancelled=True)
        engine.resume(work.refs())

    assert states["cancelled"] + states["done"] == work.count
    assert states["cancelled"] > 0
    assert stopped <= enough + 4


def test_an_item_that_ends_in_the_moment_in_which_its_batch_is_cancelled_asks_nothing_again(
    store_url: str,
) -> None:
    with working(store_url, 1) as work, work.store() as batches:

        def cancel(_script_id: str, kind: str) -> None:
            if kind == "answer":
                batches.set_state(work.batch_id, "cancelled")
                batches.cancel_open(work.batch_id)

        work.service.on_call = cancel
        assert work.begin().end() == "over"
        assert work.states() == {"cancelled": 1}
        take_up(batches, work.batch_id, with_cancelled=True)
        work.finish(submits=False)

        work.assert_applied_once()
        assert work.service.total == CALLS


def test_a_paused_batch_stands_still_and_goes_on_where_it_stood(store_url: str) -> None:
    with working(store_url, 12, seconds=0.2) as work:
        process = work.begin(workers=4)
        work.wait(lambda: work.service.total >= 6)
        with work.store() as batches:
            batches.set_state(work.batch_id, "paused", reason="sample")
            time.sleep(0.8)  # long enough for a whole item
            stood = work.service.total
            assert work.states()["done"] < 12
            batches.set_state(work.batch_id, "running")
        assert process.end() == "over"  # the worker that gave it up takes it up again

        assert stood <= 6 + 4 + 4
        work.assert_applied_once()
        assert work.service.total == 12 * CALLS


@pytest.mark.soak
def test_a_script_that_a_person_edits_meanwhile_is_a_conflict_and_what_was_made_is_kept(
    store_url: str,
) -> None:
    items, chance = (90 if IS_SOAK else 3), random.Random(13)
    # Whichever call a person edits in, it is after the item was loaded.
    edits = {f"video_{n:06}": chance.choice(("plan", "rewrite", "answer")) for n in range(2, items + 1, 3)}

    with working(store_url, items) as work, open_store(work.url, create=False) as scripts:

        def edit(script_id: str, kind: str) -> None:
            if edits.get(script_id) == kind:
                scripts.append(script_id, "Mine now.\n", expected_head=1, source="edit", provenance=ALICE)

        work.service.on_call = edit
        work.finish()

        assert len(edits) == items // 3
        for item in work.items():
            is_edited = item.job.script_id in edits
            assert item.state == ("conflict" if is_edited else "done")
            if is_edited:
                assert scripts.head(item.job.script_id).text == "Mine now.\n"
                assert (item.proposal_id is None, item.result_number) == (False, None)


def test_ctrl_c_lets_running_items_end_and_takes_no_more(store_url: str) -> None:
    with working(store_url, 40, seconds=0.1) as work:
        process = work.begin(workers=4)
        work.wait(lambda: work.service.total >= 8)
        process.send_signal(signal.SIGINT)
        said = process.end()
        left = work.states()
        work.finish()

        assert (process.exit_code, said) == (130, "drained")
        assert left["running"] == 0
        assert left["queued"] > 20
        work.assert_applied_once()
        assert [item.crashes for item in work.items()] == [0] * 40
        assert work.service.total == 40 * CALLS


def test_what_does_not_end_in_time_after_ctrl_c_is_left_to_the_others_at_once(store_url: str) -> None:
    with working(store_url, 4, seconds=2.0) as work:
        process = work.begin(workers=2, drain_seconds=0.2)
        work.wait(lambda: work.service.total >= 2)
        other = work.begin(workers=2, silent_seconds=3600.0)
        process.send_signal(signal.SIGINT)
        assert process.end() == "left"  # long before the call that it made is answered
        work.service.seconds = 0.0
        assert other.end() == "over"

        work.assert_applied_once()
        assert [item.crashes for item in work.items()] == [0] * 4


def test_a_lost_worker_leaves_no_call_that_others_wait_for(store_url: str) -> None:
    with working(store_url, 2, seconds=0.5) as work:
        lost = work.begin(workers=2)
        work.wait(lambda: work.service.total >= 2)
        lost.kill()
        work.finish()

        with work.store() as batches:
            tally = batches.tally(work.batch_id)
            assert not tally.in_flight
            assert not batches.workers(silent_seconds=0.0)
