"""Batches: plans, their items, the workers on them, and what these may take together."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SCRIPT_ID = sa.String(64).with_variant(sa.String(64, collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    create_batch()
    create_batch_count()
    create_batch_item()
    create_worker()
    create_rate_bucket()
    create_batch_permit()
    tell_which_item_made_it("version")
    tell_which_item_made_it("proposal")


def downgrade() -> None:
    raise RuntimeError("There is no way back: it would delete every batch.")


def create_batch() -> None:
    op.create_table(
        "batch",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("state", sa.String(9), nullable=False),
        sa.Column("pause_reason", sa.String(40), nullable=False),
        sa.Column("refused_cost", sa.Float()),
        sa.Column("instruction", sa.Text(), nullable=False),
        sa.Column("author", sa.String(120), nullable=False),
        sa.Column("model", sa.String(120), nullable=False),
        sa.Column("mode", sa.String(40), nullable=False),
        sa.Column("prompts", sa.String(64), nullable=False),
        sa.Column("target", sa.String(7), nullable=False),
        sa.Column("bounds", sa.JSON(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_batch"),
        sa.UniqueConstraint("id", name="uq_batch_id"),
        check("batch", "state IN ('planned', 'running', 'paused', 'cancelled', 'done')", "state_value"),
        check("batch", "target IN ('propose', 'apply')", "target_value"),
        check("batch", "total >= 0", "total"),
    )
    op.create_index("ix_batch_state", "batch", ["state"])


def create_batch_count() -> None:
    states = ("queued", "running", "done", "unchanged", "conflict", "failed", "dead", "cancelled")
    op.create_table(
        "batch_count",
        sa.Column("batch_id", sa.String(36), nullable=False),
        sa.Column("shard", sa.Integer(), nullable=False),
        *(sa.Column(state, sa.Integer(), nullable=False) for state in states),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.Column("spent", sa.Float(), nullable=False),
        sa.Column("reckoned", sa.Float(), nullable=False),
        sa.Column("untold", sa.Integer(), nullable=False),
        sa.Column("unpriced", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("batch_id", "shard", name="pk_batch_count"),
        restrict("batch_count", ["batch_id"], "batch", ["id"]),
        check("batch_count", "shard >= 0", "shard"),
    )


def create_batch_item() -> None:
    states = "'queued', 'running', 'done', 'unchanged', 'conflict', 'failed', 'dead', 'cancelled'"
    op.create_table(
        "batch_item",
        sa.Column("batch_id", sa.String(36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("script_id", SCRIPT_ID, nullable=False),
        sa.Column("base_number", sa.Integer(), nullable=False),
        sa.Column("instruction", sa.Text()),
        sa.Column("wishes", sa.JSON(), nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("cells", sa.JSON()),
        sa.Column("state", sa.String(9), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("crashes", sa.Integer(), nullable=False),
        sa.Column("worker_id", sa.String(80)),
        sa.Column("error_type", sa.String(40), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("hint", sa.Text(), nullable=False),
        sa.Column("result_number", sa.Integer()),
        sa.Column("proposal_id", sa.String(36)),
        sa.Column("run_id", sa.String(36)),
        sa.Column("prompt_tokens", sa.BigInteger()),
        sa.Column("completion_tokens", sa.BigInteger()),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("batch_id", "seq", name="pk_batch_item"),
        sa.UniqueConstraint("batch_id", "script_id", name="uq_batch_item_batch_id_script_id"),
        restrict("batch_item", ["batch_id"], "batch", ["id"]),
        restrict("batch_item", ["script_id", "base_number"], "version", ["script_id", "number"]),
        restrict("batch_item", ["script_id", "result_number"], "version", ["script_id", "number"]),
        restrict("batch_item", ["run_id"], "agent_run", ["id"]),
        check("batch_item", f"state IN ({states})", "state_value"),
        check("batch_item", "seq >= 1", "seq"),
        check("batch_item", "attempt >= 1", "attempt"),
        check("batch_item", "crashes >= 0", "crashes"),
    )
    for column in ("state", "updated_at"):
        op.create_index(f"ix_batch_item_batch_id_{column}_seq", "batch_item", ["batch_id", column, "seq"])
    op.create_index("ix_batch_item_key", "batch_item", ["key"])
    op.create_index("ix_batch_item_state_worker_id", "batch_item", ["state", "worker_id"])


def create_worker() -> None:
    op.create_table(
        "worker",
        sa.Column("id", sa.String(80), nullable=False),
        sa.Column("host", sa.String(255), nullable=False),
        sa.Column("pid", sa.BigInteger(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("beat", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_worker"),
    )


def create_rate_bucket() -> None:
    # Seconds since 1970.
    op.create_table(
        "rate_bucket",
        sa.Column("service", sa.Text(), nullable=False),
        sa.Column("requests_at", sa.Float(), nullable=False),
        sa.Column("tokens_at", sa.Float(), nullable=False),
        sa.Column("held_until", sa.Float(), nullable=False),
        sa.Column("moved_at", sa.Float(), nullable=False),
        sa.Column("requests_per_minute", sa.BigInteger()),
        sa.Column("requests_limited_by", sa.String(36)),
        sa.Column("requests_limited_until", sa.Float(), nullable=False),
        sa.Column("tokens_per_minute", sa.BigInteger()),
        sa.Column("tokens_limited_by", sa.String(36)),
        sa.Column("tokens_limited_until", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("service", name="pk_rate_bucket"),
    )


def create_batch_permit() -> None:
    op.create_table(
        "batch_permit",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("batch_id", sa.String(36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("service", sa.Text(), nullable=False),
        sa.Column("worker_id", sa.String(80), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("token_share", sa.Float(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_batch_permit"),
        restrict("batch_permit", ["batch_id"], "batch", ["id"]),
    )
    op.create_index("ix_batch_permit_batch_id", "batch_permit", ["batch_id"])
    op.create_index("ix_batch_permit_worker_id", "batch_permit", ["worker_id"])


def tell_which_item_made_it(table: str) -> None:
    # Columns that may be empty, and an index: neither rebuilds the table, and with it every text's history.
    columns = ("batch_id", sa.String(36)), ("batch_seq", sa.Integer()), ("batch_attempt", sa.Integer())
    for name, kind in columns:
        op.add_column(table, sa.Column(name, kind))
    names = [name for name, _ in columns]
    op.create_index(f"uq_{table}_batch_id_batch_seq_batch_attempt", table, names, unique=True)


def check(table: str, condition: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{name}"))


def restrict(table: str, columns: list[str], target: str, keys: list[str]) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{'_'.join(columns)}_{target}"
    targets = [f"{target}.{key}" for key in keys]
    return sa.ForeignKeyConstraint(columns, targets, name=op.f(name), ondelete="RESTRICT")
