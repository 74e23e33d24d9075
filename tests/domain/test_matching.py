"""Folding finds, and never writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.folding import fold_text
from script_editor.domain.matching import find_all, fold, nearest_passage, project
from script_editor.domain.projection import adopt


@pytest.mark.parametrize(
    ("text", "search", "span"),
    [
        pytest.param("他说：“好”。", '"好"', (3, 6), id="quotation marks"),
        pytest.param("价格 ８９ 元", "89", (3, 5), id="full width digits"),
        pytest.param("a  b", "a b", (0, 4), id="runs of spaces"),
        pytest.param("a\u00a0b", "a b", (0, 3), id="no-break space"),
        pytest.param("cafe\u0301 ok", "café", (0, 5), id="decomposed letter"),
        pytest.param("1–2", "1-2", (0, 3), id="dashes"),
        pytest.param("好，的", "好,的", (0, 3), id="full width comma"),
        pytest.param("a\u200bb", "ab", (0, 3), id="zero width space"),
        pytest.param("a\r\nb", "a\nb", (0, 4), id="line ends"),
        pytest.param("a \r\n  b", "a\nb", (0, 7), id="space around a line end"),
        pytest.param("讲㎏和①", "kg和1", (1, 4), id="compatibility characters"),
        pytest.param("等等……好", "等等...好", (0, 5), id="dots"),
        pytest.param("好——走", "好-走", (0, 4), id="a double dash"),
        pytest.param("好。", "好.", (0, 2), id="full stop"),
    ],
)
def test_folded_search_finds_what_looks_alike(text: str, search: str, span: tuple[int, int]) -> None:
    assert find_all(text, search, folded=True) == [span]


@pytest.mark.parametrize(
    ("text", "search", "span"),
    [
        pytest.param("每周更新3期。", "更新 3 期", (2, 6), id="spaces between Chinese and Latin"),
        pytest.param("每周更新 3 期。", "更新3期", (2, 8), id="no spaces between Chinese and Latin"),
        pytest.param("a\r\n\r\nb", "a\nb", (0, 6), id="blank lines"),
    ],
)
def test_tight_search_does_not_see_what_only_sets_apart(
    text: str, search: str, span: tuple[int, int]
) -> None:
    assert find_all(text, search, folded=True) == []
    assert find_all(text, search, tight=True) == [span]


def test_spaces_between_chinese_words_are_seen() -> None:
    assert find_all("大家 好", "大家好", tight=True) == []


def test_a_part_of_a_compatibility_character_is_not_found() -> None:
    assert find_all("5㎏", "g", folded=True) == []


def test_exact_search_folds_nothing() -> None:
    assert find_all("“好”", '"好"') == []


def test_hits_do_not_overlap() -> None:
    assert find_all("aaaa", "aa") == [(0, 2), (2, 4)]


def test_different_words_are_never_folded_together() -> None:
    assert find_all("two tomatoes", "three tomatoes", folded=True) == []
    assert find_all("Cup", "cup", folded=True) == []


@pytest.mark.parametrize(
    ("original", "search", "replacement", "written"),
    [
        ("“b”", '"b"', '"d"', "“d”"),
        ("价格 ８９ 元", "价格 89 元", "价格 99 元", "价格 ９９ 元"),
        ("cafe\u0301 au lait", "café au lait", "café noir", "cafe\u0301 noir"),
        ("exact", "exact", "other", "other"),
    ],
)
def test_only_the_difference_is_written(original: str, search: str, replacement: str, written: str) -> None:
    assert project(original, search, replacement) == written


@pytest.mark.parametrize(
    ("author", "written", "is_spaced", "result"),
    [
        pytest.param("每周更新3期。", "每周更新 4 期。", None, "每周更新4期。", id="the line's own habit"),
        pytest.param("每周更新 3 期。", "每周更新4期。", None, "每周更新 4 期。", id="the other habit"),
        pytest.param("我写脚本。", "我用 AI 写脚本。", False, "我用AI写脚本。", id="the script's habit"),
        pytest.param("我写脚本。", "我用 AI 写脚本。", None, "我用 AI 写脚本。", id="no habit"),
        pytest.param("他说：“好”，走了。", '他说:"坏",走了.', None, "他说：“坏”，走了。", id="marks"),
        pytest.param("他说：“好”", 'He said: "fine"', None, 'He said: "fine"', id="another line altogether"),
        pytest.param(
            "It costs ８９ yuan.", "It costs 99 yuan.", None, "It costs ９９ yuan.", id="full width"
        ),
        pytest.param("", "新", None, "新", id="nothing before"),
    ],
)
def test_a_changed_line_is_written_as_the_author_writes(
    author: str, written: str, is_spaced: bool | None, result: str
) -> None:
    assert adopt(author, written, is_spaced=is_spaced) == result


@given(st.text(max_size=40), st.text(max_size=40))
def test_what_is_written_over_a_text_looks_like_what_was_wanted(original: str, wanted: str) -> None:
    written = adopt(original, wanted, is_spaced=None)

    assert fold_text(written, tight=True).text == fold_text(wanted, tight=True).text


@given(st.text(max_size=40))
def test_every_folded_character_has_an_origin_in_order(text: str) -> None:
    folded, origins = fold(text)

    assert len(origins) == len(folded) + 1
    assert origins == sorted(origins)
    assert origins[-1] == len(text)


def test_nearest_passage_needs_half_of_the_words() -> None:
    assert nearest_passage(["alpha beta", "gamma"], "alpha bets") == "alpha beta"
    assert nearest_passage(["alpha beta", "gamma"], "qqqq") == ""


def test_a_letter_is_not_found_inside_a_letter_with_an_accent() -> None:
    assert find_all("cafe\u0301 bar, cafe", "cafe") == [(11, 15)]
