"""The databases that a durable engine works with, made as it needs them.

On SQLite its own records are a second file beside the store: it asks for them while it holds the write lock of
the store, and in one file that would wait for itself. They need not survive a loss of power to the last commit,
since the store says what is done. On PostgreSQL both are one database.
"""

from pathlib import Path
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.orm import sessionmaker
from sqlmodel import Session

from script_editor.store.engine import database_url, open_engine

BUSY_SECONDS = 30.0


class DurableDatabases(NamedTuple):
    """Engines, addresses, and the isolation level of the last transaction of an item."""

    system: sa.Engine
    system_url: str
    store: sa.Engine
    store_url: str
    sessions: sessionmaker[Session]
    isolation: str

    def close(self) -> None:
        """Close all connections."""
        self.system.dispose()
        self.store.dispose()


def records_file(store_path: Path) -> Path:
    """Return where the engine's records are for a store that is a SQLite file."""
    return store_path.with_name(f"{store_path.name}.batches")


def durable_databases(path_or_url: str, *, workers: int) -> DurableDatabases:
    """Return the databases for so many items at the same time."""
    url = database_url(path_or_url)
    pool_size = 2 * workers + 10
    sessions = sessionmaker(class_=Session, expire_on_commit=False)
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        records = sa.URL.create("sqlite", database=str(records_file(Path(str(parsed.database)))))
        system_url = records.render_as_string()
        system = _sqlite(system_url, pool_size, synchronous="NORMAL")
        store = _sqlite(url, pool_size, synchronous="FULL")
        return DurableDatabases(system, system_url, store, url, sessions, "SERIALIZABLE")
    store = open_engine(url, busy_seconds=BUSY_SECONDS, pool_size=pool_size)
    # Its statements run for themselves as well, where nothing can be set for a transaction.
    system = open_engine(url, busy_seconds=BUSY_SECONDS, pool_size=pool_size)
    system = system.execution_options(store_begin=())
    return DurableDatabases(system, url, store, url, sessions, "READ COMMITTED")


def _sqlite(url: str, pool_size: int, *, synchronous: Literal["FULL", "NORMAL"]) -> sa.Engine:
    engine = sa.create_engine(url, hide_parameters=True, pool_size=pool_size)

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: DBAPIConnection, _record: object) -> None:
        # As the engine sets up a connection of its own: a transaction begins with its first write, and as a writer.
        # What it only reads takes no lock. Without a log, which it does not ask for, each commit would wait for
        # the disk twice, and readers for writers.
        driver: Any = connection
        driver.isolation_level = "IMMEDIATE"
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {round(BUSY_SECONDS * 1000)}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {synchronous}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    return engine
