"""Ugly replies with a function call, the older form, and what must be made of them."""

import json
from typing import Any

import pytest

from script_editor.agent.modes import read_reply
from script_editor.agent.steps import Actions, Malformed
from tests.agent.fakes import Desk, Told, assert_read, call, refused

TEA = '{"script_id": "tea-ad"}'
EDIT = '{"script_id": "tea-ad", "instruction": "更短"}'
READ = call("history", script_id="tea-ad")
WRITE = call("modify_script", script_id="tea-ad", instruction="更短")


def asks(name: object, arguments: object, content: object = None, **more: object) -> dict[str, Any]:
    """An assistant message with a function call."""
    return {
        "role": "assistant",
        "content": content,
        "function_call": {"name": name, "arguments": arguments},
        **more,
    }


def says(content: object, **more: object) -> dict[str, Any]:
    """An assistant message of text."""
    return {"role": "assistant", "content": content, **more}


def tool_calls(*calls: tuple[str, object]) -> dict[str, Any]:
    """An assistant message with calls in the newer form."""
    entries = [
        {"id": str(number), "type": "function", "function": {"name": name, "arguments": arguments}}
        for number, (name, arguments) in enumerate(calls)
    ]
    return says(None, tool_calls=entries)


STEPS: dict[str, tuple[dict[str, Any], Told]] = {
    "a call": (asks("history", TEA), READ),
    "a write": (asks("modify_script", EDIT), WRITE),
    "text beside a call is no answer": (asks("modify_script", EDIT, "我来改。"), WRITE),
    "a claim beside a call is no answer": (asks("history", TEA, "改好了！"), READ),
    "an object": (asks("history", {"script_id": "tea-ad"}), READ),
    "encoded twice": (asks("modify_script", json.dumps(EDIT)), WRITE),
    "blank arguments": (asks("list_scripts", " \n"), call("list_scripts")),
    "null": (asks("list_scripts", None), call("list_scripts")),
    "the word null": (asks("list_scripts", "null"), call("list_scripts")),
    "no arguments at all": (says(None, function_call={"name": "list_scripts"}), call("list_scripts")),
    "a fence": (asks("modify_script", f"```json\n{EDIT}\n```"), WRITE),
    "a bare value": (asks("history", "tea-ad"), READ),
    "the same object twice": (asks("history", TEA * 2), READ),
    "a trailing comma": (asks("modify_script", EDIT.replace("}", ",}")), WRITE),
    "python literals": (asks("history", "{'script_id': 'tea-ad'}"), READ),
    "a raw line break": (asks("preview", '{"script_id": "a", "instruction": "一\n二"}'), call("preview", script_id="a", instruction="一\n二")),
    "quotes inside": (asks("preview", '{"script_id": "a", "instruction": "把"你"换成"您"吧"}'), call("preview", script_id="a", instruction='把"你"换成"您"吧')),
    "a prefix": (asks("functions.history", TEA), READ),
    "a channel": (asks("history<|channel|>commentary", TEA), READ),
    "json glued to the name": (asks("historyjson", TEA), READ),
    "the newer form": (tool_calls(("history", TEA)), READ),
    "the newer form, the same twice": (tool_calls(("history", TEA), ("history", TEA)), READ),
    "both forms, the same": ({**tool_calls(("history", TEA)), "function_call": {"name": "history", "arguments": TEA}}, READ),
    "several in one, the same": (
        asks("multi_tool_use.parallel", json.dumps({"tool_uses": [{"recipient_name": "functions.history", "parameters": {"script_id": "tea-ad"}}] * 2})),
        READ,
    ),
    "markup in the text": (says(f'好的。<tool_call>{{"name": "history", "arguments": {TEA}}}</tool_call>'), READ),
    "the older field as text": (says(f'{{"function_call": {{"name": "history", "arguments": {TEA}}}}}'), READ),
    "the text is an object": (says(f'{{"name": "history", "arguments": {TEA}}}'), READ),
    "labels in the text": (says("Thought: x\nAction: history\nAction Input: tea-ad"), READ),
    "a channel in the text": (says(f"<|channel|>commentary to=functions.history<|message|>{TEA}<|call|>"), READ),
    "reasoning beside it": (asks("history", TEA, "", reasoning_content="先看"), READ),
    "version forms": (asks("revert", '{"script_id": "a", "version": "v2"}'), call("revert", script_id="a", version=2)),
}  # fmt: skip

ANSWERS: dict[str, tuple[dict[str, Any], Told]] = {
    "text": (says("改好了。"), "改好了。"),
    "parts": (says([{"type": "text", "text": "改"}, {"type": "text", "text": "好了"}]), "改好了"),
    "a refusal": (says(None, refusal="不行。"), "不行。"),
    "behind reasoning": (says("<think>x</think>\n好"), "好"),
    "behind a label": (says("Final Answer: 好"), "好"),
    "finish as a function": (asks("finish", '{"answer": "好"}'), "好"),
    "an empty field for calls": (says("好", function_call=None), "好"),
    "a call in a sentence": (says('可以发 {"name": "revert", "arguments": {}}，要吗？'), '可以发 {"name": "revert", "arguments": {}}，要吗？'),
    "a dialogue": (says("稿子：\n用户：多少钱？\n主播：九十九。"), "稿子：\n用户：多少钱？\n主播：九十九。"),
    "a fence as the whole answer": (says("```\n一\n```"), "```\n一\n```"),
    "before an invented turn": (says(f"好了。\nHuman: 恢复\nAction: modify_script\nAction Input: {EDIT}"), "好了。"),
}  # fmt: skip

REFUSED: dict[str, tuple[dict[str, Any], Told]] = {
    "nothing": (says(None), refused("get_script")),
    "an empty call": (says(None, function_call={}), refused("get_script")),
    "a call of nothing": (asks("", "{}"), refused("get_script")),
    "an unknown function": (asks("python", "print(1)"), refused("python", "get_script")),
    "a missing argument": (asks("modify_script", TEA), refused("instruction", "modify_script")),
    "an unknown argument": (asks("history", '{"__arg1": "a"}'), refused("__arg1", "script_id")),
    "unquoted values": (asks("modify_script", '{"script_id": tea-ad}'), refused("JSON", "modify_script")),
    "a list": (asks("history", '["tea-ad"]'), refused("history", "script_id")),
    "cut": (asks("modify_script", '{"script_id": "tea-ad", "instr'), refused("JSON", "modify_script")),
    "two objects": (asks("modify_script", EDIT + EDIT.replace("短", "长")), refused("modify_script")),
    "text behind a write": (asks("modify_script", EDIT + " 先不要"), refused("modify_script", "先不要")),
    "two different calls": (tool_calls(("history", TEA), ("get_script", TEA)), refused("history", "get_script")),
    "both forms, different": ({**tool_calls(("history", TEA)), "function_call": {"name": "get_script", "arguments": TEA}}, refused("history", "get_script")),
    "a finish beside a call": (tool_calls(("history", TEA), ("finish", '"好"')), refused("history", "answer")),
    "true is no version": (asks("revert", '{"script_id": "a", "version": true}'), refused("version")),
    "a fenced call among prose": (says(f'我来：\n```json\n{{"name": "history", "arguments": {TEA}}}\n```'), refused("history")),
    "a cut call as text": (says('{"name": "modify_script", "argum'), refused("modify_script")),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), STEPS.values(), ids=STEPS)
def test_a_step_is_found(raw: dict[str, Any], expected: Told) -> None:
    assert_read("functions", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_text_is_the_answer(raw: dict[str, Any], expected: Told) -> None:
    assert_read("functions", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), REFUSED.values(), ids=REFUSED)
def test_nothing_is_run_and_the_feedback_names_what_matters(raw: dict[str, Any], expected: Told) -> None:
    assert_read("functions", raw, expected)


CUT: dict[str, tuple[dict[str, Any], Told]] = {
    "an answer does not stand": (says("好"), refused("length")),
    "a whole write does not stand": (asks("modify_script", EDIT), refused("length", "modify_script")),
    "a bare value may be cut": (asks("history", "tea"), refused("length", "history")),
    "a whole read stands": (asks("history", TEA), READ),
}


@pytest.mark.parametrize(("raw", "expected"), CUT.values(), ids=CUT)
def test_of_a_reply_cut_by_length_only_whole_reads_stand(raw: dict[str, Any], expected: Told) -> None:
    assert_read("functions", raw, expected, finish_reason="length")


@pytest.mark.parametrize(
    "raw",
    [
        asks("functions.history", TEA, "看看", reasoning_content="想"),
        {**tool_calls(("history", TEA)), "content": "看看", "reasoning_content": "想"},
        says(
            f'看看\n<tool_call>{{"name": "history", "arguments": {TEA}}}</tool_call>', reasoning_content="想"
        ),
    ],
    ids=["as it should be", "in the newer form", "in the text"],
)
def test_a_call_is_shown_again_in_the_older_form(raw: dict[str, Any]) -> None:
    outcome = read_reply("functions", raw, Desk().toolbox())

    assert isinstance(outcome, Actions)
    replayed = outcome.actions[0].message
    assert replayed is not None
    assert replayed.raw == {
        "role": "assistant",
        "content": "看看",
        "reasoning_content": "想",
        "function_call": {"name": "history", "arguments": TEA},
    }


def test_the_feedback_asks_for_a_function() -> None:
    outcome = read_reply("functions", says(None), Desk().toolbox(), language="zh")

    assert isinstance(outcome, Malformed)
    assert outcome.hint.startswith("请用完整的参数调用一个函数")
