"""An instruction that names lines by number lets a model change those lines and no others."""

import pytest

from script_editor.app.drafts import draft
from script_editor.app.hooks import Hooks
from script_editor.app.rewriter import LlmRewriter, apply_reply
from script_editor.domain.operations import Constraints
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.llm.scripted import ScriptedModel

TEXT = (
    "The shop opens late.\nNobody minds at all.\nThe owner hums a tune.\nRain taps the glass.\nA cat sleeps inside.\n"
    "Tea cools on the sill.\n"
)
SCRIPT = NumberedScript("shop", 1, TEXT)


def reply(*edits: tuple[int, str]) -> str:
    return "\n".join(f"@@ replace S{number}\n{text}" for number, text in edits) + "\n@@ end"


@pytest.mark.parametrize(
    ("instruction", "answer"),
    [
        pytest.param("make line 4 funnier", reply((3, "The owner hums a silly tune.")), id="the line before"),
        pytest.param(
            "只改第2行，改得更幽默", reply((3, "The owner hums a silly tune.")), id="the line behind"
        ),
        pytest.param(
            "make line 4 funnier", "@@ insert_after S1\nWho knows why.\n@@ end", id="a line elsewhere"
        ),
        pytest.param(
            "make line 4 funnier",
            "@@ delete S5\n" + reply((4, "Rain taps the glass; a cat sleeps.")),
            id="a lost line",
        ),
    ],
)
def test_a_change_of_another_line_alone_is_off_target(instruction: str, answer: str) -> None:
    with pytest.raises(EditRefused) as refusal:
        apply_reply(TEXT, answer, instruction=instruction)
    assert refusal.value.reason == "off_target"


@pytest.mark.parametrize(
    "answer",
    [
        reply((4, "Rain taps the glass, badly."), (3, "The owner hums a silly tune.")),
        reply((4, "Rain taps the glass, badly.")).removesuffix("@@ end")
        + "@@ insert_after S1\nWho knows.\n@@ end",
        '{"ops": [{"op": "replace", "id": "S4", "text": "Rain taps the glass, badly."},'
        ' {"op": "replace", "id": "S2", "text": "Nobody minds, really."}]}',
    ],
)
def test_changes_of_other_lines_are_left_out_beside_the_named_one(answer: str) -> None:
    rewrite = LlmRewriter(ScriptedModel([answer]))(SCRIPT, "make line 4 funnier", Constraints())

    assert draft(SCRIPT, rewrite.plan, instruction="make line 4 funnier").text == TEXT.replace(
        "Rain taps the glass.", "Rain taps the glass, badly."
    )
    assert rewrite.notes == ("The model changed other lines too; they were kept as they were.",)


def test_a_text_that_may_have_gone_to_another_line_is_not_restored_by_half() -> None:
    answer = "@@ delete S5\n" + reply((4, "Rain taps the glass; a cat sleeps."))
    rewrite = LlmRewriter(ScriptedModel([answer] * 3))(SCRIPT, "make line 4 funnier", Constraints())

    assert draft(SCRIPT, rewrite.plan, instruction="make line 4 funnier").errors


def test_a_whole_rewrite_changes_the_named_line_only() -> None:
    answer = TEXT.replace("Rain taps the glass.", "Rain taps the glass, badly.").replace("late", "very late")
    assert apply_reply(TEXT, answer, instruction="make line 4 funnier", syntax="whole") == TEXT.replace(
        "Rain taps the glass.", "Rain taps the glass, badly."
    )


def test_a_named_line_may_become_two() -> None:
    answer = (
        reply((4, "Rain taps.")).removesuffix("@@ end") + "@@ insert_before S5\nIt taps the glass.\n@@ end"
    )
    assert apply_reply(TEXT, answer, instruction="split line 4 into two") == TEXT.replace(
        "Rain taps the glass.", "Rain taps.\nIt taps the glass."
    )


@pytest.mark.parametrize(
    ("instruction", "answer", "text"),
    [
        pytest.param(
            "add a line after line 4",
            "@@ insert_before S6\nWho knows.\n@@ end",
            "inside.\nWho knows.\n",
            id="anchor",
        ),
        pytest.param(
            "make line 4 funnier and adjust the rest",
            reply((3, "The owner hums a silly tune.")),
            "silly tune",
            id="the rest as well",
        ),
    ],
)
def test_other_lines_may_change_where_the_words_say_more(instruction: str, answer: str, text: str) -> None:
    assert text in apply_reply(TEXT, answer, instruction=instruction)


def test_a_model_is_shown_the_other_lines_to_be_read_only_and_asked_again() -> None:
    off, on = reply((3, "The owner hums a silly tune.")), reply((4, "Rain taps the glass, badly."))
    model = ScriptedModel([off, on])
    rewrite = LlmRewriter(model)(SCRIPT, "make line 4 funnier", Constraints())
    request = model.calls[0].messages[-1].content
    assert "~ | The owner hums a tune." in request
    assert request.count("\nS") == 1
    assert "badly" in draft(SCRIPT, rewrite.plan, instruction="make line 4 funnier").text


def test_a_model_that_goes_on_changing_another_line_leaves_a_proposal_that_may_be_overruled() -> None:
    off = reply((3, "The owner hums a silly tune."))
    rewrite = LlmRewriter(ScriptedModel([off] * 3), hooks=Hooks())(
        SCRIPT, "make line 4 funnier", Constraints()
    )
    made = draft(SCRIPT, rewrite.plan, instruction="make line 4 funnier")
    assert {error.code for error in made.errors} == {"off_target"}


def test_what_was_left_out_is_told() -> None:
    both = reply((4, "雨敲着玻璃，敲错了门。"), (3, "The owner hums a silly tune."))
    script = NumberedScript("shop", 1, TEXT.replace("Rain taps the glass.", "雨敲着玻璃。"))
    rewrite = LlmRewriter(ScriptedModel([both]))(script, "把第4行改得更幽默", Constraints())
    assert rewrite.notes == ("模型还改了指定范围以外的行，这些行保持原样。",)


def test_a_line_of_another_script_that_the_words_name_binds_nothing_here() -> None:
    asked = "make line 2 of video_002 funnier, and shop more lively"
    model = ScriptedModel([reply((3, "The owner hums a lively tune."))])

    rewrite = LlmRewriter(model)(SCRIPT, "make it more lively", Constraints(asked=asked))

    assert "lively" in draft(SCRIPT, rewrite.plan, instruction=asked, constraints=Constraints()).text
