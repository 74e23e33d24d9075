import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.locks import Lock, LockKind
from script_editor.domain.script import Provenance, Source
from script_editor.errors import (
    BadInput,
    EditRefused,
    NotFound,
    ScriptArchived,
    ScriptNotFound,
    StaleHead,
)
from script_editor.store.sql import SqlScriptStore
from tests.store import workers
from tests.store.support import ALICE, raw, together

NOTICE = "法律声明：广告"
TEXT = f"开头\n  {NOTICE}\n结尾\n"
TALK = "主持人：大家好\n嘉宾：你好\n主持人：再见\n"
WRITING: list[Source] = ["edit", "merge", "manual", "import"]


def lock(
    store: SqlScriptStore,
    text: str = NOTICE,
    *,
    kind: LockKind = "segment",
    occurrences: int = 1,
    since: int = 1,
    note: str = "",
) -> Lock:
    """Lock a text of video_001."""
    return store.add_lock(
        "video_001",
        kind=kind,
        text=text,
        occurrences=occurrences,
        since_number=since,
        author="alice",
        note=note,
    )


def append(store: SqlScriptStore, text: str, *, on: int = 1, source: Source = "edit", **more: object) -> int:
    """Append to video_001 and return the new number."""
    return store.append(
        "video_001",
        text,
        expected_head=on,
        source=source,
        provenance=ALICE,
        **more,  # type: ignore[arg-type]
    ).number


def rows(url: str, statement: str) -> list[tuple[object, ...]]:
    """What a SELECT returns."""
    with raw(url) as connection:
        return [tuple(row) for row in connection.exec_driver_sql(statement)]


@pytest.mark.parametrize("source", WRITING)
def test_a_text_without_the_locked_line_is_refused_and_nothing_is_written(
    store: SqlScriptStore, store_url: str, source: Source
):
    store.create("video_001", TEXT, provenance=ALICE)
    made = lock(store, note="lawyers")

    with pytest.raises(EditRefused) as caught:
        append(store, "开头！\n结尾\n", source=source)

    refused = caught.value
    assert ("locked_changed", (2,)) == (refused.reason, refused.segments)
    assert f"Line 2 of video_001 is locked (lawyers): “{NOTICE}” must stay as it is." == str(refused)
    assert f"script-editor unlock video_001 --id {made.id}" in refused.hint
    assert 1 == store.script("video_001").head_number
    assert [(1, 1)] == rows(store_url, "SELECT (SELECT count(*) FROM version), (SELECT count(*) FROM blob)")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{NOTICE}\n开头\n结尾\n", id="moved"),
        pytest.param(f"开头\r\n\t{NOTICE}  \r\n结尾", id="with another indentation and line end"),
        pytest.param(f"{NOTICE}\n{NOTICE}\n", id="twice"),
    ],
)
def test_a_locked_line_is_found_again_by_its_text(store: SqlScriptStore, text: str):
    store.create("video_001", TEXT, provenance=ALICE)
    lock(store)

    assert 2 == append(store, text)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"开头\n{NOTICE}！\n结尾\n", id="a mark added"),
        pytest.param(f"开头{NOTICE}\n结尾\n", id="joined to the line before"),
        pytest.param("开头\n法律声明:广告\n结尾\n", id="in another width"),
        pytest.param("", id="in an empty text"),
    ],
)
def test_a_locked_line_is_a_whole_line_byte_for_byte(store: SqlScriptStore, text: str):
    store.create("video_001", TEXT, provenance=ALICE)
    lock(store)

    with pytest.raises(EditRefused, match="locked"):
        append(store, text)


def test_lines_that_are_locked_together_stay_together(store: SqlScriptStore):
    store.create("video_001", "一\n二\n三\n", provenance=ALICE)
    lock(store, "一\n二")

    with pytest.raises(EditRefused) as caught:
        append(store, "一\n插入\n二\n三\n")

    assert (1, 2) == caught.value.segments
    assert 2 == append(store, "三\n一\n\n二\n")


def test_a_line_is_locked_as_often_as_it_stood_there(store: SqlScriptStore):
    store.create("video_001", "点赞\n中间\n点赞\n", provenance=ALICE)
    lock(store, "点赞", occurrences=2)

    with pytest.raises(EditRefused) as caught:
        append(store, "点赞\n中间\n")

    assert (1, 3) == caught.value.segments


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [("今天聊轻盾。\n轻盾很轻。\n", True), ("轻盾，轻盾！\n", True), ("今天聊轻盾。\n它很轻。\n", False)],
    ids=["elsewhere", "twice in one line", "once"],
)
def test_a_phrase_is_locked_wherever_it_stands(store: SqlScriptStore, text: str, is_kept: bool):
    store.create("video_001", "这是轻盾。\n还是轻盾。\n", provenance=ALICE)
    lock(store, "轻盾", kind="phrase", occurrences=2)

    if is_kept:
        assert 2 == append(store, text)
        return
    with pytest.raises(EditRefused) as caught:
        append(store, text)
    assert (1, 2) == caught.value.segments
    assert "unlock video_001 --phrase 轻盾" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("主持人：大家好\n嘉宾：我来了\n观众：好\n主持人：再见\n", True),
        ("主持人：大家好\n嘉宾：你好\n", False),
        ("主持人：再见\n嘉宾：你好\n主持人：大家好\n", False),
        ("主持人：大家好\n嘉宾：你好\n主持人：再见\n主持人：等等\n", False),
    ],
    ids=["others changed", "a line lost", "in another order", "a line added"],
)
def test_a_locked_speaker_says_the_same_lines_in_the_same_order(
    store: SqlScriptStore, text: str, is_kept: bool
):
    store.create("video_001", TALK, provenance=ALICE)
    lock(store, "主持人", kind="speaker", occurrences=2)

    if is_kept:
        assert 2 == append(store, text)
        return
    with pytest.raises(EditRefused, match="主持人") as caught:
        append(store, text)
    assert (1, 3) == caught.value.segments
    assert "unlock video_001 --speaker 主持人" in caught.value.hint


@pytest.mark.parametrize("source", ["revert", "undo", "redo"])
def test_going_back_passes_every_lock(store: SqlScriptStore, source: Source):
    store.create("video_001", "开头\n", provenance=ALICE)
    append(store, TEXT)
    lock(store, since=2)

    assert 3 == append(store, "开头\n", on=2, source=source, restored_number=1)

    assert 1 == len(store.locks("video_001"))


def test_what_a_revert_took_away_is_not_asked_of_the_next_edit(store: SqlScriptStore):
    """Otherwise a script that was reverted over a lock could not be edited any more."""
    store.create("video_001", "点赞\n", provenance=ALICE)
    append(store, "点赞\n点赞\n")
    lock(store, "点赞", occurrences=2, since=2)
    append(store, "点赞\n", on=2, source="revert", restored_number=1)

    assert 4 == append(store, "大家好\n点赞\n", on=3)
    with pytest.raises(EditRefused, match="locked"):
        append(store, "大家好\n", on=4)
    append(store, "点赞\n点赞\n", on=4, source="undo", restored_number=2)
    with pytest.raises(EditRefused, match="locked"):
        append(store, "点赞\n", on=5)


def test_a_speaker_whom_a_revert_took_away_may_be_written_back(store: SqlScriptStore):
    store.create("video_001", "旁白\n", provenance=ALICE)
    append(store, TALK)
    lock(store, "主持人", kind="speaker", occurrences=2, since=2)
    append(store, "旁白\n", on=2, source="revert", restored_number=1)

    assert 4 == append(store, "主持人：大家好\n", on=3)


def test_several_broken_locks_are_all_counted(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    lock(store)
    lock(store, "结尾", kind="phrase")

    with pytest.raises(EditRefused, match="Other locks it would break: 1") as caught:
        append(store, "开头\n")

    assert (2, 3) == caught.value.segments


@freeze_time("2026-03-01")
def test_locks_are_read_oldest_first_even_within_one_moment(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    made = (lock(store, "结尾"), lock(store, note="lawyers"), lock(store, "开", kind="phrase"))

    assert made == store.locks("video_001")
    assert Lock(kind="segment", text=NOTICE, occurrences=1, id=made[1].id, note="lawyers") == made[1]
    assert all(str(kept.id).startswith("k-") for kept in made)


def test_a_released_lock_holds_no_longer_and_its_row_stays(store: SqlScriptStore, store_url: str):
    store.create("video_001", TEXT, provenance=ALICE)
    made = lock(store)

    assert made == store.release_lock(str(made.id), released_by="bob")

    assert () == store.locks("video_001")
    assert 2 == append(store, "开头\n")
    kept = "SELECT text, author, since_number, released_by FROM segment_lock WHERE released_at IS NOT NULL"
    assert [(NOTICE, "alice", 1, "bob")] == rows(store_url, kept)


def test_only_a_lock_that_holds_can_be_released(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    made = lock(store)
    store.release_lock(str(made.id), released_by="bob")

    with pytest.raises(NotFound, match="released before, by bob"):
        store.release_lock(str(made.id), released_by="carol")
    with pytest.raises(NotFound, match="k-nothere"):
        store.release_lock("k-nothere", released_by="carol")


def test_what_is_locked_already_keeps_its_lock_until_it_is_released(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    first = lock(store, note="lawyers")

    assert first == lock(store, note="again")
    assert (first,) == store.locks("video_001")

    store.release_lock(str(first.id), released_by="bob")
    assert first.id != lock(store).id


def test_a_text_that_moved_meanwhile_is_not_locked(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    append(store, "开头\n")

    with pytest.raises(StaleHead):
        lock(store)

    assert () == store.locks("video_001")


def test_locks_of_one_script_hold_for_no_other(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    store.create("video_002", TEXT, provenance=ALICE)
    lock(store)

    store.append("video_002", "开头\n", expected_head=1, source="edit", provenance=ALICE)

    assert () == store.locks("video_002")


def test_a_lock_needs_a_script_that_can_be_written_and_words_that_can_be_kept(
    store: SqlScriptStore, store_url: str
):
    store.create("video_001", TEXT, provenance=ALICE)

    with pytest.raises(BadInput, match="limit is 500"):
        lock(store, note="x" * 501)
    with pytest.raises(BadInput, match="NUL"):
        lock(store, "\0")
    with pytest.raises(ScriptNotFound):
        store.locks("video_002")
    with raw(store_url) as connection:
        connection.execute(sa.text("UPDATE script SET deleted_at = updated_at"))
    with pytest.raises(ScriptArchived):
        lock(store)

    assert () == store.locks("video_001")


def test_a_stale_write_is_stale_whatever_is_locked(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    append(store, f"{TEXT}二\n")
    lock(store, since=2)

    with pytest.raises(StaleHead):
        append(store, "开头\n", on=1)


def test_a_repeated_request_returns_its_version_whatever_was_locked_since(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    append(store, "开头\n", request_id="K")
    lock(store, "开头", since=2)

    assert 2 == append(store, "别的\n", request_id="K")


def test_a_proposal_that_breaks_a_lock_stays_open(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    saved = store.save_proposal("video_001", "开头\n", base_number=1, provenance=Provenance(author="a"))
    lock(store)

    with pytest.raises(EditRefused, match="locked"):
        append(store, "开头\n", proposal_id=saved.id)

    assert "pending" == store.proposal(saved.id).status


def test_locks_cost_one_select_for_an_append_and_nothing_for_a_reader(store: SqlScriptStore):
    store.create("video_001", TEXT, provenance=ALICE)
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        seen.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        append(store, "开头\n")
        asked = [statement for statement in seen if "segment_lock" in statement]
        seen.clear()
        store.head("video_001")
        store.version("video_001", 1)
        store.history("video_001")
        store.script("video_001")
        store.proposals("video_001")
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)

    assert 1 == len(asked) and asked[0].startswith("SELECT")
    assert not [statement for statement in seen if "segment_lock" in statement]


def test_the_locks_of_a_script_are_found_by_an_index(sqlite_url: str):
    plan = "EXPLAIN QUERY PLAN SELECT * FROM segment_lock WHERE script_id = 'a' AND released_at IS NULL"

    assert "ix_segment_lock_script_id_released_at" in str(rows(sqlite_url, plan))


def test_one_line_that_is_locked_by_many_at_once_has_one_lock(store: SqlScriptStore, store_url: str):
    store.create("video_001", TEXT, provenance=ALICE)

    results = together(4, workers.lock_at_once, store_url)

    assert [f"locked {store.locks('video_001')[0].id}"] * 4 == results
    assert [(1,)] == rows(store_url, "SELECT count(*) FROM segment_lock")


def test_a_lock_and_a_write_at_one_moment_never_miss_each_other(store: SqlScriptStore, store_url: str):
    store.create("video_001", TEXT, provenance=ALICE)

    results = tuple(together(2, workers.lock_or_append, store_url))

    assert results in {("edit_refused", "locked"), ("stale_head", "v2")}
    assert (0 if "v2" in results else 1) == len(store.locks("video_001"))
