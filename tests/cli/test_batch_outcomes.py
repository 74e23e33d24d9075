"""What came of a batch, as a person sees it: warnings, nothing to do, reasons, what was saved and undone; exports."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import click
import pytest
from sqlmodel import Session

from script_editor.cli.batch import items
from script_editor.domain.batches import Ending, Made
from script_editor.domain.findings import Finding
from script_editor.domain.script import Provenance
from script_editor.store.batch_store import open_batches
from tests.support.command import Command, Ran

DO = "把“频道”改成“直播间”"
TEXT = "欢迎来到频道。\n再见。\n"
WARNED = Finding(guard="size", code="too_different", level="warning", message="much shorter", segments=(1,))


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


def planned(command: Command, *names: str, do: str = DO, text: str = TEXT) -> str:
    for name in names:
        assert command("new", name, input=text).exit_code == 0
    return command("batch", "plan", *names, "--do", do, "-q").stdout.strip()


def end(command: Command, batch: str, seq: int, *findings: Finding) -> None:
    """End an item with a result of which the checks said something, as a worker would; the offline model warns rarely."""
    made = Made(text=f"短{seq}\n", provenance=Provenance(author="tester"), findings=findings)
    with open_batches(str(command.database)) as batches, Session(batches._engine) as session, session.begin():
        batches.end_item(session, batch, seq, 1, Ending(state="done", made=made))


# --- nothing to do ---------------------------------------------------------------------------


def test_a_script_that_lacks_the_word_needs_no_change_and_nothing_failed(command: Command) -> None:
    command("new", "ep_2", input="今天聊防晒。\n")
    planned(command, "ep_1")
    batch = command("batch", "plan", "ep_1", "ep_2", "--do", DO, "-q").stdout.strip()

    ran = command("batch", "run", batch)

    assert (ran.exit_code, ran.stdout) == (0, f"{batch}  已结束   完成 1 · 无需改动 1\n")
    assert "= ep_2  无需改动：脚本里没有“频道”。" in ran.stderr
    assert "batch retry" not in ran.stderr


@pytest.mark.parametrize(
    ("do", "state"),
    [
        ("删掉第9行", "unchanged"),
        ("删掉包含“广告”的那一行", "unchanged"),
        ("replace \"sponsor\" with \"partner\"", "unchanged"),
        ("把“小猫”改成“小狗”，然后删掉第2行", "failed"),
        ("把“小猫”和“频道”都删掉", "failed"),
        ("在“小猫”后面加一句：嗨！", "failed"),
    ],
)  # fmt: skip
def test_only_where_nothing_else_was_asked_for_is_there_nothing_to_do(
    command: Command, do: str, state: str
) -> None:
    batch = planned(command, "ep_1", do=do)

    command("batch", "run", batch)

    assert command("batch", "export", batch, "--json").data["rows"][0]["state"] == state


def test_what_a_lock_forbids_has_failed(command: Command) -> None:
    planned(command, "ep_1")
    assert command("lock", "ep_1", "--phrase", "频道").exit_code == 0
    batch = command("batch", "plan", "ep_1", "--do", DO, "-q").stdout.strip()

    assert command("batch", "run", batch).exit_code == 10

    (row,) = command("batch", "export", batch, "--json").data["rows"]
    assert (row["state"], row["error_type"]) == ("failed", "locked_changed")


# --- warnings --------------------------------------------------------------------------------


@pytest.fixture
def warned(command: Command) -> str:
    """A batch whose first item is clean, whose second has a warning."""
    batch = planned(command, "ep_1", "ep_2")
    end(command, batch, 1)
    end(command, batch, 2, WARNED)
    return batch


def test_a_warning_is_seen_on_the_item_in_the_status_and_in_the_export(command: Command, warned: str) -> None:
    ran = command("batch", "run", warned)
    status = command("batch", "status", warned)
    rows = list(csv.DictReader(io.StringIO(command("batch", "export", warned).stdout)))

    assert ran.stdout == status.stdout == f"{warned}  已结束   完成 2（有警告 1）\n"
    assert command("batch", "status", warned, "--json").data["results"] == {
        "warned": 1, "saved": 0, "reverted": 0
    }  # fmt: skip
    assert (rows[0]["warnings"], bool(rows[1]["warnings"])) == ("", True)


def test_an_item_with_a_warning_has_a_mark_of_its_own_and_says_why(command: Command, warned: str) -> None:
    with open_batches(str(command.database)) as batches:
        clean, item = batches.items(warned)

    zh, en = (click.unstyle(items.item_line(item, language)) for language in ("zh", "en"))

    assert zh.startswith("! ep_2  有警告：") and zh.endswith(f"（提案 {item.proposal_id}）")
    assert en.startswith("! ep_2  warning: ") and en.endswith(f"(proposal {item.proposal_id})")
    assert click.unstyle(items.item_line(clean, "zh")) == f"✓ ep_1  提案 {clean.proposal_id}"
    assert "（还有 1 条）" in items.item_line(replace(item, warnings=(WARNED, WARNED)), "zh")


def test_apply_clean_calls_a_warning_a_warning(command: Command, warned: str) -> None:
    ran = command("batch", "apply", warned, "--clean")

    assert ran.exit_code == 0
    assert "已保存 1 个；未动：有警告 1。" in ran.stderr
    assert "检查没有通过" not in ran.stderr
    assert f"有警告的也保存：script-editor batch apply {warned}" in ran.stderr
    assert command("batch", "apply", warned).exit_code == 0
    assert "完成 2（有警告 1，已保存 2）" in command("batch", "status", warned).stdout


def test_apply_that_saves_nothing_for_a_warning_fails_as_a_refused_save_does(command: Command) -> None:
    batch = planned(command, "ep_1")
    end(command, batch, 1, WARNED)

    ran = command("batch", "apply", batch, "--clean")
    told = command("batch", "apply", batch, "--clean", "--json")

    assert (ran.exit_code, told.exit_code) == (4, 4)
    assert (told.json["ok"], told.json["error"]["code"]) == (False, "edit_refused")
    assert told.json["data"]["left"][0]["left"] == "warned"


# --- scripts that moved ----------------------------------------------------------------------


def test_what_moved_after_its_proposal_is_a_conflict_that_retry_takes_up(command: Command) -> None:
    batch = planned(command, "ep_1")
    assert command("batch", "run", batch).exit_code == 0
    assert command("edit", "ep_1", "把“再见”改成“回见”", "--yes").exit_code == 0

    ran = command("batch", "apply", batch)
    again = command("batch", "apply", batch, "--json")
    status = command("batch", "status", batch).stdout
    retried = command("batch", "retry", batch, "--only", "conflict")

    assert (ran.exit_code, again.exit_code, again.json["error"]["code"]) == (5, 5, "conflict")
    assert "之后有人改过：这期间 ep_1 从 v1 到了 v2。" in ran.stderr
    assert f"script-editor batch retry {batch} --only conflict" in ran.stderr
    assert status == f"{batch}  已结束   冲突 1\n"
    assert (retried.exit_code, retried.stdout) == (0, f"{batch}  已结束   完成 1\n")
    (open_one,) = command("proposals", "--json").data["proposals"]
    assert open_one["base"] == "v2"
    assert command("batch", "apply", batch).exit_code == 0
    assert command("show", "ep_1").stdout == "欢迎来到直播间。\n回见。\n"


def test_status_says_what_was_saved_and_what_was_undone(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2")
    command("batch", "run", batch, "--apply")
    assert command("edit", "ep_2", "把“再见”改成“回见”", "--yes").exit_code == 0

    saved = command("batch", "status", batch).stdout
    reverted = command("batch", "revert", batch)

    assert saved == f"{batch}  已结束   完成 2（已保存 2）\n"
    assert "之后有人改过：现在是 v3。" in reverted.stderr
    assert command("batch", "status", batch).stdout == f"{batch}  已结束   完成 2（已保存 1，已撤回 1）\n"


# --- failures --------------------------------------------------------------------------------


def test_failures_for_the_same_reason_are_told_once(command: Command) -> None:
    names = [f"episode_{number:02d}" for number in range(1, 31)]
    batch = planned(command, *names, "other", do="把“频道”改成“直播间”，然后删掉第7行")

    command("batch", "run", batch)
    lines = command("batch", "failures", batch).stdout.splitlines()
    told = command("batch", "failures", batch, "--json").data["failures"]

    assert lines[0].startswith("✗ 失败 31：")
    assert sum("失败" in line for line in lines) == 1
    assert {name for line in lines for name in line.split()} >= {*names, "other"}
    assert max(map(len, lines[1:])) <= 100
    assert len(told) == 31


# --- export ----------------------------------------------------------------------------------


def read(ran: Ran) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(ran.stdout)))


def test_an_export_gives_back_the_columns_of_the_rows_and_what_the_run_was(
    command: Command, tmp_path: Path
) -> None:
    for name in ("ep_1", "ep_2"):
        command("new", name, input=TEXT)
    (tmp_path / "jobs.csv").write_text(
        f"脚本,指令,备注,state\nep_1,{DO},给客户甲,x\nep_2,{DO},,\n", encoding="utf-8"
    )
    batch = command("batch", "plan", "--csv", str(tmp_path / "jobs.csv"), "-q").stdout.strip()
    before = command("batch", "export", batch)
    command("batch", "run", batch, "--apply")

    rows = read(command("batch", "export", batch))
    (tmp_path / "r.csv").write_bytes(b"")
    command("batch", "export", batch, "-o", str(tmp_path / "r.csv"))
    command("batch", "export", batch, "-o", str(tmp_path / "r.jsonl"))

    assert [row["state"] for row in read(before)] == ["queued", "queued"]
    first = rows[0]
    assert (first["base"], first["version"], first["attempt"], first["cost"]) == ("v1", "v2", "1", "0.0")
    assert first["run"].startswith("r-") and (first["备注"], first["own state"]) == ("给客户甲", "x")
    assert rows[1]["备注"] == ""
    assert (tmp_path / "r.csv").read_bytes()[:3] == b"\xef\xbb\xbf"
    assert command("batch", "export", batch).stdout_bytes[:3] != b"\xef\xbb\xbf"
    line = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert line["columns"] == {"备注": "给客户甲", "state": "x"}


# --- one language ----------------------------------------------------------------------------


def test_each_batch_of_a_list_is_told_in_its_own_language(command: Command) -> None:
    planned(command, "ep_1")
    planned(command, "ep_2", do="delete line 2")

    english, chinese = command("batch", "list").stdout.splitlines()

    assert "未开始" in chinese and "待处理 1" in chinese
    assert "planned" in english and "1 waiting" in english


def test_rows_with_their_own_instructions_are_told_in_the_language_of_most(
    command: Command, tmp_path: Path
) -> None:
    for name in ("ep_1", "ep_2", "ep_3"):
        command("new", name, input=TEXT)
    rows = f"script,instruction\nep_1,delete line 2\nep_2,{DO}\nep_3,{DO}\n"

    ran = command("batch", "plan", "--csv", "-", input=rows)
    batch = command("batch", "list", "--json").data["batches"][0]["batch"]

    assert ran.stdout.startswith(f"计划 {batch}：3 个脚本")
    listed = command("batch", "list").stdout
    assert "  （每个脚本各有各的指令）" in listed and "“（" not in listed
    assert command("batch", "status", batch).stdout == f"{batch}  未开始   待处理 3\n"


def test_a_conflict_is_told_in_the_language_of_its_instruction(command: Command) -> None:
    zh, en = planned(command, "ep_1"), planned(command, "ep_2", do="delete line 2")
    for name in ("ep_1", "ep_2"):
        assert command("edit", name, "把“再见”改成“回见”", "--yes").exit_code == 0

    chinese, english = command("batch", "run", zh), command("batch", "run", en)

    assert "! ep_1  冲突：这期间 ep_1 从 v1 到了 v2。" in chinese.stderr
    assert "! ep_2  conflict: ep_2 moved from v1 to v2 meanwhile." in english.stderr
