"""What a worker does that serves no batch in particular: it takes what comes, and ends what is over."""

import time
from collections.abc import Iterator
from dataclasses import replace

from script_editor.batch.crew import Crew
from script_editor.batch.following import Follower
from script_editor.batch.progress import BatchEnded, Event, Paused, Stopping
from script_editor.batch.running import (
    OPEN,
    STOPPING_SECONDS,
    WAITING,
    IsStopping,
    chunks,
    last_event,
    refs,
    waited,
)
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Tally
from script_editor.errors import Conflict


class Attendance:
    """Follows every batch that runs with one model, while a crew works on them."""

    def __init__(self, crew: Crew, batches: BatchStore, *, model: str):
        self._crew, self._batches, self._model = crew, batches, model
        self._followers: dict[str, Follower] = {}

    def events(self, is_stopping: IsStopping, *, look_seconds: float) -> Iterator[Event]:
        """Yield what happens in these batches, and how each ends, until `is_stopping` or no call has a prospect."""
        while not is_stopping() and self._crew.refusal is None:
            yield from self._look()
            waited(look_seconds, is_stopping)
        yield from self._drained(look_seconds)

    def _look(self) -> Iterator[Event]:
        for tally in self._batches.batches():
            batch = tally.batch
            if batch.state == "running" and batch.recipe.model == self._model:
                self._followers.setdefault(batch.id, Follower(self._batches, batch.id))
        for follower in tuple(self._followers.values()):
            tally, ended = follower.look()
            yield from ended
            yield follower.progress(tally, waiting_for=self._crew.waiting_for)
            yield from self._ended(tally)

    def _ended(self, tally: Tally) -> Iterator[Event]:
        """Yield the last event of a batch that stands still, and leave nothing of it in the way of others."""
        batch_id = tally.batch.id
        if tally.batch.state == "running" and not tally.left:
            tally = self._as_done(tally)
        last = last_event(tally)
        if last is None:
            return
        del self._followers[batch_id]
        if not isinstance(last, BatchEnded):
            states = WAITING if isinstance(last, Paused) else OPEN
            for chunk in chunks(refs(self._batches, batch_id, states=states)):
                self._crew.withdraw(chunk)
        yield last

    def _as_done(self, tally: Tally) -> Tally:
        try:
            return replace(tally, batch=self._batches.set_state(tally.batch.id, "done"))
        except Conflict:  # somebody reopened it in this very moment
            return self._batches.tally(tally.batch.id)

    def _drained(self, look_seconds: float) -> Iterator[Event]:
        end = time.monotonic() + STOPPING_SECONDS
        is_told = False
        while not self._crew.drain(look_seconds if is_told else 0.0) and time.monotonic() < end:
            for follower in self._followers.values():
                tally, ended = follower.look()
                yield from ended
                if not is_told:
                    yield Stopping(tally=tally, running=tally.count("running"))
            is_told = True
        for follower in self._followers.values():
            yield from follower.look()[1]
