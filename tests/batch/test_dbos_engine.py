"""The durable engine by itself: workflows of a few steps on both databases, in this process."""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import Interrupted, ItemRef, Json, Steps, Workflow
from script_editor.store.durable import DurableDatabases, durable_databases
from tests.store.support import raw

HANG_SECONDS = 60.0
IS_SOAK = bool(os.environ.get("SCRIPT_EDITOR_SOAK"))
REF = ItemRef("b-1", 1, 1)


@pytest.fixture
def databases(store_url: str) -> Iterator[DurableDatabases]:
    """The databases of an engine, with a table for results beside the store's own."""
    made = durable_databases(store_url, workers=4)
    with made.store.begin() as connection:
        connection.execute(sa.text("CREATE TABLE result (name VARCHAR(40))"))
    yield made
    made.store.dispose()
    made.system.dispose()


@contextmanager
def running(databases: DurableDatabases, workflow: Workflow, *, workers: int = 4) -> Iterator[DbosEngine]:
    """Yield an engine that takes items."""
    engine = DbosEngine(databases, queue="edits-test")
    engine.start(workflow, workers=workers)
    try:
        yield engine
    finally:
        engine.close()


class Recorder:
    """A workflow of three steps and a result that says what is really done; `before` is called in each step."""

    def __init__(self, before: Callable[[str], Any] = lambda _name: None):
        self.done: list[str] = []
        self.before = before
        self.ended = threading.Event()

    def __call__(self, _ref: ItemRef, steps: Steps) -> None:
        said = [steps.step("model", lambda number=number: self._do(f"call {number}")) for number in range(3)]
        steps.commit("end", lambda session: self._end(session, said))
        self.ended.set()

    def _do(self, name: str) -> Json:
        self.before(name)
        self.done.append(name)
        return {"said": name}

    def _end(self, session: Any, said: list[Json]) -> Json:
        self.before("end")
        session.execute(sa.text("INSERT INTO result VALUES (:name)"), {"name": said[-1]["said"]})
        self.done.append("end")
        return None

    def wait(self) -> None:
        assert self.ended.wait(HANG_SECONDS), self.done


def results(databases: DurableDatabases) -> list[str]:
    with raw(databases.store_url) as connection:
        return list(connection.execute(sa.text("SELECT name FROM result")).scalars())


def interrupted_at(name: str) -> tuple[Callable[[str], None], threading.Event]:
    """Return what gives a workflow up when it first comes to a step, and an event for that."""
    seen = threading.Event()

    def before(step: str) -> None:
        if step == name and not seen.is_set():
            seen.set()
            raise Interrupted

    return before, seen


def wait_until(come_true: Callable[[], object]) -> None:
    ticks = threading.Event()
    for _ in range(int(HANG_SECONDS / 0.02)):
        if come_true():
            return
        ticks.wait(0.02)
    raise AssertionError("still not so")


def test_a_submitted_item_runs_to_its_last_transaction(databases: DurableDatabases) -> None:
    recorder = Recorder()

    with running(databases, recorder) as engine:
        engine.submit([REF])
        recorder.wait()

    assert recorder.done == ["call 0", "call 1", "call 2", "end"]
    assert results(databases) == ["call 2"]


@pytest.mark.parametrize("step", ["call 0", "call 2", "end"])
def test_nothing_is_noted_of_a_step_that_is_interrupted_and_the_rest_stays(
    databases: DurableDatabases, step: str
) -> None:
    before, seen = interrupted_at(step)
    recorder = Recorder(before)

    with running(databases, recorder) as engine:
        engine.submit([REF])
        wait_until(lambda: seen.is_set() and engine.left())
        engine.resume([REF])
        recorder.wait()

    assert recorder.done == ["call 0", "call 1", "call 2", "end"]
    assert results(databases) == ["call 2"]


def test_what_a_process_leaves_is_gone_on_with_by_the_next(databases: DurableDatabases) -> None:
    before, seen = interrupted_at("call 1")
    recorder = Recorder(before)
    with running(databases, recorder) as engine:
        engine.submit([REF])
        wait_until(lambda: seen.is_set() and engine.left())

    with running(databases, recorder):
        recorder.wait()

    assert recorder.done == ["call 0", "call 1", "call 2", "end"]


def test_a_cancelled_item_stops_at_its_next_step_and_goes_on_there_when_it_is_resumed(
    databases: DurableDatabases,
) -> None:
    at_work, go_on = threading.Event(), threading.Event()

    def before(name: str) -> None:
        if name == "call 1" and not go_on.is_set():
            at_work.set()
            assert go_on.wait(HANG_SECONDS)

    recorder = Recorder(before)
    with running(databases, recorder) as engine:
        engine.submit([REF])
        assert at_work.wait(HANG_SECONDS)
        engine.cancel([REF])
        go_on.set()
        wait_until(lambda: engine.presence.wait_for_all(0.1))
        stopped = list(recorder.done)
        assert not engine.left()  # it is somebody else's now
        engine.resume([REF])
        recorder.wait()

    assert stopped == ["call 0", "call 1"]
    # The call under way when it was cancelled could not be noted any more; its answer was kept.
    assert recorder.done == ["call 0", "call 1", "call 2", "end"]


@pytest.mark.soak
def test_submitting_thousands_of_items_twice_queues_them_once(databases: DurableDatabases) -> None:
    count = 10_000 if IS_SOAK else 1_200  # more than two transactions
    items = [ItemRef("b-1", seq, 1) for seq in range(1, count + 1)]

    with running(databases, lambda _ref, _steps: None, workers=0) as engine:
        engine.submit(items)
        engine.submit(items)

        counted = "SELECT count(*) FROM " + ("" if "sqlite" in databases.system_url else "dbos.")
        with databases.system.connect() as connection:
            for table in ("workflow_status", "workflow_input"):
                assert connection.execute(sa.text(counted + table)).scalar_one() == count
            form = sa.text(counted.replace("count(*)", "DISTINCT serialization") + "workflow_status")
            assert connection.execute(form).scalars().all() == [
                "portable_json"
            ]  # nothing that runs code when read


def test_submitting_what_is_over_does_nothing(databases: DurableDatabases) -> None:
    recorder = Recorder()
    with running(databases, recorder) as engine:
        engine.submit([REF])
        recorder.wait()
        wait_until(lambda: not engine.claimed())
        engine.submit([REF])

        assert not engine.claimed()
        assert engine.sweep() == 1
        assert engine.sweep() == 0


def test_an_error_of_the_work_comes_out_of_the_step_as_it_is_and_is_not_noted(
    databases: DurableDatabases,
) -> None:
    tries: list[str] = []
    ended = threading.Event()

    def fail() -> Json:
        tries.append("step")
        raise KeyError("no such thing")

    def workflow(_ref: ItemRef, steps: Steps) -> None:
        if len(tries) < 2:
            with pytest.raises(KeyError, match="no such thing"):
                steps.step("load", fail)
            if len(tries) == 1:
                raise OSError("the disk is gone")
        ended.set()

    with running(databases, workflow) as engine:
        engine.submit([REF])
        wait_until(engine.left)
        assert engine.left() == {REF: True}
        assert engine.trouble == "the disk is gone"
        engine.give_back([REF])
        assert ended.wait(HANG_SECONDS)

    assert tries == ["step", "step"]


def test_an_error_in_the_last_transaction_leaves_nothing_of_it(databases: DurableDatabases) -> None:
    def fail_once(name: str) -> None:
        if name == "end" and not recorder.done.count("failed"):
            recorder.done.append("failed")
            raise ValueError

    recorder = Recorder(fail_once)

    with running(databases, recorder) as engine:
        engine.submit([REF])
        wait_until(engine.left)
        assert results(databases) == []
        engine.give_back([REF])
        recorder.wait()

    assert results(databases) == ["call 2"]
    assert recorder.done == ["call 0", "call 1", "call 2", "failed", "end"]


def test_an_item_whose_notes_do_not_fit_the_program_is_begun_again(databases: DurableDatabases) -> None:
    before, seen = interrupted_at("call 1")
    older = Recorder(before)
    with running(databases, older) as engine:
        engine.submit([REF])
        wait_until(lambda: seen.is_set() and engine.left())
    newer = Recorder()

    def other_steps(ref: ItemRef, steps: Steps) -> None:
        steps.step("look", lambda: None)
        newer(ref, steps)

    with running(databases, other_steps):
        newer.wait()

    assert newer.done == ["call 0", "call 1", "call 2", "end"]


def test_an_item_that_ended_elsewhere_and_was_swept_is_left_without_a_word(
    databases: DurableDatabases,
) -> None:
    left: list[Interrupted] = []

    def workflow(ref: ItemRef, steps: Steps) -> None:
        engine.forget([ref])  # as whoever ended it does, some time later
        try:
            steps.step("model", lambda: None)
        except Interrupted as interrupted:
            left.append(interrupted)
            raise

    with running(databases, workflow) as engine:
        engine.submit([REF])
        wait_until(lambda: left and not engine.presence.unfinished())

        assert (engine.trouble, engine.presence.left()) == ("", {})


def test_any_text_survives_being_noted(databases: DurableDatabases) -> None:
    text = "改得更轻松 \ud83d \x00 \u2028 😀"
    read: list[Json] = []
    before, seen = interrupted_at("again")
    ended = threading.Event()

    def workflow(_ref: ItemRef, steps: Steps) -> None:
        read.append(steps.step("load", lambda: {"text": text}))
        before("again")
        ended.set()

    with running(databases, workflow) as engine:
        engine.submit([REF])
        wait_until(lambda: seen.is_set() and engine.left())
        engine.give_back([REF])
        assert ended.wait(HANG_SECONDS)

    assert read == [{"text": text}, {"text": text}]


def test_no_more_run_at_once_than_there_are_workers(databases: DurableDatabases) -> None:
    lock, at_once, most, ended = threading.Lock(), 0, 0, threading.Semaphore(0)

    def workflow(_ref: ItemRef, steps: Steps) -> None:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        steps.step("wait", lambda: threading.Event().wait(0.05))
        with lock:
            at_once -= 1
        ended.release()

    with running(databases, workflow, workers=3) as engine:
        engine.submit([ItemRef("b-1", seq, 1) for seq in range(1, 31)])
        for _ in range(30):
            assert ended.acquire(timeout=HANG_SECONDS)

    assert most == 3


def test_draining_takes_nothing_new_and_waits_for_what_runs(databases: DurableDatabases) -> None:
    at_work, go_on = threading.Event(), threading.Event()

    def before(_name: str) -> None:
        at_work.set()
        assert go_on.wait(HANG_SECONDS)

    recorder = Recorder(before)
    with running(databases, recorder, workers=1) as engine:
        engine.submit([REF, ItemRef("b-1", 2, 1), ItemRef("b-1", 3, 1)])
        assert at_work.wait(HANG_SECONDS)
        assert not engine.drain(0.05)
        go_on.set()
        assert engine.drain(HANG_SECONDS)

    assert recorder.done == ["call 0", "call 1", "call 2", "end"]


def test_nothing_is_printed(sqlite_url: str) -> None:
    program = f"""
from script_editor.batch.dbos_engine import DbosEngine
from script_editor.batch.engine import ItemRef, Interrupted
from script_editor.store.durable import durable_databases
import threading
ended = threading.Semaphore(0)
def workflow(ref, steps):
    ended.release()
    steps.step("load", lambda: ref.seq)
    raise (Interrupted, OSError("gone"), SystemExit(1))[ref.seq % 3]
engine = DbosEngine(durable_databases({sqlite_url!r}, workers=4), queue="edits-test")
engine.start(workflow, workers=4)
items = [ItemRef("b-1", seq, 1) for seq in range(1, 10)]
engine.submit(items)
for _ in items:
    ended.acquire(timeout=30)
engine.cancel(items)
engine.drain(30)
engine.close()
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=HANG_SECONDS
    )

    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_without_the_extra_it_is_said_how_to_install_it() -> None:
    program = """
import sys
sys.modules["dbos"] = None
try:
    import script_editor.batch.dbos_engine
except Exception as error:
    print(type(error).__name__, error.exit_code, error.hint)
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=HANG_SECONDS
    )

    assert run.stdout.startswith(
        "MissingExtra 6 They are the extra script-editor[batch]; in its folder: pipx install"
    )
