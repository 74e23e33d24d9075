"""Keeping the key out of what a service sends back: replies are kept and shown."""

from dataclasses import replace
from typing import Any

from script_editor.llm.chat import OnText, Reply

MASK = "***"
SECRET_CHARS = 16
"""A key this long is a secret and no word of a script; a shorter one is a placeholder and may be a word."""


def without_secret(key: str, reply: Reply) -> Reply:
    """Return a reply that does not repeat `key` in any of its parts."""
    if len(key) < SECRET_CHARS:
        return reply
    calls = tuple(
        replace(call, name=call.name.replace(key, MASK), arguments=call.arguments.replace(key, MASK))
        for call in reply.tool_calls
    )
    return replace(
        reply,
        text=reply.text.replace(key, MASK),
        tool_calls=calls,
        refusal=reply.refusal and reply.refusal.replace(key, MASK),
        model=reply.model.replace(key, MASK),
        message=_masked(key, reply.message),
    )


class WithoutSecret:
    """Passes pieces of a text on without `key`, however it is cut into pieces.

    An end that could be the beginning of the key is held back until it is clear what it is; `flush` passes it on.
    """

    def __init__(self, key: str, on_text: OnText):
        self._key = key if len(key) >= SECRET_CHARS else ""
        self._on_text, self._held = on_text, ""

    def __call__(self, piece: str) -> None:
        """Take a piece of the text."""
        text = self._held + piece
        if self._key:
            text = text.replace(self._key, MASK)
        keep = next(
            (
                size
                for size in range(min(len(self._key) - 1, len(text)), 0, -1)
                if self._key.startswith(text[-size:])
            ),
            0,
        )
        self._held = text[len(text) - keep :]
        self._pass_on(text[: len(text) - keep])

    def flush(self) -> None:
        """Say that the text is over."""
        held, self._held = self._held, ""
        self._pass_on(held)

    def _pass_on(self, text: str) -> None:
        if text:
            self._on_text(text)


def _masked(key: str, value: Any) -> Any:  # JSON of any shape
    if isinstance(value, str):
        return value.replace(key, MASK)
    if isinstance(value, list):
        return [_masked(key, item) for item in value]
    if isinstance(value, dict):
        return {name.replace(key, MASK): _masked(key, item) for name, item in value.items()}
    return value
