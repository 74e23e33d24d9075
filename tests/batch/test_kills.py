"""What a batch comes to when its worker processes are killed: nothing is lost, and nothing is done twice."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from tests.batch.real_workers import CALLS, working

IS_SOAK = bool(os.environ.get("SCRIPT_EDITOR_SOAK"))
KILLS, ITEMS = (20, 120) if IS_SOAK else (3, 20)
WORKERS = 4


@pytest.mark.soak
def test_whatever_moments_workers_are_killed_at_each_item_is_applied_once(store_url: str) -> None:
    moments = random.Random(7)

    with working(store_url, ITEMS, seconds=0.05) as work:
        for _ in range(KILLS):
            process = work.begin(workers=WORKERS)
            # At least as long as an item takes, since one that is there in four crashes is given up.
            work.wait_for_calls(4 * WORKERS)
            time.sleep(moments.uniform(0, 0.1))
            process.kill()
        work.finish(workers=WORKERS)

        work.assert_applied_once()
        assert work.states() == {"done": ITEMS}
        # What was answered and noted is not asked again; a kill can cost each running item one call.
        assert ITEMS * CALLS <= work.service.total <= ITEMS * CALLS + KILLS * WORKERS


@pytest.mark.parametrize(
    ("moment", "done", "repeated"), [("reply", 0, 1), ("committed", 1, 0), ("noted", 1, 0)]
)
def test_a_worker_that_dies_at_the_worst_moment_costs_at_most_the_call_under_way(
    store_url: str, tmp_path: Path, moment: str, done: int, repeated: int
) -> None:
    with working(store_url, 4) as work:
        died = tmp_path / "died"
        process = work.begin_soon(workers=1, die_at=moment, die_once=str(died))
        process.end()
        assert (process.exit_code, died.exists()) == (-signal.SIGKILL, True)
        assert work.states()["done"] == done
        work.finish(workers=1)

        work.assert_applied_once()
        assert work.states() == {"done": 4}
        assert work.service.total == 4 * CALLS + repeated


def test_an_item_that_ends_the_process_again_and_again_is_dead_and_stops_no_other(store_url: str) -> None:
    with working(store_url, 6) as work:
        ends = []
        while not ends or ends[-1] != 0:
            process = work.begin_soon(workers=3, poison="video_000002")
            process.end()
            ends.append(process.exit_code)

        assert ends == [1, 1, 1, 1, 0]
        assert work.states() == {"done": 5, "dead": 1}
        dead = work.items()[1]
        assert (dead.state, dead.error_type, dead.crashes) == ("dead", "crashed", 4)
        work.assert_applied_once(numbers=[1, 3, 4, 5, 6])


def test_a_process_that_stood_still_and_wakes_up_writes_nothing_of_what_was_taken_from_it(
    store_url: str,
) -> None:
    with working(store_url, 8, seconds=0.3) as work:
        sleeper = work.begin(workers=4, silent_seconds=1.0)
        work.wait(lambda: work.service.total >= 6)
        sleeper.send_signal(signal.SIGSTOP)
        work.finish(workers=4, silent_seconds=1.0)
        done = work.service.total
        sleeper.send_signal(signal.SIGCONT)
        said = sleeper.end()

        work.assert_applied_once()
        assert said == "over"
        assert work.states() == {"done": 8}
        assert done <= 8 * CALLS + 4
        assert work.service.total <= done + 4


def test_what_a_worker_that_never_comes_back_was_at_is_done_by_the_others(store_url: str) -> None:
    with working(store_url, 16, seconds=0.1) as work:
        lost = work.begin(workers=4)
        other = work.begin(workers=4)
        work.wait(lambda: work.service.total >= 12)
        lost.kill()
        assert other.end() == "over"

        work.assert_applied_once()
        assert work.service.total <= 16 * CALLS + 4


def test_an_item_is_blamed_once_for_a_worker_that_is_lost_however_many_look(store_url: str) -> None:
    with working(store_url, 3, seconds=0.5) as work:
        lost = work.begin(workers=3)
        work.wait(lambda: work.states()["running"] == 3)
        lost.kill()
        others = [work.begin_soon(workers=3) for _ in range(2)]
        for process in others:
            process.end()

        assert [item.crashes for item in work.items()] == [1, 1, 1]
        work.assert_applied_once()
