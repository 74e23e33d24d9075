"""What it takes to work on batches in one process: a model, an engine, and the threads that look after both."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from script_editor.app.errand import MakeRewriter
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.batch.calls.calling import Caller
from script_editor.batch.engine import Interrupted, ItemRef, SharedEngine, Steps
from script_editor.batch.items.workflow import ItemWorkflow
from script_editor.batch.progress import Waiting
from script_editor.batch.working import census
from script_editor.batch.working.machines import host_of, is_elsewhere
from script_editor.batch.working.worker import BatchWorker
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import SILENT_SECONDS, Batch
from script_editor.domain.ports import ScriptStore
from script_editor.errors import ModelFailure, ScriptEditorError, SetupError
from script_editor.llm.chat import ChatModel

_MOMENT_SECONDS = 1.0
"""An item that the queue gave out as the work ended has given itself up by then."""

MakeEngine = Callable[[str, int], SharedEngine]
"""Makes an engine for a queue and so many items at the same time; 0 takes none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """What the items of a process are done with.

    `model` makes one try for each call. `service` names it for the limits, without a secret; the `queue` of each batch
    holds the items that this model is to do. `max_output_tokens` bounds its replies, None where nothing does. Every
    item is a run, and `journals` are told it as they are any other. `is_file` says that the store is a file, which the
    processes of one machine alone can share.
    """

    model: ChatModel
    service: str
    make_rewriter: MakeRewriter
    queue: str
    max_output_tokens: int | None = None
    journals: Journals = NO_JOURNAL
    is_file: bool = False


class Crew:
    """The engine of a process while it works on items."""

    def __init__(
        self,
        place: Workplace,
        engine: SharedEngine,
        scripts: ScriptStore,
        batches: BatchStore,
        *,
        workers: int,
    ):
        self._engine, self._batches, self._place = engine, batches, place
        self.is_busy = False
        """Whether a model call was still under way when the work ended: its thread lives until it is answered."""
        self._caller = Caller(
            model=place.model,
            batches=batches,
            service=place.service,
            worker_id=self._engine.worker_id,
            max_output_tokens=place.max_output_tokens,
        )
        self._workflow = ItemWorkflow(
            scripts=scripts,
            batches=batches,
            model=place.model,
            make_rewriter=place.make_rewriter,
            sending=self._caller.sending,
            worker_id=self._engine.worker_id,
            journals=place.journals,
        )
        self._worker = BatchWorker(self._engine, batches, chore=self._caller.settling.catch_up)
        self._workers = workers

    def announce(self) -> None:
        """Count as a worker from now on, though nothing is taken yet: a batch that this process takes up is left to it
        by those who leave. To be followed by `at_work`, or by `retire`."""
        self._worker.announce()

    def retire(self) -> None:
        """Count as a worker no longer; where that cannot be written, the others find out that this process is gone."""
        self._worker.retire()

    @contextmanager
    def at_work(self) -> Iterator["Crew"]:
        """Take items from the queue during the block; what is not finished at its end goes back to the queue.

        Raises SetupError where the store is a file and another machine works on it.
        """
        self.check_machines()
        self._worker.start(self._work_on, workers=self._workers)
        try:
            self.check_machines()  # of two that began in the same moment
            yield self
        finally:
            self.is_busy = not self._worker.drain(_MOMENT_SECONDS)
            self._worker.close()

    def _work_on(self, ref: ItemRef, steps: Steps) -> None:
        """Work on an item; one that is given up since its batch is paused waits again, as everybody can see."""
        try:
            self._workflow(ref, steps)
        except Interrupted:
            with suppress(ScriptEditorError):  # then it is put back when this process leaves
                self._batches.put_back(ref.batch_id, ref.seq, worker_id=self.worker_id)
            raise

    def check_machines(self) -> None:
        """Raises SetupError where the locks of a file would not keep others from what is written here."""
        if not self._place.is_file:
            return
        others = [each for each in self._batches.workers(silent_seconds=SILENT_SECONDS) if is_elsewhere(each)]
        if others:
            raise SetupError(
                f"The host {host_of(others[0])!r} works on batches of this store as well, and the store is a SQLite "
                "file: what several machines write to one over a network can destroy it.",
                hint="Run it where the others run, or wait a minute after they have ended. Several machines share a "
                "store in PostgreSQL: --db postgresql://…",
            )

    def others(self, batch: Batch) -> int:
        """Return how many other processes take items of a batch at present; of a sample, those that were begun for it."""
        return census.others(self._batches, batch, queue=self._place.queue, besides=self.worker_id)

    def is_run_elsewhere(self, batch_id: str) -> bool:
        """Say whether another process was begun to run this batch, and lives."""
        return census.is_run(self._batches, batch_id, besides=self.worker_id)

    @property
    def worker_id(self) -> str:
        """Names this process among the workers."""
        return self._engine.worker_id

    @property
    def refusal(self) -> SetupError | ModelFailure | None:
        """Why no model call of this process has a prospect, None as long as one may have."""
        return self._caller.breaker.refusal

    @property
    def waiting_for(self) -> Waiting | None:
        """What the model calls of this process wait for at present."""
        return "store" if self._worker.is_kept_waiting else self._caller.waits.now()

    @property
    def trouble(self) -> str:
        """What keeps this process from saying that it lives, or from looking after the others; "" if nothing does."""
        return self._worker.trouble

    def was_disturbed(self, batch_id: str) -> bool:
        """Say, once, whether items of a batch were found that counted as run and were not: see `strays`."""
        return self._worker.strays.was_disturbed(batch_id)

    def hurry(self) -> None:
        """Wait for locks only shortly from now on: a person wants to leave."""
        self._worker.hurry()

    def queue(self, items: Sequence[ItemRef], *, are_new: bool) -> None:
        """Put items into the queue; with `are_new` nobody can have begun with one of them."""
        if are_new:
            self._engine.submit(items)
        else:
            self._engine.resume(items)

    def attend(self, batch_ids: Collection[str]) -> None:
        """Take items of these batches from now on, and of no others; to be said again now and then while it is so."""
        self._engine.attend(batch_ids)

    def begun(self, batch_id: str) -> int:
        """Return how many items of a batch this process is at: the store counts those of all processes as running, and
        those of a lost one until somebody finds out."""
        return self._engine.begun(batch_id)

    def drain(self, timeout_seconds: float) -> bool:
        """Take no more items, and say whether those that run ended in time."""
        return self._worker.drain(timeout_seconds)


@contextmanager
def engine_alone(make_engine: MakeEngine) -> Iterator[SharedEngine]:
    """Return an engine that works on nothing, to take items out of the queue or to clean up."""
    engine = make_engine("", 0)
    engine.start(_never, workers=0)
    try:
        yield engine
    finally:
        engine.close()


def _never(_ref: ItemRef, _steps: Steps) -> None:
    raise AssertionError("an engine without workers takes no items")
