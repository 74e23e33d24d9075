"""A service whose account is empty: no item fails for it, and the batch says what it stands still for."""

from contextlib import ExitStack

import pytest

from script_editor.errors import AccountEmpty
from tests.batch.calls.test_prospects import reason_of, served, stack
from tests.batch.service_desk import Service
from tests.batch.test_service import FUNNIER
from tests.support.openai_server import Behaviour, json_body, status

__all__ = ["stack"]

ITEMS = 12
EMPTY: dict[str, Behaviour] = {
    "DeepSeek": json_body(
        {"error": {"message": "Insufficient Balance", "code": "invalid_request_error"}}, code=402
    ),
    "OpenAI": status(429, "You exceeded your current quota", error={"code": "insufficient_quota"}),
    "Zhipu": json_body({"error": {"code": "1113", "message": "您的账户已欠费，请充值后重试。"}}, code=429),
}


@pytest.mark.parametrize("name", EMPTY)
@pytest.mark.parametrize("answered", [0, 4], ids=["from the start", "on the way"])
def test_a_batch_pauses_at_once_when_the_account_is_empty_and_goes_on_when_it_is_not(
    store_url: str, stack: ExitStack, name: str, answered: int
) -> None:
    is_empty = [True]
    service = Service(
        lambda _number, _call: EMPTY[name] if is_empty and service.calls.total() > answered else None
    )
    desk = served(stack, store_url, service)
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)

    with pytest.raises(AccountEmpty) as caught:
        desk.run(batch_id)

    assert (caught.value.exit_code, "Top it up" in caught.value.hint) == (6, True)
    assert reason_of(desk, batch_id) == ("paused", "empty")
    assert "failed" not in desk.states(batch_id)
    assert desk.states(batch_id).get("done", 0) <= answered
    is_empty.clear()
    desk.resume(batch_id)
    assert desk.states(batch_id) == {"done": ITEMS}


def test_words_alone_that_may_be_those_of_a_text_stop_nothing(sqlite_url: str, stack: ExitStack) -> None:
    """A service may quote the text that it refuses, and a text may speak of an empty account."""
    refused = status(400, "content not allowed: 余额不足")
    service = Service(lambda number, _call: refused if number % 4 == 0 else None)
    desk = served(stack, sqlite_url, service)
    batch_id = desk.plan(desk.fill(ITEMS), instruction=FUNNIER)

    desk.run(batch_id)

    assert desk.states(batch_id) == {"done": ITEMS * 3 // 4, "failed": ITEMS // 4}
