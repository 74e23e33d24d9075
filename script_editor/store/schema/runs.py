"""Agent runs and their steps."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import Row, check, one_of, refers, script_id_column


class RunRow(Row, table=True):
    """One run of the agent. `agent` is the name of the mode; `script_id` is NULL when it was about the whole store.

    `usage_known` is NULL while it goes on, and for a run of before it was recorded.
    """

    __tablename__ = "agent_run"
    __table_args__ = (
        one_of("status", "running", "done", "failed", "cancelled"),
        check("(status = 'running') = (finished_at IS NULL)", "finished"),
        refers(["script_id"], "script", ["id"]),
        refers(["chat_id"], "chat_session", ["id"]),
        sa.Index(None, "started_at"),
        sa.Index(None, "script_id", "started_at"),
        sa.Index(None, "chat_id", "started_at"),
    )

    id: str = Field(primary_key=True, max_length=36)
    agent: str = Field(max_length=40)
    model: str = Field(max_length=120)
    resolved_model: str | None = Field(default=None, max_length=120)
    input: str = Field(sa_type=sa.Text)
    output: str | None = Field(default=None, sa_type=sa.Text)
    status: str = Field(default="running", max_length=9)
    stop_reason: str | None = Field(default=None, sa_type=sa.Text)
    error: str | None = Field(default=None, sa_type=sa.Text)
    prompt_tokens: int = Field(default=0, sa_type=sa.BigInteger)
    completion_tokens: int = Field(default=0, sa_type=sa.BigInteger)
    started_at: datetime
    finished_at: datetime | None = None
    script_id: str | None = script_id_column(default=None)
    chat_id: str | None = Field(default=None, max_length=36)
    usage_known: bool | None = None


class StepRow(Row, table=True):
    """One step of a run, numbered from 1."""

    __tablename__ = "agent_step"
    __table_args__ = (refers(["run_id"], "agent_run", ["id"]), check("seq >= 1", "seq"))

    run_id: str = Field(primary_key=True, max_length=36)
    seq: int = Field(primary_key=True)
    tool: str = Field(max_length=64)
    tool_input: dict[str, Any] = Field(default_factory=dict, sa_type=sa.JSON)
    log: str = Field(default="", sa_type=sa.Text)
    observation: str | None = Field(default=None, sa_type=sa.Text)
    error: str | None = Field(default=None, sa_type=sa.Text)
    duration_ms: int | None = None
    created_at: datetime
