"""The first line of an export: no two columns have one name, whatever the author called theirs."""

import csv
from dataclasses import fields

import pytest

from script_editor.batch.results import ResultRow, as_csv

OURS = [field.name for field in fields(ResultRow) if field.name != "columns"]


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        (["产品", "state"], ["产品", "own state"]),
        (["state", "own state"], ["own own state", "own state"]),
        (["own state", "state", "cost"], ["own state", "own own state", "own cost"]),
    ],
)
def test_a_column_of_the_author_has_a_name_of_its_own(columns: list[str], named: list[str]) -> None:
    (header,) = csv.reader(as_csv([], columns))

    assert header == [*OURS, *named]
