"""Reading the agent's conversation: what was asked, which tools there are, what they answered so far.

With native tool calls the request is the last user message and observations are tool messages. In
ReAct text the request follows `Question:`, observations follow `Observation:` in user messages, and
the tools are named as `name(` in the system message.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from script_editor.llm.chat import Message, ToolSpec

_SCRIPT = re.compile(r"^Current script:[ \t]*(\S+)", re.MULTILINE)
_TOOL = re.compile(r"\b([a-z_]+)\(")
_QUESTION = "Question:"
_OBSERVATION = "Observation:"
_ACTION = re.compile(r"^Action:[ \t]*(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """A tool that was called, and what it answered."""

    tool: str
    observation: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a run stands. `script_id` is None when the system message names no script."""

    instruction: str
    steps: tuple[Step, ...]
    tools: frozenset[str]
    script_id: str | None
    is_react: bool


def read_turn(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Turn:
    """Return where the run stands; earlier turns of a chat are ignored."""
    system = "\n".join(message.content for message in messages if message.role == "system")
    named = _SCRIPT.search(system)
    script_id = named[1] if named else None
    if tools:
        instruction, steps = _native(messages)
        return Turn(instruction, steps, frozenset(tool.name for tool in tools), script_id, is_react=False)
    instruction, steps = _react(messages)
    return Turn(instruction, steps, frozenset(_TOOL.findall(system)), script_id, is_react=True)


def _native(messages: Sequence[Message]) -> tuple[str, tuple[Step, ...]]:
    start = max((i for i, message in enumerate(messages) if message.role == "user"), default=-1)
    names: dict[str | None, str] = {}
    steps: list[Step] = []
    for message in messages[start + 1 :]:
        names.update({call.id: call.name for call in message.tool_calls})
        if message.role == "tool":
            name = names.get(message.tool_call_id) or message.name or ""
            steps.append(Step(name, message.content))
    return messages[start].content if start >= 0 else "", tuple(steps)


def _react(messages: Sequence[Message]) -> tuple[str, tuple[Step, ...]]:
    start = max((i for i, message in enumerate(messages) if _asks(message)), default=-1)
    steps: list[Step] = []
    tool = ""
    for message in messages[start + 1 :]:
        action = _ACTION.search(message.content) if message.role == "assistant" else None
        tool = action[1] if action else tool
        if message.role == "user" and message.content.startswith(_OBSERVATION):
            steps.append(Step(tool, message.content.removeprefix(_OBSERVATION).strip()))
    question = messages[start].content.removeprefix(_QUESTION).strip() if start >= 0 else ""
    return question, tuple(steps)


def _asks(message: Message) -> bool:
    return message.role == "user" and message.content.startswith(_QUESTION)
