from dataclasses import replace
from datetime import UTC, datetime

import pytest
from freezegun import freeze_time

from script_editor.domain.script import RefusedReply
from script_editor.errors import NotFound, ScriptNotFound, VersionNotFound
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE

REFUSED = RefusedReply(
    script_id="video_001",
    base_number=1,
    reason="elision",
    message="Line 3 stands for a passage that was left out.",
    instruction="改得轻松一些",
    model="m-1",
    segments=(3, 5),
    reply="开头\n……（其余不变）",
    created_at=datetime(2026, 3, 1, tzinfo=UTC),
)


@pytest.fixture
def shelf(store: SqlScriptStore) -> SqlScriptStore:
    """A store with one script of one version."""
    store.create("video_001", "开头\n", provenance=ALICE)
    return store


def test_a_refused_reply_is_kept_word_for_word_with_what_was_asked(shelf: SqlScriptStore):
    run = shelf.start_run(mode="tools", model="m-1", input="改得轻松一些")

    kept = shelf.record_refusal(replace(REFUSED, run_id=run.id))

    assert replace(REFUSED, run_id=run.id, id=kept.id) == kept
    assert (kept,) == shelf.refusals("video_001")
    assert kept.id.startswith("x-")
    assert 1 == shelf.script("video_001").head_number


def test_a_reply_that_never_came_is_kept_as_none(shelf: SqlScriptStore):
    refused = RefusedReply(script_id="video_001", base_number=1, reason="empty", message="Nothing came back.")

    kept = shelf.record_refusal(refused)

    assert (None, None, None, ()) == (kept.reply, kept.model, kept.run_id, kept.segments)
    assert (kept,) == shelf.refusals("video_001")


@freeze_time("2026-03-01 12:30:00")
def test_a_refusal_is_dated_by_the_clock_unless_it_says_when():
    refused = RefusedReply(script_id="video_001", base_number=1, reason="empty", message="")

    assert datetime(2026, 3, 1, 12, 30, tzinfo=UTC) == refused.created_at


def test_refusals_are_read_newest_first_and_per_script(shelf: SqlScriptStore):
    shelf.create("video_002", "别的\n", provenance=ALICE)
    for message in ("first", "second", "third"):
        shelf.record_refusal(replace(REFUSED, message=message))
    shelf.record_refusal(replace(REFUSED, script_id="video_002", message="of another"))

    def messages(limit: int | None = None) -> list[str]:
        return [refused.message for refused in shelf.refusals("video_001", limit=limit)]

    assert ["third", "second", "first"] == messages()
    assert ["third", "second"] == messages(limit=2)


@pytest.mark.parametrize("field", ["instruction", "message", "model", "reply"])
def test_what_no_database_keeps_of_a_models_words_is_replaced_visibly(shelf: SqlScriptStore, field: str):
    kept = shelf.record_refusal(replace(REFUSED, **{field: "一\0二\ud800三"}))

    assert "一\ufffd二\ufffd三" == getattr(kept, field)
    assert (kept,) == shelf.refusals("video_001")


def test_a_very_long_reply_is_cut_and_says_so(shelf: SqlScriptStore):
    whole, cut = (
        shelf.record_refusal(replace(REFUSED, reply="字" * length)).reply for length in (200_000, 201_234)
    )

    assert "字" * 200_000 == whole
    assert "字" * 200_000 + "\n[… 1,234 more characters were not kept]" == cut


def test_a_very_long_model_name_is_cut(shelf: SqlScriptStore):
    assert "m" * 120 == shelf.record_refusal(replace(REFUSED, model="m" * 200)).model


def test_a_refusal_belongs_to_a_version_and_a_run_that_are_there(shelf: SqlScriptStore):
    with pytest.raises(VersionNotFound):
        shelf.record_refusal(replace(REFUSED, base_number=2))
    with pytest.raises(ScriptNotFound):
        shelf.record_refusal(replace(REFUSED, script_id="video_002"))
    with pytest.raises(NotFound, match="r-nothere"):
        shelf.record_refusal(replace(REFUSED, run_id="r-nothere"))
    with pytest.raises(ScriptNotFound):
        shelf.refusals("video_002")

    assert () == shelf.refusals("video_001")
