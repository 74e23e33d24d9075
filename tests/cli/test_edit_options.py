"""edit and preview with --only, --keep, --target, --candidates, --hunks; long scripts in chunks; replies that were refused."""

import json
import re
from pathlib import Path

import pytest

from script_editor.llm.chat import ToolCall
from tests.support.command import Command, Ran
from tests.support.desk import FUNNIER, FUNNIER_TEXT, SEED
from tests.support.openai_server import (
    Behaviour,
    OpenAIServer,
    ReceivedRequest,
    completion,
    deltas,
    status,
    stream,
)

TALK = "# Opening\nHOST: Welcome back.\nGUEST: Thanks for having me.\n# Offer\nHOST: It costs little.\nGUEST: Great deal.\n"
DELETE_AND_REPLACE = "删掉第2行，把“频道”改成“直播间”"


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", input=SEED).exit_code == 0
    assert made("new", "talk", input=TALK).exit_code == 0
    return made


def call(name: str, **arguments: object) -> Behaviour:
    wire = ToolCall(f"call_{name}", name, json.dumps(arguments, ensure_ascii=False))
    return completion(tool_calls=[wire], finish_reason="tool_calls")


def replacing(segment: str, text: str) -> Behaviour:
    operation = {"op": "replace", "id": segment, "text": text}
    return completion(json.dumps({"operations": [operation]}, ensure_ascii=False))


def endpoint(command: Command, server: OpenAIServer, *arguments: str) -> Ran:
    return command(
        *arguments, model=None,
        OPENAI_API_KEY="sk-x", OPENAI_BASE_URL=server.base_url, MODEL_NAME="m",
    )  # fmt: skip


def text(command: Command, script: str = "video_001") -> str:
    return command("show", script).stdout


# --- the report ------------------------------------------------------------------------------


def test_a_report_has_the_spoken_time_before_and_after(command: Command) -> None:
    done = command("preview", "video_001", "删掉第2行和第4行")
    data = command("preview", "video_001", "删掉第2行和第4行", "--json").data

    assert done.stdout.splitlines()[0] == "video_001 · 基于 v1 · 2 处改动 · 17 秒 → 10 秒"
    assert data["seconds"]["before"] > data["seconds"]["after"] > 0


def test_a_percentage_stands_beside_times_that_are_long_enough_for_one(command: Command) -> None:
    command("new", "long", "--text", SEED * 3)

    head = command("preview", "long", "删掉第2行").stdout.splitlines()[0]

    assert re.fullmatch(r"long · 基于 v1 · 1 处改动 · 5\d 秒 → 4\d 秒（-\d%）", head)


def test_a_preview_says_what_can_be_done_with_it(command: Command) -> None:
    done = command("preview", "video_001", "删掉第2行")

    id = command("proposals", "--json").data["proposals"][0]["proposal"]
    assert f"提案 {id}，还没有保存。" in done.stdout
    for action in ("review", "apply", "discard"):
        assert f"script-editor {action} {id}" in done.stderr


# --- --only ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("only", "asked", "code"),
    [
        ("2-3", "把“Thanks”改成“谢谢”", 0),
        ("Opening", "把“Thanks”改成“谢谢”", 0),
        ("GUEST", "把“Thanks”改成“谢谢”", 0),
        ("1-2", "把“Thanks”改成“谢谢”", 4),
        ("Offer", "把“Thanks”改成“谢谢”", 4),
        ("HOST", "replace “Thanks” with “Thank you”", 4),
        ("9", "replace “Thanks” with “Thank you”", 2),
        ("Ending", "replace “Thanks” with “Thank you”", 2),
    ],
    ids=str,
)
def test_only_bounds_what_may_change(command: Command, only: str, asked: str, code: int) -> None:
    done = command("edit", "talk", asked, "--only", only, "--yes")

    assert done.exit_code == code, done.stderr
    assert ("Thanks" in text(command, "talk")) == (code != 0)


def test_a_part_that_is_not_there_is_told_with_those_that_are(command: Command) -> None:
    done = command("preview", "talk", "delete line 2", "--only", "Ending")

    assert done.exit_code == 2
    assert "Opening, Offer" in done.stderr and "HOST, GUEST" in done.stderr


# --- --keep ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "asked", "kept", "label"),
    [
        pytest.param("video_001", DELETE_AND_REPLACE, "频道", "错误：", id="zh"),
        pytest.param("talk", "replace “deal” with “offer”", "great deal", "Error: ", id="en"),
    ],
)
def test_a_kept_word_is_not_given_up(
    command: Command, script: str, asked: str, kept: str, label: str
) -> None:
    before = text(command, script)

    done = command("edit", script, asked, "--keep", kept, "--yes")

    assert done.exit_code == 4
    assert done.stderr.startswith(label)
    assert text(command, script) == before


@pytest.mark.parametrize(
    "options", [["--yes"], ["--preview"], ["--candidates", "2", "--preview"]], ids=" ".join
)
@pytest.mark.parametrize(
    ("asked", "told"),
    [
        pytest.param("口语一点", "脚本里没有要保留的“欢迎来到我的频到”", id="zh"),
        pytest.param("friendlier", "does not have '欢迎来到我的频到'", id="en"),
    ],
)
def test_a_word_that_is_not_there_protects_nothing_so_nothing_is_begun(
    command: Command, asked: str, told: str, options: list[str]
) -> None:
    with OpenAIServer([]) as server:
        done = endpoint(
            command,
            server,
            "edit",
            "video_001",
            asked,
            "--keep",
            "大家好",
            "--keep",
            "欢迎来到我的频到",
            *options,
        )

    assert done.exit_code == 4
    assert told in done.stderr
    assert "欢迎来到我的频道" in done.stderr  # the line that comes nearest
    assert server.requests == []


def test_a_preview_keeps_no_word_that_is_not_there_either(command: Command) -> None:
    done = command("preview", "video_001", "删掉第2行", "--keep", "西门")

    assert done.exit_code == 4
    assert command("proposals", "--json").data["proposals"] == []


@pytest.mark.parametrize("encoding", ["gb18030", "gbk", "utf-16-le"])
def test_a_filter_reads_and_writes_the_encoding_that_is_named(tmp_path: Path, encoding: str) -> None:
    given = "一，西门。\r\n二。\r\n".encode(encoding)

    done = Command(tmp_path / "none.db")("edit", "-", "把西门改成南门", "--encoding", encoding, input=given)

    assert done.exit_code == 0, done.stderr
    assert done.stdout_bytes == "一，南门。\r\n二。\r\n".encode(encoding)


def test_a_filter_that_cannot_read_its_text_names_an_option_it_has(tmp_path: Path) -> None:
    done = Command(tmp_path / "none.db")(
        "edit", "-", "把西门改成南门", input="一，西门。\n".encode("gb18030")
    )

    assert done.exit_code == 2
    assert "--encoding gb18030" in done.stderr and "import" not in done.stderr


def test_an_encoding_belongs_to_a_text_on_stdin(command: Command) -> None:
    assert command("edit", "video_001", "删掉第2行", "--encoding", "gbk", "--yes").exit_code == 2


# --- --target --------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["soon", "0s", "", "-120%"])
def test_a_target_that_is_no_length_is_refused_before_any_call(command: Command, target: str) -> None:
    with OpenAIServer([]) as server:
        done = endpoint(command, server, "edit", "video_001", "口语一点", f"--target={target}", "--yes")

    assert done.exit_code == 2
    assert "45s" in done.stderr
    assert server.requests == []


@pytest.mark.parametrize(("target", "met"), [("10s", True), ("-40%", True), ("一分半", False)])
def test_a_target_is_measured(command: Command, target: str, met: bool) -> None:
    done = command("preview", "video_001", "删掉第2行和第4行", f"--target={target}", "--json")

    assert done.exit_code == 0
    codes = [finding["code"] for finding in done.data["checks"]["findings"]]
    assert codes == ([] if met else ["target_missed"])


@pytest.mark.parametrize(
    ("asked", "label"),
    [pytest.param("口语一点", "错误：", id="zh"), pytest.param("tighten it", "Error: ", id="en")],
)
def test_a_missed_target_is_kept_and_left_to_the_person(command: Command, asked: str, label: str) -> None:
    same = replacing("S1", "大家好，欢迎来到我的直播间。")
    replies = [
        call("modify_script", script_id="video_001", instruction=asked), same, same, same, completion("差不多了。"),
    ]  # fmt: skip

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "edit", "video_001", asked, "--target", "5s", "--yes")

    assert done.exit_code == 4
    assert done.stderr.startswith(label)
    (left,) = command("proposals", "--json").data["proposals"]
    assert f"script-editor apply {left['proposal']}" in done.stderr
    assert text(command) == SEED
    assert command("apply", left["proposal"]).exit_code == 0
    assert "直播间" in text(command)


# --- --candidates ----------------------------------------------------------------------------

FIRST, SECOND = "现在我们正处于AI的快车道。", "AI的黄金时代，就是现在。"


def test_candidates_are_shown_side_by_side_and_kept(command: Command) -> None:
    replies = [replacing("S5", FIRST), replacing("S5", FIRST), replacing("S5", SECOND)]

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "preview", "video_001", "第5行换个说法", "--candidates", "3")

    assert done.exit_code == 0, done.stderr
    ids = [row["proposal"] for row in command("proposals", "--json").data["proposals"]]
    assert len(ids) == 2
    first, second = (line for line in done.stdout.splitlines() if line.startswith("第 "))
    assert first.startswith("第 1 版 · video_001 · 基于 v1 · 1 处改动 · 17 秒") and ids[1] in first
    assert second.startswith("第 2 版") and ids[0] in second
    assert "第 2 版和第 1 版一样，没有列出。" in done.stderr
    assert "第 3 版，共 3 版" in done.stderr
    assert f"script-editor apply {ids[1]}" in done.stderr
    assert "m: 21 + 9 tokens" in done.stderr
    assert text(command) == SEED


def test_the_json_of_candidates(command: Command) -> None:
    replies = [replacing("S5", FIRST), status(400, "overloaded"), replacing("S5", SECOND)]

    with OpenAIServer(replies) as server:
        done = endpoint(
            command, server, "edit", "video_001", "第5行换个说法", "--candidates", "3", "--preview", "--json"
        )

    changed = [[change["after"] for change in made["changes"]] for made in done.data["proposals"]]
    assert changed == [[FIRST], [SECOND]]
    assert len(done.json["warnings"]) == 1 and "overloaded" in done.json["warnings"][0]
    assert (done.data["base"], done.data["tokens"]) == ("v1", {"in": 14, "out": 6})
    assert done.stderr == ""


def test_quiet_candidates_are_their_ids(command: Command) -> None:
    with OpenAIServer([replacing("S5", FIRST), replacing("S5", SECOND)]) as server:
        done = endpoint(command, server, "preview", "video_001", "第5行换个说法", "--candidates", "2", "-q")

    ids = [row["proposal"] for row in command("proposals", "--json").data["proposals"]]
    assert (done.stdout.split(), done.stderr) == (ids[::-1], "")


def test_without_any_candidate_the_failure_is_told(command: Command) -> None:
    with OpenAIServer(lambda _request: status(400, "overloaded")) as server:
        done = endpoint(command, server, "preview", "video_001", "第5行换个说法", "--candidates", "2")

    assert done.exit_code == 7
    assert "overloaded" in done.stderr
    assert command("proposals", "--json").data["proposals"] == []


# --- combinations ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ["--yes", "--preview"],
        ["--yes", "--hunks"],
        ["--hunks"],
        ["--candidates", "2"],
        ["--candidates", "2", "--yes"],
        ["--candidates", "0", "--preview"],
        ["--candidates", "99", "--preview"],
    ],
    ids=" ".join,
)
def test_options_that_contradict_or_need_a_person_are_refused_before_any_call(
    command: Command, options: list[str]
) -> None:
    with OpenAIServer([]) as server:
        done = endpoint(command, server, "edit", "video_001", "口语一点", *options)

    assert done.exit_code == 2
    assert server.requests == []


@pytest.mark.parametrize(
    "options", [["--yes"], ["--preview"], ["--hunks"], ["--candidates", "2"]], ids=" ".join
)
def test_a_filter_has_nothing_to_save(command: Command, options: list[str]) -> None:
    assert command("edit", "-", "delete line 1", *options, input="a\nb\n").exit_code == 2


@pytest.mark.parametrize(
    ("options", "code"),
    [(["--only", "2"], 4), (["--only", "1"], 0), (["--keep", "西门"], 4), (["--keep", "东门"], 4)],
    ids=str,
)
def test_a_filter_is_bounded_as_well(tmp_path: Path, options: list[str], code: int) -> None:
    done = Command(tmp_path / "none.db")("edit", "-", "把西门改成南门", *options, input="一，西门。\n二。\n")

    assert done.exit_code == code, done.stderr
    assert done.stdout == ("" if code else "一，南门。\n二。\n")
    assert ("没有要保留的“东门”" in done.stderr) == ("东门" in options)


@pytest.mark.parametrize(
    ("asked", "label"),
    [
        pytest.param("把西门改成南门", "错误：", id="zh"),
        pytest.param('replace "西门" with "南门"', "Error: ", id="en"),
    ],
)
def test_a_filter_writes_a_text_that_misses_its_target_and_says_so_once(
    tmp_path: Path, asked: str, label: str
) -> None:
    done = Command(tmp_path / "none.db")("edit", "-", asked, "--target", "1m", input="一，西门。\n")

    assert (done.exit_code, done.stdout) == (4, "一，南门。\n")
    assert done.stderr.count("60") == 1
    assert done.stderr.count(label) == 1


def test_the_json_of_a_filter_that_misses_its_target_has_the_text(tmp_path: Path) -> None:
    done = Command(tmp_path / "none.db")(
        "edit", "-", "把西门改成南门", "--target", "1m", "--json", input="一，西门。\n"
    )

    assert (done.exit_code, done.json["error"]["code"]) == (4, "edit_refused:target_missed")
    assert done.json["data"]["text"] == "一，南门。\n"


def test_a_filter_that_changes_nothing_has_missed_nothing(tmp_path: Path) -> None:
    done = Command(tmp_path / "none.db")(
        "edit", "-", "把西门改成西门", "--target", "1m", input="一，西门。\n"
    )

    assert (done.exit_code, done.stdout) == (0, "一，西门。\n")


# --- long scripts ----------------------------------------------------------------------------

LONG = "".join(f"这是第{number}句口播，讲一讲今天的内容有多么丰富。\n" for number in range(1, 161))


def chunk_editor(failing_at: int) -> object:
    """Return a service that edits one line of each chunk and fails at one of them."""
    done = 0

    def choose(request: ReceivedRequest) -> Behaviour:
        nonlocal done
        tools = [tool["function"]["name"] for tool in request.body.get("tools", ())]
        if "modify_script" in tools:
            told = any(message["role"] == "tool" for message in request.body["messages"])
            return (
                completion("好了。")
                if told
                else call("modify_script", script_id="long", instruction="口语一点")
            )
        done += 1
        if done == failing_at:
            return status(400, "overloaded")
        number = re.findall(r"^S(\d+):\w+ \|", request.body["messages"][-1]["content"], re.MULTILINE)[1]
        return replacing(f"S{number}", f"这是第{number}句口播，说说今天的内容有多丰富。")

    return choose


@pytest.mark.parametrize("options", [[], ["-v"]], ids=["plain", "verbose"])
def test_chunks_are_told_as_they_begin(command: Command, options: list[str]) -> None:
    command("new", "long", "--text", LONG)

    with OpenAIServer(chunk_editor(failing_at=0)) as server:  # type: ignore[arg-type]
        done = endpoint(command, server, "edit", "long", "全文改得口语一点", "--yes", *options)

    assert done.exit_code == 0, done.stderr
    chunks = re.findall(r"第 (\d) 部分，共 (\d) 部分（第 (\d+)-(\d+) 行）", done.stderr)
    assert [number for number, *_ in chunks] == [str(n) for n in range(1, len(chunks) + 1)]
    assert len(chunks) > 1 and {count for _, count, *_ in chunks} == {str(len(chunks))}
    assert (chunks[0][2], chunks[-1][3]) == ("1", "160")
    before = done.stderr.partition("第 1 部分")[0]
    assert bool(re.search(r"大约要发送 [\d,]+ tokens，收回 [\d,]+ tokens", before)) == bool(options)
    assert "说说今天的内容有多丰富" in text(command, "long")


def test_quiet_tells_no_chunks(command: Command) -> None:
    command("new", "long", "--text", LONG)

    with OpenAIServer(chunk_editor(failing_at=0)) as server:  # type: ignore[arg-type]
        done = endpoint(command, server, "edit", "long", "全文改得口语一点", "--yes", "-q")

    assert (done.stdout, done.stderr) == ("long@v2\n", "")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        pytest.param(
            "全文改得口语一点", [r"第 \d+-160 行还没有改", "原因：.+（HTTP 400）：overloaded"], id="zh"
        ),
        pytest.param(
            "make all of it more casual", [r"lines \d+-160 were not looked at", "overloaded"], id="en"
        ),
    ],
)
def test_what_was_finished_before_a_failure_is_kept_and_named(
    command: Command, asked: str, told: list[str]
) -> None:
    command("new", "long", "--text", LONG)

    with OpenAIServer(chunk_editor(failing_at=3)) as server:  # type: ignore[arg-type]
        done = endpoint(command, server, "edit", "long", asked, "--yes")

    assert done.exit_code == 7
    (left,) = command("proposals", "--json").data["proposals"]
    assert text(command, "long") == LONG
    assert all(re.search(each, done.stderr) for each in told)
    assert f"script-editor apply {left['proposal']}" in done.stderr.splitlines()[-1]
    assert command("apply", left["proposal"]).exit_code == 0
    assert text(command, "long").count("说说今天") == 2


def test_the_json_of_a_failure_names_what_was_finished_before(command: Command) -> None:
    command("new", "long", "--text", LONG)

    with OpenAIServer(chunk_editor(failing_at=3)) as server:  # type: ignore[arg-type]
        done = endpoint(command, server, "edit", "long", "全文改得口语一点", "--yes", "--json")

    (left,) = command("proposals", "--json").data["proposals"]
    assert (done.exit_code, done.json["error"]["code"]) == (7, "unfinished")
    assert done.json["data"] == {"proposal": left["proposal"]}


# --- replies that were not used --------------------------------------------------------------


def test_refused_replies_are_listed_with_their_reasons(command: Command) -> None:
    prose = completion("好的，我来帮你改一下：")
    replies = [
        call("modify_script", script_id="video_001", instruction="更幽默"), prose, completion(FUNNIER), completion("好了。"),
    ]  # fmt: skip
    with OpenAIServer(replies) as server:
        assert endpoint(command, server, "edit", "video_001", "更幽默", "--yes").exit_code == 0

    listed = command("history", "video_001", "--refused")
    (reply,) = command("history", "video_001", "--refused", "--json").data["refused"]

    assert "on v1" in listed.stdout and " m " in listed.stdout
    assert (reply["base"], reply["instruction"], reply["reply"], reply["model"]) == (
        "v1", "更幽默", "好的，我来帮你改一下：", "m",
    )  # fmt: skip
    assert text(command) == FUNNIER_TEXT


def test_no_refused_reply_is_said(command: Command) -> None:
    done = command("history", "video_001", "--refused")

    assert (done.exit_code, done.stdout) == (0, "")
    assert "video_001" in done.stderr
    assert command("history", "video_001", "--refused", "--before", "v2").exit_code == 2


# --- details ---------------------------------------------------------------------------------


def test_very_verbose_shows_a_streamed_answer_once(command: Command) -> None:
    replies = [
        call("modify_script", script_id="video_001", instruction="更幽默"),
        stream(deltas(FUNNIER[:20], FUNNIER[20:])),
        completion("好了。"),
    ]

    with OpenAIServer(replies) as server:
        done = endpoint(command, server, "edit", "video_001", "更幽默", "--yes", "-vv")

    assert done.exit_code == 0, done.stderr
    assert done.stderr.count(FUNNIER) == 1
