"""Sentences in the language of the instruction, and the refusal they are put into."""

from collections.abc import Sequence

from script_editor.errors import EditRefused
from script_editor.offline.wording import Language

_MAX_SHOWN_CHARS = 60


def say(language: Language, zh: str, en: str) -> str:
    """Return the sentence in the language of the instruction."""
    return zh if language == "zh" else en


def shown(text: str) -> str:
    """Return `text` cut to what fits into one sentence."""
    return text if len(text) <= _MAX_SHOWN_CHARS else text[: _MAX_SHOWN_CHARS - 1] + "…"


def listed(language: Language, numbers: Sequence[int]) -> str:
    """Return numbers as a list in a sentence."""
    return ("、" if language == "zh" else ", ").join(map(str, numbers))


def refused(
    reason: str,
    language: Language,
    message: tuple[str, str],
    advice: tuple[str, str],
    *,
    segments: Sequence[int] = (),
    nearest: str = "",
) -> EditRefused:
    """Return a refusal; `message` and `advice` are given in Chinese and English."""
    return EditRefused(
        reason,
        say(language, *message),
        advice=say(language, *advice),
        segments=segments,
        nearest=nearest,
        language=language,
    )
