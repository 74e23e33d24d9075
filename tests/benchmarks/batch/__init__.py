"""What batches cost, on each database: their pace, planning, the command `status`, and the memory of a worker.

The sizes come from SCRIPT_EDITOR_BENCH_ITEMS and SCRIPT_EDITOR_BENCH_PLANNED, see `sizes`; SCRIPT_EDITOR_BENCH_PARTS
names some of the measurements, such as `pace,memory`.
"""

import os

from tests.benchmarks.batch import memory, pace, planning, status
from tests.benchmarks.batch.worlds import places

PARTS = {"pace": pace.run, "planning": planning.run, "status": status.run, "memory": memory.run}


def run() -> bool:
    """Print what was measured and the goals; return whether all goals are met."""
    named = os.environ.get("SCRIPT_EDITOR_BENCH_PARTS", "")
    wanted = [name.strip() for name in named.split(",") if name.strip()] or list(PARTS)
    with places() as found:
        met = [PARTS[name](place) for place in found for name in wanted]
    return all(met)
