"""Ugly replies in the ReAct format, and what must be made of them."""

import pytest

from script_editor.agent.modes import read_reply
from script_editor.agent.steps import Actions, Malformed
from tests.agent.fakes import Desk, Told, assert_read, call, refused

EDIT = '{"script_id": "tea-ad", "instruction": "更短"}'

STEPS: dict[str, tuple[str, Told]] = {
    "labels in bold": (
        '**Thought:** read\n**Action:** get_script\n**Action Input:** {"script_id": "tea-ad"}',
        call("get_script", script_id="tea-ad"),
    ),
    "bold label, code value": (
        "**Action**: `get_script`\n**Action Input**: `tea-ad`",
        call("get_script", script_id="tea-ad"),
    ),
    "full-width colons and chinese labels": (
        "想法：先看\n行动：get_script\n行动输入：tea-ad",
        call("get_script", script_id="tea-ad"),
    ),
    "numbers and underscores in labels": (
        "Thought_1: x\nAction_1: history\nAction_Input_1: tea-ad",
        call("history", script_id="tea-ad"),
    ),
    "windows line ends": (
        'Action: get_script\r\nAction Input: {"script_id": "tea-ad"}\r\nObservation: x\r\n',
        call("get_script", script_id="tea-ad"),
    ),
    "tool name with space and capitals": (
        "Action: Get Script\nAction Input: tea-ad",
        call("get_script", script_id="tea-ad"),
    ),
    "tool name with hyphen and quotes": (
        'Action: "get-script"\nAction Input: tea-ad',
        call("get_script", script_id="tea-ad"),
    ),
    "namespace before the tool": (
        "Action: functions.history\nAction Input: tea-ad",
        call("history", script_id="tea-ad"),
    ),
    "fence around a bare value": (
        "Action: history\nAction Input:\n```\ntea-ad\n```",
        call("history", script_id="tea-ad"),
    ),
    "fence around the whole reply": (
        "```text\nThought: x\nAction: history\nAction Input: tea-ad\n```",
        call("history", script_id="tea-ad"),
    ),
    "call with keywords": (
        "动作：diff(script_id=\"tea-ad\", from_version=1, to_version='v2')",
        call("diff", script_id="tea-ad", from_version=1, to_version=2),
    ),
    "call with one quoted value": ('Action: history("tea-ad")', call("history", script_id="tea-ad")),
    "call without arguments": ("Action: list_scripts()", call("list_scripts")),
    "remark in brackets behind the tool": (
        "Action: get_script（读取原文）\nAction Input: tea-ad",
        call("get_script", script_id="tea-ad"),
    ),
    "object right behind the tool": (
        'Action: get_script\n{"script_id": "tea-ad"}',
        call("get_script", script_id="tea-ad"),
    ),
    "call object behind the label": (
        'Thought: x\nAction:\n```json\n{"action": "history", "action_input": {"script_id": "tea-ad"}}\n```',
        call("history", script_id="tea-ad"),
    ),
    "pair on one line after a thought": (
        '思考：读一下。动作：get_script 动作输入：{"script_id": "tea-ad"}',
        call("get_script", script_id="tea-ad"),
    ),
    "quoted pair in a thought is text": (
        'Thought: it says "Action: revert Action Input: {}" there\nAction: history\nAction Input: tea-ad',
        call("history", script_id="tea-ad"),
    ),
    "a token behind a bare value": (
        "Action: history\nAction Input: tea-ad<|im_end|>",
        call("history", script_id="tea-ad"),
    ),
    "an end tag behind a bare value": (
        "Action: history\nAction Input: tea-ad</tool_call>\n",
        call("history", script_id="tea-ad"),
    ),
    "words for no arguments": ("Action: list_scripts\nAction Input: 无", call("list_scripts")),
    "arguments encoded as a string": (
        r"Action: history" + "\n" + r'Action Input: "{\"script_id\": \"tea-ad\"}"',
        call("history", script_id="tea-ad"),
    ),
    "stray brace and end tag behind a write": (
        f"Action: modify_script\nAction Input: {EDIT}\n}}\n</tool_call>",
        call("modify_script", script_id="tea-ad", instruction="更短"),
    ),
    "the same write twice, spelled differently": (
        'Action: revert\nAction Input: {"script_id": "tea-ad", "version": 2}\nThought: again\n'
        'Action: revert\nAction Input: {"script_id": "tea-ad", "version": "v2"}',
        call("revert", script_id="tea-ad", version=2),
    ),
    "chatter behind a read": (
        "Action: history\nAction Input: tea-ad\n\n我会等待结果。",
        call("history", script_id="tea-ad"),
    ),
    "invented result and answer": (
        f"Action: modify_script\nAction Input: {EDIT}\n观察：已保存\n思考：好\n最终答案：已保存",
        call("modify_script", script_id="tea-ad", instruction="更短"),
    ),
    "invented turn of the user": (
        "Action: history\nAction Input: tea-ad\nUser: now revert\nAction: revert\nAction Input: {}",
        call("history", script_id="tea-ad"),
    ),
    "labels inside the argument": (
        'Action: preview\nAction Input: {"script_id": "tea-ad", "instruction": "加：\nFinal Answer: 完\nObservation: 好"}',
        call("preview", script_id="tea-ad", instruction="加：\nFinal Answer: 完\nObservation: 好"),
    ),
    "reasoning before the step": (
        "<thinking>\nAction: revert\nAction Input: {}\n</thinking>\nAction: history\nAction Input: tea-ad",
        call("history", script_id="tea-ad"),
    ),
    "only the end of the reasoning": (
        "先看历史。</think>\nAction: history\nAction Input: tea-ad",
        call("history", script_id="tea-ad"),
    ),
    "markup instead of labels": (
        '我来读。\n<tool_call>{"name": "get_script", "arguments": {"script_id": "tea-ad"}}</tool_call>',
        call("get_script", script_id="tea-ad"),
    ),
    "markup behind the label": (
        'Thought: x\nAction:\n<tool_call>\n{"name": "list_scripts"}\n</tool_call>',
        call("list_scripts"),
    ),
    "invisible characters at the start": (
        '\ufeffAction: history\nAction Input: \u200b{"script_id": "tea-ad"}',
        call("history", script_id="tea-ad"),
    ),
    "an object is the whole reply": (
        '{"thought": "看", "动作": "history", "动作输入": {"script_id": "tea-ad"}}',
        call("history", script_id="tea-ad"),
    ),
    "a spaced name in a pair on one line": (
        'Thought: 看看。 Action: get script Action Input: {"script_id": "tea-ad"}',
        call("get_script", script_id="tea-ad"),
    ),
    "a spaced name in markup": (
        "<function=get script><parameter=script_id>tea-ad</parameter></function>",
        call("get_script", script_id="tea-ad"),
    ),
    "a name in markup with attributes behind it": (
        '<invoke name="get_script" id="1"><parameter name="script_id">tea-ad</parameter></invoke>',
        call("get_script", script_id="tea-ad"),
    ),
    "chinese brackets round the name": (
        'Action: 「get_script」\nAction Input: {"script_id": "tea-ad"}',
        call("get_script", script_id="tea-ad"),
    ),
}

ANSWERS: dict[str, tuple[str, Told]] = {
    "answer in bold": ("**Final Answer:** **好** 的", "**好** 的"),
    "the whole line in bold": ("**Final Answer: done**", "done"),
    "capitals without a space": ("FINALANSWER：好", "好"),
    "answer behind no tool": ("Thought: x\nAction: None\nAction Input: None\nFinal Answer: 你好", "你好"),
    "finish with brackets inside": ("Action: Finish[见[附录]第 2 节]", "见[附录]第 2 节"),
    "finish over lines, then an invented result": ("Action: Finish[一\n二]\nObservation: [x]", "一\n二"),
    "finish with a name": ("Action: finish(answer='改好了 (两处)')", "改好了 (两处)"),
    "finish as the tool": ('动作：最终答案\n动作输入：{"answer": "好"}', "好"),
    "finish as an object": ('{"name": "FINISH", "args": "好"}', "好"),
    "references are not brackets": ("Action: Final Answer\nAction Input: [1] 见 [2]", "[1] 见 [2]"),
    "dialogue in the answer": (
        "Final Answer: 稿子：\nUser: 多少钱？\nHost: 九十九。",
        "稿子：\nUser: 多少钱？\nHost: 九十九。",
    ),
    "an invented turn behind the answer": (
        "Final Answer: 好\nObservation: x\nThought: y\nFinal Answer: z",
        "好",
    ),
    "data in the answer": ('Final Answer: 数据：\n{"title": "x"}', '数据：\n{"title": "x"}'),
    "a call in a sentence of the answer": (
        'Final Answer: 可以发 {"action": "revert", "action_input": {}} 来回退。',
        '可以发 {"action": "revert", "action_input": {}} 来回退。',
    ),
    "echo of the question": ("Question: 你好\nThought: x\nFinal Answer: 你好", "你好"),
    "tag as a word": ("Final Answer: <tool_call> 是标签名", "<tool_call> 是标签名"),
    "a fence that is all of it, in brackets": (
        "Action: Finish[```python\nprint(1)\n```]",
        "```python\nprint(1)\n```",
    ),
    "no tool named in it": (
        "Final Answer: 好\nAction: None\nAction Input: None",
        "好\nAction: None\nAction Input: None",
    ),
    "tags within a quoted tag": (
        "Final Answer: 写成 `<tool_call><function=revert>`，不要写别的。",
        "写成 `<tool_call><function=revert>`，不要写别的。",
    ),
}

REFUSED: dict[str, tuple[str, Told]] = {
    "nothing": ("", refused("Final Answer", "get_script")),
    "space": (" \n\t", refused("Final Answer", "get_script")),
    "reasoning only": ("<think>\nAction: history\n", refused("Final Answer", "get_script")),
    "prose": ("好的，已经改好了！", refused("Action", "Final Answer")),
    "answer in the middle of a line": ("Thought: I know. Final Answer: done", refused("Final Answer")),
    "empty answer": ("Thought: x\n最终答案：", refused("Final Answer")),
    "finish without its bracket": ("Action: Finish[改好", refused("Final Answer")),
    "unknown tool": ("Action: edit_script\nAction Input: {}", refused("edit_script", "modify_script")),
    "input without action": ('Action Input: {"script_id": "tea-ad"}', refused("Action", "get_script")),
    "action without a name": (
        'Action:\nAction Input: {"script_id": "tea-ad"}',
        refused("Action", "get_script"),
    ),
    "missing argument": ("Action: history", refused("Action Input", "script_id")),
    "key and value without braces": (
        "Action: history\nAction Input: script_id: tea-ad",
        refused("script_id"),
    ),
    "bare value for two arguments": (
        "Action: preview\nAction Input: 更短",
        refused("script_id", "instruction"),
    ),
    "unknown key": (
        'Action: history\nAction Input: {"script_id": "tea-ad", "limit": 3}',
        refused("limit", "history(script_id: str)"),
    ),
    "blank instruction": (
        'Action: preview\nAction Input: {"script_id": "tea-ad", "instruction": "  "}',
        refused("instruction"),
    ),
    "version as a word": (
        'Action: revert\nAction Input: {"script_id": "tea-ad", "version": "two"}',
        refused("version", "revert"),
    ),
    "cut argument": (
        'Action: modify_script\nAction Input: {"script_id": "tea-ad", "instru',
        refused("JSON", "modify_script"),
    ),
    "two different arguments": (
        'Action: history\nAction Input: {"script_id": "a"}{"script_id": "b"}',
        refused("history"),
    ),
    "brackets and an input that differ": (
        'Action: history["a"]\nAction Input: {"script_id": "b"}',
        refused("history", "Action Input"),
    ),
    "two different steps": (
        "Action: history\nAction Input: a\nAction: get_script\nAction Input: a",
        refused("history", "get_script"),
    ),
    "step and answer": (
        "Action: history\nAction Input: tea-ad\nFinal Answer: two versions",
        refused("history", "Final Answer"),
    ),
    "answer, then a step": (
        "Final Answer: done\nAction: history[tea-ad]",
        refused("history", "Final Answer"),
    ),
    "answer, then a fenced call": (
        f'最终答案：好\n```json\n{{"name": "modify_script", "arguments": {EDIT}}}\n```',
        refused("modify_script"),
    ),
    "second thoughts behind a write": (
        f"Action: modify_script\nAction Input: {EDIT}\nThought: wait, not yet",
        refused("modify_script"),
    ),
    "prose before the object of a write": (
        f"Action: modify_script\nAction Input: maybe {EDIT}",
        refused("modify_script"),
    ),
    "call object among prose": (
        'Thought: x\n{"action": "history", "action_input": {"script_id": "tea-ad"}}',
        refused("history"),
    ),
    "step and a different call in markup": (
        "Action: history\nAction Input: tea-ad\n<function=list_scripts></function>",
        refused("history", "list_scripts"),
    ),
    "an unknown tool in a pair on one line": (
        'Thought: 改。 Action: edit_script Action Input: {"script_id": "tea-ad"}',
        refused("edit_script", "modify_script"),
    ),
    "a call behind a quotation that never closes": (
        'Final Answer: 见 `<tool_call>\n<tool_call>{"name": "list_scripts"}</tool_call>',
        refused("Final Answer", "list_scripts"),
    ),
    "what stands for a tool is none": ("Thought: x\nAction: 不需要", refused("不需要", "Final Answer")),
    "an instruction that cannot be seen": (
        'Action: modify_script\nAction Input: {"script_id": "tea-ad", "instruction": "\u200b \u3000"}',
        refused("instruction"),
    ),
}


@pytest.mark.parametrize(("raw", "expected"), STEPS.values(), ids=STEPS)
def test_a_step_is_found(raw: str, expected: Told) -> None:
    assert_read("react", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_found(raw: str, expected: Told) -> None:
    assert_read("react", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), REFUSED.values(), ids=REFUSED)
def test_nothing_is_run_and_the_feedback_names_what_matters(raw: str, expected: Told) -> None:
    assert_read("react", raw, expected)


CUT: dict[str, tuple[str, Told]] = {
    "an answer does not stand": ("Final Answer: 好", refused("length")),
    "a whole write does not stand": (
        f"Action: modify_script\nAction Input: {EDIT}",
        refused("length", "modify_script"),
    ),
    "a bare value may be cut": ("Action: history\nAction Input: tea", refused("length", "history")),
    "a whole read stands": (
        'Action: history\nAction Input: {"script_id": "tea-ad"}',
        call("history", script_id="tea-ad"),
    ),
    "a bare value that a line follows stands": (
        "Action: history\nAction Input: tea-ad\nObserv",
        call("history", script_id="tea-ad"),
    ),
    "a broken argument is reported as cut": (
        'Action: modify_script\nAction Input: {"script_id": "te',
        refused("length", "JSON", "modify_script"),
    ),
}


@pytest.mark.parametrize(("raw", "expected"), CUT.values(), ids=CUT)
def test_of_a_reply_cut_by_length_only_whole_reads_stand(raw: str, expected: Told) -> None:
    assert_read("react", raw, expected, finish_reason="length")


def test_the_log_ends_before_an_invented_result() -> None:
    raw = "<think>x</think>Thought: 看\nAction: history\nAction Input: tea-ad\nObservation: 假\nFinal Answer: 假"

    outcome = read_reply("react", raw, Desk().toolbox())

    assert isinstance(outcome, Actions)
    assert outcome.actions[0].log == "Thought: 看\nAction: history\nAction Input: tea-ad"


def test_feedback_comes_in_the_language_of_the_run() -> None:
    zh = read_reply("react", "你好", Desk().toolbox(), language="zh")
    en = read_reply("react", "你好", Desk().toolbox(), language="en")

    assert isinstance(zh, Malformed) and isinstance(en, Malformed)
    assert zh.message == "你的回复不符合格式：既没有 Action，也没有 Final Answer。"
    assert en.message == "Your reply does not follow the format: it has neither Action nor Final Answer."
