"""A plan of a large table in which one row cannot be used: it is named by its line, and nothing else suffers."""

import os
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.benchmarks.batch.fill import main as fill
from tests.store.support import raw
from tests.support.command import Command
from tests.support.openai_server import OpenAIServer

pytestmark = pytest.mark.soak

IS_SOAK = bool(os.environ.get("SCRIPT_EDITOR_SOAK"))
ROWS = 100_000 if IS_SOAK else 5_000
BAD = ROWS // 2
"""The row that cannot be used; it stands one line below, after the names of the columns."""
BAD_ROWS = {
    "an unknown script": ("nobody,really,truly", "nobody"),
    "a missing cell": (f"video_{BAD - 1:06},really", "2"),
    "a quote that ends elsewhere": (f'video_{BAD - 1:06},"really"x,truly', "CSV"),
}
DO = "replace “{old}” with “{new}”"


def table(path: Path, bad: str) -> None:
    """Write a row for each script, and `bad` in the middle instead of one."""
    rows = [f"video_{number:06},really,truly" for number in range(ROWS)]
    rows[BAD - 1] = bad
    path.write_text("\n".join(["script,old,new", *rows, ""]), encoding="utf-8")


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a script for each row."""
    path = tmp_path_factory.mktemp("filled") / "store.db"
    fill(str(path), ROWS)
    return path


@pytest.mark.parametrize("kind", BAD_ROWS)
def test_one_bad_row_in_the_middle_of_a_large_table_is_named_and_the_rest_is_planned(
    filled: Path, tmp_path: Path, kind: str
) -> None:
    row, told = BAD_ROWS[kind]
    jobs = tmp_path / "jobs.csv"
    table(jobs, row)

    with OpenAIServer([]) as service:
        ran = Command(filled)(
            "batch", "plan", "--csv", str(jobs), "--do", DO, "--redo", "--json",
            model="m", OPENAI_API_KEY="sk-0123456789", OPENAI_BASE_URL=service.base_url,
        )  # fmt: skip

    (problem,) = ran.data["problems"]
    assert problem["where"] == f"jobs.csv, line {BAD + 1}"
    assert told in problem["message"]
    assert (ran.exit_code, ran.data["total"]) == (0, ROWS - 1)
    assert service.requests == []
    with raw(f"sqlite:///{filled}") as store:
        counts = sa.text("SELECT count(*), count(DISTINCT script_id) FROM batch_item WHERE batch_id = :id")
        assert store.execute(counts, {"id": ran.data["batch"]}).one() == (ROWS - 1, ROWS - 1)
        missing = sa.text("SELECT count(*) FROM batch_item WHERE batch_id = :id AND script_id = :script")
        left_out = {"id": ran.data["batch"], "script": f"video_{BAD - 1:06}"}
        assert store.execute(missing, left_out).scalar_one() == 0
