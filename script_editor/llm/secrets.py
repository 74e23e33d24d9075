"""Keys out of what is kept, logged and shown: wherever they occur, also inside what a service sent back."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from script_editor.llm.chat import OnText, Reply

HIDDEN = "***"
SECRET_CHARS = 16
"""A key this long is a secret and no word of a script; a shorter one is a placeholder and may be a word."""
_WORD_LIMIT = 8
"""A shorter secret is hidden where it stands as a word of its own: "x" is a key for some local servers."""


class Mask:
    """Hides `secrets` in texts and JSON values; those shorter than `min_chars` are none."""

    def __init__(self, secrets: Sequence[str], *, min_chars: int = 1):
        meant = {secret.strip() for secret in secrets if len(secret.strip()) >= min_chars}
        spelled = {form for secret in meant for form in _forms(secret)}
        self._forms = sorted(spelled, key=len, reverse=True)  # a key that begins like another is hidden whole
        self._pattern = re.compile("|".join(map(_hidden_as, self._forms))) if self._forms else None

    def finds(self, text: str) -> bool:
        """Say whether a secret stands in a text, which may be a line of JSON."""
        return self._pattern is not None and self._pattern.search(text) is not None

    def text(self, text: str) -> str:
        """Return a text without the secrets."""
        return text if self._pattern is None else self._pattern.sub(HIDDEN, text)

    def value(self, value: Any) -> Any:  # JSON of any shape
        """Return a JSON value without the secrets, in keys of objects as well."""
        match value:
            case str():
                return self.text(value)
            case dict():
                return {self.text(str(key)): self.value(inner) for key, inner in value.items()}
            case list() | tuple():
                return [self.value(inner) for inner in value]
            case _:
                return value

    def reply(self, reply: Reply) -> Reply:
        """Return a reply that repeats no secret in any of its parts."""
        if self._pattern is None:
            return reply
        calls = tuple(
            replace(call, name=self.text(call.name), arguments=self.text(call.arguments))
            for call in reply.tool_calls
        )
        return replace(
            reply,
            text=self.text(reply.text),
            tool_calls=calls,
            refusal=reply.refusal and self.text(reply.refusal),
            model=self.text(reply.model),
            message=self.value(reply.message),
        )

    def settled(self, text: str) -> int:
        """Return how much of a text, which goes on, holds no part of a secret that is not there yet."""
        if self._pattern is None:
            return len(text)
        end = len(text) - max(_begun(form, text) for form in self._forms)
        # One that is whole may end as it begins: it is not cut in two.
        return next((found.start() for found in self._pattern.finditer(text) if found.end() > end), end)


class Masked:
    """Passes pieces of a text on without secrets, however they are cut into pieces.

    An end that could be the beginning of one is held back until it is clear what it is; `flush` passes it on.
    """

    def __init__(self, mask: Mask, on_text: OnText):
        self._mask, self._on_text, self._held = mask, on_text, ""

    def __call__(self, piece: str) -> None:
        """Take a piece of the text."""
        text = self._held + piece
        end = self._mask.settled(text)
        self._held = text[end:]
        self._pass_on(text[:end])

    def flush(self) -> None:
        """Say that the text is over."""
        held, self._held = self._held, ""
        self._pass_on(held)

    def _pass_on(self, text: str) -> None:
        if text:
            self._on_text(self._mask.text(text))


def _forms(secret: str) -> Iterator[str]:
    """Yield a secret as it is, and as it stands inside JSON, and in JSON inside JSON."""
    for _ in range(3):
        yield secret
        yield json.dumps(secret, ensure_ascii=False)[1:-1]
        secret = json.dumps(secret)[1:-1]


def _hidden_as(form: str) -> str:
    literal = re.escape(form)
    return literal if len(form) >= _WORD_LIMIT else f"(?<![A-Za-z0-9_]){literal}(?![A-Za-z0-9_])"


def _begun(form: str, text: str) -> int:
    """Return how many characters at the end of a text are the beginning of a secret, all of it left out."""
    longest = min(len(form) - 1, len(text))
    return next((size for size in range(longest, 0, -1) if form.startswith(text[-size:])), 0)
