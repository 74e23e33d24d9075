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

from script_editor.store.batch_store import open_batches
from tests.support.command import Command, Ran
from tests.support.openai_server import (
    Behaviour,
    Exchange,
    OpenAIServer,
    ReceivedRequest,
    completion,
    status,
)

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
    answer: Behaviour = field(default_factory=lambda: completion(EDIT, usage=(1204, 318)))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, _request: ReceivedRequest) -> Behaviour:
        with self._lock:
            self.calls += 1
            is_free = self.calls <= self.free

        def behave(exchange: Exchange) -> None:
            while not (is_free or self.opened.is_set()):
                if exchange.wait(0.02):
                    return
            self.answer(exchange)

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
        time.sleep(0.3)  # as long as a person takes: what comes sooner is the same press
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
    running.wait_for("完成 2 · 进行中 2 · 待处理 1 · ")
    running.wait_for("价格未知 · 2,408 + 636 tokens")
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


def test_a_long_plan_shows_how_far_it_is_and_can_be_stopped(
    start: Start, store: Store, tmp_path: Path
) -> None:
    jobs = tmp_path / "jobs.csv"
    rows = "".join(f"none_{number}\n" for number in range(100_000))
    jobs.write_text(f"script\nep_1\n{rows}", encoding="utf-8")

    planning = start("plan", "--csv", str(jobs), "--do", "再短一点")
    planning.wait_for("读取 ")
    planning.press_ctrl_c()

    assert planning.ended() == 130
    assert re.search(r"读取 [\d,]+ 行 …", planning.text)
    assert "已中断" in planning.text
    assert len(store("list", "--json").data["batches"]) == 1


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


def test_how_to_go_on_is_said_once_and_last(start: Start, store: Store, service: Service) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)
    running.press_ctrl_c()
    running.wait_for("Ctrl-C")
    service.gate.opened.set()
    running.ended()

    assert running.text.count(f"script-editor batch resume {store.batch}") == 1
    assert running.text.rstrip().splitlines()[-1].startswith(("续跑", "保存"))


def test_who_leaves_at_once_is_told_how_to_go_on_as_well(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)
    running.press_ctrl_c()
    running.wait_for("Ctrl-C")

    running.press_ctrl_c()
    running.ended()

    assert running.text.count(f"续跑：script-editor batch resume {store.batch}") == 1


# --- standing still for another reason -------------------------------------------------------


def test_a_batch_that_is_cancelled_elsewhere_ends_though_the_service_never_answers(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    store("cancel", store.batch)

    assert running.ended() == 10
    assert f"{store.batch}  已取消   已取消 5" in running.text
    assert "- video_00" not in running.text  # a cancelled batch has one line, however long it is
    assert "任务已取消，5 个中有 5 个没有完成" in running.text
    assert "已停止接收新任务" not in running.text  # nobody pressed anything
    assert store.counts() == {"cancelled": ITEMS}


def test_while_running_calls_are_waited_for_it_is_said_and_ctrl_c_leaves(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    with open_batches(str(store.command.database)) as batches:
        batches.set_state(store.batch, "paused", reason="budget")
    running.wait_for("等待 2 个进行中的（按 Ctrl-C 立即退出）")
    running.wait_for("等待 2 个进行中的调用")
    running.press_ctrl_c()

    assert running.ended() == 8
    assert f"{store.batch}  已暂停（预算不够下一次调用）   待处理 5" in running.text
    assert store.counts() == {"queued": ITEMS}


def test_a_wrong_key_pauses_a_batch_and_says_what_to_do(start: Start, store: Store, service: Service) -> None:
    service.gate.answer = status(401, "who are you")
    service.gate.opened.set()

    running = start("run", store.batch, "--workers", "2")

    assert running.ended() == 6
    assert "错误：" in running.text or "Error: " in running.text
    assert "OPENAI_API_KEY" in running.text
    assert "已暂停（服务不接受密钥、模型或地址）   待处理 5" in store("status", store.batch).stdout
    assert store.counts() == {"queued": ITEMS}


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

    ran = store("run", store.batch, "--budget", "0.012", "--workers", "1", "--json", **PRICES)

    last = json.loads(ran.stdout.splitlines()[-1])
    assert ran.exit_code == 8
    assert (last["ok"], last["error"]["code"]) == (False, "budget_reached")
    assert last["data"]["pause_reason"] == "budget"
    assert one <= last["data"]["cost"]["amount"] <= 0.012
    assert "下一次调用最多可能花费" in last["error"]["message"]
    enough = re.search(rf"resume {store.batch} --budget ([0-9.]+)", last["error"]["hint"])
    assert enough is not None
    assert f"--budget {enough[1]}" in store("status", store.batch, **PRICES).stderr
    assert store("resume", store.batch, "--budget", enough[1], **PRICES).exit_code == 0


def test_a_budget_that_covers_no_call_is_refused_and_can_be_lifted(store: Store, service: Service) -> None:
    service.gate.opened.set()

    refused = store("run", store.batch, "--budget", "0.0001", **PRICES)

    assert (refused.exit_code, service.gate.calls) == (8, 0)
    assert "而预算是 0.0001。" in refused.stderr and "--budget none" in refused.stderr
    assert store("run", store.batch, "--budget", "much", **PRICES).exit_code == 2
    assert store("run", store.batch, "--budget", "none", **PRICES).exit_code == 0


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
