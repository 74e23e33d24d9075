from datetime import UTC, datetime

import pytest
from freezegun import freeze_time

from script_editor.domain.findings import Finding
from script_editor.domain.script import Proposal, Provenance
from script_editor.errors import (
    BadText,
    NotFound,
    ProposalClosed,
    ProposalNotFound,
    ScriptNotFound,
    StaleHead,
    VersionNotFound,
)
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE


@freeze_time("2026-03-01")
def test_a_proposal_keeps_everything_and_leaves_the_head_alone(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    run = store.start_run(mode="tools", model="m", input="轻松一点")
    made_by = Provenance(
        author="alice",
        instruction="轻松一点",
        message="try",
        model="m",
        prompt_tokens=7,
        completion_tokens=None,
        run_id=run.id,
    )

    saved = store.save_proposal("video_001", "一！\r\n", base_number=1, provenance=made_by)

    expected = Proposal(
        id=saved.id,
        script_id="video_001",
        base_number=1,
        text="一！\r\n",
        status="pending",
        provenance=made_by,
        created_at=datetime(2026, 3, 1, tzinfo=UTC),
    )
    assert expected == saved == store.proposal(saved.id)
    assert saved.id.startswith("p-") and 10 == len(saved.id)
    assert 1 == store.script("video_001").head_number


def test_a_proposal_keeps_what_the_guards_said_and_the_notes(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    findings = (
        Finding(
            guard="facts", code="facts_changed", level="error", message="“50” 变成了 “60”", segments=(3, 5)
        ),
        Finding(
            guard="size", code="too_different", level="warning", message="long", example="六十", was="五十"
        ),
    )
    notes = ("去掉了一行重复的锚点", "2 hits replaced")

    saved = store.save_proposal(
        "video_001", "二", base_number=1, provenance=ALICE, findings=findings, notes=notes
    )
    rejected = store.reject_proposal(saved.id, decided_by="bob")

    assert (findings, notes) == (saved.findings, saved.notes) == (rejected.findings, rejected.notes)
    assert (rejected,) == store.proposals(only_open=False)


def test_a_models_words_in_findings_and_notes_are_made_storable(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    finding = Finding(guard="facts", code="facts_changed", level="error", message="m", example="一\0\ud800")

    saved = store.save_proposal(
        "video_001", "二", base_number=1, provenance=ALICE, findings=(finding,), notes=("二\0",)
    )

    assert "一\ufffd\ufffd" == saved.findings[0].example
    assert ("二\ufffd",) == saved.notes
    assert saved == store.proposal(saved.id)


@freeze_time("2026-03-01")
def test_proposals_are_listed_newest_first_even_within_one_moment(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    store.create("video_002", "二", provenance=ALICE)
    saved = [
        store.save_proposal(script_id, text, base_number=1, provenance=ALICE)
        for script_id, text in [("video_001", "甲"), ("video_002", "乙"), ("video_001", "丙")]
    ]
    store.reject_proposal(saved[0].id, decided_by="bob")

    def listed(script_id: str | None = None, *, only_open: bool = True) -> list[str]:
        return [proposal.text for proposal in store.proposals(script_id, only_open=only_open)]

    assert ["丙", "乙"] == listed()
    assert ["丙"] == listed("video_001")
    assert ["丙", "乙", "甲"] == listed(only_open=False)
    assert ["丙", "甲"] == listed("video_001", only_open=False)


def test_proposals_of_a_script_that_is_not_there_are_an_error(store: SqlScriptStore):
    with pytest.raises(ScriptNotFound):
        store.proposals("video_001")


def test_accepting_happens_with_the_append(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    saved = store.save_proposal("video_001", "二", base_number=1, provenance=ALICE)

    version = store.append(
        "video_001",
        "二",
        expected_head=1,
        source="edit",
        provenance=Provenance(author="bob"),
        proposal_id=saved.id,
    )

    accepted = store.proposal(saved.id)
    assert saved.id == version.proposal_id
    assert ("accepted", 2, "bob") == (accepted.status, accepted.accepted_number, accepted.decided_by)
    assert accepted.decided_at is not None
    assert () == store.proposals()


def test_a_stale_append_leaves_its_proposal_open(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    saved = store.save_proposal("video_001", "二", base_number=1, provenance=ALICE)
    store.append("video_001", "三", expected_head=1, source="edit", provenance=ALICE)

    with pytest.raises(StaleHead):
        store.append(
            "video_001", "二", expected_head=1, source="edit", provenance=ALICE, proposal_id=saved.id
        )

    assert "pending" == store.proposal(saved.id).status


def test_rejecting_closes_a_proposal_with_its_reason(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    saved = store.save_proposal("video_001", "二", base_number=1, provenance=ALICE)

    rejected = store.reject_proposal(saved.id, decided_by="bob", reason="too loud")

    assert ("rejected", "bob", "too loud") == (rejected.status, rejected.decided_by, rejected.reason)
    assert rejected == store.proposal(saved.id)


def test_a_closed_proposal_is_neither_accepted_nor_rejected_again(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    saved = store.save_proposal("video_001", "二", base_number=1, provenance=ALICE)
    store.reject_proposal(saved.id, decided_by="bob")

    with pytest.raises(ProposalClosed) as caught:
        store.append(
            "video_001", "二", expected_head=1, source="edit", provenance=ALICE, proposal_id=saved.id
        )
    with pytest.raises(ProposalClosed):
        store.reject_proposal(saved.id, decided_by="bob")

    assert "rejected" == caught.value.status
    assert 1 == store.script("video_001").head_number


def test_a_proposal_of_another_script_is_not_accepted(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    store.create("video_002", "二", provenance=ALICE)
    saved = store.save_proposal("video_002", "三", base_number=1, provenance=ALICE)

    with pytest.raises(ProposalNotFound):
        store.append(
            "video_001", "三", expected_head=1, source="edit", provenance=ALICE, proposal_id=saved.id
        )

    assert "pending" == store.proposal(saved.id).status


def test_a_repeated_request_that_accepted_a_proposal_returns_its_version(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)
    saved = store.save_proposal("video_001", "二", base_number=1, provenance=ALICE)

    def accept():
        return store.append(
            "video_001",
            "二",
            expected_head=1,
            source="edit",
            provenance=ALICE,
            proposal_id=saved.id,
            request_id="K",
        )

    assert accept() == accept()


def test_a_proposal_that_is_not_there_cannot_be_read_or_decided(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(ProposalNotFound):
        store.proposal("p-nothere1")
    with pytest.raises(ProposalNotFound):
        store.reject_proposal("p-nothere1", decided_by="bob")
    with pytest.raises(ProposalNotFound):
        store.append(
            "video_001", "二", expected_head=1, source="edit", provenance=ALICE, proposal_id="p-nothere1"
        )


def test_a_proposal_needs_a_script_a_base_and_a_text_that_can_be_kept(store: SqlScriptStore):
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(ScriptNotFound):
        store.save_proposal("video_002", "二", base_number=1, provenance=ALICE)
    with pytest.raises(VersionNotFound):
        store.save_proposal("video_001", "二", base_number=2, provenance=ALICE)
    with pytest.raises(BadText):
        store.save_proposal("video_001", "\0", base_number=1, provenance=ALICE)
    with pytest.raises(NotFound):
        store.save_proposal(
            "video_001", "二", base_number=1, provenance=Provenance(author="a", run_id="r-nothere")
        )

    assert () == store.proposals(only_open=False)
