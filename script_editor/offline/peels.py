"""Taking a noun phrase apart: 第3行里所有的…这个词 is peeled from both ends, one known phrase at a time.

A peel is weak when what it takes off may be a part of the text. What is left after a weak peel is
only tried when the longer text does not occur, and never when it would be one character: 安全 is
not 安 with 全.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from script_editor.offline.line_phrases import lines_at, whole_lines
from script_editor.offline.lines import Lines
from script_editor.offline.occurrence_phrases import EN_AFTER, EN_BEFORE, ZH_AFTER, ZH_BEFORE, which_in
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import ANYWHERE, EVERY, Edge, Scope, Which
from script_editor.offline.wording import Phrase, pattern

_OBJECT = rf"(?={TOKENS}|第|最后|倒数|首|末|前|后|开头|每|所有|包含|含|\d|line\b|the (?:first|last)\b)"
_ZH_OPENER = rf"(?:让|给|对|使|令|从|在|请){_OBJECT}"
_LIMIT = rf"(?:只有|只是|只|仅仅|仅|就|单独|光是)(?:把|将|在|要)?{_OBJECT}|(?:only|just) "
_LOCATIVE = r"(?:里面|里边|里头|里|中间|当中|之中|中|内)"
_SEEN = r"(?:那个|这个|所?出现过?|提到|写)?"
_PLACE_WORDS = rf"(?:'s )?(?:{_LOCATIVE}|上面的|上|处)?{_SEEN}的?\s*[,:]?\s*"
_ZH_SCRIPT = (
    rf"(?:整个|整篇|整|全|这个|这篇|当前|本|我的?)?"
    r"(?:脚本|文案|稿子|稿件|文稿|逐字稿|台词|字幕|口播稿|口播|文章|原文|正文|视频稿?|影片|全文|通篇"
    rf"|全篇|文){_LOCATIVE}{_SEEN}的?"
    r"|(?:全文|通篇|全篇)的?(?:所有|全部)?的?(?=[^\s,])|(?:脚本|文案|稿子|稿件|文稿|原文)(?=第|最后|倒数|首行|末行)|(?:脚本|原文|文案)的(?:所有|全部)?的?"
)
_EN_SCRIPT = (
    r"(?:throughout(?: the)?|across(?: the)?|(?:in|from|of|within|through|inside) (?:the|this|my|our))"
    r"(?: (?:whole|entire|full|current))?"
    r"(?: (?:script|text|video|copy|document|file|draft|transcript|piece|thing))?"
)
_HAVING = rf"(?:有|出现了?|包含|含有?|写着|提到|里面的?|其中的?|里头的?)(?=.*{TOKENS})"
_WIDTH = r"(?:全角|半角|全形|半形)的?"
_IN_BRACKETS = rf"(?:括号|引号|书名号){_LOCATIVE}的?"

_ZH_WORD = r"(?:词语|单词|词组|词|字眼|字样|字|名字|数字|说法|标点符号|标点|符号|表情符号|表情|字符|短语)"
_ZH_NOUN = rf"(?:(?:这|那)[一两二三四几]?个?|[一两二三四五六]个?){_ZH_WORD}|[这那]句话?|这些字|字样|字眼"
_ZH_QUOTED_NOUN = rf"的?[这那]?[一两二三四几]?个?(?:{_ZH_WORD}|句子|句话|话|部分|文字|内容)"
_ZH_NAMED = rf"(?:[这那](?:个|几个|些|两个)?|{_ZH_WORD}|文字|人名|地名|内容|出现的)(?={TOKENS})"
_ZH_NAMED_PLAIN = r"(?:数字(?=[\d一二两三四五六七八九十百])|单词(?=[a-z])|名字|人名|地名|词语|词组)"
_EN_WORD = r"(?:words?|phrases?|terms?|names?|numbers?|figures?|strings?|expressions?|sentences?|passages?)"
_EN_NAMED_PLAIN = rf"(?:(?:the|any|that) (?:exact )?{_EN_WORD}|word|phrase|number(?= \d))(?: of)? "
_EN_NAMED = (
    rf"(?:the |any |that )?(?:exact )?(?:{_EN_WORD}|text|characters?|quotes?|quotations?|bits?"
    r"|part|signs?|symbols?"
    r"|emojis?|title|label|price|tag|speaker|line)(?: (?:that )?(?:says|reads|saying"
    rf"|reading))? (?={TOKENS}|[£$€¥\d])"
)
_EN_NOUN = (
    r" (?:words?|phrase|sign|mark|emoji|character|part|bit|label|tag|text|passage|sentence|reference"
    r"|name|number)s?"
)
_EN_TAIL = r" (?:only|completely|entirely|altogether|alone|as well|too)|,"
_ZH_TAIL = (
    r"(?:全部都|全部|全都|都|统统|通通|一律|统一|给我|给|也|直接|一起|分别|各自|一并|全|整个|彻底|先|就|的话"
    r"|(?<!的)[,:]|请|帮我|麻烦你?|应该|应|需要|需|要|得|必须|可以|被|的地方|处|那里|的)"
)
_ARTICLE = r"(?:the|a|an) "
_EDGE_FRONT = r"(?:(?:行首|句首|行开头|句子?开头|开头)|(?P<end>行尾|句尾|行末|句末|末尾|结尾|最后面))的(?=.)"
_EDGE_BACK = (
    r" (?:at|from) (?:the )?(?:(?P<end>end)|start|beginning|front) of(?: the)?"
    r"(?= (?:line|every|each|all|last|first|second))"
)
_IN = r",?\s*\b(?:in|on|from|of|at|within|inside) |,?\s*\(?(?:在|仅限|限于|只限)"
_EXCEPT_BACK = r",?\s*\b(?:except(?: for)?|but not|other than|excluding)(?: in| on)? "
_EXCEPT_FRONT = r"(?:以外|之外|外)?,?\s*(?:把|将)?(?:其他|其它|其余)?(?:行|地方)?(?:里|中)?的?"


@dataclass(frozen=True, slots=True)
class State:
    """A noun phrase and what was taken off it so far. `tier` as in Reading.

    `is_named` says that 这个词 or `the word` was taken off, so that what is left is a text.
    """

    phrase: Phrase
    which: Which = EVERY
    scope: Scope = ANYWHERE
    tier: int = 0
    lost_article: bool = False
    is_named: bool = False


_Peel = Callable[[State], State | None]


def states(phrase: Phrase) -> Iterator[State]:
    """Yield a noun phrase as it is, then after each peel, until nothing known is left at its ends."""
    state: State | None = State(phrase)
    while state is not None:
        yield state
        state = next((after for peel in _PEELS if (after := peel(state)) is not None), None)


# --- words that only go along ----------------------------------------------------------------------


def _drop_front(source: str, *, weak: bool = False, names: bool = False) -> _Peel:
    def peel(state: State) -> State | None:
        match = pattern(source).match(state.phrase.folded)
        rest = state.phrase.cut(match.end()) if match and match.end() else None
        return _dropped(state, rest, weak, names) if rest else None

    return peel


def _drop_back(source: str, *, weak: bool = False, names: bool = False) -> _Peel:
    def peel(state: State) -> State | None:
        match = pattern(rf"(?:{source})\s*$").search(state.phrase.folded)
        rest = state.phrase.cut(0, match.start()) if match and match[0].strip() else None
        return _dropped(state, rest, weak, names) if rest else None

    return peel


def _dropped(state: State, rest: Phrase, weak: bool, names: bool) -> State | None:
    if weak and _is_one_han(rest):
        return None
    return replace(state, phrase=rest, tier=state.tier + weak, is_named=state.is_named or names)


def _is_one_han(phrase: Phrase) -> bool:
    return len(phrase.text) == 1 and phrase.text.isalpha() and not phrase.text.isascii()


def _drop_article(state: State) -> State | None:
    match = pattern(_ARTICLE).match(state.phrase.folded)
    if match is None:
        return None
    return replace(state, phrase=state.phrase.cut(match.end()), tier=state.tier + 1, lost_article=True)


# --- where to look -----------------------------------------------------------------------------------


def _scope_front(state: State) -> State | None:
    """Take off 第3行里的 or `in line 3`, when something is left to look for there."""
    opening = pattern(r"(?:在|从|于|in |on |from |within |at |of )?").match(state.phrase.folded)
    found = lines_at(state.phrase, opening.end()) if opening else None
    after = pattern(_PLACE_WORDS).match(state.phrase.folded, found.end) if found else None
    if found is None or after is None:
        return None
    rest = state.phrase.cut(after.end())
    if not rest and pattern(r".*的\s*[,:]").fullmatch(after[0]):
        rest = state.phrase.cut(after.end() - 1)  # 第2行的， names the mark itself
    return _scoped(state, rest, found.lines) if rest else None


def _scope_back(state: State) -> State | None:
    """Take off `in line 3` or 在第3行的 from the end."""
    for match in pattern(_IN).finditer(state.phrase.folded):
        tail = state.phrase.cut(match.end())
        locative = pattern(r"(?:里面|里边|里|中|内|上)?的?\)?\s*(?: only)?$").search(tail.folded)
        lines = whole_lines(tail.cut(0, locative.start() if locative else None))
        rest = state.phrase.cut(0, match.start())
        if lines is not None and rest:
            return _scoped(state, rest, lines)
    return None


def _scoped(state: State, rest: Phrase, lines: Lines) -> State | None:
    if state.scope.lines is not None:
        return None
    which = replace(state.which, each_line=True) if lines.each and state.which != EVERY else state.which
    return replace(state, phrase=rest, scope=replace(state.scope, lines=lines), which=which)


def _except_back(state: State) -> State | None:
    """Take off `except in line 3`."""
    for match in pattern(_EXCEPT_BACK).finditer(state.phrase.folded):
        lines = whole_lines(state.phrase.cut(match.end()))
        rest = state.phrase.cut(0, match.start())
        if lines is not None and rest:
            return replace(state, phrase=rest, scope=replace(state.scope, but=lines))
    return None


def _except_front(state: State) -> State | None:
    """Take off 除了第3行以外."""
    start = pattern(r"除(?:了|去|开)?").match(state.phrase.folded)
    found = lines_at(state.phrase, start.end()) if start else None
    after = pattern(_EXCEPT_FRONT).match(state.phrase.folded, found.end) if found else None
    rest = state.phrase.cut(after.end()) if after else None
    if found is None or not rest:
        return None
    return replace(state, phrase=rest, scope=replace(state.scope, but=found.lines))


def _edge_front(state: State) -> State | None:
    """Take off 行尾的: only hits at that edge of a line count."""
    match = pattern(_EDGE_FRONT).match(state.phrase.folded)
    if match is None or state.scope.edge is not None:
        return None
    edge: Edge = "end" if match["end"] else "start"
    return replace(state, phrase=state.phrase.cut(match.end()), scope=replace(state.scope, edge=edge))


def _edge_back(state: State) -> State | None:
    """Take off `at the end of every line`."""
    match = pattern(_EDGE_BACK).search(state.phrase.folded)
    lines = whole_lines(state.phrase.cut(match.end())) if match else None
    if match is None or lines is None or state.scope.lines is not None:
        return None
    scope = replace(state.scope, lines=lines, edge="end" if match["end"] else "start")
    return replace(state, phrase=state.phrase.cut(0, match.start()), scope=scope)


# --- which hits --------------------------------------------------------------------------------------


def _which_front(state: State) -> State | None:
    for source in (ZH_BEFORE, EN_BEFORE):
        match = pattern(source).match(state.phrase.folded)
        rest = state.phrase.cut(match.end()) if match and match.end() else None
        if match is None or not rest:
            continue
        if match["all"] and _is_one_han(rest) and not match[0].endswith("的"):
            return None  # 所有人 is one word
        counted = _counted(state, rest, which_in(match))
        is_loose = source == EN_BEFORE and match["order"] and not match[0].startswith("the ")
        if counted is not None and is_loose and not rest.is_quotation:
            return replace(counted, tier=counted.tier + 1)  # last week may be one word
        return counted
    return None


def _which_back(state: State) -> State | None:
    for source in (ZH_AFTER, EN_AFTER):
        match = pattern(rf"(?:{source})$").search(state.phrase.folded)
        if match and match.start() > 0:
            return _counted(state, state.phrase.cut(0, match.start()), which_in(match))
    return None


def _counted(state: State, rest: Phrase, which: Which) -> State | None:
    if which == EVERY:
        return replace(state, phrase=rest)
    if state.which != EVERY:
        return None
    each = state.scope.lines is not None and state.scope.lines.each
    return replace(state, phrase=rest, which=replace(which, each_line=each))


_PEELS: tuple[_Peel, ...] = (
    _drop_front(_ZH_OPENER, weak=True),
    _drop_front(_LIMIT, weak=True),
    _except_front,
    _except_back,
    _scope_front,
    _drop_front(_ZH_SCRIPT, weak=True),
    _drop_front(rf"{_EN_SCRIPT},? "),
    _drop_front(_HAVING),
    _drop_front(_WIDTH, weak=True),
    _drop_front(_IN_BRACKETS, weak=True),
    _edge_front,
    _edge_back,
    _which_front,
    _drop_front(_ZH_NAMED),
    _drop_front(_EN_NAMED),
    _drop_front(_ZH_NAMED_PLAIN, weak=True, names=True),
    _drop_front(_EN_NAMED_PLAIN, weak=True, names=True),
    _drop_back(rf"(?<={TOKENS})(?:{_ZH_QUOTED_NOUN})"),
    _drop_back(rf"(?<={TOKENS})(?:{_EN_NOUN}|'?s)"),
    _scope_back,
    _drop_back(rf" (?:{_EN_SCRIPT})"),
    _which_back,
    _drop_back(_EN_TAIL),
    _drop_back(_ZH_TAIL, weak=True),
    _drop_back(_ZH_NOUN, weak=True, names=True),
    _drop_article,
)
