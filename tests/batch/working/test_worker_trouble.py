"""What keeps a worker from saying that it lives: it is told, thread by thread, and the worker goes on trying."""

from contextlib import closing
from typing import Any

import pytest
import sqlalchemy as sa

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.progress import Progress
from script_editor.batch.service import HowToRun
from script_editor.batch.working.worker import BatchWorker
from script_editor.errors import StoreUnusable
from script_editor.store.batch_store import SqlBatchStore
from tests.batch.service_desk import Desk, Service
from tests.batch.test_service import FUNNIER
from tests.batch.working.test_supervision import Scene, wait_until
from tests.batch.working.test_supervision import scene as scene
from tests.store.support import raw
from tests.support.openai_server import OpenAIServer


class Ailing:
    """A store of batches of which some methods fail while they are named."""

    def __init__(self, batches: SqlBatchStore):
        self._batches = batches
        self.failing: dict[str, Exception] = {}
        self.calls: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        self.calls[name] = self.calls.get(name, 0) + 1
        if name in self.failing:
            raise self.failing[name]
        return getattr(self._batches, name)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (StoreUnusable("The disk is gone."), "The disk is gone."),
        (RuntimeError("what?"), "RuntimeError: what?"),
    ],
    ids=["of the store", "a bug"],
)
def test_a_sign_of_life_that_cannot_be_given_is_told_until_it_can(
    scene: Scene, error: Exception, told: str
) -> None:
    ailing = Ailing(scene.batches)
    engine = DbosEngine(scene.databases, queue="edits-test")
    worker = BatchWorker(engine, ailing, beat_seconds=0.02, look_seconds=0.02)  # type: ignore[arg-type]
    worker.start(lambda _ref, _steps: None, workers=1)
    try:
        wait_until(lambda: ailing.calls.get("beat", 0) > 1)
        assert worker.trouble == ""
        ailing.failing["beat"] = error
        wait_until(lambda: worker.trouble)
        looks, beats = ailing.calls["workers"], ailing.calls["beat"]
        # The other thread succeeds meanwhile, and takes nothing of it back.
        wait_until(lambda: ailing.calls["workers"] > looks + 3 and ailing.calls["beat"] > beats + 3)
        assert worker.trouble == told
        ailing.failing.clear()
        wait_until(lambda: worker.trouble == "")
    finally:
        worker.close()


def test_two_troubles_are_both_told(scene: Scene) -> None:
    ailing = Ailing(scene.batches)
    engine = DbosEngine(scene.databases, queue="edits-test")
    worker = BatchWorker(engine, ailing, beat_seconds=0.02, look_seconds=0.02)  # type: ignore[arg-type]
    worker.start(lambda _ref, _steps: None, workers=1)
    try:
        ailing.failing.update(beat=StoreUnusable("No beat."), workers=StoreUnusable("No look."))
        wait_until(lambda: worker.trouble.count(".") == 2)
        assert {"No beat.", "No look."} == set(worker.trouble.split("; "))
    finally:
        worker.close()


def rename(url: str, old: str, new: str) -> None:
    with raw(url) as connection:
        connection.execute(sa.text(f"ALTER TABLE {old} RENAME TO {new}"))
        connection.commit()


def test_a_run_tells_what_keeps_it_from_being_seen_and_goes_on(store_url: str) -> None:
    """Without the table of workers the items can be done, and nobody can be told that somebody is at them."""
    service = Service()
    service.hold.clear()
    with OpenAIServer(service) as server, closing(Desk(store_url, server.base_url)) as desk:
        batch_id = desk.plan(desk.fill(2), instruction=FUNNIER)
        told: list[str] = []
        for event in desk.batches.run(batch_id, HowToRun(workers=2), is_stopping=lambda: False):
            if not isinstance(event, Progress):
                continue
            if service.calls.total() == 2 and not service.hold.is_set() and not told:
                rename(store_url, "worker", "worker_away")
                told.append("")
            elif event.trouble and not service.hold.is_set():
                told.append(event.trouble)
                rename(store_url, "worker_away", "worker")
                service.hold.set()

        assert len(told) == 2 and "worker" in told[1]
        assert desk.states(batch_id) == {"done": 2}
