"""Proposals on a real store: saved whole or in part, carried over a head that moved, picked from several."""

from collections.abc import Callable
from dataclasses import astuple, replace

import pytest

from script_editor.app.proposals import ProposalService, Review
from script_editor.app.scripts import ScriptService
from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards import check
from script_editor.domain.locks import Lock, LockKind
from script_editor.domain.script import Provenance, Version
from script_editor.domain.selection import take
from script_editor.errors import (
    BadInput,
    EditRefused,
    MergeConflict,
    ProposalClosed,
    ProposalNotFound,
    StaleHead,
    StaleProposal,
)
from script_editor.store.sql import SqlScriptStore

BASE = (
    "一是开场。\r\n二是介绍。\r\n\r\n三是故事。\r\n四是细节。\r\n五是数据 30%。\r\n六是转折。\r\n七是结尾。"
)
EDITED = (
    "一是开头。\r\n二是介绍。\r\n\r\n三是段子。\r\n四是细节。\r\n五是数据 30%。\r\n六是转折。\r\n七是收尾。"
)
MODEL = Provenance(author="agent", instruction="换几个词", model="m", prompt_tokens=7, completion_tokens=3)


class Table:
    """A store with one script, and what a person does with proposals."""

    def __init__(self, store: SqlScriptStore, text: str = BASE):
        self.store, self.scripts, self.proposals = store, ScriptService(store), ProposalService(store)
        self.base = self.scripts.new("video_001", text, author="alice")

    def propose(self, text: str = EDITED, **about) -> Review:
        return self.proposals.propose(self.head, text, provenance=MODEL, **about)

    def write(self, text: str) -> Version:
        """Save a version as someone else."""
        return self.scripts.save("video_001", text, expected_head=self.head.number, author="bob")

    def lock(self, text: str, kind: LockKind = "phrase") -> Lock:
        return self.store.add_lock(
            "video_001", kind=kind, text=text, occurrences=1, since_number=1, author="alice"
        )

    @property
    def head(self) -> Version:
        return self.scripts.read("video_001")

    def status(self, review: Review) -> tuple[str, str | None]:
        proposal = self.store.proposal(review.proposal.id)
        return proposal.status, proposal.reason


@pytest.fixture
def table(store: SqlScriptStore) -> Table:
    return Table(store)


def error(guard: str, code: str, *segments: int) -> Finding:
    return Finding(guard=guard, code=code, level="error", message=f"{guard} says no.", segments=segments)


# --- showing ---------------------------------------------------------------------------------


def test_a_review_shows_what_was_found_when_it_was_made(table: Table) -> None:
    found = Finding(
        guard="facts", code="facts_changed", level="warning", message="30% is gone.", segments=(4,)
    )
    made = table.propose(findings=(found,), notes=("试试看",))

    shown = table.proposals.review(made.proposal.id)

    assert made == shown
    assert ((found,), ("试试看",)) == (shown.findings, shown.notes)
    assert [1, 2, 3] == [change.id for change in shown.changes]


# --- accepting -------------------------------------------------------------------------------


def test_accepting_saves_the_very_text_that_was_shown(table: Table) -> None:
    review = table.propose()

    version = table.proposals.accept(review.proposal.id, decided_by="alice", message="好")

    assert (EDITED, 2, "edit") == (version.text, version.number, version.source)
    assert (
        Provenance(
            author="alice",
            instruction="换几个词",
            message="好",
            model="m",
            prompt_tokens=7,
            completion_tokens=3,
        )
        == version.provenance
    )
    assert version == table.head
    assert "accepted" == table.status(review)[0]


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        pytest.param({"only": (2,)}, BASE.replace("故事", "段子"), id="only one"),
        pytest.param({"only": {1, 3}}, EDITED.replace("段子", "故事"), id="only two"),
        pytest.param({"leave_out": [3]}, EDITED.replace("收尾", "结尾"), id="all but one"),
        pytest.param({"only": (1, 2, 3)}, EDITED, id="all of them"),
        pytest.param({"leave_out": ()}, EDITED, id="all but none"),
    ],
)
def test_a_part_is_saved_byte_for_byte_and_closes_the_proposal(
    table: Table, part: dict[str, tuple[int, ...]], expected: str
) -> None:
    review = table.propose()

    version = table.proposals.accept(review.proposal.id, decided_by="alice", **part)

    assert (expected, "edit", review.proposal.id) == (version.text, version.source, version.proposal_id)
    assert ("accepted", 2) == (
        table.status(review)[0],
        table.store.proposal(review.proposal.id).accepted_number,
    )
    assert EDITED == table.store.proposal(review.proposal.id).text


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"only": ()}, "nothing of proposal"),
        ({"leave_out": (1, 2, 3)}, "nothing of proposal"),
        ({"only": (4,)}, "no change 4: the changes are 1 to 3"),
        ({"leave_out": (0,)}, "no change 0: the changes are 1 to 3"),
        ({"only": (1,), "leave_out": (2,)}, "not both"),
    ],
)
def test_a_part_that_cannot_be_saved_leaves_everything_open(
    table: Table, part: dict[str, tuple[int, ...]], message: str
) -> None:
    review = table.propose()

    with pytest.raises(BadInput, match=message):
        table.proposals.accept(review.proposal.id, decided_by="alice", **part)

    assert (BASE, "pending") == (table.head.text, table.status(review)[0])


def test_what_was_decided_is_not_decided_again(table: Table) -> None:
    review = table.propose()
    table.proposals.accept(review.proposal.id, decided_by="alice", only=(1,))

    for decide in (table.proposals.accept, table.proposals.reject, table.proposals.rebase):
        with pytest.raises(ProposalClosed):
            decide(review.proposal.id, decided_by="bob")

    assert 2 == table.head.number


# --- errors of the guards --------------------------------------------------------------------


def test_an_error_that_a_person_may_overrule_waits_for_that_word(table: Table) -> None:
    review = table.propose(findings=(error("facts", "facts_changed", 5),))

    with pytest.raises(EditRefused) as caught:
        table.proposals.accept(review.proposal.id, decided_by="alice")
    assert ("facts_changed", review.proposal.id, 1) == (
        caught.value.reason, caught.value.proposal_id, table.head.number,
    )  # fmt: skip

    assert EDITED == table.proposals.accept(review.proposal.id, decided_by="alice", overrule=True).text


def test_an_error_that_nobody_may_overrule_stands(table: Table) -> None:
    found = error("size", "too_different"), error("language", "language_changed", 1)
    review = table.propose(findings=found)

    with pytest.raises(EditRefused) as caught:
        table.proposals.accept(review.proposal.id, decided_by="alice", overrule=True)

    assert ("too_different", None) == (caught.value.reason, caught.value.proposal_id)
    assert (BASE, "pending") == (table.head.text, table.status(review)[0])


def test_a_warning_stands_in_nobodys_way(table: Table) -> None:
    warning = Finding(guard="language", code="language_changed", level="warning", message="Mixed.")

    assert (
        EDITED == table.proposals.accept(table.propose(findings=(warning,)).proposal.id, decided_by="a").text
    )


def test_an_error_goes_with_the_lines_that_are_left_out(table: Table) -> None:
    review = table.propose(findings=(error("off_target", "off_target", 7),))

    for part in ({"only": (2, 3)}, {"leave_out": (1,)}):
        with pytest.raises(EditRefused):
            table.proposals.accept(review.proposal.id, decided_by="alice", **part)
    version = table.proposals.accept(review.proposal.id, decided_by="alice", leave_out=(3,))

    assert EDITED.replace("收尾", "结尾") == version.text


def test_an_error_whose_line_may_be_one_that_is_saved_stands(table: Table) -> None:
    edited = "零是片头。\r\n" + BASE.replace("介绍", "简介").replace("故事", "段子")
    review = table.propose(edited, findings=(error("off_target", "off_target", 3),))
    assert [(None, 1), (2, 3), (3, 4)] == [(c.before_line, c.after_line) for c in review.changes]

    with pytest.raises(EditRefused):
        table.proposals.accept(review.proposal.id, decided_by="alice", leave_out=(3,))


def test_an_error_about_the_whole_text_is_judged_again_for_a_part(table: Table) -> None:
    edited = EDITED.replace("四是细节。", "（其余内容不变）")
    found = check(BASE, edited, GuardContext(instruction="换几个词"))
    review = table.propose(edited, findings=tuple(replace(finding, segments=()) for finding in found))
    id = review.proposal.id

    for part in ({}, {"only": (1, 3)}):
        with pytest.raises(EditRefused) as caught:
            table.proposals.accept(id, decided_by="alice", **part)
        assert "elision" == caught.value.reason
    version = table.proposals.accept(id, decided_by="alice", leave_out=(3,))

    assert EDITED == version.text


# --- locks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "part", [{}, {"only": (2, 3)}, {"leave_out": (1,)}], ids=["whole", "only", "leave out"]
)
def test_a_lock_holds_for_the_whole_and_for_a_part_and_nobody_overrules_it(
    table: Table, part: dict[str, tuple[int, ...]]
) -> None:
    review = table.propose()
    table.lock("故事")

    with pytest.raises(EditRefused) as caught:
        table.proposals.accept(review.proposal.id, decided_by="alice", overrule=True, **part)

    assert "locked_changed" == caught.value.reason
    assert (BASE, "pending") == (table.head.text, table.status(review)[0])


def test_a_locked_line_is_not_moved_either(table: Table) -> None:
    last = "七是结尾。"
    review = table.propose(f"{last}\r\n{BASE.removesuffix(last)}")
    table.lock(last, kind="segment")

    with pytest.raises(EditRefused) as caught:
        table.proposals.accept(review.proposal.id, decided_by="alice")

    assert "locked_changed" == caught.value.reason


def test_a_part_that_keeps_what_is_locked_is_saved(table: Table) -> None:
    review = table.propose()
    table.lock("故事")

    version = table.proposals.accept(review.proposal.id, decided_by="alice", leave_out=(2,))

    assert EDITED.replace("段子", "故事") == version.text


def test_a_lock_that_was_released_is_no_longer_in_the_way(table: Table) -> None:
    review = table.propose()
    lock = table.lock("故事")
    table.store.release_lock(lock.id, released_by="alice")

    assert EDITED == table.proposals.accept(review.proposal.id, decided_by="alice").text


# --- a head that moved -----------------------------------------------------------------------


def test_a_proposal_over_an_older_version_says_how_much_of_it_still_fits(table: Table) -> None:
    review = table.propose()
    table.write(BASE.replace("故事", "案例"))

    with pytest.raises(StaleProposal) as caught:
        table.proposals.accept(review.proposal.id, decided_by="alice", only=(1,))

    stale = caught.value
    assert (1, 2, 2, 3) == (stale.expected, stale.actual, stale.fitting, stale.total)
    assert isinstance(stale, StaleHead)
    assert "2 of 3 changes still fit" in str(stale)
    assert (BASE.replace("故事", "案例"), "pending") == (table.head.text, table.status(review)[0])


def test_that_the_script_moved_is_said_before_anything_else(table: Table) -> None:
    review = table.propose(findings=(error("facts", "facts_changed", 5),))
    table.write(BASE.replace("故事", "案例"))

    with pytest.raises(StaleProposal):
        table.proposals.accept(review.proposal.id, decided_by="alice")


def test_of_two_who_accept_at_once_the_second_is_told(table: Table) -> None:
    first, second = table.propose(EDITED), table.propose(BASE.replace("转折", "反转"))
    table.proposals.accept(first.proposal.id, decided_by="alice")

    with pytest.raises(StaleProposal) as caught:
        table.proposals.accept(second.proposal.id, decided_by="bob")

    assert (EDITED, 0, 1) == (table.head.text, caught.value.fitting, caught.value.total)


class Interrupted:
    """A store in which someone else does something just before `method` is called the first time."""

    def __init__(self, store: SqlScriptStore, method: str, doing: Callable[[], object]):
        self._store, self._method, self._doing = store, method, doing

    def __getattr__(self, name: str):
        if name == self._method:
            self._method = ""
            self._doing()
        return getattr(self._store, name)


def test_a_write_in_the_moment_of_saving_is_a_stale_proposal_too(table: Table) -> None:
    review = table.propose()
    theirs = BASE.replace("介绍", "简介")

    with pytest.raises(StaleProposal) as caught:
        busy = Interrupted(table.store, "append", lambda: table.write(theirs))
        ProposalService(busy).accept(review.proposal.id, decided_by="alice")

    assert (2, theirs) == (caught.value.actual, table.head.text)
    assert "pending" == table.status(review)[0]


def test_a_rebase_is_a_new_proposal_with_both_edits_and_closes_the_old_one(table: Table) -> None:
    review = table.propose(notes=("试试看",))
    table.write(BASE.replace("数据", "数字") + "\r\n")

    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice")

    assert EDITED.replace("数据", "数字") + "\r\n" == rebased.proposal.text
    assert (2, MODEL, 3) == (rebased.proposal.base_number, rebased.proposal.provenance, len(rebased.changes))
    assert rebased == table.proposals.review(rebased.proposal.id)
    assert "试试看" == rebased.notes[0] and review.proposal.id in rebased.notes[1]
    assert ("rejected", f"rebased as {rebased.proposal.id}") == table.status(review)
    assert 2 == table.head.number


def test_accepting_what_was_rebased_is_a_merge(table: Table) -> None:
    review = table.propose()
    table.write(BASE.replace("数据", "数字"))
    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice")

    version = table.proposals.accept(rebased.proposal.id, decided_by="alice", leave_out=(3,))

    assert ("merge", 2, "换几个词") == (version.source, version.parent_number, version.provenance.instruction)
    assert (
        "一是开头。\r\n二是介绍。\r\n\r\n三是段子。\r\n四是细节。\r\n五是数字 30%。\r\n六是转折。\r\n七是结尾。"
        == version.text
    )
    assert () == table.store.verify()


def test_a_rebase_of_what_did_not_move_is_the_proposal_itself(table: Table) -> None:
    review = table.propose()

    assert review == table.proposals.rebase(review.proposal.id, decided_by="alice")
    assert "pending" == table.status(review)[0]


def test_a_rebase_that_changes_nothing_closes_the_proposal_and_says_so(table: Table) -> None:
    review = table.propose()
    table.write(EDITED)

    with pytest.raises(EditRefused) as caught:
        table.proposals.rebase(review.proposal.id, decided_by="alice")

    assert "unchanged" == caught.value.reason
    assert ("rejected", "v2 has all of it") == table.status(review)
    assert 2 == table.head.number


def test_of_two_who_rebase_at_once_the_second_leaves_nothing_behind(table: Table) -> None:
    review = table.propose()
    table.write(BASE.replace("数据", "数字"))
    made: list[Review] = []

    def rebase() -> None:
        made.append(table.proposals.rebase(review.proposal.id, decided_by="bob"))

    with pytest.raises(ProposalClosed):
        busy = Interrupted(table.store, "save_proposal", rebase)
        ProposalService(busy).rebase(review.proposal.id, decided_by="alice")

    assert [made[0].proposal] == [*table.proposals.open()]


def test_a_conflict_names_the_lines_of_the_head_and_what_fits_and_changes_nothing(table: Table) -> None:
    review = table.propose()
    table.write(BASE.replace("故事", "案例").replace("介绍。", "介绍。\r\n又是说明。"))

    with pytest.raises(MergeConflict) as caught:
        table.proposals.rebase(review.proposal.id, decided_by="alice")

    assert ((4,), 2, 3) == (caught.value.lines, caught.value.fitting, caught.value.total)
    assert "pending" == table.status(review)[0]
    assert 1 == len(table.store.proposals(only_open=False))


def test_the_changes_that_fit_can_be_carried_over_alone_and_the_others_are_kept(table: Table) -> None:
    review = table.propose(notes=("改了三行。",))
    head = table.write(BASE.replace("故事", "案例"))

    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice", only_fitting=True)
    version = table.proposals.accept(rebased.proposal.id, decided_by="alice")

    assert take(head.text, EDITED, (1, 3)) == rebased.proposal.text
    assert "改了三行。" not in rebased.notes
    assert (
        "Left out: change 2 of 3, because v2 changed the same or neighbouring lines.",
        f"Proposal {review.proposal.id} stays open with all its changes.",
    ) == rebased.notes[-2:]
    assert ("pending", None) == table.status(review)
    assert "merge" == version.source


def test_what_fits_is_carried_over_once(table: Table) -> None:
    review = table.propose()
    table.write(BASE.replace("故事", "案例"))
    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice", only_fitting=True)
    table.proposals.accept(rebased.proposal.id, decided_by="alice")

    with pytest.raises(MergeConflict) as conflict:
        table.proposals.rebase(review.proposal.id, decided_by="alice", only_fitting=True)
    with pytest.raises(StaleProposal) as stale:
        table.proposals.accept(review.proposal.id, decided_by="alice")

    assert (0, 0) == (conflict.value.fitting, stale.value.fitting)
    assert (0, 3, False) == astuple(table.proposals.outlook(review))


def test_a_proposal_that_the_script_has_already_is_said_to_be_in_it(table: Table) -> None:
    review = table.propose()
    table.write(EDITED)

    with pytest.raises(EditRefused, match=f"discard {review.proposal.id}") as caught:
        table.proposals.accept(review.proposal.id, decided_by="alice")

    assert "unchanged" == caught.value.reason
    assert (0, 3, True) == astuple(table.proposals.outlook(review))
    assert ("pending", None) == table.status(review)


REFRAIN = "每天喝够八杯水，身体自然会慢慢变好起来。"


def test_a_rebase_is_judged_by_all_guards_over_the_new_head(table: Table) -> None:
    """The two edits are each right; together they tell the same line twice."""
    review = table.propose(BASE.replace("七是结尾。", f"七是结尾。\r\n{REFRAIN}"))
    table.write(BASE.replace("二是介绍。", f"二是介绍。\r\n{REFRAIN}"))

    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice")

    assert () == review.findings
    assert "duplicated" in {finding.code for finding in rebased.findings}


def test_where_nothing_fits_there_is_nothing_to_carry_over(table: Table) -> None:
    review = table.propose()
    table.write("全新的稿子。")

    with pytest.raises(MergeConflict) as caught:
        table.proposals.rebase(review.proposal.id, decided_by="alice", only_fitting=True)

    assert 0 == caught.value.fitting
    assert "pending" == table.status(review)[0]


def test_a_proposal_can_be_carried_over_again_and_again(table: Table) -> None:
    review = table.propose()
    for egg in ("一个", "两个"):
        table.write(table.head.text.replace("数据", f"{egg}数据"))
    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice")
    table.write(table.head.text + "\r\n")

    again = table.proposals.rebase(rebased.proposal.id, decided_by="alice")
    version = table.proposals.accept(again.proposal.id, decided_by="alice")

    assert EDITED.replace("数据", "一个两个数据") + "\r\n" == version.text
    assert ("merge", ()) == (version.source, table.proposals.open())


def test_a_lock_made_meanwhile_stops_a_rebase(table: Table) -> None:
    review = table.propose()
    table.lock("故事")
    table.write(BASE.replace("数据", "数字"))

    with pytest.raises(EditRefused) as caught:
        table.proposals.rebase(review.proposal.id, decided_by="alice")

    assert ("locked_changed", "pending") == (caught.value.reason, table.status(review)[0])


def test_an_error_is_carried_over_with_the_proposal(table: Table) -> None:
    found = error("off_target", "off_target", 7)
    review = table.propose(findings=(found,))
    table.write(BASE.replace("数据", "数字"))
    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice")

    with pytest.raises(EditRefused):
        table.proposals.accept(rebased.proposal.id, decided_by="alice")

    assert (found,) == rebased.findings


HEADED = "# 开场\n一是问好。\n# 正文\n二是故事。\n三是细节。\n# 结尾\n四是道别。\n"
MOVED = "# 开场\n一是问好。\n# 结尾\n四是道别。\n# 正文\n二是故事。\n三是细节。\n"


def test_a_part_that_breaks_what_the_whole_kept_is_refused(store: SqlScriptStore) -> None:
    table = Table(store, HEADED)
    review = table.propose(MOVED)
    gone = [change.id for change in review.changes if change.kind == "delete"]

    with pytest.raises(EditRefused) as caught:
        table.proposals.accept(review.proposal.id, decided_by="alice", only=gone, overrule=True)

    assert ("structure_lost", "pending") == (caught.value.reason, table.status(review)[0])
    assert MOVED == table.proposals.accept(review.proposal.id, decided_by="alice").text


def test_a_part_is_not_refused_for_what_was_meant_in_the_whole(store: SqlScriptStore) -> None:
    """Whoever asked to take headings out may also take out one of them."""
    table = Table(store, HEADED)
    review = table.propose(HEADED.replace("# 正文\n", "").replace("# 结尾\n", ""))

    version = table.proposals.accept(review.proposal.id, decided_by="alice", only=(1,))

    assert HEADED.replace("# 正文\n", "") == version.text


# --- in a person's own words -----------------------------------------------------------------


def test_an_amended_proposal_has_the_persons_words_and_closes_the_old_one(table: Table) -> None:
    review = table.propose(notes=("试试看",))

    amended = table.proposals.amend(
        review.proposal.id, (1, 2), {2: "三是笑话。\n又一个。"}, decided_by="alice"
    )

    assert EDITED.replace("段子。", "笑话。\r\n又一个。").replace("收尾", "结尾") == amended.proposal.text
    assert ("试试看", "Written anew by alice: change 2.") == amended.notes
    assert ("rejected", f"amended as {amended.proposal.id}") == table.status(review)
    assert (1, MODEL) == (amended.proposal.base_number, amended.proposal.provenance)
    assert "edit" == table.proposals.accept(amended.proposal.id, decided_by="alice").source


def test_an_amended_proposal_has_the_errors_of_what_is_still_in_it(table: Table) -> None:
    edited = EDITED.replace("四是细节。", "（其余内容不变）")
    found = (*check(BASE, edited, GuardContext(instruction="换几个词")), error("off_target", "off_target", 7))
    first, second = table.propose(edited, findings=found), table.propose(edited, findings=found)

    mended = table.proposals.amend(first.proposal.id, (1, 3), {3: "四是细细说。"}, decided_by="alice")
    broken = table.proposals.amend(second.proposal.id, (1, 3, 4), {4: "七是散场。"}, decided_by="alice")

    assert () == mended.findings
    assert {"elision", "off_target"} == {finding.guard for finding in broken.findings}


def test_what_was_carried_over_and_amended_is_still_a_merge(table: Table) -> None:
    review = table.propose()
    table.write(BASE.replace("数据", "数字"))
    rebased = table.proposals.rebase(review.proposal.id, decided_by="alice")
    amended = table.proposals.amend(rebased.proposal.id, (1, 2, 3), {1: "一是序。"}, decided_by="alice")

    version = table.proposals.accept(amended.proposal.id, decided_by="alice")

    assert ("merge", EDITED.replace("开头", "序").replace("数据", "数字")) == (version.source, version.text)


def test_an_amended_proposal_needs_a_change(table: Table) -> None:
    review = table.propose()

    with pytest.raises(BadInput, match="nothing of proposal"):
        table.proposals.amend(review.proposal.id, (1,), {1: "一是开场。"}, decided_by="alice")

    assert ("pending", None) == table.status(review)


# --- candidates ------------------------------------------------------------------------------


def test_picking_one_candidate_closes_the_others(table: Table) -> None:
    made = [table.propose(BASE.replace("开场", word)) for word in ("开头", "序幕", "片头")]
    bystander = table.propose()
    ids = [review.proposal.id for review in made]
    table.proposals.reject(ids[2], decided_by="bob", reason="太短")

    version = table.proposals.pick(ids[1], ids, decided_by="alice")

    assert BASE.replace("开场", "序幕") == version.text
    assert [
        ("rejected", "another candidate was picked"), ("accepted", None), ("rejected", "太短"), ("pending", None),
    ] == [table.status(review) for review in (*made, bystander)]  # fmt: skip


def test_a_pick_that_cannot_be_saved_leaves_all_candidates_open(table: Table) -> None:
    good, bad = table.propose(), table.propose(findings=(error("size", "too_different"),))

    with pytest.raises(EditRefused):
        table.proposals.pick(bad.proposal.id, [good.proposal.id], decided_by="alice")
    with pytest.raises(ProposalNotFound):
        table.proposals.pick(good.proposal.id, ["p-nothere1"], decided_by="alice")

    assert ["pending", "pending"] == [table.status(review)[0] for review in (good, bad)]
    assert 1 == table.head.number
