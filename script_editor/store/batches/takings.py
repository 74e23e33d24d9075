"""What can still be taken of the results of a batch, or taken back: found in what is there."""

import sqlalchemy as sa
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from script_editor.domain.batches import Item, Takeable
from script_editor.store import shelf
from script_editor.store.batches import items
from script_editor.store.rows import storable
from script_editor.store.schema.batches import ItemRow
from script_editor.store.schema.proposals import ProposalRow
from script_editor.store.schema.scripts import ScriptRow, VersionRow


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


# --- what somebody else did first ------------------------------------------------------------


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
