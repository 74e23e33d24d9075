"""Batches themselves: how one is planned, read, and moved from state to state."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from sqlmodel import Session, col, select

from script_editor.domain.batches import (
    Base,
    Batch,
    BatchState,
    Bounds,
    Job,
    Recipe,
    Tally,
    Target,
    Wishes,
)
from script_editor.domain.script import utc_now
from script_editor.errors import BadInput, BatchNotFound, Conflict
from script_editor.store import shelf
from script_editor.store.batches import counts
from script_editor.store.batches.clock import now
from script_editor.store.rows import add, check_texts, new_id
from script_editor.store.schema.batches import BatchRow, ItemRow, PermitRow
from script_editor.store.schema.scripts import ScriptRow, VersionRow

T = TypeVar("T")

CHUNK = 500
"""How many values one statement names; SQLite takes some thousand."""
_NO_WISHES = Wishes()

_FROM: Mapping[BatchState, Sequence[BatchState]] = {
    "running": ("planned", "running", "paused", "cancelled", "done"),
    "paused": ("planned", "running", "paused"),
    "cancelled": ("planned", "running", "paused", "cancelled"),
    "done": ("running", "paused", "done"),
}
"""Which states a batch may come from."""


def create(session: Session, recipe: Recipe, jobs: Iterable[Job], *, target: Target, bounds: Bounds) -> Batch:
    """Store a plan; see `BatchStore.create_batch`."""
    moment = utc_now()
    row = BatchRow(
        id=new_id(session, BatchRow, "b"),
        instruction=recipe.instruction,
        author=recipe.author,
        model=recipe.model,
        mode=recipe.mode,
        prompts=recipe.prompts,
        target=target,
        bounds=asdict(bounds),
        total=0,
        created_at=moment,
        updated_at=moment,
    )
    add(session, row)
    counts.begin(session, row.id)
    places: dict[str, int] = {}
    for some in chunks(jobs, CHUNK):
        _require_once(some, places)
        _require_versions(session, some)
        _insert(session, row, some)
    counts.enter(session, row.id, "queued", places.values())
    row.total = len(places)
    session.flush()
    return value(row)


def _require_once(jobs: Sequence[Job], places: dict[str, int]) -> None:
    """Refuse a script that is named twice; `places` says where each was named before. Raises BadInput."""
    for job in jobs:
        before = places.setdefault(job.script_id, job.seq)
        if before != job.seq:
            raise BadInput(f"{job.script_id} is named twice in the plan, as items {before} and {job.seq}.")


def _require_versions(session: Session, jobs: Sequence[Job]) -> None:
    """Refuse an item about a text that is not there. Raises ScriptNotFound, ScriptArchived, VersionNotFound."""
    heads = sa.select(col(ScriptRow.id), col(ScriptRow.head_number)).where(
        col(ScriptRow.id).in_([job.script_id for job in jobs]), col(ScriptRow.deleted_at).is_(None)
    )
    known = {row[0]: row[1] for row in session.connection().execute(heads)}
    for job in jobs:
        if not 1 <= job.base_number <= known.get(job.script_id, 0):
            shelf.require_version(shelf.find_writable(session, job.script_id), job.base_number)


def _insert(session: Session, batch: BatchRow, jobs: Sequence[Job]) -> None:
    shared = {
        "batch_id": batch.id, "state": "queued", "attempt": 1, "crashes": 0, "error_type": "", "error": "",
        "hint": "", "notes": [], "updated_at": now(session),
    }  # fmt: skip
    # Past the mapper: a row object for each of 100,000 items costs five times the insert.
    rows = [{**shared, **_columns(job, batch.instruction)} for job in jobs]
    session.connection().execute(sa.insert(ItemRow), rows)


def _columns(job: Job, common: str) -> dict[str, Any]:
    check_texts(ItemRow, key=job.key)
    own = None if job.instruction == common else job.instruction  # the common one is kept once
    if own is not None:
        check_texts(ItemRow, instruction=own)
    return {
        "seq": job.seq,
        "script_id": job.script_id,
        "base_number": job.base_number,
        "instruction": own,
        "wishes": {} if job.wishes == _NO_WISHES else _plain(job.wishes),
        "key": job.key,
        "cells": [list(cell) for cell in job.columns] or None,
    }


def _plain(wishes: Wishes) -> dict[str, Any]:
    return {name: wish for name, wish in asdict(wishes).items() if wish}


def bases(session: Session, script_ids: Sequence[str]) -> dict[str, Base]:
    """Return the heads of scripts to plan on; see `BatchStore.bases`."""
    # Columns and no rows: an object for each of 100,000 versions takes longer than everything else here.
    heads = (
        sa.select(
            col(ScriptRow.id),
            col(VersionRow.number),
            col(VersionRow.format),
            sa.func.coalesce(col(VersionRow.file)["name"].as_string(), ""),
        )
        .join(ScriptRow, col(ScriptRow.id) == col(VersionRow.script_id))
        .where(col(ScriptRow.deleted_at).is_(None), col(VersionRow.number) == col(ScriptRow.head_number))
    )
    found: dict[str, Base] = {}
    for some in chunks(script_ids, CHUNK):
        rows = session.connection().execute(heads.where(col(ScriptRow.id).in_(some)))
        found.update((row[0], Base(row[1], row[2], row[3])) for row in rows)
    return found


def find(session: Session, batch_id: str, *, lock: bool = False) -> BatchRow:
    """Return the row of a batch; with `lock`, nobody else changes it until the end. Raises BatchNotFound."""
    statement = select(BatchRow).where(BatchRow.id == batch_id)
    if lock:
        # "No key": items and calls that refer to the batch can be stored meanwhile.
        statement = statement.with_for_update(key_share=True)
    row = session.exec(statement, execution_options={"populate_existing": True}).first()
    if row is None:
        raise BatchNotFound(batch_id)
    return row


def tally(session: Session, batch_id: str) -> Tally:
    """Return where a batch stands; see `BatchStore.tally`."""
    return _tallies(session, [find(session, batch_id)])[0]


def listed(
    session: Session, *, states: Collection[BatchState] | None, limit: int | None
) -> tuple[Tally, ...]:
    """Return batches with their counts, newest first; see `BatchStore.batches`."""
    statement = select(BatchRow)
    if states is not None:
        statement = statement.where(col(BatchRow.state).in_(states))
    rows = session.exec(statement.order_by(col(BatchRow.seq).desc()).limit(limit))
    return tuple(found for some in chunks(rows, CHUNK) for found in _tallies(session, some))


def _tallies(session: Session, rows: Sequence[BatchRow]) -> list[Tally]:
    ids = [row.id for row in rows]
    counted, flying = counts.read(session, ids), _in_flight(session, ids)
    return [_tally(row, counted[row.id], flying.get(row.id, 0.0)) for row in rows]


def _in_flight(session: Session, batch_ids: Sequence[str]) -> dict[str, float]:
    """Return the estimated money of the calls that are being made, by batch; one without calls is left out."""
    batch_id = col(PermitRow.batch_id)
    sums = sa.select(batch_id, sa.func.sum(col(PermitRow.cost))).where(batch_id.in_(batch_ids))
    return {batch: float(cost) for batch, cost in session.connection().execute(sums.group_by(batch_id))}


def _tally(row: BatchRow, counted: counts.Counts, in_flight: float) -> Tally:
    batch = value(row)
    is_over = not (counted.states.get("queued") or counted.states.get("running"))
    if is_over and row.state in ("running", "paused"):
        # Whoever ended the last item may be gone before it said so: several do that at once, and none sees it.
        batch = replace(batch, state="done", pause_reason="")
    priced = is_priced(batch.bounds)
    return Tally(
        batch=batch,
        counts=counted.states,
        prompt_tokens=counted.prompt_tokens,
        completion_tokens=counted.completion_tokens,
        spent=counted.spent if priced else None,
        in_flight=in_flight if priced else None,
        reckoned=counted.reckoned if priced else None,
        untold=counted.untold,
        unpriced=counted.unpriced,
    )


def is_priced(bounds: Bounds) -> bool:
    """Return whether what calls take has a price."""
    return bounds.price_in is not None and bounds.price_out is not None


def set_state(
    session: Session,
    batch_id: str,
    state: BatchState,
    *,
    reason: str,
    unless: Collection[BatchState] = (),
    unchanged_since: datetime | None = None,
    refused_cost: float | None = None,
) -> Batch:
    """Move a batch to a state; see `BatchStore.set_state`. `refused_cost` is what a call was reckoned with that its
    budget did not cover."""
    row = find(session, batch_id, lock=True)
    if unchanged_since not in (None, row.updated_at):
        raise Conflict(f"Batch {batch_id} was changed in this moment; look at it again.")
    if state not in _FROM or row.state not in _FROM[state] or row.state in unless:
        raise Conflict(f"Batch {batch_id} is {row.state}; it cannot become {state}.")
    if state == "done" and _has_open(session, batch_id):
        raise Conflict(f"Batch {batch_id} is not done: some of its items are open.")
    row.state, row.updated_at = state, utc_now()
    row.pause_reason = reason if state == "paused" else ""
    row.refused_cost = refused_cost
    session.add(row)
    session.flush()
    return value(row)


def _has_open(session: Session, batch_id: str) -> bool:
    states = counts.read(session, [batch_id])[batch_id].states
    return bool(states.get("queued") or states.get("running"))


def set_bounds(session: Session, batch_id: str, *, target: Target, bounds: Bounds) -> Batch:
    """Let a batch take more or less from now on; see `BatchStore.take_up`."""
    row = find(session, batch_id, lock=True)
    row.target, row.bounds, row.updated_at = target, asdict(bounds), utc_now()
    session.add(row)
    session.flush()
    return value(row)


def value(row: BatchRow) -> Batch:
    """Return a batch as a value."""
    return Batch(
        id=row.id,
        state=cast(BatchState, row.state),
        recipe=Recipe(
            instruction=row.instruction,
            author=row.author,
            model=row.model,
            mode=row.mode,
            prompts=row.prompts,
        ),
        target=cast(Target, row.target),
        bounds=Bounds(**row.bounds),
        total=row.total,
        created_at=row.created_at,
        updated_at=row.updated_at,
        pause_reason=row.pause_reason,
        refused_cost=row.refused_cost,
    )


def chunks(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the values in lists of at most `size`."""
    left = iter(values)
    while some := list(islice(left, size)):
        yield some
