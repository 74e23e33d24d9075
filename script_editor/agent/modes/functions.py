"""Function calls, the older form of tool calls: one per reply and without an id; text is the answer."""

from collections.abc import Sequence

from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.tool_calls import CALL_TERMS, read_calls
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.scratchpad import format_to_openai_function_messages, function_call_message
from script_editor.agent.steps import AgentAction
from script_editor.agent.tools import Toolbox
from script_editor.llm.chat import Message


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the one call of a reply, wherever a service put it, or its text as the answer."""
    return read_calls(reply, toolbox, one_step=True)


def message(reply: RawReply, requested: Requested, actions: Sequence[AgentAction]) -> Message:
    """Return the message as it came, with its call in the older form and readable.

    Everything else a service put into it stays.
    """
    asking = function_call_message(actions[0], requested.preamble)
    kept = {key: value for key, value in (reply.message or {}).items() if key != "tool_calls"}
    return Message(role="assistant", content=requested.preamble, raw={**kept, **(asking.raw or {})})


FUNCTIONS = Mode(
    name="functions",
    read=read,
    scratchpad=format_to_openai_function_messages,
    spell=lambda _actions: "",  # the message is rebuilt from the actions
    message=message,
    sends="functions",
    terms=CALL_TERMS,
    reminder={
        "en": "Call one function with complete arguments, or answer in plain text.",
        "zh": "请用完整的参数调用一个函数，或者直接用文字回答。",
    },
)
