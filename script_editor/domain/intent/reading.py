"""From an instruction to what it allows."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from script_editor.domain.intent import content_wishes as content
from script_editor.domain.intent import form_wishes as form
from script_editor.domain.intent.given import without_given_texts
from script_editor.domain.intent.length import length, named_lines
from script_editor.domain.intent.spelling import writes_otherwise
from script_editor.patterns import Pattern


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a person asked for, as far as the guards need to know it; quoted text is never read as a wish.

    - `ratio` is the length asked for as a share of the base ("缩短到一半" is 0.5), None when not named;
      `seconds` and `words` are a length asked for as spoken time, or as words (Chinese: characters).
    - `is_slight` belongs to `shorter`: only a little. `summary` wants much less text, `bulk` belongs to
      `removal`: many lines may go; `removal` itself says that lines or words go. `lines` is how many lines
      the instruction names, None when none.
    - `rewrite` lets things be said quite differently, `restyle` in words of another kind (a poem, slang); with
      `genre` it becomes another kind of text, which labels and time codes may not fit.
    - `numbers` covers figures, prices, codes and addresses; `arithmetic` says that new figures follow from
      old ones (a discount, metric units).
    - `structure` covers speaker labels, time codes, cues, placeholders; `order` that lines change places;
      `repetition` that something is said twice; `spacing` punctuation, quotes, width and spaces.
    """

    translation: bool = False
    variant: Literal["simplified", "traditional"] | None = None
    shorter: bool = False
    is_slight: bool = False
    summary: bool = False
    longer: bool = False
    ratio: float | None = None
    seconds: float | None = None
    words: int | None = None
    removal: bool = False
    bulk: bool = False
    lines: int | None = None
    rewrite: bool = False
    restyle: bool = False
    genre: bool = False
    numbers: bool = False
    arithmetic: bool = False
    structure: bool = False
    order: bool = False
    repetition: bool = False
    markup: bool = False
    spacing: bool = False
    blank_lines: bool = False


@lru_cache(maxsize=16)  # most guards ask about the same instruction
def read_intent(instruction: str) -> Intent:
    """Return what the instruction asks for, in Chinese or English; nothing of it when the words say nothing."""
    spoken = without_given_texts(instruction)
    unrefused = content.NEGATED.sub(" ", spoken)
    wished = content.KEPT.sub(" ", unrefused)
    shorter, longer = _has(content.SHORTER, spoken), _has(content.LONGER, wished)
    ratio, seconds, words = length(spoken) if shorter or longer else (None, None, None)
    removal = _has(content.REMOVAL, unrefused)
    genre = _has(content.GENRE, wished)
    return Intent(
        translation=_has(content.TRANSLATION, wished),
        variant=_variant(wished),
        shorter=shorter,
        is_slight=shorter and _has(content.SLIGHT, spoken),
        summary=_has(content.SUMMARY, spoken),
        longer=longer,
        ratio=ratio,
        seconds=seconds,
        words=words,
        removal=removal,
        bulk=removal and _has(content.BULK, spoken),
        lines=named_lines(spoken),
        rewrite=_has(content.REWRITE, wished),
        restyle=genre or _has(content.REGISTER, wished),
        genre=genre,
        numbers=_has(form.NUMBERS, wished) or _has(form.FIGURES_UNSAID, spoken),
        arithmetic=_has(form.ARITHMETIC, wished),
        structure=_has(form.STRUCTURE, wished),
        order=_has(form.ORDER, wished),
        repetition=_has(form.REPETITION, wished),
        markup=_has(form.MARKUP, wished),
        spacing=_has(form.SPACING, wished) or writes_otherwise(content.KEPT.sub(" ", instruction)),
        blank_lines=_has(form.BLANK_LINES, wished) or _has(form.BLANK_LINES_UNWANTED, spoken),
    )


def _has(pattern: Pattern, text: str) -> bool:
    return pattern.search(text) is not None


def _variant(wished: str) -> Literal["simplified", "traditional"] | None:
    if _has(content.TRADITIONAL, wished):
        return "traditional"
    return "simplified" if _has(content.SIMPLIFIED, wished) else None
