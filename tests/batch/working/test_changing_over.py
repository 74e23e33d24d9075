"""One run ends in the moment in which another one begins: the batch runs on with the one, and stands still after both."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest
import sqlalchemy as sa

from script_editor.app.rewriter import LlmRewriter
from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.progress import BatchEnded, Left, Paused
from script_editor.batch.queues import new_worker_id, of_batch, queue_of
from script_editor.batch.service import BatchService, HowToRun, Planner
from script_editor.batch.working.crew import Workplace
from script_editor.batch.working.machines import place
from script_editor.domain.batches import Batch, BatchState
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.store.batch_store import SqlBatchStore
from script_editor.store.durable import durable_databases
from tests.batch.service_desk import HANG_SECONDS, Desk, Service
from tests.batch.test_service import FUNNIER, last, until
from tests.store.support import engine_of
from tests.store.taking_up import as_they_are
from tests.support.openai_server import OpenAIServer

ITEMS = 6
Act = Callable[[], object]


class Overtaken(SqlBatchStore):
    """A store in which something happens just after a batch was taken up, and just before one is paused."""

    def __init__(self, engine: sa.Engine):
        super().__init__(engine)
        self.after_take_up: list[Act] = []
        self.before_pause: list[Act] = []

    def take_up(self, batch_id: str, **how: object) -> Batch:  # type: ignore[override]
        taken = super().take_up(batch_id, **how)  # type: ignore[arg-type]
        while self.after_take_up:
            self.after_take_up.pop()()
        return taken

    def set_state(self, batch_id: str, state: BatchState, **how: object) -> Batch:  # type: ignore[override]
        while state == "paused" and self.before_pause:
            self.before_pause.pop()()
        return super().set_state(batch_id, state, **how)  # type: ignore[arg-type]


class Closing(DbosEngine):
    """An engine that does something else before it closes."""

    act: Act = staticmethod(lambda: None)

    def close(self) -> None:
        self.act()
        super().close()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def desk(store_url: str, service: Service, stack: ExitStack) -> Iterator[Desk]:
    server = stack.enter_context(OpenAIServer(service))
    with closing(Desk(store_url, server.base_url)) as made:
        _ = made.app.services  # which makes the store
        yield made
        service.hold.set()


@pytest.fixture
def batches(desk: Desk, stack: ExitStack) -> Overtaken:
    return Overtaken(stack.enter_context(engine_of(desk.url)))


def process_at(
    desk: Desk, batches: SqlBatchStore, stack: ExitStack, closes: Act = lambda: None
) -> BatchService:
    """Return the service of one more process; `closes` happens as its engine does."""
    model = OpenAIChat("m", api_key="sk-test", base_url=desk.base_url)

    def make_engine(queue: str, workers: int) -> DbosEngine:
        databases = stack.enter_context(closing(durable_databases(desk.url, workers=workers)))
        engine = Closing(databases, queue=queue)
        engine.act = closes
        return engine

    return BatchService(
        batches,
        lambda: desk.app.services,
        planner=lambda: Planner(model="m", prompts="p"),
        workplace=lambda: Workplace(
            model=model,
            service="s",
            make_rewriter=lambda model, hooks: LlmRewriter(model, hooks=hooks),
            queue=queue_of(model.address, "m"),
        ),
        make_engine=make_engine,
    )


def in_a_process(desk: Desk, batch_id: str) -> "subprocess.Popen[str]":
    """Run a batch as a person does, in a process of its own."""
    assert desk.base_url is not None
    service = {"OPENAI_API_KEY": "sk-0123456789", "OPENAI_BASE_URL": desk.base_url, "MODEL_NAME": "m"}
    return subprocess.Popen(
        [sys.executable, "-m", "script_editor", "--db", desk.url, "batch", "run", batch_id, "--workers", "2", "--yes", "--json"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, **service},
    )  # fmt: skip


def begun(desk: Desk, batches: SqlBatchStore) -> str:
    """Plan a batch, and let it run."""
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)
    batches.take_up(batch_id, terms=as_they_are)
    return batch_id


def other_worker(desk: Desk, batches: SqlBatchStore, batch_id: str) -> str:
    """Note another living process as one that was begun to run a batch, and return its id."""
    address = OpenAIChat("m", api_key="sk-test", base_url=desk.base_url).address
    worker_id = new_worker_id(of_batch(queue_of(address, "m"), batch_id))
    batches.register_worker(worker_id, host=place(), pid=os.getppid())
    return worker_id


def test_a_run_that_ends_leaves_the_batch_to_one_that_has_just_taken_it_up(
    desk: Desk, service: Service, batches: Overtaken, stack: ExitStack
) -> None:
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)
    service.hold.clear()
    stood: list[str] = []
    with in_a_process(desk, batch_id) as first:
        until(lambda: service.calls.total() == 2)

        def first_ends() -> None:
            first.send_signal(signal.SIGINT)
            assert first.stdout is not None
            until(lambda: '"stopping"' in first.stdout.readline())
            service.hold.set()
            first.communicate(timeout=HANG_SECONDS)
            stood.append(batches.batch(batch_id).state)

        batches.after_take_up.append(first_ends)
        second = process_at(desk, batches, stack)
        told = list(second.run(batch_id, HowToRun(workers=2), is_stopping=lambda: False))

    assert stood == ["running"]
    assert isinstance(last(told), BatchEnded)
    assert desk.states(batch_id) == {"done": ITEMS}


@pytest.mark.parametrize("who", ["a run that ends", "a run that failed", "one that nobody carried on"])
def test_nobody_pauses_a_batch_that_was_taken_up_after_the_last_look(
    desk: Desk, batches: Overtaken, stack: ExitStack, who: str
) -> None:
    batch_id = begun(desk, batches)
    service = process_at(desk, batches, stack)
    told: list[object] = []

    def taken_up() -> None:
        other_worker(desk, batches, batch_id)
        batches.take_up(batch_id, terms=as_they_are)
        told.append("taken up")

    batches.before_pause.append(taken_up)
    if who == "one that nobody carried on":
        service.stand_down(batch_id)
    else:
        events = service.run(batch_id, HowToRun(workers=2), is_stopping=lambda: who == "a run that ends")
        if who == "a run that failed":
            next(events)
            events.close()
        told += events

    assert "taken up" in told
    assert isinstance(told[-1], Left) == (who == "a run that ends")
    assert batches.batch(batch_id).state == "running"


def test_a_batch_that_both_of_its_runs_leave_at_the_same_time_is_paused(
    desk: Desk, batches: Overtaken, stack: ExitStack
) -> None:
    """Each still saw the other one, and left the batch to it."""
    batch_id = begun(desk, batches)
    other = other_worker(desk, batches, batch_id)
    service = process_at(desk, batches, stack, closes=lambda: batches.forget_worker(other))

    told = list(service.run(batch_id, HowToRun(workers=2), is_stopping=lambda: True))

    ended = last(told)
    assert isinstance(ended, Paused)
    assert (ended.reason, ended.tally.batch.state) == ("interrupted", "paused")
    assert batches.batch(batch_id).state == "paused"


def test_a_run_that_has_nothing_to_do_is_not_left_among_the_workers(
    desk: Desk, batches: Overtaken, stack: ExitStack
) -> None:
    batch_id = begun(desk, batches)
    service = process_at(desk, batches, stack)

    def cancelled() -> None:
        batches.set_state(batch_id, "cancelled")
        batches.cancel_open(batch_id)

    batches.after_take_up.append(cancelled)
    told = list(service.run(batch_id, HowToRun(workers=2), is_stopping=lambda: False))

    assert len(told) == 1
    assert batches.workers(silent_seconds=60.0) == ()
