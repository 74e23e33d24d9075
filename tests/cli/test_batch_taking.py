"""What is saved of a batch, taken back and dropped: what each says, and its exit code."""

from pathlib import Path

import pytest
from sqlmodel import Session

from script_editor.domain.batches import Ending, Made
from script_editor.domain.findings import Finding
from script_editor.domain.script import Provenance
from script_editor.store.batch_store import open_batches
from tests.support.command import Command, Ran

DO, DO_EN = "把“频道”改成“直播间”", "replace channel with show"
TEXT, TEXT_EN = "欢迎来到频道。\n再见。\n", "Welcome to my channel.\nBye.\n"
LOST = Finding(guard="size", code="too_different", level="error", message="too short")


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


def planned(command: Command, *names: str, do: str = DO) -> str:
    for name in names:
        command("new", name, input=TEXT if do == DO else TEXT_EN)
    return command("batch", "plan", *names, "--do", do, "-q").stdout.strip()


def end(command: Command, batch: str, seq: int, *findings: Finding, text: str | None = None) -> None:
    """End an item as a worker would; with findings it failed, and what was made is kept as a proposal."""
    made = Made(text=text or f"短{seq}\n", provenance=Provenance(author="tester"), findings=findings)
    ending = Ending(state="failed" if findings else "done", error="too short" if findings else "", made=made)
    with open_batches(str(command.database)) as batches, Session(batches._engine) as session, session.begin():
        batches.end_item(session, batch, seq, 1, ending)


def counted(command: Command, batch: str) -> tuple[int, int, int]:
    """Return how many are done, saved and taken back, by the status of a batch."""
    data = command("batch", "status", batch, "--json").data
    return data["items"]["done"], data["results"]["saved"], data["results"]["reverted"]


def left(ran: Ran) -> dict[str, str]:
    return {each["script"]: each["left"] for each in ran.json["data"]["left"]}


# --- what stands -----------------------------------------------------------------------------


def test_an_edit_over_a_text_that_was_brought_back_makes_nothing_saved_again(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2", "ep_3")
    command("batch", "run", batch, "--apply")
    command("batch", "revert", batch)
    assert command("edit", "ep_1", "把“再见”改成“回见”", "--yes").exit_code == 0

    edited = counted(command, batch)
    command("undo", "ep_1")

    assert edited == counted(command, batch) == (3, 0, 3)
    said = command("batch", "status", batch).stdout
    assert "已撤回 3" in said and "已保存" not in said


def test_a_change_that_a_person_took_out_by_hand_is_taken_back(command: Command) -> None:
    batch = planned(command, "ep_1")
    command("batch", "run", batch, "--apply")
    assert command("edit", "ep_1", "把“直播间”改成“频道”", "--yes").exit_code == 0

    again = command("batch", "revert", batch)

    assert counted(command, batch) == (1, 0, 1)
    assert "batch revert" not in command("batch", "status", batch).stderr
    assert (again.exit_code, again.stdout) == (0, "")
    assert "之后有人改过" not in again.stderr


def test_an_edit_on_top_of_a_saved_change_leaves_it_saved(command: Command) -> None:
    batch = planned(command, "ep_1")
    command("batch", "run", batch, "--apply")
    assert command("edit", "ep_1", "把“再见”改成“回见”", "--yes").exit_code == 0

    assert counted(command, batch) == (1, 1, 0)


def test_the_numbers_never_add_up_to_more_than_what_is_done(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2")
    end(command, batch, 1)
    end(command, batch, 2, LOST)
    for proposal in command("proposals", "--json").data["proposals"]:
        assert command("apply", proposal["proposal"], "--force", "--yes").exit_code == 0
    saved = counted(command, batch)
    for name in ("ep_1", "ep_2"):
        command("undo", name)

    assert (saved, counted(command, batch)) == ((2, 2, 0), (2, 0, 2))


def test_what_failed_and_was_saved_by_hand_is_done_for_every_command(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2")
    end(command, batch, 1)
    end(command, batch, 2, LOST)
    assert command("batch", "apply", batch).exit_code == 0
    (kept,) = command("proposals", "--json").data["proposals"]
    assert kept["proposal"] in command("batch", "failures", batch).stdout

    assert command("apply", kept["proposal"], "--force", "--yes").exit_code == 0

    assert counted(command, batch) == (2, 2, 0)
    assert command("batch", "status", batch, "--json").data["items"]["failed"] == 0
    failures = command("batch", "failures", batch)
    assert (failures.exit_code, failures.stdout) == (0, "")
    assert kept["proposal"] not in failures.stderr
    assert command("batch", "retry", batch, "--yes").exit_code == 0
    assert counted(command, batch) == (2, 2, 0)
    assert command("show", "ep_2").stdout == "短2\n"
    assert left(command("batch", "apply", batch, "--json")) == {"ep_1": "already", "ep_2": "already"}

    assert command("batch", "revert", batch).exit_code == 0

    assert [command("show", name).stdout for name in ("ep_1", "ep_2")] == [TEXT, TEXT]
    assert counted(command, batch) == (2, 0, 2)


def test_what_was_made_over_an_older_text_and_is_carried_over_by_hand_is_done(command: Command) -> None:
    text = "欢迎来到频道。\n第一段。\n第二段。\n再见。\n"
    command("new", "ep_1", input=text)
    batch = command("batch", "plan", "ep_1", "--do", DO, "-q").stdout.strip()
    assert command("edit", "ep_1", "把“再见”改成“回见”", "--yes").exit_code == 0
    edited = command("show", "ep_1").stdout
    end(command, batch, 1, text=text.replace("频道", "直播间"))
    assert command("batch", "status", batch, "--json").data["items"]["conflict"] == 1
    (kept,) = command("proposals", "--json").data["proposals"]

    assert command("apply", kept["proposal"], "--rebase", "--yes").exit_code == 0

    assert command("show", "ep_1").stdout == edited.replace("频道", "直播间")
    assert counted(command, batch) == (1, 1, 0)
    assert command("batch", "failures", batch).stdout == ""
    assert command("batch", "retry", batch, "--yes").exit_code == 0
    assert command("batch", "revert", batch).exit_code == 0
    assert command("show", "ep_1").stdout == edited
    assert counted(command, batch) == (1, 0, 1)


# --- apply -----------------------------------------------------------------------------------


def test_apply_says_that_what_was_taken_back_was(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2")
    command("batch", "run", batch, "--apply")
    command("batch", "revert", batch)

    ran, told = command("batch", "apply", batch), command("batch", "apply", batch, "--json")

    assert (ran.exit_code, ran.stderr.splitlines()[-1]) == (0, "已保存 0 个；未动：之后已撤回 2。")
    assert left(told) == {"ep_1": "reverted", "ep_2": "reverted"}


def test_apply_that_saves_nothing_fails_as_long_as_a_check_is_in_the_way_of_something(
    command: Command,
) -> None:
    """Also where the rest was saved the time before, as the help says."""
    batch = planned(command, "ep_1", "ep_2")
    end(command, batch, 1)
    end(command, batch, 2, LOST)

    first, again = command("batch", "apply", batch), command("batch", "apply", batch, "--json")

    assert first.exit_code == 0
    assert (again.exit_code, again.json["error"]["code"]) == (4, "edit_refused")
    assert left(again) == {"ep_1": "already", "ep_2": "checks"}


def test_apply_that_saves_nothing_is_a_conflict_where_only_scripts_that_moved_are_left(
    command: Command,
) -> None:
    batch = planned(command, "ep_1", "ep_2")
    command("batch", "run", batch)
    assert command("edit", "ep_2", "把“再见”改成“回见”", "--yes").exit_code == 0

    assert command("batch", "apply", batch).exit_code == 0
    assert command("batch", "apply", batch).exit_code == 5


def test_apply_has_nothing_to_do_where_everything_was_decided_on(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2")
    command("batch", "run", batch)
    first, second = (each["proposal"] for each in command("proposals", "--json").data["proposals"])
    command("apply", first)
    command("discard", second)

    ran = command("batch", "apply", batch)

    assert ran.exit_code == 0
    assert "提案已处理过 1" in ran.stderr and "之前已完成 1" in ran.stderr
    assert counted(command, batch) == (2, 1, 0)


# --- discard ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("do", "line", "told"),
    [
        (DO, "✓ ep_1  已放弃提案 {}\n", "已放弃 1 个提案，脚本没有改动。"),
        (DO_EN, "✓ ep_1  discarded proposal {}\n", "Discarded 1 proposal; no script was changed."),
    ],
    ids=["zh", "en"],
)
def test_discard_drops_the_open_proposals_in_the_language_of_the_batch(
    command: Command, do: str, line: str, told: str
) -> None:
    batch = planned(command, "ep_1", do=do)
    command("batch", "run", batch)
    (proposal,) = command("proposals", "--json").data["proposals"]

    ran = command("batch", "discard", batch)

    assert (ran.exit_code, ran.stdout) == (0, line.format(proposal["proposal"]))
    assert ran.stderr.splitlines() == [told]
    assert command("proposals", "--json").data["proposals"] == []
    assert command("show", "ep_1").stdout == (TEXT if do == DO else TEXT_EN)


def test_discard_drops_what_apply_refused_and_says_of_the_rest_only_how_much_there_is(
    command: Command,
) -> None:
    batch = planned(command, "ep_1", "ep_2", "ep_3")
    other = command("batch", "plan", "ep_1", "ep_2", "--do", DO, "--redo", "-q").stdout.strip()
    for each in (batch, other):
        command("batch", "run", each)
    command("batch", "apply", other)  # from now on the scripts have what the batch proposes
    applied = command("batch", "apply", batch)

    ran = command("batch", "discard", batch)
    again = command("batch", "discard", batch, "--json")

    assert f"script-editor batch discard {batch}" in applied.stderr
    assert ran.stdout.count("已放弃提案") == 2
    assert ran.stderr.splitlines() == ["已放弃 2 个提案，脚本没有改动；未动：提案已处理过 1。"]
    assert (again.exit_code, again.data["discarded"]) == (0, [])
    assert left(again) == dict.fromkeys(("ep_1", "ep_2", "ep_3"), "decided")


def test_discard_of_those_that_failed_leaves_the_others_open(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2")
    end(command, batch, 1)
    end(command, batch, 2, LOST)

    ran = command("batch", "discard", batch, "--only", "failed", "--json")

    assert [each["script"] for each in ran.data["discarded"]] == ["ep_2"]
    (kept,) = command("proposals", "--json").data["proposals"]
    assert kept["script"] == "ep_1"
    assert ran.data["discarded"][0]["version"] is None


def test_discard_of_a_batch_that_is_not_there_says_so(command: Command) -> None:
    planned(command, "ep_1")

    assert command("batch", "discard", "b-zzzzzzzz").exit_code == 3
