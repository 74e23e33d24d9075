"""The engine as a batch knows it: which items are queued, which are run here, and what becomes of those given up."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import assert_never

from script_editor.batch.dbos_engine.binding import Binding, Record
from script_editor.batch.dbos_engine.databases import Databases
from script_editor.batch.dbos_engine.steps import ItemRun, Outcome
from script_editor.batch.dbos_engine.unrecorded import Unrecorded
from script_editor.batch.engine import PASSING, Interrupted, ItemRef, Workflow
from script_editor.batch.presence import Presence
from script_editor.batch.queues import is_same_work, new_worker_id, of_batch
from script_editor.errors import StoreUnusable


class DbosEngine:
    """Runs items as DBOS workflows; see `SharedEngine`.

    `queue` is shared by the processes that can do the same work. With ALL in it items wait in the queue of their
    batch, and are taken from those that `attend` names. `is_alone` says whether no other process takes from it at
    present: how many items a process may take is stored with the queue, for all of them.

    An item is in the queue, or claimed by one process, or cancelled, or over. Two methods bring one back to the queue:
    `resume` whatever became of it, as long as no other process has it, and `take_over` from a process that has it.
    """

    def __init__(
        self,
        databases: Databases,
        *,
        queue: str,
        worker_id: str | None = None,
        is_alone: Callable[[], bool] = lambda: True,
    ):
        self.worker_id = worker_id or new_worker_id(queue)
        self.trouble = ""
        """What last counted against an item that was given up for now; "" if nothing did."""
        self.presence = Presence(0)
        self._databases, self._queue, self._is_alone = databases, queue, is_alone
        self._unrecorded = Unrecorded()
        self._binding = Binding(databases, queue=queue, worker_id=self.worker_id)

    # --- from start to end -------------------------------------------------------------------

    def start(self, workflow: Workflow, *, workers: int) -> None:
        """Begin to take items from the queue.

        Raises:
            StoreLocked, StoreUnusable: the records cannot be opened.
        """
        self._databases.hurry(is_leaving=False)
        self.presence, self._workers = Presence(workers), workers
        self._item_run = ItemRun(workflow, self._binding, self._databases, self.presence, self._unrecorded)
        self._binding.start(self._run, workers=workers, is_alone=self._is_alone)

    def attend(self, batch_ids: Collection[str]) -> None:
        """Take items of these batches from now on, and of no others."""
        queues = [of_batch(self._queue, batch_id) for batch_id in batch_ids]
        self._binding.attend(queues, workers=self._workers, is_alone=self._is_alone)

    def drain(self, timeout_seconds: float) -> bool:
        """Take no more items, and wait for those that run."""
        self.presence.stopping.set()
        self._binding.stop_taking()
        return self.presence.wait_for_all(timeout_seconds)

    def hurry(self) -> None:
        """Wait for locks only shortly from now on."""
        self._databases.hurry(is_leaving=True)

    def close(self) -> None:
        """Leave; what this process did not finish goes back to the queue at once.

        A model call that is under way is not waited for: its thread lives until it is answered.

        Raises:
            StoreLocked, StoreUnusable: nothing could be given back; others find out that this process is gone.
        """
        self.presence.stopping.set()
        self.presence.leaving.set()
        self.hurry()
        self._binding.stop()
        try:
            self.give_back(self.presence.unfinished())
        finally:
            self._binding.close()

    # --- the queue ---------------------------------------------------------------------------

    def submit(self, items: Sequence[ItemRef]) -> None:
        """Queue items of which nothing is recorded; others are left alone."""
        self._binding.enqueue(items)

    def cancel(self, items: Sequence[ItemRef]) -> None:
        """Take items away from the queue and from whoever runs them."""
        self._binding.cancel(items)

    def resume(self, items: Sequence[ItemRef]) -> None:
        """Queue items whatever became of them, unless another process has them: cancelled ones, those of another
        queue, those that this process gave up, and those of which nothing is recorded that fits."""
        known = self._binding.records(items)
        over = [ref for ref, record in known.items() if record.is_over]
        self.forget(over)
        self.submit([*over, *(ref for ref in items if ref not in known)])
        of_queue: dict[str, list[ItemRef]] = {}
        for ref, record in known.items():
            if record.status == "CANCELLED" or self._is_astray(record):
                of_queue.setdefault(of_batch(self._queue, ref.batch_id), []).append(ref)
        for queue, found in of_queue.items():
            self._binding.requeue(found, queue=queue)
        left = self.presence.left()
        self.give_back([ref for ref in known if ref in left])

    def _is_astray(self, record: Record) -> bool:
        """Say whether an item waits in another queue: that of an address the model was at before."""
        return record.status == "ENQUEUED" and record.queue != of_batch(self._queue, record.ref.batch_id)

    def forget(self, items: Sequence[ItemRef]) -> None:
        """Delete the records of items, and what was not recorded of them."""
        self._binding.delete(items)
        self._unrecorded.drop(items)
        self.presence.returned(items)

    # --- what a supervisor needs -------------------------------------------------------------

    def claimed(self) -> Sequence[tuple[ItemRef, str]]:
        """Return the items that some process has taken, each with the id of that process."""
        return [(record.ref, record.worker_id) for record in self._binding.in_state("PENDING")]

    def take_over(self, items: Sequence[ItemRef], *, worker_id: str) -> None:
        """Queue items again that `worker_id` had taken, as far as they are still its own."""
        of_queue: dict[str, list[ItemRef]] = {}
        for record in self._binding.records(items).values():
            if record.status == "PENDING" and record.worker_id == worker_id:
                of_queue.setdefault(self._queue_for(record), []).append(record.ref)
        for queue, found in of_queue.items():
            self._binding.requeue(found, queue=queue)

    def _queue_for(self, record: Record) -> str:
        """Return the queue that an item goes back to: where this process would put it, if it could do it as well."""
        own = of_batch(self._queue, record.ref.batch_id)
        return own if record.queue is None or is_same_work(record.queue, own) else record.queue

    def left(self) -> Mapping[ItemRef, bool]:
        """Return the items that this process took and gave up, and whether something was in the way."""
        return self.presence.left()

    def waiting(self, items: Sequence[ItemRef]) -> Collection[ItemRef]:
        """Return those items that wait in a queue."""
        return [ref for ref, record in self._binding.records(items).items() if record.status == "ENQUEUED"]

    def unfinished(self) -> Collection[ItemRef]:
        """Return the items that this process is at, and those that it gave up."""
        return self.presence.unfinished()

    def begun(self, batch_id: str) -> int:
        """Return how many items of a batch are run here, without those that wait for a place."""
        return self.presence.begun(batch_id)

    def give_back(self, items: Sequence[ItemRef]) -> None:
        """`take_over` from this process itself what it gave up."""
        # First, since they may be taken and given up again before this returns.
        self.presence.returned(items)
        try:
            self.take_over(items, worker_id=self.worker_id)
        except StoreUnusable as error:
            for ref in items:
                self.presence.leave(ref, is_failure=not isinstance(error, PASSING))
            raise

    def sweep(self) -> int:
        """Delete some of the records of workflows that are over, and return how many."""
        ended = self._binding.some_ended()
        self._binding.delete(ended)
        return len(ended)

    # --- one item ----------------------------------------------------------------------------

    def _run(self, ref: ItemRef) -> None:
        """Run an item. Where it is not finished Interrupted is raised, of which DBOS records nothing: the row stays
        this process's own until it is given back or taken over."""
        out = self._item_run(ref)
        match out.outcome:
            case Outcome.ENDED:
                return
            case Outcome.GIVEN_UP:
                self.presence.leave(ref, is_failure=False)
            case Outcome.HINDERED:
                self.trouble = out.trouble
                self.presence.leave(ref, is_failure=True)
            case Outcome.UNREADABLE:
                self._begin_anew(ref)
            case Outcome.TAKEN_AWAY:
                pass  # what becomes of it is not this process's business
            case _:
                assert_never(out.outcome)
        raise Interrupted

    def _begin_anew(self, ref: ItemRef) -> None:
        """Queue an item whose records do not fit, without them; where the store is in the way, that is done later."""
        try:
            self.forget([ref])
            self.submit([ref])
        except StoreUnusable as error:
            self.trouble = str(error)
            self.presence.leave(ref, is_failure=not isinstance(error, PASSING))
