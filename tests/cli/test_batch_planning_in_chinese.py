"""batch plan: what is said of a request in Chinese is said in Chinese, whoever finds the fault."""

import re
from pathlib import Path

import pytest

from tests.support.command import Command

DO = "把“频道”改成“直播间”"
TEXT = "# 开头\n主持人：欢迎来到频道。\n# 结尾\n再见。\n"


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "ep_1", input=TEXT).exit_code == 0
    assert made("new", "a", input=TEXT).exit_code == 0
    files = {"a.txt": "另一份。\n".encode(), "empty.txt": b" \n", "bin.txt": b"\xff\xfd\xff", "nul.txt": b"a\0b\n",
             "a b.txt": b"x\n", "jobs.csv": "脚本,指令\nep_1,改短\n".encode("gb18030")}  # fmt: skip
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    return made


FAULTS = {
    "a line that is not there": (("ep_1", "--only", "99"), "没有第 99 行：ep_1 v1 共 4 行（空行不算）。"),
    "a place that is not there": (("ep_1", "--only", "abc"), "ep_1 里没有叫“abc”的行、部分、说话人或时间。"),
    "a range that runs backwards": (("ep_1", "--only", "3-1"), "3-1 前后颠倒了。"),
    "a time of no line": (("ep_1", "--only", "00:15"), "00:15 没有台词。"),
    "a target that is none": (("ep_1", "--target", "soon"), "“soon”不是一个时长。"),
    "a time that is none": (("--longer-than", "abc"), "“abc”不是一个时长。"),
    "a share for a time": (("--shorter-than", "20%"), "--shorter-than 20%：这不是一个时间。"),
    "an id that is none": (("a/b",), "“a/b”不能作脚本的编号。"),
    "no such script": (("zzz",), "命令行：找不到脚本 zzz。"),
    "no such table": (("--csv", "nofile.csv"), "nofile.csv：没有这个文件。"),
    "a table that is a folder": (("--csv", "."), ".：这是文件夹。"),
    "a table in another encoding": (("--csv", "jobs.csv"), "jobs.csv 第 1 行不是 UTF-8。"),
    "an encoding that is none": (("--csv", "jobs.csv", "--encoding", "xyz"), "没有“xyz”这种文本编码。"),
    "no such file": (("--glob", "none/*"), "没有像 none/* 这样的文件。"),
    "no text": (("--glob", "bin.txt"), "bin.txt 不是 utf-8 编码的文本"),
    "an empty file": (("--glob", "empty.txt"), "empty.txt 是空的。"),
    "a character that no store keeps": (("--glob", "nul.txt"), "第 1 行第 2 个字符是 NUL 字符。"),
    "a name that is no id": (("--glob", "a b.txt"), "a b.txt：这个文件名不能作脚本的编号。"),
    "a script that is there": (("--glob", "a.txt", "--on-conflict", "error"), "已经有脚本 a 了。"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_in_the_language_of_the_request(command: Command, name: str) -> None:
    options, said = FAULTS[name]

    ran = command("batch", "plan", *options, "--do", DO)

    assert ran.exit_code in (2, 3)
    assert said in ran.stderr
    assert not re.search(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}", ran.stderr), ran.stderr


def test_what_there_is_to_name_is_told_in_chinese(command: Command) -> None:
    ran = command("batch", "plan", "ep_1", "--only", "abc", "--do", DO)

    assert "行号：1-4。部分：开头、结尾。说话人：主持人。" in ran.stderr


def test_a_place_that_means_two_things_is_told_in_chinese(command: Command) -> None:
    assert command("new", "two", input="# 主持人\n大家好。\n主持人：欢迎。\n").exit_code == 0

    ran = command("batch", "plan", "two", "--only", "主持人", "--do", DO)

    assert "“主持人”可能指“主持人”部分（第 1 行），也可能指说话人（1 行）。" in ran.stderr


@pytest.mark.parametrize(
    ("data", "begins"),
    [
        ("脚本,指令\nep_1,把它改短一点\n".encode("gb18030"), "错误：jobs.csv 第 1 行不是 UTF-8。"),
        ("script,instruction\nep_1,caf\xe9\n".encode("latin-1"), "Error: jobs.csv, line 2, is not UTF-8."),
    ],
    ids=["Chinese of older programs", "French of older programs"],
)
def test_a_table_that_cannot_be_read_is_told_in_its_own_language(
    command: Command, data: bytes, begins: str
) -> None:
    Path("jobs.csv").write_bytes(data)

    ran = command("batch", "plan", "--csv", "jobs.csv")

    assert ran.exit_code == 2
    assert ran.stderr.startswith(begins)


def test_an_english_request_is_told_in_english(command: Command) -> None:
    ran = command("batch", "plan", "ep_1", "--only", "99", "--do", "delete line 1")

    assert (
        "command line: There is no line 99: ep_1 v1 has 4 lines (blank lines are not counted)." in ran.stderr
    )
    assert "Lines: 1-4. Sections: 开头, 结尾." in ran.stderr
