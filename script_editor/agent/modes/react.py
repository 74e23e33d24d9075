"""ReAct: Thought, Action and Action Input as text; works with every model that can write."""

from collections.abc import Sequence

from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.spoken import spoken
from script_editor.agent.parsing import read_text
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.scratchpad import arguments_of, format_log_to_messages
from script_editor.agent.steps import AgentAction, AgentFinish, AgentStep
from script_editor.agent.tools import Toolbox
from script_editor.llm.chat import Message


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the one step or the answer of a reply in labels, or in any other form that leaves no doubt."""
    found = read_text(spoken(reply), toolbox, every_action_counts=True)
    if found.steps:
        return Requested(calls=found.calls, log=found.log.strip())
    if found.answer is None:
        raise found.nothing_usable
    return AgentFinish(output=found.answer, log=found.log)


def scratchpad(steps: Sequence[AgentStep]) -> tuple[Message, ...]:
    """Return each turn as the model wrote it, and its result as the next message."""
    return format_log_to_messages(steps, template_tool_response="Observation: {observation}")


def spell(actions: Sequence[AgentAction]) -> str:
    """Return the calls of a turn in labels, one step under the other."""
    return "\n".join(f"Action: {action.tool}\nAction Input: {arguments_of(action)}" for action in actions)


# No longer list: some services take no more than four.
STOP = ("\nObservation:", "\nObservation：", "\n观察：", "\n返回结果：")

REACT = Mode(
    name="react",
    read=read,
    scratchpad=scratchpad,
    spell=spell,
    opening="Question: {task}",
    stop=STOP,
    reminder={
        "en": "To use a tool write `Action: <tool>` and below it `Action Input: {…}`; "
        "to end write `Final Answer: <text>`. Each label starts a line.",
        "zh": "要用工具，就写 `Action: <工具名>`，下一行写 `Action Input: {…}`；"
        "要结束，就写 `Final Answer: <答复>`。每个标签都在一行的开头。",
    },
)
