"""What a batch needs of a durable engine. `dbos_engine` is the one that ships; tests have a small one in memory.

An item is a workflow: a function that may be stopped anywhere, by a crash or a cancel, and is then run again from
its start, with the recorded result of every step that was finished. So between steps it must be deterministic:
the clock, random numbers and the database are for steps only.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from script_editor.errors import StoreFull, StoreLocked, StoreUnreachable

Json = Any
"""A plain JSON value: what a step returns is kept as JSON."""
PASSING = (StoreLocked, StoreUnreachable, StoreFull)
"""What may be in the way of any item for a while, and speaks against none of them, however often it happens."""


@dataclass(frozen=True, slots=True)
class ItemRef:
    """One attempt at one item. Its workflow has the id `b-…/7/a1`."""

    batch_id: str
    seq: int
    attempt: int

    @property
    def workflow_id(self) -> str:
        return f"{self.batch_id}/{self.seq}/a{self.attempt}"

    @classmethod
    def parse(cls, workflow_id: str) -> "ItemRef":
        """Return the attempt that a workflow is about."""
        batch_id, seq, attempt = workflow_id.rsplit("/", 2)
        return cls(batch_id, int(seq), int(attempt.removeprefix("a")))


class Interrupted(BaseException):
    """The engine takes a workflow away from this process: it was cancelled, paused, or another worker has it.

    Not an Exception, so that nothing between a step and the workflow takes it for a failure of the edit.
    """


class Steps(Protocol):
    """What a running workflow may do."""

    @property
    def is_stopping(self) -> bool:
        """Whether the process wants to leave: a step that waits should raise Interrupted instead of going on."""

    def is_own(self) -> bool:
        """Whether the engine still counts the item as this process's: another may have it, if this one slept."""

    def step(self, name: str, work: Callable[[], Json]) -> Json:
        """Return what `work` returned, now or when this step ran before. `work` turns its own failures into JSON.

        Raises:
            Interrupted: see there; nothing of this step is recorded. What `work` returned all the same is not asked for
                again by this process, as long as it lives.
        """

    def commit(self, name: str, work: Callable[[object], Json]) -> Json:
        """Run `work` in one transaction of the store, which also holds the record that it was done.

        `work` is given the connection, as `BatchStore.end_item` takes it. It may be called again when the
        transaction has to be repeated.
        """


Workflow = Callable[[ItemRef, Steps], None]


class DurableEngine(Protocol):
    """Runs workflows, and goes on with those that were interrupted."""

    worker_id: str
    """Names this process; never used twice."""

    def start(self, workflow: Workflow, *, workers: int) -> None:
        """Begin to take items from the queue, at most `workers` at the same time. 0 takes none: it only submits."""

    def submit(self, items: Sequence[ItemRef]) -> None:
        """Queue items. One that is queued, running or over already is left alone: submitting again changes nothing."""

    def cancel(self, items: Sequence[ItemRef]) -> None:
        """Take items away from the queue and from whoever runs them, at their next step; finished steps stay recorded."""

    def resume(self, items: Sequence[ItemRef]) -> None:
        """Queue cancelled, paused or orphaned items again; they go on after their last finished step.

        One whose workflow the engine does not know is submitted.
        """

    def forget(self, items: Sequence[ItemRef]) -> None:
        """Delete the records of items that are over; their rows in the store are the truth."""

    def drain(self, timeout_seconds: float) -> bool:
        """Take no more items, wait for those that run, and say whether all of them ended in time."""

    def close(self) -> None:
        """Leave. What still runs is interrupted, and resumed by the next process."""


class SharedEngine(DurableEngine, Protocol):
    """An engine whose items are worked on by several processes, each of which may be lost at any time."""

    trouble: str
    """What was last in the way of an item, "" if nothing was."""

    def attend(self, batch_ids: Collection[str]) -> None:
        """Take items of these batches from now on, and of no others; to be said again now and then while it is so."""

    def hurry(self) -> None:
        """Wait for locks only shortly from now on: the process wants to leave."""

    def claimed(self) -> Sequence[tuple[ItemRef, str]]:
        """Return the items that some process has taken and not finished, each with the id of that process."""

    def take_over(self, items: Sequence[ItemRef], *, worker_id: str) -> None:
        """Queue items again that a lost process had taken, as far as they are still its own."""

    def left(self) -> Mapping[ItemRef, bool]:
        """Return the items that this process took and gave up, and whether something was in the way."""

    def waiting(self, items: Sequence[ItemRef]) -> Collection[ItemRef]:
        """Return those items that wait in a queue."""

    def unfinished(self) -> Collection[ItemRef]:
        """Return the items that this process is at, and those that it gave up."""

    def begun(self, batch_id: str) -> int:
        """Return how many items of a batch this process has begun with, and neither ended nor given up."""

    def give_back(self, items: Sequence[ItemRef]) -> None:
        """Queue items again that this process gave up, as far as they are still its own."""

    def sweep(self) -> int:
        """Delete some of the records of items that are over, and return how many; 0 when there are none."""
