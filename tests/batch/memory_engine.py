"""A durable engine in memory: it keeps what steps returned as JSON, and can be killed at any of them."""

import json
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Literal

from script_editor.batch.engine import Interrupted, ItemRef, Json, Steps, Workflow

Moment = Literal["before", "inside", "after"]


class Killed(BaseException):
    """The process is gone. No Exception: nothing of it may tidy up as if the work had failed."""


@dataclass(frozen=True, slots=True)
class Kill:
    """When to be killed: at the step of that number, from 0, before its work, after it but before it is recorded, or
    after that."""

    step: int
    moment: Moment


@dataclass
class Record:
    """What is durable of one workflow: name and result of each finished step, the result as JSON text."""

    steps: list[tuple[str, str]] = field(default_factory=list)
    state: Literal["queued", "running", "cancelled", "over"] = "queued"


class MemorySteps:
    """The steps of one run of a workflow over its record."""

    def __init__(
        self,
        record: Record,
        *,
        kill: Kill | None = None,
        begin: Callable[[], AbstractContextManager[object]] = nullcontext,
        is_stopping: Callable[[], bool] = lambda: False,
    ):
        self._record, self._kill, self._begin, self._stopping = record, kill, begin, is_stopping
        self._next = 0

    @property
    def is_stopping(self) -> bool:
        """Whether the engine is being closed."""
        return self._stopping()

    def is_own(self) -> bool:
        """See Steps.is_own: there is one process."""
        return True

    def step(self, name: str, work: Callable[[], Json]) -> Json:
        """See Steps.step."""
        number, known = self._turned(name)
        if known is not None:
            return json.loads(known)
        self._be_killed(number, "before")
        kept = json.dumps(work())
        self._be_killed(number, "inside")
        self._record.steps.append((name, kept))
        self._be_killed(number, "after")
        return json.loads(kept)

    def commit(self, name: str, work: Callable[[object], Json]) -> Json:
        """See Steps.commit: being killed inside rolls the transaction back."""
        number, known = self._turned(name)
        if known is not None:
            return json.loads(known)
        self._be_killed(number, "before")
        with self._begin() as connection:
            kept = json.dumps(work(connection))
            self._be_killed(number, "inside")
        self._record.steps.append((name, kept))  # in a real engine by the same transaction
        self._be_killed(number, "after")
        return json.loads(kept)

    def _turned(self, name: str) -> tuple[int, str | None]:
        number, self._next = self._next, self._next + 1
        if self._record.state == "cancelled":
            raise Interrupted
        if number >= len(self._record.steps):
            return number, None
        recorded, kept = self._record.steps[number]
        assert recorded == name, f"step {number} was {recorded!r} and is {name!r} now"
        return number, kept

    def _be_killed(self, number: int, moment: Moment) -> None:
        if self._kill == Kill(number, moment):
            raise Killed


class MemoryEngine:
    """Implements DurableEngine in this process; `begin` opens a transaction of the store and yields its connection."""

    def __init__(
        self,
        begin: Callable[[], AbstractContextManager[object]] = nullcontext,
        *,
        worker_id: str = "memory-1",
    ):
        self.worker_id = worker_id
        self._begin = begin
        self._records: dict[ItemRef, Record] = {}
        self._queue: deque[ItemRef] = deque()
        self._changed = threading.Condition()
        self._threads: list[threading.Thread] = []
        self._running = 0
        self._takes = self._is_closing = False

    def start(self, workflow: Workflow, *, workers: int) -> None:
        """See DurableEngine.start."""
        self._workflow, self._takes = workflow, True
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()

    def submit(self, items: Sequence[ItemRef]) -> None:
        """See DurableEngine.submit."""
        with self._changed:
            for item in items:
                if item not in self._records:
                    self._records[item] = Record()
                    self._queue.append(item)
            self._changed.notify_all()

    def cancel(self, items: Sequence[ItemRef]) -> None:
        """See DurableEngine.cancel."""
        with self._changed:
            for item in items:
                record = self._records.get(item)
                if record is not None and record.state != "over":
                    record.state = "cancelled"

    def resume(self, items: Sequence[ItemRef]) -> None:
        """See DurableEngine.resume."""
        self.submit(items)
        with self._changed:
            for item in items:
                record = self._records[item]
                if record.state in ("cancelled", "running") and item not in self._queue:
                    record.state = "queued"
                    self._queue.append(item)
            self._changed.notify_all()

    def forget(self, items: Sequence[ItemRef]) -> None:
        """See DurableEngine.forget."""
        with self._changed:
            for item in items:
                self._records.pop(item, None)

    def drain(self, timeout_seconds: float) -> bool:
        """See DurableEngine.drain."""
        with self._changed:
            self._takes = False
            self._changed.notify_all()
            return self._changed.wait_for(lambda: not self._running, timeout_seconds)

    def settle(self, timeout_seconds: float) -> bool:
        """Wait until nothing is queued and nothing runs, and say whether that came in time."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._queue or self._running), timeout_seconds)

    def close(self) -> None:
        """See DurableEngine.close."""
        with self._changed:
            self._is_closing, self._takes = True, False
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (item := self._taken()) is not None:
            record = self._records[item]
            steps: Steps = MemorySteps(record, begin=self._begin, is_stopping=lambda: self._is_closing)
            try:
                self._workflow(item, steps)
                record.state = "over"
            except Interrupted:
                pass  # its record stays, and `resume` queues it again
            finally:
                with self._changed:
                    self._running -= 1
                    self._changed.notify_all()

    def _taken(self) -> ItemRef | None:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or not self._takes)
            if not self._takes:
                return None
            item = self._queue.popleft()
            if self._records[item].state == "queued":
                self._records[item].state = "running"
            self._running += 1
            return item
