"""Who works on a batch at present, by the signs of life in the store."""

from script_editor.batch.queues import is_bound_to, of_batch, serves, serves_model
from script_editor.batch.working.worker import living
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Batch


def others(batches: BatchStore, batch: Batch, *, queue: str, besides: str) -> int:
    """Return how many processes `besides` one take items of a batch from its queue, or from the `queue` of ALL."""
    own = of_batch(queue, batch.id)
    return sum(
        serves(worker.id, own) and _may_help(worker.id, batch) for worker in living(batches, besides=besides)
    )


def at_work(batches: BatchStore, batch: Batch | None = None) -> int:
    """Return how many processes work on batches, or take items of one, at whatever address its model is."""
    found = living(batches, besides="")
    if batch is None:
        return len(found)
    return sum(
        serves_model(worker.id, batch.recipe.model, batch.id) and _may_help(worker.id, batch)
        for worker in found
    )


def is_run(batches: BatchStore, batch_id: str, *, besides: str) -> bool:
    """Say whether a process `besides` one was begun to run this batch, and lives."""
    return any(is_bound_to(worker.id, batch_id) for worker in living(batches, besides=besides))


def _may_help(worker_id: str, batch: Batch) -> bool:
    """Say whether a worker would take items of a batch that it could do: a sample is done by the run that was asked for
    it, and by nobody who would not stop where it ends."""
    return batch.bounds.sample is None or is_bound_to(worker_id, batch.id)
