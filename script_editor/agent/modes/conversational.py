"""A conversation with tools: a thought says whether one is needed, labels as in ReAct ask for it, `AI:` answers.

Plain prose is an answer here, but not behind a thought that announces a tool.
"""

import re

from script_editor.agent.feedback import Terms, unreadable
from script_editor.agent.labels import LabelKind, find_label
from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.react import STOP, scratchpad, spell
from script_editor.agent.modes.spoken import spoken
from script_editor.agent.noise import rest_of_line
from script_editor.agent.parsing import REACT_LABELS, TextReply, read_text
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.steps import AgentFinish
from script_editor.agent.tools import Toolbox
from script_editor.patterns import Pattern

_LABELS: frozenset[LabelKind] = REACT_LABELS | {"assistant"}
_VERDICT = Pattern(
    r"[\s*_`“\"]*+(?:(?P<no>no\b|否|不(?:需要|用|必|是)?|无需|没有?必要)|(?P<yes>yes\b|是|需要|要|对))",
    re.IGNORECASE,
)
_NO_TOOL = Pattern(
    r"(?:不(?:需要|用|必)|无需|没有?必要)(?:再)?(?:使用|调用|用)?(?:任何)?(?:工具)?"
    r"|\b(?:no tools?|(?:don'?t|do not) need|no need)\b",
    re.IGNORECASE,
)


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the one step or the answer of a reply; prose without a label is an answer, unless a tool was announced."""
    found = read_text(spoken(reply), toolbox, kinds=_LABELS, every_action_counts=False)
    if found.steps:
        return Requested(calls=found.calls, log=found.log.strip())
    answer = found.answer if found.answer is not None else _prose(found)
    return AgentFinish(output=answer, log=found.log)


def _prose(found: TextReply) -> str:
    """Return the prose of a reply as its answer: all of it, or what stands behind a thought that needs no tool."""
    if found.lone_input or found.said_no_tool:
        raise found.nothing_usable
    thought = find_label(found.log, 0, {"thought"})
    if thought is None:
        return found.log.strip()
    line = rest_of_line(found.log, thought.end)
    behind = found.log[thought.end + len(line) :].strip()
    question, mark, verdict = line.replace("？", "?").rpartition("?")
    if mark and not verdict.strip():  # the question has a line of its own, and its answer the next
        verdict, _, behind = behind.partition("\n")
    if not _says_no(question, verdict, was_asked=bool(mark)):
        raise found.nothing_usable
    if not behind.strip():
        raise unreadable("empty_answer")
    return behind.strip()


def _says_no(question: str, verdict: str, *, was_asked: bool) -> bool:
    said = _VERDICT.match(verdict)
    if said and (was_asked or not verdict[said.end() :].strip(" .。!！*_`\r")):
        return said["no"] is not None
    return _NO_TOOL.search(question or verdict) is not None


CONVERSATIONAL = Mode(
    name="conversational",
    read=read,
    scratchpad=scratchpad,
    spell=spell,
    opening="Human: {task}",
    stop=STOP,
    puts_past_in_prompt=True,
    terms=Terms(answer="AI:"),
    reminder={
        "en": "To use a tool write `Action: <tool>` and below it `Action Input: {…}`; "
        "to answer write `AI: <text>`. Each label starts a line.",
        "zh": "要用工具，就写 `Action: <工具名>`，下一行写 `Action Input: {…}`；"
        "要回答，就写 `AI: <答复>`。每个标签都在一行的开头。",
    },
)
