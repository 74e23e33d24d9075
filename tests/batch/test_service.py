"""Batches through the service that every front end uses: the real engine, both databases, a service on this machine."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager

import pytest

from script_editor.batch.progress import (
    BatchCancelled,
    BatchEnded,
    Began,
    Event,
    ItemEnded,
    Paused,
    Progress,
    Stopping,
)
from script_editor.batch.service import HowToRun
from script_editor.domain.batches import ItemState, Tally
from script_editor.errors import BadInput, BatchNotFound, KeyRefused, SetupError
from tests.batch.service_desk import HANG_SECONDS, USED, Desk, Service, ended
from tests.support.openai_server import OpenAIServer, completion, status

_BUDGET = 1_000.0
"""Enough for a call that is reckoned with all it may take, and some that took less, but not for all six."""
CONFLICT: tuple[ItemState, ...] = ("conflict",)
FUNNIER = "改得更轻松幽默一些"


Serve = Callable[[Service], Desk]


@contextmanager
def opened(url: str) -> Iterator[Serve]:
    """Yield a function from a service to the program that calls it."""
    with ExitStack() as stack:

        def serve(service: Service) -> Desk:
            server = stack.enter_context(OpenAIServer(service))
            return stack.enter_context(closing(Desk(url, server.base_url)))

        yield serve


@pytest.fixture
def desk(sqlite_url: str) -> Iterator[Desk]:
    """The program with the offline model."""
    with closing(Desk(sqlite_url)) as made:
        yield made


@pytest.fixture
def each_desk(store_url: str) -> Iterator[Desk]:
    """The program with the offline model, on each database in turn."""
    with closing(Desk(store_url)) as made:
        yield made


@pytest.fixture
def served(sqlite_url: str) -> Iterator[Serve]:
    """A function from a service to the program that calls it."""
    with opened(sqlite_url) as serve:
        yield serve


@pytest.fixture
def each_served(store_url: str) -> Iterator[Serve]:
    """A function from a service to the program that calls it, on each database in turn."""
    with opened(store_url) as serve:
        yield serve


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + HANG_SECONDS
    while not is_so():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def last(events: list[Event]) -> Event:
    *_, event = events
    return event


def tally_of(event: Event) -> Tally:
    assert not isinstance(event, ItemEnded)
    return event.tally


# --- running ---------------------------------------------------------------------------------


def test_a_batch_runs_to_its_end_without_a_key_and_tells_each_item_once(each_desk: Desk) -> None:
    ids = each_desk.fill(5)
    batch_id = each_desk.plan(ids)

    events = each_desk.run(batch_id)

    assert isinstance(events[0], Began)
    assert events[0].items == 5
    assert ended(events) == ids
    assert isinstance(last(events), BatchEnded)
    assert each_desk.states(batch_id) == {"done": 5}
    assert [proposal.text[:4] for proposal in each_desk.app.proposals.open()] == ["人工智能"] * 5
    assert [each_desk.app.scripts.read(id).number for id in ids] == [1] * 5


def test_with_the_target_apply_clean_results_become_versions(desk: Desk) -> None:
    ids = desk.fill(2)
    batch_id = desk.plan(ids)

    desk.run(batch_id, target="apply")

    assert [desk.app.scripts.read(id).text[:4] for id in ids] == ["人工智能"] * 2
    assert desk.batches.status(batch_id).batch.target == "apply"


def test_running_a_batch_that_is_over_says_so_and_does_nothing(desk: Desk) -> None:
    batch_id = desk.plan(desk.fill(2))
    desk.run(batch_id)

    events = desk.run(batch_id)

    assert [type(event) for event in events] == [BatchEnded]
    assert len(desk.app.proposals.open()) == 2


def test_one_item_that_fails_does_not_stop_the_others(served: Serve) -> None:
    desk = served(Service(lambda number, _call: status(400, "no such field") if number == 2 else None))
    batch_id = desk.plan(desk.fill(4), instruction=FUNNIER)

    events = desk.run(batch_id)

    failed = [*desk.batches.failures(batch_id)]
    assert isinstance(last(events), BatchEnded)
    assert desk.states(batch_id) == {"done": 3, "failed": 1}
    assert [(item.job.script_id, item.error_type) for item in failed] == [("v2", "model_failure")]
    assert "no such field" in failed[0].error


def test_a_wrong_key_stops_the_batch_instead_of_failing_every_item(
    served: Serve,
) -> None:
    key = {"is_wrong": True}
    service = Service(lambda _number, _call: status(401, "who are you") if key["is_wrong"] else None)
    desk = served(service)
    batch_id = desk.plan(desk.fill(20), instruction=FUNNIER)

    with pytest.raises(KeyRefused):
        desk.run(batch_id)
    stood = desk.batches.status(batch_id)
    key["is_wrong"] = False
    desk.resume(batch_id)

    assert (stood.batch.state, stood.batch.pause_reason) == ("paused", "refused")
    assert stood.counts["queued"] == 20
    assert desk.states(batch_id) == {"done": 20}


def test_a_sample_pauses_after_so_many_and_the_rest_goes_on_later(
    served: Serve,
) -> None:
    service = Service()
    desk = served(service)
    ids = desk.fill(5)
    batch_id = desk.plan(ids, instruction=FUNNIER)

    sample = desk.run(batch_id, sample=2)
    rest = desk.resume(batch_id)

    assert ended(sample) == ["v1", "v2"]
    assert (type(last(sample)), tally_of(last(sample)).batch.pause_reason) == (Paused, "sample")
    assert (ended(rest), type(last(rest))) == (["v3", "v4", "v5"], BatchEnded)
    assert dict(service.calls) == dict.fromkeys(range(1, 6), 1)


def test_a_budget_that_is_used_up_pauses_and_a_larger_one_goes_on(
    each_served: Serve,
) -> None:
    service = Service()
    desk = each_served(service)
    batch_id = desk.plan(desk.fill(6), instruction=FUNNIER)
    one = sum(USED)

    paused = desk.run(batch_id, budget=_BUDGET)
    stood = desk.batches.status(batch_id)
    over = desk.resume(batch_id, budget=100 * _BUDGET)

    assert (type(last(paused)), stood.batch.pause_reason) == (Paused, "budget")
    assert 0 < stood.count("done") < 6
    assert (stood.spent, stood.in_flight) == (one * stood.count("done"), 0.0)
    assert type(last(over)) is BatchEnded
    assert desk.batches.status(batch_id).spent == 6.0 * one
    assert service.calls.total() == 6


def test_whoever_leaves_waits_for_what_runs_and_nothing_is_called_twice(
    each_served: Serve,
) -> None:
    service = Service()
    desk = each_served(service)
    ids = desk.fill(8)
    batch_id = desk.plan(ids, instruction=FUNNIER)
    service.hold.clear()
    leaving = threading.Event()

    told: list[Event] = []
    run = desk.batches.run(batch_id, HowToRun(workers=2), is_stopping=leaving.is_set)
    for event in run:
        told.append(event)
        if service.calls.total() == 2:
            leaving.set()
        if isinstance(event, Stopping):
            service.hold.set()
    rest = desk.resume(batch_id)

    paused = last(told)
    assert [event.running for event in told if isinstance(event, Stopping)] == [2]
    assert isinstance(paused, Paused)
    assert (paused.reason, len(ended(told))) == ("interrupted", 2)
    assert desk.batches.status(batch_id).counts["done"] == 8
    assert sorted(ended(told) + ended(rest)) == ids
    assert set(service.calls.values()) == {1}


# --- two processes ---------------------------------------------------------------------------


def test_two_runs_of_the_same_plan_share_the_work(each_served: Serve) -> None:
    service = Service()
    desk = each_served(service)
    ids = desk.fill(12)
    batch_id = desk.plan(ids, instruction=FUNNIER)
    service.hold.clear()

    with desk.elsewhere("run", batch_id) as other:
        until(lambda: service.calls.total() > 0)
        with ThreadPoolExecutor() as pool:
            run = pool.submit(desk.run, batch_id)
            until(lambda: service.calls.total() > 3)  # more than the other one takes
            service.hold.set()
            events = run.result(HANG_SECONDS)
        said, _ = other.communicate(timeout=HANG_SECONDS)

    assert (said.split()[-1], type(last(events))) == ("BatchEnded", BatchEnded)
    assert ended(events) == sorted(ids)
    assert dict(service.calls) == dict.fromkeys(range(1, 13), 1)
    assert len(desk.app.proposals.open()) == 12


def test_cancelling_elsewhere_stops_a_run_and_resume_goes_on(each_served: Serve) -> None:
    service = Service()
    desk = each_served(service)
    batch_id = desk.plan(desk.fill(8), instruction=FUNNIER)
    service.hold.clear()

    with ThreadPoolExecutor() as pool:
        run = pool.submit(desk.run, batch_id)
        until(lambda: service.calls.total() == 4)
        under_way = set(service.calls)
        with desk.elsewhere("cancel", batch_id) as other:
            said, _ = other.communicate(timeout=HANG_SECONDS)
        service.hold.set()
        events = run.result(HANG_SECONDS)
    states = desk.states(batch_id)
    with pytest.raises(BadInput, match="cancelled"):
        desk.run(batch_id)
    rest = desk.resume(batch_id)

    assert said.split() == ["cancelled"]
    assert isinstance(last(events), BatchCancelled)
    assert states == {"cancelled": 8}
    assert isinstance(last(rest), BatchEnded)
    assert desk.states(batch_id) == {"done": 8}
    # The calls that were under way when it was cancelled, of whichever items, may be made again; the others are not.
    assert len(under_way) == 4
    assert all(calls <= (2 if number in under_way else 1) for number, calls in service.calls.items())


def test_what_a_killed_run_left_is_done_by_the_next_worker(each_served: Serve) -> None:
    service = Service()
    desk = each_served(service)
    batch_id = desk.plan(desk.fill(6), instruction=FUNNIER)
    service.hold.clear()
    with desk.elsewhere("run", batch_id) as other:
        until(lambda: service.calls.total() == 2)
        other.kill()
    service.hold.set()

    events = list(
        desk.batches.work(workers=4, is_stopping=lambda: desk.batches.status(batch_id).batch.state == "done")
    )

    assert sum(isinstance(event, ItemEnded) for event in events) == 6
    assert desk.states(batch_id) == {"done": 6}
    assert service.calls.total() <= 6 + 2
    assert len(desk.app.proposals.open()) == 6


def test_a_batch_can_be_watched_from_elsewhere_without_a_write(served: Serve) -> None:
    service = Service()
    desk = served(service)
    ids = desk.fill(3)
    batch_id = desk.plan(ids, instruction=FUNNIER)
    service.hold.clear()
    watcher = desk.new_app().batches

    with ThreadPoolExecutor() as pool:
        run = pool.submit(desk.run, batch_id)
        until(lambda: service.calls.total() == 3)
        seen: list[Event] = []
        for event in watcher.watch(batch_id, is_stopping=lambda: False):
            seen.append(event)
            service.hold.set()
        run.result(HANG_SECONDS)

    assert ended(seen) == ids
    assert isinstance(last(seen), BatchEnded)
    assert any(isinstance(event, Progress) and event.tally.left == 3 for event in seen)


def test_a_watch_ends_when_it_is_told_to(desk: Desk) -> None:
    batch_id = desk.plan(desk.fill(1))

    seen = list(desk.batches.watch(batch_id, is_stopping=lambda: True))

    assert [type(event) for event in seen] == [Progress]


# --- again -----------------------------------------------------------------------------------


def test_what_failed_is_tried_again_on_its_own(each_served: Serve) -> None:
    fails = {"now": True}
    service = Service(
        lambda number, _call: status(400, "not today") if number == 2 and fails["now"] else None
    )
    desk = each_served(service)
    batch_id = desk.plan(desk.fill(3), instruction=FUNNIER)
    desk.run(batch_id)
    fails["now"] = False

    events = desk.retry(batch_id)

    assert (ended(events), type(last(events))) == (["v2"], BatchEnded)
    assert desk.states(batch_id) == {"done": 3}
    assert dict(service.calls) == {1: 1, 2: 2, 3: 1}
    with pytest.raises(BadInput, match="no item to try again"):
        desk.retry(batch_id)


def test_a_script_that_a_person_edited_is_a_conflict_and_taken_up_again_as_it_is_now(each_desk: Desk) -> None:
    ids = each_desk.fill(2)
    batch_id = each_desk.plan(ids, target="apply")
    each_desk.app.scripts.save("v1", "AI 是我自己写的。\n", expected_head=1, author="alice")

    each_desk.run(batch_id)
    conflict = [item.job.script_id for item in each_desk.batches.failures(batch_id, states=CONFLICT)]
    text = each_desk.app.scripts.read("v1").text
    each_desk.retry(batch_id)

    assert (conflict, text) == (["v1"], "AI 是我自己写的。\n")
    assert each_desk.states(batch_id) == {"done": 2}
    assert each_desk.app.scripts.read("v1").text == "人工智能 是我自己写的。\n"
    assert each_desk.app.scripts.read("v1").number == 3


# --- what is checked before anything is spent -------------------------------------------------


def test_another_model_than_the_planned_one_is_refused(desk: Desk, served: Serve) -> None:
    batch_id = desk.plan(desk.fill(1))
    service = Service()

    with pytest.raises(SetupError) as caught:
        served(service).run(batch_id)

    assert "-m offline" in caught.value.hint
    assert not service.calls
    assert desk.batches.status(batch_id).batch.state == "planned"


def test_a_budget_without_prices_is_refused(served: Serve) -> None:
    service = Service()
    desk = served(service)
    desk.prices = None
    batch_id = desk.plan(desk.fill(1), instruction=FUNNIER)

    with pytest.raises(SetupError) as caught:
        desk.run(batch_id, budget=1.0)

    assert "SCRIPT_EDITOR_PRICE_IN" in caught.value.hint
    assert not service.calls


@pytest.mark.parametrize(
    ("verb", "arguments"),
    [
        ("status", {}),
        ("cancel", {}),
        ("failures", {}),
        ("apply", {"author": "tester", "only_clean": False}),
        ("revert", {"author": "tester"}),
        ("export", {}),
    ],
)
def test_a_batch_that_is_not_there_is_named(desk: Desk, verb: str, arguments: dict[str, object]) -> None:
    with pytest.raises(BatchNotFound, match="b-nowhere"):
        getattr(desk.batches, verb)("b-nowhere", **arguments)


def test_a_batch_that_is_over_cannot_be_cancelled(desk: Desk) -> None:
    batch_id = desk.plan(desk.fill(1))
    desk.run(batch_id)

    with pytest.raises(BadInput, match="is over"):
        desk.batches.cancel(batch_id)


def test_what_is_over_can_be_forgotten_by_the_engine_and_stays_in_the_store(each_desk: Desk) -> None:
    batch_id = each_desk.plan(each_desk.fill(3))
    each_desk.run(batch_id)

    each_desk.batches.gc()

    assert each_desk.batches.gc() == 0
    assert each_desk.states(batch_id) == {"done": 3}
    assert [tally.batch.id for tally in each_desk.batches.list()] == [batch_id]


def test_a_service_is_not_asked_for_a_reply_that_was_given(served: Serve) -> None:
    """A reply of two calls, the second of which fails at first: what resume repeats is the second alone."""
    fails = {"now": True}

    def behave(_number: int, call: int) -> object:
        if call == 1:
            return completion("好的。", usage=USED)  # no edit: the rewriter asks once more
        return status(503, "busy") if fails["now"] else None

    service = Service(behave)  # type: ignore[arg-type]
    desk = served(service)
    batch_id = desk.plan(desk.fill(1), instruction=FUNNIER)
    leaving = threading.Event()
    for _ in desk.batches.run(batch_id, HowToRun(workers=1), is_stopping=leaving.is_set):
        if service.calls[1] >= 2:
            leaving.set()
    fails["now"] = False
    calls = service.calls[1]

    desk.resume(batch_id)

    assert desk.states(batch_id) == {"done": 1}
    assert service.calls[1] == calls + 1
