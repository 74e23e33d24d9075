"""What all tables have in common: their base, the names of constraints, and columns that recur.

Rows validate nothing and stay inside `store`: what leaves it are the frozen values of `domain.script`.
Times are written by the caller, never by a default, so that there is one clock.
"""

from typing import Any, ClassVar

import sqlalchemy as sa
from sqlmodel import Field, SQLModel

# Named from the first revision on: a constraint without a name is lost when SQLite has to rebuild a table.
_NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
}


class Row(SQLModel):
    """The base of all tables; its metadata is ours alone."""

    metadata: ClassVar[sa.MetaData] = sa.MetaData(naming_convention=_NAMING)
    # Rows are never validated, and building seven validators would slow every start.
    model_config = {"defer_build": True}


def check(condition: str, name: str) -> sa.CheckConstraint:
    """Return a check under a name."""
    return sa.CheckConstraint(condition, name=name)


def one_of(column: str, *values: str) -> sa.CheckConstraint:
    """Return the check that a column holds one of the values."""
    # Text with a check and not an enum type: a new value is then one small migration on both databases.
    return check(f"{column} IN ({', '.join(repr(value) for value in values)})", f"{column}_value")


def refers(columns: list[str], table: str, targets: list[str]) -> sa.ForeignKeyConstraint:
    """Return a foreign key to columns of another table."""
    # RESTRICT everywhere: rebuilding a table under CASCADE would empty the tables that point to it.
    return sa.ForeignKeyConstraint(columns, [f"{table}.{target}" for target in targets], ondelete="RESTRICT")


def names_version(column: str) -> sa.ForeignKeyConstraint:
    """Return the foreign key of a column that holds the number of a version of `script_id`."""
    return refers(["script_id", column], "version", ["script_id", "number"])


def made_once(table: str) -> sa.Index:
    """Return the index that lets one attempt at one item of a batch make at most one row of `table`."""
    # An index and no constraint: it was added later, and SQLite would have to rebuild the table for that.
    columns = ("batch_id", "batch_seq", "batch_attempt")
    return sa.Index(f"uq_{table}_{'_'.join(columns)}", *columns, unique=True)


def json_list_column() -> Any:
    """Return a column that holds a list as JSON, empty unless it is given."""
    # The default on the server's side filled the rows that were there before the column.
    return Field(default_factory=list, sa_type=sa.JSON, sa_column_kwargs={"server_default": "[]"})


def script_id_column(**options: Any) -> Any:
    """Return a column that holds the id of a script."""
    # The C collation gives PostgreSQL the order that SQLite has: by code point, whatever the locale.
    kind = sa.String(64).with_variant(sa.String(64, collation="C"), "postgresql")
    return Field(sa_type=kind, **options)
