"""One run of a batch over an engine that loses what it was given, as a loss of power makes it."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import cast

import pytest
from sqlmodel import Session

from script_editor.batch.engine import ItemRef
from script_editor.batch.following import Follower
from script_editor.batch.paging import CHUNK
from script_editor.batch.progress import BatchEnded, Began, Event, ItemEnded
from script_editor.batch.working.attending import Attendance
from script_editor.batch.working.course import Course
from script_editor.batch.working.crew import Crew
from script_editor.batch.working.running import Run
from script_editor.domain.batches import Batch, Bounds, Ending, Job, Recipe
from script_editor.domain.script import Provenance
from script_editor.errors import KeyRefused, SetupError
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.engine import open_engine, writing
from script_editor.store.sql import open_store


class ForgetfulCrew:
    """Forgets the items it is given first, and does those it is given later at once."""

    waiting_for = None
    trouble = ""
    refusal = None

    def __init__(self, url: str, batches: SqlBatchStore):
        self._url, self._batches = url, batches
        self.given: list[int] = []

    def queue(self, items: Sequence[ItemRef], *, are_new: bool) -> None:
        self.given.append(len(items))
        assert are_new == (len(self.given) == 1)
        if len(self.given) > 1:
            for ref in items:
                self._end(ref)

    def _end(self, ref: ItemRef) -> None:
        engine = open_engine(self._url)
        with writing(engine) as session:
            assert isinstance(session, Session)
            self._batches.end_item(session, ref.batch_id, ref.seq, ref.attempt, Ending(state="unchanged"))
        engine.dispose()

    def attend(self, _batch_ids: Collection[str]) -> None:
        pass

    def was_disturbed(self, _batch_id: str) -> bool:
        return False

    def drain(self, _timeout_seconds: float) -> bool:
        return True


class SlowCrew:
    """Is at a call that is answered only after it was waited for so many times."""

    waiting_for = None
    trouble = ""

    def __init__(self, looks: int = 5, refusal: SetupError | None = None):
        self.looks, self.refusal = looks, refusal

    @property
    def is_answered(self) -> bool:
        return not self.looks

    def attend(self, _batch_ids: Collection[str]) -> None:
        pass

    def hurry(self) -> None:
        pass

    def queue(self, _items: Sequence[ItemRef], *, are_new: bool) -> None:
        pass

    def others(self, _batch: Batch) -> int:
        return 1

    def begun(self, _batch_id: str) -> int:
        return 1

    def is_run_elsewhere(self, _batch_id: str) -> bool:
        return True

    def drain(self, _timeout_seconds: float) -> bool:
        self.looks = max(0, self.looks - 1)
        return self.is_answered


@pytest.fixture
def batches(sqlite_url: str) -> Iterator[SqlBatchStore]:
    with open_store(sqlite_url, create=False) as scripts:
        for number in (1, 2, 3):
            scripts.create(f"v{number}", "第一行\n", provenance=Provenance(author="alice"))
    with open_batches(sqlite_url) as opened:
        yield opened


def batch_of(batches: SqlBatchStore) -> str:
    recipe = Recipe(instruction="短一点", author="alice", model="m", mode="direct", prompts="p")
    jobs = [
        Job(seq=n, script_id=f"v{n}", base_number=1, instruction="短一点", key=f"k{n}") for n in (1, 2, 3)
    ]
    batch = batches.create_batch(recipe, jobs, target="propose", bounds=Bounds())
    return batches.set_state(batch.id, "running").id


def told_by(crew: ForgetfulCrew, batches: SqlBatchStore, batch_id: str) -> list[Event]:
    course = Course(batch_id, cast(Crew, crew), batches, quiet_seconds=0.2)
    run = Run(course, cast(Crew, crew), is_stopping=lambda: False, are_new=True, look_seconds=0.05)
    return list(islice(run.events(Began(tally=batches.tally(batch_id), items=3)), 10_000))


def test_items_that_the_engine_lost_are_given_to_it_again(sqlite_url: str, batches: SqlBatchStore) -> None:
    crew = ForgetfulCrew(sqlite_url, batches)

    batch_id = batch_of(batches)

    told = told_by(crew, batches, batch_id)

    assert crew.given == [3, 3]
    assert sorted(event.item.job.seq for event in told if isinstance(event, ItemEnded)) == [1, 2, 3]
    assert batches.batch(batch_id).state == "done"
    assert not any(isinstance(event, BatchEnded) for event in told)  # told by whoever closes the crew


def test_a_cancel_of_more_items_than_are_read_at_once_is_told_item_by_item_and_once(
    sqlite_url: str, batches: SqlBatchStore
) -> None:
    count = CHUNK + 3
    with open_store(sqlite_url, create=False) as scripts:
        for number in range(count):
            scripts.create(f"w{number}", "第一行\n", provenance=Provenance(author="alice"))
    recipe = Recipe(instruction="短一点", author="alice", model="m", mode="direct", prompts="p")
    jobs = [
        Job(seq=n, script_id=f"w{n - 1}", base_number=1, instruction="短一点", key=f"k{n}")
        for n in range(1, count + 1)
    ]
    batch_id = batches.create_batch(recipe, jobs, target="propose", bounds=Bounds()).id
    batches.set_state(batch_id, "running")
    follower = Follower(batches, batch_id)

    batches.set_state(batch_id, "cancelled")
    batches.cancel_open(batch_id)

    _tally, first = follower.look()
    _tally, second = follower.look()
    assert [event.item.job.seq for event in first] == list(range(1, count + 1))
    assert list(second) == []


# --- the calls that are under way ------------------------------------------------------------


@pytest.mark.parametrize("is_asked", [False, True], ids=["a batch that stands still", "a person who leaves"])
def test_a_call_is_waited_for_until_it_is_answered_unless_a_person_wants_to_leave(
    batches: SqlBatchStore, is_asked: bool
) -> None:
    """Its own time limit ends it; whatever is given up sooner is paid for and lost."""
    batch_id = batch_of(batches)
    crew = SlowCrew()
    course = Course(batch_id, cast(Crew, crew), batches)
    run = Run(
        course,
        cast(Crew, crew),
        is_stopping=lambda: is_asked,
        are_new=False,
        look_seconds=0.01,
        stopping_seconds=0.0,
    )
    if not is_asked:
        batches.set_state(batch_id, "paused", reason="budget")

    list(islice(run.events(Began(tally=batches.tally(batch_id), items=3)), 10_000))

    assert crew.is_answered == (not is_asked)


@pytest.mark.parametrize("is_asked", [False, True], ids=["no call has a prospect", "a person who leaves"])
def test_a_worker_waits_for_a_call_until_it_is_answered_unless_a_person_wants_to_leave(
    batches: SqlBatchStore, is_asked: bool
) -> None:
    batch_of(batches)
    crew = SlowCrew(refusal=None if is_asked else KeyRefused("no"))
    attendance = Attendance(cast(Crew, crew), batches, model="m", stopping_seconds=0.0)

    list(islice(attendance.events(lambda: is_asked, look_seconds=0.01), 10_000))

    assert crew.is_answered == (not is_asked)
