"""Chats and what was said in them; what a run was about, the chat it was a turn of, and whether its tokens are known."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SCRIPT_ID = sa.String(64).with_variant(sa.String(64, collation="C"), "postgresql")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    create_chat_session()
    create_chat_message()
    forbid_changes_of_messages()
    tell_what_runs_are_about()


def downgrade() -> None:
    raise RuntimeError("There is no way back: it would delete every chat.")


def create_chat_session() -> None:
    op.create_table(
        "chat_session",
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("name", sa.String(120)),
        sa.Column("author", sa.String(120), nullable=False),
        sa.Column("script_id", SCRIPT_ID),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_chat_session"),
        sa.UniqueConstraint("id", name="uq_chat_session_id"),
        sa.UniqueConstraint("name", name="uq_chat_session_name"),
        restrict("chat_session", ["script_id"], "script", ["id"]),
        check("chat_session", "length(name) > 0", "name"),
    )
    op.create_index("ix_chat_session_updated_at", "chat_session", ["updated_at"])


def create_chat_message() -> None:
    op.create_table(
        "chat_message",
        sa.Column("chat_id", sa.String(36), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("speaker", sa.String(9), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("covers", sa.Integer()),
        sa.Column("run_id", sa.String(36)),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("chat_id", "seq", name="pk_chat_message"),
        restrict("chat_message", ["chat_id"], "chat_session", ["id"]),
        restrict("chat_message", ["run_id"], "agent_run", ["id"]),
        check("chat_message", "seq >= 1", "seq"),
        check("chat_message", "speaker IN ('user', 'assistant', 'summary')", "speaker_value"),
        check("chat_message", "(speaker = 'summary') = (covers IS NOT NULL)", "summary"),
        check("chat_message", "covers IS NULL OR covers BETWEEN 1 AND seq - 1", "covers"),
    )


def forbid_changes_of_messages() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for event in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER trg_chat_message_no_{event.lower()} BEFORE {event} ON chat_message "
                "BEGIN SELECT RAISE(ABORT, 'chat messages are immutable'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION chat_messages_are_immutable() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'chat messages are immutable'; END $$"
    )
    for name, events in (("update", "UPDATE"), ("delete", "DELETE OR TRUNCATE")):
        op.execute(
            f"CREATE TRIGGER trg_chat_message_no_{name} BEFORE {events} ON chat_message "
            "FOR EACH STATEMENT EXECUTE FUNCTION chat_messages_are_immutable()"
        )


def tell_what_runs_are_about() -> None:
    # SQLite cannot add a foreign key to a table, so there the table is rebuilt, from `agent_run_before`:
    # what SQLAlchemy reads back from SQLite lacks the checks.
    with op.batch_alter_table("agent_run", copy_from=agent_run_before()) as batch:
        batch.add_column(sa.Column("script_id", SCRIPT_ID))
        batch.add_column(sa.Column("chat_id", sa.String(36)))
        batch.add_column(sa.Column("usage_known", sa.Boolean()))
        for column, table in (("script_id", "script"), ("chat_id", "chat_session")):
            name = op.f(f"fk_agent_run_{column}_{table}")
            batch.create_foreign_key(name, table, [column], ["id"], ondelete="RESTRICT")
    for column in ("script_id", "chat_id"):
        op.create_index(f"ix_agent_run_{column}_started_at", "agent_run", [column, "started_at"])


def agent_run_before() -> sa.Table:
    return sa.Table(
        "agent_run",
        sa.MetaData(),
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
        sa.Index("ix_agent_run_started_at", "started_at"),
    )


def check(table: str, condition: str, name: str) -> sa.CheckConstraint:
    return sa.CheckConstraint(condition, name=op.f(f"ck_{table}_{name}"))


def restrict(table: str, columns: list[str], target: str, keys: list[str]) -> sa.ForeignKeyConstraint:
    name = f"fk_{table}_{'_'.join(columns)}_{target}"
    targets = [f"{target}.{key}" for key in keys]
    return sa.ForeignKeyConstraint(columns, targets, name=op.f(name), ondelete="RESTRICT")
