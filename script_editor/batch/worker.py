"""What a process does besides the items: it says that it lives, and takes over the work of those that do not.

No process ever has the name of an earlier one, so nothing is gone on with by itself: an item whose worker is gone
goes back to the queue because some other worker, or the next one, found it.
"""

import os
import socket
import sys
import threading
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from script_editor.batch.engine import ItemRef, SharedEngine, Steps, Workflow
from script_editor.batch.isolation import Isolation
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import ENDED, BatchState, Worker
from script_editor.errors import NotFound, ScriptEditorError

BEAT_SECONDS = 5.0
SILENT_SECONDS = 60.0
LOOK_SECONDS = 10.0
MAX_CRASHES = 3
SUSPECT_CRASHES = 2
"""An item that was there in so many crashes is run alone."""


class BatchWorker:
    """One process that works on batches, from `start` to `close`.

    A worker counts as gone after `silent_seconds` without a sign of life, or at once where its process is known to
    have ended. The item that it was at is tried again, and is dead after more than `max_crashes` lost workers.
    """

    def __init__(
        self,
        engine: SharedEngine,
        batches: BatchStore,
        *,
        beat_seconds: float = BEAT_SECONDS,
        silent_seconds: float = SILENT_SECONDS,
        look_seconds: float = LOOK_SECONDS,
        max_crashes: int = MAX_CRASHES,
    ):
        self._engine, self._batches = engine, batches
        self._beat_seconds, self._look_seconds = beat_seconds, look_seconds
        self._silent_seconds, self._max_crashes = silent_seconds, max_crashes
        self._host = place()
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self.trouble: ScriptEditorError | None = None
        """What last kept this process from looking after the others, until it succeeds again."""

    def start(self, workflow: Workflow, *, workers: int) -> None:
        """Begin to work on at most `workers` items at the same time, and to look after the others."""
        self._batches.register_worker(self._engine.worker_id, host=self._host, pid=os.getpid())
        try:
            self._engine.start(self._apart(workflow), workers=workers)
        except BaseException:
            self._batches.forget_worker(self._engine.worker_id)
            raise
        self._every(self._beat_seconds, self._beat, name="batch-beat")
        self._every(self._look_seconds, self.look, name="batch-look")

    def _apart(self, workflow: Workflow) -> Workflow:
        """Return the workflow with suspects run alone, so that the next crash is blamed on one item."""
        room = Isolation()

        def run(ref: ItemRef, steps: Steps) -> None:
            is_suspect = self._batches.item(ref.batch_id, ref.seq).crashes >= SUSPECT_CRASHES
            with room.entered(alone=is_suspect, is_stopping=lambda: steps.is_stopping):
                workflow(ref, steps)

        return run

    def drain(self, timeout_seconds: float) -> bool:
        """Take no more items, wait for those that run, and say whether all of them ended in time."""
        return self._engine.drain(timeout_seconds)

    def close(self) -> None:
        """Leave in order: what is not finished goes back to the queue, and nobody has to find out."""
        self._ending.set()
        for thread in self._threads:
            thread.join(self._look_seconds)
        with suppress(ScriptEditorError):  # somebody will, later
            self._sweep()
        self._engine.close()
        self._batches.forget_worker(self._engine.worker_id)

    def _every(self, seconds: float, work: Callable[[], None], *, name: str) -> None:
        """Do `work` now and then, in a thread that keeps nobody from leaving."""

        def repeat() -> None:
            while not self._ending.is_set():
                try:
                    work()
                    self.trouble = None
                except ScriptEditorError as error:  # the store may be back the next time
                    self.trouble = error
                self._ending.wait(seconds)

        thread = threading.Thread(target=repeat, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _beat(self) -> None:
        self._batches.beat(self._engine.worker_id)

    # --- looking after the others ------------------------------------------------------------

    def look(self) -> None:
        """Take over the work of lost workers, go on with what was given up, and delete records of what is over."""
        self._take_over_lost()
        self._go_on()
        self._sweep()

    def _sweep(self) -> None:
        while self._engine.sweep():
            pass

    def _take_over_lost(self) -> None:
        alive, lost = self._known()
        for ref, worker_id in self._engine.claimed():
            if worker_id not in alive:
                lost.add(worker_id)
                self._take_over(ref, worker_id)
        for worker_id in lost:
            self._batches.release_permits(worker_id)

    def _known(self) -> tuple[set[str], set[str]]:
        """Return the ids of the workers that live, and of those that still seem to, but have ended."""
        found = self._batches.workers(silent_seconds=self._silent_seconds)
        ended = {worker.id for worker in found if self._has_ended(worker)}
        return {worker.id for worker in found} - ended, ended

    def _has_ended(self, worker: Worker) -> bool:
        if worker.id == self._engine.worker_id or worker.host != self._host:
            return False
        return worker.pid == os.getpid() or not _is_running(worker.pid)

    def _take_over(self, ref: ItemRef, worker_id: str) -> None:
        if self._is_open_after_crash(ref, worker_id):
            self._engine.take_over([ref], worker_id=worker_id)
        else:
            self._engine.forget([ref])

    def _is_open_after_crash(self, ref: ItemRef, worker_id: str, *, reason: str = "") -> bool:
        """Note that an item's worker was lost, or was kept from it by `reason`, and say whether it is to be gone on with."""
        try:
            item = self._batches.count_crash(
                ref.batch_id, ref.seq, worker_id=worker_id, max_crashes=self._max_crashes, reason=reason
            )
        except NotFound:
            return False
        # A cancelled item may be taken up again, where it stood.
        return item.attempt == ref.attempt and item.state not in ENDED - {"cancelled"}

    def _go_on(self) -> None:
        """Queue what this process gave up while its batch runs; what fails again and again ends as a crash does."""
        own = self._engine.worker_id
        for ref, has_failed in self._engine.left().items():
            state = self._state(ref.batch_id)
            if state is None:
                self._engine.forget([ref])
            elif state == "running":
                if not has_failed or self._is_open_after_crash(ref, own, reason=self._engine.trouble):
                    self._engine.give_back([ref])
                else:
                    self._engine.forget([ref])

    def _state(self, batch_id: str) -> BatchState | None:
        try:
            return self._batches.batch(batch_id).state
        except NotFound:
            return None


def living(batches: BatchStore, *, besides: str) -> tuple[Worker, ...]:
    """Return the workers that live, `besides` one; those whose process is known to have ended do not."""
    here = place()
    return tuple(
        worker
        for worker in batches.workers(silent_seconds=SILENT_SECONDS)
        if worker.id != besides
        and (worker.host != here or (worker.pid != os.getpid() and _is_running(worker.pid)))
    )


def is_alone(batches: BatchStore) -> bool:
    """Say whether no other process works on batches at present, besides the one that asks."""
    return len(batches.workers(silent_seconds=SILENT_SECONDS)) <= 1


def leave_at_once(exit_code: int) -> NoReturn:
    """End the process without waiting for model calls that are under way, which a normal end would."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_code)


def place() -> str:
    """Return where process ids mean what they mean here: the host's name, and which of its kernels and containers."""
    marks = []
    with suppress(OSError):  # only Linux has them; elsewhere the name must do
        marks.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8"))
        marks.append(str(Path("/proc/self/ns/pid").readlink()))
    return f"{socket.gethostname()}/{zlib.crc32(repr(marks).encode()):08x}"


def _is_running(pid: int) -> bool:
    """Say whether there is such a process here; True where nobody can know."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
