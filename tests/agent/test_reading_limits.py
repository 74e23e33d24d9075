"""No reply makes reading fail or slow: any text has a typed outcome, in time that grows with its length."""

import os
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from script_editor.agent.modes import MODES, read_reply
from script_editor.agent.steps import Actions, AgentFinish, Malformed
from tests.agent.fakes import Desk

TOOLBOX = Desk().toolbox()
SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
QUICK_SECONDS = 0.05  # quadratic growth would make 100 kB take seconds

FRAGMENTS = [
    "Action: ", "Action Input: ", "Thought: ", "Final Answer: ", "Observation: ", "动作：", "动作输入：", "最终答案：",
    "get_script", "modify_script", "revert", "{", "}", "[", "]", "(", ")", '"', "'", "“", "”", ":", "：", ",", "\\",
    "\n", "\r\n", " ", "```", "```json\n", "**", "<think>", "</think>", "<tool_call>", "</tool_call>",
    "<function=revert>", "<parameter=script_id>", "</parameter>", "</function>", "<｜tool▁call▁begin｜>",
    "<｜tool▁sep｜>", "<|channel|>commentary to=functions.revert<|message|>", "<|call|>", "<arg_key>", "</arg_value>",
    '{"script_id": "a"}', '{"name": "get_script", "arguments": {"script_id": "a"}}', "None", "1", "2.5", "true",
    "\ud800", "\x00", "\\u", "Finish[", "User: ", "=", "script_id", "[TOOL_CALLS]", "1e999", "NaN",
]  # fmt: skip

texts = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=3), max_size=25).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "function", "name", "arguments", "text"]) | texts, inner, max_size=3
        )
    ),
    max_leaves=8,
)
functions = st.fixed_dictionaries(
    {}, optional={"name": st.sampled_from(TOOLBOX.names) | values, "arguments": values}
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "content": values,
        "refusal": values,
        "function_call": values,
        "tool_calls": st.lists(
            st.fixed_dictionaries({}, optional={"id": values, "function": functions}) | values
        )
        | values,
    },
)


@settings(max_examples=400, deadline=None)
@given(
    mode=st.sampled_from(sorted(MODES)),
    raw=texts | messages,
    finish_reason=st.sampled_from(["stop", "length", "tool_calls", "unknown"]),
)
def test_every_reply_has_a_typed_outcome(mode: str, raw: str | dict[str, Any], finish_reason: str) -> None:
    outcome = read_reply(mode, raw, TOOLBOX, finish_reason=finish_reason)

    match outcome:
        case Actions(actions):
            assert actions
        case AgentFinish(output=output):
            assert output
        case Malformed(message=message, hint=hint):
            assert message and hint


REPEATED = (
    "[", "{", "]", "(", "Finish[(]", '[{"a":1},\n', '{"name": "x"\n', '{"a":', '{"a":1} ', '{"action": "x", ', '{"tool_calls": [',
    '{"action": "history", "action_input": {"script_id": "a"}} x ', '{"action": "history", "action_input": {"script_id": "a"}}\nx\n',
    "Action: get_script\n", "Thought: x\nAction: get_script\nAction Input: tea-ad\n", "Action ", "Action: get_script Action Input: {",
    "Action: None\n", "Action: Finish[", "get_script(", "AI: x\n", "Human: a\n", "x\nHuman: y\n", "AI: a\nHuman: b\n", "Human: a\nThought: b\n",
    "Observation: x\n", "Final Answer: x\n", "Thought: 需要吗？是\n", '"', "“", "'", "＂", '文"字', "\\", "`", "```\n", "```json\n", "~~~\n", "**", "# ",
    " ", "\n", "\r\n", "\u200b", "<", "</", "<tool_call>", "<function=get_script>\n<parameter=a>", "</parameter>x", "<arg_key>", "</arg_value>x",
    '<invoke name="a">', "<think>a</think>b\n", "<think>", "</think>\n", "<|channel|>analysis<|message|>x", "<|start|>assistant", "｜", "[TOOL_CALLS]",
    "<tool>", "<tool>get_script</tool>", "<tool>get_script</tool><tool_input>", "<tool>history</tool><tool_input>a</tool_input> x ", "<tool_input>",
    "</tool_input>", "</tool_input> x", "<final_answer>", "</final_answer>x", "<final_answer>a</final_answer> x ", "<observation>", "<a>1</a>",
    "<script_id>a</script_id>", "<instruction>a", "</instruction>", "<![CDATA[", "]]>", "&lt;", "&#", "[[tool]]", "[[", "[[=", "`<tool>`", "{&quot;",
    "`<tool_call>", "x `<tool_call> ", "<final_answer>a</final_answer><tool_call>", "<tool>history</tool> <tool_call>\n", "<tool_response>", "<function=a b", "<tool_call>a ",
    "<｜tool▁call▁begin｜>a ", "Action: a b c ", "Thought: Action: a Action Input: {", r"{\n", r"{\n\n", r"[\n", "edit({", "Action: edit({",
)  # fmt: skip
BEFORE = {
    "alone": "",
    "in an object": 'Action: modify_script\nAction Input: {"script_id": "',
    "in a fence": "```json\n",
    "in a tag": "<tool>modify_script</tool><tool_input><script_id>",
    "in an answer": "Final Answer: ",
    "behind prose": "x\nAI: ",
}


@pytest.mark.soak
@pytest.mark.parametrize("before", BEFORE if SOAK else ["alone"])
@pytest.mark.parametrize("mode", sorted(MODES))
def test_ten_times_the_text_takes_at_most_fifteen_times_the_time(mode: str, before: str) -> None:
    slow = [unit for unit in REPEATED if not _grows_in_proportion(mode, BEFORE[before], unit)]

    assert slow == []


def _grows_in_proportion(mode: str, before: str, unit: str) -> bool:
    """Whether 100 kB take at most 15 times as long as 10 kB, at their best; what is quick anyway is."""
    short = long = float("inf")
    for _ in range(5):  # a busy machine blurs a measurement, and only makes it longer
        long = min(long, _seconds(mode, before + unit * (100_000 // len(unit))))
        if long < QUICK_SECONDS:
            return True
        short = min(short, *(_seconds(mode, before + unit * (10_000 // len(unit))) for _ in range(3)))
        if long <= 15 * short:
            return True
    return False


def _seconds(mode: str, text: str) -> float:
    started = time.process_time()
    read_reply(mode, text, TOOLBOX)
    return time.process_time() - started
