"""Scripts as entries on the shelf: finding, listing, and helping someone who mistyped an id."""

import re
from contextlib import closing
from difflib import SequenceMatcher
from itertools import islice

from sqlalchemy import ColumnElement
from sqlmodel import Session, col, select

from script_editor.domain.script import ScriptInfo
from script_editor.errors import ScriptArchived, ScriptNotFound, VersionNotFound
from script_editor.store.schema.scripts import ScriptRow

_NEIGHBOURS = 200
_TAIL_CHARS = 3
_COUNTED = re.compile(r"(.*?)[_-]?([0-9]{1,9})")
_JOINTS = ("_", "-", "")
_MOST_DIGITS = 6
_ROWS_AT_A_TIME = 500


def info(row: ScriptRow) -> ScriptInfo:
    """Return the shelf entry as a value."""
    return ScriptInfo(
        id=row.id,
        title=row.title,
        language=row.language,
        head_number=row.head_number,
        created_at=row.created_at,
        updated_at=row.updated_at,
        archived_at=row.deleted_at,
    )


def find(session: Session, script_id: str) -> ScriptRow:
    """Return the entry, archived or not. Raises ScriptNotFound, with ids that are spelt like it."""
    row = session.get(ScriptRow, script_id)
    if row is None:
        raise _missing(session, script_id)
    return row


def find_writable(session: Session, script_id: str, *, lock: bool = False) -> ScriptRow:
    """Return the entry for writing; with `lock`, no other process adds to this script until the end.

    Raises:
        ScriptNotFound, ScriptArchived: there is nothing to write to.
    """
    # On SQLite these words are left out: the transaction has the lock. "No key": a proposal that
    # refers to the script can be stored meanwhile.
    row = session.get(ScriptRow, script_id, with_for_update={"key_share": True} if lock else None)
    if row is None:
        raise _missing(session, script_id)
    if row.deleted_at is not None:
        raise ScriptArchived(script_id)
    return row


def require_version(script: ScriptRow, number: int) -> None:
    """Make sure that the script has this version. Raises VersionNotFound."""
    # Numbers are dense from 1, so no SELECT is needed, and none has to cope with an absurd number.
    if not 1 <= number <= script.head_number:
        raise VersionNotFound(script.id, number, head=script.head_number)


def _missing(session: Session, script_id: str) -> ScriptNotFound:
    return ScriptNotFound(script_id, known=similar_ids(session, script_id, limit=5))


def entries(session: Session, *, query: str, after: str | None, limit: int | None) -> tuple[ScriptInfo, ...]:
    """Return entries by id, archived ones left out; see `ScriptStore.scripts`."""
    if query:
        return _by_ids(session, _matching_ids(session, query, after=after, limit=limit))
    statement = select(ScriptRow).where(*_listed(after)).order_by(col(ScriptRow.id)).limit(limit)
    return tuple(info(row) for row in session.exec(statement))


def _listed(after: str | None) -> list[ColumnElement[bool]]:
    is_active = col(ScriptRow.deleted_at).is_(None)
    return [is_active] if after is None else [is_active, col(ScriptRow.id) > after]


def _matching_ids(session: Session, query: str, *, after: str | None, limit: int | None) -> list[str]:
    # Not in SQL: SQLite folds the case of ASCII only, PostgreSQL what its locale says.
    wanted = query.casefold()
    statement = select(ScriptRow.id, ScriptRow.title).where(*_listed(after)).order_by(col(ScriptRow.id))
    # Closed, because the page may be full before the rows end.
    with closing(session.exec(statement, execution_options={"yield_per": _ROWS_AT_A_TIME})) as rows:
        matching = (row_id for row_id, title in rows if wanted in f"{row_id}\n{title}".casefold())
        return list(islice(matching, limit))


def _by_ids(session: Session, ids: list[str]) -> tuple[ScriptInfo, ...]:
    found: list[ScriptInfo] = []
    for start in range(0, len(ids), _ROWS_AT_A_TIME):
        some = col(ScriptRow.id).in_(ids[start : start + _ROWS_AT_A_TIME])
        rows = session.exec(select(ScriptRow).where(some).order_by(col(ScriptRow.id)))
        found.extend(info(row) for row in rows)
    return tuple(found)


def similar_ids(session: Session, script_id: str, *, limit: int) -> tuple[str, ...]:
    """Return existing ids, nearest in spelling first.

    Compared are the neighbours in alphabetical order and ids with the same ending, a few hundred at
    most, so that a wrong letter at either end is found among any number of scripts. An id that differs only in the
    noughts before its number, or in what stands before it (video1, video-01, video_001), comes before all others.
    """
    candidates = _candidates(session, script_id)
    matcher = SequenceMatcher(b=script_id, autojunk=False)
    variants = _variants(script_id)

    def distance(candidate: str) -> tuple[bool, float, str]:
        matcher.set_seq1(candidate)
        return (candidate not in variants, -matcher.ratio(), candidate)

    return tuple(sorted(candidates, key=distance)[:limit])


def _candidates(session: Session, script_id: str) -> set[str]:
    column = col(ScriptRow.id)
    ids = select(column).where(col(ScriptRow.deleted_at).is_(None)).limit(_NEIGHBOURS)
    tail = script_id[-_TAIL_CHARS:]
    return {
        *session.exec(ids.where(column >= script_id).order_by(column)),
        *session.exec(ids.where(column < script_id).order_by(column.desc())),
        *session.exec(ids.where(column.endswith(tail, autoescape=True))),
        *session.exec(ids.where(column.in_(_variants(script_id)))),
    }


def _variants(script_id: str) -> frozenset[str]:
    """Return the other ways to write an id that ends in a number; none for one that does not."""
    counted = _COUNTED.fullmatch(script_id)
    if counted is None:
        return frozenset()
    name, number = counted[1], counted[2].lstrip("0") or "0"
    return frozenset(
        f"{name}{joint}{number.zfill(width)}" for joint in _JOINTS for width in range(1, _MOST_DIGITS + 1)
    )
