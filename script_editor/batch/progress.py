"""What whoever runs or watches a batch is told: values, which the command line draws."""

from dataclasses import dataclass
from typing import Literal

from script_editor.domain.batches import Item, Tally

PauseReason = Literal["budget", "sample", "interrupted", "deserted", "refused", "empty", "unreachable"]
"""Why a batch stands still, as it is stored: its money does not cover the next call, the sample is done, a person left,
the service takes neither key nor model, its account is empty, it does not answer. "deserted" is never stored: the batch
was to go on, and those who worked on it are gone without a word."""
StopReason = Literal[PauseReason, "asked", "cancelled"]
"""Why no more items are taken: as the batch is paused, because a person wants to leave, or since it was cancelled."""
Waiting = Literal["requests", "tokens", "service", "budget", "calls", "store"]
"""What a call waits for (see `domain.batches.Wait`); "calls" are those under way that the end of the work waits for,
"store" is a store that another process keeps locked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Began:
    """The work begins: `items` go on, those that are over already are left alone.

    `other_workers` is how many other processes take from the same queue. `prompts_changed` says that the program
    asks the model in other words than those the batch began with.
    """

    tally: Tally
    items: int
    other_workers: int = 0
    prompts_changed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEnded:
    """One item is over, whichever process did it. Each attempt is told once, in the order of their ends."""

    item: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Where the batch stands now; told about once a second.

    `items_per_minute` is the pace of the last minutes, None while no item has ended in them; `seconds_left`
    follows from it. `waiting_for` is what the calls of this process wait for, None when they do not wait. `trouble` is
    why other workers may take this process for lost, "" if they do not. `running` is how many items this process is at,
    where it waits for their calls alone.
    """

    tally: Tally
    items_per_minute: float | None = None
    seconds_left: float | None = None
    waiting_for: Waiting | None = None
    trouble: str = ""
    running: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopping:
    """No more items are taken here; `running` is how many are still under way and waited for: until their calls are
    answered, but only for a bounded time where a person wants to leave or the batch was cancelled."""

    tally: Tally
    running: int
    reason: StopReason = "asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Paused:
    """The batch stands still and can be resumed: the last event."""

    tally: Tally
    reason: PauseReason


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """This process has left, and other workers go on with the batch: the last event."""

    tally: Tally
    other_workers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchCancelled:
    """The batch was cancelled, here or elsewhere: the last event."""

    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchEnded:
    """Every item is over: the last event. `tally` says how many are not as they were asked to be."""

    tally: Tally


Event = Began | ItemEnded | Progress | Stopping | Paused | Left | BatchCancelled | BatchEnded
Last = Paused | Left | BatchCancelled | BatchEnded
"""Every run and every watch ends with one of them."""
