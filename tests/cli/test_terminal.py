"""On a terminal: the program shows the change and asks. Driven through a pseudo-terminal, as a person would."""

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.command import Command
from tests.support.desk import SEED

FAST = "把“黄金时代”改成“快车道”"


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
    terminal.wait_for("Save as v2?")

    terminal.type(answer)

    assert terminal.ended() == 0, terminal.seen
    assert "快车道" in terminal.seen.partition("Save as v2?")[0]
    assert command("show", "video_001").stdout == SEED.replace("黄金时代", "快车道")


def test_no_keeps_the_proposal(start, command: Command) -> None:
    terminal = start("edit", "video_001", FAST)
    terminal.wait_for("Save as v2?")

    terminal.type("n\n")

    assert terminal.ended() == 11, terminal.seen
    (proposal,) = command("proposals", "--json").data["proposals"]
    assert proposal["proposal"] in terminal.seen
    assert command("show", "video_001").stdout == SEED


def press_ctrl_c(process: subprocess.Popen[bytes]) -> None:
    """Press Ctrl-C, and again while nothing happens: between the prompt and the read, Python misses one."""
    for _ in range(30):
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            continue
        return


def test_ctrl_c_at_the_question_saves_nothing(start, command: Command) -> None:
    terminal = start("edit", "video_001", FAST)
    terminal.wait_for("Save as v2?")

    press_ctrl_c(terminal.process)

    assert terminal.ended() == 130, terminal.seen
    assert "Traceback" not in terminal.seen
    assert command("show", "video_001").stdout == SEED


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


def test_a_text_is_not_waited_for_on_a_terminal(start) -> None:
    terminal = start("new", "another")

    assert terminal.ended() == 2
    assert "stdin" in terminal.seen
