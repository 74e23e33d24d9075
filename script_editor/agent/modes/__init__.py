"""The modes by name, and the one door through which every reply is read."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from script_editor.agent.answers import finish_among
from script_editor.agent.feedback import Unreadable, Wording, is_cut, unreadable
from script_editor.agent.language import Language
from script_editor.agent.modes.conversational import CONVERSATIONAL
from script_editor.agent.modes.functions import FUNCTIONS
from script_editor.agent.modes.json_chat import JSON
from script_editor.agent.modes.mode import Mode, Read, Requested
from script_editor.agent.modes.react import REACT
from script_editor.agent.modes.tool_calls import TOOLS
from script_editor.agent.modes.xml_tags import XML
from script_editor.agent.preflight import with_unique_ids
from script_editor.agent.raw_reply import RawReply, raw_reply, unpacked
from script_editor.agent.steps import Actions, AgentAction, AgentFinish, AgentStep, Outcome
from script_editor.agent.tools import Toolbox

MODES: Mapping[str, Mode] = {mode.name: mode for mode in (REACT, JSON, CONVERSATIONAL, FUNCTIONS, TOOLS, XML)}


def read_reply(
    mode: str,
    raw: str | dict[str, Any],  # an assistant message has the service's own shape
    toolbox: Toolbox,
    *,
    finish_reason: str = "stop",
    turn: int = 1,
    taken_ids: Collection[str] = (),
    language: Language = "en",
) -> Outcome:
    """Return what a model's reply in `mode` comes to; no reply makes it raise.

    Of a reply that the service cut off, no answer and no write stands; a complete read may run.
    `taken_ids` are the call ids of earlier turns.
    """
    spoken = MODES[mode]
    reply = raw_reply(raw)
    try:
        read = _read(spoken, reply, toolbox)
        if isinstance(read, Requested):
            calls = with_unique_ids(read.calls, turn=turn, taken=taken_ids)
            requested = replace(read, calls=calls)
            actions = toolbox.actions(calls, turn=turn, log=read.log, finish_reason=finish_reason)
            return Actions(_replayable(spoken, reply, requested, actions))
        if is_cut(finish_reason):
            raise unreadable("cut", reason=finish_reason)
        return read
    except Unreadable as refused:
        wording = Wording(
            language=language,
            signatures=toolbox.signatures,
            form=spoken.reminder[language],
            terms=spoken.terms,
        )
        written = raw if isinstance(raw, str) else json.dumps(raw, ensure_ascii=False, default=str)
        return wording.malformed(refused.problems, finish_reason=finish_reason, raw=written)


def respelled(mode: Mode | str, steps: Sequence[AgentStep]) -> tuple[AgentStep, ...]:
    """Return `steps`, made in any mode, as `mode` would have written them, for a run that goes on in it.

    Each action gets the text of its own call. Turns keep their numbers, because corrections are told
    from steps by them; where a mode takes one step at a time, those of one turn are shown one by one.
    """
    spell = (MODES[mode] if isinstance(mode, str) else mode).spell
    return tuple(
        replace(step, action=replace(step.action, log=spell([step.action]), message=None)) for step in steps
    )


def _read(mode: Mode, reply: RawReply, toolbox: Toolbox) -> Read:
    """Return what the reply asks for; in every mode a refusal is an answer, and so is a finish spelled as a call."""
    if reply.refusal:
        return AgentFinish(output=reply.refusal, log=reply.text)
    read = mode.read(reply, toolbox)
    if isinstance(read, Requested):
        read = replace(read, calls=tuple(call for packed in read.calls for call in unpacked(packed)))
    answer = finish_among(read.calls, toolbox.knows) if isinstance(read, Requested) else None
    return read if answer is None else AgentFinish(output=answer, log=read.log)


def _replayable(
    mode: Mode, reply: RawReply, requested: Requested, actions: tuple[AgentAction, ...]
) -> tuple[AgentAction, ...]:
    """Return the actions with the message to show for them; a format of single steps takes one only."""
    if requested.one_step and len(actions) > 1:
        raise unreadable("several_steps", names=", ".join(action.tool for action in actions))
    if mode.message is None:
        return actions
    message = mode.message(reply, requested, actions)
    return tuple(replace(action, message=message) for action in actions)
