"""Parts that limit the one before: 只改第一个, only in line 3, 第3行别动, `but not in the last line`."""

from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.lines import Lines
from script_editor.offline.occurrence_phrases import EN_AFTER, EN_BEFORE, ZH_AFTER, which_in
from script_editor.offline.requests import Narrow, Reading, Scope
from script_editor.offline.wording import Phrase, pattern

_ZH_ONLY = (
    r"(?:但是?|不过|而且|并且)?(?:请)?(?:只有|只|仅限于?|仅|就|限于|只限)(?:需要|需|要)?(?:改|换"
    r"|替换|删|处理|动|限)?(?:掉)?(?:在|于|对)?"
)
_ZH_DONE = r"(?:里面|里|中|内|上)?的?(?:那个|这个|那处)?(?:改|换|替换|就行|就好|即可|就可以|生效|有效)*"
_ZH_SPARED = (
    r"(?:里面|里|中|内|上)?的?(?:那个|这个|那处)?(?:请|就|先|都)?(?:不要|别|不用|不必|不能|不"
    r"|勿)(?:再)?(?:动|改|换|删|变|碰|替换|修改|处理)(?:了|掉)?|(?:里面|里)?的?(?:那个|这个)?(?:除外"
    r"|例外|保留|不变|保持不变|保持原样|照旧)"
)
_ZH_EXCEPT = r"(?:但是?)?除(?:了|去|开)?"
_EN_ONLY = r"(?:but )?(?:only|just)(?: (?:do|change|replace) (?:it|this|that))? (?:in |on |for |within |at )?"
_EN_IN = r"(?:in|on|within) "
_EN_SPARED = (
    r"(?:but )?(?:not|except(?: for)?|excluding|other than|apart from|but not|leave out|skip"
    r"|don't (?:touch|change|edit)|do not (?:touch|change|edit)) (?:in |on |the one in "
    r"|those in )?(?P<a>.+)"
    r"|(?:but )?(?:leave|keep) (?P<b>.+?) (?:alone|as (?:it|they) (?:is|are)|as is|unchanged"
    r"|untouched|the same|intact)"
    r"|(?P<c>.+?) (?:stays|stay|should stay|must stay|remains?)(?: (?:as (?:it|they) (?:is|are)"
    r"|unchanged|untouched|the same))?"
)


def read_narrowing(phrase: Phrase) -> tuple[Reading, ...]:
    """Return the reading of a part as a limit to the part before it."""
    narrow = _only_lines(phrase) or _spared(phrase) or _only_hits(phrase)
    return (Reading(narrow),) if narrow is not None else ()


def _only_lines(phrase: Phrase) -> Narrow | None:
    for opening, closing in ((_ZH_ONLY, _ZH_DONE), (_EN_ONLY, r"(?: only)?"), (_EN_IN, r"(?: only)?")):
        start = pattern(opening).match(phrase.folded)
        lines = _lines_before(phrase.cut(start.end()), closing) if start else None
        if lines is not None:
            return Narrow(scope=Scope(lines))
    only = pattern(r"(?P<what>.+) only").fullmatch(phrase.folded)
    lines = whole_lines(phrase.cut(*only.span("what"))) if only else None
    return Narrow(scope=Scope(lines)) if lines is not None else None


def _spared(phrase: Phrase) -> Narrow | None:
    match = pattern(_EN_SPARED).fullmatch(phrase.folded)
    lines = None
    if match:
        name = next(name for name in "abc" if match[name])
        lines = whole_lines(phrase.cut(*match.span(name)))
    if lines is None:
        lines = _lines_before(phrase, _ZH_SPARED)
    start = pattern(_ZH_EXCEPT).match(phrase.folded)
    if lines is None and start:
        lines = _lines_before(phrase.cut(start.end()), r"(?:以外|之外|外)?")
    return Narrow(scope=Scope(but=lines)) if lines is not None else None


def _only_hits(phrase: Phrase) -> Narrow | None:
    for source in (
        rf"{_ZH_ONLY}(?:{ZH_AFTER}){_ZH_DONE}",
        rf"(?:{ZH_AFTER})(?:就行|就好|即可|就可以)?",
        rf"{_EN_ONLY}(?:{EN_BEFORE.rstrip()})(?:one|ones)?(?: only)?",
        rf"(?:{EN_AFTER[1:]})",
        r"(?:the )?(?P<order>first|second|third|last)(?: (?:one|occurrence|instance|time|mention))? only",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        if match and which_in(match).numbers:
            return Narrow(which=which_in(match))
    counted = pattern(
        r"(?:这|那)?(?P<zh_count>[两三四五六七八九])[个处]地?方?都?(?:要|得)?(?:改|换|替换|删)(?:掉|了)?"
    ).fullmatch(phrase.folded)
    if counted:
        return Narrow(which=which_in(counted))
    return None


def _lines_before(phrase: Phrase, closing: str) -> Lines | None:
    """Return the lines that a phrase names before its closing words."""
    for end in range(len(phrase.folded), 0, -1):
        if pattern(closing).fullmatch(phrase.folded, end):
            lines = whole_lines(phrase.cut(0, end))
            if lines is not None:
                return lines
    return None
