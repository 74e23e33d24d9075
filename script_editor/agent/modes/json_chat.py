"""ReAct with a JSON action block: each step, and the end, is an object with an action and its input.

The reader is the one of the labels, because models mix the two; only that a block may stand among
prose, and a read inside a sentence. A block that cannot be read costs one correction.
"""

import json
from collections.abc import Sequence

from script_editor.agent.feedback import Terms
from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.react import STOP, scratchpad
from script_editor.agent.modes.spoken import spoken
from script_editor.agent.parsing import read_text
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.steps import AgentAction, AgentFinish
from script_editor.agent.tools import Toolbox


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the one step or the answer of a reply in JSON, in labels, or in any other form that leaves no doubt."""
    found = read_text(spoken(reply), toolbox, every_action_counts=True, objects_anywhere=True)
    if found.steps:
        return Requested(calls=found.calls, log=found.log.strip())
    if found.answer is None:
        raise found.nothing_usable
    return AgentFinish(output=found.answer, log=found.log)


def spell(actions: Sequence[AgentAction]) -> str:
    """Return the calls of a turn as blocks, one under the other."""
    return "\n".join(f"Action:\n```json\n{_block(action)}\n```" for action in actions)


def _block(action: AgentAction) -> str:
    return json.dumps({"action": action.tool, "action_input": action.arguments}, ensure_ascii=False)


JSON = Mode(
    name="json",
    read=read,
    scratchpad=scratchpad,
    spell=spell,
    opening="Question: {task}",
    stop=STOP,
    terms=Terms(step='JSON "action"', input='"action_input"', answer='"Final Answer"'),
    reminder={
        "en": 'Write one JSON object and nothing behind it. To use a tool: {"action": "<tool>", "action_input": {…}}; '
        'to end with your Final Answer: {"action": "FINISH", "action_input": "<text>"}.',
        "zh": '只写一个 JSON 对象，后面不要再写别的。要用工具：{"action": "<工具名>", "action_input": {…}}；'
        '要结束并给出 Final Answer：{"action": "FINISH", "action_input": "<答复>"}。',
    },
)
