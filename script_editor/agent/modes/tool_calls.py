"""Tool calls of the service itself: several per reply, each with an id; text is the answer.

Models that write their calls into the text are understood as well.
"""

from script_editor.agent.feedback import unreadable
from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.replay import assistant_message
from script_editor.agent.noise import unfenced
from script_editor.agent.parsing import TextReply, read_text
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.reasoning import without_reasoning
from script_editor.agent.scratchpad import format_to_openai_tool_messages
from script_editor.agent.steps import AgentFinish
from script_editor.agent.tools import Toolbox


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the calls of a reply, those in its text if it has no others, or its text as the answer."""
    if reply.refusal:
        return AgentFinish(output=reply.refusal, log=reply.text)
    if reply.calls:
        text = without_reasoning(reply.text).strip()
        return Requested(calls=reply.calls, log=text, preamble=reply.text, one_step=False)
    text = without_reasoning(reply.text).strip()
    if not text:
        raise unreadable("only_reasoning" if reply.is_reasoning else "empty")
    found = read_text(unfenced(text), toolbox, every_action_counts=False)
    if found.steps:
        in_labels = any(step.form == "labels" for step in found.steps)
        return Requested(
            calls=found.calls, log=found.log.strip(), preamble=found.preamble, one_step=in_labels
        )
    return AgentFinish(output=_labelled_answer(found) or text, log=text)


def _labelled_answer(found: TextReply) -> str | None:
    """Return the answer behind a Final Answer label that opens the reply, or follows a thought only."""
    before = found.log[: found.answer_start].strip().casefold()
    return found.answer if not before or before.startswith(("thought", "思考", "想法")) else None


TOOLS = Mode(
    name="tools",
    read=read,
    scratchpad=format_to_openai_tool_messages,
    message=assistant_message,
    sends_tools=True,
    reminder={
        "en": "Call one of the tools with complete arguments, or answer in plain text.",
        "zh": "请用完整的参数调用一个工具，或者直接用文字回答。",
    },
)
