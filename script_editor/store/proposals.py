"""Proposals: results that wait for a decision. A proposal is decided once."""

from dataclasses import asdict, fields
from typing import Any, cast

from sqlmodel import Session, col, select, update
from sqlmodel.sql.expression import Select

from script_editor.domain.findings import Finding
from script_editor.domain.script import Proposal, ProposalStatus, Provenance, utc_now
from script_editor.errors import ProposalClosed, ProposalNotFound
from script_editor.store import blobs, runs, shelf
from script_editor.store.blobs import Content
from script_editor.store.rows import add, check_texts, new_id, storable
from script_editor.store.schema.proposals import ProposalRow
from script_editor.store.schema.scripts import BlobRow


def save(
    session: Session,
    script_id: str,
    content: Content,
    *,
    base_number: int,
    provenance: Provenance,
    findings: tuple[Finding, ...],
    notes: tuple[str, ...],
    made_by: tuple[str, int, int] | None = None,
    wanted_id: str | None = None,
) -> Proposal:
    """Keep a text as an open proposal; see `ScriptStore.save_proposal`. `made_by` is a batch, item and attempt.

    With `wanted_id` that is its id, unless another proposal has it.
    """
    batch_id, batch_seq, batch_attempt = made_by or (None, None, None)
    shelf.require_version(shelf.find_writable(session, script_id), base_number)
    runs.require(session, provenance.run_id)
    blobs.keep(session, content)
    row = ProposalRow(
        id=wanted_id if wanted_id and _is_free(session, wanted_id) else new_id(session, ProposalRow, "p"),
        script_id=script_id,
        base_number=base_number,
        content_hash=content.hash,
        author=provenance.author,
        instruction=provenance.instruction,
        message=provenance.message,
        model=provenance.model,
        prompt_tokens=provenance.prompt_tokens,
        completion_tokens=provenance.completion_tokens,
        run_id=provenance.run_id,
        created_at=utc_now(),
        findings=[_plain(finding) for finding in findings],
        notes=[storable(note) for note in notes],
        batch_id=batch_id,
        batch_seq=batch_seq,
        batch_attempt=batch_attempt,
    )
    add(session, row)
    return _value(row, content.text)


def _is_free(session: Session, proposal_id: str) -> bool:
    return session.exec(select(ProposalRow.id).where(ProposalRow.id == proposal_id)).first() is None


def read(session: Session, proposal_id: str) -> Proposal:
    """Return one proposal with its text. Raises ProposalNotFound."""
    found = session.exec(_with_blobs().where(ProposalRow.id == proposal_id)).first()
    if found is None:
        raise ProposalNotFound(proposal_id)
    row, blob = found
    return _value(row, blobs.text_of(blob))


def listed(session: Session, script_id: str | None, *, only_open: bool) -> tuple[Proposal, ...]:
    """Return proposals newest first; see `ScriptStore.proposals`."""
    statement = _with_blobs()
    if script_id is not None:
        shelf.find(session, script_id)
        statement = statement.where(ProposalRow.script_id == script_id)
    if only_open:
        statement = statement.where(ProposalRow.status == "pending")
    # Two proposals can share a moment; the later one has the higher seq.
    statement = statement.order_by(col(ProposalRow.created_at).desc(), col(ProposalRow.seq).desc())
    return tuple(_value(row, blobs.text_of(blob)) for row, blob in session.exec(statement))


def require_open(session: Session, proposal_id: str, script_id: str) -> None:
    """Make sure that this is an open proposal of this script.

    Raises:
        ProposalNotFound: there is none by that id, or it belongs to another script.
        ProposalClosed: it was decided.
    """
    row = _find(session, proposal_id)
    if row.script_id != script_id:
        raise ProposalNotFound(proposal_id)
    if row.status != "pending":
        raise ProposalClosed(proposal_id, row.status)


def item_of(session: Session, proposal_id: str) -> tuple[str, int] | None:
    """Return the batch and the number of the item whose attempt made a proposal, None for any other."""
    columns = select(ProposalRow.batch_id, ProposalRow.batch_seq).where(ProposalRow.id == proposal_id)
    batch_id, seq = session.exec(columns).first() or (None, None)
    return None if batch_id is None or seq is None else (batch_id, seq)


def accept(session: Session, proposal_id: str, *, as_number: int, decided_by: str) -> None:
    """Close an open proposal as the version that has just been added. Raises ProposalClosed."""
    _decide(session, proposal_id, status="accepted", accepted_number=as_number, decided_by=decided_by)


def reject(
    session: Session, proposal_id: str, *, decided_by: str, reason: str, replaced_by: str | None = None
) -> Proposal:
    """Close an open proposal; see `ScriptStore.reject_proposal`."""
    _find(session, proposal_id)
    if replaced_by is not None:
        _hand_over(session, proposal_id, replaced_by)
    _decide(session, proposal_id, status="rejected", decided_by=decided_by, reason=reason)
    return read(session, proposal_id)


def _hand_over(session: Session, old_id: str, new_id: str) -> None:
    made_by = item_of(session, old_id)
    if made_by is not None:
        # Late: the items of batches know of proposals, and most proposals come of none.
        from script_editor.store.batches import accepting

        accepting.replace(session, accepting.hold(session, *made_by), old_id, new_id)


def _decide(session: Session, proposal_id: str, **values: object) -> None:
    check_texts(ProposalRow, **values)
    # The condition decides between two who decide at once.
    decided = session.exec(
        update(ProposalRow)
        .where(col(ProposalRow.id) == proposal_id, col(ProposalRow.status) == "pending")
        .values(decided_at=utc_now(), **values)
    )
    if decided.rowcount != 1:
        raise ProposalClosed(proposal_id, _find(session, proposal_id).status)


def _find(session: Session, proposal_id: str) -> ProposalRow:
    by_id = select(ProposalRow).where(ProposalRow.id == proposal_id)
    row = session.exec(by_id, execution_options={"populate_existing": True}).first()
    if row is None:
        raise ProposalNotFound(proposal_id)
    return row


def _with_blobs() -> Select[ProposalRow, BlobRow]:
    return select(ProposalRow, BlobRow).join(BlobRow, col(BlobRow.hash) == col(ProposalRow.content_hash))


def _value(row: ProposalRow, text: str) -> Proposal:
    return Proposal(
        id=row.id,
        script_id=row.script_id,
        base_number=row.base_number,
        text=text,
        status=cast(ProposalStatus, row.status),
        provenance=Provenance(
            author=row.author,
            instruction=row.instruction,
            message=row.message,
            model=row.model,
            prompt_tokens=row.prompt_tokens,
            completion_tokens=row.completion_tokens,
            run_id=row.run_id,
        ),
        created_at=row.created_at,
        accepted_number=row.accepted_number,
        decided_at=row.decided_at,
        decided_by=row.decided_by,
        reason=row.reason,
        findings=tuple(finding(record) for record in row.findings),
        notes=tuple(row.notes),
    )


def _plain(finding: Finding) -> dict[str, Any]:
    """Return a finding as plain JSON values; its example may be a model's words."""
    record = asdict(finding)
    return {key: storable(value) if isinstance(value, str) else value for key, value in record.items()}


def finding(record: dict[str, Any]) -> Finding:
    """Return the finding that `_plain` wrote; keys that a later program added are ignored."""
    known = {field.name: record[field.name] for field in fields(Finding) if field.name in record}
    return Finding(**{**known, "segments": tuple(known.get("segments", ()))})
