"""edit, preview, apply, discard, proposals: the embedded model, a real endpoint on loopback, and every bad ending."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from script_editor.llm.chat import ToolCall
from tests.support.command import Command, Ran
from tests.support.desk import FUNNIER, FUNNIER_TEXT, SEED
from tests.support.openai_server import (
    Behaviour,
    OpenAIServer,
    completion,
    deltas,
    drop,
    hang,
    json_body,
    status,
    stream,
    text_body,
)

FUNNY = "改得更轻松幽默一些，加入一些网络流行语"
FAST = "把“黄金时代”改成“快车道”"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", input=SEED).exit_code == 0
    return made


def versions(command: Command) -> list[str]:
    return [row["version"] for row in command("history", "video_001", "--json").data["versions"]]


# --- the embedded model ----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["auto", "tools", "react"])
def test_an_edit_shows_the_change_and_saves_it(command: Command, mode: str) -> None:
    done = command("edit", "video_001", FAST, "--yes", "--mode", mode)

    assert done.exit_code == 0, done.stderr
    assert "现在我们正处于AI的[-黄金时代-]{+快车道+}。" in done.stdout
    assert "已保存 video_001 v2。" in done.stdout
    assert "script-editor undo video_001" in done.stderr
    assert command("show", "video_001").stdout == SEED.replace("黄金时代", "快车道")


def test_words_after_the_id_are_joined(command: Command) -> None:
    done = command("edit", "video_001", "delete", "line", "3", "--yes")

    assert done.exit_code == 0
    assert command("show", "video_001").stdout.count("\n") == 4


def test_the_json_of_an_edit(command: Command) -> None:
    data = command("edit", "video_001", FAST, "--yes", "--json").data

    assert (data["outcome"], data["script"], data["base"], data["version"], data["changes"]) == (
        "saved", "video_001", "v1", "v2", 1,
    )  # fmt: skip
    assert data["change_list"][0]["after"] == "现在我们正处于AI的快车道。"
    assert data["checks"] == {"errors": 0, "warnings": 0, "findings": []}
    assert data["seconds"] == {"before": 16.8, "after": 16.6}


def test_quiet_prints_the_result_only(command: Command) -> None:
    done = command("edit", "video_001", FAST, "--yes", "-q")

    assert (done.stdout, done.stderr) == ("video_001@v2\n", "")


def test_verbose_shows_every_step(command: Command) -> None:
    done = command("edit", "video_001", FAST, "--yes", "-v")

    assert "store:" in done.stderr
    assert "modify_script" in done.stderr
    assert FAST in done.stderr


def test_what_needs_a_writer_is_refused_with_what_to_set(command: Command) -> None:
    done = command("edit", "video_001", FUNNY, "--yes")

    assert done.exit_code == 6
    assert "OPENAI_API_KEY" in done.stderr and "MODEL_NAME" in done.stderr
    assert versions(command) == ["v1"]


@pytest.mark.parametrize(
    ("asked", "named"),
    [(FAST, "离线模型"), ('replace "黄金时代" with "快车道"', "offline model")],
    ids=["zh", "en"],
)
def test_without_a_key_the_offline_model_says_that_it_is_used(
    command: Command, asked: str, named: str
) -> None:
    done = command("edit", "video_001", asked, "--yes", model=None)

    assert done.exit_code == 0
    (told,) = (line for line in done.stderr.splitlines() if named in line)
    assert len(told) < 80


def test_offline_is_used_whatever_keys_are_set(command: Command) -> None:
    with OpenAIServer([]) as server:
        done = command(
            "edit", "video_001", FAST, "--yes",
            OPENAI_API_KEY="sk-x", MODEL_NAME="m", OPENAI_BASE_URL=server.base_url,
        )  # fmt: skip

    assert done.exit_code == 0
    assert server.requests == []


@pytest.mark.parametrize(
    ("instruction", "code"),
    [
        ("把“西门”改成“东门”", 4),
        ("删掉第12行", 4),
        ("delete that line", 4),
        ("translate this into French", 6),
        ("", 2),
        (" \u200b\u3000", 2),
        ("长" * 10_000, 2),
    ],
)
def test_an_instruction_that_cannot_be_done_saves_nothing(
    command: Command, instruction: str, code: int
) -> None:
    done = command("edit", "video_001", instruction, "--yes")

    assert done.exit_code == code, done.stderr
    assert done.stderr.strip()
    assert versions(command) == ["v1"]


@pytest.mark.parametrize(
    ("script", "asked", "told"),
    [
        pytest.param("video_001", "把“频道”改成“频道”", "没有改动。", id="zh"),
        pytest.param("en", "replace “same” with “same”", "Nothing to change.", id="en"),
    ],
)
def test_nothing_to_change_is_no_error(command: Command, script: str, asked: str, told: str) -> None:
    command("new", "en", "--text", "All the same.")

    done = command("edit", script, asked, "--yes")

    assert done.exit_code == 0
    assert done.stderr.startswith(told)
    assert [row["version"] for row in command("history", script, "--json").data["versions"]] == ["v1"]


@pytest.mark.parametrize("mode", ["tools", "react"])
def test_commands_in_words(command: Command, mode: str) -> None:
    command("edit", "video_001", FAST, "--yes")
    command("edit", "video_001", "删掉第3行", "--yes")

    asked = command("edit", "video_001", "改过几次？", "--yes", "--mode", mode)
    compared = command("edit", "video_001", "对比第1版和第2版", "--yes", "--mode", mode)
    shown = command("edit", "video_001", "看看脚本", "--yes", "--mode", mode)
    assert "v3" in asked.stdout and "没有任何改动。" in asked.stderr
    assert "快车道" in compared.stdout
    assert "欢迎来到我的频道" in shown.stdout

    assert command("edit", "video_001", "撤销", "--yes", "--mode", mode).exit_code == 0
    assert command("edit", "video_001", "undo", "--yes", "--mode", mode).exit_code == 0
    assert command("show", "video_001").stdout == SEED
    assert command("edit", "video_001", "revert to version 2", "--yes", "--mode", mode).exit_code == 0
    assert command("show", "video_001").stdout == SEED.replace("黄金时代", "快车道")


def test_without_a_terminal_an_edit_needs_yes_or_preview(command: Command) -> None:
    with OpenAIServer([]) as server:
        done = command(
            "edit", "video_001", FUNNY, model="m", OPENAI_API_KEY="sk-x", OPENAI_BASE_URL=server.base_url
        )

    assert done.exit_code == 2
    assert "--yes" in done.stderr and "--preview" in done.stderr
    assert server.requests == []


def test_the_instruction_may_come_from_a_file_or_stdin(command: Command, tmp_path: Path) -> None:
    (tmp_path / "ask.txt").write_text(f"{FAST}\n", encoding="utf-8")

    assert command("edit", "video_001", "-i", str(tmp_path / "ask.txt"), "--yes").exit_code == 0
    assert command("edit", "video_001", "-i", "-", "--yes", input="删掉第3行").exit_code == 0
    assert command("edit", "video_001", "-i", "-", FAST, "--yes").exit_code == 2
    assert versions(command) == ["v3", "v2", "v1"]


# --- as a filter -----------------------------------------------------------------------------


def test_edit_dash_filters_stdin_to_stdout_without_a_store(tmp_path: Path) -> None:
    command = Command(tmp_path / "none.db")
    draft = "\ufeff一，西门。\r\n二\r\n".encode()

    done = command("edit", "-", "把西门改成南门", input=draft)

    assert (done.exit_code, done.stdout_bytes) == (0, "\ufeff一，南门。\r\n二\r\n".encode())
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    ("text", "instruction", "code"),
    [
        (b"a\0b\n", "delete line 1", 2),
        (b"a\nb\n", "make it nicer", 6),
        (b"a\n", "delete line 9", 4),
        (b"\xff", "x", 2),
    ],
)
def test_a_filter_that_fails_prints_no_text(tmp_path: Path, text: bytes, instruction: str, code: int) -> None:
    done = Command(tmp_path / "none.db")("edit", "-", instruction, input=text)

    assert (done.exit_code, done.stdout) == (code, "")


# --- proposals -------------------------------------------------------------------------------


def test_a_preview_changes_nothing_until_it_is_applied(command: Command) -> None:
    proposed = command("preview", "video_001", FAST, "--json").data
    assert (proposed["outcome"], proposed["version"]) == ("proposed", None)
    assert versions(command) == ["v1"]
    (listed,) = command("proposals", "--json").data["proposals"]
    assert (listed["proposal"], listed["stale"]) == (proposed["proposal"], False)

    applied = command("apply", proposed["proposal"], "--json").data

    assert applied["version"] == "v2"
    assert command("show", "video_001").stdout == SEED.replace("黄金时代", "快车道")
    assert command("proposals", "--json").data["proposals"] == []
    assert command("apply", proposed["proposal"]).exit_code == 5


def test_apply_without_an_id_takes_the_newest(command: Command) -> None:
    command("preview", "video_001", FAST)
    command("edit", "video_001", "删掉第3行", "--preview")

    command("apply")

    assert command("show", "video_001").stdout.count("\n") == 4


def test_discard_closes_a_proposal(command: Command) -> None:
    id = command("preview", "video_001", FAST, "--json").data["proposal"]

    assert command("discard", id).exit_code == 0
    assert command("apply", id).exit_code == 5
    assert command("discard", id).exit_code == 5
    assert versions(command) == ["v1"]


def test_a_proposal_whose_script_moved_is_a_conflict(command: Command) -> None:
    id = command("preview", "video_001", FAST, "--json").data["proposal"]
    command("edit", "video_001", "删掉第3行", "--yes")

    done = command("apply", id)

    assert done.exit_code == 5
    assert versions(command) == ["v2", "v1"]
    assert command("proposals", "--json").data["proposals"][0]["stale"]


@pytest.mark.parametrize(
    "arguments", [["apply"], ["discard"], ["apply", "p-zzzzzzzz"], ["discard", "p-zzzzzzzz"]]
)
def test_no_such_proposal(command: Command, arguments: list[str]) -> None:
    assert command(*arguments).exit_code == 3


# --- a real endpoint on loopback -------------------------------------------------------------


def call(name: str, **arguments: object) -> Behaviour:
    wire = ToolCall(f"call_{name}", name, json.dumps(arguments, ensure_ascii=False))
    return completion(tool_calls=[wire], finish_reason="tool_calls")


def act(name: str, **arguments: object) -> Behaviour:
    return completion(
        f"Thought: 想一想\nAction: {name}\nAction Input: {json.dumps(arguments, ensure_ascii=False)}"
    )


def endpoint(command: Command, server: OpenAIServer, *arguments: str, **env: str) -> Ran:
    return command(
        *arguments,
        model=None,
        OPENAI_API_KEY="sk-secret-123",
        OPENAI_BASE_URL=server.base_url,
        MODEL_NAME="m",
        **env,
    )


@pytest.mark.parametrize("mode", ["tools", "react"])
def test_the_source_documents_scenario_on_a_real_endpoint(command: Command, mode: str) -> None:
    do = call if mode == "tools" else act
    last = "已经改好了。" if mode == "tools" else "Thought: 好了\nFinal Answer: 已经改好了。"
    replies = [
        do("get_script", script_id="video_001"),
        do("modify_script", script_id="video_001", instruction=FUNNY),
        completion(FUNNIER),
        completion(last),
    ]

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "edit", "video_001", FUNNY, "--yes", "--mode", mode, "-v")

    assert done.exit_code == 0, done.stderr
    assert command("show", "video_001").stdout == FUNNIER_TEXT
    assert versions(command) == ["v2", "v1"]
    assert "get_script" in done.stderr and "modify_script" in done.stderr
    assert "sk-secret" not in done.stdout + done.stderr
    calls = [m for request in server.requests for m in request.body["messages"] if m.get("tool_calls")]
    assert not any("黄金时代" in json.dumps(message["tool_calls"], ensure_ascii=False) for message in calls)
    assert {request.headers["authorization"] for request in server.requests} == {"Bearer sk-secret-123"}


def test_a_streaming_endpoint_shows_the_text_as_it_comes(command: Command) -> None:
    replies = [
        call("modify_script", script_id="video_001", instruction=FUNNY),
        stream(deltas(FUNNIER[:20], FUNNIER[20:])),
        completion("好了。"),
    ]

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "edit", "video_001", FUNNY, "--yes", "-v")

    assert done.exit_code == 0, done.stderr
    assert "@@ replace S1" in done.stderr
    assert command("show", "video_001").stdout == FUNNIER_TEXT


def test_very_verbose_shows_prompts_and_raw_answers_without_the_key(command: Command) -> None:
    replies = [
        call("modify_script", script_id="video_001", instruction=FUNNY),
        completion(FUNNIER),
        completion("好了。"),
    ]

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "edit", "video_001", FUNNY, "--yes", "-vv")

    assert "Current script: video_001" in done.stderr
    assert FUNNIER in done.stderr
    assert "sk-secret-123" not in done.stderr


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        pytest.param(status(401, "bad key sk-secret-123"), 6, id="wrong key"),
        pytest.param(status(403, "no"), 6, id="forbidden"),
        pytest.param(status(404, "no such model"), 6, id="unknown model"),
        pytest.param(status(400, "bad request"), 7, id="bad request"),
        pytest.param(text_body("<html>login</html>", content_type="text/html"), 7, id="HTML"),
        pytest.param(text_body('{"id": "x", "cho'), 7, id="cut JSON"),
        pytest.param(json_body({"id": "x", "object": "chat.completion", "choices": []}), 7, id="no choices"),
        pytest.param(json_body({"error": {"message": "quota"}}), 7, id="error with 200"),
        pytest.param(completion("我觉得这样改会更幽默：哈喽大家好"), 9, id="prose"),
    ],
)
def test_every_odd_answer_is_one_clear_sentence_and_nothing_is_saved(
    command: Command, behaviour: Behaviour, code: int
) -> None:
    with OpenAIServer(lambda _request: behaviour) as server:
        done = endpoint(command, server, "edit", "video_001", FUNNY, "--yes")

    assert done.exit_code == code, done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
    assert "Traceback" not in done.stderr
    assert "sk-secret" not in done.stderr
    assert versions(command) == ["v1"]


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(status(503, "busy"), id="busy"),
        pytest.param(drop(), id="dropped"),
        pytest.param(hang(), id="hangs"),
    ],
)
def test_a_service_that_stays_down_ends_within_the_time_allowed(
    command: Command, behaviour: Behaviour
) -> None:
    with OpenAIServer(lambda _request: behaviour) as server:
        done = endpoint(command, server, "edit", "video_001", FUNNY, "--yes", SCRIPT_EDITOR_TIMEOUT="1.5")

    assert done.exit_code == 7, done.stderr
    assert versions(command) == ["v1"]


def test_an_address_where_nobody_listens(command: Command) -> None:
    done = command(
        "edit", "video_001", FUNNY, "--yes", model="m", SCRIPT_EDITOR_TIMEOUT="1",
        OPENAI_API_KEY="sk-x", OPENAI_BASE_URL="http://127.0.0.1:9/v1",
    )  # fmt: skip

    assert done.exit_code == 7
    assert "127.0.0.1:9" in done.stderr


# --- settings --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "env", "named"),
    [
        pytest.param(None, {"OPENAI_API_KEY": "sk-x"}, "MODEL_NAME", id="key without model"),
        pytest.param("gpt-x", {}, "OPENAI_API_KEY", id="model without key"),
        pytest.param(
            "m", {"SCRIPT_EDITOR_API_KEY": "sk-x", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "OPENAI_BASE_URL",
            id="key and address of different layers",
        ),
        pytest.param("m", {"OPENAI_API_KEY": "sk-x", "SCRIPT_EDITOR_TIMEOUT": "soon"}, "SCRIPT_EDITOR_TIMEOUT", id="no number"),
    ],
)  # fmt: skip
def test_settings_that_clash_are_named(
    command: Command, model: str | None, env: dict[str, str], named: str
) -> None:
    done = command("edit", "video_001", FUNNY, "--yes", model=model, **env)

    assert done.exit_code == 6
    assert named in done.stderr
    assert "sk-x" not in done.stderr


def test_an_unknown_script_is_found_out_before_any_model_call(command: Command) -> None:
    with OpenAIServer([]) as server:
        done = endpoint(command, server, "edit", "video_099", FUNNY, "--yes")

    assert done.exit_code == 3
    assert server.requests == []


def test_the_store_may_come_from_the_environment(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "script_editor", "list", "-v"],
        capture_output=True, text=True, check=True, encoding="utf-8",
        env={"SCRIPT_EDITOR_DB": str(tmp_path / "here.db"), "PATH": "", "PYTHONPATH": str(Path.cwd())},
    )  # fmt: skip

    assert "here.db (SCRIPT_EDITOR_DB)" in done.stderr


def test_a_store_in_a_folder_that_is_not_there_is_a_slip(tmp_path: Path) -> None:
    done = Command(tmp_path / "typo" / "store.db")("list")

    assert done.exit_code == 6
    assert "mkdir" in done.stderr
    assert not (tmp_path / "typo").exists()


def test_a_models_prose_is_explained_to_a_person(command: Command) -> None:
    replies = [
        call("modify_script", script_id="video_001", instruction=FUNNY),
        *[completion("好的，改好了：哈喽")] * 3,
        completion("没改成"),
    ]

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "edit", "video_001", FUNNY, "--yes")

    assert done.exit_code == 4
    assert "@@" not in done.stderr
    assert "--model" in done.stderr


def test_a_preview_of_going_back_names_the_command(command: Command) -> None:
    done = command("preview", "video_001", "恢复到v1")

    assert done.exit_code == 6
    assert "script-editor revert video_001 v1" in done.stderr


@pytest.mark.parametrize("arguments", [["edit", "--yes"], ["preview"]], ids=" ".join)
def test_an_edit_of_an_older_version_is_told_to_go_back_first(command: Command, arguments: list[str]) -> None:
    done = command(arguments[0], "video_001@v1", FAST, *arguments[1:])

    assert done.exit_code == 2
    assert "script-editor revert" in done.stderr
    assert versions(command) == ["v1"]


@pytest.mark.parametrize(
    ("instruction", "said"),
    [
        ("改得更轻松", "服务繁忙，1 秒后重试（第 1 次，共 4 次）"),
        ("make it lighter", "service busy, trying again in 1 s (1 of 4)"),
    ],
)
@pytest.mark.parametrize("option", ["--yes", "-v", "-q", "--json"])
def test_that_a_busy_service_is_asked_again_is_told_as_it_happens(
    command: Command, instruction: str, said: str, option: str
) -> None:
    replies = [
        status(503, "busy", headers={"retry-after-ms": "10"}),
        completion("Final Answer: 不用改。"),
    ]
    with OpenAIServer(replies) as server:
        ran = command(
            "edit", "video_001", instruction, *{"--yes", option},
            "--mode", "react", model="m", OPENAI_API_KEY="sk-x", OPENAI_BASE_URL=server.base_url,
        )  # fmt: skip

    assert (said in ran.stderr) == (option in ("--yes", "-v"))
    assert said not in ran.stdout


# --- a request that is made again ------------------------------------------------------------


def open_proposals(command: Command) -> list[str]:
    return [row["proposal"] for row in command("proposals", "--json").data["proposals"]]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("删掉第3行", "同样的改动之前已经提过，还没有决定：这就是那份提案。"),
        ("delete line 3", "The same edit was proposed before and not decided yet: this is that proposal."),
    ],
    ids=["zh", "en"],
)
def test_a_preview_that_is_repeated_is_the_proposal_that_is_open(
    command: Command, asked: str, told: str
) -> None:
    first = command("preview", "video_001", asked)
    again = command("preview", "video_001", asked)

    (id,) = open_proposals(command)
    assert id in first.stdout and id in again.stdout
    assert told not in first.stdout and told in again.stdout.splitlines()


def test_a_repeated_request_that_is_saved_leaves_no_proposal(command: Command) -> None:
    id = command("preview", "video_001", "删掉第3行", "--json").data["proposal"]

    done = command("edit", "video_001", "删掉第3行", "--yes", "--json").data

    assert (done["version"], done["proposal"]) == ("v2", id)
    assert open_proposals(command) == []
    newest = command("log", "--json", "-n", "1").data["runs"][0]
    assert newest["saved"] == [{"script": "video_001", "version": "v2"}]


def test_only_the_same_edit_of_the_same_words_is_taken_for_a_repetition(command: Command) -> None:
    def preview(*options: str) -> str:
        return str(command("preview", "video_001", *options, "--json").data["proposal"])

    ids = [preview("删掉第3行"), preview("把第3行删掉"), preview("删掉第3行", "--target", "3s")]
    command("discard", ids[0])
    ids.append(preview("删掉第3行"))
    command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes")
    ids.append(preview("删掉第3行"))

    assert len(set(ids)) == 5


def test_candidates_that_repeat_open_proposals_are_those(command: Command) -> None:
    id = command("preview", "video_001", "删掉第3行", "--json").data["proposal"]

    made = command("preview", "video_001", "删掉第3行", "--candidates", "2", "--json").data

    assert [each["proposal"] for each in made["proposals"]] == [id]
    assert open_proposals(command) == [id]
