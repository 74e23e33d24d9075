"""Connections to the database of a store: SQLite in one file, or PostgreSQL.

Everything is synchronous. A transaction is opened by `reading` or `writing` and by nothing else:
the first sees one moment of the store, the second has the right to write from its first statement.

Ctrl-C never leaves a connection in the middle of something: a write is finished first, which takes no longer than
waiting for its lock (see `interrupts` for who will not wait), and what a read was doing is thrown away.
"""

import os
import random
import sqlite3
import sys
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlmodel import Session

from script_editor import interrupts
from script_editor.errors import StoreUnusable
from script_editor.store.failures import explained, is_away, is_for_now
from script_editor.store.patience import Patience
from script_editor.store.read_only import is_shut_off, read_alone

BUSY_SECONDS = 10.0
CONNECT_SECONDS = 10

_POSTGRES_POOL = 3
"""A server takes a hundred connections unless it is told otherwise, for all processes together, and a process has
up to five engines. A thread needs one for moments only, and waits where none is free."""
_POOL_SECONDS = 30.0
"""How long a thread waits for a connection that others of this process use."""
_ASK_AGAIN_SECONDS = (0.1, 1.0)
"""How long to wait before a server is asked for a connection again: at first, and at most."""
_WAL_LIMIT_BYTES = 64 * 1024 * 1024
_POSTGRES_NAMES = frozenset({"postgres", "postgresql", "postgresql+psycopg"})
_SQLITE_NAMES = frozenset({"sqlite", "sqlite+pysqlite"})

_Options = Mapping[str, Mapping[str, Any]]
_READ: _Options = {
    "sqlite": {"store_begin": ("BEGIN",)},
    # READ COMMITTED would show each statement another moment.
    "postgresql": {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True},
}
_WRITE: _Options = {
    # A deferred BEGIN that has read and then wants to write fails at once, whatever the busy timeout.
    "sqlite": {"store_begin": ("BEGIN IMMEDIATE",)},
    "postgresql": {},
}


def database_url(path_or_url: str) -> str:
    """Return the SQLAlchemy URL of a store that is given as a path or as an address.

    A path becomes SQLite (`~` is expanded, relative ones start at the current folder);
    `postgresql://` and `postgres://` become PostgreSQL through psycopg. The result holds the
    password if there was one: it is for `open_engine`, not for people.

    Raises:
        StoreUnusable: an address of another kind, or one that cannot be read.
    """
    # A mistyped address must not be taken for a path: sentences show paths, and it may hold a password.
    looks_like_url = "://" in path_or_url or path_or_url.partition(":")[0] in _POSTGRES_NAMES | _SQLITE_NAMES
    if not looks_like_url:
        return _sqlite_url(path_or_url)
    try:
        url = sa.make_url(path_or_url)
    except (ArgumentError, ValueError) as error:
        raise _bad_address() from error
    if url.drivername in _SQLITE_NAMES and url.database:
        return _sqlite_url(url.database)
    if url.drivername in _POSTGRES_NAMES and url.database:
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    raise _bad_address()


def open_engine(
    url: str,
    *,
    busy_seconds: float = BUSY_SECONDS,
    is_durable: bool = True,
    pool_size: int = 5,
    patience: Patience | None = None,
) -> sa.Engine:
    """Return an engine for a URL from `database_url`; nothing is connected yet.

    `busy_seconds` is how long a write waits for another writer before it gives up, and how long a server is asked again
    that has no connection left, or went away after it was reached; a `patience` says it instead. Without `is_durable` a
    loss of power may take the last commits back, never a part of one: for what can be found out again.
    `pool_size` is how many connections are kept open, on PostgreSQL a few at most. Idle ones are closed just
    before this process forks, so that a child starts with none; a child must not use a transaction that was
    open at that moment.

    Raises:
        StoreUnusable: the PostgreSQL driver is not installed.
    """
    parsed = sa.make_url(url)
    patience = patience or Patience(busy_seconds)
    make = _sqlite_engine if parsed.get_backend_name() == "sqlite" else _postgres_engine
    engine = make(parsed, patience, is_durable, pool_size)
    _close_idle_before_fork(engine)
    return engine


@contextmanager
def reading(engine: sa.Engine) -> Iterator[Session]:
    """Yield a session whose statements all see the store at one moment; it must not write."""
    with _transaction(engine, _READ) as session:
        yield session


@contextmanager
def writing(engine: sa.Engine) -> Iterator[Session]:
    """Yield a session that may write; it is committed at the end, or rolled back when anything is raised.

    On SQLite it holds the store's only write lock, so no slow work belongs inside.

    Raises:
        KeyboardInterrupt: at the end, for one that came inside; what was written is committed. The third
            that comes ends the block at once, and then it is not, unless the commit had begun.
    """
    with interrupts.held(), _transaction(engine, _WRITE) as session:
        yield session


@contextmanager
def outside_transaction(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Yield a connection that begins nothing by itself, for what SQLite refuses inside a transaction."""
    view = engine.execution_options(store_begin=())
    with explained(engine.url), _lent(view) as connection:
        yield connection


def use_wal(engine: sa.Engine) -> None:
    """Switch a SQLite file to write-ahead logging, so that readers and the writer never wait for each other.

    The file remembers it; asking again changes nothing.

    Raises:
        StoreUnusable: the file system cannot do it, or the file stayed locked.
    """
    if is_shut_off(Path(str(engine.url.database))):
        return  # nobody writes, so nobody waits
    deadline = time.monotonic() + BUSY_SECONDS
    while (mode := _ask_for_wal(engine, last_try=time.monotonic() > deadline)) is None:
        time.sleep(0.01)
    if mode != "wal":
        raise StoreUnusable(
            f"The store {engine.url.database} is on a file system that SQLite cannot share safely.",
            hint="Put it on a local disk, or use PostgreSQL.",
        )


def _ask_for_wal(engine: sa.Engine, *, last_try: bool) -> str | None:
    """Return the journal mode after asking for WAL, or None when another process was just doing the same."""
    with outside_transaction(engine) as connection:
        try:
            return str(connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar_one())
        except OperationalError as error:
            # SQLite does not apply the busy timeout to this switch: two at once could wait for each other.
            if last_try or getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY:
                raise
            return None


def is_sqlite(engine: sa.Engine) -> bool:
    """Say whether the store is a SQLite file."""
    return engine.dialect.name == "sqlite"


@contextmanager
def _transaction(engine: sa.Engine, options: _Options) -> Iterator[Session]:
    view = engine.execution_options(**options[engine.dialect.name])
    # The session is not closed after a failure: its connection is, and then there is nothing left to close.
    with explained(engine.url), _lent(view) as connection:
        session = Session(connection)
        yield session
        session.commit()
        session.close()


@contextmanager
def _lent(view: sa.Engine) -> Iterator[sa.Connection]:
    """Yield a connection that is given back without any transaction, or thrown away after an interrupt."""
    handled = sys.exc_info()[1]
    with interrupts.held() as hold:
        connection = view.connect()
        try:
            with hold.lifted():
                yield connection
        except Exception as error:  # raised again: what matters is how the connection is given back
            if _is_by_interrupt(error, handled):
                _throw_away(connection)
                raise KeyboardInterrupt from error
            connection.close()
            raise
        except BaseException:
            _throw_away(connection)
            raise
        connection.close()


def _is_by_interrupt(error: BaseException | None, handled: BaseException | None) -> bool:
    """Say whether an error hides an interrupt: what tidies up in SQLAlchemy trips over what it left half done.

    One that was being `handled` before, by whoever uses the store to tidy up, is not the cause.
    """
    while error is not None and error is not handled and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None and error is not handled


def _throw_away(connection: sa.Connection) -> None:
    """Close a connection that stopped anywhere, its driver and SQLAlchemy perhaps of two minds about where."""
    with interrupts.held():
        with suppress(Exception):
            # First, and past SQLAlchemy: a handle with open cursors lives on, and with it the lock it holds.
            driver = connection.connection.dbapi_connection
            if driver is not None:
                driver.rollback()
        with suppress(Exception):
            connection.invalidate()
        with suppress(Exception):
            connection.close()


def _sqlite_url(path: str) -> str:
    if path == ":memory:":
        raise StoreUnusable("A store in memory would lose every word at the end.", hint="Name a file.")
    absolute = Path(path).expanduser().absolute()
    return sa.URL.create("sqlite", database=str(absolute)).render_as_string(hide_password=False)


def _bad_address() -> StoreUnusable:
    return StoreUnusable(
        "The address of the store names neither a file nor a PostgreSQL database.",
        hint="Give a path, or postgresql://USER:PASSWORD@HOST/DATABASE.",
    )


def _sqlite_engine(url: sa.URL, patience: Patience, is_durable: bool, pool_size: int) -> sa.Engine:
    # Left alone, the driver opens a transaction late, at the first write, and none for reads or DDL.
    pool: dict[str, Any] = {"pool_size": pool_size}
    if is_shut_off(Path(str(url.database))):
        pool = {"poolclass": sa.NullPool}
    engine = sa.create_engine(url, hide_parameters=True, connect_args={"isolation_level": None}, **pool)

    @sa.event.listens_for(engine, "do_connect")
    def read_what_cannot_be_written(
        _dialect: object, _record: object, arguments: list[Any], options: dict[str, Any]
    ) -> None:
        read_alone(arguments, options)

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: DBAPIConnection, _record: object) -> None:
        cursor = connection.cursor()
        # First, because the others may have to wait. WAL is not here: it is a property of the file,
        # and a file is changed only after it was recognised (`use_wal`).
        cursor.execute(f"PRAGMA busy_timeout = {patience.milliseconds}")
        cursor.execute(f"PRAGMA synchronous = {'FULL' if is_durable else 'NORMAL'}")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute(f"PRAGMA journal_size_limit = {_WAL_LIMIT_BYTES}")
        cursor.close()

    _begin_with(engine, default=("BEGIN",))
    return engine


def _postgres_engine(url: sa.URL, patience: Patience, is_durable: bool, pool_size: int) -> sa.Engine:
    connect_args = {} if "connect_timeout" in url.query else {"connect_timeout": CONNECT_SECONDS}
    try:
        engine = sa.create_engine(
            url,
            hide_parameters=True,
            pool_pre_ping=True,
            connect_args=connect_args,
            pool_size=min(pool_size, _POSTGRES_POOL),
            max_overflow=1,
            # Whoever has a place in the pool may be waiting for the server.
            pool_timeout=patience.milliseconds / 1000 + _POOL_SECONDS,
        )
    except ImportError as error:
        raise StoreUnusable(
            "A store on PostgreSQL needs the package psycopg, which is not installed.",
            hint="It is in the extra script-editor[postgres]; in the program's folder: pipx install --force "
            "'.[postgres]', or in a virtual environment: pip install '.[postgres]'",
        ) from error
    _wait_for_server(engine, patience)
    # One statement, because each is a way to the server and back.
    at_once = "" if is_durable else "; SET LOCAL synchronous_commit = off"
    _begin_with(engine, default=(f"SET LOCAL lock_timeout = {patience.milliseconds}{at_once}",))
    return engine


def _wait_for_server(engine: sa.Engine, patience: Patience) -> None:
    """Let a server be asked for a connection again, as long as a lock is waited for: one that has none left, and one that
    went away after it was reached, as it does when it is started anew. An address at which nobody was is wrong at once.
    """
    was_reached = False

    @sa.event.listens_for(engine, "do_connect")
    def connect(
        dialect: sa.Dialect, _record: object, arguments: list[Any], options: dict[str, Any]
    ) -> DBAPIConnection:
        nonlocal was_reached
        begin = time.monotonic()
        pause, longest = _ASK_AGAIN_SECONDS
        while True:
            try:
                connection = dialect.connect(*arguments, **options)
            except dialect.loaded_dbapi.OperationalError as error:
                may_pass = is_for_now(error) or (was_reached and is_away(error))
                if not may_pass or time.monotonic() - begin >= patience.milliseconds / 1000:
                    raise
            else:
                was_reached = True
                return connection
            with interrupts.let_through():
                time.sleep(random.uniform(pause / 2, pause))  # not all that wait at the same moment
            pause = min(2 * pause, longest)


def _begin_with(engine: sa.Engine, *, default: tuple[str, ...]) -> None:
    """Run statements at the start of each transaction: the option `store_begin`, or else `default`."""

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        for statement in connection.get_execution_options().get("store_begin", default):
            connection.exec_driver_sql(statement)


def _close_idle_before_fork(engine: sa.Engine) -> None:
    # An inherited SQLite handle breaks the locks of both processes, an inherited socket mixes their answers.
    # The hook cannot be taken back, so it must not keep the engine alive.
    alive = weakref.ref(engine)

    def close_idle() -> None:
        found = alive()
        if found is not None:
            found.dispose()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=close_idle)
