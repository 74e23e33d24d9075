"""What it takes to work on batches in one process: a model, an engine, and the threads that look after both."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from script_editor.app.errand import MakeRewriter
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.batch.calling import Caller
from script_editor.batch.engine import ItemRef, SharedEngine, Steps
from script_editor.batch.progress import Waiting
from script_editor.batch.worker import BatchWorker
from script_editor.batch.workflow import ItemWorkflow
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.ports import ScriptStore
from script_editor.errors import SetupError
from script_editor.llm.chat import ChatModel

MakeEngine = Callable[[str, int], SharedEngine]
"""Makes an engine for a queue and so many items at the same time; 0 takes none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """What the items of a process are done with.

    `model` makes one try for each call. `service` names it for the limits, without a secret; `queue` holds the items
    that this model is to do. `max_output_tokens` bounds its replies, None where nothing does. Every item is a run,
    and `journals` are told it as they are any other.
    """

    model: ChatModel
    service: str
    make_rewriter: MakeRewriter
    queue: str
    max_output_tokens: int | None = None
    journals: Journals = NO_JOURNAL


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
        self._engine = engine
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
        self._worker = BatchWorker(self._engine, batches)
        self._workers = workers

    @contextmanager
    def at_work(self) -> Iterator["Crew"]:
        """Take items from the queue during the block; what is not finished at its end goes back to the queue."""
        self._worker.start(self._workflow, workers=self._workers)
        try:
            yield self
        finally:
            self._worker.close()

    @property
    def worker_id(self) -> str:
        """Names this process among the workers."""
        return self._engine.worker_id

    @property
    def refusal(self) -> SetupError | None:
        """Why no model call of this process has a prospect, None as long as one may have."""
        return self._caller.prospect.refusal

    @property
    def waiting_for(self) -> Waiting | None:
        """What the model calls of this process wait for at present."""
        return self._caller.waits.now()

    def queue(self, items: Sequence[ItemRef], *, are_new: bool) -> None:
        """Put items into the queue; with `are_new` nobody can have begun with one of them."""
        if are_new:
            self._engine.submit(items)
        else:
            self._engine.resume(items)

    def withdraw(self, items: Sequence[ItemRef]) -> None:
        """Take items out of the queue, so that those of other batches are not kept waiting behind them."""
        self._engine.cancel(items)

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
