"""Whether the command `status` takes longer for a batch with many items, which it should not."""

import time

from tests.benchmarks.batch.sizes import PLANNED
from tests.benchmarks.batch.worlds import Place, Store, goal

GOAL = 1.3
SHORT = 1_000
"""So many items has the batch that it is compared with."""
ROUNDS = 10


def run(place: Place) -> bool:
    """Print what was measured and the goal; return whether it is met. Seconds of the whole command, the least of
    ROUNDS, those of both batches in turn."""
    seconds: tuple[list[float], list[float]] = ([], [])
    with place.filled(SHORT) as short, place.filled(PLANNED) as long:
        batches = [(each, each.planned()) for each in (short, long)]
        for _ in range(ROUNDS):
            for (store, batch_id), spent in zip(batches, seconds, strict=True):
                spent.append(_status_seconds(store, batch_id))
    few, many = (min(spent) for spent in seconds)
    print(
        f"{place.name}: status, the whole command, least of {ROUNDS}: {few:.3f} s with {SHORT:,} items, "
        f"{many:.3f} s with {PLANNED:,}"
    )
    return goal(f"status with {PLANNED:,} over {SHORT:,}", many / few, GOAL)


def _status_seconds(store: Store, batch_id: str) -> float:
    began = time.perf_counter()
    store.command("batch", "status", batch_id)
    return time.perf_counter() - began
