"""Agent runs and their steps, kept as evidence of how a text came about."""

from dataclasses import fields
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session, col, select, update

from script_editor.domain.script import RunCost, RunRecord, StepRecord, utc_now
from script_editor.errors import Conflict, NotFound
from script_editor.store import shelf
from script_editor.store.rows import add, new_id, storable
from script_editor.store.run_results import with_results
from script_editor.store.schema.runs import RunRow, StepRow

_STATUS = {
    "finished": "done",
    "returned_directly": "done",
    "cancelled": "cancelled",
    "declined": "cancelled",
}
_TOOL_CHARS = 64
_NEWEST_FIRST = (col(RunRow.started_at).desc(), col(RunRow.id).desc())
_COST_COLUMNS = tuple(getattr(RunRow, field.name) for field in fields(RunCost))


def start(
    session: Session,
    *,
    mode: str,
    model: str,
    input: str,
    script_id: str | None,
    chat_id: str | None = None,
    run_id: str | None = None,
    started_at: datetime | None = None,
) -> RunRecord:
    """Record that a run has begun; see `ScriptStore.start_run`. A run that is told at its end brings its id and start."""
    _require_subject(session, script_id, chat_id)
    row = RunRow(
        id=run_id or new_id(session, RunRow, "r"),
        agent=mode,
        model=model,
        input=storable(input),
        started_at=started_at or utc_now(),
        script_id=script_id,
        chat_id=chat_id,
    )
    add(session, row)
    return _run(row)


def record_step(session: Session, step: StepRecord) -> None:
    """Keep one step. What no database can keep of a model's words is replaced, a long tool name cut.

    Raises:
        NotFound: there is no such run.
        Conflict: the run has a step of that number already.
    """
    require(session, step.run_id)
    if session.get(StepRow, (step.run_id, step.seq)) is not None:
        raise Conflict(f"Run {step.run_id} has a step {step.seq} already; a step is never changed.")
    row = StepRow(
        run_id=step.run_id,
        seq=step.seq,
        tool=storable(step.tool)[:_TOOL_CHARS],
        tool_input=step.tool_input,
        log=storable(step.log),
        observation=_storable(step.observation),
        error=_storable(step.error),
        duration_ms=step.duration_ms,
        created_at=step.created_at,
    )
    add(session, row)


def finish(
    session: Session,
    run_id: str,
    *,
    stop_reason: str,
    output: str | None,
    error: str | None,
    prompt_tokens: int,
    completion_tokens: int,
    usage_known: bool,
) -> RunRecord:
    """Close a run; one that is closed keeps its first ending. See `ScriptStore.finish_run`."""
    closing = (
        update(RunRow)
        .where(col(RunRow.id) == run_id, col(RunRow.status) == "running")
        .values(
            status=_STATUS.get(stop_reason, "failed"),
            stop_reason=stop_reason,
            output=_storable(output),
            error=_storable(error),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            usage_known=usage_known,
            finished_at=utc_now(),
        )
    )
    session.exec(closing)
    return _run(_find(session, run_id))


def read(session: Session, run_id: str) -> tuple[RunRecord, tuple[StepRecord, ...]]:
    """Return a run and its steps in order. Raises NotFound."""
    row = _find(session, run_id)
    steps = session.exec(select(StepRow).where(StepRow.run_id == run_id).order_by(col(StepRow.seq)))
    (run,) = with_results(session, [_run(row)])
    return run, tuple(_step(step) for step in steps)


def listed(
    session: Session,
    *,
    script_id: str | None,
    chat_id: str | None,
    since: datetime | None,
    limit: int | None,
) -> tuple[RunRecord, ...]:
    """Return runs without their steps, newest first; see `ScriptStore.runs`."""
    statement = select(RunRow).where(*_about(session, script_id, chat_id, since)).order_by(*_NEWEST_FIRST)
    return with_results(session, [_run(row) for row in session.exec(statement.limit(limit))])


def costs(
    session: Session, *, script_id: str | None, chat_id: str | None, since: datetime | None
) -> tuple[RunCost, ...]:
    """Return what each run took, newest first; see `ScriptStore.run_costs`."""
    # The columns alone: what was said in a run is many times as long.
    statement = sa.select(*_COST_COLUMNS).where(*_about(session, script_id, chat_id, since))
    rows = session.connection().execute(statement.order_by(*_NEWEST_FIRST))
    return tuple(RunCost(**row) for row in rows.mappings())


def _about(
    session: Session, script_id: str | None, chat_id: str | None, since: datetime | None
) -> list[sa.ColumnElement[bool]]:
    """Return what keeps the runs that are meant. Raises ScriptNotFound, ChatNotFound."""
    _require_subject(session, script_id, chat_id)
    wanted = []
    if script_id is not None:
        wanted.append(col(RunRow.script_id) == script_id)
    if chat_id is not None:
        wanted.append(col(RunRow.chat_id) == chat_id)
    if since is not None:
        wanted.append(col(RunRow.started_at) >= since)
    return wanted


def require(session: Session, run_id: str | None) -> None:
    """Make sure that a run that is to be referred to exists; None refers to nothing. Raises NotFound."""
    if run_id is not None:
        _find(session, run_id)


def _require_subject(session: Session, script_id: str | None, chat_id: str | None) -> None:
    """Make sure that what a run is about exists. Raises ScriptNotFound, ChatNotFound."""
    # Late: saving a version refers to a run, and needs no chats for that. Storing a run does.
    from script_editor.store import chats

    if script_id is not None:
        shelf.find(session, script_id)
    chats.require(session, chat_id)


def _find(session: Session, run_id: str) -> RunRow:
    row = session.get(RunRow, run_id)
    if row is None:
        raise NotFound(f"There is no run {run_id!r}.")
    return row


def _storable(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _run(row: RunRow) -> RunRecord:
    return RunRecord(
        id=row.id,
        mode=row.agent,
        model=row.model,
        input=row.input,
        started_at=row.started_at,
        output=row.output,
        stop_reason=row.stop_reason,
        error=row.error,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        finished_at=row.finished_at,
        script_id=row.script_id,
        chat_id=row.chat_id,
        usage_known=row.usage_known,
    )


def _step(row: StepRow) -> StepRecord:
    return StepRecord(
        run_id=row.run_id,
        seq=row.seq,
        tool=row.tool,
        tool_input=row.tool_input,
        log=row.log,
        observation=row.observation,
        error=row.error,
        duration_ms=row.duration_ms,
        created_at=row.created_at,
    )
