"""What an instruction allows that an edit must not do unasked, read from the person's own words."""

from script_editor.domain.intent.given import (
    LINE_REFERENCE,
    given_texts,
    without_given_texts,
    without_texts_to_write,
)
from script_editor.domain.intent.reading import Intent, read_intent

__all__ = [
    "LINE_REFERENCE",
    "Intent",
    "given_texts",
    "read_intent",
    "without_given_texts",
    "without_texts_to_write",
]
