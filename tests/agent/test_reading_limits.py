"""No reply makes reading fail or slow: any text has a typed outcome, in time that grows with its length."""

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from script_editor.agent.modes import MODES, read_reply
from script_editor.agent.steps import Actions, AgentFinish, Malformed
from tests.agent.fakes import Desk

TOOLBOX = Desk().toolbox()

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


REPEATED = {
    "brackets": "[",
    "lists on lines": '[{"a":1},\n',
    "objects on lines": '{"name": "x"\n',
    "labels": "Action: get_script\n",
    "steps": "Thought: x\nAction: get_script\nAction Input: tea-ad\n",
    "labels without end": "Action ",
    "pairs": "Action: get_script Action Input: {",
    "quotes": '"',
    "curly quotes": "“",
    "inner quotes": '文"字',
    "backslashes": "\\",
    "backticks": "`",
    "spaces": " ",
    "tags": "<tool_call>",
    "function tags": "<function=get_script>\n<parameter=a>",
    "reasoning tags": "<think>a</think>b\n",
    "channels": "<|channel|>analysis<|message|>x",
    "finish": "Action: Finish[",
}


def _seconds(mode: str, text: str) -> float:
    best = 60.0
    for _ in range(3):
        started = time.process_time()
        read_reply(mode, text, TOOLBOX)
        best = min(best, time.process_time() - started)
    return best


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("unit", REPEATED.values(), ids=REPEATED)
@pytest.mark.parametrize("before", ["", 'Action: modify_script\nAction Input: {"script_id": "', "```json\n"])
def test_ten_times_the_text_takes_at_most_fifteen_times_the_time(mode: str, unit: str, before: str) -> None:
    short = _seconds(mode, before + unit * (10_000 // len(unit)))
    long = _seconds(mode, before + unit * (100_000 // len(unit)))

    assert long < max(15 * short, 0.4)  # a busy machine blurs what is quick anyway
