import sqlite3
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.script import RunCost, RunRecord, StepRecord
from script_editor.errors import ChatNotFound, Conflict, NotFound, ScriptNotFound
from script_editor.store.engine import writing
from script_editor.store.rows import new_id
from script_editor.store.sql import SqlScriptStore, open_store
from script_editor.store.tables import RunRow
from tests.store.support import ALICE, engine_of, raw

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STEP = StepRecord(
    run_id="",
    seq=1,
    tool="get_script",
    tool_input={"script_id": "第一集", "from_segment": None},
    log="Thought: 先看一下",
    observation="S1:k7 | 大家好",
    error=None,
    duration_ms=12,
    created_at=NOON,
)


def finish(store: SqlScriptStore, run_id: str, stop_reason: str) -> RunRecord:
    """Close a run with some output."""
    return store.finish_run(
        run_id, stop_reason=stop_reason, output="done", error=None, prompt_tokens=10, completion_tokens=2
    )


@freeze_time(NOON)
def test_a_run_is_kept_with_its_steps_in_order(store: SqlScriptStore):
    started = store.start_run(mode="react", model="m-1", input="改得轻松一些")
    steps = tuple(replace(STEP, run_id=started.id, seq=seq) for seq in (1, 2))
    for step in reversed(steps):
        store.record_step(step)
    finished = finish(store, started.id, "finished")

    expected = RunRecord(
        id=started.id,
        mode="react",
        model="m-1",
        input="改得轻松一些",
        started_at=NOON,
        output="done",
        stop_reason="finished",
        prompt_tokens=10,
        completion_tokens=2,
        finished_at=NOON,
        usage_known=True,
    )
    assert started.id.startswith("r-") and started.stop_reason is None
    assert expected == finished
    assert (finished, steps) == store.run(started.id)


@pytest.mark.parametrize(
    ("stop_reason", "status"),
    [("finished", "done"), ("cancelled", "cancelled"), ("max_steps", "failed"), ("error", "failed")],
)
def test_the_status_follows_from_the_stop_reason(
    store: SqlScriptStore, store_url: str, stop_reason: str, status: str
):
    run = store.start_run(mode="react", model="m", input="x")

    finish(store, run.id, stop_reason)

    with raw(store_url) as connection:
        assert status == connection.scalar(sa.text("SELECT status FROM agent_run"))


def test_a_closed_run_keeps_its_first_ending(store: SqlScriptStore):
    run = store.start_run(mode="react", model="m", input="x")
    first = finish(store, run.id, "max_steps")

    assert first == finish(store, run.id, "finished")


def test_a_step_is_never_changed(store: SqlScriptStore):
    run = store.start_run(mode="react", model="m", input="x")
    step = replace(STEP, run_id=run.id)
    store.record_step(step)

    with pytest.raises(Conflict):
        store.record_step(replace(step, log="other"))

    assert (step,) == store.run(run.id)[1]


def test_a_record_of_what_a_model_said_never_fails_on_its_characters(store: SqlScriptStore):
    run = store.start_run(mode="react", model="m", input="a\0b")
    odd = {"text": "half \ud83d and \0"}

    store.record_step(
        replace(STEP, run_id=run.id, tool="t" * 99, tool_input=odd, log="\ud83d", observation="\0")
    )

    record, (step,) = store.run(run.id)
    assert "a\ufffdb" == record.input
    assert ("t" * 64, odd, "\ufffd", "\ufffd") == (step.tool, step.tool_input, step.log, step.observation)


def test_a_run_that_is_not_there_has_no_steps_and_no_end(store: SqlScriptStore):
    with pytest.raises(NotFound, match="r-nothere"):
        store.run("r-nothere")
    with pytest.raises(NotFound):
        store.record_step(replace(STEP, run_id="r-nothere"))
    with pytest.raises(NotFound):
        finish(store, "r-nothere", "finished")


def test_runs_are_listed_newest_first_and_by_what_they_were_about(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    chat = store.create_chat(name="", author="alice")
    with freeze_time(NOON) as clock:
        everything = store.start_run(mode="tools", model="m", input="what changed?")
        clock.tick(60)
        edit = store.start_run(mode="tools", model="m", input="改", script_id="video_001")
        clock.tick(60)
        turn = store.start_run(mode="react", model="m", input="再改", script_id="video_001", chat_id=chat.id)

    assert ("video_001", chat.id) == (turn.script_id, turn.chat_id)
    assert (None, None) == (everything.script_id, everything.chat_id)
    assert (turn, edit, everything) == store.runs()
    assert (turn, edit) == store.runs(script_id="video_001")
    assert (turn,) == store.runs(chat_id=chat.id) == store.runs(limit=1)
    assert (turn, edit) == store.runs(since=NOON + timedelta(seconds=60))
    assert (edit, turn) == (store.run(edit.id)[0], store.run(turn.id)[0])


def test_a_closed_run_keeps_what_it_was_about(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    run = store.start_run(mode="tools", model="m", input="改", script_id="video_001")

    assert "video_001" == finish(store, run.id, "finished").script_id


def test_a_run_is_about_what_is_there(store: SqlScriptStore):
    with pytest.raises(ScriptNotFound):
        store.start_run(mode="tools", model="m", input="x", script_id="video_009")
    with pytest.raises(ChatNotFound):
        store.start_run(mode="tools", model="m", input="x", chat_id="s-nothere")
    with pytest.raises(ScriptNotFound):
        store.runs(script_id="video_009")
    with pytest.raises(ChatNotFound):
        store.runs(chat_id="s-nothere")

    assert () == store.runs()


def test_an_id_that_is_taken_is_drawn_again(store: SqlScriptStore, store_url: str):
    """Reaches inside: no door can make two random names equal."""
    taken = store.start_run(mode="react", model="m", input="x").id.removeprefix("r-")
    names = iter([taken, taken, "another1"])

    with engine_of(store_url) as engine, writing(engine) as session:
        assert "r-another1" == new_id(session, RunRow, "r", draw=lambda: next(names))


@freeze_time(NOON)
def test_what_runs_took_is_listed_without_what_was_said(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    chat = store.create_chat(name="", author="alice")
    first = store.start_run(mode="react", model="m", input="改" * 500, script_id="video_001")
    store.finish_run(
        first.id, stop_reason="finished", output="好", error=None,
        prompt_tokens=10, completion_tokens=2, usage_known=False,
    )  # fmt: skip
    store.start_run(mode="tools", model="n", input="再改", chat_id=chat.id)

    known = RunCost(
        model="m", started_at=first.started_at, script_id="video_001",
        prompt_tokens=10, completion_tokens=2, usage_known=False,
    )  # fmt: skip
    assert (known,) == store.run_costs(script_id="video_001")
    assert (RunCost(model="n", started_at=NOON),) == store.run_costs(chat_id=chat.id)
    assert 2 == len(store.run_costs(since=NOON)) and () == store.run_costs(since=NOON + timedelta(seconds=1))
    assert store.run(first.id)[0].usage_known is False
    with pytest.raises(ScriptNotFound):
        store.run_costs(script_id="video_009")


def saved_by(store: SqlScriptStore, run: RunRecord, number: int, *, made_by: RunRecord | None = None) -> None:
    """Write version `number` of video_001 as a call of `run`, with a text that `made_by` made."""
    store.append(
        "video_001", f"第{number}版", expected_head=number - 1, source="edit",
        provenance=replace(ALICE, run_id=(made_by or run).id), request_id=f"{run.id}:{number}",
    )  # fmt: skip


def test_each_run_has_the_versions_that_it_saved_while_it_was_at_work(store: SqlScriptStore):
    with freeze_time(NOON) as clock:
        store.create("video_001", "一", provenance=ALICE)

        def start() -> RunRecord:
            clock.tick(60)
            return store.start_run(mode="tools", model="m", input="改", script_id="video_001")

        first = start()
        saved_by(store, first, 2)
        beside = start()  # two at the same time
        saved_by(store, first, 3)
        saved_by(store, beside, 4, made_by=first)
        for run in (first, beside):
            finish(store, run.id, "finished")
        clock.tick(60)
        store.append(
            "video_001", "后来", expected_head=4, source="edit", provenance=replace(ALICE, run_id=first.id)
        )
        killed, last = start(), start()
        saved_by(store, last, 6)
        finish(store, last.id, "finished")
        clock.tick(3600)
        saved_by(store, killed, 7)

    saved = {run.id: [number for _, number in run.saved] for run in store.runs()}
    assert {first.id: [2, 3], beside.id: [4], killed.id: [7], last.id: [6]} == saved
    assert [6] == [number for run in store.runs(limit=1) for _, number in run.saved]


def test_a_run_of_long_ago_is_listed_without_reading_what_was_saved_since(sqlite_url: str):
    """Counts the steps that the database takes; SQLite alone tells them."""

    def old_run_and_newer_versions(count: int) -> int:
        script_id = f"video_{count}"
        with freeze_time(NOON) as clock:
            store.create(script_id, "一", provenance=ALICE)
            run = store.start_run(mode="tools", model="m", input="改", script_id=script_id)
            finish(store, run.id, "finished")
            for number in range(1, count):
                clock.tick(60)
                store.append(
                    script_id, str(number), expected_head=number, source="edit",
                    provenance=ALICE, request_id=f"r-other:{number}",
                )  # fmt: skip
        steps.clear()
        assert (run.id,) == tuple(listed.id for listed in store.runs(script_id=script_id))
        return len(steps)

    steps: list[int] = []

    def watch(connection: sqlite3.Connection, _record: object) -> None:
        connection.set_progress_handler(lambda: steps.append(1), 10)

    sa.event.listen(sa.Engine, "connect", watch)
    try:
        with open_store(sqlite_url, create=False) as store:
            few, many = old_run_and_newer_versions(5), old_run_and_newer_versions(300)
    finally:
        sa.event.remove(sa.Engine, "connect", watch)

    assert 0 < many < 2 * few
