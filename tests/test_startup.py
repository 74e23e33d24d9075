"""What a command may import on its way: start-up is what a person feels first."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = (
    "openai",
    "httpx2",
    "sqlmodel",
    "sqlalchemy",
    "pydantic",
    "alembic",
    "psycopg",
    "dbos",
    "yaml",
    "rich.console",
)


def imported_by(*arguments: str, database: Path) -> set[str]:
    """Return the modules that one command imported, in a process of its own."""
    code = (
        "import sys\n"
        "from script_editor.cli.main import cli\n"
        "try:\n    cli.main(args=sys.argv[1:])\n"
        "except SystemExit as ended:\n    assert ended.code in (0, None), ended.code\n"
        "print('\\n'.join(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "--db", str(database), "--model", "offline", *arguments],
        capture_output=True, text=True, encoding="utf-8", check=True,
    )  # fmt: skip
    return set(done.stderr.splitlines())


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("startup") / "store.db"
    imported_by("seeds", "load", database=path)
    return path


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["edit", "--help"], ["ask", "--help"], ["batch", "run", "--help"], ["--version"]],
    ids=" ".join,
)
def test_help_imports_nothing_heavy(arguments: list[str], database: Path) -> None:
    assert not imported_by(*arguments, database=database) & set(HEAVY)


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "video_001"],
        ["history", "video_003"],
        ["diff", "video_003"],
        ["list"],
        ["proposals"],
        ["revert", "video_003", "v1"],
        ["undo", "video_003"],
        ["batch", "list"],
    ],
    ids=" ".join,
)
def test_reading_and_going_back_need_neither_model_nor_migrations(
    arguments: list[str], database: Path
) -> None:
    heavy = imported_by(*arguments, database=database) & {
        "openai",
        "httpx2",
        "alembic",
        "psycopg",
        "dbos",
        "yaml",
    }

    assert not heavy


def test_reading_a_text_loads_nothing_that_compares_counts_time_or_writes(database: Path) -> None:
    imported = imported_by("show", "video_001", database=database)

    assert "script_editor.store.schema.scripts" in imported
    assert not imported & {
        "script_editor.app.comparing",
        "script_editor.domain.diff",
        "script_editor.domain.duration",
        "script_editor.store.appending",
        "script_editor.store.schema.proposals",
    }


@pytest.mark.parametrize("arguments", [["history", "video_003"], ["diff", "video_003"]], ids=" ".join)
def test_comparing_builds_only_the_tables_that_it_reads(arguments: list[str], database: Path) -> None:
    tables = {name for name in imported_by(*arguments, database=database) if ".store.schema." in name}

    assert {"script_editor.store.schema.base", "script_editor.store.schema.scripts"} == tables


def test_an_offline_edit_does_not_import_openai(database: Path) -> None:
    imported = imported_by("edit", "video_001", "把“频道”改成“直播间”", "--yes", database=database)

    assert not imported & {"openai", "httpx2", "alembic", "psycopg"}
    assert not {name for name in imported if name.startswith("script_editor.domain.batches")}


def test_the_end_of_the_program_searches_nothing_for_garbage() -> None:
    code = (
        "import atexit, gc, sys\n"
        "from script_editor.cli.main import main\n"
        "atexit.register(lambda: print(len(gc.get_objects()), file=sys.stderr))\n"
        "main()"
    )

    done = subprocess.run(
        [sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True
    )

    assert int(done.stderr) < 1_000


def test_importing_the_package_imports_nothing_else() -> None:
    code = "import sys; before = set(sys.modules); import script_editor; print(sorted(set(sys.modules) - before))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "['script_editor']"
