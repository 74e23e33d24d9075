"""Writers that meet: nobody is refused because two of them waited for each other."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from script_editor.domain.batches import Bounds, Ending, Job, Made, Permit, Recipe
from script_editor.domain.script import Proposal
from script_editor.errors import ProposalClosed, StoreLocked
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.repeating import TRIES, written
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE, engine_of
from tests.store.taking_up import take_up

RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")
PRICED = Bounds(price_in=1.0, price_out=1.0, budget=1_000_000.0)
ITEMS = 32
ROUNDS = 12
HANG_SECONDS = 60.0


@pytest.fixture
def batches(store: SqlScriptStore, store_url: str) -> Iterator[SqlBatchStore]:
    for seq in range(1, ITEMS + 1):
        store.create(f"video_{seq}", "一\n", provenance=ALICE)
    with open_batches(store_url, workers=8) as opened:
        yield opened


def running(batches: SqlBatchStore) -> str:
    jobs = [
        Job(seq=seq, script_id=f"video_{seq}", base_number=1, instruction="改短一点", key=str(seq))
        for seq in range(1, ITEMS + 1)
    ]
    batch = batches.create_batch(RECIPE, jobs, target="propose", bounds=PRICED)
    batches.set_state(batch.id, "running")
    return batch.id


def at_work(batches: SqlBatchStore, batch_id: str, worker_id: str, seqs: list[int]) -> None:
    """Let a worker run items, begun in the given order, with a call of each under way that may cost 1."""
    batches.register_worker(worker_id, host="h", pid=1)
    for seq in seqs:
        batches.begin_item(batch_id, seq, 1, worker_id=worker_id)
        asked = batches.take_permit(batch_id, seq, service="s", worker_id=worker_id, tokens=10, cost=1.0)
        assert isinstance(asked, Permit)


def at_once(*works: Callable[[], object]) -> None:
    """Do everything at the same time; what one of them raises is raised here."""
    barrier = threading.Barrier(len(works), timeout=HANG_SECONDS)

    def meet(work: Callable[[], object]) -> None:
        barrier.wait()
        work()

    with ThreadPoolExecutor(len(works)) as pool:
        for done in [pool.submit(meet, work) for work in works]:
            done.result(HANG_SECONDS)


def test_workers_leave_at_once(batches: SqlBatchStore):
    batch_id = running(batches)
    names = ("a", "b", "c", "d")

    for number in range(ROUNDS):
        for place, name in enumerate(names):
            # Backwards for some: rows lie in the order in which they were written last.
            seqs = list(range(1 + place, ITEMS + 1, len(names)))
            at_work(batches, batch_id, f"{name}-{number}", seqs if place % 2 else seqs[::-1])
        at_once(*(partial(batches.forget_worker, f"{name}-{number}") for name in names))

    tally = batches.tally(batch_id)
    assert {"queued": ITEMS} == tally.counts
    assert (float(ROUNDS * ITEMS), 0.0) == (tally.spent, tally.in_flight)


def test_a_batch_is_cancelled_while_workers_leave_and_others_are_found_dead(batches: SqlBatchStore):
    batch_id = running(batches)

    for number in range(ROUNDS):
        for place, name in enumerate(("left", "dead")):
            seqs = list(range(1 + place, 17, 2))
            at_work(batches, batch_id, f"{name}-{number}", seqs[::-1] if number % 2 else seqs)
        at_once(
            partial(batches.cancel_open, batch_id),
            partial(batches.forget_worker, f"left-{number}"),
            partial(batches.forget_lost, f"dead-{number}"),
            partial(batches.forget_lost, f"dead-{number}"),
        )
        batches.cancel_open(batch_id)  # what was queued again a moment later
        assert {"cancelled": ITEMS} == batches.tally(batch_id).counts
        take_up(batches, batch_id, with_cancelled=True)

    assert (float(ROUNDS * 16), 0.0) == (batches.tally(batch_id).spent, batches.tally(batch_id).in_flight)


def test_what_failed_is_saved_by_hand_while_it_is_tried_again(
    store: SqlScriptStore, batches: SqlBatchStore
) -> None:
    """Each is either saved, and then it is done, or it is queued again, and then its proposal is closed."""
    batch_id = running(batches)
    made = Made(text="二\n", provenance=ALICE)
    for seq in range(1, ITEMS + 1):
        with Session(batches._engine) as session, session.begin():
            batches.end_item(session, batch_id, seq, 1, Ending(state="failed", made=made))
    proposals = store.proposals()

    def save(some: Sequence[Proposal]) -> None:
        for one in some:
            with suppress(ProposalClosed):
                store.append(
                    one.script_id,
                    "二\n",
                    expected_head=1,
                    source="edit",
                    provenance=ALICE,
                    proposal_id=one.id,
                )

    def retry() -> None:
        take_up(batches, batch_id, {"failed"})

    at_once(partial(save, proposals[::2]), partial(save, proposals[1::2][::-1]), retry, retry)

    saved = {one.id for one in store.proposals(only_open=False) if one.status == "accepted"}
    found = batches.items(batch_id)
    assert saved == {item.proposal_id for item in found if item.state == "done"}
    assert {"done", "queued"} >= {item.state for item in found}
    counts = {"done": len(saved), "queued": ITEMS - len(saved)}
    assert {state: count for state, count in counts.items() if count} == batches.tally(batch_id).counts


def test_calls_are_settled_while_their_worker_leaves(batches: SqlBatchStore):
    batch_id = running(batches)
    permits: list[Permit] = []
    batches.register_worker("w", host="h", pid=1)
    for seq in range(1, ITEMS + 1):
        asked = batches.take_permit(batch_id, seq, service="s", worker_id="w", tokens=10, cost=1.0)
        assert isinstance(asked, Permit)
        permits.append(asked)

    def settle() -> None:
        for permit in permits:
            batches.settle_permit(permit.id, tokens=10, cost=1.0)

    at_once(lambda: batches.forget_worker("w"), settle, settle)

    assert (float(ITEMS), 0.0) == (batches.tally(batch_id).spent, batches.tally(batch_id).in_flight)


def test_a_writer_that_was_ended_for_another_begins_again(postgres_url: str):
    """Two rows, locked in either order: the server ends one of the two, which is done again."""
    first_locks = threading.Barrier(2, timeout=HANG_SECONDS)
    begun: list[str] = []

    def move(session: Session, one: str, other: str) -> str:
        begun.append(one)
        connection = session.connection()
        statement = sa.text("UPDATE rate_bucket SET requests_at = requests_at + 1 WHERE service = :service")
        connection.execute(statement, {"service": one})
        if len(begun) <= 2:
            first_locks.wait()
        connection.execute(statement, {"service": other})
        return one

    with engine_of(postgres_url) as engine, SqlBatchStore(engine) as batches:
        for service in ("a", "b"):
            batches.hold_off(service, 0)
        at_once(lambda: written(engine, move, "a", "b"), lambda: written(engine, move, "b", "a"))
        with engine.connect() as connection:
            moved = list(connection.scalars(sa.text("SELECT requests_at FROM rate_bucket")))

    assert 3 == len(begun)
    assert [2.0, 2.0] == moved


@pytest.mark.parametrize("state", ["40P01", "40001"])
def test_a_writer_that_never_gets_its_turn_is_told(postgres_url: str, state: str):
    begun = 0

    def fail(session: Session) -> None:
        nonlocal begun
        begun += 1
        session.connection().exec_driver_sql(
            f"DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '{state}'; END $$"
        )

    with engine_of(postgres_url) as engine, pytest.raises(StoreLocked):
        written(engine, fail)

    assert TRIES == begun


def test_what_is_wrong_for_another_reason_is_not_done_again(store_url: str):
    begun = 0

    def fail(_session: Session) -> None:
        nonlocal begun
        begun += 1
        raise ZeroDivisionError

    with engine_of(store_url) as engine, pytest.raises(ZeroDivisionError):
        written(engine, fail)

    assert 1 == begun
