"""A batch that runs: what a terminal shows, Ctrl-C, a question before much is spent, and two processes at one batch.

The model is a real HTTP service on the loopback address that answers when the test lets it.
"""

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
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.support.command import Command, Ran
from tests.support.openai_server import Behaviour, Exchange, OpenAIServer, ReceivedRequest, completion

HANG_SECONDS = 90.0
"""Nothing here takes nearly as long: a test that reaches it hangs."""
ITEMS = 5
DO = "开头更轻松"
EDIT = "@@ replace S1\n哈喽大家，欢迎。\n@@ end"
PRICES = {"SCRIPT_EDITOR_PRICE_IN": "2", "SCRIPT_EDITOR_PRICE_OUT": "8"}


@dataclass
class Gate:
    """A service that answers `free` calls at once, and the others when it is opened."""

    free: int = 0
    calls: int = 0
    opened: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, _request: ReceivedRequest) -> Behaviour:
        with self._lock:
            self.calls += 1
            is_free = self.calls <= self.free

        def behave(exchange: Exchange) -> None:
            while not (is_free or self.opened.is_set()):
                if exchange.wait(0.02):
                    return
            completion(EDIT, usage=(1204, 318))(exchange)

        return behave


@dataclass
class Service:
    """The gate, and the variables that lead a process there."""

    gate: Gate
    env: dict[str, str]


@pytest.fixture
def service() -> Iterator[Service]:
    gate = Gate()
    with OpenAIServer(gate) as server:
        yield Service(
            gate,
            {
                "OPENAI_API_KEY": "sk-0123456789abcdef",
                "OPENAI_BASE_URL": server.base_url,
                "MODEL_NAME": "deepseek-chat",
            },
        )
        gate.opened.set()


@dataclass(frozen=True)
class Store:
    """A store with a few scripts and a plan for them."""

    command: Command
    batch: str
    env: dict[str, str]

    def __call__(self, *arguments: str, **env: str) -> Ran:
        return self.command("batch", *arguments, model=None, **{**self.env, **env})

    def counts(self) -> dict[str, int]:
        found: dict[str, int] = self("status", self.batch, "--json").data["items"]
        return {state: number for state, number in found.items() if number}


@pytest.fixture
def store(tmp_path: Path, service: Service) -> Store:
    return planned(tmp_path, service, DO)


def planned(folder: Path, service: Service, do: str, **env: str) -> Store:
    command = Command(folder / "store.db")
    for number in range(1, ITEMS + 1):
        made = command("new", f"ep_{number}", input=f"大家好，欢迎来到第{number}期。\n今天聊聊防晒。\n")
        assert made.exit_code == 0
    ran = command("batch", "plan", "--select", "ep_*", "--do", do, "-q", model=None, **{**service.env, **env})
    assert ran.exit_code == 0, ran.stderr
    return Store(command, ran.stdout.strip(), {**service.env, **env})


# --- processes -------------------------------------------------------------------------------


@dataclass
class Process:
    """A running command, and the terminal it runs on."""

    process: subprocess.Popen[bytes]
    handle: int
    seen: str = ""

    def wait_for(self, text: str) -> None:
        """Read until the terminal shows `text`."""
        deadline = time.monotonic() + HANG_SECONDS
        while text not in self.seen:
            assert time.monotonic() < deadline, self.seen
            self._read(0.1)
            assert text in self.seen or self.process.poll() is None, self.seen

    def _read(self, seconds: float) -> bool:
        if not select.select([self.handle], [], [], seconds)[0]:
            return False
        with suppress(OSError):  # the other end is closed
            piece = os.read(self.handle, 65536)
            self.seen += piece.decode("utf-8", "replace")
            return bool(piece)
        return False

    def press_ctrl_c(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def type(self, text: str) -> None:
        os.write(self.handle, text.encode())

    def ended(self) -> int:
        """Return the exit code, once it is over and all it said was read."""
        deadline = time.monotonic() + HANG_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.seen
            self._read(0.1)
        while self._read(0.1):
            pass
        return self.process.returncode

    @property
    def text(self) -> str:
        """What was shown, without what steers the terminal."""
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.seen)
        return plain.replace("\r\n", "\n").replace("\r", "\n")


Start = Callable[..., Process]


@pytest.fixture
def start(store: Store) -> Iterator[Start]:
    running: list[Process] = []

    def run(*arguments: str, columns: int = 100, **env: str) -> Process:
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "script_editor", "--db", str(store.command.database), "batch", *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True,
            env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "PYTHONPATH": str(Path.cwd()), **store.env, **env},
        )  # fmt: skip
        os.close(theirs)
        running.append(Process(process, ours))
        return running[-1]

    yield run
    for each in running:
        if each.process.poll() is None:
            each.process.kill()
        each.process.wait()
        os.close(each.handle)


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + HANG_SECONDS
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


# --- the terminal ----------------------------------------------------------------------------


def test_a_terminal_shows_each_item_a_bar_and_the_numbers_in_the_language_of_the_batch(
    start: Start, store: Store, service: Service
) -> None:
    service.gate.free = 2

    running = start("run", store.batch, "--workers", "2")
    running.wait_for("2/5")
    running.wait_for("完成 2 · 进行中 2 · 待处理 1 · 2,408 + 636 tokens · 价格未知")
    service.gate.opened.set()

    assert running.ended() == 0, running.seen
    assert len(re.findall(r"✓ ep_\d  提案 p-\w{8}", running.text)) == ITEMS
    assert f"{store.batch}  已结束   完成 5" in running.text
    assert running.seen.rstrip().endswith("--clean"), "the bar is gone at the end"


@pytest.mark.parametrize("columns", [50, 100])
def test_no_line_that_is_drawn_over_is_wider_than_the_terminal(
    start: Start, store: Store, service: Service, columns: int
) -> None:
    service.gate.free = 3

    running = start("run", store.batch, "--workers", "2", columns=columns)
    running.wait_for("3/5")
    service.gate.opened.set()
    running.ended()

    drawn = [line for line in running.text.split("\n") if line.startswith((store.batch, "  完成"))]
    bars = [line for line in drawn if "━" in line or line.startswith("  ")]
    assert bars and max(cell_len(line) for line in bars) <= columns


def test_without_colours_the_bar_has_none_and_the_marks_stay(
    start: Start, store: Store, service: Service
) -> None:
    service.gate.opened.set()

    running = start("run", store.batch, NO_COLOR="1")

    assert running.ended() == 0
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", running.seen)
    assert running.text.count("✓ ep_") == ITEMS


def test_a_terminal_that_cannot_draw_gets_a_line_for_each_item(
    start: Start, store: Store, service: Service
) -> None:
    service.gate.opened.set()

    running = start("run", store.batch, TERM="dumb")

    assert running.ended() == 0
    assert "\x1b" not in running.seen and "━" not in running.seen
    assert running.seen.count("✓ ep_") == ITEMS


# --- Ctrl-C ----------------------------------------------------------------------------------


def test_ctrl_c_takes_no_more_waits_for_what_runs_and_says_how_to_go_on(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    running.press_ctrl_c()
    running.wait_for("等待 2 个进行中的（再按一次 Ctrl-C 立即退出）")
    service.gate.opened.set()

    assert running.ended() == 130, running.seen
    assert f"续跑：script-editor batch resume {store.batch}" in running.text
    assert f"{store.batch}  已暂停（已中断）   完成 2 · 待处理 3" in running.text
    assert store.counts() == {"done": 2, "queued": 3}


def test_what_was_done_before_ctrl_c_is_neither_done_nor_paid_again(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)
    running.press_ctrl_c()
    running.wait_for("Ctrl-C")
    service.gate.opened.set()
    running.ended()

    ran = store("resume", store.batch)

    assert ran.exit_code == 0
    assert ran.stderr.count("✓ ep_") == 3
    assert (store.counts(), service.gate.calls) == ({"done": ITEMS}, ITEMS)


def test_a_second_ctrl_c_leaves_at_once_and_loses_nothing(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)
    running.press_ctrl_c()
    running.wait_for("Ctrl-C")

    running.press_ctrl_c()

    assert running.ended() == 130
    assert running.seen.rstrip().endswith("\x1b[?25h"), "the cursor is back"
    service.gate.opened.set()
    assert store("resume", store.batch).exit_code == 0
    assert store.counts() == {"done": ITEMS}
    assert service.gate.calls <= ITEMS + 2, "the calls that were under way"


def test_ending_the_process_politely_is_a_first_ctrl_c(start: Start, store: Store, service: Service) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    running.process.send_signal(signal.SIGTERM)
    running.wait_for("等待 2 个进行中的")
    service.gate.opened.set()

    assert running.ended() == 130
    assert store.counts() == {"done": 2, "queued": 3}


# --- several processes -----------------------------------------------------------------------


def test_a_second_process_watches_and_leaving_it_stops_nothing(
    start: Start, store: Store, service: Service
) -> None:
    service.gate.free = 1
    running = start("run", store.batch, "--workers", "1")
    until(lambda: service.gate.calls == 2)

    watching = start("watch", store.batch)
    watching.wait_for("1/5")
    watching.press_ctrl_c()

    assert watching.ended() == 130
    assert "任务照常进行" in watching.text
    service.gate.opened.set()
    assert running.ended() == 0


def test_two_runs_of_one_plan_do_the_work_once(start: Start, store: Store, service: Service) -> None:
    first = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)
    second = start("run", store.batch, "--workers", "2")
    second.wait_for("另有 1 个进程在一起处理")
    until(lambda: service.gate.calls >= 3)

    service.gate.opened.set()

    assert (first.ended(), second.ended()) == (0, 0)
    assert (store.counts(), service.gate.calls) == ({"done": ITEMS}, ITEMS)


def test_a_worker_takes_what_another_process_has_begun(start: Start, store: Store, service: Service) -> None:
    running = start("run", store.batch, "--workers", "1")
    until(lambda: service.gate.calls == 1)
    worker = start("worker", "--workers", "2", "--until-idle")
    until(lambda: service.gate.calls >= 2)

    service.gate.opened.set()

    assert (running.ended(), worker.ended()) == (0, 0)
    assert (store.counts(), service.gate.calls) == ({"done": ITEMS}, ITEMS)


def test_watching_a_batch_that_everybody_left_says_so(start: Start, store: Store, service: Service) -> None:
    running = start("run", store.batch)
    until(lambda: service.gate.calls == ITEMS)
    running.process.kill()
    running.ended()

    watching = start("watch", store.batch)
    watching.wait_for("现在没有进程在处理")
    watching.press_ctrl_c()

    assert watching.ended() == 130


# --- money -----------------------------------------------------------------------------------


def test_a_budget_ends_the_run_before_it_is_passed(store: Store, service: Service) -> None:
    service.gate.opened.set()
    one = (1204 * 2 + 318 * 8) / 1e6

    ran = store("run", store.batch, "--budget", "0.03", "--workers", "1", "--json", **PRICES)

    last = json.loads(ran.stdout.splitlines()[-1])
    assert ran.exit_code == 8
    assert (last["ok"], last["error"]["code"]) == (False, "budget_reached")
    assert last["data"]["pause_reason"] == "budget"
    assert one <= last["data"]["cost"]["amount"] <= 0.03
    assert f"resume {store.batch} --budget N" in last["error"]["hint"]


DEAR = {"SCRIPT_EDITOR_PRICE_IN": "2000", "SCRIPT_EDITOR_PRICE_OUT": "8000"}


def test_much_money_is_not_spent_where_nobody_can_be_asked(store: Store, service: Service) -> None:
    service.gate.opened.set()

    refused = store("run", store.batch, **DEAR)

    assert (refused.exit_code, service.gate.calls) == (2, 0)
    assert "--yes" in refused.stderr and "--budget" in refused.stderr
    assert store("run", store.batch, "--sample", "1", "--yes", **DEAR).exit_code == 0
    assert store("resume", store.batch, "--budget", "9000", **DEAR).exit_code == 0


@pytest.mark.parametrize(
    ("said", "code", "calls"), [("y\n", 0, ITEMS), ("n\n", 11, 0), ("\n", 11, 0)], ids=["yes", "no", "enter"]
)
def test_a_person_is_asked_before_much_is_spent(
    start: Start, store: Store, service: Service, said: str, code: int, calls: int
) -> None:
    service.gate.opened.set()

    running = start("run", store.batch, **DEAR)
    running.wait_for("[y/N]")
    running.type(said)

    assert running.ended() == code, running.seen
    assert service.gate.calls == calls
    assert "5 个脚本：约" in running.text and "费用" in running.text
