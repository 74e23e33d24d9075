"""No cell of an export becomes a formula, however its first character is written."""

import csv
from dataclasses import replace

import pytest

from script_editor.batch.results import ResultRow, as_csv

ROW = ResultRow(
    batch="b-1", seq=1, script="v1", state="failed", instruction="改", base="v1", version=None, proposal=None,
    attempt=1, run=None, seconds_before=None, seconds_after=None, tokens_in=None, tokens_out=None, cost=None,
    warnings=(), error_type="", error="", columns={},
)  # fmt: skip


def cell(text: str) -> str:
    """Return how a reader of CSV sees an instruction."""
    lines = "".join(as_csv([replace(ROW, instruction=text)]))
    return next(csv.DictReader(lines.splitlines(keepends=True)))["instruction"]


@pytest.mark.parametrize("first", [*"=+-@＝＋－＠﹢﹣﹫\t\r\n"], ids=ascii)
def test_a_text_that_begins_like_a_formula_begins_with_an_apostrophe(first: str) -> None:
    assert f"'{first}1+1" == cell(f"{first}1+1")


@pytest.mark.parametrize("text", ["", "改短一点", "１＋１", "'=1", "a=b", "—好"])
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert text == cell(text)
