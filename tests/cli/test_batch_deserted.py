"""A batch whose processes are gone without a word: it is told as what it is, and a terminal that is closed is no crash."""

import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.cli.test_batch_terminal import ITEMS, Process, Service, Start, Store, until
from tests.cli.test_batch_terminal import service as service
from tests.cli.test_batch_terminal import start as start
from tests.cli.test_batch_terminal import store as store

_ON_ITS_TERMINAL = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "os.execv(sys.executable, [sys.executable, '-m', 'script_editor', *sys.argv[1:]])"
)
"""Runs the program as a shell on a terminal does, which tells it when the terminal is gone."""


def killed(running: Process) -> None:
    running.process.kill()
    running.ended()


def pressed_twice(running: Process) -> None:
    running.press_ctrl_c()
    running.wait_for("再按一次 Ctrl-C")
    running.press_ctrl_c()
    running.ended()


@pytest.mark.parametrize("leave", [killed, pressed_twice])
def test_a_batch_that_everybody_left_without_a_word_is_told_as_interrupted_at_once(
    start: Start, store: Store, service: Service, leave: Callable[[Process], None]
) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)
    leave(running)

    told, data = store("status", store.batch), store("status", store.batch, "--json").data
    listed = store("list", "--json").data["batches"][0]

    assert "已暂停（已中断：没有进程在处理）" in told.stdout
    assert "进行中" not in told.stdout and f"待处理 {ITEMS}" in told.stdout
    assert f"续跑：script-editor batch resume {store.batch}" in told.stderr
    assert (data["state"], data["pause_reason"], data["workers"]) == ("paused", "deserted", 0)
    assert (data["items"]["running"], data["items"]["queued"]) == (0, ITEMS)
    assert {key: listed[key] for key in ("state", "pause_reason", "items")} == {
        key: data[key] for key in ("state", "pause_reason", "items")
    }
    assert "没有进程在处理" in store("list").stdout


def test_a_batch_that_a_process_works_on_is_told_as_running(
    start: Start, store: Store, service: Service
) -> None:
    start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    data = store("status", store.batch, "--json").data

    assert (data["state"], data["items"]["running"], data["workers"]) == ("running", 2, 1)


def test_watching_a_batch_that_nobody_works_on_ends_with_how_to_go_on(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch)
    until(lambda: service.gate.calls == ITEMS)
    killed(running)

    watching = start("watch", store.batch)

    assert watching.ended() == 130
    assert "现在没有进程在处理" in watching.text, "it is told at once"
    *_, last = watching.text.strip().splitlines()
    assert last.strip() == f"续跑：script-editor batch resume {store.batch}"
    assert "照常进行" not in watching.text


def test_whoever_watches_a_batch_that_nobody_works_on_sees_it_go_on(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch)
    until(lambda: service.gate.calls == ITEMS)
    killed(running)
    watching = start("watch", store.batch)
    watching.wait_for("现在没有进程在处理")

    service.gate.opened.set()
    resumed = start("resume", store.batch)

    assert (resumed.ended(), watching.ended()) == (0, 0)


def test_ctrl_c_while_nobody_works_on_a_batch_does_not_say_that_it_goes_on(
    start: Start, store: Store, service: Service
) -> None:
    running = start("run", store.batch)
    until(lambda: service.gate.calls == ITEMS)
    killed(running)
    watching = start("watch", store.batch)
    watching.wait_for("现在没有进程在处理")

    watching.press_ctrl_c()

    assert watching.ended() == 130
    assert "不再查看" in watching.text and "照常进行" not in watching.text


# --- a terminal that is closed ---------------------------------------------------------------


@pytest.fixture
def on_a_terminal(store: Store) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], None]]]:
    """A run on a terminal of its own, and what closes it."""
    ours, theirs = pty.openpty()
    command = ["--db", str(store.command.database), "batch", "run", store.batch, "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-c", _ON_ITS_TERMINAL, *command], stdin=theirs, stdout=theirs, stderr=theirs,
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": str(Path.cwd()), **store.env},
    )  # fmt: skip
    os.close(theirs)
    yield process, lambda: os.close(ours)
    process.kill()
    process.wait()


def test_a_terminal_that_is_closed_ends_a_run_in_order(
    on_a_terminal: tuple[subprocess.Popen[bytes], Callable[[], None]], store: Store, service: Service
) -> None:
    process, close = on_a_terminal
    until(lambda: service.gate.calls == 2)

    close()
    until(lambda: is_hung_up(process.pid))
    process.send_signal(signal.SIGHUP)  # as a shell passes it on
    service.gate.opened.set()

    assert process.wait(60) == 130
    data = store("status", store.batch, "--json").data
    assert (data["state"], data["pause_reason"]) == ("paused", "interrupted")
    assert store.counts() == {"done": 2, "queued": ITEMS - 2}, "what was under way was waited for"
    assert service.gate.calls == 2


def is_hung_up(pid: int) -> bool:
    """Say whether a process has noticed that its terminal is gone: it writes elsewhere."""
    return str(Path(f"/proc/{pid}/fd/2").readlink()) == os.devnull
