"""Reading which filler words are to go: 口头禅，比如嗯、那个; the filler words (um, uh); all the ums and uhs."""

from script_editor.offline.fillers import EN_FILLERS, ZH_FILLERS, in_both_scripts
from script_editor.offline.occurrence_phrases import EN_BEFORE, ZH_BEFORE
from script_editor.offline.pronouns import is_pronoun
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import EVERY, CutFillers, Needle, Scope
from script_editor.offline.targets import read_targets, scoped_phrases
from script_editor.offline.wording import Phrase, pattern

_NOUN = (
    r"(?:口头禅|口头语|语气助词|语气词|填充词|赘词|口水词|语助词|水词|口癖|废词|停顿词"
    r"|filler (?:words?|sounds?|phrases?)|fillers?|verbal tics?|hesitation (?:words?|sounds?)"
    r"|hesitations?|(?:verbal|speech) fillers?)"
)
_QUANTITY = (
    r"(?:(?:这些|那些|所有的?|全部的?|全部|一切|多余的|里面的?|其中的?|每一?个|各种|的|all|any|every"
    r"|each|the|those|these|of|my|his|her)\s*)*"
)
_SUCH_AS = (
    r"\s*[,:(]?\s*(?:比如说?|例如|像是?|包括|诸如|如|即|就是(?!说)|也就是(?!说)|such as|like|namely|e\.g\.,?"
    r"|for example,?|i\.e\.,?|including|meaning|that is)?\s*:?\s*"
)
_AND_SO_ON = (
    r"(?:\s*(?:等等?|之类的?|这些|这类|这种|这个|那个词|这一个|这几个|这两个|这样的?|什么的|\)|,? ?etc\.?|and so on"
    r"|and the like))*\s*"
)
_JOINT = r"\s*(?:、|,\s*(?:and|or)?\b|/|和|与|跟|及|以及|还有|或者?|\band\b|\bor\b|&)\s*"
_ITEM = rf"(?:{TOKENS}|[^\s、,/和与跟及或&()（）]{{1,8}}?(?: knows?| means?| of)?)"
_LIST = rf"(?P<list>{_ITEM}(?:(?:{_JOINT}|(?<={TOKENS})(?={TOKENS})){_ITEM})*)"
_SPARED = r"(?:但是?|不过)?(?:除了|保留|留下|留着|不包括|不含)|(?:but )?(?:except(?: for)?|other than|apart from|excluding|keep|not)\b"
_PLURALS = {
    "ums": "um",
    "uhs": "uh",
    "you knows": "you know",
    "ers": "er",
    "ahs": "ah",
    "erms": "erm",
    "hmms": "hmm",
}
_KNOWN = frozenset({*ZH_FILLERS, *EN_FILLERS})


def read_fillers(what: Phrase) -> CutFillers | None:
    """Return the request to cut fillers when what is to be deleted names them, else None."""
    for phrase, scope in reversed(scoped_phrases(what)):
        words = _named(phrase)
        if words is not None:
            return CutFillers(words, Scope(scope.lines, scope.but), is_pointing=is_pronoun(what))
    return _quoted(what)


def is_filler(needle: Needle) -> bool:
    """Say whether a text is a filler by itself, so that commas around it would have to go as well."""
    return isinstance(needle, str) and needle.lower() in _KNOWN


def counts_fillers(phrase: Phrase) -> bool:
    """Say whether a phrase means some of the fillers only: 第一个口头禅, the first filler."""
    match = pattern(rf"(?:{ZH_BEFORE}|{EN_BEFORE.replace('?P<', '?P<en_')}){_NOUN}").fullmatch(phrase.folded)
    return match is not None and match["all"] is None and match["en_all"] is None


def _quoted(what: Phrase) -> CutFillers | None:
    """Read quoted words that are fillers by themselves, although they were not called so."""
    targets = read_targets(what)
    if len(targets) != 1 or targets[0].which != EVERY or not targets[0].is_quoted:
        return None
    needles = targets[0].needles
    words = tuple(needle for needle in needles if isinstance(needle, str) and needle.lower() in _KNOWN)
    if not words or len(words) != len(needles):
        return None
    return CutFillers(words, targets[0].scope, is_sure=False)


def _named(phrase: Phrase) -> tuple[str, ...] | None:
    if pattern(rf"{_QUANTITY}{_NOUN}").fullmatch(phrase.folded):
        return ()
    for source in (
        rf"{_QUANTITY}{_NOUN},?\s*(?:{_SPARED})\s*{_LIST}(?:以外|之外|除外)?",
        rf"除了?{_LIST}(?:以外|之外)?的?(?:(?:其他|其它|所有|全部)的?)*{_NOUN}",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        if match:
            spared = {word.lower() for word in _items(phrase.cut(*match.span("list")))}
            return (
                tuple(
                    word for word in (*ZH_FILLERS, *EN_FILLERS) if word not in in_both_scripts(tuple(spared))
                )
                if spared <= _KNOWN
                else None
            )
    for source in (
        rf"{_QUANTITY}{_NOUN}{_SUCH_AS}{_LIST}{_AND_SO_ON}",
        rf"{_QUANTITY}{_LIST}{_AND_SO_ON}{_QUANTITY}{_NOUN}",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        if match:
            return _items(phrase.cut(*match.span("list")))
    match = pattern(rf"{_QUANTITY}{_LIST}").fullmatch(phrase.folded)
    items = () if match is None or phrase.quoted() else _items(phrase.cut(*match.span("list")))
    return items if items and all(item.lower() in _KNOWN for item in items) else None


def _items(phrase: Phrase) -> tuple[str, ...]:
    items = []
    start = 0
    for joint in [*pattern(rf"{_JOINT}|(?<={TOKENS})(?={TOKENS})").finditer(phrase.folded), None]:
        item = phrase.cut(start, joint.start() if joint else None)
        start = joint.end() if joint else 0
        if item:
            word = item.literal
            items.append(_PLURALS.get(word.lower(), word))
    return tuple(dict.fromkeys(items))
