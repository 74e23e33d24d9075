"""What makes a mode: how it asks the model, how it shows it what happened, and how it reads its replies."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from script_editor.agent.calls import RequestedCall
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
    reminder: Mapping[Language, str]
    """One sentence on how to write a reply, for feedback."""
    opening: str = "{task}"
    """The message that holds the task."""
    stop: tuple[str, ...] = ()
    """Where the service should stop writing."""
    sends_tools: bool = False
    """Whether the service is told of the tools outside the prompt."""
    message: Callable[[RawReply, Requested, Sequence[AgentAction]], Message] | None = None
    """Return the assistant message to replay for the actions of a reply, where the log is not enough."""

    def system_prompt(self, toolbox: Toolbox, *, briefing: str, language: Language) -> str:
        """Return the system message: the format and its rules, the tools, and what the application adds."""
        prompt = (
            files(__package__).joinpath("prompts", f"{self.name}.{language}.txt").read_text(encoding="utf-8")
        )
        filled = Template(prompt).substitute(
            tools=toolbox.described(), tool_names=", ".join(toolbox.names), briefing=briefing.strip()
        )
        return filled.strip()
