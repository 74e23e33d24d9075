"""What became of the results of a batch: which of its changes still stand in their scripts.

A change stands as long as the text of its script comes from it. That is followed from the newest version backwards: what
undo, redo or revert wrote comes from the version whose text it is, anything else from the version before it. Where
that leads to the text that the batch made, the change stands, whatever was written over it; where it leads to the
text before, or past the batch, the change was taken back, by whom and how ever, and what was written over the old text since
does not bring it back.
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from script_editor.domain.batches import Results
from script_editor.store.batches import counts, items
from script_editor.store.schema.batches import ItemRow
from script_editor.store.schema.proposals import ProposalRow
from script_editor.store.schema.scripts import ScriptRow, VersionRow


def results(session: Session, batch_id: str) -> Results:
    """Return what became of the results of a batch; see `BatchStore.results`."""
    counted = counts.read(session, [batch_id]).get(batch_id)
    if counted is None or not counted.states.get("done"):  # then the items need not be read
        return Results()
    of_all = sa.union_all(_saved_at_once(batch_id), _saved_later(batch_id))
    made, standing = _counted(session, of_all)
    return Results(saved=standing, reverted=made - standing, warned=_warned(session, batch_id))


def is_taken_back(session: Session, batch_id: str, seq: int) -> bool:
    """Return whether an item made a version that no longer stands; see `BatchStore.is_taken_back`."""
    row = items.find(session, batch_id, seq)
    accepted = sa.select(col(ProposalRow.accepted_number)).where(col(ProposalRow.id) == row.proposal_id)
    number = row.result_number or session.connection().execute(accepted).scalar()
    if number is None:
        return False
    of_one = sa.select(sa.literal(row.script_id).label("script_id"), sa.literal(number).label("number"))
    made, standing = _counted(session, of_one)
    return made > standing


def _saved_at_once(batch_id: str) -> "sa.Select[str, int | None]":
    return sa.select(col(ItemRow.script_id), col(ItemRow.result_number).label("number")).where(
        col(ItemRow.batch_id) == batch_id,
        col(ItemRow.state) == "done",
        col(ItemRow.result_number).is_not(None),
    )


def _saved_later(batch_id: str) -> "sa.Select[str, int | None]":
    """Return the versions that the proposals of items that are done became, in part or as a whole; without those by
    which an item that had failed became done, which are its result."""
    return (
        sa.select(col(ProposalRow.script_id), col(ProposalRow.accepted_number).label("number"))
        .join(ItemRow, _is_result())
        .where(
            col(ProposalRow.batch_id) == batch_id,
            col(ProposalRow.status) == "accepted",
            col(ItemRow.result_number).is_(None),
        )
    )


def _is_result() -> sa.ColumnElement[bool]:
    """Return the condition that an item that is done ended with a proposal."""
    return sa.and_(
        col(ItemRow.batch_id) == col(ProposalRow.batch_id),
        col(ItemRow.seq) == col(ProposalRow.batch_seq),
        col(ItemRow.proposal_id) == col(ProposalRow.id),
        col(ItemRow.state) == "done",
    )


def _counted(session: Session, made: "sa.SelectBase") -> tuple[int, int]:
    """Return how many versions there are, given by script and number, and how many of these changes stand."""
    versions = made.subquery()
    change = aliased(VersionRow)
    is_newest = sa.case((col(ScriptRow.head_hash) == col(change.content_hash), 1), else_=0)
    at_a_glance = (
        sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(is_newest), 0))
        .select_from(versions)
        .join(ScriptRow, col(ScriptRow.id) == versions.c.script_id)
        .join(change, _is(change, versions.c.script_id, versions.c.number))
    )
    count, standing = session.connection().execute(at_a_glance).one()
    if standing < count:  # going back takes longer, and most batches are not written over
        way = _ways_back(versions)
        found = sa.select(sa.func.count()).where(way.c.hash == way.c.made_hash)
        standing += session.connection().execute(found).scalar_one()
    return count, int(standing)


def _ways_back(made: sa.Subquery) -> sa.CTE:
    """Return the versions on the way back from each script's newest one to the first that has the text that the batch
    made, or the one before it; without the scripts whose newest one has it already."""
    change, base, here, there = (aliased(VersionRow) for _ in range(4))
    both = col(change.content_hash), col(base.content_hash)
    way = (
        sa.select(
            made.c.script_id, col(ScriptRow.head_number).label("number"), col(ScriptRow.head_hash).label("hash"),
            made.c.number.label("made_number"), both[0].label("made_hash"), both[1].label("base_hash"),
        )
        .join(ScriptRow, col(ScriptRow.id) == made.c.script_id)
        .join(change, _is(change, made.c.script_id, made.c.number))
        .join(base, _is(base, made.c.script_id, col(change.parent_number)))
        .where(col(ScriptRow.head_hash).not_in(both))
        .cte("way", recursive=True)
    )  # fmt: skip
    comes_from = sa.func.coalesce(col(here.restored_number), col(here.parent_number))
    step = (
        sa.select(
            way.c.script_id, col(there.number), col(there.content_hash),
            way.c.made_number, way.c.made_hash, way.c.base_hash,
        )
        .join(here, _is(here, way.c.script_id, way.c.number))
        .join(there, _is(there, way.c.script_id, comes_from))
        .where(way.c.number > way.c.made_number, way.c.hash.not_in((way.c.made_hash, way.c.base_hash)))
    )  # fmt: skip
    return way.union_all(step)


def _is(version: type[VersionRow], script_id: Any, number: Any) -> sa.ColumnElement[bool]:
    return sa.and_(col(version.script_id) == script_id, col(version.number) == number)


def _warned(session: Session, batch_id: str) -> int:
    """Return how many items ended with a proposal of which the checks said something, and that may be saved."""
    warned = (
        sa.select(sa.func.count())
        .select_from(ProposalRow)
        .join(ItemRow, _is_result())
        .where(col(ProposalRow.batch_id) == batch_id, items.has_findings())
    )
    return int(session.connection().execute(warned).scalar_one())
