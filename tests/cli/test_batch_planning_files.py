"""batch plan --glob: which file becomes which script, and what is said of those that cannot."""

from pathlib import Path

import pytest

from tests.support.command import Command

DO = "把“频道”改成“直播间”"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


@pytest.fixture
def drafts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of one name, and the program runs beside them."""
    for chapter in ("ch1", "ch2"):
        folder = tmp_path / "drafts" / chapter
        folder.mkdir(parents=True)
        (folder / "intro.txt").write_text(f"{chapter} 的频道。\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "drafts")
    return tmp_path / "drafts"


@pytest.mark.parametrize("second", ["intro.txt", "INTRO.txt", "ｉｎｔｒｏ.txt"])
def test_of_two_files_for_one_script_the_first_is_imported_and_the_other_told(
    command: Command, drafts: Path, second: str
) -> None:
    (drafts / "ch2" / "intro.txt").rename(drafts / "ch2" / second)

    ran = command("batch", "plan", "--glob", "ch*/*.txt", "--do", DO)

    assert (
        ran.stderr.splitlines()[0] == f"! ch2/{second}：intro 前面已经写过（ch1/intro.txt），以第一次为准。"
    )
    assert "1 个脚本（新 1；1 个文件不能用）" in ran.stdout
    assert command("show", "intro").stdout == "ch1 的频道。\n"
    assert len(command("history", "intro", "--json").data["versions"]) == 1


def test_one_file_by_two_patterns_is_one_file(command: Command, drafts: Path) -> None:
    patterns = ("--glob", "ch1/*.txt", "--glob", f"{drafts}/ch1/*.txt")

    ran = command("batch", "plan", *patterns, "--do", DO, "--json")

    assert (ran.data["total"], ran.data["problems"]) == (1, [])


def test_a_file_whose_script_is_named_already_is_told_by_its_path(command: Command, drafts: Path) -> None:
    assert command("new", "intro", input="ch1 的频道。\n").exit_code == 0

    ran = command("batch", "plan", "intro", "nope", "--glob", "ch1/*.txt", "--do", DO)

    told = [line for line in ran.stderr.splitlines() if line.startswith("!")]
    assert told == [
        "! 命令行：找不到脚本 nope。", "! ch1/intro.txt：intro 前面已经写过（命令行），以第一次为准。",
    ]  # fmt: skip
    assert "1 个编号、1 个文件不能用" in ran.stdout


def test_files_and_rows_are_counted_as_what_they_are(command: Command, drafts: Path) -> None:
    (drafts / "empty.txt").write_text("", encoding="utf-8")
    rows = "script\nnope_1\nnope_2\n"

    ran = command(
        "batch",
        "plan",
        "--csv",
        "-",
        "--glob",
        "ch1/*.txt",
        "--glob",
        "*.txt",
        "--do",
        "delete line 1",
        input=rows,
    )

    assert "(1 new; 1 file and 2 rows cannot be used)" in ran.stdout


def test_a_file_in_another_encoding_is_told_how_to_be_read_once(command: Command, drafts: Path) -> None:
    for name in ("a", "b"):
        (drafts / "ch1" / f"{name}.txt").write_text("频道。\n", encoding="gb18030")

    ran = command("batch", "plan", "--glob", "ch1/*.txt", "--do", DO)
    read = command("batch", "plan", "--glob", "ch1/[ab].txt", "--encoding", "gb18030", "--do", DO, "--json")

    first, hint, second = ran.stderr.splitlines()[:3]
    assert first.startswith("! ch1/a.txt 不是 utf-8 编码的文本") and second.startswith("! ch1/b.txt 不是")
    assert "--encoding gb18030" in hint and ran.stderr.count("--encoding") == 1
    assert read.data["total"] == 2


@pytest.mark.parametrize("pattern", ["/", "//", ".", "./", "", "..", "ch1", "a\0b", "x" * 300, "**"])
def test_a_pattern_that_means_no_file_is_a_usage_error(command: Command, drafts: Path, pattern: str) -> None:
    ran = command("batch", "plan", "--glob", pattern, "--do", DO)

    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "bug" not in ran.stderr


def test_ids_that_are_not_near_are_not_called_so(command: Command) -> None:
    for name in ("home_14", "pets_11", "photo_16", "books_06"):
        assert command("new", name, input="频道。\n").exit_code == 0

    ran = command("batch", "plan", "home_14", "nope", "books_6", "--do", DO)

    told = [line for line in ran.stderr.splitlines() if line.startswith("!")]
    assert told == ["! 命令行：找不到脚本 nope。", "! 命令行：找不到脚本 books_6；最接近的是：books_06。"]


def test_an_export_onto_a_link_to_itself_says_so(command: Command, tmp_path: Path) -> None:
    assert command("new", "ep_1", input="频道。\n").exit_code == 0
    (tmp_path / "loop.txt").symlink_to("loop.txt")

    ran = command("export", "ep_1", "-o", str(tmp_path / "loop.txt"))

    assert ran.exit_code == 2
    assert "Cannot write" in ran.stderr and "symbolic links" in ran.stderr
