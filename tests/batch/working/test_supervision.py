"""How a worker looks after items that were given up or lost, with the real engine and store in this process."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import Interrupted, ItemRef, Steps
from script_editor.batch.working.isolation import Isolation
from script_editor.batch.working.worker import BatchWorker, is_alone
from script_editor.domain.batches import Bounds, Ending, Job, Recipe
from script_editor.store.batch_store import SqlBatchStore
from script_editor.store.durable import DurableDatabases, durable_databases
from script_editor.store.sql import open_store
from tests.store.support import ALICE, engine_of

HANG_SECONDS = 60.0


@dataclass
class Scene:
    """A running batch, and what a worker in this process works with."""

    batches: SqlBatchStore
    databases: DurableDatabases
    batch_id: str
    worker_ids: list[str] = field(default_factory=list)

    def ref(self, seq: int) -> ItemRef:
        return ItemRef(self.batch_id, seq, 1)

    def states(self) -> list[str]:
        return [item.state for item in self.batches.items(self.batch_id)]

    def crashes(self) -> list[int]:
        return [item.crashes for item in self.batches.items(self.batch_id)]

    def ending(self, before: Callable[[ItemRef], None]) -> Callable[[ItemRef, Steps], None]:
        """Return a workflow that begins an item, calls `before` in a step, and ends it as unchanged."""

        def workflow(ref: ItemRef, steps: Steps) -> None:
            worker_id = self.worker_ids[-1]
            self.batches.begin_item(ref.batch_id, ref.seq, ref.attempt, worker_id=worker_id)
            steps.step("model", lambda: before(ref))
            steps.commit("end", lambda session: self._end(session, ref))

        return workflow

    def _end(self, session: object, ref: ItemRef) -> str:
        ending = Ending(state="unchanged")
        return self.batches.end_item(session, ref.batch_id, ref.seq, ref.attempt, ending).state

    @contextmanager
    def worker(
        self,
        workflow: Callable[[ItemRef, Steps], None],
        *,
        beat_seconds: float = 0.05,
        silent_seconds: float = 60.0,
        look_seconds: float = 0.05,
        workers: int = 2,
    ) -> Iterator[tuple[BatchWorker, DbosEngine]]:
        engine = DbosEngine(self.databases, queue="edits-test")
        self.worker_ids.append(engine.worker_id)
        worker = BatchWorker(
            engine,
            self.batches,
            beat_seconds=beat_seconds,
            silent_seconds=silent_seconds,
            look_seconds=look_seconds,
        )
        worker.start(workflow, workers=workers)
        try:
            yield worker, engine
        finally:
            worker.close()


@pytest.fixture
def scene(store_url: str) -> Iterator[Scene]:
    """A running batch of three items."""
    with open_store(store_url, create=False) as scripts:
        for number in (1, 2, 3):
            scripts.create(f"video_{number}", "你好\n", provenance=ALICE)
    recipe = Recipe(instruction="改", author="alice", model="m", mode="direct", prompts="p")
    jobs = [
        Job(seq=seq, script_id=f"video_{seq}", base_number=1, instruction="改", key=str(seq))
        for seq in (1, 2, 3)
    ]
    databases = durable_databases(store_url, workers=2)
    with engine_of(store_url) as engine:
        batches = SqlBatchStore(engine)
        batch = batches.create_batch(recipe, jobs, target="propose", bounds=Bounds())
        batches.set_state(batch.id, "running")
        yield Scene(batches, databases, batch.id)
    databases.store.dispose()
    databases.system.dispose()


def wait_until(come_true: Callable[[], object]) -> None:
    deadline = time.monotonic() + HANG_SECONDS
    while not come_true():
        assert time.monotonic() < deadline, "still not so"
        time.sleep(0.01)


def test_an_item_that_is_given_up_goes_on_by_itself_while_its_batch_runs(scene: Scene) -> None:
    tries: list[int] = []

    def interrupt_once(ref: ItemRef) -> None:
        tries.append(ref.seq)
        if len(tries) == 1:
            raise Interrupted

    with scene.worker(scene.ending(interrupt_once)) as (_worker, engine):
        engine.submit([scene.ref(1)])
        wait_until(lambda: scene.states()[0] == "unchanged")

    assert tries == [1, 1]
    assert scene.crashes()[0] == 0


def test_an_item_that_is_given_up_while_its_batch_is_paused_waits_until_it_runs_again(scene: Scene) -> None:
    tries: list[int] = []

    def pause_once(ref: ItemRef) -> None:
        tries.append(ref.seq)
        if len(tries) == 1:
            scene.batches.set_state(scene.batch_id, "paused", reason="budget")
            raise Interrupted

    with scene.worker(scene.ending(pause_once)) as (worker, engine):
        engine.submit([scene.ref(1)])
        wait_until(engine.left)
        worker.look()
        assert engine.left()
        assert tries == [1]
        scene.batches.set_state(scene.batch_id, "running")
        wait_until(lambda: scene.states()[0] == "unchanged")

    assert tries == [1, 1]


def test_an_item_that_fails_for_no_reason_of_its_own_again_and_again_ends_dead(scene: Scene) -> None:
    tries: list[int] = []

    def fail(ref: ItemRef) -> None:
        tries.append(ref.seq)
        if ref.seq == 2:
            raise OSError("no space left")

    with scene.worker(scene.ending(fail)) as (_worker, engine):
        engine.submit([scene.ref(seq) for seq in (1, 2, 3)])
        wait_until(lambda: scene.states() == ["unchanged", "dead", "unchanged"])
        wait_until(lambda: not engine.left())

        assert engine.trouble == "no space left"
    assert tries.count(2) == 4


def test_an_item_of_a_batch_that_is_not_there_is_forgotten(scene: Scene) -> None:
    with scene.worker(scene.ending(lambda _ref: None)) as (worker, engine):
        engine.submit([ItemRef("b-nowhere", 1, 1), scene.ref(1)])
        wait_until(lambda: scene.states()[0] == "unchanged")
        wait_until(lambda: not engine.left() and not engine.claimed())

        assert worker.trouble == ""


def test_records_of_what_is_over_are_deleted_in_passing(scene: Scene) -> None:
    with scene.worker(scene.ending(lambda _ref: None)) as (_worker, engine):
        engine.submit([scene.ref(seq) for seq in (1, 2, 3)])
        wait_until(lambda: scene.states() == ["unchanged"] * 3)
        wait_until(lambda: not engine.claimed())

    with scene.worker(scene.ending(lambda _ref: None), workers=0, look_seconds=3600) as (_worker, engine):
        assert engine.sweep() == 0


def test_a_worker_gives_signs_of_life_and_takes_leave(scene: Scene) -> None:
    with scene.worker(scene.ending(lambda _ref: None)):
        (first,) = scene.batches.workers(silent_seconds=60)
        wait_until(lambda: scene.batches.workers(silent_seconds=60)[0].beat > first.beat)
        assert is_alone(scene.batches)
        scene.batches.register_worker("other", host="elsewhere", pid=1)
        assert not is_alone(scene.batches)

    assert [worker.id for worker in scene.batches.workers(silent_seconds=60)] == ["other"]


def test_what_a_worker_elsewhere_is_at_is_left_to_it_while_it_lives(scene: Scene) -> None:
    at_work, go_on = threading.Event(), threading.Event()

    def wait(_ref: ItemRef) -> None:
        at_work.set()
        assert go_on.wait(HANG_SECONDS)

    with scene.worker(scene.ending(wait), workers=1) as (worker, engine):
        engine.submit([scene.ref(1)])
        assert at_work.wait(HANG_SECONDS)
        for _ in range(3):
            worker.look()
        go_on.set()
        wait_until(lambda: scene.states()[0] == "unchanged")

    assert scene.crashes()[0] == 0


def test_a_worker_that_could_give_no_sign_of_life_for_long_does_not_take_its_own_items_for_lost(
    scene: Scene,
) -> None:
    at_work, go_on, tries = threading.Event(), threading.Event(), list[int]()

    def wait(ref: ItemRef) -> None:
        tries.append(ref.seq)
        at_work.set()
        assert go_on.wait(HANG_SECONDS)

    workflow = scene.ending(wait)
    with scene.worker(workflow, beat_seconds=3600.0, silent_seconds=0.0) as (worker, engine):
        engine.submit([scene.ref(1)])
        assert at_work.wait(HANG_SECONDS)
        assert not scene.batches.workers(silent_seconds=0.0)
        for _ in range(3):
            worker.look()
        go_on.set()
        wait_until(lambda: scene.states()[0] == "unchanged")

    assert (tries, scene.crashes()[0]) == ([1], 0)


def test_whoever_wants_a_room_alone_waits_for_the_others_and_keeps_them_out() -> None:
    room, inside, log = Isolation(), threading.Event(), list[str]()

    def go_in(name: str, *, alone: bool) -> None:
        with room.entered(alone=alone, is_stopping=lambda: False):
            log.append(f"{name} in")
            if name == "first":
                assert inside.wait(HANG_SECONDS)
            log.append(f"{name} out")

    def started(name: str, *, alone: bool) -> threading.Thread:
        thread = threading.Thread(target=go_in, args=(name,), kwargs={"alone": alone}, daemon=True)
        thread.start()
        return thread

    first = started("first", alone=False)
    wait_until(lambda: log == ["first in"])
    suspect = started("suspect", alone=True)
    wait_until(lambda: room._waiting == 1)  # no door shows who waits
    last = started("last", alone=False)
    inside.set()
    for thread in (first, suspect, last):
        thread.join(HANG_SECONDS)

    assert log == ["first in", "first out", "suspect in", "suspect out", "last in", "last out"]


def test_nobody_waits_for_a_room_when_the_process_wants_to_leave() -> None:
    room = Isolation()

    with (
        room.entered(alone=False, is_stopping=lambda: False),
        pytest.raises(Interrupted),
        room.entered(alone=True, is_stopping=lambda: True),
    ):
        pass
    with room.entered(alone=True, is_stopping=lambda: False):
        pass
