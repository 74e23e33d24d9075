"""A PostgreSQL server lets in only so many connections, for all programs together."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
import sqlalchemy as sa
from sqlalchemy.pool import NullPool

from script_editor.errors import StoreUnusable
from script_editor.store.engine import database_url, open_engine, reading
from script_editor.store.sql import open_store

HANG_SECONDS = 60.0


@contextmanager
def administered(url: str) -> Iterator[sa.Connection]:
    """Yield a connection each of whose statements counts at once."""
    engine = sa.create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection


@pytest.fixture
def narrow_url(postgres_url: str) -> Iterator[str]:
    """The address of a store as a user whom the server lets in once at a time."""
    name, password = f"narrow_{uuid4().hex[:12]}", uuid4().hex
    with administered(postgres_url) as admin:
        admin.exec_driver_sql(f"CREATE ROLE {name} LOGIN CONNECTION LIMIT 1 PASSWORD '{password}'")
        admin.exec_driver_sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {name}")
        try:
            url = sa.make_url(database_url(postgres_url)).set(username=name, password=password)
            yield url.render_as_string(hide_password=False)
        finally:
            admin.exec_driver_sql(f"DROP OWNED BY {name}")
            admin.exec_driver_sql(f"DROP ROLE {name}")


@contextmanager
def let_in(url: str) -> Iterator[sa.Connection]:
    """Take a connection, and give it back at the end."""
    with sa.create_engine(url, poolclass=NullPool).connect() as connection:
        yield connection


def test_whoever_is_not_let_in_waits_until_another_one_leaves(narrow_url: str) -> None:
    opened: list[int] = []

    def read() -> None:
        with open_store(narrow_url, create=False) as store:
            opened.append(len(store.scripts()))

    with let_in(narrow_url):
        reader = threading.Thread(target=read)
        reader.start()
        time.sleep(0.5)  # in which it is refused again and again
        assert opened == []
    reader.join(HANG_SECONDS)

    assert opened == [0]


def test_a_server_that_lets_nobody_in_is_said_to_be_full_and_not_to_be_away(narrow_url: str) -> None:
    engine = open_engine(narrow_url, busy_seconds=0.3)

    with let_in(narrow_url), pytest.raises(StoreUnusable) as caught, reading(engine):
        pass

    assert "takes no further connection" in str(caught.value)
    assert "max_connections" in str(caught.value.hint)
    assert sa.make_url(narrow_url).password not in f"{caught.value} {caught.value.hint}"
    engine.dispose()


def test_a_server_that_refuses_for_another_reason_is_not_asked_again(narrow_url: str) -> None:
    wrong = sa.make_url(narrow_url).set(database="nowhere_to_be_found").render_as_string(hide_password=False)
    engine = open_engine(wrong, busy_seconds=HANG_SECONDS)
    begin = time.monotonic()

    with pytest.raises(StoreUnusable, match="does not exist on that server"), reading(engine):
        pass

    assert time.monotonic() - begin < HANG_SECONDS / 2
    engine.dispose()
