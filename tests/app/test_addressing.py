"""What was refused for the agent's ears is told to the person as you."""

import re
from pathlib import Path

import pytest

from script_editor.app import desk_refusals
from script_editor.domain.refusals import worded
from script_editor.errors import EditRefused
from tests.support.desk import act, answer, desk

SPEAKS_OF_THE_PERSON = re.compile(r"用户|\b[Tt]he person\b")
NAMES_A_TOOL = re.compile(r"modify_script|proposal_id|\bpreview 给出|with history")


def refusals(language: str) -> list[EditRefused]:
    """Return refusals of the desk, as the agent is told them."""
    return [
        desk_refusals.not_meant("video_001", (), language),
        desk_refusals.not_meant("video_001", ("video_002",), language),
        desk_refusals.which_one(("video_001", "video_002"), language),
        desk_refusals.left_alone("video_001", language),
        desk_refusals.show_first("video_001", language),
        desk_refusals.only_asked(language),
        desk_refusals.no_deletion("video_001", language),
        desk_refusals.no_way_back("video_001", language),
        desk_refusals.other_version("video_001", (2,), language),
        desk_refusals.only_back("video_001", language),
        desk_refusals.not_taken("p-1", language),
        desk_refusals.too_many(9, 5, language),
        desk_refusals.proposal_meant("video_001", ("p-1",), language),
        desk_refusals.proposal_meant("video_001", (), language),
        desk_refusals.separate("video_001", language),
    ]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_refusal_of_the_desk_speaks_to_the_person(language: str) -> None:
    for refusal in refusals(language):
        told = worded(refusal, language)

        assert SPEAKS_OF_THE_PERSON.search(f"{told} {told.hint}") is None, f"{told} {told.hint}"
        assert NAMES_A_TOOL.search(f"{told} {told.hint}") is None, f"{told} {told.hint}"
        assert (told.reason, told.language) == (refusal.reason, language)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_agent_is_told_what_to_ask_the_person(language: str) -> None:
    refusal = desk_refusals.which_one(("video_001", "video_002"), language)

    assert SPEAKS_OF_THE_PERSON.search(worded(refusal, language, audience="agent").hint)


def test_words_of_a_script_are_not_changed() -> None:
    refusal = EditRefused("no_match", "脚本里没有“用户”。", advice="请照原文写。", language="zh")

    assert str(worded(refusal, "zh")) == "脚本里没有“用户”。"


def test_a_question_that_a_model_takes_for_an_order_is_told_to_the_one_who_asked(tmp_path: Path) -> None:
    there = desk(
        tmp_path,
        act("tools", "modify_script", script_id="video_001", instruction="改短"),
        answer("tools", "没有改动。"),
    )

    with pytest.raises(EditRefused) as refused:
        there.ask("video_001 有多长？")

    assert "你只是在问" in str(refused.value)
    assert "用户" not in f"{refused.value} {refused.value.hint}"
    there.app.close()
