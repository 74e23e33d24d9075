"""Long scripts and long instructions: no pattern may run away."""

import time

import pytest

from tests.offline.editing import outcome, rewrite_text

LONG_SCRIPT = "".join(
    f"第{number}句，大家好，我是阿柚{number}，今天聊聊西门{number % 7}。\n" for number in range(1, 601)
)
SECONDS = 5.0  # the slowest takes a fifth of this on a small machine; a runaway pattern takes minutes

HOSTILE = {
    "prose": "这段是会议纪要，和修改无关：场地、灯光都没有定，等周五再确认，大家不要提前通知嘉宾。" * 180,
    "one clause without end": "把" + "西门改成东门" * 1300,
    "verbs and joints": "把西门改成东门，然后再加上删除移动到第3行后面，" * 300,
    "deletions": "删掉第3行，" * 1300 + "哈哈哈",
    "quotation marks that never close": "“" * 8000,
    "nested quotation marks": "「" * 4000 + "」",
    "apostrophes": "'a " * 2700,
    "list of numbers": "第2、" * 2600 + "3行删掉",
    "then": "then " * 1600,
    "and": "and " * 2000,
    "please": "please " * 1140,
    "places": "in line 3 " * 800,
    "English prose": (
        "replace the cup with the jar and then delete line and move to and swap with after before in the line "
        * 80
    )[:8000],
    "digits": "删掉第" + "1" * 7990 + "行",
    "Chinese digits": "删掉第" + "十" * 7990 + "行",
    "spaces": " " * 8000,
    "fillers": "去掉语气词，比如" + "嗯、" * 3900,
}


def took(script: str, instruction: str) -> float:
    start = time.perf_counter()
    outcome(script, instruction)
    return time.perf_counter() - start


@pytest.mark.parametrize("instruction", HOSTILE.values(), ids=HOSTILE.keys())
def test_eight_thousand_hostile_characters_are_answered_soon(instruction: str) -> None:
    assert took(LONG_SCRIPT, instruction) < SECONDS


def test_two_hundred_edits_in_one_instruction_are_made_soon() -> None:
    instruction = "；".join(f"把第{number}行的阿柚{number}改成小柚{number}" for number in range(1, 201))

    assert took(LONG_SCRIPT, instruction) < SECONDS
    assert 200 == rewrite_text(LONG_SCRIPT, instruction).count("小柚")


def test_a_long_text_is_inserted_as_it_is() -> None:
    text = "很长的话，" * 1600

    assert took(LONG_SCRIPT, f"在第3行后面加一行：{text}") < SECONDS
    assert f"\n{text}\n" in rewrite_text(LONG_SCRIPT, f"在第3行后面加一行：{text}")
