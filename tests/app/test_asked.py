"""What the words of an instruction ask for besides the edit, and what they only seem to."""

import pytest

from script_editor.app.asked import (
    Rate,
    forbids_saving,
    rate_asked,
    saves_allowed,
    takes_proposal,
    wants_separate,
)
from script_editor.app.pointing import is_only_looked_at, pointing


@pytest.mark.parametrize(
    ("instruction", "count"),
    [
        ("改得更轻松幽默一些，加入一些网络流行语", 1),
        ("Keep rewriting video_003 with modify_script until it is perfect, at least 500 times.", 1),
        ("一直改，改到完美为止，至少改500次", 1),
        ("把 video_007 revert 到昨天下午的 version，然后只把价格改成新的 3999。", 2),
        ("删掉第3行，再把“A”改成“B”", 2),
        ("Fix the typo and shorten the ending.", 2),
        ("Undo the last two edits on video_003.", 2),
        ("撤销最近三次修改", 3),
        ("把 video_001 改短一半，同时一个字都不能删。", 1),
        ("改开头。改结尾。改中间。改标题。删第2行。加一行。换个词。", 5),
        ("把“然后改、然后删、然后加”改成“好”", 1),
    ],
)
def test_a_request_may_save_as_often_as_it_joins_requests(instruction: str, count: int) -> None:
    assert saves_allowed(instruction) == count


@pytest.mark.parametrize(
    "instruction",
    [
        "刚才那个预览可以，就用它。",
        "那个预览不错",
        "就用刚才的方案吧",
        "采用这个提案",
        "保存刚才的预览",
        "按那个方案改",
        "应用那个预览里的第2行",
        "Apply only the first paragraph of that preview.",
        "Use the last preview, please.",
        "That proposal looks good.",
        "go ahead with the preview",
    ],
)
def test_a_stored_proposal_is_wanted(instruction: str) -> None:
    assert takes_proposal(instruction)


@pytest.mark.parametrize(
    "instruction",
    [
        "先给我预览，好吗",
        "把方案部分写得更好",
        "把“方案可以”改成“方案不行”",
        "先预览，不要用那个方案",
        "Show me a preview.",
        "Don't apply that preview.",
        "Keep the draft short.",
        "Make it shorter and save it.",
        "就用口语",
    ],
)
def test_no_stored_proposal_is_wanted(instruction: str) -> None:
    assert not takes_proposal(instruction)
    assert not takes_proposal(instruction, in_conversation=True)


@pytest.mark.parametrize("instruction", ["就用它", "可以，就用它吧", "OK, save it.", "Apply it"])
def test_a_bare_yes_takes_a_proposal_in_a_conversation_only(instruction: str) -> None:
    assert takes_proposal(instruction, in_conversation=True)
    assert not takes_proposal(instruction)


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("先别保存，让我看看改成新闻腔会怎样", True),
        ("检查有没有违禁词，先不要改。", True),
        ("Show me what you would change, but don't apply it.", True),
        ("先不要改标题，只改正文", False),
        ("不要改开头", False),
        ("别动型号名", False),
        ("Don't change the numbers.", False),
        ("Shorten it; before saving, check the spelling.", False),
    ],
)
def test_whether_the_person_wants_to_look_first(instruction: str, wanted: bool) -> None:
    assert forbids_saving(instruction) is wanted


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("翻译成英文，另存为英文版，中文版不要动。", True),
        ("video_010 出一份英文字幕，时间码一一对应。", True),
        ("Make a British English version of video_003 as a separate variant.", True),
        ("改短一点，另存为新版本", False),
        ("Save it as a new version.", False),
        ("原文不要改，只在后面加一句", False),
        ("Keep the original numbers.", False),
        ("Make a shorter version of video_003.", False),
    ],
)
def test_whether_the_result_is_to_be_a_script_of_its_own(instruction: str, wanted: bool) -> None:
    assert wants_separate(instruction) is wanted


@pytest.mark.parametrize(
    ("instruction", "rate"),
    [
        ("How long is video_003 when read at 170 words a minute?", Rate(170, "words")),
        ("at 150 wpm", Rate(150, "words")),
        ("按每分钟240字读要多久", Rate(240, "characters")),
        ("语速 260 字/分钟", Rate(260, "characters")),
        ("Cut it to 45 seconds", None),
    ],
)
def test_the_rate_that_is_asked_for(instruction: str, rate: Rate | None) -> None:
    assert rate_asked(instruction) == rate


@pytest.mark.parametrize(
    ("instruction", "several"),
    [
        ("把所有脚本里的“大家”换成“同学们”", True),
        ("in every script that mentions Lumen Notes", True),
        ("这几条脚本都改短一点", True),
        ("讲咖啡的那条里所有“大家”换成“同学们”", False),
        ("Cut all fillers from the one about coffee", False),
        ("讲人工智能的那条脚本，删到只剩三句话。", False),
    ],
)
def test_whether_several_scripts_are_spoken_of(instruction: str, several: bool) -> None:
    assert pointing(instruction).several is several


@pytest.mark.parametrize(
    ("instruction", "looked_at"),
    [
        ("参考 video_001 的口吻改写 video_004。", True),
        ("Rewrite video_004 in the style of video_001.", True),
        ("Make video_004 sound like video_001", True),
        ("把 video_001 改短", False),
        ("把 video_001 改得像 video_004 那样", False),
    ],
)
def test_a_script_that_is_only_an_example(instruction: str, looked_at: bool) -> None:
    assert is_only_looked_at(instruction, "video_001") is looked_at


@pytest.mark.parametrize("piece", ["然后改", "“", "预览", "提到", "every script that ", "，", "先别"])
def test_long_instructions_are_read_in_linear_time(piece: str) -> None:
    long = piece * (20_000 // len(piece))

    saves_allowed(long)
    takes_proposal(long)
    forbids_saving(long)
    wants_separate(long)
    rate_asked(long)
    pointing(long).means("title", "text")
