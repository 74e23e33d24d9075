"""Results that wait for a decision."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import (
    Row,
    check,
    json_list_column,
    made_once,
    names_version,
    one_of,
    refers,
    script_id_column,
)


class ProposalRow(Row, table=True):
    """One stored result. `seq` counts up and orders proposals that share a moment."""

    __tablename__ = "proposal"
    __table_args__ = (
        one_of("status", "pending", "accepted", "rejected", "stale"),
        check("(status = 'accepted') = (accepted_number IS NOT NULL)", "accepted"),
        check("(status = 'pending') = (decided_at IS NULL)", "decided"),
        refers(["script_id"], "script", ["id"]),
        names_version("base_number"),
        names_version("accepted_number"),
        refers(["content_hash"], "blob", ["hash"]),
        refers(["run_id"], "agent_run", ["id"]),
        sa.UniqueConstraint("id"),
        # Not a partial index: naming its dialects here would load both at every start.
        sa.Index(None, "status", "script_id", "created_at"),
        made_once("proposal"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    script_id: str = script_id_column()
    base_number: int
    content_hash: str = Field(max_length=64)
    status: str = Field(default="pending", max_length=8)
    accepted_number: int | None = None
    author: str = Field(max_length=120)
    instruction: str | None = Field(default=None, sa_type=sa.Text)
    message: str = Field(default="", max_length=500)
    model: str | None = Field(default=None, max_length=120)
    prompt_tokens: int | None = Field(default=None, sa_type=sa.BigInteger)
    completion_tokens: int | None = Field(default=None, sa_type=sa.BigInteger)
    run_id: str | None = Field(default=None, max_length=36)
    created_at: datetime
    decided_at: datetime | None = None
    decided_by: str | None = Field(default=None, max_length=120)
    reason: str | None = Field(default=None, max_length=500)
    findings: list[dict[str, Any]] = json_list_column()
    notes: list[str] = json_list_column()
    batch_id: str | None = Field(default=None, max_length=36)
    batch_seq: int | None = None
    batch_attempt: int | None = None
