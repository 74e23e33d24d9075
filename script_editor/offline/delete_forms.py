"""Requests to take something out: lines, sentences, text, filler words, blank lines, all but some lines."""

from collections.abc import Iterator
from dataclasses import replace

from script_editor.offline.filler_forms import counts_fillers, is_filler, read_fillers
from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.quotes import TOKENS
from script_editor.offline.requests import (
    EVERY,
    BlankLines,
    DeleteLines,
    KeepLines,
    Reading,
    ReplaceText,
    Request,
    Unclear,
)
from script_editor.offline.targets import Target, read_targets
from script_editor.offline.vague import is_aspect, is_judged, is_part
from script_editor.offline.wording import Phrase, pattern

_ZH_VERB = (
    r"(?:清理掉|清除掉|删除掉|去除掉|删掉|删去|删除|删光|删了|删|去掉|去除|除去|除掉|移除|移走"
    r"|拿掉|拿走|剪掉|剪去|砍掉|砍了|抹掉|抹去|清除|清掉|清理"
    r"|扔掉|丢掉|省掉|省略|省去|略去|剔除|划掉|撤掉|消掉|弄掉|干掉|裁掉|清一清|清一下|取消|拿去|拿下"
    r"|撤下)(?:一下|吧|了|掉)*"
)
_UNWANTED = r"(?:不要|不用|不需要)"
_ZH_ALL = (
    r"(?:给我|给|都|全部|全都|全|统统|通通|一律|整个|整[行句段]|直接|也|一起|一并|统一|可以|应该|要"
    r"|需要|请|先|从(?:脚本|文案|全文)(?:里|中)|彻底)*"
)
_ZH_FINAL = rf"{_ZH_ALL}(?:(?:{_UNWANTED}了,?\s*)?{_ZH_VERB}|{_UNWANTED}了?)"
_NEGATED = (
    r".*(?:不要|不用|不能|不可以?|不必|先别|(?<![分特区个级类性差告离])别|勿|不想|不许|don't|do not"
    r"|never|not)"
)
_EN_VERB = (
    r"(?:delete|del|remove|rm|strike out|strike|drop|cut out|cut off|chop off|trim off|knock off|cut|strip out|strip"
    r"|erase|kill|scrap|scratch|lose|omit|take out|get rid of|leave out|clear out|clear|ditch"
    r"|axe|chop|do away with"
    r"|throw out|throw away|wipe|eliminate|exclude|discard|pull out|pull|nix|bin|snip|clean out"
    r"|clean up|clean|edit out|weed out|purge)"
)
_EN_PASSIVE = (
    r" (?:should |can |must |needs to |need to |has to |ought to |could |to )?(?:be "
    r"|get )?(?:deleted|removed|cut out|cut|dropped|taken out|erased|scrapped|gone)| (?:should|can"
    r"|must|has to|needs to) go"
)
_EN_SPLIT = r"(?:take|cut|leave|strip|throw|pull|chop|edit|clear)"
_EN_UNWANTED = (
    r"(?:i |we )?(?:don't|do not|no longer) (?:want|need) (?P<what>.+?)(?: any ?more| any longer)?"
    r"|no more (?P<what2>.+)"
)
_BLANK = (
    r"(?:(?:所有的?|全部的?|全部|每一?个|这些|中间的|脚本里的?|全文的?|all|every|the|any|each"
    r"|of)\s*)*(?:空行|空白行|(?:blank|empty) lines?)(?: in the script)?"
)
_KEEP = (
    r"(?:只|仅|只需|只要)(?:保留|留下|留|要)(?P<zh>.+?)(?:就行|就好|即可)?(?:,?(?:其他|其余|别的"
    r"|剩下)的?(?:行|内容)?(?:全部|都|全都)?.*)?"
    r"|保留(?P<rest>.+?)(?:就行|就好|即可)?,?(?:其他|其余|别的|剩下)的?(?:行|内容)?(?:全部|都"
    rf"|全都)?{_ZH_VERB}"
    r"|(?:keep only|only keep|retain only|only retain|just keep|leave only"
    r"|only leave) (?P<en>.+?)(?:,? (?:and )?(?:delete|remove|drop) (?:the rest|everything else"
    r"|all (?:the )?others?))?"
)
_MAX_ABSENT_HAN, _MAX_ABSENT_WORDS = 10, 4


def read_deletion(phrase: Phrase, *, final_mark: str = "") -> tuple[Reading, ...]:
    """Return the readings of a part as a deletion.

    `final_mark` is the punctuation taken off its end, which may belong to the text that is to go.
    """
    kept = pattern(_KEEP).fullmatch(phrase.folded)
    name = next((name for name in ("zh", "rest", "en") if kept and kept[name]), None)
    lines = whole_lines(phrase.cut(*kept.span(name))) if kept and name else None
    if lines is not None:
        return (Reading(KeepLines(lines)),)
    for what in _objects(phrase):
        readings = tuple(_readings(what, final_mark if phrase.text.endswith(what.text) else ""))
        if readings:
            return readings
    return ()


def read_incomplete_deletion(phrase: Phrase) -> tuple[Reading, ...]:
    """Read a deletion that does not say of what."""
    if pattern(rf"(?:{_ZH_VERB}|{_EN_VERB})[.。]?").fullmatch(phrase.folded):
        return (Reading(Unclear("target", phrase.literal)),)
    return ()


def _objects(phrase: Phrase) -> Iterator[Phrase]:
    """Yield the pieces that may name what is to go."""
    opener = pattern(r"(?:把|将|给)?\s*").match(phrase.folded)
    begin = opener.end() if opener else 0
    first = pattern(rf"(?:{_ZH_VERB})\s*[:,]?(?!掉|了|光|走|去|除(?!了))(?P<what>.+)").fullmatch(
        phrase.folded
    )
    if first:
        yield phrase.cut(*first.span("what"))
    last = pattern(rf"(?P<what>.+?){_ZH_FINAL}").fullmatch(phrase.folded, begin)
    if last:
        yield phrase.cut(*last.span("what"))
    span = pattern(r"从(?P<first>.+?)(?:开始)?一?直?(?:删|去)除?(?P<rest>到.+)").fullmatch(phrase.folded)
    if span:
        yield phrase.without(span.end("first"), span.start("rest")).cut(span.start("first"))
    unwanted = pattern(
        rf"{_UNWANTED}(?![再去]?[改删刪动動换換移加插碰修把写寫])(?P<what>.*(?:{TOKENS}|行|句|段).*?)了?"
    ).fullmatch(phrase.folded)
    if unwanted:
        yield phrase.cut(*unwanted.span("what"))
    yield from _en_objects(phrase)


def _en_objects(phrase: Phrase) -> Iterator[Phrase]:
    for source in (
        rf"{_EN_VERB}:? (?P<what>.+)",
        rf"{_EN_SPLIT} (?P<what>.+?) (?:out|away|off)(?P<of> (?:of|from) .+)?",
        rf"(?P<what>lines? [^,:]+?) {_EN_VERB}(?: it)?",
        rf"(?P<what>[^,:]+?)\s*[:,]\s*{_EN_VERB}(?: it)?",
        rf"(?:i want |have |get )?(?P<what>.+?)(?:{_EN_PASSIVE})",
    ):
        match = pattern(source).fullmatch(phrase.folded)
        if match and match.groupdict().get("of"):
            yield phrase.without(match.end("what"), match.start("of")).cut(match.start("what"))
        elif match:
            yield phrase.cut(*match.span("what"))
    match = pattern(_EN_UNWANTED).fullmatch(phrase.folded)
    if match:
        yield phrase.cut(*match.span("what" if match["what"] else "what2"))


def _readings(what: Phrase, final_mark: str) -> Iterator[Reading]:
    if pattern(_BLANK).fullmatch(what.folded):
        yield Reading(BlankLines("drop"))
        return
    if pattern(_NEGATED).fullmatch(what.folded):
        return
    if counts_fillers(what):
        yield Reading(Unclear("reading", what.literal))
        return
    fillers = read_fillers(what)
    if fillers is not None:
        yield Reading(fillers)
        return
    for target in read_targets(what):
        request = _request(target, what)
        if final_mark and isinstance(request, ReplaceText) and target.words is not None:
            with_mark = tuple(needle + final_mark for needle in request.needles if isinstance(needle, str))
            yield Reading(replace(request, needles=with_mark), target.tier)
            yield Reading(request, target.tier + 1)
        else:
            yield Reading(request, target.tier)


def _request(target: Target, what: Phrase) -> Request:
    if target.lines is not None:
        return DeleteLines(target.lines)
    if target.is_pronoun:
        return Unclear("target", what.literal)
    if target.which != EVERY and target.is_quoted and all(is_filler(needle) for needle in target.needles):
        return Unclear("reading", what.literal)
    beyond = target.words is not None and _is_beyond(target.words)
    return ReplaceText(
        target.needles, ("",), target.which, target.scope, is_quoted=target.is_quoted, beyond_if_absent=beyond
    )


def _is_beyond(words: Phrase) -> bool:
    """Say whether words that do not occur rather describe what should go."""
    is_long = (
        len(words.text) > _MAX_ABSENT_HAN
        if not words.text.isascii()
        else len(words.text.split()) > _MAX_ABSENT_WORDS
    )
    return is_long or is_judged(words) or is_aspect(words) or is_part(words)
