"""Databases for every test that needs a store: real files, and a real PostgreSQL."""

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from script_editor.store.engine import database_url
from script_editor.store.migrate import upgrade
from script_editor.store.sql import SqlScriptStore, open_store
from tests.support.postgres import new_database, running_server


@pytest.fixture(scope="session", autouse=True)
def own_state_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the program remembers out of the user's own folders, in subprocesses as well."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("SCRIPT_EDITOR_STATE", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(autouse=True)
def free_logging_lock() -> Iterator[None]:
    """Give back what an interrupt made Python's logging keep: its lock is taken one step before it is guarded.

    In the next test it would stop every thread that asks for a logger.
    """
    yield
    lock = logging._lock  # type: ignore[attr-defined]
    while lock._is_owned():
        lock.release()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a PostgreSQL server; skips without one, fails when CI is set."""
    with running_server() as address:
        yield address


@pytest.fixture(scope="session")
def postgres_template(postgres_server: str) -> Iterator[str]:
    """The name of a migrated, empty database, of which each test gets a copy."""
    with new_database(postgres_server) as url:
        upgrade(url)
        yield str(sa.make_url(url).database)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty SQLite store, of which each test gets a copy."""
    path = tmp_path_factory.mktemp("template") / "store.db"
    open_store(str(path), create=True).close()
    return path


@pytest.fixture
def sqlite_path(tmp_path: Path) -> Path:
    """Where a SQLite store may be made; nothing is there yet."""
    return tmp_path / "store.db"


@pytest.fixture
def sqlite_url(sqlite_path: Path, sqlite_template: Path) -> str:
    """The URL of an empty SQLite store."""
    shutil.copy(sqlite_template, sqlite_path)
    return database_url(str(sqlite_path))


@pytest.fixture
def postgres_url(postgres_server: str, postgres_template: str) -> Iterator[str]:
    """The URL of an empty PostgreSQL store."""
    with new_database(postgres_server, template=postgres_template) as url:
        yield url


@pytest.fixture
def bare_postgres_url(postgres_server: str) -> Iterator[str]:
    """The URL of a PostgreSQL database without any table."""
    with new_database(postgres_server) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty store, on each database in turn."""
    url: str = request.getfixturevalue({"sqlite": "sqlite_url", "postgresql": "postgres_url"}[request.param])
    return url


@pytest.fixture
def store(store_url: str) -> Iterator[SqlScriptStore]:
    """An empty store, on each database in turn."""
    with open_store(store_url, create=False) as opened:
        yield opened
