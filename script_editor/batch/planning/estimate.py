"""What a plan will about take: tokens, money, time. Ranges, since nobody knows how much a model will rewrite."""

from collections.abc import Iterable
from dataclasses import dataclass

from script_editor.app.parts import tokens

SAMPLE = 200
"""How many texts are looked at to tell what all of them will take."""

_REQUEST_TOKENS = (400, 900)
"""What a request for an edit holds besides the lines: the prompt in English as text, in Chinese with a JSON schema."""
_PLANNING_TOKENS = (2_000, 5_000)
"""What an agent is sent besides: two more requests with tools, and what these told."""
_REPLY_TOKENS = (60, 200)
_REWRITTEN = (0.2, 1.3)
"""How much of a text comes back: a few lines, or all of it with its marks."""
_AGAIN = 1.5
"""How much more is sent where every second request has to be repeated."""
_DIRECT_CALLS, _AGENT_CALLS = 1, 3
_SECONDS_A_CALL = 4.0
_SECONDS_OFFLINE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Tokens sent and received as (low, high); money likewise, None where prices are not known; seconds."""

    sent: tuple[int, int]
    received: tuple[int, int]
    cost: tuple[float, float] | None
    seconds: float


def longest_reply(text_tokens: float) -> int:
    """Return how many tokens of an edit of a text come back at the upper end of an estimate."""
    return round(text_tokens * _REWRITTEN[1] + _REPLY_TOKENS[1])


def one_call(text_tokens: float, *, max_output_tokens: int | None) -> tuple[tuple[int, int], int]:
    """Return what the edit of one text takes in one call: sent as (low, high), and the reply it is reckoned with."""
    low, high = (round(text_tokens + request) for request in _REQUEST_TOKENS)
    reply = longest_reply(text_tokens) if max_output_tokens is None else max_output_tokens
    return (low, round(high * _AGAIN)), reply


def mean_tokens(texts: Iterable[str]) -> float:
    """Return about how many tokens one of these texts takes, 0 where there is none."""
    counts = [tokens(text) for text in texts]
    return sum(counts) / max(1, len(counts))


def estimate(
    text_tokens: float,
    items: int,
    *,
    is_direct: bool,
    workers: int,
    price_in: float | None,
    price_out: float | None,
    is_offline: bool,
) -> Estimate:
    """Return what so many items will about take, each over a text (with its instruction) of so many tokens."""
    if is_offline:
        return Estimate(sent=(0, 0), received=(0, 0), cost=(0.0, 0.0), seconds=items * _SECONDS_OFFLINE)
    low, high = (
        round(items * (text_tokens + request + (0 if is_direct else planning)))
        for request, planning in zip(_REQUEST_TOKENS, _PLANNING_TOKENS, strict=True)
    )
    sent = (low, round(high * _AGAIN))
    few, many = (
        round(items * (text_tokens * share + reply))
        for share, reply in zip(_REWRITTEN, _REPLY_TOKENS, strict=True)
    )
    calls = items * (_DIRECT_CALLS if is_direct else _AGENT_CALLS)
    return Estimate(
        sent=sent,
        received=(few, many),
        cost=_cost(sent, (few, many), price_in, price_out),
        seconds=calls * _SECONDS_A_CALL / max(1, min(workers, items)),
    )


def _cost(
    sent: tuple[int, int], received: tuple[int, int], price_in: float | None, price_out: float | None
) -> tuple[float, float] | None:
    if price_in is None or price_out is None:
        return None
    low, high = (
        (given * price_in + got * price_out) / 1e6 for given, got in zip(sent, received, strict=True)
    )
    return low, high
