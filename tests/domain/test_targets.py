"""A wanted length: read from an option or from an instruction, and whether a text has it."""

import time

import pytest

from script_editor.domain.targets import DurationTarget, parse_target, target_in
from script_editor.errors import BadInput


@pytest.mark.parametrize(
    ("instruction", "target"),
    [
        ("压到 45 秒", DurationTarget(seconds=45.0)),
        ("控制在一分钟以内", DurationTarget(seconds=60.0, bound="at_most")),
        ("剪到30秒左右", DurationTarget(seconds=30.0)),
        ("缩短两成", DurationTarget(ratio=0.8)),
        ("砍掉三分之一", DurationTarget(ratio=0.666667)),
        ("精简到原来的一半", DurationTarget(ratio=0.5)),
        ("cut it to 45 seconds", DurationTarget(seconds=45.0)),
        ("make it 20% shorter", DurationTarget(ratio=0.8)),
        ("trim to under a minute", DurationTarget(seconds=60.0, bound="at_most")),
        ("half as long", DurationTarget(ratio=0.5)),
        ("延长到两分钟", DurationTarget(seconds=120.0)),
        ("expand to 90 s", DurationTarget(seconds=90.0)),
        ("video_002 压到25秒以内。", DurationTarget(seconds=25.0, bound="at_most")),
        ("先把 video_004 压到两分半，再检查违禁词，最后导出提词器版本。", DurationTarget(seconds=150.0)),
        (
            "Make video_005 about 20% shorter but keep the product names and every formula.",
            DurationTarget(ratio=0.8),
        ),
        ("把 video_001 改短一半，同时一个字都不能删。", DurationTarget(ratio=0.5)),
        ("缩短到一半左右", DurationTarget(ratio=0.5)),
        ("压缩到 45 秒以内", DurationTarget(seconds=45.0, bound="at_most")),
        ("改得更幽默，压到45秒", DurationTarget(seconds=45.0)),
        ("改得口语一点再压到45秒但保留品牌名", DurationTarget(seconds=45.0)),
        ("总时长不要超过一分钟", DurationTarget(seconds=60.0, bound="at_most")),
        ("时长改成1分30秒", DurationTarget(seconds=90.0)),
        ("控制在45到60秒", DurationTarget(seconds=52.5)),
        ("至少缩短20%", DurationTarget(ratio=0.8, bound="at_most")),
        ("最多缩短20%", DurationTarget(ratio=0.8, bound="at_least")),
        ("再短20%", DurationTarget(ratio=0.8)),
        ("加长百分之三十", DurationTarget(ratio=1.3)),
        ("延长一倍", DurationTarget(ratio=2.0)),
        ("做一个30秒的版本", DurationTarget(seconds=30.0)),
        ("改成45秒版本", DurationTarget(seconds=45.0)),
        ("整体精简三成，语气不变", DurationTarget(ratio=0.7)),
        ("45秒以内，语气活泼", DurationTarget(seconds=45.0, bound="at_most")),
        ("帮我把整篇稿子压缩到一分半左右", DurationTarget(seconds=90.0)),
        ("请把视频剪成60秒", DurationTarget(seconds=60.0)),
        ("至少扩写到三分钟", DurationTarget(seconds=180.0, bound="at_least")),
        ("删掉第二段，然后压到45秒以内", DurationTarget(seconds=45.0, bound="at_most")),
        ("能不能把这条口播控制在 1:30 以内", DurationTarget(seconds=90.0, bound="at_most")),
        ("keep it under a minute", DurationTarget(seconds=60.0, bound="at_most")),
        ("Cut the script down to 45 seconds and keep the product names", DurationTarget(seconds=45.0)),
        ("please trim this to about a minute and a half", DurationTarget(seconds=90.0)),
        ("shorten it by a third", DurationTarget(ratio=0.666667)),
        ("cut it in half", DurationTarget(ratio=0.5)),
        ("reduce the length by 20 percent", DurationTarget(ratio=0.8)),
        ("bring it down to 30-45 seconds", DurationTarget(seconds=37.5)),
        ("make a 45-second version", DurationTarget(seconds=45.0)),
        ("turn this into a 30 second ad", DurationTarget(seconds=30.0)),
        ("it should be no longer than 60 seconds", DurationTarget(seconds=60.0, bound="at_most")),
        ("at most 90 seconds, friendlier tone", DurationTarget(seconds=90.0, bound="at_most")),
        ("under 45 seconds please", DurationTarget(seconds=45.0, bound="at_most")),
        ("45 seconds max", DurationTarget(seconds=45.0, bound="at_most")),
        ("make it twice as long", DurationTarget(ratio=2.0)),
        ("extend it to at least two minutes", DurationTarget(seconds=120.0, bound="at_least")),
        ("Make it funnier and cut it to 45 seconds", DurationTarget(seconds=45.0)),
        ("Remove line 3, then cut it to 45 seconds", DurationTarget(seconds=45.0)),
        ("trim 20%", DurationTarget(ratio=0.8)),
        ("I need it to be 30 seconds long", DurationTarget(seconds=30.0)),
        ("cut a third of it", DurationTarget(ratio=0.666667)),
        ("reduce it to 80%", DurationTarget(ratio=0.8)),
        ("make this script 10% longer", DurationTarget(ratio=1.1)),
        ("cut it to half its length", DurationTarget(ratio=0.5)),
        ("double the length", DurationTarget(ratio=2.0)),
        ("Can you get this under 60 seconds?", DurationTarget(seconds=60.0, bound="at_most")),
        ("cut it to 1 minute and 30 seconds", DurationTarget(seconds=90.0)),
        ("压到一分钟以内，别动“45秒”那句", DurationTarget(seconds=60.0, bound="at_most")),
        ("change the length to 45 seconds", DurationTarget(seconds=45.0)),
        ("要求：控制在45秒内", DurationTarget(seconds=45.0, bound="at_most")),
        ("缩短到80%", DurationTarget(ratio=0.8)),
        ("boil it down to 45 seconds", DurationTarget(seconds=45.0)),
        ("halve it", DurationTarget(ratio=0.5)),
        ("expand it by 50%", DurationTarget(ratio=1.5)),
        ("壓縮到四十五秒以內", DurationTarget(seconds=45.0, bound="at_most")),
        ("精简到原文的三分之二", DurationTarget(ratio=0.666667)),
        ("删减一半篇幅", DurationTarget(ratio=0.5)),
        ("make it at least 20% shorter", DurationTarget(ratio=0.8, bound="at_most")),
        ("tighten it to ninety seconds", DurationTarget(seconds=90.0)),
        ("Shorten to 45s.", DurationTarget(seconds=45.0)),
        ("把这条视频的口播压到三十秒", DurationTarget(seconds=30.0)),
        ("这条太长了，压缩到45秒", DurationTarget(seconds=45.0)),
        ("太啰嗦，砍一半", DurationTarget(ratio=0.5)),
        ("帮我把它弄到60秒以内", DurationTarget(seconds=60.0, bound="at_most")),
        ("篇幅减少三分之一", DurationTarget(ratio=0.666667)),
        ("减少一半内容", DurationTarget(ratio=0.5)),
        ("一分钟以内讲完", DurationTarget(seconds=60.0, bound="at_most")),
        ("希望最终时长在40到50秒之间", DurationTarget(seconds=45.0)),
        ("要能在30秒内念完", DurationTarget(seconds=30.0, bound="at_most")),
        ("把文案从两分钟压到一分钟", DurationTarget(seconds=60.0)),
        ("压缩到 0.8 倍", DurationTarget(ratio=0.8)),
        ("目标时长：45秒", DurationTarget(seconds=45.0)),
        ("请控制时长在45秒以内", DurationTarget(seconds=45.0, bound="at_most")),
        ("Cut this from 90 seconds to 45 seconds", DurationTarget(seconds=45.0)),
        ("We need a one-minute version of this script", DurationTarget(seconds=60.0)),
        ("Target length: 45 seconds", DurationTarget(seconds=45.0)),
        ("Fit this into a 30-second slot", DurationTarget(seconds=30.0)),
        ("Make it longer, around two minutes", DurationTarget(seconds=120.0)),
        ("Let's get it down to 1:15", DurationTarget(seconds=75.0)),
        ("make it 1.5 times as long", DurationTarget(ratio=1.5)),
    ],
)
def test_an_instruction_names_a_length(instruction: str, target: DurationTarget) -> None:
    assert target_in(instruction) == target


@pytest.mark.parametrize(
    "instruction",
    [
        "把“45秒”改成“30秒”",
        "把煮面时间改成四分钟",
        "change 45 seconds to 30 seconds",
        "在第30秒加一句",
        "add a line about the 45 second rule",
        "say twelve days instead of ten",
        "删掉第3行",
        "缩短第二句",
        "shorten line 3 to 10 words",
        "把开头压到三秒",
        "把第二段压缩到10秒",
        "把第二段写活泼些，压到10秒",
        "shorten the intro to 5 seconds",
        "Rewrite the intro and keep it under 10 seconds",
        "cut the first 30 seconds",
        "take 10 seconds off",
        "trim it by 10 seconds",
        "缩短10秒",
        "结尾留白三秒",
        "停顿改成2秒",
        "热水改成一碗，下面改成两分钟",
        "Shorten it.",
        "短一点",
        "make the pause 2 seconds",
        "把价格降低20%",
        "cut the price by 20%",
        "删掉一半的感叹号",
        "砍掉三分之一的例子",
        "make sentences 20% shorter",
        "20% shorter sentences",
        "别压到45秒",
        "don't cut it to 45 seconds",
        "最后加一句：控制在45秒以内",
        "最后一句改成 大家记住，控制在三分钟以内",
        "Add: keep it under a minute",
        'End with "cut it to 45 seconds"',
        "说“缩短一半”",
        "make it two minutes later",
        "the noodles take four minutes",
        "开头改得抓人，三秒以内",
        "把等待时间压到30秒",
        "把煮面的时间缩短到三分钟",
        "扩写第三段到30秒",
        "改成两分钟",
        "让嘉宾多说30秒",
        "把“一半”改成“三成”",
        "删掉后半段",
        "cut the second half",
        "move the second half up",
        "换成半糖",
        "add a 30-second pause",
        "延长停顿到2秒",
        "缩短到10个字",
        "控制在100字以内",
        "cut it to 100 words",
        "把 45 秒那句删掉",
        "delete the line at 0:45",
        "the timer says 45 seconds max",
        "把价格改成九成",
        "打八折改成打五折",
        "say half instead of a third",
        "煮面控制在四分钟以内",
        "keep the noodles under a minute",
        "把1:30改成2:30",
        "翻译成英文",
        "视频前30秒再紧凑一点",
        "Make the second third funnier",
        "把第三句缩短到5秒",
        "第3行缩短一半",
        "把广告部分控制在10秒",
        "把嘉宾的话缩短20%",
        "make the host's lines 20% shorter",
        "shorten the hook to 10 seconds",
        "give me a pause of 10 seconds",
        "add 10 seconds of silence",
        "the clip is 45 seconds long",
        "这条现在45秒",
        "现在是一分半",
        "原来是60秒",
        "每句不超过10秒",
        "每段控制在10秒以内",
        "每行不超过15个字",
        "keep each line under 10 seconds",
        "no sentence longer than 10 seconds",
        "停顿不超过10秒",
        "开场白10秒以内",
        "10秒内抓住观众",
        "前10秒要抓人",
        "10 秒后加一个转场",
        "把三分钟改成四分钟，别的别动",
        "煮面四分钟以内",
        "水开后煮三分钟，改成煮四分钟以内",
        'change "under a minute" to "within an hour"',
        "say it takes under a minute",
        "mention the 60 second limit",
        "add that it takes less than 30 seconds",
        "we promise delivery in under 30 minutes, add that",
        "把“三十秒”都换成“一分钟”",
        "三十秒改为一分钟以内",
        "把成膜时间写成十秒以内",
        "把 20% 改成 30%",
        "打折力度加到30%",
        "续航还剩一半改成还剩三成",
        "亮度提高20%",
        "音乐音量降低一半",
        "语速加快20%",
        "speed it up by 20%",
        "make it twice as funny",
        "half the jokes",
        "cut half of the adjectives",
        "remove a third of the adverbs",
        "reduce the font by half",
        "Add one more tip about salt.",
        "Explain why 45 seconds is enough",
        'replace "45 seconds" with half a minute',
        "Make it sound like 30 seconds have passed",
        "translate the first minute",
        "删掉30秒那段",
        "删除00:45那句",
        "把第45秒的内容提前",
        "move the line at 30 seconds to the start",
        "加一句限时30秒以内",
        "文案里加上：全程不超过一分钟",
        "结尾写：一分钟以内送达",
        "改成：控制在30秒内",
        "a minute is enough",
        "用一分钟讲清楚为什么天是蓝的",
        "只剩一分钟了，抓紧改",
        "I have 30 seconds, be quick",
        "You have at most a minute to answer me",
        "答复控制在一分钟以内",
        "把最后一句压缩一半",
        "“压到45秒”这句删掉",
        "Does it fit in 45 seconds?",
        "这条有45秒吗？",
        "会不会超过一分钟？",
        "有没有控制在一分钟以内？",
        "Is it under a minute?",
        "What would it take to cut it to 45 seconds?",
        "为什么缩短一半？",
        "不用压到45秒",
        "不需要缩短20%",
        "it doesn't have to be 45 seconds",
        "hold it for 10 seconds",
        "boil it for ten minutes",
        "烤20分钟左右",
        "盐减半",
        "恢复到10分钟前的版本",
        "undo the last 5 minutes of edits",
        "double the price",
        "片头控制在5秒以内",
        "再砍10秒",
        "can you make it 15 seconds shorter",
        "改到45秒",
        "",
    ],
)
def test_a_time_that_is_content_or_about_a_part_is_no_target(instruction: str) -> None:
    assert target_in(instruction) is None


def test_a_time_counts_before_a_share_and_a_contradiction_counts_nothing() -> None:
    assert target_in("缩短两成，控制在45秒以内") == DurationTarget(seconds=45, bound="at_most")
    assert target_in("压到45秒，总时长60秒") is None


@pytest.mark.parametrize(
    ("value", "target"),
    [
        ("45s", DurationTarget(seconds=45)),
        ("45", DurationTarget(seconds=45)),
        ("45.5", DurationTarget(seconds=45.5)),
        ("45 sec", DurationTarget(seconds=45)),
        ("45秒", DurationTarget(seconds=45)),
        ("４５秒", DurationTarget(seconds=45)),
        ("1m30s", DurationTarget(seconds=90)),
        ("1:30", DurationTarget(seconds=90)),
        ("1:00:30", DurationTarget(seconds=3630)),
        ("1分30秒", DurationTarget(seconds=90)),
        ("1分05秒", DurationTarget(seconds=65)),
        ("一分半", DurationTarget(seconds=90)),
        ("两分半", DurationTarget(seconds=150)),
        ("一分十五秒", DurationTarget(seconds=75)),
        ("半分钟", DurationTarget(seconds=30)),
        ("half a minute", DurationTarget(seconds=30)),
        ("1 minute 30 seconds", DurationTarget(seconds=90)),
        ("a minute and a half", DurationTarget(seconds=90)),
        ("ninety seconds", DurationTarget(seconds=90)),
        ("两个半小时", DurationTarget(seconds=9000)),
        ("<=45s", DurationTarget(seconds=45, bound="at_most")),
        ("45秒以内", DurationTarget(seconds=45, bound="at_most")),
        ("at least 60s", DurationTarget(seconds=60, bound="at_least")),
        ("90%", DurationTarget(ratio=0.9)),
        ("-20%", DurationTarget(ratio=0.8)),
        ("+20%", DurationTarget(ratio=1.2)),
        ("20% shorter", DurationTarget(ratio=0.8)),
        ("50% longer", DurationTarget(ratio=1.5)),
        ("缩短20%", DurationTarget(ratio=0.8)),
        ("缩短两成半", DurationTarget(ratio=0.75)),
        ("half", DurationTarget(ratio=0.5)),
        ("一半", DurationTarget(ratio=0.5)),
        ("two thirds", DurationTarget(ratio=0.666667)),
        ("三分之一", DurationTarget(ratio=0.333333)),
        ("twice as long", DurationTarget(ratio=2.0)),
    ],
)
def test_an_option_names_a_length(value: str, target: DurationTarget) -> None:
    assert parse_target(value) == target


@pytest.mark.parametrize(
    "value", ["", "0", "0%", "-100%", "-5s", "1:75", "45字", "3 words", "soon", "9" * 30, "1" * 5000]
)
def test_an_option_that_is_no_length_is_refused_with_examples(value: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_target(value)

    assert repr(value) in str(caught.value)
    assert "1m30s" in caught.value.hint


@pytest.mark.parametrize(
    ("target", "before", "met", "missed"),
    [
        (DurationTarget(seconds=45), 90, (40.5, 45, 49.5), (40, 50)),
        (DurationTarget(seconds=10), 90, (8, 12), (7.9, 12.1)),
        (DurationTarget(seconds=60, bound="at_most"), 90, (0, 30, 60, 61.8), (61.9, 90)),
        (DurationTarget(seconds=60, bound="at_least"), 30, (58.2, 60, 90), (58.1, 30)),
        (DurationTarget(ratio=0.8), 100, (75, 80, 85), (74.9, 85.1, 100)),
        (DurationTarget(ratio=0.8, bound="at_most"), 100, (50, 80, 82.4), (82.5, 100)),
        (DurationTarget(ratio=1.5, bound="at_least"), 100, (145.5, 200), (145, 100)),
    ],
)
def test_a_length_is_met_within_its_tolerance(
    target: DurationTarget, before: float, met: tuple[float, ...], missed: tuple[float, ...]
) -> None:
    assert [after for after in met if not target.meets(before, after)] == []
    assert [after for after in missed if target.meets(before, after)] == []


def test_the_wanted_seconds_of_a_share_follow_the_base() -> None:
    assert DurationTarget(ratio=0.8).wanted_seconds(90) == pytest.approx(72)
    assert DurationTarget(seconds=45).wanted_seconds(90) == 45


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        (DurationTarget(seconds=45), "45 s"),
        (DurationTarget(seconds=52.5), "52.5 s"),
        (DurationTarget(seconds=60, bound="at_most"), "at most 60 s"),
        (DurationTarget(ratio=0.8), "20 % shorter"),
        (DurationTarget(ratio=0.8, bound="at_most"), "at least 20 % shorter"),
        (DurationTarget(ratio=1.5, bound="at_least"), "at least 50 % longer"),
        (DurationTarget(ratio=0.666667), "33.3 % shorter"),
        (DurationTarget(ratio=1.0), "the same length"),
    ],
)
def test_a_target_reads_as_a_person_says_it(target: DurationTarget, shown: str) -> None:
    assert str(target) == shown


@pytest.mark.parametrize(
    "piece", ["想要", "压", "please ", "不超过", "0", "“", "cut it ", "a half ", "，压到1", "半"]
)
def test_a_long_instruction_is_read_in_a_moment(piece: str) -> None:
    start = time.perf_counter()

    target_in(piece * (8000 // len(piece)))

    assert time.perf_counter() - start < 3
