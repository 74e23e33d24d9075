"""The tables of the store, as SQLModel rows.

This module is the wanted shape; `migrations/` holds the way there, and a test compares the two. Rows
validate nothing and stay inside `store`: what leaves it are the frozen values of `domain.script`.
Times are written by the caller, never by a default, so that there is one clock.
"""

from datetime import datetime
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


def _check(condition: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=name)


def _one_of(column: str, *values: str) -> sa.CheckConstraint:
    # Text with a check and not an enum type: a new value is then one small migration on both databases.
    return _check(f"{column} IN ({', '.join(repr(value) for value in values)})", f"{column}_value")


def _refers(columns: list[str], table: str, targets: list[str]) -> sa.ForeignKeyConstraint:
    # RESTRICT everywhere: rebuilding a table under CASCADE would empty the tables that point to it.
    return sa.ForeignKeyConstraint(columns, [f"{table}.{target}" for target in targets], ondelete="RESTRICT")


def _names_version(column: str) -> sa.ForeignKeyConstraint:
    return _refers(["script_id", column], "version", ["script_id", "number"])


def _json_list() -> Any:
    # The default on the server's side filled the rows that were there before the column.
    return Field(default_factory=list, sa_type=sa.JSON, sa_column_kwargs={"server_default": "[]"})


def _script_id(**options: Any) -> Any:
    # The C collation gives PostgreSQL the order that SQLite has: by code point, whatever the locale.
    kind = sa.String(64).with_variant(sa.String(64, collation="C"), "postgresql")
    return Field(sa_type=kind, **options)


class StoreMetaRow(Row, table=True):
    """What is true of the whole store: its id and the rules by which it was made."""

    __tablename__ = "store_meta"

    key: str = Field(primary_key=True, max_length=64)
    value: str = Field(sa_type=sa.Text)


class BlobRow(Row, table=True):
    """One text, kept once however many versions have it; named by the SHA-256 of its UTF-8 form.

    `depth`, `base_hash` and the codecs besides "zlib" are room for compaction, which rewrites how a
    text is stored without touching a version.
    """

    __tablename__ = "blob"
    __table_args__ = (
        _check("length(hash) = 64", "hash_len"),
        _check("size >= 0", "size"),
        _check("depth BETWEEN 0 AND 50", "depth"),
        _one_of("codec", "raw", "zlib", "zstd", "zdelta", "purged"),
        _check("(codec = 'purged') = (data IS NULL)", "purged"),
        _check("(codec = 'zdelta') = (base_hash IS NOT NULL)", "delta"),
        _refers(["base_hash"], "blob", ["hash"]),
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
        _check("length(id) BETWEEN 1 AND 64 AND id = lower(id)", "id_form"),
        _check("head_number >= 0", "head_number"),
        _refers(["head_hash"], "blob", ["hash"]),
    )

    id: str = _script_id(primary_key=True)
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
        _check("number >= 1", "number"),
        _check("(number = 1) = (parent_number IS NULL)", "root"),
        _check("parent_number IS NULL OR parent_number < number", "parent"),
        _one_of("source", "import", "edit", "revert", "manual", "merge", "undo", "redo"),
        _check("(source IN ('revert', 'undo', 'redo')) = (restored_number IS NOT NULL)", "restored"),
        _check("length(chain_hash) = 64", "chain_len"),
        _refers(["script_id"], "script", ["id"]),
        _refers(["content_hash"], "blob", ["hash"]),
        _refers(["run_id"], "agent_run", ["id"]),
        _names_version("parent_number"),
        _names_version("restored_number"),
        sa.UniqueConstraint("chain_hash"),
        sa.UniqueConstraint("script_id", "request_id"),
        sa.Index(None, "content_hash"),
        sa.Index(None, "created_at"),
        sa.Index(None, "run_id"),
    )

    script_id: str = _script_id(primary_key=True)
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


class ProposalRow(Row, table=True):
    """One stored result. `seq` counts up and orders proposals that share a moment."""

    __tablename__ = "proposal"
    __table_args__ = (
        _one_of("status", "pending", "accepted", "rejected", "stale"),
        _check("(status = 'accepted') = (accepted_number IS NOT NULL)", "accepted"),
        _check("(status = 'pending') = (decided_at IS NULL)", "decided"),
        _refers(["script_id"], "script", ["id"]),
        _names_version("base_number"),
        _names_version("accepted_number"),
        _refers(["content_hash"], "blob", ["hash"]),
        _refers(["run_id"], "agent_run", ["id"]),
        sa.UniqueConstraint("id"),
        # Not a partial index: naming its dialects here would load both at every start.
        sa.Index(None, "status", "script_id", "created_at"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    script_id: str = _script_id()
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
    findings: list[dict[str, Any]] = _json_list()
    notes: list[str] = _json_list()


class LockRow(Row, table=True):
    """One lock, kept after its release. `seq` counts up and orders locks that share a moment."""

    __tablename__ = "segment_lock"
    __table_args__ = (
        _one_of("kind", "segment", "phrase", "speaker"),
        _check("length(text) > 0", "text"),
        _check("occurrences >= 1", "occurrences"),
        _check("(released_at IS NULL) = (released_by IS NULL)", "released"),
        _refers(["script_id"], "script", ["id"]),
        _names_version("since_number"),
        sa.UniqueConstraint("id"),
        sa.Index(None, "script_id", "released_at"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    script_id: str = _script_id()
    kind: str = Field(max_length=8)
    text: str = Field(sa_type=sa.Text)
    occurrences: int
    since_number: int
    reason: str = Field(default="", max_length=500)
    author: str = Field(max_length=120)
    created_at: datetime
    released_at: datetime | None = None
    released_by: str | None = Field(default=None, max_length=120)


class RefusalRow(Row, table=True):
    """One answer of a model that was not taken. `seq` counts up: the order in which they were stored."""

    __tablename__ = "refused_reply"
    __table_args__ = (
        _refers(["script_id"], "script", ["id"]),
        _names_version("base_number"),
        _refers(["run_id"], "agent_run", ["id"]),
        sa.UniqueConstraint("id"),
        sa.Index(None, "script_id", "seq"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    script_id: str = _script_id()
    base_number: int
    run_id: str | None = Field(default=None, max_length=36)
    created_at: datetime
    instruction: str = Field(sa_type=sa.Text)
    model: str | None = Field(default=None, max_length=120)
    reason: str = Field(max_length=40)
    message: str = Field(sa_type=sa.Text)
    segments: list[int] = Field(sa_type=sa.JSON)
    reply: str | None = Field(default=None, sa_type=sa.Text)


class RunRow(Row, table=True):
    """One run of the agent. `agent` is the name of the mode."""

    __tablename__ = "agent_run"
    __table_args__ = (
        _one_of("status", "running", "done", "failed", "cancelled"),
        _check("(status = 'running') = (finished_at IS NULL)", "finished"),
        sa.Index(None, "started_at"),
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


class StepRow(Row, table=True):
    """One step of a run, numbered from 1."""

    __tablename__ = "agent_step"
    __table_args__ = (_refers(["run_id"], "agent_run", ["id"]), _check("seq >= 1", "seq"))

    run_id: str = Field(primary_key=True, max_length=36)
    seq: int = Field(primary_key=True)
    tool: str = Field(max_length=64)
    tool_input: dict[str, Any] = Field(default_factory=dict, sa_type=sa.JSON)
    log: str = Field(default="", sa_type=sa.Text)
    observation: str | None = Field(default=None, sa_type=sa.Text)
    error: str | None = Field(default=None, sa_type=sa.Text)
    duration_ms: int | None = None
    created_at: datetime
