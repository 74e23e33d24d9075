"""Files that go in and come out: what an export may be written over, and what is said of a file that cannot be used."""

import os
import threading
from pathlib import Path

import pytest

from tests.support.command import Command

FIRST, SECOND = "大家好。\n今天说说茶。\n", "大家好。\n今天说说咖啡。\n"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "tea", input=FIRST).exit_code == 0
    assert made("edit", "tea", "把“茶”改成“咖啡”", "--yes").exit_code == 0
    assert made("new", "talk", input="Hello there.\n").exit_code == 0
    return made


def language(command: Command, script: str) -> str:
    (row,) = [row for row in command("list", "--json").data["scripts"] if row["script"] == script]
    return str(row["language"])


# --- export ----------------------------------------------------------------------------------


@pytest.mark.parametrize("there", ["another text of mine\n", "大家好。\n"], ids=["other", "a part"])
def test_a_file_that_holds_something_else_is_not_overwritten(
    command: Command, tmp_path: Path, there: str
) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(there, encoding="utf-8")

    done = command("export", "tea", "-o", str(path))

    assert done.exit_code == 2
    assert "mine.txt" in done.stderr and "--overwrite" in done.stderr
    assert path.read_text(encoding="utf-8") == there
    assert command("export", "tea", "-o", str(path), "--overwrite").exit_code == 0
    assert path.read_text(encoding="utf-8") == SECOND


def test_a_file_that_is_no_text_is_not_overwritten(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"\x89PNG\xff\xfe\x00")

    assert command("export", "tea", "-o", str(path)).exit_code == 2
    assert path.read_bytes() == b"\x89PNG\xff\xfe\x00"


@pytest.mark.parametrize("there", [FIRST, SECOND, ""], ids=["an older version", "the same", "nothing"])
def test_an_export_of_the_same_script_or_nothing_is_replaced(
    command: Command, tmp_path: Path, there: str
) -> None:
    path = tmp_path / "tea.txt"
    path.write_text(there, encoding="utf-8")

    assert command("export", "tea", "-o", str(path)).exit_code == 0
    assert path.read_text(encoding="utf-8") == SECOND


def test_of_all_scripts_none_is_written_when_one_would_overwrite_something(
    command: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "tea.txt").write_text("edited by hand\n", encoding="utf-8")

    done = command("export", "--all", "-o", f"{folder}/")

    assert done.exit_code == 2
    assert [path.name for path in folder.iterdir()] == ["tea.txt"]
    assert (folder / "tea.txt").read_text(encoding="utf-8") == "edited by hand\n"
    assert command("export", "--all", "-o", f"{folder}/", "--overwrite").exit_code == 0
    assert len(list(folder.iterdir())) == 2


def test_a_pipe_is_written_into(command: Command, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()

    done = command("export", "tea", "-o", str(pipe))
    reader.join(timeout=30)

    assert (done.exit_code, read) == (0, [SECOND.encode()])


def test_several_scripts_without_a_folder_are_told_the_option_to_type(
    command: Command, tmp_path: Path
) -> None:
    done = command("export", "--all", "-o", str(tmp_path / "nowhere"))

    assert done.exit_code == 2
    assert f"-o {tmp_path / 'nowhere'}/" in done.stderr


# --- import and new --------------------------------------------------------------------------


def test_a_folder_is_told_how_its_files_are_imported(command: Command, tmp_path: Path) -> None:
    (tmp_path / "drafts").mkdir()

    done = command("import", str(tmp_path / "drafts"))

    assert done.exit_code == 2
    assert f"script-editor import {tmp_path / 'drafts'}/*.txt" in done.stderr


def test_each_file_that_cannot_be_imported_is_told_once(command: Command, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("fine\n", encoding="utf-8")

    done = command(
        "import", str(tmp_path / "gone.txt"), str(tmp_path / "good.txt"), str(tmp_path / "lost.txt")
    )

    assert done.exit_code == 2
    assert done.stderr.count("gone.txt") == done.stderr.count("lost.txt") == 1
    assert "2 of 3" in done.stderr


@pytest.mark.parametrize(
    ("text", "options", "wanted"),
    [
        ("大家好，今天说说茶。\n", [], "zh"),
        ("Hello and welcome.\n", [], "en"),
        ("123\n", [], "und"),
        ("大家好，今天说说茶。\n", ["--lang", "zh-Hant"], "zh-Hant"),
    ],
)
def test_the_language_of_a_new_script_is_found_or_named(
    command: Command, tmp_path: Path, text: str, options: list[str], wanted: str
) -> None:
    (tmp_path / "draft.txt").write_text(text, encoding="utf-8")

    assert command("import", str(tmp_path / "draft.txt"), *options).exit_code == 0
    assert command("new", "typed", "--text", text, *options).exit_code == 0

    assert (language(command, "draft"), language(command, "typed")) == (wanted, wanted)


def test_a_title_is_given_to_one_imported_file(command: Command, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("text\n", encoding="utf-8")

    assert command("import", str(tmp_path / "a.txt"), "--title", "Tea time").exit_code == 0
    assert command("import", str(tmp_path / "a.txt"), str(tmp_path / "b.txt"), "--title", "T").exit_code == 2

    assert "Tea time" in command("list").stdout


def test_a_new_script_without_a_text_is_told_how_to_give_one(command: Command) -> None:
    done = command("new", "empty", input="")

    assert done.exit_code == 2
    assert "-f " in done.stderr and "--text" in done.stderr
