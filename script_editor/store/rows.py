"""Adding rows under one rule for both databases, and the ids that are drawn for them."""

import re
import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlmodel import Session, select

from script_editor.errors import BadInput
from script_editor.store.schema.base import Row

if TYPE_CHECKING:  # whoever draws an id has the table
    from script_editor.store.schema.batches import BatchRow, PermitRow
    from script_editor.store.schema.chats import ChatRow
    from script_editor.store.schema.locks import LockRow
    from script_editor.store.schema.proposals import ProposalRow
    from script_editor.store.schema.refusals import RefusalRow
    from script_editor.store.schema.runs import RunRow

    _Named = ProposalRow | RunRow | LockRow | RefusalRow | ChatRow | BatchRow | PermitRow

_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"  # no 0/o, 1/l: read aloud and typed by people
_ID_CHARS = 8
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


def add(session: Session, row: Row) -> None:
    """Insert `row` at once.

    Raises:
        BadInput: see `check_texts`.
    """
    names = [column.name for column in sa.inspect(type(row)).columns]
    check_texts(type(row), **{name: getattr(row, name) for name in names})
    session.add(row)
    session.flush()


def check_texts(table: type[Row], **values: object) -> None:
    """Refuse texts that only one database would refuse: SQLite ignores lengths, PostgreSQL forbids NUL.

    `values` are by column name; those that are no text pass.

    Raises:
        BadInput: names the column, and the limit if that is the matter.
    """
    columns = sa.inspect(table).columns
    for name, value in values.items():
        if not isinstance(value, str):
            continue
        words = name.replace("_", " ")
        limit = getattr(columns[name].type, "length", None)
        if limit is not None and len(value) > limit:
            raise BadInput(f"The {words} is {len(value)} characters long; the limit is {limit}.")
        if _UNSTORABLE.search(value):
            raise BadInput(f"The {words} holds a NUL character or half of a surrogate pair.")


def storable(text: str) -> str:
    """Return `text` with U+FFFD for what no database keeps: for what a model said, never for a script."""
    return _UNSTORABLE.sub("\ufffd", text)


def _random_name() -> str:
    """Return eight random letters and digits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_CHARS))


def new_id(
    session: Session,
    table: "type[_Named]",
    prefix: str,
    *,
    draw: Callable[[], str] = _random_name,
) -> str:
    """Return an id that no row of `table` has: `prefix`, a dash and what `draw` gives."""
    while True:
        candidate = f"{prefix}-{draw()}"
        if session.exec(select(table.id).where(table.id == candidate)).first() is None:
            return candidate
