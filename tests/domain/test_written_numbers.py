"""Numbers are read in figures, Chinese and English, with what they are worth and where they stand."""

import pytest

from script_editor.domain.written_numbers import written_numbers


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12 people", [12]), ("3,000 and 1.5", [3000, 1.5]), ("1.2万", [12000]), ("5000万像素", [50_000_000]),
        ("３０天", [30]), ("3.5 million", [3_500_000]), ("10k", [10_000]), ("twelve", [12]), ("twenty-one", [21]),
        ("a hundred and twenty", [120]), ("half a dozen", [6]), ("lines three and four", [3, 4]), ("four thousand two hundred and ninety-nine", [4299]),
        ("一百二十三", [123]), ("三百二", [320]), ("三百零二", [302]), ("一万五", [15_000]), ("二〇二四年", [2024]),
        ("四千二百九十九块", [4299]), ("两个", [2]), ("我俩", [2]), ("20%", [0.2]), ("百分之二十", [0.2]),
        ("百分之三点五", [0.035]), ("twenty percent", [0.2]), ("三分之一", [0.333333]), ("two thirds", [0.666667]),
        ("1/2 cup", [0.5]), ("half a cup", [0.5]), ("one and a half cups", [1.5]), ("一半", [0.5]), ("三点五倍", [3.5]),
        ("成功 完成", []), ("no numbers here", []), ("", []),
    ],
)  # fmt: skip
def test_numbers_are_worth_the_same_however_written(text: str, expected: list[float]) -> None:
    assert expected == [number.value for number in written_numbers(text)]


def test_a_number_knows_its_place_and_whether_it_is_spelled() -> None:
    text = "先放12克，再放三勺"

    assert [(text[n.start : n.end], n.is_spelled) for n in written_numbers(text)] == [
        ("12", False),
        ("三", True),
    ]
