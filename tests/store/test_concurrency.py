"""Many processes on one store. Processes and barriers, never threads and sleeps."""

import multiprocessing
from pathlib import Path

import pytest

from script_editor.store.sql import SqlScriptStore
from tests.store import workers
from tests.store.support import ALICE, PATIENCE_SECONDS, together


def test_six_processes_can_make_one_new_store_at_once(sqlite_path: Path):
    results = together(6, workers.open_new, str(sqlite_path))

    assert ["0 scripts"] * 6 == results
    assert ["store.db"] == [path.name for path in sqlite_path.parent.iterdir()]


def test_of_two_appends_at_once_one_is_saved_and_one_is_stale(store: SqlScriptStore, store_url: str):
    store.create("video_001", "一", provenance=ALICE)

    results = together(2, workers.append_at_once, store_url, None)

    assert ["stale_head", "v2"] == results
    assert 2 == store.script("video_001").head_number
    assert () == store.verify()


def test_one_request_sent_twice_at_once_is_saved_once(store: SqlScriptStore, store_url: str):
    store.create("video_001", "一", provenance=ALICE)

    results = together(3, workers.append_at_once, store_url, "K1")

    assert ["v2", "v2", "v2"] == results
    assert 2 == store.script("video_001").head_number


def test_of_two_creations_at_once_one_finds_the_script_there(store: SqlScriptStore, store_url: str):
    results = together(2, workers.create_at_once, store_url, None)

    assert ["script_exists", "v1"] == results
    assert () == store.verify()


def test_one_creation_sent_twice_at_once_is_done_once(store: SqlScriptStore, store_url: str):
    assert ["v1", "v1"] == together(2, workers.create_at_once, store_url, "K1")


def test_a_proposal_is_accepted_or_rejected_never_both(store: SqlScriptStore, store_url: str):
    store.create("video_001", "一", provenance=ALICE)
    saved = store.save_proposal("video_001", "二", base_number=1, provenance=ALICE)

    results = together(2, workers.decide_at_once, store_url, saved.id)

    expected = {
        ("proposal_closed", "rejected"): ("rejected", 1),
        ("accepted", "proposal_closed"): ("accepted", 2),
    }
    status, head = expected[tuple(results)]
    assert status == store.proposal(saved.id).status
    assert head == store.script("video_001").head_number


def test_a_killed_writer_leaves_whole_versions_only(store: SqlScriptStore, store_url: str):
    store.create("video_001", "", provenance=ALICE)
    spawn = multiprocessing.get_context("spawn")

    for appended in (1, 7, 19):
        receiver, sender = spawn.Pipe(duplex=False)
        writer = spawn.Process(target=workers.append_for_ever, args=(store_url, sender))
        writer.start()
        sender.close()
        told = [receiver.recv() for _ in range(appended)][-1]
        writer.kill()
        writer.join(PATIENCE_SECONDS)

        assert store.script("video_001").head_number >= told
        assert () == store.verify()


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system cannot fork")
def test_a_store_that_was_open_before_a_fork_works_on_both_sides(store: SqlScriptStore):
    for script_id in ("video_001", "video_002"):
        store.create(script_id, "0", provenance=ALICE)

    def append(script_id: str) -> None:
        for head in range(1, 30):
            store.append(script_id, str(head), expected_head=head, source="edit", provenance=ALICE)

    child = multiprocessing.get_context("fork").Process(target=append, args=("video_002",))
    child.start()
    append("video_001")
    child.join(PATIENCE_SECONDS)

    assert 0 == child.exitcode
    assert [30, 30] == [script.head_number for script in store.scripts()]
    assert () == store.verify()
