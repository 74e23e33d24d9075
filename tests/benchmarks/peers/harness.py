"""Runs one case: sets it up, edits as often as RUNS says, and prints what the edits took as one line of JSON."""

import json
import os
import statistics
import time
from collections.abc import Callable

from sample import Tools

Setup = Callable[[str, Tools], Callable[[], str]]
"""Takes the address of the model and the tools; returns what carries out one edit and gives the answer."""


def main(setup: Setup) -> None:
    """Measure the case; fail when an edit was not made."""
    tools, runs = Tools(), int(os.environ["RUNS"])
    run = setup(os.environ["STUB"], tools)
    spent = []
    for _ in range(runs):
        started = time.process_time()
        answer = run()
        spent.append(time.process_time() - started)
        assert "Done" in str(answer), f"the answer is {answer!r}"
    assert tools.edits == runs, f"{tools.edits} edits in {runs} runs"
    warm = spent[1:] or spent  # the first run fills caches
    print(json.dumps({"cpu_seconds": statistics.median(warm)}))
