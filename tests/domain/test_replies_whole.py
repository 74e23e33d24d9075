"""A whole rewrite comes down to what it changes; everything else keeps the author's bytes."""

import time

import pytest

from script_editor.domain.edits import resolve
from script_editor.domain.operations import Delete, Replace
from script_editor.domain.replies import parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.errors import EditRefused

GARDEN = "Hey everyone, welcome back to Desk Garden.\nToday we are repotting a snake plant.\nYou need a pot two inches wider.\nFill the bottom third with soil.\nWater it once, then wait for ten days.\nSubscribe, and see you next week.\n"
FERN = GARDEN.replace("snake plant", "fern")
NOODLES = (
    "大家好，我是小棠。\n今天我们做一碗番茄鸡蛋面。\n水开下面，三分钟就好。\n喜欢的话点个关注，我们明天见。\n"
)
NOODLES_NOW = NOODLES.replace("番茄鸡蛋面", "葱油面")
KITCHEN = "Intro music fades.\n\nThis is Night Kitchen.\nTonight's dish is toast.\n\nSlice it thick.\nButter first.\n\nSleep well.\n"


def edited(text: str, raw: str, instruction: str = "改一下", targets: tuple[int, ...] = ()) -> str:
    script = NumberedScript("video_001", 3, text)
    plan = parse_plan(raw, script, syntax="whole", instruction=instruction, targets=targets)
    return apply(text, resolve(script, plan))


def refused(text: str, raw: str) -> str:
    with pytest.raises(EditRefused) as caught:
        edited(text, raw)
    return caught.value.reason


def test_only_the_lines_that_differ_become_operations() -> None:
    script = NumberedScript("video_001", 3, GARDEN)

    plan = parse_plan(
        FERN.replace("Fill the bottom third with soil.\n", ""), script, syntax="whole", scope="global"
    )

    assert plan.scope == "global"
    assert plan.operations == (
        Replace(script.segment(2).id, "Today we are repotting a fern."),
        Delete(script.segment(4).id),
    )


@pytest.mark.parametrize(
    "before",
    [
        "好的！以下是修改后的脚本：\n\n", "好的，修改如下：\n", "修改后：\n", "修改后：", "【修改版】\n", "# 修改后的脚本\n\n", "已按您的要求修改：\n",
        "没问题，这是更新后的完整文案：\n\n", "完整脚本如下（仅第二行有改动）：\n\n", "我把第二句改得更幽默了一些，其余保持不变。\n\n",
        "当然！\n\n以下是更新后的脚本：\n---\n", "以下为修改后的文本\n\n", "<think>想想</think>", "想想\n</think>\n", "\n\n",
        "Sure! Here is the revised script:\n\n", "Here's the script with the second line changed:\n", "**Revised script:**\n\n", "Updated version:\n",
        "Certainly.\n\n", "Done! Noodles swapped.\n\n", "Got it — noodles swapped below.\n\n",
        "Here's a tastier version of your script. I kept it short!\n\n", "好嘞～改好啦！\n\n", "I've updated the second line as requested.\n\n", "Understood. Revised version below:\n\n", "Here is the updated script:\n\n---\n\n",
    ],
)  # fmt: skip
def test_what_announces_a_script_is_taken_off(before: str) -> None:
    assert edited(NOODLES, before + NOODLES_NOW) == NOODLES_NOW


@pytest.mark.parametrize(
    "behind",
    [
        "\n希望对你有帮助！", "\n还有别的要调的吗？", "\n字数：约40字", "\nWord count: 27", "\n如果还需要调整，请告诉我。", "\n以上是修改后的脚本，请查收。", "（已按要求修改）", "\n需要我再改得更轻松一点吗？",
        "\n---\n修改说明：\n1. 第二句改了。\n2. 其余内容未动。\n", "\n**主要改动**：\n- 第二句：番茄鸡蛋面改为葱油面", "修改说明：\n- 第二句", "\n注：仅修改了第二句。",
        "\n---\n将“番茄鸡蛋面”改为“葱油面”。", "\n\n---", "\n希望这个版本符合您的要求！如有其他需要，请随时告诉我。",
        "\nLet me know if you'd like any other changes!", "\nHope this helps!", "\nI changed line two as requested.", "\n***\n*Changes made:* second line",
        "\nNote: only the second line was changed.", "\nWould you like me to adjust the tone further?", "\n## Changes\n- line two", "\n---\nFeel free to ask for further tweaks.",
    ],
)  # fmt: skip
def test_what_takes_leave_of_a_script_is_taken_off(behind: str) -> None:
    assert edited(NOODLES, NOODLES_NOW + behind) == NOODLES_NOW


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(f"```\n{NOODLES_NOW}```", id="fence"),
        pytest.param(f"我改了第二句。\n```text\n{NOODLES_NOW}```\n这样更有味道。", id="fence with prose outside"),
        pytest.param(f"{NOODLES_NOW}```", id="closing fence alone"),
        pytest.param(f"<script>\n{NOODLES_NOW}</script>", id="tags"),
        pytest.param(f"“{NOODLES_NOW.rstrip()}”", id="quotation marks"),
        pytest.param(f'"{NOODLES_NOW.rstrip()}"', id="straight quotation marks"),
        pytest.param('{"script": "' + NOODLES_NOW.replace("\n", "\\n") + '"}', id="JSON object"),
        pytest.param('"' + NOODLES_NOW.replace("\n", "\\n") + '"', id="JSON string"),
        pytest.param("\n".join(f"S{n}:ab | {line}" for n, line in enumerate(NOODLES_NOW.split("\n")[:-1], 1)), id="line numbers"),
        pytest.param(NOODLES_NOW.replace("\n", "\r\n"), id="CRLF"),
        pytest.param('{"ops": [{"op": "substitute", "find": "番茄鸡蛋面", "replace": "葱油面"}]}', id="operations all the same"),
    ],
)  # fmt: skip
def test_what_encloses_a_script_is_taken_off(raw: str) -> None:
    assert edited(NOODLES, raw) == NOODLES_NOW


@pytest.mark.parametrize(
    ("text", "old", "new", "instruction"),
    [
        pytest.param("以下是修改后的脚本：\n大家好。\n再见。\n", "大家好", "你们好", "改一下", id="an opening"),
        pytest.param("以下是今天的脚本：\n大家好。\n再见。\n", "今天", "明天", "改一下", id="an opening that changes"),
        pytest.param("Here is the full script for today:\nHello.\nBye.\n", "today", "tomorrow", "Say tomorrow", id="an English opening that changes"),
        pytest.param("Here are the things we should do before lunch:\nSweep.\n", "lunch", "dinner", "dinner", id="a first line that looks like one"),
        pytest.param("大家好。\n如果需要修改，请告诉我。\n", "请告诉我", "请留言告诉我", "改一下", id="a leave-taking that changes"),
        pytest.param("大家好。\n再见。\n", "再见。", "希望对你有帮助！", "最后一句换成祝福", id="a leave-taking that was asked for"),
        pytest.param("Hi.\nBye.\n", "Bye.\n", "Bye.\nLet me know what you think in the comments!\n", "add a call to action at the end", id="a call to action that was asked for"),
        pytest.param("大家好。\n---\n修改说明：\n1. 无\n", "大家好", "你们好", "改一下", id="notes"),
        pytest.param("大家好。\n再见。\n---\n", "大家好", "你们好", "改一下", id="a rule"),
        pytest.param("```\na b\nc d\n```\n", "a b", "a x", "改一下", id="a fence around everything"),
        pytest.param("```\necho a\n```\nThat was it.\n", "That was", "This was", "change it", id="a fence at the start"),
        pytest.param("“大家好。”\n他走了。\n“再见。”\n", "他走了", "她走了", "改一下", id="speech at both ends"),
        pytest.param("大家好。\n他走了。\n再见。\n", "大家好。", "“大家好。”", "改一下", id="speech that is new"),
        pytest.param('"Hello.\nBye."\n', "Hello", "Hi", "Say hi", id="straight marks around everything"),
        pytest.param("<think> 是一个标签。\n</think> 结束它。\n再见。\n", "一个标签", "一种标签", "改一下", id="reasoning tags"),
        pytest.param("方案A：\n洗番茄。\n方案B：\n洗土豆。\n", "洗番茄", "切番茄", "改一下", id="options"),
        pytest.param("<script>\nalert(1)\n</script>\n", "alert(1)", "alert(2)", "改一下", id="tags"),
        pytest.param("S1 | 大家好。\nS2 | 再见。\n", "大家好", "你们好", "改一下", id="numbers"),
        pytest.param("你等等……\n……\n是蓝色的门！\n", "蓝色", "绿色", "蓝色改成绿色", id="dots"),
    ],
)  # fmt: skip
def test_what_is_the_authors_stays(text: str, old: str, new: str, instruction: str) -> None:
    wanted = text.replace(old, new, 1)

    assert edited(text, wanted, instruction) == wanted


@pytest.mark.parametrize(
    ("text", "raw", "after"),
    [
        pytest.param("Our café, 12\u00a0Mill Lane.\r\n  “Hi” — 7\u202fpm…\r\nBye.\r\n", 'Our café, 12 Mill Lane.\n"Hi" - 8 pm...\nBye.\n', "Our café, 12\u00a0Mill Lane.\r\n  “Hi” — 8\u202fpm…\r\nBye.\r\n", id="everything flattened"),
        pytest.param("我用AI写，用Excel排。\n每周3期。\n", "我用 AI 写，用 Excel 排。\n每周 4 期。\n", "我用AI写，用Excel排。\n每周4期。\n", id="spaces added"),
        pytest.param("我用 AI 写。\n每周 3 期。\n", "我用AI写。\n每周4期。\n", "我用 AI 写。\n每周 4 期。\n", id="spaces lost"),
        pytest.param("我用AI写。\n天天更新。\n", "我用AI写。\n每天更新 4 期。\n", "我用AI写。\n每天更新4期。\n", id="the script's habit in a line without one"),
        pytest.param("ＡＩ①，㎏。\n好的。\n", "AI1,kg.\n坏的。\n", "ＡＩ①，㎏。\n坏的。\n", id="width and compatibility characters"),
        pytest.param("甲乙丙。\n丁。\n", "**甲乙丙。**\n戊。\n", "甲乙丙。\n戊。\n", id="emphasis on an untouched line"),
        pytest.param("**甲**乙丙。\n丁。\n", "甲乙丙。\n戊。\n", "**甲**乙丙。\n戊。\n", id="emphasis lost"),
        pytest.param("  甲。\n\t乙。\n丙。", "甲。\n丁。\n丙。\n", "  甲。\n\t丁。\n丙。", id="indentation and no final newline"),
        pytest.param("甲。\r\n乙。\n丙。\r\n", "甲。\n丁。\n戊。\n丙。\n", "甲。\r\n丁。\n戊。\n丙。\r\n", id="mixed line ends"),
        pytest.param("\ufeff甲。\n乙。\n", "丁。\n乙。\n", "\ufeff丁。\n乙。\n", id="BOM"),
        pytest.param("\u3000\u3000甲甲。\n\u3000\u3000乙乙。\n", "甲甲。\n新的一行。\n乙乙。\n", "\u3000\u3000甲甲。\n\u3000\u3000新的一行。\n\u3000\u3000乙乙。\n", id="a new line is set in like its neighbour"),
        pytest.param("走。\n甲甲 \r\n走。 \n好好。\n", "走吧。\n甲乙\n走。\n好好。\n", "走吧。\n甲乙 \r\n走。 \n好好。\n", id="repeated lines are told apart by their neighbours"),
        pytest.param("[00:01] 大家好，我是棠。\n", "[00:01] 嗨，大家好，我是棠。\n", "[00:01] 嗨，大家好，我是棠。\n", id="a space belongs to what it stood beside"),
        pytest.param("“甲”说。\n乙乙乙。\n丙丙。\n", '乙乙乙。\n丙丙。\n"甲"说。\n', "乙乙乙。\n丙丙。\n“甲”说。\n", id="a moved line keeps its marks"),
    ],
)  # fmt: skip
def test_what_did_not_change_keeps_the_authors_form(text: str, raw: str, after: str) -> None:
    assert edited(text, raw) == after


@pytest.mark.parametrize(
    ("text", "raw", "instruction"),
    [
        pytest.param(
            '他说："好"。\n"走"。\n',
            '他说：“好”。\n"走"。\n',
            "把第一句的引号改成中文引号",
            id="quotation marks",
        ),
        pytest.param("我用AI写。\n好。\n", "我用 AI 写。\n好。\n", "中英文之间加空格", id="spaces"),
        pytest.param("甲乙。\n丙。\n", "**甲乙。**\n丙。\n", "把第一句加粗", id="emphasis"),
        pytest.param("甲。\n乙。\n丙。\n", "甲。\n\n乙。\n丙。\n", "第一句后面空一行", id="a blank line"),
        pytest.param(
            "甲。\n\n乙。\n\n丙。\n",
            "甲。\n乙。\n\n丙。\n",
            "去掉第一、二句之间的空行",
            id="a blank line less",
        ),
        pytest.param(
            "甲。\n\n乙。\n丙。\n",
            "甲。\n乙。\n\n丁。\n\n丙。\n",
            "重新分段，空行也调整，再加一句",
            id="new lines and blank lines",
        ),
    ],
)
def test_a_form_that_was_asked_for_is_written(text: str, raw: str, instruction: str) -> None:
    assert edited(text, raw, instruction) == raw


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        pytest.param(KITCHEN.replace("Butter first.", "Butter first.\nThen salt."), KITCHEN.replace("Butter first.", "Butter first.\nThen salt."), id="a line in a paragraph"),
        pytest.param(KITCHEN.replace("Sleep", "Salt helps.\n\nSleep"), KITCHEN.replace("Sleep", "Salt helps.\n\nSleep"), id="a paragraph"),
        pytest.param(KITCHEN.replace("\n\n", "\n").replace("Slice", "Salt.\nSlice"), KITCHEN.replace("toast.\n", "toast.\nSalt.\n"), id="a line where blank lines were lost"),
        pytest.param(KITCHEN.replace("\n\n", "\n").replace("Butter first.", "Then salt."), KITCHEN.replace("Butter first.", "Then salt."), id="lost blank lines come back"),
        pytest.param(KITCHEN.replace("Slice it thick.\nButter first.\n\n", ""), KITCHEN.replace("Slice it thick.\nButter first.\n\n", ""), id="a paragraph goes with one of its gaps"),
        pytest.param(KITCHEN.replace("Slice it thick.\nButter first.\n", ""), KITCHEN.replace("Slice it thick.\nButter first.\n", ""), id="a paragraph goes, both gaps shown"),
        pytest.param(KITCHEN.replace("Intro music fades.\n\n", ""), KITCHEN.replace("Intro music fades.\n\n", ""), id="the first paragraph goes"),
        pytest.param(KITCHEN.replace("\nSleep well.\n", ""), KITCHEN.replace("\nSleep well.\n", ""), id="the last paragraph goes"),
        pytest.param(KITCHEN + "\n\n\n", KITCHEN, id="blank lines at the end"),
        pytest.param(KITCHEN.replace("Sleep well.\n", ""), KITCHEN.replace("Sleep well.\n", ""), id="the last line goes, its blank line is shown"),
    ],
)  # fmt: skip
def test_blank_lines_stay_the_authors(raw: str, after: str) -> None:
    assert edited(KITCHEN, raw) == after


WRAPPED = pytest.mark.parametrize(
    "wrap",
    [
        pytest.param("{}", id="alone"),
        pytest.param("Here's the updated version:\n{}", id="announced"),
        pytest.param("Sure! Here is the revised script:\n\n{}", id="announced in a paragraph"),
        pytest.param("```\n{}```\n", id="in a fence"),
        pytest.param(
            "Here's the updated version:\n```\n{}\n```", id="announced, in a fence with a line end too many"
        ),
        pytest.param("<script>\n{}</script>", id="in tags"),
        pytest.param("<think>One line goes.</think>\n\n{}", id="behind reasoning"),
        pytest.param("One line goes.\n</think>\n\n{}", id="behind reasoning that the prompt opened"),
    ],
)


@WRAPPED
def test_a_blank_line_that_is_shown_at_the_end_stays_whatever_stands_in_front(wrap: str) -> None:
    left = KITCHEN.replace("Sleep well.\n", "")

    assert edited(KITCHEN, wrap.format(left)) == left


@WRAPPED
def test_a_blank_line_that_is_not_shown_at_the_end_goes_whatever_stands_in_front(wrap: str) -> None:
    left = KITCHEN.replace("\nSleep well.\n", "")

    assert edited(KITCHEN, wrap.format(left)).rstrip("\n") + "\n" == left


@pytest.mark.parametrize(
    "wrap",
    ["{}\n\nLet me know if you'd like any further changes!", "{}\n\n---\nChanges made:\n- One line is gone."],
)
def test_a_blank_line_at_the_start_is_read_the_same_whatever_stands_behind(wrap: str) -> None:
    left = KITCHEN.replace("Intro music fades.\n", "")

    assert edited(KITCHEN, wrap.format(left.rstrip("\n"))) == left


REFRAIN = "Open it.\nRemember to save.\n\nRemember to save.\nThe water is clear.\nTime flies.\n"


@pytest.mark.parametrize(
    ("text", "after"),
    [
        pytest.param(REFRAIN, "Open it.\nThe water is clear.\nRemember to save.\n\nRemember to save.\nTime flies.\n", id="up"),
        pytest.param("Open it.\nThe water is clear.\nRemember to save.\n\nRemember to save.\nTime flies.\n", REFRAIN, id="down"),
    ],
)  # fmt: skip
def test_a_line_that_moves_over_a_refrain_leaves_the_refrain_where_it_is(text: str, after: str) -> None:
    assert edited(text, after, "Move the line about water.") == after


def test_double_spacing_of_a_dense_script_is_not_taken_over() -> None:
    raw = "\n\n".join(FERN.replace("Water", "A new line comes here.\nWater").rstrip().split("\n"))

    assert edited(GARDEN, raw) == FERN.replace("Water", "A new line comes here.\nWater")


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        pytest.param(FERN[: FERN.index("Water")], FERN[: FERN.index("Water")], id="the end is missing"),
        pytest.param(FERN.replace("You need a pot two inches wider.\nFill the bottom third with soil.\n", ""), FERN.replace("You need a pot two inches wider.\nFill the bottom third with soil.\n", ""), id="the middle is missing"),
        pytest.param(FERN[: FERN.index("You")] + "(remaining lines unchanged)\n", FERN[: FERN.index("You")] + "(remaining lines unchanged)\n", id="a placeholder for the end"),
        pytest.param(FERN[: FERN.index("You")] + "\nEverything else stays the same.\n", FERN[: FERN.index("You")] + "Everything else stays the same.\n", id="a placeholder apart"),
        pytest.param(FERN + FERN, FERN + FERN, id="the script twice"),
    ],
)  # fmt: skip
def test_what_is_missing_or_doubled_is_left_for_the_guards_to_see(raw: str, after: str) -> None:
    assert [line for line in edited(GARDEN, raw).split("\n") if line] == [
        line for line in after.split("\n") if line
    ]


@pytest.mark.parametrize(
    ("raw", "after"),
    [
        pytest.param(FERN.replace("ten days", "two weeks").replace("Hey", "Hi"), GARDEN.replace("ten days", "two weeks"), id="others polished"),
        pytest.param(GARDEN.replace("once, then wait for ten days.", "once.\nThen wait for two weeks."), GARDEN.replace("once, then wait for ten days.", "once.\nThen wait for two weeks."), id="target divided"),
        pytest.param(GARDEN.replace("Water", "First some sun.\nWater"), GARDEN.replace("Water", "First some sun.\nWater"), id="a new line before the target"),
        pytest.param(GARDEN.replace("You need", "A word first.\nYou need").replace("ten days", "two weeks"), GARDEN.replace("ten days", "two weeks"), id="a new line elsewhere"),
        pytest.param(GARDEN.replace("You need a pot two inches wider.\n", "").replace("ten days", "two weeks"), GARDEN.replace("ten days", "two weeks"), id="another line gone"),
        pytest.param(GARDEN.replace("Water it once, then wait for ten days.\n", ""), GARDEN.replace("Water it once, then wait for ten days.\n", ""), id="target gone"),
    ],
)  # fmt: skip
def test_with_targets_only_they_change(raw: str, after: str) -> None:
    assert edited(GARDEN, raw, targets=(5,)) == after


def test_restored_lines_are_told() -> None:
    script = NumberedScript("video_001", 3, GARDEN)

    plan = parse_plan(FERN, script, syntax="whole", instruction="only line five", targets=(5,))

    assert (plan.operations, plan.notes) == (
        (),
        ("The model changed other lines too; they were kept as they were.",),
    )


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(
            "\n".join(FERN.replace("ten days", "two weeks").split("\n")[:5]), id="cut behind the target"
        ),
        pytest.param("Water it once, then wait for two weeks.", id="the target alone"),
        pytest.param(
            "\n".join(GARDEN.split("\n")[:4]) + "\nWater it twice.\n(rest unchanged)", id="a placeholder"
        ),
    ],
)
def test_a_target_does_not_hide_that_the_rest_is_missing(raw: str) -> None:
    assert "Subscribe" not in edited(GARDEN, raw, targets=(5,))


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        pytest.param(f"版本一：\n{NOODLES_NOW}\n版本二：\n{NOODLES}", "commentary", id="two versions"),
        pytest.param(f"**Option A**\n\n{NOODLES_NOW}\n**Option B**\n\n{NOODLES}", "commentary", id="two options"),
        pytest.param(f"方案一（轻松）\n{NOODLES_NOW}\n\n方案二（正式）\n{NOODLES}", "commentary", id="two proposals"),
        pytest.param(f"Version 1 (playful):\n{NOODLES_NOW}\nVersion 2 (serious):\n{NOODLES}", "commentary", id="two versions in English"),
        pytest.param(f"原文：\n{NOODLES}\n修改后：\n{NOODLES_NOW}", "commentary", id="original and revision"),
        pytest.param(f"Original: {NOODLES}\nRevised: {NOODLES_NOW}", "commentary", id="original and revision in English"),
        pytest.param(f"{NOODLES_NOW}\n或者：\n{NOODLES}", "commentary", id="an alternative"),
        pytest.param(f"```\n{NOODLES_NOW}```\n或\n```\n{NOODLES}```", "commentary", id="two fences"),
        pytest.param(f"<think>想想\n{NOODLES_NOW}", "reasoning_leak", id="open reasoning"),
        pytest.param(f"```\n{NOODLES_NOW}", "truncated", id="open fence"),
        pytest.param("抱歉，我无法完成这个请求。", "refusal", id="refusal"),
        pytest.param("```\n\n```", "empty", id="an empty fence"),
        pytest.param("```\n```\n---", "empty", id="fences and a rule"),
        pytest.param(" \n\u200b\n", "empty", id="nothing to see"),
        pytest.param("不好意思，这个需求我处理不了，因为涉及历史人物。", "refusal", id="a refusal in plain words"),
        pytest.param("这个要求我帮不了你。", "refusal", id="a refusal without an apology"),
        pytest.param("I won't be able to do that.", "refusal", id="a refusal in plain English"),
        pytest.param("We are not able to assist here.", "refusal", id="a refusal of several"),
        pytest.param("I must respectfully decline this request.", "refusal", id="a polite refusal"),
    ],
)  # fmt: skip
def test_what_is_no_script_is_refused_with_its_reason(raw: str, reason: str) -> None:
    assert refused(NOODLES, raw) == reason


def test_a_line_that_was_asked_for_is_no_refusal() -> None:
    text = "门开了。\n他站起来。\n他走了。\n他没有回头。\n"

    assert edited(text, "我不能帮你。\n", "全文换成“我不能帮你。”") == "我不能帮你。\n"


@pytest.mark.parametrize("instruction", ["结尾改得更温暖", "Warmer sign-off"])
def test_a_leave_taking_behind_the_new_end_is_taken_off(instruction: str) -> None:
    text = NOODLES_NOW.rstrip("\n").rsplit("\n", 1)[0] + "\n明天见，晚安。\n"
    raw = NOODLES_NOW.rstrip("\n").rsplit("\n", 1)[0] + "\n明天见，好好睡，晚安。\n\n\nHope this helps!"

    assert edited(text, raw, instruction) == text.replace("见，晚", "见，好好睡，晚")


def test_an_answer_at_the_start_that_was_asked_for_stays() -> None:
    raw = "Done! We made it.\n\nHi.\nBye.\n"

    assert "Done!" in edited("Hi.\nBye.\n", raw, "Open with a cry of triumph")
    assert "Done!" not in edited("Hi.\nBye.\n", raw, "Make it calmer")


def test_a_refusal_that_the_script_speaks_is_text() -> None:
    text = "对不起，我不能答应你。\n他把戒指放回盒子里。\n"

    assert edited(text, text.replace("戒指", "项链")) == text.replace("戒指", "项链")


def test_a_script_without_lines_cannot_be_rewritten() -> None:
    assert refused("\n\n", "大家好。") == "no_match"


def test_long_scripts_are_compared_in_a_moment() -> None:
    """Every line changed is the worst case; quadratic comparing would take minutes."""
    lines = [f"第 {n} 句话说的是第 {n * 7 % 900} 件事。" for n in range(900)]
    rewritten = [line.replace("说的是", "讲到了") for line in lines]
    repeated = ["记得保存。", "谢谢。"] * 450

    started = time.process_time()
    assert edited("\n".join(lines), "\n".join(rewritten)) == "\n".join(rewritten)
    assert edited("\n".join(repeated), "\n".join(repeated[1:])) == "\n".join(repeated[1:])

    assert time.process_time() - started < 20
