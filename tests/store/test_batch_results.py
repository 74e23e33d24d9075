"""What became of work: whether it is done already, what was saved and taken back of a batch, what was overtaken."""

from collections.abc import Callable, Iterator

import pytest
from sqlmodel import Session

from script_editor.domain.batches import (
    Bounds,
    Ending,
    Item,
    ItemState,
    Job,
    Made,
    Recipe,
    Results,
    Target,
)
from script_editor.domain.findings import Finding
from script_editor.domain.script import Provenance
from script_editor.errors import ProposalClosed, StaleHead
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE
from tests.store.taking_up import take_up

RECIPE = Recipe(instruction="在开头加一句：嗨！", author="alice", model="m", mode="direct", prompts="abc")
OLD, NEW = "第一行\n", "嗨！第一行\n"
KEY = "key of video_001"
WARNED = Finding(guard="facts", code="facts_changed", level="warning", message="a price is new")


@pytest.fixture
def batches(store: SqlScriptStore, store_url: str) -> Iterator[SqlBatchStore]:
    store.create("video_001", OLD, provenance=ALICE)
    with open_batches(store_url) as opened:
        yield opened


def done(
    batches: SqlBatchStore,
    target: Target = "propose",
    text: str | None = NEW,
    *findings: Finding,
    state: ItemState = "done",
) -> Item:
    """Plan the work over version 1, and end it with a text, or unchanged without one."""
    job = Job(seq=1, script_id="video_001", base_number=1, instruction=RECIPE.instruction, key=KEY)
    batch = batches.create_batch(RECIPE, [job], target=target, bounds=Bounds())
    made = None if text is None else Made(text=text, provenance=Provenance(author="alice"), findings=findings)
    return end(batches, batch.id, Ending(state="unchanged" if text is None else state, made=made))


def end(batches: SqlBatchStore, batch_id: str, ending: Ending) -> Item:
    with Session(batches._engine) as session, session.begin():
        return batches.end_item(session, batch_id, 1, 1, ending)


def write(store: SqlScriptStore, text: str, **how: object) -> None:
    head = store.head("video_001").number
    store.append("video_001", text, expected_head=head, provenance=ALICE, **{"source": "manual", **how})


def accepted(store: SqlScriptStore, item: Item) -> None:
    write(store, NEW, source="edit", proposal_id=item.proposal_id)


@pytest.mark.parametrize(
    ("happens", "left"),
    [
        (lambda _store, batches: done(batches, "apply"), {KEY: "saved"}),
        (lambda _store, batches: done(batches), {KEY: "proposed"}),
        (lambda store, batches: accepted(store, done(batches)), {KEY: "saved"}),
        (lambda _store, batches: done(batches, text=None), {KEY: "unchanged"}),
        (lambda store, batches: (done(batches, "apply"), write(store, OLD, source="revert", restored_number=1)), {}),
        (lambda store, batches: (
            done(batches, "apply"), write(store, OLD, source="undo", restored_number=1),
            write(store, NEW, source="redo", restored_number=2),
        ), {KEY: "saved"}),
        (lambda store, batches: store.reject_proposal(
            done(batches).proposal_id or "", decided_by="alice", reason=""
        ), {}),
        (lambda store, batches: (done(batches), write(store, "别的\n")), {}),
        (lambda store, batches: (done(batches, text=None), write(store, "别的\n")), {}),
        (lambda _store, batches: (done(batches), done(batches, "apply")), {KEY: "saved"}),
    ],
    ids=["saved at once", "proposed", "accepted", "unchanged", "taken back", "taken back and put back", "discarded",
         "overtaken as a proposal", "unchanged, then edited", "proposed once, saved once"],
)  # fmt: skip
def test_work_is_done_where_its_result_is_still_there(
    store: SqlScriptStore, batches: SqlBatchStore, happens: Callable[..., object], left: dict[str, str]
) -> None:
    happens(store, batches)

    assert left == batches.done_before(["", "another", KEY])


def test_the_results_of_a_batch_are_counted_until_they_are_taken_back(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    warned = done(batches, "apply", NEW, WARNED)  # kept as a proposal, for it is not clean

    assert Results(warned=1) == batches.results(warned.batch_id)
    assert (WARNED,) == batches.item(warned.batch_id, 1).warnings
    assert (WARNED,) == batches.items(warned.batch_id)[0].warnings
    accepted(store, warned)
    assert Results(saved=1, warned=1) == batches.results(warned.batch_id)
    write(store, OLD, source="revert", restored_number=1)
    assert Results(reverted=1, warned=1) == batches.results(warned.batch_id)


OTHER, BELOW = "别的\n", "嗨！第一行\n再见\n"
REVERT, UNDO, REDO = ({"source": source} for source in ("revert", "undo", "redo"))


@pytest.mark.parametrize(
    ("later", "stands"),
    [
        ([], True),
        ([(BELOW, {})], True),
        ([(BELOW, {}), (NEW, UNDO | {"restored_number": 2})], True),
        ([(OLD, UNDO | {"restored_number": 1}), (NEW, REDO | {"restored_number": 2})], True),
        ([(OLD, {}), (NEW, {}), (BELOW, {})], True),
        ([(OLD, REVERT | {"restored_number": 1}), (OTHER, {}), (NEW, REVERT | {"restored_number": 2})], True),
        ([(OTHER, {}), (BELOW, {}), (OTHER, REVERT | {"restored_number": 3})], True),
        ([(OLD, REVERT | {"restored_number": 1})], False),
        ([(OLD, UNDO | {"restored_number": 1})], False),
        ([(OLD, {})], False),
        ([(OLD, {"source": "import"}), (OTHER, {})], False),
        ([(OLD, REVERT | {"restored_number": 1}), (OTHER, {})], False),
        ([(OLD, UNDO | {"restored_number": 1}), (OTHER, {}), (OLD, UNDO | {"restored_number": 3})], False),
        ([(OLD, REVERT | {"restored_number": 1}), (OTHER, {}), (BELOW, {}),
          (OTHER, UNDO | {"restored_number": 4})], False),
        ([(BELOW, {}), (NEW, UNDO | {"restored_number": 2}), (OLD, UNDO | {"restored_number": 1})], False),
    ],
    ids=["nothing", "edited on top", "that edit undone", "undone and put back", "taken out and put in by hand",
         "taken back, edited, put back", "gone back to a text over it", "reverted", "undone", "taken out by hand",
         "imported anew and edited", "reverted, then edited", "undone, edited, that undone as well",
         "reverted, edited twice, one of these undone", "edited on top, both undone"],
)  # fmt: skip
def test_a_change_is_saved_as_long_as_the_text_of_its_script_comes_from_it(
    store: SqlScriptStore, batches: SqlBatchStore, later: list[tuple[str, dict[str, object]]], stands: bool
) -> None:
    """Whoever took it back, and whatever was written over it or over the old text since."""
    item = done(batches, "apply")
    for text, how in later:
        write(store, text, **how)

    assert Results(saved=int(stands), reverted=int(not stands)) == batches.results(item.batch_id)
    assert batches.is_taken_back(item.batch_id, 1) is not stands


def test_going_back_behind_a_batch_takes_its_change_back(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    write(store, OTHER)
    job = Job(seq=1, script_id="video_001", base_number=2, instruction=RECIPE.instruction, key=KEY)
    batch = batches.create_batch(RECIPE, [job], target="apply", bounds=Bounds())
    end(batches, batch.id, Ending(state="done", made=Made(text=NEW, provenance=Provenance(author="alice"))))
    write(store, OLD, source="revert", restored_number=1)
    write(store, BELOW)

    assert Results(reverted=1) == batches.results(batch.id)


def test_a_failed_item_is_done_and_saved_as_soon_as_a_person_saves_its_proposal(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    failed = done(batches, "apply", NEW, WARNED, state="failed")
    assert {"failed": 1} == batches.tally(failed.batch_id).counts

    accepted(store, failed)

    item = batches.item(failed.batch_id, 1)
    assert ("done", 2, failed.proposal_id, 1) == (
        item.state, item.result_number, item.proposal_id, item.attempt
    )  # fmt: skip
    assert ("", "", "") == (item.error_type, item.error, item.hint)
    assert item.updated_at >= failed.updated_at
    assert {"done": 1} == batches.tally(failed.batch_id).counts
    assert Results(saved=1, warned=1) == batches.results(failed.batch_id)
    assert {KEY: "saved"} == batches.done_before([KEY])
    assert batches.takeable(failed.batch_id).saved
    assert () == take_up(batches, failed.batch_id, {"failed", "conflict"})
    write(store, OLD, source="undo", restored_number=1)
    assert Results(reverted=1, warned=1) == batches.results(failed.batch_id)
    assert batches.is_taken_back(failed.batch_id, 1)


def test_a_part_of_what_failed_counts_as_well(store: SqlScriptStore, batches: SqlBatchStore) -> None:
    failed = done(batches, state="failed", text=BELOW)

    write(store, NEW, source="edit", proposal_id=failed.proposal_id)

    assert ("done", 2) == (
        (item := batches.item(failed.batch_id, 1)).state, item.result_number
    )  # fmt: skip


def test_a_failed_item_stays_failed_where_its_proposal_was_not_saved(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    failed = done(batches, state="failed")
    with pytest.raises(StaleHead):
        store.append(
            "video_001", NEW, expected_head=2, source="edit", provenance=ALICE, proposal_id=failed.proposal_id
        )
    write(store, OTHER)

    assert failed == batches.item(failed.batch_id, 1)
    assert {"failed": 1} == batches.tally(failed.batch_id).counts


def test_an_item_that_is_tried_again_is_not_done_by_what_it_made_before(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    failed = done(batches, state="failed")
    take_up(batches, failed.batch_id, {"failed"})

    with pytest.raises(ProposalClosed):
        accepted(store, failed)

    item = batches.item(failed.batch_id, 1)
    assert ("queued", 2, None) == (item.state, item.attempt, item.result_number)
    assert {"queued": 1} == batches.tally(failed.batch_id).counts


def test_a_proposal_that_replaces_the_one_of_an_item_is_the_one_of_the_item(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    failed = done(batches, state="failed")
    other = store.save_proposal("video_001", BELOW, base_number=1, provenance=ALICE)
    old = store.reject_proposal(
        failed.proposal_id or "", decided_by="alice", reason="amended", replaced_by=other.id
    )

    item = batches.item(failed.batch_id, 1)
    assert ("rejected", "amended") == (old.status, old.reason)
    assert ("failed", other.id) == (item.state, item.proposal_id)
    write(store, BELOW, source="edit", proposal_id=other.id)
    item = batches.item(failed.batch_id, 1)
    assert ("done", other.id, 2) == (item.state, item.proposal_id, item.result_number)
    assert {"done": 1} == batches.tally(failed.batch_id).counts
    assert Results(saved=1) == batches.results(failed.batch_id)


def test_a_proposal_that_was_decided_on_replaces_none(store: SqlScriptStore, batches: SqlBatchStore) -> None:
    failed = done(batches, state="failed")
    other = store.save_proposal("video_001", BELOW, base_number=1, provenance=ALICE)
    store.reject_proposal(other.id, decided_by="alice")

    store.reject_proposal(failed.proposal_id or "", decided_by="alice", replaced_by=other.id)

    assert failed.proposal_id == batches.item(failed.batch_id, 1).proposal_id


def test_what_was_never_saved_is_not_taken_back(store: SqlScriptStore, batches: SqlBatchStore) -> None:
    item = done(batches)
    write(store, OTHER)

    assert Results() == batches.results(item.batch_id)
    assert not batches.is_taken_back(item.batch_id, 1)


def test_an_item_whose_script_moved_after_its_proposal_becomes_a_conflict_that_can_be_retried(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    item = done(batches)
    assert "done" == batches.overtake(item.batch_id, 1, error="moved", hint="again").state
    write(store, "别的\n")

    overtaken = batches.overtake(item.batch_id, 1, error="moved", hint="again")

    assert ("conflict", "stale_head", "moved", item.proposal_id) == (
        overtaken.state, overtaken.error_type, overtaken.error, overtaken.proposal_id
    )  # fmt: skip
    assert {"conflict": 1} == batches.tally(item.batch_id).counts
    assert "pending" == store.proposal(item.proposal_id or "").status
    (again,) = take_up(batches, item.batch_id, {"conflict"})
    assert (2, 2, KEY, None) == (again.job.base_number, again.attempt, again.job.key, again.proposal_id)
    old = store.proposal(item.proposal_id or "")
    assert ("rejected", "alice", NEW) == (old.status, old.decided_by, old.text)


@pytest.mark.parametrize("decided", ["accepted", "rejected"])
def test_an_item_that_was_decided_on_is_never_overtaken(
    store: SqlScriptStore, batches: SqlBatchStore, decided: str
) -> None:
    item = done(batches)
    if decided == "accepted":
        accepted(store, item)
    else:
        store.reject_proposal(item.proposal_id or "", decided_by="alice", reason="")
    write(store, "别的\n")

    assert "done" == batches.overtake(item.batch_id, 1, error="moved", hint="").state


def test_the_columns_of_a_row_are_kept_with_its_item(batches: SqlBatchStore) -> None:
    job = Job(
        seq=1, script_id="video_001", base_number=1, instruction="x", key=KEY, columns=(("备注", "给客户甲"),)
    )

    batch = batches.create_batch(RECIPE, [job], target="propose", bounds=Bounds())

    assert (("备注", "给客户甲"),) == batches.item(batch.id, 1).job.columns


def test_a_base_says_which_file_a_text_came_from(store: SqlScriptStore, batches: SqlBatchStore) -> None:
    from script_editor.domain.script import FileForm

    store.create(
        "clip", "1\n00:00:01,000 --> 00:00:02,000\n嗨\n", file=FileForm(name="clip.srt"), provenance=ALICE
    )

    bases = batches.bases(["clip", "video_001"])

    assert ("clip.srt", "") == (bases["clip"].file, bases["video_001"].file)
