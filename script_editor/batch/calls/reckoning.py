"""What one model call is reckoned with until it is known what it took: its tokens, and their price."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from script_editor.app.parts import tokens
from script_editor.batch.planning.estimate import longest_reply
from script_editor.domain.batches import Bounds
from script_editor.llm.chat import Message, ToolSpec


def cost_of(prompt_tokens: int, completion_tokens: int, bounds: Bounds) -> float | None:
    """Return the price of tokens, None when prices are not known."""
    if bounds.price_in is None or bounds.price_out is None:
        return None
    return (prompt_tokens * bounds.price_in + completion_tokens * bounds.price_out) / 1_000_000


@dataclass(frozen=True, slots=True)
class Reserve:
    """What is set aside for a call: what is sent, about, and the longest reply that is to be expected."""

    prompt_tokens: int
    completion_tokens: int

    @classmethod
    def of(cls, messages: Sequence[Message], tools: Sequence[ToolSpec], *, reply_tokens: int) -> "Reserve":
        """Return what a request is reckoned with whose reply, by the plan, takes `reply_tokens` at most.

        One that is sent only a part of a script cannot be answered with all of it.
        """
        sent = _sent(messages, tools)
        return cls(sent, min(reply_tokens, longest_reply(sent)))

    @classmethod
    def capped(
        cls, messages: Sequence[Message], tools: Sequence[ToolSpec], *, max_output_tokens: int
    ) -> "Reserve":
        """Return what a request is reckoned with whose reply cannot be longer than that."""
        return cls(_sent(messages, tools), max_output_tokens)

    @property
    def total(self) -> int:
        """All tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def cost(self, bounds: Bounds) -> float:
        """Return the price, 0 when prices are not known."""
        return cost_of(self.prompt_tokens, self.completion_tokens, bounds) or 0.0


def _sent(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> int:
    return sum(_size(message) for message in messages) + sum(_size_of_tool(tool) for tool in tools)


def _size(message: Message) -> int:
    if message.raw is not None:
        return tokens(json.dumps(message.raw, ensure_ascii=False)) + 4
    called = sum(tokens(call.name) + tokens(call.arguments) for call in message.tool_calls)
    return tokens(message.content) + called + 4  # the role and the marks around it


def _size_of_tool(tool: ToolSpec) -> int:
    return tokens(tool.description) + tokens(json.dumps(tool.parameters, ensure_ascii=False)) + 4
