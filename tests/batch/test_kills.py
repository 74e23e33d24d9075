"""What a batch comes to when its worker processes are killed: nothing is lost, and nothing is done twice.

Each test has a long form, in which there are more items and more kills.
"""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.batch.memory_engine import Kill, Moment
from tests.batch.real_workers import CALLS, Work, WorkerProcess, asks_for, working

pytestmark = pytest.mark.soak

IS_SOAK = bool(os.environ.get("SCRIPT_EDITOR_SOAK"))
WORKERS = 4
STEPS = ("load", "plan", "rewrite", "answer", "end")
"""What an item does in turn, each of which is a step of its own."""
MOMENTS: tuple[Moment, ...] = ("before", "inside", "after") if IS_SOAK else ("after",)
KILLS_AT_STEPS = [Kill(step, moment) for moment in MOMENTS for step in range(len(STEPS))]


def kill_after_calls(work: Work, process: WorkerProcess, moments: random.Random, calls: int) -> None:
    """Kill a process at some moment, but not before there were so many calls: as many as the items take that run,
    and some more, since an item that is there in four crashes is given up."""
    work.wait_for_calls(calls)
    time.sleep(moments.uniform(0, 0.1))
    process.kill()


def test_whatever_moments_workers_are_killed_at_each_item_is_applied_once(store_url: str) -> None:
    kills, items = (20, 120) if IS_SOAK else (3, 20)
    moments = random.Random(7)

    with working(store_url, items, seconds=0.05) as work:
        for _ in range(kills):
            kill_after_calls(work, work.begin(workers=WORKERS), moments, 4 * WORKERS)
        work.finish(workers=WORKERS)

        work.assert_applied_once()
        assert work.states() == {"done": items}
        # What was answered and noted is not asked again; a kill can cost each running item one call.
        assert items * CALLS <= work.service.total <= items * CALLS + kills * WORKERS


def test_whichever_of_two_workers_is_killed_while_the_other_goes_on_each_item_is_applied_once(
    store_url: str,
) -> None:
    kills, items, calls = (20, 500, 12 * WORKERS) if IS_SOAK else (1, 16, 4 * WORKERS)
    moments = random.Random(11)

    with working(store_url, items, seconds=0.2) as work:
        at_work = [work.begin(workers=WORKERS) for _ in range(2)]
        for _ in range(kills):
            assert work.is_open, "There are too few items for so many kills."
            kill_after_calls(work, at_work.pop(moments.randrange(2)), moments, calls)
            at_work.append(work.begin_soon(workers=WORKERS))
        assert [process.end() for process in at_work] == ["over", "over"]

        assert work.states() == {"done": items}
        work.assert_applied_once()
        assert items * CALLS <= work.service.total <= items * CALLS + kills * WORKERS


def test_an_item_that_is_killed_at_any_of_its_steps_asks_the_same_in_the_same_order(store_url: str) -> None:
    count = len(KILLS_AT_STEPS)

    with working(store_url, count) as work:
        for number, kill in enumerate(KILLS_AT_STEPS, 1):
            # Besides this item there are those that the processes before left; none is queued that is to be killed yet.
            process = work.begin_soon(workers=1, kill=kill, kill_seq=number, last_seq=number)
            said = process.end()
            assert process.exit_code == -signal.SIGKILL, said
        work.finish(workers=1)

        work.assert_applied_once()
        assert work.states() == {"done": count}
        for number, kill in enumerate(KILLS_AT_STEPS, 1):
            assert_asked_in_order(work, number, kill)


def assert_asked_in_order(work: Work, number: int, kill: Kill) -> None:
    """Check that an item asked everything once and in order, and only what was answered and not noted again."""
    expected = list(STEPS[1:-1])
    if kill.moment == "inside" and STEPS[kill.step] in expected:
        expected.insert(kill.step, STEPS[kill.step])
    asked = work.asked(number)
    assert [asks_for(body) for body in asked] == expected, kill
    for kind in STEPS[1:-1]:
        bodies = [body for body in asked if asks_for(body) == kind]
        assert all(body == bodies[0] for body in bodies), kill


@pytest.mark.parametrize(
    ("moment", "done", "repeated"), [("reply", 0, 1), ("committed", 1, 0), ("noted", 1, 0)]
)
def test_a_worker_that_dies_at_the_worst_moment_costs_at_most_the_call_under_way(
    store_url: str, tmp_path: Path, moment: str, done: int, repeated: int
) -> None:
    kills, items = (8, 40) if IS_SOAK else (1, 4)

    with working(store_url, items) as work:
        for number in range(kills):  # each at a later one of these moments, so that others are at work
            died = tmp_path / f"died-{number}"
            process = work.begin_soon(workers=1, die_at=moment, die_once=str(died), die_after=number)
            said = process.end()
            assert (process.exit_code, died.exists()) == (-signal.SIGKILL, True), said
            if number == 0:
                assert work.states()["done"] == done
        work.finish(workers=1)

        work.assert_applied_once()
        assert work.states() == {"done": items}
        assert work.service.total == items * CALLS + kills * repeated


def test_an_item_that_ends_the_process_again_and_again_is_dead_and_stops_no_other(store_url: str) -> None:
    items, bad = (60, (2, 30, 59)) if IS_SOAK else (6, (2,))
    poison = tuple(f"video_{number:06}" for number in bad)

    with working(store_url, items) as work:
        ends = []
        while not ends or ends[-1] != 0:
            process = work.begin_soon(workers=3, poison=poison)
            said = process.end()
            assert not said.startswith("failed"), said  # which has the same exit code
            ends.append(process.exit_code)

        assert set(ends[:-1]) == {1}
        assert 4 <= len(ends[:-1]) <= 4 * len(bad)
        assert work.states() == {"done": items - len(bad), "dead": len(bad)}
        for item in work.items():
            if item.job.seq in bad:
                assert (item.state, item.error_type, item.crashes) == ("dead", "crashed", 4)
        work.assert_applied_once(numbers=[number for number in range(1, items + 1) if number not in bad])


def test_a_process_that_stood_still_and_wakes_up_writes_nothing_of_what_was_taken_from_it(
    store_url: str,
) -> None:
    count, items = (4, 60) if IS_SOAK else (1, 8)

    with working(store_url, items, seconds=0.3) as work:
        sleepers = []
        for _ in range(count):  # one after another, each of which goes on with what those before it had
            sleepers.append(work.begin(workers=WORKERS, silent_seconds=1.0))
            until = work.service.total + 6
            work.wait(lambda until=until: work.service.total >= until)
            work.put_to_sleep(sleepers[-1])
        work.finish(workers=WORKERS, silent_seconds=1.0)
        done = work.service.total
        for sleeper in sleepers:
            sleeper.send_signal(signal.SIGCONT)
        said = [sleeper.end() for sleeper in sleepers]

        work.assert_applied_once()
        assert said == ["over"] * count
        assert work.states() == {"done": items}
        assert done <= items * CALLS + count * WORKERS
        assert work.service.total <= done + count * WORKERS


def test_what_a_worker_that_never_comes_back_was_at_is_done_by_the_others(store_url: str) -> None:
    count, items = (4, 150) if IS_SOAK else (1, 16)

    with working(store_url, items, seconds=0.1) as work:
        lost = work.begin(workers=WORKERS)
        other = work.begin(workers=WORKERS)
        for number in range(count):
            lost = lost if number == 0 else work.begin(workers=WORKERS)
            work.wait_for_calls(12)
            assert work.is_open, "There are too few items for so many losses."
            lost.kill()
        assert other.end() == "over"

        work.assert_applied_once()
        assert work.service.total <= items * CALLS + count * WORKERS


def test_an_item_is_blamed_once_for_a_worker_that_is_lost_however_many_look(store_url: str) -> None:
    items, lookers = (16, 5) if IS_SOAK else (3, 2)

    with working(store_url, items, seconds=0.5) as work:
        lost = work.begin(workers=items)
        work.wait(lambda: work.states()["running"] == items)
        lost.kill()
        others = [work.begin_soon(workers=3) for _ in range(lookers)]
        for process in others:
            process.end()

        assert [item.crashes for item in work.items()] == [1] * items
        work.assert_applied_once()
