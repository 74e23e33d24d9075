"""What makes a mode: how it asks the model, how it shows it what happened, and how it reads its replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from string import Template
from typing import Literal

from script_editor.agent.calls import RequestedCall
from script_editor.agent.feedback import Terms
from script_editor.agent.language import Language
from script_editor.agent.raw_reply import RawReply
from script_editor.agent.steps import AgentAction, AgentFinish, AgentStep
from script_editor.agent.tools import Toolbox
from script_editor.llm.chat import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Requested:
    """The calls of a reply, not yet checked. `log` is its text as far as it counts, `preamble` what stands before them.

    With `one_step` the calls must all be the same one: the format has no way to ask for several.
    """

    calls: tuple[RequestedCall, ...]
    log: str
    preamble: str = ""
    one_step: bool = True


Read = Requested | AgentFinish
ReadReply = Callable[[RawReply, Toolbox], Read]
"""Return what a reply asks for; raise Unreadable when nothing of it may be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """One format of conversation between the program and a model."""

    name: str
    read: ReadReply
    scratchpad: Callable[[Sequence[AgentStep]], tuple[Message, ...]]
    """Return the messages that show what was done so far."""
    spell: Callable[[Sequence[AgentAction]], str]
    """Return the calls of one turn as a model would write them in this mode; "" when they are no text."""
    reminder: Mapping[Language, str]
    """One sentence on how to write a reply, for feedback."""
    terms: Terms = field(default_factory=Terms)
    """What the parts of a reply are called in feedback."""
    opening: str = "{task}"
    """The message that holds the task."""
    stop: tuple[str, ...] = ()
    """Where the service should stop writing."""
    sends: Literal["", "tools", "functions"] = ""
    """As what the service is told of the tools outside the prompt; "" when they stand in the prompt only."""
    puts_past_in_prompt: bool = False
    """Whether the conversation before the task is a text in the prompt (`$chat_history`) instead of messages."""
    message: Callable[[RawReply, Requested, Sequence[AgentAction]], Message] | None = None
    """Return the assistant message to replay for the actions of a reply, where the log is not enough."""

    def system_prompt(
        self, toolbox: Toolbox, *, briefing: str, language: Language, past: Sequence[Message] = ()
    ) -> str:
        """Return the system message: the format and its rules, the tools, and what the application adds.

        `past` is the conversation before the task; a mode that does not put it in the prompt leaves it out.
        """
        filled = _prompt(self.name, language).substitute(
            tools=toolbox.described(),
            tool_names=", ".join(toolbox.names),
            briefing=briefing.strip(),
            chat_history=_as_text(past, language) if self.puts_past_in_prompt else "",
        )
        return filled.strip()


@cache
def _prompt(mode: str, language: Language) -> Template:
    """Return the prompt of a mode, read once: it is wanted at every turn."""
    file = files(__package__).joinpath("prompts", f"{mode}.{language}.txt")
    return Template(file.read_text(encoding="utf-8"))


_SPEAKERS: Mapping[str, str] = {"user": "Human", "assistant": "AI"}
_NOTHING_YET: Mapping[Language, str] = {"en": "(nothing yet)", "zh": "（还没有）"}


def _as_text(past: Sequence[Message], language: Language) -> str:
    """Return a conversation as text, one speaker after the other."""
    said = [f"{_SPEAKERS[message.role]}: {message.content}" for message in past if message.role in _SPEAKERS]
    return "\n".join(said) or _NOTHING_YET[language]
