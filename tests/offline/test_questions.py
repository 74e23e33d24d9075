"""Questions that a tool answers: which scripts there are, what one says, how long it is, what changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from script_editor.app.bootstrap import App
from script_editor.errors import BeyondOffline, ScriptNotFound
from tests.offline.stores import FIRST, ask, opened, say, text

MODES = pytest.mark.parametrize("mode", ["tools", "react"])


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    app = opened(tmp_path)
    yield app
    app.close()


LIST = "列出所有脚本|有哪些脚本？|我有哪些脚本|請列出所有腳本|帮我列一下现在都有哪些脚本吧|一共有几个脚本？|list all scripts|what scripts do I have?|Hi, could you please list all of my scripts? Thanks!|how many scripts are there|show me all scripts"
SHOW = "show me video_001|看看video_001|顯示 video_001|请帮我看一下 video_001 的内容|video_001写了什么？|what's in video_001?|what does video_001 say?|open video_001 please|麻烦给我看看 video_001 的全文，谢谢|video_001"
LINE = "看一下 video_001 的第3行|show line 3 of video_001|video_001 第3行写了什么|what does line 3 of video_001 say?|看看 video_001 的倒数第二行"
LENGTH = "video_001 有多少字|video_001 多长？|video_001 念完要多久|算一下 video_001 的字数|how long is video_001?|how many words does video_001 have?|word count of video_001|video_001 有多少字？"
FIND = "哪些脚本提到了“pens”|搜索 pens|有没有脚本提到“pens”？|which scripts mention “pens”?|find scripts about pens|search all scripts for pens"


@MODES
@pytest.mark.parametrize("instruction", LIST.split("|"))
def test_the_scripts_are_listed(app: App, mode: str, instruction: str) -> None:
    report = ask(app, instruction, mode)

    assert (report.outcome, report.is_quotation) == ("answered", True)
    assert "video_001 | 人工智能" in report.answer
    assert "video_002 | Pens" in report.answer


@MODES
@pytest.mark.parametrize("instruction", SHOW.split("|"))
def test_a_script_is_shown(app: App, mode: str, instruction: str) -> None:
    report = ask(app, instruction, mode)

    assert (report.outcome, report.is_quotation) == ("answered", True)
    assert "4 lines, 1 to 4 shown" in report.answer


@MODES
@pytest.mark.parametrize("instruction", LINE.split("|"))
def test_one_line_is_shown(app: App, mode: str, instruction: str) -> None:
    report = ask(app, instruction, mode)

    assert "它经历了几次寒冬。" in report.answer
    assert "人工智能" not in report.answer


@MODES
@pytest.mark.parametrize("instruction", LENGTH.split("|"))
def test_the_length_is_told_with_the_spoken_time(app: App, mode: str, instruction: str) -> None:
    report = ask(app, instruction, mode)

    assert "31" in report.answer
    assert "秒" in report.answer or " s spoken" in report.answer
    assert (report.outcome, report.claims_unproven) == ("answered", False)


def test_the_length_of_a_long_script_counts_all_of_its_pages(app: App) -> None:
    app.scripts.new("video_003", "one two three.\n" * 130, author="tester")

    assert "130 lines, 390 words;" in ask(app, "how many words are in video_003?").answer


def test_the_length_of_each_script_is_told(app: App) -> None:
    told = ask(app, "video_001 和 video_002 分别多长？").answer

    assert [line.split()[0] for line in told.split("\n")] == ["video_001", "video_002"]


@pytest.mark.parametrize("instruction", FIND.split("|"))
def test_scripts_are_found_by_their_words(app: App, instruction: str) -> None:
    answer = ask(app, instruction).answer

    assert "video_002" in answer
    assert "video_001" not in answer


@pytest.mark.parametrize(
    ("instruction", "told"),
    [
        ("what changed in video_001?", "v1 to v3"),
        ("video_001 最近改了什么", "v2 to v3"),
        ("what was the last change in video_001?", "v2 to v3"),
        ("对比 video_001 的 v1 和 v3", "v1 to v3"),
        ("video_001 和第1版比有什么变化？", "v1 to v3"),
        ("what changed in video_001 since v2?", "v2 to v3"),
        ("history of video_001", "v1 to v3"),
        ("who changed video_001?", "v1 to v3"),
        ("把 video_001 恢复到第1版，先给我看看", "v3 to v1"),
        ("revert video_001 to v1 but don't save yet", "v3 to v1"),
    ],
)
def test_what_changed_is_told(app: App, instruction: str, told: str) -> None:
    ask(app, "删掉 video_001 的第2行")
    ask(app, "把 video_001 里的“寒冬”改成“起落”")

    report = ask(app, instruction)

    assert (report.outcome, report.is_quotation) == ("answered", True)
    assert told in report.answer


@pytest.mark.parametrize(
    "instruction",
    ["看看 video_001 的第1版", "show me version 1 of video_001", "what did video_001 look like in v1?"],
)
def test_an_older_version_is_shown(app: App, instruction: str) -> None:
    ask(app, "删掉 video_001 的第2行")

    assert ask(app, instruction).answer.startswith("video_001@v1 | 4 lines")


def test_in_a_chat_the_current_script_is_meant(app: App) -> None:
    chat = app.chats.begin(script_id="video_001")

    assert "31 字" in say(chat, "现在多长？").answer
    assert "今天聊聊人工智能。" in say(chat, "看看第2行").answer
    assert "共 1 个版本" in say(chat, "看看历史").answer
    assert "video_002 | Pens" in say(chat, "有哪些脚本").answer
    assert "Today we test three pens." in say(chat, "show me video_002").answer


@pytest.mark.parametrize("instruction", ["你好", "你能做什么？", "hello", "What can you do?", "help"])
def test_a_greeting_is_answered_with_what_can_be_done_here(app: App, instruction: str) -> None:
    report = ask(app, instruction)

    assert report.outcome == "answered"
    assert "离线编辑器" in report.answer or "offline editor" in report.answer


@pytest.mark.parametrize(
    "instruction", ["谢谢", "谢谢你！", "謝謝", "Thanks a lot!", "thank you", "ok", "好的，谢谢"]
)
def test_thanks_change_nothing_and_are_no_failure(app: App, instruction: str) -> None:
    report = say(app.chats.begin(script_id="video_001"), instruction)

    assert (report.outcome, report.warnings, text(app)) == ("answered", (), FIRST)


@pytest.mark.parametrize(
    "instruction",
    [
        "总结一下 video_001", "summarize video_001", "哪个脚本最长", "which script is the longest", "最近改了哪些脚本",
        "video_001 写得好吗？", "translate video_002", "在 video_001 里搜索“频道”",
    ],
)  # fmt: skip
def test_what_needs_a_judgement_is_refused(app: App, instruction: str) -> None:
    with pytest.raises(BeyondOffline):
        ask(app, instruction)


def test_a_script_that_is_not_there_is_named(app: App) -> None:
    with pytest.raises(ScriptNotFound):
        ask(app, "video_099 有多少字")


@pytest.mark.parametrize(
    "instruction", ["搜索“频道”并替换成“小站”", "search for “频道” and replace it with “小站”"]
)
def test_a_search_that_goes_on_to_replace_is_an_edit(app: App, instruction: str) -> None:
    report = say(app.chats.begin(script_id="video_001"), instruction)

    assert (report.outcome, text(app)) == ("saved", FIRST.replace("频道", "小站"))
