"""What runs took, added up: known tokens, and prices of the one model that they were set for."""

from dataclasses import replace
from datetime import UTC, datetime

from script_editor.app.usage import Prices, spent_by, spent_on_all
from script_editor.domain.script import RunCost

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PRICES = Prices(model="m", sent=2.0, received=8.0)
RUN = RunCost(
    model="m", started_at=NOON, prompt_tokens=1_000_000, completion_tokens=500_000, usage_known=True
)
OTHER, OFFLINE = replace(RUN, model="n"), RunCost(model="offline", started_at=NOON, usage_known=True)


def test_only_the_model_of_the_prices_has_a_price() -> None:
    spent = {
        group.name: (group.cost, group.unpriced) for group in spent_by([RUN, OTHER, OFFLINE], "model", PRICES)
    }

    assert spent == {"m": (6.0, 0), "n": (None, 1), "offline": (0.0, 0)}


def test_what_is_free_anyway_says_nothing_of_what_the_others_cost() -> None:
    both = spent_on_all([OTHER, OFFLINE], PRICES)
    none = spent_on_all([RUN, OFFLINE], None)

    assert both is not None and none is not None
    assert (both.cost, both.unpriced) == (None, 1) == (none.cost, none.unpriced)


def test_a_sum_of_which_something_is_unknown_is_a_least_one() -> None:
    partly = spent_on_all([RUN, replace(RUN, usage_known=False)], PRICES)
    unreported = spent_on_all([RUN, RunCost(model="m", started_at=NOON, usage_known=False)], PRICES)
    before_it_was_recorded = spent_on_all([replace(RUN, usage_known=None)], PRICES)

    assert partly is not None and unreported is not None and before_it_was_recorded is not None
    assert (partly.partly, partly.unreported, partly.is_at_least, partly.cost) == (1, 0, True, 12.0)
    assert (unreported.partly, unreported.unreported, unreported.is_at_least) == (0, 1, True)
    assert not before_it_was_recorded.is_at_least
