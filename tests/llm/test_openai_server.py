"""The server that the other tests trust."""

import json
import time
from http.client import HTTPConnection, RemoteDisconnected

import pytest

from tests.support.openai_server import Exchange, OpenAIServer, completion, hang


def post(server: OpenAIServer, *, wait: bool = True) -> HTTPConnection:
    """Send a request; return the connection, whose answer is still unread."""
    connection = HTTPConnection(server.address, timeout=5 if wait else 0.05)
    connection.request("POST", "/v1/chat/completions", json.dumps({"model": "m", "note": "你好"}))
    return connection


def test_it_answers_and_records_what_was_asked() -> None:
    with OpenAIServer([completion("好")]) as server:
        connection = post(server)
        answer = json.load(connection.getresponse())
        connection.close()

    assert answer["choices"][0]["message"]["content"] == "好"
    assert [(request.path, request.body) for request in server.requests] == [
        ("/v1/chat/completions", {"model": "m", "note": "你好"})
    ]


def test_closing_does_not_wait_for_a_handler_that_hangs() -> None:
    with OpenAIServer([hang()]) as server:
        connection = post(server, wait=False)
        with pytest.raises(TimeoutError):
            connection.getresponse()
        began = time.monotonic()
    took = time.monotonic() - began
    connection.close()

    assert took < 0.5


def test_a_request_too_many_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="1 request"), OpenAIServer([]) as server:
        connection = post(server)
        assert connection.getresponse().status == 400
        connection.close()


def test_a_behaviour_that_raises_fails_the_test() -> None:
    def behave(_: Exchange) -> None:
        raise ZeroDivisionError

    with pytest.raises(AssertionError, match="A behaviour raised"), OpenAIServer([behave]) as server:
        connection = post(server)
        with pytest.raises(RemoteDisconnected):
            connection.getresponse()
        connection.close()
