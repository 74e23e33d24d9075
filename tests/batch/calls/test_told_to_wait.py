"""A service that says when to come back says it to one worker, and all of them wait: counted where it is asked."""

import os
import threading
import time
from dataclasses import dataclass, field

import pytest
import sqlalchemy as sa

from tests.batch.real_workers import CALLS, HANG_SECONDS, Service, Work, working
from tests.store.support import raw
from tests.support.openai_server import Behaviour, Exchange, ReceivedRequest, status

pytestmark = pytest.mark.soak

IS_SOAK = bool(os.environ.get("SCRIPT_EDITOR_SOAK"))
PROCESSES, WORKERS, ROUNDS = (3, 4, 5) if IS_SOAK else (2, 2, 1)
WAIT_SECONDS = 2


@dataclass
class Round:
    """Calls that come between one refusal and the next; the first of them is the one that is refused."""

    asked: list[tuple[float, str]] = field(default_factory=list)
    """When each call came, and with whose key."""
    may_refuse: threading.Event = field(default_factory=threading.Event)
    may_answer: threading.Event = field(default_factory=threading.Event)


@dataclass
class BusyService(Service):
    """A service that lets its calls wait for each other, and refuses one of each round for two seconds."""

    rounds: list[Round] = field(default_factory=lambda: [Round()])

    def __call__(self, request: ReceivedRequest) -> Behaviour:
        """Choose the answer to a request."""
        answer, now = super().__call__(request), self.rounds[-1]
        with self._lock:
            now.asked.append((time.monotonic(), request.headers["authorization"]))
            is_refused = len(now.asked) == 1 and len(self.rounds) <= ROUNDS
        refuse = status(429, "slow down", headers={"Retry-After": str(WAIT_SECONDS)})

        def behave(exchange: Exchange) -> None:
            (now.may_refuse if is_refused else now.may_answer).wait(HANG_SECONDS)
            (refuse if is_refused else answer)(exchange)

        return behave


def held_until(work: Work) -> float:
    """Return until when nobody may call, in seconds since the epoch; 0 for a service that was never held."""
    with raw(work.url) as connection:
        held = sa.text("SELECT COALESCE(MAX(held_until), 0) FROM rate_bucket")
        return float(connection.execute(held).scalar_one())


def test_all_workers_of_all_processes_wait_as_long_as_one_of_them_was_told_to(store_url: str) -> None:
    threads = PROCESSES * WORKERS
    items = threads * (ROUNDS + 1)
    service = BusyService()

    with working(store_url, items, service=service) as work:
        keys = [f"sk-{number}" for number in range(PROCESSES)]
        processes = [work.begin(workers=WORKERS, key=key) for key in keys]
        for _ in range(ROUNDS):
            now = service.rounds[-1]
            work.wait(lambda now=now: len(now.asked) == threads)  # everybody is at the service
            assert_all_wait(work, service)
        service.rounds[-1].may_answer.set()
        assert [process.end() for process in processes] == ["over"] * PROCESSES

        work.assert_applied_once()
        assert work.states() == {"done": items}
        assert service.total == items * CALLS + ROUNDS
        for each in service.rounds:
            assert {key for _, key in each.asked} == {f"Bearer {key}" for key in keys}


def assert_all_wait(work: Work, service: BusyService) -> None:
    """Refuse one call, then answer all others, and check that nobody comes back before it is time."""
    now, after, held = service.rounds[-1], Round(), held_until(work)
    refused_at = time.monotonic()
    now.may_refuse.set()
    work.wait(lambda: held_until(work) > held)
    service.rounds.append(after)
    now.may_answer.set()
    work.wait(lambda: bool(after.asked))
    came_after = after.asked[0][0] - refused_at
    assert came_after >= WAIT_SECONDS - 0.05, came_after  # the store's clock is not quite ours
