"""ask: questions and instructions over the whole store, with the embedded model and a real endpoint on loopback."""

import json
import re
from pathlib import Path

import pytest

from script_editor.agent.modes import MODES
from script_editor.llm.chat import ToolCall
from tests.support.command import Command, Ran
from tests.support.desk import SEED
from tests.support.openai_server import Behaviour, OpenAIServer, completion

FAST = "把“黄金时代”改成“快车道”"
ENGLISH = "Welcome back to the channel.\nToday we talk about coffee.\n"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", "--title", "AI 发展历程", input=SEED).exit_code == 0
    assert made("new", "video_002", "--title", "Coffee", input=ENGLISH).exit_code == 0
    assert made("edit", "video_001", FAST, "--yes").exit_code == 0
    return made


def versions(command: Command, script: str = "video_001") -> list[str]:
    return [row["version"] for row in command("history", script, "--json").data["versions"]]


def call(name: str, **arguments: object) -> Behaviour:
    wire = ToolCall(f"call_{name}", name, json.dumps(arguments, ensure_ascii=False))
    return completion(tool_calls=[wire], finish_reason="tool_calls")


def replacing(segment: str, text: str) -> Behaviour:
    operation = {"op": "replace", "id": segment, "text": text}
    return completion(json.dumps({"operations": [operation]}, ensure_ascii=False))


def endpoint(command: Command, server: OpenAIServer, *arguments: str) -> Ran:
    return command(
        *arguments,
        model=None,
        OPENAI_API_KEY="sk-secret-123",
        OPENAI_BASE_URL=server.base_url,
        MODEL_NAME="m",
    )


# --- the embedded model ----------------------------------------------------------------------

HISTORY = ["history", "video_001"]
DIFF = ["diff", "video_001", "v1", "v2"]
SHOW = ["show", "video_001", "--lines"]


@pytest.mark.parametrize(
    ("asked", "as_shown_by"),
    [
        pytest.param("看看 video_001 的历史", HISTORY, id="history zh"),
        pytest.param("show me the history of video_001", HISTORY, id="history en"),
        pytest.param("show me the script video_001", SHOW, id="show en"),
        pytest.param("看看 video_001 的脚本", SHOW, id="show zh"),
        pytest.param("compare v1 and v2 of video_001", DIFF, id="diff en"),
        pytest.param("对比 video_001 的第1版和第2版", DIFF, id="diff zh"),
    ],
)
@pytest.mark.parametrize("mode", ["tools", "react"])
def test_a_question_is_answered_as_the_command_would(
    command: Command, asked: str, as_shown_by: list[str], mode: str
) -> None:
    done = command("ask", asked, "--mode", mode)

    assert done.exit_code == 0, done.stderr
    assert done.stdout == command(*as_shown_by).stdout
    assert versions(command) == ["v2", "v1"]


@pytest.mark.parametrize(
    ("asked", "as_shown_by"),
    [
        pytest.param("看看历史", HISTORY, id="history zh"),
        pytest.param("show me the script", SHOW, id="show en"),
        pytest.param("compare v1 and v2", DIFF, id="diff en"),
    ],
)
def test_a_question_about_one_script_is_answered_as_the_command_would(
    command: Command, asked: str, as_shown_by: list[str]
) -> None:
    done = command("edit", "video_001", asked, "--yes")

    assert done.exit_code == 0, done.stderr
    assert done.stdout == command(*as_shown_by).stdout


def test_an_edit_that_is_agreed_to_is_saved_and_told(command: Command) -> None:
    done = command("ask", "delete line 2 of video_002", "--yes")

    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "Changed: video_002 v1 → v2."
    assert "script-editor undo video_002" in done.stderr
    assert command("show", "video_002").stdout == ENGLISH.splitlines(keepends=True)[0]


@pytest.mark.parametrize("options", [[], ["--preview"], ["--read-only"], ["--no-input"], ["--json"]], ids=str)
def test_what_nobody_agreed_to_stays_a_proposal(command: Command, options: list[str]) -> None:
    done = command("ask", "delete line 2 of video_002", *options)

    assert done.exit_code == 0, done.stderr
    (proposal,) = command("proposals", "--json").data["proposals"]
    assert proposal["proposal"] in done.stdout
    assert versions(command, "video_002") == ["v1"]
    assert command("apply", proposal["proposal"]).exit_code == 0


@pytest.mark.parametrize(
    ("words", "options", "is_told"),
    [
        ("delete line 2 of video_002", [], True),
        ("delete line 2 of video_002", ["--preview"], False),
        ("delete line 2 of video_002", ["--yes"], False),
        ("delete line 2 of video_002", ["-q"], False),
        ("show me the script video_001", [], False),
    ],
)
def test_why_an_edit_stays_a_proposal_is_said_where_nobody_asked_for_it(
    command: Command, words: str, options: list[str], is_told: bool
) -> None:
    done = command("ask", words, *options)

    assert ("To save at once: --yes" in done.stderr) == is_told


@pytest.mark.parametrize(
    "arguments", [[], [""], [" \u200b"], ["长" * 10_000], ["--yes", "--preview", "x"], ["--mode", "telepathy", "x"]],
    ids=["nothing", "empty", "invisible", "too long", "both", "unknown mode"],
)  # fmt: skip
def test_what_cannot_be_meant_is_refused_before_any_model_call(
    command: Command, arguments: list[str]
) -> None:
    with OpenAIServer([]) as server:
        done = endpoint(command, server, "ask", *arguments)

    assert done.exit_code == 2
    assert done.stderr.strip()
    assert server.requests == []


def test_the_instruction_may_come_from_a_file_or_stdin(command: Command, tmp_path: Path) -> None:
    (tmp_path / "ask.txt").write_text("show me the script video_001\n", encoding="utf-8")

    from_file = command("ask", "-i", str(tmp_path / "ask.txt"))
    from_stdin = command("ask", "-i", "-", input="show me the script video_001")

    assert from_file.stdout == from_stdin.stdout == command(*SHOW).stdout


@pytest.mark.parametrize("name", ["edit", "preview", "ask"])
def test_every_mode_can_be_chosen(command: Command, name: str) -> None:
    offered = re.search(r"--mode \[([^\]]+)\]", " ".join(command(name, "--help").stdout.split()))

    assert offered is not None
    assert set(offered[1].split("|")) == {"auto", *MODES}


# --- a real endpoint on loopback -------------------------------------------------------------


def test_one_instruction_changes_two_scripts(command: Command) -> None:
    replies = [
        call("modify_script", script_id="video_001", instruction="口语一点"),
        replacing("S2", "今天咱们聊聊人工智能的发展历程。"),
        call("modify_script", script_id="video_002", instruction="punchier"),
        replacing("S1", "Welcome back, coffee people."),
        completion("两个都改好了。"),
    ]

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "ask", "把 video_001 和 video_002 改得口语一点", "--yes")

    assert done.exit_code == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("video_001 · 基于 v2 · 1 处改动")
    assert lines[-2:] == ["两个都改好了。", "已修改：video_001 v2 → v3；video_002 v1 → v2。"]
    assert [line for line in done.stderr.splitlines() if "undo" in line] == [
        "撤销：script-editor undo video_001",
        "撤销：script-editor undo video_002",
    ]


@pytest.mark.parametrize("scripts", ["video_001 和 video_002", "video_002 和 video_001"])
def test_of_two_scripts_one_that_is_refused_is_a_warning_and_the_exit_code_that_of_the_save(
    command: Command, scripts: str
) -> None:
    ran = command("ask", f"把 {scripts} 里的“频道”改成“直播间”", "--yes")

    assert ran.exit_code == 0
    assert "已修改：video_001 v2 → v3。" in ran.stdout
    assert "还有一部分没有做（video_002）：脚本里没有“频道”。" in ran.stderr


def test_the_answer_of_a_model_stays_its_words(command: Command) -> None:
    with OpenAIServer([call("history", script_id="video_001"), completion("改过一次。")]) as server:
        done = endpoint(command, server, "ask", "video_001 改过几次？")

    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines() == ["改过一次。", "（没有任何改动。）"]


def test_an_empty_instruction_is_told_what_else_may_be_said(command: Command) -> None:
    done = command("ask", " ")

    assert done.exit_code == 2
    assert "script-editor ask what changed in video_003" in done.stderr


@pytest.mark.parametrize("name", [["ask"], ["edit", "video_001"]], ids=" ".join)
def test_a_model_that_claims_an_edit_is_contradicted(command: Command, name: list[str]) -> None:
    replies = iter([call("list_scripts")])

    with OpenAIServer(lambda _request: next(replies, completion("已经改好了，保存为 v3。"))) as server:
        done = endpoint(command, server, *name, "把第5行改得轻松一点", "--yes")

    assert done.exit_code == 9, done.stderr
    said, flag, truth = done.stdout.splitlines()
    assert said == "已经改好了，保存为 v3。"
    assert flag.startswith("! ")
    assert truth == "（没有任何改动。）"
    assert versions(command) == ["v2", "v1"]


def test_the_json_of_an_ask(command: Command) -> None:
    with OpenAIServer([call("history", script_id="video_001"), completion("改过一次。")]) as server:
        data = endpoint(command, server, "ask", "video_001 改过几次？", "--json", "--trace").data

    (step,) = data.pop("trace")
    assert (step["tool"], step["ok"], step["turn"]) == ("history", True, 1)
    assert "v2" in step["observation"]
    assert data.pop("run")
    assert data == {
        "outcome": "answered", "answer": "改过一次。", "truth": "没有任何改动。", "claims_unproven": False,
        "changed": [], "proposals": [], "notes": [], "tools": ["history"], "tokens": {"in": 14, "out": 6},
        "mode": "tools", "model": "m", "is_undone": False,
    }  # fmt: skip


def test_verbose_shows_the_steps_and_never_the_key(command: Command) -> None:
    with OpenAIServer([call("history", script_id="video_001"), completion("改过一次。")]) as server:
        done = endpoint(command, server, "ask", "video_001 改过几次？", "-vv")

    assert "第 1 步" in done.stderr and "history" in done.stderr
    assert done.stdout.splitlines() == ["改过一次。", "（没有任何改动。）"]
    assert "sk-secret" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "arguments",
    [("ask", "把 video_001 改得轻松一些", "--preview"), ("edit", "video_001", "改得轻松一些", "--preview")],
    ids=["ask", "edit"],
)
def test_a_run_without_a_usable_reply_says_what_was_wrong_and_where_it_is_kept(
    command: Command, arguments: tuple[str, ...]
) -> None:
    wrong = call("modify_script", script_id="video_001", instruction="改得轻松一些")
    with OpenAIServer([wrong] * 3) as server:
        done = endpoint(command, server, *arguments)

    assert done.exit_code == 9
    assert "没有名为 'modify_script' 的工具" in done.stderr
    (run,) = re.findall(r"script-editor log show (r-\w+)", done.stderr)
    assert command("log", "show", run).exit_code == 0


def test_nobody_is_sent_to_a_log_that_is_not_kept(command: Command) -> None:
    wrong = call("modify_script", script_id="video_001", instruction="shorter")
    with OpenAIServer([wrong] * 3) as server:
        done = command(
            "ask", "make video_001 shorter", "--preview", model=None, OPENAI_API_KEY="sk-secret-123",
            OPENAI_BASE_URL=server.base_url, MODEL_NAME="m", SCRIPT_EDITOR_LOG="off",
        )  # fmt: skip

    assert done.exit_code == 9
    assert "What was wrong with the last one: " in done.stderr
    assert "log show" not in done.stderr


@pytest.mark.parametrize(
    "asked",
    ["把所有脚本里的“大家”改成“家人们”", "把“大家”改成“家人们”", 'replace "coffee" with "tea"', "删掉第2行"],
)
def test_an_order_without_a_script_is_not_taken_for_done(command: Command, asked: str) -> None:
    done = command("ask", asked, "--yes")

    assert done.exit_code == 9
    assert "video_001" in done.stdout
    assert versions(command) == ["v2", "v1"]


@pytest.mark.parametrize("asked", ["列出所有脚本", "which scripts mention coffee?", "你好", "谢谢"])
def test_what_orders_no_edit_is_done_when_it_is_answered(command: Command, asked: str) -> None:
    assert command("ask", asked).exit_code == 0


@pytest.mark.parametrize("mode", ["tools", "react"])
def test_an_order_that_a_model_answers_by_asking_back_is_not_done(command: Command, mode: str) -> None:
    with OpenAIServer(
        [completion("改哪一条脚本？" if mode == "tools" else "Thought: 不清楚。\nFinal Answer: 改哪一条？")]
    ) as server:
        done = endpoint(command, server, "ask", "把开头改短一点", "--yes", "--mode", mode)

    assert done.exit_code == 9
    assert "改哪一条" in done.stdout


@pytest.mark.parametrize(
    "asked", ["show video_00x", "看看 video_00x 的历史", "compare v1 and v2 of video_00x"]
)
def test_a_script_that_is_not_there_cannot_be_shown(command: Command, asked: str) -> None:
    done = command("ask", asked, "--json")

    assert done.exit_code == 3
    assert done.json["error"]["code"] == "script_not_found"


@pytest.mark.parametrize(("typed", "meant"), [("vidoe_001", "video_001"), ("video_0001", "video_001")])
def test_a_mistyped_id_is_told_the_one_that_is_meant(command: Command, typed: str, meant: str) -> None:
    done = command("show", typed)

    assert done.exit_code == 3
    assert f"Did you mean {meant}" in done.stderr


def test_an_id_like_no_other_is_told_some_that_are_there(command: Command) -> None:
    assert "Known ids: video_001" in command("show", "zebra").stderr
