"""Which work was done before and still is, so that nobody pays for it twice."""

from collections.abc import Mapping, Sequence
from typing import cast

import sqlalchemy as sa
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from script_editor.domain.batches import SETTLED, Done
from script_editor.store.batches.plans import CHUNK, chunks
from script_editor.store.schema.batches import ItemRow
from script_editor.store.schema.proposals import ProposalRow
from script_editor.store.schema.scripts import ScriptRow, VersionRow

_RANK: Mapping[str, int] = {"unchanged": 0, "proposed": 1, "saved": 2}
"""Where several items did the same work, the one that came furthest is told of."""


def before(session: Session, keys: Sequence[str]) -> dict[str, Done]:
    """Return the keys of work that was done before; see `BatchStore.done_before`."""
    found: dict[str, Done] = {}
    statement = _settled()
    for some in chunks((key for key in keys if key), CHUNK):
        rows = session.connection().execute(statement.where(col(ItemRow.key).in_(some)))
        for key, how in rows:
            if how is not None and _RANK[how] >= _RANK[found.get(key, how)]:
                found[key] = cast(Done, how)
    return found


def _settled() -> "sa.Select[str, str | None]":
    """Return the settled items by their key, each with what is left of its work, NULL for nothing.

    Everything besides the items is found by its primary key or unique id.
    """
    made, base = aliased(VersionRow), aliased(VersionRow)
    saved_number = sa.func.coalesce(col(ItemRow.result_number), col(ProposalRow.accepted_number))
    fits = sa.and_(
        col(ProposalRow.status) == "pending", col(ProposalRow.base_number) == col(ScriptRow.head_number)
    )
    # By their texts: what was taken back and put back again is there again, under another number.
    is_there = col(made.content_hash) == col(ScriptRow.head_hash)
    is_same = col(base.content_hash) == col(ScriptRow.head_hash)
    left = sa.case(
        (is_there, "saved"),
        (fits, "proposed"),
        (sa.and_(col(ItemRow.state) == "unchanged", is_same), "unchanged"),
    )
    return (
        sa.select(col(ItemRow.key), left)
        .join(ScriptRow, col(ScriptRow.id) == col(ItemRow.script_id))
        .outerjoin(ProposalRow, col(ProposalRow.id) == col(ItemRow.proposal_id))
        .outerjoin(
            made, sa.and_(col(made.script_id) == col(ItemRow.script_id), col(made.number) == saved_number)
        )
        .join(
            base,
            sa.and_(
                col(base.script_id) == col(ItemRow.script_id), col(base.number) == col(ItemRow.base_number)
            ),
        )
        .where(col(ItemRow.state).in_(SETTLED))
    )
