"""Edits through the real client and a real server, by a model that errs, breaks off and is interrupted."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from script_editor.agent.steps import Limits
from script_editor.app.bootstrap import build_app
from script_editor.app.edit import EditReport, EditRequest
from script_editor.app.parts import tokens
from script_editor.config import Settings
from script_editor.errors import BudgetReached, Unfinished
from script_editor.llm.chat import ToolCall
from tests.support.command import Command, Ran
from tests.support.desk import SEED
from tests.support.openai_server import (
    Behaviour,
    Exchange,
    OpenAIServer,
    ReceivedRequest,
    completion,
    echo_key,
    hang,
    status,
)

KEY = "sk-test-key-that-must-never-be-stored"
LONG = "".join(f"这是第{number}句口播，讲一讲今天的内容有多么丰富。\n" for number in range(1, 161))
EVERYTHING = "全文改得口语一点"
LONG_EN = "".join(
    f"This is sentence {number}, and it tells you how rich today's topic really is.\n"
    for number in range(1, 241)
)
EVERYTHING_EN = "Make the whole script more conversational"
_SHOWN = re.compile(r"^(S(\d+):\w\w)(?: \[locked\])? \| (.*)$", re.MULTILINE)

Editor = Callable[[Sequence[tuple[str, int, str]], int], str | Behaviour]
"""Makes a reply from the editable lines shown (id, number, text) and the number of the call, from 1."""


def shown(request: ReceivedRequest) -> list[tuple[str, int, str]]:
    """Return the editable lines of an editing request."""
    user = next(message for message in request.body["messages"] if message["role"] == "user")
    return [(id, int(number), text) for id, number, text in _SHOWN.findall(user["content"])]


class Service:
    """A model behind a server: it plans one call of modify_script, `editor` writes the edits."""

    def __init__(self, script: str, instruction: str, editor: Editor, *, last_turn: Behaviour | None = None):
        self.script, self.instruction, self.editor = script, instruction, editor
        self.calls: list[ReceivedRequest] = []
        self._last_turn = last_turn or completion("好了。")

    def __call__(self, request: ReceivedRequest) -> Behaviour:
        tools = [tool["function"]["name"] for tool in request.body.get("tools", ())]
        if "modify_script" in tools or "preview" in tools:
            return self._plan(request, "modify_script" if "modify_script" in tools else "preview")
        self.calls.append(request)
        reply = self.editor(shown(request), len(self.calls))
        return completion(reply) if isinstance(reply, str) else reply

    def _plan(self, request: ReceivedRequest, tool: str) -> Behaviour:
        if any(message["role"] == "tool" for message in request.body["messages"]):
            return self._last_turn
        arguments = {"script_id": self.script, "instruction": self.instruction}
        call = ToolCall("call_1", tool, json.dumps(arguments, ensure_ascii=False))
        return completion(tool_calls=[call], finish_reason="tool_calls")

    def told(self, call: int) -> str:
        """Return the last message of one editing call, counted from 1."""
        return str(self.calls[call - 1].body["messages"][-1]["content"])


def replies(*texts: str | Behaviour) -> Editor:
    """Return an editor that gives these replies in turn."""
    return lambda _lines, call: texts[call - 1]


def spoken(lines: Sequence[tuple[str, int, str]], _call: int) -> str:
    """Edit the first line shown."""
    id, _, text = lines[0]
    return f"@@ replace {id}\n{softer(text)}\n@@ end"


def softer(text: str) -> str:
    return text.replace("讲一讲", "说说").replace("it tells you", "it shows you")


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", input=SEED).exit_code == 0
    assert made("new", "long", "--text", LONG).exit_code == 0
    assert made("new", "talk", "--text", LONG_EN).exit_code == 0
    return made


def run(command: Command, service: Service, *options: str, verb: str = "edit") -> Ran:
    with OpenAIServer(service) as server:
        return command(
            verb, service.script, service.instruction, *(["--yes"] if verb == "edit" else []), *options,
            model=None, OPENAI_API_KEY=KEY, OPENAI_BASE_URL=server.base_url, MODEL_NAME="m",
        )  # fmt: skip


def text(command: Command, script: str) -> str:
    return command("show", script).stdout


def only_proposal(command: Command) -> str:
    (left,) = command("proposals", "--json").data["proposals"]
    return str(left["proposal"])


def unused(command: Command, script: str) -> list[dict[str, str]]:
    """Return the replies that were not used, oldest first."""
    return list(reversed(command("history", script, "--refused", "--json").data["refused"]))


# --- replies that are mended -----------------------------------------------------------------

GOOD = "@@ replace S2\n今天咱们来唠一唠人工智能的发展历程。\n@@ end"
GOOD_TEXT = SEED.replace("今天我们要聊一聊", "今天咱们来唠一唠")
JSON_GOOD = '{"ops":[{"op":"replace","id":"S2","text":"今天咱们来唠一唠人工智能的发展历程。"}]}'


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param("好的，我来改：", id="chatter"),
        pytest.param("", id="nothing"),
        pytest.param("@@ replace S2\n今天咱们来", id="cut off"),
        pytest.param(completion("@@ replace S2\n今天", finish_reason="length"), id="cut off by the service"),
        pytest.param('{"ops":[{"op":"replace","id":"S2","text":"今天"', id="JSON that is cut"),
        pytest.param("@@ replace S99\n今天咱们聊聊。\n@@ end", id="a line that is not there"),
        pytest.param("@@ replace S2:zz\n今天咱们聊聊。\n@@ end", id="a wrong check"),
        pytest.param("@@ substitute S2\n没有这几个字\n@@ with\n别的\n@@ end", id="words that are not there"),
        pytest.param("@@ replace S2\n……其余不变……\n@@ end", id="a placeholder"),
        pytest.param("@@ replace S2\n今天聊。\n@@ delete S2\n@@ end", id="two operations on one line"),
        pytest.param("@@ rewrite S2\n今天聊。\n@@ end", id="an operation that does not exist"),
        pytest.param(GOOD_TEXT, id="the whole script"),
        pytest.param("<think>改第二行\n@@ replace S2\n今天聊。\n@@ end", id="reasoning that does not end"),
    ],
)  # fmt: skip
def test_a_bad_reply_is_answered_and_the_next_one_is_used(command: Command, bad: str | Behaviour) -> None:
    service = Service("video_001", "口语一点", replies(bad, GOOD))

    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert text(command, "video_001") == GOOD_TEXT
    assert len(unused(command, "video_001")) == 1
    assert re.search(r"[\u4e00-\u9fff]", service.told(2))


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(JSON_GOOD, id="JSON"),
        pytest.param(f"```json\n{JSON_GOOD}\n```", id="fenced JSON"),
        pytest.param(GOOD, id="the text form"),
        pytest.param(f"```\n{GOOD}\n```", id="the text form, fenced"),
        pytest.param(f"<think>第二行要改。</think>\n{GOOD}", id="reasoning first"),
        pytest.param(
            "<<<<<<< SEARCH\n今天我们要聊一聊人工智能的发展历程。\n=======\n今天咱们来唠一唠人工智能的发展历程。\n>>>>>>> REPLACE",
            id="search and replace blocks",
        ),
        pytest.param(
            completion("", tool_calls=[ToolCall("c", "edit", JSON_GOOD)], finish_reason="tool_calls"),
            id="a tool call",
        ),
    ],
)
def test_a_reply_in_another_form_is_used(command: Command, reply: str | Behaviour) -> None:
    done = run(command, Service("video_001", "口语一点", replies(reply)))

    assert done.exit_code == 0, done.stderr
    assert text(command, "video_001") == GOOD_TEXT


@pytest.mark.parametrize(
    "wrapped",
    [
        pytest.param('{"name":"edit","arguments":%s}', id="an object"),
        pytest.param('<tool_call>\n{"name":"edit","arguments":%s}\n</tool_call>', id="a tag"),
    ],
)
def test_a_tool_call_written_as_text_harms_nothing(command: Command, wrapped: str) -> None:
    service = Service("video_001", "口语一点", replies(wrapped % JSON_GOOD, GOOD, GOOD))

    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert text(command, "video_001") == GOOD_TEXT


# --- one usable reply, and what comes after it -----------------------------------------------

WRONG_FACT = "@@ replace S3\n人工智能从20世纪60年代开始发展啦，\n@@ end"


@pytest.mark.parametrize(
    ("then", "calls"),
    [
        pytest.param([completion("", message={"refusal": "I cannot help."}), ""], 2, id="a refusal"),
        pytest.param([status(400, "overloaded")], 2, id="a failure"),
        pytest.param(["@@ need more\n@@ end", "@@ need more\n@@ end"], 3, id="a wish to see more"),
        pytest.param(["不知道。", "不知道。"], 3, id="chatter"),
        pytest.param(["@@ end"], 2, id="nothing to change"),
        pytest.param(["", ""], 3, id="empty replies"),
    ],
)
def test_a_reply_that_only_a_person_may_save_is_kept_whatever_comes_next(
    command: Command, then: list[str | Behaviour], calls: int
) -> None:
    service = Service("video_001", "口语一点", replies(WRONG_FACT, *then))

    done = run(command, service)

    id = only_proposal(command)
    assert len(service.calls) == calls
    assert done.exit_code in (4, 7)
    assert f"script-editor apply {id}" in done.stderr
    assert text(command, "video_001") == SEED
    assert command("apply", id, "--force", "--yes").exit_code == 0
    assert "60年代" in text(command, "video_001")


def test_after_a_correction_a_model_may_ask_for_all_lines_again(command: Command) -> None:
    wrong = "@@ replace S3:zz\n错的。\n@@ end"
    service = Service("video_001", "口语一点", replies(wrong, "@@ need more\n@@ end", GOOD))

    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert [len(shown(call)) for call in service.calls] == [5, 1, 5]
    assert text(command, "video_001") == GOOD_TEXT


@pytest.mark.parametrize(
    "more",
    [
        "@@ need more\n@@ end",
        "@@ need more",
        '{"ops":[],"need":"more"}',
        '```json\n{"ops": [], "need": "more"}\n```',
        "<think>没有这一行。</think>\n@@ need more\n@@ end",
        "要改的行没有给出。\n@@ need more\n@@ end",
        "@@ replace S69\n改一点。\n@@ need more\n@@ end",
        '{"ops":[{"op":"delete","id":"S69"}],"need":"more"}',
        "@@ end",
    ],
)
def test_a_model_that_misses_its_line_is_shown_the_whole_script(command: Command, more: str) -> None:
    service = Service(
        "long", "把第70行改短一点", lambda lines, call: more if call == 1 else spoken(lines, call)
    )

    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert "第150句口播" not in service.told(1)
    assert all(f"第{number}句口播" in service.told(2) for number in range(1, 161))
    assert [len(shown(call)) for call in service.calls] == [1, 1]


def test_a_line_that_was_not_shown_is_not_changed(command: Command) -> None:
    stray = "@@ replace S1\n大家好。\n@@ replace S70\n这是第70句，说说今天有多丰富。\n@@ end"
    service = Service("long", "把第70行改短一点", replies(stray))

    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert "保持原样" in done.stdout + done.stderr
    saved, lines = text(command, "long").split("\n"), LONG.split("\n")
    assert (saved[69], saved[:69] + saved[70:]) == ("这是第70句，说说今天有多丰富。", lines[:69] + lines[70:])


def test_a_model_that_insists_on_another_line_saves_nothing(command: Command) -> None:
    stray = "@@ replace S1\n这是第1句口播，说说今天的内容有多丰富。\n@@ end"
    service = Service("long", "把第70行改短一点", replies(stray, stray, stray))

    done = run(command, service)

    assert done.exit_code == 4
    assert f"script-editor apply {only_proposal(command)} --force" in done.stderr
    assert text(command, "long") == LONG


def test_whole_text_is_the_last_resort_and_says_which_lines_stay(command: Command) -> None:
    assert command("lock", "video_001", "--lines", "1").exit_code == 0
    service = Service("video_001", "口语一点", replies("我来改！", "改好了！", GOOD_TEXT))

    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert "这些行不能改:\n大家好，欢迎来到我的频道。" in service.told(3)
    assert text(command, "video_001") == GOOD_TEXT


# --- chunks ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "instruction", "old", "new"),
    [
        pytest.param("long", EVERYTHING, "讲一讲", "说说", id="zh"),
        pytest.param("talk", EVERYTHING_EN, "it tells you", "it shows you", id="en"),
    ],
)
def test_every_chunk_is_edited_in_whatever_form_it_is_answered(
    command: Command, script: str, instruction: str, old: str, new: str
) -> None:
    before = text(command, script)

    def editor(lines: Sequence[tuple[str, int, str]], call: int) -> str:
        if call % 2:
            return spoken(lines, call)
        return json.dumps({"ops": [{"op": "replace", "id": lines[0][0], "text": softer(lines[0][2])}]})

    service = Service(script, instruction, editor)
    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert len(service.calls) > 2
    after = text(command, script)
    assert after.count(new) == len(service.calls)
    assert after.replace(new, old) == before


def test_a_chunk_in_which_nothing_is_to_change_is_skipped(command: Command) -> None:
    answers = ("@@ need more\n@@ end", "@@ end", '{"ops":[],"need":"more"}', '{"ops":[]}')
    service = Service(
        "long", EVERYTHING, lambda lines, call: spoken(lines, call) if call == 3 else answers[call % 4]
    )

    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert text(command, "long").count("说说") == 1


def test_operations_of_other_chunks_are_left_out_and_said(command: Command) -> None:
    first = "@@ replace S1\n这是第1句口播，说说今天的内容有多么丰富。\n"

    def editor(lines: Sequence[tuple[str, int, str]], call: int) -> str:
        return first + spoken(lines, call) if lines[0][1] > 1 else spoken(lines, call)

    done = run(command, Service("long", EVERYTHING, editor), "--json")

    assert done.exit_code == 0, done.stdout
    changed = [change["before_line"] for change in done.data["change_list"]]
    assert len(changed) == len(set(changed)) > 2 and changed[0] == 1
    assert len([note for note in done.data["notes"] if "别的部分" in note]) == 1


def test_what_two_chunks_insert_at_their_border_is_inserted_once(command: Command) -> None:
    bridge = "我们接着往下看。"

    def editor(lines: Sequence[tuple[str, int, str]], call: int) -> str:
        where = f"insert_after {lines[-1][0]}" if call == 1 else f"insert_before {lines[0][0]}"
        return f"@@ {where}\n{bridge}\n@@ end" if call < 3 else "@@ end"

    done = run(command, Service("long", EVERYTHING, editor))

    assert done.exit_code == 0, done.stderr
    assert text(command, "long").count(bridge) == 1
    assert "只留了一次" in done.stdout


def test_a_chunk_that_the_model_refuses_does_not_stop_the_others(command: Command) -> None:
    def editor(lines: Sequence[tuple[str, int, str]], call: int) -> str:
        return "我不能帮你修改这部分内容。" if lines[0][1] > 1 and call == 2 else spoken(lines, call)

    service = Service("long", EVERYTHING, editor)
    done = run(command, service)

    id = only_proposal(command)
    refused = [number for _, number, _ in shown(service.calls[1])]
    assert done.exit_code == 4
    assert f"第 {refused[0]}-{refused[-1]} 行" in done.stderr and id in done.stderr
    assert command("apply", id).exit_code == 0
    assert text(command, "long").count("说说") == len(service.calls) - 1


def test_a_model_that_refuses_two_chunks_in_a_row_is_not_asked_about_the_rest(command: Command) -> None:
    no = "我不能帮你修改这部分内容。"
    service = Service("long", EVERYTHING, lambda lines, call: spoken(lines, call) if call == 1 else no)

    done = run(command, service)

    assert done.exit_code == 4
    assert len(service.calls) == 3
    assert command("apply", only_proposal(command)).exit_code == 0
    assert text(command, "long").count("说说") == 1


PASSAGE = "".join(f"{word}天的山里有一种说不出的安静，值得你专门来走一趟，住上几天。" for word in "春夏秋冬")


def test_chunks_that_tell_the_same_are_kept_in_part_and_nothing_paid_is_lost(command: Command) -> None:
    """Each is right by itself; only the whole shows that a long passage would stand in the script twice."""

    def editor(lines: Sequence[tuple[str, int, str]], call: int) -> str:
        return f"@@ insert_after {lines[1][0]}\n{PASSAGE}\n@@ end" if call in (1, 3) else spoken(lines, call)

    service = Service("long", EVERYTHING, editor)
    done = run(command, service)

    id = only_proposal(command)
    assert done.exit_code == 4, done.stderr
    assert f"script-editor apply {id}" in done.stderr
    assert [refused["reason"] for refused in unused(command, "long")] == ["duplicated"]
    assert PASSAGE in unused(command, "long")[0]["reply"]
    assert command("apply", id).exit_code == 0
    after = text(command, "long")
    assert after.count(PASSAGE) == 1
    assert after.count("说说") == len(service.calls) - 2


# --- budget and time -------------------------------------------------------------------------


def edited(command: Command, service: Service, limits: Limits, **request: Any) -> EditReport:
    """Run one edit through the real client, with limits that the command line has no options for."""
    with OpenAIServer(service) as server:
        environment = {
            "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url, "MODEL_NAME": "m",
            "SCRIPT_EDITOR_STATE": str(Path(command.database).parent / "state"),
        }  # fmt: skip
        app = build_app(
            Settings(
                database=str(command.database),
                database_origin="test",
                author="tester",
                environment=environment,
            )
        )
        asked = EditRequest(
            script_id=service.script, instruction=service.instruction, author="tester", **request
        )
        try:
            return app.edit(asked, approve=lambda _pending: True, limits=limits)
        finally:
            app.close()


def test_chunks_that_were_finished_when_the_budget_ends_are_a_proposal(command: Command) -> None:
    with pytest.raises(Unfinished) as stopped:
        edited(command, Service("long", EVERYTHING, spoken), Limits(max_tokens=35))

    assert stopped.value.exit_code == 8
    assert stopped.value.proposal_id == only_proposal(command)
    assert command("apply", stopped.value.proposal_id).exit_code == 0
    assert text(command, "long").count("说说") == 3


def test_chunks_that_were_finished_when_the_time_is_over_are_a_proposal(command: Command) -> None:
    service = Service("long", EVERYTHING, lambda lines, call: spoken(lines, call) if call < 3 else hang())

    with pytest.raises(Unfinished) as stopped:
        edited(command, service, Limits(max_seconds=3.0))

    assert stopped.value.exit_code == 8
    assert stopped.value.proposal_id == only_proposal(command)
    assert command("apply", stopped.value.proposal_id).exit_code == 0
    assert text(command, "long").count("说说") == 2


def test_a_budget_that_ends_in_the_first_chunk_leaves_nothing(command: Command) -> None:
    with pytest.raises(BudgetReached) as stopped:
        edited(command, Service("long", EVERYTHING, spoken), Limits(max_tokens=10))

    assert stopped.value.exit_code == 8
    assert command("proposals", "--json").data["proposals"] == []


def test_a_budget_that_ends_behind_the_edit_names_what_was_proposed(command: Command) -> None:
    with pytest.raises(Unfinished) as stopped:
        edited(command, Service("video_001", "口语一点", replies(*[WRONG_FACT] * 3)), Limits(max_tokens=40))

    assert stopped.value.exit_code == 8
    assert stopped.value.proposal_id == only_proposal(command)


# --- Ctrl-C ----------------------------------------------------------------------------------


class Interrupted:
    """A real process of the command line, and a server at which it is interrupted.

    The behaviour `at` a request waits for the signal to end the process, as a model that thinks would.
    """

    def __init__(self, command: Command, *, times: int = 1):
        self._command, self._times = command, times
        self._process: subprocess.Popen[str] | None = None
        self._started = threading.Event()

    def here(self) -> Behaviour:
        """Return a behaviour that presses Ctrl-C and never answers."""

        def behave(exchange: Exchange) -> None:
            assert self._started.wait(10) and self._process is not None
            for _ in range(self._times):
                self._process.send_signal(signal.SIGINT)
                exchange.wait(0.15 if self._times > 1 else 0)
            exchange.wait(15)
            exchange.drop()

        return behave

    def run(self, service: Service, *options: str) -> Ran:
        with OpenAIServer(service) as server:
            kept = {
                name: value for name, value in os.environ.items() if not name.startswith("SCRIPT_EDITOR_")
            }
            own = {
                "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": server.base_url, "MODEL_NAME": "m",
                "SCRIPT_EDITOR_STATE": str(Path(self._command.database).parent / "state"),
            }  # fmt: skip
            arguments = ["edit", service.script, service.instruction, *options]
            self._process = subprocess.Popen(
                [sys.executable, "-m", "script_editor", "--db", str(self._command.database), *arguments],
                env={**kept, **own}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8",
            )  # fmt: skip
            self._started.set()
            stdout, stderr = self._process.communicate(timeout=60)
        return Ran(self._process.returncode, stdout, stderr, stdout.encode())


def is_sound(command: Command) -> bool:
    app = build_app(Settings(database=str(command.database), database_origin="test", author="tester"))
    try:
        return app.store.verify() == ()
    finally:
        app.close()


@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
def test_ctrl_c_in_a_chunk_keeps_the_ones_before_and_names_them(command: Command, times: int) -> None:
    interrupted = Interrupted(command, times=times)
    service = Service(
        "long", EVERYTHING, lambda lines, call: spoken(lines, call) if call < 3 else interrupted.here()
    )

    done = interrupted.run(service, "--yes")

    id = only_proposal(command)
    # A second one may meet the process as it ends, and then it ends by the signal; shells call both 130.
    assert done.exit_code in ({130} if times == 1 else {130, -signal.SIGINT}), done.stderr
    assert id in done.stderr
    assert text(command, "long") == LONG
    assert is_sound(command)
    assert command("apply", id).exit_code == 0
    assert text(command, "long").count("说说") == 2


def test_ctrl_c_in_the_first_chunk_changes_nothing(command: Command) -> None:
    interrupted = Interrupted(command)

    done = interrupted.run(Service("long", EVERYTHING, lambda _lines, _call: interrupted.here()), "--yes")

    assert done.exit_code == 130, done.stderr
    assert "Traceback" not in done.stderr
    assert command("proposals", "--json").data["proposals"] == []
    assert text(command, "long") == LONG
    assert is_sound(command)


def test_ctrl_c_in_a_correction_keeps_what_a_person_may_save(command: Command) -> None:
    interrupted = Interrupted(command)
    service = Service(
        "video_001", "口语一点", lambda _lines, call: WRONG_FACT if call == 1 else interrupted.here()
    )

    done = interrupted.run(service, "--yes")

    assert done.exit_code == 130, done.stderr
    assert only_proposal(command) in done.stderr
    assert is_sound(command)


def test_ctrl_c_between_two_turns_names_what_was_proposed(command: Command) -> None:
    interrupted = Interrupted(command)
    service = Service("video_001", "口语一点", replies(*[WRONG_FACT] * 3), last_turn=interrupted.here())

    done = interrupted.run(service, "--yes")

    assert done.exit_code == 130, done.stderr
    assert only_proposal(command) in done.stderr
    assert is_sound(command)


# --- what is left behind ---------------------------------------------------------------------


def test_a_run_that_fails_keeps_its_refused_replies_and_no_key(command: Command) -> None:
    service = Service("video_001", "口语一点", replies("看不懂。", "改好了。", echo_key(400)))

    done = run(command, service, "-vv")

    assert done.exit_code in (6, 7)
    assert [refused["reply"] for refused in unused(command, "video_001")] == ["看不懂。", "改好了。"]
    folder = Path(command.database).parent
    kept = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert kept and not any(
        KEY.encode() in each for each in [*kept, done.stdout.encode(), done.stderr.encode()]
    )


# --- a wanted time ---------------------------------------------------------------------------


def seconds_asked(service: Service) -> list[tuple[int, int]]:
    """Return the seconds now and wanted that each editing call was told."""
    told = [service.told(call) for call in range(1, len(service.calls) + 1)]
    pattern = (
        r"约 (\d+) 秒，改后要\D*(\d+) 秒|takes about (\d+) s when spoken; afterwards it should \D*(\d+) s"
    )
    found = [re.search(pattern, each) for each in told]
    return [tuple(int(group) for group in each.groups() if group) for each in found if each]  # type: ignore[misc]


def halved(lines: Sequence[tuple[str, int, str]], _call: int) -> str:
    return "\n".join([*(f"@@ delete {id}" for id, number, _ in lines if number % 2), "@@ end"])


@pytest.mark.parametrize(
    ("script", "instruction", "target"),
    [("long", "压短一点", "50%"), ("talk", "tighten it", "-50%")],
    ids=["zh", "en"],
)
def test_each_chunk_gets_its_share_of_the_time(
    command: Command, script: str, instruction: str, target: str
) -> None:
    service = Service(script, instruction, halved)

    done = run(command, service, "--target", target, "--json")

    assert done.exit_code == 0, done.stdout
    asked = seconds_asked(service)
    assert len(asked) == len(service.calls) > 2
    assert all(abs(wanted - now / 2) <= 1 for now, wanted in asked)
    assert sum(now for now, _ in asked) == pytest.approx(done.data["seconds"]["before"], abs=len(asked))
    assert "target_missed" not in {finding["code"] for finding in done.data["checks"]["findings"]}


@pytest.mark.parametrize(
    ("target", "said"),
    [
        pytest.param("at most 60s", "改后要不超过 60 秒。", id="a limit that is kept already"),
        pytest.param("at most 10s", "改后要不超过 10 秒（约删", id="a limit that is passed"),
        pytest.param("at least 40s", "改后要不少于 40 秒（约增", id="a lower limit"),
        pytest.param("17s", "改后要约 17 秒。", id="a time it has"),
    ],
)
def test_a_limit_is_told_as_a_limit(command: Command, target: str, said: str) -> None:
    service = Service("video_001", "口语一点", lambda _lines, _call: GOOD)

    run(command, service, "--target", target)

    assert "整篇现在念出来约 17 秒" in service.told(1)
    assert said in service.told(1)


def test_a_limit_that_is_kept_asks_only_once(command: Command) -> None:
    service = Service("video_001", "口语一点", replies(GOOD))

    done = run(command, service, "--target", "at most 60s")

    assert done.exit_code == 0, done.stderr
    assert text(command, "video_001") == GOOD_TEXT


def test_with_only_the_rest_keeps_its_time_and_the_target_is_about_the_whole(command: Command) -> None:
    service = Service("video_001", "压短一点", replies("@@ replace S2\n聊聊人工智能的发展。\n@@ end"))

    done = run(command, service, "--only", "2", "--target", "15s", "--json")

    (asked,) = seconds_asked(service)
    assert done.exit_code == 0, done.stdout
    assert "可以改的这些行" in service.told(1)
    assert asked[0] - asked[1] == pytest.approx(done.data["seconds"]["before"] - 15, abs=1)


def test_a_time_that_no_text_of_the_part_has_is_not_asked_for_again_and_again(command: Command) -> None:
    service = Service("video_001", "压短一点", replies("@@ replace S2\n聊聊人工智能的发展。\n@@ end"))

    done = run(command, service, "--only", "2", "--target", "5s")

    assert done.exit_code == 4
    assert "尽量压短" in service.told(1)
    assert f"script-editor apply {only_proposal(command)}" in done.stderr


@pytest.mark.parametrize("target", ["30s", "50%"])
def test_a_script_that_nobody_speaks_has_no_time_to_share(command: Command, target: str) -> None:
    assert command("new", "silent", input="# 标题\n（音乐）\n").exit_code == 0
    service = Service("silent", "标题换一个", lambda _lines, _call: "@@ replace S1\n# 新标题\n@@ end")

    done = run(command, service, "--target", target)

    assert done.exit_code in (0, 4), done.stderr
    assert "nan" not in service.told(1)


@pytest.mark.parametrize("asked", ["第3行压到10秒", "cut line 3 to 10 seconds"])
def test_a_time_for_a_named_place_is_the_models_to_read_and_not_measured(
    command: Command, asked: str
) -> None:
    service = Service("video_001", asked, replies("@@ replace S3\n人工智能始于20世纪50年代，\n@@ end"))

    done = run(command, service, "--json")

    assert done.exit_code == 0, done.stdout
    assert seconds_asked(service) == []
    assert done.data["checks"]["findings"] == []


def test_a_missed_time_is_answered_over_all_lines_whatever_a_correction_showed(command: Command) -> None:
    wrong = "@@ substitute S2\n没有这几个字\n@@ with\n别的\n@@ end"
    shorter = "@@ delete S3\n@@ delete S4\n@@ end"
    service = Service("video_001", "压短一点，删掉两三行", replies(wrong, GOOD, shorter))

    run(command, service, "--target", "10s")

    assert [len(shown(call)) for call in service.calls] == [5, 1, 5]


def test_a_missed_time_over_a_whole_text_asks_for_the_whole_text(command: Command) -> None:
    short = SEED.replace("经历了几次寒冬和复兴。\n", "")
    service = Service("video_001", "压短一点，删掉两三行", replies("改！", "改！", GOOD_TEXT, short, short))

    run(command, service, "--target", "9s")

    assert "请重新输出整篇" in service.told(4)


# --- what may change ------------------------------------------------------------------------

TALK = "# Opening\nHOST: Welcome back.\nGUEST: Thanks for having me.\n# Offer\nHOST: It costs little.\nGUEST: Great deal.\n"


class TwoEdits(Service):
    """A planner that calls modify_script twice in one run; `editor` answers both."""

    def _plan(self, request: ReceivedRequest, tool: str) -> Behaviour:
        told = sum(message["role"] == "tool" for message in request.body["messages"])
        if told == 2:
            return completion("Done.")
        arguments = {"script_id": self.script, "instruction": f"{self.instruction} ({told + 1})"}
        call = ToolCall(f"call_{told}", tool, json.dumps(arguments))
        return completion(tool_calls=[call], finish_reason="tool_calls")


@pytest.mark.parametrize(
    ("only", "first", "second"),
    [
        pytest.param("2-3", "@@ delete S2\n@@ end", [2], id="numbers after a line was deleted"),
        pytest.param(
            "2-3",
            "@@ insert_after S2\nHOST: It is a good day.\n@@ end",
            [2, 3, 4],
            id="after one was inserted",
        ),
        pytest.param("Opening", "@@ insert_after S3\nHOST: Let us begin.\n@@ end", [2, 3, 4], id="a heading"),
        pytest.param(
            "GUEST", "@@ replace S3\nGUEST: Thanks a lot for having me.\n@@ end", [3, 6], id="a speaker"
        ),
    ],
)
def test_only_means_the_same_lines_in_the_second_call_of_a_run(
    command: Command, only: str, first: str, second: list[int]
) -> None:
    assert command("new", "show_1", input=TALK).exit_code == 0
    service = TwoEdits(
        "show_1",
        "Please improve it, you may delete or add a line, and then improve it again",
        replies(first, "@@ end"),
    )

    done = run(command, service, "--only", only)

    assert done.exit_code == 0, done.stderr
    assert [number for _, number, _ in shown(service.calls[1])] == second


@pytest.mark.parametrize("word", ["AI", "ＡＩ", "ai"])
def test_a_kept_word_is_told_and_held_in_whatever_width_it_is_given(command: Command, word: str) -> None:
    without = "@@ replace S5\n现在我们正处于人工智能的黄金时代。\n@@ end"
    service = Service("video_001", "口语一点", replies(without, GOOD))

    done = run(command, service, "--keep", word)

    assert done.exit_code == 0, done.stderr
    assert "必须原样保留: AI" in service.told(1)
    assert text(command, "video_001") == GOOD_TEXT


def test_a_lock_in_a_chunk_is_shown_and_held(command: Command) -> None:
    assert command("lock", "long", "--lines", "40").exit_code == 0

    def editor(lines: Sequence[tuple[str, int, str]], call: int) -> str:
        locked = next((line for line in lines if line[1] == 40), None)
        if locked and call == 2:
            return f"@@ replace {locked[0]}\n改了。\n@@ end"
        return spoken(lines, call)

    service = Service("long", EVERYTHING, editor)
    done = run(command, service)

    assert done.exit_code == 0, done.stderr
    assert LONG.split("\n")[39] in text(command, "long")
    assert [refused["reason"] for refused in unused(command, "long")] == ["locked_changed"]


# --- what a person sees before it begins ------------------------------------------------------


def test_the_estimate_comes_first_and_is_near_what_is_sent(command: Command) -> None:
    service = Service("long", EVERYTHING, spoken)

    done = run(command, service, "-v")

    told = re.search(r"大约要发送 ([\d,]+) tokens，收回 ([\d,]+) tokens", done.stderr)
    assert told is not None and told.start() < done.stderr.index("第 1 部分")
    sent = sum(tokens(message["content"]) for call in service.calls for message in call.body["messages"])
    assert int(told[1].replace(",", "")) == pytest.approx(sent, rel=0.05)
