"""The lines that an instruction names by number as all that is to change."""

import time

import pytest

from script_editor.domain.places import object_lines
from script_editor.domain.segments import NumberedScript
from tests.domain.guarded import SUBTITLES

EIGHT = NumberedScript(
    "eight",
    1,
    "The shop opens late.\nNobody minds.\nThe owner hums.\nRain taps the glass.\nA cat sleeps.\nTea cools.\nDoors creak.\nWe go home.\n",
)
LISTED = NumberedScript("listed", 1, "Three tips today.\n1. Sit up.\n2. Drink water.\n3. Walk.\nBye.\n")


@pytest.mark.parametrize(
    ("instruction", "lines"),
    [
        ("只改第4行，改得更幽默", (4,)),
        ("把第2行改得更幽默", (2,)),
        ("make line 4 funnier", (4,)),
        ("Please rewrite lines 2-4 in a lighter tone.", (2, 3, 4)),
        ("Make lines 2, 4 and 7 shorter", (2, 4, 7)),
        ("第3、5行改短一点", (3, 5)),
        ("第一句改得更抓人", (1,)),
        ("润色一下最后一行", (8,)),
        ("Make the last line warmer, please.", (8,)),
        ("Make the first line punchier", (1,)),
        ("line 5 is too long, make it shorter", (5,)),
        ("第5行太长了，改短一点", (5,)),
        ("In line 4, replace rain with snow", (4,)),
        ("把第4行的雨换成雪", (4,)),
        ("change the animal in line 5 to a dog", (5,)),
        ("把第2行改成“没人在意。”", (2,)),
        ("Change line 4 to: Snow taps the glass.", (4,)),
        ("make line 4 funnier but keep the rest as it is", (4,)),
        ("只改第4行，其他行不要动", (4,)),
        ("make line 4 like line 2", (4,)),
        ("把第4行改得像第2行那样短", (4,)),
        ("make line 4 of the script funnier", (4,)),
        ("第2行改短，第5行更幽默", (2, 5)),
        ("删掉第3行", (3,)),
        ("Could you make the 4th line a bit more casual?", (4,)),
        ("倒数第二行太生硬了，改自然点", (7,)),
        ("请把第3行缩短到10个字以内，谢谢", (3,)),
        ("make S4 funnier", (4,)),
        ("remove “hums” from line 3", (3,)),
        ("最后两句改短", (7, 8)),
        ("第3行译成英文", (3,)),
        ("Make line 4 funnier. Don't change anything else.", (4,)),
        ("delete line 3", (3,)),
    ],
)
def test_lines_named_by_number_as_the_object_are_all_that_is_to_change(
    instruction: str, lines: tuple[int, ...]
) -> None:
    assert object_lines(instruction, EIGHT) == lines


@pytest.mark.parametrize(
    "instruction",
    [
        "make it funnier",
        "add a joke after line 3",
        "在第3行后面加一句",
        "第3行前插入一句问候",
        "move line 5 behind line 7",
        "把第5行移到第7行后面",
        "swap lines 2 and 3",
        "第2行和第3行对调",
        "merge lines 2 and 3",
        "把第2行和第3行合并",
        "make it like line 2",
        "按第2行的风格改写",
        "rewrite everything from line 3 on",
        "从第3行开始改得更口语",
        "把第4行改得更幽默，其他行也相应调整",
        "make line 4 funnier and adjust the rest",
        "第4行改短，然后整体更口语一点",
        "make line 4 funnier, then make the whole thing shorter",
        "make line 4 flow into line 5",
        "第4行要和结尾呼应",
        "line 4 is great, make the others like it",
        "第4行不要动，其他改短",
        "everything except line 4 should be funnier",
        "除了第4行都改短",
        "第2行改短，结尾加一句总结",
        "make line 2 shorter and add a call to action",
        "把第二段改短",
        "make line 40 funnier",
        "line 4 repeats line 2, fix that",
        "把第2行的猫换成狗，后文同步修改",
        "delete line 2 and make line 5 funnier",
        "第4行改短，番茄改成西红柿",
        "make lines 1-8 funnier",
        "make the first person plural",
        "第2行前加个钩子",
        "turn line 4 and line 5 into one line",
        "delete line 3 and smooth over the gap",
        "第4行改得更幽默，并在后面加个梗",
        "the price in line 4 is wrong, fix it everywhere",
        "use line 2 as the opening",
    ],
)
def test_no_line_is_bound_where_others_may_be_meant(instruction: str) -> None:
    assert object_lines(instruction, EIGHT) == ()


def test_a_deletion_binds_nothing_where_other_lines_count() -> None:
    assert object_lines("delete line 3", LISTED) == ()
    assert object_lines("make line 3 funnier", LISTED) == (3,)


def test_in_subtitles_a_number_may_be_that_of_a_cue() -> None:
    assert object_lines("make line 3 funnier", NumberedScript("cues", 1, SUBTITLES)) == (3, 9)


@pytest.mark.parametrize(
    "instruction", ["改写" * 3_000 + "第2行", "make " * 8_000 + "line 2", "change " * 5_000 + "in line 2"]
)
def test_a_long_run_of_words_is_read_in_no_time(instruction: str) -> None:
    started = time.monotonic()
    object_lines(instruction, EIGHT)
    assert time.monotonic() - started < 5
