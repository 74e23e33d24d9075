"""Items that count as run while nobody runs them: how they come to wait again.

A cancel writes first that items are cancelled, and then takes them away from the engine; a run with a sample does so
too. Whoever takes the batch up in between, and begins with items, has them taken away. Nobody would be told: as the engine
has it nobody claims them, and as the store has it somebody runs them.
"""

from collections.abc import Callable, Collection, Sequence

from script_editor.batch.engine import ItemRef, SharedEngine
from script_editor.batch.paging import each_item
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import BatchState, Item, ItemState
from script_editor.errors import NotFound

_RUNNING_BATCH: tuple[BatchState, ...] = ("running",)
_RUNNING: tuple[ItemState, ...] = ("running",)


class Strays:
    """Looks for such items in the batches that run: those of this process itself, and those of lost ones."""

    def __init__(
        self,
        engine: SharedEngine,
        batches: BatchStore,
        *,
        alive: Callable[[], Collection[str]],
        max_crashes: int,
    ):
        """Take an engine; `alive` returns the ids of the workers that live."""
        self._engine, self._batches = engine, batches
        self._alive, self._max_crashes = alive, max_crashes
        self._disturbed: set[str] = set()

    def was_disturbed(self, batch_id: str) -> bool:
        """Say, once, whether items of a batch were found: others of it may be missing in the queue as well."""
        found = batch_id in self._disturbed
        self._disturbed.discard(batch_id)
        return found

    def put_right(self) -> None:
        """Queue what is found again. For what this process was at nobody is blamed; for that of a lost one it is."""
        found = self._run()
        if not found:
            return
        # Both are asked after the items: whoever began with one of them since is known by now.
        claimed = {ref for ref, _worker_id in self._engine.claimed()}
        alive = self._alive()
        for item in found:
            ref = ItemRef(item.batch_id, item.job.seq, item.attempt)
            if item.worker_id == self._engine.worker_id:
                if ref not in self._engine.unfinished():
                    self._put_back(ref)
            elif item.worker_id not in alive and ref not in claimed:
                self._take(item, ref, alive)

    def _run(self) -> Sequence[Item]:
        """Return the items that count as run."""
        batches = [tally for tally in self._batches.batches(states=_RUNNING_BATCH) if tally.count("running")]
        return [
            item for tally in batches for item in each_item(self._batches, tally.batch.id, states=_RUNNING)
        ]

    def _put_back(self, ref: ItemRef) -> None:
        """Queue an item again that was taken away from this process, unless it has ended or somebody else has it."""
        own = self._engine.worker_id
        if self._batches.put_back(ref.batch_id, ref.seq, worker_id=own, is_stray=True):
            self._note(ref)
            self._engine.resume([ref])

    def _note(self, ref: ItemRef) -> None:
        if not self._engine.waiting([ref]):  # one that was given up, and came back to the queue, does
            self._disturbed.add(ref.batch_id)

    def _take(self, item: Item, ref: ItemRef, alive: Collection[str]) -> None:
        """Let an item of a lost worker wait again; it is queued by those who run its batch, with its other items."""
        assert item.worker_id is not None, "it was run by one"
        try:
            taken = self._batches.take_over(
                item.batch_id,
                item.job.seq,
                worker_id=item.worker_id,
                by=self._engine.worker_id,
                alive=alive,
                max_crashes=self._max_crashes,
            )
        except NotFound:
            return
        if taken is not None and taken.state == "queued":
            self._note(ref)
