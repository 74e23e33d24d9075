"""Conversations and what was said in them."""

from datetime import datetime

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import Row, check, one_of, refers, script_id_column


class ChatRow(Row, table=True):
    """One chat. `seq` counts up and orders chats that share a moment; a chat without a name has NULL there."""

    __tablename__ = "chat_session"
    __table_args__ = (
        check("length(name) > 0", "name"),
        refers(["script_id"], "script", ["id"]),
        sa.UniqueConstraint("id"),
        sa.UniqueConstraint("name"),
        sa.Index(None, "updated_at"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    name: str | None = Field(default=None, max_length=120)
    author: str = Field(max_length=120)
    script_id: str | None = script_id_column(default=None)
    created_at: datetime
    updated_at: datetime


class MessageRow(Row, table=True):
    """One message, numbered from 1 in its chat. Triggers refuse to change or delete it."""

    __tablename__ = "chat_message"
    __table_args__ = (
        one_of("speaker", "user", "assistant", "summary"),
        check("seq >= 1", "seq"),
        check("(speaker = 'summary') = (covers IS NOT NULL)", "summary"),
        check("covers IS NULL OR covers BETWEEN 1 AND seq - 1", "covers"),
        refers(["chat_id"], "chat_session", ["id"]),
        refers(["run_id"], "agent_run", ["id"]),
    )

    chat_id: str = Field(primary_key=True, max_length=36)
    seq: int = Field(primary_key=True)
    speaker: str = Field(max_length=9)
    content: str = Field(sa_type=sa.Text)
    facts: list[str] = Field(default_factory=list, sa_type=sa.JSON)
    covers: int | None = None
    run_id: str | None = Field(default=None, max_length=36)
    created_at: datetime
