"""Reading the agent's conversation: what was asked, which tools there are, what they answered so far.

With native tool calls observations are messages of their own. In the layouts of text they stand in user
messages, behind `Observation:` or in tags, the tools are named as `name(` in the system message, and the request
follows `Question:` or `Human:`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from script_editor.llm.chat import Message, ToolSpec

_SCRIPT = re.compile(r"^Current script:[ \t]*(\S+)", re.MULTILINE)
_NAMED = re.compile(r"^- (?:用户的话里出现的脚本编号：|Ids of scripts in the request: )(.+)$", re.MULTILINE)
_TOOL = re.compile(r"\b([a-z_]+)\(")
_OBSERVATION = "Observation:"
_ACTION = re.compile(r"^Action:[ \t]*(\w+)", re.MULTILINE)
_TAGGED = re.compile(r"<tool>(\w+)</tool>")
_TAGS = ("<observation>", "</observation>")
_ANSWERS_IN_TAGS = "<final_answer>"
_ANSWERS_AS_AI = re.compile(r"^AI: ", re.MULTILINE)

Layout = Literal["native", "react", "conversational", "xml"]
"""How the agent wants calls and answers written."""
_OPENINGS: dict[Layout, str] = {
    "native": "",
    "react": "Question:",
    "conversational": "Human:",
    "xml": "Question:",
}
"""What the request opens with."""


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

    `named` are the ids that the program found in the instruction. With `may_name_others` the instruction may turn to another script by its id. `kept` is the proposal that
    the turns before spoke of last. `is_look` says that the person wants to see the edit before anything is saved.
    """

    instruction: str
    steps: tuple[Step, ...]
    tools: frozenset[str]
    script_id: str | None
    layout: Layout
    named: tuple[str, ...] = ()
    may_name_others: bool = True
    kept: Kept | None = None
    is_look: bool = False


def read_turn(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Turn:
    """Return where the run stands; of the earlier turns of a chat only the proposals they left are looked at."""
    system = "\n".join(message.content for message in messages if message.role == "system")
    named = _SCRIPT.search(system)
    script_id = named[1] if named else None
    layout = _layout(system, is_native=bool(tools))
    start = _start(messages, layout)
    said = messages[start].content if start >= 0 else ""
    after, before = messages[start + 1 :], messages[: max(start, 0)]
    return Turn(
        instruction=said if layout == "native" else said.removeprefix(_OPENINGS[layout]).strip(),
        steps=_native(after) if layout == "native" else _written(after),
        tools=frozenset(tool.name for tool in tools) or frozenset(_TOOL.findall(system)),
        script_id=script_id,
        layout=layout,
        named=tuple(re.split(r"、|, ", told[1].strip())) if (told := _NAMED.search(system)) else (),
        may_name_others=script_id is None or _OTHERS_TOO.search(system) is not None,
        kept=_kept(before, in_prompt=layout == "conversational"),
    )


def _layout(system: str, *, is_native: bool) -> Layout:
    if is_native:
        return "native"
    if _ANSWERS_IN_TAGS in system:
        return "xml"
    return "conversational" if _ANSWERS_AS_AI.search(system) else "react"


def _start(messages: Sequence[Message], layout: Layout) -> int:
    """Return the index of the message that holds the request, -1 when there is none.

    What the program says later in a run, when it cannot use a reply, is a user message too: the request is the
    first one after the last words of the conversation before.
    """
    asking = [i for i, message in enumerate(messages) if message.role == "user"]
    if layout != "native":
        return max((i for i in asking if messages[i].content.startswith(_OPENINGS[layout])), default=-1)
    spoken = max((i for i, message in enumerate(messages) if _ends_a_turn(message)), default=-1)
    return min((i for i in asking if i > spoken), default=-1)


def _ends_a_turn(message: Message) -> bool:
    """Say whether a message is an answer: with native calls those are only in what came before the run."""
    return message.role == "assistant" and not message.tool_calls and message.raw is None


def _called(message: Message) -> re.Match[str] | None:
    """Return the call that is written in a message of the assistant."""
    return _ACTION.search(message.content) or _TAGGED.search(message.content)


def _kept(before: Sequence[Message], *, in_prompt: bool) -> Kept | None:
    """Return the proposal that was spoken of last, of those that were not closed since.

    With `in_prompt` the conversation so far stands in the system message.
    """
    speaking = ("system", "user", "assistant") if in_prompt else ("user", "assistant")
    kept: dict[str, Kept] = {}
    for message in before:
        for match in _ABOUT.finditer(message.content) if message.role in speaking else ():
            kept.pop(match["id"], None)  # what is spoken of again moves to the end
            if match["closed"] is None:
                kept[match["id"]] = Kept(match["id"], match["script"])
    return list(kept.values())[-1] if kept else None


def _native(messages: Sequence[Message]) -> tuple[Step, ...]:
    calls: dict[str | None, tuple[str, str]] = {}
    steps: list[Step] = []
    asked = ""  # the arguments of a call in the older form, which has no id
    for message in messages:
        calls.update({call.id: (call.name, call.arguments) for call in message.tool_calls})
        asked = _legacy_arguments(message) or asked
        if message.role in ("tool", "function"):
            name, arguments = calls.get(message.tool_call_id) or (message.name or "", asked)
            steps.append(Step(name or message.name or "", message.content, arguments))
    return tuple(steps)


def _legacy_arguments(message: Message) -> str:
    asked = (message.raw or {}).get("function_call")
    return str(asked.get("arguments", "")) if isinstance(asked, dict) else ""


def _written(messages: Sequence[Message]) -> tuple[Step, ...]:
    steps: list[Step] = []
    tool = arguments = ""
    for message in messages:
        called = _called(message) if message.role == "assistant" else None
        if called:
            tool, arguments = called[1], message.content[called.end() :]
        observation = _observed(message.content) if message.role == "user" else None
        if observation is not None:
            steps.append(Step(tool, observation, arguments))
    return tuple(steps)


def _observed(said: str) -> str | None:
    """Return the observation that a user message holds, None when it is something else."""
    if said.startswith(_OBSERVATION):
        return said.removeprefix(_OBSERVATION).strip()
    if said.startswith(_TAGS[0]):
        return said.removeprefix(_TAGS[0]).strip().removesuffix(_TAGS[1]).strip()
    return None
