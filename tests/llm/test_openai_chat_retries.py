"""Trying again, and not going on for ever."""

import gc
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from script_editor.errors import ModelFailure
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.llm.retry import Wait
from tests.llm.conftest import KEY, QUESTION, Connect
from tests.support.openai_server import (
    Behaviour,
    Exchange,
    OpenAIServer,
    completion,
    deltas,
    drop,
    hang,
    json_body,
    status,
    stream,
    trickle,
)

DATE = "Fri, 20 Nov 2026 08:00:00 GMT"


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503, 529])
def test_passing_trouble_is_tried_again(connect: Connect, code: int) -> None:
    link = connect([status(code), status(code), completion("好")])

    reply = link.ask()

    assert (reply.text, link.waits) == ("好", [0.5, 1.0])


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(drop(), id="dropped before the headers"),
        pytest.param(drop("headers"), id="dropped after the headers"),
        pytest.param(drop("half a body"), id="dropped in the body"),
        pytest.param(json_body({"error": {"message": "busy", "code": 429}}), id="a limit, said with 200"),
        pytest.param(json_body({"error": {"type": "overloaded_error"}}), id="overloaded, said with 200"),
    ],
)
def test_trouble_that_is_no_status_is_tried_again(connect: Connect, behaviour: Behaviour) -> None:
    link = connect([behaviour, completion("好")])

    assert (link.ask().text, link.waits) == ("好", [0.5])


def test_each_wait_is_told_before_and_after(connect: Connect) -> None:
    told: list[Wait] = []
    link = connect(
        [status(503, "busy", headers={"retry-after": "4"}), drop(), completion("好")], on_wait=told.append
    )

    link.ask()

    assert told == [
        Wait(seconds=4.0, retry=1, retries=4, is_busy=True),
        Wait(seconds=0.0, retry=1, retries=4, is_busy=True),
        Wait(seconds=1.0, retry=2, retries=4, is_busy=False),
        Wait(seconds=0.0, retry=2, retries=4, is_busy=False),
    ]


def test_it_gives_up_after_the_last_retry(connect: Connect) -> None:
    link = connect([status(503, "busy")] * 3, max_retries=2)

    with pytest.raises(ModelFailure) as caught:
        link.ask()

    assert (f"{link.server.address} answered with an error (HTTP 503): busy", True) == (
        str(caught.value),
        caught.value.retryable,
    )
    assert link.waits == [0.5, 1.0]


def test_waits_double_up_to_a_limit_and_jitter_shortens_them(connect: Connect) -> None:
    link = connect(
        [status(503)] * 8 + [completion("好")], max_retries=8, jitter=lambda: 0.5, timeout_seconds=600
    )

    link.ask()

    assert link.waits == [0.375, 0.75, 1.5, 3.0, 6.0, 12.0, 15.0, 15.0]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        pytest.param({"Retry-After": "3"}, 3.0, id="seconds"),
        pytest.param({"Retry-After": "0.25"}, 0.25, id="parts of a second"),
        pytest.param({"Retry-After-Ms": "1500", "Retry-After": "9"}, 1.5, id="milliseconds come first"),
        pytest.param({"Retry-After": "3600"}, 60.0, id="too long is cut"),
        pytest.param(
            {"Retry-After": "Fri, 20 Nov 2026 08:00:07 GMT", "Date": DATE},
            7.0,
            id="a date, by the service's clock",
        ),
        pytest.param(
            {"Retry-After": "Fri, 20 Nov 2026 07:00:00 GMT", "Date": DATE}, 0.5, id="a date in the past"
        ),
        pytest.param({"Retry-After": "0"}, 0.5, id="zero"),
        pytest.param({"Retry-After": "-5"}, 0.5, id="less than zero"),
        pytest.param({"Retry-After": "inf"}, 0.5, id="for ever"),
        pytest.param({"Retry-After": "soon"}, 0.5, id="nonsense"),
    ],
)
def test_the_wait_that_the_service_asks_for(connect: Connect, headers: dict[str, str], wait: float) -> None:
    link = connect([status(429, headers=headers), completion("好")])

    link.ask()

    assert link.waits == [wait]


# --- the deadline ----------------------------------------------------------------------------


def test_retries_and_waits_end_before_the_deadline(connect: Connect) -> None:
    """The last failure is raised instead of a wait that could not be followed by a try."""
    clock = Clock()
    link = connect(
        lambda _: status(503, "busy"), clock=clock, sleep=clock.sleep, max_retries=99, timeout_seconds=10
    )

    with pytest.raises(ModelFailure, match="busy"):
        link.ask()

    assert clock.slept == [0.5, 1.0, 2.0, 4.0]


def test_a_wait_longer_than_the_time_left_is_not_begun(connect: Connect) -> None:
    link = connect([status(429, "slow down", headers={"Retry-After": "30"})], timeout_seconds=20)

    with pytest.raises(ModelFailure, match="slow down"):
        link.ask()

    assert link.waits == []


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(hang(), id="no answer"),
        pytest.param(trickle("headers"), id="headers without end"),
        pytest.param(trickle("body"), id="a body without end"),
        pytest.param(stream([b": wait\n\n"] * 999, delay_seconds=0.02), id="a stream of comments"),
        pytest.param(
            stream(deltas("好", "的", finish_reason=None), done=False, end="hang"), id="a stream that stops"
        ),
        pytest.param(
            stream([b": wait\n\n", b": wait\n\n"], delay_seconds=0.15, done=False, end="hang"),
            id="a stream that stops late",
        ),
    ],
)
def test_nothing_outlives_the_deadline(connect: Connect, behaviour: Behaviour) -> None:
    link = connect([behaviour])

    began = time.monotonic()
    with pytest.raises(ModelFailure) as caught:
        link.stream(timeout_seconds=0.25)
    took = time.monotonic() - began

    message = f"{link.server.address} gave no complete answer within 0.25 seconds."
    assert (message, True) == (str(caught.value), caught.value.retryable)
    assert 0.2 < took < 0.5


def test_the_deadline_counts_all_tries_together(connect: Connect) -> None:
    link = connect(lambda _: slow_failure, max_retries=99, sleep=time.sleep, timeout_seconds=0.4)

    began = time.monotonic()
    with pytest.raises(ModelFailure):
        link.ask()

    assert time.monotonic() - began < 0.6


def slow_failure(exchange: Exchange) -> None:
    """Fail after a while and ask for a short wait."""
    exchange.wait(0.05)
    status(503, headers={"Retry-After-Ms": "20"})(exchange)


def test_the_time_left_is_passed_into_each_request(connect: Connect) -> None:
    """The library tells the service how long it will read; the second try has less time than the first."""
    clock = Clock()
    link = connect([status(503), completion("好")], clock=clock, sleep=clock.sleep, timeout_seconds=30)

    link.ask()

    assert [r.headers["x-stainless-read-timeout"] for r in link.server.requests] == ["30.0", "29.5"]


def test_with_no_time_at_all_nothing_is_sent(connect: Connect) -> None:
    """Not even on a connection that is open already."""
    link = connect([completion("好"), completion("的")])
    link.ask()

    with pytest.raises(ModelFailure, match="within 0 seconds"):
        link.ask(timeout_seconds=0)

    assert link.ask().text == "的"
    assert len(link.server.requests) == 2


def test_a_service_that_trickles_is_hung_up_on(connect: Connect) -> None:
    """The caller is back at the deadline; the thread that reads must end as well."""
    hung_up = threading.Event()

    def behave(exchange: Exchange) -> None:
        try:
            trickle()(exchange)
        finally:
            hung_up.set()

    link = connect([behave])

    with pytest.raises(ModelFailure):
        link.ask(timeout_seconds=0.1)

    assert hung_up.wait(1.0)


# --- streams ---------------------------------------------------------------------------------


def test_a_stream_that_broke_before_any_text_is_asked_for_again(connect: Connect) -> None:
    broken = stream(deltas({"role": "assistant"}, finish_reason=None), done=False, end="drop")
    link = connect([broken, status(503), stream(deltas("好"))])

    reply = link.stream()

    assert (link.pieces, reply.text, link.waits) == (["好"], "好", [0.5, 1.0])


def test_a_stream_that_broke_after_text_was_shown_is_not(connect: Connect) -> None:
    """What a person has read cannot be taken back; a second try would say it twice."""
    link = connect([stream(deltas("大家", finish_reason=None), done=False, end="drop")])

    with pytest.raises(ModelFailure) as caught:
        link.stream()

    assert (link.pieces, caught.value.retryable, link.waits) == (["大家"], True, [])


def test_what_the_listener_raises_reaches_the_caller_and_ends_the_stream(connect: Connect) -> None:
    link = connect([stream(deltas("大家", "好"), delay_seconds=0.02), completion("再来")])

    def refuse(_: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        link.ask(on_text=refuse)

    assert link.ask().text == "再来"


# --- the client ------------------------------------------------------------------------------


def test_connections_are_kept_between_calls_and_opened_again_after_close(connect: Connect) -> None:
    ports: list[int] = []

    def behave(exchange: Exchange) -> None:
        ports.append(exchange.client_port)
        completion("好")(exchange)

    link = connect([behave] * 3)

    link.ask()
    link.ask()
    link.model.close()
    link.ask()

    assert ports[0] == ports[1] != ports[2]


def test_one_model_serves_many_threads(connect: Connect) -> None:
    link = connect(lambda request: completion(request.body["messages"][0]["content"]))

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: link.ask(), range(24)))

    assert {"改得更轻松幽默一些"} == {reply.text for reply in replies}


def test_a_model_that_nobody_closed_leaves_no_connection_open() -> None:
    """A socket that is collected while open is a ResourceWarning, and so a failure of this test."""
    with OpenAIServer([completion("好")]) as server:
        OpenAIChat("qwen-plus", api_key=KEY, base_url=server.base_url).complete(QUESTION)

        gc.collect()


@pytest.mark.parametrize(("own", "asked"), [(0.1, 60.0), (60.0, 0.1)])
def test_the_shorter_of_two_time_limits_holds(connect: Connect, own: float, asked: float) -> None:
    link = connect(lambda _: hang(), timeout_seconds=own, max_retries=0)

    with pytest.raises(ModelFailure):
        link.ask(timeout_seconds=asked)
