"""How a run ends when somebody else cancels the batch, and who goes on with it when this process leaves."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from script_editor.app.rewriter import LlmRewriter
from script_editor.app.usage import Prices
from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import Workflow
from script_editor.batch.planning.plan import PlanRequest
from script_editor.batch.planning.sources import of_ids
from script_editor.batch.progress import BatchCancelled, Event, Left, Paused, Stopping
from script_editor.batch.queues import new_worker_id, queue_of
from script_editor.batch.service import BatchService, HowToRun, Planner
from script_editor.batch.working.crew import Workplace
from script_editor.batch.working.machines import place
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.llm.scripted import ScriptedModel
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.durable import durable_databases
from tests.batch.service_desk import Desk, Service
from tests.batch.test_service import FUNNIER, until
from tests.support.openai_server import OpenAIServer


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def desk(store_url: str, service: Service) -> Iterator[Desk]:
    with ExitStack() as stack:
        server = stack.enter_context(OpenAIServer(service))
        yield stack.enter_context(closing(Desk(store_url, server.base_url)))
        service.hold.set()


# --- cancelling ------------------------------------------------------------------------------


class Overtaken(DbosEngine):
    """An engine of a process that another one overtakes while it starts."""

    act: Callable[[], object] = staticmethod(lambda: None)

    def start(self, workflow: Workflow, *, workers: int) -> None:
        self.act()
        super().start(workflow, workers=workers)


def overtaken(
    desk: Desk, batches: SqlBatchStore, stack: ExitStack, moment: str, act: Callable[[], object]
) -> BatchService:
    """Return a service whose process `act` overtakes after it has looked at a batch and before it begins."""

    def make_engine(queue: str, workers: int) -> DbosEngine:
        if moment == "before its engine is made":
            act()
        databases = stack.enter_context(closing(durable_databases(desk.url, workers=workers)))
        engine = Overtaken(databases, queue=queue)
        if moment == "while its engine starts":
            engine.act = act
        return engine

    return BatchService(
        batches,
        lambda: desk.app.services,
        planner=lambda: Planner(model="m", prompts="p", prices=Prices(model="m", sent=1.0, received=2.0)),
        workplace=lambda: Workplace(
            model=ScriptedModel([]),
            service="s",
            make_rewriter=lambda model, hooks: LlmRewriter(model, hooks=hooks),
            queue=queue_of("s", "m"),
        ),
        make_engine=make_engine,
    )


@pytest.mark.parametrize("moment", ["before its engine is made", "while its engine starts"])
@pytest.mark.parametrize("verb", ["run", "resume"])
def test_a_cancel_between_the_look_at_a_batch_and_its_begin_is_not_undone(
    store_url: str, verb: str, moment: str
) -> None:
    with ExitStack() as stack:
        desk = stack.enter_context(closing(Desk(store_url)))
        batches = stack.enter_context(open_batches_of(desk))
        overtaking: list[str] = []

        def cancel() -> None:
            for batch_id in overtaking:
                batches.set_state(batch_id, "cancelled")
                batches.cancel_open(batch_id)

        slow = overtaken(desk, batches, stack, moment, cancel)
        planned = slow.plan(
            PlanRequest(author="tester", instruction=FUNNIER, sources=[of_ids(desk.fill(3))])
        ).batch
        assert planned is not None
        overtaking.append(planned.id)

        told = list(getattr(slow, verb)(planned.id, HowToRun(workers=2), is_stopping=lambda: False))

        assert isinstance(told[-1], BatchCancelled)
        assert batches.batch(planned.id).state == "cancelled"
        assert desk.states(planned.id) == {"cancelled": 3}


def open_batches_of(desk: Desk) -> SqlBatchStore:
    _ = desk.app.services  # which makes the store
    return open_batches(desk.url)


def test_a_run_that_ends_in_order_leaves_no_call_behind(desk: Desk) -> None:
    batch_id = desk.plan(desk.fill(3), instruction=FUNNIER)

    desk.run(batch_id)

    assert not desk.batches.is_busy


# --- who goes on -----------------------------------------------------------------------------


@pytest.mark.parametrize("is_same", [True, False], ids=["the same model", "another model"])
def test_a_batch_is_left_to_those_workers_alone_that_take_from_its_queue(
    desk: Desk, service: Service, is_same: bool
) -> None:
    batch_id = desk.plan(desk.fill(4), instruction=FUNNIER)
    address = OpenAIChat("m", api_key="sk-test", base_url=desk.base_url).address
    with open_batches(desk.url) as batches:
        other = new_worker_id(queue_of(address, "m" if is_same else "another"))
        batches.register_worker(other, host=place(), pid=os.getppid())
        service.hold.clear()
        told: list[Event] = []

        for event in desk.batches.run(
            batch_id, HowToRun(workers=2), is_stopping=lambda: service.calls.total() == 2
        ):
            told.append(event)
            service.hold.set() if isinstance(event, Stopping) else None

    last = told[-1]
    assert type(last) is (Left if is_same else Paused)
    assert desk.batches.status(batch_id).batch.state == ("running" if is_same else "paused")
    assert desk.batches.workers(batch_id) == int(is_same)
    assert desk.batches.workers() == 1


def test_what_waits_for_a_service_is_gone_on_with_where_the_service_is_now(store_url: str) -> None:
    """A run was killed, and the address of the model is another one when the batch is gone on with."""
    before, now = Service(), Service()
    before.hold.clear()
    with ExitStack() as stack:
        there, here = (stack.enter_context(OpenAIServer(service)) for service in (before, now))
        old = stack.enter_context(closing(Desk(store_url, there.base_url)))
        new = stack.enter_context(closing(Desk(store_url, here.base_url)))
        batch_id = old.plan(old.fill(12), instruction=FUNNIER)
        with old.elsewhere("run", batch_id) as other:
            until(lambda: before.calls.total() >= 2)
            other.kill()
        before.hold.set()

        new.resume(batch_id)

        assert new.states(batch_id) == {"done": 12}
        assert now.calls.total() == 12
