"""batch plan: words to keep that a script does not have, told before anything is spent, as `edit --keep` refuses them."""

from pathlib import Path

import pytest

from tests.support.command import Command

DO = "把“再见”改成“回见”"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    for name, text in {"ep_1": "欢迎来到Ｌumen频道。\n再见。\n", "ep_2": "这里是“小站”。\n再见。\n"}.items():
        assert made("new", name, input=text).exit_code == 0
    return made


@pytest.mark.parametrize(
    ("do", "said"),
    [
        (DO, "脚本里没有要保留的“小站”"),
        ("delete line 2", "The script does not have '小站', which is to be kept"),
    ],
    ids=["Chinese", "English"],
)
def test_a_script_without_the_word_is_left_out_and_told_as_an_edit_tells_it(
    command: Command, do: str, said: str
) -> None:
    ran = command("batch", "plan", "ep_1", "ep_2", "--do", do, "--keep", "小站", "--json")
    edited = command("edit", "ep_1", do, "--keep", "小站", "--yes", "--json")

    assert (ran.exit_code, ran.data["total"], edited.exit_code) == (0, 1, 4)
    (problem,) = ran.data["problems"]
    refused = edited.json["error"]
    assert said in problem["message"]
    assert (problem["script"], problem["code"]) == ("ep_1", "edit_refused:no_match")
    assert (problem["code"], problem["message"], problem["hint"]) == (
        refused["code"], refused["message"], refused["hint"],
    )  # fmt: skip


def test_a_word_of_a_row_is_told_with_its_line_and_the_line_that_comes_nearest(
    command: Command, tmp_path: Path
) -> None:
    jobs = tmp_path / "jobs.csv"
    jobs.write_text("脚本,保留\nep_1,Lumen|小站\nep_2,小站\n", encoding="utf-8")

    ran = command("batch", "plan", "--csv", str(jobs), "--do", DO)

    assert ran.stderr.splitlines()[:2] == [
        "! jobs.csv 第 2 行：ep_1：脚本里没有要保留的“小站”，所以什么也没有改。",
        "  请照原文写要保留的字词，或者去掉这个 --keep。",
    ]
    assert "1 个脚本（1 行不能用）" in ran.stdout


@pytest.mark.parametrize("word", ["lumen频道", "ＬＵＭＥＮ", '"小站"', "「小站」"])
def test_a_word_that_is_written_otherwise_is_there(command: Command, word: str) -> None:
    script = "ep_2" if "小站" in word else "ep_1"

    assert command("batch", "plan", script, "--do", DO, "--keep", word, "--json").data["problems"] == []


def test_where_no_script_has_the_word_nothing_is_planned(command: Command) -> None:
    ran = command("batch", "plan", "--select", "*", "--do", DO, "--keep", "zebra")

    assert ran.exit_code == 2
    assert "没有一个脚本能用。选出的脚本：ep_1：脚本里没有要保留的“zebra”" in ran.stderr
    assert command("batch", "list", "--json").data["batches"] == []
