"""The items of a batch, read a few at a time: a batch is long."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from script_editor.batch.engine import ItemRef
from script_editor.domain.batches import OPEN, Item, ItemState

if TYPE_CHECKING:  # the protocol names every kind of edit; looking at a batch needs none of them
    from script_editor.domain.batch_ports import BatchStore

CHUNK = 1000


def each_item(
    batches: "BatchStore",
    batch_id: str,
    *,
    states: Collection[ItemState] | None = None,
    limit: int | None = None,
) -> Iterator[Item]:
    """Yield the items of a batch in these states, None for all, by their number."""
    after, left = 0, limit
    while left is None or left > 0:
        page = CHUNK if left is None else min(CHUNK, left)
        found = batches.items(batch_id, states=states, after=after, limit=page)
        yield from found
        if len(found) < page:
            return
        after, left = found[-1].job.seq, None if left is None else left - len(found)


def refs(batches: "BatchStore", batch_id: str) -> Iterator[ItemRef]:
    """Yield the open items of a batch by their number, as the engine knows them."""
    for item in each_item(batches, batch_id, states=OPEN):
        yield ItemRef(batch_id, item.job.seq, item.attempt)


def chunks(items: Iterator[ItemRef]) -> Iterator[list[ItemRef]]:
    """Yield items, so many at a time."""
    while chunk := list(islice(items, CHUNK)):
        yield chunk
