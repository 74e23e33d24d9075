"""A wish to see an edit before it is saved: the offline model previews, and the proposal can be taken."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from script_editor.app.bootstrap import App
from script_editor.errors import BeyondOffline, EditRefused
from tests.offline.stores import FIRST, ask, opened, say, text

MODES = pytest.mark.parametrize("mode", ["tools", "conversational", "xml"])
DONE = FIRST.replace("频道", "小站")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    app = opened(tmp_path)
    yield app
    app.close()


ZH = (
    "先别保存，把“频道”改成“小站”给我看看",
    "把“频道”改成“小站”，先不要保存",
    "预览：把“频道”改成“小站”",
    "预览一下把“频道”改成“小站”的效果",
    "麻烦先预览一下，把“频道”改成“小站”，谢谢",
    "只预览，把“频道”改成“小站”",
    "先看看把“频道”改成“小站”是什么样",
    "如果把“频道”改成“小站”会是什么样？",
    "把“频道”改成“小站”，我看过之后再保存",
    "把“频道”改成“小站”，不要直接保存，先让我看看效果",
    "請先不要儲存，把“频道”改成“小站”給我看看",
    "預覽一下：把“频道”改成“小站”",
    "可不可以先预览把“频道”改成“小站”？",
    "把频道改成小站先别保存",
    "把“频道”改成“小站”（先不保存）",
    "先预览再决定：把“频道”改成“小站”",
    "试着把“频道”改成“小站”，看看效果",
    "要是把“频道”改成“小站”呢？",
    "不保存，只是看看：把“频道”改成“小站”",
)
EN = (
    "show me what it would look like if you replace “频道” by “小站”, don't save",
    "Show me what it would look like if you replaced “频道” with “小站”.",
    "replace “频道” with “小站” but don't apply it yet",
    "Replace “频道” with “小站”, but first show me what it'd look like",
    "preview replacing “频道” with “小站”",
    "Preview: replace “频道” with “小站”, please",
    "Please don't save yet: replace “频道” with “小站”",
    "Without saving, replace “频道” with “小站” and show me the result",
    "What if you changed “频道” to “小站”?",
    "what would it look like with “频道” replaced by “小站”?",
    "replace “频道” with “小站” as a preview",
    "Hi! Please replace “频道” with “小站”. Don't save it yet, thanks!",
    "give me a preview: replace “频道” with “小站”",
    "Let me see what it looks like if you replace “频道” with “小站”",
    "dry run: replace “频道” with “小站”",
)


@pytest.mark.parametrize("instruction", [*ZH, *EN])
def test_an_edit_to_be_seen_first_is_proposed_and_not_saved(app: App, instruction: str) -> None:
    report = say(app.chats.begin(script_id="video_001"), instruction)

    assert (report.outcome, len(report.proposals), text(app)) == ("proposed", 1, FIRST)
    assert report.proposals[0].proposal.text == DONE
    assert not report.claims_unproven


@MODES
@pytest.mark.parametrize(
    ("look", "take"),
    [
        (ZH[0], "刚才那个预览可以，就用它"),
        (EN[0], "apply that preview"),
        (ZH[2], "好的，就用它"),
        (EN[2], "OK, save it"),
    ],
)
def test_what_was_previewed_can_be_taken_in_the_next_turn(app: App, mode: str, look: str, take: str) -> None:
    chat = app.chats.begin(script_id="video_001")

    say(chat, look, mode)
    report = say(chat, take, mode)

    assert (report.outcome, text(app)) == ("saved", DONE)


@MODES
@pytest.mark.parametrize(
    "instruction",
    [
        "先别保存，把 video_001 里的“频道”改成“小站”给我看看",
        "video_001 如果把“频道”改成“小站”会怎样？",
        "In video_001 replace “频道” with “小站”, but don't apply it yet",
        "What would video_001 look like if you replaced “频道” with “小站”?",
    ],
)
def test_over_the_store_the_script_that_is_named_is_previewed(app: App, mode: str, instruction: str) -> None:
    report = ask(app, instruction, mode)

    assert [one.proposal.text for one in report.proposals] == [DONE]
    assert text(app) == FIRST


def test_each_of_several_scripts_is_previewed(app: App) -> None:
    report = ask(app, "预览：把 video_001 的“频道”改成“小站”，把 video_002 的“pens”改成“cups”")

    assert [one.proposal.script_id for one in report.proposals] == ["video_001", "video_002"]
    assert not report.changed


@pytest.mark.parametrize(
    ("instruction", "line"),
    [
        ("在结尾加一行：“先别保存”", "先别保存"),
        ("append the line “show me what you would do”", "show me what you would do"),
        ("第4行改成：你先看看", "你先看看"),
    ],
)
def test_words_that_are_text_are_not_taken_for_a_wish_to_look_first(
    app: App, instruction: str, line: str
) -> None:
    report = say(app.chats.begin(script_id="video_001"), instruction)

    assert report.outcome == "saved"
    assert line in text(app).splitlines()


@pytest.mark.parametrize(
    "instruction", ["在结尾加一行：明天见，先别保存", "add at the end: see you, but don't save it yet"]
)
def test_words_after_a_colon_that_may_be_text_are_asked_about(app: App, instruction: str) -> None:
    with pytest.raises(EditRefused) as caught:
        ask(
            app,
            f"{instruction}".replace("在结尾", "在 video_001 的结尾").replace(
                "the end", "the end of video_001"
            ),
        )

    assert caught.value.reason == "ambiguous_match"
    assert text(app) == FIRST


@pytest.mark.parametrize(
    "instruction", ["把 video_001 改得幽默一点，先别保存", "make video_001 funnier but don't save", "预览"]
)
def test_a_look_at_what_needs_a_writer_is_refused(app: App, instruction: str) -> None:
    with pytest.raises(BeyondOffline):
        ask(app, instruction)


def test_what_is_not_to_be_touched_is_no_wish_to_look_first(app: App) -> None:
    report = say(app.chats.begin(script_id="video_001"), "delete line 2, don't change anything else")

    assert report.outcome == "saved"
