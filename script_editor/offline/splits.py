"""The ways to part a request for replacement into old and new text: 把X改成Y, 用Y代替X, swap X for Y, X -> Y.

Direction words differ: most put the old text first, 用Y代替X and `substitute Y for X` the new one.
Without quotation marks a verb or preposition may occur inside the text, so every place is a split;
the script decides which one holds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from script_editor.offline.courtesy import without_closing
from script_editor.offline.quotes import TOKENS
from script_editor.offline.wording import Phrase, pattern

_ZH_VERB = (
    r"(?:(?:替换|更换|修改|更改|改|换)(?:一下|下|掉)?,\s*)?"
    r"(?:更名|改名|重命名|命名|改写|改换|更改|修改|变更|更换|替换|替代|取代|代替|转换|调整|更正"
    r"|改正|纠正|订正|统一|改|换|变|替|写|转)(?:一下)?(?:掉)?,?"
    r"(?:成|为|作|做|回|叫)了?|改到|改说|改用|换上|换用"
)
_ZH_SHOULD = r",?\s*(?:写错了|错了|打错了|不对|有误)?,?\s*(?:应该?|应当)(?:是|为|写成|写作|叫)"
_ZH_BARE = (
    r"(?<![交对互调置倒掉更修])(?:替换|改|换"
    r"|变)(?:掉)?(?![成为作下掉得到算好写回一个种点些用短长大小多少快慢轻重高低正动进良善名规换])"
)
_ZH_VERB_FIRST = (
    r"(?:替换|更换|修改|更改|查找|替(?!换)|换|找到|找出|搜索|搜寻|寻找)(?:掉)?(?P<old>.+?),?(?:并"
    r"|然后)?(?:全部|都)?(?:替换|改|换)?(?:成|为)(?P<new>.+)"
)
_ARROW = r"\s*(?:-{1,2}>|={1,2}>|→|⇒|➡️?|⟶|>>)\s*"
_INSTEAD = r"(?:代替|取代|替代|替换|换掉|替掉|顶替|覆盖|替|换)(?:掉|了)?"

_WITH_VERB = (
    r"(?:find and replace|find & replace|search and replace|replace|substitute|swap out|sub out|swap"
    r"|switch out|switch|exchange|trade|sub|supplant)"
)
_EXCHANGING = r"swap|switch|exchange|trade"
_TO_VERB = (
    r"(?:change|turn|convert|rename|alter|update|edit|correct|amend|modify|transform|switch|make|set"
    r"|fix|adjust|replace|rewrite|reword|revise|rephrase|swap)"
)
_TO = r"(?:into|to be|to read|to say|so (?:that )?it (?:says|reads)|to|as)"
_TO_NEEDING_QUOTES = ("as", "to be", "to read", "to say")
_SHOULD = (
    r"(?:should|must|needs to|need to|ought to|has to|is to|are to)(?: instead)? (?:read|say"
    r"|become|be (?:changed|turned|renamed) (?:to|into)|be (?:replaced|swapped) (?:with|by|for)"
    r"|be called|be spelled|be written(?: as)?|be)|(?:gets?|is|are) (?:replaced|swapped) (?:with"
    r"|by)|(?:changed|renamed|turned) (?:to|into)|(?:replaced|swapped) (?:with|by|for)|becomes?"
    r"|to be"
)
_USE = r"(?:use|say|write|put|have|try|go with|insert|employ)"
_FOR = (
    r"(?:instead of|in place of|rather than|in lieu of|for every|for each|wherever (?:it says"
    r"|there is|you see|you find)|where (?:it says|you see))"
)
_EN_PATTERNS = (
    r"(?:find|search for|look for|locate) (?P<old>.+?),? and (?:replace|swap|change) (?:it|them"
    r"|that|this|each|all|every one)?(?: of them)? ?(?:with|by|to|for|into) (?P<new>.+)",
    rf"make (?P<old>.+?) (?:say|read|be) (?P<new>{TOKENS}.*)",
    rf"(?:make|change|turn) (?P<old>.*{TOKENS}) (?:an? )?(?P<new>{TOKENS})",
    rf"(?:make|set) (?P<old>.*\b(?:line|sentence)(?: \w+)?) (?P<new>{TOKENS})",
    rf"(?:{_USE} )?(?P<new>.+?),? {_FOR} (?P<old>.+)",
    r"(?:instead of|in place of|rather than|(?:wherever|every ?time|where|everywhere"
    r"|anywhere) (?:it says|there is|you see|you find"
    rf"|the script says)) (?P<old>.+?),? (?:please )?(?:{_USE}|make it|change it to"
    r"|replace it with) (?P<new>.+)",
    r"(?P<old>[^,:]+)[:,] (?:replace|change|swap|rewrite)(?: it| this)? (?:with|to|as|into) (?P<new>.+)",
    r"not (?P<old>.+?),? but (?:rather )?(?P<new>.+)",
    r"it(?: is|'s| should be| should say| should read) (?P<new>[^,]+?),? (?:and )?not (?P<old>[^,]+)",
    r"(?P<new>.+?) (?:should|must|has to|needs to|is to) (?:replace|take the place of) (?P<old>.+)",
    rf"(?:replace|change|swap) (?:with|to|into) (?P<new>{TOKENS}),? (?P<old>.+)",
    r"call (?P<old>.+?) (?P<new>\S+) instead",
    r"swap in (?P<new>.+?) (?:for|instead of) (?P<old>.+)",
)
_SED = r"%?s(?P<mark>[/|#])(?P<old>[^/|#]+)(?P=mark)(?P<new>[^/|#]*)(?P=mark)?g?"
_THIS = (
    r"(?:exactly|precisely|literally|这样|以下(?:内容|文字)?|下面(?:的|这句|这样)?|如下|the following|this)?"
)


@dataclass(frozen=True, slots=True)
class Split:
    """Old and new text. `after_colon` means that all of `new` is the text.

    `may_exchange` says that the words may also ask to put each text where the other stands.
    """

    old: Phrase
    new: Phrase
    tier: int = 0
    after_colon: bool = False
    may_exchange: bool = False


def splits(opened: Phrase, *, at_end: bool) -> Iterator[Split]:
    """Yield the splits of a part whose opening words are gone.

    `at_end` says that the part ends its instruction, so that text after a colon can be all of it.
    """
    yield from _after_colon(opened, at_end)
    if opened.is_long:
        return
    phrase = without_closing(opened)
    yield from _zh_directed(phrase)
    yield from _zh_use(phrase)
    yield from _en_with(phrase)
    yield from _en_to(phrase)
    for source in _EN_PATTERNS:
        yield from _named(phrase, source)
    for match in pattern(_ARROW).finditer(phrase.folded):
        yield Split(_without_verb(phrase.cut(0, match.start())), phrase.cut(match.end()))
    sed = pattern(_SED).fullmatch(phrase.folded)
    if sed:
        yield Split(phrase.cut(*sed.span("old")), phrase.cut(*sed.span("new")), after_colon=True)


def gapped(phrase: Phrase) -> Iterator[Split]:
    """Yield the splits of a part that leaves out the verb of the part before it: `and "b" to "c"`."""
    plain = without_closing(phrase)
    for match in pattern(r" (?:with|by|to|into|for) ").finditer(plain.folded):
        yield Split(plain.cut(0, match.start()), plain.cut(match.end()))


def _named(phrase: Phrase, source: str, tier: int = 0) -> Iterator[Split]:
    match = pattern(source).fullmatch(phrase.folded)
    if match:
        yield Split(phrase.cut(*match.span("old")), phrase.cut(*match.span("new")), tier)


def _after_colon(opened: Phrase, at_end: bool) -> Iterator[Split]:
    """Yield 改成：… and `change line 3 to: …`."""
    for verb in (_ZH_VERB, rf"\b(?:{_TO}|with|by)", r"\b(?:should|must|to|needs to) (?:say|read|be)"):
        match = pattern(rf"(?P<old>[^:]{{0,200}}?)\s*(?:{verb})\s*{_THIS}\s*:\s*").match(opened.folded)
        if match is None:
            continue
        rest = opened.cut(match.end())
        quoted = without_closing(rest)
        if rest and (at_end or quoted.is_quotation):
            old = _without_verb(opened.cut(*match.span("old")))
            yield Split(old, quoted if quoted.is_quotation else rest, after_colon=True)


def _without_verb(old: Phrase) -> Phrase:
    """Take the opening verb, or 把, off what stands before the word of change."""
    match = pattern(
        rf"(?:{_WITH_VERB}|{_TO_VERB}):? (?:from )?|(?:只|仅|就)?(?:把|将)|(?:替换|修改|更改|更换)\s*:?\s*"
    ).match(old.folded)
    return old.cut(match.end()) if match else old


def _zh_directed(phrase: Phrase) -> Iterator[Split]:
    """Yield 把X改成Y, 替换X为Y, X应该是Y, 把X换Y."""
    opener = pattern(r"(?:只|仅|就)?(?:把|将)\s*").match(phrase.folded)
    begin = opener.end() if opener else 0
    for source, tier in ((_ZH_VERB, 0), (_ZH_SHOULD, 0), (_ZH_BARE, 2)):
        for match in pattern(source).finditer(phrase.folded, begin):
            new = phrase.cut(match.end())
            for old in _with_opener(phrase, opener, match.start(), new):
                yield Split(old, new, tier)
    yield from _named(phrase, _ZH_VERB_FIRST)


def _with_opener(phrase: Phrase, opener: re.Match[str] | None, end: int, new: Phrase) -> tuple[Phrase, ...]:
    """Return what 把 or 将 governs, and the words with it where it may be a part of them."""
    old = phrase.cut(opener.end() if opener else 0, end)
    if opener is None or old.is_quotation:
        return (old,)
    whole = phrase.cut(opener.end() - 1, end)
    if new.folded[:1] == whole.folded[:1]:
        return (whole,)  # 把火关小改成把火调大
    return (old, whole) if len(old.text) == 1 else (old,)  # 将来改成未来, 把手改成扶手


def _zh_use(phrase: Phrase) -> Iterator[Split]:
    """Yield 用Y代替X, X用Y代替, Y取代X."""
    yield from _named(phrase, rf"(?:用|以|拿|改用|使用)(?P<new>.+?)(?:来|去)?{_INSTEAD}(?P<old>.+)")
    yield from _named(phrase, rf"(?:让|由|叫)(?P<new>.+?)(?:来|去)?{_INSTEAD}(?P<old>.+)")
    yield from _named(phrase, rf"(?P<new>{TOKENS})(?:来)?(?:替换|替)(?:掉|了)?(?P<old>{TOKENS})", tier=1)
    yield from _named(phrase, rf"不要(?P<old>{TOKENS})了?,?(?:而?要|改?用)(?P<new>{TOKENS})")
    yield from _named(phrase, r"(?:应该|应当)?是(?P<new>[^,是]{1,30}),?而?不是(?P<old>[^,是]{1,30})")
    yield from _named(phrase, rf"(?:把|将)?(?P<old>.+?),?(?:用|以|拿|由|被)(?P<new>.+?)(?:来|所)?{_INSTEAD}")
    yield from _named(phrase, r"(?P<new>[^用以拿把将由被]+?)(?:代替|取代|替代)(?P<old>[^成为]+)", tier=1)


def _en_with(phrase: Phrase) -> Iterator[Split]:
    """Yield replace X with Y and swap X for Y; but substitute Y for X."""
    verb = pattern(rf"(?P<verb>{_WITH_VERB}):? ").match(phrase.folded)
    if verb is None:
        return
    for match in pattern(r" (?P<word>with|by|for) ").finditer(phrase.folded, verb.end() - 1):
        before, after = phrase.cut(verb.end(), match.start()), phrase.cut(match.end())
        if match["word"] != "for":
            may_exchange = (
                match["word"] == "with" and pattern(_EXCHANGING).fullmatch(verb["verb"]) is not None
            )
            yield Split(before, after, may_exchange=may_exchange)
        elif verb["verb"] in ("substitute", "sub"):
            yield Split(after, before)
        else:
            yield Split(before, after, tier=int(verb["verb"] == "replace"))


def _en_to(phrase: Phrase) -> Iterator[Split]:
    """Yield change X to Y, rename X as Y, X should be Y."""
    verb = pattern(rf"{_TO_VERB} (?:from )?").match(phrase.folded)
    if verb:
        for match in pattern(rf" (?P<word>{_TO}) ").finditer(phrase.folded, verb.end() - 1):
            new = phrase.cut(match.end())
            is_sure = verb[0].startswith("rename") or match["word"] not in _TO_NEEDING_QUOTES
            if is_sure or pattern(TOKENS).search(new.text):
                is_text = verb[0].endswith("from ") and new.folded.startswith("from ")
                begin = verb.end() - len("from ") if is_text else verb.end()
                yield Split(phrase.cut(begin, match.start()), new)
    for match in pattern(rf" (?:{_SHOULD}) ").finditer(phrase.folded):
        yield Split(_without_verb(phrase.cut(0, match.start())), phrase.cut(match.end()))
