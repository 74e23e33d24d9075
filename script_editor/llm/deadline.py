"""The moment after which a call must be over, and a way to hold blocking work to it.

Socket timeouts cannot do this alone: each counts anew with every byte that trickles in, and looking
up a host name has none. So the work runs in a thread of its own and hands its results over; whoever
waits for them leaves at the deadline, whatever the work is stuck in.
"""

import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

Clock = Callable[[], float]
T = TypeVar("T")


class DeadlineError(Exception):
    """The time was used up before the work was done."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """A point on `clock`, which counts seconds and never runs backwards; it was set `seconds` ahead."""

    seconds: float
    ends_at: float
    clock: Clock

    @classmethod
    def after(cls, seconds: float, clock: Clock) -> "Deadline":
        """Return the deadline that many seconds from now."""
        return cls(seconds, clock() + seconds, clock)

    def remaining(self) -> float:
        """Return the seconds left; 0 when there are none."""
        return max(0.0, self.ends_at - self.clock())

    def check(self) -> None:
        """Do nothing while there is time left.

        Raises:
            DeadlineError: there is none.
        """
        if self.remaining() <= 0:
            raise DeadlineError


@dataclass(frozen=True, slots=True)
class _Item(Generic[T]):
    value: T


@dataclass(frozen=True, slots=True)
class _Raised:
    error: BaseException


class _Ended:
    """The work is done."""


def hold_to(deadline: Deadline, work: Generator[T]) -> Generator[T]:
    """Yield what `work` yields, run in a thread, until it ends or the deadline passes.

    What `work` raises is raised here. When this iterator is left early, `work` is closed as soon as
    it yields again; work that may block for long without yielding looks at the deadline itself.

    Raises:
        DeadlineError: the next item was not there in time.
    """
    handover: SimpleQueue[_Item[T] | _Raised | _Ended] = SimpleQueue()
    left = threading.Event()

    def run() -> None:
        try:
            for item in work:
                handover.put(_Item(item))
                if left.is_set():
                    break
        except BaseException as error:  # not handled here, only carried to the thread that waits
            handover.put(_Raised(error))
        else:
            work.close()
            handover.put(_Ended())

    # A daemon, so that a service that never answers cannot keep the program from ending.
    threading.Thread(target=run, name="held-to-deadline", daemon=True).start()
    try:
        while True:
            try:
                outcome = handover.get(timeout=deadline.remaining())
            except Empty:
                raise DeadlineError from None
            match outcome:
                case _Item(value):
                    yield value
                case _Raised(error):
                    raise error
                case _Ended():
                    return
    finally:
        left.set()
