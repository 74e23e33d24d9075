"""Each guard finds its fault in Chinese and English, and leaves look-alikes alone."""

import pytest

from script_editor.domain.findings import GuardContext
from script_editor.domain.guards import check, check_reply
from script_editor.errors import EditRefused

BASE = "大家好。\nWelcome back.\n"


def found(after: str, *, before: str = BASE, instruction: str = "改一下") -> list[str]:
    return [finding.code for finding in check(before, after, GuardContext(instruction=instruction))]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("抱歉，我无法协助修改这段内容。", "refusal"),
        ("作为一个人工智能语言模型，我不能这样写。", "refusal"),
        ("對不起，我無法協助。", "refusal"),
        ("I'm sorry, but I can't help with that.", "refusal"),
        ("As an AI language model, I cannot do this.", "refusal"),
        ("I cannot assist with that request.", "refusal"),
        ("<think>The user wants</think>大家好。", "reasoning_leak"),
        ("</think>", "reasoning_leak"),
        ("……", "elision"),
        ("...", "elision"),
        ("（其余内容不变）", "elision"),
        ("[剩余部分保持不变]", "elision"),
        ("以下省略", "elision"),
        ("其餘部分不變", "elision"),
        ("... rest unchanged ...", "elision"),
        ("[The rest of the script stays the same]", "elision"),
        ("(remaining lines unchanged)", "elision"),
        ("<!-- same as before -->", "elision"),
        ("对不起，这个请求我无法完成。", "refusal"),
        ("作为AI助手，我无法修改。", "refusal"),
        ("抱歉，作为AI我无法修改这段内容。", "refusal"),
        ("My apologies, but I cannot assist.", "refusal"),
        ("(unchanged)", "elision"),
        ("[Lines 3-5 unchanged]", "elision"),
        ("<rest of script>", "elision"),
        ("（此处省略500字）", "elision"),
        ("（下略）", "elision"),
        ("（第3-5行不变）", "elision"),
    ],
)
def test_a_line_that_is_no_script_text_is_found(line: str, code: str) -> None:
    assert found(BASE + line + "\n") == [code]


@pytest.mark.parametrize(
    "line",
    [
        "对不起，我来晚了。",
        "Sorry I'm late, everyone.",
        "剩下的路，我们自己走。",
        "The rest is history.",
        "……然后他笑了。",
        "保持不变的，是那份初心。",
        "其他的我们下期再说。",
        "I can't believe it is so cheap.",
        "我不能没有你。",
        "Think about it.",
        "抱歉，我不能再等了。",
        "很遗憾，我没有办法到现场。",
        "我不能修改过去，但能选择未来。",
        "作为一个AI从业者，我每天都在焦虑。",
        "Sorry, I can't wait any longer.",
        "I can't help but smile.",
        "As an AI model, this one costs a lot.",
        "Keep the rest.",
    ],
)
def test_a_look_alike_is_left_alone(line: str) -> None:
    assert found(BASE + line + "\n") == []


def test_what_the_script_had_before_is_text() -> None:
    before = BASE + "……\nI'm sorry, but I can't help with that.\n<think>\n"

    assert found(before + "新的一行。\n", before=before) == []


def test_what_was_asked_for_is_text() -> None:
    assert found(BASE + "抱歉，我无法协助。\n", instruction="最后加一行“抱歉，我无法协助。”") == []


def test_a_script_without_words_is_found() -> None:
    assert found("\n \u200b\n") == ["empty"]
    assert found("", before="\n") == []


@pytest.mark.parametrize(
    ("finish_reason", "refusal", "text", "reason"),
    [
        ("length", None, "@@ end", "truncated"),
        ("unknown", None, "@@ end", "truncated"),
        ("content_filter", None, "@@ end", "content_filter"),
        ("stop", "I can't", "@@ end", "refusal"),
        ("stop", None, " \u200b\n", "empty"),
    ],
)
def test_a_reply_that_did_not_end_well_is_refused(
    finish_reason: str, refusal: str | None, text: str, reason: str
) -> None:
    with pytest.raises(EditRefused) as caught:
        check_reply(finish_reason, refusal, text)

    assert caught.value.reason == reason


def test_a_whole_reply_is_accepted() -> None:
    check_reply("stop", None, "@@ end")


def test_dots_inside_a_text_that_was_given_are_no_wish_for_a_line_of_dots() -> None:
    instruction = "把第1行改成：大家好……欢迎。"

    assert found("大家好……欢迎。\n……\n", instruction=instruction) == ["elision"]


def test_a_line_of_dots_that_was_given_is_text() -> None:
    assert found(BASE + "……\n", instruction="最后加一行“……”") == []


@pytest.mark.parametrize("line", ["[... unchanged ...]", "（其余内容不变）"])
def test_an_authors_dots_do_not_license_an_omission_in_words(line: str) -> None:
    before = "大家好。\n...\nWelcome back.\n"

    assert "elision" in found(before.replace("...", line), before=before)


def test_one_mark_of_old_does_not_license_ten() -> None:
    assert found(BASE + "……\n……\n", before=BASE + "……\n") == ["elision"]
