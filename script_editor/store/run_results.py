"""What each run saved and proposed, found among the versions and proposals by when it was at work."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Session, col

from script_editor.domain.script import RunRecord

_MOST_IDS = 500
"""How many ids stand in one statement: databases bound the number of parameters."""
_MOST_SPANS = 200
"""How many spans of time stand in one statement: databases also bound how long a condition may be."""

_Span = tuple[datetime, datetime | None]
"""From when to when, both included; None is to this day."""


def with_results(session: Session, runs: Sequence[RunRecord]) -> tuple[RunRecord, ...]:
    """Return the runs with what each saved and proposed; what a person decided after its end is not its own doing."""
    saved, proposed = _saved_in(session, runs), _proposed_in(session, runs)
    return tuple(replace(run, saved=tuple(saved[run.id]), proposed=tuple(proposed[run.id])) for run in runs)


def _saved_in(session: Session, runs: Sequence[RunRecord]) -> dict[str, list[tuple[str, int]]]:
    """Return the versions that each run saved, as script and number.

    A version carries the run that made its text. Another may have saved it: its request then begins with that
    one's id.
    """
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    by_id = {run.id: run for run in runs}
    spans = _spans(runs)
    for first in range(0, len(spans), _MOST_SPANS):
        written = _written(spans[first : first + _MOST_SPANS])
        # Sorted here: asked for an order, SQLite walks all versions in it rather than look up each span.
        rows = sorted(session.connection().execute(written), key=lambda row: (row[2], row[4]))
        for maker, request_id, moment, script_id, number in rows:
            run = by_id.get(request_id.partition(":")[0] if request_id else maker or "")
            if run is not None and _is_in_time(run, moment):
                found[run.id].append((script_id, number))
    return found


def _written(spans: Sequence[_Span]) -> "sa.Select[str | None, str | None, datetime, str, int]":
    """Return the question for the versions that a run wrote within these spans, in any order.

    It is asked by time because of the two ids of a run only one is indexed, and what was written while none
    of the runs was at work is not read.
    """
    from script_editor.store.schema.scripts import VersionRow  # late: closing a run needs no versions

    made_by, request, moment = col(VersionRow.run_id), col(VersionRow.request_id), col(VersionRow.created_at)
    within = [moment >= start if end is None else moment.between(start, end) for start, end in spans]
    columns = made_by, request, moment, col(VersionRow.script_id), col(VersionRow.number)
    by_a_run = sa.or_(made_by.is_not(None), request.is_not(None))
    return sa.select(*columns).where(sa.or_(*within), by_a_run)


def _spans(runs: Sequence[RunRecord]) -> list[_Span]:
    """Return when these runs were at work, in order and without overlaps; one without an end is so to this day."""
    return list(
        _joined(sorted(((run.started_at, run.finished_at) for run in runs), key=lambda span: span[0]))
    )


def _joined(spans: Sequence[_Span]) -> Iterator[_Span]:
    """Join the spans, in order of their starts, that overlap."""
    if not spans:
        return
    start, end = spans[0]
    for next_start, next_end in spans[1:]:
        if end is not None and next_start > end:
            yield start, end
            start, end = next_start, next_end
        else:
            end = None if end is None or next_end is None else max(end, next_end)
    yield start, end


def _proposed_in(session: Session, runs: Sequence[RunRecord]) -> dict[str, list[str]]:
    """Return the ids of the proposals that each run left undecided."""
    from script_editor.store.schema.proposals import ProposalRow  # late: as above

    found: dict[str, list[str]] = defaultdict(list)
    by_id, run_id = {run.id: run for run in runs}, col(ProposalRow.run_id)
    columns = run_id, col(ProposalRow.id), col(ProposalRow.decided_at)
    for first in range(0, len(runs), _MOST_IDS):
        ids = [run.id for run in runs[first : first + _MOST_IDS]]
        statement = sa.select(*columns).where(run_id.in_(ids)).order_by(col(ProposalRow.seq))
        for maker, proposal_id, decided_at in session.connection().execute(statement):
            assert maker is not None, "it is one of the ids"
            if decided_at is None or not _is_in_time(by_id[maker], decided_at):
                found[maker].append(proposal_id)
    return found


def _is_in_time(run: RunRecord, moment: datetime) -> bool:
    return run.finished_at is None or moment <= run.finished_at
