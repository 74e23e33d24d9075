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


@pytest.mark.parametrize(
    ("text", "cell", "filled"),
    [
        ('replace "{old}" with "{old}"', "it's 5 “new”", 'replace "it\'s 5 “new”" with "it\'s 5 “new”"'),
        ("删掉“{old}”", "他说“好”了", "删掉“他说“好”了”"),
        ("删掉「{old}」", 'chan"nel', '删掉「chan"nel」'),
        ("drop '{old}' now", "don't", "drop 'don't' now"),
        ("add 27{old} and then {old}", '"', 'add 27" and then "'),
        ("it's {old} that he's after", "'", "it's ' that he's after"),
    ],
    ids=[
        "other marks",
        "in pairs",
        "marks that no cell has",
        "an apostrophe",
        "no quotation",
        "no quotation, apostrophes",
    ],
)
def test_a_mark_in_a_cell_may_stand_where_it_ends_nothing(text, cell, filled):
    assert filled == Template(text).filled({"old": cell})


@pytest.mark.parametrize(
    ("text", "cell", "hint"),
    [
        ('replace "{old}" with "x"', 'chan"nel', "“{old}”"),
        ('replace "the {old} of it" with "x"', '27"', "“{old}”"),
        ("把“频道”改成“{old}”", "好”的", "「{old}」"),
        ("把“频道”改成“{old}”", "“好", "「{old}」"),
        ("drop '{old}' now", "the dogs' end", "“{old}”"),
        ("drop `{old}` now", "a`b“c「d", '"{old}"'),
    ],
    ids=["straight", "amid other words", "closing", "opening", "single", "the marks that are left"],
)
def test_a_cell_that_would_end_its_quotation_early_is_refused(text, cell, hint):
    """The marks stay as they were typed: they may be what goes into the script."""
    with pytest.raises(BadInput, match="'old' has a") as refused:
        Template(text).filled({"old": cell})

    assert f"as in {hint}," in refused.value.hint


def test_an_empty_cell_leaves_no_hole_in_the_instruction():
    with pytest.raises(BadInput, match="'empty' is empty"):
        Template("add {empty}").filled(ROW)
