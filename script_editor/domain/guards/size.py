"""How much text came back, against how much was asked for."""

import re
from collections.abc import Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import changed_pairs
from script_editor.domain.intent import Intent, read_intent
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

LEAST, MOST = 0.55, 1.8
"""Shares of the old text between which an edit stays that says nothing of length."""
_LEAST_SLIGHT = 0.45
_LEAST_SHORTER = 0.2
_LEAST_REMOVAL = 0.35
_MOST_LONGER = 6.0
_LOST_FLOOR = 60.0  # letters (a Han character counts two): less than a long sentence is never "content lost"
_LEAST_COLLAPSED, _COLLAPSED_FLOOR, _COLLAPSED_LINES = 0.7, 24.0, 3
_GROWN_FLOOR = 160.0
_ONE_LINE_FLOOR = 200.0
_PER_SECOND = 8.5  # letters spoken in a second: 250 Han characters, or 130 English words, a minute
_PER_WORD = 5.0

_HAN = Pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LETTERS = Pattern(r"\w")
_UNSPOKEN = Pattern(r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?|-->|https?://\S+|\[[^\[\]\n]*\]")


def size(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find a text that lost much of its content, or grew to another one, without being asked to."""
    old, new = letters(before.text), letters(after.text)
    if not old or not new or before.text == after.text:
        return
    intent = read_intent(context.instruction)
    if intent.translation:
        old, new = _spoken_units(before.text), _spoken_units(after.text)
    least, most = _least(intent, old), _most(intent, old)
    if (
        intent.removal
        and not (intent.bulk or intent.shorter)
        and intent.lines is not None
        and not intent.translation
    ):
        least = LEAST * (1 - _largest(before, intent.lines) / old)
    floor = _floor(before, after)
    if least == LEAST and not intent.rewrite and _is_collapsed(before, after):
        least, floor = _LEAST_COLLAPSED, _COLLAPSED_FLOOR
    given = letters(context.instruction)
    gone = sum(line is not None and other is None for line, other in changed_pairs(before, after))
    is_cues = "-->" in before.text  # one named subtitle is three lines
    if _names_what_goes(intent) and intent.lines is not None and gone > intent.lines and not is_cues:
        yield _finding("content_lost", "More lines are gone than the instruction names", before, after)
    elif new < least * old and old - new > floor:
        yield _finding("content_lost", f"Only {new / old:.0%} of the script is left", before, after)
    elif new - given > most * old and new - given - old > _GROWN_FLOOR:
        yield _finding("too_different", f"The text grew to {new / old:.1f} times its length", before, after)


def _names_what_goes(intent: Intent) -> bool:
    """Say whether the lines that are to go are named one by one, and nothing else asks for less text."""
    loose = intent.bulk or intent.shorter or intent.summary or intent.restyle or intent.rewrite
    return intent.removal and not loose and not intent.translation


def letters(text: str) -> float:
    """Return how much a text says: its letters, a Han character or syllable sign counting two."""
    plain = _UNSPOKEN.sub(" ", text)
    return float(len(_LETTERS.findall(plain)) + len(_HAN.findall(plain)))


def _spoken_units(text: str) -> float:
    """Return what is comparable between languages: an English word says about as much as 1.6 Han characters."""
    plain = _UNSPOKEN.sub(" ", text)
    han = len(_HAN.findall(plain))
    return 2.0 * han + 3.2 * len(re.findall(r"[^\W\d_]+", _HAN.sub(" ", plain)))


def _largest(script: NumberedScript, count: int) -> float:
    """Return how many letters the `count` longest lines have: what may go when so many lines are named."""
    return sum(sorted((letters(segment.content) for segment in script.segments), reverse=True)[:count])


def _floor(before: NumberedScript, after: NumberedScript) -> float:
    """Return how many letters may always go: more where one line alone changed."""
    touched = sum(old is not None for old, _ in changed_pairs(before, after))
    return _ONE_LINE_FLOOR if touched == 1 else _LOST_FLOOR


def _is_collapsed(before: NumberedScript, after: NumberedScript) -> bool:
    """Say whether several lines came back as very few, none of them the author's: a summary, or an answer."""
    old, new = ({segment.content for segment in script.segments} for script in (before, after))
    return _COLLAPSED_LINES * len(after.segments) <= len(before.segments) and old.isdisjoint(new)


def _least(intent: Intent, old: float) -> float:
    """Return the share of the old text that must be left."""
    if intent.bulk or intent.summary or intent.restyle:
        return 0.0
    least = LEAST
    if intent.shorter:
        least = _LEAST_SLIGHT if intent.is_slight else _LEAST_SHORTER
        wanted = _wanted(intent, old)
        if wanted is not None and wanted < 1:
            least = wanted / 2
    if intent.removal:
        least = min(least, _LEAST_REMOVAL)
    return least


def _most(intent: Intent, old: float) -> float:
    """Return how many times the old text there may be."""
    wanted = _wanted(intent, old) or 0.0
    most = _MOST_LONGER if intent.longer or intent.restyle else MOST
    return max(most, wanted * MOST)


def _wanted(intent: Intent, old: float) -> float | None:
    """Return the length asked for as a share of the old one, None when none is named."""
    if intent.ratio is not None:
        return intent.ratio
    if intent.seconds is not None:
        return intent.seconds * _PER_SECOND / old
    return intent.words * _PER_WORD / old if intent.words is not None else None


def _finding(code: str, what: str, before: NumberedScript, after: NumberedScript) -> Finding:
    return Finding(
        guard="size",
        code=code,
        level="error",
        message=f"{what}: {len(before.segments)} lines became {len(after.segments)}, which nobody asked for.",
        example=after.segments[0].content[:80],
        was=before.segments[0].content[:80],
    )
