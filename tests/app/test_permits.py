"""What the words of a request let a model save, whatever it calls; through the whole application."""

from pathlib import Path

import pytest

from script_editor.app.chat import Manner
from script_editor.errors import EditRefused
from script_editor.llm.chat import Reply
from script_editor.llm.scripted import ScriptedModel
from tests.support.desk import FUNNIER, SEED, Desk, desk

call = ScriptedModel.call
EDIT = call("modify_script", script_id="video_001", instruction="口语一点")
BACK = call("revert", script_id="video_001", version=1)


def second_version(there: Desk) -> Desk:
    there.app.scripts.save("video_001", "二\n", expected_head=1, author="tester")
    return there


@pytest.mark.parametrize(
    "instruction",
    [
        "video_001 有多长？",
        "Is video_001 too long?",
        "video_001 先不改，给点建议",
        "Delete the script video_001",
    ],
)
def test_a_model_that_edits_instead_of_answering_saves_nothing(tmp_path: Path, instruction: str) -> None:
    there = desk(tmp_path, EDIT, "好的。")

    with pytest.raises(EditRefused) as refused:
        there.ask(instruction)

    assert refused.value.reason == "wrong_target"
    assert there.text() == SEED


def test_a_question_may_be_answered_with_a_proposal(tmp_path: Path) -> None:
    there = desk(
        tmp_path, call("preview", script_id="video_001", instruction="口语一点"), FUNNIER, "这样可以吗？"
    )

    report = there.ask("video_001 的开头怎么改比较好？")

    assert report.outcome == "proposed"
    assert there.text() == SEED


@pytest.mark.parametrize(
    ("instruction", "saved"),
    [("video_001 口语一点", False), ("把 video_001 恢复到第2版", False), ("撤销 video_001 的修改", True)],
)
def test_an_older_text_comes_back_only_when_the_words_want_it(
    tmp_path: Path, instruction: str, saved: bool
) -> None:
    there = second_version(desk(tmp_path, BACK, "好的。"))

    if saved:
        there.ask(instruction)
    else:
        with pytest.raises(EditRefused):
            there.ask(instruction)

    assert there.text() == (SEED if saved else "二\n")


@pytest.mark.parametrize(
    ("said", "saved"), [("就用它", True), ("先放着，我再想想", False), ("这个改动有几处？", False)]
)
def test_a_proposal_that_was_shown_waits_for_a_yes(tmp_path: Path, said: str, saved: bool) -> None:
    made: list[str] = []

    def take(_messages: object, _tools: object) -> Reply:
        return call("modify_script", script_id="video_001", instruction=said, proposal_id=made[0])

    preview = call("preview", script_id="video_001", instruction="口语一点")
    there = desk(tmp_path, preview, FUNNIER, "请看。", take, "好的。")
    chat = there.app.chats.begin(script_id="video_001")
    shown = chat.turn("先出个预览，口语一点", Manner(), approve=lambda _: True)
    made.append(shown.proposals[0].proposal.id)

    chat.turn(said, Manner(), approve=lambda _: True)

    assert (there.text() != SEED) is saved


def test_a_script_that_no_words_fit_may_be_proposed_for_and_not_saved(tmp_path: Path) -> None:
    there = desk(
        tmp_path, EDIT, call("preview", script_id="video_001", instruction="口语一点"), FUNNIER, "是这条吗？",
        others={"video_002": "别的\n"},
    )  # fmt: skip

    report = there.ask("博物馆导览那条，开头口语一点")

    assert report.outcome == "proposed"
    assert there.text() == SEED
