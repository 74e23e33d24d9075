"""Instructions with places that a row fills in."""

import pytest

from script_editor.batch.planning.template import Template
from script_editor.errors import BadInput

ROW = {"script": "a", "产品": "极盾", "old price": "5", "empty": ""}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("改短", "改短"),
        ("", ""),
        ("把“轻盾”改成“{产品}”", "把“轻盾”改成“极盾”"),
        ("{ 产品 }，{产品}，{old price}", "极盾，极盾，5"),
        ("keep {{name}} as it is", "keep {name} as it is"),
        ("{{{产品}}}", "{极盾}"),
    ],
)
def test_a_template_is_filled_from_the_row(text, filled):
    assert filled == Template(text).filled(ROW)


def test_what_a_row_says_is_not_filled_in_again():
    assert "{b} {" == Template("{a} {{").filled({"a": "{b}", "b": "no"})


@pytest.mark.parametrize("text", ["改 {", "改 }", "改 {}", "改 { }", "{a\nb}"])
def test_a_brace_without_a_column_is_refused(text):
    with pytest.raises(BadInput, match="brace without a column in the instruction, at character"):
        Template(text).columns()


def test_an_unknown_column_is_refused_with_those_that_are_there():
    with pytest.raises(BadInput, match=r"'product'.*the columns are: script, 产品"):
        Template("改 {product}").check(("script", "产品", ""))


def test_an_empty_cell_leaves_no_hole_in_the_instruction():
    with pytest.raises(BadInput, match="'empty' is empty"):
        Template("add {empty}").filled(ROW)
