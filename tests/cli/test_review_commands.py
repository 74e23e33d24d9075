"""review, apply, discard, proposals: some of the changes, a script that moved, checks that failed."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from script_editor.llm.chat import ToolCall
from tests.support.command import Command
from tests.support.desk import SEED
from tests.support.openai_server import Behaviour, OpenAIServer, completion

THREE = pytest.mark.parametrize(
    "asked",
    [
        pytest.param("删掉第2行和第4行，把“频道”改成“直播间”", id="zh"),
        pytest.param("delete lines 2 and 4, replace “频道” with “直播间”", id="en"),
    ],
)
ASKED = "删掉第2行和第4行，把“频道”改成“直播间”"
IN_ENGLISH = "delete lines 2 and 4, replace “频道” with “直播间”"
LINES = SEED.splitlines(keepends=True)
ONE_AND_THREE = "".join([LINES[0].replace("频道", "直播间"), LINES[1], LINES[2], LINES[4]])


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", input=SEED).exit_code == 0
    return made


def proposed(command: Command, asked: str = ASKED) -> str:
    data = command("preview", "video_001", asked, "--json").data
    assert data["changes"] == 3, data
    return str(data["proposal"])


def versions(command: Command) -> list[str]:
    return [row["version"] for row in command("history", "video_001", "--json").data["versions"]]


def is_open(command: Command, proposal: str) -> bool:
    return proposal in [row["proposal"] for row in command("proposals", "--json").data["proposals"]]


# --- looking ---------------------------------------------------------------------------------


@THREE
def test_review_prints_numbered_changes_where_nobody_can_be_asked(command: Command, asked: str) -> None:
    id = proposed(command, asked)

    done = command("review")

    assert done.exit_code == 0
    assert done.stdout.splitlines()[0] == (
        f"video_001 · 基于 v1 · 3 处改动 · 17 秒 → 10 秒 · 提案 {id}"
        if asked == ASKED
        else f"video_001 · from v1 · 3 changes · 17 s → 10 s · proposal {id}"
    )
    assert f"“{asked}”" in done.stdout
    assert "[1]   1  大家好，欢迎来到我的[-频道-]{+直播间+}。" in done.stdout
    assert "[3]  -4 -[-经历了几次寒冬和复兴。-]" in done.stdout
    assert f"script-editor apply {id} --except 2" in done.stderr
    assert is_open(command, id)


def test_a_review_of_one_change_offers_no_part_of_it(command: Command) -> None:
    command("preview", "video_001", "删掉第2行")

    assert "--except" not in command("review").stderr


def test_the_json_of_a_review(command: Command) -> None:
    id = proposed(command)

    data = command("review", id, "--json").data

    assert (data["proposal"], data["script"], data["base"], data["status"]) == (
        id, "video_001", "v1", "pending",
    )  # fmt: skip
    assert [(change["id"], change["kind"], change["before_line"]) for change in data["changes"]] == [
        (1, "replace", 1), (2, "delete", 2), (3, "delete", 4),
    ]  # fmt: skip
    assert data["seconds"]["before"] > data["seconds"]["after"]
    assert data["checks"] == {"errors": 0, "warnings": 0, "findings": []}


def test_a_review_tells_what_became_of_a_closed_proposal(command: Command) -> None:
    saved, dropped = proposed(command), proposed(command, IN_ENGLISH)
    command("apply", saved)
    command("discard", dropped, "--reason", "too short")

    assert command("review", saved).stderr == "这份提案已经保存了。\n"
    assert "discarded already" in command("review", dropped).stderr


def test_proposals_of_one_script_are_listed_newest_first(command: Command) -> None:
    command("new", "other", "--text", "一句话。")
    command("preview", "other", "把“一”改成“两”")
    first, second = proposed(command), proposed(command, IN_ENGLISH)

    listed = command("proposals", "video_001")

    assert [line.split()[0] for line in listed.stdout.splitlines()] == [second, first]
    assert ASKED in listed.stdout


# --- in part ---------------------------------------------------------------------------------


@THREE
@pytest.mark.parametrize("part", [["--hunks", "1,3"], ["--hunks", "1、3"], ["--except", "2"]], ids=" ".join)
def test_apply_saves_only_the_changes_that_are_named(command: Command, asked: str, part: list[str]) -> None:
    id = proposed(command, asked)

    done = command("apply", id, *part)

    assert done.exit_code == 0, done.stderr
    assert done.stdout == (
        f"已保存 video_001 v2（提案 {id}，3 处改动中的 2 处），17 秒 → 14 秒。\n"
        if asked == ASKED
        else f"Saved video_001 v2 (2 of 3 changes from proposal {id}), 17 s → 14 s.\n"
    )
    assert "script-editor undo video_001" in done.stderr
    assert command("show", "video_001").stdout == ONE_AND_THREE
    assert not is_open(command, id)


def test_the_json_of_a_part_that_was_saved(command: Command) -> None:
    id = proposed(command)

    data = command("apply", id, "--except", "2-3", "--message", "只改称呼", "--json").data

    assert (data["version"], data["proposal"], data["changes"], data["left_out"], data["message"]) == (
        "v2", id, 1, 2, "只改称呼",
    )  # fmt: skip
    assert set(data["seconds"]) == {"before", "after"}


def test_quiet_prints_the_version_only(command: Command) -> None:
    proposed(command)

    done = command("apply", "-q")

    assert (done.stdout, done.stderr) == ("video_001@v2\n", "")


@pytest.mark.parametrize(
    "part",
    [["--hunks", "4"], ["--hunks", "x"], ["--hunks", ""], ["--except", "1-3"], ["--except", "9"],
     ["--hunks", "1", "--except", "2"], ["--rebase", "--hunks", "1"]],
    ids=" ".join,
)  # fmt: skip
def test_a_part_that_is_none_is_refused_and_the_proposal_stays_open(
    command: Command, part: list[str]
) -> None:
    id = proposed(command)

    done = command("apply", id, *part)

    assert done.exit_code == 2
    assert done.stderr.strip()
    assert versions(command) == ["v1"]
    assert is_open(command, id)


# --- a script that moved ---------------------------------------------------------------------


def test_a_stale_proposal_names_the_way_to_carry_it_over(command: Command) -> None:
    id = proposed(command)
    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes")

    refused, looked_at = command("apply", id), command("review", id)

    assert refused.exit_code == 5
    assert "3 处改动中有 2 处还对得上" in refused.stderr
    assert refused.stderr.rstrip().endswith(f"script-editor apply {id} --rebase")
    assert looked_at.exit_code == 0
    assert f"script-editor apply {id} --rebase" in looked_at.stderr


@pytest.mark.parametrize("option", ["--rebase", "--force"])
@pytest.mark.parametrize("silent", [[], ["--no-input"], ["--json"]], ids=str)
def test_where_nobody_can_be_asked_a_question_is_a_mistake_and_nothing_is_done(
    command: Command, option: str, silent: list[str]
) -> None:
    id = proposed(command)
    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes")

    done = command("apply", id, option, *silent)

    assert done.exit_code == 2
    assert "--yes" in done.stderr + done.stdout
    assert versions(command) == ["v2", "v1"]
    assert [row["proposal"] for row in command("proposals", "--json").data["proposals"]] == [id]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("完全不同的一句。\n", "它的改动已经都对不上了", id="nothing fits"),
        pytest.param(ONE_AND_THREE.replace(LINES[1], ""), "已经有它的全部改动", id="done already"),
    ],
)
def test_what_is_of_no_use_any_more_is_offered_to_be_dropped(command: Command, text: str, told: str) -> None:
    id = proposed(command)
    file = command.database.parent / "video_001.txt"
    file.write_text(text, encoding="utf-8")
    command("import", str(file))

    looked_at, refused = command("review", id), command("apply", id)

    assert told in looked_at.stderr
    for said in (looked_at.stderr, refused.stderr):
        assert f"script-editor discard {id}" in said and "--rebase" not in said


def test_rebase_with_yes_saves_what_still_fits_and_shows_it(command: Command) -> None:
    id = proposed(command)
    command("edit", "video_001", "把“寒冬和复兴”改成“起落”", "--yes")

    done = command("apply", id, "--rebase", "--yes")

    assert done.exit_code == 0, done.stderr
    assert "[-频道-]{+直播间+}" in done.stdout and "相邻的行" in done.stdout
    text = command("show", "video_001").stdout
    assert "直播间" in text and "起落" in text and "聊一聊" not in text
    assert "删掉了第" not in done.stdout
    (left,) = command("proposals", "--json").data["proposals"]
    assert (left["proposal"], left["stale"]) == (id, True)


def test_rebase_of_a_proposal_that_fits_is_a_plain_apply(command: Command) -> None:
    id = proposed(command)

    done = command("apply", id, "--rebase", "--json")

    assert (done.data["version"], done.data["proposal"]) == ("v2", id)


# --- which one ---


@pytest.mark.parametrize("name", ["review", "apply", "discard"])
def test_a_script_in_the_place_of_a_proposal_is_answered_with_its_proposals(
    command: Command, name: str
) -> None:
    done = command(name, "video_001")

    assert done.exit_code == 3
    assert "script-editor proposals video_001" in done.stderr


def test_several_proposals_are_discarded_at_once(command: Command) -> None:
    first, second, third = (
        proposed(command, asked) for asked in (ASKED, IN_ENGLISH, "把“频道”改成“直播间”，删掉第2行和第4行")
    )

    done = command("discard", first, third, first)

    assert done.exit_code == 0, done.stderr
    assert done.stdout.count("已放弃") == 2
    assert [is_open(command, id) for id in (first, second, third)] == [False, True, False]


def test_of_several_proposals_all_are_discarded_or_none(command: Command) -> None:
    first, closed = proposed(command), proposed(command, IN_ENGLISH)
    command("discard", closed)

    assert command("discard", first, closed).exit_code == 5
    assert command("discard", first, "p-zzzzzzzz").exit_code == 3
    assert is_open(command, first)


def test_all_whose_script_moved_are_discarded_at_once(command: Command) -> None:
    old = [proposed(command, asked) for asked in (ASKED, IN_ENGLISH)]
    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes")
    fresh = command("preview", "video_001", "删掉第2行", "--json").data["proposal"]

    assert command("discard", "--stale", fresh).exit_code == 2
    discarded = command("discard", "--stale", "--json").data["discarded"]
    again = command("discard", "--stale")

    assert sorted(row["proposal"] for row in discarded) == sorted(old)
    assert (again.exit_code, again.stdout) == (0, "")
    assert is_open(command, fresh)


def test_proposals_tell_how_much_they_change(command: Command) -> None:
    proposed(command)

    assert "3 changes" in command("proposals").stdout
    assert command("proposals", "--json").data["proposals"][0]["changes"] == 3


# --- checks ----------------------------------------------------------------------------------


def call(name: str, **arguments: object) -> Behaviour:
    wire = ToolCall(f"call_{name}", name, json.dumps(arguments, ensure_ascii=False))
    return completion(tool_calls=[wire], finish_reason="tool_calls")


def replacing(segment: str, text: str) -> Behaviour:
    return completion(
        json.dumps({"operations": [{"op": "replace", "id": segment, "text": text}]}, ensure_ascii=False)
    )


def failed_check(command: Command, asked: str = "第3行口语一点") -> str:
    """Propose an edit that changes a number nobody asked to change; return its id."""
    bad = replacing("S3", "人工智能从20世纪60年代开始发展，")
    replies = [call("preview", script_id="video_001", instruction=asked), bad, bad, bad, completion("好")]
    with OpenAIServer(replies) as server:
        done = command(
            "preview", "video_001", asked, "--json", model=None,
            OPENAI_API_KEY="sk-x", OPENAI_BASE_URL=server.base_url, MODEL_NAME="m",
        )  # fmt: skip
    assert done.data["checks"]["errors"] == 1
    return str(done.data["proposal"])


def test_a_failed_check_is_shown_and_stands_in_the_way(command: Command) -> None:
    id = failed_check(command)

    looked_at, done = command("review", id), command("apply", id)

    told = next(line for line in looked_at.stdout.splitlines() if line.startswith("! "))
    assert told.count("第 3 行") == 1
    assert f"script-editor apply {id} --force" in looked_at.stderr
    assert done.exit_code == 4
    assert done.stderr.rstrip().endswith(f"script-editor apply {id} --force")
    assert versions(command) == ["v1"]
    assert is_open(command, id)


def test_the_json_of_a_failed_check_names_the_proposal(command: Command) -> None:
    id = failed_check(command)

    refused = command("apply", id, "--json")

    assert refused.exit_code == 4
    assert refused.json["error"]["code"] == "edit_refused:facts_changed"
    assert refused.json["data"] == {"proposal": id}


def test_force_saves_although_a_check_failed(command: Command) -> None:
    id = failed_check(command)

    done = command("apply", id, "--force", "--yes")

    assert done.exit_code == 0, done.stderr
    assert "60年代" in command("show", "video_001").stdout


def test_force_does_not_break_a_lock(command: Command) -> None:
    id = proposed(command)
    command("lock", "video_001", "--lines", "2")

    done = command("apply", id, "--force", "--yes")

    assert done.exit_code == 4
    assert "script-editor unlock video_001" in done.stderr
    assert command("show", "video_001").stdout == SEED
    assert command("apply", id, "--except", "2").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [["review"], ["review", "p-zzzzzzzz"], ["apply", "--rebase"]], ids=" ".join
)
def test_no_such_proposal(command: Command, arguments: list[str]) -> None:
    done = command(*arguments)

    assert done.exit_code == 3
    assert "script-editor proposals" in done.stderr


# --- one language ----------------------------------------------------------------------------


def latin(said: str, ids: Sequence[str] = ()) -> list[str]:
    """Return the English words in what was said, apart from commands, ids and versions."""
    said = re.sub(r"script-editor [a-z]+|--[a-z]+", "", said)
    for known in ("video_001", "long", "BOM", *ids):
        said = said.replace(known, "")
    return re.findall(r"[A-Za-z]{3,}", said)


@pytest.mark.parametrize("asked", [ASKED, IN_ENGLISH], ids=["zh", "en"])
def test_all_of_what_is_told_is_in_the_language_of_the_instruction(command: Command, asked: str) -> None:
    first = command("preview", "video_001", asked)
    id = re.findall(r"p-\w{8}", first.stdout)[0]
    shown = command("review", id)
    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes")
    stale, dropped = command("apply", id), command("review", id)
    carried = command("apply", id, "--rebase", "--yes")
    newer = re.findall(r"p-\w{8}", carried.stdout)[0]
    closed, late, gone = command("apply", newer), command("review", newer), command("discard", id)

    assert [5, 0, 0, 5, 0, 0] == [ran.exit_code for ran in (stale, dropped, carried, closed, late, gone)], (
        carried.stderr
    )
    for ran in (first, shown, stale, dropped, carried, closed, late, gone):
        said = f"{ran.stdout}{ran.stderr}".replace(asked, "")
        if asked == ASKED:
            assert latin(said, [id, newer]) == [], said
        else:
            assert not re.search(r"[提案保存改动基于处秒]{2}", said), said


@pytest.mark.parametrize("command_line", [["apply"], ["discard"]], ids=" ".join)
def test_the_json_of_a_refusal_is_the_same_whatever_the_instruction(
    command: Command, command_line: list[str]
) -> None:
    id = proposed(command)
    command("apply", id)

    refused = command(*command_line, id, "--json")

    assert refused.json["error"]["message"] == f"Proposal {id} is already saved."
    assert refused.json["error"]["hint"] == "See the open ones: script-editor proposals"
