"""One meter for everyone who talks to a model in a run."""

import time
from collections.abc import Callable, Sequence
from typing import Any

from script_editor.errors import BudgetReached, ModelFailure
from script_editor.llm.capabilities import Feature, features_of
from script_editor.llm.chat import ChatModel, Message, OnText, Reply, ToolCall, ToolSpec, Usage


class Metered:
    """A ChatModel that passes everything on, adds up what it cost, and stops when that is too much.

    `on_exchange`, if given, is told each request and reply as readable text. `max_seconds` counts
    from the construction and is the deadline of every request; None means no limit.
    """

    def __init__(
        self,
        model: ChatModel,
        on_exchange: Callable[[str], None] | None = None,
        *,
        max_tokens: int | None = None,
        max_seconds: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._model = model
        self._on_exchange = on_exchange
        self._max_tokens = max_tokens
        self._deadline = None if max_seconds is None else clock() + max_seconds
        self._clock = clock
        self.usage = Usage()
        self.calls = 0

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._model.name

    @property
    def features(self) -> frozenset[Feature]:
        """What the model behind it may be asked for."""
        return features_of(self._model)

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
        """See ChatModel.complete. A call that fails is counted, its tokens are unknown.

        Raises:
            BudgetReached: the tokens or the time were used up before this call.
        """
        timeout_seconds = self._remaining(timeout_seconds)
        self.calls += 1
        try:
            reply = self._model.complete(
                messages,
                tools=tools,
                stop=stop,
                response_format=response_format,
                on_text=on_text,
                timeout_seconds=timeout_seconds,
            )
        except ModelFailure as failure:
            if self._deadline is not None and self._clock() >= self._deadline:
                raise BudgetReached("The time for this run is used up.") from failure
            raise
        self.usage += reply.usage
        if self._on_exchange is not None:
            self._on_exchange(exchange_text(messages, reply))
        return reply

    def _remaining(self, asked: float | None) -> float | None:
        spent = self.usage.prompt_tokens + self.usage.completion_tokens
        if self._max_tokens is not None and spent >= self._max_tokens:
            raise BudgetReached(f"The run has used {spent:,} tokens; {self._max_tokens:,} were allowed.")
        if self._deadline is None:
            return asked
        left = self._deadline - self._clock()
        if left <= 0:
            raise BudgetReached("The time for this run is used up.")
        return left if asked is None else min(asked, left)


def exchange_text(messages: Sequence[Message], reply: Reply) -> str:
    """Return one request and its reply for a person to read."""
    sent = [f"--> {message.role}\n{message.content}{_calls(message.tool_calls)}" for message in messages]
    return "\n".join([*sent, f"<-- {reply.finish_reason}\n{reply.text}{_calls(reply.tool_calls)}"])


def _calls(calls: Sequence[ToolCall]) -> str:
    return "".join(f"\n{call.name} {call.arguments}" for call in calls)
