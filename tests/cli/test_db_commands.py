"""db upgrade: the store's schema, through the command line, on both databases."""

from pathlib import Path

from tests.support.command import Command


def test_a_new_file_needs_no_upgrade(tmp_path: Path) -> None:
    command = Command(tmp_path / "store.db")
    command("new", "a", "--text", "x")

    done = command("db", "upgrade", "--json").data

    assert done["from"] == done["to"]
    assert done["backup"] is None


def test_postgresql_gets_its_tables_only_when_asked(bare_postgres_url: str) -> None:
    command = Command(bare_postgres_url)

    before = command("list")
    upgraded = command("db", "upgrade", "--json").data
    command("seeds", "load")

    assert before.exit_code == 6
    assert "script-editor db upgrade" in before.stderr
    assert (upgraded["from"], upgraded["backup"]) == (None, None)
    assert command("edit", "video_001", "把“黄金时代”改成“快车道”", "--yes").exit_code == 0
    assert "快车道" in command("show", "video_001").stdout


def test_a_password_in_an_address_is_never_shown(tmp_path: Path) -> None:
    for address in (
        "postgresql://u:secretpw@127.0.0.1:1/x",
        "postgresql://127.0.0.1:1/x?user=u&password=secretpw",
        "postgresql+psycopg://u:secretpw@127.0.0.1:1/x",
    ):
        done = Command(address)("list", "-v")

        assert done.exit_code == 6, done.stderr
        assert "secretpw" not in done.stdout + done.stderr
