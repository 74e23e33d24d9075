"""batch plan, run, status, failures, retry, apply, revert, export, list: through the command line, with the offline model."""

import csv
import io
import json
import re
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import Command, Ran

DO = "把“频道”改成“直播间”"
TEXTS = {
    "ep_1": "大家好，欢迎来到频道。\n再见。\n",
    "ep_2": "这里是我的频道。\n下次见。\n",
    "ep_3": "今天聊防晒频道。\n涂够量才有用。\n",
}


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Three scripts; the instruction can be carried out in two of them."""
    made = Command(tmp_path / "store.db")
    for name, text in TEXTS.items():
        assert made("new", name, input=text).exit_code == 0
    assert made("lock", "ep_3", "--phrase", "频道").exit_code == 0
    return made


def planned(command: Command, *options: str, **how: Any) -> str:
    """Plan something and return the batch."""
    ran = command("batch", "plan", *(options or ("--select", "ep_*", "--do", DO)), "-q", **how)
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout.strip()


def text_of(command: Command, name: str) -> str:
    return command("show", name).stdout


# --- plan ------------------------------------------------------------------------------------


def test_a_plan_says_what_would_be_done_and_how_to_go_on_and_does_nothing(command: Command) -> None:
    ran = command("batch", "plan", "ep_1", "ep_2", "ep_3", "--do", DO)

    batch = command("batch", "list", "--json").data["batches"][0]
    assert ran.stdout.splitlines()[0] == f"计划 {batch['batch']}：3 个脚本，模型 offline"
    assert f"试跑 2 个：script-editor batch run {batch['batch']} --sample 2" in ran.stderr
    assert (batch["state"], batch["items"]["queued"]) == ("planned", 3)
    assert [text_of(command, name) for name in TEXTS] == list(TEXTS.values())


def test_a_plan_is_told_in_the_language_of_what_is_to_be_done(command: Command) -> None:
    ran = command("batch", "plan", "ep_1", "--do", 'replace "频道" with "小站"')

    assert ran.stdout.startswith("Plan b-") and ": 1 script, model offline" in ran.stdout
    assert "All: script-editor batch run b-" in ran.stderr and "Try 2" not in ran.stderr


def test_rows_that_cannot_be_used_are_told_with_their_line_and_the_others_are_planned(
    command: Command, tmp_path: Path
) -> None:
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("script,old,new\nep_1,频道,小站\nep_99,频道,小站\nep_2,频道\n", encoding="utf-8")

    ran = command("batch", "plan", "--csv", str(jobs), "--do", "把“{old}”改成“{new}”", "--json")

    assert ran.exit_code == 0
    assert ran.data["total"] == 1
    assert sorted((each["where"], each["script"]) for each in ran.data["problems"]) == [
        ("jobs.csv, line 3", "ep_99"), ("jobs.csv, line 4", "")
    ]  # fmt: skip
    told = command("batch", "plan", "--csv", str(jobs), "--do", "把“{old}”改成“{new}”")
    assert "jobs.csv 第 3 行" in told.stderr and "ep_99" in told.stderr
    assert "jobs.csv 第 4 行" in told.stderr
    assert "2 行不能用" in told.stdout


def test_many_bad_rows_do_not_fill_the_screen(command: Command) -> None:
    rows = "".join(f"none_{number}\n" for number in range(50))

    ran = command("batch", "plan", "-", "--do", DO, input=f"ep_1\n{rows}")

    assert len(ran.stderr.splitlines()) < 30
    assert "还有 30 行" in ran.stderr


def test_quiet_hides_no_row_that_is_left_out(command: Command) -> None:
    ran = command("batch", "plan", "-", "--do", DO, "-q", input="ep_1\nep_99\n")

    assert (ran.exit_code, len(ran.stdout.split())) == (0, 1)
    assert "stdin 第 2 行" in ran.stderr and "ep_99" in ran.stderr
    assert "script-editor batch run" not in ran.stderr


@pytest.mark.parametrize(
    ("form", "source"),
    [
        ("-", "ep_1\nep_2\n"),
        ("-", "script\nep_1\nep_2\n"),
        ("-", '{"script": "ep_1"}\n{"script": "ep_2"}\n'),
        ("--csv", "\ufeffscript\nep_1\nep_2\n"),
        ("--jsonl", '{"script": "ep_1"}\n{"script": "ep_2"}\n'),
    ],
    ids=["ids", "csv seen from its text", "json lines seen from their text", "csv with a BOM", "json lines"],
)
def test_scripts_are_named_on_stdin_in_any_form(command: Command, form: str, source: str) -> None:
    options = ["-"] if form == "-" else [form, "-"]

    ran = command("batch", "plan", *options, "--do", DO, "--json", input=source)

    assert (ran.data["total"], ran.data["problems"]) == (2, [])


def test_scripts_are_chosen_by_what_they_are_like(command: Command) -> None:
    def chosen(*options: str) -> int:
        return int(command("batch", "plan", *options, "--do", DO, "--redo", "--json").data["total"])

    assert 3 == chosen("--select", "*")
    assert 1 == chosen("--select", "*_2")
    assert 1 == chosen("--containing", "防晒")
    assert 3 == chosen("--containing", "频道")
    assert 3 == chosen("--longer-than", "1s")
    assert 3 == chosen("--shorter-than", "一分半")


def test_files_are_imported_first(command: Command, tmp_path: Path) -> None:
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    (drafts / "a.txt").write_text("欢迎来到频道。\n", encoding="utf-8")
    (drafts / "b.txt").write_text("我的频道。\n", encoding="gb18030")
    (drafts / "c d.txt").write_text("频道。\n", encoding="utf-8")
    (drafts / ".swp").write_text("x", encoding="utf-8")

    ran = command("batch", "plan", "--glob", f"{drafts}/*.txt", "--do", DO, "--json")

    assert ran.exit_code == 0
    assert ran.data["total"] == 1
    assert sorted(Path(each["where"]).name for each in ran.data["problems"]) == ["b.txt", "c d.txt"]
    assert text_of(command, "a") == "欢迎来到频道。\n"


def test_an_instruction_is_read_from_a_file_or_stdin_as_edit_reads_it(
    command: Command, tmp_path: Path
) -> None:
    (tmp_path / "do.txt").write_text(f"{DO}\n", encoding="utf-8")

    from_file = command("batch", "plan", "ep_1", "-i", str(tmp_path / "do.txt"), "--json")
    from_stdin = command("batch", "plan", "ep_1", "-i", "-", "--json", input=DO)

    assert [from_file.data["instruction"], from_stdin.data["instruction"]] == [DO, DO]


def test_each_row_may_have_its_own_instruction(command: Command) -> None:
    rows = f"脚本,修改要求\nep_1,{DO}\nep_3,把“防晒”改成“防晒霜”\n"

    batch = planned(command, "--csv", "-", input=rows)
    command("batch", "run", batch, "--apply")

    assert text_of(command, "ep_1") == TEXTS["ep_1"].replace("频道", "直播间")
    assert text_of(command, "ep_3") == TEXTS["ep_3"].replace("防晒", "防晒霜")


WRONG = {
    "nothing named": (["--do", DO], "Name the scripts"),
    "nothing to do": (["ep_1"], "--do"),
    "ids and a choice": (["ep_1", "--select", "*", "--do", DO], "whole store"),
    "two instructions": (["ep_1", "--do", DO, "-i", "x.txt"], "not both"),
    "stdin twice": (["-", "--csv", "-", "--do", DO], "once"),
    "no such file": (["--csv", "/nowhere/jobs.csv", "--do", DO], "jobs.csv"),
    "no file like it": (["--glob", "/nowhere/*.txt", "--do", DO], "没有像 /nowhere/*.txt 这样的文件"),
    "a column that is not there": (["ep_1", "--do", "把{旧}改掉"], "旧"),
    "a length that is a share": (["--longer-than", "20%", "--do", DO], "--longer-than"),
    "a target that is none": (["ep_1", "--do", DO, "--target", "soon"], "soon"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_plan_that_makes_no_sense_says_what_to_do_and_leaves_nothing(command: Command, name: str) -> None:
    options, said = WRONG[name]

    ran = command("batch", "plan", *options, input="")

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert command("batch", "list", "--json").data["batches"] == []


# --- run -------------------------------------------------------------------------------------


def test_a_run_ends_in_proposals_tells_each_item_and_fails_where_one_failed(command: Command) -> None:
    batch = planned(command)

    ran = command("batch", "run", batch)

    assert ran.exit_code == 10
    assert ran.stdout == f"{batch}  已结束   完成 2 · 失败 1\n"
    told = sorted(line for line in ran.stderr.splitlines() if line[0] in "✓✗")
    assert [line.split()[1] for line in told] == ["ep_1", "ep_2", "ep_3"]
    assert "失败：" in told[2] and "频道" in told[2]
    assert f"script-editor batch failures {batch}" in ran.stderr
    assert [text_of(command, name) for name in TEXTS] == list(TEXTS.values())
    assert {each["script"] for each in command("proposals", "--json").data["proposals"]} == {"ep_1", "ep_2"}


def test_each_item_is_a_run_of_the_log(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCRIPT_EDITOR_LOG", "on")
    batch = planned(command, "ep_1", "ep_2", "--do", DO)

    command("batch", "run", batch)

    runs = command("log", "--json").data["runs"]
    assert sorted(run["script"] for run in runs) == ["ep_1", "ep_2"]
    shown = command("log", "show", runs[0]["run"])
    assert shown.exit_code == 0
    assert DO in shown.stdout


def test_a_table_of_a_spreadsheet_is_read_in_the_encoding_that_is_named(
    command: Command, tmp_path: Path
) -> None:
    jobs = tmp_path / "jobs.csv"
    jobs.write_bytes("脚本,指令\r\nep_1,把“频道”改成“直播间”\r\n".encode("gb18030"))

    refused = command("batch", "plan", "--csv", str(jobs))
    ran = command("batch", "plan", "--csv", str(jobs), "--encoding", "gb18030", "-q")

    assert refused.exit_code == 2
    assert "--encoding gb18030" in refused.stderr
    assert (ran.exit_code, ran.stdout[:2]) == (0, "b-")


def test_running_again_does_nothing_again(command: Command) -> None:
    batch = planned(command)
    command("batch", "run", batch)
    before = command("proposals", "--json").data["proposals"]

    again = command("batch", "run", batch, "--json")

    assert again.exit_code == 10
    assert command("proposals", "--json").data["proposals"] == before


def test_a_run_saves_what_is_clean_with_apply(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2", "--do", DO)

    ran = command("batch", "run", batch, "--apply")

    assert (ran.exit_code, ran.stdout) == (0, f"{batch}  已结束   完成 2（已保存 2）\n")
    assert "已存为 v2" in ran.stderr and f"全部撤回：script-editor batch revert {batch}" in ran.stderr
    assert text_of(command, "ep_1") == TEXTS["ep_1"].replace("频道", "直播间")
    assert text_of(command, "ep_2") == TEXTS["ep_2"].replace("频道", "直播间")


def test_a_sample_is_a_part_and_resume_does_the_rest_without_repeating(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2", "--do", DO)

    sample = command("batch", "run", batch, "--sample", "1")
    rest = command("batch", "resume", batch)

    assert sample.exit_code == 0
    assert sample.stdout == f"{batch}  已暂停（试跑已完成）   完成 1 · 待处理 1\n"
    assert f"续跑：script-editor batch resume {batch}" in sample.stderr
    assert rest.exit_code == 0
    assert "已结束的 1 个不再重复" in rest.stderr
    assert len([line for line in rest.stderr.splitlines() if line.startswith("✓")]) == 1


def test_each_event_is_a_line_of_json_and_the_last_line_is_the_result(command: Command) -> None:
    batch = planned(command)

    ran = command("batch", "run", batch, "--json")

    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    items = {line["script"]: line for line in lines if line.get("event") == "item"}
    assert lines[0]["event"] == "began" and lines[0]["open"] == 3
    assert {name: each["state"] for name, each in items.items()} == {
        "ep_1": "done", "ep_2": "done", "ep_3": "failed"
    }  # fmt: skip
    assert items["ep_3"]["error"]["code"] and items["ep_1"]["proposal"].startswith("p-")
    assert (lines[-1]["ok"], lines[-1]["error"]["code"]) == (False, "batch_troubled")
    assert lines[-1]["data"]["items"]["done"] == 2
    assert ran.stderr == ""


def test_quiet_prints_the_result_only(command: Command) -> None:
    batch = planned(command)

    ran = command("batch", "run", batch, "-q")

    assert ran.stdout == f"{batch}  已结束   完成 2 · 失败 1\n"
    assert ran.stderr == ""


def test_work_that_was_done_is_not_planned_again_unless_wanted(command: Command) -> None:
    options = ("ep_1", "ep_2", "--do", DO)
    command("batch", "run", planned(command, *options))

    again, redo = command("batch", "plan", *options), command("batch", "plan", *options, "--redo", "--json")

    assert (again.exit_code, again.stdout) == (0, "")
    assert "没有要做的：2 个脚本" in again.stderr and "--redo" in again.stderr
    assert (redo.data["total"], redo.data["skipped"]) == (2, 0)


def test_a_budget_without_prices_is_refused(command: Command) -> None:
    batch = planned(command)

    ran = command("batch", "run", batch, "--budget", "1")

    assert ran.exit_code == 6
    assert "SCRIPT_EDITOR_PRICE_IN" in ran.stderr
    assert command("batch", "status", batch, "--json").data["state"] == "planned"


def test_another_model_than_the_planned_one_is_refused(command: Command) -> None:
    batch = planned(command)

    ran = command("batch", "run", batch, model="deepseek-chat", OPENAI_API_KEY="sk-0123456789abcdef")

    assert ran.exit_code == 6
    assert "-m offline" in ran.stderr


@pytest.mark.parametrize(
    "name", ["run", "resume", "retry", "status", "watch", "failures", "export", "apply", "revert", "cancel"]
)
def test_a_batch_that_nobody_knows_is_not_found(command: Command, name: str) -> None:
    ran = command("batch", name, "b-nothing1")

    assert (ran.exit_code, ran.stdout) == (3, "")
    assert "no batch 'b-nothing1'" in ran.stderr and "script-editor batch list" in ran.stderr


@pytest.mark.parametrize("name", ["run", "resume", "worker"])
def test_without_the_engine_its_extra_is_named_and_planning_works(command: Command, name: str) -> None:
    batch = planned(command)
    code = "import sys; sys.modules['dbos'] = None; from script_editor.cli.main import main; main()"

    ran = subprocess.run(
        [sys.executable, "-c", code, "--db", str(command.database), "--model", "offline", "batch", name,
         *([] if name == "worker" else [batch])],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip

    assert (ran.returncode, ran.stdout) == (6, "")
    assert "script-editor[batch]" in ran.stderr


def test_the_whole_way_on_either_database(store_url: str) -> None:
    command = Command(store_url)
    for name, text in TEXTS.items():
        assert command("new", name, input=text).exit_code == 0
    assert command("lock", "ep_3", "--phrase", "频道").exit_code == 0
    batch = planned(command)

    ran = command("batch", "run", batch, "--apply")

    assert (ran.exit_code, ran.stdout) == (10, f"{batch}  已结束   完成 2（已保存 2） · 失败 1\n")
    assert text_of(command, "ep_1") == TEXTS["ep_1"].replace("频道", "直播间")
    assert len(command("batch", "export", batch, "--json").data["rows"]) == 3
    assert len(command("batch", "revert", batch, "--json").data["reverted"]) == 2
    assert [text_of(command, name) for name in TEXTS] == list(TEXTS.values())


# --- failures, retry -------------------------------------------------------------------------


def test_failures_say_what_went_wrong_and_what_to_do(command: Command) -> None:
    batch = planned(command)
    command("batch", "run", batch)

    ran = command("batch", "failures", batch)

    first, hint = ran.stdout.splitlines()
    assert first.startswith("✗ ep_3  失败：") and hint.startswith("    ")
    assert f"重试：script-editor batch retry {batch}" in ran.stderr
    (failure,) = command("batch", "failures", batch, "--json").data["failures"]
    assert (failure["script"], failure["state"]) == ("ep_3", "failed")
    assert command("batch", "failures", batch, "--only", "conflict").stdout == ""


def test_a_retry_takes_up_a_script_as_it_is_now(command: Command) -> None:
    batch = planned(command)
    command("edit", "ep_2", "把“下次见”改成“再会”", "--yes")
    first = command("batch", "run", batch, "--json")

    ran = command("batch", "retry", batch, "--only", "conflict", "--apply")

    states = {
        line["script"]: line["state"]
        for line in map(json.loads, first.stdout.splitlines())
        if "script" in line
    }
    assert states["ep_2"] == "conflict"
    assert "✓ ep_2  已存为 v3" in ran.stderr
    assert text_of(command, "ep_2") == "这里是我的直播间。\n再会。\n"


@pytest.mark.parametrize("options", [(), ("--only", "dead"), ("--failed",), ("--detach",)], ids=" ".join)
def test_a_retry_of_nothing_changes_nothing_and_says_so(command: Command, options: tuple[str, ...]) -> None:
    batch = planned(command, "ep_1", "--do", DO)
    command("batch", "run", batch)

    ran = command("batch", "retry", batch, *options)

    assert ran.exit_code == 0
    assert ran.stdout == f"{batch}  已结束   完成 1\n"
    assert "没有可以重试的项目" in ran.stderr


# --- status, list, watch, cancel -------------------------------------------------------------


def test_status_and_list_say_where_batches_stand_newest_first(command: Command) -> None:
    first = planned(command)
    second = planned(command, "ep_1", "--do", "delete line 2")
    command("batch", "run", second)

    listed = command("batch", "list").stdout.splitlines()

    assert [line.split()[0] for line in listed] == [second, first]
    assert "  done  " in listed[0] and "“delete line 2”" in listed[0]
    assert "未开始" in listed[1] and "待处理 3" in listed[1]
    assert command("batch", "status", first).stdout == f"{first}  未开始   待处理 3\n"
    assert command("batch", "status", first).stderr == (
        f"逐项查看：script-editor batch export {first}     运行：script-editor batch run {first}\n"
    )
    assert [each["batch"] for each in command("batch", "list", "-n", "1", "--json").data["batches"]] == [
        second
    ]


def test_an_empty_list_says_how_to_begin(tmp_path: Path) -> None:
    ran = Command(tmp_path / "store.db")("batch", "list")

    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "script-editor batch plan" in ran.stderr


def test_watching_a_batch_that_is_over_tells_how_it_ended(command: Command) -> None:
    batch = planned(command)
    command("batch", "run", batch)

    ran = command("batch", "watch", batch)

    assert (ran.exit_code, ran.stdout) == (10, f"{batch}  已结束   完成 2 · 失败 1\n")


def test_a_cancelled_batch_is_run_by_resume_alone(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2", "--do", DO)

    cancelled = command("batch", "cancel", batch)

    assert cancelled.stdout == f"{batch}  已取消   已取消 2\n"
    assert command("batch", "run", batch).exit_code == 2
    assert command("batch", "resume", batch).exit_code == 0
    assert command("batch", "status", batch, "--json").data["items"]["done"] == 2
    assert command("batch", "cancel", batch).exit_code == 2


def test_a_worker_without_work_ends_when_it_is_told_to(command: Command) -> None:
    ran = command("batch", "worker", "--until-idle", "--json")

    assert (ran.exit_code, ran.data) == (0, {"items": 0})


# --- apply, revert, export, gc ---------------------------------------------------------------


def test_apply_saves_what_is_clean_once_and_leaves_what_moved(command: Command) -> None:
    batch = planned(command)
    command("batch", "run", batch)
    command("edit", "ep_2", "把“下次见”改成“再会”", "--yes")

    ran, again = command("batch", "apply", batch, "--clean"), command("batch", "apply", batch, "--json")

    assert ran.stdout == "✓ ep_1  v2\n"
    assert "! ep_2" in ran.stderr and "之后有人改过" in ran.stderr
    assert text_of(command, "ep_1") == TEXTS["ep_1"].replace("频道", "直播间")
    assert text_of(command, "ep_2") == "这里是我的频道。\n再会。\n"
    assert (again.exit_code, again.json["data"]["saved"]) == (5, [])
    assert {each["script"]: each["left"] for each in again.json["data"]["left"]} == {
        "ep_1": "already", "ep_2": "moved", "ep_3": "no_result"
    }  # fmt: skip


def test_revert_brings_back_what_was_and_leaves_what_moved(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2", "--do", DO)
    command("batch", "run", batch, "--apply")
    command("edit", "ep_2", "把“下次见”改成“再会”", "--yes")

    ran, again = command("batch", "revert", batch), command("batch", "revert", batch, "--json")

    assert ran.stdout == "✓ ep_1  已恢复，现为 v3\n"
    assert "! ep_2" in ran.stderr
    assert text_of(command, "ep_1") == TEXTS["ep_1"]
    assert text_of(command, "ep_2") == "这里是我的直播间。\n再会。\n"
    assert again.data["reverted"] == []


def hints(command: Command, batch: str) -> set[str]:
    """Return the commands that the status of a batch proposes."""
    ran = command("batch", "status", batch)
    return set(re.findall(r"script-editor batch (\w+)", ran.stderr))


def test_status_proposes_only_what_can_still_be_done(command: Command) -> None:
    batch = planned(command, "ep_1", "ep_2", "--do", DO)
    seen = [hints(command, batch)]

    command("batch", "run", batch)
    seen.append(hints(command, batch))
    command("batch", "apply", batch, "--clean")
    seen.append(hints(command, batch))
    command("batch", "revert", batch)
    seen.append(hints(command, batch))

    assert seen == [{"export", "run"}, {"apply"}, {"revert"}, set()]


def test_status_proposes_no_save_over_a_script_that_moved_and_no_undo_of_what_was_edited_since(
    command: Command,
) -> None:
    batch = planned(command, "ep_1", "ep_2", "--do", DO)
    command("batch", "run", batch, "--sample", "1", "--apply")
    command("batch", "resume", batch, "--propose")
    before = hints(command, batch)
    (saved,) = (
        row["script"] for row in command("batch", "export", batch, "--json").data["rows"] if row["version"]
    )
    command("edit", saved, "删除第2行", "--yes")
    no_undo = hints(command, batch)
    (other,) = {"ep_1", "ep_2"} - {saved}
    command("edit", other, "删除第2行", "--yes")

    assert (before, no_undo, hints(command, batch)) == ({"apply", "revert"}, {"apply"}, set())


def test_a_retry_is_proposed_where_something_failed_and_resume_for_what_was_cancelled(
    command: Command,
) -> None:
    batch = planned(command)
    command("batch", "run", batch, "--sample", "3")
    failed = hints(command, batch)
    other = planned(command, "ep_3", "--do", DO, "--redo")
    command("batch", "cancel", other)

    told = command("batch", "failures", other, "--only", "cancelled").stderr

    assert failed == {"failures", "retry", "apply"}
    assert hints(command, other) == {"resume"}
    assert f"script-editor batch resume {other}" in told and "retry" not in told


def rows_of(ran: Ran) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(ran.stdout_bytes.decode("utf-8"), newline="")))


def test_results_are_exported_as_a_table(command: Command, tmp_path: Path) -> None:
    batch = planned(command)
    command("batch", "run", batch)
    path = tmp_path / "out.jsonl"

    printed = rows_of(command("batch", "export", batch))
    written = command("batch", "export", batch, "-o", str(path), "--only", "done")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    assert [(row["script"], row["state"]) for row in printed] == [
        ("ep_1", "done"), ("ep_2", "done"), ("ep_3", "failed")
    ]  # fmt: skip
    assert printed[0]["instruction"] == DO
    assert written.stdout == f"{path}\n"
    assert [(line["script"], line["base"]) for line in lines] == [("ep_1", "v1"), ("ep_2", "v1")]
    assert len(command("batch", "export", batch, "--json").data["rows"]) == 3


def test_gc_takes_no_result_away(command: Command) -> None:
    batch = planned(command)
    command("batch", "run", batch)

    ran = command("batch", "gc", "--json")

    assert ran.exit_code == 0 and ran.data["deleted"] >= 0
    assert command("batch", "status", batch).stdout == f"{batch}  已结束   完成 2 · 失败 1\n"


# --- in the background -----------------------------------------------------------------------


def test_a_batch_goes_on_in_the_background_and_its_words_are_kept_for_its_owner_alone(
    command: Command,
) -> None:
    batch = planned(command, "ep_1", "ep_2", "--do", DO)

    started = command("batch", "run", batch, "--detach", "--apply", "--json")
    watched = command("batch", "watch", batch)

    log = Path(started.data["log"])
    assert started.data["batch"] == batch and started.data["pid"] > 0
    assert (watched.exit_code, watched.stdout) == (0, f"{batch}  已结束   完成 2（已保存 2）\n")
    assert text_of(command, "ep_1") == TEXTS["ep_1"].replace("频道", "直播间")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


def test_what_cannot_begin_in_the_background_says_why_in_the_foreground(command: Command) -> None:
    batch = planned(command)

    ran = command("batch", "run", batch, "--detach", "--budget", "1")

    assert ran.exit_code == 6
    assert "设预算需要价格" in ran.stderr
