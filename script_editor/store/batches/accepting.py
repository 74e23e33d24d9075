"""What becomes of an item when a person saves the proposal it left, or makes another one of it."""

from typing import cast

from sqlmodel import Session, col, select, update

from script_editor.domain.batches import ItemState
from script_editor.store.batches import items, plans
from script_editor.store.schema.batches import ItemRow
from script_editor.store.schema.proposals import ProposalRow

_NOT_SAVED = ("failed", "conflict")


def hold(session: Session, batch_id: str, seq: int) -> ItemRow:
    """Lock an item whose proposal is about to be decided on, before its script is locked: so does who ends an item.

    The batch comes first: who tries many items again closes their proposals before it locks the items.
    """
    plans.find(session, batch_id, lock=True)
    return items.find(session, batch_id, seq, lock=True)


def saved(session: Session, row: ItemRow, proposal_id: str, number: int) -> None:
    """Make an item, which is held, done by the version that its proposal has become, in part or as a whole.

    Only where it had failed or was a conflict, and its last attempt left that proposal. Nothing that others may hold
    can be locked in this transaction any more.
    """
    if row.state in _NOT_SAVED and row.proposal_id == proposal_id:
        items.change(session, row, "done", result_number=number, error_type="", error="", hint="")


def replace(session: Session, row: ItemRow, old_id: str, new_id: str) -> None:
    """Let an item, which is held, have left another proposal than the one it did, for a person made that one of it.

    Only where the old one is what its last attempt left and nobody has decided on the new one. One attempt has one
    proposal at most: the old one is no longer known as its own.
    """
    if row.proposal_id != old_id:
        return
    made_by = {"batch_id": row.batch_id, "batch_seq": row.seq, "batch_attempt": row.attempt}
    is_new = col(ProposalRow.id) == new_id, col(ProposalRow.status) == "pending"
    new = session.exec(select(ProposalRow).where(*is_new).with_for_update(key_share=True)).first()
    if new is not None:
        is_old = col(ProposalRow.id) == old_id
        session.exec(update(ProposalRow).where(is_old).values(dict.fromkeys(made_by)))
        session.exec(update(ProposalRow).where(*is_new).values(made_by))
        items.change(session, row, cast(ItemState, row.state), proposal_id=new_id)
