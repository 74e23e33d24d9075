"""A program that plans in one store and inserts the same items plainly into another: `timed_plans.py STORE OTHER ROUNDS`.

Both hold the same scripts and no batch. Planning is the function `make_plan` over ids that are in the store already:
it reads the head of each, looks for work that was done before, and writes a batch with an item for each, in
one transaction. Neither the start of the interpreter nor importing, nor making the list of the ids, counts. The plain
way is one statement in one transaction that is given the finished rows of that batch: nothing is read or checked, and no
count is kept. Rounds of both take turns, so that a busy moment of the machine meets both; the tables grow alike.
Printed are the seconds of each round, as one line of JSON.
"""

import gc
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from sqlmodel import col

from script_editor.batch.planning.plan import PlanRequest, make_plan
from script_editor.batch.planning.sources import of_ids
from script_editor.store.batch_store import SqlBatchStore, open_batches
from script_editor.store.engine import database_url, open_engine, reading, writing
from script_editor.store.schema.batches import BatchRow, ItemRow
from script_editor.store.sql import SqlScriptStore, open_store

Rows = list[dict[str, Any]]


def main(address: str, other: str, rounds: int) -> None:
    """Measure, and print it."""
    told: dict[str, list[float]] = {"planning": [], "inserting": []}
    engines = [open_engine(database_url(each)) for each in (address, other)]
    with open_store(address, create=False) as scripts, open_batches(address, workers=1) as batches:
        ids = [info.id for info in scripts.scripts()]
        for _ in range(rounds):
            batch_id, seconds = _timed(partial(_planned, ids, scripts, batches))
            told["planning"].append(seconds)
            batch, items = _rows(engines[0], batch_id)
            assert len(items) == len(ids)
            _insert(engines[1], BatchRow, batch)
            told["inserting"].append(_timed(partial(_insert, engines[1], ItemRow, items))[1])
    print(json.dumps(told))


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    gc.collect()
    began = time.perf_counter()
    made = work()
    return made, time.perf_counter() - began


def _planned(ids: Sequence[str], scripts: SqlScriptStore, batches: SqlBatchStore) -> str:
    request = PlanRequest(author="bench", instruction="Make the first line stronger.", sources=[of_ids(ids)])
    report = make_plan(request, scripts=scripts, batches=batches, model="stub", prompts="0" * 64)
    assert report.batch is not None
    return report.batch.id


def _rows(engine: sa.Engine, batch_id: str) -> tuple[Rows, Rows]:
    """Return the row of a batch and those of its items."""
    wanted = (
        sa.select(*sa.inspect(BatchRow).columns).where(col(BatchRow.id) == batch_id),
        sa.select(*sa.inspect(ItemRow).columns).where(col(ItemRow.batch_id) == batch_id),
    )
    with reading(engine) as session:
        batch, items = (
            [dict(row) for row in session.connection().execute(each).mappings()] for each in wanted
        )
    return batch, items


def _insert(engine: sa.Engine, table: type[BatchRow] | type[ItemRow], rows: Rows) -> None:
    with writing(engine) as session:
        session.connection().execute(sa.insert(table), rows)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
