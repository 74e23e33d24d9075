"""batch plan, once more: nothing that was edited is undone, nothing that was done is done twice, and all of it is told."""

from pathlib import Path

import pytest

from tests.support.command import Command

DO = "把“频道”改成“直播间”"
OPEN = "在开头加一句：嗨！"
OLD = "欢迎来到频道。\n再见。\n"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


@pytest.fixture
def drafts(tmp_path: Path) -> Path:
    folder = tmp_path / "drafts"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(OLD, encoding="utf-8")
    return folder


def text_of(command: Command, name: str) -> str:
    return command("show", name).stdout


def applied(command: Command, *source: str) -> str:
    """Plan and run with --apply; return the batch."""
    batch = command("batch", "plan", *source, "-q").stdout.strip()
    assert command("batch", "run", batch, "--apply").exit_code == 0
    return batch


# --- files -----------------------------------------------------------------------------------


def test_planning_files_again_does_not_bring_back_what_was_edited(command: Command, drafts: Path) -> None:
    source = ("--glob", f"{drafts}/*.txt", "--do", DO)
    applied(command, *source)

    again = command("batch", "plan", *source)
    told = command("batch", "plan", *source, "--json").data

    assert [text_of(command, name) for name in "ab"] == [OLD.replace("频道", "直播间")] * 2
    assert [len(command("history", name, "--json").data["versions"]) for name in "ab"] == [2, 2]
    assert "没有要做的：2 个脚本已按这条指令改过，之后没有变。" in again.stderr
    assert "2 个文件是脚本更早的版本，没有再导入" in again.stderr
    assert (told["batch"], told["skipped"], told["done_before"]["saved"]) == (None, 2, 2)
    assert told["imported"] == {
        "created": 0, "new_versions": 0, "same_text": 0, "older_text": 2, "skipped": 0
    }  # fmt: skip


def test_another_instruction_over_the_same_files_is_planned_on_the_edited_scripts(
    command: Command, drafts: Path
) -> None:
    applied(command, "--glob", f"{drafts}/*.txt", "--do", DO)
    (drafts / "c.txt").write_text("新的频道。\n", encoding="utf-8")

    ran = command("batch", "plan", "--glob", f"{drafts}/*.txt", "--do", "把“再见”改成“回见”")

    assert "3 个脚本（新 1）" in ran.stdout
    assert "按脚本现在的版本计划" in ran.stdout
    batch = command("batch", "list", "--json").data["batches"][0]["batch"]
    rows = command("batch", "export", batch, "--json").data["rows"]
    assert [(row["script"], row["base"]) for row in rows] == [("a", "v2"), ("b", "v2"), ("c", "v1")]


def test_a_changed_file_over_an_edited_script_is_a_problem_of_that_file_alone(
    command: Command, drafts: Path
) -> None:
    applied(command, "--glob", f"{drafts}/*.txt", "--do", DO)
    (drafts / "a.txt").write_text("另一份频道。\n", encoding="utf-8")

    ran = command("batch", "plan", "--glob", f"{drafts}/*.txt", "--do", "把“再见”改成“回见”", "--json")

    assert text_of(command, "a") == OLD.replace("频道", "直播间")
    assert (ran.exit_code, ran.data["total"]) == (0, 1)
    (problem,) = ran.data["problems"]
    assert (problem["script"], problem["code"]) == ("a", "edited_since_import")
    assert "导入之后改过" in problem["message"] and "--on-conflict new-version" in problem["hint"]
    assert ran.json["warnings"] == ["1 个文件不能用"]


@pytest.mark.parametrize(
    ("rule", "text", "imported"),
    [
        ("new-version", "另一份频道。\n", "new_versions"),
        ("skip", OLD.replace("频道", "直播间"), "skipped"),
    ],
)
def test_a_person_says_what_becomes_of_a_changed_file(
    command: Command, drafts: Path, rule: str, text: str, imported: str
) -> None:
    applied(command, "--glob", f"{drafts}/a.txt", "--do", DO)
    (drafts / "a.txt").write_text("另一份频道。\n", encoding="utf-8")

    ran = command("batch", "plan", "--glob", f"{drafts}/a.txt", "--do", OPEN, "--on-conflict", rule, "--json")

    assert (ran.data["total"], ran.data["imported"][imported]) == (1, 1)
    assert text_of(command, "a") == text


def test_a_changed_file_over_a_script_that_nobody_edited_becomes_a_version(
    command: Command, drafts: Path
) -> None:
    assert command("import", str(drafts / "a.txt")).exit_code == 0
    (drafts / "a.txt").write_text("第二稿，频道。\n", encoding="utf-8")

    ran = command("batch", "plan", "--glob", f"{drafts}/a.txt", "--do", DO)

    assert "（新 0，新版本 1）" in ran.stdout
    assert text_of(command, "a") == "第二稿，频道。\n"


# --- what was done ---------------------------------------------------------------------------


def test_what_was_saved_is_not_done_again_and_what_was_taken_back_is(command: Command) -> None:
    command("new", "ep_1", input=OLD)
    batch = applied(command, "ep_1", "--do", OPEN)

    again = command("batch", "plan", "ep_1", "--do", OPEN, "--json").data
    assert (again["batch"], again["done_before"]["saved"]) == (None, 1)
    assert text_of(command, "ep_1").count("嗨！") == 1

    assert command("batch", "revert", batch).exit_code == 0
    once_more = applied(command, "ep_1", "--do", OPEN)
    assert once_more.startswith("b-") and text_of(command, "ep_1").count("嗨！") == 1


def test_an_open_proposal_is_told_as_one_and_a_discarded_one_is_made_again(command: Command) -> None:
    command("new", "ep_1", input=OLD)
    batch = command("batch", "plan", "ep_1", "--do", OPEN, "-q").stdout.strip()
    assert command("batch", "run", batch).exit_code == 0

    again = command("batch", "plan", "ep_1", "--do", OPEN)
    assert "没有要做的：1 个脚本已有这条指令的提案，等待处理。" in again.stderr
    assert "script-editor proposals" in again.stderr
    english = command("batch", "plan", "ep_1", "--do", "delete line 9", "--redo")
    assert english.exit_code == 0

    assert command("discard").exit_code == 0
    assert command("batch", "plan", "ep_1", "--do", OPEN, "--json").data["total"] == 1


def test_what_was_edited_since_is_planned_again(command: Command, tmp_path: Path) -> None:
    command("new", "ep_1", input=OLD)
    applied(command, "ep_1", "--do", DO)
    assert command("edit", "ep_1", "把“再见”改成“回见”", "--yes").exit_code == 0

    assert command("batch", "plan", "ep_1", "--do", DO, "--json").data["total"] == 1


# --- what is wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "code", "said"),
    [
        ("script\n", 2, "jobs.csv 只有表头，下面一行也没有。"),
        ("script\nep_8\nep_9\n", 3, "找不到脚本 ep_8"),
        ("script\nep_8\n/\n", 2, "没有一行能用"),
    ],
    ids=["a header alone", "none of the scripts is there", "none can be used"],
)
def test_a_file_of_which_nothing_can_be_used_says_why_and_fails(
    command: Command, tmp_path: Path, rows: str, code: int, said: str
) -> None:
    command("new", "ep_1", input=OLD)
    (tmp_path / "jobs.csv").write_text(rows, encoding="utf-8")

    ran = command("batch", "plan", "--csv", str(tmp_path / "jobs.csv"), "--do", DO)
    told = command("batch", "plan", "--csv", str(tmp_path / "jobs.csv"), "--do", DO, "--json")

    assert (ran.exit_code, told.exit_code) == (code, code)
    assert said in ran.stderr
    assert len(told.json.get("data", {}).get("problems", ())) == rows.count("\n") - 1


@pytest.mark.parametrize(
    ("options", "en", "zh"),
    [
        (("--select", "zzz*"), "No script has an id like 'zzz*'.", "没有编号像“zzz*”的脚本。"),
        (("--select", "ep_*", "--containing", "猫"), "has an id like 'ep_*' and has '猫' in its text",
         "没有编号像“ep_*”、文中有“猫”的脚本。"),
    ],
)  # fmt: skip
def test_a_selection_that_nothing_matches_says_what_was_looked_for(
    command: Command, options: tuple[str, ...], en: str, zh: str
) -> None:
    command("new", "ep_1", input=OLD)

    english = command("batch", "plan", *options, "--do", "delete line 1")
    chinese = command("batch", "plan", *options, "--do", DO)

    assert (english.exit_code, chinese.exit_code) == (3, 3)
    assert en in english.stderr and zh in chinese.stderr


def test_problems_are_told_in_the_language_of_the_rows(command: Command, tmp_path: Path) -> None:
    command("new", "ep_1", input=OLD)
    command("new", "ep_2", input=OLD)
    (tmp_path / "jobs.csv").write_text(
        "script,instruction,target\nep_1,删掉第1行,\nep_1,删掉第2行,\nep_7,删掉第1行,\n"
        "ep_2,删掉第1行,很久\nep_2,,\nep_2\n",
        encoding="utf-8",
    )

    ran = command("batch", "plan", "--csv", str(tmp_path / "jobs.csv"))

    assert ran.exit_code == 0
    lines = ran.stderr.splitlines()
    assert [line for line in lines if line.startswith("! ")] == [
        "! jobs.csv 第 3 行：ep_1 前面已经写过（jobs.csv 第 2 行），以第一次为准。",
        "! jobs.csv 第 4 行：找不到脚本 ep_7；最接近的是：ep_1、ep_2。",
        "! jobs.csv 第 5 行：ep_2：“很久”不是一个时长。",
        "! jobs.csv 第 6 行：ep_2：没有写指令。",
        "! jobs.csv 第 7 行：这一行有 1 格，而表头有 3 列，没有算进去。",
    ]
    assert lines[2] == "  看看有哪些：script-editor list"
    assert "5 行不能用" in ran.stdout


def test_subtitles_are_named_since_their_time_codes_have_to_stay(command: Command, tmp_path: Path) -> None:
    (tmp_path / "clip.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\n频道\n", encoding="utf-8")

    ran = command("batch", "plan", "--glob", f"{tmp_path}/*.srt", "--do", DO)

    assert "其中 1 SRT：时间码等标记必须保持原样" in ran.stdout
    assert (
        command("batch", "export", command("batch", "list", "--json").data["batches"][0]["batch"]).exit_code
        == 0
    )
