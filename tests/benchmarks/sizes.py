"""Sizes of what goes to a model and comes back, counted as characters and estimated as tokens."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from script_editor.app.parts import tokens
from script_editor.llm.chat import Message
from script_editor.llm.wire import ChatRequest, Json, wire_messages
from tests.benchmarks.gold import Exchange

_ADDRESS = re.compile(r"^(?:S[0-9]+:[0-9a-z]{2}|~)(?: \[locked\])? \| |^\([0-9-]+\)$", re.MULTILINE)
_LINES = re.compile(rf"(?:(?:{_ADDRESS.pattern}).*\n?)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Size:
    """How much text."""

    characters: int = 0
    tokens: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(self.characters + other.characters, self.tokens + other.tokens)

    def __str__(self) -> str:
        return f"{self.characters:,} ({self.tokens:,})"


def size_of(*texts: str) -> Size:
    """Return the size of texts together."""
    return sum((Size(len(text), tokens(text)) for text in texts), Size())


@dataclass(frozen=True, slots=True)
class Traffic:
    """What was sent to a model, and what it answered."""

    sent: Size = Size()
    received: Size = Size()

    def __add__(self, other: "Traffic") -> "Traffic":
        return Traffic(self.sent + other.sent, self.received + other.received)

    def __str__(self) -> str:
        return f"{self.sent} > {self.received}"

    def shares_of(self, other: "Traffic") -> tuple[float, float]:
        """Return the characters sent and received as shares of another's."""
        return (
            self.sent.characters / other.sent.characters,
            self.received.characters / other.received.characters,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What one way to make an edit cost.

    `rewriter` and `planner` are contents of messages; `envelopes` is everything else of both: tools, the
    response format, the calls as JSON. `planning_envelopes` is the planner's share of that.
    """

    name: str
    rewriter: Traffic
    planner: Traffic
    envelopes: Traffic = Traffic()
    planning_envelopes: Traffic = Traffic()
    calls: int

    @property
    def run(self) -> Traffic:
        """All of it together."""
        return self.rewriter + self.planner + self.envelopes


def flow_of(name: str, exchanges: Sequence[Exchange]) -> Flow:
    """Return what the calls of a run cost."""
    planning = [each for each in exchanges if each.is_planning]
    rewriting = [each for each in exchanges if not each.is_planning]
    return Flow(
        name=name,
        rewriter=_sum(map(_contents, rewriting)),
        planner=_sum(map(_contents, planning)),
        envelopes=_sum(map(_envelope, exchanges)),
        planning_envelopes=_sum(map(_envelope, planning)),
        calls=len(exchanges),
    )


def _sum(parts: Iterable[Traffic]) -> Traffic:
    return sum(parts, Traffic())


def _contents(exchange: Exchange) -> Traffic:
    return Traffic(
        size_of(*(message["content"] for message in _body(exchange)["messages"])),
        size_of(exchange.reply.text),
    )


def _envelope(exchange: Exchange) -> Traffic:
    body = _body(exchange)
    parts = [body[name] for name in ("tools", "tool_choice", "response_format") if name in body]
    parts += [message["tool_calls"] for message in body["messages"] if "tool_calls" in message]
    calls = exchange.reply.tool_calls
    answered = (
        wire_messages([Message(role="assistant", tool_calls=calls)])[0]["tool_calls"] if calls else None
    )
    return Traffic(
        size_of(*(json.dumps(part, ensure_ascii=False) for part in parts)),
        size_of(json.dumps(answered, ensure_ascii=False)) if answered else Size(),
    )


def _body(exchange: Exchange) -> Json:
    """Return a request as it would go over the wire."""
    call = exchange.call
    return ChatRequest(
        model="",
        messages=call.messages,
        tools=call.tools,
        stop=call.stop,
        response_format=call.response_format,
    ).body()


# --- what a request to the rewriter is made of -----------------------------------------------


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Characters sent to the rewriter: the system prompts, lines of the script, their ids and marks, and the rest."""

    prompts: int
    lines: int
    addresses: int
    request: int

    def __str__(self) -> str:
        return (
            f"{self.prompts:,} of prompts, {self.lines:,} of script lines, {self.addresses:,} of ids and marks, "
            f"{self.request:,} of the request"
        )


def broken_down(exchanges: Iterable[Exchange]) -> Breakdown:
    """Return what the requests to the rewriter are made of."""
    rewriting = [each.call.messages for each in exchanges if not each.is_planning]
    prompts = sum(len(messages[0].content) for messages in rewriting)
    told = ["\n".join(message.content for message in messages[1:]) for messages in rewriting]
    views = [found[0] for text in told for found in _LINES.finditer(text)]
    addresses = sum(len(found) for view in views for found in _ADDRESS.findall(view))
    lines = sum(map(len, views)) - addresses
    return Breakdown(prompts, lines, addresses, sum(map(len, told)) - lines - addresses)
