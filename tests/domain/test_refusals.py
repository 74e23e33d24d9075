"""Every refusal is explained, in Chinese and English, to the person and to the models."""

import re
import time
from typing import get_args

import pytest

from script_editor.domain.refusals import MAX_CHARS, Audience, explain, for_model, worded
from script_editor.errors import REASONS, EditRefused, Language

LANGUAGES: tuple[Language, ...] = ("zh", "en")
AUDIENCES: tuple[Audience, ...] = get_args(Audience)
KEPT = "video_001 v3"
NEXT_STEP = {
    "person": re.compile(
        r"--model|--keep|--target|script-editor |[Pp]ut |[Aa]sk |[Nn]ame |[Ss]ay |请|一次|写明|换个说法"
    ),
    "writer": re.compile(r"Send all operations again|no operation|把全部操作重新发一遍|不要给出任何操作"),
    "agent": re.compile(r"Call the tool again|tell the person|再调用一次|告诉对方"),
}
EXISTING = re.compile(
    r"script-editor (?:show \S+ --lines|unlock \S+ …|apply \S+ --force|edit ID …)|--(?:model|keep|target|only)\b"
)
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)
for_everyone = pytest.mark.parametrize("audience", AUDIENCES)
for_every_reason = pytest.mark.parametrize("reason", sorted(REASONS))


def refusal(reason: str, message: str | None = None, **facts: object) -> EditRefused:
    note = f"Line 3 is refused ({reason})." if message is None else message
    known: dict[str, object] = {"segments": (3,), "example": "只要 89 元", "was": "只要 99 元", "kept": KEPT}
    return EditRefused(reason, note, **{**known, **facts})  # type: ignore[arg-type]


def told(refused: EditRefused, language: Language, audience: Audience) -> str:
    said = worded(refused, language, audience=audience)
    return f"{said} {said.hint}"


@for_everyone
@in_both_languages
@for_every_reason
def test_every_refusal_names_the_line_the_passage_what_stays_and_what_to_do(
    reason: str, language: Language, audience: Audience
) -> None:
    text = told(refusal(reason), language, audience)

    assert "第 3 行" in text if language == "zh" else re.search(r"\b[Ll]ine 3\b", text)
    assert "只要 89 元" in text and "只要 99 元" in text
    assert (f"{KEPT} 保持不变" if language == "zh" else f"{KEPT} stays as it is") in text
    assert NEXT_STEP[audience].search(worded(refusal(reason), language, audience=audience).hint)
    assert len(text) <= MAX_CHARS


@for_everyone
@in_both_languages
@for_every_reason
def test_every_refusal_names_the_nearest_passage(reason: str, language: Language, audience: Audience) -> None:
    refused = refusal(reason, example="", was="", nearest="现在我们正处于AI的黄金时代。")

    assert "现在我们正处于AI的黄金时代。" in told(refused, language, audience)


@for_every_reason
def test_every_reason_is_told_in_other_words_than_every_other(reason: str) -> None:
    for language in LANGUAGES:
        others = [explain(refusal(other, ""), language) for other in REASONS - {reason}]

        assert explain(refusal(reason, ""), language) not in others


@pytest.mark.parametrize("message", ["Line 3 would change.", "Two operations own line 3.", ""])
@for_every_reason
def test_a_chinese_person_gets_no_english_sentence(reason: str, message: str) -> None:
    text = explain(refusal(reason, message), "zh")

    without_names = re.sub(
        r"script-editor [\x21-\x7e ]+|--[a-z]+(?: 30s)?|video_001 v3|Markdown|\bID\b", "", text
    )
    without_names = without_names.replace("{{名字}}", "")
    assert not re.search(r"[A-Za-z]{2,}", without_names)


@for_every_reason
def test_an_english_sentence_holds_no_chinese_of_its_own(reason: str) -> None:
    text = explain(refusal(reason, "", example="", was=""), "en")

    assert not re.search(r"[\u3000-\u9fff\uff00-\uffef]", text)


@in_both_languages
@for_every_reason
def test_only_commands_and_options_that_exist_are_named(reason: str, language: Language) -> None:
    text = explain(refusal(reason, ""), language)

    assert "script-editor" not in EXISTING.sub("", text)
    assert "--" not in EXISTING.sub("", text)


@in_both_languages
@for_every_reason
def test_the_models_are_told_nothing_that_only_a_person_can_type(reason: str, language: Language) -> None:
    refused = refusal(reason, "", advice="See the numbers: script-editor show video_001 --lines")

    for audience in ("writer", "agent"):
        text = told(refused, language, audience)
        assert "script-editor" not in text and "--" not in text


@in_both_languages
@for_every_reason
def test_without_a_script_no_command_for_one_is_named(reason: str, language: Language) -> None:
    text = explain(refusal(reason, "", kept=""), language)

    assert not re.search(r"script-editor (?!edit ID)", text)
    assert (
        "没有"
        if language == "zh"
        else ("Nothing was saved.", "No new version was made.")[reason == "unchanged"]
    ) in text


# --- the note of the raise site --------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "message", "facts", "expected"),
    [
        pytest.param(
            "no_match", "There is no line 9: video_001 v3 has 5 lines.", {"segments": ()},
            "脚本里没有要改的文字或那一行（There is no line 9: video_001 v3 has 5 lines）。",
            id="numbers that nothing else tells keep the note",
        ),
        pytest.param(
            "no_match", "'黄金时段' does not occur in line 3.", {},
            "脚本里没有要改的文字或那一行（第 3 行；“黄金时段”）。",
            id="a quoted passage stands alone",
        ),
        pytest.param(
            "ambiguous_match", "'你好' occurs 3 times, in lines 1, 3.", {"segments": (1, 3), "example": "你好"},
            "要改的文字不止一处，分不清是哪一处（第 1、3 行）。相关文字：“你好”。",
            id="what the facts tell is not told twice",
        ),
        pytest.param(
            "refusal", "The model refused: I'm sorry, I can't help with that.", {"segments": ()},
            "模型拒绝了这个要求（I'm sorry, I can't help with that）。",
            id="the model's own words",
        ),
        pytest.param(
            "malformed", "'@@ substitute S5 x': give one segment id, 'all', or both.", {"segments": ()},
            "模型的回复格式不对，读不成修改操作。",
            id="nothing about operations",
        ),
        pytest.param(
            "wrong_target", "The plan is for 'video_002', but 'video_001' is being edited.", {"segments": ()},
            "这次修改针对的是另一个脚本（“video_002”）。",
            id="the other script",
        ),
    ],
)  # fmt: skip
def test_a_chinese_explanation_takes_from_the_note_what_is_told_nowhere_else(
    reason: str, message: str, facts: dict[str, object], expected: str
) -> None:
    refused = refusal(reason, message, **{"example": "", "was": "", **facts})

    assert str(worded(refused, "zh")) == f"{expected}没有保存；video_001 v3 保持不变。"


@pytest.mark.parametrize(
    ("reason", "message", "facts", "expected"),
    [
        pytest.param("elision", "Line 3 stands for left-out text.", {}, "Line 3 stands for left-out text.",
                     id="a note that names the line"),
        pytest.param("elision", "A line stands for left-out text", {}, "A line stands for left-out text (line 3).",
                     id="a note without the line"),
        pytest.param("elision", "Version 3 stands for left-out text.", {},
                     "Version 3 stands for left-out text (line 3).", id="a 3 that is no line"),
        pytest.param("elision", "Lines 1-3 stand for left-out text.", {"segments": (3,)}, "Lines 1-3 stand for left-out text.",
                     id="a stretch of lines"),
        pytest.param("conflict", "Two operations own line 3.", {}, "Two changes want the same line (line 3).",
                     id="a note about operations"),
        pytest.param("no_match", "S5:aa does not fit: line 3 is S3:bb | Hello", {},
                     "What was to be changed is not in the script (line 3).", id="a note about segment ids"),
        pytest.param("off_target", "", {"segments": range(1, 13)},
                     "Lines would change that were not to be touched (line 1, 2, 3, 4, 5, 6, 7, 8 and 4 more).",
                     id="many lines"),
    ],
)  # fmt: skip
def test_an_english_explanation_is_the_note_where_a_person_can_read_it(
    reason: str, message: str, facts: dict[str, object], expected: str
) -> None:
    refused = refusal(reason, message, **{"example": "", "was": "", **facts})

    assert str(worded(refused, "en")) == f"{expected} Nothing was saved; video_001 v3 stays as it is."


def test_a_passage_that_the_note_quotes_is_not_quoted_again() -> None:
    refused = refusal("elision", "Line 3 is a placeholder. It reads: 其余不变", example="其余不变", was="")

    assert explain(refused, "en").count("其余不变") == 1


@in_both_languages
def test_the_writer_gets_the_whole_note_about_its_operations(language: Language) -> None:
    note = "A substitution cannot span lines; use replace on each line"

    assert note in for_model(refusal("malformed", f"{note}."), language)


@in_both_languages
def test_the_writer_gets_the_ids_it_may_copy(language: Language) -> None:
    refused = refusal("no_match", "S5:aa does not fit.", advice="That check belongs to S4:aa, S7:aa.")

    assert "S4:aa, S7:aa" in for_model(refused, language)


@in_both_languages
def test_the_agent_gets_the_advice_that_is_meant_for_it(language: Language) -> None:
    refused = refusal("wrong_target", "", advice="Use script_id='video_001'.")

    assert "Use script_id='video_001'" in worded(refused, language, audience="agent").hint


@pytest.mark.parametrize("reason", ["locked_changed", "refusal", "content_filter"])
def test_the_agent_is_not_sent_round_a_refusal_that_trying_again_does_not_mend(reason: str) -> None:
    hint = worded(refusal(reason), "en", audience="agent").hint

    assert "again" not in hint and "tell the person" in hint


# --- the result ------------------------------------------------------------------------------


def test_a_result_that_was_kept_is_named_with_the_way_to_save_it() -> None:
    refused = refusal("facts_changed", proposal_id="p-81c0aaaa")

    assert "结果留作提案 p-81c0aaaa" in explain(refused, "zh")
    assert explain(refused, "zh").endswith("仍要保存：script-editor apply p-81c0aaaa --force")
    assert explain(refused, "en").endswith("Save it all the same: script-editor apply p-81c0aaaa --force")


@in_both_languages
def test_the_command_that_unlocks_is_named_as_the_refusal_wrote_it_out(language: Language) -> None:
    unlock = "script-editor unlock video_002 --phrase 轻盾"
    refused = refusal("locked_changed", advice=f"Leave it as it is, or unlock it first: {unlock}")

    assert explain(refused, language).endswith(unlock)
    assert unlock not in for_model(refused, language)


def test_wording_keeps_the_facts_and_says_the_language() -> None:
    said = worded(refusal("facts_changed", proposal_id="p-1"), "zh")

    assert (said.reason, said.segments, said.example, said.was, said.kept, said.proposal_id, said.language) == (
        "facts_changed", (3,), "只要 89 元", "只要 99 元", KEPT, "p-1", "zh",
    )  # fmt: skip


def test_the_refusal_says_itself_what_stays_before_the_caller_does() -> None:
    assert worded(refusal("stale"), "en", kept="video_001 v4").kept == KEPT
    assert worded(refusal("stale", kept=""), "en", kept="video_001 v4").kept == "video_001 v4"


@for_everyone
@in_both_languages
def test_a_refusal_that_is_worded_already_stays_as_it_is(language: Language, audience: Audience) -> None:
    refused = EditRefused(
        "no_match", "脚本里没有“西门”。", advice="请用行号。", nearest="东门到了。", language="zh"
    )

    assert worded(refused, language, audience=audience) is refused
    assert explain(refused, language) == "脚本里没有“西门”。最接近的一句：东门到了。请用行号。"


@in_both_languages
@for_everyone
def test_passages_of_any_length_stay_within_the_limit(language: Language, audience: Audience) -> None:
    refused = refusal(
        "no_match", f"{'长句' * 500!r} does not occur.", segments=range(1, 400),
        example="甲 " * 500, was="乙" * 500, nearest="long " * 500, advice="",
    )  # fmt: skip

    text = told(refused, language, audience)

    assert len(text) <= MAX_CHARS
    assert "\n" not in text


@pytest.mark.parametrize("flood", ["“", "'", '"', ".a", "1.", ": ", "（", "@@", "好'"], ids=ascii)
def test_a_flood_of_marks_in_a_models_words_is_explained_at_once(flood: str) -> None:
    words = flood * 100_000
    refused = refusal("malformed", words, example=words, was=words, nearest=words)

    started = time.perf_counter()
    for language in LANGUAGES:
        assert len(explain(refused, language)) <= MAX_CHARS
        assert len(for_model(refused, language)) <= MAX_CHARS

    assert time.perf_counter() - started < 1
