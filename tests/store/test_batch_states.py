"""Batches by their state, on both databases: who works on what runs need not read all that ever was."""

import sqlalchemy as sa

from script_editor.domain.batches import Bounds, Job, Recipe
from script_editor.store.batch_store import open_batches
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE, raw

RECIPE = Recipe(instruction="改短一点", author="alice", model="m", mode="direct", prompts="abc")
JOB = Job(seq=1, script_id="video_001", base_number=1, instruction="改短一点", key="k")


def test_batches_are_found_by_their_state(store: SqlScriptStore, store_url: str):
    store.create("video_001", "一\n", provenance=ALICE)
    with open_batches(store_url) as batches:
        ids = [batches.create_batch(RECIPE, [JOB], target="propose", bounds=Bounds()).id for _ in range(4)]
        for batch_id, state in zip(ids, ("running", "cancelled", "running"), strict=False):
            batches.set_state(batch_id, state)

        found = {
            states: [ids.index(tally.batch.id) for tally in batches.batches(states=states)]
            for states in (("running",), ("planned", "cancelled"), (), None)
        }
        newest = batches.batches(states=("running",), limit=1)

    assert {("running",): [2, 0], ("planned", "cancelled"): [3, 1], (): [], None: [3, 2, 1, 0]} == found
    assert [ids[2]] == [tally.batch.id for tally in newest]
    assert {"queued": 1} == newest[0].counts


def test_a_state_is_looked_up_without_reading_every_batch(store: SqlScriptStore, store_url: str):
    with raw(store_url) as connection:
        indexed = [index["column_names"] for index in sa.inspect(connection).get_indexes("batch")]

    assert ["state"] in indexed
