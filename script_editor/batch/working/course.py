"""One batch as a process sees it that works on it: what happened, what is to be queued, and how it comes to stand."""

import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from script_editor.batch.following import Follower, last_event
from script_editor.batch.paging import chunks, refs
from script_editor.batch.progress import (
    BatchCancelled,
    ItemEnded,
    Paused,
    PauseReason,
    Progress,
    Stopping,
    StopReason,
)
from script_editor.domain.batches import BatchState, Tally
from script_editor.errors import AccountEmpty, Conflict, ModelFailure, SetupError

if TYPE_CHECKING:  # watching a batch works on none of it
    from script_editor.batch.working.crew import Crew
    from script_editor.domain.batch_ports import BatchStore

STOPPING_SECONDS = 30.0
"""How long the items that run are waited for when a person wants to leave."""
CANCELLED_SECONDS = 2.0
"""So long when it was cancelled: nobody takes the answers any more."""
QUIET_SECONDS = 60.0
"""After so long without any item at work the queue is filled again."""
_PAUSED: tuple[BatchState, ...] = ("paused",)


def pause_reason_of(refusal: SetupError | ModelFailure) -> PauseReason:
    """Return why a batch stands still when no call has a prospect."""
    match refusal:
        case AccountEmpty():
            return "empty"
        case SetupError():
            return "refused"
        case _:
            return "unreachable"


class Course:
    """The course of one batch, while a crew works on it.

    After `quiet_seconds` in which none of its items ran they are put into the queue again.
    """

    def __init__(
        self, batch_id: str, crew: "Crew", batches: "BatchStore", *, quiet_seconds: float = QUIET_SECONDS
    ):
        self.batch_id = batch_id
        self._crew, self._batches = crew, batches
        self._follower = Follower(batches, batch_id)
        self._quiet_seconds, self._quiet_since, self._last_ended = quiet_seconds, time.monotonic(), 0

    # --- what happens ------------------------------------------------------------------------

    def look(self) -> tuple[Tally, Iterator[ItemEnded]]:
        """Return where the batch stands, and the items that ended since the last look."""
        tally, ended = self._follower.look()
        return self.settled(tally), ended

    def tally(self) -> Tally:
        """Return where the batch stands."""
        return self.settled(self._batches.tally(self.batch_id))

    def settled(self, tally: Tally) -> Tally:
        """Write down that a batch is done of which no item is open, whoever ended the last one."""
        return self._moved(tally, "done") if tally.batch.state == "done" else tally

    def progress(self, tally: Tally, *, left: int | None = None) -> Progress:
        """Return a tally with the pace of the last looks; `left` is how many are still to end, None for all."""
        told = self._follower.progress(tally, waiting_for=self._crew.waiting_for, left=left)
        return replace(told, trouble=self._crew.trouble)

    def stopping(self, tally: Tally, *, is_asked: bool) -> Stopping | None:
        """Return that no more items are taken, and why; None where none is waited for, or where that is the end."""
        running, reason = self.begun(tally), self._stop_reason(tally, is_asked=is_asked)
        return Stopping(tally=tally, running=running, reason=reason) if running and reason else None

    def begun(self, tally: Tally) -> int:
        """Return how many items this process is at; of a batch that was cancelled nothing counts any more."""
        return min(tally.count("running"), self._crew.begun(self.batch_id))

    def _stop_reason(self, tally: Tally, *, is_asked: bool) -> StopReason | None:
        if is_asked:
            return "asked"
        if self._crew.refusal is not None:
            return pause_reason_of(self._crew.refusal)
        match last_event(tally):
            case Paused(reason=reason):
                return reason
            case BatchCancelled():
                return "cancelled"
            case _:
                return None

    # --- the queue ---------------------------------------------------------------------------

    def fill(self, *, are_new: bool = False, count: int | None = None) -> Iterator[None]:
        """Put open items into the queue, `count` of them or all, and yield after some of them. What is there already
        stays as it is; with `are_new` nobody can have begun with one of them."""
        for chunk in chunks(islice(refs(self._batches, self.batch_id), count)):
            self._crew.queue(chunk, are_new=are_new)
            yield

    def stir(self, tally: Tally, *, count: int | None = None) -> None:
        """Fill the queue again after a long time in which none ran, since a loss of power may have taken them out; or
        once some were found to be taken out."""
        if self._crew.was_disturbed(self.batch_id) or self.is_quiet(tally):
            for _ in self.fill(count=count):
                pass

    def is_quiet(self, tally: Tally) -> bool:
        """Say whether none of its items ran for a long time; once for each such time."""
        now = time.monotonic()
        if tally.count("running") or tally.ended != self._last_ended:
            self._last_ended, self._quiet_since = tally.ended, now
        elif now - self._quiet_since > self._quiet_seconds:
            self._quiet_since = now
            return True
        return False

    # --- standing still ----------------------------------------------------------------------

    def pause(self, tally: Tally, reason: PauseReason) -> Tally:
        """Pause the batch as it was looked at, unless somebody else moved it or took it up since."""
        return self._moved(tally, "paused", reason, unless=_PAUSED, unchanged_since=tally.batch.updated_at)

    def _moved(
        self,
        tally: Tally,
        state: BatchState,
        reason: str = "",
        unless: Collection[BatchState] = (),
        unchanged_since: datetime | None = None,
    ) -> Tally:
        try:
            batch = self._batches.set_state(
                self.batch_id, state, reason=reason, unless=unless, unchanged_since=unchanged_since
            )
        except Conflict:  # somebody moved it in this very moment
            return self._batches.tally(self.batch_id)
        return replace(tally, batch=batch)
