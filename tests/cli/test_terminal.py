"""On a terminal: the program shows the change and asks. Driven through a pseudo-terminal, as a person would."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.cells import cell_len

from script_editor.llm.chat import ToolCall
from tests.support.command import Command
from tests.support.desk import SEED
from tests.support.openai_server import (
    Behaviour,
    OpenAIServer,
    completion,
    deltas,
    hang,
    stream,
)

FAST = "把“黄金时代”改成“快车道”"
THREE = "删掉第2行和第4行，把“频道”改成“直播间”"
LINES = SEED.splitlines(keepends=True)


@dataclass
class Terminal:
    """A running command and the terminal it runs on."""

    process: subprocess.Popen[bytes]
    handle: int
    seen: str = ""

    def wait_for(self, text: str) -> None:
        """Read until the terminal shows `text`."""
        deadline = time.monotonic() + 30
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen
            if select.select([self.handle], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.handle, 65536).decode("utf-8", "replace")
                except OSError:  # the other end is closed
                    assert text in self.seen, self.seen

    def type(self, text: str) -> None:
        os.write(self.handle, text.encode())

    def ended(self) -> int:
        code = self.process.wait(timeout=30)
        while select.select([self.handle], [], [], 0.1)[0]:
            try:
                piece = os.read(self.handle, 65536)
            except OSError:
                break
            if not piece:
                break
            self.seen += piece.decode("utf-8", "replace")
        return code


@pytest.fixture
def command(tmp_path: Path) -> Command:
    made = Command(tmp_path / "store.db")
    assert made("new", "video_001", input=SEED).exit_code == 0
    return made


@pytest.fixture
def start(command: Command) -> Iterator[object]:
    running: list[Terminal] = []

    def run(*arguments: str, **env: str) -> Terminal:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "script_editor", "--db", str(command.database), "--model", "offline", *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path.cwd()), **env},
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


@pytest.mark.parametrize("answer", ["y\n", "\n"])
def test_yes_saves_what_was_shown(start, command: Command, answer: str) -> None:
    terminal = start("edit", "video_001", FAST)
    terminal.wait_for("保存为 v2？")

    terminal.type(answer)

    assert terminal.ended() == 0, terminal.seen
    assert "快车道" in terminal.seen.partition("保存为 v2？")[0]
    assert command("show", "video_001").stdout == SEED.replace("黄金时代", "快车道")


def test_no_keeps_the_proposal(start, command: Command) -> None:
    terminal = start("edit", "video_001", FAST)
    terminal.wait_for("保存为 v2？")

    terminal.type("n\n")

    assert terminal.ended() == 11, terminal.seen
    (proposal,) = command("proposals", "--json").data["proposals"]
    assert proposal["proposal"] in terminal.seen
    assert command("show", "video_001").stdout == SEED


def press_ctrl_c(process: subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C, and again while nothing happens: between the prompt and the read, Python misses one."""
    for _ in range(6):
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(timeout=5)  # one that comes while the interpreter goes down would kill it
        except subprocess.TimeoutExpired:
            continue
        return


def test_ctrl_c_at_the_question_saves_nothing(start, command: Command) -> None:
    terminal = start("edit", "video_001", FAST)
    terminal.wait_for("保存为 v2？")

    press_ctrl_c(terminal.process)

    assert terminal.ended() == 130, terminal.seen
    assert "Traceback" not in terminal.seen
    assert command("show", "video_001").stdout == SEED


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (FAST, "没有保存。\r\n  提案已保留："),
        ('replace "黄金时代" with "快车道"', "Not saved.\r\n  The proposal is kept: "),
    ],
    ids=["zh", "en"],
)
def test_leaving_the_question_is_told_once(start, asked: str, told: str) -> None:
    terminal = start("edit", "video_001", asked, "--no-color")
    terminal.wait_for("[r]")

    press_ctrl_c(terminal.process)

    assert terminal.ended() == 130, terminal.seen
    after = terminal.seen.rpartition("[r]")[2].rpartition("\x1b[2K")
    assert re.fullmatch(rf"{told}script-editor review p-\w{{8}}\r\n", after[2]), after
    assert "Not saved" not in after[0] and "没有保存" not in after[0]


def test_an_enter_after_an_answer_that_was_not_understood_saves_nothing(start, command: Command) -> None:
    terminal = start("edit", "video_001", FAST)
    answer(
        terminal,
        ("[r] 重来：", "看看\n"),
        ("\n  y 保存，n 不保存；", ""),
        ("重来：", "\n"),
        ("重来：", "n\n"),
    )

    assert terminal.ended() == 11, terminal.seen
    assert text(command) == SEED


def test_keys_that_were_pressed_before_the_question_are_no_answer(start, command: Command) -> None:
    seen = threading.Event()
    first = [
        call("modify_script", script_id="video_001", instruction="第5行短一点"),
        replacing("S5", SHORTER),
    ]

    def reply(_request: object) -> Behaviour:
        assert seen.wait(30)
        return first.pop(0)

    with OpenAIServer(reply) as server:
        terminal = start("edit", "video_001", "第5行短一点", "--model", "m", **on(server))
        terminal.wait_for("思考中")
        terminal.type("\ny\n")
        seen.set()
        answer(terminal, ("重来：", "n\n"))
        assert terminal.ended() == 11, terminal.seen

    assert text(command) == SEED


@pytest.mark.parametrize(("options", "env"), [(["--no-color"], {}), ([], {"NO_COLOR": "1"})], ids=str)
def test_the_progress_line_goes_away_without_colours_too(
    start, options: list[str], env: dict[str, str]
) -> None:
    terminal = start("edit", "video_001", FAST, "--yes", *options, **env)

    assert terminal.ended() == 0
    assert "\r\x1b[2Kvideo_001 · 基于 v1" in terminal.seen


def test_a_terminal_that_cannot_draw_over_a_line_is_told_each_step(start) -> None:
    terminal = start("edit", "video_001", FAST, "--yes", TERM="dumb")

    assert terminal.ended() == 0
    assert "\x1b" not in terminal.seen and "思考中" not in terminal.seen
    assert "modify_script 完成（" in terminal.seen


def test_proposals_out_of_date_are_dropped_after_one_question(start, command: Command) -> None:
    for asked in (THREE, "把“频道”改成“直播间”"):
        proposed(command, asked)
    command("edit", "video_001", FAST, "--yes")
    terminal = start("discard", "--stale")

    answer(terminal, ("放弃这 2 份提案？ [y/N]：", "y\n"))

    assert terminal.ended() == 0, terminal.seen
    assert command("proposals", "--json").data["proposals"] == []


def test_no_input_never_asks(start, command: Command) -> None:
    terminal = start("edit", "video_001", FAST, "--no-input")

    assert terminal.ended() == 2, terminal.seen
    assert "--yes" in terminal.seen


def test_colours_are_only_an_addition(start) -> None:
    coloured = start("edit", "video_001", FAST, "--preview")
    plain = start("edit", "video_001", FAST, "--preview", "--no-color")
    obedient = start("edit", "video_001", FAST, "--preview", NO_COLOR="1")
    dumb = start("edit", "video_001", FAST, "--preview", TERM="dumb")

    assert coloured.ended() == plain.ended() == obedient.ended() == dumb.ended() == 0
    assert "\x1b[31" in coloured.seen
    for terminal in (plain, obedient, dumb):
        assert "\x1b[3" not in terminal.seen
        assert "[-黄金时代-]{+快车道+}" in terminal.seen


def test_lines_fit_a_narrow_terminal(start, command: Command) -> None:
    command("edit", "video_001", FAST, "--yes")
    compared = start("diff", "video_001", "--no-color", COLUMNS="66")
    proposed = start("preview", "video_001", "删掉第2行", "--no-color", COLUMNS="66")

    assert compared.ended() == proposed.ended() == 0
    for terminal in (compared, proposed):
        assert max(map(cell_len, terminal.seen.splitlines())) <= 66, terminal.seen
    assert "script-editor discard p-" in proposed.seen.splitlines()[-1]


def test_a_text_is_not_waited_for_on_a_terminal(start) -> None:
    terminal = start("new", "another")

    assert terminal.ended() == 2
    assert "stdin" in terminal.seen


# --- change by change ------------------------------------------------------------------------


def answer(terminal: Terminal, *turns: tuple[str, str]) -> None:
    """Wait for each text in turn, counting from where the last one ended, and type the answer."""
    for text, typed in turns:
        terminal.wait_for(text)
        terminal.seen = terminal.seen.partition(text)[2]
        terminal.type(typed)


def proposed(command: Command, asked: str = THREE) -> str:
    return str(command("preview", "video_001", asked, "--json").data["proposal"])


def text(command: Command) -> str:
    return command("show", "video_001").stdout


def editor(folder: Path, script: str) -> str:
    """Return an editor that runs a shell script on the file it is given."""
    path = folder / "editor.sh"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


SAID = LINES[0].replace("频道", "直播间")


@pytest.mark.parametrize(
    ("keys", "count", "result"),
    [
        pytest.param("yny", "3 处改动中的 2 处", [SAID, LINES[1], LINES[2], LINES[4]], id="yes and no"),
        pytest.param("na", "3 处改动中的 2 处", [LINES[0], LINES[2], LINES[4]], id="all that follow"),
        pytest.param("yd", "3 处改动中的 1 处", [SAID, *LINES[1:]], id="none that follow"),
        pytest.param("a", "3 处改动", [SAID, LINES[2], LINES[4]], id="all"),
    ],
)
def test_review_saves_the_changes_that_are_taken(
    start, command: Command, keys: str, count: str, result: list[str]
) -> None:
    id = proposed(command)
    terminal = start("review", id)

    for number, key in enumerate(keys, 1):
        answer(terminal, (f"第 {number} 处改动，共 3 处", ""), ("/?]", f"{key}\n"))
    answer(terminal, ("保存为 v2？", "\n"))

    assert terminal.ended() == 0, terminal.seen
    assert f"已保存 video_001 v2（提案 {id}，{count}）" in terminal.seen
    assert text(command) == "".join(result)


def test_review_shows_what_a_change_does_to_the_time(start, command: Command) -> None:
    proposed(command)
    terminal = start("review")

    answer(
        terminal,
        ("17 秒 → 10 秒", ""),
        ("/?]", "n\n"),
        ("第 2 处改动，共 3 处   第 2 行   -", ""),
        (" 秒", ""),
        ("/?]", "q\n"),
    )

    assert terminal.ended() == 11


@pytest.mark.parametrize("keys", ["yq", "nnn"])
def test_a_review_that_takes_nothing_keeps_the_proposal(start, command: Command, keys: str) -> None:
    id = proposed(command)
    terminal = start("review", id)

    for key in keys:
        answer(terminal, ("/?]", f"{key}\n"))

    assert terminal.ended() == 11, terminal.seen
    assert f"script-editor review {id}" in terminal.seen
    assert text(command) == SEED
    assert [row["proposal"] for row in command("proposals", "--json").data["proposals"]] == [id]


def test_a_question_mark_explains_the_keys(start, command: Command) -> None:
    proposed(command)
    terminal = start("review")

    answer(terminal, ("/?]", "?\n"), ("y  采用这处改动", ""), ("q  到此为止", ""), ("/?]", "x\n"),
           ("?  显示这些说明；每次按键后按回车", ""), ("/?]", "q\n"))  # fmt: skip

    assert terminal.ended() == 11


def test_a_change_can_be_edited_before_it_is_taken(start, command: Command, tmp_path: Path) -> None:
    id = proposed(command)
    terminal = start("review", id, EDITOR=editor(tmp_path, 'sed -i.bak s/直播间/演播室/ "$1"'))

    answer(terminal, ("[y/n/e/a/d/q/?]", "e\n"), ("+ 大家好，欢迎来到我的演播室。", ""),
           ("[y/n/a/d/q/?]", "d\n"), ("把 3 处改动中的 1 处保存为 v2？", "y\n"))  # fmt: skip

    assert terminal.ended() == 0, terminal.seen
    assert text(command) == SEED.replace("频道", "演播室")
    assert command("proposals", "--json").data["proposals"] == []


@pytest.mark.parametrize("script", ["exit 0", "exit 1"], ids=["unsaved", "failed"])
def test_an_editor_that_gives_nothing_loses_no_answer(
    start, command: Command, tmp_path: Path, script: str
) -> None:
    proposed(command)
    terminal = start("review", EDITOR=editor(tmp_path, script))

    answer(terminal, ("/?]", "e\n"), ("\n  ", ""), ("[y/n/e/a/d/q/?]", "y\n"), ("/?]", "d\n"),
           ("把 3 处改动中的 1 处保存为 v2？", "y\n"))  # fmt: skip

    assert terminal.ended() == 0, terminal.seen
    assert text(command) == SEED.replace("频道", "直播间")


STUDIO = 'sed -i.bak s/直播间/演播室/ "$1"'


def the_one_open(command: Command) -> str:
    (row,) = command("proposals", "--json").data["proposals"]
    return str(row["proposal"])


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        pytest.param(["q\n"], 11, id="q"),
        pytest.param(["d\n", "n\n"], 11, id="no at the save"),
        pytest.param(["\x04"], 130, id="ctrl-d"),
        pytest.param(["d\n", "\x04"], 130, id="ctrl-d at the save"),
        pytest.param([None], 130, id="ctrl-c"),
    ],
)
def test_what_was_written_in_a_review_is_kept_however_it_ends(
    start, command: Command, tmp_path: Path, keys: list[str | None], code: int
) -> None:
    old = proposed(command)
    terminal = start("review", old, EDITOR=editor(tmp_path, STUDIO))
    answer(terminal, ("/?]", "e\n"), ("+ 大家好，欢迎来到我的演播室。", ""))

    for prompt, key in zip(("/?]", "保存为 v2？"), keys, strict=False):
        terminal.wait_for(prompt)
        terminal.type(key) if key else press_ctrl_c(terminal.process)

    assert terminal.ended() == code, terminal.seen
    kept = the_one_open(command)
    assert kept != old and f"提案已连同您写的保留：script-editor review {kept}" in terminal.seen
    assert text(command) == SEED
    assert command("apply", kept).exit_code == 0
    assert text(command) == "".join([LINES[0].replace("频道", "演播室"), LINES[2], LINES[4]])


def test_what_was_written_in_a_review_is_kept_when_the_save_is_refused(
    start, command: Command, tmp_path: Path
) -> None:
    old = proposed(command)
    command("lock", "video_001", "--phrase", "频道")
    terminal = start("review", old, EDITOR=editor(tmp_path, STUDIO))

    answer(
        terminal, ("/?]", "e\n"), ("演播室", ""), ("/?]", "d\n"), ("把 3 处改动中的 1 处保存为 v2？", "y\n")
    )

    assert terminal.ended() == 4, terminal.seen
    kept = the_one_open(command)
    assert f"script-editor review {kept}" in terminal.seen and "script-editor unlock" in terminal.seen
    command("unlock", "video_001", "--all", "--yes")
    assert command("apply", kept).exit_code == 0
    assert text(command) == SEED.replace("频道", "演播室")


def test_what_cannot_be_kept_of_the_words_is_on_the_screen_again(
    start, command: Command, tmp_path: Path
) -> None:
    proposed(command)
    terminal = start("review", EDITOR=editor(tmp_path, "printf 'A\\000B\\n' > \"$1\""))

    answer(terminal, ("/?]", "e\n"), ("+ A␀B", ""), ("/?]", "q\n"), ("您写的是：", ""), ("A␀B", ""))

    assert terminal.ended() == 2, terminal.seen


@pytest.mark.parametrize(
    ("script", "told"),
    [
        pytest.param("printf '一。\\n二。\\n' > \"$1\"", ["  + 一。\r\n", "  + 二。\r\n"], id="two lines"),
        pytest.param(': > "$1"', ["保持原样：空的文字", "请按 n", "删掉第 3 行"], id="emptied"),
        pytest.param("exit 3", ["编辑器出错退出，里面写的没有采用。"], id="failed"),
        pytest.param("exit 0", ["编辑器没有保存就关闭了。"], id="unsaved"),
    ],
)
def test_what_came_of_the_editor_is_said(
    start, command: Command, tmp_path: Path, script: str, told: list[str]
) -> None:
    proposed(command)
    terminal = start("review", "--no-color", EDITOR=editor(tmp_path, script))

    answer(terminal, ("/?]", "e\n"), *((each, "") for each in told), ("/?]", "q\n"))

    assert terminal.ended() == 11, terminal.seen


def test_an_editor_that_is_not_there_is_said(start, command: Command) -> None:
    proposed(command)
    terminal = start("review", EDITOR="no-such-editor")

    answer(terminal, ("/?]", "e\n"), ("no-such-editor", ""), (". 请把 EDITOR 设为已安装的编辑器。", ""),
           ("/?]", "q\n"))  # fmt: skip

    assert terminal.ended() == 11, terminal.seen


@pytest.mark.parametrize("typed", [["y"], ["y", "n", "y"]], ids=["at a change", "at the save"])
def test_ctrl_c_in_a_review_loses_nothing(start, command: Command, typed: list[str]) -> None:
    id = proposed(command)
    terminal = start("review", id)
    for key in typed:
        answer(terminal, ("/?]", f"{key}\n"))
    terminal.wait_for("保存为 v2？" if len(typed) == 3 else "/?]")

    press_ctrl_c(terminal.process)

    assert terminal.ended() == 130, terminal.seen
    assert f"script-editor review {id}" in terminal.seen
    assert "Traceback" not in terminal.seen
    assert text(command) == SEED
    assert [row["proposal"] for row in command("proposals", "--json").data["proposals"]] == [id]


def test_a_stale_proposal_is_not_gone_through_for_nothing(start, command: Command) -> None:
    id = proposed(command)
    command("edit", "video_001", FAST, "--yes")

    terminal = start("review", id)

    assert terminal.ended() == 0, terminal.seen
    assert f"script-editor apply {id} --rebase" in terminal.seen


def test_what_was_carried_over_is_asked_about(start, command: Command) -> None:
    id = proposed(command)
    command("edit", "video_001", FAST, "--yes")
    terminal = start("apply", id, "--rebase")

    answer(terminal, ("{+直播间+}", ""), ("保存为 v3？", "y\n"))

    assert terminal.ended() == 0, terminal.seen
    assert "直播间" in text(command) and "快车道" in text(command)


def test_what_could_not_be_carried_over_is_kept(start, command: Command) -> None:
    id = proposed(command)
    command("edit", "video_001", "把“寒冬和复兴”改成“起落”", "--yes")
    terminal = start("apply", id, "--rebase")

    answer(terminal, (id, ""), ("保存为 v3？", "y\n"))

    assert terminal.ended() == 0, terminal.seen
    assert the_one_open(command) == id


# --- one that is not named -------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "code"), [("\n", 0), ("y\n", 0), ("n\n", 11), ("\x04", 130)], ids=repr)
def test_a_proposal_that_is_not_named_is_asked_about_before_it_is_saved(
    start, command: Command, typed: str, code: int
) -> None:
    id = proposed(command)
    terminal = start("apply", "--except", "2")

    answer(terminal, (f"把提案 {id} 保存到 video_001（3 处改动中的 2 处）？ [Y/n]：", typed))

    assert terminal.ended() == code, terminal.seen
    assert (text(command) == SEED) == (code != 0)


@pytest.mark.parametrize("options", [["--yes"], ["--no-input"], ["named"]], ids=str)
def test_what_is_named_or_agreed_to_is_saved_without_a_question(
    start, command: Command, options: list[str]
) -> None:
    id = proposed(command)
    terminal = start("apply", *(id if option == "named" else option for option in options))

    assert terminal.ended() == 0, terminal.seen
    assert "[Y/n]" not in terminal.seen


@pytest.mark.parametrize(
    ("options", "typed", "code"),
    [([], "\n", 11), ([], "不要，还有用\n", 11), ([], "好\n", 0), (["--yes"], "", 0)],
    ids=str,
)
def test_a_proposal_that_is_not_named_is_asked_about_before_it_is_dropped(
    start, command: Command, options: list[str], typed: str, code: int
) -> None:
    id = proposed(command)
    terminal = start("discard", *options)
    if typed:
        answer(terminal, (f"video_001 的 {id}（3 处改动）", ""), ("放弃它？ [y/N]：", typed))

    assert terminal.ended() == code, terminal.seen
    assert len(command("proposals", "--json").data["proposals"]) == (code != 0)


def test_h_chooses_among_the_changes_of_an_edit(start, command: Command) -> None:
    terminal = start("edit", "video_001", THREE)

    answer(terminal, ("{+直播间+}", ""), ("[h] 逐处选择", "h\n"), ("第 1 处改动，共 3 处", ""), ("/?]", "y\n"), ("/?]", "n\n"),
           ("/?]", "n\n"), ("3 处改动中的 1 处保存为 v2？", "\n"))  # fmt: skip

    assert terminal.ended() == 0, terminal.seen
    assert text(command) == SEED.replace("频道", "直播间")


def test_hunks_goes_through_the_changes_at_once(start, command: Command) -> None:
    terminal = start("edit", "video_001", THREE, "--hunks")

    answer(terminal, ("3 处改动", ""), ("第 1 处改动，共 3 处", ""), ("/?]", "n\n"), ("/?]", "a\n"),
           ("3 处改动中的 2 处保存为 v2？", "y\n"))  # fmt: skip

    assert terminal.ended() == 0, terminal.seen
    assert text(command) == "".join([LINES[0], LINES[2], LINES[4]])


def test_an_older_text_comes_back_as_a_whole(start, command: Command) -> None:
    command("edit", "video_001", THREE, "--yes")
    terminal = start("edit", "video_001", "恢复到v1", "--hunks")

    answer(terminal, ("[Y] 保存，[n] 不保存，[r] 重来：", "y\n"))

    assert terminal.ended() == 0, terminal.seen
    assert text(command) == SEED


def test_an_answer_that_is_none_is_asked_for_again(start, command: Command) -> None:
    terminal = start("edit", "video_001", FAST)

    answer(terminal, ("[r] 重来：", "h\n"), ("没有看懂", ""), ("[r] 重来：", "否\n"))

    assert terminal.ended() == 11, terminal.seen
    assert text(command) == SEED


# --- locks -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("\n", 11), ("n\n", 11)])
def test_a_lock_is_released_after_a_question(start, command: Command, typed: str, code: int) -> None:
    command("lock", "video_001", "--phrase", "频道")
    terminal = start("unlock", "video_001", "--all")

    answer(terminal, ("words “频道”", ""), ("Release this of video_001? [y/N]:", typed))

    assert terminal.ended() == code, terminal.seen
    assert bool(command("lock", "video_001", "--json").data["locks"]) == bool(code)


# --- with a model ----------------------------------------------------------------------------


def call(name: str, **arguments: object) -> Behaviour:
    wire = ToolCall(f"call_{name}", name, json.dumps(arguments, ensure_ascii=False))
    return completion(tool_calls=[wire], finish_reason="tool_calls")


def replacing(segment: str, text: str) -> Behaviour:
    operation = {"op": "replace", "id": segment, "text": text}
    return completion(json.dumps({"operations": [operation]}, ensure_ascii=False))


def on(server: OpenAIServer) -> dict[str, str]:
    return {"OPENAI_API_KEY": "sk-x", "OPENAI_BASE_URL": server.base_url, "MODEL_NAME": "m"}


SHORTER = "AI的黄金时代到了。"
SHORTEST = "AI的黄金时代。"


@pytest.mark.parametrize(
    ("asked", "typed"),
    [
        (["重来："], ["n 还是太长"]),
        (["重来：", "要怎么改？ "], ["r", "还是太长"]),
        (["重来：", "[y] 保存，[n] 不保存，[r] 重来："], ["x", "r 还是太长"]),
    ],
    ids=str,
)
def test_a_no_with_a_reason_has_it_tried_again(
    start, command: Command, asked: list[str], typed: list[str]
) -> None:
    replies = [
        call("modify_script", script_id="video_001", instruction="第5行短一点"),
        replacing("S5", SHORTER),
        call("modify_script", script_id="video_001", instruction="第5行更短"),
        replacing("S5", SHORTEST),
        completion("改好了。"),
    ]
    with OpenAIServer(replies) as server:
        terminal = start("edit", "video_001", "第5行短一点", "--model", "m", **on(server))
        terminal.wait_for("保存为 v2？")
        for after, each in zip(asked, typed, strict=True):
            answer(terminal, (after, f"{each}\n"))
        answer(terminal, (SHORTEST[-4:], ""), ("保存为 v2？", "y\n"))
        assert terminal.ended() == 0, terminal.seen

    told = json.dumps(server.requests[2].body["messages"], ensure_ascii=False)
    assert "还是太长" in told
    assert text(command) == SEED.replace(LINES[4].strip(), SHORTEST)
    assert command("proposals", "--json").data["proposals"] == []


def test_an_objection_after_which_nothing_was_saved_keeps_the_proposal(start, command: Command) -> None:
    replies = [
        call("modify_script", script_id="video_001", instruction="第5行短一点"),
        replacing("S5", SHORTER),
        completion("那就不改了。"),
    ]
    with OpenAIServer(replies) as server:
        terminal = start("edit", "video_001", "第5行短一点", "--model", "m", **on(server))
        answer(terminal, ("保存为 v2？", "n 太短了\n"))
        assert terminal.ended() == 11, terminal.seen

    assert f"script-editor review {the_one_open(command)}" in terminal.seen
    assert "没有保存。" in terminal.seen
    assert text(command) == SEED


def test_ask_asks_before_each_save(start, command: Command) -> None:
    command("new", "video_002", "--text", "Welcome back.\n")
    replies = [
        call("modify_script", script_id="video_001", instruction="第5行短一点"),
        replacing("S5", SHORTER),
        call("modify_script", script_id="video_002", instruction="warmer"),
        replacing("S1", "Welcome back, friends."),
        completion("都改好了。"),
    ]
    with OpenAIServer(replies) as server:
        terminal = start("ask", "把 video_001 和 video_002 都改一改", "--model", "m", **on(server))
        answer(
            terminal,
            ("video_001 · 基于 v1", ""),
            ("保存为 v2？", "y\n"),
            ("video_002 · 基于 v1", ""),
            ("保存为 v2？", "y\n"),
        )
        assert terminal.ended() == 0, terminal.seen

    assert terminal.seen.count("friends") == 0, "what was seen with the question is not shown again"
    assert "都改好了。" in terminal.seen and "已修改：" in terminal.seen
    assert command("show", "video_002").stdout == "Welcome back, friends.\n"


def test_the_steps_are_shown_live_with_v(start, command: Command) -> None:
    with OpenAIServer([stream(deltas("先看", "看历史。"), delay_seconds=0.05)]) as server:
        terminal = start("ask", "video_001 改过几次？", "-v", "--no-color", "--model", "m", **on(server))
        answer(
            terminal,
            ("第 1 步", ""),
            ("│ 先看看历史。", ""),
            ("到现在 7 + 3 tokens", ""),
            ("没有任何改动", ""),
        )
        assert terminal.ended() == 0, terminal.seen


CANDIDATES = ("现在我们正处于AI的快车道。", "AI的黄金时代，就是现在。")


@pytest.mark.parametrize(("typed", "picked"), [("9\n2\n", 1), ("1\n", 0)])
def test_one_candidate_is_picked_and_the_others_are_closed(
    start, command: Command, typed: str, picked: int
) -> None:
    with OpenAIServer([replacing("S5", each) for each in CANDIDATES]) as server:
        terminal = start(
            "edit", "video_001", "第5行换个说法", "--candidates", "2", "--model", "m", **on(server)
        )
        answer(
            terminal,
            ("第 1 版", ""),
            ("17 秒 → 16 秒", ""),
            ("保存哪一个？1/2，都不要就按 0：", typed),
        )
        assert terminal.ended() == 0, terminal.seen

    assert f"已保存 video_001 v2（第 {picked + 1} 版）。" in terminal.seen
    assert text(command) == SEED.replace(LINES[4].strip(), CANDIDATES[picked])
    assert command("proposals", "--json").data["proposals"] == []


@pytest.mark.parametrize("typed", ["0\n", "\n", None], ids=["none", "enter", "ctrl-c"])
def test_candidates_of_which_none_is_picked_are_kept(start, command: Command, typed: str | None) -> None:
    with OpenAIServer([replacing("S5", each) for each in CANDIDATES]) as server:
        terminal = start(
            "edit", "video_001", "第5行换个说法", "--candidates", "2", "--model", "m", **on(server)
        )
        terminal.wait_for("都不要就按 0：")
        if typed is None:
            press_ctrl_c(terminal.process)
        else:
            terminal.type(typed)
        assert terminal.ended() == (130 if typed is None else 11), terminal.seen

    assert "script-editor proposals" in terminal.seen
    assert len(command("proposals", "--json").data["proposals"]) == 2
    assert text(command) == SEED


@pytest.mark.parametrize(
    ("arguments", "typed", "code"),
    [(["apply", "--force"], "y\n", 0), (["apply", "--force"], "\n", 11), (["review"], "y\n", 0)],
    ids=str,
)
def test_a_failed_check_is_overruled_after_a_question(
    start, command: Command, arguments: list[str], typed: str, code: int
) -> None:
    bad = replacing("S3", "人工智能从20世纪60年代开始发展，")
    replies = [
        call("preview", script_id="video_001", instruction="口语一点"),
        bad,
        bad,
        bad,
        completion("好"),
    ]
    with OpenAIServer(replies) as server:
        command("preview", "video_001", "第3行口语一点", model=None, **on(server))
    terminal = start(*arguments)
    if arguments == ["review"]:
        answer(terminal, ("/?]", "y\n"), ("把这 1 处改动保存为 v2？", "y\n"))
    else:
        answer(terminal, ("video_001 · 基于 v1 · 1 处改动", ""), ("· 提案 p-", ""), ("{+60+}", ""))

    answer(terminal, ("! ", ""), ("有检查没有通过，仍要保存？ [y/N]：", typed))

    assert terminal.ended() == code, terminal.seen
    assert ("60年代" in text(command)) == (code == 0)
    assert len(command("proposals", "--json").data["proposals"]) == (code != 0)


LONG = "".join(f"这是第{number}句口播，讲一讲今天的内容有多么丰富。\n" for number in range(1, 121))


def test_ctrl_c_in_a_long_edit_keeps_what_was_finished(start, command: Command) -> None:
    command("new", "long", "--text", LONG)
    operation = {"op": "replace", "id": "S2", "text": "这是第2句口播，说说今天的内容有多丰富。"}
    replies = [
        call("modify_script", script_id="long", instruction="口语一点"),
        completion(json.dumps({"operations": [operation]}, ensure_ascii=False)),
        hang(),
    ]
    with OpenAIServer(replies) as server:
        terminal = start("edit", "long", "全文改得口语一点", "--yes", "--model", "m", **on(server))
        terminal.wait_for("第 2 部分")
        press_ctrl_c(terminal.process)
        assert terminal.ended() == 130, terminal.seen

    (left,) = command("proposals", "long", "--json").data["proposals"]
    assert f"script-editor apply {left['proposal']}" in terminal.seen
    assert "Traceback" not in terminal.seen
    assert command("show", "long").stdout == LONG
    assert command("apply", left["proposal"]).exit_code == 0
    assert "说说今天" in command("show", "long").stdout
