"""One meter for everyone who talks to a model in a run."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from script_editor.errors import BudgetReached, ModelFailure, ScriptEditorError
from script_editor.llm.capabilities import Feature, features_of
from script_editor.llm.chat import ChatModel, Message, OnText, Reply, ToolSpec, Usage
from script_editor.llm.exchange import Exchange, OnExchange

NOTHING = Usage()
"""What nothing has cost."""


class Metered:
    """A ChatModel that passes everything on, adds up what it cost, and stops when that is too much.

    `on_exchange`, if given, is told each request with its reply or failure. `max_seconds` counts
    from the construction and is the deadline of every request; `max_calls` counts requests, of the agent and
    of its tools alike. None means no limit. `spent` is what was used for the same purpose before.
    """

    def __init__(
        self,
        model: ChatModel,
        on_exchange: OnExchange | None = None,
        *,
        max_tokens: int | None = None,
        max_seconds: float | None = None,
        max_calls: int | None = None,
        spent: Usage = NOTHING,
        clock: Callable[[], float] = time.monotonic,
    ):
        self._model = model
        self._on_exchange = on_exchange
        self._max_tokens, self._max_calls = max_tokens, max_calls
        self._deadline = None if max_seconds is None else clock() + max_seconds
        self._clock = clock
        self.usage = spent
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
            BudgetReached: the tokens, the time or the calls were used up before this call.
        """
        timeout_seconds = self._remaining(timeout_seconds)
        self.calls += 1
        asked = Exchange(
            messages=tuple(messages), tools=tuple(tools), stop=tuple(stop), response_format=response_format
        )
        started = self._clock()
        try:
            reply = self._model.complete(
                messages,
                tools=tools,
                stop=stop,
                response_format=response_format,
                on_text=on_text,
                timeout_seconds=timeout_seconds,
            )
        except ScriptEditorError as failure:
            self._tell(replace(asked, failure=failure, seconds=self._clock() - started))
            late = self._deadline is not None and self._clock() >= self._deadline
            if late and isinstance(failure, ModelFailure):
                raise _out_of_time() from failure
            raise
        self.usage += reply.usage
        self._tell(replace(asked, reply=reply, seconds=self._clock() - started))
        return reply

    def _tell(self, exchange: Exchange) -> None:
        if self._on_exchange is not None:
            self._on_exchange(exchange)

    def _remaining(self, asked: float | None) -> float | None:
        spent = self.usage.prompt_tokens + self.usage.completion_tokens
        if self._max_tokens is not None and spent >= self._max_tokens:
            raise BudgetReached(f"The run has used {spent:,} tokens; {self._max_tokens:,} were allowed.")
        if self._max_calls is not None and self.calls >= self._max_calls:
            raise BudgetReached(
                f"The run has made the {self._max_calls:,} model calls it may make.", kind="calls"
            )
        if self._deadline is None:
            return asked
        left = self._deadline - self._clock()
        if left <= 0:
            raise _out_of_time()
        return left if asked is None else min(asked, left)


def _out_of_time() -> BudgetReached:
    return BudgetReached("The time for this run is used up.", kind="seconds")
