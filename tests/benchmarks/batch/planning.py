"""What planning takes beside a plain insert of the same rows, and whether it grows with anything but their number.

See `timed_plans` for what counts as planning, and what is plain.
"""

import json
import statistics
from dataclasses import dataclass

from tests.benchmarks.batch.sizes import A_TENTH, PLANNED
from tests.benchmarks.batch.worlds import Place, goal

INSERT_GOAL = 5.0
GROWTH_GOAL = 1.3
"""How much longer one of ten times as many may take: an index of 100,000 rows is itself a quarter slower for each
than one of 10,000."""
ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds of a plan over so many scripts, and of a plain insert of its items; medians."""

    scripts: int
    planning: float
    inserting: float


def run(place: Place) -> bool:
    """Print what was measured and the goals; return whether both are met."""
    few, many = _measured(place, A_TENTH), _measured(place, PLANNED)
    print(f"{place.name}: planning, seconds, medians of {ROUNDS}, without the start of a process")
    for each in (few, many):
        print(
            f"  {each.scripts:9,} scripts {each.planning:8.3f} ({each.scripts / each.planning:,.0f} a second)"
            f"   plain insert of the same rows {each.inserting:8.3f}"
        )
    share = many.scripts / few.scripts
    print(f"  a plain insert of one row takes {many.inserting / few.inserting / share:.2f} times as long")
    met = [
        goal(f"planning {PLANNED:,} over a plain insert", many.planning / many.inserting, INSERT_GOAL),
        goal(
            f"planning one of {PLANNED:,} over one of {A_TENTH:,}",
            many.planning / few.planning / share,
            GROWTH_GOAL,
        ),
    ]
    return all(met)


def _measured(place: Place, scripts: int) -> Measured:
    with place.filled(scripts) as store, place.copied(store) as other:
        told = json.loads(store.program("timed_plans", store.address, other.address, str(ROUNDS)))
    return Measured(scripts, statistics.median(told["planning"]), statistics.median(told["inserting"]))
