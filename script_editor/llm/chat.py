"""The words in which the program talks to any chat model, whatever stands behind it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Role = Literal["system", "user", "assistant", "tool", "function"]
FinishReason = Literal["stop", "length", "content_filter", "tool_calls", "function_call", "unknown"]
OnText = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool call of a model. `arguments` is the text the model wrote, not yet parsed or trusted."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a conversation.

    `tool_call_id` and `name` belong to role "tool", `name` alone to role "function", which answers the older
    form of a call. `raw` is the assistant message as the service sent
    it: when present it is replayed instead of the other fields, so that nothing a service needs
    (reasoning fields, signatures) is lost.
    """

    role: Role
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    raw: dict[str, Any] | None = None  # the service's own shape, open by nature


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model is told of it; `parameters` is a strict JSON schema of an object.

    `is_forced` asks for a call of this tool and nothing else; at most one tool of a request has it. Not
    every service obeys, so the reply may still be text. `is_legacy` sends it in the older form, as one of
    `functions`; all tools of a request are of one form.
    """

    name: str
    description: str
    parameters: dict[str, Any]  # JSON schema
    is_forced: bool = False
    is_legacy: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the service reported them. `known` is False when it reported none for some call."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    known: bool = True

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.known and other.known,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered. Text and calls may both be empty; `refusal` is the service's own refusal field.

    `message` is the assistant message as a plain dict, for replay.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = "stop"
    refusal: str | None = None
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    message: dict[str, Any] | None = None  # the service's own shape, open by nature

    def assistant_message(self) -> dict[str, Any]:
        """Return the assistant message as the service sent it, or made of the other fields where that is not known."""
        if self.message is not None:
            return self.message
        made: dict[str, Any] = {"role": "assistant", "content": self.text}
        if self.refusal:
            made["refusal"] = self.refusal
        if self.tool_calls:
            made["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.arguments},
                }
                for call in self.tool_calls
            ]
        return made


class ChatModel(Protocol):
    """Anything that completes a conversation."""

    @property
    def name(self) -> str:
        """The model's name, as recorded with what it wrote."""

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
        """Return the model's reply to `messages`.

        `on_text` receives pieces of text as they arrive; the whole text is in the reply as well.
        `timeout_seconds` bounds the call with all its retries; the model's own limit holds as well.

        Raises:
            SetupError: the key or the model was refused.
            ModelFailure: the service failed after retries, or its answer was not an answer; FeatureRefused
                (see `failures`) if it would not take the tools or the response format.
        """
