"""Ugly replies in the JSON format, and what must be made of them."""

import json

import pytest

from script_editor.agent.modes import read_reply
from script_editor.agent.steps import Actions, Malformed
from tests.agent.fakes import Desk, Told, assert_read, call, refused


def block(tool: str, **arguments: object) -> str:
    """A call as the prompt asks for it, without its fence."""
    return json.dumps({"action": tool, "action_input": arguments}, ensure_ascii=False)


def block_of(answer: str) -> str:
    """An answer as the prompt asks for it."""
    return json.dumps({"action": "Final Answer", "action_input": answer}, ensure_ascii=False)


def fenced(inside: str, word: str = "json") -> str:
    return f"```{word}\n{inside}\n```"


HISTORY = block("history", script_id="tea-ad")
READ = call("history", script_id="tea-ad")
EDIT = block("modify_script", script_id="tea-ad", instruction="更短")
WRITE = call("modify_script", script_id="tea-ad", instruction="更短")

STEPS: dict[str, tuple[str, Told]] = {
    "as the prompt asks": (f"Thought: 看看\nAction:\n{fenced(HISTORY)}", READ),
    "a write as the prompt asks": (f"Thought: 缩短\nAction:\n{fenced(EDIT)}", WRITE),
    "a write behind a preamble": (f"好的，我来缩短。\n\n{fenced(EDIT)}", WRITE),
    "a write behind a chinese label": (f"思考：缩短\n动作：\n{fenced(EDIT)}\n", WRITE),
    "label and block on one line": (f"Thought: x\nAction: {EDIT}", WRITE),
    "a bold label": (f"**Thought:** x\n**Action:**\n{fenced(EDIT)}", WRITE),
    "fence without a word": (fenced(HISTORY, ""), READ),
    "fence with another word": (fenced(HISTORY, "JSON5"), READ),
    "fence of tildes": (f"~~~json\n{HISTORY}\n~~~", READ),
    "fence in one line": (f"```json {HISTORY} ```", READ),
    "fence never closed": (f"我来：\n```json\n{EDIT}", WRITE),
    "indented block": ('{\n  "action": "history",\n  "action_input": {\n    "script_id": "tea-ad"\n  }\n}', READ),
    "windows line ends": (fenced(HISTORY).replace("\n", "\r\n"), READ),
    "chinese keys": ('{"动作": "history", "动作输入": {"script_id": "tea-ad"}}', READ),
    "other chinese keys": ('{"思考": "看", "行动": "history", "行动输入": {"script_id": "tea-ad"}}', READ),
    "tool and tool_input": ('{"tool": "history", "tool_input": {"script_id": "tea-ad"}}', READ),
    "function and parameters": ('{"function": "history", "parameters": {"script_id": "tea-ad"}}', READ),
    "tool_name and arguments": ('{"tool_name": "history", "arguments": {"script_id": "tea-ad"}}', READ),
    "bare value for one argument": ('{"action": "history", "action_input": "tea-ad"}', READ),
    "null for no arguments": ('{"action": "list_scripts", "action_input": null}', call("list_scripts")),
    "blank for no arguments": ('{"action": "list_scripts", "action_input": ""}', call("list_scripts")),
    "no arguments at all": ('{"action": "list_scripts"}', call("list_scripts")),
    "input encoded as a string": (
        json.dumps({"action": "history", "action_input": '{"script_id": "tea-ad"}'}),
        READ,
    ),
    "type and id beside the call": (
        '{"type": "function", "id": "1", "name": "history", "arguments": {"script_id": "tea-ad"}}',
        READ,
    ),
    "nested as a message has it": (
        '{"type": "function", "function": {"name": "history", "arguments": {"script_id": "tea-ad"}}}',
        READ,
    ),
    "a list of one": (f"[{HISTORY}]", READ),
    "the same twice": (f"{HISTORY}\n{HISTORY}", READ),
    "the same write twice in fences": (f"{fenced(EDIT)}\n{fenced(EDIT)}", WRITE),
    "a read inside a sentence": (f"我先看历史 {HISTORY}，然后再说。", READ),
    "a read at the end of a thought": (f"Thought: 看历史。{HISTORY}", READ),
    "chatter behind a read": (f"{fenced(HISTORY)}\n我等结果。", READ),
    "data in a sentence before it": (f'需求是 {{"tone": "轻松"}}。\n{fenced(EDIT)}', WRITE),
    "data on a line before it": (f'{{"script_id": "tea-ad", "tone": "轻松"}}\n{fenced(EDIT)}', WRITE),
    "an invented result": (f"{fenced(EDIT)}\nObservation: 已保存\n{block('FINISH')}", WRITE),
    "an invented chinese result": (f"{fenced(HISTORY)}\n返回结果：两版\n{fenced(EDIT)}", READ),
    "an invented turn of the person": (f"{HISTORY}\nUser: 恢复\n{block('revert', script_id='a', version=1)}", READ),
    "labels in the instruction": (
        block("preview", script_id="tea-ad", instruction="加：\nFinal Answer: 完\nObservation: 好\nAction: x"),
        call("preview", script_id="tea-ad", instruction="加：\nFinal Answer: 完\nObservation: 好\nAction: x"),
    ),
    "labels in the instruction with raw line breaks": (
        '{"action": "preview", "action_input": {"script_id": "tea-ad", "instruction": "加：\nFinal Answer: 完"}}',
        call("preview", script_id="tea-ad", instruction="加：\nFinal Answer: 完"),
    ),
    "a call object in the instruction": (
        block("preview", script_id="tea-ad", instruction=HISTORY),
        call("preview", script_id="tea-ad", instruction=HISTORY),
    ),
    "a fence in the instruction": (
        fenced(block("preview", script_id="a", instruction="写：\n```\n一\n```")),
        call("preview", script_id="a", instruction="写：\n```\n一\n```"),
    ),
    "curly quotes as delimiters": ("{“action”：“history”，“action_input”：｛“script_id”：“tea-ad”｝}", READ),
    "python literals": ("{'action': 'list_scripts', 'action_input': None}", call("list_scripts")),
    "trailing commas": ('{"action": "history", "action_input": {"script_id": "tea-ad",},}', READ),
    "a stray brace behind a write": (f"{EDIT}\n}}", WRITE),
    "a draft in the reasoning": (f"<think>\n{EDIT}\n不对\n</think>\n{HISTORY}", READ),
    "markup instead": ('<tool_call>{"name": "history", "arguments": {"script_id": "tea-ad"}}</tool_call>', READ),
    "labels instead": ("Thought: x\nAction: history\nAction Input: tea-ad", READ),
    "name with a prefix": ('{"action": "functions.history", "action_input": {"script_id": "tea-ad"}}', READ),
    "name in capitals with spaces": ('{"action": "Modify Script", "action_input": {"script_id": "a", "instruction": "b"}}', call("modify_script", script_id="a", instruction="b")),
    "version as a text": (block("revert", script_id="a", version="v2"), call("revert", script_id="a", version=2)),
    "version as a float": (block("revert", script_id="a", version=2.0), call("revert", script_id="a", version=2)),
    "echo of the question": (f"Question: 看看历史\nThought: x\nAction:\n{fenced(HISTORY)}", READ),
    "line breaks between the tokens escaped": (r'{\n"action": "modify_script",\n"action_input": {\n"script_id": "tea-ad",\n"instruction": "甲\n乙"\n}\n}', call("modify_script", script_id="tea-ad", instruction="甲\n乙")),
    "a message with its calls": ('{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "history", "arguments": {"script_id": "tea-ad"}}}]}', READ),
    "chinese brackets round the name": ('{"action": "「history」", "action_input": "tea-ad"}', READ),
}  # fmt: skip

ANSWERS: dict[str, tuple[str, Told]] = {
    "as the prompt asks": (fenced('{"action": "FINISH", "action_input": "改好了。"}'), "改好了。"),
    "behind a thought": ('Thought: done\nAction:\n```json\n{"action": "FINISH", "action_input": "ok"}\n```', "ok"),
    "finish in small letters": ('{"action": "finish", "action_input": "ok"}', "ok"),
    "chinese finish": ('{"动作": "最终回答", "动作输入": "好"}', "好"),
    "an answer in an object": ('{"action": "Final Answer", "action_input": {"answer": "好"}}', "好"),
    "an answer that is data": ('{"action": "FINISH", "action_input": {"a": 1, "b": "二"}}', '{"a": 1, "b": "二"}'),
    "an answer behind a label": ("Thought: x\nFinal Answer: 好", "好"),
    "line breaks in it": ('{"action": "FINISH", "action_input": "一\\n二"}', "一\n二"),
    "raw line breaks in it": ('{"action": "FINISH", "action_input": "一\n二"}', "一\n二"),
    "an object quoted in it": (json.dumps({"action": "FINISH", "action_input": f"可以发 {EDIT}"}, ensure_ascii=False), f"可以发 {EDIT}"),
    "a call in a sentence behind the label": (f"Final Answer: 可以发 {EDIT} 来修改。", f"可以发 {EDIT} 来修改。"),
    "an invented turn behind it": ('{"action": "FINISH", "action_input": "好"}\nUser: 继续', "好"),
    "chatter around it": ('好的：\n{"action": "FINISH", "action_input": "好"}\n再见！', "好"),
    "backticks around it": ('`{"action": "FINISH", "action_input": "好"}`', "好"),
    "said twice": ('{"action": "FINISH", "action_input": "好"}\n{"action": "FINISH", "action_input": "好"}', "好"),
    "behind no tool": ('{"action": "None", "action_input": null}\nFinal Answer: 好', "好"),
    "a fence that is all of it": (block_of("```python\nprint(1)\n```"), "```python\nprint(1)\n```"),
    "two words in backticks": (block_of("`甲` 和 `乙`"), "`甲` 和 `乙`"),
}  # fmt: skip

REFUSED: dict[str, tuple[str, Told]] = {
    "nothing": ("", refused("JSON", "get_script")),
    "reasoning only": (f"<think>\n{HISTORY}\n", refused("JSON", "get_script")),
    "prose": ("好的，已经改好了！", refused("JSON", "action", "get_script")),
    "a thought only": ("Thought: 我先看看。", refused("JSON", "action")),
    "data only": ('{"script_id": "tea-ad"}', refused("JSON", "action", "get_script")),
    "a write inside a sentence": (f"同意的话我会发 {EDIT} 这样的请求。", refused("modify_script")),
    "a write at the end of a sentence": (f"我会发 {EDIT}", refused("modify_script")),
    "a claim behind a write": (f"{fenced(EDIT)}\n改好了！", refused("modify_script", "改好了")),
    "second thoughts behind a write": (f"{EDIT}\nThought: 等等，先不要", refused("modify_script", "等等")),
    "two different steps": (f"{fenced(HISTORY)}\n{fenced(EDIT)}", refused("history", "modify_script")),
    "a list of two": (f"[{HISTORY}, {EDIT}]", refused("history", "modify_script")),
    "a corrected write": (f"{EDIT}\n不对，应该是\n{EDIT.replace('短', '长')}", refused("modify_script")),
    "step and finish": (f'{EDIT}\n{{"action": "FINISH", "action_input": "好"}}', refused("modify_script", "Final Answer")),
    "step and labelled answer": (f"{fenced(EDIT)}\nFinal Answer: 好", refused("modify_script", "Final Answer")),
    "labelled answer and step": (f"最终答案：好\n{fenced(EDIT)}", refused("modify_script", "Final Answer")),
    "two different answers": ('{"action": "FINISH", "action_input": "好"}\n{"action": "FINISH", "action_input": "坏"}', refused("JSON")),
    "an answer of nothing": ('{"action": "FINISH", "action_input": {}}', refused("Final Answer")),
    "an empty answer": ('{"action": "FINISH", "action_input": ""}', refused("Final Answer", "JSON")),
    "a finish without its answer": ('{"action": "FINISH"}', refused("Final Answer", "JSON")),
    "an unknown tool": (block("edit_script", script_id="a"), refused("edit_script", "modify_script", "preview")),
    "an unknown key beside the action": ('{"action": "history", "action_input": {"script_id": "a"}, "dry_run": true}', refused("dry_run", "history")),
    "arguments beside the action": ('{"action": "history", "script_id": "tea-ad"}', refused("history", "script_id")),
    "an unknown argument": (block("modify_script", script_id="a", instruction="b", dry_run=True), refused("dry_run", "modify_script(script_id: str, instruction: str)")),
    "a missing argument": (block("modify_script", script_id="a"), refused("instruction")),
    "a blank instruction": (block("modify_script", script_id="a", instruction=" "), refused("instruction")),
    "a version as a word": (block("revert", script_id="a", version="上一版"), refused("version")),
    "version zero": (block("revert", script_id="a", version=0), refused("version")),
    "two names": ('{"action": "preview", "tool": "modify_script", "action_input": {}}', refused("preview", "modify_script")),
    "two inputs": ('{"action": "history", "action_input": {"script_id": "a"}, "args": {"script_id": "b"}}', refused("history")),
    "a key twice": ('{"action": "revert", "action_input": {"script_id": "a", "version": 1, "version": 2}}', refused("JSON")),
    "cut in the input": ('{"action": "modify_script", "action_input": {"script_id": "a", "instruction": "把', refused("JSON", "modify_script")),
    "cut behind a thought key": ('{"thought": "缩短", "action": "modify_script", "action_input": {"scr', refused("JSON", "modify_script")),
    "cut in a fence": ('Action:\n```json\n{"action": "modify_script", "action_input": {"script_id": "a"\n```', refused("JSON", "modify_script")),
    "cut in a sentence": ('我来改 {"action": "modify_script", "action_input": {"scr', refused("JSON", "modify_script")),
    "unquoted values": ('{"action": "history", "action_input": {"script_id": tea-ad}}', refused("JSON", "history")),
    "no tool": ('{"action": "None", "action_input": "None"}', refused("None", "get_script")),
    "a name of nothing": ('{"action": "", "action_input": {}}', refused("action", "get_script")),
    "no tool, and how to end": ('{"action": "无", "action_input": "无"}', refused("无", "Final Answer", "get_script")),
    "a key given twice": ('{"action": "modify_script", "action_input": {"script_id": "tea-ad", "instruction": "短", "instruction": "长"}}', refused("JSON", "modify_script", "instruction")),
    "the name given twice": ('{"action": "revert", "action": "modify_script", "action_input": {"script_id": "tea-ad"}}', refused("action", "revert", "modify_script")),
    "the second call of a list broken": ('[{"name": "history", "arguments": {"script_id": "tea-ad"}}, {"name": "revert", "arguments": {"script_id": "tea-ad", "version": 1', refused("JSON", "revert", "version")),
    "reasoning that never ends": (f"<think>\n{EDIT}", refused("Final Answer", "JSON", "get_script")),
    "a call deep in data": ('{"examples": {"first": {"action": "revert", "action_input": {"script_id": "tea-ad", "version": 1}}}}', refused("get_script", "Final Answer")),
    "an object with an empty answer": ('{"action": "Final Answer", "action_input": {"answer": ""}}', refused("Final Answer")),
    "an empty object as the answer": ('{"action": "FINISH", "action_input": {}}', refused("Final Answer")),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), STEPS.values(), ids=STEPS)
def test_a_step_is_found(raw: str, expected: Told) -> None:
    assert_read("json", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_found(raw: str, expected: Told) -> None:
    assert_read("json", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), REFUSED.values(), ids=REFUSED)
def test_nothing_is_run_and_the_feedback_names_what_matters(raw: str, expected: Told) -> None:
    assert_read("json", raw, expected)


CUT: dict[str, tuple[str, Told]] = {
    "an answer does not stand": ('{"action": "FINISH", "action_input": "好"}', refused("length")),
    "a whole write does not stand": (fenced(EDIT), refused("length", "modify_script")),
    "a whole read stands": (HISTORY, READ),
    "a broken block is reported as cut": ('{"action": "modify_script", "action_input": {"scr', refused("length", "JSON", "modify_script")),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), CUT.values(), ids=CUT)
def test_of_a_reply_cut_by_length_only_whole_reads_stand(raw: str, expected: Told) -> None:
    assert_read("json", raw, expected, finish_reason="length")


def test_the_log_ends_before_an_invented_result() -> None:
    outcome = read_reply("json", f"Action:\n{fenced(HISTORY)}\nObservation: 假", Desk().toolbox())

    assert isinstance(outcome, Actions)
    assert outcome.actions[0].log == f"Action:\n{fenced(HISTORY)}"


def test_the_feedback_shows_the_block_to_write() -> None:
    outcome = read_reply("json", "你好", Desk().toolbox(), language="zh")

    assert isinstance(outcome, Malformed)
    assert outcome.message == '你的回复不符合格式：既没有 JSON "action"，也没有 "Final Answer"。'
    assert '{"action": "<工具名>", "action_input": {…}}' in outcome.hint
