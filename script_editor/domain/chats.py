"""A conversation over scripts, as it is kept: what was said, in order, and what the program knows came of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Speaker = Literal["user", "assistant", "summary"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One conversation. `name` is how people find it again, `script_id` the script it is about at present, if any."""

    id: str
    name: str
    author: str
    created_at: datetime
    updated_at: datetime
    script_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One thing said, numbered from 1 in its chat; never changed.

    `facts` are sentences of the program about what came of it (versions, proposals), one each, which no
    summary may lose. A message of "summary" stands for all messages up to number `covers`.
    """

    chat_id: str
    seq: int
    speaker: Speaker
    content: str
    created_at: datetime
    run_id: str | None = None
    facts: tuple[str, ...] = ()
    covers: int | None = None
