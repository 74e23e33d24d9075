"""The language of a text and of its lines, and which kind of Chinese characters: what flips unasked is refused."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import blocks
from script_editor.domain.guards.suspicion import found_at, is_dictated
from script_editor.domain.intent import read_intent
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

Variant = Literal["simplified", "traditional"]

_RANGES = {
    "Chinese": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "Japanese": "\u3040-\u30ff",
    "Korean": "\uac00-\ud7af\u1100-\u11ff",
    "Cyrillic": "\u0400-\u04ff",
    "Greek": "\u0370-\u03ff",
    "Arabic": "\u0600-\u06ff",
    "Hebrew": "\u0590-\u05ff",
    "Devanagari": "\u0900-\u097f",
    "Thai": "\u0e00-\u0e7f",
}
_COUNTED = {name: Pattern(f"[{chars}]") for name, chars in _RANGES.items()}
_LATIN_WORD = Pattern(r"[A-Za-z\u00c0-\u024f]{2,}|\b[aAI]\b")
_NO_SPEECH = Pattern(
    r"https?://\S+|\b[\w.+-]{1,64}@[\w.-]{1,64}|\{\{[^{}\n]{0,60}\}\}|\$\{[^{}\n]{0,60}\}"
    r"|\[[^\[\]\n]{0,60}\]|【[^【】\n]{0,60}】|[#@]\w+|<[^<>\n]{1,40}>"
    r"|(?<![A-Za-z])[A-Za-z]{0,12}\d[A-Za-z\d]{0,24}"
)
_SHORT = 2
_UNCLEAR = ("", "mixed")
_PURE = 0.7
_CLEAR = 0.6


@lru_cache(maxsize=4096)
def _language(line: str, enough: int = 4) -> str:
    """Return the script that most of a line is in, "mixed" when none clearly is, "" when it says too little.

    `enough` is how much it must say, in Han characters; a Latin word weighs one and a half.
    """
    plain = _NO_SPEECH.sub(" ", line)
    amounts = {name: len(pattern.findall(plain)) for name, pattern in _COUNTED.items() if not plain.isascii()}
    if amounts.get("Japanese"):
        amounts["Japanese"] += amounts.pop("Chinese", 0)
    amounts["Latin"] = round(1.5 * len(_LATIN_WORD.findall(plain)))
    name = max(amounts, key=lambda key: amounts[key])
    if amounts[name] < enough:
        return ""
    return name if amounts[name] >= _PURE * sum(amounts.values()) else "mixed"


@lru_cache(maxsize=16)
def _usual(script: NumberedScript, new: str) -> str:
    """Return the language of a script that has no line in `new`, "" when it has one or no clear language."""
    if any(_language(segment.content, _SHORT) == new for segment in script.segments):
        return ""
    weights: Counter[str] = Counter()
    for segment in script.segments:
        # A Han character says about as much as three letters.
        weights[_language(segment.content)] += len(segment.content.encode("utf-8"))
    for name in _UNCLEAR:
        del weights[name]
    if not weights:
        return ""
    name, weight = weights.most_common(1)[0]
    return name if weight >= _CLEAR * weights.total() else ""


def language(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find a text or lines that changed their language, or their kind of Chinese characters, unasked."""
    intent = read_intent(context.instruction)
    if not intent.translation:
        yield from _flipped_lines(before, after, context)
    if intent.variant is None and not intent.translation:
        yield from _flipped_characters(before, after, context)


def _flipped_lines(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    for block in blocks(before, after):
        had = Counter(_language(segment.content) for segment in block.old)
        has = Counter(_language(segment.content) for segment in block.new)
        gone = [name for name in had if name not in _UNCLEAR and had[name] > has[name]]
        for segment in block.new:
            now = _language(segment.content)
            if now in _UNCLEAR or had[now] >= has[now] or is_dictated(segment.content, context.instruction):
                continue
            # Lines of another language went for it, or it is new to a script that has one language.
            was = gone[0] if gone else "" if had["mixed"] else _usual(before, now)
            if was and was != now:
                yield found_at(
                    segment, "language_changed", f"is in {_named(now)} where the script is in {_named(was)}",
                    guard="language", was=block.old[0].content if block.old else "",
                )  # fmt: skip
                return


def _named(name: str) -> str:
    return {"Latin": "English (Latin letters)"}.get(name, name)


# --- Simplified and Traditional --------------------------------------------------------------

_HAN = Pattern("[\u4e00-\u9fff]")
_NO_EVIDENCE = frozenset("著妳祂於麼裏夠啰嘞咔哐囧唠甭喷沈")
"""Characters of one national set that people also write in the other kind of text, or in names."""


@lru_cache(maxsize=8192)
def variant_of(char: str) -> Variant | None:
    """Return which kind of Chinese writing a character belongs to, None when both have it.

    The national character sets are the table: what GB 2312 has and Big5 has not is simplified, and the
    other way round what the first, common level of Big5 has is traditional.
    """
    if char in _NO_EVIDENCE:
        return None
    in_gb, big5 = _encoded(char, "gb2312"), _encoded(char, "big5")
    if in_gb and not big5:
        return "simplified"
    return "traditional" if big5 and not in_gb and big5[0] < 0xC9 else None


def _encoded(char: str, charset: str) -> bytes:
    try:
        return char.encode(charset)
    except UnicodeEncodeError:
        return b""


def _variants(text: str) -> Counter[Variant]:
    return Counter(kind for char in _HAN.findall(text) if (kind := variant_of(char)) is not None)


def _flipped_characters(
    before: NumberedScript, after: NumberedScript, context: GuardContext
) -> Iterator[Finding]:
    new = [segment for block in blocks(before, after) for segment in block.new]
    # Not by pattern: a text without any of them is not to pay for compiling a class of twenty thousand.
    if not any("\u4e00" <= char <= "\u9fff" for segment in new for char in segment.content):
        return
    had = _variants(before.text)
    own: Variant = "simplified" if had["simplified"] >= had["traditional"] else "traditional"
    other: Variant = "traditional" if own == "simplified" else "simplified"
    if not had[own] or had[other] > 0.2 * had[own]:
        return  # a text without evidence, or one that mixes the two
    for segment in new:
        kinds = _variants(segment.content)
        foreign = {
            char
            for char in _HAN.findall(segment.content)
            if variant_of(char) == other and char not in before.text
        }
        is_most = kinds[other] > kinds[own]
        if len(foreign) >= 2 and is_most and not is_dictated(segment.content, context.instruction):
            yield found_at(
                segment, "language_changed",
                f"is in {other} characters ({''.join(sorted(foreign)[:6])}) where the script is in {own} ones",
                guard="language",
            )  # fmt: skip
            return
