"""Taking some of the changes, and how people name them."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.diff import changes
from script_editor.domain.selection import parse_changes, take
from script_editor.errors import BadInput

SEED = "大家好，欢迎来到我的频道。\n今天我们要聊一聊人工智能的发展历程。\n\n人工智能从20世纪50年代开始发展，\n经历了几次寒冬和复兴。\n"
UGLY = st.text(alphabet="ab中。 \n\n\r\u200b\ufeff", max_size=30)


def everything(before: str, after: str) -> list[int]:
    return [change.id for change in changes(before, after)]


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, str]:
    """Two texts between which each change stands alone: lines that all differ, one that stays after each change."""
    end = draw(st.sampled_from(["\n", "\r\n"]))
    old, new = [], []
    for number, kind in enumerate(draw(st.lists(st.sampled_from("=rid b"), min_size=1, max_size=12))):
        line, stays = f"这是第{number}句原来的话。", f"这句{number}不改。"
        old += {"=": [line], "r": [line], "i": [], "d": [line], " ": [line], "b": [line]}[kind]
        old.append(stays)
        changed = {"=": [line], "r": [line + "改"], "i": [f"新写的{number}"], "d": [], " ": ["  " + line]}
        new += [*changed.get(kind, ["", line]), stays]
    last = draw(st.sampled_from(["", end])), draw(st.sampled_from(["", end]))
    bom = draw(st.sampled_from(["", "\ufeff"])), draw(st.sampled_from(["", "\ufeff"]))
    return bom[0] + end.join(old) + last[0], bom[1] + end.join(new) + last[1]


# --- taking ----------------------------------------------------------------------------------


@given(UGLY, UGLY)
def test_all_changes_give_the_one_text_and_none_the_other(before: str, after: str) -> None:
    assert after == take(before, after, everything(before, after))
    assert before == take(before, after, ())


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_all_and_none_hold_for_lines_that_recur_and_move(old: list[str], new: list[str]) -> None:
    before, after = "\n".join(old), "".join(f"{line}\r\n" for line in new)

    assert after == take(before, after, everything(before, after))
    assert before == take(before, after, [])


@given(edited(), st.randoms(use_true_random=False))
def test_what_was_taken_is_what_changed(texts: tuple[str, str], random) -> None:
    before, after = texts
    ids = everything(before, after)
    wanted = {id for id in ids if random.random() < 0.5}

    between = take(before, after, wanted)

    def said(found):
        return [(c.kind, c.before, c.after, c.note) for c in found]

    assert said(changes(before, between)) == said(c for c in changes(before, after) if c.id in wanted)
    assert said(changes(between, after)) == said(c for c in changes(before, after) if c.id not in wanted)


@given(edited(), st.randoms(use_true_random=False))
def test_taking_in_two_steps_is_taking_at_once(texts: tuple[str, str], random) -> None:
    before, after = texts
    ids = everything(before, after)
    first = {id for id in ids if random.random() < 0.5}
    rest = [id for id in ids if id not in first]
    second = {id for id in rest if random.random() < 0.5}

    between = take(before, after, first)
    in_two_steps = take(between, after, [rest.index(id) + 1 for id in second])

    assert in_two_steps == take(before, after, first | second)


def test_every_choice_of_a_small_edit_gives_the_lines_it_says() -> None:
    before, after = "一\n二\n三\n", "一！\n二\n加\n三！\n"
    assert 3 == len(changes(before, after))

    got = {
        wanted: take(before, after, wanted)
        for size in range(4)
        for wanted in itertools.combinations((1, 2, 3), size)
    }

    assert got == {
        (): before,
        (1,): "一！\n二\n三\n",
        (2,): "一\n二\n加\n三\n",
        (3,): "一\n二\n三！\n",
        (1, 2): "一！\n二\n加\n三\n",
        (1, 3): "一！\n二\n三！\n",
        (2, 3): "一\n二\n加\n三！\n",
        (1, 2, 3): after,
    }


@pytest.mark.parametrize(
    ("before", "after", "wanted", "expected"),
    [
        pytest.param("a\nb", "A\nb\n", [1], "A\nb", id="a line without the final newline"),
        pytest.param("a\nb", "A\nb\n", [2], "a\nb\n", id="the final newline without the line"),
        pytest.param("a\r\nb", "a\r\nb\r\n", [1], "a\r\nb\r\n", id="a final newline as the text writes it"),
        pytest.param("a\r\nb\r\n", "a\nb\n", [2], "a\r\nb\n", id="one line end of two"),
        pytest.param("  a\n  b\n", "a\nb\n", [1], "a\n  b\n", id="one indentation of two"),
        pytest.param("a\n\nb\n\nc\n", "a\nb\nc\n", [2], "a\n\nb\nc\n", id="one blank line of two"),
        pytest.param("\ufeffa\n", "b\n", [1], "\ufeffb\n", id="a line under a byte order mark"),
        pytest.param("\ufeffa\n", "b\n", [2], "a\n", id="the byte order mark alone"),
        pytest.param("a\nb\n", "", [1], "b\n", id="half of a text that goes"),
        pytest.param("", "a\nb", [2], "b", id="half of a text that comes"),
        pytest.param("a\nb", "b\nc\nd", [1], "b", id="the first line goes"),
        pytest.param("a\nb", "a\nb\nc", [1], "a\nb\nc", id="a line after a last one without an end"),
        pytest.param("\ufeff", "", [1], "", id="nothing but a byte order mark"),
    ],
)
def test_the_parts_that_nobody_hears_are_taken_one_by_one(
    before: str, after: str, wanted: list[int], expected: str
) -> None:
    assert expected == take(before, after, wanted)


def test_a_line_end_that_no_line_has_is_no_change() -> None:
    """The last line has no end in either text, so converting the ends changes the first line only."""
    assert [("line end", 1)] == [(c.note, c.before_line) for c in changes("a\r\nb", "a\nb")]


def test_a_moved_line_is_a_change_that_takes_and_one_that_puts() -> None:
    before, after = "甲\n乙乙\n丙丙丙\n丁丁丁丁\n", "乙乙\n丙丙丙\n甲\n丁丁丁丁\n"

    assert "甲\n乙乙\n丙丙丙\n甲\n丁丁丁丁\n" == take(before, after, [2])


@pytest.mark.parametrize("wanted", [[0], [4], [1, 9], [-1]])
def test_a_change_that_is_not_there_is_an_error_with_the_range(wanted: list[int]) -> None:
    with pytest.raises(BadInput, match="1 to 3"):
        take("一\n二\n三\n", "一！\n二！\n三！\n", wanted)


@pytest.mark.parametrize(
    ("before", "after", "rewritten", "expected"),
    [
        pytest.param("一\r\n二", "一！\r\n二", {1: "壹"}, "壹\r\n二", id="other words"),
        pytest.param("一\r\n二", "一\r\n二！", {1: "贰\n叁"}, "一\r\n贰\r\n叁", id="two lines at the end"),
        pytest.param("一\n二\n", "一\n", {1: "贰\r\n"}, "一\n贰\n\n", id="a line instead of none"),
        pytest.param("一\n", "一\n二\n", {1: "\\1贰"}, "一\n\\1贰\n", id="a new line"),
        pytest.param("一\n二\n", "一！\n二！\n", {2: "贰"}, "一！\n贰\n", id="only one of two"),
    ],
)
def test_a_change_can_be_taken_in_other_words(
    before: str, after: str, rewritten: dict[int, str], expected: str
) -> None:
    assert expected == take(before, after, everything(before, after), rewritten=rewritten)


def test_other_words_for_what_is_left_out_are_not_taken() -> None:
    assert "一！\n二\n" == take("一\n二\n", "一！\n二！\n", [1], rewritten={2: "贰"})


def test_what_is_no_line_cannot_be_put_in_other_words() -> None:
    for before, after in (("a\n", "a"), ("\ufeffa\n", "a\n")):
        with pytest.raises(BadInput, match="no line to write anew"):
            take(before, after, [1], rewritten={1: "b"})
    with pytest.raises(BadInput, match="no change 2"):
        take("a\n", "b\n", [1], rewritten={2: "c"})


# --- naming ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", {1}),
        ("1,3-4", {1, 3, 4}),
        (" 1 , 3 - 4 ", {1, 3, 4}),
        ("1 3 4", {1, 3, 4}),
        ("1、3-4", {1, 3, 4}),
        ("１，３－４", {1, 3, 4}),
        ("1；3—4", {1, 3, 4}),
        ("1,3–4,", {1, 3, 4}),
        ("1，3～4", {1, 3, 4}),
        ("第1、3到4处", {1, 3, 4}),
        ("1和3至5", {1, 3, 4, 5}),
        ("#1 and #3", {1, 3}),
        ("changes 1 to 3", {1, 2, 3}),
        ("2,2,1-2", {1, 2}),
        ("007", {7}),
        ("9-9", {9}),
        ("all", set(range(1, 10))),
        (" ALL ", set(range(1, 10))),
        ("全部", set(range(1, 10))),
        ("所有", set(range(1, 10))),
    ],
)
def test_people_name_changes_as_they_write_lists(text: str, expected: set[int]) -> None:
    assert expected == parse_changes(text, 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "No change is named"),
        (" ,、", "No change is named"),
        ("x", "'x' is no number"),
        ("1,two", "'two' is no number"),
        ("1-", "'1-' is no number"),
        ("-3", "'-3' is no number"),
        ("1-2-3", "'1-2-3' is no number"),
        ("1.5", "'1.5' is no number"),
        ("0", "There is no change 0: the changes are 1 to 9"),
        ("10", "There is no change 10: the changes are 1 to 9"),
        ("3-99999999", "There is no change 99999999: the changes are 1 to 9"),
        ("4-3", "'4-3' runs backwards"),
        ("9" * 50, "is no number"),
    ],
)
def test_a_list_that_names_no_changes_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_changes(text, 9)

    assert message in str(caught.value)
    assert caught.value.hint


def test_all_of_no_changes_are_none() -> None:
    assert frozenset() == parse_changes("all", 0)
    with pytest.raises(BadInput, match="there are no changes"):
        parse_changes("1", 0)
