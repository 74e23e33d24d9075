"""Ugly replies in a conversation, and what must be made of them."""

import pytest

from script_editor.agent.modes import read_reply
from script_editor.agent.steps import Actions, Malformed
from tests.agent.fakes import Desk, Told, assert_read, call, refused

EDIT = '{"script_id": "tea-ad", "instruction": "更短"}'
READ = call("history", script_id="tea-ad")
WRITE = call("modify_script", script_id="tea-ad", instruction="更短")
YES, NO = "Thought: Do I need to use a tool? Yes", "Thought: Do I need to use a tool? No"
JA, NEIN = "思考：需要使用工具吗？是", "思考：需要使用工具吗？否"

STEPS: dict[str, tuple[str, Told]] = {
    "as the prompt asks": (f"{YES}\nAction: history\nAction Input: tea-ad", READ),
    "as the chinese prompt asks": (f"Thought: 需要使用工具吗？是\nAction: modify_script\nAction Input: {EDIT}", WRITE),
    "all labels in chinese": (f"{JA}\n动作：modify_script\n动作输入：{EDIT}", WRITE),
    "without a thought": ("Action: history\nAction Input: tea-ad", READ),
    "in bold": ("**Thought:** Do I need to use a tool? Yes\n**Action:** history\n**Action Input:** tea-ad", READ),
    "a tool although the thought said no": (f"{NO}\nAction: history\nAction Input: tea-ad", READ),
    "an invented result and answer": (f"{YES}\nAction: modify_script\nAction Input: {EDIT}\nObservation: ok\n{NO}\nAI: 改好了", WRITE),
    "an invented turn of the person": ("Action: history\nAction Input: tea-ad\nHuman: 恢复\nAI: 好", READ),
    "a dialogue in the argument": (
        'Action: preview\nAction Input: {"script_id": "a", "instruction": "加：\nHuman: 你好\nAI: 在\n用户：好\n助手：好"}',
        call("preview", script_id="a", instruction="加：\nHuman: 你好\nAI: 在\n用户：好\n助手：好"),
    ),
    "echo of the person": ("Human: 看看历史\nThought: Do I need to use a tool? Yes\nAction: history\nAction Input: tea-ad", READ),
    "markup": ('好的。\n<tool_call>{"name": "history", "arguments": {"script_id": "tea-ad"}}</tool_call>', READ),
    "an object is the whole reply": ('{"action": "history", "action_input": {"script_id": "tea-ad"}}', READ),
    "one line": (f"{YES} Action: modify_script Action Input: {EDIT}", WRITE),
}  # fmt: skip

ANSWERS: dict[str, tuple[str, Told]] = {
    "as the prompt asks": (f"{NO}\nAI: Which script?", "Which script?"),
    "as the chinese prompt asks": (f"{NEIN}\nAI: 哪一份？", "哪一份？"),
    "a chinese label": (f"{NEIN}\n助手：哪一份？", "哪一份？"),
    "a chinese label in full": (f"{NEIN}\n最终答案：哪一份？", "哪一份？"),
    "full width": ("AI：好的", "好的"),
    "in bold": ("**AI:** 好的", "好的"),
    "small letters": ("ai: ok", "ok"),
    "over lines with colons": (f"{NO}\nAI: 两点：\n一：短\n二：快", "两点：\n一：短\n二：快"),
    "the label again inside a line": ("AI: 标题《AI: 新时代》，“AI：你的搭档”", "标题《AI: 新时代》，“AI：你的搭档”"),
    "the label again on a line": ("AI: 两句：\nAI: 你好", "两句：\nAI: 你好"),
    "dialogue of other speakers": ("AI: 稿子：\n主播：多少钱？\n用户：九十九。", "稿子：\n主播：多少钱？\n用户：九十九。"),
    "an invented turn and step": (f"AI: 好\nHuman: 恢复第一版\n{YES}\nAction: revert\nAction Input: {{}}", "好"),
    "an invented result behind it": (f"AI: 好\nObservation: x\n{NO}\nAI: 坏", "好"),
    "screenplay": ("AI: 第二场：\nAction: 镜头推近\n旁白：她", "第二场：\nAction: 镜头推近\n旁白：她"),
    "prose": ("您好！我可以帮您改脚本。", "您好！我可以帮您改脚本。"),
    "prose over lines": ("您好！\n\n- 查看\n- 修改", "您好！\n\n- 查看\n- 修改"),
    "prose with the label in a line": ("标题可以用《AI: 新时代》。", "标题可以用《AI: 新时代》。"),
    "prose with a dialogue": ("对话稿：\n用户：你好\n主播：您好", "对话稿：\n用户：你好\n主播：您好"),
    "prose before an invented turn": (f"您好！\nHuman: 恢复第一版\n{YES}\nAction: revert\nAction Input: {{\"script_id\": \"a\", \"version\": 1}}", "您好！"),
    "prose with a screenplay": ("可以这样：\nAction: 镜头推近", "可以这样：\nAction: 镜头推近"),
    "prose with a call in a sentence": ('我会发 {"name": "revert", "arguments": {"script_id": "a", "version": 1}}，可以吗？', '我会发 {"name": "revert", "arguments": {"script_id": "a", "version": 1}}，可以吗？'),
    "prose behind a no": (f"{NO}\nSure, which one?", "Sure, which one?"),
    "prose behind a chinese no": (f"{NEIN}\n好的，哪一份？", "好的，哪一份？"),
    "prose behind a no on a line of its own": ("思考：需要使用工具吗？\n否\n好的，哪一份？", "好的，哪一份？"),
    "prose behind other words for no": ("Thought: 用户在打招呼，不需要使用工具。\n您好！", "您好！"),
    "prose behind a bare no": ("Thought: No.\n好的，哪一份？", "好的，哪一份？"),
    "prose behind 不需要": ("思考：需要使用工具吗？不需要\n您好！", "您好！"),
    "prose behind a no, before an invented turn": (f"{NO}\n好的。\nHuman: 恢复\n{YES}\nAction: revert\nAction Input: {{\"script_id\": \"a\", \"version\": 1}}", "好的。"),
    "no tool as an action": (f"{NO}\nAction: None\nAI: 您好", "您好"),
    "finish as a tool": (f"{NO}\nAction: Final Answer\nAction Input: 您好", "您好"),
    "reasoning before it": (f"<think>AI: 草稿</think>\n{NO}\nAI: 您好", "您好"),
    "reasoning with nothing but prose behind it": ("<think>x</think>您好", "您好"),
    "echo of the person": (f"Human: 你好\n{NO}\nAI: 您好", "您好"),
}  # fmt: skip

REFUSED: dict[str, tuple[str, Told]] = {
    "nothing": ("", refused("AI:", "Action", "get_script")),
    "a yes and nothing": (YES, refused("Action", "AI:")),
    "a chinese yes and nothing": (JA, refused("Action", "AI:")),
    "a yes and a promise": (f"{YES}\nSure, right away!", refused("Action", "get_script")),
    "a chinese yes and a promise": (f"{JA}\n好的，马上改！", refused("Action", "get_script")),
    "a yes on a line of its own and a promise": ("思考：需要使用工具吗？\n是\n好的，马上改！", refused("Action")),
    "a thought and nothing": ("思考：我要看看第二段", refused("Action", "AI:")),
    "a thought that does not say, and prose": ("思考：第二段太长了\n我来改一下。", refused("Action", "AI:")),
    "a no and nothing": (NO, refused("AI:")),
    "a bare yes and a promise": ("Thought: Yes.\n马上改！", refused("Action")),
    "no tool and no label": (f"{NO}\nAction: None\n您好", refused("AI:")),
    "an empty answer": (f"{NO}\nAI:", refused("AI:")),
    "step and answer": (f"{YES}\nAction: modify_script\nAction Input: {EDIT}\nAI: 改好了", refused("modify_script", "AI:", "Action")),
    "step and chinese answer": (f"{JA}\n动作：modify_script\n动作输入：{EDIT}\n助手：改好了", refused("modify_script", "AI:")),
    "answer and step": (f"AI: 改好了\nAction: modify_script\nAction Input: {EDIT}", refused("modify_script", "AI:")),
    "prose and a fenced call": (f'改好了：\n```json\n{{"name": "modify_script", "arguments": {EDIT}}}\n```', refused("modify_script")),
    "two different steps": ("Action: history\nAction Input: a\nAction: get_script\nAction Input: a", refused("history", "get_script")),
    "an unknown tool": (f"{YES}\nAction: edit_script\nAction Input: {EDIT}", refused("edit_script", "modify_script")),
    "an unknown tool without input": (f"{YES}\nAction: edit_script", refused("Action", "get_script")),
    "input without action": ('Action Input: {"script_id": "a"}', refused("Action", "get_script")),
    "a missing argument": (f"{YES}\nAction: history", refused("Action Input", "script_id")),
    "cut argument": ('Action: modify_script\nAction Input: {"script_id": "a", "instru', refused("JSON", "modify_script")),
    "second thoughts behind a write": (f"Action: modify_script\nAction Input: {EDIT}\n等等，先不要", refused("modify_script")),
    "an unknown tool called with an object": ('Action: edit_script({"script_id": "tea-ad"})', refused("edit_script", "modify_script")),
    "a step and the other label for answers": (f"Action: modify_script\nAction Input: {EDIT}\nFinal Answer: 好", refused("Action", "Final Answer", "modify_script")),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), STEPS.values(), ids=STEPS)
def test_a_step_is_found(raw: str, expected: Told) -> None:
    assert_read("conversational", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_found(raw: str, expected: Told) -> None:
    assert_read("conversational", raw, expected)


@pytest.mark.parametrize(("raw", "expected"), REFUSED.values(), ids=REFUSED)
def test_nothing_is_run_and_the_feedback_names_what_matters(raw: str, expected: Told) -> None:
    assert_read("conversational", raw, expected)


CUT: dict[str, tuple[str, Told]] = {
    "an answer does not stand": ("AI: 好", refused("length")),
    "prose does not stand": ("好的，我", refused("length")),
    "a whole write does not stand": (f"Action: modify_script\nAction Input: {EDIT}", refused("length", "modify_script")),
    "a whole read stands": ('Action: history\nAction Input: {"script_id": "tea-ad"}', READ),
}  # fmt: skip


@pytest.mark.parametrize(("raw", "expected"), CUT.values(), ids=CUT)
def test_of_a_reply_cut_by_length_only_whole_reads_stand(raw: str, expected: Told) -> None:
    assert_read("conversational", raw, expected, finish_reason="length")


def test_the_log_ends_before_an_invented_turn() -> None:
    outcome = read_reply(
        "conversational", f"{YES}\nAction: history\nAction Input: a\nHuman: x", Desk().toolbox()
    )

    assert isinstance(outcome, Actions)
    assert outcome.actions[0].log == f"{YES}\nAction: history\nAction Input: a"


def test_the_feedback_names_the_label_of_the_answer() -> None:
    outcome = read_reply("conversational", YES, Desk().toolbox(), language="en")

    assert isinstance(outcome, Malformed)
    assert outcome.message == "Your reply does not follow the format: it has neither Action nor AI:."
    assert "`AI: <text>`" in outcome.hint
