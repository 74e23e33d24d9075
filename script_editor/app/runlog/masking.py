"""Keys out of what is written: wherever they occur, also inside what a service sent back."""

import json
import re
from collections.abc import Iterator, Sequence

HIDDEN = "***"
_WORD_LIMIT = 8
"""A shorter secret is hidden where it stands as a word of its own: "x" is a key for some local servers."""


class Mask:
    """Hides `secrets` in JSON values."""

    def __init__(self, secrets: Sequence[str]):
        spelled = {form for secret in secrets if secret.strip() for form in _forms(secret.strip())}
        ordered = sorted(spelled, key=len, reverse=True)  # a key that begins like another one is hidden whole
        self._pattern = re.compile("|".join(map(_hidden_as, ordered))) if ordered else None

    def finds(self, text: str) -> bool:
        """Say whether a secret stands in a text, which may be a line of JSON."""
        return self._pattern is not None and self._pattern.search(text) is not None

    def text(self, text: str) -> str:
        """Return a text without the secrets."""
        return text if self._pattern is None else self._pattern.sub(HIDDEN, text)

    def value(self, value: object) -> object:
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


def _forms(secret: str) -> Iterator[str]:
    """Yield a secret as it is, and as it stands inside JSON, and in JSON inside JSON."""
    for _ in range(3):
        yield secret
        yield json.dumps(secret, ensure_ascii=False)[1:-1]
        secret = json.dumps(secret)[1:-1]


def _hidden_as(form: str) -> str:
    literal = re.escape(form)
    return literal if len(form) >= _WORD_LIMIT else f"(?<![A-Za-z0-9_]){literal}(?![A-Za-z0-9_])"
