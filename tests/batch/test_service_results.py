"""What comes of a batch: exported, saved, taken back; each of it can be done again."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace

import pytest

from script_editor.batch.results import as_csv, as_json_lines
from script_editor.domain.batches import ItemState, Target, Wishes
from tests.batch.service_desk import USED, Desk, Service
from tests.support.openai_server import OpenAIServer, status

OWN = "AI 是我自己写的。\n"


@pytest.fixture
def desk(store_url: str) -> Iterator[Desk]:
    """The program with the offline model, and four scripts, on each database in turn."""
    with closing(Desk(store_url)) as made:
        made.fill(4)
        yield made


@pytest.fixture
def planned(sqlite_url: str) -> Iterator[tuple[Desk, str]]:
    """The program, and a batch of two items that was not run."""
    with closing(Desk(sqlite_url)) as made:
        yield made, made.plan(made.fill(2))


@pytest.fixture
def served(sqlite_url: str) -> Iterator[Callable[[Service], Desk]]:
    """A function from a service to the program that calls it."""
    with ExitStack() as stack:

        def serve(service: Service) -> Desk:
            server = stack.enter_context(OpenAIServer(service))
            return stack.enter_context(closing(Desk(sqlite_url, server.base_url)))

        yield serve


def saved(desk: Desk, batch_id: str, *, only_clean: bool = False) -> list[tuple[str, int | None, str | None]]:
    return [
        (each.item.job.script_id, each.version, each.left)
        for each in desk.batches.apply(batch_id, author="bob", only_clean=only_clean)
    ]


def reverted(desk: Desk, batch_id: str) -> list[tuple[str, int | None, str | None]]:
    return [
        (each.item.job.script_id, each.version, each.left)
        for each in desk.batches.revert(batch_id, author="bob")
    ]


def test_apply_saves_what_still_fits_and_says_why_it_leaves_the_rest(desk: Desk) -> None:
    batch_id = desk.plan(["v1", "v2", "v3", "v4"])
    desk.run(batch_id)
    mine = {proposal.script_id: proposal.id for proposal in desk.app.proposals.open()}
    desk.app.scripts.save("v2", OWN, expected_head=1, author="alice")
    desk.app.proposals.reject(mine["v3"], decided_by="alice", reason="not this one")
    desk.app.proposals.accept(mine["v4"], decided_by="alice")

    first, again = saved(desk, batch_id), saved(desk, batch_id)

    assert first == [("v1", 2, None), ("v2", None, "moved"), ("v3", None, "decided"), ("v4", 2, "already")]
    assert again == [("v1", 2, "already"), *first[1:]]
    assert desk.app.scripts.read("v1").text[:4] == "人工智能"
    assert desk.app.scripts.read("v1").provenance.author == "bob"
    assert desk.app.scripts.read("v2").text == OWN


def test_apply_says_of_what_was_taken_back_that_it_was(desk: Desk) -> None:
    batch_id = desk.plan(["v1", "v2", "v3", "v4"], target="apply")
    desk.run(batch_id)
    reverted(desk, batch_id)
    desk.app.scripts.save("v2", OWN, expected_head=3, author="alice")
    desk.app.scripts.undo("v3", author="alice")

    told = saved(desk, batch_id)

    assert told == [("v1", 2, "reverted"), ("v2", 2, "reverted"), ("v3", 2, "already"), ("v4", 2, "reverted")]


def test_apply_keeps_what_is_locked(desk: Desk) -> None:
    batch_id = desk.plan(["v1"])
    desk.run(batch_id)
    desk.app.locks.lock("v1", kind="phrase", text="AI", author="alice")

    assert saved(desk, batch_id) == [("v1", None, "refused")]
    assert desk.app.scripts.read("v1").number == 1


def test_revert_brings_back_what_the_batch_made_and_leaves_what_people_did_since(desk: Desk) -> None:
    batch_id = desk.plan(["v1", "v2", "v3", "v4"], target="apply")
    before = {id: desk.app.scripts.read(id).text for id in ("v1", "v3", "v4")}
    desk.run(batch_id)
    desk.app.scripts.save("v2", OWN, expected_head=2, author="alice")

    first, again = reverted(desk, batch_id), reverted(desk, batch_id)

    assert first == [("v1", 3, None), ("v2", None, "moved"), ("v3", 3, None), ("v4", 3, None)]
    assert again == [("v1", 3, "already"), ("v2", None, "moved"), ("v3", 3, "already"), ("v4", 3, "already")]
    assert {id: desk.app.scripts.read(id).text for id in before} == before
    assert desk.app.scripts.read("v1").source == "revert"
    assert desk.app.scripts.read("v2").text == OWN


def test_revert_has_nothing_to_do_where_somebody_took_the_change_back_and_wrote_on(desk: Desk) -> None:
    batch_id = desk.plan(["v1", "v2", "v3"], target="apply")
    before = desk.app.scripts.read("v2").text
    desk.run(batch_id)
    desk.app.scripts.undo("v1", author="alice")
    desk.app.scripts.save("v1", OWN, expected_head=3, author="alice")
    desk.app.scripts.save("v2", before, expected_head=2, author="alice")
    desk.app.scripts.save("v3", OWN, expected_head=2, author="alice")

    assert reverted(desk, batch_id) == [
        ("v1", None, "already"), ("v2", 3, "already"), ("v3", None, "moved")
    ]  # fmt: skip


def test_revert_takes_back_what_apply_saved_and_has_nothing_to_do_for_proposals(desk: Desk) -> None:
    batch_id = desk.plan(["v1", "v2"])
    desk.run(batch_id)
    desk.app.scripts.save("v2", OWN, expected_head=1, author="alice")
    saved(desk, batch_id)

    assert reverted(desk, batch_id) == [("v1", 3, None), ("v2", None, "no_result")]
    assert desk.app.scripts.read("v1").text == desk.app.scripts.read("v1@v1").text


def discarded(desk: Desk, batch_id: str, *states: ItemState) -> list[tuple[str, str | None]]:
    return [
        (each.item.job.script_id, each.left)
        for each in desk.batches.discard(batch_id, author="bob", states=states or None)
    ]


def test_discard_closes_the_open_proposals_and_keeps_their_texts(desk: Desk) -> None:
    batch_id, other = desk.plan(["v1", "v2", "v3"]), desk.plan(["v4"])
    desk.run(batch_id)
    desk.run(other)
    mine = {proposal.script_id: proposal.id for proposal in desk.app.proposals.open()}
    desk.app.proposals.accept(mine["v3"], decided_by="alice")

    first, again = discarded(desk, batch_id), discarded(desk, batch_id)

    assert first == [("v1", None), ("v2", None), ("v3", "decided")]
    assert again == [("v1", "decided"), ("v2", "decided"), ("v3", "decided")]
    assert [proposal.script_id for proposal in desk.app.proposals.open()] == ["v4"]
    closed = desk.app.proposals.review(mine["v1"]).proposal
    assert (closed.status, closed.reason) == ("rejected", f"batch discard {batch_id}")
    assert closed.decided_by == "bob"
    assert closed.text.startswith("人工智能")
    assert desk.app.scripts.read("v1").number == 1
    assert saved(desk, batch_id)[0] == ("v1", None, "decided")


def test_discard_of_some_states_leaves_the_proposals_of_the_others(desk: Desk) -> None:
    batch_id = desk.plan(["v1", "v2"])
    desk.run(batch_id)
    desk.app.scripts.save("v2", OWN, expected_head=1, author="alice")
    saved_ones = saved(desk, batch_id)

    assert saved_ones == [("v1", 2, None), ("v2", None, "moved")]
    assert discarded(desk, batch_id, "failed") == []
    assert discarded(desk, batch_id, "conflict") == [("v2", None)]
    assert desk.app.proposals.open() == ()


@pytest.mark.parametrize("target", ["propose", "apply"])
def test_what_a_check_warns_of_is_saved_when_a_person_says_so_only(
    served: Callable[[Service], Desk], target: Target
) -> None:
    desk = served(Service(opening="上个月有3,742人来问："))
    batch_id = desk.plan(desk.fill(1), instruction="改得更轻松幽默一些", target=target)

    desk.run(batch_id)

    (proposal,) = desk.app.proposals.open()
    assert [finding.level for finding in proposal.findings] == ["warning"]
    assert saved(desk, batch_id, only_clean=True) == [("v1", None, "warned")]
    assert saved(desk, batch_id) == [("v1", 2, None)]


def test_apply_leaves_what_a_check_spoke_against(served: Callable[[Service], Desk]) -> None:
    """A missed time is no reason to lose the text, and none to save it unseen."""
    desk = served(Service())
    batch_id = desk.plan(desk.fill(1), instruction="改得更轻松幽默一些", wishes=Wishes(target="1s"))
    desk.run(batch_id)

    (left,) = desk.batches.apply(batch_id, author="bob", only_clean=False)

    assert (left.version, left.left, left.item.state) == (None, "checks", "failed")
    assert left.item.proposal_id is not None
    assert left.why
    assert desk.app.scripts.read("v1").number == 1


def test_every_item_is_a_row_of_the_export(served: Callable[[Service], Desk]) -> None:
    desk = served(Service(lambda number, _call: status(400, "=no, such\nfield") if number == 2 else None))
    batch_id = desk.plan(desk.fill(2), instruction="改得更轻松幽默一些")
    desk.run(batch_id)
    saved(desk, batch_id)

    rows = [*desk.batches.export(batch_id)]

    done, failed = rows
    assert (done.batch, done.seq, done.script, done.state, done.base) == (batch_id, 1, "v1", "done", "v1")
    assert (done.version, done.tokens_in, done.tokens_out, done.cost) == ("v2", *USED, float(sum(USED)))
    assert done.proposal is not None
    assert done.seconds_before is not None
    assert done.seconds_after is not None
    assert done.seconds_after > done.seconds_before
    assert (failed.state, failed.version, failed.proposal, failed.seconds_after) == (
        "failed",
        None,
        None,
        None,
    )
    assert (failed.error_type, "no, such" in failed.error) == ("model_failure", True)


def test_rows_are_written_so_that_they_can_be_read_again(planned: tuple[Desk, str]) -> None:
    desk, batch_id = planned
    rows = [*desk.batches.export(batch_id)]

    table = list(csv.DictReader(io.StringIO("".join(as_csv(rows)), newline="")))
    lines = [json.loads(line) for line in as_json_lines(rows)]

    assert [row["script"] for row in table] == ["v1", "v2"]
    assert [row["instruction"] for row in table] == ["把“AI”改成“人工智能”"] * 2
    assert [(row["seq"], row["state"], row["version"]) for row in table] == [
        ("1", "queued", ""),
        ("2", "queued", ""),
    ]
    assert [(line["seq"], line["version"]) for line in lines] == [(1, None), (2, None)]
    assert "把“AI”改成“人工智能”" in "".join(as_json_lines(rows))


def test_no_cell_becomes_a_formula(planned: tuple[Desk, str]) -> None:
    """An instruction comes from a table that anybody may have filled in, and goes into another one."""
    desk, batch_id = planned
    row = replace(next(desk.batches.export(batch_id)), instruction="=HYPERLINK(1)", error="-1+1")

    read = next(csv.DictReader(io.StringIO("".join(as_csv([row])), newline="")))

    assert (read["instruction"], read["error"]) == ("'=HYPERLINK(1)", "'-1+1")
