"""A ChatModel that says what a test wrote down beforehand, and fails on anything the test did not expect."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import Message, OnText, Reply, ToolCall, ToolSpec

Answer = Callable[[Sequence[Message], Sequence[ToolSpec]], Reply | str]
Scripted = str | Reply | Exception | Answer

_PIECES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """What the model was asked."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    stop: tuple[str, ...] = ()
    response_format: dict[str, Any] | None = None  # JSON schema, open by nature
    timeout_seconds: float | None = None


class ScriptedModel:
    """Answers each call with the next of `replies`; `calls` holds what it was asked, oldest first.

    A string is a reply of that text, an exception is raised, a function is given the messages and the
    tools and returns the reply. `features` are what it may be asked for (see `capabilities`), by default
    nothing but text. Used as a context manager it checks at the end that all were used:

        with ScriptedModel([ScriptedModel.call("history", script_id="video_001"), "Two versions."]) as model:
            ...
    """

    def __init__(
        self,
        replies: Iterable[Scripted] = (),
        *,
        name: str = "scripted",
        features: Iterable[Feature] = (),
    ):
        self._left = deque(replies)
        self._name = name
        self._features = frozenset(features)
        self._surprises = 0
        self.calls: list[RecordedCall] = []

    @staticmethod
    def call(tool: str, /, **arguments: object) -> Reply:
        """Return a reply that calls `tool`; the call's id is made of the tool's name."""
        call = ToolCall(f"call_{tool}", tool, json.dumps(arguments, ensure_ascii=False))
        return Reply(tool_calls=(call,), finish_reason="tool_calls")

    @property
    def name(self) -> str:
        """The model's name, as given."""
        return self._name

    @property
    def features(self) -> frozenset[Feature]:
        """What it may be asked for, as given."""
        return self._features

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:  # what went wrong first says more than what was left over because of it
            self.assert_done()

    def assert_done(self) -> None:
        """Check that the replies were used up and no call came without one.

        Raises:
            AssertionError: they were not, or one did, even if the code under test swallowed the error then.
        """
        if self._surprises:
            raise AssertionError(f"The model was called {self._surprises} time(s) more than scripted.")
        if self._left:
            raise AssertionError(
                f"{len(self._left)} scripted replies were not asked for; next: {self._left[0]!r}"
            )

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
        """Return the next scripted reply; `on_text` gets its text in a few pieces.

        Raises:
            AssertionError: nothing is left.
            Exception: the one that was scripted.
        """
        self.calls.append(
            RecordedCall(
                messages=tuple(messages),
                tools=tuple(tools),
                stop=tuple(stop),
                response_format=response_format,
                timeout_seconds=timeout_seconds,
            )
        )
        reply = self._next(messages, tools)
        if on_text is not None:
            for piece in _pieces(reply.text):
                on_text(piece)
        return reply

    def _next(self, messages: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        if not self._left:
            self._surprises += 1
            last = messages[-1].content if messages else ""
            raise AssertionError(f"Call {len(self.calls)} was not scripted; its last message is {last!r}.")
        scripted = self._left.popleft()
        if isinstance(scripted, Exception):
            raise scripted
        if callable(scripted):
            scripted = scripted(messages, tools)
        return Reply(text=scripted) if isinstance(scripted, str) else scripted


def _pieces(text: str) -> Iterator[str]:
    size = max(1, -(-len(text) // _PIECES))
    for start in range(0, len(text), size):
        yield text[start : start + size]
