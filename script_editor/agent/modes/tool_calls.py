"""Tool calls of the service itself: several per reply, each with an id; text is the answer.

Models that write their calls into the text are understood as well.
"""

from script_editor.agent.feedback import Terms
from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.replay import assistant_message
from script_editor.agent.modes.spoken import spoken
from script_editor.agent.parsing import TextReply, read_text
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.reasoning import without_reasoning
from script_editor.agent.scratchpad import format_to_openai_tool_messages
from script_editor.agent.steps import AgentFinish
from script_editor.agent.tools import Toolbox

CALL_TERMS = Terms(step="call", input="arguments", answer="answer")


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the calls of a reply, those in its text if it has no others, or its text as the answer."""
    return read_calls(reply, toolbox, one_step=False)


def read_calls(reply: RawReply, toolbox: Toolbox, *, one_step: bool) -> Read:
    """Return what a reply asks for in a format where calls stand beside the text; steps in labels come one by one."""
    if reply.calls:
        text = without_reasoning(reply.text).strip()
        return Requested(calls=reply.calls, log=text, preamble=reply.text, one_step=one_step)
    text = spoken(reply)
    found = read_text(text, toolbox, every_action_counts=False)
    if found.steps:
        in_labels = any(step.form == "labels" for step in found.steps)
        return Requested(
            calls=found.calls,
            log=found.log.strip(),
            preamble=found.preamble,
            one_step=one_step or in_labels,
        )
    answer = found.log if found.is_cut else without_reasoning(reply.text)
    return AgentFinish(output=_labelled_answer(found) or answer.strip(), log=answer.strip())


def _labelled_answer(found: TextReply) -> str | None:
    """Return the answer behind a Final Answer label that opens the reply, or follows a thought only."""
    before = found.log[: found.answer_start].strip().casefold()
    return found.answer if not before or before.startswith(("thought", "思考", "想法")) else None


TOOLS = Mode(
    name="tools",
    read=read,
    scratchpad=format_to_openai_tool_messages,
    spell=lambda _actions: "",  # the message is rebuilt from the actions
    message=assistant_message,
    sends="tools",
    terms=CALL_TERMS,
    reminder={
        "en": "Call one of the tools with complete arguments, or answer in plain text.",
        "zh": "请用完整的参数调用一个工具，或者直接用文字回答。",
    },
)
