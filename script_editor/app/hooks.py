"""Who is told what while a rewriter works, and what its calls have cost."""

from collections.abc import Callable
from dataclasses import dataclass, field

from script_editor.app.journal import RewriterReply
from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.llm.chat import OnText, Reply, Usage
from script_editor.llm.retry import OnWait as OnWait
from script_editor.llm.retry import Wait as Wait


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedAttempt:
    """A raw reply that could not be used, and why."""

    script: NumberedScript
    refusal: EditRefused
    reply: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PartStarted:
    """A call about one chunk of a long script is about to be made.

    `first` and `last` are line numbers; the tokens are estimates for all chunks together.
    """

    number: int
    count: int
    first: int
    last: int
    tokens_in: int
    tokens_out: int


def _ignore(_event: object) -> None:
    """Listen to nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Who is told what while a rewriter works.

    `on_text` gets pieces of the model's text, `on_part` each chunk before its call, `on_sent` which lines
    a call showed (such as "lines 12-18 of 600"), `on_reply` each raw reply with what reading it gave, and
    `on_refused` each one that was not used.
    """

    on_text: OnText | None = None
    on_part: Callable[[PartStarted], None] = _ignore
    on_sent: Callable[[str], None] = _ignore
    on_reply: Callable[[RewriterReply], None] = _ignore
    on_refused: Callable[[RefusedAttempt], None] = _ignore


@dataclass
class Account:
    """What the calls of one request have cost."""

    model: str
    usage: Usage = field(default_factory=Usage)

    def add(self, reply: Reply) -> None:
        """Count one call."""
        self.usage += reply.usage
        self.model = reply.model or self.model
