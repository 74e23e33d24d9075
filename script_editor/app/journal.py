"""What wants to hear everything about a run, to keep it outside the store: the run log, or nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from script_editor.agent.events import Event
from script_editor.agent.steps import RunResult
from script_editor.app.reply_reading import Asked, Reading
from script_editor.domain.script import RunRecord
from script_editor.llm.chat import Usage
from script_editor.llm.exchange import Exchange


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriterReply:
    """A raw reply to an editing request, what it was read against, and what reading it gave.

    `refusal` is the service's own refusal field.
    """

    asked: Asked
    text: str
    finish_reason: str
    refusal: str | None
    reading: Reading


class Journal(Protocol):
    """Hears one run. Nothing it does may raise: an edit must not fail because it could not be logged."""

    def exchange(self, exchange: Exchange) -> None:
        """Take one request to the model with its reply or failure."""

    def event(self, event: Event) -> None:
        """Take one event of the loop."""

    def rewriter_reply(self, reply: RewriterReply) -> None:
        """Take one reply of the rewriter as it was read."""

    def close(self, result: RunResult | None, usage: Usage, *, bug: BaseException | None = None) -> None:
        """Take the end of the run; None when it ended by a bug or a second interrupt. `bug` is one that ended it."""


class Journals(Protocol):
    """Opens a journal for each run."""

    def begin(self, run: RunRecord, *, tool_names: Sequence[str] = ()) -> Journal:
        """Return the journal of a run that begins; `tool_names` are the tools the agent has in it."""


class _Nobody:
    def begin(self, _run: RunRecord, *, tool_names: Sequence[str] = ()) -> "Journal":  # noqa: ARG002
        return self

    def exchange(self, _exchange: Exchange) -> None:
        pass

    def event(self, _event: Event) -> None:
        pass

    def rewriter_reply(self, _reply: RewriterReply) -> None:
        pass

    def close(self, _result: RunResult | None, _usage: Usage, *, bug: BaseException | None = None) -> None:
        pass


NO_JOURNAL: Journals = _Nobody()
"""Keeps nothing."""
