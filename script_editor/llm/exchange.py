"""One request to a model and what came of it, as everyone who keeps or shows it is told."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from script_editor.llm.chat import Message, Reply, ToolCall, ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """A request, and its reply or the failure in its place. `seconds` is how long it took, with all retries."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    stop: tuple[str, ...] = ()
    response_format: dict[str, Any] | None = None  # JSON schema, open by nature
    reply: Reply | None = None
    failure: Exception | None = None
    seconds: float = 0.0


OnExchange = Callable[[Exchange], None]


def exchange_text(exchange: Exchange) -> str:
    """Return one request and its reply for a person to read."""
    sent = [
        f"--> {message.role}\n{message.content}{_calls(message.tool_calls)}" for message in exchange.messages
    ]
    reply = exchange.reply
    came = (
        f"<-- failed: {exchange.failure}"
        if reply is None
        else f"<-- {reply.finish_reason}\n{reply.text}{_calls(reply.tool_calls)}"
    )
    return "\n".join([*sent, came])


def _calls(calls: Sequence[ToolCall]) -> str:
    return "".join(f"\n{call.name} {call.arguments}" for call in calls)
