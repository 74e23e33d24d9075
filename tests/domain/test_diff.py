"""Changes that people can read, in Chinese and English."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.diff import Change, changes
from script_editor.domain.marks import marks

SEED = "大家好，欢迎来到我的频道。\n今天我们要聊一聊人工智能的发展历程。\n人工智能从20世纪50年代开始发展，\n经历了几次寒冬和复兴。\n"


def inline(change: Change) -> str:
    shapes = {"equal": "{}", "delete": "[-{}-]", "insert": "{{+{}+}}"}
    return "".join(shapes[mark.kind].format(mark.text) for mark in change.marks)


def test_han_text_is_marked_in_readable_stretches() -> None:
    after = SEED.replace("我们要聊一聊", "咱们来唠一唠")

    (change,) = changes(SEED, after)

    assert (change.before_line, change.after_line) == (2, 2)
    assert inline(change) == "今天[-我们要聊一聊-]{+咱们来唠一唠+}人工智能的发展历程。"


def test_latin_text_is_marked_by_words_and_numbers_stay_whole() -> None:
    (change,) = changes("It costs $1,500 for 3.5 kg.\n", "It costs $1,800 for 3.5 kg.\n")

    assert inline(change) == "It costs $[-1,500-]{+1,800+} for 3.5 kg."


def test_a_line_that_has_little_left_is_shown_whole() -> None:
    (change,) = changes("完全不同的一句话。\n", "Something else.\n")

    assert inline(change) == "[-完全不同的一句话。-]{+Something else.+}"


def test_adjacent_changed_lines_are_separate_changes() -> None:
    after = SEED.replace("大家好", "哈喽大家好").replace("今天我们", "今天咱们")

    assert [(c.id, c.kind, c.after_line) for c in changes(SEED, after)] == [
        (1, "replace", 1),
        (2, "replace", 2),
    ]


def test_inserted_and_deleted_lines_have_no_partner() -> None:
    after = "先说一句。\n" + SEED.replace("经历了几次寒冬和复兴。\n", "")

    assert [(c.kind, c.before_line, c.after_line) for c in changes(SEED, after)] == [
        ("insert", None, 1),
        ("delete", 4, None),
    ]


@pytest.mark.parametrize(
    ("before", "after", "note"),
    [
        ("a\n\nb\n", "a\nb\n", "blank line removed"),
        ("a\nb\n", "a\n\nb\n", "blank line added"),
        ("a\r\nb\n", "a\nb\n", "line end"),
        ("  a\n", "a\n", "indentation or trailing space"),
        ("a\n", "a", "final newline removed"),
        ("a", "a\n", "final newline added"),
        ("\ufeffa\n", "a\n", "byte order mark removed"),
    ],
)
def test_silent_changes_are_named(before: str, after: str, note: str) -> None:
    (change,) = changes(before, after)

    assert (change.kind, change.note) == ("space", note)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "\ufeff", ["byte order mark added"]),
        ("\ufeffa\n", "", ["", "byte order mark removed"]),
        ("a\r\nb", "a\nb", ["line end"]),
        ("a\r\nb", "a\r\nb\r\nc", [""]),
        ("a\r", "a\r\n", ["final newline added", "indentation or trailing space"]),
    ],
)
def test_the_ends_of_a_text_are_changes_of_their_own(before: str, after: str, expected: list[str]) -> None:
    assert expected == sorted(change.note for change in changes(before, after))


def test_line_numbers_skip_blank_lines() -> None:
    (change,) = changes("a\n\n\nb\n", "a\n\n\nc\n")

    assert (change.before_line, change.after_line) == (2, 2)


@given(st.text(alphabet="ab中。 \n\r", max_size=30), st.text(alphabet="ab中。 \n\r", max_size=30))
def test_there_are_changes_exactly_when_the_texts_differ(before: str, after: str) -> None:
    found = changes(before, after)

    assert bool(found) == (before != after)
    assert [change.id for change in found] == list(range(1, len(found) + 1))


@given(st.text(alphabet="ab中文，。 1", max_size=20), st.text(alphabet="ab中文，。 1", max_size=20))
def test_marks_spell_both_lines(before: str, after: str) -> None:
    found = marks(before, after)

    assert "".join(m.text for m in found if m.kind != "insert") == before
    assert "".join(m.text for m in found if m.kind != "delete") == after


def test_the_final_newline_is_a_change_of_its_own() -> None:
    assert [change.note for change in changes("a\nb", "X\nb\n")] == ["", "final newline added"]


@pytest.mark.parametrize("gap", ["\n\n", "\n\n\n", "\n甲：\n"], ids=["a blank line", "two", "a label"])
def test_a_long_text_with_lines_that_recur_takes_little_more_than_one_without(gap: str) -> None:
    lines = [f"这是第{number}行，内容各不相同{number * 7919 % 1000}。" for number in range(2000)]
    edited = [line.replace("内容", "文字") if number % 3 == 0 else line for number, line in enumerate(lines)]

    plain = timed("\n".join(lines), "\n".join(edited))
    spaced = timed(gap.join(lines), gap.join(edited))

    assert spaced < 20 * plain + 1


def test_a_text_of_lines_that_all_recur_is_compared_quickly() -> None:
    assert timed("甲\n乙\n" * 1500, "甲\n乙\n丙\n" * 1000) < 5


def timed(before: str, after: str) -> float:
    started = time.process_time()
    changes(before, after)
    return time.process_time() - started


def test_two_lines_taken_out_of_a_text_that_repeats_itself_are_two_changes() -> None:
    lines = [f"第{word}句话。\n" for word in "甲乙丙丁戊"] * 3
    after = "".join(line for number, line in enumerate(lines, 1) if number not in (2, 7))

    found = changes("".join(lines), after)

    assert [(change.kind, change.before_line) for change in found] == [("delete", 2), ("delete", 7)]
