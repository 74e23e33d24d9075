"""Plans become splices, splices become text, and nothing else moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.edits import resolve
from script_editor.domain.operations import (
    BlankLines,
    Delete,
    InsertAfter,
    InsertBefore,
    Move,
    Operation,
    Plan,
    Replace,
    Substitute,
)
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.errors import EditRefused

OPEN = "a\nb\n\nc\nd"
CLOSED = "a\nb\n\nc\nd\n"
CRLF = "a\r\nb\r\n\r\nc\r\nd\r\n"


def edited(text: str, *operations: Operation) -> str:
    script = NumberedScript("video_001", 7, text)
    plan = Plan(script_id="video_001", base_version=7, operations=operations)
    return apply(text, resolve(script, plan))


def refused(text: str, *operations: Operation) -> str:
    with pytest.raises(EditRefused) as caught:
        edited(text, *operations)
    return caught.value.reason


@pytest.mark.parametrize(
    ("before", "operations", "after"),
    [
        pytest.param(CLOSED, [Replace("S2", "x")], "a\nx\n\nc\nd\n", id="replace one line"),
        pytest.param(CLOSED, [Replace("S2", "x\ny\n")], "a\nx\ny\n\nc\nd\n", id="replace by several lines"),
        pytest.param(CRLF, [Replace("S2", "x\ny")], "a\r\nx\r\ny\r\n\r\nc\r\nd\r\n", id="new lines get the place's line end"),
        pytest.param("  a \n\tb\n", [Replace("S1", "x")], "  x \n\tb\n", id="indentation and trailing space stay"),
        pytest.param(CLOSED, [Delete("S2")], "a\n\nc\nd\n", id="delete keeps blank lines"),
        pytest.param(CLOSED, [Delete("S4")], "a\nb\n\nc\n", id="delete the last line"),
        pytest.param(OPEN, [Delete("S4")], "a\nb\n\nc", id="no final newline before, none after"),
        pytest.param(OPEN, [Delete("S3"), Delete("S4")], "a\nb", id="a blank line does not become a final newline"),
        pytest.param(OPEN, [Delete("S3", "before"), Delete("S4")], "a\nb", id="a gap goes with its paragraph"),
        pytest.param(CLOSED, [Delete("S1"), Delete("S2", "after")], "c\nd\n", id="a gap after goes too"),
        pytest.param(CLOSED, [InsertAfter("S2", "x")], "a\nb\nx\n\nc\nd\n", id="after means before the blank line"),
        pytest.param(CLOSED, [InsertBefore("S3", "x")], "a\nb\n\nx\nc\nd\n", id="before means after the blank line"),
        pytest.param(OPEN, [InsertAfter("S4", "x\ny\n")], "a\nb\n\nc\nd\nx\ny", id="append without final newline"),
        pytest.param(CRLF, [InsertAfter("S4", "x")], "a\r\nb\r\n\r\nc\r\nd\r\nx\r\n", id="append with CRLF"),
        pytest.param("a", [InsertBefore("S1", "x")], "x\na", id="before the only line"),
        pytest.param(OPEN, [Delete("S4"), InsertAfter("S4", "x")], "a\nb\n\nc\nx", id="insert after a deleted line"),
        pytest.param(OPEN, [Delete("S4"), InsertBefore("S4", "x")], "a\nb\n\nc\nx", id="insert before a deleted line"),
        pytest.param(OPEN, [Move("S4", before="S1")], "d\na\nb\n\nc", id="line ends belong to the place"),
        pytest.param(OPEN, [Move("S1", after="S4")], "b\n\nc\nd\na", id="move to the open end"),
        pytest.param(CRLF, [Move("S1", after="S4")], "b\r\n\r\nc\r\nd\r\na\r\n", id="move with CRLF"),
        pytest.param(CLOSED, [Move("S1", before="S1")], CLOSED, id="a move to where it is changes nothing"),
        pytest.param(CLOSED, [Move("S1", after="S4"), Substitute("a", "x")], "b\n\nc\nd\nx\n", id="move and substitute"),
        pytest.param(CLOSED, [InsertAfter("S1", "x"), InsertAfter("S1", "y")], "a\nx\ny\nb\n\nc\nd\n", id="inserts keep their order"),
        pytest.param("ab ab\nab\n", [Substitute("ab", "x", all=True)], "x x\nx\n", id="substitute everywhere"),
        pytest.param("ab\nab\n", [Substitute("ab", "x", id="S2")], "ab\nx\n", id="substitute in one line"),
        pytest.param("ab\nab\n", [Delete("S1"), Substitute("ab", "x")], "x\n", id="a deleted line has no hits"),
        pytest.param("a“b”c\n", [Substitute('"b"', '"d"')], "a“d”c\n", id="folded hit keeps the author's marks"),
        pytest.param("\u3000\u3000a\n", [Replace("S1", "\u3000\u3000x")], "\u3000\u3000x\n", id="indentation is not doubled"),
        pytest.param("\ufeffa\nb\n", [Replace("S1", "x")], "\ufeffx\nb\n", id="a BOM in the text stays first"),
        pytest.param("a\u2028b\nc", [Replace("S2", "x")], "a\u2028b\nx", id="U+2028 ends no line"),
        pytest.param(CLOSED, [BlankLines("S3", 0)], "a\nb\nc\nd\n", id="a gap is closed"),
        pytest.param(CRLF, [BlankLines("S2", 1), BlankLines("S3", 2)], "a\r\n\r\nb\r\n\r\n\r\nc\r\nd\r\n", id="gaps are widened"),
        pytest.param("a\n \n\n\nb\n", [BlankLines("S2", 2)], "a\n \n\nb\n", id="the first blank lines stay as they are"),
        pytest.param("a\n\n\n", [BlankLines("S1", 0, side="behind")], "a\n", id="blank lines behind the end"),
        pytest.param(CLOSED, [BlankLines("S3", 2), InsertBefore("S3", "x")], "a\nb\n\n\nx\nc\nd\n", id="new lines stand behind the gap"),
        pytest.param(CLOSED, [InsertAfter("S2", "x"), BlankLines("S3", 0)], "a\nb\nx\nc\nd\n", id="new lines stand before the gap"),
        pytest.param("每周3期\n", [Substitute("每周 3 期", "每周 4 期")], "每周4期\n", id="spaces beside Latin are not seen"),
        pytest.param("讲㎏\n", [Substitute("讲kg", "说kg")], "说㎏\n", id="compatibility characters keep their form"),
        pytest.param("a\rb\nc", [Replace("S2", "x")], "a\rb\nx", id="a lone CR ends no line"),
    ],
)  # fmt: skip
def test_plan_gives_exactly_this_text(before: str, operations: list[Operation], after: str) -> None:
    assert edited(before, *operations) == after


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        pytest.param([Replace("S9", "x")], "no_match", id="no such line"),
        pytest.param([Replace("S1:zz", "x")], "no_match", id="check of another line"),
        pytest.param([Replace("first", "x")], "malformed", id="no reference"),
        pytest.param([Replace("S1", " \n")], "empty", id="replace by nothing"),
        pytest.param([InsertAfter("S1", "")], "empty", id="insert nothing"),
        pytest.param([Replace("S1", "\u200b")], "empty", id="replace by something invisible"),
        pytest.param([Substitute("e", "x")], "no_match", id="text not there at all"),
        pytest.param([Replace("S1", "x"), Replace("S1", "y")], "conflict", id="two owners"),
        pytest.param([Replace("S1", "x"), Delete("S1")], "conflict", id="replaced and deleted"),
        pytest.param([Delete("S1"), Move("S1", after="S2")], "conflict", id="deleted and moved"),
        pytest.param([Move("S1", after="S2"), Move("S1", after="S3")], "conflict", id="moved twice"),
        pytest.param([Replace("S1", "x"), Substitute("a", "y")], "conflict", id="replaced and substituted"),
        pytest.param([Substitute("", "y")], "empty_search", id="empty search"),
        pytest.param([Substitute("zz", "y")], "no_match", id="text not there"),
        pytest.param([Substitute("a", "y", id="S2")], "no_match", id="text not in that line"),
        pytest.param([Move("S1")], "malformed", id="move to nowhere"),
        pytest.param([Move("S1", before="S2", after="S3")], "malformed", id="move to two places"),
    ],
)
def test_impossible_plan_is_refused_whole(operations: list[Operation], reason: str) -> None:
    assert refused(CLOSED, *operations) == reason


def test_several_hits_need_to_be_meant() -> None:
    assert refused("ab\nab\n", Substitute("ab", "x")) == "ambiguous_match"


def test_a_near_miss_is_refused_and_shows_the_nearest_line() -> None:
    with pytest.raises(EditRefused) as caught:
        edited("two red tomatoes\nsalt\n", Substitute("two ripe tomatoes", "three"))

    assert (caught.value.reason, caught.value.nearest) == ("no_match", "two red tomatoes")


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (Plan(script_id="video_002", base_version=7, operations=()), "wrong_target"),
        (Plan(script_id="video_001", base_version=6, operations=()), "stale"),
    ],
)
def test_a_plan_for_something_else_is_refused(plan: Plan, reason: str) -> None:
    with pytest.raises(EditRefused) as caught:
        resolve(NumberedScript("video_001", 7, CLOSED), plan)

    assert caught.value.reason == reason


LINES = st.text(alphabet="ab中文 ，。\u2028\t", min_size=0, max_size=6)
ENDS = st.sampled_from(["\n", "\r\n"])


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines = draw(st.lists(st.tuples(LINES, ENDS), min_size=1, max_size=8))
    text = "".join(content + end for content, end in lines)
    return text if draw(st.booleans()) else text.removesuffix("\n").removesuffix("\r")


@given(texts(), st.data())
def test_lines_that_no_operation_names_keep_their_bytes(text: str, data: st.DataObject) -> None:
    script = NumberedScript("v", 1, text)
    if not script.segments:
        return
    number = data.draw(st.integers(1, len(script.segments)))
    replaced = edited_by(script, Replace(f"S{number}", "X"))

    segment = script.segment(number)
    assert replaced == text[: segment.start] + "X" + text[segment.end :]


@given(texts(), st.data())
def test_insert_then_delete_gives_the_same_bytes(text: str, data: st.DataObject) -> None:
    script = NumberedScript("v", 1, text)
    if not script.segments:
        return
    number = data.draw(st.integers(1, len(script.segments)))
    kind = data.draw(st.sampled_from([InsertBefore, InsertAfter]))
    longer = edited_by(script, kind(f"S{number}", "X"))
    new = number if kind is InsertBefore else number + 1

    assert edited_by(NumberedScript("v", 1, longer), Delete(f"S{new}")) == text


@given(texts(), st.data())
def test_the_final_newline_stays_as_it_was(text: str, data: st.DataObject) -> None:
    script = NumberedScript("v", 1, text)
    count = len(script.segments)
    if count < 2:
        return
    one, two = data.draw(st.permutations(range(1, count + 1)))[:2]
    operation = data.draw(
        st.sampled_from(
            [Delete(f"S{one}"), Move(f"S{one}", before=f"S{two}"), Move(f"S{one}", after=f"S{two}")]
        )
    )

    assert edited_by(script, operation).endswith("\n") == text.endswith("\n")


def edited_by(script: NumberedScript, *operations: Operation) -> str:
    plan = Plan(script_id=script.script_id, base_version=script.version, operations=operations)
    return apply(script.text, resolve(script, plan))
