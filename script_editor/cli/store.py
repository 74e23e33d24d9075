"""`db upgrade`: the store itself."""

import click

from script_editor.cli.session import Session, global_options, pass_session


@click.group(epilog="Example: script-editor db upgrade")
def db() -> None:
    """Bring the store to the schema of this program."""


@db.command(epilog="Example: script-editor db upgrade --db postgresql://me@db.example/scripts")
@global_options
@pass_session
def upgrade(session: Session) -> None:
    """Bring the store to the schema of this program; a SQLite file is backed up beside itself first."""
    before, after, backup = session.app.upgrade_store()
    lines = [f"The store is at revision {after} already."] if before == after else [
        f"Upgraded the store from {before or 'nothing'} to revision {after}.",
        *([f"Backup: {backup}"] if backup else []),
    ]  # fmt: skip
    session.result({"from": before, "to": after, "backup": str(backup) if backup else None}, lines)
