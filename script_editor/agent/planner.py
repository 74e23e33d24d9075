"""What to do next: everything known so far goes to a model, and its reply comes back as a typed outcome."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from script_editor.agent.language import Language, language_of
from script_editor.agent.modes import MODES, read_reply
from script_editor.agent.modes.mode import Mode
from script_editor.agent.raw_reply import RawMessage
from script_editor.agent.steps import AgentStep, Correction, Outcome
from script_editor.agent.tools import Toolbox
from script_editor.llm.chat import ChatModel, Message, OnText, Reply, Usage


@dataclass(frozen=True, slots=True)
class Planned:
    """What the planner decided and what deciding cost."""

    outcome: Outcome
    usage: Usage


class Planner(Protocol):
    """Anything that can say what to do next."""

    def plan(
        self,
        task: str,
        steps: Sequence[AgentStep],
        corrections: Sequence[Correction],
        past: Sequence[Message],
        *,
        turn: int,
        timeout_seconds: float | None = None,
        on_text: OnText | None = None,
    ) -> Planned:
        """Return the next calls, the answer, or why a reply could not be used.

        `steps` and `corrections` are those of this run, oldest first; `past` is the conversation
        before it. `turn` counts from 1 and belongs into the actions.

        Raises:
            ScriptEditorError: the model could not be asked.
        """


class ModePlanner:
    """Asks a model in one mode, given as itself or by its name in MODES.

    `briefing` is text of the application for the system message. Without `language` the prompt and
    the feedback follow the language of the task.
    """

    def __init__(
        self,
        mode: Mode | str,
        model: ChatModel,
        toolbox: Toolbox,
        *,
        briefing: str = "",
        language: Language | None = None,
    ):
        self._mode = MODES[mode] if isinstance(mode, str) else mode
        self._model, self._toolbox = model, toolbox
        self._briefing, self._language = briefing, language

    def plan(
        self,
        task: str,
        steps: Sequence[AgentStep],
        corrections: Sequence[Correction],
        past: Sequence[Message],
        *,
        turn: int,
        timeout_seconds: float | None = None,
        on_text: OnText | None = None,
    ) -> Planned:
        """See Planner.plan."""
        language = self._language or language_of(task)
        reply = self._model.complete(
            self.messages(task, steps, corrections, past),
            tools=self._toolbox.specs() if self._mode.sends_tools else (),
            stop=self._mode.stop,
            on_text=on_text,
            timeout_seconds=timeout_seconds,
        )
        outcome = read_reply(
            self._mode.name,
            _as_message(reply),
            self._toolbox,
            finish_reason=reply.finish_reason,
            turn=turn,
            taken_ids={
                call_id for step in steps for call_id in (step.action.call_id, *step.action.repeated_ids)
            },
            language=language,
        )
        return Planned(outcome, reply.usage)

    def messages(
        self,
        task: str,
        steps: Sequence[AgentStep],
        corrections: Sequence[Correction],
        past: Sequence[Message],
    ) -> tuple[Message, ...]:
        """Return the whole request: the system message, the past, the task, what was done, and an open correction."""
        system = self._mode.system_prompt(
            self._toolbox, briefing=self._briefing, language=self._language or language_of(task)
        )
        return (
            Message(role="system", content=system),
            *past,
            Message(role="user", content=self._mode.opening.format(task=task)),
            *self._mode.scratchpad(steps),
            *_open_correction(steps, corrections),
        )


def _open_correction(steps: Sequence[AgentStep], corrections: Sequence[Correction]) -> tuple[Message, ...]:
    """Return one message with what is still to be put right: what a later step has settled is left out.

    The replies it is about are not shown again: a model repeats the format it sees.
    """
    settled = steps[-1].action.turn if steps else 0
    texts = [
        f"{correction.malformed.message}\n{correction.malformed.hint}".strip()
        for correction in corrections
        if correction.turn > settled
    ]
    return (Message(role="user", content="\n\n".join(dict.fromkeys(texts))),) if texts else ()


def _as_message(reply: Reply) -> RawMessage:
    """Return the assistant message of `reply`: as the service sent it, or made of the reply's parts."""
    if reply.message is not None:
        return reply.message
    message: RawMessage = {"role": "assistant", "content": reply.text}
    if reply.refusal:
        message["refusal"] = reply.refusal
    if reply.tool_calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.tool_calls
        ]
    return message
