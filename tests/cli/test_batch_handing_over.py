"""A batch that one process starts and another one works on or watches: what each of them sees and says."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import script_editor
from script_editor.batch.working.machines import is_running, place
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


@pytest.fixture
def late(tmp_path: Path) -> Path:
    """A folder for PYTHONPATH with which a process in the background notes its id in `begun`, and waits for `go`."""
    folder = tmp_path / "late"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        """
import os, pathlib, sys, time
if "run" in sys.argv and "--detach" not in sys.argv:
    here = pathlib.Path(__file__).parent
    (here / "new").write_text(str(os.getpid()))
    (here / "new").rename(here / "begun")
    while not (here / "go").exists():
        time.sleep(0.05)
    time.sleep(1)
    sys.stderr.write("Error: cannot begin\\n")
    sys.stderr.flush()
    os._exit(6)
""",
        encoding="utf-8",
    )
    return folder


def test_a_process_in_the_background_is_not_taken_for_begun_because_another_one_is(
    store: Store, late: Path
) -> None:
    with open_batches(str(store.command.database)) as batches:

        def begin() -> None:
            until((late / "begun").exists)
            batches.register_worker("another", host=place(), pid=os.getppid())
            (late / "go").touch()

        other = threading.Thread(target=begin)
        other.start()
        ran = store("run", store.batch, "--detach", PYTHONPATH=str(late))
        other.join()

    assert (ran.exit_code, "cannot begin" in ran.stderr) == (6, True)
    assert store("status", store.batch, "--json").data["state"] == "paused"


def test_who_leaves_before_a_process_in_the_background_has_begun_ends_it(
    start: Start, store: Store, service: Service, late: Path
) -> None:
    starting = start("run", store.batch, "--detach", PYTHONPATH=str(late))
    until((late / "begun").exists)
    pid = int((late / "begun").read_text(encoding="utf-8"))

    starting.press_ctrl_c()
    code = starting.ended()
    is_gone = not is_running(pid)
    (late / "go").touch()

    assert (code, is_gone) == (130, True)
    stood = store("status", store.batch, "--json").data
    assert (stood["state"], stood["pause_reason"]) == ("paused", "interrupted")
    assert service.gate.calls == 0


def test_a_run_in_the_background_takes_no_module_from_the_folder_it_is_begun_in(
    store: Store,
    service: Service,
    background: Callable[..., int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It may be a download of somebody else's, and what is run there could read the key."""
    service.gate.opened.set()
    folder = tmp_path / "downloads"
    folder.mkdir()
    for name in ("click", "dbos"):
        (folder / f"{name}.py").write_text("open('ran', 'w').close()\nraise RuntimeError\n", encoding="utf-8")
    monkeypatch.chdir(folder)

    background("run", store.batch)
    until(lambda: store.counts() == {"done": 5})

    assert not (folder / "ran").exists()


def test_a_run_in_the_background_is_done_by_the_program_that_began_it(
    store: Store, service: Service, tmp_path: Path
) -> None:
    """Also where that is a copy which is run where it lies, and another one is installed."""
    service.gate.opened.set()
    copied = tmp_path / "copy"
    package = Path(script_editor.__file__).parent
    shutil.copytree(package, copied / "script_editor", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("migrations", "seeds"):
        shutil.copytree(package.parent / name, copied / name)
    program = copied / "script_editor" / "__main__.py"
    noted = f"open({str(tmp_path / 'begun')!r}, 'a').write('once ')\n"
    program.write_text(noted + program.read_text(encoding="utf-8"), encoding="utf-8")
    command = [sys.executable, "-m", "script_editor", "--db", str(store.command.database), "batch", "run"]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

    subprocess.run(
        [*command, store.batch, "--detach", "--yes"],
        cwd=copied, env={**env, **store.env, "SCRIPT_EDITOR_STATE": str(tmp_path / "state")}, check=True, timeout=HANG_SECONDS,
    )  # fmt: skip
    until(lambda: store.counts() == {"done": 5})

    assert (tmp_path / "begun").read_text(encoding="utf-8") == "once once "


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
