"""The connections of the durable engine: items are ended on them while others write, on both databases."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import OperationalError

from script_editor.domain.batches import (
    Batch,
    Bounds,
    Ending,
    Item,
    Job,
    Made,
    Permit,
    Recipe,
    RunTaken,
    Target,
)
from script_editor.domain.script import Provenance, RefusedReply, utc_now
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.durable import DurableDatabases, durable_databases, records_file
from script_editor.store.engine import reading
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE, raw

WORKERS = 16
ITEMS = 48
RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")


@pytest.fixture
def batches(store_url: str) -> Iterator[SqlBatchStore]:
    with open_batches(store_url, workers=WORKERS) as opened:
        yield opened


@pytest.fixture
def databases(store_url: str) -> Iterator[DurableDatabases]:
    opened = durable_databases(store_url, workers=WORKERS)
    yield opened
    opened.close()


def planned(store: SqlScriptStore, batches: SqlBatchStore, count: int, target: Target = "apply") -> Batch:
    ids = [f"video_{number:03d}" for number in range(1, count + 1)]
    for script_id in ids:
        store.create(script_id, f"{script_id} 一\n", provenance=ALICE)
    jobs = [
        Job(seq=seq, script_id=script_id, base_number=1, instruction="改短一点", key=script_id)
        for seq, script_id in enumerate(ids, 1)
    ]
    bounds = Bounds(requests_per_minute=100_000, tokens_per_minute=100_000_000, price_in=1.0, price_out=1.0)
    return batches.create_batch(RECIPE, jobs, target=target, bounds=bounds)


def ending(seq: int, text: str = "短\n") -> Ending:
    run = RunTaken(
        id=f"r-{seq}-{text.strip()}", mode="direct", model="m", input="改短一点", started_at=utc_now(),
        stop_reason="finished",
        refusals=(RefusedReply(script_id=f"video_{seq:03d}", base_number=1, reason="empty", message=""),),
    )  # fmt: skip
    return Ending(
        state="done",
        made=Made(text=text, provenance=Provenance(author="alice")),
        run=run,
        prompt_tokens=3,
        completion_tokens=2,
    )


def end(databases: DurableDatabases, batches: SqlBatchStore, batch: Batch, seq: int, made: Ending) -> Item:
    """End an item as the durable engine does: in a session of its own making, again when the database was locked."""
    while True:
        with databases.sessions(bind=databases.store) as session:
            try:
                with session.begin():
                    session.connection(execution_options={"isolation_level": databases.isolation})
                    item = batches.end_item(session, batch.id, seq, 1, made)
                    session.execute(sa.text("INSERT INTO taken (seq) VALUES (:seq)"), {"seq": seq})
            except OperationalError as error:
                if "locked" not in str(error):
                    raise
                continue
            return item


@pytest.fixture
def with_records(store_url: str) -> None:
    """A table of the engine's own, in the database of the store."""
    with raw(store_url) as connection:
        connection.exec_driver_sql("CREATE TABLE taken (seq INTEGER NOT NULL)")


@pytest.mark.usefixtures("with_records")
@pytest.mark.parametrize("target", ["apply", "propose"])
def test_many_items_end_at_once_while_others_begin_and_ask(
    store: SqlScriptStore, batches: SqlBatchStore, databases: DurableDatabases, target: Target
):
    batch = planned(store, batches, ITEMS, target)

    def carry_out(seq: int) -> str:
        batches.begin_item(batch.id, seq, 1, worker_id="w")
        for _ in range(3):
            permit = batches.take_permit(batch.id, seq, service="m", worker_id="w", tokens=9, cost=0.25)
            assert isinstance(permit, Permit) or permit.reason in ("requests", "tokens")
            if isinstance(permit, Permit):
                batches.settle_permit(permit.id, tokens=5, cost=0.125)
        batches.beat("w")
        return end(databases, batches, batch, seq, ending(seq)).state

    with ThreadPoolExecutor(WORKERS) as pool:
        states = list(pool.map(carry_out, range(1, ITEMS + 1)))

    assert ["done"] * ITEMS == states
    tally = batches.tally(batch.id)
    assert ({"done": ITEMS}, 3 * ITEMS, 2 * ITEMS) == (
        tally.counts, tally.prompt_tokens, tally.completion_tokens,
    )  # fmt: skip
    heads = {info.head_number for info in store.scripts()}
    expected = ({2}, 0) if target == "apply" else ({1}, ITEMS)
    assert expected == (heads, len(store.proposals()))
    assert () == store.verify()


@pytest.mark.usefixtures("with_records")
@pytest.mark.parametrize("target", ["apply", "propose"])
def test_of_many_that_end_one_item_at_once_one_writes(
    store: SqlScriptStore, batches: SqlBatchStore, databases: DurableDatabases, target: Target
):
    batch = planned(store, batches, 1, target)
    texts = [f"短 {number}\n" for number in range(WORKERS)]

    with ThreadPoolExecutor(WORKERS) as pool:
        items = list(pool.map(lambda text: end(databases, batches, batch, 1, ending(1, text)), texts))

    assert 1 == len(set(items))
    assert 1 == len(store.runs()) == len(store.refusals("video_001"))
    assert 1 == len(store.history("video_001")) - 1 + len(store.proposals())
    assert ({"done": 1}, 3) == (batches.tally(batch.id).counts, batches.tally(batch.id).prompt_tokens)


@pytest.mark.usefixtures("with_records")
def test_a_person_and_an_item_that_save_at_once_do_not_overwrite_each_other(
    store: SqlScriptStore, batches: SqlBatchStore, databases: DurableDatabases
):
    batch = planned(store, batches, ITEMS)

    def by_hand(seq: int) -> bool:
        try:
            store.append(f"video_{seq:03d}", "人改的\n", expected_head=1, source="manual", provenance=ALICE)
        except Exception:
            return False
        return True

    with ThreadPoolExecutor(WORKERS) as pool:
        people = [pool.submit(by_hand, seq) for seq in range(1, ITEMS + 1)]
        states = [
            done.result().state
            for done in [
                pool.submit(end, databases, batches, batch, seq, ending(seq)) for seq in range(1, ITEMS + 1)
            ]
        ]

    for seq, (state, person) in enumerate(zip(states, people, strict=True), 1):
        assert (state == "conflict") == person.result()
        text = store.head(f"video_{seq:03d}").text
        assert ("人改的\n" if state == "conflict" else "短\n") == text
        assert 2 == len(store.history(f"video_{seq:03d}"))


@pytest.mark.usefixtures("with_records")
def test_what_is_not_committed_leaves_no_trace(
    store: SqlScriptStore, batches: SqlBatchStore, databases: DurableDatabases
):
    batch = planned(store, batches, 1)

    with (
        pytest.raises(ZeroDivisionError),
        databases.sessions(bind=databases.store) as session,
        session.begin(),
    ):
        session.connection(execution_options={"isolation_level": databases.isolation})
        batches.end_item(session, batch.id, 1, 1, ending(1))
        raise ZeroDivisionError

    assert ("queued", {"queued": 1}) == (batches.item(batch.id, 1).state, batches.tally(batch.id).counts)
    assert (1, ()) == (store.head("video_001").number, store.runs())
    assert "done" == end(databases, batches, batch, 1, ending(1)).state


def test_what_counts_is_kept_from_a_loss_of_power_and_the_rest_is_not_waited_for(
    batches: SqlBatchStore, databases: DurableDatabases
):
    def safety(engine: sa.Engine) -> str:
        if engine.dialect.name == "sqlite":
            with engine.connect() as connection:
                found = connection.exec_driver_sql("PRAGMA synchronous").scalar_one()
            return {1: "normal", 2: "full"}[found]
        with reading(engine) as session:
            found = session.connection().exec_driver_sql("SHOW synchronous_commit").scalar_one()
        return {"on": "full", "off": "normal"}[found]

    assert ["full", "full", "normal"] == [
        safety(engine) for engine in (batches._engine, databases.store, batches._fast)
    ]


def test_on_sqlite_the_records_are_a_file_of_their_own(sqlite_url: str, sqlite_path: Path):
    databases = durable_databases(sqlite_url, workers=1)

    with databases.system.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE step (id INTEGER)")

    databases.close()
    assert records_file(sqlite_path).exists()
    with raw(sqlite_url) as connection:
        assert not sa.inspect(connection).has_table("step")


def test_on_sqlite_the_engine_looks_without_waiting_for_a_writer(sqlite_url: str):
    databases = durable_databases(sqlite_url, workers=1)

    for url, engine in ((sqlite_url, databases.store), (databases.system_url, databases.system)):
        with engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE seen (id INTEGER)")
        with raw(url) as writer, engine.connect() as connection:
            writer.exec_driver_sql("BEGIN IMMEDIATE")
            connection.exec_driver_sql("PRAGMA busy_timeout = 0")
            assert [] == connection.exec_driver_sql("SELECT * FROM seen").all()

    databases.close()
