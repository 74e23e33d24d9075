"""Versions as they are read: with their texts, or as a history.

Each function works in the transaction of its session. `appending` is how versions come into being.
"""

from collections.abc import Sequence
from dataclasses import fields
from typing import cast

import sqlalchemy as sa
from sqlmodel import Session, col, select

from script_editor.domain.script import FileForm, Provenance, Source, Version, VersionInfo
from script_editor.errors import StoreDamaged
from script_editor.store import blobs, shelf
from script_editor.store.schema.scripts import BlobRow, ScriptRow, VersionRow

_LARGEST = 2**31 - 1
"""No version has this number, and it is the largest that both databases can be asked for."""
_ROWS_AT_A_TIME = 500


def read(session: Session, script_id: str, number: int | None) -> Version:
    """Return version `number` with its text, the head for None.

    Raises:
        ScriptNotFound, VersionNotFound: there is no such version.
        StoreDamaged: it is there, but its text is not.
    """
    # One statement for both, because composing its SQL takes longer than running it.
    named = sa.bindparam("number", None if number is None else _askable(number), sa.Integer)
    found = session.exec(
        select(VersionRow, BlobRow)
        .join(BlobRow, col(BlobRow.hash) == col(VersionRow.content_hash))
        .join(ScriptRow, col(ScriptRow.id) == col(VersionRow.script_id))
        .where(
            ScriptRow.id == script_id,
            VersionRow.number == sa.func.coalesce(named, col(ScriptRow.head_number)),
            col(VersionRow.number) <= col(ScriptRow.head_number),
        )
    ).first()
    if found is None:
        raise _missing(session, script_id, number)
    row, blob = found
    return with_text(row, blobs.text_of(blob))


def heads(session: Session, script_ids: Sequence[str]) -> tuple[Version, ...]:
    """Return the newest versions of scripts, by id; see `ScriptStore.heads`. Raises StoreDamaged."""
    found: list[Version] = []
    ids = sorted(set(script_ids))
    for start in range(0, len(ids), _ROWS_AT_A_TIME):
        some = ids[start : start + _ROWS_AT_A_TIME]
        statement = (
            select(ScriptRow.id, ScriptRow.head_number, VersionRow, BlobRow)
            .select_from(ScriptRow)
            .join(
                VersionRow,
                sa.and_(
                    col(VersionRow.script_id) == col(ScriptRow.id),
                    col(VersionRow.number) == col(ScriptRow.head_number),
                ),
                isouter=True,
            )
            .join(BlobRow, col(BlobRow.hash) == col(VersionRow.content_hash), isouter=True)
            .where(col(ScriptRow.id).in_(some))
            .order_by(col(ScriptRow.id))
        )
        found.extend(_head(*row) for row in session.exec(statement))
    return tuple(found)


def _head(script_id: str, number: int, row: VersionRow | None, blob: BlobRow | None) -> Version:
    if row is None or blob is None:
        raise _damaged(script_id, number)
    return with_text(row, blobs.text_of(blob))


def _askable(number: int) -> int:
    """Return `number`, or for one that no version has another such one that a database can be asked for."""
    return max(0, min(number, _LARGEST))


def _missing(session: Session, script_id: str, number: int | None) -> StoreDamaged:
    """Return the damage that hides a version. Raises ScriptNotFound, VersionNotFound when there is none such."""
    script = shelf.find(session, script_id)
    if number is not None:
        shelf.require_version(script, number)
    return _damaged(script_id, number or script.head_number)


def _damaged(script_id: str, number: int) -> StoreDamaged:
    return StoreDamaged(f"{script_id}@v{number} or its text is missing.")


def history(
    session: Session, script_id: str, *, limit: int | None, before: int | None
) -> tuple[VersionInfo, ...]:
    """Return versions newest first; see `ScriptStore.history`. Raises ScriptNotFound."""
    below = _LARGEST if before is None else _askable(before)
    statement = (
        select(VersionRow)
        .join(ScriptRow, col(ScriptRow.id) == col(VersionRow.script_id))
        .where(
            ScriptRow.id == script_id,
            col(VersionRow.number) <= col(ScriptRow.head_number),
            VersionRow.number < below,
        )
        .order_by(col(VersionRow.number).desc())
        .limit(limit)
    )
    found = tuple(_info(row) for row in session.exec(statement))
    if not found:
        shelf.find(session, script_id)
    return found


def with_stored_text(session: Session, row: VersionRow) -> Version:
    """Return the version of a row with its text. Raises StoreDamaged."""
    blob = session.get(BlobRow, row.content_hash)
    if blob is None:
        raise StoreDamaged(f"The text of {row.script_id}@v{row.number} is missing.")
    return with_text(row, blobs.text_of(blob))


def _info(row: VersionRow) -> VersionInfo:
    return VersionInfo(
        script_id=row.script_id,
        number=row.number,
        parent_number=row.parent_number,
        restored_number=row.restored_number,
        content_hash=row.content_hash,
        chain_hash=row.chain_hash,
        created_at=row.created_at,
        source=cast(Source, row.source),
        format=row.format,
        file=FileForm.from_json(row.file),
        provenance=Provenance(
            author=row.author,
            instruction=row.instruction,
            message=row.message,
            model=row.model,
            prompt_tokens=row.prompt_tokens,
            completion_tokens=row.completion_tokens,
            run_id=row.run_id,
        ),
        proposal_id=row.proposal_id,
        request_id=row.request_id,
    )


def with_text(row: VersionRow, text: str) -> Version:
    """Return the version of a row whose text is known."""
    entry = _info(row)
    return Version(text=text, **{field.name: getattr(entry, field.name) for field in fields(entry)})
