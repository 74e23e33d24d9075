"""Runs migrations on the connection and inside the transaction that the caller has opened.

Nothing here or in `versions/` imports the program: a migration must do the same thing in years, when
the program's tables are different ones. What is to be compared is handed in as an attribute.
"""

from typing import Any, Literal

import sqlalchemy as sa
from alembic import context
from alembic.autogenerate.api import AutogenContext


def plain_type(kind: str, item: Any, _context: AutogenContext) -> str | Literal[False]:
    """Write column types of SQLModel as the SQLAlchemy types they stand for, when a revision is drafted."""
    if kind == "type" and isinstance(item, sa.types.TypeDecorator):
        return f"sa.{item.impl_instance!r}"
    return False


connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=context.config.attributes.get("target_metadata"),
    # SQLite can alter little; a table that changes is rebuilt under a new name.
    render_as_batch=connection.dialect.name == "sqlite",
    compare_type=True,
    render_item=plain_type,
)
with context.begin_transaction():
    context.run_migrations()
