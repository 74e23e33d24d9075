"""A budget without a bound for replies: calls are reckoned as the plan reckons them, and the budget can be spent."""

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

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


def test_a_refusal_names_the_sum_that_a_budget_must_have_for_one_to_begin(
    desk: Desk, service: Service
) -> None:
    """Below it nothing is begun; from it on the first call may be asked for."""
    batch_id, _ = planned(desk)
    with pytest.raises(BudgetShort) as caught:
        desk.run(batch_id, budget=100.0)
    named = named_cost(str(caught.value))

    with pytest.raises(BudgetShort) as below:
        desk.run(batch_id, budget=0.99 * named)
    desk.run(batch_id, budget=named)

    assert named_cost(str(below.value)) == named
    assert desk.batches.status(batch_id).batch.state == "paused"


def test_a_batch_that_stands_still_names_what_its_next_call_was_really_reckoned_with(
    desk: Desk, service: Service
) -> None:
    """Not what the plan's upper end says: with a sum of that size, and not with a smaller one, the call is made."""
    batch_id, most = planned(desk)
    with pytest.raises(BudgetShort) as caught:
        desk.run(batch_id, budget=1.0)
    desk.run(batch_id, budget=named_cost(str(caught.value)))
    short = desk.batches.shortage(batch_id)
    assert short is not None and not service.calls
    named = named_cost(str(short))
    assert named < most

    desk.resume(batch_id, budget=0.99 * named)
    with_less = service.calls.total()
    desk.resume(batch_id, budget=named)

    assert (with_less, service.calls.total() > 0) == (0, True)


def named_cost(sentence: str) -> float:
    """Return the first sum of a sentence, which is what a call is reckoned with."""
    named = re.search(r"[0-9][0-9,.]*[0-9]", sentence)
    assert named is not None, sentence
    return float(named[0].replace(",", ""))


def short_of(**known: Any) -> BudgetShort:
    whole = {
        "budget": 20.0,
        "left": 1.84,
        "next_cost": 6.525,
        "enough": 53.0,
        "is_before": False,
        "is_new": False,
    }
    return BudgetShort("b-x7k2m9qp", **(whole | known))


def in_chinese(short: BudgetShort) -> BudgetShort:
    short.language = "zh"
    return short


def test_a_sum_is_told_in_the_language_of_the_batch() -> None:
    short = short_of()

    assert str(short) == (
        "The next call may cost up to 6.53, and 1.84 of the budget of 20 is left; what was done is kept."
    )
    assert str(in_chinese(short)) == "下一次调用最多可能花费 6.53，预算 20 只剩 1.84；已完成的都已保留。"
    assert "resume b-x7k2m9qp --budget 53 " in short.hint


def test_before_anything_was_spent_nothing_is_said_to_be_left_or_kept() -> None:
    short = short_of(
        budget=0.004, left=0.004, next_cost=0.00467123, enough=0.0069, is_before=True, is_new=True
    )

    assert str(short) == "Even the smallest call is reckoned with 0.00468, and the budget is 0.004."
    assert (
        "Run it, with enough for all of it: script-editor batch run b-x7k2m9qp --budget 0.0069 " in short.hint
    )
    assert str(in_chinese(short)) == "最小的一次调用也要按 0.00468 计算，而预算是 0.004。"
    assert "运行（足够做完全部）：script-editor batch run b-x7k2m9qp --budget 0.0069 " in short.hint


def test_a_sum_that_is_told_is_never_too_small_a_one() -> None:
    assert "0.00468" in str(short_of(next_cost=0.00467001))
    assert "1,235" in str(short_of(next_cost=1234.1))
    assert "and 1.84 of the budget of 20 is left" in str(short_of(left=1.849))
    assert "up to 0.01, and" in str(short_of(next_cost=0.01))
