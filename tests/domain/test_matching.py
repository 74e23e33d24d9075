"""Folding finds, and never writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.matching import find_all, fold, nearest_passage, project


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
    ],
)
def test_folded_search_finds_what_looks_alike(text: str, search: str, span: tuple[int, int]) -> None:
    assert find_all(text, search, folded=True) == [span]


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
        ("价格 ８９ 元", "价格 89 元", "价格 99 元", "价格 ９９ 元".replace("９９", "9９")),
        ("cafe\u0301 au lait", "café au lait", "café noir", "cafe\u0301 noir"),
        ("exact", "exact", "other", "other"),
    ],
)
def test_only_the_difference_is_written(original: str, search: str, replacement: str, written: str) -> None:
    assert project(original, search, replacement) == written


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
