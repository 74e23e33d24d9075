"""`chat`: lines from a pipe, commands with a slash, and a person at a terminal."""

import codecs
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.command import Command, Ran
from tests.support.desk import SEED
from tests.support.openai_server import OpenAIServer, completion, hang

FAST = "把“黄金时代”改成“快车道”"
THREE = "删掉第2行和第4行，把“频道”改成“直播间”"
CHANGED = SEED.replace("黄金时代", "快车道")


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    for script_id in ("video_001", "video_002"):
        assert made("new", script_id, input=SEED).exit_code == 0
    return made


def talk(command: Command, *lines: str, options: tuple[str, ...] = ("video_001", "--yes"), **env: str) -> Ran:
    return command("chat", *options, input="".join(f"{line}\n" for line in lines), **env)


def session_of(ran: Ran) -> str:
    found = re.search(r"Session (\S+?)[.,]", ran.stderr)
    assert found, ran.stderr
    return found[1]


# --- from a pipe -----------------------------------------------------------------------------


def test_each_line_is_a_turn(command: Command) -> None:
    ran = talk(command, FAST, "", "   ", "把“频道”改成“直播间”")

    assert ran.exit_code == 0, ran.stderr
    assert "Script video_001 (v1, " in ran.stderr and "/help for commands" in ran.stderr
    assert "video_001 v1 → v2" in ran.stdout and "video_001 v2 → v3" in ran.stdout
    assert command("show", "video_001").stdout == CHANGED.replace("频道", "直播间")


def test_the_end_says_how_to_go_on(command: Command) -> None:
    ran = talk(command, FAST)

    assert f"script-editor chat --session {session_of(ran)}" in ran.stderr
    again = talk(command, "/cost", options=("--session", session_of(ran), "--yes"))
    assert "Script video_001 (v2, " in again.stderr and "1 turn so far" in again.stderr
    assert "This chat: 1 run, 0 + 0 tokens" in again.stdout


@pytest.mark.parametrize("option", ["--continue", "-c"])
def test_the_last_chat_is_gone_on_with(command: Command, option: str) -> None:
    first = session_of(talk(command, FAST))
    talk(command)  # opened and left without a word

    again = talk(command, "撤销", options=(option, "--yes"))

    assert first == session_of(again)
    assert command("show", "video_001").stdout == SEED


def test_a_name_begins_a_chat_and_finds_it_again(command: Command) -> None:
    begun = talk(command, FAST, options=("video_001", "--session", "周三", "--yes"))
    again = talk(command, "/script", options=("--session", "周三", "--yes"))

    assert "Session 周三." in begun.stderr and "Session 周三, 1 turn so far." in again.stderr
    assert "Script video_001 (v2, " in again.stdout


def test_an_id_that_no_chat_has_begins_none(command: Command) -> None:
    ran = talk(command, FAST, options=("--session", "s-22222222", "--yes"))

    assert ran.exit_code == 3 and "s-22222222" in ran.stderr


def test_a_name_with_spaces_is_quoted_for_the_shell(command: Command) -> None:
    ran = talk(command, "/save hooks for Monday")

    assert "script-editor chat --session 'hooks for Monday'" in ran.stderr


def test_without_a_chat_there_is_none_to_go_on_with(command: Command) -> None:
    assert talk(command, "x", options=("--continue", "--yes")).exit_code == 3
    assert talk(command, "x", options=("video_009", "--yes")).exit_code == 3


@pytest.mark.parametrize(
    "options",
    [
        ("video_001",),
        ("video_001", "--yes", "--preview"),
        ("video_001", "--yes", "--read-only"),
        ("video_001@v1", "--yes"),
        ("--continue", "--session", "x", "--yes"),
        ("--memory", "everything", "--yes"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_meant_is_refused_before_anything_is_asked(
    command: Command, options: tuple[str, ...]
) -> None:
    ran = talk(command, FAST, options=options)

    assert ran.exit_code == 2
    assert command("show", "video_001").stdout == SEED


def test_without_a_terminal_it_has_to_be_said_what_becomes_of_edits(command: Command) -> None:
    chatting, editing = talk(command, FAST, options=("video_001",)), command("edit", "video_001", FAST)

    sentence = "Nobody can be asked here: give --yes to save, or --preview to propose."
    assert sentence in chatting.stderr and sentence in editing.stderr


def test_a_preview_is_kept_until_it_is_applied(command: Command) -> None:
    ran = talk(command, FAST, "/apply", options=("video_001", "--preview"))

    assert ran.exit_code == 0, ran.stderr
    assert "没有任何改动" in ran.stdout and "已保存 video_001 v2" in ran.stdout
    assert command("show", "video_001").stdout == CHANGED


def test_a_read_only_chat_saves_nothing(command: Command) -> None:
    ran = talk(command, FAST, "/apply", "/undo", "/diff", options=("video_001", "--read-only"))

    assert ran.exit_code == 2 and ran.stderr.count("This chat is read-only") == 2
    assert command("show", "video_001").stdout == SEED
    assert command("proposals", "--json").data["proposals"]


def test_the_exit_code_is_that_of_the_last_turn_that_failed(command: Command) -> None:
    assert talk(command, "写一首诗", FAST).exit_code == 6
    assert talk(command, "写一首诗", "/nothing", "/script").exit_code == 2
    assert talk(command, "写一首诗", "把“没有的词”改成“别的”", "/script").exit_code == 9


def test_a_line_goes_on_after_a_backslash(command: Command) -> None:
    ran = talk(command, "在末尾加一行：再见\\", "", FAST)

    assert ran.exit_code == 0, ran.stderr
    assert command("show", "video_001").stdout == f"{CHANGED}再见\n"


def test_bytes_that_are_no_text_are_refused_and_the_rest_is_done(command: Command) -> None:
    ran = command("chat", "video_001", "--yes", input=b"\xff\xfe bad\n" + f"\ufeff{FAST}\r\n".encode())

    assert ran.exit_code == 2 and "not UTF-8" in ran.stderr
    assert command("show", "video_001").stdout == CHANGED


def test_json_prints_one_object_for_each_line(command: Command) -> None:
    ran = talk(command, FAST, "/undo", "/nothing", "写一首诗", "/show 1-2", "/help", "/save 周三", "/cost",
               options=("video_001", "--yes", "--json"))  # fmt: skip

    edit, undo, nothing, poem, shown, helped, saved, cost = [
        json.loads(line) for line in ran.stdout.splitlines()
    ]
    assert ("saved", "v2") == (edit["data"]["outcome"], edit["data"]["changed"][0]["version"])
    assert "v3" == undo["data"]["version"]
    assert ("usage", False) == (nothing["error"]["code"], nothing["ok"])
    assert not poem["ok"] and "offline" in poem["error"]["code"]
    assert 2 == len(shown["data"]["lines"])
    assert "周三" == saved["data"]["name"] and "/undo [N]" in helped["data"]["commands"]
    assert 2 == cost["data"]["runs"]
    assert ran.stderr == ""
    each = [edit, undo, nothing, poem, shown, helped, saved, cost]
    (session,) = {one.get("data", one)["session"] for one in each}
    assert re.fullmatch(r"s-[0-9a-z]{8}", session)
    assert ["", "", "", "", "", "", "周三", "周三"] == [one["data"]["session_name"] for one in each]


def test_quiet_prints_results_only(command: Command) -> None:
    ran = talk(command, FAST, options=("video_001", "--yes", "-q"))

    assert ("video_001@v2\n", "") == (ran.stdout, ran.stderr)


# --- commands --------------------------------------------------------------------------------


def test_commands_do_what_the_program_s_commands_do(command: Command) -> None:
    ran = talk(
        command, FAST, "/diff v1 v2", "/history", "/undo", "/redo", "/show", "/lock --lines 1", "/lock"
    )

    assert ran.exit_code == 0, ran.stderr
    assert command("diff", "video_001", "v1", "v2").stdout in ran.stdout
    assert "Undid 1 change of video_001" in ran.stdout and "Redid 1 change of video_001" in ran.stdout
    assert CHANGED in ran.stdout
    assert 1 == len(command("lock", "video_001", "--json").data["locks"])
    assert command("history", "video_001", "--json").data["versions"][0]["version"] == "v4"


@pytest.mark.parametrize(
    ("said", "printed"),
    [
        ("/show 2", "  2  今天我们要聊一聊人工智能的发展历程。\n"),
        ("/show 4-5", "  4  经历了几次寒冬和复兴。\n  5  现在我们正处于AI的快车道。\n"),
        ("/show v1", SEED),
        ("/show video_002", SEED),
        ("/show video_001@v1", SEED),
        ("/查看 5", "  5  现在我们正处于AI的快车道。\n"),
        ("／show 5", "  5  现在我们正处于AI的快车道。\n"),
    ],
)
def test_show_takes_lines_versions_and_other_scripts(command: Command, said: str, printed: str) -> None:
    talk(command, FAST)

    assert printed in talk(command, said, options=("video_001", "--read-only")).stdout


def test_show_lines_are_numbered_as_everywhere(command: Command) -> None:
    ran = talk(command, "/show lines", options=("video_001", "--read-only"))

    assert command("show", "video_001", "--lines").stdout == ran.stdout


@pytest.mark.parametrize(
    ("said", "near"), [("/shw", "/show"), ("/undoo", "/undo"), ("/aply p-1", "/apply"), ("/撤消", "/撤销")]
)
def test_a_command_that_is_none_is_answered_with_what_comes_near(
    command: Command, said: str, near: str
) -> None:
    ran = talk(command, said)

    assert ran.exit_code == 2 and f"Did you mean {near}?" in ran.stderr
    assert "runs" not in ran.stdout and "This chat: 0 runs" in talk(command, said, "/cost").stdout


@pytest.mark.parametrize(
    "said", ["/undo many", "/script a b", "/save", "/model a b", "/edit", "/show 99", "/unlock"]
)
def test_a_command_that_cannot_be_given_like_this_says_so(command: Command, said: str) -> None:
    ran = talk(command, said, FAST)

    assert ran.exit_code == 2 and "Error" in ran.stderr
    assert "video_001 v1 → v2" in ran.stdout


def test_what_begins_with_a_slash_and_no_word_is_said_to_the_agent(command: Command) -> None:
    ran = talk(command, "/ 写一首诗")

    assert ran.exit_code == 6


def test_a_command_that_fails_does_not_end_the_chat(command: Command) -> None:
    ran = talk(command, "/undo", "/apply p-nothere", "/diff v7 v8", FAST)

    assert ran.exit_code == 3
    assert command("show", "video_001").stdout == CHANGED


def test_a_command_s_own_options_are_its_own(command: Command) -> None:
    ran = talk(command, "/diff --json", "/undo --help", "/cost", options=("video_002", "--read-only"))
    lines = ran.stdout.splitlines()

    assert json.loads(lines[0])["ok"] is False or json.loads(lines[0])["data"]
    assert lines[-1].startswith("This chat: 0 runs")


def test_the_chat_moves_to_another_script(command: Command) -> None:
    ran = talk(command, "/script video_002", FAST, "/script")

    assert "Script video_002 (v2, " in ran.stdout
    assert (SEED, CHANGED) == tuple(command("show", id).stdout for id in ("video_001", "video_002"))


def test_without_a_script_a_command_needs_one(command: Command) -> None:
    ran = talk(
        command, "/show", "/undo", "/history video_002", "/script video_001", "/show 1", options=("--yes",)
    )

    assert ran.stderr.count("/script ID") == 2 and "All scripts." in ran.stderr
    assert "  1  大家好，欢迎来到我的频道。" in ran.stdout


def test_a_proposal_of_the_chat_is_the_one_that_is_decided_about(command: Command) -> None:
    other = command("preview", "video_002", FAST, "--json").data["proposal"]

    ran = talk(command, "/discard", options=("video_001", "--preview"))
    assert other not in ran.stdout or ran.exit_code == 0
    made = talk(command, "把“频道”改成“直播间”", "/discard", options=("video_001", "--preview"))

    assert "已放弃 video_001 的提案" in made.stdout


@pytest.mark.parametrize("name", ["/apply", "/review", "/discard"])
@pytest.mark.parametrize("about", [("video_001",), ()], ids=["about a script", "about none"])
def test_a_proposal_of_somebody_else_is_left_alone(
    command: Command, name: str, about: tuple[str, ...]
) -> None:
    other = command("preview", "video_002", FAST, "--json").data["proposal"]

    ran = talk(command, name, options=(*about, "--yes"))

    assert ran.exit_code == 2 and f"{name} p-…" in ran.stderr and "/proposals" in ran.stderr
    assert [other] == [row["proposal"] for row in command("proposals", "--json").data["proposals"]]
    assert command("show", "video_002").stdout == SEED


def test_a_proposal_of_the_script_or_one_that_is_named_is_taken(command: Command) -> None:
    own = command("preview", "video_001", FAST, "--json").data["proposal"]
    other = command("preview", "video_002", FAST, "--json").data["proposal"]

    ran = talk(command, "/apply", f"/apply {other}", options=("video_001", "--yes"))

    assert ran.exit_code == 0, ran.stderr
    assert f"（提案 {own}" in ran.stdout and f"（提案 {other}" in ran.stdout


def test_hints_name_the_commands_of_the_chat(command: Command) -> None:
    ran = talk(command, FAST, "/lock --lines 1", "/undo", "/show @v9", "/apply p-nothere")
    kept = talk(command, FAST, options=("video_001", "--preview"))
    looked = talk(command, FAST, options=("video_001", "--read-only"))

    assert "撤销：/undo\n" in ran.stderr and "Redo: /redo\n" in ran.stderr
    assert "All locks: /lock " in ran.stderr and "Release: /unlock --id k-" in ran.stderr
    assert "See them: /history\n" in ran.stderr and "See the open ones: /proposals\n" in ran.stderr
    assert "script-editor" not in ran.stderr.rpartition("Go on with it")[0]
    assert "逐处查看：/review p-" in kept.stderr and "保存：/apply p-" in kept.stderr
    assert "/apply" not in looked.stderr, "a chat that is read-only has no such command"


def test_an_empty_chat_is_not_worth_going_on_with(command: Command) -> None:
    assert "Go on with it" not in talk(command).stderr
    assert "Go on with it" not in talk(command, "/help").stderr


def test_identical_versions_are_told_as_such(command: Command) -> None:
    ran = talk(command, "/diff v1 v1", options=("video_001", "--read-only"))

    assert "v1 and v1 are identical." in ran.stderr


@pytest.mark.parametrize("said", ["quit", "Exit", "退出", "再见！", "/退出"])
def test_a_word_of_parting_leaves(command: Command, said: str) -> None:
    ran = talk(command, said, FAST)

    assert ran.exit_code == 0
    assert command("show", "video_001").stdout == SEED


def test_a_slash_alone_shows_the_commands(command: Command) -> None:
    assert talk(command, "/help").stdout == talk(command, "/").stdout == talk(command, "／").stdout


def test_a_mistyped_script_is_told_of_before_the_question_of_saving(command: Command) -> None:
    chatting = command("chat", "video_0001", input="")
    editing = command("edit", "video_0001", FAST)

    for ran in (chatting, editing):
        assert ran.exit_code == 3 and "video_001" in ran.stderr


def test_a_version_is_answered_with_the_whole_way_back(command: Command) -> None:
    for name in (["edit", "video_001@v1", FAST], ["preview", "video_001@v1", FAST], ["chat", "video_001@v1"]):
        ran = command(*name)

        assert ran.exit_code == 2 and "script-editor revert video_001 v1" in ran.stderr


def test_quit_ends_it(command: Command) -> None:
    ran = talk(command, "/quit", FAST)

    assert ran.exit_code == 0
    assert command("show", "video_001").stdout == SEED


def test_a_model_that_cannot_be_had_is_refused_and_the_chat_goes_on(command: Command) -> None:
    ran = talk(command, "/model gpt-x", "/model", FAST)

    assert ran.exit_code == 6
    assert "Model: offline" in ran.stdout and "v1 → v2" in ran.stdout


def test_what_a_command_did_is_told_to_the_model(command: Command) -> None:
    with OpenAIServer([completion("好。")] * 3) as server:
        ran = command(
            "chat", "video_001", "--yes", input="/lock --lines 1\n/show 2\n现在怎么样？\n", model="m",
            OPENAI_API_KEY="k", OPENAI_BASE_URL=server.base_url,
        )  # fmt: skip

    assert ran.exit_code == 0, ran.stderr
    sent = json.dumps(server.requests[-1].body, ensure_ascii=False)
    assert "/lock --lines 1" in sent and "Locked in video_001: k-" in sent
    assert "The person looked at line 2 of video_001@v1." in sent
    assert "大家好" not in sent


def test_the_next_turn_is_sent_what_came_before(command: Command) -> None:
    with OpenAIServer([completion("好。")] * 3) as server:
        ran = command(
            "chat", "video_001", "--yes", input="你好\n那么呢？\n", model="m",
            OPENAI_API_KEY="k", OPENAI_BASE_URL=server.base_url,
        )  # fmt: skip

    assert ran.exit_code == 0, ran.stderr
    said = [message["content"] for message in server.requests[-1].body["messages"]]
    assert ["你好", "好。", "那么呢？"] == said[-3:]


# --- on a terminal ---------------------------------------------------------------------------


@dataclass
class Terminal:
    """A running chat and the terminal it runs on."""

    process: subprocess.Popen[bytes]
    handle: int
    seen: str = ""
    read: int = 0
    decoder: codecs.IncrementalDecoder = field(
        default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace")
    )

    def wait_for(self, text: str) -> str:
        """Read until the terminal shows `text` behind what was waited for before; return what came up to it."""
        deadline = time.monotonic() + 60
        while (found := self.seen.find(text, self.read)) < 0:
            assert time.monotonic() < deadline, self.seen[self.read :]
            if select.select([self.handle], [], [], 0.2)[0]:
                try:
                    self.seen += self.decoder.decode(os.read(self.handle, 65536))
                except OSError:  # the other end is closed
                    assert text in self.seen[self.read :], self.seen
        shown, self.read = self.seen[self.read : found], found + len(text)
        return shown

    def type(self, text: str) -> None:
        os.write(self.handle, text.encode())

    def interrupt(self, until: str) -> None:
        """Press Ctrl-C until the terminal shows `until`: one between the prompt and the read is missed by Python."""
        for _ in range(20):
            os.write(self.handle, b"\x03")
            for _ in range(15):
                if self.seen.find(until, self.read) >= 0:
                    self.wait_for(until)
                    return
                self._read_some()
        raise AssertionError(self.seen[self.read :])

    def _read_some(self) -> None:
        if select.select([self.handle], [], [], 0.2)[0]:
            with suppress(OSError):  # the other end is closed
                self.seen += self.decoder.decode(os.read(self.handle, 65536))

    def ended(self) -> int:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([self.handle], [], [], 0.1)[0]:
                try:
                    piece = os.read(self.handle, 65536)
                except OSError:
                    break
                if not piece:
                    break
                self.seen += self.decoder.decode(piece)
            elif self.process.poll() is not None:
                break
        return self.process.wait(timeout=60)


PROGRAM = Path(sys.executable).with_name("script-editor")
Start = Callable[..., Terminal]


def _own_terminal() -> None:
    """Make the terminal the one of the new process, so that Ctrl-C reaches it."""
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def start(command: Command) -> Iterator[Start]:
    running: list[Terminal] = []

    def run(*arguments: str, **env: str) -> Terminal:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [str(PROGRAM), "--db", str(command.database), "--model", env.pop("MODEL", "offline"), "chat", *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True, preexec_fn=_own_terminal,
            env={**os.environ, "TERM": "xterm", "SCRIPT_EDITOR_STATE": str(Path(command.database).parent / "state"),
                 "SCRIPT_EDITOR_AUTHOR": "tester", **env},
        )  # fmt: skip
        os.close(theirs)
        running.append(Terminal(process, ours))
        return running[-1]

    yield run
    for terminal in running:
        if terminal.process.poll() is None:
            terminal.process.kill()
        terminal.process.wait()
        os.close(terminal.handle)


@pytest.mark.parametrize("wish", [FAST, 'replace "黄金时代" with "快车道"'], ids=["zh", "en"])
def test_a_person_edits_looks_takes_back_and_leaves(start: Start, command: Command, wish: str) -> None:
    terminal = start("video_001")
    terminal.wait_for("Ctrl-D to leave.")
    terminal.wait_for("> ")
    terminal.type(f"{wish}\n")
    terminal.wait_for("保存为 v2？" if wish == FAST else "Save as v2?")
    terminal.type("y\n")
    terminal.wait_for("v1 → v2")
    terminal.wait_for("撤销：/undo\r\n" if wish == FAST else "Undo: /undo\r\n")
    terminal.wait_for("> ")
    terminal.type("/undo\n")
    terminal.wait_for("Now v3 = text of v1")
    terminal.wait_for("> ")

    terminal.type("\x04")

    terminal.wait_for("Go on with it: script-editor chat --session s-")
    assert terminal.ended() == 0, terminal.seen
    assert command("show", "video_001").stdout == SEED


def test_of_several_changes_some_are_taken_and_a_no_is_no_end(start: Start, command: Command) -> None:
    terminal = start("video_001")
    terminal.wait_for("> ")
    terminal.type(f"{THREE}\n")
    terminal.wait_for("保存为 v2？")
    terminal.type("n\n")
    terminal.wait_for("没有保存。")
    terminal.wait_for("提案已保留：/review p-")
    terminal.wait_for("> ")
    terminal.type("/apply\n")
    terminal.wait_for("已保存 video_001 v2")
    terminal.wait_for("> ")

    terminal.type("/quit\n")

    assert terminal.ended() == 0, terminal.seen
    assert command("history", "video_001", "--json").data["versions"][0]["version"] == "v2"


def test_ctrl_c_throws_a_line_away_and_twice_at_an_empty_one_leaves(start: Start, command: Command) -> None:
    terminal = start("video_001")
    terminal.wait_for("> ")
    terminal.type("把“频道”改成")
    terminal.wait_for("改成")
    terminal.interrupt(until="> ")
    terminal.type("/show\n")
    terminal.wait_for("黄金时代")
    terminal.wait_for("> ")
    terminal.interrupt(until="Ctrl-C once more")
    terminal.wait_for("> ")

    terminal.interrupt(until="Go on with it")

    assert terminal.ended() == 130, terminal.seen
    assert command("show", "video_001").stdout == SEED


def test_ctrl_c_during_a_turn_stops_it_and_the_chat_goes_on(start: Start, command: Command) -> None:
    with OpenAIServer([hang()]) as server:
        terminal = start("video_001", MODEL="m", OPENAI_API_KEY="k", OPENAI_BASE_URL=server.base_url)
        terminal.wait_for("> ")
        terminal.type("改得轻松一些\n")
        while not server.requests:
            time.sleep(0.05)
        terminal.interrupt(until="对话继续")
        terminal.wait_for("> ")
        terminal.type("/model offline\n")
        terminal.wait_for("Model: offline")
        terminal.wait_for("> ")
        terminal.type(f"{FAST}\n")
        terminal.wait_for("保存为 v2？")
        terminal.type("y\n")
        terminal.wait_for("v1 → v2")
        terminal.wait_for("> ")
        terminal.type("\x04")

        assert terminal.ended() == 0, terminal.seen
    assert "Traceback" not in terminal.seen
    assert command("show", "video_001").stdout == CHANGED


def test_ctrl_c_in_a_pipe_stops_all_of_it(command: Command) -> None:
    with OpenAIServer([hang()]) as server:
        process = subprocess.Popen(
            [str(PROGRAM), "--db", str(command.database), "--model", "m", "chat", "video_001", "--yes"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "OPENAI_API_KEY": "k", "OPENAI_BASE_URL": server.base_url,
                 "SCRIPT_EDITOR_STATE": str(Path(command.database).parent / "state")},
        )  # fmt: skip
        assert process.stdin is not None
        process.stdin.write(f"改得轻松一些\n{FAST}\n".encode())
        process.stdin.flush()
        while not server.requests:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)

    assert process.returncode == 130
    assert command("show", "video_001").stdout == SEED


def test_a_pasted_text_of_several_lines_is_one_turn(start: Start, command: Command) -> None:
    terminal = start("video_001", "--yes")
    terminal.wait_for("> ")
    terminal.type(f"\x1b[200~在末尾加一行：再见\n{FAST}\x1b[201~\n")
    terminal.wait_for("v1 → v2")
    terminal.wait_for("> ")
    terminal.type("\x04")

    assert terminal.ended() == 0, terminal.seen
    assert command("show", "video_001").stdout == f"{CHANGED}再见\n"


def test_an_earlier_line_is_brought_back_and_chinese_can_be_edited(start: Start, command: Command) -> None:
    terminal = start("video_001")
    terminal.wait_for("> ")
    terminal.type("/show 一\n")
    terminal.wait_for("> ")
    terminal.type("\x1b[A\x7f2\n")  # the line of before, its last character replaced

    terminal.wait_for("  2  今天我们要聊一聊人工智能的发展历程。")
    terminal.wait_for("> ")
    terminal.type("\x04")
    assert terminal.ended() == 0, terminal.seen


def test_an_answer_to_a_question_is_not_among_the_lines_that_are_brought_back(
    start: Start, command: Command
) -> None:
    terminal = start("video_001")
    terminal.wait_for("> ")
    terminal.type(f"{FAST}\n")
    terminal.wait_for("保存为 v2？")
    terminal.type("y\n")
    terminal.wait_for("v1 → v2")
    terminal.wait_for("> ")
    terminal.type("/show 2\n")
    terminal.wait_for("发展历程。")
    terminal.wait_for("> ")
    terminal.type("\x1b[A\x1b[A")
    terminal.wait_for(FAST)
    terminal.type("\x15\x04")

    assert terminal.ended() == 0, terminal.seen


def test_without_an_editor_it_is_said_what_to_set(start: Start) -> None:
    terminal = start("video_001", VISUAL="", EDITOR="")
    terminal.wait_for("> ")
    terminal.type("/edit 写一句\n")
    terminal.wait_for("Set EDITOR before you begin")
    terminal.wait_for("> ")
    terminal.type("\x04")

    assert terminal.ended() == 0, terminal.seen


def test_words_behind_edit_are_the_draft(start: Start, command: Command, tmp_path: Path) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "，然后删掉第2行\\n" >> "$1"\n', encoding="utf-8")
    editor.chmod(0o755)
    terminal = start("video_001", "--yes", VISUAL=str(editor), EDITOR=str(editor))
    terminal.wait_for("> ")
    terminal.type('/edit 把 "黄金时代" 改成 "快车道"\n')
    terminal.wait_for('  把 "黄金时代" 改成 "快车道"')
    terminal.wait_for("v1 → v2")
    terminal.wait_for("> ")
    terminal.type("\x04")

    assert terminal.ended() == 0, terminal.seen


def test_several_lines_are_written_with_a_backslash_or_in_an_editor(
    start: Start, command: Command, tmp_path: Path
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text(f'#!/bin/sh\nprintf "%s\\n" "{FAST}" > "$1"\n', encoding="utf-8")
    editor.chmod(0o755)
    terminal = start("video_001", "--yes", VISUAL=str(editor), EDITOR=str(editor))
    terminal.wait_for("> ")
    terminal.type("在末尾加一行：\\\n")
    terminal.wait_for("… ")
    terminal.type("再见\n")
    terminal.wait_for("v1 → v2")
    terminal.wait_for("> ")
    terminal.type("/edit\n")
    terminal.wait_for("v2 → v3")
    terminal.wait_for("> ")
    terminal.type("\x04")

    assert terminal.ended() == 0, terminal.seen
    assert "快车道" in command("show", "video_001").stdout
