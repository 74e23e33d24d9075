"""One meter for all who talk to a model in a run: what was used, and when it is too much."""

import pytest

from script_editor.errors import BudgetReached, ModelFailure
from script_editor.llm.chat import Message, Reply, Usage
from script_editor.llm.exchange import Exchange
from script_editor.llm.metered import Metered
from script_editor.llm.scripted import ScriptedModel

QUESTION = (Message(role="user", content="改得更轻松幽默一些"),)


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("limits", "seconds", "kind"),
    [
        ({"max_tokens": 10}, 0.0, "tokens"),
        ({"max_seconds": 5.0}, 5.0, "seconds"),
        ({"max_calls": 1}, 0.0, "calls"),
    ],
)
def test_a_budget_that_is_used_up_says_which_it_was(
    limits: dict[str, float], seconds: float, kind: str
) -> None:
    clock, model = Clock(), ScriptedModel([Reply(text="好", usage=Usage(7, 3))])
    meter = Metered(model, clock=clock, **limits)  # type: ignore[arg-type]  # one of the three at a time
    meter.complete(QUESTION)
    clock.now = seconds

    with pytest.raises(BudgetReached) as caught:
        meter.complete(QUESTION)

    assert caught.value.kind == kind
    assert (meter.calls, len(model.calls)) == (1, 1)


def test_a_failure_after_the_time_is_over_is_a_used_up_budget() -> None:
    clock = Clock()

    def late(*_: object) -> Reply:
        clock.now = 9.0
        raise ModelFailure("no answer")

    with pytest.raises(BudgetReached) as caught:
        Metered(ScriptedModel([late]), max_seconds=5.0, clock=clock).complete(QUESTION)

    assert caught.value.kind == "seconds"


def test_a_call_that_fails_counts_and_is_told() -> None:
    told: list[Exchange] = []
    failure = ModelFailure("busy")
    meter = Metered(ScriptedModel([failure, "好"]), told.append, max_calls=2)

    with pytest.raises(ModelFailure):
        meter.complete(QUESTION)
    meter.complete(QUESTION)

    assert meter.calls == 2
    assert [(exchange.failure, exchange.reply and exchange.reply.text) for exchange in told] == [
        (failure, None),
        (None, "好"),
    ]


def test_nothing_is_limited_unless_asked_for() -> None:
    meter = Metered(ScriptedModel(["好"] * 30))

    for _ in range(30):
        meter.complete(QUESTION)

    assert meter.calls == 30


def test_the_time_left_is_the_deadline_of_each_request() -> None:
    clock, model = Clock(), ScriptedModel(["好", "好"])
    meter = Metered(model, max_seconds=10.0, clock=clock)

    clock.now = 4.0
    meter.complete(QUESTION)
    meter.complete(QUESTION, timeout_seconds=2.0)

    assert [call.timeout_seconds for call in model.calls] == [6.0, 2.0]
