"""The clock that all workers of a store share."""

from datetime import UTC, datetime

import sqlalchemy as sa
from sqlmodel import Session

from script_editor.domain.script import utc_now

_OF_THE_SERVER = sa.text("SELECT clock_timestamp()").columns(sa.Column("moment", sa.DateTime(timezone=True)))


def now(session: Session) -> datetime:
    """Return the time by the clock of the store: on PostgreSQL the server's, which all machines share."""
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        return utc_now()
    moment: datetime = connection.execute(_OF_THE_SERVER).scalar_one()
    return moment.astimezone(UTC)
