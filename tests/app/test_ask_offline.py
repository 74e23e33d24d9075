"""One instruction over the whole store, carried out by the offline model."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from script_editor.agent.memory import BufferMemory, Remembered
from script_editor.app.ask import AskReport
from script_editor.app.bootstrap import App, build_app
from script_editor.app.errand import Errand
from script_editor.errors import BeyondOffline, EditRefused, ScriptNotFound
from tests.support.desk import settings

CTA = "好喝不贵。\n点击左下角购买。\n"
MODES = pytest.mark.parametrize("mode", ["tools", "react"])


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    app = build_app(settings(tmp_path / "store.db", "offline"))
    app.scripts.new("video_001", "大家好。\n今天聊聊人工智能。\n", author="tester")
    for script_id in ("video_002", "video_012"):
        app.scripts.new(script_id, CTA, author="tester")
    yield app
    app.close()


def ask(app: App, instruction: str, mode: str = "tools", **more: object) -> AskReport:
    errand = Errand(instruction=instruction, author="tester", mode=mode, **more)  # type: ignore[arg-type]
    return app.ask(errand, approve=lambda _pending: True)


@MODES
@pytest.mark.parametrize(
    "instruction",
    [
        "把 video_002 和 video_012 里的“左下角”改成“右下角”",
        "把video_002、video_012里的“左下角”都改成“右下角”。",
        'In video_002 and video_012 replace "左下角" with "右下角"',
        'Replace "左下角" with "右下角" in both video_002 and video_012.',
    ],
)
def test_one_mechanical_edit_of_two_named_scripts(app: App, mode: str, instruction: str) -> None:
    report = ask(app, instruction, mode)

    assert [one.version.reference for one in report.changed] == ["video_002@v2", "video_012@v2"]
    assert app.scripts.read("video_012").text == CTA.replace("左下角", "右下角")
    assert not report.claims_unproven


@MODES
def test_an_edit_is_undone_by_its_id(app: App, mode: str) -> None:
    ask(app, "把 video_002 里的“左下角”改成“右下角”", mode)

    report = ask(app, "撤销 video_002 的上一次修改", mode)

    assert report.truth == "已修改：video_002 v2 → v3。"
    assert app.scripts.read("video_002").text == CTA


@MODES
@pytest.mark.parametrize(
    ("instruction", "told"),
    [
        ("history of video_002", "video_002: v1 to v2"),
        ("video_002 改过几次？", "video_002：共 2 个版本，改过 1 次"),
        ("compare v1 and v2 of video_002", "video_002 v1 to v2: 1 change"),
    ],
)
def test_a_question_is_answered_with_what_the_tool_tells(
    app: App, mode: str, instruction: str, told: str
) -> None:
    ask(app, "把 video_002 里的“左下角”改成“右下角”", mode)

    report = ask(app, instruction, mode)

    assert (report.outcome, report.is_quotation, report.claims_unproven) == ("answered", True, False)
    assert report.answer.startswith(told)


@MODES
@pytest.mark.parametrize(
    "instruction", ["刚才那个预览可以，就用它。", "Apply that preview.", "就用它", "OK, save it"]
)
def test_a_preview_of_the_conversation_is_saved_as_it_was(app: App, mode: str, instruction: str) -> None:
    shown = ask(app, "把 video_002 里的“左下角”改成“右下角”", mode, read_only=True)
    past = BufferMemory().past([Remembered(said="先看看", answered=shown.answer, facts=shown.facts)])

    report = ask(app, instruction, mode, past=past, chat_id=app.store.create_chat(name="t", author="t").id)

    assert (report.outcome, app.scripts.read("video_002").text) == ("saved", CTA.replace("左下角", "右下角"))


@MODES
def test_which_script_is_asked_when_none_is_named(app: App, mode: str) -> None:
    report = ask(app, "删掉第2行", mode)

    assert (report.outcome, report.truth) == ("answered", "没有任何改动。")
    assert "请写明编号" in report.answer


@MODES
@pytest.mark.parametrize("instruction", ["讲人工智能的那条脚本，删到只剩三句话。", "Make video_001 funnier."])
def test_what_needs_a_writer_is_refused(app: App, mode: str, instruction: str) -> None:
    with pytest.raises(BeyondOffline):
        ask(app, instruction, mode)


def test_a_word_that_is_not_there_is_an_error_as_in_an_edit(app: App) -> None:
    with pytest.raises(EditRefused):
        ask(app, "把 video_002 里的“右上角”改成“右下角”")


def test_a_script_that_is_not_there_is_named(app: App) -> None:
    with pytest.raises(ScriptNotFound):
        ask(app, "history of video_099")
