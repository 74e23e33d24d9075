"""What fits on a terminal: the numbers under the bar, commands that can be copied, and a clean line at the end."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import click
import pytest
from rich.cells import cell_len

from script_editor.cli.batch import words
from script_editor.cli.batch.drawing import fitted
from script_editor.errors import Language
from tests.support.command import Command

HANG_SECONDS = 60.0
STATES = {
    "en": ["1,234 done", "12 unchanged", "3 failed", "16 running", "98,000 waiting"],
    "zh": ["完成 1,234", "无需改动 12", "失败 3", "进行中 16", "待处理 98,000"],
}  # fmt: skip
USED = {
    "en": ["cost 12.3456/20.00", "1,234,567 + 345,678 tokens"],
    "zh": ["费用 12.3456/20.00", "1,234,567 + 345,678 tokens"],
}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("columns", [60, 80])
def test_what_is_waited_for_the_time_left_and_the_pace_are_seen_on_a_narrow_terminal(
    language: Language, columns: int
) -> None:
    about = words.pace(240, 11049, "tokens", language)

    lines = fitted(STATES[language], [*about, *USED[language]], columns)

    assert len(lines) == 2
    assert all(part in lines[0] for part in STATES[language])
    assert about[0] in lines[1] and "3:04:09" in lines[1]
    assert cell_len(lines[1]) <= columns
    assert "tokens" not in lines[1].replace(about[0], "")
    assert (about[-1] in lines[1]) or columns < 80


def test_what_fits_is_told_on_one_line() -> None:
    assert fitted(["7 done"], ["0:41 left", "cost 0.0430"], 80) == ["  7 done · 0:41 left · cost 0.0430"]


# --- a program on a terminal -----------------------------------------------------------------


def shown(program: str, columns: int, *presses: float) -> str:
    """Return what a program shows on a terminal; each press of Ctrl-C comes so many seconds after it is ready."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
        start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    try:
        if presses:
            while b"ready" not in seen:
                seen += os.read(ours, 65536)
        for seconds in presses:
            time.sleep(seconds)
            process.send_signal(signal.SIGINT)
        with suppress(OSError):  # the other end is closed
            while piece := os.read(ours, 65536):
                seen += piece
        process.wait(HANG_SECONDS)
    finally:
        process.kill()
        os.close(ours)
    return seen.decode()


@pytest.mark.parametrize("columns", [40, 60, 80])
def test_no_command_is_broken_at_a_narrow_width(columns: int) -> None:
    steps = [
        "Save those with warnings, too: script-editor batch apply b-x7k2m9qp",
        "查看原因：script-editor batch failures b-x7k2m9qp",
    ]
    program = f"from script_editor.cli.session import Session; Session().say({'     '.join(steps)!r})"

    lines = shown(program, columns).replace("\r\n", "\n").splitlines()

    assert "script-editor batch apply b-x7k2m9qp" in [line.split(": ")[-1].strip() for line in lines]
    assert all(cell_len(line) <= max(columns, 42) for line in lines)
    assert (len(lines) == 2) == (columns == 80)


RUN = """
import sys
from script_editor.cli.main import main
sys.argv = ["script-editor", *{arguments!r}]
main()
"""


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize(
    ("do", "many"),
    [
        ("把“频道”改成“直播间”，然后删掉第7行", False),
        ("replace “频道” with “channel”, then delete line 7", True),
    ],
    ids=["zh", "en"],
)
def test_a_batch_is_told_without_a_broken_word_or_command(
    tmp_path: Path, do: str, many: bool, columns: int
) -> None:
    command = Command(tmp_path / "store.db")
    names = [f"很长的编号_episode_{number:02d}" for number in range(1, 9 if many else 2)]
    for name in names:
        command("new", name, input="欢迎来到频道。\n再见。\n")
    batch = command("batch", "plan", *names, "--do", do, "-q").stdout.strip()
    ran = command("batch", "run", batch)

    for verb in (["failures"], ["status"], ["retry"], ["list"]):
        where = ["--db", str(command.database), "--model", "offline"]
        about = [] if verb == ["list"] else [batch]
        seen = shown(RUN.format(arguments=[*where, "batch", *verb, *about]), columns)
        lines = re.split(r"\r?\n|\r", click.unstyle(seen))

        assert all(cell_len(line) <= columns for line in lines), lines
        # A command that was broken would end before the batch it is for.
        assert all(batch in line for line in lines if "script-editor batch" in line)
    assert ran.exit_code == 10


PRESSED = """
import time
from script_editor.cli.batch.stopping import presses
with presses("Go on: resume", drawn_rows=lambda: 2) as told:
    print("bar\\n  ready", end="", flush=True)
    until = time.monotonic() + {seconds}
    while time.monotonic() < until:
        time.sleep(0.02)
    print("pressed", told.count)
"""


def test_two_presses_at_once_are_one() -> None:
    assert "pressed 1" in shown(PRESSED.format(seconds=1.5), 80, 0.0, 0.02)


def test_a_second_press_leaves_no_bar_and_the_cursor_on_a_clean_line() -> None:
    seen = shown(PRESSED.format(seconds=HANG_SECONDS), 80, 0.0, 0.5)

    after = seen.split("ready")[1]
    assert "pressed" not in seen
    assert after.index("\x1b[2K") < after.index("\x1b[1A") < after.index("Go on: resume")
    assert after.count("\x1b[2K") == 2
    assert after.replace("\x1b[?25h", "").endswith("Go on: resume\r\n")
