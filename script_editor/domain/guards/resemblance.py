"""A text that is another one: the model answered a question of the script, or did what a line of it said."""

from collections.abc import Iterator
from functools import lru_cache

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import compact
from script_editor.domain.guards.suspicion import first_line
from script_editor.domain.intent import read_intent
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

_LITTLE, _SOME = 0.24, 0.42
_LITTLE_RESTYLED = 0.08
_ENOUGH_TOKENS = 6

_WORD = Pattern(r"[^\W\d_\u3400-\u9fff]{3,}|\d+|[\u3400-\u9fff]")
_COMMON_HAN = (
    "的了是在我你他她它们不就都也和与有这那个一上下来去说吧呢啊吗哦呀么把被让给对到着过很会要能可以还又"
    "但而或如果因为所什怎样"
)
_COMMON = frozenset(_COMMON_HAN) | {
    "the", "and", "for", "you", "your", "are", "our", "was", "were", "with", "that", "this", "have", "has", "had",
    "but", "not", "from", "they", "them", "she", "his", "her", "its", "will", "can", "just", "all", "get", "got",
    "what", "when", "how", "who", "why", "there", "here", "then", "than", "out", "about", "into", "over", "off",
    "too", "very", "been", "being", "did", "does", "don", "let",
}  # fmt: skip


def unlike(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find a whole text that shares next to nothing with the script. Never a text of which lines were kept."""
    intent = read_intent(context.instruction)
    if intent.translation or before.text == after.text:
        return
    kept = {segment.content for segment in before.segments} & {segment.content for segment in after.segments}
    if kept and (len(before.segments) < 8 or len(kept) * 8 > len(before.segments)):
        return
    said = compact(context.instruction)
    old = _words(before.text)
    new = frozenset(word for word in _words(after.text) if word not in said)
    if len(old) < _ENOUGH_TOKENS or len(new) < _ENOUGH_TOKENS:
        return
    shared = len(old & new)
    recall, precision = shared / len(old), shared / len(new)
    if intent.restyle or intent.rewrite:
        is_other = max(recall, precision) < _LITTLE_RESTYLED
    elif intent.shorter or intent.summary or intent.removal:
        is_other = precision < _LITTLE
    elif intent.longer:
        is_other = recall < _LITTLE
    else:
        is_other = min(recall, precision) < _LITTLE and max(recall, precision) < _SOME
    if is_other:
        yield Finding(
            guard="unlike",
            code="too_different",
            level="error",
            message="The edited text has next to nothing in common with the script: it is another text.",
            segments=tuple(segment.number for segment in after.segments[:8]),
            example=first_line(after.segments[0].content, 80) if after.segments else "",
            was=first_line(before.segments[0].content, 80) if before.segments else "",
        )


@lru_cache(maxsize=4)
def _words(text: str) -> frozenset[str]:
    """Return what a text speaks of: Han characters, and words cut to their first letters, small words left out."""
    found = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word[:5] for word in found if word not in _COMMON)
