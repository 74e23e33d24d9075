"""A PostgreSQL server is started anew while batches run: for an update, or after a crash."""

import os
import time
from collections.abc import Iterator
from typing import Literal

import pytest

from script_editor.errors import StoreUnusable
from script_editor.store.batch_store import open_batches
from script_editor.store.migrate import upgrade
from tests.batch.real_workers import CALLS, working
from tests.support.postgres import RestartableServer, restartable_server

IS_SOAK = bool(os.environ.get("SCRIPT_EDITOR_SOAK"))
WORKERS = 4


@pytest.fixture
def server() -> Iterator[RestartableServer]:
    """A server of its own, with the tables of a store."""
    with restartable_server() as running:
        upgrade(running.url)
        yield running


@pytest.mark.soak
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_worker_goes_on_when_its_server_was_started_anew(
    server: RestartableServer, mode: Literal["fast", "immediate"]
) -> None:
    restarts, items, away_seconds = (8, 120, 3.0) if IS_SOAK else (1, 12, 1.0)

    with working(server.url, items, seconds=0.1) as work:
        process = work.begin(workers=WORKERS)
        for _ in range(restarts):
            work.wait_for_calls(WORKERS * CALLS)
            server.stop(mode)
            time.sleep(away_seconds)
            server.start()
        assert process.end() == "over"

        work.assert_applied_once()
        assert work.states() == {"done": items}
        assert {item.crashes for item in work.items()} == {0}
        assert work.service.total <= items * CALLS + restarts * WORKERS


def test_a_server_that_does_not_come_back_is_given_up(server: RestartableServer) -> None:
    with open_batches(server.url, busy_seconds=0.5) as batches:
        assert batches.batches() == ()
        server.stop("fast")

        with pytest.raises(StoreUnusable, match="cannot be reached"):
            batches.batches()

        server.start()
        assert batches.batches() == ()
