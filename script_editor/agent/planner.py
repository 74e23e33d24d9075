"""What to do next: everything known so far goes to a model, and its reply comes back as a typed outcome."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, assert_never

from script_editor.agent.language import Language, language_of
from script_editor.agent.last_word import read_last_word, request_for_last_word
from script_editor.agent.mode_choice import chosen_mode, fallbacks_of, is_about, next_mode
from script_editor.agent.modes import MODES, read_reply, respelled
from script_editor.agent.modes.mode import Mode
from script_editor.agent.steps import AgentStep, Correction, Outcome
from script_editor.agent.tools import Toolbox
from script_editor.llm.chat import ChatModel, Message, OnText, Reply, ToolSpec, Usage
from script_editor.llm.failures import FeatureRefused


@dataclass(frozen=True, slots=True)
class Planned:
    """What the planner decided and what deciding cost.

    `mode` is the mode in which it was decided, "" for a planner without modes; `mode_reason` says why it is
    another one than before.
    """

    outcome: Outcome
    usage: Usage
    mode: str = ""
    mode_reason: str = ""


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
    """Asks a model in one mode, given as itself, by its name in MODES, or as "auto" (see `mode_choice`).

    When the service refuses what the mode rests on, the planner goes on in the first of `fallbacks` that may
    do, in the same turn and for the rest of its life; None means those that are usual for the mode. The
    steps made before are then shown as that mode would have made them.

    `briefing` is text of the application for the system message. Without `language` the prompt and
    the feedback follow the language of the task.
    """

    def __init__(
        self,
        mode: Mode | str,
        model: ChatModel,
        toolbox: Toolbox,
        *,
        fallbacks: Sequence[Mode | str] | None = None,
        briefing: str = "",
        language: Language | None = None,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._mode = chosen_mode(mode, model)
        self._fallbacks = (
            fallbacks_of(self._mode)
            if fallbacks is None
            else tuple(MODES[one] if isinstance(one, str) else one for one in fallbacks)
        )
        self._own_since = 1
        self._model, self._toolbox = model, toolbox
        self._briefing, self._language = briefing, language
        self._clock = clock

    @property
    def mode(self) -> str:
        """The name of the mode in use."""
        return self._mode.name

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
        language, reason, began = self._language or language_of(task), "", self._clock()
        left = timeout_seconds
        while True:
            messages = self.messages(task, steps, corrections, past)
            try:
                reply = self._ask(messages, timeout_seconds=left, on_text=on_text)
            except FeatureRefused as refused:
                self._go_on_without(refused, turn=turn)
                reason = reason or str(refused)
                if timeout_seconds is not None:
                    left = max(0.0, timeout_seconds - (self._clock() - began))
                continue
            outcome = self._read(reply, steps, turn=turn, language=language)
            return Planned(outcome, reply.usage, self._mode.name, reason)

    def conclude(
        self,
        task: str,
        steps: Sequence[AgentStep],
        past: Sequence[Message],
        *,
        timeout_seconds: float | None = None,
        on_text: OnText | None = None,
    ) -> Planned:
        """Ask once, without tools, for an answer to `task` from `steps` alone; see `concluding.Concludes`."""
        language = self._language or language_of(task)
        messages = request_for_last_word(task, steps, past, briefing=self._briefing, language=language)
        reply = self._model.complete(messages, on_text=on_text, timeout_seconds=timeout_seconds)
        outcome = read_last_word(
            self._mode,
            reply.assistant_message(),
            self._toolbox,
            finish_reason=reply.finish_reason,
            language=language,
        )
        return Planned(outcome, reply.usage, self._mode.name)

    def _ask(
        self, messages: Sequence[Message], *, timeout_seconds: float | None, on_text: OnText | None
    ) -> Reply:
        return self._model.complete(
            messages,
            tools=self._specs(),
            stop=self._mode.stop,
            on_text=on_text,
            timeout_seconds=timeout_seconds,
        )

    def _go_on_without(self, refused: FeatureRefused, *, turn: int) -> None:
        """Take the next mode; raise the refusal again when it is about something else, or none is left."""
        mode = next_mode(self._fallbacks, self._model) if is_about(refused, self._mode) else None
        if mode is None:
            raise refused
        self._fallbacks = self._fallbacks[self._fallbacks.index(mode) + 1 :]
        self._mode, self._own_since = mode, turn

    def _read(self, reply: Reply, steps: Sequence[AgentStep], *, turn: int, language: Language) -> Outcome:
        return read_reply(
            self._mode.name,
            reply.assistant_message(),
            self._toolbox,
            finish_reason=reply.finish_reason,
            turn=turn,
            taken_ids={
                call_id for step in steps for call_id in (step.action.call_id, *step.action.repeated_ids)
            },
            language=language,
        )

    def _specs(self) -> tuple[ToolSpec, ...]:
        match self._mode.sends:
            case "tools":
                return self._toolbox.specs()
            case "functions":
                return tuple(replace(spec, is_legacy=True) for spec in self._toolbox.specs())
            case "":
                return ()
            case _:
                assert_never(self._mode.sends)

    def messages(
        self,
        task: str,
        steps: Sequence[AgentStep],
        corrections: Sequence[Correction],
        past: Sequence[Message],
    ) -> tuple[Message, ...]:
        """Return the whole request: the system message, the past, the task, what was done, and an open correction."""
        system = self._mode.system_prompt(
            self._toolbox, briefing=self._briefing, language=self._language or language_of(task), past=past
        )
        return (
            Message(role="system", content=system),
            *(() if self._mode.puts_past_in_prompt else past),
            Message(role="user", content=self._mode.opening.format(task=task)),
            *self._mode.scratchpad(self._in_own_words(steps)),
            *_open_correction(steps, corrections),
        )

    def _in_own_words(self, steps: Sequence[AgentStep]) -> tuple[AgentStep, ...]:
        """Return the steps with those that were made in another mode spelled as this one would have."""
        foreign = [step for step in steps if step.action.turn < self._own_since]
        return (*respelled(self._mode, foreign), *steps[len(foreign) :]) if foreign else tuple(steps)


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
