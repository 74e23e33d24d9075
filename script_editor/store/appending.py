"""How versions come into being: the one way, with what else a new one changes.

Each function works in the transaction of its session. Rows are only ever added: a version's number,
its parent's number and its place in the hash chain are decided here, under the lock of its script.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select, update

from script_editor.domain.script import FileForm, Provenance, Source, Version, utc_now
from script_editor.errors import ScriptExists, StaleHead, StoreDamaged
from script_editor.store import blobs, locks, proposals, runs, shelf
from script_editor.store.blobs import Content
from script_editor.store.chain import chain_hash
from script_editor.store.rows import add
from script_editor.store.schema.scripts import ScriptRow, VersionRow
from script_editor.store.versions import with_stored_text, with_text

_RESTORING = frozenset({"revert", "undo", "redo"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is to become a version, before it has a number."""

    content: Content
    source: Source
    provenance: Provenance
    restored_number: int | None = None
    proposal_id: str | None = None
    file: FileForm | None = None
    created_at: datetime | None = None
    request_id: str | None = None
    made_by: tuple[str, int, int] | None = None
    """The batch, item and attempt that made it."""


def create(
    session: Session, script_id: str, draft: Draft, *, title: str, language: str, format: str, file: FileForm
) -> Version:
    """Add a script with its version 1; see `ScriptStore.create`."""
    row = _row(draft, script_id, 1, format=format, file=file.to_json())
    row.chain_hash = chain_hash(row, previous=None)
    blobs.keep(session, draft.content)
    script = ScriptRow(
        id=script_id,
        title=title,
        language=language,
        head_number=1,
        head_hash=row.content_hash,
        head_chain=row.chain_hash,
        created_at=row.created_at,
        updated_at=row.created_at,
    )
    if not _add_script(session, script):
        earlier = _written_by(session, script_id, draft.request_id)
        if earlier is None:
            raise ScriptExists(script_id)
        return earlier
    return _add_version(session, row, draft)


def append(session: Session, script_id: str, draft: Draft, *, expected_head: int) -> Version:
    """Add the version after `expected_head`; see `ScriptStore.append`."""
    counted = _held_item(session, draft.proposal_id)
    script = shelf.find_writable(session, script_id, lock=True)
    earlier = _written_by(session, script_id, draft.request_id)
    if earlier is not None:
        return earlier
    if draft.proposal_id is not None:
        proposals.require_open(session, draft.proposal_id, script_id)
    if script.head_number != expected_head:
        raise StaleHead(script_id, expected=expected_head, actual=script.head_number)
    if draft.restored_number is not None:
        shelf.require_version(script, draft.restored_number)
    parent = _stored(session, script, expected_head)
    if draft.source not in _RESTORING:
        _require_locked(session, parent, draft.content.text)
    file = parent.file if draft.file is None else draft.file.to_json()
    row = _row(draft, script_id, expected_head + 1, format=parent.format, file=file)
    row.chain_hash = chain_hash(row, previous=parent.chain_hash)
    blobs.keep(session, draft.content)
    _move_head(session, row)
    version = _add_version(session, row, draft)
    counted(version.number)
    return version


def _held_item(session: Session, proposal_id: str | None) -> Callable[[int], None]:
    """Lock the item of a batch that left a proposal, if one did; return what makes it done by the version added."""
    made_by = None if proposal_id is None else proposals.item_of(session, proposal_id)
    if proposal_id is None or made_by is None:
        return lambda _number: None
    # Late: most versions come of no batch, and need not load its tables.
    from script_editor.store.batches import accepting

    item = accepting.hold(session, *made_by)
    return lambda number: accepting.saved(session, item, proposal_id, number)


def _require_locked(session: Session, head: VersionRow, text: str) -> None:
    """Refuse a text that lacks what is locked. The head is read only when something is."""
    held = locks.active(session, head.script_id)
    if held:
        # Late: most scripts have no lock, and what finds their lines need not load at every start.
        from script_editor.domain.segments import NumberedScript
        from script_editor.store.lock_check import require_kept

        before = with_stored_text(session, head)
        require_kept(NumberedScript(before.script_id, before.number, before.text), text, held)


def _row(draft: Draft, script_id: str, number: int, *, format: str, file: dict[str, object]) -> VersionRow:
    assert (draft.source in _RESTORING) == (draft.restored_number is not None), draft.source
    made_by = draft.provenance
    batch_id, batch_seq, batch_attempt = draft.made_by or (None, None, None)
    return VersionRow(
        script_id=script_id,
        number=number,
        parent_number=number - 1 or None,
        restored_number=draft.restored_number,
        content_hash=draft.content.hash,
        chain_hash="",
        created_at=draft.created_at or utc_now(),
        author=made_by.author,
        source=draft.source,
        format=format,
        file=file,
        instruction=made_by.instruction,
        message=made_by.message,
        model=made_by.model,
        prompt_tokens=made_by.prompt_tokens,
        completion_tokens=made_by.completion_tokens,
        run_id=made_by.run_id,
        proposal_id=draft.proposal_id,
        request_id=draft.request_id,
        batch_id=batch_id,
        batch_seq=batch_seq,
        batch_attempt=batch_attempt,
    )


def _add_version(session: Session, row: VersionRow, draft: Draft) -> Version:
    runs.require(session, row.run_id)
    add(session, row)
    if draft.proposal_id is not None:
        proposals.accept(session, draft.proposal_id, as_number=row.number, decided_by=row.author)
    return with_text(row, draft.content.text)


def _add_script(session: Session, script: ScriptRow) -> bool:
    """Insert an entry; return False when its id is taken, be it by a writer that committed just now."""
    try:
        with session.begin_nested():
            add(session, script)
    except IntegrityError:
        if session.get(ScriptRow, script.id) is None:
            raise
        return False
    return True


def _move_head(session: Session, row: VersionRow) -> None:
    # The lock has settled who writes; the condition keeps a head from being overwritten all the same.
    moved = session.exec(
        update(ScriptRow)
        .where(col(ScriptRow.id) == row.script_id, col(ScriptRow.head_number) == row.parent_number)
        .values(
            head_number=row.number,
            head_hash=row.content_hash,
            head_chain=row.chain_hash,
            updated_at=row.created_at,
        )
    )
    if moved.rowcount != 1:
        raise StaleHead(row.script_id, expected=row.number - 1, actual=row.number)


def _written_by(session: Session, script_id: str, request_id: str | None) -> Version | None:
    """Return the version that this request wrote before, if it did."""
    if request_id is None:
        return None
    same_request = select(VersionRow).where(
        VersionRow.script_id == script_id, VersionRow.request_id == request_id
    )
    row = session.exec(same_request).first()
    return None if row is None else with_stored_text(session, row)


def _stored(session: Session, script: ScriptRow, number: int) -> VersionRow:
    row = session.get(VersionRow, (script.id, number))
    if row is None:
        raise StoreDamaged(
            f"{script.id}@v{number} is missing, though the script is at v{script.head_number}."
        )
    return row
