"""Who works on a batch at present, by the signs of life in the store."""

from dataclasses import replace
from datetime import timedelta

from script_editor.batch.queues import is_bound_to, of_batch, serves, serves_model
from script_editor.batch.working.machines import is_running, place
from script_editor.batch.working.worker import living
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import SILENT_SECONDS, Batch, Tally
from script_editor.domain.script import utc_now

BEGINNING = timedelta(seconds=10)
"""A batch that was let run and of which no item was begun may wait so long for its process, as `--detach` starts one."""


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


def is_worker(batches: BatchStore, pid: int) -> bool:
    """Say whether the process with that id, of this machine, works on batches or is about to."""
    return any(worker.pid == pid and worker.host == place() for worker in living(batches, besides=""))


def as_seen(batches: BatchStore, tally: Tally) -> Tally:
    """Return where a batch stands, as it is to be told: one that is to run and that nobody works on is "paused" since it
    is "deserted", and whatever counts as run of it waits.

    Nothing of that is written: the first worker that comes goes on with it. A process of this machine that was killed is
    missed at once, one of another machine when it has been silent for a while.
    """
    if not _is_deserted(batches, tally):
        return tally
    tally = batches.tally(tally.batch.id)  # again: whoever ended it may have left since it was looked at
    if not _is_deserted(batches, tally):
        return tally
    counts = {**tally.counts, "queued": tally.left, "running": 0}
    batch = replace(tally.batch, state="paused", pause_reason="deserted")
    return replace(tally, batch=batch, counts=counts)


def _is_deserted(batches: BatchStore, tally: Tally) -> bool:
    batch = tally.batch
    if batch.state != "running":
        return False
    is_beginning = not tally.count("running") and abs(utc_now() - batch.updated_at) < BEGINNING
    return not is_beginning and not _is_worked_on(batches, batch)


def _is_worked_on(batches: BatchStore, batch: Batch) -> bool:
    """Say whether any process takes items of a batch, this one included."""
    here = place()
    return any(
        serves_model(worker.id, batch.recipe.model, batch.id)
        and _may_help(worker.id, batch)
        and (worker.host != here or is_running(worker.pid))
        for worker in batches.workers(silent_seconds=SILENT_SECONDS)
    )


def _may_help(worker_id: str, batch: Batch) -> bool:
    """Say whether a worker would take items of a batch that it could do: a sample is done by the run that was asked for
    it, and by nobody who would not stop where it ends."""
    return batch.bounds.sample is None or is_bound_to(worker_id, batch.id)
