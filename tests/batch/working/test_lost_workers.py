"""What workers leave behind that were killed, or slept for long: nothing of it stays, on both databases."""

import time
from collections.abc import Callable, Iterator

import pytest
import sqlalchemy as sa

from script_editor.batch.progress import BatchEnded
from tests.batch.service_desk import HANG_SECONDS, USED, Desk, Service
from tests.batch.working.test_supervision import Scene, wait_until
from tests.batch.working.test_supervision import scene as scene
from tests.store.support import raw
from tests.support.openai_server import OpenAIServer

JOKE = "改得更轻松幽默一些"


@pytest.fixture
def service() -> Service:
    return Service()


@pytest.fixture
def desk(store_url: str, service: Service) -> Iterator[Desk]:
    with OpenAIServer(service) as server:
        made = Desk(store_url, server.base_url)
        yield made
        made.close()


def let_pass(come_true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + HANG_SECONDS
    while not come_true():
        assert time.monotonic() < deadline, "still not so"
        time.sleep(0.02)


def age(url: str) -> None:
    """Let all signs of life be as old as those of somebody who is gone."""
    with raw(url) as connection:
        sqlite = connection.dialect.name == "sqlite"
        before = "datetime(beat, '-400 seconds')" if sqlite else "beat - interval '400 seconds'"
        connection.exec_driver_sql(f"UPDATE worker SET beat = {before}")


def count(url: str, table: str) -> int:
    with raw(url) as connection:
        return int(connection.execute(sa.text(f"SELECT count(*) FROM {table}")).scalar_one())


@pytest.mark.parametrize("when", ["at once", "long after"])
def test_the_calls_of_a_killed_worker_are_paid_for_though_its_batch_was_cancelled(
    desk: Desk, service: Service, when: str
):
    service.hold.clear()
    batch_id = desk.plan(desk.fill(4), instruction=JOKE)
    process = desk.elsewhere("run", batch_id)
    let_pass(lambda: service.calls.total() >= 2)
    process.kill()
    process.communicate()
    lost = desk.batches.status(batch_id).in_flight
    service.hold.set()
    desk.batches.cancel(batch_id)
    if when == "long after":
        age(desk.url)

    events = desk.resume(batch_id)

    assert isinstance(events[-1], BatchEnded)
    tally = desk.batches.status(batch_id)
    assert 0.0 == tally.in_flight and lost
    assert 4 * sum(USED) + lost == tally.spent, (
        "the calls that nobody heard the end of, and those of the four items"
    )
    assert (0, 0) == (count(desk.url, "batch_permit"), count(desk.url, "worker"))


def test_a_worker_that_slept_for_long_is_known_again_when_it_wakes(scene: Scene):
    with scene.worker(scene.ending(lambda _ref: None)) as (_, engine):
        scene.batches.forget_lost(engine.worker_id)

        wait_until(lambda: scene.batches.workers(silent_seconds=60))

        assert [engine.worker_id] == [worker.id for worker in scene.batches.workers(silent_seconds=60)]
    assert () == scene.batches.workers(silent_seconds=60)
