"""Lines that are gone with nothing in their place: a text that stops early is no edit, fewer lines may be one."""

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check
from tests.domain.guarded import DESK_TIPS, KITCHEN, LETTERS, MAPS, PLANT, changed

STREET = (
    "大家好，欢迎回到老街。\n后来材料换了，颜色却留了下来。\n……\n屏幕上沿和眼睛齐平就可以了。\n别急着往下看，先把笔记拿出来。\n"
    "我们把问题拆开，一个一个来看。\n这张桌子用的是老榆木，很结实。\n窗外的雨下了一整夜，天亮才停。\n白色看起来最干净，也最显脏。\n明天见。\n"
)


def found(before: str, instruction: str, after: str, targets: tuple[int, ...] = ()) -> list[tuple[str, str]]:
    findings = check(before, after, GuardContext(instruction=instruction, targets=targets))
    return [(finding.guard, finding.code) for finding in findings if finding.level == "error"]


def without_end(text: str, lines: int, cut: int = 0) -> str:
    """Return a text without its last lines, and without so many characters of what is then its end."""
    left = "\n".join(text.rstrip("\n").split("\n")[:-lines] if lines else text.rstrip("\n").split("\n"))
    return left[: len(left) - cut] + "\n"


@pytest.mark.parametrize(
    ("before", "instruction", "after"),
    [
        pytest.param(KITCHEN, "第2行更口语一点", without_end(KITCHEN, 0, 4), id="the last line breaks off"),
        pytest.param(PLANT, "Make line 2 more casual.", without_end(PLANT, 0, 14), id="the last line breaks off, in English"),
        pytest.param(KITCHEN, "整体更口语一点，意思别变", without_end(changed(KITCHEN, ("今天我们", "今儿咱们")), 1, 3), id="the last but one breaks off"),
        pytest.param(LETTERS, "在第2行后面加一句：这一步别着急，慢慢来就好。", without_end(changed(LETTERS, ("小书。", "小书。\n这一步别着急，慢慢来就好。")), 2, 3), id="an inserted line, then the end breaks off"),
        pytest.param(PLANT, "Make the whole script a bit more casual, keep the meaning.", "Hey all, welcome back to Desk Garden.\nToday we're repotting a snake plant.\nYou'll want a pot that is two inches wider than the old one.\nFill the bottom third with fresh soil.\nWater\n", id="one word of a line"),
        pytest.param(STREET, "换个说法", without_end(changed(STREET, ("大家好", "嗨，大家好")), 2, 4), id="another wording breaks off"),
        pytest.param(STREET, "第2行更口语一点", without_end(STREET, 1), id="the last line is missing"),
        pytest.param(STREET, "在第10行后面加一句：你可以先暂停，自己试一试。", without_end(STREET, 3), id="the lines before a new line are missing, and it too"),
        pytest.param(STREET, "第2行不够清楚，其他别动", without_end(changed(STREET, ("后来材料换了", "后来换了别的材料")), 1), id="the last line is missing, though the named line is unwanted as it is"),
        pytest.param(STREET, "整体更口语一点", without_end(changed(STREET, ("大家好", "嗨，大家好")), 3), id="three lines of the end are missing"),
        pytest.param(MAPS, "Fix typos, change nothing else", without_end(changed(MAPS, ("we look", "we will look")), 2), id="two lines of the end are missing"),
        pytest.param(STREET, "在第10行后面加一句：你可以先暂停，自己试一试。", STREET[: STREET.index("后来")] + STREET[STREET.index("……") : STREET.index("屏幕")] + STREET[STREET.index("白色") :] + "你可以先暂停，自己试一试。\n", id="the author's own dots stand for what is missing around them"),
        pytest.param(changed(STREET, ("白色看", "明天见。\n白色看"), ("……\n", "明天见。\n")), "整体更口语一点", without_end(changed(STREET, ("……", "咱们明天见。"), ("大家好", "嗨，大家好")), 3), id="an end with a refrain is missing"),
        pytest.param(STREET, "把第8行移到第4行后面", changed(without_end(STREET, 5), ("就可以了。", "就可以了。\n窗外的雨下了一整夜，天亮才停。")), id="a line moved, the lines behind its old place are missing"),
        pytest.param(MAPS, "Make line 1 warmer.", changed(MAPS, ("Welcome to", "A warm welcome to"), ("The outer bank is eaten away, and the inner bank fills up.\n", "")), id="another line than the named one is gone"),
    ],
)  # fmt: skip
def test_lines_that_nobody_asked_to_remove_may_not_go(before: str, instruction: str, after: str) -> None:
    assert ("losses", "content_lost") in found(before, instruction, after)


def test_what_is_gone_within_targets_is_left_to_them() -> None:
    after = without_end(KITCHEN, 2)

    assert ("losses", "content_lost") in found(KITCHEN, "更轻松一点", after)
    assert ("losses", "content_lost") not in found(KITCHEN, "更轻松一点", after, targets=(5, 6))


@pytest.mark.parametrize(
    ("before", "instruction", "after"),
    [
        pytest.param(KITCHEN, "最后一行不用了", without_end(KITCHEN, 1), id="a last line that is not needed"),
        pytest.param(PLANT, "We don't need the last line anymore.", without_end(PLANT, 1), id="a last line that is not needed, in English"),
        pytest.param(STREET, "结尾别求关注，也别说再见", without_end(STREET, 1), id="an end that is unwanted"),
        pytest.param(KITCHEN, "第2行更口语，别求关注", without_end(changed(KITCHEN, ("今天我们", "今儿咱们")), 1), id="a line in other words, and an end that is unwanted"),
        pytest.param(DESK_TIPS, "不要口号和客套话", without_end(DESK_TIPS, 2), id="talk that is unwanted"),
        pytest.param(KITCHEN, "更口语一点", changed(without_end(KITCHEN, 2), ("热水。", "热水，水开下面，三分钟就好，喜欢就点个关注，咱们明天见。")), id="the end in one line"),
        pytest.param(MAPS, "Make it sound more natural", changed(MAPS, ("you get a loop.\nThanks for watching.", "you get a loop, so thanks for watching.")), id="two last lines joined"),
        pytest.param(KITCHEN, "第3行和第4行写成一句", changed(KITCHEN, ("锅里放一勺油。\n番茄炒出红汁之后，加", "锅里放一勺油，炒出红汁再加")), id="two lines written as one"),
        pytest.param(KITCHEN, "结尾改成一个问题", changed(KITCHEN, ("水开下面，三分钟就好。\n喜欢的话点个关注，我们明天见。", "你学会了吗？")), id="another ending"),
        pytest.param(MAPS, "End on a question instead.", changed(MAPS, ("Give it a thousand years and you get a loop.\nThanks for watching.", "So what happens in a thousand years?")), id="another ending, in English"),
        pytest.param(PLANT, "Change line 6 to: Subscribe if you want part two", changed(PLANT, (", and see you next week.", "")), id="the short form was given"),
        pytest.param(PLANT, 'The "see you next week" at the very end sounds odd.', changed(PLANT, (", and see you next week.", "")), id="the words that went were named"),
        pytest.param(KITCHEN, "最后一行改短", changed(KITCHEN, ("，我们明天见。", "")), id="a shorter last line"),
        pytest.param(KITCHEN, "把最后一行移到第2行前面", "大家好，我是小棠，欢迎回到厨房十分钟。\n喜欢的话点个关注，我们明天见。\n" + without_end(KITCHEN, 1).partition("\n")[2], id="the last line moved"),
        pytest.param(STREET + "明天见。\n", "改错别字", STREET, id="a line that stood twice"),
        pytest.param(KITCHEN, "改写成更像聊天的样子", "哈喽，我是小棠，厨房十分钟又来啦。\n今天做番茄鸡蛋面，两个番茄切小块，一勺油炒出红汁，加一碗半热水。\n水开下面，三分钟就好。\n", id="another text"),
        pytest.param(STREET, "把第10行移到第7行前面", changed(without_end(STREET, 1), ("这张桌子", "明天见。\n这张桌子"), ("下了一整夜", "下了整整一夜")), id="a line moved over one that changed"),
        pytest.param(KITCHEN, "第6行去掉句号", KITCHEN[:-2] + "\n", id="without the full stop"),
    ],
)  # fmt: skip
def test_fewer_lines_may_be_what_was_asked_for(before: str, instruction: str, after: str) -> None:
    assert "losses" not in {guard for guard, _ in found(before, instruction, after)}
