"""A model connected to a server that behaves as the test says, with time in the test's hand."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from script_editor.llm.chat import Message, Reply
from script_editor.llm.openai_chat import OpenAIChat
from tests.support.openai_server import Behaviour, OpenAIServer, ReceivedRequest

KEY = "sk-test-0123456789abcdef"
QUESTION = (Message(role="user", content="改得更轻松幽默一些"),)


@dataclass
class Connection:
    """A model and the server behind it; `waits` are the seconds it slept between tries, `pieces` what it streamed."""

    model: OpenAIChat
    server: OpenAIServer
    waits: list[float]
    pieces: list[str] = field(default_factory=list)

    def ask(self, **arguments: Any) -> Reply:  # those of `complete`
        return self.model.complete(QUESTION, **arguments)

    def stream(self, **arguments: Any) -> Reply:  # those of `complete`
        return self.ask(on_text=self.pieces.append, **arguments)


Connect = Callable[..., Connection]


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Return a function from behaviours, and settings of OpenAIChat, to a Connection. Nothing really sleeps."""
    with ExitStack() as stack:

        def connect(
            behaviours: Iterable[Behaviour] | Callable[[ReceivedRequest], Behaviour], **settings: Any
        ) -> Connection:
            server = stack.enter_context(OpenAIServer(behaviours))
            waits: list[float] = []
            defaults = {
                "api_key": KEY,
                "base_url": server.base_url,
                "sleep": waits.append,
                "jitter": lambda: 0.0,
            }
            model = stack.enter_context(OpenAIChat("qwen-plus", **{**defaults, **settings}))
            return Connection(model, server, waits)

        yield connect
