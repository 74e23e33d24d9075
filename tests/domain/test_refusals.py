"""Every refusal is explained, in Chinese and English, to the person and to the models."""

import ast
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import script_editor
from script_editor.app.notes import Ending, ending, note_sentence
from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards import check
from script_editor.domain.guards.chain import GUARDS
from script_editor.domain.guards.invented import invented
from script_editor.domain.locks import Lock, keep
from script_editor.domain.refusals import MAX_CHARS, Audience, explain, finding_sentence, for_model, worded
from script_editor.errors import (
    REASONS,
    BudgetReached,
    EditRefused,
    Language,
    ModelFailure,
    ScriptEditorError,
    Unfinished,
)

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
            "脚本里没有要改的文字或那一行（没有第 9 行，脚本共 5 行，空行不算）。",
            id="how many lines there are",
        ),
        pytest.param(
            "no_match", "'黄金时段' does not occur in line 3.", {},
            "脚本里没有要改的文字或那一行（第 3 行；“黄金时段”）。",
            id="a quoted passage stands alone",
        ),
        pytest.param(
            "ambiguous_match", "'你好' occurs 3 times, in lines 1, 3.", {"segments": (1, 3), "example": "你好"},
            "要改的文字不止一处，分不清是哪一处（第 1、3 行；“你好”出现 3 次）。",
            id="a passage that the detail holds is not told twice",
        ),
        pytest.param(
            "refusal", "The model refused: I'm sorry, I can't help with that.", {"segments": ()},
            "模型拒绝了这个要求。",
            id="the model's own words in another language",
        ),
        pytest.param(
            "refusal", "The model refused: 很抱歉，我不能写这个。", {"segments": ()},
            "模型拒绝了这个要求（模型说：“很抱歉，我不能写这个。”）。",
            id="the model's own words",
        ),
        pytest.param(
            "stale", "The reply is for version 2; video_001 is at version 3.", {"segments": ()},
            "修改期间脚本有了新版本（改的是 v2，而脚本现在是 v3）。",
            id="both versions",
        ),
        pytest.param(
            "target_missed",
            "The result takes about 13 s; 5 s was asked for (+8 s). The base takes about 20 s.", {"segments": ()},
            "改后的时长没有达到要求（改后约 13 秒，要求 5 秒，多 8 秒；原来约 20 秒）。",
            id="a time",
        ),
        pytest.param(
            "target_missed",
            "The result takes about 13 s; at least 20 % shorter was asked for (+3 s). The base takes about 13 s.",
            {"segments": ()},
            "改后的时长没有达到要求（改后约 13 秒，要求缩短不少于 20%，多 3 秒；原来约 13 秒）。",
            id="a share",
        ),
        pytest.param(
            "duplicated", "The text says the same again in lines 1, 2, 3, 4, 5, 6, 7 and 3 more.",
            {"segments": range(1, 11)},
            "有一段文字会重复出现（第 1、2、3、4、5、6、7、8 行等 10 行）。",
            id="many lines",
        ),
        pytest.param(
            "unchanged", "video_001@v3 already has everything of proposal p-1, which was closed.", {"segments": ()},
            "脚本已经是要求的样子（提案 p-1 的改动 video_001 v3 里都有了，这个提案已经关闭）。",
            id="a version",
        ),
        pytest.param(
            "facts_changed", "Something nobody has put in words was seen beside 20世纪50年代 and v7.", {"segments": ()},
            "有数字、价格、编号、名称或网址会变，而指令没有要求改（涉及：“20世纪50年代”、v7）。",
            id="a note that no table knows",
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

    told = str(worded(refused, "zh"))

    nothing = "没有新版本" if reason == "unchanged" else "没有保存"
    assert told == f"{expected}{nothing}；video_001 v3 保持不变。"


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

    assert "script_id='video_001'" in worded(refused, language, audience="agent").hint


@pytest.mark.parametrize("reason", ["locked_changed", "refusal", "content_filter"])
def test_the_agent_is_not_sent_round_a_refusal_that_trying_again_does_not_mend(reason: str) -> None:
    hint = worded(refusal(reason), "en", audience="agent").hint

    assert "again" not in hint and "tell the person" in hint


# --- nothing but Chinese for a Chinese request ------------------------------------------------


LINES = (
    "大家好，我是小棠，欢迎回到厨房十分钟。",
    "今天我们做一碗番茄鸡蛋面，成本只要12元。",
    "先把番茄切成小块，放在一边备用。",
    "水开了下面，煮三分钟就捞出来。",
    "最后撒一点葱花，淋一勺香油就好。",
    "喜欢的话点个关注，我们明天见。",
)
KITCHEN = "\n".join(LINES)
TALK = (
    "[00:12]\n主持人：今天的嘉宾是{{name}}。\n嘉宾：谢谢邀请，很高兴来到这里。\n"
    "主持人：那我们开始吧，先聊聊你的新书。\n嘉宾：好的，这本书写了三年。\n[00:30]\n主持人：再见。"
)
EASIER = "改得轻松一些"
GUEST = Lock(kind="speaker", text="嘉宾", id="k2")
BAD_LINES = (
    "抱歉，我无法协助完成这个请求。",
    "<think>用户想要轻松一点</think>",
    "S3:k7 | 先把番茄切成小块。",
    "（其余内容不变）",
    "First cut the tomatoes into small pieces and put them aside.",
    "先把番茄切成小塊，放在一邊備用，還可以灑點鹽，這樣會更好吃。",
    "**先把番茄切成小块**，放在一边备用。",
    "原文：先把番茄切成小块。\n修改后：先把番茄切成丁。",
    "番茄切丁。",
)
NEW_LINES = "\n".join(
    f"这里又加了很多新的内容，讲了第{c}种完全不同的做法和心得，观众都说好。"
    for c in "甲乙丙丁戊己庚辛壬癸子丑寅卯"
)


def with_line(number: int, text: str) -> str:
    return "\n".join(text if index == number else line for index, line in enumerate(LINES, start=1))


def locked_line(*numbers: int, note: str = "") -> Lock:
    return Lock(kind="segment", text="\n".join(LINES[number - 1] for number in numbers), id="k1", note=note)


def found(before: str, after: str, instruction: str = EASIER, **context: object) -> tuple[Finding, ...]:
    return check(before, after, GuardContext(instruction=instruction, **context))  # type: ignore[arg-type]


EVERYTHING = (
    *(finding for line in BAD_LINES for finding in found(KITCHEN, with_line(3, line))),
    *found(KITCHEN, with_line(4, "水开了下面，煮一会儿就捞出来。")),
    *found(KITCHEN, with_line(2, LINES[1].replace("12", "15"))),
    *found(KITCHEN, "\n".join(LINES[:1] + LINES[2:]), "缩短一点"),
    *found(KITCHEN, with_line(5, "最后撒一点葱花，整套厨具只要99元。")),
    *found(KITCHEN, ""),
    *found(KITCHEN, f"以下是修改后的脚本：\n{KITCHEN}\n修改说明：语气更轻松。\n如果需要进一步调整，请随时告诉我。"),
    *found(KITCHEN, "版本一：\n大家好呀。\n版本二：\n嗨，大家好。"),
    *found(KITCHEN, f"{KITCHEN}\n{KITCHEN}"),
    *found(KITCHEN, LINES[0]),
    *found(KITCHEN, "\n".join(LINES[:-1])[:-3]),
    *found(KITCHEN, "\n".join(LINES[:3] + LINES[4:]), "第1行更口语一点"),
    *found(KITCHEN, "\n".join(LINES[:2] + LINES[4:]), "第1行更口语一点"),
    *found(KITCHEN, f"{KITCHEN}\n{NEW_LINES}"),
    *found(KITCHEN, "\n".join(f"股市行情今日震荡走低，投资者需谨慎{c}。" for c in "甲乙丙丁戊己")),
    *found(KITCHEN, with_line(3, "番茄切丁。"), targets=(2, 4)),
    *found(KITCHEN, "\n".join(LINES[:2] + LINES[3:]), targets=(2,)),
    *found(TALK, TALK.replace("{{name}}", "小明")),
    *found(TALK, TALK.replace("[00:12]\n", "").replace("[00:30]\n", "")),
    *found(TALK, TALK.replace("嘉宾：好的", "主持人：好的")),
    *found(TALK, TALK.replace("[00:12]", "[00:40]").replace("[00:30]", "[00:12]").replace("[00:40]", "[00:30]")),
    *found(KITCHEN, with_line(3, "番茄切丁。"), locks=(locked_line(3, note="客户定稿"),)),
    *found(KITCHEN, "\n".join(LINES[1:] + LINES[:1]), locks=(locked_line(1),)),
    *found(KITCHEN, "\n".join(LINES[1:]), locks=(locked_line(1),)),
    *found(KITCHEN, with_line(4, f"插一句。\n{LINES[3]}"), locks=(locked_line(3, 4),)),
    *found(KITCHEN, KITCHEN.replace("小棠", "小糖"), locks=keep(KITCHEN, ["小棠"])[0]),
    *found(TALK, TALK.replace("写了三年", "写了很久"), locks=(GUEST,)),
    *found(TALK, f"{TALK}\n嘉宾：再见。", locks=(GUEST,)),
    *found(TALK, TALK.replace("嘉宾：谢谢邀请，很高兴来到这里。\n", ""), locks=(GUEST,)),
)  # fmt: skip
"""What the guards really say about edits that are wrong in every way they know."""
FINDINGS = tuple({finding.message: finding for finding in EVERYTHING}.values())
every_finding = pytest.mark.parametrize("finding", FINDINGS, ids=[finding.message for finding in FINDINGS])


def english(text: str, *passages: str) -> list[str]:
    """Return the runs of three or more English words that are no passage, command or option."""
    for passage in filter(None, passages):
        text = text.replace(passage, "")
    text = re.sub(r"script-editor [\x21-\x7e ]+|--[a-z]+(?: 30s)?", "", text)
    return re.findall(r"[A-Za-z][a-z']*(?:[ ,;]+[A-Za-z][a-z']*){2,}", text)


def told_of(finding: Finding) -> EditRefused:
    return refusal(
        finding.code, finding.message, segments=finding.segments, example=finding.example,
        was=finding.was, advice=finding.advice.replace("{id}", "video_001"),
    )  # fmt: skip


def test_the_edits_that_are_tried_wake_every_guard() -> None:
    assert {finding.guard for finding in FINDINGS} == {guard.__name__ for guard in (*GUARDS, invented)}


@every_finding
def test_what_a_guard_says_is_told_in_chinese_only(finding: Finding) -> None:
    passages = finding.example, finding.was, finding.example[:59], finding.was[:59]
    for text in (
        finding_sentence(finding, "zh"),
        explain(told_of(finding), "zh"),
        told(told_of(finding), "zh", "agent"),
    ):
        assert not english(text, *passages)
        assert "涉及" not in text
        assert len(text) <= MAX_CHARS


@every_finding
def test_what_a_guard_says_keeps_its_words_in_english(finding: Finding) -> None:
    assert finding_sentence(finding, "en").endswith(finding.message)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param(KITCHEN, with_line(4, "水开了下面，煮一会儿就捞出来。"), "第 4 行：不再有“三分钟”。", id="lost"),
        pytest.param(KITCHEN, with_line(2, LINES[1].replace("12", "15")), "第 2 行：“12元”会变成“15元”。", id="another"),
        pytest.param(KITCHEN, "\n".join(LINES[:1] + LINES[2:]), "原来的第 2 行没有了，其中的“12元”也就没有了。", id="gone"),
        pytest.param(TALK, TALK.replace("{{name}}", "小明"), "原来第 2 行的占位符“{{name}}”不见了。", id="placeholder"),
        pytest.param(TALK, TALK.replace("[00:12]\n", ""), "原来第 1 行的时间码“[00:12]”不见了。", id="time code"),
    ],
)  # fmt: skip
def test_a_finding_says_what_is_missing_and_where(before: str, after: str, expected: str) -> None:
    assert finding_sentence(found(before, after)[0], "zh") == expected


@pytest.mark.parametrize(
    ("before", "after", "lock", "expected"),
    [
        pytest.param(KITCHEN, with_line(3, "番茄切丁。"), locked_line(3, note="客户定稿"),
                     "第 3 行：这一行已锁定，说明是“客户定稿”，会被改动", id="a line"),
        pytest.param(KITCHEN, "\n".join(LINES[1:] + LINES[:1]), locked_line(1),
                     "第 1 行：这一行已锁定，不能挪动", id="a line that moved far"),
        pytest.param(KITCHEN, f"一。\n二。\n{KITCHEN.replace('小棠', '小糖')}", Lock(kind="phrase", text="小棠", id="k3"),
                     "第 1 行；这个词语已锁定，改后就没有了", id="words below new lines"),
        pytest.param(TALK, TALK.replace("写了三年", "写了很久"), GUEST,
                     "第 5 行：整位说话人“嘉宾”的台词已锁定，会被改动", id="a speaker"),
    ],
)  # fmt: skip
def test_a_broken_lock_says_what_is_locked_and_where_it_stands(
    before: str, after: str, lock: Lock, expected: str
) -> None:
    (broken,) = [finding for finding in found(before, after, locks=(lock,)) if finding.guard == "locked"]

    said = explain(told_of(broken), "zh")

    assert f"会改动锁定的文字（{expected}）。" in said
    assert (
        said.endswith(f"或者先解锁：script-editor unlock video_001 --id {lock.id}") and "--keep" not in said
    )


@in_both_languages
def test_words_that_only_this_request_keeps_are_not_unlocked_but_left_out(language: Language) -> None:
    (lock,), _ = keep(KITCHEN, ["小棠"])
    (broken,) = found(KITCHEN, KITCHEN.replace("小棠", "小糖"), locks=(lock,))

    said = explain(told_of(broken), language)

    assert "--keep" in said and "unlock" not in said


def notes_of_raise_sites() -> Iterator[tuple[str, str]]:
    """Yield reason and note wherever the program refuses an edit, a value put for each part of the note."""
    for path in sorted(Path(script_editor.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                match node.func.id, node.args:
                    case "EditRefused", [ast.Constant(value=str(reason)), note, *_]:
                        yield reason, note_with_values(note)
                    case "_malformed", [note, *_]:
                        yield "malformed", note_with_values(note)


def note_with_values(note: ast.expr) -> str:
    match note:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(note_with_values, values))
        case ast.FormattedValue(conversion=conversion):
            return "'轻盾'" if conversion == ord("r") else "7"
        case _:
            return "7"


NOTES = tuple(dict.fromkeys(notes_of_raise_sites()))


def test_the_raise_sites_are_found() -> None:
    assert {"stale", "no_match", "ambiguous_match", "wrong_target", "truncated"} <= {
        reason for reason, _ in NOTES
    }


@pytest.mark.parametrize(("reason", "note"), NOTES, ids=[f"{reason}: {note}" for reason, note in NOTES])
def test_what_a_raise_site_notes_is_told_in_chinese_only(reason: str, note: str) -> None:
    refused = refusal(reason, note, advice="Do it in another way than this one.")

    for text in (explain(refused, "zh"), told(refused, "zh", "agent")):
        assert not english(text)


@for_everyone
@in_both_languages
@for_every_reason
def test_versions_are_written_as_people_read_them(
    reason: str, language: Language, audience: Audience
) -> None:
    refused = refusal(reason, "video_001@v3 is not what it was.", kept="video_001@v3")

    assert "@v" not in told(refused, language, audience)
    assert worded(refused, language, audience=audience).kept == KEPT


@pytest.mark.parametrize(
    "flood", ["“", "'", '"', "Line 3 says a ", "The cue a (and 2 more) ", '" is locked (', "1, "], ids=ascii
)
def test_a_flood_in_a_finding_is_told_at_once(flood: str) -> None:
    starts = ("", "Line 3 ", "The cue ", "All lines of ", '"', "The edit would change lines ")

    started = time.perf_counter()
    for start in starts:
        finding = Finding(guard="facts", code="facts_changed", level="error", message=start + flood * 50_000)
        assert len(finding_sentence(finding, "zh")) <= MAX_CHARS

    assert time.perf_counter() - started < 10  # a hang, not a pace


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

    assert time.perf_counter() - started < 10  # a hang, not a pace


# --- beside refusals: notes and edits that stopped halfway -------------------------------------


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        pytest.param("Lines 268-600 are as they were.", "第 268-600 行没有改动。", id="untouched"),
        pytest.param("'AI' does not occur in the script, so nothing keeps it.", "脚本里没有“AI”，所以谈不上保留。", id="no such word"),
        pytest.param("Carried over from proposal p-8, made for v2, to v4.", "由提案 p-8 移过来：原来针对 v2，现在针对 v4。", id="carried"),
        pytest.param("Left out: changes 1, 3 of 5, because v4 changed the same lines.",
                     "第 1、3 处改动（共 5 处）没有采用，因为 v4 改了同一行或相邻的行。", id="left out"),
        pytest.param("Written anew by lena: change 3.", "第 3 处改动由 lena 重新写过。", id="by hand"),
        pytest.param("5 处已替换。", "5 处已替换。", id="Chinese already"),
    ],
)  # fmt: skip
def test_a_note_is_shown_in_the_language_of_the_request(note: str, expected: str) -> None:
    assert note_sentence(note, "zh") == expected
    assert note_sentence(note, "en") == note


@pytest.mark.parametrize(
    ("untouched", "cause"),
    [
        pytest.param("41-120", BudgetReached("The run used up all its tokens."), id="a limit"),
        pytest.param("41-120", KeyboardInterrupt(), id="an interrupt"),
        pytest.param("", ModelFailure("The service cannot be reached."), id="before the save"),
        pytest.param("3", worded(refusal("no_match"), "zh"), id="a refusal"),
    ],
)
def test_an_edit_that_stopped_halfway_is_told_in_chinese_only(
    untouched: str, cause: ScriptEditorError | KeyboardInterrupt
) -> None:
    stopped = Unfinished("video_001", proposal_id="p-1", untouched=untouched, cause=cause, language="zh")

    assert f"第 {untouched} 行" in str(stopped) if untouched else "行" not in str(stopped)
    assert "提案 p-1" in str(stopped) and stopped.hint.endswith("script-editor apply p-1")
    assert not english(f"{stopped} {stopped.hint}")


@pytest.mark.parametrize("how", get_args(Ending))
def test_a_run_that_saved_nothing_is_told_in_the_language_of_the_request(how: Ending) -> None:
    zh, en = (" ".join(ending(how, language, "p-1")) for language in LANGUAGES)

    assert not english(zh) and "没有" in zh and "p-1" in zh
    assert english(en) and "p-1" in en
