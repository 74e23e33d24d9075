"""What every command inside a chat is given, and what it gives back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from script_editor.cli.session import Session

if TYPE_CHECKING:
    from script_editor.app.chat import ChatSession


@dataclass(frozen=True, slots=True)
class Told:
    """What a command came to: its exit code, sentences for the model, and what the chat is to do next.

    `instruction` is what the person wrote in an editor, to be said now; `leaves` ends the chat.
    """

    code: int = 0
    facts: tuple[str, ...] = ()
    instruction: str | None = None
    leaves: bool = False


@dataclass
class Place:
    """Where a command is given."""

    session: Session
    chat: "ChatSession"
    read_only: bool


Run = Callable[[Place, list[str]], Told]
