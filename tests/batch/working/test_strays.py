"""Items that count as run while nobody runs them: a cancel took away what somebody else had taken up again meanwhile."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass

import pytest

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import ItemRef
from script_editor.batch.progress import BatchEnded, Left, Paused
from script_editor.batch.service import BatchService, HowToRun
from script_editor.domain.batches import BatchState
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.durable import durable_databases
from tests.batch.service_desk import HANG_SECONDS, Desk, Service
from tests.batch.test_service import FUNNIER, until
from tests.batch.working.test_supervision import Scene, wait_until
from tests.batch.working.test_supervision import scene as scene
from tests.store.taking_up import as_they_are
from tests.support.openai_server import OpenAIServer

# --- a worker --------------------------------------------------------------------------------


def test_what_is_taken_away_from_a_worker_of_a_batch_that_runs_goes_on_and_is_asked_for_once(
    scene: Scene,
) -> None:
    at_work, go_on, calls = threading.Event(), threading.Event(), list[int]()

    def call(ref: ItemRef) -> None:
        calls.append(ref.seq)
        at_work.set()
        assert go_on.wait(HANG_SECONDS)

    with scene.worker(scene.ending(call)) as (_worker, engine):
        engine.submit([scene.ref(1)])
        assert at_work.wait(HANG_SECONDS)
        engine.cancel([scene.ref(1)])  # as a cancel does that is late
        go_on.set()
        wait_until(lambda: scene.states()[0] == "unchanged")

    assert (calls, scene.crashes()[0]) == ([1], 0)


def test_what_a_lost_worker_was_at_waits_again_though_the_engine_knows_nothing_of_it(scene: Scene) -> None:
    scene.batches.begin_item(scene.batch_id, 1, 1, worker_id="lost")

    with scene.worker(scene.ending(lambda _ref: None)) as (worker, _engine):
        worker.look()
        states, crashes = scene.states(), scene.crashes()

    assert (states, crashes) == (["queued"] * 3, [1, 0, 0])


def test_what_a_worker_elsewhere_is_at_is_no_stray(scene: Scene) -> None:
    scene.batches.register_worker("other", host="elsewhere", pid=1)
    scene.batches.begin_item(scene.batch_id, 1, 1, worker_id="other")

    with scene.worker(scene.ending(lambda _ref: None)) as (worker, _engine):
        worker.look()
        states, crashes = scene.states(), scene.crashes()

    assert (states, crashes) == (["running", "queued", "queued"], [0, 0, 0])


# --- cancel and resume -----------------------------------------------------------------------


@dataclass
class Crossing:
    """A command of this process that somebody else overtakes, who takes the batch up."""

    desk: Desk
    stack: ExitStack
    before: Callable[[str], object] = lambda _moment: None
    cancelled: int = 0
    """How many items it took away from the engine."""

    def service(self, batches: SqlBatchStore | None = None) -> BatchService:
        """Return the service of this process; `before` is told the moments at which it is overtaken."""
        service = self.desk.app.batches
        return BatchService(
            batches or self.stack.enter_context(open_batches(self.desk.url)),
            lambda: self.desk.app.services,
            planner=service._planner,
            workplace=service._workshop._workplace,
            make_engine=self._engine,
        )

    def _engine(self, queue: str, workers: int) -> DbosEngine:
        self.before("its engine is made")
        databases = self.stack.enter_context(closing(durable_databases(self.desk.url, workers=workers)))
        engine = Slow(databases, queue=queue)
        engine.crossing = self
        return engine


class Slow(DbosEngine):
    """The engine of this process."""

    crossing: Crossing

    def cancel(self, items: Sequence[ItemRef]) -> None:
        self.crossing.before("it takes items away")
        self.crossing.cancelled += len(items)
        super().cancel(items)


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def crossing(store_url: str, service: Service) -> Iterator[Crossing]:
    with ExitStack() as stack:
        server = stack.enter_context(OpenAIServer(service))
        yield Crossing(stack.enter_context(closing(Desk(store_url, server.base_url))), stack)
        service.hold.set()


def test_a_batch_that_is_resumed_while_it_is_cancelled_ends_and_pays_no_call_twice(
    crossing: Crossing, service: Service
) -> None:
    """The engine's part of a cancel takes a second on a busy machine, and longer for a long batch."""
    desk = crossing.desk
    batch_id = desk.plan(desk.fill(6), instruction=FUNNIER)
    service.hold.clear()
    resumed = []

    def resume(moment: str) -> None:
        if moment == "it takes items away":
            resumed.append(crossing.stack.enter_context(desk.elsewhere("resume", batch_id)))
            until(lambda: service.calls.total() == 2)

    crossing.before = resume
    crossing.service().cancel(batch_id)
    service.hold.set()
    told, _ = resumed[0].communicate(timeout=HANG_SECONDS)

    assert told.split()[-1] == "BatchEnded"
    assert desk.states(batch_id) == {"done": 6}
    assert set(service.calls.values()) == {1}
    assert [item.crashes for item in desk.batches.failures(batch_id, states=("done",))] == [0] * 6


def test_a_cancel_takes_nothing_away_of_a_batch_that_was_taken_up_since(crossing: Crossing) -> None:
    desk = crossing.desk
    batch_id = desk.plan(desk.fill(3))

    def take_up(_moment: str) -> None:
        with open_batches(desk.url) as batches:
            batches.take_up(batch_id, terms=as_they_are, with_cancelled=True)

    crossing.before = take_up
    crossing.service().cancel(batch_id)

    assert crossing.cancelled == 0
    assert desk.states(batch_id) == {"queued": 3}


class Overtaken(SqlBatchStore):
    """A store in which somebody takes a batch up as soon as it is cancelled."""

    def set_state(self, batch_id: str, state: BatchState, **how: object) -> object:  # type: ignore[override]
        stood = super().set_state(batch_id, state, **how)  # type: ignore[arg-type]
        if state == "cancelled":
            self.take_up(batch_id, terms=as_they_are, with_cancelled=True)
        return stood


def test_the_items_of_a_batch_that_was_taken_up_since_are_not_cancelled(crossing: Crossing) -> None:
    desk = crossing.desk
    batch_id = desk.plan(desk.fill(3))
    with open_batches(desk.url) as batches:
        crossing.service(Overtaken(batches._engine)).cancel(batch_id)

    assert (desk.states(batch_id), crossing.cancelled) == ({"queued": 3}, 0)


# --- samples ---------------------------------------------------------------------------------


def test_a_batch_that_is_resumed_while_a_sample_of_it_begins_never_runs_for_ever(
    crossing: Crossing, service: Service
) -> None:
    desk = crossing.desk
    batch_id = desk.plan(desk.fill(6), instruction=FUNNIER)
    desk.run(batch_id, is_stopping=lambda: True)  # which leaves all of it in the queue
    service.hold.clear()
    resumed = []

    def resume(moment: str) -> None:
        if moment == "it takes items away" and not resumed:
            resumed.append(crossing.stack.enter_context(desk.elsewhere("resume", batch_id)))
            until(lambda: service.calls.total() == 2)
            service.hold.set()

    crossing.before = resume
    told = list(crossing.service().run(batch_id, HowToRun(workers=2, sample=2), is_stopping=lambda: False))
    resumed[0].communicate(timeout=HANG_SECONDS)
    stood = desk.batches.status(batch_id)

    assert isinstance(told[-1], Paused | Left | BatchEnded)
    assert (stood.batch.state, stood.count("running")) in (("paused", 0), ("done", 0))
    desk.resume(batch_id)
    assert desk.states(batch_id) == {"done": 6}
    # What the one was at, and had taken away, may be asked for by the other.
    assert service.calls.total() <= 6 + 2
