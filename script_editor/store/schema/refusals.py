"""What a model answered that was not taken."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import Row, names_version, refers, script_id_column


class RefusalRow(Row, table=True):
    """One answer of a model that was not taken. `seq` counts up: the order in which they were stored."""

    __tablename__ = "refused_reply"
    __table_args__ = (
        refers(["script_id"], "script", ["id"]),
        names_version("base_number"),
        refers(["run_id"], "agent_run", ["id"]),
        sa.UniqueConstraint("id"),
        sa.Index(None, "script_id", "seq"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    script_id: str = script_id_column()
    base_number: int
    run_id: str | None = Field(default=None, max_length=36)
    created_at: datetime
    instruction: str = Field(sa_type=sa.Text)
    model: str | None = Field(default=None, max_length=120)
    reason: str = Field(max_length=40)
    message: str = Field(sa_type=sa.Text)
    segments: list[int] = Field(sa_type=sa.JSON)
    reply: str | None = Field(default=None, sa_type=sa.Text)
