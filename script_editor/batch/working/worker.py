"""What a process does besides the items: it says that it lives, and takes over the work of those that do not.

No process ever has the name of an earlier one, so nothing is gone on with by itself: an item whose worker is gone
goes back to the queue because some other worker, or the next one, found it.
"""

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

from script_editor.batch.engine import ItemRef, SharedEngine, Steps, Workflow
from script_editor.batch.working.isolation import Isolation
from script_editor.batch.working.machines import is_running, place
from script_editor.batch.working.strays import Strays
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import ENDED, SILENT_SECONDS, BatchState, Item, Worker
from script_editor.errors import NotFound, ScriptEditorError

BEAT_SECONDS = 5.0
LOOK_SECONDS = 10.0
MOMENT_SECONDS = 2.0
"""A sign of life takes longer only where the store is locked."""
JOIN_SECONDS = 5.0
"""How long the end waits for what was being looked after."""
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
        chore: Callable[[], None] = lambda: None,
    ):
        """Take an engine; `chore` is done at each look, and once more at the end."""
        self._engine, self._batches = engine, batches
        self._beat_seconds, self._look_seconds = beat_seconds, look_seconds
        self._silent_seconds, self._max_crashes = silent_seconds, max_crashes
        self._host = place()
        self._chore = chore
        self.strays = Strays(engine, batches, alive=lambda: self._known()[0], max_crashes=max_crashes)
        """What counts as run while nobody runs it."""
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._troubles: dict[str, Exception] = {}
        self._beating_since: float | None = None

    def announce(self) -> None:
        """Be seen as a worker from now on, before `start`; see `Crew.announce`."""
        self._register()

    def retire(self) -> None:
        """Be seen as one no longer, where nothing was started."""
        with suppress(ScriptEditorError):
            self._forget()

    def start(self, workflow: Workflow, *, workers: int) -> None:
        """Begin to work on at most `workers` items at the same time, and to look after the others."""
        self._batches.hurry(is_leaving=False)
        self._give_sign()  # by which it is registered, unless it was announced
        try:
            self._engine.start(self._apart(workflow), workers=workers)
        except BaseException:
            with suppress(ScriptEditorError):  # what stands in the way of the one may do so of the other
                self._batches.forget_worker(self._engine.worker_id)
            raise
        self._every(self._beat_seconds, self._beat, name="batch-beat")
        self._every(self._look_seconds, self._look, name="batch-look")

    @property
    def trouble(self) -> str:
        """What last kept this process from saying that it lives, or from looking after the others, until it succeeds
        again; "" if nothing does."""
        return "; ".join(dict.fromkeys(_said(error) for error in tuple(self._troubles.values())))

    @property
    def is_kept_waiting(self) -> bool:
        """Whether the store is locked for longer than a moment: not even a sign of life can be written."""
        since = self._beating_since
        return since is not None and time.monotonic() - since > MOMENT_SECONDS

    def hurry(self) -> None:
        """Wait for locks only shortly from now on: the process wants to leave."""
        self._batches.hurry(is_leaving=True)
        self._engine.hurry()

    def _register(self) -> None:
        self._batches.register_worker(self._engine.worker_id, host=self._host, pid=os.getpid())

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
        """Leave in order: what is not finished goes back to the queue, and nobody has to find out.

        Where the store cannot be written, somebody has to; what came of the work is not lost for that. Whoever goes on
        with the store afterwards waits for locks only shortly, until `hurry` of the store says otherwise.
        """
        self._ending.set()
        self.hurry()
        end = time.monotonic() + min(self._look_seconds, JOIN_SECONDS)
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        # What cannot be done for the store is done by somebody, later.
        for work in (self._chore, self._sweep, self._engine.close, self._forget):
            with suppress(ScriptEditorError):
                work()

    def _forget(self) -> None:
        self._batches.forget_worker(self._engine.worker_id)

    def _every(self, seconds: float, work: Callable[[], None], *, name: str) -> None:
        """Do `work` now and then, in a thread that keeps nobody from leaving."""

        def repeat() -> None:
            while not self._ending.is_set():
                try:
                    work()
                    self._troubles.pop(name, None)
                except Exception as error:  # whatever it is: a worker that says nothing is taken for lost
                    self._troubles[name] = error
                self._ending.wait(seconds)

        thread = threading.Thread(target=repeat, name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _beat(self) -> None:
        self._beating_since = time.monotonic()
        try:
            self._give_sign()
        finally:
            self._beating_since = None

    def _give_sign(self) -> None:
        if not self._batches.beat(self._engine.worker_id) and not self._ending.is_set():
            self._register()  # it slept for so long that others took it for lost

    # --- looking after the others ------------------------------------------------------------

    def _look(self) -> None:
        self._chore()
        self.look()

    def look(self) -> None:
        """Take over the work of lost workers, go on with what was given up, and delete records of what is over."""
        self._take_over_lost()
        self.strays.put_right()
        self._go_on()
        self._sweep()

    def _sweep(self) -> None:
        while self._engine.sweep():
            pass

    def _take_over_lost(self) -> None:
        claimed = self._engine.claimed()  # first: whoever claims one later would not be among the workers yet
        alive, ended = self._known()
        for ref, worker_id in claimed:
            if worker_id not in alive:
                self._take_over(ref, worker_id, alive)
        # Whatever they were at: of a batch that was cancelled nothing is claimed any more.
        silent = self._batches.lost_workers(silent_seconds=self._silent_seconds)
        for worker_id in (ended | silent) - {self._engine.worker_id}:
            self._batches.forget_lost(worker_id)

    def _known(self) -> tuple[set[str], set[str]]:
        """Return the ids of the workers that live, and of those that still seem to, but have ended.

        This one lives, whatever kept it from saying so: a locked store, or a machine with too much to do.
        """
        found = self._batches.workers(silent_seconds=self._silent_seconds)
        ended = {worker.id for worker in found if self._has_ended(worker)}
        return {self._engine.worker_id, *(worker.id for worker in found)} - ended, ended

    def _has_ended(self, worker: Worker) -> bool:
        if worker.id == self._engine.worker_id or worker.host != self._host:
            return False
        return worker.pid == os.getpid() or not is_running(worker.pid)

    def _take_over(self, ref: ItemRef, worker_id: str, alive: set[str]) -> None:
        try:
            item = self._batches.take_over(
                ref.batch_id,
                ref.seq,
                worker_id=worker_id,
                by=self._engine.worker_id,
                alive=alive,
                max_crashes=self._max_crashes,
            )
        except NotFound:
            return self._engine.forget([ref])
        if item is None:
            return None  # another worker has found it as well, and was first
        if self._is_open(item, ref):
            return self._engine.take_over([ref], worker_id=worker_id)
        return self._engine.forget([ref])

    def _is_open_after_failure(self, ref: ItemRef) -> bool:
        """Note that this worker was kept from an item, and say whether it is to be gone on with."""
        try:
            item = self._batches.count_crash(
                ref.batch_id,
                ref.seq,
                worker_id=self._engine.worker_id,
                max_crashes=self._max_crashes,
                reason=self._engine.trouble,
            )
        except NotFound:
            return False
        return self._is_open(item, ref)

    @staticmethod
    def _is_open(item: Item, ref: ItemRef) -> bool:
        # A cancelled item may be taken up again, where it stood.
        return item.attempt == ref.attempt and item.state not in ENDED - {"cancelled"}

    def _go_on(self) -> None:
        """Queue what this process gave up while its batch runs; what fails again and again ends as a crash does."""
        for ref, has_failed in self._engine.left().items():
            state = self._state(ref.batch_id)
            if state is None:
                self._engine.forget([ref])
            elif state == "running":
                if not has_failed or self._is_open_after_failure(ref):
                    self._engine.give_back([ref])
                else:
                    self._engine.forget([ref])

    def _state(self, batch_id: str) -> BatchState | None:
        try:
            return self._batches.batch(batch_id).state
        except NotFound:
            return None


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, ScriptEditorError) else f"{type(error).__name__}: {error}"


def living(batches: BatchStore, *, besides: str) -> tuple[Worker, ...]:
    """Return the workers that live, `besides` one; those whose process is known to have ended do not."""
    here = place()
    return tuple(
        worker
        for worker in batches.workers(silent_seconds=SILENT_SECONDS)
        if worker.id != besides
        and (worker.host != here or (worker.pid != os.getpid() and is_running(worker.pid)))
    )


def is_alone(batches: BatchStore) -> bool:
    """Say whether no other process works on batches at present, besides the one that asks."""
    return len(batches.workers(silent_seconds=SILENT_SECONDS)) <= 1


def leave_at_once(exit_code: int) -> NoReturn:
    """End the process without waiting for model calls that are under way, which a normal end would."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(exit_code)
