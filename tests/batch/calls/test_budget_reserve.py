"""A budget without a bound for replies: calls are reckoned as the plan reckons them, and the budget can be spent."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from script_editor.batch.progress import BatchEnded, Paused
from script_editor.batch.service import HowToRun
from script_editor.errors import BudgetShort
from tests.batch.service_desk import Desk, Service
from tests.batch.test_service import FUNNIER
from tests.support.openai_server import OpenAIServer

ITEMS = 8
REAL = (550, 150)
ONE = float(sum(REAL))
"""What each call really costs: a token costs one."""


@pytest.fixture
def service() -> Service:
    return Service(used=REAL)


@pytest.fixture
def desk(store_url: str, service: Service) -> Iterator[Desk]:
    with ExitStack() as stack:
        server = stack.enter_context(OpenAIServer(service))
        yield stack.enter_context(closing(Desk(store_url, server.base_url, max_output_tokens=None)))


def planned(desk: Desk) -> tuple[str, float]:
    """Return a batch, and the upper end of what its plan says that an item costs."""
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)
    cost = desk.batches.outlook(batch_id, HowToRun()).estimate.cost
    assert cost is not None
    return batch_id, cost[1] / ITEMS


def test_a_budget_below_the_upper_end_of_the_plan_is_spent_and_not_passed(desk: Desk) -> None:
    batch_id, most = planned(desk)
    budget = most + 3 * ONE

    paused = desk.run(batch_id, budget=budget)

    spent = desk.batches.status(batch_id).spent
    assert spent is not None
    assert isinstance(paused[-1], Paused) and paused[-1].reason == "budget"
    assert 3 * ONE <= spent <= budget
    assert desk.batches.status(batch_id).in_flight == 0.0


def test_a_budget_that_covers_the_upper_end_of_the_plan_is_enough_for_all_of_it(desk: Desk) -> None:
    batch_id, most = planned(desk)

    ended = desk.run(batch_id, budget=most * ITEMS)

    assert isinstance(ended[-1], BatchEnded)
    assert desk.states(batch_id) == {"done": ITEMS}


def test_a_batch_that_stands_still_says_what_it_lacks_and_names_a_sum_that_is_enough(
    desk: Desk, service: Service
) -> None:
    batch_id, most = planned(desk)
    budget = most + 2 * ONE
    desk.run(batch_id, budget=budget)
    spent = desk.batches.status(batch_id).spent or 0.0

    short = desk.batches.shortage(batch_id)

    assert short is not None
    assert (short.budget, short.left) == (budget, budget - spent)
    assert short.next_cost > short.left
    assert "The next call may cost up to" in str(short)
    named = re.search(r"--budget ([0-9.]+)", short.hint)
    assert named is not None
    assert isinstance(desk.resume(batch_id, budget=float(named[1]))[-1], BatchEnded)
    assert service.calls.total() == ITEMS


def test_a_budget_that_covers_no_call_is_refused_before_anything_is_spent(
    desk: Desk, service: Service
) -> None:
    batch_id, _ = planned(desk)

    with pytest.raises(BudgetShort) as caught:
        desk.run(batch_id, budget=100.0)

    short = caught.value
    assert (short.exit_code, short.code, short.left) == (8, "budget_reached", 100.0)
    assert not service.calls
    batch = desk.batches.status(batch_id).batch
    assert (batch.state, batch.bounds.budget) == ("planned", None)
    assert isinstance(desk.run(batch_id, budget=short.enough)[-1], BatchEnded)


def test_a_budget_can_be_taken_away(desk: Desk) -> None:
    batch_id, most = planned(desk)
    desk.run(batch_id, budget=most)

    ended = desk.resume(batch_id, budget="none")

    assert isinstance(ended[-1], BatchEnded)
    assert desk.batches.status(batch_id).batch.bounds.budget is None


def test_a_sum_is_told_in_the_language_of_the_batch() -> None:
    short = BudgetShort("b-x7k2m9qp", budget=20.0, left=1.84, next_cost=6.525, enough=53.0)

    assert str(short) == (
        "The next call may cost up to 6.53, and of the budget of 20 1.84 is left; what was done is kept."
    )
    short.language = "zh"
    assert str(short) == "下一次调用最多可能花费 6.53，预算 20 只剩 1.84；已完成的都已保留。"
    assert "--budget 53 " in short.hint
