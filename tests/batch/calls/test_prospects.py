"""A batch whose calls have no prospect stands still with the reason, instead of failing item after item."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from script_editor.batch.calls.breaker import HOPELESS_REFUSALS
from script_editor.batch.progress import Event, Paused
from script_editor.errors import KeyRefused, ModelUnknown, ScriptEditorError, Unreachable
from tests.batch.service_desk import Desk, Service
from tests.batch.test_service import FUNNIER, until
from tests.support.openai_server import Behaviour, OpenAIServer, status

ITEMS = 12
REFUSALS: dict[str, tuple[Behaviour, type[ScriptEditorError]]] = {
    "a wrong key": (status(401, "who are you"), KeyRefused),
    "an unknown model": (status(404, "no such model"), ModelUnknown),
    "a forbidden key": (status(403, "not for you"), KeyRefused),
}


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def served(stack: ExitStack, url: str, service: Service) -> Desk:
    server = stack.enter_context(OpenAIServer(service))
    return stack.enter_context(closing(Desk(url, server.base_url)))


def nowhere() -> str:
    """Return an address at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


def reason_of(desk: Desk, batch_id: str) -> tuple[str, str]:
    batch = desk.batches.status(batch_id).batch
    return batch.state, batch.pause_reason


@pytest.mark.parametrize("name", REFUSALS)
def test_a_run_whose_first_calls_are_refused_pauses_and_says_why(
    sqlite_url: str, stack: ExitStack, name: str
) -> None:
    answer, error = REFUSALS[name]
    service = Service(lambda _number, _call: answer)
    desk = served(stack, sqlite_url, service)
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)

    with pytest.raises(error):
        desk.run(batch_id)

    assert reason_of(desk, batch_id) == ("paused", "refused")
    failed = desk.states(batch_id).get("failed", 0)
    assert failed == (HOPELESS_REFUSALS - 1 if name == "a forbidden key" else 0)
    assert service.calls.total() < ITEMS


def test_a_run_that_reaches_nobody_pauses_without_an_item_that_failed(
    sqlite_url: str, stack: ExitStack
) -> None:
    desk = stack.enter_context(closing(Desk(sqlite_url, nowhere())))
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)

    with pytest.raises(Unreachable, match="Cannot reach"):
        desk.run(batch_id)

    assert reason_of(desk, batch_id) == ("paused", "unreachable")
    assert desk.states(batch_id) == {"queued": ITEMS}


def test_a_key_that_is_withdrawn_on_the_way_costs_a_few_items_and_not_all(
    sqlite_url: str, stack: ExitStack
) -> None:
    answer, error = REFUSALS["a wrong key"]
    service = Service(lambda _number, _call: answer if service.calls.total() > 4 else None)
    desk = served(stack, sqlite_url, service)
    batch_id = desk.plan(desk.fill(20), instruction=FUNNIER)

    with pytest.raises(error):
        desk.run(batch_id)

    states = desk.states(batch_id)
    assert reason_of(desk, batch_id) == ("paused", "refused")
    assert states["done"] == 4 and states["failed"] < HOPELESS_REFUSALS and states["queued"] > 10


def test_texts_that_a_service_refuses_now_and_then_stop_nothing(sqlite_url: str, stack: ExitStack) -> None:
    answer, _ = REFUSALS["a forbidden key"]
    service = Service(lambda number, _call: answer if number % 2 == 0 else None)
    desk = served(stack, sqlite_url, service)
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)

    desk.run(batch_id)

    assert desk.states(batch_id) == {"done": ITEMS // 2, "failed": ITEMS // 2}


@pytest.mark.parametrize("name", ["a wrong key", "an unknown model"])
def test_the_last_worker_pauses_what_nobody_can_go_on_with(
    sqlite_url: str, stack: ExitStack, name: str
) -> None:
    answer, error = REFUSALS[name]
    is_wrong: list[bool] = []
    service = Service(lambda _number, _call: answer if is_wrong else None)
    desk = served(stack, sqlite_url, service)
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)
    service.hold.clear()
    with desk.elsewhere("run", batch_id) as other:
        until(lambda: service.calls.total() >= 2)
        other.kill()
    is_wrong.append(True)
    service.hold.set()

    told: list[Event] = []
    with pytest.raises(error):
        for event in desk.batches.work(workers=2, is_stopping=lambda: False):
            told.append(event)

    assert [event.reason for event in told if isinstance(event, Paused)] == ["refused"]
    assert reason_of(desk, batch_id) == ("paused", "refused")
    assert "failed" not in desk.states(batch_id)
    is_wrong.clear()
    desk.resume(batch_id)
    assert desk.states(batch_id) == {"done": ITEMS}
