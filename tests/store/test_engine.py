import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
import sqlalchemy as sa
from sqlmodel import func, select

from script_editor.errors import StoreDamaged, StoreFull, StoreUnusable
from script_editor.store.engine import database_url, open_engine, reading
from script_editor.store.sql import SqlScriptStore, open_store
from script_editor.store.tables import VersionRow
from tests.store.support import ALICE, PATIENCE_SECONDS, engine_of, raw

NOBODY = 65534


@pytest.fixture
def as_ordinary_user(sqlite_template: Path) -> Iterator[Path]:
    """A folder with a `store.db` of ours, and no right to ignore modes: root would ignore them."""
    if not hasattr(os, "geteuid"):
        pytest.skip("modes are another thing on this system")
    before = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(sqlite_template, folder / "store.db")
        if before == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.chown(folder / "store.db", NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(before)


def failure(path_or_url: str, *, create: bool = False) -> str:
    """The sentence with which a store cannot be opened."""
    with pytest.raises(StoreUnusable) as caught:
        open_store(path_or_url, create=create)
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("/data/a.db", "sqlite:////data/a.db"),
        ("/data/a b?c#d%20é.db", "sqlite:////data/a b%3Fc%23d%2520%C3%A9.db"),
        ("sqlite:////data/a.db", "sqlite:////data/a.db"),
        (
            "postgres://u:p%40w@db.example:5433/scripts",
            "postgresql+psycopg://u:p%40w@db.example:5433/scripts",
        ),
        ("postgresql://u@h/s?sslmode=require", "postgresql+psycopg://u@h/s?sslmode=require"),
        ("postgresql:///s?host=/run/pg", "postgresql+psycopg:///s?host=%2Frun%2Fpg"),
    ],
)
def test_a_path_or_an_address_becomes_a_url(given: str, url: str):
    assert url == database_url(given)


def test_a_relative_path_and_a_home_become_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/alice")

    assert f"sqlite:///{tmp_path}/a.db" == database_url("a.db")
    assert "sqlite:////home/alice/a.db" == database_url("~/a.db")


@pytest.mark.parametrize(
    "address",
    [
        "mysql://u:secret@h/d",
        "postgresql:/u:secret@h/d",
        "postgres:u:secret@h/d",
        "postgresql://u:secret@h",
        "sqlite://",
        "postgresql://u:secret@h:port/d",
        "://",
    ],
)
def test_another_address_is_refused_without_showing_it(address: str):
    with pytest.raises(StoreUnusable) as caught:
        database_url(address)

    assert "secret" not in f"{caught.value} {caught.value.hint}"


def test_a_store_in_memory_is_refused():
    assert "in memory" in failure(":memory:", create=True)


def test_a_path_with_odd_characters_can_be_a_store(tmp_path: Path):
    path = tmp_path / "a b?c#d%20é第.db"

    with open_store(str(path), create=True) as store:
        store.create("video_001", "一", provenance=ALICE)

    assert path.is_file()
    with open_store(str(path), create=False) as store:
        assert "一" == store.head("video_001").text


def test_a_missing_store_is_not_made_unless_asked(sqlite_path: Path):
    sentence = failure(str(sqlite_path))

    assert f"There is no store at {sqlite_path}." == sentence
    assert not sqlite_path.exists()


def test_a_new_store_gets_private_folders(tmp_path: Path):
    path = tmp_path / "a" / "b" / "store.db"

    open_store(str(path), create=True).close()

    assert path.is_file()
    assert [0o700, 0o700] == [
        stat.S_IMODE(folder.stat().st_mode) for folder in (path.parent, path.parent.parent)
    ]


def test_a_sqlite_store_is_set_up_for_safety(sqlite_url: str):
    open_store(sqlite_url, create=False).close()

    with engine_of(sqlite_url) as engine, engine.connect() as connection:
        pragmas = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout", "journal_size_limit")
        }

    full = 2
    expected = {"journal_mode": "wal", "synchronous": full, "foreign_keys": 1, "busy_timeout": 10_000}
    assert expected | {"journal_size_limit": 64 * 1024 * 1024} == pragmas


def test_a_folder_is_not_a_store(tmp_path: Path):
    assert f"{tmp_path} is a folder, not a store." == failure(str(tmp_path), create=True)


def test_a_file_of_another_kind_is_left_as_it_is(sqlite_path: Path):
    sqlite_path.write_bytes(b"not a database, but long enough to be looked at " * 100)
    before = sqlite_path.read_bytes()

    assert "is not a SQLite database" in failure(str(sqlite_path), create=True)
    assert before == sqlite_path.read_bytes()


def test_a_file_as_a_folder_is_refused(sqlite_path: Path):
    sqlite_path.write_bytes(b"")

    assert "There is no folder" in failure(str(sqlite_path / "store.db"), create=True)


def test_a_folder_that_may_not_be_entered_is_permission_denied(as_ordinary_user: Path):
    closed = as_ordinary_user / "closed"
    closed.mkdir(mode=0)

    assert "Permission denied" in failure(str(closed / "store.db"))
    assert "Permission denied" in failure(str(closed / "deeper" / "store.db"), create=True)


def test_a_folder_that_may_not_be_written_gets_no_store(as_ordinary_user: Path):
    (as_ordinary_user / "fixed").mkdir(mode=0o500)

    assert "permission denied" in failure(str(as_ordinary_user / "fixed" / "store.db"), create=True)


def test_a_store_that_may_not_be_read_is_permission_denied(as_ordinary_user: Path):
    path = as_ordinary_user / "store.db"
    path.chmod(0)

    assert "permission denied" in failure(str(path))


def test_a_read_only_store_is_read_but_not_written(as_ordinary_user: Path):
    path = as_ordinary_user / "store.db"
    with open_store(str(path), create=False) as store:
        store.create("video_001", "一", provenance=ALICE)
    path.chmod(0o400)

    with open_store(str(path), create=False) as store:
        with pytest.raises(StoreUnusable, match="read-only"):
            store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
        assert store.head("video_001").text == "一"


@pytest.fixture
def in_a_read_only_folder(as_ordinary_user: Path) -> Iterator[Path]:
    """A store with one script, in a folder that takes no file more."""
    path = as_ordinary_user / "store.db"
    with open_store(str(path), create=False) as store:
        store.create("video_001", "一", provenance=ALICE)
    as_ordinary_user.chmod(0o500)
    yield path
    as_ordinary_user.chmod(0o700)


@pytest.mark.parametrize("mode", [0o600, 0o400], ids=["file may be written", "file may not"])
def test_a_store_in_a_read_only_folder_is_read_but_not_written(in_a_read_only_folder: Path, mode: int):
    in_a_read_only_folder.chmod(mode)

    with open_store(str(in_a_read_only_folder), create=True) as store:
        with pytest.raises(StoreUnusable, match="read-only"):
            store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
        assert store.head("video_001").text == "一"
        assert store.verify() == ()


def test_a_store_in_a_read_only_folder_shows_what_others_write_meanwhile(in_a_read_only_folder: Path):
    folder = in_a_read_only_folder.parent
    with open_store(str(in_a_read_only_folder), create=False) as store:
        assert store.head("video_001").text == "一"
        folder.chmod(0o700)
        with open_store(str(in_a_read_only_folder), create=False) as writer:
            writer.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
            folder.chmod(0o500)
            while_it_is_open = store.head("video_001").text
            folder.chmod(0o700)
        folder.chmod(0o500)

        assert (while_it_is_open, store.head("video_001").text) == ("二", "二")


def test_unfinished_writes_in_a_read_only_folder_are_not_left_out(in_a_read_only_folder: Path):
    folder = in_a_read_only_folder.parent
    folder.chmod(0o700)
    with open_store(str(in_a_read_only_folder), create=False) as writer:
        writer.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
        copy = folder / "copy"
        copy.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{in_a_read_only_folder}{end}", copy / f"store.db{end}")
    copy.chmod(0o500)

    try:
        assert "a program broke off while it wrote" in failure(str(copy / "store.db"))
    finally:
        copy.chmod(0o700)


def test_a_full_disk_rolls_back_and_leaves_the_store_whole(sqlite_url: str):
    """`max_page_count` gives the error that a full disk gives."""
    engine = open_engine(sqlite_url)

    @sa.event.listens_for(engine, "connect")
    def allow_little(connection: sqlite3.Connection, _record: object) -> None:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 3}")

    store = SqlScriptStore(engine)
    store.create("video_001", "一", provenance=ALICE)

    with pytest.raises(StoreFull) as caught:
        store.append("video_001", os.urandom(30_000).hex(), expected_head=1, source="edit", provenance=ALICE)

    assert "full" in str(caught.value)
    store.close()
    with open_store(sqlite_url, create=False) as reopened:
        assert "一" == reopened.head("video_001").text
        assert () == reopened.verify()
        reopened.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)


def test_a_damaged_file_says_so(sqlite_url: str, sqlite_path: Path):
    with open_store(sqlite_url, create=False) as store:
        store.create("video_001", "一" * 100, provenance=ALICE)
    whole = sqlite_path.read_bytes()
    sqlite_path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))

    with pytest.raises(StoreDamaged), open_store(sqlite_url, create=False) as store:
        store.head("video_001")


def test_a_writer_that_waits_too_long_says_so_and_readers_do_not_wait(store_url: str):
    with open_store(store_url, create=False) as store:
        store.create("video_001", "一", provenance=ALICE)
    hasty = SqlScriptStore(open_engine(store_url, busy_seconds=0.05))

    with raw(store_url) as other:
        if other.dialect.name == "sqlite":
            other.exec_driver_sql("BEGIN IMMEDIATE")
        other.execute(sa.text("UPDATE script SET title = 'held'"))
        with pytest.raises(StoreUnusable, match="locked"):
            hasty.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
        assert "一" == hasty.head("video_001").text

    hasty.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
    hasty.close()


def test_all_that_one_transaction_reads_is_of_one_moment(store: SqlScriptStore, store_url: str):
    """Reaches inside: between the two reads of one call no test can step."""
    store.create("video_001", "一", provenance=ALICE)
    count = select(func.count()).select_from(VersionRow)

    with engine_of(store_url) as engine, reading(engine) as session:
        before = session.exec(count).one()
        store.append("video_001", "二", expected_head=1, source="edit", provenance=ALICE)
        after = session.exec(count).one()

    assert (1, 1) == (before, after)
    assert 2 == len(store.history("video_001"))


def test_a_store_is_shared_by_threads(store: SqlScriptStore):
    def create(number: int) -> int:
        return store.create(f"v{number}", "一", provenance=ALICE).number

    with ThreadPoolExecutor(8) as pool:
        assert [1] * 40 == list(pool.map(create, range(40)))

    assert () == store.verify()


def test_a_server_that_is_not_there_is_named_without_the_password():
    sentence = failure("postgresql://alice:hunter2@127.0.0.1:1/scripts")

    assert sentence.startswith("The PostgreSQL database 'scripts' on 127.0.0.1 cannot be reached.")
    assert "hunter2" not in sentence


def test_a_database_that_is_not_there_is_named(bare_postgres_url: str):
    url = sa.make_url(bare_postgres_url).set(database="nothing_here")

    assert "does not exist" in failure(url.render_as_string(hide_password=False))


def test_an_unknown_user_is_refused_without_the_password(bare_postgres_url: str):
    url = sa.make_url(bare_postgres_url).set(username="mallory", password="hunter2")

    sentence = failure(url.render_as_string(hide_password=False))

    assert "refused the user or the password" in sentence
    assert "hunter2" not in sentence


def test_a_store_on_postgresql_without_its_driver_names_the_extra(tmp_path: Path):
    program = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from script_editor.errors import StoreUnusable\n"
        "from script_editor.store.sql import open_store\n"
        "try:\n    open_store('postgresql://h/d', create=False)\n"
        "except StoreUnusable as error:\n    print(error, error.hint)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "psycopg" in done.stdout
    assert "script-editor[postgres]" in done.stdout and "pip install '.[postgres]'" in done.stdout


def test_opening_a_sqlite_store_loads_neither_alembic_nor_another_database(sqlite_url: str):
    program = (
        "import sys\n"
        "from script_editor.store.sql import open_store\n"
        "open_store(sys.argv[1], create=False).scripts()\n"
        "unwanted = ('alembic', 'psycopg', 'openai', 'sqlalchemy.dialects.postgresql')\n"
        "print([name for name in unwanted if name in sys.modules])\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, sqlite_url], capture_output=True, text=True, check=True
    )

    assert "[]" == done.stdout.strip()


def test_threads_that_read_at_once_each_see_the_store_whole(store: SqlScriptStore):
    """The tools of one turn that only read run side by side, over one store."""
    for number, script_id in enumerate(("video_001", "video_002"), start=1):
        store.create(script_id, f"{number}\n", provenance=ALICE)
        for head in range(1, 6):
            text = f"{number}\n" * (head + 1)
            store.append(script_id, text, expected_head=head, source="edit", provenance=ALICE)
    store.save_proposal("video_001", "x", base_number=6, provenance=ALICE)
    barrier = Barrier(8, timeout=PATIENCE_SECONDS)

    def read(reader: int) -> list[object]:
        script_id = f"video_00{reader % 2 + 1}"
        barrier.wait()
        seen = [
            (
                store.head(script_id).number,
                [info.number for info in store.history(script_id)],
                [store.version(script_id, number).text for number in (1, 6)],
                len(store.scripts()),
                len(store.proposals(script_id)),
                store.locks(script_id),
                len(store.runs()),
            )
            for _ in range(10)
        ]
        return [repr(each) for each in seen]

    with ThreadPoolExecutor(max_workers=8) as pool:
        seen = list(pool.map(read, range(8)))

    for reader, lines in enumerate(seen):
        line = f"{reader % 2 + 1}\n"
        proposals = 1 if reader % 2 == 0 else 0
        expected = (6, [6, 5, 4, 3, 2, 1], [line, line * 6], 2, proposals, (), 0)
        assert {repr(expected)} == set(lines)


def test_a_thread_that_writes_is_not_in_the_way_of_those_that_read(store: SqlScriptStore):
    store.create("video_001", "0", provenance=ALICE)

    def write(_: int) -> int:
        for head in range(1, 21):
            store.append("video_001", str(head), expected_head=head, source="edit", provenance=ALICE)
        return 21

    def read(_: int) -> int:
        for _ in range(40):
            head = store.head("video_001")
            assert str(head.number - 1) == head.text
            assert store.history("video_001")[-1].number == 1
        return 21

    with ThreadPoolExecutor(max_workers=5) as pool:
        jobs = [pool.submit(work, 0) for work in (write, read, read, read, read)]
        assert [21] * 5 == [job.result() for job in jobs]

    assert 21 == store.head("video_001").number
