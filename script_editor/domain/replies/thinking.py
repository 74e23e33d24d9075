"""A model's reasoning in front of its result: a closed block is taken away, an open one is no result."""

import re

from script_editor.domain.replies.authorship import Authorship
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

_NAMES = r"(?:[a-z]{1,12}:)?(?:think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad)"
_OPENING = Pattern(
    rf"\s*+(?:<(?P<tag>{_NAMES})(?:\s[^<>\n]{{0,80}})?>|\[(?P<bracket>think|thinking|reasoning)\]|(?P<sign>◁think▷)|(?P<pipe><\|thinking\|>))",
    re.IGNORECASE,
)
_LONE_CLOSING = Pattern(
    rf"(?:^[ \t]*+(?:</{_NAMES}>|\[/(?:think|thinking|reasoning)\]|◁/think▷)|(?:</{_NAMES}>|◁/think▷)[ \t]*+$)[ \t]*+\n?",
    re.IGNORECASE | re.MULTILINE,
)
_FINAL_CHANNEL = Pattern(r"<\|channel\|>\s*+final\b[^<\n]*+(?:<\|constrain\|>[^<\n]*+)?<\|message\|>")
_BLANK_LINES = Pattern(r"\A(?:[ \t]*+\n)++")
_END = Pattern(r"<\|(?:return|end)\|>\s*+\Z")


def without_thinking(text: str, authorship: Authorship) -> str:
    """Return a reply without closed blocks of reasoning in front, and the blank lines behind them.

    A script about such tags keeps its own.

    Raises:
        EditRefused: reasoning_leak when a block is opened and never closed.
    """
    spoken = _spoken(text, authorship)
    return spoken if spoken == text else _BLANK_LINES.sub("", spoken)


def _spoken(text: str, authorship: Authorship) -> str:
    text = _final_channel(text)
    while opening := _OPENING.match(text):
        if opening[0].strip() in authorship.script.text and authorship.resembles_any(first_spoken(text)):
            return text
        closing = Pattern(re.escape(_closing_of(opening)), re.IGNORECASE).search(text, opening.end())
        if closing is None:
            raise EditRefused(
                "reasoning_leak",
                "The reply opens a block of reasoning and never closes it, so it cannot be told from the result.",
            )
        text = text[closing.end() :]
    return _after_lone_closing(text, authorship)


def _closing_of(opening: re.Match[str]) -> str:
    if opening["tag"]:
        return f"</{opening['tag']}>"
    if opening["bracket"]:
        return f"[/{opening['bracket']}]"
    return "◁/think▷" if opening["sign"] else "<|/thinking|>"


def _after_lone_closing(text: str, authorship: Authorship) -> str:
    """Return what stands behind a closing tag whose opening stood in the prompt."""
    closing = _LONE_CLOSING.search(text)
    if closing is None or _LONE_CLOSING.search(authorship.script.text):
        return text
    before = text[: closing.start()]
    if _OPENING.search(before):
        return text
    return text[closing.end() :]


def _final_channel(text: str) -> str:
    if not text.lstrip().startswith(("<|channel|>", "<|start|>")):
        return text
    final = _FINAL_CHANNEL.search(text)
    if final is None:
        raise EditRefused("reasoning_leak", "The reply holds reasoning only.")
    return _END.sub("", text[final.end() :])


def first_spoken(text: str) -> str:
    """Return the first line that is not blank, or ""."""
    return next((line for line in text.split("\n") if line.strip()), "")
