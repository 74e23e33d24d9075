"""Batches in the store, on both databases: plans, items, the last transaction of an item, workers."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.batches import (
    Base,
    Bounds,
    Ending,
    Item,
    ItemState,
    Job,
    Made,
    Recipe,
    RunTaken,
    Wishes,
)
from script_editor.domain.findings import Finding
from script_editor.domain.script import Provenance, RefusedReply, StepRecord
from script_editor.errors import (
    BadInput,
    BatchNotFound,
    Conflict,
    NotFound,
    ScriptArchived,
    ScriptNotFound,
    StoreUnusable,
    VersionNotFound,
)
from script_editor.store.batch_store import open_batches
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE, OpenBatches, engine_of, raw
from tests.store.taking_up import on, take_up

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")
BOUNDS = Bounds()


@pytest.fixture
def batches(store_url: str) -> Iterator[OpenBatches]:
    with engine_of(store_url) as engine:
        yield OpenBatches(engine)


def jobs(*ids: str) -> list[Job]:
    return [
        Job(seq=seq, script_id=script_id, base_number=1, instruction="改短一点", key=f"key of {script_id}")
        for seq, script_id in enumerate(ids, 1)
    ]


def filled(store: SqlScriptStore, *ids: str) -> None:
    for script_id in ids:
        store.create(script_id, f"{script_id} 的第一行\n第二行\n", provenance=ALICE)


def many(store: SqlScriptStore, count: int) -> list[Job]:
    """Jobs over so many scripts, the first over video_001, which is there."""
    ids = ["video_001", *(f"s{number:05d}" for number in range(2, count + 1))]
    with raw(store._engine.url.render_as_string(hide_password=False)) as connection:
        copy_script(connection, ids[1:])
    return jobs(*ids)


def copy_script(connection: sa.Connection, ids: list[str]) -> None:
    """Copy video_001 to scripts of these ids: saving each takes longer than all of the test."""
    named = [{"id": script_id} for script_id in ids]
    script = "title, language, meta, head_number, head_hash, created_at, updated_at"
    new = "CAST(:id AS VARCHAR(64))"
    connection.execute(
        sa.text(
            f"INSERT INTO script (id, {script}) SELECT {new}, {script} FROM script WHERE id = 'video_001'"
        ),
        named,
    )
    version = "number, content_hash, created_at, author, source, format, file, message"
    chain = f"substr({new} || chain_hash, 1, 64)"
    connection.execute(
        sa.text(
            f"INSERT INTO version (script_id, chain_hash, {version}) "
            f"SELECT {new}, {chain}, {version} FROM version WHERE script_id = 'video_001'"
        ),
        named,
    )


def run_of(seq: int, attempt: int = 1) -> RunTaken:
    return RunTaken(
        id=f"r-{seq}-{attempt}", mode="direct", model="m", input="改短一点", started_at=NOON,
        stop_reason="finished", output="done", prompt_tokens=90, completion_tokens=10,
        refusals=(RefusedReply(script_id="video_001", base_number=1, reason="empty", message="nothing"),),
        steps=(
            StepRecord(
                run_id=f"r-{seq}-{attempt}", seq=1, tool="propose", tool_input={}, log="", observation="ok",
                error=None, duration_ms=1, created_at=NOON,
            ),
        ),
    )  # fmt: skip


def made(text: str, *findings: Finding, run: RunTaken | None = None) -> Ending:
    return Ending(
        state="done",
        made=Made(
            text=text, provenance=Provenance(author="alice", instruction="改短一点"), findings=findings
        ),
        run=run or run_of(1),
        prompt_tokens=90,
        completion_tokens=10,
    )


def end(batches: OpenBatches, batch_id: str, ending: Ending, *, seq: int = 1, attempt: int = 1) -> Item:
    return batches.end(batch_id, seq, attempt, ending)


@freeze_time(NOON)
def test_a_plan_is_kept_as_it_was_made(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001", "第一集")
    wishes = Wishes(target="30s", only="2-3", keep=("极盾", "Qi"))
    own = replace(jobs("video_001", "第一集")[1], instruction="换个结尾", wishes=wishes)

    batch = batches.create_batch(
        RECIPE, [jobs("video_001")[0], own], target="propose", bounds=Bounds(sample=2)
    )

    assert ("planned", 2, NOON, RECIPE, Bounds(sample=2)) == (
        batch.state, batch.total, batch.created_at, batch.recipe, batch.bounds,
    )  # fmt: skip
    assert batch == batches.batch(batch.id)
    assert [jobs("video_001")[0], own] == [item.job for item in batches.items(batch.id)]
    assert {"queued": 2} == batches.tally(batch.id).counts
    assert [batch.id] == [tally.batch.id for tally in batches.batches()]


def test_a_plan_is_about_texts_that_are_there(store: SqlScriptStore, batches: OpenBatches, store_url: str):
    filled(store, "video_001", "video_002")
    with raw(store_url) as connection:
        connection.exec_driver_sql("UPDATE script SET deleted_at = updated_at WHERE id = 'video_002'")
    (job,) = jobs("video_001")

    for error, wrong in (
        (ScriptNotFound, replace(job, script_id="video_003")),
        (ScriptArchived, replace(job, script_id="video_002")),
        (VersionNotFound, replace(job, base_number=2)),
        (VersionNotFound, replace(job, base_number=0)),
        (BadInput, replace(job, key="x" * 65)),
        (BadInput, replace(job, instruction="\x00")),
    ):
        with pytest.raises(error):
            batches.create_batch(RECIPE, [wrong], target="propose", bounds=BOUNDS)

    assert () == batches.batches()


def test_heads_are_looked_up_without_what_is_archived(
    store: SqlScriptStore, batches: OpenBatches, store_url: str
):
    filled(store, "video_001", "video_002")
    store.append("video_001", "二\n", expected_head=1, source="edit", provenance=ALICE)
    with raw(store_url) as connection:
        connection.exec_driver_sql("UPDATE script SET deleted_at = updated_at WHERE id = 'video_002'")

    found = batches.bases(["video_001", "video_002", "video_009"])

    assert {"video_001": Base(2, "text")} == found


def test_a_plan_names_no_script_twice(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    twice = [jobs("video_001")[0], replace(jobs("video_001")[0], seq=2)]

    with pytest.raises(BadInput, match="twice"):
        batches.create_batch(RECIPE, twice, target="propose", bounds=BOUNDS)
    with pytest.raises(BadInput, match="items 1 and 601"):
        far = [replace(twice[0], seq=601)]
        batches.create_batch(RECIPE, [*many(store, 600), *far], target="propose", bounds=BOUNDS)

    assert () == batches.batches()


@pytest.mark.parametrize("look", ["batch", "tally", "items", "cancel_open"])
def test_a_batch_that_is_not_there_is_said_to_be_missing(batches: OpenBatches, look: str):
    with pytest.raises(BatchNotFound):
        getattr(batches, look)("b-nothere")


def test_items_are_counted_by_state(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001", "video_002")
    batch = batches.create_batch(RECIPE, jobs("video_001", "video_002"), target="propose", bounds=BOUNDS)

    batches.begin_item(batch.id, 2, 1, worker_id="w")

    tally = batches.tally(batch.id)
    assert ({"queued": 1, "running": 1}, 2, 0) == (tally.counts, tally.left, tally.ended)


def test_what_an_item_came_to_is_a_proposal_with_its_run(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    batches.begin_item(batch.id, 1, 1, worker_id="w")

    item = end(batches, batch.id, made("短\n"))

    (proposal,) = store.proposals("video_001")
    assert ("done", proposal.id, None) == (item.state, item.proposal_id, item.result_number)
    assert ("短\n", 1, "r-1-1") == (proposal.text, proposal.base_number, proposal.provenance.run_id)
    run, steps = store.run("r-1-1")
    assert ("finished", "video_001", 1) == (run.stop_reason, run.script_id, len(steps))
    assert (proposal.id,) == run.proposed
    assert ["r-1-1"] == [refused.run_id for refused in store.refusals("video_001")]
    tally = batches.tally(batch.id)
    assert (90, 10, 1) == (tally.prompt_tokens, tally.completion_tokens, tally.ended)


def test_a_clean_result_is_saved_where_that_was_asked_for(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)

    item = end(batches, batch.id, made("短\n"))

    assert (2, None) == (item.result_number, item.proposal_id)
    assert "短\n" == store.head("video_001").text
    assert () == store.proposals("video_001") == store.verify()
    assert (("video_001", 2),) == store.run("r-1-1")[0].saved


def test_a_result_with_errors_is_kept_as_a_proposal_and_not_saved(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)
    too_long = Finding(guard="target", code="target_missed", level="error", message="34 s, not 30 s")

    item = end(batches, batch.id, replace(made("短\n", too_long), state="failed"))

    assert ("failed", 1) == (item.state, store.head("video_001").number)
    assert item.proposal_id == store.proposals("video_001")[0].id


@pytest.mark.parametrize("target", ["apply", "propose"])
def test_an_ending_is_written_once(store: SqlScriptStore, batches: OpenBatches, target):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target=target, bounds=BOUNDS)
    first = end(batches, batch.id, made("短\n"))

    again = end(batches, batch.id, made("更短\n"))

    assert first == again
    assert (90, 10) == (batches.tally(batch.id).prompt_tokens, batches.tally(batch.id).completion_tokens)
    assert 1 == len(store.history("video_001")) - 1 + len(store.proposals("video_001"))


def test_a_script_that_somebody_edited_meanwhile_is_a_conflict(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)
    store.append("video_001", "人改的\n", expected_head=1, source="manual", provenance=ALICE)

    item = end(batches, batch.id, made("短\n"))

    assert ("conflict", "stale_head", "人改的\n") == (
        item.state, item.error_type, store.head("video_001").text,
    )  # fmt: skip
    assert "v1 to v2" in item.error
    assert "短\n" == store.proposal(item.proposal_id or "").text

    (retried,) = take_up(batches, batch.id, {"conflict"})
    assert (2, 2, "queued") == (retried.job.base_number, retried.attempt, retried.state)


@pytest.mark.parametrize("state", ["failed", "conflict"])
def test_what_an_attempt_left_open_is_closed_as_it_is_tried_again(
    store: SqlScriptStore, batches: OpenBatches, state: ItemState
):
    """Else two results of one item stand side by side, and a person may save the one that went wrong."""
    filled(store, "video_001", "video_002")
    batch = batches.create_batch(RECIPE, jobs("video_001", "video_002"), target="propose", bounds=BOUNDS)
    if state == "conflict":
        store.append("video_001", "人改的\n", expected_head=1, source="manual", provenance=ALICE)
    came_to = made("短\n")
    tried = end(batches, batch.id, replace(came_to, state="failed") if state == "failed" else came_to)
    other = end(batches, batch.id, made("短\n", run=run_of(2)), seq=2)

    (retried,) = take_up(batches, batch.id, {state})

    closed = store.proposal(tried.proposal_id or "")
    assert (state, "rejected", f"batch retry {batch.id}") == (tried.state, closed.status, closed.reason)
    assert ("queued", None) == (retried.state, retried.proposal_id)
    assert ("done", "pending") == (other.state, store.proposal(other.proposal_id or "").status)


def test_an_attempt_that_was_given_up_writes_nothing(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)
    end(batches, batch.id, Ending(state="failed", error_type="gave_up", error="no"))
    take_up(batches, batch.id, {"failed"})

    item = end(batches, batch.id, made("短\n"), attempt=1)

    assert ("queued", 2, "") == (item.state, item.attempt, item.error)
    assert 1 == store.head("video_001").number
    assert "done" == end(batches, batch.id, made("短\n"), attempt=2).state


def test_a_cancelled_item_takes_no_result_and_goes_on_where_it_was(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001", "video_002")
    batch = batches.create_batch(RECIPE, jobs("video_001", "video_002"), target="apply", bounds=BOUNDS)
    batches.begin_item(batch.id, 1, 1, worker_id="w")

    assert 2 == batches.cancel_open(batch.id)
    assert "cancelled" == end(batches, batch.id, made("短\n")).state
    assert 1 == store.head("video_001").number

    take_up(batches, batch.id, with_cancelled=True)
    assert [("queued", 1)] * 2 == [(item.state, item.attempt) for item in batches.items(batch.id)]


def test_work_that_was_done_before_is_known_by_its_key(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001", "video_002")
    batch = batches.create_batch(RECIPE, jobs("video_001", "video_002"), target="propose", bounds=BOUNDS)
    end(batches, batch.id, made("短\n"))

    keys = ["key of video_001", "key of video_002", "another"]

    assert {"key of video_001": "proposed"} == batches.done_before(keys)


def test_a_crash_is_counted_once_for_each_worker_that_is_gone(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    batches.begin_item(batch.id, 1, 1, worker_id="first")
    assert "running" == batches.item(batch.id, 1).state

    for _ in range(2):  # two reapers
        batches.count_crash(batch.id, 1, worker_id="first", max_crashes=1)
    assert ("queued", 1) == (batches.item(batch.id, 1).state, batches.item(batch.id, 1).crashes)

    batches.begin_item(batch.id, 1, 1, worker_id="second")
    dead = batches.count_crash(batch.id, 1, worker_id="second", max_crashes=1)
    assert ("dead", "crashed") == (dead.state, dead.error_type)
    assert 1 == take_up(batches, batch.id, {"dead"})[0].attempt - 1


def test_an_item_that_something_else_was_in_the_way_of_is_dead_for_that_reason(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    batches.begin_item(batch.id, 1, 1, worker_id="w")

    dead = batches.count_crash(batch.id, 1, worker_id="w", max_crashes=0, reason="disk I/O error")

    assert ("dead", "trouble") == (dead.state, dead.error_type)
    assert "disk I/O error" in dead.error


def test_a_result_that_a_guard_warns_of_is_not_saved_without_a_look(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)
    invented = Finding(guard="facts", code="invented", level="warning", message="12 is new")

    item = end(batches, batch.id, made("短\n", invented))

    assert ("done", None, 1) == (item.state, item.result_number, store.head("video_001").number)
    assert item.proposal_id == store.proposals("video_001")[0].id


def test_a_worker_that_gives_signs_of_life_keeps_its_items(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    batches.register_worker("w", host="here", pid=1)
    batches.begin_item(batch.id, 1, 1, worker_id="w")
    batches.beat("w")

    assert ["w"] == [worker.id for worker in batches.workers(silent_seconds=60)]
    assert () == batches.workers(silent_seconds=0)
    assert ("running", 0) == (batches.item(batch.id, 1).state, batches.item(batch.id, 1).crashes)

    batches.beat("w")
    assert ["here"] == [worker.host for worker in batches.workers(silent_seconds=60)]


def test_what_a_worker_leaves_in_order_waits_again_and_is_no_crash(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001", "video_002")
    batch = batches.create_batch(RECIPE, jobs("video_001", "video_002"), target="propose", bounds=BOUNDS)
    batches.register_worker("w", host="here", pid=1)
    batches.begin_item(batch.id, 1, 1, worker_id="w")
    batches.begin_item(batch.id, 2, 1, worker_id="other")

    batches.forget_worker("w")

    items = batches.items(batch.id)
    assert [("queued", 0), ("running", 0)] == [(item.state, item.crashes) for item in items]
    assert {"queued": 1, "running": 1} == batches.tally(batch.id).counts
    assert () == batches.workers(silent_seconds=60)
    assert "queued" == batches.count_crash(batch.id, 2, worker_id="other", max_crashes=1).state


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        (["running", "paused", "running", "cancelled", "running"], None),
        (["cancelled", "paused"], "paused"),
        (["done"], "done"),
        (["running", "done"], "done"),
    ],
)
def test_a_batch_moves_between_states_that_follow_each_other(
    store: SqlScriptStore, batches: OpenBatches, path: list, refused: str | None
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)

    for state in path[:-1]:
        batches.set_state(batch.id, state)
    if refused is None:
        assert path[-1] == batches.set_state(batch.id, path[-1]).state
    else:
        with pytest.raises(Conflict, match=batch.id):
            batches.set_state(batch.id, path[-1])


def test_a_pause_has_a_reason_until_the_batch_goes_on(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)

    assert "budget" == batches.set_state(batch.id, "paused", reason="budget").pause_reason
    assert "" == batches.set_state(batch.id, "running").pause_reason


def test_an_item_that_is_not_there_is_said_to_be_missing(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)

    with pytest.raises(NotFound, match="no item 2"):
        batches.item(batch.id, 2)


def test_ten_thousand_items_are_planned_counted_and_cancelled(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, many(store, 10_000), target="propose", bounds=BOUNDS)

    assert {"queued": 10_000} == batches.tally(batch.id).counts
    assert [9_999, 10_000] == [item.job.seq for item in batches.items(batch.id, after=9_998)]
    assert [1, 2] == [item.job.seq for item in batches.items(batch.id, limit=2)]
    assert 10_000 == batches.cancel_open(batch.id)
    assert {"cancelled": 10_000} == batches.tally(batch.id).counts
    assert 10_000 == len(take_up(batches, batch.id, {"cancelled"}))
    assert {"queued": 10_000} == batches.tally(batch.id).counts


def test_the_counts_are_those_of_the_items_whatever_happens(store: SqlScriptStore, batches: OpenBatches):
    ids = [f"video_{number:03d}" for number in range(1, 9)]
    filled(store, *ids)
    batch = batches.create_batch(RECIPE, jobs(*ids), target="propose", bounds=BOUNDS)

    def is_right() -> bool:
        states = Counter(item.state for item in batches.items(batch.id))
        return states == batches.tally(batch.id).counts == batches.batches()[0].counts

    for seq, state in enumerate(("unchanged", "failed", "conflict", "cancelled"), 1):
        batches.begin_item(batch.id, seq, 1, worker_id="w")
        assert is_right()
        end(batches, batch.id, Ending(state=state), seq=seq)
        assert is_right()
    batches.begin_item(batch.id, 5, 1, worker_id="w")
    batches.begin_item(batch.id, 5, 1, worker_id="w")
    batches.count_crash(batch.id, 5, worker_id="w", max_crashes=0)
    assert is_right() and 1 == batches.tally(batch.id).count("dead")
    take_up(batches, batch.id, {"failed", "conflict", "dead"})
    assert is_right() and 7 == batches.tally(batch.id).left + 1
    batches.cancel_open(batch.id)
    assert is_right() and 0 == batches.tally(batch.id).left
    take_up(batches, batch.id, with_cancelled=True)
    assert is_right() and {"unchanged": 1, "queued": 7} == batches.tally(batch.id).counts


def test_tokens_are_those_of_all_attempts(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    unknown = end(batches, batch.id, Ending(state="failed"))
    take_up(batches, batch.id, {"failed"})
    end(batches, batch.id, Ending(state="failed", prompt_tokens=5, completion_tokens=1), attempt=2)
    take_up(batches, batch.id, {"failed"})

    item = end(batches, batch.id, made("短\n"), attempt=3)

    assert (None, None) == (unknown.prompt_tokens, unknown.completion_tokens)
    assert (95, 11) == (item.prompt_tokens, item.completion_tokens)
    tally = batches.tally(batch.id)
    assert (95, 11) == (tally.prompt_tokens, tally.completion_tokens)


def test_an_attempt_makes_one_version_at_most_even_behind_the_programs_back(
    store: SqlScriptStore, batches: OpenBatches, store_url: str
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)
    end(batches, batch.id, made("短\n"))
    with raw(store_url) as connection:
        connection.exec_driver_sql("UPDATE batch_item SET state = 'queued', base_number = 2, run_id = NULL")

    with pytest.raises(sa.exc.IntegrityError):
        end(batches, batch.id, made("更短\n", run=run_of(9)))

    assert (2, "queued") == (store.head("video_001").number, batches.item(batch.id, 1).state)
    with pytest.raises(NotFound):
        store.run("r-9-1")


def test_a_lock_that_was_set_meanwhile_keeps_a_result_from_being_saved(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)
    store.add_lock("video_001", kind="phrase", text="第二行", occurrences=1, since_number=1, author="alice")

    item = end(batches, batch.id, made("短\n"))

    assert ("failed", "locked_changed", 1) == (item.state, item.error_type, store.head("video_001").number)
    assert "短\n" == store.proposal(item.proposal_id or "").text


def test_an_item_whose_script_was_archived_fails_with_its_run(
    store: SqlScriptStore, batches: OpenBatches, store_url: str
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    with raw(store_url) as connection:
        connection.exec_driver_sql("UPDATE script SET deleted_at = updated_at")

    item = end(batches, batch.id, made("短\n"))

    assert ("failed", "script_archived", None, "r-1-1") == (
        item.state, item.error_type, item.proposal_id, item.run_id,
    )  # fmt: skip
    assert "finished" == store.run("r-1-1")[0].stop_reason


def test_a_text_that_cannot_be_kept_fails_its_item_only(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)

    item = end(batches, batch.id, made("短\x00\n"))

    assert ("failed", "bad_text") == (item.state, item.error_type)
    assert 1 == store.head("video_001").number


def test_words_of_a_model_that_no_database_keeps_do_not_stop_an_ending(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    odd = "a\x00b\ud800"

    item = end(
        batches, batch.id, Ending(state="failed", error_type="e" * 60, error=odd, hint=odd, notes=(odd,))
    )

    kept = "a\ufffdb\ufffd"
    assert ("e" * 40, kept, kept, (kept,)) == (item.error_type, item.error, item.hint, item.notes)


def test_work_that_was_done_again_over_a_newer_version_is_known_by_its_key(
    store: SqlScriptStore, batches: OpenBatches
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    store.append("video_001", "人改的\n", expected_head=1, source="manual", provenance=ALICE)
    end(batches, batch.id, made("短\n"))

    (retried,) = take_up(batches, batch.id, {"conflict"})
    end(batches, batch.id, made("短\n", run=run_of(1, 2)), attempt=2)

    assert (2, "key of video_001") == (retried.job.base_number, retried.job.key)
    assert {"key of video_001": "proposed"} == batches.done_before(["", "key of video_001"])


def test_changes_are_told_in_their_order(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001", "video_002", "video_003")
    batch = batches.create_batch(
        RECIPE, jobs("video_001", "video_002", "video_003"), target="propose", bounds=BOUNDS
    )
    third = batches.begin_item(batch.id, 3, 1, worker_id="w")
    end(batches, batch.id, Ending(state="failed"), seq=1)

    changed = batches.changes(batch.id, states=("running", "failed"), since=third.updated_at)

    assert [(3, 1), (1, 1)] == [(change.seq, change.attempt) for change in changed]
    assert [1] == [change.seq for change in batches.changes(batch.id, states={"failed"}, since=NOON)]
    assert [1] == [item.job.seq for item in batches.items(batch.id, states={"failed"}, seqs=[1, 2])]


@pytest.mark.parametrize("over", ["session", "connection"])
def test_an_ending_belongs_to_the_transaction_that_it_is_given(
    store: SqlScriptStore, batches: OpenBatches, over: str
):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="apply", bounds=BOUNDS)

    with pytest.raises(ZeroDivisionError):
        if over == "session":
            with sa.orm.Session(batches.engine) as session, session.begin():
                batches.end_item(session, batch.id, 1, 1, made("短\n"))
                raise ZeroDivisionError
        with batches.engine.begin() as connection:
            batches.end_item(connection, batch.id, 1, 1, made("短\n"))
            raise ZeroDivisionError

    assert ("queued", 1) == (batches.item(batch.id, 1).state, store.head("video_001").number)
    assert {"queued": 1} == batches.tally(batch.id).counts
    with batches.engine.begin() as connection:
        assert "done" == batches.end_item(connection, batch.id, 1, 1, made("短\n")).state
    assert 2 == store.head("video_001").number


def test_what_is_allowed_can_be_changed(store: SqlScriptStore, batches: OpenBatches):
    filled(store, "video_001")
    batch = batches.create_batch(RECIPE, jobs("video_001"), target="propose", bounds=BOUNDS)
    more = Bounds(requests_per_minute=60, tokens_per_minute=9000, budget=1.5, price_in=1.0, price_out=2.0)

    changed = batches.take_up(batch.id, terms=on("apply", more))

    assert ("apply", more) == (changed.target, changed.bounds)
    assert changed == batches.batch(batch.id)


def test_a_store_that_is_not_there_has_no_batches(sqlite_path):
    with pytest.raises(StoreUnusable, match="no store"):
        open_batches(str(sqlite_path))
    assert not sqlite_path.exists()
