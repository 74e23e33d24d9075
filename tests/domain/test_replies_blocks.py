"""Search/replace blocks: found once or refused, and only what differs is written."""

import pytest

from script_editor.domain.edits import resolve
from script_editor.domain.replies import parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.errors import EditRefused

TOAST = "Intro music fades.\n\nThis is Night Kitchen.\nTonight's dish is toast - yes, toast.\n\nSlice it thick, about an inch.\nButter first, then the pan.\n\nSleep well.\n"
REPEATED = "开始吧。\n记得保存。\n我们来看第一步。\n  记得保存。\r\n谢谢观看。"


def block(search: str, replace: str) -> str:
    lines = [
        "<<<<<<< SEARCH",
        *([search] if search else []),
        "=======",
        *([replace] if replace else []),
        ">>>>>>> REPLACE",
    ]
    return "\n".join(lines)


def edited(text: str, raw: str, instruction: str = "改一下") -> str:
    script = NumberedScript("video_001", 3, text)
    plan = parse_plan(raw, script, syntax="search_replace", instruction=instruction)
    return apply(text, resolve(script, plan))


def refusal(text: str, raw: str) -> EditRefused:
    with pytest.raises(EditRefused) as caught:
        edited(text, raw)
    return caught.value


@pytest.mark.parametrize(
    ("text", "search", "replace", "after"),
    [
        pytest.param("a b c\nd\n", "b", "x", "a x c\nd\n", id="part of a line"),
        pytest.param("a\r\nb\nc\r\n", "a\nb", "a\nx", "a\r\nx\nc\r\n", id="mixed line ends"),
        pytest.param("\ufeffa b\nc", "a b\nc", "a x\nc", "\ufeffa x\nc", id="BOM and no final newline"),
        pytest.param("a  b\n", "a b", "a x", "a  x\n", id="runs of spaces"),
        pytest.param("a b c\n", "a b c ", "a x c", "a x c\n", id="space at the end"),
        pytest.param("  a b\n  c d\n", "a b\nc d", "a b\nc x", "  a b\n  c x\n", id="indentation left out"),
        pytest.param("a b\nc d\n", "    a b\n    c d", "    a b\n    c x", "a b\nc x\n", id="indentation made up"),
        pytest.param("他说：“好”。\n", '他说："好"。', '他说："坏"。', "他说：“坏”。\n", id="straight for curly"),
        pytest.param("讲㎏和①，ＡＩ。\n再见。\n", "讲kg和1,AI。\n再见。", "讲kg和1,AI。\n拜拜。", "讲㎏和①，ＡＩ。\n拜拜。\n", id="compatibility characters"),
        pytest.param("全长８９米。\n", "全长89米。", "全长99米。", "全长９９米。\n", id="a figure stays in full width"),
        pytest.param("cafe\u0301 one\n", "café one", "café two", "cafe\u0301 two\n", id="decomposed letters"),
        pytest.param("7\u202fpm\n", "7 pm", "8 pm", "8\u202fpm\n", id="no-break space"),
        pytest.param("每周更新3期。\n", "每周更新 3 期。", "每周更新 4 期。", "每周更新4期。\n", id="spaces the author does not write"),
        pytest.param('"hi" wall\n“hi” door\n', '"hi" wall', '"ho" wall', '"ho" wall\n“hi” door\n', id="exact wins over folded"),
        pytest.param('She said "hi".\n', 'She said \\"hi\\".', 'She said \\"ho\\".', 'She said "ho".\n', id="escaped once too often"),
        pytest.param("a b\nc\n", "a b\\nc", "a x\\nc", "a x\nc\n", id="line break escaped"),
        pytest.param('print("\\n")\nb\n', 'print("\\n")', 'print("\\n\\n")', 'print("\\n\\n")\nb\n', id="escapes that are the script's own"),
        pytest.param("cost $1 (one)\n", "cost $1 (one)", "cost \\1 $& (two)", "cost \\1 $& (two)\n", id="nothing is a pattern"),
        pytest.param("a\nb\nc\n", "S2:k7 | b", "S2:k7 | x", "a\nx\nc\n", id="copied line number"),
        pytest.param("a\nb\nc\n", "\nb", "\nx", "a\nx\nc\n", id="blank line before both"),
        pytest.param("a\nb\nc\n", "b\n\n", "x\n\n", "a\nx\nc\n", id="blank lines behind both"),
        pytest.param("a\nb\nc\n", "b", "x\n", "a\nx\nc\n", id="blank line behind the new text"),
        pytest.param("a\nb\nc\n", "b", "", "a\nc\n", id="a line goes with its end"),
        pytest.param("a\r\nb", "b", "", "a", id="the last line goes"),
        pytest.param("a b c\n", " b", "", "a c\n", id="a part goes"),
        pytest.param("a\n\nb\nc\n", "a\n\nb", "a\n", "a\n\nc\n", id="a line goes, its blank line stays"),
        pytest.param("  a\n  b\n", "  a\nb", "  a", "  a\n", id="a line goes that was quoted without its indentation"),
        pytest.param("主：甲。\n", "主:甲.", "主:乙,丙.\n主:甲.", "主:乙,丙.\n主：甲。\n", id="a new line takes nothing from the old one behind it"),
        pytest.param("a\n\nb\n", "a\n\nb", "a\nb", "a\nb\n", id="a blank line goes"),
        pytest.param("a\nb\n", "a\nb", "a\n\nb", "a\n\nb\n", id="a blank line comes"),
        pytest.param("a\r\nb\r\nc\r\n", "a\nb", "a b", "a b\r\nc\r\n", id="lines are joined"),
        pytest.param("  a b\r\nc\r\n", "a b", "a\nb", "  a\r\n  b\r\nc\r\n", id="a line is divided"),
        pytest.param("a\n\nb\nc\n", "a\nb", "a\nx", "a\n\nx\nc\n", id="a blank line the model did not see"),
        pytest.param("a one\n...\nb two\n", "a one\n...\nb two", "a one\n...\nb three", "a one\n...\nb three\n", id="dots of the script's own"),
        pytest.param("他走了。\n再见。\n", "他走了。", "他走了。\n……", "他走了。\n……\n再见。\n", id="dots that were asked for"),
    ],
)  # fmt: skip
def test_only_the_difference_is_written(text: str, search: str, replace: str, after: str) -> None:
    assert edited(text, block(search, replace), "加一个……停顿") == after


def test_paired_dots_skip_lines() -> None:
    raw = block("Intro music fades.\n...\nSleep well.", "Intro music stops.\n...\nSleep tight.")

    assert edited(TOAST, raw) == TOAST.replace("fades", "stops").replace("Sleep well", "Sleep tight")


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param("script.md\n" + block("inch", "mile"), id="file name"),
        pytest.param("```\n" + block("inch", "mile") + "\n```", id="fence"),
        pytest.param("script.md\n```text\n" + block("inch", "mile") + "\n```\n", id="file name and fence"),
        pytest.param(block("inch", "mile").replace("<<<<<<<", "<<<<<").replace("=======", "=========").replace(">>>>>>>", ">>>>>>"), id="other lengths"),
        pytest.param("------- SEARCH\ninch\n=======\nmile\n+++++++ REPLACE", id="another dialect"),
        pytest.param(block("inch", "mile").translate(str.maketrans("<=>", "＜＝＞")), id="full-width markers"),
        pytest.param("Sure! Here is the edit:\n\n" + block("inch", "mile") + "\n\nLet me know if you need other changes.", id="talk"),
        pytest.param("<think>\n" + block("a", "b") + "\n</think>\n" + block("inch", "mile"), id="thinking"),
        pytest.param(block("inch", "mile").replace("\n", "\r\n"), id="CRLF"),
    ],
)  # fmt: skip
def test_blocks_are_read_with_what_stands_around_them(raw: str) -> None:
    assert edited(TOAST, raw) == TOAST.replace("inch", "mile")


def test_several_blocks_are_carried_out_together() -> None:
    raw = (
        "```\n"
        + block("toast - yes", "toast: yes")
        + "\n```\n\n```\n"
        + block("Slice it thick", "Cut it thick")
        + "\n```"
    )

    assert edited(TOAST, raw) == TOAST.replace("toast - yes", "toast: yes").replace("Slice it", "Cut it")


def test_two_blocks_may_change_one_line_in_different_places() -> None:
    assert edited("a b c d\n", block("a", "x") + "\n" + block("d", "y")) == "x b c y\n"


def test_a_line_quoted_for_its_place_may_be_changed_by_another_block() -> None:
    raw = block("开始吧。\n记得保存。", "开始吧。") + "\n" + block("开始吧。", "走吧。")

    assert edited(REPEATED, raw) == REPEATED.replace("开始吧。\n记得保存。", "走吧。")


def test_repeated_lines_are_told_apart_by_their_neighbours() -> None:
    raw = block("我们来看第一步。\n记得保存。", "我们来看第一步。\n记得再保存。")

    assert edited(REPEATED, raw) == "开始吧。\n记得保存。\n我们来看第一步。\n  记得再保存。\r\n谢谢观看。"


@pytest.mark.parametrize(
    ("text", "raw", "reason"),
    [
        pytest.param(REPEATED, block("记得保存。", "x"), "ambiguous_match", id="twice"),
        pytest.param("“a”\n“a”\n", block('"a"', "x"), "ambiguous_match", id="twice after folding"),
        pytest.param("aXaXa\n", block("aXa", "x"), "ambiguous_match", id="twice, overlapping"),
        pytest.param(TOAST, block("two inches", "one inch wide"), "no_match", id="not there"),
        pytest.param(TOAST, block("Slice it thick, about one inch.", "Slice it thick, about one mile."), "no_match", id="misquoted on both sides"),
        pytest.param(TOAST, block("inch", "mile") + "\n" + block("pot", "pan"), "no_match", id="one of two not there"),
        pytest.param(TOAST, block("Sleep well.\n...\nIntro music fades.", "x\n...\ny"), "no_match", id="pieces in the wrong order"),
        pytest.param(TOAST, block("about a mile", "about an inch"), "unchanged", id="carried out already"),
        pytest.param(TOAST, block("inch", "inch"), "unchanged", id="changes nothing"),
        pytest.param(TOAST, block("", "x"), "empty_search", id="nothing to find"),
        pytest.param(TOAST, block("\n", "x"), "empty_search", id="blank lines to find"),
        pytest.param(TOAST, block("This is Night Kitchen.\nTonight's dish is toast - yes, toast.", "This is it.\n..."), "elision", id="dots in the new text only"),
        pytest.param(TOAST, block("This is Night Kitchen.\n...\nSleep well.", "Sleep well."), "elision", id="dots in the old text only"),
        pytest.param(TOAST, block("inch", "mile") + "\n" + block("inch", "mile"), "conflict", id="the same block twice"),
        pytest.param(TOAST, block("an inch", "a mile") + "\n" + block("inch.", "mile!"), "conflict", id="overlapping blocks"),
        pytest.param(TOAST, block("inch", "mile").removesuffix("\n>>>>>>> REPLACE"), "truncated", id="no end marker"),
        pytest.param(TOAST, block("inch", "mile") + "\n<<<<<<< SEARCH\nSleep", "truncated", id="second block cut"),
        pytest.param(TOAST, "<<<<<<< SEARCH\ninch\n>>>>>>> REPLACE", "malformed", id="no divider"),
        pytest.param("a\n=======\nb\n", block("a\n=======\nb", "a\n=======\nc"), "malformed", id="divider in the text"),
        pytest.param(TOAST, block("inch", "mile\n>>>>>>>"), "malformed", id="half a marker in the text"),
        pytest.param(TOAST, block("inch", "mile") + "\nSlice it thick, about a mile.", "malformed", id="script text behind"),
        pytest.param(TOAST, "I'm sorry, but I can't help with that.", "refusal", id="refusal"),
        pytest.param(TOAST, "Slice it thin.", "malformed", id="no block"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_its_reason(text: str, raw: str, reason: str) -> None:
    assert refusal(text, raw).reason == reason


def test_a_near_miss_shows_the_nearest_line() -> None:
    missed = refusal(TOAST, block("Slice it thin, about an inch.", "x"))

    assert (missed.nearest, missed.segments) == ("Slice it thick, about an inch.", (4,))


def test_a_divider_in_the_text_is_answered_with_the_advice_to_use_ids() -> None:
    assert "ids" in refusal("a\n=======\nb\n", block("a\n=======\nb", "c")).advice


def test_a_line_that_moves_between_blocks_keeps_its_form() -> None:
    raw = block('a\n"b"', "a") + "\n" + block("c", 'c\n"b"')

    assert edited("a\n“b” \nc\n", raw) == "a\nc\n“b” \n"
