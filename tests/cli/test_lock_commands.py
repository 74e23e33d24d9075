"""lock, unlock, and where locks show: refusals, show --lines, versions that come back."""

from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.support.command import Command
from tests.support.desk import SEED

TALK = "# Opening\nHOST: Welcome back.\nGUEST: Thanks for having me.\n# Offer\nHOST: It's $8, once.\nGUEST: Deal.\n"
REPLACE_ZH = "把“频道”改成“直播间”"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", input=SEED).exit_code == 0
    assert made("new", "talk", input=TALK).exit_code == 0
    return made


def held(command: Command, script: str = "video_001") -> list[tuple[str, str]]:
    return [(lock["kind"], lock["text"]) for lock in command("lock", script, "--json").data["locks"]]


# --- locking ---------------------------------------------------------------------------------


def test_without_options_the_locks_are_listed(command: Command) -> None:
    empty = command("lock", "video_001")
    command("lock", "video_001", "--phrase", "频道", "--note", "品牌")
    command("lock", "video_001", "--lines", "2")

    listed = command("lock", "video_001")

    assert (empty.exit_code, empty.stdout) == (0, "")
    assert "script-editor lock video_001 --lines 1-2" in empty.stderr
    words, line = listed.stdout.splitlines()
    assert "words" in words and "1×" in words and "品牌" in words and words.endswith("频道")
    assert "line" in line and line.endswith("今天我们要聊一聊人工智能的发展历程。")
    assert cell_len(words.removesuffix("频道")) == cell_len(
        line.removesuffix("今天我们要聊一聊人工智能的发展历程。")
    )


@pytest.mark.parametrize(
    ("options", "locked"),
    [
        (["--lines", "2,4-5"], ["HOST: Welcome back.", "# Offer", "HOST: It's $8, once."]),
        (["--section", "Offer"], ["HOST: It's $8, once.", "GUEST: Deal."]),
        (["--phrase", "$8", "--phrase", "Deal"], ["$8", "Deal"]),
        (["--speaker", "host"], ["HOST"]),
    ],
    ids=lambda value: " ".join(value),
)
def test_what_is_named_is_locked(command: Command, options: list[str], locked: list[str]) -> None:
    done = command("lock", "talk", *options)

    assert done.exit_code == 0, done.stderr
    assert [text for _, text in held(command, "talk")] == locked
    assert all(f"“{text}”" in done.stdout for text in locked)
    assert "script-editor unlock talk --id" in done.stderr


def test_the_json_of_a_lock(command: Command) -> None:
    data = command("lock", "video_001", "--phrase", "人工智能", "--note", "术语", "--json").data

    (lock,) = data["locks"]
    assert (data["script"], lock["kind"], lock["text"], lock["occurrences"], lock["note"]) == (
        "video_001", "phrase", "人工智能", 2, "术语",
    )  # fmt: skip
    assert lock["id"]


def test_what_is_locked_already_keeps_its_id(command: Command) -> None:
    first = command("lock", "video_001", "--phrase", "频道", "--json").data["locks"]

    again = command("lock", "video_001", "--phrase", "频道")

    assert again.exit_code == 0
    assert "Locked already" in again.stdout and first[0]["id"] in again.stdout
    assert len(held(command)) == 1


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--phrase", "西门"], 4),
        (["--speaker", "主持人"], 4),
        (["--lines", "99"], 2),
        (["--lines", "x-y"], 2),
        (["--section", "结尾"], 2),
        (["--phrase", " "], 2),
    ],
    ids=str,
)
def test_what_is_not_there_cannot_be_locked(command: Command, options: list[str], code: int) -> None:
    done = command("lock", "video_001", *options)

    assert done.exit_code == code
    assert done.stderr.strip()
    assert held(command) == []


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--lines", "Offer"], "--section"),
        (["--lines", "HOST"], "--speaker"),
        (["--section", "2-3"], "--lines 2-3"),
        (["--section", "第2到3行"], "--lines"),
        (["--note", "why"], "--lines"),
    ],
    ids=str,
)
def test_the_wrong_option_is_answered_with_the_right_one(
    command: Command, options: list[str], hint: str
) -> None:
    done = command("lock", "talk", *options)

    assert done.exit_code == 2
    assert hint in done.stderr
    assert held(command, "talk") == []


@pytest.mark.parametrize(
    ("options", "count"),
    [
        (["--lines", "第2到3行"], 2),
        (["--lines", "last 2"], 2),
        (["--section", "# Offer"], 2),
        (["--section", "2"], 1),
    ],
    ids=str,
)
def test_lines_and_sections_may_be_named_in_many_ways(
    command: Command, options: list[str], count: int
) -> None:
    command("new", "numbered", "--text", "# 1\n一。\n# 2\n二。\n")
    script = "numbered" if options[-1] == "2" else "talk"

    assert command("lock", script, *options).exit_code == 0
    assert len(held(command, script)) == count


def test_an_unknown_speaker_is_answered_with_the_speakers_there_are(command: Command) -> None:
    named, none = (
        command("lock", "talk", "--speaker", "小颜"),
        command("lock", "video_001", "--speaker", "小颜"),
    )

    assert "Its speakers: HOST, GUEST." in named.stderr
    assert "No line in it has a speaker's name" in none.stderr
    assert all("最接近" not in done.stderr for done in (named, none))


def test_an_unknown_phrase_is_answered_in_one_language(command: Command) -> None:
    done = command("lock", "video_001", "--phrase", "人工智障的发展历程")

    assert "The nearest line is: 今天我们要聊一聊人工智能的发展历程。" in done.stderr
    assert "最接近" not in done.stderr


def test_a_lock_is_told_with_the_id_that_the_script_has(command: Command) -> None:
    done = command("lock", " VIDEO_001", "--phrase", "频道", "--json")

    assert done.data["script"] == "video_001"
    assert command("lock", "VIDEO_001", "--json").data["script"] == "video_001"
    assert command("unlock", "Video_001", "--all", "--yes", "--json").data["script"] == "video_001"


@pytest.mark.parametrize("lines", ["2-3", "1-4"])
def test_the_release_of_several_lines_names_them_all(command: Command, lines: str) -> None:
    hint = command("lock", "video_001", "--lines", lines).stderr
    release = hint.partition("Release: script-editor ")[2].split()

    command(*release, "--yes")

    assert held(command) == []


@pytest.mark.parametrize("other", [["--lines", "1"], ["--phrase", "频道"], ["--id", "k-zzzzzzzz"]], ids=str)
def test_all_and_some_of_them_contradict(command: Command, other: list[str]) -> None:
    command("lock", "video_001", "--lines", "1-2")

    done = command("unlock", "video_001", *other, "--all", "--yes")

    assert done.exit_code == 2
    assert len(held(command)) == 2


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_what_was_locked_before_a_failure_is_reported(command: Command, as_json: bool) -> None:
    done = command(
        "lock", "video_001", "--phrase", "频道", "--phrase", "西门", *(["--json"] if as_json else [])
    )

    assert done.exit_code == 4
    assert held(command) == [("phrase", "频道")]
    if as_json:
        assert [lock["text"] for lock in done.json["data"]["locks"]] == ["频道"]
        assert not done.json["ok"]
    else:
        assert "Locked: words “频道”" in done.stdout
        assert "西门" in done.stderr


@pytest.mark.parametrize("arguments", [["lock", "nope"], ["unlock", "nope", "--all", "--yes"]], ids=" ".join)
def test_an_unknown_script_is_not_found(command: Command, arguments: list[str]) -> None:
    assert command(*arguments).exit_code == 3


# --- what locks do ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "locked", "asked", "label"),
    [
        pytest.param("video_001", "频道", REPLACE_ZH, "错误：", id="zh"),
        pytest.param("talk", "Deal", "replace “Deal” with “Agreed”", "Error: ", id="en"),
    ],
)
@pytest.mark.parametrize("how", [["edit", "--yes"], ["edit", "--preview"], ["preview"]], ids=" ".join)
def test_an_edit_of_a_lock_is_refused_in_the_language_of_the_instruction(
    command: Command, script: str, locked: str, asked: str, label: str, how: list[str]
) -> None:
    before = command("show", script).stdout
    command("lock", script, "--phrase", locked)

    done = command(how[0], script, asked, *how[1:])

    assert done.exit_code == 4
    assert done.stderr.startswith(label)
    assert locked in done.stderr
    assert f"script-editor unlock {script}" in done.stderr
    assert command("show", script).stdout == before


def test_a_file_that_lacks_what_is_locked_is_not_imported(command: Command) -> None:
    command("lock", "video_001", "--lines", "1")

    done = command("import", "-", "--id", "video_001", input="另一份稿子。\n")

    assert done.exit_code == 4
    assert "script-editor unlock video_001" in done.stderr
    assert command("show", "video_001").stdout == SEED


def test_show_marks_locked_lines(command: Command) -> None:
    command("lock", "video_001", "--lines", "1,3", "--phrase", "黄金时代")

    lines = command("show", "video_001", "--lines").stdout.splitlines()

    assert [line.partition("  [")[2] for line in lines] == ["locked]", "", "locked]", "", "locked: 黄金时代]"]
    data = command("show", "video_001", "--lines", "--json").data
    assert (data["locked_lines"], data["locked_words"]) == ([1, 3], [{"line": 5, "words": ["黄金时代"]}])
    assert command("show", "video_001").stdout == SEED


@pytest.mark.parametrize(
    "back", [["revert", "video_001", "v1"], ["undo", "video_001"]], ids=lambda back: back[0]
)
def test_going_back_warns_of_locks_that_the_old_text_lacks(command: Command, back: list[str]) -> None:
    command("edit", "video_001", REPLACE_ZH, "--yes")
    command("lock", "video_001", "--phrase", "直播间")
    id = command("lock", "video_001", "--json").data["locks"][0]["id"]

    done = command(*back)

    assert done.exit_code == 0
    assert command("show", "video_001").stdout == SEED
    assert "Warning: v1 lacks what is locked: words “直播间”" in done.stderr and id in done.stderr
    assert "not in v3" in command("lock", "video_001").stdout


def test_a_speaker_who_says_other_lines_in_an_older_text_is_not_said_to_be_missing(command: Command) -> None:
    command("edit", "talk", "replace “Bye” with “So long”", "--yes")
    command("edit", "talk", "replace “Deal” with “Agreed”", "--yes")
    command("lock", "talk", "--speaker", "GUEST")

    warned = command("revert", "talk", "v1").stderr

    assert "lacks" not in warned
    assert "The locked speaker “GUEST”" in warned and "has other lines in v1" in warned


def test_the_json_of_going_back_names_broken_locks(command: Command) -> None:
    command("edit", "video_001", REPLACE_ZH, "--yes")
    command("lock", "video_001", "--phrase", "直播间")

    done = command("undo", "video_001", "--json")
    again = command("redo", "video_001", "--json")

    assert [lock["text"] for lock in done.data["broken_locks"]] == ["直播间"]
    assert len(done.json["warnings"]) == 1
    assert (again.data["broken_locks"], again.json["warnings"]) == ([], [])


# --- unlocking -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "which",
    [["--phrase", "$8"], ["--lines", "2"], ["--speaker", "GUEST"], ["--all"], ["--lines", "2", "--phrase", "$8"]],
    ids=" ".join,
)  # fmt: skip
def test_what_is_named_is_released(command: Command, which: list[str]) -> None:
    command("lock", "talk", "--phrase", "$8", "--lines", "2", "--speaker", "GUEST")

    done = command("unlock", "talk", *which, "--yes")

    assert done.exit_code == 0, done.stderr
    assert len(held(command, "talk")) == 3 - done.stdout.count("Released: ")
    assert done.stdout.count("Released: ") == (3 if which == ["--all"] else len(which) // 2)


def test_a_lock_is_released_by_its_id(command: Command) -> None:
    command("lock", "video_001", "--lines", "1-2")
    first = command("lock", "video_001", "--json").data["locks"][0]

    data = command("unlock", "video_001", "--id", first["id"].upper(), "--yes", "--json").data

    assert [lock["id"] for lock in data["released"]] == [first["id"]]
    assert len(held(command)) == 1


def test_without_a_terminal_unlocking_needs_yes(command: Command) -> None:
    command("lock", "video_001", "--phrase", "频道")

    done = command("unlock", "video_001", "--phrase", "频道", input="y\n")

    assert done.exit_code == 2
    assert "--yes" in done.stderr
    assert held(command) == [("phrase", "频道")]


@pytest.mark.parametrize(
    ("options", "code"),
    [([], 2), (["--yes"], 2), (["--phrase", "西门", "--yes"], 3), (["--id", "k-none", "--yes"], 3)],
    ids=str,
)
def test_a_lock_that_is_not_there_cannot_be_released(command: Command, options: list[str], code: int) -> None:
    command("lock", "video_001", "--phrase", "频道")

    assert command("unlock", "video_001", *options).exit_code == code
    assert held(command) == [("phrase", "频道")]


def test_releasing_all_of_none_is_no_error(command: Command) -> None:
    done = command("unlock", "video_001", "--all", "--json")

    assert (done.exit_code, done.data["released"]) == (0, [])


def test_after_unlocking_the_edit_goes_through(command: Command) -> None:
    command("lock", "video_001", "--phrase", "频道")
    command("unlock", "video_001", "--phrase", "频道", "--yes")

    assert command("edit", "video_001", REPLACE_ZH, "--yes").exit_code == 0
    assert command("show", "video_001").stdout == SEED.replace("频道", "直播间")
