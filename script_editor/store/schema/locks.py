"""What the versions of a script must keep."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import Row, check, names_version, one_of, refers, script_id_column


class LockRow(Row, table=True):
    """One lock, kept after its release. `seq` counts up and orders locks that share a moment."""

    __tablename__ = "segment_lock"
    __table_args__ = (
        one_of("kind", "segment", "phrase", "speaker"),
        check("length(text) > 0", "text"),
        check("occurrences >= 1", "occurrences"),
        check("(released_at IS NULL) = (released_by IS NULL)", "released"),
        refers(["script_id"], "script", ["id"]),
        names_version("since_number"),
        sa.UniqueConstraint("id"),
        sa.Index(None, "script_id", "released_at"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    script_id: str = script_id_column()
    kind: str = Field(max_length=8)
    text: str = Field(sa_type=sa.Text)
    occurrences: int
    since_number: int
    reason: str = Field(default="", max_length=500)
    author: str = Field(max_length=120)
    created_at: datetime
    released_at: datetime | None = None
    released_by: str | None = Field(default=None, max_length=120)
