"""Whether an instruction wants a change at all, and what a person says to what they were shown."""

import pytest

from script_editor.app.asked import forbids_saving, saves_allowed
from script_editor.app.verdicts import declines, takes_bare, wants_another_edit
from script_editor.app.wishes import (
    goes_back,
    is_step_back,
    only_asks,
    only_goes_back,
    versions_named,
    wants_deletion,
)


@pytest.mark.parametrize(
    "instruction",
    [
        "video_001 有多长？",
        "改过几次？都改了什么？",
        "开头是不是太书面了？",
        "脚本里提到了几个价格",
        "把人名都找出来",
        "检查有没有语病",
        "能不能告诉我改了几次",
        "請問這段有多長？",
        "先说说你打算怎么改",
        "video_001 的开头够口语吗",
        "How long is video_003?",
        "Who last edited it?",
        "What else could we open with?",
        "Can you tell me what changed yesterday?",
        "Did anyone change video_003?",
        "List the typos, no edits please",
        "Read it and tell me what's weak. Do not touch it.",
        "Could you list the numbers?",
        "I'm just curious how long it is",
    ],
)
def test_a_question_orders_no_change(instruction: str) -> None:
    assert only_asks(instruction)


@pytest.mark.parametrize(
    "instruction",
    [
        "能不能把开头改得更口语？",
        "開頭可以口語一點嗎？",
        "能帮我把第三段理顺一下吗",
        "看看开头，帮我改得更口语",
        "结尾换成反问句：你准备好了吗？",
        "怎么顺口怎么来，全文润色",
        "那条讲天为什么蓝的，开头口语一点",
        "在结尾提一下下期讲什么",
        "有多长？太长的话把开头删短一点",
        "改短一点？",
        "Could you make the opening friendlier?",
        "Why is the opening so stiff? Please make it friendlier.",
        "How about making the opening friendlier",
        "Why don't we open with the price?",
        "End with a question: what will you build?",
        "Explain the formula better in section two",
        "Tidy up the opening, then tell me what you changed",
        "When the host asks about coffee, cut the reply",
        "Shorter please",
        "too formal",
    ],
)
def test_an_order_may_be_polite_or_hold_a_question(instruction: str) -> None:
    assert not only_asks(instruction)
    assert not forbids_saving(instruction)


@pytest.mark.parametrize(
    "instruction",
    [
        "暫時別存，開頭口語一點給我看",
        "给开头出三个方案，我挑一个",
        "写个草稿，我确认了再存",
        "先出个预览：开头更口语",
        "如果开头改口语，会是什么样",
        "别急着改，先讨论一下",
        "dry run: friendlier opening",
        "Suggest three hooks",
        "Let me see it before you save anything",
        "Don't change anything yet, how would you open it?",
        "Draft a friendlier opening for my review",
        "Try three hooks and let me choose",
    ],
)
def test_a_look_first_is_known_by_its_words(instruction: str) -> None:
    assert forbids_saving(instruction)


@pytest.mark.parametrize(
    "instruction",
    [
        "不用预览，直接把开头改口语",
        "改完之后给我看看改了哪里",
        "刚才那个预览可以，就用它",
        "Suggest subscribing at the end",
        "The preview looks good, save it",
        "Make it friendlier but don't change the price",
    ],
)
def test_a_word_of_looking_alone_keeps_nothing_from_being_saved(instruction: str) -> None:
    assert not forbids_saving(instruction)


@pytest.mark.parametrize(
    ("said", "no"),
    [
        ("不要了", True),
        ("先放着，我再想想", True),
        ("不太满意", True),
        ("hold on", True),
        ("I'm not sure about it", True),
        ("leave it for now", True),
        ("没问题，就这么改", False),
        ("不错，用吧", False),
        ("不用再改了，就用它", False),
        ("第2处不要，其他用", False),
        ("同意", False),
        ("sure, no problem", False),
        ("Ship it", False),
    ],
)
def test_a_no_to_a_proposal_is_told_from_a_yes(said: str, no: bool) -> None:
    assert declines(said) is no


@pytest.mark.parametrize(
    ("said", "another"),
    [
        ("再短一点", True),
        ("这个可以，但是结尾再短点", True),
        ("close, but make it warmer", True),
        ("就按你说的改吧", False),
        ("好，換成這個", False),
        ("make that change", False),
        ("apply all changes", False),
    ],
)
def test_another_edit_than_the_one_shown_is_told_from_it(said: str, another: bool) -> None:
    assert wants_another_edit(said) is another


@pytest.mark.parametrize(
    ("said", "bare"), [("就用它", True), ("use it", True), ("用第二个", False), ("the earlier one", False)]
)
def test_which_proposal_is_meant_may_be_left_open(said: str, bare: bool) -> None:
    assert takes_bare(said) is bare


@pytest.mark.parametrize(
    ("instruction", "back", "step", "only"),
    [
        ("还是改回去", True, True, False),
        ("還原", True, True, False),
        ("undo that", True, True, False),
        ("撤销最近两次修改", True, True, False),
        ("把 video_001 恢复到第1版", True, False, True),
        ("Go back to version 2 of video_003", True, False, True),
        ("go back two versions", True, False, False),
        ("回到第1版，然后把“A”改成“B”", True, False, False),
        ("把价格恢复成 79 元", True, True, False),
        ("Bring back the old ending but keep the new beginning", True, False, False),
        ("撤销昨天的修改", True, False, False),
        ("把开头改口语一点", False, False, False),
        ("Make it friendlier", False, False, False),
    ],
)
def test_a_way_back_is_told_from_an_edit(instruction: str, back: bool, step: bool, only: bool) -> None:
    assert (goes_back(instruction), is_step_back(instruction), only_goes_back(instruction)) == (
        back,
        step,
        only,
    )


def test_the_versions_that_are_named_are_read_in_both_languages() -> None:
    assert versions_named("对比第2版、第十二版和 v4，还有 version 7；“第9版”不算") == {2, 12, 4, 7}


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("永久删除 video_001 和它的所有版本", True),
        ("把 Video_001 清空", True),
        ("video_001 不要了，删了吧", True),
        ("Delete the script video_001", True),
        ("Erase the history of video_001", True),
        ("删掉 video_001 的第一句", False),
        ("把 video_001 里的口头禅删掉", False),
        ("Delete the second sentence of video_001", False),
        ("Remove the price from video_001", False),
    ],
)
def test_deleting_a_script_is_told_from_deleting_in_it(instruction: str, wanted: bool) -> None:
    assert wants_deletion(instruction, ("video_001",)) is wanted


@pytest.mark.parametrize(
    ("instruction", "count"),
    [
        ('Replace "a" with "b"; replace "c" with "d"; after that replace "e" with "f"', 3),
        ("把“甲”改成“乙”，再把“丙”改成“丁”，之后把“戊”改成“己”，接着把“庚”改成“辛”", 4),
        ("1) 把“甲”改成“乙” 2) 把“丙”改成“丁”", 2),
        ("①第1句改短 ②第5句改短", 2),
        ("Tidy up the opening, then tell me what you changed", 1),
        ("就用它，然后把结尾也改口语一点", 2),
        ("撤销 video_007 最近两次修改", 2),
        ("改得自然，改得像聊天", 1),
    ],
)
def test_each_request_of_several_may_save_a_version(instruction: str, count: int) -> None:
    assert saves_allowed(instruction) == count


@pytest.mark.parametrize(
    "piece", ["可以", "what, ", "把", "先给我", "undo ", "恢复", "don't ", "改成", " and how "]
)
def test_long_instructions_are_read_in_linear_time(piece: str) -> None:
    long = piece * (20_000 // len(piece))

    only_asks(long)
    forbids_saving(long)
    declines(long)
    wants_another_edit(long)
    goes_back(long)
    is_step_back(long)
    only_goes_back(long)
    versions_named(long)
    wants_deletion(long, ("video_001",))
