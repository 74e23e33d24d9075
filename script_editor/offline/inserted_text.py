"""Reading the text of an insertion: 加一句“…”, add a line that says "…", or all that follows a colon."""

from collections.abc import Iterator

from script_editor.offline.courtesy import without_closing
from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.marks import mark_named
from script_editor.offline.pronouns import is_pronoun
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import (
    Anchor,
    Beyond,
    BlankLines,
    InsertInline,
    InsertLines,
    Inside,
    Reading,
    Request,
    Unclear,
)
from script_editor.offline.text_ends import ends_politely, is_loose_line
from script_editor.offline.vague import is_text_kind
from script_editor.offline.wording import Phrase, pattern

_BEFORE_TEXT = rf"(?=\s*(?:[:,]|{TOKENS}))"
_ZH_UNITS = r"(?:行台词|行字幕|行文字|行字|行|句台词|句文案|句话|句子|句|段文字|段话|段(?!子)|条)"
_ZH_SAYS = rf"(?:,?(?:内容|文字)?(?:是|为|叫|写着|写上?|说|如下){_BEFORE_TEXT})?"
ZH_NOUN = (
    rf"(?:(?:一|1|两|二|2|三|3|几|个|多|新|下面|以下|如下|这)*的?{_ZH_UNITS}(?:新的)?(?:(?:内容"
    rf"|文字|台词|字幕|文案|话){_BEFORE_TEXT})?"
    rf"|(?:以下|下面|如下|新)?的?(?:内容|文字|台词|字幕|文本|文案){_BEFORE_TEXT}|一个|个|新行)?{_ZH_SAYS}"
)
"""Pattern of what may stand between a Chinese verb of adding and the text."""

_EN_DETERMINER = r"(?:a|an|the|this|these|one|another|two|three|following)"
_EN_UNITS = r"(?:lines?|sentences?|text|words?|phrase|paragraph|row|following)"
PLAIN_EN_NOUN = (
    rf"(?:in )?(?:{_EN_DETERMINER} )*(?:(?:new|extra|single|short|additional|following|separate"
    rf"|full) )*(?:{_EN_UNITS}\b)?\s*"
)
_EN_SAYS = (
    r"(?:,? ?(?:that |which )?(?:saying|reading|says?|reads?|with(?: the)?(?: (?:text|words?))?"
    r"|containing|consisting of)\b)?"
)
EN_NOUN = (
    rf"(?:(?:in )?(?:{_EN_DETERMINER} )*(?:(?:new|extra|single|short|additional|following|separate"
    rf"|full) )*{_EN_UNITS}\b{_EN_SAYS}\s*|(?:{_EN_DETERMINER} )?(?={TOKENS}))?"
)
"""Pattern of what may stand between an English verb of adding and the text."""

_BLANK = r"(?:一个|一条|一|1|个)?(?:空行|空白行)|(?:a|an|one|another)?\s*(?:new )?(?:blank|empty) line"
_QUOTES = (
    rf"{TOKENS}(?:\s*(?:、|,|和|与|and|, ?and|;)?\s*{TOKENS})*(?:\s*(?:这|那)?(?:一|两|几)?(?:行"
    r"|句话?|段|个字))?"
)
_SENTENCE_END = "。！？!?….~～]】)）"
_MIN_PLAIN_CHARS = 4

Place = Anchor | Inside


def placed(place: Place, words: Phrase, noun: str, at_end: bool) -> Iterator[Reading]:
    """Yield the insertion of the text in `words`, after a `noun`, at `place`.

    `at_end` allows text after a colon that no quotation closes.
    """
    if pattern(_BLANK).fullmatch(without_closing(words).folded) and isinstance(place, Anchor):
        yield Reading(BlankLines("insert", place))
        return
    opening = pattern(rf"{noun}\s*(?P<mark>[:,])?\s*").match(words.folded)
    rest = words.cut(opening.end()) if opening else words
    closed = without_closing(rest)
    if not rest:
        return
    if isinstance(place, Inside) and opening and pattern(r".*(?:行|\blines?\b)").match(opening[0]):
        yield Reading(Unclear("place", words.literal))  # a line of its own, or inside the one named
        return
    if pattern(_QUOTES).fullmatch(closed.folded):
        yield from _insertion(place, closed.quoted(), closed)
    elif opening is not None and opening["mark"] == ":":
        if at_end:
            yield from _insertion(place, (rest.literal,), rest, is_open=True)
    else:
        is_set_off = opening is not None and opening["mark"] is not None
        has_noun = opening is not None and opening[0].strip() != ""
        if pattern(r".*(?:吗|么|好不好|行不行)").match(rest.folded[len(closed.folded) :]):
            yield Reading(
                Unclear("certainty", rest.literal)
            )  # a question about the edit, or the end of the text
            return
        yield from _plain(place, closed, is_set_off, has_noun)


def _plain(place: Place, words: Phrase, is_set_off: bool, has_noun: bool) -> Iterator[Reading]:
    """Read a text without quotation marks; it must look like speech, not like a wish."""
    if whole_lines(words) is not None or words.holds_quotation:
        return
    if is_pronoun(words):
        yield Reading(Unclear("target", words.literal))
    elif isinstance(place, Inside) and mark_named(words.folded) is not None:
        yield from _insertion(place, (words.literal,), words)
    elif is_text_kind(words):
        yield Reading(Beyond(words.literal))
    elif ((not words.text[:-1] or words.text[-1] not in _SENTENCE_END) and is_loose_line(words)) or (
        not is_set_off and ends_politely(words.folded)
    ):
        yield Reading(Unclear("certainty", words.literal))
    elif _is_speech(words, is_set_off, has_noun):
        yield from _insertion(place, (words.literal,), words)
    else:
        yield Reading(Unclear("certainty", words.literal))


def _is_speech(words: Phrase, is_set_off: bool, has_noun: bool) -> bool:
    """Say whether plain words can be the text itself: set off, ended like a sentence, or called a line."""
    first, last = words.text[0], words.text[-1]
    if first.isascii():
        return not first.islower() and (is_set_off or last in _SENTENCE_END or " " in words.text)
    return is_set_off or last in _SENTENCE_END or (has_noun and len(words.text) >= _MIN_PLAIN_CHARS)


def _insertion(
    place: Place, texts: tuple[str, ...], words: Phrase, *, is_open: bool = False
) -> Iterator[Reading]:
    request: Request
    if isinstance(place, Anchor):
        request = InsertLines(texts, place)
    else:
        mark = None if pattern(TOKENS).match(words.text) else mark_named(words.folded)
        request = InsertInline(mark or "".join(texts), place)
    if any(text.strip() for text in texts):
        yield Reading(request, is_open=is_open)
    else:
        yield Reading(Unclear("text", words.literal))
