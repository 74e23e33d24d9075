"""Operations in JSON and in the text form become plans, or a reason why not."""

import json
from collections.abc import Mapping

import pytest

from script_editor.domain.edits import resolve
from script_editor.domain.operations import Delete, InsertAfter, Move, Operation, Replace, Substitute
from script_editor.domain.replies import parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.errors import EditRefused

SCRIPT = NumberedScript("video_001", 3, "一\n二\n三\n")
NOODLES = "今天我们做一碗番茄鸡蛋面。\n先把两个番茄切成小块。\n水开下面，三分钟就好。\n喜欢的话点个关注，我们明天见。\n"


def edited(text: str, raw: str, instruction: str = "改一下") -> str:
    script = NumberedScript("video_001", 3, text)
    return apply(text, resolve(script, parse_plan(raw, script, instruction=instruction)))


def refused(raw: str, script: NumberedScript = SCRIPT) -> str:
    with pytest.raises(EditRefused) as caught:
        parse_plan(raw, script)
    return caught.value.reason


def ops(*operations: Mapping[str, object]) -> str:
    return json.dumps({"ops": operations}, ensure_ascii=False)


@pytest.mark.parametrize(
    ("raw", "operations"),
    [
        pytest.param("@@ replace S1\n新的\n@@ end", (Replace("S1", "新的"),), id="replace"),
        pytest.param("@@ replace S1\r\n新的\r\n@@ end\r\n", (Replace("S1", "新的"),), id="CRLF"),
        pytest.param("@@ insert_after S1\na\nb\n@@ delete S2\n@@ end", (InsertAfter("S1", "a\nb"), Delete("S2")), id="two"),
        pytest.param("@@ replace S1\n\nx\n\n@@ delete S2\n\n@@ end", (Replace("S1", "x"), Delete("S2")), id="blank lines between operations"),
        pytest.param("@@ move S1 after S3\n@@ end", (Move("S1", after="S3"),), id="move"),
        pytest.param("@@ substitute S1\n一\n@@ with\n1\n@@ end", (Substitute("一", "1", id="S1"),), id="substitute"),
        pytest.param("@@ substitute all\n一\n@@ with\n1\n@@ end", (Substitute("一", "1", all=True),), id="everywhere"),
        pytest.param("@@ end", (), id="nothing to do"),
        pytest.param("＠＠ replace S1\n新的\n＠＠ end", (Replace("S1", "新的"),), id="full-width marks"),
        pytest.param("@@ replace S1\n＠＠小棠 你好\n@@ end", (Replace("S1", "＠＠小棠 你好"),), id="full-width marks in a text"),
        pytest.param("```\n@@ delete S1\n@@ end\n```", (Delete("S1"),), id="fenced"),
        pytest.param("我删掉了第一行。\n```\n@@ delete S1\n@@ end\n```\n这样更紧凑。", (Delete("S1"),), id="prose outside a fence"),
        pytest.param("好的，修改如下：\n@@ delete S1\n@@ end", (Delete("S1"),), id="announced"),
        pytest.param("@@ delete S1\n@@ end\n\n如需进一步调整，请告诉我。", (Delete("S1"),), id="with a leave-taking"),
        pytest.param("@@ delete S1\n@@ end\n---\nChanges made:\n- first line removed", (Delete("S1"),), id="with notes"),
        pytest.param("先想想\n</think>\n@@ delete S1\n@@ end", (Delete("S1"),), id="thinking without its opening"),
        pytest.param("<think>a</think>\n<think>b</think>\n@@ delete S1\n@@ end", (Delete("S1"),), id="thinking twice"),
        pytest.param("<think>先想想</think>\n@@ delete S1\n@@ end", (Delete("S1"),), id="closed thinking"),
        pytest.param("[THINK]hm[/THINK]@@ delete S1\n@@ end", (Delete("S1"),), id="thinking in brackets"),
        pytest.param("<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>@@ delete S1\n@@ end<|return|>", (Delete("S1"),), id="channels"),
        pytest.param("@@ replace S1\n\\@@ 不是操作\n@@ end", (Replace("S1", "@@ 不是操作"),), id="escaped text line"),
        pytest.param("@@ replace S1\nFinal Answer: 再见\nAction: x\n@@ end", (Replace("S1", "Final Answer: 再见\nAction: x"),), id="labels are text"),
        pytest.param(ops({"op": "replace", "id": "S1", "text": "x"}), (Replace("S1", "x"),), id="JSON"),
        pytest.param('[{"op": "delete", "id": "S1"}]', (Delete("S1"),), id="JSON list"),
        pytest.param('{"op": "delete", "id": "S1"}', (Delete("S1"),), id="one JSON operation"),
        pytest.param('{"op": "delete", "id": "S1"}\n{"op": "delete", "id": "S2"}', (Delete("S1"), Delete("S2")), id="one JSON operation a line"),
        pytest.param('Sure! Here are the edits:\n```json\n{"ops": [{"op": "delete", "id": "S1"}]}\n```\nDone.', (Delete("S1"),), id="fenced JSON"),
        pytest.param('好的：{"ops": [{"op": "delete", "id": "S1"}]}', (Delete("S1"),), id="JSON behind a word"),
        pytest.param('json\n{"ops": [{"op": "delete", "id": "S1"}]}', (Delete("S1"),), id="what is left of a fence"),
        pytest.param('{"script_id": "video_001", "base_version": 3, "scope": "local", "targets": ["S1"], "ops": [{"op": "move", "id": "S1", "before": "S2", "after": null}]}', (Move("S1", before="S2"),), id="JSON envelope and null"),
        pytest.param('{"video_id": "Video_001", "base_version": "v3", "ops": []}', (), id="JSON envelope written loosely"),
        pytest.param(ops({"op": "delete", "id": "S2", "was": "二"}), (Delete("S2"),), id="how the line begins"),
    ],
)  # fmt: skip
def test_a_complete_reply_is_read(raw: str, operations: tuple[Operation, ...]) -> None:
    plan = parse_plan(raw, SCRIPT)

    assert (plan.script_id, plan.base_version, plan.operations) == ("video_001", 3, operations)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"a"},]}', "a", id="trailing comma"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"a",}]}', "a", id="trailing comma in an operation"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"a\nb"}]}', "a\nb", id="raw line break"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"他说"好"，走了。"}]}', '他说"好"，走了。', id="inner quotes before a comma"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"他说"走""}]}', '他说"走"', id="inner quotes at the end"),
        pytest.param('{"ops":[{"text":"She said "hi", then left","op":"replace","id":"S1"}]}', 'She said "hi", then left', id="inner quotes in English"),
        pytest.param("{“ops”: [{“op”: “replace”, “id”: “S1”, “text”: “他说：“好”。”}]}", "他说：“好”。", id="curly structural quotes"),
        pytest.param('{"ops"：[{"op"："replace"，"id"："S1"，"text"："a，b"}]}', "a，b", id="full-width colons and commas"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"it\\\'s",}]}', "it's", id="escaped apostrophe"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"\\ud83d\\ude00",}]}', "😀", id="surrogate pair"),
    ],
)  # fmt: skip
def test_broken_json_with_one_reading_is_read(raw: str, text: str) -> None:
    assert parse_plan(raw, SCRIPT).operations == (Replace("S1", text),)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param("<think>a</think>", "empty", id="thinking and nothing else"),
        pytest.param("@@ replace S1\n新的", "truncated", id="no end"),
        pytest.param("@@ replace S1\n新的\n@@ end\n第三句也顺手写一下。", "malformed", id="text after the end"),
        pytest.param("@@ replace S1\n新的\n@@ end\n三", "malformed", id="the author's text after the end"),
        pytest.param("新的第零行\n@@ delete S1\n@@ end", "malformed", id="text before"),
        pytest.param("对不起，我无法修改这段内容。\n@@ end", "refusal", id="refusal before an empty list"),
        pytest.param("@@ rewrite S1\nx\n@@ end", "malformed", id="unknown operation"),
        pytest.param("@@ delete S1\nx\n@@ end", "malformed", id="delete with text"),
        pytest.param("@@ substitute S1\nx\n@@ end", "malformed", id="substitute without new text"),
        pytest.param("@@ -1,2 +1,2 @@\n-一\n+1", "malformed", id="a unified diff"),
        pytest.param("大家好，欢迎来到我的频道。", "malformed", id="a rewritten script"),
        pytest.param("抱歉，我无法修改这段内容。", "refusal", id="refusal"),
        pytest.param("I'm sorry, but I can't help with that.", "refusal", id="refusal in English"),
        pytest.param("这个请求我处理不了。", "refusal", id="refusal in plain words"),
        pytest.param("<think>用户想要", "reasoning_leak", id="thinking only"),
        pytest.param('{"ops": [{"op": "replace", "id": "S1", "te', "truncated", id="JSON cut in a string"),
        pytest.param('{"ops": [{"op": "delete", "id": "S1"}]', "truncated", id="JSON cut before its end"),
        pytest.param('{"ops": [{"op": "delete", "id": "S1"},', "truncated", id="JSON cut behind a comma"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"他说"走"}]}', "malformed", id="one quotation mark too few"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"\\u5c71\\顶"}]}', "malformed", id="escape that is none"),
        pytest.param('{"ops":[{"op":"replace","id":"S1","text":"\\u5c7"}]}', "malformed", id="escape cut short"),
        pytest.param('{"ops": [{"op": "replace", "id": "S1"}]}', "malformed", id="missing field"),
        pytest.param('{"ops": [{"op": "delete", "id": "S1", "why": "x"}]}', "malformed", id="unknown field"),
        pytest.param('{"ops": [{"op": "delete", "id": 1}]}', "malformed", id="wrong type"),
        pytest.param('{"ops": [{"op": "delete", "id": "S1", "id": "S2"}]}', "malformed", id="key twice"),
        pytest.param('{"ops": [{"op": "delete", "id": "S2", "was": "一"}]}', "no_match", id="the beginning of another line"),
        pytest.param('{"script_id": "video_009", "ops": []}', "wrong_target", id="another script"),
        pytest.param('{"video_id": "video_009", "ops": []}', "wrong_target", id="another video"),
        pytest.param('{"base_version": 2, "ops": []}', "stale", id="another version"),
        pytest.param('{"base_version": true, "ops": []}', "malformed", id="a version that is none"),
        pytest.param('{"edits": []}', "malformed", id="no list of operations"),
        pytest.param('{"ops": []}\n{"ops": []}', "malformed", id="two envelopes"),
        pytest.param('{"ops": [{"op": ["replace"], "id": "S1"}]}', "malformed", id="operation that is a list"),
        pytest.param('{"ops":' + "[" * 100_000, "malformed", id="bottomless brackets"),
        pytest.param('{"ops":["' + 'a"' * 50_000, "truncated", id="endless quotes"),
        pytest.param("@@ replace S1\n新的\n@@ end of part one", "malformed", id="an end that goes on"),
        pytest.param(ops({"op": "replace", "id": "S1", "text": "一\\n二"}), "malformed", id="line break escaped twice"),
        pytest.param(ops(*[{"op": "insert_after", "id": "S1", "text": "新"}] * 2), "conflict", id="one insertion twice"),
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_its_reason(raw: str, reason: str) -> None:
    assert refused(raw) == reason


@pytest.mark.parametrize(
    ("op", "after"),
    [
        pytest.param({"op": "replace", "id": "S3", "text": "S3 | 水开下面，四分钟就好。"}, "水开下面，四分钟就好。\n", id="copied line number"),
        pytest.param({"op": "replace", "id": "S3", "text": "S3:k7 [locked] | 水开下面，四分钟就好。"}, "水开下面，四分钟就好。\n", id="copied line number with marks"),
        pytest.param({"op": "replace", "id": "S3", "text": "S3 | 水开下面。\nS4 | 四分钟就好。"}, "水开下面。\n四分钟就好。\n", id="copied line numbers"),
        pytest.param({"op": "replace", "id": "S3", "text": "S8 | 水开下面，四分钟就好。"}, "S8 | 水开下面，四分钟就好。\n", id="a number that no line has"),
        pytest.param({"op": "replace", "id": "S3", "text": "```\n水开下面，四分钟就好。\n```"}, "水开下面，四分钟就好。\n", id="fence around the text"),
        pytest.param({"op": "replace", "id": "S3", "text": "\n    水开下面，四分钟就好。\n"}, "水开下面，四分钟就好。\n", id="made-up indentation"),
        pytest.param({"op": "insert_after", "id": "S3", "text": "水开下面，三分钟就好。\n撒一把葱花。"}, "水开下面，三分钟就好。\n撒一把葱花。\n", id="anchor repeated before the new line"),
        pytest.param({"op": "insert_before", "id": "S3", "text": "撒一把葱花。\n水开下面，三分钟就好。"}, "撒一把葱花。\n水开下面，三分钟就好。\n", id="anchor repeated behind the new line"),
        pytest.param({"op": "insert_after", "id": "S3", "text": "水开下面，三分钟就好。"}, "水开下面，三分钟就好。\n水开下面，三分钟就好。\n", id="a line repeated and nothing else"),
        pytest.param({"op": "insert_after", "id": "S3", "text": "撒一把葱花。\n喜欢的话点个关注，我们明天见。"}, "水开下面，三分钟就好。\n撒一把葱花。\n", id="next line copied"),
        pytest.param({"op": "replace", "id": "S3", "text": "水开下面，四分钟就好。\n喜欢的话点个关注，我们明天见。"}, "水开下面，四分钟就好。\n", id="next line copied into a replacement"),
        pytest.param({"op": "replace", "id": "S3", "text": "先把两个番茄切成小块。\n水开下面，四分钟就好。"}, "水开下面，四分钟就好。\n", id="line before copied into a replacement"),
    ],
)  # fmt: skip
def test_what_was_copied_from_the_view_is_not_written(op: Mapping[str, object], after: str) -> None:
    assert edited(NOODLES, ops(op)) == NOODLES.replace("水开下面，三分钟就好。\n", after)


def test_a_dropped_copy_is_told_in_the_language_of_the_instruction() -> None:
    raw = ops({"op": "insert_after", "id": "S1", "text": "一\n新"})

    assert parse_plan(raw, SCRIPT, instruction="加一句").notes == (
        "模型把第 1 行又抄了一遍，重复的部分没有写入。",
    )
    assert parse_plan(raw, SCRIPT, instruction="add one").notes == (
        "The model repeated line 1; the copy was left out.",
    )


def test_a_copy_stays_when_the_line_was_to_be_said_twice() -> None:
    raw = ops({"op": "insert_after", "id": "S1", "text": "今天我们做一碗番茄鸡蛋面。\n真的！"})

    assert edited(NOODLES, raw, "把第一句重复一遍，再加一句“真的！”").count("番茄鸡蛋面") == 2


@pytest.mark.parametrize(
    ("text", "op", "after"),
    [
        pytest.param("\u3000\u3000甲。\n\u3000\u3000乙。\n", {"op": "insert_after", "id": "S1", "text": "新。\n又。"}, "\u3000\u3000甲。\n\u3000\u3000新。\n\u3000\u3000又。\n\u3000\u3000乙。\n", id="new lines are set in like their anchor"),
        pytest.param("\u3000\u3000甲。\n\u3000\u3000乙。\n", {"op": "replace", "id": "S1", "text": "新。\n又。"}, "\u3000\u3000新。\n\u3000\u3000又。\n\u3000\u3000乙。\n", id="all lines of a replacement are set in"),
        pytest.param("题\n\u3000\u3000甲。\n", {"op": "insert_after", "id": "S1", "text": "\u3000\u3000新。"}, "题\n\u3000\u3000新。\n\u3000\u3000甲。\n", id="indentation that the script knows is kept"),
        pytest.param("他说：“三分钟。”\n", {"op": "replace", "id": "S1", "text": '他说："四分钟。"'}, "他说：“四分钟。”\n", id="the author's quotation marks"),
        pytest.param("每周更新3期。\n", {"op": "replace", "id": "S1", "text": "每周更新 4 期。"}, "每周更新4期。\n", id="no space the author does not write"),
        pytest.param("他说：“走。”\n", {"op": "replace", "id": "S1", "text": '他说："走。"'}, '他说："走。"\n', id="a change of marks alone is meant"),
    ],
)  # fmt: skip
def test_texts_are_written_as_the_author_writes(text: str, op: Mapping[str, object], after: str) -> None:
    assert edited(text, ops(op)) == after


def test_a_change_of_marks_beside_a_real_change_is_not_meant() -> None:
    raw = ops({"op": "replace", "id": "S1", "text": '"甲"'}, {"op": "replace", "id": "S2", "text": "丙"})

    assert edited("“甲”\n乙\n", raw) == "“甲”\n丙\n"


@pytest.mark.parametrize(
    ("envelope", "reason"),
    [
        ('{"script":"video_002","ops":[%s]}', "wrong_target"),
        ('{"version":7,"ops":[%s]}', "stale"),
        ('{"truncated":true,"ops":[%s]}', "malformed"),
        ('{"remaining":"lines 3-4","ops":[%s]}', "malformed"),
        ('{"ops":[%s],"ops2":[]}', "malformed"),
    ],
)
def test_what_an_envelope_says_beside_its_operations_is_not_passed_over(envelope: str, reason: str) -> None:
    script = NumberedScript("video_001", 1, "One.\nTwo.\n")

    with pytest.raises(EditRefused) as refused:
        parse_plan(envelope % '{"op":"replace","id":"S1","text":"Uno."}', script)

    assert refused.value.reason == reason


def test_a_remark_beside_the_operations_is_left_out() -> None:
    script = NumberedScript("video_001", 1, "One.\nTwo.\n")

    plan = parse_plan('{"note":"done","ops":[{"op":"replace","id":"S1","text":"Uno."}]}', script)

    assert plan.operations == (Replace("S1", "Uno."),)
