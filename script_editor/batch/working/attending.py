"""What a worker does that serves no batch in particular: it works on what runs, and ends what is over."""

import math
from collections.abc import Iterator

from script_editor.batch.following import last_event
from script_editor.batch.pacing import IsStopping, emptied, waited
from script_editor.batch.progress import Event, Progress
from script_editor.batch.working.course import STOPPING_SECONDS, Course, pause_reason_of
from script_editor.batch.working.crew import Crew
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Batch, BatchState, Tally

AT_ONCE = 8
"""So many batches are worked on at the same time, the oldest ones: each of their queues is looked into all the time."""

_RUNNING: tuple[BatchState, ...] = ("running",)


def is_for_workers(batch: Batch, model: str) -> bool:
    """Say whether a worker for a model takes items of a batch that runs: not of a sample, which is done by the run that
    was asked for it, and by nobody who would not stop where it ends."""
    return batch.recipe.model == model and batch.bounds.sample is None


class Attendance:
    """Works on every batch that runs with one model, while a crew takes their items."""

    def __init__(
        self, crew: Crew, batches: BatchStore, *, model: str, stopping_seconds: float = STOPPING_SECONDS
    ):
        self._crew, self._batches, self._model = crew, batches, model
        self._stopping_seconds = stopping_seconds
        self._courses: dict[str, Course] = {}
        self._filled: set[str] = set()

    def events(self, is_stopping: IsStopping, *, look_seconds: float) -> Iterator[Event]:
        """Yield what happens in these batches, and how each ends, until `is_stopping` or no call has a prospect."""
        while not is_stopping() and self._crew.refusal is None:
            self._attend()
            for course in tuple(self._courses.values()):
                tally, ended = course.look()
                yield from ended
                yield course.progress(tally)
                if (last := last_event(tally)) is not None:
                    self._forget(course)
                    yield last
                else:
                    self._fill(course, tally, is_stopping)
            waited(look_seconds, is_stopping)
        yield from self._drained(is_stopping, look_seconds)
        yield from self._stopped()

    def _attend(self) -> None:
        """Take items of the batches that run now; one that does no longer is looked at once more, for its end."""
        found = self._batches.batches(states=_RUNNING)
        running = [tally.batch.id for tally in reversed(found) if is_for_workers(tally.batch, self._model)]
        wanted = [*(batch_id for batch_id in running if batch_id in self._courses)]
        wanted += [batch_id for batch_id in running if batch_id not in self._courses][: AT_ONCE - len(wanted)]
        for batch_id in wanted:
            if batch_id not in self._courses:
                self._courses[batch_id] = Course(batch_id, self._crew, self._batches)
        self._crew.attend(wanted)

    def _forget(self, course: Course) -> None:
        del self._courses[course.batch_id]
        self._filled.discard(course.batch_id)

    def _fill(self, course: Course, tally: Tally, is_stopping: IsStopping) -> None:
        """Queue what nobody else does: whoever ran the batch may be gone before everything of it was in the queue."""
        if not is_for_workers(tally.batch, self._model):
            self._forget(course)
        elif self._crew.is_run_elsewhere(course.batch_id):
            self._filled.discard(course.batch_id)
            course.stir(tally)
        elif course.batch_id in self._filled:
            course.stir(tally)
        else:
            for _ in course.fill():
                if is_stopping():
                    return
            self._filled.add(course.batch_id)

    def _drained(self, is_stopping: IsStopping, look_seconds: float) -> Iterator[Event]:
        is_asked, told = is_stopping(), set[str]()
        if is_asked:
            self._crew.hurry()
        # Where nobody is in a hurry each call has its own time limit, and an answer given up is paid for again.
        patience = self._stopping_seconds if is_asked else math.inf
        for _ in emptied(self._crew, is_stopping, look_seconds=look_seconds, patience=lambda: patience):
            for course in self._courses.values():
                tally, ended = course.look()
                yield from ended
                stopping = None if course.batch_id in told else course.stopping(tally, is_asked=is_asked)
                yield stopping or Progress(tally=tally, waiting_for="calls", running=course.begun(tally))
                told.update([course.batch_id] if stopping else [])
        for course in self._courses.values():
            yield from course.look()[1]

    def _stopped(self) -> Iterator[Event]:
        """Tell what ended meanwhile, and pause what nobody can go on with: no call of this process has a prospect, and
        it was the last one."""
        refusal = self._crew.refusal
        for course in self._courses.values():
            tally = course.tally()
            if tally.batch.state == "running" and refusal is not None and not self._crew.others(tally.batch):
                tally = course.pause(tally, pause_reason_of(refusal))
            if (last := last_event(tally)) is not None:
                yield last
