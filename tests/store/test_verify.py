from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from script_editor.domain.script import FileForm, Provenance
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE, allow_changes, raw


@pytest.fixture
def filled(store: SqlScriptStore) -> SqlScriptStore:
    """A store with two scripts of three versions each, and a proposal."""
    for script_id in ("video_001", "video_002"):
        store.create(script_id, f"{script_id} 一", provenance=ALICE)
        for head in (1, 2):
            store.append(
                script_id, f"{script_id} {head}", expected_head=head, source="edit", provenance=ALICE
            )
    store.save_proposal("video_001", "a proposal", base_number=3, provenance=ALICE)
    return store


def tamper(url: str, *statements: str) -> None:
    """Change the database behind the program's back."""
    with raw(url) as connection:
        allow_changes(connection)
        for statement in statements:
            connection.execute(sa.text(statement))


@pytest.mark.parametrize(
    "statement", ["UPDATE version SET message = 'x'", "DELETE FROM version", "UPDATE version SET number = 9"]
)
def test_the_database_itself_refuses_to_change_a_version(
    filled: SqlScriptStore, store_url: str, statement: str
):
    with pytest.raises(DBAPIError, match="version rows are immutable"), raw(store_url) as connection:
        connection.execute(sa.text(statement))

    assert () == filled.verify()


def test_an_untouched_store_has_no_problems(filled: SqlScriptStore):
    assert () == filled.verify()
    assert () == filled.verify(deep=False)


@pytest.mark.parametrize(
    "change",
    [
        "author = 'mallory'",
        "created_at = '2020-01-01 00:00:00+00:00'",
        "instruction = 'x'",
        "message = 'x'",
        "model = 'm'",
        "format = 'srt'",
        "source = 'manual'",
        """file = '{"bom": true}'""",
    ],
)
def test_one_changed_field_is_found_exactly(filled: SqlScriptStore, store_url: str, change: str):
    tamper(store_url, f"UPDATE version SET {change} WHERE script_id = 'video_001' AND number = 2")

    assert ("video_001@v2: its record was changed after it was written.",) == filled.verify(deep=False)


@pytest.mark.parametrize("change", ["prompt_tokens = 1", "request_id = 'x'", "proposal_id = 'p-1'"])
def test_what_may_be_pruned_is_not_part_of_the_chain(filled: SqlScriptStore, store_url: str, change: str):
    tamper(store_url, f"UPDATE version SET {change} WHERE script_id = 'video_001' AND number = 2")

    assert () == filled.verify()


@pytest.mark.parametrize("change", ["data = (SELECT data FROM blob WHERE hash = :other)", "size = size + 1"])
def test_one_changed_text_is_found_exactly(filled: SqlScriptStore, store_url: str, change: str):
    changed, other = filled.version("video_002", 3), filled.version("video_001", 1)
    with raw(store_url) as connection:
        statement = sa.text(f"UPDATE blob SET {change} WHERE hash = :hash")
        connection.execute(statement, {"hash": changed.content_hash, "other": other.content_hash})

    (problem,) = filled.verify()

    assert problem.startswith("video_002@v3: ") and "damaged" in problem
    assert () == filled.verify(deep=False)


def test_a_deleted_version_in_the_middle_is_found(filled: SqlScriptStore, store_url: str):
    unlink = "" if store_url.startswith("sqlite") else "ALTER TABLE version DISABLE TRIGGER ALL"
    tamper(
        store_url,
        *filter(None, [unlink]),
        "DELETE FROM version WHERE script_id = 'video_002' AND number = 2",
    )

    (problem,) = filled.verify()

    assert problem == "video_002@v3: a version before it is missing; video_002@v2 should be there."


def test_a_cut_tail_is_found(filled: SqlScriptStore, store_url: str):
    tamper(store_url, "DELETE FROM version WHERE script_id = 'video_002' AND number = 3")

    assert ("video_002: its head is noted as v3, but its last version is v2.",) == filled.verify()


def test_noted_hashes_that_do_not_fit_are_found(filled: SqlScriptStore, store_url: str):
    tamper(store_url, "UPDATE script SET head_chain = NULL WHERE id = 'video_002'")

    assert filled.verify() == ("video_002: the hashes noted for its head are not those of v3.",)


def test_a_script_without_versions_and_versions_without_a_script_are_found(
    filled: SqlScriptStore, store_url: str
):
    unlink = (
        "PRAGMA foreign_keys = OFF"
        if store_url.startswith("sqlite")
        else "ALTER TABLE script DISABLE TRIGGER ALL"
    )
    tamper(
        store_url,
        unlink,
        "DELETE FROM script WHERE id = 'video_002'",
        "INSERT INTO script (id, title, language, meta, head_number, created_at, updated_at)"
        " SELECT 'alone', '', 'und', '{}', 2, created_at, updated_at FROM script",
    )

    assert (
        "video_002: its versions are there, but the script is missing.",
        "alone: its head is noted as v2, but its last version is v0.",
    ) == filled.verify()


def test_a_missing_text_is_found(filled: SqlScriptStore, store_url: str):
    missing = filled.version("video_001", 2).content_hash
    unlink = "SELECT 1" if store_url.startswith("sqlite") else "ALTER TABLE blob DISABLE TRIGGER ALL"
    tamper(store_url, unlink, f"DELETE FROM blob WHERE hash = '{missing}'")

    assert ("video_001@v2: its text is missing.",) == filled.verify()


def test_chains_of_unknown_rules_are_not_called_well(filled: SqlScriptStore, store_url: str):
    tamper(store_url, "UPDATE store_meta SET value = '2' WHERE key = 'chain'")

    (problem,) = filled.verify()

    assert "rules 1" in problem


def test_the_chain_does_not_change_its_rules(store: SqlScriptStore):
    """Pins two hashes: a store written today must verify in every later release."""
    moment = datetime(2026, 3, 1, tzinfo=UTC)
    made_by = Provenance(author="爱丽丝", instruction='说"你好"', message="m", model="gpt", prompt_tokens=1)
    form = FileForm(encoding="gb18030", bom=True, name="开场.txt")

    first = store.create("第一集", "一\r\n", format="text", file=form, provenance=made_by, created_at=moment)
    second = store.append(
        "第一集",
        "一\r\n",
        expected_head=1,
        source="revert",
        restored_number=1,
        provenance=ALICE,
        created_at=moment,
    )

    assert "c60dea8ff6114df667d287837d267fd5abf9896a0c17b80caa122eb563e13827" == first.chain_hash
    assert "621eb2be678d0c1ca92b40d4b8690ea351183ec4c87f04565387575fba9ba318" == second.chain_hash
