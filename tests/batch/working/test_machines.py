"""A store in a file belongs to the machine that works on it: another one is refused before it writes anything."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from freezegun import freeze_time

from script_editor.batch.working.machines import is_elsewhere, place
from script_editor.domain.batches import Worker
from script_editor.errors import SetupError
from script_editor.store.batch_store import SqlBatchStore, open_batches
from tests.batch.service_desk import Desk
from tests.support.command import Command

NOW = datetime(2026, 11, 20, 8, 0, tzinfo=UTC)


@pytest.fixture
def desk(sqlite_url: str) -> Iterator[Desk]:
    with closing(Desk(sqlite_url)) as made:
        yield made


@pytest.fixture
def batches(desk: Desk) -> Iterator[SqlBatchStore]:
    _ = desk.app.services  # which makes the store
    with open_batches(desk.url) as opened:
        yield opened


def test_a_file_on_which_another_machine_works_is_refused_with_the_reason_and_a_way_out(
    desk: Desk, batches: SqlBatchStore
) -> None:
    batch_id = desk.plan(desk.fill(2))
    batches.register_worker("there-1", host="editor-two/0badf00d/1", pid=1)

    with pytest.raises(SetupError, match="'editor-two' works on batches of this store") as caught:
        desk.run(batch_id)
    with pytest.raises(SetupError):
        list(desk.batches.work(workers=1, is_stopping=lambda: True))

    assert "PostgreSQL" in caught.value.hint
    assert desk.states(batch_id) == {"queued": 2}
    assert [worker.id for worker in batches.workers(silent_seconds=60)] == ["there-1"], "it has not begun"


@pytest.mark.parametrize("name", ["run", "worker"])
def test_the_command_ends_as_one_that_cannot_be_set_up(
    sqlite_url: str, desk: Desk, batches: SqlBatchStore, name: str
) -> None:
    batch_id = desk.plan(desk.fill(1))
    batches.register_worker("there-1", host="editor-two", pid=1)

    ran = Command(sqlite_url)("batch", name, *([batch_id] if name == "run" else ["--until-idle"]))

    assert ran.exit_code == 6
    assert "SQLite" in ran.stderr and "editor-two" in ran.stderr and "--db postgresql://" in ran.stderr


def test_on_postgresql_machines_share_a_store(postgres_url: str) -> None:
    with closing(Desk(postgres_url)) as desk:
        batch_id = desk.plan(desk.fill(1))
        with open_batches(postgres_url) as batches:
            batches.register_worker("there-1", host="editor-two/0badf00d/1", pid=1)

        desk.run(batch_id)

        assert desk.states(batch_id) == {"done": 1}


def test_a_machine_that_was_silent_for_a_minute_is_in_nobodys_way(desk: Desk, batches: SqlBatchStore) -> None:
    batch_id = desk.plan(desk.fill(1))
    with freeze_time(datetime.now(UTC) - timedelta(minutes=2)):
        batches.register_worker("there-1", host="editor-two/0badf00d/1", pid=1)

    desk.run(batch_id)

    assert desk.states(batch_id) == {"done": 1}


def test_another_container_of_this_machine_is_in_nobodys_way(desk: Desk, batches: SqlBatchStore) -> None:
    """It has a name and process ids of its own, and the same kernel, which keeps the locks of the file."""
    _, boot, _ = place().split("/")
    if not boot:
        pytest.skip("nothing but the name tells machines apart here")
    batch_id = desk.plan(desk.fill(1))
    batches.register_worker("there-1", host=f"c0ffee/{boot}/deadbeef", pid=os.getppid())

    desk.run(batch_id, is_stopping=lambda: desk.states(batch_id) == {"done": 1})

    assert desk.states(batch_id) == {"done": 1}


@pytest.mark.parametrize(
    ("host", "is_other"),
    [(place(), False), (socket.gethostname(), False), ("editor-two", True), ("editor-two//", True)],
    ids=["this process", "this host, where no more is known", "another name", "another name and no more"],
)
def test_machines_are_told_apart(host: str, is_other: bool) -> None:
    assert is_other == is_elsewhere(Worker(id="w", host=host, pid=1, started_at=NOW, beat=NOW))
