"""Raw replies become plans, or a reason why not."""

import json

import pytest

from script_editor.domain.operations import Delete, InsertAfter, Move, Operation, Replace, Substitute
from script_editor.domain.replies import parse_plan
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused

SCRIPT = NumberedScript("video_001", 3, "一\n二\n三\n")


@pytest.mark.parametrize(
    ("raw", "operations"),
    [
        pytest.param("@@ replace S1\n新的\n@@ end", (Replace("S1", "新的"),), id="replace"),
        pytest.param("@@ replace S1\r\n新的\r\n@@ end\r\n", (Replace("S1", "新的"),), id="CRLF"),
        pytest.param("@@ insert_after S1\na\nb\n@@ delete S2\n@@ end", (InsertAfter("S1", "a\nb"), Delete("S2")), id="two"),
        pytest.param("@@ move S1 after S3\n@@ end", (Move("S1", after="S3"),), id="move"),
        pytest.param("@@ substitute S1\n一\n@@ with\n1\n@@ end", (Substitute("一", "1", id="S1"),), id="substitute"),
        pytest.param("@@ substitute all\n一\n@@ with\n1\n@@ end", (Substitute("一", "1", all=True),), id="everywhere"),
        pytest.param("@@ end", (), id="nothing to do"),
        pytest.param("```\n@@ delete S1\n@@ end\n```", (Delete("S1"),), id="fenced"),
        pytest.param("先想想\n</think>\n@@ delete S1\n@@ end", (Delete("S1"),), id="thinking without its opening"),
        pytest.param("<think>a</think>\n<think>b</think>\n@@ delete S1\n@@ end", (Delete("S1"),), id="thinking twice"),
        pytest.param("<think>先想想</think>\n@@ delete S1\n@@ end", (Delete("S1"),), id="closed thinking"),
        pytest.param("@@ replace S1\n\\@@ 不是操作\n@@ end", (Replace("S1", "@@ 不是操作"),), id="escaped text line"),
        pytest.param("@@ replace S1\nFinal Answer: 再见\nAction: x\n@@ end", (Replace("S1", "Final Answer: 再见\nAction: x"),), id="labels are text"),
        pytest.param(json.dumps({"ops": [{"op": "replace", "id": "S1:ab", "text": "x"}]}), (Replace("S1:ab", "x"),), id="JSON"),
        pytest.param(json.dumps({"script_id": "video_001", "base_version": 3, "ops": [{"op": "move", "id": "S1", "before": "S2", "after": None}]}), (Move("S1", before="S2"),), id="JSON envelope and null"),
    ],
)  # fmt: skip
def test_a_complete_reply_is_read(raw: str, operations: tuple[Operation, ...]) -> None:
    plan = parse_plan(raw, SCRIPT)

    assert (plan.script_id, plan.base_version, plan.operations) == ("video_001", 3, operations)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        pytest.param("", "empty", id="empty"),
        pytest.param("@@ replace S1\n新的", "truncated", id="no end"),
        pytest.param("@@ replace S1\n新的\n@@ end\n希望你喜欢", "malformed", id="chatter after the end"),
        pytest.param("好的，修改如下\n@@ delete S1\n@@ end", "malformed", id="chatter before"),
        pytest.param("@@ rewrite S1\nx\n@@ end", "malformed", id="unknown operation"),
        pytest.param("@@ delete S1\nx\n@@ end", "malformed", id="delete with text"),
        pytest.param("@@ substitute S1\nx\n@@ end", "malformed", id="substitute without new text"),
        pytest.param("大家好，欢迎来到我的频道。", "malformed", id="a rewritten script"),
        pytest.param("抱歉，我无法修改这段内容。", "refusal", id="refusal"),
        pytest.param("<think>用户想要", "reasoning_leak", id="thinking only"),
        pytest.param('{"ops": [{"op": "replace", "id": "S1", "te', "malformed", id="cut JSON"),
        pytest.param('{"ops": [{"op": "replace", "id": "S1"}]}', "malformed", id="missing field"),
        pytest.param('{"ops": [{"op": "delete", "id": "S1", "why": "x"}]}', "malformed", id="unknown field"),
        pytest.param('{"ops": [{"op": "delete", "id": 1}]}', "malformed", id="wrong type"),
        pytest.param('{"ops": [{"op": "delete", "id": "S1", "id": "S2"}]}', "malformed", id="key twice"),
        pytest.param('{"script_id": "video_009", "ops": []}', "wrong_target", id="another script"),
        pytest.param('{"base_version": 2, "ops": []}', "stale", id="another version"),
        pytest.param('{"edits": []}', "malformed", id="no list of operations"),
        pytest.param(
            '{"ops": [{"op": ["replace"], "id": "S1"}]}', "malformed", id="operation that is a list"
        ),
        pytest.param('{"ops":' + "[" * 100_000, "malformed", id="bottomless brackets"),
        pytest.param("@@ replace S1\n新的\n@@ end of part one", "malformed", id="an end that goes on"),
    ],
)
def test_anything_else_is_refused_with_its_reason(raw: str, reason: str) -> None:
    with pytest.raises(EditRefused) as caught:
        parse_plan(raw, SCRIPT)

    assert caught.value.reason == reason
