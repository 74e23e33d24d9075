"""What is left of a batch, and what it will about take: for the question before it is run."""

from collections.abc import Collection
from dataclasses import dataclass

from script_editor.batch.planning.estimate import SAMPLE, Estimate, estimate, mean_tokens
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import DIRECT, OPEN, ItemState
from script_editor.domain.ports import ScriptStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How many items would be worked on, and what they will about take."""

    items: int
    estimate: Estimate


def outlook(
    batch_id: str,
    *,
    scripts: ScriptStore,
    batches: BatchStore,
    prices: tuple[float, float] | None,
    workers: int,
    sample: int | None = None,
    again: Collection[ItemState] = (),
    is_offline: bool = False,
) -> Outlook:
    """Return what the open items of a batch will about take, at most `sample` of them, with those in `again`.

    Raises BatchNotFound.
    """
    tally = batches.tally(batch_id)
    states: set[ItemState] = {*OPEN, *again}
    count = tally.count(*states)
    items = count if sample is None else min(count, sample)
    looked_at = batches.items(batch_id, states=states, limit=min(items, SAMPLE)) if items else ()
    heads = scripts.heads([item.job.script_id for item in looked_at])
    texts, instructions = (head.text for head in heads), (item.job.instruction for item in looked_at)
    taken = estimate(
        mean_tokens(texts) + mean_tokens(instructions),
        items,
        is_direct=tally.batch.recipe.mode == DIRECT,
        workers=workers,
        price_in=prices[0] if prices else None,
        price_out=prices[1] if prices else None,
        is_offline=is_offline,
    )
    return Outlook(items=items, estimate=taken)
