"""The last transaction of an item: its run, its refused replies, and what it came to, all or nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import sqlalchemy as sa
from sqlalchemy import orm
from sqlmodel import Session, col

from script_editor.domain.batches import ENDED, Bounds, Ending, Item, ItemState, Made, RunTaken
from script_editor.domain.refusals import worded
from script_editor.errors import (
    BadInput,
    Conflict,
    EditRefused,
    Language,
    NotFound,
    Overtaken,
    ScriptEditorError,
)
from script_editor.store import appending, proposals, refusals, runs, shelf
from script_editor.store.batches import counts, items, plans
from script_editor.store.blobs import Content, pack
from script_editor.store.rows import storable
from script_editor.store.schema.batches import BatchRow, ItemRow

_ERROR_TYPE_CHARS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """How an item ends, and where what was made of it is kept."""

    state: ItemState
    error_type: str = ""
    error: str = ""
    hint: str = ""
    result_number: int | None = None
    proposal_id: str | None = None


@contextmanager
def joined(connection: object) -> Iterator[Session]:
    """Yield a session in the transaction that a connection, or another session, is in; it does not end it."""
    if isinstance(connection, Session):
        yield connection
        connection.flush()
        return
    inner = connection.connection() if isinstance(connection, orm.Session) else connection
    assert isinstance(inner, sa.Connection) and inner.in_transaction(), "only an engine has the transaction"
    # In a savepoint: what fails here leaves the transaction to whoever began it.
    with Session(inner, join_transaction_mode="create_savepoint") as session, session.begin():
        yield session


def end(session: Session, batch_id: str, seq: int, attempt: int, ending: Ending) -> Item:
    """Write what an attempt came to; see `BatchStore.end_item`."""
    content, unfit = _packed(ending.made)
    _claim(session, batch_id, seq)
    row = items.find(session, batch_id, seq, lock=True)
    if row.state in ENDED or row.attempt != attempt:
        return items.value(session, row)
    batch = plans.find(session, batch_id)
    if ending.run is not None:
        _keep_run(session, row, ending.run)
    outcome = _outcome(ending, unfit)
    if ending.made is not None and content is not None:
        outcome = _kept(session, batch, row, ending, content)
    if ending.run is not None:
        # Last: what comes after the end of a run is not its own doing.
        _finish_run(session, ending.run)
    _write(session, row, ending, outcome, is_priced=plans.is_priced(Bounds(**batch.bounds)))
    return items.value(session, row)


def _packed(made: Made | None) -> tuple[Content | None, ScriptEditorError | None]:
    """Return what was made ready to be stored, before any lock is taken, or why it cannot be."""
    if made is None:
        return None, None
    try:
        return pack(made.text), None
    except BadInput as unfit:
        return None, unfit


def _claim(session: Session, batch_id: str, seq: int) -> None:
    """On SQLite, begin the transaction with a write: one that has read first may find that it cannot any more."""
    if session.connection().dialect.name == "sqlite":
        session.connection().execute(
            sa.update(ItemRow)
            .where(col(ItemRow.batch_id) == batch_id, col(ItemRow.seq) == seq)
            .values(attempt=col(ItemRow.attempt))
        )


def _keep_run(session: Session, row: ItemRow, run: RunTaken) -> None:
    runs.start(
        session,
        mode=run.mode,
        model=run.model,
        input=run.input,
        script_id=row.script_id,
        run_id=run.id,
        started_at=run.started_at,
    )
    for step in run.steps:
        runs.record_step(session, replace(step, run_id=run.id))
    for refused in run.refusals:
        refusals.record(session, replace(refused, run_id=run.id))
    row.run_id = run.id


def _finish_run(session: Session, run: RunTaken) -> None:
    runs.finish(
        session,
        run.id,
        stop_reason=run.stop_reason,
        output=run.output,
        error=run.error,
        prompt_tokens=run.prompt_tokens,
        completion_tokens=run.completion_tokens,
        usage_known=run.usage_known,
    )


def _outcome(ending: Ending, problem: ScriptEditorError | None = None) -> _Outcome:
    if problem is None:
        return _Outcome(
            state=ending.state, error_type=ending.error_type, error=ending.error, hint=ending.hint
        )
    code = problem.reason if isinstance(problem, EditRefused) else problem.code
    error, hint = _said(problem, ending.language)
    return _Outcome(state="failed", error_type=code, error=error, hint=hint)


def _said(problem: ScriptEditorError, language: Language) -> tuple[str, str]:
    """Return what is wrong and what can be done about it, in the language of the instruction where both are known."""
    if isinstance(problem, EditRefused) and problem.language is None:
        problem = worded(problem, language)
    if problem.is_bilingual:
        problem.language = language
    return str(problem), problem.hint


def _kept(session: Session, batch: BatchRow, row: ItemRow, ending: Ending, content: Content) -> _Outcome:
    """Save what was made, or keep it as a proposal where a person has to look at it."""
    assert ending.made is not None
    outcome = _outcome(ending)
    try:
        head = shelf.find_writable(session, row.script_id, lock=True).head_number
        if head != row.base_number:
            outcome = _moved(row, head, ending.language)
        elif batch.target == "apply" and ending.state == "done" and ending.made.is_clean:
            return replace(outcome, result_number=_save(session, row, ending.made, content))
    except EditRefused as refusal:  # a lock that was set meanwhile
        outcome = _outcome(ending, refusal)
    except (Conflict, NotFound) as gone:  # the script is archived: nothing can be kept with it
        return _outcome(ending, gone)
    return replace(outcome, proposal_id=_propose(session, row, ending.made, content))


def _moved(row: ItemRow, head: int, language: Language) -> _Outcome:
    overtaken = Overtaken(row.script_id, expected=row.base_number, actual=head, batch_id=row.batch_id)
    error, hint = _said(overtaken, language)
    return _Outcome(state="conflict", error_type=overtaken.code, error=error, hint=hint)


def _save(session: Session, row: ItemRow, made: Made, content: Content) -> int:
    draft = appending.Draft(
        content=content,
        source="edit",
        provenance=replace(made.provenance, run_id=row.run_id),
        made_by=_made_by(row),
    )
    return appending.append(session, row.script_id, draft, expected_head=row.base_number).number


def _propose(session: Session, row: ItemRow, made: Made, content: Content) -> str:
    return proposals.save(
        session,
        row.script_id,
        content,
        base_number=row.base_number,
        provenance=replace(made.provenance, run_id=row.run_id),
        findings=made.findings,
        notes=made.notes,
        made_by=_made_by(row),
        wanted_id=made.proposal_id,
    ).id


def _made_by(row: ItemRow) -> tuple[str, int, int]:
    return row.batch_id, row.seq, row.attempt


def _write(session: Session, row: ItemRow, ending: Ending, outcome: _Outcome, *, is_priced: bool) -> None:
    items.change(
        session,
        row,
        outcome.state,
        worker_id=None,
        error_type=outcome.error_type[:_ERROR_TYPE_CHARS],
        error=storable(outcome.error),
        hint=storable(outcome.hint),
        result_number=outcome.result_number,
        proposal_id=outcome.proposal_id,
        prompt_tokens=_sum(row.prompt_tokens, ending.prompt_tokens),
        completion_tokens=_sum(row.completion_tokens, ending.completion_tokens),
        notes=[storable(note) for note in ending.notes],
    )
    counts.charge(
        session,
        row.batch_id,
        row.seq,
        sent=ending.prompt_tokens or 0,
        received=ending.completion_tokens or 0,
        is_priced=is_priced,
    )


def _sum(before: int | None, more: int | None) -> int | None:
    """Return what all attempts took; None while nobody reported anything."""
    return before if more is None else (before or 0) + more
