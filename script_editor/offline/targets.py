"""Reading what a part wants changed: 第3行里所有的“番茄”, every "cup" in line 3, 最后一行.

A noun phrase is peeled from both ends, one known phrase at a time. What is left is a quotation, a
named mark, or plain words; each state on the way is a candidate, because plain words such as 所有人
may be the text itself. Which candidate holds is decided against the script.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from script_editor.offline.line_phrases import lines_at, whole_lines
from script_editor.offline.lines import Lines, excluding
from script_editor.offline.marks import mark_named
from script_editor.offline.occurrence_phrases import (
    EN_AFTER,
    EN_BEFORE,
    ZH_AFTER,
    ZH_BEFORE,
    which_in,
)
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import ANYWHERE, EVERY, Edge, Emoji, Needle, Scope, Which
from script_editor.offline.wording import Phrase, pattern

_PRONOUNS = (
    r"(?:它|它们|他|她|这个?|那个?|这一?[行句段处]|那一?[行句段处]|这里|那里|这些|那些|此[行句处]|该[行句]|[上下前后]一?[行句个段]|[上下前后]面那?一?[行句个段]"
    r"|刚才那?一?[行句个处]|前者|后者|这一?个|那一?个|这边|那边|这些行|那些行|这几[行句]|那几[行句]|这(?:个词|句话|个字|段话)|那(?:个词|句话|个字|段话)|某一?[行句]"
    r"|其中一?[行句个]|一[行句个]|[两三四五几][行句]|几个字|行|句|句子|词|字|个)"
    r"|(?:(?:all )?(?:of )?(?:it|its|that|this|them|those|these|they|the|the same|one|ones|one of them|both|both of them|the other|the others|another)"
    r"|(?:that|this|those|these|the|a|one|some|any|one of the|some of the|the other|the next|the previous|another|the same|two|three|a few|several|a couple of|the above|the following) "
    r"(?:one|ones|line|lines|sentence|sentences|word|words|part|bit|paragraph|phrase|row|text)(?: (?:above|below|there|here))?|line|lines|word|words|sentence|text|there|here"
    r"|every (?:other|second|third|nth|few) (?:line|word|sentence|paragraph)s?)"
)
_ARTICLE = r"(?:the|a|an) "
_ZH_OPENER = r"(?:让|给|对|使|令|从|在(?=第|最|倒|末|首|前|后|开|每|所|包|含)|请)"
_LIMIT = r"(?:只有|只是|只|仅仅|仅|就|单单?|光是?|单独|only |just )(?:把|将|在|要)?"
_PLACE_WORDS = (
    r"(?:里面|里边|里头|里|中间|当中|之中|中|内|上面的|上|处)?(?:那个|这个|所?出现过?|提到|写)?的?\s*[,:]?\s*"
)
_WHOLE_SCRIPT = (
    r"(?:整个|整篇|整|全|这个|这篇|当前|本|我的?)?(?:脚本|文案|稿子|文稿|逐字稿|台词|字幕|口播稿|口播|文章|原文|正文|视频稿?|影片|全文|通篇|全篇|文)"
    r"(?:里面|里边|里|中间|当中|中|内)(?:那个|这个|所?出现过?|提到|写)?的?|(?:全文|通篇|全篇|脚本|原文|文案)的?(?:所有|全部)?(?:的)?(?=[^\s,])"
)
_EN_WHOLE_SCRIPT = (
    r"(?:throughout(?: the)?|across(?: the)?|(?:in|from|of|within|through|inside) (?:the|this|my|our))(?: (?:whole|entire|full|current))?"
    r"(?: (?:script|text|video|copy|document|file|draft|transcript|piece|thing))?"
)
_ZH_NOUN = r"(?:(?:这|那)(?:一|两|二|三|四|几)?个?|[一两二三四五六]个?)(?:词语|单词|词组|词|字眼|字样|字|名字|数字|说法|标点符号|标点|符号|表情符号|表情|字符|短语)|这句话?|那句话?|这些字|字样|字眼"
_ZH_QUOTED_NOUN = r"(?:的)?(?:这|那)?(?:一|两|二|三|四|几)?个?(?:词语|单词|词组|词|字眼|字|名字|数字|说法|标点符号|标点|符号|表情符号|表情|短语|句子|句话|话|部分|文字|内容)?"
_NAMED_BEFORE = r"(?:(?:这|那)(?:个|几个|些|两个)?|词语|单词|词组|文字|字样|数字|名字|人名|地名|字|词|标点符号|标点|符号|表情|短语|内容|出现的)"
_EN_NAMED_BEFORE = (
    r"(?:the |any |that )?(?:exact )?(?:words?|phrases?|text|terms?|names?|numbers?|figures?|strings?|characters?|expressions?|sentences?|passages?|quotes?|quotations?"
    r"|bits?|part|signs?|symbols?|emojis?|title|label|price|tag|speaker|line)(?: (?:that )?(?:says|reads|saying|reading))? (?:of )?"
)
_EN_AFTER_QUOTED = r"(?: (?:words?|phrase|sign|mark|emoji|character|part|bit|label|tag|text|passage|sentence|reference|name|number)s?)"
_EN_TAIL = r"(?: only| completely| entirely| altogether| alone| as well| too|,)"
_ZH_TAIL = r"(?:全部都|全部|全都|都|统统|通通|通通|一律|统一|给我|给|也|直接|一起|分别|各自|一并|全|整个|彻底|先|就|的话|(?<!的)[,:]|请|帮我|麻烦你?|应该|需要|必须|可以|地方|的地方|处|那里|的)"
_QUOTE_LIST = rf"{TOKENS}(?:\s*(?:、|,|和|与|跟|及|以及|还有|或者?|/|and|or|&|, ?and|, ?or)?\s*{TOKENS})*"
_EMOJI = r"(?:the )?(?:emojis?|表情符号|表情包?|颜文字|emoji表情)(?:符号)?"
_EDGE_BEFORE = (
    r"(?:行首|句首|行开头|句子?开头|开头)的(?=.)|(?P<end>(?:行尾|句尾|行末|句末|末尾|结尾|最后面)的(?=.))"
)
_EN_EDGE = r" (?:(?:at|from) (?:the )?(?:(?P<end>end)|start|beginning|front) of(?: the)?)(?= (?:line|every|each|all|last|first|second))"


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be changed: whole lines, or needles within a scope. `tier` as in Reading.

    `words` are the plain words that a needle was read from; empty for quotations.
    """

    needles: tuple[Needle, ...] = ()
    lines: Lines | None = None
    which: Which = EVERY
    scope: Scope = ANYWHERE
    tier: int = 0
    words: Phrase | None = None
    lost_article: bool = False
    is_named: bool = False

    @property
    def is_pronoun(self) -> bool:
        """Whether the words only point at something; 它这个字 and `the word it` name a word."""
        return self.words is not None and not self.is_named and is_pronoun(self.words)

    @property
    def is_quoted(self) -> bool:
        """Whether the needles stood in quotation marks or are named marks."""
        return self.words is None


@dataclass(frozen=True, slots=True)
class _State:
    phrase: Phrase
    which: Which = EVERY
    scope: Scope = ANYWHERE
    tier: int = 0
    lost_article: bool = False
    is_named: bool = False


_Peel = Callable[[_State], _State | None]


def is_pronoun(phrase: Phrase) -> bool:
    """Say whether words point at something without naming it: 它, that line, the second one."""
    if pattern(_PRONOUNS).fullmatch(phrase.folded):
        return True
    counted = pattern(ZH_BEFORE).fullmatch(phrase.folded)
    if counted and not counted["zh_count"]:
        return True
    return pattern(rf"(?:the )?(?:{EN_BEFORE.rstrip()})(?: ones?)?").fullmatch(phrase.folded) is not None


def read_targets(phrase: Phrase) -> tuple[Target, ...]:
    """Return the candidates for what `phrase` means, most literal first; none when it names nothing."""
    targets: list[Target] = []
    for state in _states(phrase):
        final = _final(state)
        if final is not None:
            return (final,)
        if state.phrase and not _holds_quotation(state.phrase):
            targets += _open(state)
    return tuple(targets)


def scoped_phrases(phrase: Phrase) -> tuple[tuple[Phrase, Scope], ...]:
    """Return the noun phrase as it is peeled, with the scope that was peeled off so far."""
    return tuple((state.phrase, state.scope) for state in _states(phrase))


def _states(phrase: Phrase) -> Iterator[_State]:
    state: _State | None = _State(phrase)
    while state is not None:
        yield state
        state = next((after for peel in _PEELS if (after := peel(state)) is not None), None)


def _holds_quotation(phrase: Phrase) -> bool:
    """Say whether plain words hold a quotation, so that they cannot be the text; 【…】 are text."""
    return any(not quote.startswith("【") for quote in phrase.quoted())


def _final(state: _State) -> Target | None:
    """Return the target when nothing can be peeled any more: whole lines, quotations, emoji."""
    phrase = state.phrase
    if not phrase:
        return None
    if pattern(_QUOTE_LIST).fullmatch(phrase.folded):
        return Target(tuple(dict.fromkeys(phrase.quoted())), which=state.which, scope=state.scope)
    if pattern(_EMOJI).fullmatch(phrase.folded):
        return Target((Emoji(),), which=state.which, scope=state.scope)
    lines = whole_lines(phrase)
    if lines is None or state.which != EVERY or state.scope.lines is not None:
        return None
    return Target(lines=excluding(lines, state.scope.but) if state.scope.but else lines)


def _open(state: _State) -> list[Target]:
    """Return the candidates in plain words: a named mark, and the words themselves."""
    phrase, found = state.phrase, []
    mark = mark_named(phrase.folded)
    if mark is not None:
        found.append(Target((mark,), which=state.which, scope=state.scope))
    pieces = _pieces(phrase)
    if pieces:
        found.append(Target(pieces, which=state.which, scope=state.scope, tier=state.tier + 2, words=phrase))
    found.append(
        Target(
            (phrase.literal,),
            which=state.which,
            scope=state.scope,
            tier=state.tier + (mark is not None),
            words=phrase,
            lost_article=state.lost_article,
            is_named=state.is_named,
        )
    )
    return found


def _pieces(phrase: Phrase) -> tuple[str, ...]:
    """Return the texts of a list without quotation marks, such as 盐和糖; none when it is no list."""
    pieces = re.split(r"、|和|与|,\s*(?:and|or)\b|,|\band\b", phrase.text)
    texts = tuple(dict.fromkeys(piece.strip() for piece in pieces))
    return texts if len(pieces) > 1 and all(texts) else ()


# --- peeling: each returns the state with one known phrase taken off, or None -----------------


def _drop_front(source: str, *, weak: bool = False, names: bool = False) -> _Peel:
    def peel(state: _State) -> _State | None:
        match = pattern(source).match(state.phrase.folded)
        if match is None or match.end() == 0 or match.end() == len(state.phrase.folded):
            return None
        rest = state.phrase.cut(match.end())
        return replace(state, phrase=rest, tier=state.tier + weak, is_named=state.is_named or names)

    return peel


def _drop_back(source: str, *, weak: bool = False, names: bool = False) -> _Peel:
    def peel(state: _State) -> _State | None:
        match = pattern(rf"(?:{source})\s*$").search(state.phrase.folded)
        if match is None or match.start() == 0 or not match[0].strip():
            return None
        rest = state.phrase.cut(0, match.start())
        return replace(state, phrase=rest, tier=state.tier + weak, is_named=state.is_named or names)

    return peel


def _drop_article(state: _State) -> _State | None:
    match = pattern(_ARTICLE).match(state.phrase.folded)
    if match is None:
        return None
    return replace(state, phrase=state.phrase.cut(match.end()), tier=state.tier + 1, lost_article=True)


def _scope_front(state: _State) -> _State | None:
    """Take off 第3行里的 or `in line 3`, when something is left to look for there."""
    opening = pattern(r"(?:在|从|于|in |on |from |within |at |of )?").match(state.phrase.folded)
    assert opening is not None
    found = lines_at(state.phrase, opening.end())
    if found is None:
        return None
    after = pattern(rf"(?:'s )?{_PLACE_WORDS}").match(state.phrase.folded, found.end)
    assert after is not None
    rest = state.phrase.cut(after.end())
    if not rest and pattern(r".*的\s*[,:]").fullmatch(after[0]):
        rest = state.phrase.cut(after.end() - 1)  # 第2行的， names the mark itself
    return _scoped(state, rest, found.lines) if rest else None


def _scope_back(state: _State) -> _State | None:
    """Take off `in line 3` or 在第3行的 from the end."""
    for match in pattern(
        r",?\s*\b(?:in|on|from|of|at|within|inside) |,?\s*[（(]?(?:在|仅限|限于|只限)"
    ).finditer(state.phrase.folded):
        tail = state.phrase.cut(match.end())
        lines = whole_lines(Phrase(*_without_locative(tail), tail.quotes))
        rest = state.phrase.cut(0, match.start())
        if lines is not None and rest:
            return _scoped(state, rest, lines)
    return None


def _without_locative(tail: Phrase) -> tuple[str, str]:
    match = pattern(r"(?:里面|里边|里|中|内|上)?的?[)）]?\s*(?: only)?$").search(tail.folded)
    end = match.start() if match else len(tail.folded)
    return tail.text[:end], tail.folded[:end]


def _scoped(state: _State, rest: Phrase, lines: Lines) -> _State | None:
    if state.scope.lines is not None:
        return None
    which = replace(state.which, each_line=True) if lines.each and state.which != EVERY else state.which
    return replace(state, phrase=rest, scope=replace(state.scope, lines=lines), which=which)


def _except_back(state: _State) -> _State | None:
    """Take off `except in line 3`."""
    for match in pattern(
        r",?\s*(?:\bexcept(?: for)?|\bbut not|\bother than|\bexcluding)(?: in| on)? "
    ).finditer(state.phrase.folded):
        lines = whole_lines(state.phrase.cut(match.end()))
        rest = state.phrase.cut(0, match.start())
        if lines is not None and rest:
            return replace(state, phrase=rest, scope=replace(state.scope, but=lines))
    return None


def _except_front(state: _State) -> _State | None:
    """Take off 除了第3行以外."""
    start = pattern(r"除(?:了|去|开)?").match(state.phrase.folded)
    found = lines_at(state.phrase, start.end()) if start else None
    after = (
        pattern(r"(?:以外|之外|外)?,?\s*(?:把|将)?(?:其他|其它|其余)?(?:行|地方)?(?:里|中)?的?").match(
            state.phrase.folded, found.end
        )
        if found
        else None
    )
    rest = state.phrase.cut(after.end()) if after else None
    if found is None or not rest:
        return None
    return replace(state, phrase=rest, scope=replace(state.scope, but=found.lines))


def _which_front(state: _State) -> _State | None:
    for source in (ZH_BEFORE, EN_BEFORE):
        match = pattern(source).match(state.phrase.folded)
        if match and 0 < match.end() < len(state.phrase.folded):
            rest = state.phrase.cut(match.end())
            counted = _counted(state, rest, which_in(match))
            return (
                replace(counted, tier=counted.tier + 1) if counted and _is_one_word(match, rest) else counted
            )
    return None


def _is_one_word(match: re.Match[str], rest: Phrase) -> bool:
    """Say whether a count and what follows are rather one word: 所有人, last week."""
    words = match[0]
    if match.re.pattern == EN_BEFORE:
        return match["order"] is not None and not words.startswith("the ") and not rest.is_quotation
    return len(rest.text) == 1 and not rest.is_quotation and not words.endswith("的")


def _which_back(state: _State) -> _State | None:
    for source in (ZH_AFTER, EN_AFTER):
        match = pattern(rf"(?:{source})$").search(state.phrase.folded)
        if match and match.start() > 0:
            return _counted(state, state.phrase.cut(0, match.start()), which_in(match))
    return None


def _counted(state: _State, rest: Phrase, which: Which) -> _State | None:
    if which == EVERY:
        return replace(state, phrase=rest)
    if state.which != EVERY:
        return None
    each = state.scope.lines is not None and state.scope.lines.each
    return replace(state, phrase=rest, which=replace(which, each_line=each))


def _edge_front(state: _State) -> _State | None:
    """Take off 行尾的: only hits at that edge of a line count."""
    match = pattern(_EDGE_BEFORE).match(state.phrase.folded)
    if match is None or state.scope.edge is not None:
        return None
    edge: Edge = "end" if match["end"] else "start"
    return replace(state, phrase=state.phrase.cut(match.end()), scope=replace(state.scope, edge=edge))


def _edge_back(state: _State) -> _State | None:
    """Take off `at the end of every line`."""
    match = pattern(_EN_EDGE).search(state.phrase.folded)
    lines = whole_lines(state.phrase.cut(match.end())) if match else None
    if match is None or lines is None or state.scope.lines is not None:
        return None
    scope = replace(state.scope, lines=lines, edge="end" if match["end"] else "start")
    return replace(state, phrase=state.phrase.cut(0, match.start()), scope=scope)


_PEELS: tuple[_Peel, ...] = (
    _drop_front(_ZH_OPENER, weak=True),
    _drop_front(_LIMIT, weak=True),
    _except_front,
    _except_back,
    _scope_front,
    _drop_front(_WHOLE_SCRIPT, weak=True),
    _drop_front(rf"{_EN_WHOLE_SCRIPT},? "),
    _drop_front(rf"(?:有|出现了?|包含|含有?|写着|提到|里面的?|其中的?|里头的?)(?=.*{TOKENS})"),
    _drop_front(r"(?:全角|半角|全形|半形)的?", weak=True),
    _drop_front(r"(?:括号|引号|书名号)(?:里面|里|内|中)的?", weak=True),
    _edge_front,
    _edge_back,
    _which_front,
    _drop_front(rf"(?:{_NAMED_BEFORE})(?={TOKENS})"),
    _drop_front(_NAMED_BEFORE, weak=True),
    _drop_front(_EN_NAMED_BEFORE, weak=True, names=True),
    _drop_back(rf"(?<={TOKENS})(?:{_ZH_QUOTED_NOUN})"),
    _drop_back(rf"(?<={TOKENS}){_EN_AFTER_QUOTED}"),
    _scope_back,
    _drop_back(rf" (?:{_EN_WHOLE_SCRIPT})"),
    _which_back,
    _drop_back(_EN_TAIL),
    _drop_back(_ZH_TAIL, weak=True),
    _drop_back(_ZH_NOUN, weak=True, names=True),
    _drop_article,
)
