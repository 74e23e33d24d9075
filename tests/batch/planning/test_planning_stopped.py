"""A plan that a person stops: whatever it was doing, nothing of it is stored."""

import signal
from collections.abc import Iterator
from contextlib import closing

import pytest

from script_editor.batch.planning.plan import PlanRequest
from script_editor.batch.planning.sources import of_ids
from tests.batch.service_desk import Desk

ITEMS = 250


@pytest.fixture
def desk(sqlite_url: str) -> Iterator[Desk]:
    with closing(Desk(sqlite_url)) as made:
        yield made


@pytest.fixture
def request_(desk: Desk) -> PlanRequest:
    return PlanRequest(author="tester", instruction="短一点", sources=[of_ids(desk.fill(ITEMS))])


@pytest.mark.parametrize("stage", ["reading", "storing"])
def test_ctrl_c_while_planning_leaves_nothing(desk: Desk, request_: PlanRequest, stage: str) -> None:
    def press(read: int, stored: int) -> None:
        if stored > 100 if stage == "storing" else read == ITEMS:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        desk.batches.plan(request_, tell=press)

    assert desk.batches.list() == ()
    again = desk.batches.plan(request_)
    assert again.batch is not None and again.batch.total == ITEMS


def test_a_plan_tells_how_far_it_is(desk: Desk, request_: PlanRequest) -> None:
    told: list[tuple[int, int]] = []

    desk.batches.plan(request_, tell=lambda read, stored: told.append((read, stored)))

    assert told == [*((number, 0) for number in range(1, ITEMS + 1)), (ITEMS, 100), (ITEMS, 200)]
