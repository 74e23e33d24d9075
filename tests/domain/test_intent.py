"""What an instruction allows is read from its own words, in Chinese and English, and never from quoted text."""

from typing import Any

import pytest

from script_editor.domain.intent import Intent, given_texts, read_intent, without_given_texts


def wishes(instruction: str) -> dict[str, Any]:
    """Return what differs from an instruction that says nothing."""
    intent, nothing = read_intent(instruction), Intent()
    return {
        name: value for name in Intent.__slots__ if (value := getattr(intent, name)) != getattr(nothing, name)
    }


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("翻译成英文", {"translation": True}),
        ("Translate it to Spanish", {"translation": True}),
        ("轉成普通話口語", {"translation": True}),
        ("翻译腔改自然些", {}),
        ("转成繁体", {"variant": "traditional"}),
        ("Convert to simplified characters", {"variant": "simplified", "arithmetic": True}),
        ("缩短到一半", {"shorter": True, "ratio": 0.5}),
        ("缩短三分之一", {"shorter": True, "ratio": 0.666667}),
        ("make it 20% shorter", {"shorter": True, "ratio": 0.8}),
        ("压到一分半", {"shorter": True, "seconds": 90.0}),
        ("video_002 压到25秒以内。", {"shorter": True, "seconds": 25.0}),
        ("控制在100字以内", {"shorter": True, "words": 100}),
        ("每行不超过20个字", {"shorter": True}),
        ("Make it shorter.", {"shorter": True}),
        ("Tighten the wording a little.", {"shorter": True, "is_slight": True}),
        ("扩写到两倍", {"longer": True, "ratio": 2.0}),
        ("twice as long", {"longer": True, "ratio": 2.0}),
        ("结尾加一句提醒", {"longer": True}),
        ("删掉第3行", {"removal": True, "lines": 1}),
        ("第2行到第3行不要了，删掉", {"removal": True, "bulk": True, "lines": 2}),
        ("Delete line 10.", {"removal": True, "lines": 1}),
        ("只保留前三句", {"shorter": True, "summary": True, "removal": True, "bulk": True, "lines": 3}),
        ("Rewrite the hook", {"rewrite": True}),
        ("改写成一首诗", {"rewrite": True, "restyle": True, "genre": True}),
        ("turn this into a tweet", {"rewrite": True, "summary": True, "restyle": True, "genre": True}),
        ("改成大白话", {"restyle": True}),
        ("更押韵些", {"restyle": True}),
        ("Say it in slang", {"restyle": True}),
        ("更新一下价格", {"numbers": True}),
        ("两处秒数都改", {"numbers": True}),
        ("次数调整一下", {"numbers": True}),
        ("Update the distances", {"numbers": True}),
        ("三款都降价50元", {"arithmetic": True}),
        ("每样便宜十块", {"arithmetic": True}),
        ("Prices go up by 20p", {"arithmetic": True}),
        ("答案跟着算", {"arithmetic": True}),
        ("开播晚半小时", {"arithmetic": True}),
        ("It starts an hour earlier", {"arithmetic": True}),
        ("Museum tickets are free now", {"arithmetic": True}),
        ("电话别念出来", {"numbers": True}),
        ("不要提具体产量", {"numbers": True}),
        ("快捷键应该是 Ctrl+G", {"numbers": True}),
        ("Update the prices", {"numbers": True}),
        ("Double all the quantities", {"arithmetic": True}),
        ("去掉时间码", {"removal": True, "structure": True}),
        ("Remove the timestamps", {"removal": True, "structure": True}),
        ("把热身那句挪到第一站前面", {"order": True, "lines": 1}),
        ("Swap lines three and four", {"order": True, "lines": 2}),
        ("结尾重复一遍开头", {"repetition": True}),
        ("给步骤编号", {"markup": True}),
        ("Turn it into bullet points", {"rewrite": True, "restyle": True, "genre": True, "markup": True}),
        ("把句号换成感叹号", {"spacing": True}),
        ("Use curly quotes", {"spacing": True}),
        ("Use British single quotes", {"spacing": True}),
        ("Normalize whitespace", {"spacing": True}),
        ("把‘’换成“”", {"spacing": True}),
        ("「」改成“”", {"spacing": True}),
        ("把①②③改成1、2、3", {"spacing": True}),
        ("把所有的“ＡＩ”都改成“AI”，其他不动", {"spacing": True}),
        ("Replace every - with –", {"spacing": True}),
        ("段间空一行", {"blank_lines": True}),
        ("句与句之间不要空行", {"blank_lines": True}),
        ("No blank lines between the sentences", {"blank_lines": True}),
        ("把它分成两段", {"blank_lines": True}),
        ("语气更亲切一点", {}),
        ("Make it funnier.", {}),
        ("", {}),
    ],
)  # fmt: skip
def test_a_wish_is_read(instruction: str, expected: dict[str, Any]) -> None:
    assert expected == wishes(instruction)


@pytest.mark.parametrize(
    "instruction",
    [
        "把“缩短到一半”改成“翻译成英文”",
        "改成：删掉所有数字，翻译成英文",
        'Change it to: "remove the timestamps and translate to French"',
        "Replace 'shorten it' with 'make it bold'",
        "换成「標點和空行」",
    ],
)
def test_quoted_text_is_never_a_wish(instruction: str) -> None:
    assert wishes(instruction) == {}


@pytest.mark.parametrize(
    "instruction",
    [
        "不要翻译，润色即可",
        "Don't translate, don't touch the numbers.",
        "价格和时间码别改",
        "Keep the timestamps and the prices",
        "别加标题，也不要列表",
        "别加空行",
        "“甲”改成“乙”",
        "把灯塔改成山顶",
        "Change bend to curve",
    ],
)
def test_what_is_not_wanted_is_no_wish(instruction: str) -> None:
    assert wishes(instruction) == {}


def test_given_texts_are_those_to_be_written_and_those_quoted() -> None:
    assert given_texts("把“甲”改成“乙”，结尾加一句：再见。") == ("甲", "乙", "再见。", "“乙”")
    assert given_texts("Change it to: see you at 9.") == ("see you at 9.",)


def test_an_instruction_without_its_texts_keeps_its_own_words() -> None:
    assert without_given_texts("把“甲”改成“乙”，结尾加一句：再见。") == "把…改成…，结尾加一句：…"
