"""Batches for real worker processes, and the service that they call: what the tests of crashes share."""

import json
import multiprocessing
import os
import re
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from script_editor.batch.engine import ItemRef
from script_editor.domain.batches import Bounds, Item, Job, Recipe, Target
from script_editor.llm.chat import ToolCall
from script_editor.store.batch_store import SqlBatchStore
from script_editor.store.durable import records_file
from script_editor.store.sql import open_store
from tests.batch.processes import Orders, work
from tests.store.support import ALICE, engine_of, raw
from tests.support.openai_server import Behaviour, Exchange, OpenAIServer, ReceivedRequest, completion

HANG_SECONDS = 120.0
"""Nothing here takes nearly as long: a test that reaches it hangs."""
CALLS = 3
"""An item takes so many: two of the agent, with one of the rewriter between them."""

_forked = multiprocessing.get_context("forkserver")
_forked.set_forkserver_preload(["tests.batch.processes"])  # importing it takes longer than most of the tests
_SCRIPT = re.compile(r"video_[0-9]{6}")
_WRITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND (state = 'active' OR backend_xid IS NOT NULL)"
)
_FIRST_LINE = re.compile(r"(S1:[0-9a-z]+) \| ([^\n]*)")


@dataclass
class Service:
    """A model that adds a word to the first line in three calls, and counts the calls of each script."""

    seconds: float = 0.0
    calls: Counter[tuple[str, str]] = field(default_factory=Counter)
    on_call: Callable[[str, str], None] = lambda _script_id, _kind: None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, request: ReceivedRequest) -> Behaviour:
        """Choose the answer to a request."""
        script_id, kind = self._read(request.body)
        with self._lock:
            self.calls[script_id, kind] += 1
        self.on_call(script_id, kind)
        answer = self._answer(request.body, script_id, kind)

        def behave(exchange: Exchange) -> None:
            if self.seconds:
                exchange.wait(self.seconds)
            answer(exchange)

        return behave

    @property
    def total(self) -> int:
        """All calls."""
        return self.calls.total()

    def _read(self, body: dict[str, Any]) -> tuple[str, str]:
        text = json.dumps(body["messages"], ensure_ascii=False)
        found = _SCRIPT.search(text)
        assert found is not None, text
        return found[0], asks_for(body)

    def _answer(self, body: dict[str, Any], script_id: str, kind: str) -> Behaviour:
        if kind == "plan":
            names = {tool["function"]["name"] for tool in body["tools"]}
            name = "modify_script" if "modify_script" in names else "preview"
            wish = {"script_id": script_id, "instruction": "Add a word to the first line."}
            return completion(None, tool_calls=[ToolCall("call_1", name, json.dumps(wish))])
        if kind == "answer":
            return completion("The first line has one more word.")
        line = _FIRST_LINE.search(body["messages"][-1]["content"])
        assert line is not None, body["messages"]
        operations = {"ops": [{"op": "replace", "id": line[1], "text": f"{line[2]} really"}], "need": None}
        return completion(json.dumps(operations))


def asks_for(body: dict[str, Any]) -> str:
    """Return which of an item's calls a request is: "plan", "rewrite" or "answer"."""
    if "tools" not in body:
        return "rewrite"
    is_told = any(message["role"] == "tool" for message in body["messages"])
    return "answer" if is_told else "plan"


def text_of(number: int) -> str:
    """Return a script's text; it names the script, so that the service knows for whom it works."""
    return f"Welcome to video_{number:06}\nHave a look at it\nSee you next time\n"


class WorkerProcess:
    """A process that works on a batch."""

    def __init__(self, orders: Orders):
        self._pipe, other = _forked.Pipe()
        self._process = _forked.Process(target=work, args=(orders, other), daemon=True)
        self._process.start()
        other.close()

    def next_word(self) -> str:
        """Return what the process tells next; "" when it has ended."""
        if not self._pipe.poll(HANG_SECONDS):
            raise AssertionError("The worker hangs.")
        try:
            return str(self._pipe.recv())
        except EOFError:
            return ""

    def end(self) -> str:
        """Wait until the process ends, and return its last word."""
        said = ""
        while word := self.next_word():
            said = word
        self._process.join(HANG_SECONDS)
        return said

    @property
    def exit_code(self) -> int | None:
        """The exit code, or the signal that ended it as a negative number."""
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        """Send the process a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Kill the process, if it still runs, and wait until it is gone."""
        self._process.kill()
        self._process.join(HANG_SECONDS)
        self._pipe.close()


@dataclass
class Work:
    """A running batch over scripts of its own, and the processes that work on it."""

    url: str
    service: Service
    base_url: str
    batch_id: str
    count: int
    requests: Sequence[ReceivedRequest] = ()
    """What the service was asked, in the order it came."""
    processes: list[WorkerProcess] = field(default_factory=list)

    def begin(self, **orders: Any) -> WorkerProcess:
        """Start a worker process, and wait until it takes items."""
        process = self.begin_soon(**orders)
        said = process.next_word()
        assert said == "ready", said
        return process

    def begin_soon(self, **orders: Any) -> WorkerProcess:
        """Start a worker process."""
        process = WorkerProcess(
            Orders(url=self.url, base_url=self.base_url, batch_id=self.batch_id, **orders)
        )
        self.processes.append(process)
        return process

    def finish(self, **orders: Any) -> None:
        """Start a worker, and wait until everything is over."""
        said = self.begin(**orders).end()
        assert said == "over", said

    def put_to_sleep(self, process: WorkerProcess) -> None:
        """Let a process stand still (SIGSTOP) at a moment at which it has no lock of a database.

        One that is stopped in the middle of a write keeps everybody else from writing until it goes on; what that
        comes to is tested by itself, in `test_locked_files`.
        """
        deadline = time.monotonic() + HANG_SECONDS
        while True:
            process.send_signal(signal.SIGSTOP)
            if not any(self._is_locked_after(0.1) for _ in range(2)):
                return
            process.send_signal(signal.SIGCONT)
            assert time.monotonic() < deadline, "it was locked each time"
            time.sleep(0.01)

    def _is_locked_after(self, seconds: float) -> bool:
        """Say whether anybody is in a transaction that may have locked something, a moment later: what the process had
        asked the system or a server for is still carried out."""
        time.sleep(seconds)
        if self.url.startswith("sqlite"):
            store = Path(str(sa.make_url(self.url).database))
            return any(_is_locked_file(path) for path in (store, records_file(store)))
        # Whoever wrote something, or locked a row, has a transaction with a number, and a statement that is carried
        # out may still come to one. Transactions that only read keep nobody from writing, and one of them is open nearly
        # all the time: in it the engine holds the lock of its chores, which the others try for and go on without.
        with raw(self.url) as connection:
            return bool(connection.execute(sa.text(_WRITING)).scalar_one())

    def stop_all(self) -> None:
        """Kill what still runs."""
        for process in self.processes:
            process.kill()

    @contextmanager
    def store(self) -> Iterator[SqlBatchStore]:
        """Yield the batches."""
        with engine_of(self.url) as engine:
            yield SqlBatchStore(engine)

    def items(self) -> tuple[Item, ...]:
        """Return all items."""
        with self.store() as batches:
            return batches.items(self.batch_id)

    def asked(self, number: int) -> list[dict[str, Any]]:
        """Return what the service was asked for a script, in the order it came."""
        name = f"video_{number:06}"
        return [each.body for each in self.requests if name in json.dumps(each.body["messages"])]

    def refs(self) -> list[ItemRef]:
        """Return all items, as the engine knows them."""
        return [ItemRef(self.batch_id, item.job.seq, item.attempt) for item in self.items()]

    def states(self) -> Counter[str]:
        """Count the items by state."""
        return Counter(item.state for item in self.items())

    @property
    def is_open(self) -> bool:
        """Whether anything waits or runs."""
        return bool(self.states()["queued"] + self.states()["running"])

    def wait(self, come_true: Callable[[], bool]) -> None:
        """Wait until something is true."""
        deadline = time.monotonic() + HANG_SECONDS
        while not come_true():
            assert time.monotonic() < deadline, f"still not so: {self.states()}, {self.service.total} calls"
            time.sleep(0.02)

    def wait_for_calls(self, count: int) -> None:
        """Wait until there were so many more calls, or nothing is left to be called for."""
        until = self.service.total + count
        self.wait(lambda: self.service.total >= until or not self.is_open)

    def assert_applied_once(self, *, numbers: Sequence[int] | None = None) -> None:
        """Check that each script was edited by its item, and by that only once."""
        wanted = numbers or range(1, self.count + 1)
        with open_store(self.url, create=False) as scripts:
            for number in wanted:
                history = scripts.history(f"video_{number:06}")
                assert [version.number for version in history] == [2, 1], number
                first = scripts.head(f"video_{number:06}").text.splitlines()[0]
                assert first == f"Welcome to video_{number:06} really"
        with raw(self.url) as connection:
            made = sa.text("SELECT count(*) FROM version WHERE batch_id IS NOT NULL")
            assert connection.execute(made).scalar_one() == len(wanted)


def _is_locked_file(path: Path) -> bool:
    with closing(sqlite3.connect(path, timeout=0.0, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
    return False


@contextmanager
def working(
    url: str,
    count: int,
    *,
    seconds: float = 0.0,
    target: Target = "apply",
    mode: str = "tools",
    service: Service | None = None,
) -> Iterator[Work]:
    """Yield a batch that runs over `count` scripts; whatever works on it is killed at the end.

    The service takes `seconds` for each call, unless another `service` is given.
    """
    service = service or Service(seconds)
    with open_store(url, create=False) as scripts:
        for number in range(1, count + 1):
            scripts.create(f"video_{number:06}", text_of(number), provenance=ALICE)
    recipe = Recipe(instruction="Add a word.", author="alice", model="test-model", mode=mode, prompts="p")
    jobs = [
        Job(
            seq=number,
            script_id=f"video_{number:06}",
            base_number=1,
            instruction="Add a word to the first line.",
            key=f"key-{number}",
        )
        for number in range(1, count + 1)
    ]
    with engine_of(url) as engine:
        batches = SqlBatchStore(engine)
        batch = batches.create_batch(recipe, jobs, target=target, bounds=Bounds())
        batches.set_state(batch.id, "running")
    with OpenAIServer(service) as server:
        made = Work(url, service, server.base_url, batch.id, count, server.requests)
        try:
            yield made
        finally:
            made.stop_all()
