"""Turns of a chat that are mechanical, and one instruction over several scripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from script_editor.app.bootstrap import App
from script_editor.errors import BeyondOffline, EditRefused
from tests.offline.stores import FIRST, SECOND, ask, opened, say, text

MODES = pytest.mark.parametrize("mode", ["tools", "react", "json", "conversational", "functions", "xml"])


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    app = opened(tmp_path)
    yield app
    app.close()


REPLACED = FIRST.replace("大家", "各位")
SHORTER = FIRST.replace("今天聊聊人工智能。\n", "")


@MODES
@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("把“大家”也改成“各位”", REPLACED),
        ("也把“大家”改成“各位”吧", REPLACED),
        ("还有，把“大家”改成“各位”", REPLACED),
        ("顺便再把“大家”改成“各位”，谢谢", REPLACED),
        ("also replace “大家” with “各位”", REPLACED),
        ("Could you also change “大家” to “各位”, please?", REPLACED),
        ("replace “大家” with “各位” too", REPLACED),
        ("replace “大家” with “各位” as well, thanks", REPLACED),
        ("第2行也删掉", SHORTER),
        ("再帮我把第2行删了吧", SHORTER),
        ("delete line 2 as well", SHORTER),
        ("and delete line 2 too", SHORTER),
        ("再把结尾那句去掉", FIRST.replace("谢谢观看。\n", "")),
        ("and put “再见。” at the end as well", f"{FIRST}再见。\n"),
    ],
)
def test_a_further_edit_of_the_same_script(app: App, mode: str, instruction: str, wanted: str) -> None:
    chat = app.chats.begin(script_id="video_001")
    say(chat, "把“观看”改成“收看”", mode)
    say(chat, "撤销", mode)

    report = say(chat, instruction, mode)

    assert (report.outcome, text(app)) == ("saved", wanted)


def test_also_without_quotation_marks_is_not_written_into_the_text(app: App) -> None:
    with pytest.raises(EditRefused):
        ask(app, "in video_002 replace pens with cups too")

    assert text(app, "video_002") == SECOND


@MODES
@pytest.mark.parametrize(
    ("undo", "again", "redo"),
    [
        ("撤销", "再撤销一次", "重做"),
        ("undo", "undo again", "redo"),
        ("撤銷", "再撤銷一次", "重做"),
        ("算了，还是撤销吧", "帮我再撤销一次好吗", "不好意思，撤销错了，重做一下"),
        ("Sorry, undo that please", "one more undo", "now redo it please"),
    ],
)
def test_changes_are_taken_back_and_brought_back(
    app: App, mode: str, undo: str, again: str, redo: str
) -> None:
    chat = app.chats.begin(script_id="video_001")
    say(chat, "把“大家”改成“各位”", mode)
    say(chat, "第2行也删掉", mode)
    texts = []

    for words in (undo, again, redo):
        assert say(chat, words, mode).outcome == "saved"
        texts.append(text(app))

    assert texts == [REPLACED, FIRST, REPLACED]


@MODES
@pytest.mark.parametrize(
    "words", ["撤销两次", "undo the last two edits", "撤销最近两次修改", "undo the last two"]
)
def test_two_changes_are_taken_back_with_one_version(app: App, mode: str, words: str) -> None:
    chat = app.chats.begin(script_id="video_001")
    say(chat, "把“大家”改成“各位”", mode)
    say(chat, "第2行也删掉", mode)

    report = say(chat, words, mode)

    assert (report.changed[0].version.number, text(app)) == (4, FIRST)


def test_more_changes_than_there_are_are_not_taken_back(app: App) -> None:
    chat = app.chats.begin(script_id="video_001")
    say(chat, "第2行删掉")

    report = say(chat, "撤销最近三次修改")

    assert (report.outcome, text(app)) == ("answered", SHORTER)
    assert "什么也没有改" in report.answer


@MODES
@pytest.mark.parametrize(
    "words", ["改回第1版", "把它恢复到最初的版本吧", "go back to version 1", "revert to the original, please"]
)
def test_an_older_version_is_brought_back(app: App, mode: str, words: str) -> None:
    chat = app.chats.begin(script_id="video_001")
    say(chat, "第2行删掉", mode)

    assert (say(chat, words, mode).outcome, text(app)) == ("saved", FIRST)


# --- several scripts in one instruction ----------------------------------------------------------


@MODES
@pytest.mark.parametrize(
    ("instruction", "answer"),
    [
        (
            "把 video_001 和 video_002 里的“频道”改成“小站”",
            "video_001 改好了。video_002 没有改：脚本里没有“频道”。",
        ),
        (
            "replace “频道” with “小站” in video_001 and video_002",
            'video_001: Done. video_002 was not changed: "频道" does not occur in the script.',
        ),
        (
            "把 video_001 的“频道”改成“小站”，video_002 也一样",
            "video_001 改好了。video_002 没有改：脚本里没有“频道”。",
        ),
    ],
)
def test_the_good_part_is_saved_and_the_other_is_named_in_one_sentence(
    app: App, mode: str, instruction: str, answer: str
) -> None:
    report = ask(app, instruction, mode)

    assert (report.outcome, report.answer) == ("saved", answer)
    assert text(app) == FIRST.replace("频道", "小站")
    assert text(app, "video_002") == SECOND


@MODES
@pytest.mark.parametrize(
    "instruction",
    [
        "把 video_001 的“频道”改成“小站”，把 video_002 的第2行删掉",
        "把 video_001 的“频道”改成“小站”；然后删掉 video_002 的第2行。",
        "In video_001 replace “频道” with “小站” and in video_002 delete line 2",
        "video_001: replace “频道” with “小站”; video_002: delete line 2",
    ],
)
def test_each_script_gets_what_its_own_clause_says(app: App, mode: str, instruction: str) -> None:
    report = ask(app, instruction, mode)

    assert [one.version.reference for one in report.changed] == ["video_001@v2", "video_002@v2"]
    assert text(app) == FIRST.replace("频道", "小站")
    assert text(app, "video_002") == SECOND.replace("Today we test three pens.\n", "")


def test_nothing_is_begun_when_one_clause_needs_a_writer(app: App) -> None:
    with pytest.raises(BeyondOffline):
        ask(app, "把 video_001 的“频道”改成“小站”，让 video_002 更幽默")

    assert text(app) == FIRST


@pytest.mark.parametrize(
    ("instruction", "wanted"),
    [
        ("在 video_001 结尾加一行：下一集见 video_002", f"{FIRST}下一集见 video_002\n"),
        ("把 video_001 的“频道”改成 video_002", FIRST.replace("频道", "video_002")),
        ("把 video_001 的第4行改成“请看 video_002”", FIRST.replace("谢谢观看。", "请看 video_002")),
    ],
)
def test_a_script_named_inside_the_text_is_text(app: App, instruction: str, wanted: str) -> None:
    report = ask(app, instruction)

    assert (report.warnings, text(app)) == ((), wanted)
    assert text(app, "video_002") == SECOND


@pytest.mark.parametrize(
    "instruction",
    [
        "在 video_001 结尾加一行：下一集见，别错过 video_002",
        "在 video_001 结尾加一行：再见，把 video_002 的第2行删掉",
    ],
)
def test_a_clause_that_may_be_a_part_of_the_text_is_asked_about(app: App, instruction: str) -> None:
    with pytest.raises(EditRefused) as caught:
        ask(app, instruction)

    assert caught.value.reason == "ambiguous_match"
    assert (text(app), text(app, "video_002")) == (FIRST, SECOND)
