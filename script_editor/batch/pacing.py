"""How a process waits between two looks at a batch, and for the calls that are under way when it leaves."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # watching a batch works on none of it
    from script_editor.batch.working.crew import Crew

FIRST_LOOK_SECONDS = 0.1
"""A small batch is over soon, so the first looks come quickly one after another."""

IsStopping = Callable[[], bool]


def looks(seconds: float) -> Iterator[float]:
    """Yield how long to wait before each further look, at most `seconds`."""
    wait = FIRST_LOOK_SECONDS
    while True:
        yield min(wait, seconds)
        wait *= 1.5


def waited(seconds: float, is_stopping: IsStopping) -> None:
    """Wait, but no longer than until `is_stopping`."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and not is_stopping():
        time.sleep(min(left, FIRST_LOOK_SECONDS))


def emptied(
    crew: "Crew", is_stopping: IsStopping, *, look_seconds: float, patience: Callable[[], float]
) -> Iterator[None]:
    """Let a crew take no more items, and yield now and then while the calls under way are waited for.

    That ends when there is none, after `patience` in any case, and when a person wants to leave who did not
    want it before.
    """
    began, was_asked = time.monotonic(), is_stopping()
    wait = 0.0
    while not crew.drain(wait):
        is_asked = is_stopping() and not was_asked
        if is_asked or time.monotonic() - began >= patience():
            return
        yield
        wait = min(look_seconds, FIRST_LOOK_SECONDS) if not wait else min(look_seconds, wait * 1.5)
