"""The steps so far, as the next request shows them: as one text, as messages, or as the messages of calls.

The functions keep the names and the meaning they have in LangChain; they work on the steps of a run.
"""

import json
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from script_editor.agent.steps import AgentAction, AgentStep
from script_editor.llm.chat import Message, ToolCall
from script_editor.patterns import Pattern

NOT_RUN = "This call was not executed."

XML_TAGS = ("tool", "tool_input", "observation", "final_answer")

_NAMES = "|".join(XML_TAGS)
_OWN_TAG = Pattern(rf"<(?P<tag>/?(?:{_NAMES}))>|\[\[(?P<escaped>=*+/?(?:{_NAMES}))\]\]", re.IGNORECASE)
_ESCAPED_TAG = Pattern(rf"\[\[(?P<mark>=*+)(?P<tag>/?(?:{_NAMES}))\]\]", re.IGNORECASE)


def format_log_to_str(
    steps: Sequence[AgentStep], observation_prefix: str = "Observation: ", llm_prefix: str = "Thought: "
) -> str:
    """Return one text that the model continues: each log, its observation, and the beginning of a thought."""
    return "".join(
        f"{step.action.log}\n{observation_prefix}{step.observation}\n{llm_prefix}" for step in steps
    )


def format_log_to_messages(
    steps: Sequence[AgentStep], template_tool_response: str = "{observation}"
) -> tuple[Message, ...]:
    """Return two messages per reply: the log as the assistant's, and the observation as the user's.

    Observations of one reply are put into `template_tool_response` one by one and share a message.
    """
    messages: list[Message] = []
    for reply in _grouped(steps, lambda action: (action.turn, action.log)):
        observations = [template_tool_response.format(observation=step.observation) for step in reply]
        messages.append(Message(role="assistant", content=reply[0].action.log))
        messages.append(Message(role="user", content="\n".join(observations)))
    return tuple(messages)


def format_to_openai_tool_messages(steps: Sequence[AgentStep]) -> tuple[Message, ...]:
    """Return, per turn, the assistant message once and then one tool message for each of its calls, in their order.

    Every id is answered exactly once: equal calls share an observation, and a call that did not come
    to run, because the run was stopped, is answered with that.
    """
    messages: list[Message] = []
    for turn in _grouped(steps, lambda action: action.turn):
        asking = turn[0].action.message or _asking(turn)
        answers = {
            call_id: step.observation
            for step in turn
            for call_id in (step.action.call_id, *step.action.repeated_ids)
        }
        messages.append(asking)
        messages += [
            Message(role="tool", content=answers.get(call.id, NOT_RUN), tool_call_id=call.id, name=call.name)
            for call in asking.tool_calls
        ]
    return tuple(messages)


def format_to_openai_function_messages(steps: Sequence[AgentStep]) -> tuple[Message, ...]:
    """Return two messages per step: the assistant's with its call, and the observation as the function's.

    The older form of a call has no ids and no way to ask for two, so each step stands by itself.
    """
    messages: list[Message] = []
    for step in steps:
        action = step.action
        messages.append(action.message or function_call_message(action))
        messages.append(Message(role="function", name=action.tool, content=step.observation))
    return tuple(messages)


def format_xml(steps: Sequence[AgentStep], *, escape_format: Literal["minimal"] | None = "minimal") -> str:
    """Return one text with the tags of each call and its observation.

    With "minimal" escaping our own tags inside a tool, an input or an observation are written in double
    brackets, `[[tool]]`, so that text of a script cannot open or close anything; `unescaped` is the way back.
    """
    return "".join(
        xml_call(step.action, escape_format=escape_format)
        + xml_observation(step.observation, escape_format=escape_format)
        for step in steps
    )


def format_xml_to_messages(steps: Sequence[AgentStep]) -> tuple[Message, ...]:
    """Return two messages per reply: the assistant's with its calls in tags, and the user's with the observations."""
    messages: list[Message] = []
    for reply in _grouped(steps, lambda action: (action.turn, action.log)):
        action = reply[0].action
        messages.append(action.message or Message(role="assistant", content=action.log))
        observations = [xml_observation(step.observation) for step in reply]
        messages.append(Message(role="user", content="\n".join(observations)))
    return tuple(messages)


def xml_call(action: AgentAction, *, escape_format: Literal["minimal"] | None = "minimal") -> str:
    """Return the call of one action in tags."""
    escape = escaped if escape_format == "minimal" else str
    return f"<tool>{escape(action.tool)}</tool><tool_input>{escape(arguments_of(action))}</tool_input>"


def xml_observation(observation: str, *, escape_format: Literal["minimal"] | None = "minimal") -> str:
    """Return an observation in its tags."""
    escape = escaped if escape_format == "minimal" else str
    return f"<observation>{escape(observation)}</observation>"


def escaped(text: str) -> str:
    """Return `text` with `<tool>` and our other tags as `[[tool]]`; what looks so already becomes `[[=tool]]`."""
    return _OWN_TAG.sub(lambda found: f"[[{found['tag'] or '=' + found['escaped']}]]", text)


def unescaped(text: str) -> str:
    """Return the text that `escaped` gave `text` for."""
    return _ESCAPED_TAG.sub(
        lambda found: f"[[{found['mark'][1:]}{found['tag']}]]" if found["mark"] else f"<{found['tag']}>", text
    )


def arguments_of(action: AgentAction) -> str:
    """Return the arguments of an action as JSON."""
    return json.dumps(action.arguments, ensure_ascii=False)


def function_call_message(action: AgentAction, content: str = "") -> Message:
    """Return the assistant message that asks for `action` in the older form of a call."""
    asked = {"name": action.tool, "arguments": arguments_of(action)}
    return Message(
        role="assistant",
        content=content,
        raw={"role": "assistant", "content": content, "function_call": asked},
    )


def _grouped(
    steps: Sequence[AgentStep], key: Callable[[AgentAction], Hashable]
) -> Iterator[tuple[AgentStep, ...]]:
    for _, group in groupby(steps, key=lambda step: key(step.action)):
        yield tuple(group)


def _asking(turn: Sequence[AgentStep]) -> Message:
    """Return an assistant message with the calls of `turn`, for steps that came without one."""
    calls = tuple(
        ToolCall(call_id, step.action.tool, arguments_of(step.action))
        for step in turn
        for call_id in (step.action.call_id, *step.action.repeated_ids)
    )
    return Message(role="assistant", content=turn[0].action.log, tool_calls=calls)
