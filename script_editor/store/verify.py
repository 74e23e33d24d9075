"""Walking every chain and every text, without changing anything."""

from collections.abc import Iterator
from itertools import groupby

from sqlmodel import Session, col, select

from script_editor.errors import StoreDamaged
from script_editor.store.blobs import text_of
from script_editor.store.chain import CHAIN_RULES, chain_hash
from script_editor.store.schema.meta import StoreMetaRow
from script_editor.store.schema.scripts import BlobRow, ScriptRow, VersionRow

_ROWS_AT_A_TIME = 500


def problems(session: Session, *, deep: bool) -> Iterator[str]:
    """Yield one sentence per problem; see `ScriptStore.verify`.

    A version whose fields were changed is reported once: its successors are compared with the hash
    that it carries, not with the one it should carry.
    """
    rules = session.get(StoreMetaRow, "chain")
    if rules is None or rules.value != CHAIN_RULES:
        yield f"The store does not say that its chains follow rules {CHAIN_RULES}; no others are known here."
        return
    yield from _orphans(session)
    for script, versions in _chains(session):
        yield from _chain_problems(versions)
        yield from _head_problems(script, versions)
    yield from _missing_texts(session)
    if deep:
        yield from _damaged_texts(session)


def _chains(session: Session) -> Iterator[tuple[ScriptRow, list[VersionRow]]]:
    """Yield each script with its versions, oldest first."""
    statement = (
        select(ScriptRow, VersionRow)
        .join(VersionRow, col(VersionRow.script_id) == col(ScriptRow.id), isouter=True)
        .order_by(col(ScriptRow.id), col(VersionRow.number))
    )
    rows = session.exec(statement, execution_options={"yield_per": _ROWS_AT_A_TIME})
    for _, group in groupby(rows, key=lambda pair: pair[0].id):
        pairs = list(group)
        # A script without versions comes as one row whose version is None.
        yield pairs[0][0], [version for _, version in pairs if version is not None]


def _chain_problems(versions: list[VersionRow]) -> Iterator[str]:
    previous: str | None = None
    for expected, version in enumerate(versions, start=1):
        name = f"{version.script_id}@v{version.number}"
        if version.number != expected:
            yield f"{name}: a version before it is missing; {version.script_id}@v{expected} should be there."
            return
        if version.chain_hash != chain_hash(version, previous=previous):
            yield f"{name}: its record was changed after it was written."
        previous = version.chain_hash


def _head_problems(script: ScriptRow, versions: list[VersionRow]) -> Iterator[str]:
    last = versions[-1].number if versions else 0
    if last != script.head_number:
        yield f"{script.id}: its head is noted as v{script.head_number}, but its last version is v{last}."
    elif versions and (script.head_hash, script.head_chain) != (
        versions[-1].content_hash,
        versions[-1].chain_hash,
    ):
        yield f"{script.id}: the hashes noted for its head are not those of v{last}."


def _orphans(session: Session) -> Iterator[str]:
    scripts = select(ScriptRow.id)
    orphans = select(VersionRow.script_id).where(col(VersionRow.script_id).not_in(scripts)).distinct()
    for script_id in session.exec(orphans):
        yield f"{script_id}: its versions are there, but the script is missing."


def _missing_texts(session: Session) -> Iterator[str]:
    statement = select(VersionRow).where(col(VersionRow.content_hash).not_in(select(BlobRow.hash)))
    for version in session.exec(statement):
        yield f"{version.script_id}@v{version.number}: its text is missing."


def _damaged_texts(session: Session) -> Iterator[str]:
    for blob in session.exec(select(BlobRow), execution_options={"yield_per": _ROWS_AT_A_TIME}):
        try:
            text_of(blob)
        except StoreDamaged as damage:
            yield f"{_first_user(session, blob)}: {damage}"


def _first_user(session: Session, blob: BlobRow) -> str:
    users = (
        select(VersionRow)
        .where(VersionRow.content_hash == blob.hash)
        .order_by(col(VersionRow.script_id), col(VersionRow.number))
    )
    version = session.exec(users).first()
    return "a proposal" if version is None else f"{version.script_id}@v{version.number}"
