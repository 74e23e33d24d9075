"""Scripts that an instruction names by ids of any form: in lists, beside each other, and in a store of many."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from script_editor.app.bootstrap import App, build_app
from script_editor.errors import BeyondOffline
from script_editor.llm.chat import Message, ToolCall, ToolSpec
from script_editor.offline.model import OfflineModel
from tests.offline.stores import ask, say, text
from tests.support.desk import settings

BEFORE = "大家好，我的朋友们。\n今天说说旧事。\n"
IDS = ("ep1", "ep2", "甲", "乙", "丙", "开箱_耳机", "知识_睡眠", "video_001", "video_002", "my-vlog")
MODES = pytest.mark.parametrize("mode", ["tools", "react", "conversational", "xml"])


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    app = build_app(settings(tmp_path / "store.db", "offline"))
    for script_id in IDS:
        app.scripts.new(script_id, BEFORE, author="tester")
    yield app
    app.close()


def changed(app: App) -> set[str]:
    """Return the scripts that have another text than at the start."""
    return {script_id for script_id in IDS if text(app, script_id) != BEFORE}


LISTS = [
    ("把 ep1 和 ep2 里的“大家”改成“各位”", {"ep1", "ep2"}),
    ("把ep1、ep2里的“大家”改成“各位”", {"ep1", "ep2"}),
    ("把 开箱_耳机、知识_睡眠 里的“大家”改成“各位”", {"开箱_耳机", "知识_睡眠"}),
    ("把开箱_耳机和知识_睡眠里的“大家”改成“各位”", {"开箱_耳机", "知识_睡眠"}),
    ("开箱_耳机和知识_睡眠：把“大家”改成“各位”", {"开箱_耳机", "知识_睡眠"}),
    ("把 甲 和 乙 里的“大家”改成“各位”", {"甲", "乙"}),
    ("在 甲、乙 和 丙 里把“大家”改成“各位”", {"甲", "乙", "丙"}),
    ("把 甲 和 video_002 里的“大家”改成“各位”", {"甲", "video_002"}),
    ("把 video_001、甲、ep2 和 开箱_耳机 里的“大家”改成“各位”", {"video_001", "甲", "ep2", "开箱_耳机"}),
    ("ep1、ep2、my-vlog 里的“大家”都改成“各位”", {"ep1", "ep2", "my-vlog"}),
    ('replace "大家" with "各位" in 开箱_耳机 and 知识_睡眠', {"开箱_耳机", "知识_睡眠"}),
    ('in ep1 and ep2 replace "大家" with "各位"', {"ep1", "ep2"}),
    ('replace "大家" with "各位" in ep1, ep2, and my-vlog', {"ep1", "ep2", "my-vlog"}),
    ('in ep1, 甲 and video_002, change "大家" to "各位"', {"ep1", "甲", "video_002"}),
    ("把 甲 里的“大家”改成“各位”", {"甲"}),
    ("把开箱_耳机里的“大家”改成“各位”", {"开箱_耳机"}),
    ('replace "大家" with "各位" in ep1', {"ep1"}),
]


@MODES
@pytest.mark.parametrize(("instruction", "wanted"), LISTS, ids=[words for words, _ in LISTS])
def test_every_script_of_a_list_is_edited(app: App, mode: str, instruction: str, wanted: set[str]) -> None:
    report = ask(app, instruction, mode)

    assert report.outcome == "saved"
    assert changed(app) == wanted
    assert {text(app, one) for one in wanted} == {BEFORE.replace("大家", "各位")}


@pytest.mark.parametrize(("instruction", "wanted"), LISTS, ids=[words for words, _ in LISTS])
@pytest.mark.parametrize("about", [None, "video_001"])
def test_a_chat_turns_to_every_script_of_a_list(
    app: App, about: str | None, instruction: str, wanted: set[str]
) -> None:
    report = say(app.chats.begin(script_id=about), instruction)

    assert report.outcome == "saved"
    assert changed(app) == wanted


def test_each_script_has_the_clause_that_names_it(app: App) -> None:
    ask(app, "把 甲 里的“大家”改成“各位”，把 开箱_耳机 里的“朋友”改成“兄弟”，再删掉 ep1 的第2行")

    assert text(app, "甲") == BEFORE.replace("大家", "各位")
    assert text(app, "开箱_耳机") == BEFORE.replace("朋友", "兄弟")
    assert text(app, "ep1") == BEFORE.split("\n")[0] + "\n"
    assert changed(app) == {"甲", "开箱_耳机", "ep1"}


def test_a_character_inside_a_word_names_no_script(app: App) -> None:
    ask(app, "把 ep1 里的“大家”改成“甲方乙方”")

    assert changed(app) == {"ep1"}


def test_a_list_is_known_in_a_store_of_many_scripts(app: App) -> None:
    for number in range(60):
        app.scripts.new(f"a{number:03}-clip", BEFORE, author="tester")

    ask(app, "把 甲 和 知识_睡眠 里的“大家”改成“各位”")

    assert changed(app) == {"甲", "知识_睡眠"}


def test_a_list_in_english_is_answered_in_english(app: App) -> None:
    with pytest.raises(BeyondOffline) as refused:
        ask(app, "make 开箱_耳机 and 知识_睡眠 funnier")

    assert str(refused.value).startswith("The offline editor")


def test_an_answer_is_never_empty() -> None:
    call = ToolCall("call_1", "list_scripts", "{}")
    listed = Message(role="tool", content="   ", tool_call_id="call_1", name="list_scripts")
    said = (
        Message(role="user", content="列出所有脚本"),
        Message(role="assistant", tool_calls=(call,)),
        listed,
    )

    with pytest.raises(BeyondOffline):
        OfflineModel().complete(said, tools=[ToolSpec("list_scripts", "", {})])
