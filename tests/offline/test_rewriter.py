"""OfflineRewriter through its door: the collected cases, what it returns, and what it says when it refuses."""

import json
from pathlib import Path
from typing import Any

import pytest

from script_editor.domain.operations import Constraints
from script_editor.errors import BeyondOffline, EditRefused
from script_editor.offline.rewriter import OfflineRewriter
from tests.offline.editing import numbered, outcome, rewrite_text

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent.parent / "cases" / "offline_edits.jsonl")
    .read_text("utf-8")
    .splitlines()
]

RIDE = "我们从西门出发。\n西门外有河。\n骑到码头就休息。\n"


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_collected_case_holds(case: dict[str, Any]) -> None:
    expect = case["expect"]
    expected = expect["text"] if expect["kind"] == "saved" else f"refused: {expect['reason']}"

    assert expected == outcome(case["script"], case["instruction"])


def test_a_rewrite_costs_nothing_and_counts_what_it_replaced() -> None:
    rewrite = OfflineRewriter()(numbered(RIDE), "把西门改成东门", Constraints())

    assert ("offline", None, None) == (rewrite.model, rewrite.prompt_tokens, rewrite.completion_tokens)
    assert ("替换了 2 处“西门”。",) == rewrite.notes
    assert ("video_001", 1) == (rewrite.plan.script_id, rewrite.plan.base_version)


def test_notes_speak_the_language_of_the_instruction() -> None:
    rewrite = OfflineRewriter()(numbered(RIDE), "replace 西门 with 东门 and delete line 3", Constraints())

    assert ('Replaced 2 occurrences of "西门".', "Deleted line 3.") == rewrite.notes


def test_a_line_gets_one_operation_whatever_its_parts_do() -> None:
    rewrite = OfflineRewriter()(numbered(RIDE), "把西门改成东门，把出发改成启程", Constraints())

    assert ["S1", "S2"] == [operation.id.split(":")[0] for operation in rewrite.plan.operations]
    assert "我们从东门启程。\n东门外有河。\n骑到码头就休息。\n" == rewrite_text(
        RIDE, "把西门改成东门，把出发改成启程"
    )


def test_targets_limit_the_edit() -> None:
    with pytest.raises(EditRefused) as refused:
        OfflineRewriter()(numbered(RIDE), "把西门改成东门", Constraints(targets=(2,)))

    assert ("off_target", (1,)) == (refused.value.reason, refused.value.segments)
    assert "我们从西门出发。\n东门外有河。\n骑到码头就休息。\n" == rewrite_text(
        RIDE, "第2行的西门改成东门", targets=(2,)
    )


def test_mentions_of_the_script_itself_say_nothing_new() -> None:
    assert "我们从东门出发。\n东门外有河。\n骑到码头就休息。\n" == rewrite_text(
        RIDE, "把 video_001 里的西门改成东门"
    )
    assert "西门外有河。\n骑到码头就休息。\n" == rewrite_text(RIDE, "Delete the first line of video_001.")


def test_another_script_is_not_taken_for_this_one() -> None:
    assert outcome(RIDE, "把 video_002 里的西门改成东门").startswith("refused")
    assert outcome(RIDE, "in video_002 delete line 1").startswith("refused")


@pytest.mark.parametrize(
    ("instruction", "words", "advice"),
    [
        ("把东门改成南门", "脚本里没有“东门”", "请照原文"),
        ("第3行的西门改成东门", "第 3 行里没有“西门”", "请照原文"),
        ("删掉第12行", "没有第 12 行：脚本共有 3 行", "1 到 3"),
        ("Delete line 12", "There is no line 12: the script has 3", "from 1 to 3"),
        ("Replace “tea” with “milk”", '"tea" does not occur in the script', "exactly as it stands"),
        ("把第五个西门改成东门", "只出现了 2 次", "全部"),
        ("删掉有“西门”的那一行", "不止一行：第 1、2 行", "行号"),
        ("在第2行后面加一句", "没有给出新的文字", "引号"),
        ("move line 2", "not clear where", "before line 3"),
        ("把西门改成西门", "没有需要改的", "确认"),
    ],
)
def test_a_refusal_says_what_was_looked_for_and_what_to_type(
    instruction: str, words: str, advice: str
) -> None:
    with pytest.raises(EditRefused) as refused:
        OfflineRewriter()(numbered(RIDE), instruction, Constraints())

    assert words in str(refused.value)
    assert advice in refused.value.hint


def test_a_near_miss_is_shown_but_not_used() -> None:
    with pytest.raises(EditRefused) as refused:
        OfflineRewriter()(numbered(RIDE), "把“骑到马头就休息”改成“休息”", Constraints())

    assert "骑到码头就休息。" == refused.value.nearest


@pytest.mark.parametrize("instruction", ["写得幽默一点", "Make it funnier", "把第2行改得委屈一点", ""])
def test_what_needs_a_writer_names_the_settings_of_a_model(instruction: str) -> None:
    with pytest.raises(BeyondOffline) as beyond:
        OfflineRewriter()(numbered(RIDE), instruction, Constraints())

    assert "OPENAI_API_KEY" in beyond.value.hint
    assert "MODEL_NAME" in beyond.value.hint


def test_a_script_without_lines_has_no_place_for_a_new_one() -> None:
    assert "refused: not_found" == outcome("\n\n", "结尾加一行：好。")


def test_private_use_characters_of_an_instruction_are_no_quotations() -> None:
    assert outcome(RIDE, "把\U00100000改成东门").startswith("refused")


@pytest.mark.parametrize(
    ("instruction", "note"),
    [
        ("交换第1行和第3行", "交换了第 1、3 行的位置。"),
        ("swap lines 1 and 3", "Swapped lines 1, 3."),
        ("把第3行移到开头", "移动了第 3 行。"),
        ("move line 3 to the top", "Moved line 3."),
        ("把第2行上移一行", "移动了第 2 行。"),
    ],
)
def test_carried_lines_are_told(instruction: str, note: str) -> None:
    rewrite = OfflineRewriter()(numbered("一\n二\n三\n"), instruction, Constraints())

    assert rewrite.notes == (note,)
