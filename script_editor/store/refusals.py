"""Refused replies: what a model answered that was not taken, kept as evidence."""

from sqlmodel import Session, col, select

from script_editor.domain.script import RefusedReply
from script_editor.store import runs, shelf
from script_editor.store.rows import add, new_id, storable
from script_editor.store.schema.refusals import RefusalRow

REPLY_CHARS = 200_000
"""How much of a reply is kept; a longer one is cut and says so at its end."""

_MODEL_CHARS = 120


def record(session: Session, refused: RefusedReply) -> RefusedReply:
    """Keep one refused reply; see `ScriptStore.record_refusal`."""
    shelf.require_version(shelf.find(session, refused.script_id), refused.base_number)
    runs.require(session, refused.run_id)
    row = RefusalRow(
        id=new_id(session, RefusalRow, "x"),
        script_id=refused.script_id,
        base_number=refused.base_number,
        run_id=refused.run_id,
        created_at=refused.created_at,
        instruction=storable(refused.instruction),
        model=None if refused.model is None else storable(refused.model)[:_MODEL_CHARS],
        reason=refused.reason,
        message=storable(refused.message),
        segments=list(refused.segments),
        reply=None if refused.reply is None else _capped(storable(refused.reply)),
    )
    add(session, row)
    return _value(row)


def listed(session: Session, script_id: str, *, limit: int | None) -> tuple[RefusedReply, ...]:
    """Return what was refused, newest first; see `ScriptStore.refusals`."""
    shelf.find(session, script_id)
    statement = select(RefusalRow).where(RefusalRow.script_id == script_id)
    rows = session.exec(statement.order_by(col(RefusalRow.seq).desc()).limit(limit))
    return tuple(_value(row) for row in rows)


def _capped(reply: str) -> str:
    left_out = len(reply) - REPLY_CHARS
    if left_out <= 0:
        return reply
    return f"{reply[:REPLY_CHARS]}\n[… {left_out:,} more characters were not kept]"


def _value(row: RefusalRow) -> RefusedReply:
    return RefusedReply(
        script_id=row.script_id,
        base_number=row.base_number,
        reason=row.reason,
        message=row.message,
        instruction=row.instruction,
        model=row.model,
        segments=tuple(row.segments),
        reply=row.reply,
        run_id=row.run_id,
        created_at=row.created_at,
        id=row.id,
    )
