"""Where words stand as themselves: "12" is not in "120", "art" is not in "smart", 二十 is not in 二十三."""

from collections.abc import Iterator

from script_editor.domain.matching import find_all, fold

_ZH_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿兩萬億壹贰叁肆伍陆柒捌玖拾佰仟")
_IN_NUMBERS = frozenset(".,:．，：/")
_UNSPACED = (  # scripts that put no space between words, or hang particles on them
    ("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"), ("\u2e80", "\u9fff"),
    ("\uac00", "\ud7af"), ("\uf900", "\ufaff"), ("\U00020000", "\U0003ffff"),
)  # fmt: skip


def count_phrase(text: str, phrase: str) -> int:
    """Return how often `phrase` stands in `text`, byte for byte, and not as a part of a longer word or number."""
    return sum(stands_alone(text, start, end) for start, end in _everywhere(text, phrase))


def phrase_spans(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Yield where `phrase` stands in `text` after folding and without case, not as part of a longer word or number."""
    for start, end in find_all(
        text.casefold() if _keeps_length(text) else text, _folded_case(text, phrase), folded=True
    ):
        if stands_alone(text, start, end):
            yield start, end


def forms_of(text: str, phrase: str) -> tuple[str, ...]:
    """Return the forms in which `phrase` stands in `text`: itself, else those that differ in case or folding only."""
    if not phrase:
        return ()
    if count_phrase(text, phrase):
        return (phrase,)
    return tuple(dict.fromkeys(text[start:end] for start, end in phrase_spans(text, phrase)))


def stands_alone(text: str, start: int, end: int) -> bool:
    """Say whether the span is no part of a longer word or number; Han words need no such edge."""
    return not (_joined(text, start, -1) or _joined(text, end - 1, 1))


def _joined(text: str, edge: int, step: int) -> bool:
    """Say whether the character at `edge` runs on into its neighbour, left (-1) or right (1) of it."""
    beside = text[edge + step] if 0 <= edge + step < len(text) else ""
    beyond = text[edge + 2 * step] if 0 <= edge + 2 * step < len(text) else ""
    char = text[edge]
    if char.isdecimal():
        return beside.isdecimal() or (beside in _IN_NUMBERS and beside != "" and beyond.isdecimal())
    if char in _ZH_NUMERALS:
        return beside in _ZH_NUMERALS
    return _is_of_word(char) and _is_of_word(beside)


def _is_of_word(char: str) -> bool:
    return char.isalnum() and not any(low <= char <= high for low, high in _UNSPACED)


def _everywhere(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    end = 0
    start = text.find(phrase) if phrase else -1
    while start >= 0:
        if start >= end:
            end = start + len(phrase)
            yield start, end
        start = text.find(phrase, start + 1)


def _keeps_length(text: str) -> bool:
    return len(text.casefold()) == len(text)


def _folded_case(text: str, phrase: str) -> str:
    return phrase.casefold() if _keeps_length(text) else fold(phrase)[0]
