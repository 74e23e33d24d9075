"""How a batch is taken up again, whatever became of it: no item is lost, and none is said to be at work that waits."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import replace

import pytest

from script_editor.batch.planning.plan import PlanRequest
from script_editor.batch.planning.sources import of_ids
from script_editor.batch.progress import BatchEnded, Began
from script_editor.batch.service import HowToRun
from script_editor.domain.batches import Bounds, Wait
from script_editor.errors import Conflict
from script_editor.store.batch_store import SqlBatchStore, open_batches
from tests.batch.service_desk import Desk, Service
from tests.batch.test_service import FUNNIER, Serve, last, opened, until
from tests.batch.working.test_leaving import overtaken
from tests.store.taking_up import as_they_are, on
from tests.support.openai_server import status


@pytest.fixture
def serve(store_url: str) -> Iterator[Serve]:
    with opened(store_url) as made:
        yield made


@pytest.fixture
def desk(store_url: str) -> Iterator[Desk]:
    with closing(Desk(store_url)) as made:
        yield made


@pytest.fixture
def batches(desk: Desk) -> Iterator[SqlBatchStore]:
    _ = desk.app.services  # which makes the store
    with open_batches(desk.url) as found:
        yield found


# --- cancelled items -------------------------------------------------------------------------


def test_a_retry_of_a_cancelled_batch_loses_none_of_its_cancelled_items(serve: Serve) -> None:
    fails = {"now": True}
    service = Service(
        lambda number, _call: status(400, "not today") if number == 1 and fails["now"] else None
    )
    desk = serve(service)
    batch_id = desk.plan(desk.fill(4), instruction=FUNNIER)
    desk.run(batch_id, sample=1)
    desk.batches.cancel(batch_id)
    assert desk.states(batch_id) == {"failed": 1, "cancelled": 3}
    fails["now"] = False

    events = desk.retry(batch_id)

    assert isinstance(last(events), BatchEnded)
    assert desk.states(batch_id) == {"done": 4}


@pytest.mark.parametrize("state", ["running", "paused", "done"])
def test_resume_takes_up_cancelled_items_whatever_the_batch_says(
    desk: Desk, batches: SqlBatchStore, state: str
) -> None:
    """As a process that was killed in the middle of it has left them."""
    batch_id = desk.plan(desk.fill(3))
    desk.batches.cancel(batch_id)
    batches.set_state(batch_id, "running")
    batches.set_state(batch_id, state)  # type: ignore[arg-type]

    events = desk.resume(batch_id)

    assert isinstance(last(events), BatchEnded)
    assert desk.states(batch_id) == {"done": 3}


def test_a_batch_is_taken_up_with_all_its_items_or_not_at_all(desk: Desk, batches: SqlBatchStore) -> None:
    batch_id = desk.plan(desk.fill(3))
    desk.batches.cancel(batch_id)
    batch = batches.batch(batch_id)

    with suppress(Conflict):
        batches.take_up(batch_id, terms=on("apply", batch.bounds), with_cancelled=True, unless=("cancelled",))
    refused = batches.batch(batch_id), desk.states(batch_id)
    taken = batches.take_up(batch_id, terms=on("apply", batch.bounds), with_cancelled=True)

    assert refused == (batch, {"cancelled": 3})
    assert (taken.state, taken.target, desk.states(batch_id)) == ("running", "apply", {"queued": 3})


def test_a_run_changes_only_what_its_own_options_name(desk: Desk, batches: SqlBatchStore) -> None:
    """Another one may begin between its look at the batch and its own begin, and has said what it may take."""
    with ExitStack() as stack:
        batch_ids: list[str] = []

        def begin_as_well() -> None:
            how = HowToRun(target="apply", requests_per_minute=7, budget=5.0)
            other.begin("run", batch_ids[0], how)

        other = overtaken(desk, batches, stack, "never", lambda: None)
        slow = overtaken(desk, batches, stack, "before its engine is made", begin_as_well)
        request = PlanRequest(author="tester", instruction=FUNNIER, sources=[of_ids(desk.fill(1))])
        planned = slow.plan(request).batch
        assert planned is not None
        batch_ids.append(planned.id)

        slow.begin("run", planned.id, HowToRun(tokens_per_minute=9000))

        begun = batches.batch(planned.id)
    assert begun.target == "apply"
    assert begun.bounds == Bounds(
        requests_per_minute=7, tokens_per_minute=9000, budget=5.0, price_in=1.0, price_out=2.0
    )


# --- left early ------------------------------------------------------------------------------


def test_a_run_that_is_left_early_pauses_its_batch(serve: Serve) -> None:
    desk = serve(Service())
    batch_id = desk.plan(desk.fill(3), instruction=FUNNIER)
    events = desk.batches.run(batch_id, HowToRun(workers=2), is_stopping=lambda: False)
    assert isinstance(next(events), Began)

    events.close()  # type: ignore[attr-defined]

    batch = desk.batches.status(batch_id).batch
    assert (batch.state, batch.pause_reason) == ("paused", "interrupted")
    assert desk.batches.workers() == 0
    desk.resume(batch_id)
    assert desk.states(batch_id) == {"done": 3}


def test_a_run_that_fails_where_it_is_asked_whether_to_stop_pauses_its_batch(desk: Desk) -> None:
    batch_id = desk.plan(desk.fill(3))

    def fails() -> bool:
        raise RuntimeError("the terminal is gone")

    with pytest.raises(RuntimeError, match="terminal"):
        list(desk.batches.run(batch_id, HowToRun(workers=2), is_stopping=fails))

    batch = desk.batches.status(batch_id).batch
    assert (batch.state, batch.pause_reason) == ("paused", "interrupted")


# --- paused ----------------------------------------------------------------------------------


def test_items_of_a_paused_batch_wait_though_a_worker_lives_that_had_them(serve: Serve) -> None:
    service = Service()
    desk = serve(service)
    batch_id = desk.plan(desk.fill(6), instruction=FUNNIER)
    service.hold.clear()
    leaving = threading.Event()
    worker = threading.Thread(
        target=lambda: list(desk.batches.work(workers=2, is_stopping=leaving.is_set)), daemon=True
    )
    with open_batches(desk.url) as batches:
        batches.take_up(batch_id, terms=as_they_are)
        worker.start()
        until(lambda: desk.states(batch_id).get("running", 0) >= 2)

        batches.set_state(batch_id, "paused", reason="budget")
        service.hold.set()
        until(lambda: "running" not in desk.states(batch_id))
        stood = batches.items(batch_id)
        batches.take_up(batch_id, terms=as_they_are)
        until(lambda: desk.states(batch_id) == {"done": 6})
    leaving.set()
    worker.join(60)

    assert {item.state for item in stood} <= {"queued", "done"}
    assert [item.crashes for item in stood] == [0] * 6
    assert set(service.calls.values()) == {1}


def test_a_call_that_finds_no_money_pauses_the_batch_and_an_older_one_does_not(
    desk: Desk, batches: SqlBatchStore
) -> None:
    batch_id = desk.plan(desk.fill(1))
    bounds = replace(batches.batch(batch_id).bounds, budget=1.0, price_in=1.0, price_out=1.0)
    batches.take_up(batch_id, terms=on("propose", bounds))

    def ask() -> object:
        return batches.take_permit(batch_id, 1, service="s", worker_id="w", tokens=1, cost=2.0)

    answer, paused = ask(), batches.batch(batch_id)
    batches.take_up(batch_id, terms=on("propose", replace(bounds, budget=5.0)))

    assert answer == Wait(seconds=0.0, reason="budget")
    assert (paused.state, paused.pause_reason) == ("paused", "budget")
    assert not isinstance(ask(), Wait)
    assert batches.batch(batch_id).state == "running"
