"""Who has an item after a worker was lost, where several look after the others or the lost one wakes again."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import Interrupted, ItemRef, Json, Steps
from script_editor.batch.items.workflow import ItemWorkflow
from script_editor.batch.working.worker import BatchWorker
from script_editor.domain.batches import Bounds, Item, Job, Recipe
from script_editor.llm.scripted import ScriptedModel
from script_editor.store.batch_store import SqlBatchStore
from script_editor.store.durable import durable_databases
from script_editor.store.sql import SqlScriptStore
from tests.batch.working.test_supervision import wait_until
from tests.store.support import ALICE, engine_of

RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")
OTHERS = frozenset({"first", "second", "third"})


@pytest.fixture
def batches(store: SqlScriptStore, store_url: str) -> Iterator[SqlBatchStore]:
    store.create("video_001", "一\n", provenance=ALICE)
    with engine_of(store_url) as engine:
        yield SqlBatchStore(engine)


@pytest.fixture
def ref(batches: SqlBatchStore) -> ItemRef:
    """An item that waits."""
    job = Job(seq=1, script_id="video_001", base_number=1, instruction="改短一点", key="k")
    batch = batches.create_batch(RECIPE, [job], target="propose", bounds=Bounds())
    batches.set_state(batch.id, "running")
    return ItemRef(batch.id, 1, 1)


def begin(batches: SqlBatchStore, ref: ItemRef, worker_id: str, **options: Any) -> Item:
    return batches.begin_item(ref.batch_id, ref.seq, ref.attempt, worker_id=worker_id, **options)


def take_over(batches: SqlBatchStore, ref: ItemRef, by: str, **options: Any) -> Item | None:
    wanted: dict[str, Any] = {"worker_id": "lost", "alive": OTHERS, "max_crashes": 3, **options}
    return batches.take_over(ref.batch_id, ref.seq, by=by, **wanted)


@pytest.mark.parametrize("was_begun", [True, False], ids=["begun", "only taken from the queue"])
def test_one_of_those_that_find_a_lost_worker_takes_its_item(
    batches: SqlBatchStore, ref: ItemRef, was_begun: bool
):
    if was_begun:
        begin(batches, ref, "lost")

    won, missed, again = (take_over(batches, ref, by) for by in ("first", "second", "first"))

    assert missed is None
    assert won == again
    assert won is not None and ("queued", int(was_begun)) == (won.state, won.crashes)


def test_who_took_an_item_over_and_was_lost_too_is_followed_by_another(batches: SqlBatchStore, ref: ItemRef):
    begin(batches, ref, "lost")
    take_over(batches, ref, "first")

    item = take_over(batches, ref, "second", alive={"second", "third"})

    assert item is not None and ("queued", 1, "second") == (item.state, item.crashes, item.worker_id)


def test_a_cancelled_item_is_taken_over_by_one_of_them_as_well(batches: SqlBatchStore, ref: ItemRef):
    begin(batches, ref, "lost")
    batches.cancel_open(ref.batch_id)

    won, missed = (take_over(batches, ref, by) for by in ("first", "second"))

    assert won is not None and ("cancelled", 0) == (won.state, won.crashes)
    assert missed is None


def test_an_item_that_crashed_too_often_is_dead_for_all_of_them(batches: SqlBatchStore, ref: ItemRef):
    begin(batches, ref, "lost")

    found = [take_over(batches, ref, by, max_crashes=0) for by in ("first", "second")]

    assert [("dead", 1), ("dead", 1)] == [(item.state, item.crashes) for item in found if item is not None]


def test_what_was_taken_over_and_begun_again_keeps_its_worker(batches: SqlBatchStore, ref: ItemRef):
    begin(batches, ref, "lost")
    took = take_over(batches, ref, "first")
    assert took is not None
    begin(batches, ref, "third", instead_of=took.worker_id)

    late, awake = take_over(batches, ref, "second"), begin(batches, ref, "lost")

    assert late is not None
    assert [("running", "third", 1)] * 2 == [
        (item.state, item.worker_id, item.crashes) for item in (late, awake)
    ]


@dataclass
class FixedSteps:
    """The steps of a workflow of which the engine knows whose it is; none can be taken."""

    own: bool
    is_stopping: bool = False

    def is_own(self) -> bool:
        """See Steps.is_own."""
        return self.own

    def step(self, _name: str, _work: Callable[[], Json]) -> Json:
        """See Steps.step."""
        raise Interrupted

    def commit(self, _name: str, _work: Callable[[object], Json]) -> Json:
        """See Steps.commit."""
        raise Interrupted


@pytest.mark.parametrize(("is_own", "worker"), [(False, "third"), (True, "awake")])
def test_a_worker_that_wakes_over_an_item_names_itself_only_where_it_still_has_it(
    store: SqlScriptStore, batches: SqlBatchStore, ref: ItemRef, is_own: bool, worker: str
):
    begin(batches, ref, "third")
    workflow = ItemWorkflow(
        scripts=store,
        batches=batches,
        model=ScriptedModel([]),
        make_rewriter=lambda *_: pytest.fail("it comes to no step"),
        sending=lambda *_: pytest.fail("it comes to no step"),
        worker_id="awake",
    )

    with pytest.raises(Interrupted):
        workflow(ref, FixedSteps(is_own))

    assert worker == batches.item(ref.batch_id, ref.seq).worker_id


def test_the_engine_knows_whose_an_item_is(store_url: str, batches: SqlBatchStore, ref: ItemRef):
    found: list[bool] = []
    databases = durable_databases(store_url, workers=1)

    def workflow(_ref: ItemRef, steps: Steps) -> None:
        found.append(steps.is_own())
        engine.cancel([ref])
        found.append(steps.is_own())
        steps.step("never", lambda: pytest.fail("it was taken away"))

    engine = DbosEngine(databases, queue="edits-test")
    worker = BatchWorker(engine, batches, look_seconds=0.05)
    worker.start(workflow, workers=1)
    try:
        engine.submit([ref])
        wait_until(lambda: len(found) == 2)
    finally:
        worker.close()
        databases.close()

    assert [True, False] == found
