"""What the offline model decides in a run: the tool to call next, or what to say at the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from script_editor.errors import BeyondOffline
from script_editor.offline.answers import sentence
from script_editor.offline.wording import Language

AnswerKind = Literal["done", "failed", "told"]


@dataclass(frozen=True, slots=True)
class Call:
    """The tool to call next."""

    tool: str
    arguments: Mapping[str, str | int | list[int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Answer:
    """The final words: that it was done, why it was not, or what a tool told."""

    text: str
    kind: AnswerKind = "told"


Decision = Call | Answer


def by_command(why: str, command: str, language: Language) -> BeyondOffline:
    """Return the refusal of something that no tool can do here, but a command of the program can."""
    run = "请运行：" if language == "zh" else "Run: "
    return BeyondOffline(sentence(why, language), hint=f"{run}script-editor {command}", language=language)
