"""Taking a batch up again as it is, for tests of what that does to its items."""

from collections.abc import Collection

from script_editor.domain.batches import Item, ItemState
from script_editor.store.batch_store import SqlBatchStore

_QUEUED: tuple[ItemState, ...] = ("queued",)


def take_up(
    batches: SqlBatchStore,
    batch_id: str,
    retried: Collection[ItemState] = (),
    *,
    with_cancelled: bool = False,
) -> tuple[Item, ...]:
    """Let a batch run on the terms that it has, and return the items that are queued again."""
    batch = batches.batch(batch_id)
    waited = {item.job.seq for item in batches.items(batch_id, states=_QUEUED)}
    batches.take_up(
        batch_id, target=batch.target, bounds=batch.bounds, retried=retried, with_cancelled=with_cancelled
    )
    return tuple(item for item in batches.items(batch_id, states=_QUEUED) if item.job.seq not in waited)
