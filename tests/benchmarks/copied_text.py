"""The flow in which an agent copies a script into its call, message by message, for comparison.

The agent reads the script with `get_script`, calls `modify_script` with the text copied into the call as
`original_text`, the tool asks the model for the whole rewritten script, and the agent ends. It is the
zero-shot ReAct agent with the wordings that such agents and tools are introduced with: each turn sends
all that came before again. Two things are taken in its favour: Chinese is not escaped in the call, and
the final answer does not repeat the script.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple


class Turn(NamedTuple):
    """One call of the model; `is_planning` for the agent's turns, as against the tool's own call."""

    sent: str
    received: str
    is_planning: bool


_AGENT = """Answer the following questions as best you can. You have access to the following tools:

get_script: 获取指定视频的口播脚本内容。
输入格式：视频ID，例如 "video_001"
返回：该视频的完整脚本文本。
modify_script: 根据用户的修改要求，调用AI修改视频脚本。
输入格式（JSON）：
{{
    "video_id": "视频ID",
    "original_text": "原始脚本内容",
    "modification": "用户的修改要求"
}}
返回：修改后的脚本内容。

Use the following format:

Question: the input question you must answer
Thought: you should always think about what to do
Action: the action to take, should be one of [get_script, modify_script]
Action Input: the input to the action
Observation: the result of the action
... (this Thought/Action/Action Input/Observation can repeat N times)
Thought: I now know the final answer
Final Answer: the final answer to the original input question

Begin!

Question: {input}
Thought:{agent_scratchpad}"""

_TOOL = """你是一个专业的视频脚本编辑助手。请根据用户的要求修改以下口播脚本。

原始脚本：
{original_text}

修改要求：
{modification}

请直接输出修改后的完整脚本，不要添加任何解释或说明："""


def turns(script_id: str, text: str, instruction: str, gold: str) -> Iterator[Turn]:
    """Yield the calls of one edit, with replies without a slip."""
    question = f"{script_id}: {instruction}"
    copied = {"video_id": script_id, "original_text": text, "modification": instruction}
    look = f" 先查询脚本内容。\nAction: get_script\nAction Input: {script_id}"
    modify = (
        f" 按要求修改脚本。\nAction: modify_script\nAction Input: {json.dumps(copied, ensure_ascii=False)}"
    )

    yield Turn(_AGENT.format(input=question, agent_scratchpad=""), look, True)
    scratchpad = f"{look}\nObservation: {text}\nThought:"
    yield Turn(_AGENT.format(input=question, agent_scratchpad=scratchpad), modify, True)
    yield Turn(_TOOL.format(original_text=text, modification=instruction), gold, False)
    scratchpad += f"{modify}\nObservation: {gold}\nThought:"
    end = " I now know the final answer\nFinal Answer: 已按要求修改并保存。"
    yield Turn(_AGENT.format(input=question, agent_scratchpad=scratchpad), end, True)
