"""`make bench`: every measurement, as ratios within one run. Name some to run only those."""

import sys

from tests.benchmarks import agents, batch, characters, startup

BENCHMARKS = {"startup": startup.run, "characters": characters.run, "agents": agents.run, "batch": batch.run}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        print(
            f"There is no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}.", file=sys.stderr
        )
        return 2
    results = [BENCHMARKS[name]() for name in names or BENCHMARKS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
