"""Where the results of a batch may be written, and in which form."""

import csv
import json
import os
from pathlib import Path

import pytest

from tests.support.command import Command

DO = "把“频道”改成“直播间”"
TEXT = "欢迎来到频道。\n再见。\n"
SUFFIXES = ("csv", "jsonl")


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path / "store.db")


def planned(command: Command, do: str = DO) -> str:
    for name in ("ep_1", "ep_2"):
        command("new", name, input=TEXT)
    return command("batch", "plan", "ep_1", "ep_2", "--do", do, "--redo", "-q").stdout.strip()


@pytest.fixture
def batch(command: Command) -> str:
    """A batch of two items that was run."""
    made = planned(command)
    assert command("batch", "run", made).exit_code == 0
    return made


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_file_that_holds_something_else_is_not_overwritten(
    command: Command, batch: str, tmp_path: Path, suffix: str
) -> None:
    """Least of all the table that the batch was planned from."""
    path = tmp_path / f"jobs.{suffix}"
    jobs = f"script,instruction\nep_1,{DO}\n" if suffix == "csv" else json.dumps({"script": "ep_1"}) + "\n"
    path.write_text(jobs, encoding="utf-8")

    refused = command("batch", "export", batch, "-o", str(path))
    told = command("batch", "export", batch, "-o", str(path), "--json")

    assert (refused.exit_code, refused.stdout, told.exit_code) == (2, "", 2)
    assert path.name in refused.stderr and "--overwrite" in refused.stderr and "没有写" in refused.stderr
    assert not told.json["ok"] and "--overwrite" in told.json["error"]["message"] + told.json["error"]["hint"]
    assert path.read_text(encoding="utf-8") == jobs
    assert command("batch", "export", batch, "-o", str(path), "--overwrite").exit_code == 0
    assert batch in path.read_text(encoding="utf-8-sig")


def test_an_english_batch_is_told_so_in_english(command: Command, tmp_path: Path) -> None:
    batch = planned(command, "delete line 2")
    path = tmp_path / "mine.csv"
    path.write_text("mine\n", encoding="utf-8")

    ran = command("batch", "export", batch, "-o", str(path))

    assert ran.exit_code == 2
    assert "holds something else" in ran.stderr and "nothing was written" in ran.stderr


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_export_of_the_same_batch_is_replaced(
    command: Command, batch: str, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"out.{suffix}"
    command("batch", "export", batch, "-o", str(path))
    before = path.read_bytes()
    command("batch", "apply", batch)

    ran = command("batch", "export", batch, "-o", str(path), "--only", "done")

    assert (ran.exit_code, ran.stdout) == (0, f"{path}\n")
    assert path.read_bytes() != before
    assert command("batch", "export", batch, "-o", str(path), "--only", "failed").exit_code == 0
    assert command("batch", "export", batch, "-o", str(path)).exit_code == 0


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_odd_cells_are_known_again(command: Command, tmp_path: Path, suffix: str) -> None:
    """Breaks of lines of every kind, what looks like a formula, and a column that some rows lack."""
    command("new", "ep_1", input=TEXT)
    command("new", "ep_2", input=TEXT)
    rows = [
        {"script": "ep_1", "instruction": DO, "备注": "=给\u2028客户\n甲\r乙", "state": "-x"},
        {"script": "ep_2", "instruction": DO},
    ]
    jobs, path = tmp_path / "jobs.jsonl", tmp_path / f"out.{suffix}"
    jobs.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    batch = command("batch", "plan", "--jsonl", str(jobs), "-q").stdout.strip()

    assert command("batch", "export", batch, "-o", str(path)).exit_code == 0
    assert command("batch", "export", batch, "-o", str(path)).exit_code == 0
    path.write_text(path.read_text(encoding="utf-8").replace("客户", "朋友"), encoding="utf-8")
    assert command("batch", "export", batch, "-o", str(path)).exit_code == 2


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_export_of_another_batch_is_not_overwritten(
    command: Command, batch: str, tmp_path: Path, suffix: str
) -> None:
    path = tmp_path / f"out.{suffix}"
    command("batch", "export", batch, "-o", str(path))
    before = path.read_bytes()

    assert command("batch", "export", planned(command), "-o", str(path)).exit_code == 2
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda rows: [[*row, "mine"] for row in rows],
        lambda rows: [*rows, ["a note"]],
        lambda rows: [rows[0], *[[*row[:4], "mine", *row[5:]] for row in rows[1:]]],
    ],
    ids=["a column", "a line", "another instruction"],
)
def test_an_export_in_which_somebody_wrote_is_not_overwritten(
    command: Command, batch: str, tmp_path: Path, spoil: object
) -> None:
    path = tmp_path / "out.csv"
    command("batch", "export", batch, "-o", str(path))
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = spoil([*csv.reader(file)])  # type: ignore[operator]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    before = path.read_bytes()

    assert command("batch", "export", batch, "-o", str(path)).exit_code == 2
    assert path.read_bytes() == before


@pytest.mark.parametrize("there", [b"", b"\xef\xbb\xbf"], ids=["empty", "a mark alone"])
def test_an_empty_file_is_written_to(command: Command, batch: str, tmp_path: Path, there: bytes) -> None:
    path = tmp_path / "out.csv"
    path.write_bytes(there)

    assert command("batch", "export", batch, "-o", str(path)).exit_code == 0
    assert path.read_bytes()


@pytest.mark.parametrize("there", [b"\xff\xfe\x00\x80", b"\x89PNG\r\n", b'"', b"[1]\n", b"null\n"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_is_no_table_is_not_overwritten(
    command: Command, batch: str, tmp_path: Path, there: bytes, suffix: str
) -> None:
    path = tmp_path / f"picture.{suffix}"
    path.write_bytes(there)

    assert command("batch", "export", batch, "-o", str(path)).exit_code == 2
    assert path.read_bytes() == there


def test_a_device_is_written_to(command: Command, batch: str) -> None:
    assert command("batch", "export", batch, "-o", os.devnull).exit_code == 0


@pytest.mark.parametrize(
    ("name", "is_csv"),
    [("a.csv", True), ("a.CSV", True), ("a.jsonl", False), ("a.ndjson", False), ("a.json-lines", False), ("a", True)],
)  # fmt: skip
def test_the_name_of_the_file_says_which_form_it_has(
    command: Command, batch: str, tmp_path: Path, name: str, is_csv: bool
) -> None:
    assert command("batch", "export", batch, "-o", str(tmp_path / name)).exit_code == 0

    text = (tmp_path / name).read_text(encoding="utf-8-sig")
    assert text.startswith("batch," if is_csv else "{")


@pytest.mark.parametrize("name", ["a.xlsx", "a.json", "a.txt"])
def test_a_name_that_says_another_form_is_refused_unless_the_form_is_given(
    command: Command, batch: str, tmp_path: Path, name: str
) -> None:
    refused = command("batch", "export", batch, "-o", str(tmp_path / name))

    assert refused.exit_code == 2
    assert Path(name).suffix in refused.stderr and ".csv" in refused.stderr and "--format" in refused.stderr
    assert not (tmp_path / name).exists()
    assert command("batch", "export", batch, "--format", "csv", "-o", str(tmp_path / name)).exit_code == 0
    assert (tmp_path / name).read_text(encoding="utf-8-sig").startswith("batch,")


def test_a_form_that_is_given_counts_more_than_the_name(command: Command, batch: str, tmp_path: Path) -> None:
    assert (
        command("batch", "export", batch, "-o", str(tmp_path / "a.csv"), "--format", "jsonl").exit_code == 0
    )

    assert (tmp_path / "a.csv").read_text(encoding="utf-8").startswith("{")
