"""Taking a batch up again as it is, for tests of what that does to its items."""

from collections.abc import Callable, Collection

from script_editor.domain.batches import Batch, Bounds, Item, ItemState, Target
from script_editor.store.batch_store import SqlBatchStore

_QUEUED: tuple[ItemState, ...] = ("queued",)
Terms = Callable[[Batch], tuple[Target, Bounds]]


def as_they_are(batch: Batch) -> tuple[Target, Bounds]:
    """Return the terms that a batch has."""
    return batch.target, batch.bounds


def on(target: Target, bounds: Bounds) -> Terms:
    """Return what takes a batch up on these terms, whatever they were."""
    return lambda _batch: (target, bounds)


def take_up(
    batches: SqlBatchStore,
    batch_id: str,
    retried: Collection[ItemState] = (),
    *,
    with_cancelled: bool = False,
) -> tuple[Item, ...]:
    """Let a batch run on the terms that it has, and return the items that are queued again."""
    waited = {item.job.seq for item in batches.items(batch_id, states=_QUEUED)}
    batches.take_up(batch_id, terms=as_they_are, retried=retried, with_cancelled=with_cancelled)
    return tuple(item for item in batches.items(batch_id, states=_QUEUED) if item.job.seq not in waited)
