"""One meter for everyone who talks to a model in a run."""

from collections.abc import Callable, Sequence
from typing import Any

from script_editor.llm.chat import ChatModel, Message, OnText, Reply, ToolCall, ToolSpec, Usage


class Metered:
    """A ChatModel that passes everything on and adds up what it cost.

    `on_exchange`, if given, is told each request and reply as readable text.
    """

    def __init__(self, model: ChatModel, on_exchange: Callable[[str], None] | None = None):
        self._model = model
        self._on_exchange = on_exchange
        self.usage = Usage()
        self.calls = 0

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._model.name

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        stop: Sequence[str] = (),
        response_format: dict[str, Any] | None = None,
        on_text: OnText | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """See ChatModel.complete. A call that fails is counted, its tokens are unknown."""
        self.calls += 1
        reply = self._model.complete(
            messages,
            tools=tools,
            stop=stop,
            response_format=response_format,
            on_text=on_text,
            timeout_seconds=timeout_seconds,
        )
        self.usage += reply.usage
        if self._on_exchange is not None:
            self._on_exchange(exchange_text(messages, reply))
        return reply


def exchange_text(messages: Sequence[Message], reply: Reply) -> str:
    """Return one request and its reply for a person to read."""
    sent = [f"--> {message.role}\n{message.content}{_calls(message.tool_calls)}" for message in messages]
    return "\n".join([*sent, f"<-- {reply.finish_reason}\n{reply.text}{_calls(reply.tool_calls)}"])


def _calls(calls: Sequence[ToolCall]) -> str:
    return "".join(f"\n{call.name} {call.arguments}" for call in calls)
