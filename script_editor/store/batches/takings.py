"""What became of the results of a batch, and what can still be taken of them: found in what is there."""

import sqlalchemy as sa
from sqlalchemy.orm import Mapped, aliased
from sqlmodel import Session, col

from script_editor.domain.batches import Item, ItemState, Results, Takeable
from script_editor.store import shelf
from script_editor.store.batches import counts, items
from script_editor.store.rows import storable
from script_editor.store.schema.batches import ItemRow
from script_editor.store.schema.proposals import ProposalRow
from script_editor.store.schema.scripts import ScriptRow, VersionRow

_WITH_RESULTS: tuple[ItemState, ...] = ("done", "failed", "conflict")


def takeable(session: Session, batch_id: str) -> Takeable:
    """Return what can be done with the results of a batch; see `BatchStore.takeable`."""
    is_clean = ~items.has_findings()
    return Takeable(
        clean=_is_any(session, _open(batch_id).where(is_clean)),
        warned=_is_any(session, _open(batch_id).where(~is_clean)),
        saved=_is_any(session, _saved(batch_id)) or _is_any(session, _accepted(batch_id)),
    )


def _is_any(session: Session, rows: sa.Select[int]) -> bool:
    # The first one will do: a batch is long, and most have one soon.
    return session.connection().execute(rows.limit(1)).first() is not None


def _open(batch_id: str) -> sa.Select[int]:
    """Return the open proposals that items ended with, each over a script that has not moved since."""
    is_result = sa.exists().where(
        col(ItemRow.batch_id) == batch_id,
        col(ItemRow.seq) == col(ProposalRow.batch_seq),
        col(ItemRow.proposal_id) == col(ProposalRow.id),
        col(ItemRow.state) == "done",
    )
    return (
        sa.select(sa.literal(1))
        .select_from(ProposalRow)
        .where(
            col(ProposalRow.batch_id) == batch_id,
            col(ProposalRow.status) == "pending",
            is_result,
            _is_head(col(ProposalRow.script_id), col(ProposalRow.base_number)),
        )
    )


def _saved(batch_id: str) -> sa.Select[int]:
    """Return the versions that items saved, and that nobody has written over."""
    return (
        sa.select(sa.literal(1))
        .select_from(VersionRow)
        .where(
            col(VersionRow.batch_id) == batch_id,
            _is_head(col(VersionRow.script_id), col(VersionRow.number)),
        )
    )


def _accepted(batch_id: str) -> sa.Select[int]:
    """Return the proposals of items that became versions which nobody has written over."""
    return (
        sa.select(sa.literal(1))
        .select_from(ProposalRow)
        .where(
            col(ProposalRow.batch_id) == batch_id,
            col(ProposalRow.status) == "accepted",
            _is_head(col(ProposalRow.script_id), col(ProposalRow.accepted_number)),
        )
    )


def _is_head(script_id: Mapped[str], number: Mapped[int] | Mapped[int | None]) -> sa.Exists:
    return sa.exists().where(
        col(ScriptRow.id) == script_id,
        col(ScriptRow.head_number) == number,
        col(ScriptRow.deleted_at).is_(None),
    )


# --- what became of them ---------------------------------------------------------------------


def results(session: Session, batch_id: str) -> Results:
    """Return what became of the results of a batch; see `BatchStore.results`."""
    counted = counts.read(session, [batch_id]).get(batch_id)
    if counted is None or not any(map(counted.states.get, _WITH_RESULTS)):  # then the items need not be read
        return Results()
    made = _made(batch_id).subquery()
    head, version = aliased(VersionRow), aliased(VersionRow)
    is_back = sa.and_(
        col(head.source).in_(("revert", "undo")),
        col(head.number) == made.c.number + 1,
        col(head.restored_number) == col(version.parent_number),
    )
    summed = (
        sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(sa.case((is_back, 1), else_=0)), 0))
        .select_from(made)
        .join(ScriptRow, col(ScriptRow.id) == made.c.script_id)
        .join(head, sa.and_(col(head.script_id) == made.c.script_id, col(head.number) == col(ScriptRow.head_number)))
        .join(version, sa.and_(col(version.script_id) == made.c.script_id, col(version.number) == made.c.number))
    )  # fmt: skip
    saved, reverted = session.connection().execute(summed).one()
    return Results(saved=saved, reverted=int(reverted), warned=_warned(session, batch_id))


def _made(batch_id: str) -> "sa.CompoundSelect[str, int | None]":
    """Return the versions that came of a batch, saved at once or as a proposal later: script and number."""
    at_once: sa.Select[str, int | None] = sa.select(
        col(ItemRow.script_id), col(ItemRow.result_number).label("number")
    ).where(col(ItemRow.batch_id) == batch_id, col(ItemRow.result_number).is_not(None))
    accepted: sa.Select[str, int | None] = sa.select(
        col(ProposalRow.script_id), col(ProposalRow.accepted_number).label("number")
    ).where(col(ProposalRow.batch_id) == batch_id, col(ProposalRow.status) == "accepted")
    return at_once.union_all(accepted)


def _warned(session: Session, batch_id: str) -> int:
    """Return how many items ended with a proposal of which the checks said something, and that may be saved."""
    warned = (
        sa.select(sa.func.count())
        .select_from(ProposalRow)
        .join(
            ItemRow,
            sa.and_(
                col(ItemRow.batch_id) == col(ProposalRow.batch_id),
                col(ItemRow.seq) == col(ProposalRow.batch_seq),
                col(ItemRow.proposal_id) == col(ProposalRow.id),
            ),
        )
        .where(col(ProposalRow.batch_id) == batch_id, items.has_findings(), col(ItemRow.state) == "done")
    )
    return int(session.connection().execute(warned).scalar_one())


def overtake(session: Session, batch_id: str, seq: int, *, error: str, hint: str) -> Item:
    """Make an item whose script moved after its proposal a conflict; see `BatchStore.overtake`."""
    row = items.find(session, batch_id, seq, lock=True)
    if row.state == "done" and row.proposal_id is not None and _is_overtaken(session, row):
        items.change(
            session, row, "conflict", error_type="stale_head", error=storable(error), hint=storable(hint)
        )
    return items.value(session, row)


def _is_overtaken(session: Session, row: ItemRow) -> bool:
    status = sa.select(col(ProposalRow.status)).where(col(ProposalRow.id) == row.proposal_id)
    is_open = session.connection().execute(status).scalar_one() == "pending"
    return is_open and shelf.find(session, row.script_id).head_number != row.base_number
