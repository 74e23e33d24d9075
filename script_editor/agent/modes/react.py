"""ReAct: Thought, Action and Action Input as text; works with every model that can write."""

from collections.abc import Sequence

from script_editor.agent.feedback import Unreadable, unreadable
from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.noise import unfenced
from script_editor.agent.parsing import TextReply, read_text
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.reasoning import without_reasoning
from script_editor.agent.scratchpad import format_log_to_messages
from script_editor.agent.steps import AgentFinish, AgentStep
from script_editor.agent.tools import Toolbox
from script_editor.llm.chat import Message


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the one step or the answer of a reply in labels, or in any other form that leaves no doubt."""
    if reply.refusal:
        return AgentFinish(output=reply.refusal, log=reply.text)
    text = unfenced(without_reasoning(reply.text))
    if not text.strip():
        raise unreadable("only_reasoning" if reply.is_reasoning else "empty")
    found = read_text(text, toolbox, every_action_counts=True)
    if found.steps:
        return Requested(calls=found.calls, log=found.log.strip())
    if found.answer is None:
        raise _nothing_usable(found)
    return AgentFinish(output=found.answer, log=found.log)


def _nothing_usable(found: TextReply) -> Unreadable:
    if found.lone_input:
        return unreadable("missing_action")
    return unreadable("no_tool" if found.said_no_tool else "no_label")


def scratchpad(steps: Sequence[AgentStep]) -> tuple[Message, ...]:
    """Return each turn as the model wrote it, and its result as the next message."""
    return format_log_to_messages(steps, template_tool_response="Observation: {observation}")


REACT = Mode(
    name="react",
    read=read,
    scratchpad=scratchpad,
    opening="Question: {task}",
    # No longer list: some services take no more than four.
    stop=("\nObservation:", "\nObservation：", "\n观察：", "\n返回结果："),
    reminder={
        "en": "To use a tool write `Action: <tool>` and below it `Action Input: {…}`; "
        "to end write `Final Answer: <text>`. Each label starts a line.",
        "zh": "要用工具，就写 `Action: <工具名>`，下一行写 `Action Input: {…}`；"
        "要结束，就写 `Final Answer: <答复>`。每个标签都在一行的开头。",
    },
)
