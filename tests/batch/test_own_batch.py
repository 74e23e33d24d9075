"""Who works on which batch: a run on its own alone, a worker on everything that runs and that was not queued whole."""

import threading
import time
from collections.abc import Iterator

import pytest

from script_editor.batch.progress import BatchEnded, ItemEnded, Left, Paused
from script_editor.domain.batches import Ending
from script_editor.store.batch_store import open_batches
from script_editor.store.engine import writing
from tests.batch.service_desk import HANG_SECONDS, Desk, Service, ended
from tests.batch.test_service import FUNNIER, Serve, last, opened, until
from tests.store.support import engine_of
from tests.store.taking_up import as_they_are


@pytest.fixture
def serve(store_url: str) -> Iterator[Serve]:
    with opened(store_url) as made:
        yield made


def worked(desk: Desk, until_done: str) -> list[object]:
    """Let a worker work until a batch is done."""
    end = time.monotonic() + HANG_SECONDS

    def is_stopping() -> bool:
        return time.monotonic() > end or desk.batches.status(until_done).batch.state == "done"

    return list(desk.batches.work(workers=2, is_stopping=is_stopping))


def let_run(desk: Desk, batch_id: str) -> None:
    """Say that a batch runs, and queue nothing: as a run has left it that was killed in this moment."""
    with open_batches(desk.url) as batches:
        batches.take_up(batch_id, terms=as_they_are)


# --- a run -----------------------------------------------------------------------------------


def test_a_run_neither_does_nor_pays_what_a_killed_run_of_another_batch_left(serve: Serve) -> None:
    service = Service()
    desk = serve(service)
    ids = desk.fill(9)
    crashed, own = desk.plan(ids[:6], instruction=FUNNIER), desk.plan(ids[6:], instruction=FUNNIER)
    service.hold.clear()
    with desk.elsewhere("run", crashed) as other:
        until(lambda: service.calls.total() == 2)
        other.kill()
    service.hold.set()

    events = desk.run(own)

    assert isinstance(last(events), BatchEnded)
    assert ended(events) == ids[6:]
    assert service.calls.total() == 2 + 3
    assert "done" not in desk.states(crashed)
    assert desk.batches.workers(crashed) == 0
    desk.resume(crashed)
    assert desk.states(crashed) == {"done": 6}


def test_who_runs_another_batch_does_not_go_on_with_this_one(serve: Serve) -> None:
    service = Service()
    desk = serve(service)
    ids = desk.fill(12)
    others, own = desk.plan(ids[:4], instruction=FUNNIER), desk.plan(ids[4:], instruction=FUNNIER)
    service.hold.clear()

    with desk.elsewhere("run", others) as other:
        until(lambda: service.calls.total() == 2)
        threading.Timer(3.0, service.hold.set).start()
        events = desk.run(
            own, is_stopping=lambda: service.calls.total() >= 6
        )  # more than the other one takes
        other.wait(HANG_SECONDS)

    assert isinstance(last(events), Paused)
    assert (desk.batches.workers(own), desk.batches.status(own).batch.pause_reason) == (0, "interrupted")
    assert desk.states(others) == {"done": 4}


def test_a_batch_is_done_when_its_last_item_ends_whoever_ended_it(serve: Serve) -> None:
    """A run that is killed right after the last result was written cannot say so."""
    desk = serve(Service())
    batch_id = desk.plan(desk.fill(2), instruction=FUNNIER)
    let_run(desk, batch_id)
    with open_batches(desk.url) as batches, engine_of(desk.url) as engine:
        for seq in (1, 2):
            with writing(engine) as session:
                batches.end_item(session, batch_id, seq, 1, Ending(state="unchanged"))

    assert desk.batches.status(batch_id).batch.state == "done"
    assert [tally.batch.state for tally in desk.batches.list()] == ["done"]
    (event,) = desk.resume(batch_id)
    assert isinstance(event, BatchEnded)
    with open_batches(desk.url) as batches:
        assert batches.batch(batch_id).state == "done"


# --- a worker --------------------------------------------------------------------------------


def test_a_worker_queues_what_a_killed_run_did_not(serve: Serve) -> None:
    service = Service()
    desk = serve(service)
    batch_id = desk.plan(desk.fill(3), instruction=FUNNIER)
    let_run(desk, batch_id)

    events = worked(desk, batch_id)

    assert desk.states(batch_id) == {"done": 3}
    assert sum(isinstance(event, ItemEnded) for event in events) == 3
    assert dict(service.calls) == {1: 1, 2: 1, 3: 1}


def test_a_worker_works_on_several_batches_and_leaves_a_paused_one_alone(serve: Serve) -> None:
    service = Service()
    desk = serve(service)
    ids = desk.fill(9)
    first, paused, second = (desk.plan(ids[at : at + 3], instruction=FUNNIER) for at in (0, 3, 6))
    for batch_id in (first, paused, second):
        let_run(desk, batch_id)
    with open_batches(desk.url) as batches:
        batches.set_state(paused, "paused", reason="budget")

    worked(desk, second)
    worked(desk, first)

    assert desk.states(first) == desk.states(second) == {"done": 3}
    assert desk.states(paused) == {"queued": 3}


def test_a_sample_is_no_larger_for_a_worker_that_waits_for_work(serve: Serve) -> None:
    """Whoever tries two scripts has not agreed to pay for the others."""
    service = Service()
    desk = serve(service)
    batch_id = desk.plan(desk.fill(5), instruction=FUNNIER)
    with desk.elsewhere("work", batch_id) as worker:
        until(lambda: desk.batches.workers() == 1)

        events = desk.run(batch_id, sample=2)
        threading.Event().wait(2.0)  # for a worker that would take more
        sampled = desk.states(batch_id)
        rest = desk.resume(batch_id)
        worker.kill()

    assert isinstance(last(events), Paused)
    assert sampled == {"done": 2, "queued": 3}
    assert isinstance(last(rest), BatchEnded | Left)
    until(lambda: desk.states(batch_id) == {"done": 5})
    assert set(service.calls.values()) == {1}
