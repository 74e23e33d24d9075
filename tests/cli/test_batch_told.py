"""What the commands of a batch tell as they begin, stop, refuse and go on: that it is true, and works as it is printed."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from script_editor.batch.working.machines import place
from script_editor.cli.batch import sentences
from script_editor.domain.batches import Batch, Bounds, Recipe, Tally
from script_editor.domain.script import utc_now
from script_editor.store.batch_store import open_batches
from tests.cli.test_batch_terminal import ITEMS, Process, Service, Start, Store, planned, until
from tests.cli.test_batch_terminal import service as service
from tests.cli.test_batch_terminal import start as start
from tests.cli.test_batch_terminal import store as store
from tests.support.command import Command, Ran

HIGH_PRICES = {"SCRIPT_EDITOR_PRICE_IN": "400", "SCRIPT_EDITOR_PRICE_OUT": "900"}
_PRESSED_AT_ONCE = (
    "import os, signal, sys\n"
    "seen = []\n"
    "def press(event, _):\n"
    "    if event == 'sqlite3.connect' and not seen:\n"
    "        seen.append(event)\n"
    "        os.kill(os.getpid(), signal.SIGINT)\n"
    "sys.addaudithook(press)\n"
    "from script_editor.cli.main import cli\n"
    "cli(sys.argv[1:])\n"
)
"""Runs the program, and presses Ctrl-C in the moment in which it first opens the store."""


def step(ran: Ran, words: str) -> str:
    """Return what was printed as a step, beginning with these words."""
    steps = [part.strip() for line in ran.stderr.splitlines() for part in re.split(" {5}|。(?=\\S)", line)]
    return next(part for part in steps if part.startswith(words))


def typed(store: Store, line: str, **env: str) -> Ran:
    """Do as a line says that was printed."""
    _said, _name, words = line.partition("script-editor batch ")
    return store(*words.split(), **env)


# --- what it costs ---------------------------------------------------------------------------


def test_the_cap_that_is_proposed_counts_what_was_spent(tmp_path: Path, service: Service) -> None:
    service.gate.opened.set()
    store = planned(tmp_path, service, "开头更轻松", **HIGH_PRICES)
    assert store("run", store.batch, "--sample", "3", "--yes").exit_code == 0
    spent = store("status", store.batch, "--json").data["cost"]["amount"]

    asked = store("resume", store.batch)
    cap = step(asked, "设上限：--budget ").removeprefix("设上限：--budget ")
    short = store("resume", store.batch, "--budget", f"{spent:.2f}")
    ran = store("resume", store.batch, "--budget", cap)

    assert asked.exit_code == 2 and spent > 2
    assert step(short, "续跑（足够做完剩下的）：").endswith(f"--budget {cap}")
    assert ran.exit_code == 0 and store.counts() == {"done": ITEMS}


# --- how it begins ---------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["resume", "retry"])
def test_the_help_says_that_a_batch_goes_on_as_it_was_run_before(command: Command, verb: str) -> None:
    told = " ".join(command("batch", verb, "--help").stdout.split())

    assert "Without either: as the batch was run before." in told and "(the default)" not in told


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


def test_who_goes_on_is_told_that_results_are_saved(store: Store, service: Service) -> None:
    service.gate.opened.set()
    begun = store("run", store.batch, "--sample", "2", "--apply")

    goes_on = store("resume", store.batch, "--sample", "1")
    told = "没有问题的结果会直接保存；要改为只存为提案：--propose"
    kept = store("resume", store.batch, "--propose")

    assert told not in begun.stderr
    assert told in goes_on.stderr and "已存为 v2" in goes_on.stderr
    assert told not in kept.stderr and "提案 p-" in kept.stderr


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        (1, "Going on with 2; the 1 that is over is not repeated."),
        (1200, "Going on with 2; the 1,200 that are over are not repeated."),
    ],
)
def test_what_is_over_is_told_in_the_right_number(ended: int, said: str) -> None:
    recipe = Recipe(instruction="tidy it", author="me", model="m", mode="direct", prompts="f")
    now = utc_now()
    counts: Any = {"done": ended, "queued": 2}
    batch = Batch(
        id="b-x7k2m9qp", recipe=recipe, total=ended + 2, state="running", target="propose",
        bounds=Bounds(), created_at=now, updated_at=now,
    )  # fmt: skip

    told = sentences.beginning(2, Tally(batch=batch, counts=counts), 0, "en", prompts_changed=False)

    assert told == [said]


def test_nothing_to_retry_is_told_as_nothing(command: Command) -> None:
    command("new", "ep_1", input="大家好，欢迎来到频道。\n")
    plan = command("batch", "plan", "ep_1", "--do", "replace “频道” with “小站”", "-q").stdout.strip()

    assert "Nothing to try again: nothing was changed." in command("batch", "retry", plan).stderr


# --- how it stops ----------------------------------------------------------------------------


def test_no_more_is_waited_for_than_this_process_is_at(start: Start, store: Store, service: Service) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)
    with open_batches(str(store.command.database)) as batches:
        batches.register_worker("w", host=place(), pid=os.getpid())
        for item in batches.items(store.batch, states=("queued",)):
            batches.begin_item(store.batch, item.job.seq, 1, worker_id="w")
    running.wait_for(f"进行中 {ITEMS}")

    running.press_ctrl_c()
    running.wait_for("等待 2 个进行中的（再按一次 Ctrl-C 立即退出）")
    running.wait_for("等待 2 个进行中的调用")
    service.gate.opened.set()

    assert running.ended() == 130
    assert f"等待 {ITEMS} 个" not in running.text


def test_ctrl_c_in_the_first_moment_of_watching_is_answered_as_any_later(
    start: Start, store: Store, service: Service
) -> None:
    start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    ran = subprocess.run(
        [sys.executable, "-c", _PRESSED_AT_ONCE, "--db", str(store.command.database), "batch", "watch", store.batch],
        env={**os.environ, "PYTHONPATH": str(Path.cwd()), **store.env}, capture_output=True, encoding="utf-8", timeout=60,
    )  # fmt: skip

    assert ran.returncode == 128 + signal.SIGINT
    assert "不再查看；任务照常进行。" in ran.stderr and "Interrupted" not in ran.stderr


def test_a_batch_that_runs_says_how_it_is_watched_and_cancelled(
    start: Start, store: Store, service: Service
) -> None:
    running: Process = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    told = store("status", store.batch)
    cancelled = typed(store, step(told, "取消："))

    assert step(told, "查看进度：") == f"查看进度：script-editor batch watch {store.batch}"
    assert cancelled.exit_code == 0 and running.ended() == 10
    assert "batch watch" not in store("status", store.batch).stderr


# --- what is refused -------------------------------------------------------------------------


def _new(_store: Store) -> None:
    pass


def _paused(store: Store) -> None:
    assert store("run", store.batch, "--sample", "1").exit_code == 0


@pytest.mark.parametrize("before", [_new, _paused])
def test_a_batch_of_another_model_names_the_command_that_runs_it(
    store: Store, service: Service, before: Callable[[Store], None]
) -> None:
    service.gate.opened.set()
    before(store)

    refused = store("run", store.batch, "-m", "other")
    ran = typed(store, step(refused, "请指明模型："))

    assert refused.exit_code == 6
    assert step(refused, "请指明模型：").endswith(f" {store.batch} -m deepseek-chat")
    assert ran.exit_code == 0 and store.counts() == {"done": ITEMS}


def test_a_script_that_is_not_there_is_said_to_be_of_the_command_line(command: Command) -> None:
    command("new", "ep_1", input="大家好。\n")

    ran = command("batch", "plan", "nosuch", "--do", "make it shorter")

    assert "command line: There is no script 'nosuch'." in ran.stderr
