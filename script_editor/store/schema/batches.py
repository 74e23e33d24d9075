"""Batches, their items, the workers on them, and what these may take together."""

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlmodel import Field

from script_editor.store.schema.base import (
    Row,
    check,
    names_version,
    one_of,
    refers,
    script_id_column,
)


class BatchRow(Row, table=True):
    """One batch. `seq` counts up and orders batches that share a moment.

    `refused_cost` is what the call was reckoned with that a budget did not cover, NULL unless it is paused for that.
    """

    __tablename__ = "batch"
    __table_args__ = (
        one_of("state", "planned", "running", "paused", "cancelled", "done"),
        one_of("target", "propose", "apply"),
        check("total >= 0", "total"),
        sa.UniqueConstraint("id"),
        sa.Index(None, "state"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(max_length=36)
    state: str = Field(default="planned", max_length=9)
    pause_reason: str = Field(default="", max_length=40)
    refused_cost: float | None = None
    instruction: str = Field(sa_type=sa.Text)
    author: str = Field(max_length=120)
    model: str = Field(max_length=120)
    mode: str = Field(max_length=40)
    prompts: str = Field(max_length=64)
    target: str = Field(max_length=7)
    bounds: dict[str, Any] = Field(sa_type=sa.JSON)
    total: int
    created_at: datetime
    updated_at: datetime


class CountRow(Row, table=True):
    """What a share of a batch's items came to so far, moved in the transactions that move the items.

    There are several for each batch, so that workers that end items at the same time need not wait for one row.
    `spent` is the money of finished calls; `reckoned` is that part of it which stands for the `untold` ones, of which
    nobody told what they took. `unpriced` are those of the tokens that were taken while no price was known.
    """

    __tablename__ = "batch_count"
    __table_args__ = (refers(["batch_id"], "batch", ["id"]), check("shard >= 0", "shard"))

    batch_id: str = Field(primary_key=True, max_length=36)
    shard: int = Field(primary_key=True)
    queued: int = 0
    running: int = 0
    done: int = 0
    unchanged: int = 0
    conflict: int = 0
    failed: int = 0
    dead: int = 0
    cancelled: int = 0
    prompt_tokens: int = Field(default=0, sa_type=sa.BigInteger)
    completion_tokens: int = Field(default=0, sa_type=sa.BigInteger)
    spent: float = 0.0
    reckoned: float = 0.0
    untold: int = 0
    unpriced: int = Field(default=0, sa_type=sa.BigInteger)


class ItemRow(Row, table=True):
    """One item. `instruction` is NULL where it is the batch's own.

    `worker_id` is who runs it or took it over. `cells` are the columns of its row that only its author
    knows, NULL for none.
    """

    __tablename__ = "batch_item"
    __table_args__ = (
        one_of("state", "queued", "running", "done", "unchanged", "conflict", "failed", "dead", "cancelled"),
        check("seq >= 1", "seq"),
        check("attempt >= 1", "attempt"),
        check("crashes >= 0", "crashes"),
        refers(["batch_id"], "batch", ["id"]),
        names_version("base_number"),
        names_version("result_number"),
        refers(["run_id"], "agent_run", ["id"]),
        sa.UniqueConstraint("batch_id", "script_id"),
        sa.Index(None, "batch_id", "state", "seq"),
        sa.Index(None, "batch_id", "updated_at", "seq"),
        sa.Index(None, "key"),
        sa.Index(None, "state", "worker_id"),
    )

    batch_id: str = Field(primary_key=True, max_length=36)
    seq: int = Field(primary_key=True)
    script_id: str = script_id_column()
    base_number: int
    instruction: str | None = Field(default=None, sa_type=sa.Text)
    wishes: dict[str, Any] = Field(sa_type=sa.JSON)
    key: str = Field(max_length=64)
    cells: list[list[str]] | None = Field(default=None, sa_type=sa.JSON(none_as_null=True))
    state: str = Field(default="queued", max_length=9)
    attempt: int = 1
    crashes: int = 0
    worker_id: str | None = Field(default=None, max_length=80)
    error_type: str = Field(default="", max_length=40)
    error: str = Field(default="", sa_type=sa.Text)
    hint: str = Field(default="", sa_type=sa.Text)
    result_number: int | None = None
    proposal_id: str | None = Field(default=None, max_length=36)
    run_id: str | None = Field(default=None, max_length=36)
    prompt_tokens: int | None = Field(default=None, sa_type=sa.BigInteger)
    completion_tokens: int | None = Field(default=None, sa_type=sa.BigInteger)
    notes: list[str] = Field(default_factory=list, sa_type=sa.JSON)
    updated_at: datetime


class WorkerRow(Row, table=True):
    """One process that works on batches."""

    __tablename__ = "worker"

    id: str = Field(primary_key=True, max_length=80)
    host: str = Field(max_length=255)
    pid: int = Field(sa_type=sa.BigInteger)
    started_at: datetime
    beat: datetime


class BucketRow(Row, table=True):
    """What a service was asked for lately: the moments, in seconds since 1970, from which on it may be asked again, and
    when they were last moved.

    `…_per_minute` is the limit that a moment was reckoned by, `…_limited_by` the batch that it was given to, and
    `…_limited_until` shortly after that one called last.
    """

    __tablename__ = "rate_bucket"

    service: str = Field(primary_key=True, sa_type=sa.Text)
    requests_at: float = 0.0
    tokens_at: float = 0.0
    held_until: float = 0.0
    moved_at: float = 0.0
    requests_per_minute: int | None = Field(default=None, sa_type=sa.BigInteger)
    requests_limited_by: str | None = Field(default=None, max_length=36)
    requests_limited_until: float = 0.0
    tokens_per_minute: int | None = Field(default=None, sa_type=sa.BigInteger)
    tokens_limited_by: str | None = Field(default=None, max_length=36)
    tokens_limited_until: float = 0.0


class PermitRow(Row, table=True):
    """One model call that is being made. `token_share` is for how many seconds its tokens count."""

    __tablename__ = "batch_permit"
    __table_args__ = (
        refers(["batch_id"], "batch", ["id"]),
        sa.Index(None, "batch_id"),
        sa.Index(None, "worker_id"),
    )

    id: str = Field(primary_key=True, max_length=36)
    batch_id: str = Field(max_length=36)
    seq: int
    service: str = Field(sa_type=sa.Text)
    worker_id: str = Field(max_length=80)
    tokens: int = Field(sa_type=sa.BigInteger)
    token_share: float
    cost: float
