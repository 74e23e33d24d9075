"""The processes that work on batches: their signs of life, and the items of those that give none."""

from datetime import timedelta

from sqlmodel import Session, col, delete, select, update

from script_editor.domain.batches import Worker
from script_editor.store.batches import counts, items, permits
from script_editor.store.batches.clock import now
from script_editor.store.rows import add
from script_editor.store.schema.batches import PermitRow, WorkerRow


def register(session: Session, worker_id: str, *, host: str, pid: int) -> None:
    """Note that a worker has begun."""
    moment = now(session)
    add(session, WorkerRow(id=worker_id, host=host, pid=pid, started_at=moment, beat=moment))


def beat(session: Session, worker_id: str) -> bool:
    """Note a sign of life; see `BatchStore.beat`."""
    known = session.exec(update(WorkerRow).where(col(WorkerRow.id) == worker_id).values(beat=now(session)))
    return known.rowcount == 1


def forget(session: Session, worker_id: str) -> None:
    """Note that a worker has ended in order; see `BatchStore.forget_worker`."""
    changes = counts.Changes()
    items.leave(session, worker_id, changes)
    permits.release(session, worker_id, changes)
    session.exec(delete(WorkerRow).where(col(WorkerRow.id) == worker_id))
    changes.write(session)


def forget_lost(session: Session, worker_id: str) -> None:
    """Note that a worker is gone for good; see `BatchStore.forget_lost`."""
    changes = counts.Changes()
    permits.release(session, worker_id, changes)
    session.exec(delete(WorkerRow).where(col(WorkerRow.id) == worker_id))
    changes.write(session)


def lost(session: Session, *, silent_seconds: float) -> frozenset[str]:
    """Return the workers of which something is left; see `BatchStore.lost_workers`."""
    known = dict(session.exec(select(WorkerRow.id, WorkerRow.beat)).all())
    since = now(session) - timedelta(seconds=silent_seconds)
    at_a_call = session.exec(select(PermitRow.worker_id).distinct())
    return frozenset({*known, *at_a_call} - {worker_id for worker_id, beat in known.items() if beat >= since})


def listed(session: Session, *, silent_seconds: float) -> tuple[Worker, ...]:
    """Return the workers that gave a sign of life lately, the one that began first first."""
    since = now(session) - timedelta(seconds=silent_seconds)
    rows = session.exec(
        select(WorkerRow)
        .where(WorkerRow.beat >= since)
        .order_by(col(WorkerRow.started_at), col(WorkerRow.id))
    )
    return tuple(
        Worker(id=row.id, host=row.host, pid=row.pid, started_at=row.started_at, beat=row.beat)
        for row in rows
    )
