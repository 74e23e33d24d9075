"""A batch that one process starts and another one works on or watches: what each of them sees and says."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from script_editor.store.batch_store import open_batches
from tests.cli import test_batch_terminal as terminal
from tests.cli.test_batch_terminal import HANG_SECONDS, Service, Start, Store, until
from tests.support.command import Command
from tests.support.openai_server import status

service, store, start = terminal.service, terminal.store, terminal.start


@pytest.fixture
def background(store: Store) -> Iterator[Callable[..., int]]:
    """Start a command in the background, return its process, and end it with the test."""
    begun: list[int] = []

    def run(*arguments: str) -> int:
        ran = store(*arguments, "--detach", "--json")
        assert ran.exit_code == 0, ran.stderr
        begun.append(ran.data["pid"])
        return begun[-1]

    yield run
    for pid in begun:
        subprocess.run(["kill", "-9", str(pid)], check=False, capture_output=True)


def events_of(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


# --- in the background -----------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["resume", "retry"])
def test_a_batch_runs_from_the_moment_in_which_it_is_said_to_go_on_in_the_background(
    start: Start, store: Store, service: Service, background: Callable[..., int], verb: str
) -> None:
    """So that whoever watches it at once follows it, instead of being told that it is paused."""
    service.gate.opened.set()
    good, service.gate.answer = service.gate.answer, status(400, "not today")
    assert store("run", store.batch, "--sample", "2").exit_code == 0
    if verb == "resume":
        store("cancel", store.batch)
    service.gate.answer = good

    background(verb, store.batch)
    watched = store("watch", store.batch, "--json")

    last = events_of(watched.stdout)[-1]
    data = last.get("data") or last["error"]
    assert "progress" in watched.stdout
    assert store("status", store.batch, "--json").data["state"] == "done", data
    assert store.counts() == ({"failed": 2, "done": 3} if verb == "resume" else {"done": 5})


def test_a_batch_that_cannot_begin_in_the_background_is_not_left_as_running(
    store: Store, tmp_path: Path
) -> None:
    nowhere = tmp_path / "a file"
    nowhere.write_text("", encoding="utf-8")

    ran = store("run", store.batch, "--detach", SCRIPT_EDITOR_STATE=str(nowhere))

    assert ran.exit_code == 6
    assert store("status", store.batch, "--json").data["state"] == "paused"


def test_a_run_in_the_background_that_is_cancelled_as_it_starts_stays_cancelled(
    store: Store, background: Callable[..., int]
) -> None:
    pid = background("run", store.batch, "--workers", "2")

    store("cancel", store.batch)
    end = time.monotonic() + HANG_SECONDS
    while Path(f"/proc/{pid}/cmdline").exists() and Path(f"/proc/{pid}/cmdline").read_bytes():
        assert time.monotonic() < end
        time.sleep(0.05)

    assert store("status", store.batch, "--json").data["state"] == "cancelled"
    assert store.counts() == {"cancelled": 5}


def test_a_run_whose_reader_is_gone_pauses_its_batch(store: Store, service: Service) -> None:
    """As in `batch run … --json | head -1`: nobody is left to whom it could be told."""
    command = [sys.executable, "-m", "script_editor", "--db", str(store.command.database), "batch", "run"]
    service.gate.free = 1
    with subprocess.Popen(
        [*command, store.batch, "--json", "--workers", "1"], stdout=subprocess.PIPE, env={**os.environ, **store.env}
    ) as process:  # fmt: skip
        assert process.stdout is not None
        until(lambda: service.gate.calls == 2)
        process.stdout.close()
        # It notices when it next tells something; the call under way is answered only then, so that items are left.
        until(lambda: store("status", store.batch, "--json").data["state"] == "paused")
        service.gate.opened.set()
        process.wait(HANG_SECONDS)

    stood = store("status", store.batch, "--json").data
    assert (stood["state"], stood["pause_reason"], stood["workers"]) == ("paused", "interrupted", 0)
    assert stood["items"]["running"] == 0 < stood["items"]["queued"]


# --- watching --------------------------------------------------------------------------------


def test_whoever_watches_a_plan_is_told_how_it_is_run_and_waits_for_it(
    start: Start, store: Store, service: Service
) -> None:
    service.gate.opened.set()
    watching = start("watch", store.batch)
    watching.wait_for(f"script-editor batch run {store.batch}")

    store("run", store.batch)

    assert watching.ended() == 0
    assert f"{store.batch}  已结束   完成 5" in watching.text


def test_whoever_watches_a_sample_that_is_done_is_told_how_to_go_on(store: Store, service: Service) -> None:
    service.gate.opened.set()
    store("run", store.batch, "--sample", "2")

    ran = store("watch", store.batch)

    assert ran.exit_code == 0
    assert "已暂停（试跑已完成）" in ran.stdout
    assert f"script-editor batch resume {store.batch}" in ran.stderr


# --- why no more are taken -------------------------------------------------------------------


def test_nobody_is_told_of_a_stop_in_a_run_that_ends_while_another_one_works(
    tmp_path: Path, start: Start, store: Store, service: Service
) -> None:
    other = planned_again(tmp_path, store)
    service.gate.free = 1
    running = start("run", other, "--workers", "1")
    until(lambda: service.gate.calls == 2)
    service.gate.free = 3

    ran = store("run", store.batch, "--sample", "1", "--workers", "1")
    service.gate.opened.set()

    assert ran.exit_code == 0
    assert "已停止接收" not in ran.stderr and "立即退出" not in ran.stderr
    assert running.ended() == 0
    assert store.counts() == {"done": 1, "queued": 4}


def planned_again(folder: Path, store: Store) -> str:
    """Plan something else over the same scripts, and return the batch."""
    ran = Command(folder / "store.db")(
        "batch", "plan", "--select", "ep_*", "--do", "结尾更简洁", "-q", model=None, **store.env
    )
    assert ran.exit_code == 0, ran.stderr
    return ran.stdout.strip()


def test_nobody_is_told_that_no_call_is_waited_for(start: Start, store: Store, service: Service) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    store("cancel", store.batch)

    assert running.ended() == 10
    assert "等待 0 个" not in running.text


def test_why_no_more_are_taken_is_told_as_it_is(start: Start, store: Store, service: Service) -> None:
    running = start("run", store.batch, "--workers", "2")
    until(lambda: service.gate.calls == 2)

    with open_batches(str(store.command.database)) as batches:
        batches.set_state(store.batch, "paused", reason="unreachable")
    running.wait_for("服务没有响应，等待 2 个进行中的（按 Ctrl-C 立即退出）…")
    service.gate.opened.set()

    assert running.ended() == 7
    assert "已停止接收新任务" not in running.text
