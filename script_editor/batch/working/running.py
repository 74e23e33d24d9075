"""One run of a batch in this process, from its first event to its last."""

import math
import time
from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

from script_editor.batch.following import last_event
from script_editor.batch.pacing import IsStopping, emptied, looks, waited
from script_editor.batch.progress import Began, Event, Last, Left, PauseReason, Progress
from script_editor.batch.working.course import (
    CANCELLED_SECONDS,
    STOPPING_SECONDS,
    Course,
    pause_reason_of,
)
from script_editor.domain.batches import Tally

if TYPE_CHECKING:
    from script_editor.batch.working.crew import Crew


class Run:
    """Puts the open items of a batch into the queue and tells what becomes of them, until there is nothing to tell.

    `sample` bounds how many items are put there, and pauses the batch when so many have ended.
    """

    def __init__(
        self,
        course: Course,
        crew: "Crew",
        *,
        is_stopping: IsStopping,
        are_new: bool,
        sample: int | None = None,
        look_seconds: float = 1.0,
        stopping_seconds: float = STOPPING_SECONDS,
    ):
        self._course, self._crew, self._is_stopping = course, crew, is_stopping
        self._are_new, self._sample, self._look_seconds = are_new, sample, look_seconds
        self._stopping_seconds = stopping_seconds
        self._goal: int | None = None

    def events(self, began: Began) -> Generator[Event, None, Last]:
        """Yield what happens, and return how it ended: to be told when the crew has left."""
        yield began
        yield from self._submit(began.tally)
        waits = looks(self._look_seconds)
        while True:
            self._crew.attend([self._course.batch_id])
            tally, ended = self._course.look()
            yield from ended
            yield self._progress(tally)
            if self._is_over(tally):
                yield from self._drained(tally)
                return self._ending()
            self._course.stir(tally, count=self._to_do(tally))
            waited(next(waits), self._is_stopping)

    def _submit(self, tally: Tally) -> Iterator[Event]:
        if self._sample is not None:
            self._goal = tally.ended + self._sample
        shown = time.monotonic()
        for _ in self._course.fill(are_new=self._are_new, count=self._sample):
            if self._is_stopping():
                return
            if time.monotonic() - shown >= self._look_seconds:
                shown = time.monotonic()
                tally, ended = self._course.look()
                yield from ended
                yield self._progress(tally)

    def _progress(self, tally: Tally) -> Progress:
        return self._course.progress(tally, left=self._to_do(tally))

    def _to_do(self, tally: Tally) -> int:
        """Return how many more items are to end."""
        return tally.left if self._goal is None else min(tally.left, max(self._goal - tally.ended, 0))

    # --- the end -----------------------------------------------------------------------------

    def _is_over(self, tally: Tally) -> bool:
        stands = tally.batch.state != "running" or not self._to_do(tally)
        return stands or self._is_stopping() or self._crew.refusal is not None

    def _drained(self, tally: Tally) -> Iterator[Event]:
        is_asked, is_told = self._is_stopping(), False
        if is_asked:
            self._crew.hurry()

        def patience() -> float:
            if tally.batch.state == "cancelled":
                return CANCELLED_SECONDS
            # Where nobody is in a hurry each call has its own time limit, and an answer given up is paid for again.
            return self._stopping_seconds if is_asked else math.inf

        for _ in emptied(self._crew, self._is_stopping, look_seconds=self._look_seconds, patience=patience):
            tally, ended = self._course.look()
            yield from ended
            stopping = None if is_told else self._course.stopping(tally, is_asked=is_asked)
            yield stopping or Progress(tally=tally, waiting_for="calls", running=self._course.begun(tally))
            is_told = is_told or stopping is not None
        yield from self._course.look()[1]

    def _ending(self) -> Last:
        """Leave the batch in the state that fits, and return the event that says so."""
        tally = self._course.tally()
        if tally.batch.state == "running":
            others = self._crew.others(tally.batch)
            if others and not self._is_sample_done(tally):
                return Left(tally=tally, other_workers=others)
            tally = self._course.pause(tally, self._pause_reason(tally))
        # It was taken up again in this very moment, by somebody who goes on with it.
        return last_event(tally) or Left(tally=tally, other_workers=max(self._crew.others(tally.batch), 1))

    def _is_sample_done(self, tally: Tally) -> bool:
        """Say whether the sample is done, and still wanted: who runs the batch later may want all of it."""
        return self._sample is not None and tally.batch.bounds.sample is not None and not self._to_do(tally)

    def _pause_reason(self, tally: Tally) -> PauseReason:
        if self._crew.refusal is not None:
            return pause_reason_of(self._crew.refusal)
        return "interrupted" if self._to_do(tally) else "sample"
