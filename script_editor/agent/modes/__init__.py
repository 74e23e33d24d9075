"""The modes by name, and the one door through which every reply is read."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from script_editor.agent.answers import finish_among
from script_editor.agent.feedback import Unreadable, Wording, is_cut, unreadable
from script_editor.agent.language import Language
from script_editor.agent.modes.mode import Mode, Requested
from script_editor.agent.modes.react import REACT
from script_editor.agent.modes.tool_calls import TOOLS
from script_editor.agent.preflight import with_unique_ids
from script_editor.agent.raw_reply import RawReply, raw_reply
from script_editor.agent.steps import Actions, AgentAction, AgentFinish, Malformed, Outcome
from script_editor.agent.tools import Toolbox

MODES: Mapping[str, Mode] = {mode.name: mode for mode in (REACT, TOOLS)}


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
    format_ = MODES[mode]
    wording = Wording(language=language, signatures=toolbox.signatures, form=format_.reminder[language])
    reply = raw_reply(raw)
    try:
        read = format_.read(reply, toolbox)
        if isinstance(read, Requested) and (answer := finish_among(read.calls, toolbox.knows)) is not None:
            read = AgentFinish(output=answer, log=read.log)
        if isinstance(read, AgentFinish):
            return _finish(read, finish_reason)
        requested = replace(read, calls=with_unique_ids(read.calls, turn=turn, taken=taken_ids))
        checked = toolbox.preflight(
            requested.calls, turn=turn, log=requested.log, finish_reason=finish_reason, wording=wording
        )
        if isinstance(checked, Malformed):
            return replace(checked, raw=str(raw))
        return _actions(format_, reply, requested, checked)
    except Unreadable as refused:
        return wording.malformed(refused.problems, finish_reason=finish_reason, raw=str(raw))


def _finish(finish: AgentFinish, finish_reason: str) -> AgentFinish:
    if is_cut(finish_reason):
        raise unreadable("cut", reason=finish_reason)
    return finish


def _actions(mode: Mode, reply: RawReply, requested: Requested, actions: tuple[AgentAction, ...]) -> Actions:
    if requested.one_step and len(actions) > 1:
        raise unreadable("several_steps", names=", ".join(action.tool for action in actions))
    if mode.message is None:
        return Actions(actions)
    message = mode.message(reply, requested, actions)
    return Actions(tuple(replace(action, message=message) for action in actions))
