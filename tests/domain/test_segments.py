"""Numbered lines over an untouched text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.script import check_instruction, check_text
from script_editor.domain.segments import NumberedScript, physical_lines
from script_editor.errors import BadInstruction, BadText, EditRefused, TooLarge


def test_blank_lines_are_not_counted_and_bytes_are_kept() -> None:
    script = NumberedScript("v", 1, "\ufeff  一 \r\n\r\n \u3000\n二\u2028还是二")

    assert [(s.number, s.content) for s in script.segments] == [(1, "一"), (2, "二\u2028还是二")]
    assert script.view(2) == f"S2:{script.segment(2).check} | 二\u2028还是二"


@given(st.text(alphabet="ab\r\n\u2028 \ufeff", max_size=30))
def test_physical_lines_cover_the_text(text: str) -> None:
    lines = physical_lines(text)
    start = 1 if text.startswith("\ufeff") else 0

    assert "".join(text[line.start : line.end] for line in lines) == text[start:]
    assert all(text[line.content_end : line.end] in ("", "\n", "\r\n") for line in lines)


def test_a_check_catches_a_number_that_is_off_by_one() -> None:
    script = NumberedScript("v", 1, "甲\n乙\n")
    other = script.segment(2).check

    assert script.resolve_reference(f"S2:{other}").number == 2
    assert script.resolve_reference("2").number == 2
    with pytest.raises(EditRefused) as caught:
        script.resolve_reference(f"S1:{other}")
    assert "S2" in caught.value.hint


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800b"])
def test_what_no_database_keeps_is_refused_with_its_place(bad: str) -> None:
    with pytest.raises(BadText) as caught:
        check_text("x\n" + bad)

    assert (caught.value.line, caught.value.column) == (2, 2)


def test_a_text_over_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge):
        check_text("中" * (3 * 1024 * 1024))


@pytest.mark.parametrize("bad", ["", " \n\u3000", "\u200b\u200b", "x" * 8001, "a\0"])
def test_an_instruction_that_says_nothing_or_too_much_is_refused(bad: str) -> None:
    with pytest.raises(BadInstruction):
        check_instruction(bad)


def test_an_instruction_is_trimmed() -> None:
    assert check_instruction("  删掉第3行\n") == "删掉第3行"
