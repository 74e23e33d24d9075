"""The revision of a store's tables: checked at each start, changed only on request.

`prepare` needs one SELECT and no Alembic; `upgrade` loads Alembic and the `migrations` folder. The only
tables that are made without being asked for are those of a new SQLite file.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError, ProgrammingError

from script_editor.domain.script import utc_now
from script_editor.errors import SchemaTooNew, SchemaTooOld, StoreDamaged, StoreUnusable
from script_editor.store.engine import database_url, is_sqlite, open_engine, outside_transaction, use_wal
from script_editor.store.failures import explained, place

if TYPE_CHECKING:
    from alembic.config import Config

REVISIONS = ("0001", "0002", "0003", "0004")
"""Every revision that a store can have, oldest first."""
HEAD_REVISION = REVISIONS[-1]

_ADVISORY_LOCK = 7_305_513_411
_NO_SUCH_TABLE = "42P01"


class Upgraded(NamedTuple):
    """What an upgrade did. `from_revision` is None when there were no tables, `backup` when none was made."""

    from_revision: str | None
    to_revision: str
    backup: Path | None


def data_dir(name: str) -> Path:
    """Return the folder `name` that comes with the program: inside an installed package, or beside it."""
    package = Path(__file__).resolve().parent.parent
    packed = package / "_data" / name
    return packed if packed.is_dir() else package.parent / name


def prepare(engine: sa.Engine, *, create: bool) -> None:
    """Make sure that the store has the tables this program knows, or refuse it untouched.

    With `create`, a SQLite file without any table gets them; several processes may do so at once.

    Raises:
        SchemaTooOld, SchemaTooNew, StoreUnusable: see `check_revision`.
    """
    with explained(engine.url), engine.connect() as connection:
        revision = _stored_revision(connection)
    if revision is None and create and is_sqlite(engine):
        _migrate(engine, data_dir("migrations"))
    else:
        check_revision(revision, engine.url)
    if is_sqlite(engine):
        use_wal(engine)


def _stored_revision(connection: sa.Connection) -> str | None:
    """Return the revision that the store says it has, or None when it does not say."""
    try:
        found: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        return found
    except (OperationalError, ProgrammingError) as error:
        code = getattr(error.orig, "sqlstate", "")
        if code != _NO_SUCH_TABLE and "no such table" not in str(error.orig):
            raise
        return None


def check_revision(revision: str | None, url: sa.URL, *, known: Sequence[str] = REVISIONS) -> None:
    """Accept the newest known revision only.

    Raises:
        SchemaTooOld: an older one, or PostgreSQL without tables; `script-editor db upgrade` is the way on.
        SchemaTooNew: one that this program does not know.
        StoreUnusable: a SQLite file that says no revision: empty, or of another program.
    """
    if revision == known[-1]:
        return
    if revision in known:
        raise SchemaTooOld(
            f"{place(url)} was made by an older program: run script-editor db upgrade.",
            hint="Back it up with pg_dump first; a SQLite file is backed up beside itself by the upgrade.",
        )
    if revision is not None:
        raise _too_new(revision, url)
    if url.get_backend_name() == "sqlite":
        raise _not_a_store(url)
    raise SchemaTooOld(
        f"{place(url)} has no tables yet: run script-editor db upgrade.",
        hint="Tables are never made on a server without being asked for.",
    )


def upgrade(path_or_url: str, *, migrations: Path | None = None) -> Upgraded:
    """Bring a store to the newest revision in `migrations` (None: those of the program).

    Tables are made where there are none. A SQLite store that is older is first copied beside itself.
    All of it is one transaction: after a failure the store is as it was.

    Raises:
        SchemaTooNew: the store has a revision that is not in `migrations`.
        StoreDamaged: rows refer to rows that are not there; nothing was changed.
        StoreUnusable, StoreFull: see `explained`; also for a SQLite database of another program.
    """
    engine = open_engine(database_url(path_or_url))
    try:
        upgraded = _migrate(engine, migrations or data_dir("migrations"))
        if is_sqlite(engine):
            use_wal(engine)
        return upgraded
    finally:
        engine.dispose()


def alembic_config(connection: sa.Connection, migrations: Path) -> "Config":
    """Return the settings with which Alembic runs the revisions in `migrations` on `connection`."""
    from alembic.config import Config  # late: only the making and the upgrading of a store need it

    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _migrate(engine: sa.Engine, migrations: Path) -> Upgraded:
    """Run what is missing, in one transaction and under a lock; looks again once it has the lock."""
    from alembic import command  # late: see alembic_config
    from alembic.script import ScriptDirectory

    with _migration_lock(engine) as connection:
        config = alembic_config(connection, migrations)
        known = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
        newest = known[0]
        before = _revision_to_leave(connection, known, engine.url)
        if before == newest:
            return Upgraded(before, newest, None)
        backup = _back_up(engine, before) if before is not None and is_sqlite(engine) else None
        command.upgrade(config, "head")
        _check_references(connection, engine.url)
        return Upgraded(before, newest, backup)


@contextmanager
def _migration_lock(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Yield a connection in a transaction that one process at a time can have; commits at the end."""
    with outside_transaction(engine) as connection:
        if is_sqlite(engine):
            # Foreign keys are off because a table is rebuilt under the rows that refer to it; inside a
            # transaction the pragma would do nothing. Detached, this connection never enters the pool.
            connection.detach()
            connection.exec_driver_sql("PRAGMA foreign_keys = OFF")
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
        yield connection
        connection.commit()


def _revision_to_leave(connection: sa.Connection, known: Sequence[str], url: sa.URL) -> str | None:
    """Return the revision before the upgrade, None for a database without tables; refuse all others."""
    from alembic.migration import MigrationContext  # late: see alembic_config

    revision = MigrationContext.configure(connection).get_current_revision()
    if revision is not None and revision not in known:
        raise _too_new(revision, url)
    # A PostgreSQL database may well hold tables of others; a SQLite file is a store or is not.
    if revision is None and url.get_backend_name() == "sqlite" and sa.inspect(connection).get_table_names():
        raise _not_a_store(url)
    return revision


def _back_up(engine: sa.Engine, revision: str) -> Path:
    """Copy the file beside itself and return where; a copy under its final name is whole."""
    store = Path(str(engine.url.database))
    name = f"{store.stem}.backup-{revision}-{utc_now():%Y%m%dT%H%M%SZ}{store.suffix}"
    partial = store.with_name(f"{name}.partial")
    with outside_transaction(engine) as connection:
        connection.exec_driver_sql("VACUUM INTO ?", (str(partial),))
    return partial.rename(store.with_name(name))


def _check_references(connection: sa.Connection, url: sa.URL) -> None:
    if url.get_backend_name() != "sqlite":
        return
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreDamaged(
            f"{place(url)} has rows in {broken[0]!r} that refer to missing rows; nothing was changed."
        )


def _too_new(revision: str, url: sa.URL) -> SchemaTooNew:
    return SchemaTooNew(
        f"{place(url)} was made by a newer program (revision {revision!r}); it was left untouched.",
        hint="Install the newest script-editor.",
    )


def _not_a_store(url: sa.URL) -> StoreUnusable:
    return StoreUnusable(
        f"{url.database} is empty, or a database of another program; it was left untouched.",
        hint="Name another file.",
    )
