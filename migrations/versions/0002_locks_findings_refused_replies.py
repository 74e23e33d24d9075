"""Locks, what the guards said about a proposal, and the replies of a model that were refused."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SCRIPT_ID = sa.String(64).with_variant(sa.String(64, collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    add_findings_to_proposals()
    create_segment_lock()
    create_refused_reply()


def downgrade() -> None:
    raise RuntimeError("There is no way back: it would delete every lock.")


def add_findings_to_proposals() -> None:
    # Columns with a constant default are added in place: no table is rebuilt, on either database.
    for name in ("findings", "notes"):
        op.add_column("proposal", sa.Column(name, sa.JSON(), nullable=False, server_default="[]"))


def create_segment_lock() -> None:
    op.create_table(
        "segment_lock",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("script_id", SCRIPT_ID, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("occurrences", sa.Integer(), nullable=False),
        sa.Column("since_number", sa.Integer(), nullable=False),
        sa.Column("reason", sa.String(500), nullable=False),
        sa.Column("author", sa.String(120), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("released_at", MOMENT),
        sa.Column("released_by", sa.String(120)),
        sa.PrimaryKeyConstraint("seq", name="pk_segment_lock"),
        sa.UniqueConstraint("id", name="uq_segment_lock_id"),
        restrict("segment_lock", ["script_id"], "script", ["id"]),
        restrict("segment_lock", ["script_id", "since_number"], "version", ["script_id", "number"]),
        check("segment_lock", "kind IN ('segment', 'phrase', 'speaker')", "kind_value"),
        check("segment_lock", "length(text) > 0", "text"),
        check("segment_lock", "occurrences >= 1", "occurrences"),
        check("segment_lock", "(released_at IS NULL) = (released_by IS NULL)", "released"),
    )
    op.create_index("ix_segment_lock_script_id_released_at", "segment_lock", ["script_id", "released_at"])


def create_refused_reply() -> None:
    op.create_table(
        "refused_reply",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("script_id", SCRIPT_ID, nullable=False),
        sa.Column("base_number", sa.Integer(), nullable=False),
        sa.Column("run_id", sa.String(36)),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("instruction", sa.Text(), nullable=False),
        sa.Column("model", sa.String(120)),
        sa.Column("reason", sa.String(40), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("segments", sa.JSON(), nullable=False),
        sa.Column("reply", sa.Text()),
        sa.PrimaryKeyConstraint("seq", name="pk_refused_reply"),
        sa.UniqueConstraint("id", name="uq_refused_reply_id"),
        restrict("refused_reply", ["script_id"], "script", ["id"]),
        restrict("refused_reply", ["script_id", "base_number"], "version", ["script_id", "number"]),
        restrict("refused_reply", ["run_id"], "agent_run", ["id"]),
    )
    op.create_index("ix_refused_reply_script_id_seq", "refused_reply", ["script_id", "seq"])


def check(table: str, condition: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{name}"))


def restrict(table: str, columns: list[str], target: str, keys: list[str]) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{'_'.join(columns)}_{target}"
    targets = [f"{target}.{key}" for key in keys]
    return sa.ForeignKeyConstraint(columns, targets, name=op.f(name), ondelete="RESTRICT")
