"""The databases that a durable engine works with, made as it needs them.

On SQLite its own records are a second file beside the store: it asks for them while it holds the write lock of
the store, and in one file that would wait for itself. They need not survive a loss of power to the last commit,
since the store says what is done. On PostgreSQL both are one database.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import sessionmaker
from sqlmodel import Session

from script_editor.store.engine import database_url, is_sqlite, open_engine
from script_editor.store.failures import explanation
from script_editor.store.patience import IDLE_SECONDS, Patience, end_idle_transactions

_UNDONE = frozenset({"40P01", "40001", "25P03"})
"""A deadlock, what could not be put in a line, a transaction in which nothing was said for long."""
BUSY_SECONDS = 30.0
"""How long a write waits for others: many workers share the one write lock of a SQLite file."""
CACHE_KILOBYTES = 500
"""How much of a SQLite file each connection keeps in memory: a quarter of the usual. There are dozens, each reads little
at a time, and a worker is not to grow with the number of items that wait."""


class DurableDatabases(NamedTuple):
    """Engines, addresses, and the isolation level of the last transaction of an item."""

    system: sa.Engine
    system_url: str
    store: sa.Engine
    store_url: str
    sessions: sessionmaker[Session]
    isolation: str
    patience: Patience

    @contextmanager
    def explained(self, database: sa.Engine) -> Iterator[None]:
        """Turn what the driver raises inside the block, about one of the two, into an error of the program.

        Raises:
            StoreLocked, StoreFull, StoreDamaged, StoreUnusable: see `failures.explained`.
        """
        try:
            yield
        except Exception as error:  # DBOS wraps what the driver raises in errors of any kind
            if (of_driver := _of_driver(error)) is None:
                raise
            raise explanation(of_driver, database.url) from error

    def run(self, database: sa.Engine, statement: str, **values: object) -> None:
        """Run one statement, with `:name` for its values, in a transaction of its own. Raises as `explained` does."""
        with self.explained(database), database.begin() as connection:
            connection.execute(sa.text(statement), values)

    def wait_for_turn(self) -> None:
        """Wait until the engine's records can be written: the engine itself would wait without end, and say nothing.

        On a server nothing is waited for: there single rows are locked, and not all of them for each write.

        Raises:
            StoreLocked: another process kept them locked all the time, as one does that was stopped in a write.
        """
        if is_sqlite(self.system):
            with self.explained(self.system), self.system.connect() as connection:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                connection.rollback()

    def is_to_be_repeated(self, error: Exception) -> bool:
        """Say whether an error means that the database undid a transaction, and that it may succeed the next time: for
        the sake of another one, since this process said nothing for long, or since the server is started anew. What
        was committed all the same is found by its key the next time."""
        if not isinstance(error, DBAPIError):
            return False
        return error.connection_invalidated or getattr(error.orig, "sqlstate", None) in _UNDONE

    def hurry(self, *, is_leaving: bool) -> None:
        """Wait for locks only shortly from now on, or as long as before."""
        self.patience.hurry(is_leaving=is_leaving)

    def close(self) -> None:
        """Close all connections."""
        self.system.dispose()
        self.store.dispose()


def records_file(store_path: Path) -> Path:
    """Return where the engine's records are for a store that is a SQLite file."""
    return store_path.with_name(f"{store_path.name}.batches")


def durable_databases(
    path_or_url: str, *, workers: int, busy_seconds: float = BUSY_SECONDS, idle_seconds: float = IDLE_SECONDS
) -> DurableDatabases:
    """Return the databases for so many items at the same time.

    `busy_seconds` is how long a write waits for others, and `idle_seconds` how long a server lets a transaction stand
    in which nothing is said.
    """
    patience = Patience(busy_seconds)
    url = database_url(path_or_url)
    pool_size = 2 * workers + 10
    sessions = sessionmaker(class_=Session, expire_on_commit=False)
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        records = sa.URL.create("sqlite", database=str(records_file(Path(str(parsed.database)))))
        system_url = records.render_as_string()
        system = _sqlite(system_url, pool_size, busy_seconds, synchronous="NORMAL")
        store = _sqlite(url, pool_size, busy_seconds, synchronous="FULL")
        _begin_as_writer(store)
        patience.hold_to(system)
        patience.hold_to(store)
        return DurableDatabases(system, system_url, store, url, sessions, "SERIALIZABLE", patience)
    store = open_engine(url, pool_size=pool_size, patience=patience)
    # Its statements run for themselves as well, where nothing can be set for a transaction.
    system = open_engine(url, pool_size=pool_size, patience=patience)
    patience.hold_to(store)
    for engine in (store, system):
        end_idle_transactions(engine, seconds=idle_seconds)
    system = system.execution_options(store_begin=())
    return DurableDatabases(system, url, store, url, sessions, "READ COMMITTED", patience)


def _of_driver(error: BaseException | None) -> DBAPIError | None:
    """Return the driver's error that an error is, or was raised from."""
    while error is not None and not isinstance(error, DBAPIError):
        error = error.__cause__
    return error


def _sqlite(
    url: str, pool_size: int, busy_seconds: float, *, synchronous: Literal["FULL", "NORMAL"]
) -> sa.Engine:
    engine = sa.create_engine(url, hide_parameters=True, pool_size=pool_size)

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: DBAPIConnection, _record: object) -> None:
        # As the engine sets up a connection of its own: a transaction begins with its first write, and as a writer.
        # What it only reads takes no lock. Without a log, which it does not ask for, each commit would wait for
        # the disk twice, and readers for writers.
        driver: Any = connection
        driver.isolation_level = "IMMEDIATE"
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {round(busy_seconds * 1000)}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute(f"PRAGMA synchronous = {synchronous}")
        cursor.execute(f"PRAGMA cache_size = {-CACHE_KILOBYTES}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    return engine


def _begin_as_writer(engine: sa.Engine) -> None:
    """Let the last transaction of an item have the write lock from its begin: it waits for others there, and never
    finds, having read, that somebody has written meanwhile and that it cannot write any more."""

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # It alone is given a level. Setting one has told the driver to begin with the first write, and as a reader.
        if "isolation_level" in connection.get_execution_options():
            connection.exec_driver_sql("BEGIN IMMEDIATE")
