"""Scripts, their versions, and the texts of these: what every command reads."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import (
    Row,
    check,
    made_once,
    names_version,
    one_of,
    refers,
    script_id_column,
)


class BlobRow(Row, table=True):
    """One text, kept once however many versions have it; named by the SHA-256 of its UTF-8 form.

    `depth`, `base_hash` and the codecs besides "zlib" are room for compaction, which rewrites how a
    text is stored without touching a version.
    """

    __tablename__ = "blob"
    __table_args__ = (
        check("length(hash) = 64", "hash_len"),
        check("size >= 0", "size"),
        check("depth BETWEEN 0 AND 50", "depth"),
        one_of("codec", "raw", "zlib", "zstd", "zdelta", "purged"),
        check("(codec = 'purged') = (data IS NULL)", "purged"),
        check("(codec = 'zdelta') = (base_hash IS NOT NULL)", "delta"),
        refers(["base_hash"], "blob", ["hash"]),
        sa.Index(None, "base_hash"),
    )

    hash: str = Field(primary_key=True, max_length=64)
    codec: str = Field(max_length=8)
    size: int
    depth: int = 0
    base_hash: str | None = Field(default=None, max_length=64)
    data: bytes | None = Field(default=None, sa_type=sa.LargeBinary)


class ScriptRow(Row, table=True):
    """One script on the shelf. The head columns repeat its newest version and move with it."""

    __tablename__ = "script"
    __table_args__ = (
        check("length(id) BETWEEN 1 AND 64 AND id = lower(id)", "id_form"),
        check("head_number >= 0", "head_number"),
        refers(["head_hash"], "blob", ["hash"]),
    )

    id: str = script_id_column(primary_key=True)
    title: str = Field(default="", max_length=300)
    language: str = Field(default="und", max_length=35)
    meta: dict[str, Any] = Field(default_factory=dict, sa_type=sa.JSON)
    head_number: int = 0
    head_hash: str | None = Field(default=None, max_length=64)
    head_chain: str | None = Field(default=None, max_length=64)
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None


class VersionRow(Row, table=True):
    """One version without its text. Triggers refuse to change or delete it."""

    __tablename__ = "version"
    __table_args__ = (
        check("number >= 1", "number"),
        check("(number = 1) = (parent_number IS NULL)", "root"),
        check("parent_number IS NULL OR parent_number < number", "parent"),
        one_of("source", "import", "edit", "revert", "manual", "merge", "undo", "redo"),
        check("(source IN ('revert', 'undo', 'redo')) = (restored_number IS NOT NULL)", "restored"),
        check("length(chain_hash) = 64", "chain_len"),
        refers(["script_id"], "script", ["id"]),
        refers(["content_hash"], "blob", ["hash"]),
        refers(["run_id"], "agent_run", ["id"]),
        names_version("parent_number"),
        names_version("restored_number"),
        sa.UniqueConstraint("chain_hash"),
        sa.UniqueConstraint("script_id", "request_id"),
        sa.Index(None, "content_hash"),
        sa.Index(None, "created_at"),
        sa.Index(None, "run_id"),
        made_once("version"),
    )

    script_id: str = script_id_column(primary_key=True)
    number: int = Field(primary_key=True)
    parent_number: int | None = None
    restored_number: int | None = None
    content_hash: str = Field(max_length=64)
    chain_hash: str = Field(max_length=64)
    created_at: datetime
    author: str = Field(max_length=120)
    source: str = Field(max_length=8)
    format: str = Field(max_length=16)
    file: dict[str, Any] = Field(sa_type=sa.JSON)
    instruction: str | None = Field(default=None, sa_type=sa.Text)
    message: str = Field(default="", max_length=500)
    model: str | None = Field(default=None, max_length=120)
    prompt_tokens: int | None = Field(default=None, sa_type=sa.BigInteger)
    completion_tokens: int | None = Field(default=None, sa_type=sa.BigInteger)
    run_id: str | None = Field(default=None, max_length=36)
    # No foreign key: the proposal already points here.
    proposal_id: str | None = Field(default=None, max_length=36)
    request_id: str | None = Field(default=None, max_length=64)
    batch_id: str | None = Field(default=None, max_length=36)
    batch_seq: int | None = None
    batch_attempt: int | None = None
