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


# The program's own sentences about a proposal, as they stand in the turns before: it is kept, or closed.
_ABOUT = re.compile(
    r"(?:提案|[Pp]roposal) (?P<id>p-\w+) ?(?:[（(]?(?:基于|over) (?P<script>\S+) v\d+|(?P<closed>已保存|已放弃|was saved|was discarded))"
)
_OTHERS_TOO = re.compile(r"^- (?:别的脚本可以读|Other scripts may be read)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Step:
    """A tool that was called, with what arguments, as text, and what it answered."""

    tool: str
    observation: str
    arguments: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A proposal that the conversation speaks of, and the script it is for."""

    proposal_id: str
    script_id: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a run stands. `script_id` is None when the system message names no script.

    With `may_name_others` the instruction may turn to another script by its id. `kept` is the proposal that
    the turns before spoke of last.
    """

    instruction: str
    steps: tuple[Step, ...]
    tools: frozenset[str]
    script_id: str | None
    is_react: bool
    may_name_others: bool = True
    kept: Kept | None = None


def read_turn(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Turn:
    """Return where the run stands; of the earlier turns of a chat only the proposals they left are looked at."""
    system = "\n".join(message.content for message in messages if message.role == "system")
    named = _SCRIPT.search(system)
    script_id = named[1] if named else None
    start = _start(messages, is_react=not tools)
    said = messages[start].content if start >= 0 else ""
    after, before = messages[start + 1 :], messages[: max(start, 0)]
    return Turn(
        instruction=said if tools else said.removeprefix(_QUESTION).strip(),
        steps=_native(after) if tools else _react(after),
        tools=frozenset(tool.name for tool in tools) or frozenset(_TOOL.findall(system)),
        script_id=script_id,
        is_react=not tools,
        may_name_others=script_id is None or _OTHERS_TOO.search(system) is not None,
        kept=_kept(before),
    )


def _start(messages: Sequence[Message], *, is_react: bool) -> int:
    """Return the index of the message that holds the request, -1 when there is none."""
    asking = (
        i for i, message in enumerate(messages) if message.role == "user" and (not is_react or _asks(message))
    )
    return max(asking, default=-1)


def _kept(before: Sequence[Message]) -> Kept | None:
    """Return the proposal that was spoken of last, of those that were not closed since."""
    kept: dict[str, Kept] = {}
    for message in before:
        for match in _ABOUT.finditer(message.content) if message.role in ("user", "assistant") else ():
            kept.pop(match["id"], None)  # what is spoken of again moves to the end
            if match["closed"] is None:
                kept[match["id"]] = Kept(match["id"], match["script"])
    return list(kept.values())[-1] if kept else None


def _native(messages: Sequence[Message]) -> tuple[Step, ...]:
    calls: dict[str | None, tuple[str, str]] = {}
    steps: list[Step] = []
    for message in messages:
        calls.update({call.id: (call.name, call.arguments) for call in message.tool_calls})
        if message.role == "tool":
            name, arguments = calls.get(message.tool_call_id) or (message.name or "", "")
            steps.append(Step(name or message.name or "", message.content, arguments))
    return tuple(steps)


def _react(messages: Sequence[Message]) -> tuple[Step, ...]:
    steps: list[Step] = []
    tool = arguments = ""
    for message in messages:
        action = _ACTION.search(message.content) if message.role == "assistant" else None
        if action:
            tool, arguments = action[1], message.content[action.end() :]
        if message.role == "user" and message.content.startswith(_OBSERVATION):
            steps.append(Step(tool, message.content.removeprefix(_OBSERVATION).strip(), arguments))
    return tuple(steps)


def _asks(message: Message) -> bool:
    return message.role == "user" and message.content.startswith(_QUESTION)
