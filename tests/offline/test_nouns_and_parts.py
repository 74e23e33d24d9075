"""Nouns that have a value behind them, and parts that are named by what they are: neither is taken for text."""

import pytest

from script_editor.errors import EditRefused
from tests.offline.editing import AMBIGUOUS, NOT_MECHANICAL, outcome, rewrite_text, swapped

PRICED = "这款耳机卖得很好。\n价格是299元，不贵。\n活动时间：5月3日\n地址：北京\n电话 010-1234\n"
ENGLISH = "The price is 299 dollars.\nWe meet every week.\nDate: May 3\nThe name was Anna, now it is Bea.\n"


@pytest.mark.parametrize(
    ("script", "instruction"),
    [
        (PRICED, "把价格改成199元"),
        (PRICED, "价格改成199元"),
        (PRICED, "把第2行的价格改成199元"),
        (PRICED, "将价格替换为面议"),
        (PRICED, "把活动时间改成6月1日"),
        (PRICED, "把时间改为下周"),
        (PRICED, "把地址改成上海"),
        (PRICED, "把电话改成 010-9999"),
        (PRICED.replace("价格是", "价格"), "把价格改成199元"),
        (PRICED.replace("价格是", "价格現在是"), "把價格改成199元"),
        (PRICED.replace("价格是", "套餐为"), "把套餐改成199元"),
        (ENGLISH, "change the price to 199"),
        (ENGLISH, "replace price with 199 dollars"),
        (ENGLISH, "change Date to June 4"),
        (ENGLISH, "change the name to Clara"),
    ],
)
def test_a_noun_with_a_value_behind_it_is_not_replaced_by_another_value(
    script: str, instruction: str
) -> None:
    assert outcome(script, instruction) in (AMBIGUOUS, NOT_MECHANICAL, "refused: not_found")


def test_it_is_said_how_the_value_and_how_the_noun_is_replaced() -> None:
    with pytest.raises(EditRefused) as refused:
        rewrite_text(PRICED, "把价格改成199元")

    assert "把“299元”改成“199元”" in refused.value.advice
    assert outcome(PRICED, "把“299元”改成“199元”") == swapped(PRICED, "299元", "199元")
    assert outcome(PRICED, "把“价格”改成“199元”") == swapped(PRICED, "价格", "199元")


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("把价格改成售价", "价格", "售价"),
        ("把地址改成地点", "地址", "地点"),
        ("把耳机改成音箱", "耳机", "音箱"),
        ("把299元改成199元", "299元", "199元"),
    ],
)
def test_a_noun_that_another_takes_the_place_of_is_replaced(instruction: str, old: str, new: str) -> None:
    assert outcome(PRICED, instruction) == swapped(PRICED, old, new)


def test_a_speaker_is_renamed() -> None:
    assert outcome("主播：你好\n嘉宾：你好\n", "把主播改成主持人") == "主持人：你好\n嘉宾：你好\n"


PARTS = "【正片】\n老板：便宜的很。\n1. 首先说价格。\n2. 其次说质量。\n"


@pytest.mark.parametrize(
    "instruction",
    [
        "删掉老板的台词",
        "把老板的台词删掉",
        "删掉【正片】这一段",
        "去掉行首的序号",
        "把序号都去掉",
        "把第2条删掉",
        "删除第二点",
        "删掉正片部分",
        "去掉旁白",
        "delete the boss's lines",
        "remove the numbering",
        "remove the line numbers",
        "delete item 2",
        "remove the main section",
    ],
)
def test_a_part_that_is_named_by_what_it_is_needs_more_than_this_editor(instruction: str) -> None:
    assert outcome(PARTS, instruction) == NOT_MECHANICAL


def test_such_words_are_deleted_where_they_stand_in_the_text() -> None:
    script = "旁白：今天说第2条。\n完。\n"

    assert outcome(script, "删掉第2条") == swapped(script, "第2条", "")
    assert outcome(PARTS, "删掉“序号”") == "refused: not_found"
