"""Reading places between lines: 第3行前面, after line 4, 最后, at the very top, between lines 2 and 3."""

from script_editor.offline import numerals
from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.lines import Holding, Lines, Run, nth
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import Anchor, AnchorKind, Inside
from script_editor.offline.wording import Phrase, pattern

_SCRIPT = (
    r"(?:(?:整个|整篇|全|这个|这篇|本)?(?:脚本|文案|稿子|文稿|文章|台词|字幕|视频|正文|原文|文|篇|片)的?)?"
)
_ZH_START = (
    rf"{_SCRIPT}(?:最)?(?:开头|开始|前面|前边|前头|前|上面|上边|上方|顶部|顶端|顶上|开篇|首部|首位"
    r"|开场|头部|头上|顶|首)(?:处|部|的?位置|那里|的?地方|部分)?"
)
_ZH_END = (
    rf"{_SCRIPT}(?:最)?(?:结尾|末尾|最后|结束|末端|末位|后面|后边|后头|后|下面|下边|下方|底部|底端"
    r"|底下|底|尾部|尾巴|收尾|尾|末)(?:处|部|的?位置|那里|的?地方|部分)?"
)
_ZH_START_BARE = r"(?:前面|前边|前头|前|上面|上边|上方|上|首|顶|头)"
_ZH_END_BARE = r"(?:后面|后边|后头|后|下面|下边|下方|底下|下|尾|末|底)"
_ZH_BEFORE = (
    r"(?:的)?(?:正|紧|紧接着)?(?:前面|前边|前头|之前|以前|前方|前|上面|上边|上方|之上|上)(?:的?位置"
    r"|那里|处|的?地方|一行)?"
)
_ZH_AFTER = (
    r"(?:的)?(?:正|紧|紧接着|紧挨着)?(?:后面|后边|后头|之后|以后|后方|后|下面|下边|下方|之下|底下"
    r"|下)(?:的?位置|那里|处|的?地方|一行)?"
)
_ZH_BETWEEN = r"(?:的)?(?:之间|中间|当中)(?:的?位置|那里|处|的?地方)?"
_ZH_OPENING = r"(?:就)?(?:在|往|到|至|去|于|给|成为|作为|当作|紧接)*"

_WHOLE = (
    r"(?:(?: of| in)? (?:the |this |my |our )?(?:whole |entire )?(?:script|text|file|document|video"
    r"|page|piece|draft|list|copy|show|episode|transcript|everything))?"
)
_EN_START = (
    r"(?:(?:right |just )?(?:at|to|on|in|from) )?(?:the )?(?:very )?(?:top|beginning|start|front"
    rf"|head|opening){_WHOLE}|first of all|up top|before everything(?: else)?"
    r"|as (?:the )?(?:very )?(?:first|opening|top) (?:line|sentence)"
    rf"|to be (?:the )?first(?: line)?|first"
)
_EN_END = (
    r"(?:(?:right |just )?(?:at|to|on|in) )?(?:the )?(?:very )?(?:end|bottom|close|finish"
    rf"|tail){_WHOLE}|after everything(?: else)?|as (?:the )?(?:very )?(?:last|final"
    r"|closing) (?:line|sentence)"
    rf"|to be (?:the )?last(?: line)?|last"
)
_EN_BEFORE = (
    r"(?:(?:(?:as|on) (?:a|its) (?:new|separate|own)(?: new| separate)? line|to|in|into"
    r"|so (?:that )?it (?:comes|is|goes)|to come|to go|directly|immediately|right|just"
    r"|straight)\s+)*(?:before|above|ahead of|in front of|preceding|on top of|over)"
)
_EN_AFTER = (
    r"(?:(?:(?:as|on) (?:a|its) (?:new|separate|own)(?: new| separate)? line|to|in|into"
    r"|so (?:that )?it (?:comes|is|goes)|to come|to go|directly|immediately|right|just"
    r"|straight)\s+)*(?:after|below|behind|following|under|underneath|beneath|to follow)"
)
_EN_BETWEEN = r"(?:in )?(?:between|in the middle of)"
_POSITION = (
    rf"第(?P<zh>{numerals.ZH})(?:位|个位置|个)|(?:to|at|into|in) (?:the )?(?:position|place|spot|slot"
    rf"|number)(?: number)? #?(?P<en>{numerals.EN})"
)
_EN_AT = r"(?:at|to|into|in|as)(?: the)?(?: (?:position|place|spot|slot)(?: of)?)?"

VAGUE_PLACE = (
    r"(?:在|到|往)?(?:前面|后面|上面|下面|中间|这里|那里|旁边|前边|后边|这儿|那儿|别处|其他地方)"
    r"|(?:to |in |over )?(?:above|below|there|here|before|after|the middle|somewhere|further (?:up"
    r"|down))"
)
"""Pattern of words that name a place only for one who sees what is pointed at."""

_INLINE_ZH = (
    r"(?:的)?(?:最)?(?:(?P<end>末尾|结尾|行尾|句尾|行末|句末|尾部|末端|最后)|开头|行首|句首|开始"
    r"|头部)(?:处|部|的?位置)?"
)
_INLINE_EN = r"(?:at|to|on|in) (?:the )?(?:very )?(?:(?P<end>end|tail)|start|beginning|front|head) of "


_ENDS: tuple[tuple[str, AnchorKind], ...] = (
    (_ZH_START, "start"),
    (_ZH_END, "end"),
    (_EN_START, "start"),
    (_EN_END, "end"),
)
_ZH_SIDES: tuple[tuple[str, AnchorKind], ...] = ((_ZH_BEFORE, "before"), (_ZH_AFTER, "after"))
_EN_SIDES: tuple[tuple[str, AnchorKind], ...] = ((_EN_BEFORE, "before"), (_EN_AFTER, "after"))


def read_place(phrase: Phrase) -> Anchor | Inside | None:
    """Return the place that a phrase names, between lines or inside one."""
    inside = _inside(phrase)
    if inside is not None and inside.lines.unit == "paragraph":
        return Anchor("after" if inside.edge == "end" else "before", inside.lines)
    return inside or read_anchor(phrase)


def read_anchor(phrase: Phrase) -> Anchor | None:
    """Return the place a phrase names when all of it names one, else None."""
    opening = pattern(_ZH_OPENING).match(phrase.folded)
    words = phrase.cut(opening.end()) if opening else phrase
    is_bare = pattern(rf"{_ZH_START_BARE}|{_ZH_END_BARE}").fullmatch(words.folded) is not None
    for source, kind in () if is_bare else _ENDS:
        if pattern(source).fullmatch(words.folded):
            return Anchor(kind)
    if opening and pattern(r".*(?:作为|当作|成为)$").fullmatch(opening[0]):
        lines = whole_lines(words)
        return Anchor("become", lines) if lines is not None else None
    return _beside(words) or _between(words) or _at(words)


def _beside(words: Phrase) -> Anchor | None:
    for source, kind in _ZH_SIDES:
        for match in pattern(source).finditer(words.folded):
            lines = _lines_beside(words.cut(0, match.start())) if match.end() == len(words.folded) else None
            if lines is not None:
                return Anchor(kind, lines, each=lines.each)
    for source, kind in _EN_SIDES:
        opening = pattern(rf"(?:{source}) (?P<each>each of |both |all of )?").match(words.folded)
        lines = _lines_beside(words.cut(opening.end())) if opening else None
        if opening and lines is not None:
            return Anchor(kind, lines, each=lines.each or bool(opening["each"]))
    return None


def _lines_beside(words: Phrase) -> Lines | None:
    """Read the lines a place is beside; as a place, “…”这句话 is the line that holds it."""
    passage = pattern(rf"(?P<quote>{TOKENS})这(?:一?句话?|段话)").fullmatch(words.folded)
    if passage:
        return Lines((Holding(words.quoted(), which=None),))
    if words.is_quotation:
        return whole_line_quoted(words)
    return whole_lines(words)


def whole_line_quoted(words: Phrase) -> Lines:
    """Return the reference to the line that a quotation is all of."""
    return Lines((Holding(words.quoted(), "is", which=None),))


def _between(words: Phrase) -> Anchor | None:
    match = pattern(rf"(?:{_ZH_BETWEEN})$").search(words.folded)
    lines = whole_lines(words.cut(0, match.start())) if match else None
    if lines is None:
        opening = pattern(rf"{_EN_BETWEEN} ").match(words.folded)
        lines = whole_lines(words.cut(opening.end())) if opening else None
    return Anchor("between", lines) if lines is not None else None


def _at(words: Phrase) -> Anchor | None:
    numbered = pattern(_POSITION).fullmatch(words.folded)
    if numbered:
        return Anchor("become", nth(numerals.value(numbered["zh"] or numbered["en"])))
    lines = whole_lines(words)
    if lines is not None:
        return Anchor("at", lines) if lines.is_single and isinstance(lines.picks[0], Run) else None
    opening = pattern(rf"(?P<as>as|to be(?:come)?|to become) |{_EN_AT} ").match(words.folded)
    lines = whole_lines(words.cut(opening.end())) if opening else None
    if lines is None or opening is None:
        return None
    return Anchor("become" if opening["as"] else "at", lines)


def _inside(phrase: Phrase) -> Inside | None:
    """Read 第3行末尾 and `at the end of line 3`."""
    opening = pattern(r"(?:就)?(?:在|往|到|给|于)?").match(phrase.folded)
    words = phrase.cut(opening.end()) if opening else phrase
    match = pattern(rf"(?:{_INLINE_ZH})$").search(words.folded)
    lines = whole_lines(words.cut(0, match.start())) if match and match.start() else None
    if lines is None:
        match = pattern(_INLINE_EN).match(words.folded)
        lines = whole_lines(words.cut(match.end())) if match else None
    if lines is None or match is None:
        return None
    return Inside(lines, "end" if match["end"] else "start")
