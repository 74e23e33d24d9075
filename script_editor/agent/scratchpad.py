"""The steps so far, as the next request shows them: as one text, as messages, or as tool messages.

The functions keep the names and the meaning they have in LangChain; they work on the steps of a run.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby

from script_editor.agent.steps import AgentStep
from script_editor.llm.chat import Message, ToolCall

NOT_RUN = "This call was not executed."


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
    """Return two messages per turn: the log as the assistant's, and the observation as the user's.

    Observations of one turn are put into `template_tool_response` one by one and share a message.
    """
    messages: list[Message] = []
    for turn in _turns(steps):
        observations = [template_tool_response.format(observation=step.observation) for step in turn]
        messages.append(Message(role="assistant", content=turn[0].action.log))
        messages.append(Message(role="user", content="\n".join(observations)))
    return tuple(messages)


def format_to_openai_tool_messages(steps: Sequence[AgentStep]) -> tuple[Message, ...]:
    """Return, per turn, the assistant message once and then one tool message for each of its calls, in their order.

    Every id is answered exactly once: equal calls share an observation, and a call that did not come
    to run, because the run was stopped, is answered with that.
    """
    messages: list[Message] = []
    for turn in _turns(steps):
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


def _turns(steps: Sequence[AgentStep]) -> Iterator[tuple[AgentStep, ...]]:
    for _, turn in groupby(steps, key=lambda step: step.action.turn):
        yield tuple(turn)


def _asking(turn: Sequence[AgentStep]) -> Message:
    """Return an assistant message with the calls of `turn`, for steps that came without one."""
    calls = tuple(
        ToolCall(call_id, step.action.tool, json.dumps(step.action.arguments, ensure_ascii=False))
        for step in turn
        for call_id in (step.action.call_id, *step.action.repeated_ids)
    )
    return Message(role="assistant", content=turn[0].action.log, tool_calls=calls)
