"""Scripts, versions, their texts, proposals, and the runs that made them."""

from uuid import uuid4

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

# Code point order on PostgreSQL too, whatever its locale.
SCRIPT_ID = sa.String(64).with_variant(sa.String(64, collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    create_store_meta()
    create_blob()
    create_script()
    create_agent_run()
    create_agent_step()
    create_version()
    create_proposal()
    forbid_changes_of_versions()


def downgrade() -> None:
    raise RuntimeError("There is no way back: it would delete every text.")


def create_store_meta() -> None:
    store_meta = op.create_table(
        "store_meta",
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_store_meta"),
    )
    op.bulk_insert(
        store_meta,
        [
            {"key": "store_id", "value": str(uuid4())},
            {"key": "chain", "value": "1"},
        ],
    )


def create_blob() -> None:
    op.create_table(
        "blob",
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("codec", sa.String(8), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("depth", sa.Integer(), nullable=False),
        sa.Column("base_hash", sa.String(64)),
        sa.Column("data", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("hash", name="pk_blob"),
        restrict("blob", ["base_hash"], "blob", ["hash"]),
        check("blob", "length(hash) = 64", "hash_len"),
        check("blob", "size >= 0", "size"),
        check("blob", "depth BETWEEN 0 AND 50", "depth"),
        check("blob", "codec IN ('raw', 'zlib', 'zstd', 'zdelta', 'purged')", "codec_value"),
        check("blob", "(codec = 'purged') = (data IS NULL)", "purged"),
        check("blob", "(codec = 'zdelta') = (base_hash IS NOT NULL)", "delta"),
    )
    op.create_index("ix_blob_base_hash", "blob", ["base_hash"])


def create_script() -> None:
    op.create_table(
        "script",
        sa.Column("id", SCRIPT_ID, nullable=False),
        sa.Column("title", sa.String(300), nullable=False),
        sa.Column("language", sa.String(35), nullable=False),
        sa.Column("meta", sa.JSON(), nullable=False),
        sa.Column("head_number", sa.Integer(), nullable=False),
        sa.Column("head_hash", sa.String(64)),
        sa.Column("head_chain", sa.String(64)),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("deleted_at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_script"),
        restrict("script", ["head_hash"], "blob", ["hash"]),
        check("script", "length(id) BETWEEN 1 AND 64 AND id = lower(id)", "id_form"),
        check("script", "head_number >= 0", "head_number"),
    )


def create_agent_run() -> None:
    op.create_table(
        "agent_run",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("agent", sa.String(40), nullable=False),
        sa.Column("model", sa.String(120), nullable=False),
        sa.Column("resolved_model", sa.String(120)),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("output", sa.Text()),
        sa.Column("status", sa.String(9), nullable=False),
        sa.Column("stop_reason", sa.Text()),
        sa.Column("error", sa.Text()),
        sa.Column("prompt_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("finished_at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_agent_run"),
        check("agent_run", "status IN ('running', 'done', 'failed', 'cancelled')", "status_value"),
        check("agent_run", "(status = 'running') = (finished_at IS NULL)", "finished"),
    )
    op.create_index("ix_agent_run_started_at", "agent_run", ["started_at"])


def create_agent_step() -> None:
    op.create_table(
        "agent_step",
        sa.Column("run_id", sa.String(36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("tool", sa.String(64), nullable=False),
        sa.Column("tool_input", sa.JSON(), nullable=False),
        sa.Column("log", sa.Text(), nullable=False),
        sa.Column("observation", sa.Text()),
        sa.Column("error", sa.Text()),
        sa.Column("duration_ms", sa.Integer()),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("run_id", "seq", name="pk_agent_step"),
        restrict("agent_step", ["run_id"], "agent_run", ["id"]),
        check("agent_step", "seq >= 1", "seq"),
    )


def create_version() -> None:
    op.create_table(
        "version",
        sa.Column("script_id", SCRIPT_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent_number", sa.Integer()),
        sa.Column("restored_number", sa.Integer()),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("chain_hash", sa.String(64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("author", sa.String(120), nullable=False),
        sa.Column("source", sa.String(8), nullable=False),
        sa.Column("format", sa.String(16), nullable=False),
        sa.Column("file", sa.JSON(), nullable=False),
        sa.Column("instruction", sa.Text()),
        sa.Column("message", sa.String(500), nullable=False),
        sa.Column("model", sa.String(120)),
        sa.Column("prompt_tokens", sa.BigInteger()),
        sa.Column("completion_tokens", sa.BigInteger()),
        sa.Column("run_id", sa.String(36)),
        sa.Column("proposal_id", sa.String(36)),
        sa.Column("request_id", sa.String(64)),
        sa.PrimaryKeyConstraint("script_id", "number", name="pk_version"),
        restrict("version", ["script_id"], "script", ["id"]),
        restrict("version", ["content_hash"], "blob", ["hash"]),
        restrict("version", ["run_id"], "agent_run", ["id"]),
        restrict("version", ["script_id", "parent_number"], "version", ["script_id", "number"]),
        restrict("version", ["script_id", "restored_number"], "version", ["script_id", "number"]),
        sa.UniqueConstraint("chain_hash", name="uq_version_chain_hash"),
        sa.UniqueConstraint("script_id", "request_id", name="uq_version_script_id_request_id"),
        check("version", "number >= 1", "number"),
        check("version", "(number = 1) = (parent_number IS NULL)", "root"),
        check("version", "parent_number IS NULL OR parent_number < number", "parent"),
        check(
            "version",
            "source IN ('import', 'edit', 'revert', 'manual', 'merge', 'undo', 'redo')",
            "source_value",
        ),
        check(
            "version",
            "(source IN ('revert', 'undo', 'redo')) = (restored_number IS NOT NULL)",
            "restored",
        ),
        check("version", "length(chain_hash) = 64", "chain_len"),
    )
    op.create_index("ix_version_content_hash", "version", ["content_hash"])
    op.create_index("ix_version_created_at", "version", ["created_at"])
    op.create_index("ix_version_run_id", "version", ["run_id"])


def create_proposal() -> None:
    op.create_table(
        "proposal",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("script_id", SCRIPT_ID, nullable=False),
        sa.Column("base_number", sa.Integer(), nullable=False),
        sa.Column("content_hash", sa.String(64), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("accepted_number", sa.Integer()),
        sa.Column("author", sa.String(120), nullable=False),
        sa.Column("instruction", sa.Text()),
        sa.Column("message", sa.String(500), nullable=False),
        sa.Column("model", sa.String(120)),
        sa.Column("prompt_tokens", sa.BigInteger()),
        sa.Column("completion_tokens", sa.BigInteger()),
        sa.Column("run_id", sa.String(36)),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("decided_at", MOMENT),
        sa.Column("decided_by", sa.String(120)),
        sa.Column("reason", sa.String(500)),
        sa.PrimaryKeyConstraint("seq", name="pk_proposal"),
        sa.UniqueConstraint("id", name="uq_proposal_id"),
        restrict("proposal", ["script_id"], "script", ["id"]),
        restrict("proposal", ["script_id", "base_number"], "version", ["script_id", "number"]),
        restrict("proposal", ["script_id", "accepted_number"], "version", ["script_id", "number"]),
        restrict("proposal", ["content_hash"], "blob", ["hash"]),
        restrict("proposal", ["run_id"], "agent_run", ["id"]),
        check("proposal", "status IN ('pending', 'accepted', 'rejected', 'stale')", "status_value"),
        check("proposal", "(status = 'accepted') = (accepted_number IS NOT NULL)", "accepted"),
        check("proposal", "(status = 'pending') = (decided_at IS NULL)", "decided"),
    )
    op.create_index(
        "ix_proposal_status_script_id_created_at", "proposal", ["status", "script_id", "created_at"]
    )


def forbid_changes_of_versions() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER trg_version_no_{event.lower()} BEFORE {event} ON version "
                "BEGIN SELECT RAISE(ABORT, 'version rows are immutable'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION version_rows_are_immutable() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'version rows are immutable'; END $$"
    )
    for name, events in (("update", "UPDATE"), ("delete", "DELETE OR TRUNCATE")):
        op.execute(
            f"CREATE TRIGGER trg_version_no_{name} BEFORE {events} ON version "
            "FOR EACH STATEMENT EXECUTE FUNCTION version_rows_are_immutable()"
        )


def check(table: str, condition: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{name}"))


def restrict(table: str, columns: list[str], target: str, keys: list[str]) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{'_'.join(columns)}_{target}"
    targets = [f"{target}.{key}" for key in keys]
    return sa.ForeignKeyConstraint(columns, targets, name=op.f(name), ondelete="RESTRICT")
