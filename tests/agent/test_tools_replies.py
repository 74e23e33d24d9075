"""Ugly replies with tool calls, in the message or in its text, and what must be made of them."""

import json
from typing import Any

import pytest

from script_editor.agent.modes import read_reply
from script_editor.agent.steps import Actions
from script_editor.llm.chat import ToolCall
from tests.agent.fakes import Calls, Desk, Told, assert_read, call, refused

TEA = '{"script_id": "tea-ad"}'
GET = f'{{"name": "get_script", "arguments": {TEA}}}'
EDIT = '{"script_id": "tea-ad", "instruction": "更短"}'


def message(*calls: tuple[str, object], content: object = None, **more: object) -> dict[str, Any]:
    """An assistant message with calls of a name and arguments; the ids are a, b, c …"""
    entries = [
        {"id": chr(ord("a") + index), "type": "function", "function": {"name": name, "arguments": arguments}}
        for index, (name, arguments) in enumerate(calls)
    ]
    return {"role": "assistant", "content": content, **({"tool_calls": entries} if entries else {}), **more}


def calls(*found: Calls) -> Calls:
    """Several calls are asked for, in this order."""
    return [one for some in found for one in some]


READ = call("get_script", script_id="tea-ad")

CALLS: dict[str, tuple[dict[str, Any], Told]] = {
    "text beside a call is no answer": (message(("get_script", TEA), content="我先看看。"), READ),
    "empty arguments": (message(("list_scripts", "")), call("list_scripts")),
    "arguments as an object": (message(("get_script", {"script_id": "tea-ad"})), READ),
    "arguments encoded twice": (message(("get_script", json.dumps(TEA))), READ),
    "arguments in a fence": (message(("get_script", f"```json\n{TEA}\n```")), READ),
    "arguments twice": (message(("get_script", TEA + TEA)), READ),
    "bare value": (message(("get_script", "tea-ad")), READ),
    "stray brace behind a write": (
        message(("modify_script", EDIT + "}")),
        call("modify_script", script_id="tea-ad", instruction="更短"),
    ),
    "json in a text stays text": (
        message(("preview", json.dumps({"script_id": "a", "instruction": TEA}))),
        call("preview", script_id="a", instruction=TEA),
    ),
    "channel behind the name": (message(("get_script<|channel|>commentary", TEA)), READ),
    "json glued to the name": (message(("get_scriptjson", TEA)), READ),
    "equal calls are one": (message(("get_script", TEA), ("GET_SCRIPT", "{'script_id': 'tea-ad'}")), READ),
    "two scripts, one with a write": (
        message(("revert", '{"script_id": "a", "version": 1}'), ("modify_script", EDIT)),
        calls(
            call("revert", script_id="a", version=1),
            call("modify_script", script_id="tea-ad", instruction="更短"),
        ),
    ),
    "two edits of one script": (
        message(("modify_script", EDIT), ("modify_script", EDIT.replace("短", "长"))),
        calls(
            call("modify_script", script_id="tea-ad", instruction="更短"),
            call("modify_script", script_id="tea-ad", instruction="更长"),
        ),
    ),
    "wrapper around several calls": (
        message(
            (
                "multi_tool_use.parallel",
                json.dumps(
                    {
                        "tool_uses": [
                            {"recipient_name": "functions.get_script", "parameters": {"script_id": "tea-ad"}},
                            {"recipient_name": "functions.list_scripts", "parameters": {}},
                        ]
                    }
                ),
            )
        ),
        calls(READ, call("list_scripts")),
    ),
    "the older field": (message(function_call={"name": "get_script", "arguments": TEA}), READ),
    "both fields": (
        message(("get_script", TEA), function_call={"name": "get_script", "arguments": TEA}),
        READ,
    ),
}

TEXT_CALLS: dict[str, tuple[str, Told]] = {
    "tag": (f"<tool_call>{GET}</tool_call>", READ),
    "tag without its end, behind a preamble": (f"好的。\n<tool_call>\n{GET}", READ),
    "several tags": (
        f'<tool_call>{GET}</tool_call>\n<tool_call>{{"name": "list_scripts"}}</tool_call>',
        calls(READ, call("list_scripts")),
    ),
    "list in a tag": (f"<tools>\n[{GET}]\n</tools>", READ),
    "function with parameters": (
        "<function=preview>\n<parameter=script_id>\ntea-ad\n</parameter>\n"
        "<parameter=instruction>\n改成 <b>粗</b>：\na < b\n</parameter>\n</function>",
        call("preview", script_id="tea-ad", instruction="改成 <b>粗</b>：\na < b"),
    ),
    "function with an object and no end": (f"<function=get_script>{TEA}", READ),
    "invoke with entities": (
        '<function_calls><invoke name="preview"><parameter name="script_id">a</parameter>'
        '<parameter name="instruction">A &amp; B</parameter></invoke></function_calls>',
        call("preview", script_id="a", instruction="A & B"),
    ),
    "numbers as text": (
        "<tool_call>diff<arg_key>script_id</arg_key><arg_value>a</arg_value>\n<arg_key>from_version</arg_key>"
        "<arg_value>1</arg_value>\n<arg_key>to_version</arg_key><arg_value>2</arg_value></tool_call>",
        call("diff", script_id="a", from_version=1, to_version=2),
    ),
    "tokens with a fence": (
        f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_script\n```json\n{TEA}\n```"
        "<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        READ,
    ),
    "tokens with an index": (
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_script:0<|tool_call_argument_begin|>"
        f"{TEA}<|tool_call_end|><|tool_calls_section_end|>",
        READ,
    ),
    "channels": (
        "<|channel|>analysis<|message|>look<|end|><|start|>assistant<|channel|>commentary to=functions.get_script "
        f"<|constrain|>json<|message|>{TEA}<|call|>",
        READ,
    ),
    "recipient before the channel": (
        f"<|start|>assistant to=functions.get_script<|channel|>commentary json<|message|>{TEA}<|call|>",
        READ,
    ),
    "the whole reply is an object": (GET, READ),
    "the whole reply is a fenced list": (f"```json\n[{GET}]\n```", READ),
    "the shape of the message": (
        f'{{"id": "1", "type": "function", "function": {{"name": "get_script", "arguments": {json.dumps(TEA)}}}}}',
        READ,
    ),
    "labels": ("好的。\nThought: x\nAction: get_script\nAction Input: tea-ad", READ),
    "an invented result": (
        f"<tool_call>{GET}</tool_call><tool_response>大家好</tool_response><tool_call>x</tool_call>",
        READ,
    ),
    "parameters of another provider": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="revert">\n<｜DSML｜parameter name="script_id" string="true">a'
        '</｜DSML｜parameter>\n<｜DSML｜parameter name="version" string="false">2</｜DSML｜parameter>\n'
        "</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        call("revert", script_id="a", version=2),
    ),
    "a wrapper around several calls": (
        '<tool_call>{"name": "multi_tool_use.parallel", "arguments": {"tool_uses": [{"recipient_name": '
        f'"functions.get_script", "parameters": {TEA}}}, {{"recipient_name": "functions.list_scripts", "parameters": {{}}}}]}}}}'
        "</tool_call>",
        calls(READ, call("list_scripts")),
    ),
    "a name before its object": (f"[TOOL_CALLS]get_script{TEA}", READ),
    "a name and a mark before its object": (f"[TOOL_CALLS]get_script[ARGS]{TEA}", READ),
    "a name before its object in a tag": (f"<tool_call>get_script\n{TEA}\n</tool_call>", READ),
    "a pair of tokens": (f"<|tool_call|>{GET}<|/tool_call|>", READ),
    "channels without their tokens": (
        f"assistantanalysis先看assistantcommentary to=functions.get_script json{TEA}",
        READ,
    ),
    "a token that ends the turn": (f"{GET}<|im_end|>", READ),
    "two blocks of reasoning": (
        f"<think>a</think><think>{GET.replace('get_script', 'x')}</think>{GET}",
        READ,
    ),
    "a draft in the reasoning": (f"<think>\n<tool_call>x\n</think>\n<tool_call>{GET}</tool_call>", READ),
}

ANSWERS: dict[str, tuple[dict[str, Any], Told]] = {
    "text": (message(content="  好了。\n"), "好了。"),
    "parts": (message(content=[{"type": "text", "text": "好"}, {"type": "text", "text": "了"}]), "好了"),
    "refusal": (message(refusal="不行。"), "不行。"),
    "refusal as a part": (message(content=[{"type": "refusal", "refusal": "不行。"}]), "不行。"),
    "reasoning before it": (message(content="<think>x</think>好"), "好"),
    "a token that ends the turn": (message(content="好<|im_end|>\n"), "好"),
    "a token in a sentence": (message(content="<|im_end|> 是结束标记。"), "<|im_end|> 是结束标记。"),
    "an invented turn of the person": (
        message(content=f"好了。\nUser: 再改\nThought: x\nAction: modify_script\nAction Input: {EDIT}"),
        "好了。",
    ),
    "a dialogue": (
        message(content="稿子：\nUser: 多少钱？\nHost: 九十九。"),
        "稿子：\nUser: 多少钱？\nHost: 九十九。",
    ),
    "the final channel": (message(content="<|channel|>final<|message|>好<|return|>"), "好"),
    "behind a label": (message(content="Thought: x\nFinal Answer: 好"), "好"),
    "finish as a tool": (message(("final_answer", '{"answer": "好"}')), "好"),
    "screenplay": (
        message(content="第二场：\nAction: 镜头推近\n旁白：她"),
        "第二场：\nAction: 镜头推近\n旁白：她",
    ),
    "data": (
        message(content='[{"name": "镜头一", "action": "推近"}]'),
        '[{"name": "镜头一", "action": "推近"}]',
    ),
    "a call in a sentence": (message(content=f"我会调用 {GET}，可以吗？"), f"我会调用 {GET}，可以吗？"),
    "a tag in a sentence": (message(content="标签 <tool_call> 表示调用。"), "标签 <tool_call> 表示调用。"),
    "parts that are plain texts": ({"role": "assistant", "content": ["改好", "了。"]}, "改好了。"),
    "a call deep in data": (
        {"role": "assistant", "content": '{"examples": {"first": ' + GET + "}}"},
        '{"examples": {"first": ' + GET + "}}",
    ),
    "finish as a tool named like the label": (message(("Final Answer", '{"answer": "好"}')), "好"),
}

REFUSED: dict[str, tuple[dict[str, Any], Told]] = {
    "nothing": (message(), refused("get_script")),
    "an empty list": (message(content="", tool_calls=[]), refused("get_script")),
    "reasoning only": (message(reasoning_content="先看"), refused("get_script")),
    "entries that are no calls": (message(tool_calls=[None, 5, {"function": []}]), refused("get_script")),
    "every bad call is reported": (
        message(("get_script", TEA), ("edit_script", TEA), ("revert", TEA)),
        refused("edit_script", "revert", "version"),
    ),
    "halves of a call": (
        message(("modify_script", '{"script_id": "a", '), ("", '"instruction": "b"}')),
        refused("modify_script"),
    ),
    "two edits in one": (
        message(("modify_script", EDIT + EDIT.replace("短", "长"))),
        refused("modify_script"),
    ),
    "text behind a write": (message(("modify_script", EDIT + " done")), refused("modify_script", "done")),
    "one key, two values": (
        message(("preview", '{"script_id": "a", "instruction": "b", "instruction": "c"}')),
        refused("JSON", "instruction"),
    ),
    "a list": (message(("get_script", '["tea-ad"]')), refused("script_id")),
    "true is no version": (message(("revert", '{"script_id": "a", "version": true}')), refused("version")),
    "half a version": (message(("revert", '{"script_id": "a", "version": 2.5}')), refused("version")),
    "version zero": (message(("revert", '{"script_id": "a", "version": "v0"}')), refused("version")),
    "two reverts of one script": (
        message(
            ("revert", '{"script_id": "a", "version": 1}'), ("revert", '{"script_id": "A", "version": 2}')
        ),
        refused("revert"),
    ),
    "revert and edit of one script": (
        message(("modify_script", EDIT), ("revert", '{"script_id": "tea-ad", "version": 2}')),
        refused("revert", "modify_script"),
    ),
    "finish beside a call": (message(("get_script", TEA), ("FINISH", '"好"')), refused("get_script")),
    "empty tags": (message(content="<tool_call>\n</tool_call>"), refused("get_script")),
    "an empty list of calls": (message(content='{"tool_calls": []}'), refused("get_script")),
    "a brace missing in a tag": (
        message(content='<tool_call>{"name": "history", "arguments": {"script_id": "a"}</tool_call>'),
        refused("JSON", "history"),
    ),
    "one parameter with two values": (
        message(
            content="<function=history><parameter=script_id>a</parameter>"
            "<parameter=script_id>b</parameter></function>"
        ),
        refused("history", "script_id"),
    ),
    "cut in a tag": (
        message(content='<tool_call>{"name": "get_script", "argu'),
        refused("JSON", "get_script"),
    ),
    "cut behind a value": (
        message(content="<function=modify_script>\n<parameter=script_id>\na\n</parameter>\n"),
        refused("modify_script"),
    ),
    "cut in an object": (message(content='{"name": "modify_script", "argum'), refused("modify_script")),
    "an object behind prose": (message(content=f"好的：\n{GET}"), refused("get_script")),
    "a claim behind a write in a tag": (
        message(content=f'<tool_call>{{"name": "modify_script", "arguments": {EDIT}}}</tool_call>\n改好了！'),
        refused("modify_script"),
    ),
    "one call, two names": (
        message(content='{"tool": "preview", "action": "modify_script", "args": {}}'),
        refused("preview", "modify_script"),
    ),
    "keys beside the call": (
        message(content='{"action": "get_script", "script_id": "tea-ad"}'),
        refused("get_script", "script_id"),
    ),
    "a step in labels and an answer behind it": (
        {
            "role": "assistant",
            "content": f"Action: modify_script\nAction Input: {EDIT}\nFinal Answer: 好",
        },
        refused("Action", "Final Answer", "modify_script"),
    ),
    "finish as a tool without an answer": (message(("finish", '{"answer": " "}')), refused("answer")),
    "finish as a tool without arguments": (message(("finish", "{}")), refused("answer")),
}


@pytest.mark.parametrize(("raw", "expected"), CALLS.values(), ids=CALLS)
def test_calls_of_the_message_are_read(raw: dict[str, Any], expected: Told) -> None:
    assert_read("tools", raw, expected)


@pytest.mark.parametrize(("text", "expected"), TEXT_CALLS.values(), ids=TEXT_CALLS)
def test_calls_in_the_text_are_read(text: str, expected: Told) -> None:
    assert_read("tools", message(content=text), expected)


@pytest.mark.parametrize(("raw", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_text_is_the_answer(raw: dict[str, Any], expected: Told) -> None:
    assert_read("tools", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), REFUSED.values(), ids=REFUSED)
def test_nothing_is_run_and_the_feedback_names_what_matters(raw: dict[str, Any], expected: Told) -> None:
    assert_read("tools", raw, expected)


CUT: dict[str, tuple[dict[str, Any], Told]] = {
    "an answer does not stand": (message(content="好"), refused("length")),
    "a whole write does not stand": (message(("modify_script", EDIT)), refused("length", "modify_script")),
    "a read beside a write does not run": (
        message(("get_script", TEA), ("modify_script", EDIT)),
        refused("length", "modify_script"),
    ),
    "a bare value may be cut": (message(("get_script", "tea")), refused("length")),
    "a whole read stands": (message(("get_script", TEA)), READ),
}


@pytest.mark.parametrize(("raw", "expected"), CUT.values(), ids=CUT)
def test_of_a_reply_cut_by_length_only_whole_reads_stand(raw: dict[str, Any], expected: Told) -> None:
    assert_read("tools", raw, expected, finish_reason="length")


def test_missing_repeated_and_taken_ids_are_replaced_and_all_of_them_kept() -> None:
    raw = message(("get_script", TEA), ("get_script", TEA), ("history", TEA), ("list_scripts", "{}"))
    for entry, call_id in zip(raw["tool_calls"], ["x", "x", "", "old"], strict=True):
        entry["id"] = call_id

    outcome = read_reply("tools", raw, Desk().toolbox(), turn=3, taken_ids={"old"})

    assert isinstance(outcome, Actions)
    assert [(action.call_id, action.repeated_ids) for action in outcome.actions] == [
        ("x", ("call_3_2",)),
        ("call_3_3", ()),
        ("call_3_4", ()),
    ]


def test_the_message_is_replayed_as_it_came_with_its_ids_made_unique() -> None:
    raw = message(("get_script", TEA), ("functions.history", f"{TEA},"), reasoning_content="想", content="看")
    raw["tool_calls"][0]["signature"] = "s"
    raw["tool_calls"][1]["id"] = "a"

    outcome = read_reply("tools", raw, Desk().toolbox())

    assert isinstance(outcome, Actions)
    replayed = outcome.actions[1].message
    assert replayed is not None and replayed is outcome.actions[0].message
    assert replayed.tool_calls == (ToolCall("a", "get_script", TEA), ToolCall("call_1_2", "history", TEA))
    assert replayed.raw == {
        "role": "assistant",
        "content": "看",
        "reasoning_content": "想",
        "tool_calls": [
            {
                "id": "a",
                "type": "function",
                "signature": "s",
                "function": {"name": "get_script", "arguments": TEA},
            },
            {"id": "call_1_2", "type": "function", "function": {"name": "history", "arguments": TEA}},
        ],
    }


def test_calls_from_the_text_are_replayed_as_calls() -> None:
    outcome = read_reply("tools", message(content=f"好的。\n<tool_call>{GET}</tool_call>"), Desk().toolbox())

    assert isinstance(outcome, Actions)
    replayed = outcome.actions[0].message
    assert replayed is not None
    assert (replayed.content, replayed.tool_calls) == ("好的。", (ToolCall("call_1_1", "get_script", TEA),))
