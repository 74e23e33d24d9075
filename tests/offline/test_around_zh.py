"""Words around a request, in Chinese: courtesy, reasons, doubts and descriptions are no text to write."""

import pytest

from tests.offline.editing import (
    AMBIGUOUS,
    NOT_MECHANICAL,
    after_line,
    outcome,
    swapped,
    with_lines,
    without,
)
from tests.offline.test_phrasings_zh import LESSON

ENDINGS = [
    ("把铅笔改成圆规可以吗？", swapped(LESSON, "铅笔", "圆规")),
    ("可以把铅笔改成圆规吗？", swapped(LESSON, "铅笔", "圆规")),
    ("把铅笔改成圆规谢谢", swapped(LESSON, "铅笔", "圆规")),
    ("把铅笔改成圆规吧", swapped(LESSON, "铅笔", "圆规")),
    ("第3行改成“拿笔。”可以吗？", with_lines(LESSON, {3: "拿笔。"})),
    ("把“铅笔”改成“圆规”，其余部分请勿改动", swapped(LESSON, "铅笔", "圆规")),
    ("把“铅笔”改成“圆规”，帮我改一下", swapped(LESSON, "铅笔", "圆规")),
    ("把铅笔改成圆规，我昨天记错了", swapped(LESSON, "铅笔", "圆规")),
    ("把铅笔改成圆规，因为教具换了", swapped(LESSON, "铅笔", "圆规")),
    ("把铅笔改成圆规，因为教具不够", swapped(LESSON, "铅笔", "圆规")),
    ("把铅笔改成圆规，全文", swapped(LESSON, "铅笔", "圆规")),
    ("把面积改成大小，三处都改", swapped(LESSON, "面积", "大小")),
    ("把面积改成大小，两处都改", AMBIGUOUS),
    ("把面积改成大小，第一个就行", swapped(LESSON, "面积", "大小", 1)),
    ("把第一个面积改成大小，全部", NOT_MECHANICAL),
    ("铅笔改成圆规了吗", NOT_MECHANICAL),
    ("把铅笔改成圆规了", AMBIGUOUS),
    ("把铅笔改成圆规吗", AMBIGUOUS),
    ("铅笔改成圆规不太好", AMBIGUOUS),
    ("把铅笔改成圆规试试", AMBIGUOUS),
    ("把铅笔改成圆规之类的", AMBIGUOUS),
    ("把铅笔改成圆规两个字", AMBIGUOUS),
    ("把铅笔改成圆规 其他不动", AMBIGUOUS),
    ("把面积改成大小三处都改", AMBIGUOUS),
    ("把铅笔改成酒吧", AMBIGUOUS),
    ("把铅笔改成大家辛苦了", AMBIGUOUS),
    ("第4行删掉了吗", NOT_MECHANICAL),
    ("第4行删掉吗", NOT_MECHANICAL),
    ("结尾加一句下课谢谢", AMBIGUOUS),
    ("结尾加一句下课之类的", AMBIGUOUS),
    ("结尾加一行，内容随意", AMBIGUOUS),
    ("结尾加一句下课或者再见", AMBIGUOUS),
    ("结尾加一句今天就到这里", after_line(LESSON, 7, "今天就到这里")),
    ("结尾加一句大家都好吗？", AMBIGUOUS),
    ("把铅笔改成圆规或者量角器", NOT_MECHANICAL),
    ("把铅笔改成圆规/量角器", NOT_MECHANICAL),
    ("把铅笔改成另一种文具", NOT_MECHANICAL),
    ("把陈老师改成我的名字", NOT_MECHANICAL),
    ("把陈老师改成一个人名", NOT_MECHANICAL),
    ("把8改成正确的数字", NOT_MECHANICAL),
    ("把8厘米换成英寸", NOT_MECHANICAL),
    ("把8改成两倍", NOT_MECHANICAL),
    ("把陈老师改成第三人称", NOT_MECHANICAL),
    ("第3行改成和第4行一样", NOT_MECHANICAL),
    ("结尾加一个互动问题", NOT_MECHANICAL),
    ("结尾加一句告诉大家带尺子", NOT_MECHANICAL),
    ("删掉含有“面积”和“铅笔”的行", NOT_MECHANICAL),
    ("第4行的面积改成答案，底改成边", AMBIGUOUS),
    ("第4行的面积改成答案、底改成边", with_lines(LESSON, {4: "边乘高，再除以2，就是答案。"})),
    ("把第4行的“面积”改成“答案”、把“底”改成“边”", AMBIGUOUS),
    ("第4行删掉了", NOT_MECHANICAL),
    ("结尾加上：删掉“铅笔”，然后删掉第3行", after_line(LESSON, 7, "删掉“铅笔”，然后删掉第3行")),
    ("结尾加上：下课，然后删掉第3行", AMBIGUOUS),
]  # fmt: skip

LEADING = [
    ("请做两处修改：删掉第3行，把陈老师改成林老师", without(swapped(LESSON, "陈老师", "林老师"), 3)),
    ("修改如下：\n删掉第3行\n把陈老师改成林老师", without(swapped(LESSON, "陈老师", "林老师"), 3)),
    ("一、删掉第3行；二、把陈老师改成林老师", without(swapped(LESSON, "陈老师", "林老师"), 3)),
    ("帮我改一下：铅笔改成圆规", swapped(LESSON, "铅笔", "圆规")),
    ("改个词，铅笔→圆规", swapped(LESSON, "铅笔", "圆规")),
    ("教具有误，把铅笔改成圆规", swapped(LESSON, "铅笔", "圆规")),
    ("让“圆规”取代“铅笔”", swapped(LESSON, "铅笔", "圆规")),
    ("“圆规”替换“铅笔”", swapped(LESSON, "铅笔", "圆规")),
    ("“铅笔”被替换成“圆规”", swapped(LESSON, "铅笔", "圆规")),
    ("不要“铅笔”，要“圆规”", swapped(LESSON, "铅笔", "圆规")),
    ("是圆规不是铅笔", swapped(LESSON, "铅笔", "圆规")),
    ("替换成“圆规”", AMBIGUOUS),
    ("把这个数字改成600", AMBIGUOUS),
    ("删掉那个", AMBIGUOUS),
]  # fmt: skip

PLANTS = "嗯，大家好。\n土要松一点，那个，别太湿。\n就是说，盆底要有孔。\n"
FILLERS = [
    ("把“那个”这个口头禅删掉", "嗯，大家好。\n土要松一点，别太湿。\n就是说，盆底要有孔。\n"),
    ("清理语气词（就是说）", "嗯，大家好。\n土要松一点，那个，别太湿。\n盆底要有孔。\n"),
    ("口头禅清一下", "大家好。\n土要松一点，别太湿。\n盆底要有孔。\n"),
    ("去掉口头禅（嗯）", "大家好。\n土要松一点，那个，别太湿。\n就是说，盆底要有孔。\n"),
    ("去掉口头禅，只去掉嗯", "大家好。\n土要松一点，那个，别太湿。\n就是说，盆底要有孔。\n"),
    ("去掉口头禅，除了嗯", "嗯，大家好。\n土要松一点，别太湿。\n盆底要有孔。\n"),
    ("去掉口头禅，保留“那个”", "大家好。\n土要松一点，那个，别太湿。\n盆底要有孔。\n"),
    ("去掉第一个口头禅", AMBIGUOUS),
    ("删掉第一个“那个”", AMBIGUOUS),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "expected"), FILLERS)
def test_only_the_named_fillers_go(instruction: str, expected: str) -> None:
    assert expected == outcome(PLANTS, instruction)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [pytest.param(instruction, expected, id=instruction) for instruction, expected in [*ENDINGS, *LEADING]],
)
def test_words_around_a_request_are_not_taken_for_text(instruction: str, expected: str) -> None:
    assert expected == outcome(LESSON, instruction)


@pytest.mark.parametrize(
    ("instruction", "expected"),
    [
        ("把频道改成直播间（新）", "欢迎来到直播间（新）。\n调用print。\n"),
        ("第1行改成大家好（笑）", "大家好（笑）\n调用print。\n"),
        ("把print改成print()", "欢迎来到频道。\n调用print()。\n"),
        ("把频道改成直播间（其他不动）", "欢迎来到直播间。\n调用print。\n"),
        ("把“频道”改成“直播间", AMBIGUOUS),
    ],
)
def test_brackets_of_a_new_text_stay_whole(instruction: str, expected: str) -> None:
    assert expected == outcome("欢迎来到频道。\n调用print。\n", instruction)


def test_fillers_are_named_in_either_script() -> None:
    script = "那個，先說好，嗯，我餓了。\n就是說，走吧。\n"

    assert outcome(script, "去掉那个、嗯、就是说") == "先說好，我餓了。\n走吧。\n"


@pytest.mark.parametrize("instruction", ["不要改第3行", "不要删第3行", "不用动第1行"])
def test_a_prohibition_deletes_nothing(instruction: str) -> None:
    assert outcome("一\n二\n改第3行\n", instruction) == NOT_MECHANICAL
