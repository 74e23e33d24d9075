"""XML: a step is a `<tool>` and its `<tool_input>`, the end is a `<final_answer>`; results come as `<observation>`."""

import re
from collections.abc import Sequence

from script_editor.agent.feedback import Terms, unreadable
from script_editor.agent.labels import LabelKind
from script_editor.agent.markup import find_markup
from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.spoken import spoken
from script_editor.agent.own_lines import find_own_lines
from script_editor.agent.parsing import read_text
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.scratchpad import format_xml_to_messages, xml_call
from script_editor.agent.steps import AgentAction, AgentFinish
from script_editor.agent.tags import find_tag, read_tags, refuse_tags_behind
from script_editor.agent.tools import Toolbox
from script_editor.llm.chat import Message
from script_editor.patterns import Pattern

_OTHERS: frozenset[LabelKind] = frozenset({"observation", "turn"})


_WRAPPER = Pattern(r"<(?:tool_calls?|function_calls?|tools)>\s*+(?=<tool>)", re.IGNORECASE)


def read(reply: RawReply, toolbox: Toolbox) -> Read:
    """Return the one step or the answer of a reply in our tags, or the call in markup of another kind.

    Whichever comes first is read first, so that our tags inside a value of the other kind are text.
    """
    text = spoken(reply)
    if _other_form_comes_first(text) and (other := _other_form(text, toolbox)):
        return other
    tagged = read_tags(text, toolbox)
    if tagged.calls:
        return Requested(calls=tagged.calls, log=tagged.log, preamble=tagged.preamble)
    if tagged.answer is not None:
        return AgentFinish(output=tagged.answer, log=tagged.log)
    if other := _other_form(text, toolbox):
        return other
    raise unreadable("no_label")


def _other_form_comes_first(text: str) -> bool:
    starts = [start for find in (find_markup, find_own_lines) if (start := find(text, 0)) is not None]
    tag = find_tag(text)
    if not starts or tag is None or tag < min(starts):
        return False
    return _WRAPPER.match(text, min(starts)) is None


def _other_form(text: str, toolbox: Toolbox) -> Requested | None:
    found = read_text(text, toolbox, kinds=_OTHERS, every_action_counts=False)
    if not found.steps:
        return None
    refuse_tags_behind(found.log, found.steps[-1].end, found.steps[-1].call.name)
    return Requested(calls=found.calls, log=found.log.strip(), preamble=found.preamble)


def spell(actions: Sequence[AgentAction]) -> str:
    """Return the calls of a turn in tags, one under the other."""
    return "\n".join(map(xml_call, actions))


def message(_reply: RawReply, requested: Requested, actions: Sequence[AgentAction]) -> Message:
    """Return the reply in this form, whatever form its call came in, with our tags in its values escaped."""
    return Message(role="assistant", content=f"{requested.preamble}\n{spell(actions)}".strip())


XML = Mode(
    name="xml",
    read=read,
    scratchpad=format_xml_to_messages,
    spell=spell,
    message=message,
    opening="Question: {task}",
    stop=("<observation>",),
    terms=Terms(step="<tool>", input="<tool_input>", answer="<final_answer>"),
    reminder={
        "en": "To use a tool write <tool>name</tool><tool_input>{…}</tool_input> and stop; "
        "to end write <final_answer>text</final_answer>.",
        "zh": "要用工具，就写 <tool>工具名</tool><tool_input>{…}</tool_input>，然后停下；"
        "要结束，就写 <final_answer>答复</final_answer>。",
    },
)
