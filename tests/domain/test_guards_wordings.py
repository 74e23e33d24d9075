"""The many ways to leave text out or to talk about an edit, each in place of lines or beside them."""

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check, is_placeholder
from tests.domain.guarded import KITCHEN, NIGHT_RUNS, PLANT, changed


def first_error(before: str, after: str, instruction: str) -> str:
    findings = check(before, after, GuardContext(instruction=instruction))
    return next((finding.code for finding in findings if finding.level == "error"), "")


@pytest.mark.parametrize(
    "mark",
    [
        "（后续内容同上）", "……（省略）……", "【此处内容与原文一致，不再重复】", "// 其余部分不变", "其他内容保持原样",
        "剩下的和原来一样", "（中间略）", "以下内容与原文相同。", "[第3-6行保持不变]", "余下段落未作修改", "（其他行无改动）",
        "后文略", "……", "下面的不动", "（原文不变）", "（第2～6行同原文）", "... 其余略 ...", "余下部分请参照原稿",
        "[后面的内容没有变化]", "（接原文）", "（此后内容不作改动）", "【以下同原文】", "后面不变……", "其餘部分維持原樣",
        "同原文", "同原句。", "（同原稿一致）", "本句不变", "此段保持原样。", "（第2行至第5行无变动）", "第三句到第五句保持不变",
        "（后两句略）", "（全文较长，此处仅展示修改部分）", "[00:12] （同原文）", "[00:12] 同原文", "旁白：（不变）",
    ],
)  # fmt: skip
def test_a_chinese_line_for_left_out_text_is_found_at_the_end_and_in_the_middle(mark: str) -> None:
    head = "哈喽跑友们！欢迎收看城市夜跑指南！\n"

    assert first_error(NIGHT_RUNS, head + mark + "\n", "开头热情一点") == "elision"
    assert first_error(NIGHT_RUNS, head + mark + "\n今天就到这里，下期见。\n", "开头热情一点") == "elision"


@pytest.mark.parametrize(
    "mark",
    [
        "[rest of the script unchanged]", "... (remaining lines stay the same) ...", "(Script continues as before)",
        "<!-- rest of script -->", "// ... existing lines ...", "[Lines 3-6 unchanged]", "(same as original)", "[...]",
        "The rest of the script remains the same.", "Everything else stays the same.", "[unchanged]",
        "[Continue with the original text]", "(No changes to the remaining lines)", "*rest omitted for brevity*",
        "The remaining lines are unchanged.", "... etc. (unchanged)", "[keep rest as is]", "(continued as above)",
        "--- unchanged lines omitted ---", "[...rest of script...]", "{{ unchanged }}", "[Previous content continues]",
        "(continue with the original from here)", "(see original for the rest)", "... and the rest stays as it is.",
        "(no changes)", "(same)", "[ditto]", "HOST: [unchanged]", "[lines two and three as in your draft]",
    ],
)  # fmt: skip
def test_an_english_line_for_left_out_text_is_found(mark: str) -> None:
    head = "Hey everyone, welcome back to Desk Garden.\nToday a snake plant gets a bigger apartment.\n"

    assert first_error(PLANT, head + mark + "\n", "Make line two funnier.") == "elision"


@pytest.mark.parametrize(
    "line",
    [
        "剩下的路，我们自己走。", "其余的交给时间。", "中间隔着一条河。", "保持不变的，是那份初心。", "一切照旧。",
        "The rest is history.", "Keep the rest.", "And so on.", "Everything else can wait.", "Same time next week.",
        "Here is the rest of the story...", "以下三点一定要记住。", "后面还有更精彩的。", "=======", "---",
        "这句话我不改。", "小南：……", "[00:12] ……", "【攻略】", "（战略）", "价格：同上", "No change yet.", "我们来自同一个原点。",
    ],
)  # fmt: skip
def test_speech_that_sounds_alike_is_no_placeholder(line: str) -> None:
    assert not is_placeholder(line)


@pytest.mark.parametrize(
    "line",
    [
        "修改说明：第二句加了夸张的比喻。", "以上是修改后的脚本，如需进一步调整请告诉我。", "希望这个版本符合您的要求！",
        "以下是修改后的脚本：", "注：其余内容未改动。", "如果还需要其他修改，请随时告诉我。", "根据您的要求，我调整了语气。",
        "我把第二句改得更口语了，其余保持不变。", "**修改要点**", "（修改：语气更轻松）", "您更喜欢哪个版本？",
        "需要我再调整一下语气吗？", "好的，以下是优化后的文案：", "主要改动：", "请问还需要其他修改吗？", "【改动】整一碗改为做一碗",
        "以上，供您参考，有不合适的地方我再改。", "如需调整语气或长度，请告诉我。",
        "修改后：今天整一碗番茄鸡蛋面。",
    ],
)  # fmt: skip
def test_a_chinese_remark_about_the_edit_is_found(line: str) -> None:
    edited = changed(KITCHEN, ("今天我们做一碗", "今天整一碗"))

    assert first_error(KITCHEN, f"{edited}{line}\n", "第二句幽默一点") == "commentary"


@pytest.mark.parametrize(
    "line",
    [
        "Let me know if you'd like any other changes!", "Here is the revised script:", "Changes made:",
        "Note: I kept the numbers as they were.", "I've made line two funnier while keeping the rest.",
        "Would you like me to adjust the tone further?", "Hope this version works for you!", "Revised script:",
        "Summary of changes: line two is funnier.", "Sure! Here's the updated version:", "Here you go:",
        "Feel free to ask if you want further edits.", "(Edited: line two is funnier)",
        "As requested, I rewrote line two.", "I can also make it shorter if you prefer.",
        "This version keeps the original structure while adding humor.", "P.S. I've kept all the facts the same!",
    ],
)  # fmt: skip
def test_an_english_remark_about_the_edit_is_found(line: str) -> None:
    edited = changed(
        PLANT, ("Today we are repotting a snake plant.", "Today a snake plant gets a bigger flat.")
    )

    assert first_error(PLANT, f"{edited}{line}\n", "Make line two funnier.") == "commentary"


@pytest.mark.parametrize(
    "line",
    [
        "希望你喜欢这期视频，有问题随时告诉我！", "注意：第一泡不要喝。", "方案一，每月先存两成。", "以上就是今天的全部内容。",
        "Let me know in the comments which plant you have.", "Here is the thing about plants.",
        "Note: snake plants are toxic to cats.", "I hope this helps!", "Feel free to ask me anything below.",
        "This version uses a bigger battery.", "我把电池换成了新的。",
    ],
)  # fmt: skip
def test_speech_that_addresses_viewers_is_left_alone(line: str) -> None:
    for before in (KITCHEN, PLANT):
        findings = check(
            before, f"{before}{line}\n", GuardContext(instruction="加一句 add a line 中文 English")
        )

        assert "commentary" not in [finding.code for finding in findings]


def test_two_numbered_versions_leave_the_choice_to_a_person() -> None:
    edited = changed(KITCHEN, ("大家好", "哈喽"))

    assert first_error(KITCHEN, f"版本一：\n{edited}\n版本二：\n{KITCHEN}", "第一句换个说法") == "commentary"
    assert first_error(PLANT, f"**Option A**\n{PLANT}\n**Option B**\n{PLANT}", "punchier") == "commentary"


@pytest.mark.parametrize("prefix", ["S5 | ", "S5:k7 | ", "s12:ab|", "S6:qm [locked] | ", "@@ replace S5:k7 "])
def test_what_only_the_view_of_the_model_has_is_found(prefix: str) -> None:
    after = changed(KITCHEN, ("水开下面，三分钟就好。", f"{prefix}水开下面，三分钟搞定。"))

    assert first_error(KITCHEN, after, "更口语") == "malformed"
