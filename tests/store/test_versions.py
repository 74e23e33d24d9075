from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256

import pytest
import sqlalchemy as sa
from freezegun import freeze_time

from script_editor.domain.script import MAX_TEXT_BYTES, FileForm, Provenance, Version
from script_editor.errors import (
    BadInput,
    BadText,
    NotFound,
    ScriptArchived,
    ScriptExists,
    ScriptNotFound,
    StaleHead,
    StoreDamaged,
    TooLarge,
    VersionNotFound,
)
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE, raw


def texts(store: SqlScriptStore, script_id: str) -> list[str]:
    """The texts of all versions, oldest first."""
    head = store.script(script_id).head_number
    return [store.version(script_id, number).text for number in range(1, head + 1)]


@freeze_time("2026-03-01 12:00:00.000042")
def test_creating_stores_version_1_with_everything_that_was_said_about_it(store: SqlScriptStore):
    form = FileForm(encoding="gb18030", bom=False, name="开场.srt")
    run = store.start_run(mode="react", model="m-1", input="写一个开场")
    made_by = Provenance(
        author="alice",
        instruction="写一个开场",
        message="first try",
        model="m-1",
        prompt_tokens=5_000_000_000,
        completion_tokens=0,
        run_id=run.id,
    )

    created = store.create(
        "第一集",
        "大家好\n",
        title="开场",
        language="zh",
        format="srt",
        file=form,
        provenance=made_by,
        request_id="K",
    )

    expected = Version(
        script_id="第一集",
        number=1,
        parent_number=None,
        restored_number=None,
        content_hash=sha256("大家好\n".encode()).hexdigest(),
        chain_hash=created.chain_hash,
        created_at=datetime(2026, 3, 1, 12, 0, 0, 42, tzinfo=UTC),
        source="import",
        format="srt",
        file=form,
        provenance=made_by,
        request_id="K",
        text="大家好\n",
    )
    assert expected == created
    assert store.head("第一集") == store.version("第一集", 1) == created


def test_appending_keeps_the_old_text_and_copies_format_and_file(store: SqlScriptStore):
    form = FileForm(encoding="utf-16", bom=True, name="a.txt")
    store.create("video_001", "一\n", format="srt", file=form, provenance=ALICE)

    version = store.append("video_001", "二\n", expected_head=1, source="edit", provenance=ALICE)

    assert (2, 1, "srt", form) == (version.number, version.parent_number, version.format, version.file)
    assert ["一\n", "二\n"] == texts(store, "video_001")
    assert version == store.head("video_001")
    assert 2 == store.script("video_001").head_number


def test_a_restoring_version_names_what_it_restored(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)

    version = store.append(
        "video_001", "一", expected_head=2, source="revert", restored_number=1, provenance=ALICE
    )

    assert ("revert", 1, 2) == (version.source, version.restored_number, version.parent_number)


def test_restoring_a_version_that_is_not_there_writes_nothing(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(VersionNotFound):
        store.append("video_001", "九", expected_head=1, source="undo", restored_number=2, provenance=ALICE)

    assert ["一"] == texts(store, "video_001")


def test_a_stale_write_names_both_numbers_and_writes_nothing(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)

    with pytest.raises(StaleHead) as caught:
        store.append("video_001", "三", expected_head=1, source="edit", provenance=ALICE)

    assert ("video_001", 1, 2) == (caught.value.script_id, caught.value.expected, caught.value.actual)
    assert ["一", "二"] == texts(store, "video_001")


def test_a_head_of_the_future_is_stale_too(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(StaleHead) as caught:
        store.append("video_001", "二", expected_head=7, source="edit", provenance=ALICE)

    assert (7, 1) == (caught.value.expected, caught.value.actual)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("一", id="no final newline"),
        pytest.param("一\r\n二\r\n", id="CRLF"),
        pytest.param("一\r二\r", id="lone CR"),
        pytest.param("\ufeff一\n", id="BOM"),
        pytest.param("一\u2028二\u2029三\x85四\x0b五\x0c", id="unusual line separators"),
        pytest.param("e\u0301 é ﬁ Ａ　\u200b", id="not normalised"),
        pytest.param("👩‍👩‍👧‍👦🇨🇳👍🏽\n", id="emoji"),
        pytest.param(" \t\n\n\n", id="white space only"),
        pytest.param("'; DROP TABLE version; -- %s :x \\", id="what looks like SQL"),
        pytest.param("行\n" * 400_000, id="1.6 MB"),
    ],
)
def test_a_text_comes_back_exactly(store: SqlScriptStore, text: str):
    store.create("video_001", text, provenance=ALICE)

    assert text == store.head("video_001").text


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        pytest.param("一\n二\0", 2, 2, id="NUL"),
        pytest.param("a\ud83d", 1, 2, id="half of a surrogate pair"),
    ],
)
def test_what_no_database_keeps_is_refused_with_its_place(
    store: SqlScriptStore, text: str, line: int, column: int
):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(BadText) as caught:
        store.append("video_001", text, expected_head=1, source="edit", provenance=ALICE)

    assert (line, column) == (caught.value.line, caught.value.column)
    assert ["一"] == texts(store, "video_001")


def test_a_text_over_the_limit_is_refused(store: SqlScriptStore):
    with pytest.raises(TooLarge):
        store.create("video_001", "a" * (MAX_TEXT_BYTES + 1), provenance=ALICE)

    assert () == store.scripts()


def test_equal_texts_are_stored_once(store: SqlScriptStore, store_url: str):
    store.create("video_001", "A", provenance=ALICE)
    store.append("video_001", "B", expected_head=1, source="edit", provenance=ALICE)
    store.append("video_001", "A", expected_head=2, source="edit", provenance=ALICE)
    store.append("video_001", "A", expected_head=3, source="edit", provenance=ALICE)
    store.create("video_002", "B", provenance=ALICE)

    with raw(store_url) as connection:
        assert 2 == connection.scalar(sa.text("SELECT count(*) FROM blob"))
    assert ["A", "B", "A", "A"] == texts(store, "video_001")


def test_history_is_newest_first_and_read_in_pages(store: SqlScriptStore):
    store.create("video_001", "1", provenance=ALICE)
    for head in range(1, 5):
        store.append("video_001", str(head + 1), expected_head=head, source="edit", provenance=ALICE)

    def page(**options: int) -> list[int]:
        return [entry.number for entry in store.history("video_001", **options)]

    assert [5, 4, 3, 2, 1] == page()
    assert [5, 4] == page(limit=2)
    assert [3, 2] == page(limit=2, before=4)
    assert [] == page(before=1)
    assert [5, 4, 3, 2, 1] == page(before=10**30)


def test_history_holds_versions_without_their_texts(store: SqlScriptStore):
    created = store.create("video_001", "一", provenance=ALICE)

    (entry,) = store.history("video_001")

    assert entry.chain_hash == created.chain_hash
    assert not hasattr(entry, "text")


@pytest.mark.parametrize("number", [0, -1, 2, 10**30])
def test_a_version_that_is_not_there_names_the_head(store: SqlScriptStore, number: int):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(VersionNotFound) as caught:
        store.version("video_001", number)

    assert (number, 1) == (caught.value.wanted, caught.value.head)


@pytest.mark.parametrize("ask", ["head", "script", "history"])
def test_a_script_that_is_not_there_suggests_others(store: SqlScriptStore, ask: str):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(ScriptNotFound) as caught:
        getattr(store, ask)("vidoe_001")

    assert ("video_001",) == caught.value.known


def test_a_script_that_is_not_there_cannot_be_written(store: SqlScriptStore):
    with pytest.raises(ScriptNotFound):
        store.append("video_001", "一", expected_head=1, source="edit", provenance=ALICE)
    with pytest.raises(ScriptNotFound):
        store.version("video_001", 1)


def test_an_id_is_given_once(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(ScriptExists):
        store.create("video_001", "二", provenance=ALICE)

    assert ["一"] == texts(store, "video_001")


def test_an_archived_script_can_be_read_but_not_written(store: SqlScriptStore, store_url: str):
    store.create("video_001", "一", provenance=ALICE)
    with raw(store_url) as connection:
        connection.execute(sa.text("UPDATE script SET deleted_at = created_at"))

    with pytest.raises(ScriptArchived):
        store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
    with pytest.raises(ScriptArchived):
        store.save_proposal("video_001", "二", base_number=1, provenance=ALICE)
    with pytest.raises(ScriptExists):
        store.create("video_001", "二", provenance=ALICE)

    assert ["一"] == texts(store, "video_001")
    assert store.script("video_001").archived_at is not None
    assert () == store.scripts()


def test_a_repeated_request_returns_what_it_wrote(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    first = store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE, request_id="K1")
    store.append("video_001", "三", expected_head=2, source="edit", provenance=ALICE)

    again = store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE, request_id="K1")

    assert first == again
    assert ["一", "二", "三"] == texts(store, "video_001")


def test_a_repeated_creation_returns_what_it_wrote(store: SqlScriptStore):
    first = store.create("video_001", "一", provenance=ALICE, request_id="K1")
    store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)

    assert first == store.create("video_001", "一", provenance=ALICE, request_id="K1")
    with pytest.raises(ScriptExists):
        store.create("video_001", "一", provenance=ALICE, request_id="K2")


def test_a_request_is_known_within_its_script_only(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE, request_id="K1")

    assert "二" == store.create("video_002", "二", provenance=ALICE, request_id="K1").text


def test_imported_history_keeps_its_dates_in_utc(store: SqlScriptStore):
    east = timezone(timedelta(hours=8))
    store.create("video_001", "一", provenance=ALICE, created_at=datetime(2025, 1, 1, 8, tzinfo=east))
    store.append(
        "video_001",
        "二",
        expected_head=1,
        source="import",
        provenance=ALICE,
        created_at=datetime(2024, 1, 1, tzinfo=UTC),
    )

    moments = [entry.created_at for entry in store.history("video_001")]

    assert [datetime(2024, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC)] == moments
    assert {timedelta(0)} == {moment.utcoffset() for moment in moments}
    assert () == store.verify()


@freeze_time("2026-03-01")
def test_versions_of_one_moment_keep_their_order(store: SqlScriptStore):
    store.create("video_001", "1", provenance=ALICE)
    for head in range(1, 4):
        store.append("video_001", str(head + 1), expected_head=head, source="edit", provenance=ALICE)

    assert [4, 3, 2, 1] == [entry.number for entry in store.history("video_001")]
    assert {datetime(2026, 3, 1, tzinfo=UTC)} == {entry.created_at for entry in store.history("video_001")}


@pytest.mark.parametrize(
    ("made_by", "complaint"),
    [
        pytest.param(
            Provenance(author="a" * 121),
            "The author is 121 characters long; the limit is 120.",
            id="too long",
        ),
        pytest.param(
            Provenance(author="a", message="\0"),
            "The message holds a NUL character or half of a surrogate pair.",
            id="NUL",
        ),
        pytest.param(
            Provenance(author="a", instruction="\udcff"),
            "The instruction holds a NUL character or half of a surrogate pair.",
            id="half of a surrogate pair",
        ),
    ],
)
def test_both_databases_refuse_the_same_words(store: SqlScriptStore, made_by: Provenance, complaint: str):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(BadInput) as caught:
        store.append("video_001", "二", expected_head=1, source="edit", provenance=made_by)

    assert complaint == str(caught.value)
    assert 1 == store.script("video_001").head_number


def test_a_file_name_that_is_no_utf_8_is_kept(store: SqlScriptStore):
    form = FileForm(name="caf\udce9.txt")

    store.create("video_001", "一", file=form, provenance=ALICE)

    assert form == store.head("video_001").file
    assert () == store.verify()


def test_a_run_that_is_not_there_cannot_be_named(store: SqlScriptStore):
    with pytest.raises(NotFound):
        store.create("video_001", "一", provenance=Provenance(author="a", run_id="r-nothere"))

    assert () == store.scripts()


def test_a_head_without_its_text_is_damage_not_absence(store: SqlScriptStore, store_url: str):
    store.create("video_001", "一", provenance=ALICE)
    with raw(store_url) as connection:
        connection.execute(sa.text("UPDATE blob SET data = NULL, codec = 'purged'"))

    with pytest.raises(StoreDamaged):
        store.head("video_001")


def test_newest_versions_of_many_scripts_are_read_at_once(store: SqlScriptStore):
    for number in range(3):
        store.create(f"v{number}", "一", provenance=ALICE)
    newest = store.append("v1", "二", expected_head=1, source="edit", provenance=ALICE)

    assert (store.head("v0"), newest) == store.heads(["v1", "v0", "v1", "nobody"])
    assert () == store.heads([])


def test_more_scripts_than_one_statement_takes_are_read(store: SqlScriptStore):
    for number in range(3):
        store.create(f"v{number}", "一", provenance=ALICE)

    asked = [f"v{number}" for number in range(1_200)]

    assert ["v0", "v1", "v2"] == [head.script_id for head in store.heads(asked)]


def test_a_newest_version_whose_text_is_missing_is_told(store: SqlScriptStore, store_url: str):
    store.create("v1", "一", provenance=ALICE)
    with raw(store_url) as connection:
        connection.execute(sa.text("UPDATE script SET head_number = 2 WHERE id = 'v1'"))

    with pytest.raises(StoreDamaged, match="v1@v2"):
        store.heads(["v1"])
