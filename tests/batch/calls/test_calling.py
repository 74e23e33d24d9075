"""The model calls of items: real limits in both databases, a real service, and what each call is counted with."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import pytest

from script_editor.batch.calls.calling import RETRIES, Caller
from script_editor.batch.engine import Interrupted, ItemRef, Json
from script_editor.domain.batches import Batch, Bounds, Job, Recipe
from script_editor.domain.script import Provenance
from script_editor.errors import KeyRefused, ModelFailure
from script_editor.llm.chat import Message, Reply
from script_editor.llm.openai_chat import OpenAIChat
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.sql import open_store
from tests.support.openai_server import (
    Behaviour,
    Exchange,
    OpenAIServer,
    ReceivedRequest,
    completion,
    drop,
    status,
)

PRICES = Bounds(price_in=1_000_000.0, price_out=1_000_000.0)
"""A token costs one."""
QUESTION = (Message(role="user", content="x" * 40),)
SENT = 10 + 4
"""What the question is reckoned with: a quarter of its length, and the marks around it."""
HANG_SECONDS = 60.0


class NowSteps:
    """Steps that are taken at once; `is_stopping` can be set."""

    def __init__(self) -> None:
        self.is_stopping = False

    def step(self, _name: str, work: Callable[[], Json]) -> Json:
        return work()

    def commit(self, _name: str, _work: Callable[[object], Json]) -> Json:
        raise AssertionError("a call commits nothing")


@dataclass
class Desk:
    """A batch of three items that runs, the service, and who calls it."""

    url: str
    batches: SqlBatchStore
    batch: Batch
    server: OpenAIServer

    def caller(self, *, worker_id: str = "one", max_output_tokens: int = 6) -> Caller:
        model = OpenAIChat("m", api_key="sk-0123456789", base_url=self.server.base_url, max_retries=0)
        return Caller(
            model=model, batches=self.batches, service="here", worker_id=worker_id,
            max_output_tokens=max_output_tokens, jitter=lambda: 1.0, sleep=lambda seconds: time.sleep(seconds / 20),
        )  # fmt: skip

    def ask(self, caller: Caller, seq: int = 1, steps: NowSteps | None = None) -> Reply:
        send = caller.sending(ItemRef(self.batch.id, seq, 1), steps or NowSteps(), lambda: 1_000)
        return send(QUESTION, tools=(), stop=(), response_format=None, timeout_seconds=None)

    def money(self) -> tuple[float | None, float | None]:
        tally = self.batches.tally(self.batch.id)
        return tally.spent, tally.in_flight


Open = Callable[..., Desk]


@pytest.fixture
def desk(store_url: str) -> Iterator[Open]:
    """Return a function from what the service does, and bounds, to a desk."""
    with open_store(store_url, create=False) as scripts:
        for number in (1, 2, 3):
            scripts.create(f"v{number}", "第一行\n", provenance=Provenance(author="alice"))
    opened: list[OpenAIServer] = []
    with open_batches(store_url) as batches:

        def open_desk(
            behaviours: Sequence[Behaviour] | Callable[[ReceivedRequest], Behaviour], bounds: Bounds = PRICES
        ) -> Desk:
            server = OpenAIServer(behaviours)
            server.__enter__()
            opened.append(server)
            recipe = Recipe(instruction="短一点", author="alice", model="m", mode="direct", prompts="p")
            jobs = [
                Job(seq=n, script_id=f"v{n}", base_number=1, instruction="短一点", key=f"k{n}")
                for n in (1, 2, 3)
            ]
            batch = batches.create_batch(recipe, jobs, target="propose", bounds=bounds)
            return Desk(store_url, batches, batches.set_state(batch.id, "running"), server)

        yield open_desk
    for server in opened:
        server.__exit__(None, None, None)


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG_SECONDS
    while not is_so():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.005)


def test_a_call_is_counted_with_what_it_really_took(desk: Open) -> None:
    here = desk([completion("好", usage=(11, 2))])

    reply = here.ask(here.caller())

    assert (reply.text, here.money()) == ("好", (13.0, 0.0))


def test_a_call_is_counted_with_the_most_it_may_take_while_it_is_made(desk: Open) -> None:
    answer = threading.Event()

    def behave(exchange: Exchange) -> None:
        answer.wait(HANG_SECONDS)
        completion("好", usage=(11, 2))(exchange)

    here = desk([behave])

    with ThreadPoolExecutor() as pool:
        asked = pool.submit(here.ask, here.caller())
        until(lambda: len(here.server.requests) == 1)
        meanwhile = here.money()
        answer.set()
        asked.result()

    assert (meanwhile, here.money()) == ((0.0, SENT + 6.0), (13.0, 0.0))


def test_a_call_whose_cost_nobody_told_stays_counted_as_it_was_reckoned(desk: Open) -> None:
    here = desk([completion("好", usage=None)])

    here.ask(here.caller())

    assert here.money() == (SENT + 6.0, 0.0)


def test_trouble_that_passes_is_asked_again_and_only_what_may_cost_is_counted(desk: Open) -> None:
    here = desk([status(503, "busy"), drop(), status(429, "slow"), completion("好", usage=(1, 1))])

    reply = here.ask(here.caller())

    assert (reply.text, len(here.server.requests)) == ("好", 4)
    assert here.money() == (SENT + 6.0 + 2.0, 0.0)


def test_trouble_that_does_not_pass_in_time_is_given_up(desk: Open) -> None:
    here = desk([status(503, "busy")] * (RETRIES + 1))

    with pytest.raises(ModelFailure, match="busy"):
        here.ask(here.caller())

    assert here.money() == (0.0, 0.0)


@pytest.mark.parametrize(
    ("refusal", "error"),
    [(status(400, "no such field"), ModelFailure), (status(403, "not this text"), KeyRefused)],
    ids=["a request that is refused", "what may be the key or the text"],
)
def test_what_cannot_help_is_not_asked_again(desk: Open, refusal: Behaviour, error: type[Exception]) -> None:
    here = desk([refusal])

    with pytest.raises(error):
        here.ask(here.caller())

    assert here.money() == (0.0, 0.0)


def test_a_service_that_asks_to_wait_slows_every_caller(desk: Open) -> None:
    """Another worker with its own connections, which never saw the refusal, waits as well."""
    came: list[float] = []

    def choose(_request: ReceivedRequest) -> Behaviour:
        came.append(time.monotonic())
        first = len(came) == 1
        return status(429, "slow", headers={"Retry-After": "2"}) if first else completion("好", usage=(1, 1))

    here = desk(choose)
    with open_batches(here.url) as elsewhere, ThreadPoolExecutor() as pool:
        other = Desk(here.url, elsewhere, here.batch, here.server)
        one, two = here.caller(), other.caller(worker_id="two")
        first = pool.submit(here.ask, one, 1)
        until(lambda: one.waits.now() == "service")
        rest = [pool.submit(other.ask, two, seq) for seq in (2, 3)]
        assert [asked.result(HANG_SECONDS).text for asked in (first, *rest)] == ["好"] * 3

    # Not how long it took, but that nobody came too early: the clock of a database may be a little behind.
    assert len(came) == 4
    assert all(moment - came[0] > 1.9 for moment in came[1:])


def test_a_service_that_says_when_to_come_back_is_asked_more_often(desk: Open) -> None:
    slow = status(429, "slow", headers={"retry-after-ms": "1"})
    here = desk([*[slow] * (RETRIES + 3), completion("好", usage=(1, 1))])

    assert here.ask(here.caller()).text == "好"


def test_no_number_of_callers_passes_the_budget(desk: Open) -> None:
    budget, most, real = 107.0, SENT + 6, 13.0
    here = desk(lambda _request: completion("好", usage=(11, 2)), Bounds(
        price_in=1_000_000.0, price_out=1_000_000.0, budget=budget
    ))  # fmt: skip
    caller = here.caller()

    def ask_on(seq: int) -> None:
        while True:
            here.ask(caller, seq)

    with ThreadPoolExecutor(8) as pool:
        endings = [asked.exception() for asked in [pool.submit(ask_on, 1 + n % 3) for n in range(8)]]

    spent, in_flight = here.money()
    batch = here.batches.batch(here.batch.id)
    assert {type(ending) for ending in endings} == {Interrupted}
    assert (batch.state, batch.pause_reason) == ("paused", "budget")
    assert (spent, in_flight) == (real * len(here.server.requests), 0.0)
    assert budget - most < (spent or 0.0) <= budget


def test_whoever_waits_for_the_rate_leaves_when_the_process_does(desk: Open) -> None:
    here = desk([completion("好")], Bounds(requests_per_minute=1))
    caller, steps = here.caller(), NowSteps()
    here.ask(caller)

    with ThreadPoolExecutor() as pool:
        asked = pool.submit(here.ask, caller, 2, steps)
        until(lambda: caller.waits.now() == "requests")
        steps.is_stopping = True
        ending = asked.exception(HANG_SECONDS)

    assert isinstance(ending, Interrupted)
    assert (len(here.server.requests), caller.waits.now()) == (1, None)


def test_a_call_that_waits_for_tokens_goes_as_soon_as_they_are_given_back(desk: Open) -> None:
    """It was told to wait for minutes, by what the call under way was reckoned with; that one took far less."""
    answer, slept = threading.Event(), list[float]()

    def behave(exchange: Exchange) -> None:
        answer.wait(HANG_SECONDS)
        completion("好", usage=(1, 1))(exchange)

    here = desk([behave, completion("好", usage=(1, 1))], Bounds(tokens_per_minute=2_000))
    caller = here.caller(max_output_tokens=10_000)

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        answer.set()
        time.sleep(0.01)

    waiting = replace(caller, sleep=sleep)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(here.ask, caller)
        until(lambda: len(here.server.requests) == 1)
        second = pool.submit(here.ask, waiting, 2)
        assert [asked.result(HANG_SECONDS).text for asked in (first, second)] == ["好", "好"]

    # Far less than the five minutes that it was told first.
    assert 0 < sum(slept) < 60


@pytest.mark.parametrize("state", ["paused", "cancelled"])
def test_a_batch_that_stands_still_makes_no_further_call(desk: Open, state: str) -> None:
    here = desk([])
    here.batches.set_state(here.batch.id, state)  # type: ignore[arg-type]

    with pytest.raises(Interrupted):
        here.ask(here.caller())


def test_a_long_reply_is_reckoned_with_where_nothing_bounds_it(desk: Open) -> None:
    """A budget that is too small for the call that may come is not begun to be spent."""
    here = desk([], Bounds(price_in=1_000_000.0, price_out=1_000_000.0, budget=200.0))
    caller = here.caller()
    unbounded = Caller(model=caller.model, batches=here.batches, service="here", worker_id="one")

    with pytest.raises(Interrupted):
        here.ask(unbounded)

    assert here.batches.batch(here.batch.id).pause_reason == "budget"
