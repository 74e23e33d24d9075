"""Properties of the offline editor: what an edit leaves alone, whatever the script looks like."""

from hypothesis import given
from hypothesis import strategies as st

from script_editor.domain.segments import NumberedScript, is_blank
from tests.offline.editing import outcome, rewrite_text

CONTENT = st.text(alphabet=st.sampled_from("茶水好 a1，。,.“”🌿\u2028\t嗯"), min_size=0, max_size=12)
LINE_END = st.sampled_from(["\n", "\r\n"])


@st.composite
def scripts(draw: st.DrawFn) -> str:
    """Return a script of one kind of line end, with blank lines, with or without a final newline."""
    end = draw(LINE_END)
    lines = draw(st.lists(CONTENT, min_size=1, max_size=8))
    return end.join(lines) + (end if draw(st.booleans()) else "")


def spoken(script: str) -> list[str]:
    return [segment.content for segment in NumberedScript("s", 1, script).segments]


@given(scripts())
def test_a_replacement_changes_only_the_text_it_names(script: str) -> None:
    if "茶" not in script:
        assert "refused: not_found" == outcome(script, "把“茶”改成“水”")
    else:
        assert script.replace("茶", "水") == rewrite_text(script, "把“茶”改成“水”")


@given(scripts(), st.integers(1, 8))
def test_a_replaced_line_leaves_all_other_lines_identical(script: str, number: int) -> None:
    if number > len(spoken(script)):
        assert "refused: not_found" == outcome(script, f"第{number}行改成“新的一行”")
        return

    segment = NumberedScript("s", 1, script).segments[number - 1]
    expected = f"{script[: segment.start]}新的一行{script[segment.end :]}"
    assert expected == rewrite_text(script, f"第{number}行改成“新的一行”")


@given(scripts(), st.integers(1, 8))
def test_a_deleted_line_takes_nothing_with_it(script: str, number: int) -> None:
    count = len(spoken(script))
    if number > count or count == 1:
        assert outcome(script, f"删掉第{number}行").startswith("refused")
        return

    after = rewrite_text(script, f"删掉第{number}行")

    assert [line for index, line in enumerate(spoken(script), 1) if index != number] == spoken(after)
    assert script.endswith("\n") == after.endswith("\n")
    assert ("\r\n" in after) <= ("\r\n" in script)


@given(scripts(), st.integers(1, 8), st.integers(1, 8))
def test_swapping_twice_gives_the_script_back(script: str, first: int, second: int) -> None:
    once = outcome(script, f"交换第{first}行和第{second}行")
    if once.startswith("refused"):
        return

    assert script == rewrite_text(once, f"交换第{first}行和第{second}行")


@given(scripts())
def test_line_ends_and_the_final_newline_are_kept(script: str) -> None:
    if not spoken(script):
        return
    for instruction in ("结尾加一行“末”", "开头加一行“首”", "把第1行移到最后"):
        after = outcome(script, instruction)
        if after.startswith("refused"):
            continue
        assert script.endswith("\n") == after.endswith("\n")
        if "\r\n" in script:
            assert after.count("\n") == after.count("\r\n")


@given(
    st.text(
        alphabet=st.sampled_from(
            "把将第三3行删掉改成移到后面加一句“”：，然后 delete line 3 and replace with to in"
        ),
        max_size=60,
    )
)
def test_any_instruction_gives_an_edit_or_a_refusal(instruction: str) -> None:
    result = outcome("第三行。\nThe line and the rest.\n改成后面。\n", instruction)

    assert result.startswith("refused") or not is_blank(result)
