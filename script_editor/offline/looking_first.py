"""Words that want to see an edit before anything is saved, and the instruction without them.

先别保存，把X改成Y给我看看; `show me what it would look like if you replaced X by Y`. What they stand around is
the instruction that is previewed; with them, nothing of it may be saved.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from script_editor.offline import doubts
from script_editor.offline.courtesy import plain_verb, without_closing, without_opening
from script_editor.offline.quotes import TOKENS
from script_editor.offline.wording import Language, Phrase, pattern

_ZH_SAVE = r"(?:保存|存盘|储存|存档|存|应用|提交|生效|落库|入库|写入|定稿|采用)"
_ZH_LOOK = r"(?:看一?看|看一?下|看下|看|瞧瞧|瞧一下|过目|预览|预览一下|确认一?下?)"
_ZH_HOW = r"(?:改完|改后|改好|改了|改动|修改|替换)?(?:之?后|以后)?的?(?:会)?(?:是)?(?:个)?(?:效果|结果|样子|什么样子?|怎么样|怎样|啥样子?|如何)(?:的|如何|怎么样)?"
_ZH_FOR_ME = r"(?:先|就|只|再)?(?:给我|让我|帮我|我(?:就|只)?(?:想|要)?(?:先)?|先)"

# A clause that only says: nothing is to be saved, or: I want to see it first.
_FORBIDS = (
    rf"(?:但是?|不过|请|麻烦|你|就)?(?:请)?先?(?:都)?(?:别|不要|不用|不必|不|暂不|暂时不要?|暂时别|暂且不|先不)(?:要)?(?:急着?|忙着?|着急)?(?:就)?(?:{_ZH_SAVE}|动手|(?:真的?|直接)(?:改|动|{_ZH_SAVE}))(?:它|了|哦|啊|任何东西|任何改动|改动|修改|结果)*",
    r"(?:但是?|不过|请|麻烦|你|就)?先(?:别|不要|不用|不)(?:急着?|着急)?(?:真的?|直接)?(?:改|修改|动)(?:它|原文|脚本|了|哦)*",
    rf"(?:我)?(?:只|仅|先)(?:是|要|需要?|想|用|做|做个)?(?:预览|看看|看一看|看一?下|看|预览一下)(?:一下)?(?:{_ZH_HOW})?(?:就行|就好|即可)?",
    rf"(?:(?:请|帮我|给我|先)*(?:做|出|生成|来|给)(?:个|一个|一份|一版|份)?)?预览(?:一下|下)?(?:{_ZH_HOW})?(?:即可|就行|就好)?",
    rf"先(?:做)?(?:预览|看看|看一?下|看)(?:一下)?(?:{_ZH_HOW})?再(?:说|决定|定|{_ZH_SAVE})",
    r"(?:(?:but|and|just|only|so|please|for now|though|then) )*(?:don't|do not|dont|never)(?: (?:actually|really|yet|just))* (?:save|apply|commit|store)(?: (?:it|them|anything|that|this|the (?:change|edit|script|result)s?))?(?: (?:yet|just yet|for now|right now|though|please))*",
    r"(?:(?:but|and|just|please) )*without (?:actually )?(?:saving|applying|committing)(?: (?:it|them|anything|that|this|the (?:change|edit|result)s?))?(?: (?:yet|just yet|for now))*",
    r"(?:(?:but|and|just|only|please|as|this is|i want|i'd like|make it|it's|do) )*(?:an? )?(?:preview|dry run)(?: only| first| please| it| for now)*",
    r"(?:(?:but|and|please) )*(?:no|nothing) (?:saving|saved|to be saved|should be saved|is to be saved)(?: (?:yet|for now))*|(?:but |and )?not (?:yet )?(?:saved|applied)(?: yet)?",
)
_SHOWS = (
    rf"{_ZH_FOR_ME}{_ZH_LOOK}(?:一下)?(?:{_ZH_HOW})?(?:再说|再决定|再定)?",
    rf"(?:看看|看一?下|看一看){_ZH_HOW}",
    rf"(?:我|等我|让我)?(?:看|确认|满意|同意|过目)(?:过|完|好)?(?:了)?(?:之后|以后|后)?(?:没问题|觉得可以|可以|满意)?(?:了)?(?:之后|以后|后)?(?:再|才){_ZH_SAVE}(?:下来)?",
    r"(?:(?:but|and|just|then|please|first) )*(?:i (?:just |only )?(?:want|would like|'d like) to|let me|i'd like to) (?:see|look at|check|preview|review)(?: (?:it|that|the (?:result|change|preview|outcome)|how it (?:would |'d )?looks?|what it (?:would |'d )?looks? like))?(?: first| before (?:you |it is |it's )?sav(?:e|ed|ing)(?: it)?)*",
    r"(?:(?:but|and|just|then|please|first) )*show me(?: (?:it|that|a preview|the (?:result|preview|change|outcome)|how (?:it|that)(?: would|'d| will) look|what (?:it|that)(?: would|'d| will) (?:look like|be|do)|what you(?:'d| would) (?:do|change)))? (?:first|before (?:you |it is |it's )?sav(?:e|ed|ing)(?: it)?)",
    r"(?:(?:but|and|just|then|please|first) )*show me (?:a preview|the preview|how (?:it|that)(?: would|'d| will) look|what (?:it|that)(?: would|'d| will) (?:look like|be|do)|what you(?:'d| would) (?:do|change))(?: like)?(?: first)?",
)
# A clause that says nothing by itself, but goes with one of those.
_BESIDE = (
    r"(?:(?:and|then|just|please) )*(?:show|tell|give) me(?: (?:it|that|the (?:result|outcome|change|changes|diff|new text)|what (?:changes|changed|it looks like)|how it looks))?",
    r"(?:给我|让我|我)?(?:看|看看|看一?下)(?:结果|效果)?|(?:给我)?(?:列出|显示|展示)(?:改动|结果|差别|变化)",
)
# Before the request, without a joint between.
_OPENS = (
    r"(?:请|麻烦|帮我|给我|先|我想|想|让我|再)*(?:预览|预览一?下|做个预览|做一?个预览|出个预览)(?:一下|效果)?[:,]?\s*(?:如果|要是|假如|假设)?(?=\S)",
    rf"(?:{_ZH_FOR_ME}(?:看一?看|看一?下|看看)|看一?看|看一?下)(?:一下)?(?:如果|要是|假如|假设)?[:,]?\s*(?=(?:把|将|删|去掉|在第|用|替换|移|交换|换))",
    r"(?:please |can you |could you |just )*(?:show|give|make|do) (?:me )?(?:a |the )?(?:preview|dry[- ]run)(?: of| for| with)?[:,]? (?:what (?:happens|it would look like) (?:if|when) (?:you|we|i) )?",
    r"(?:please )?(?:preview|dry[- ]run)(?: only| this| what (?:happens|it looks like|would happen))?(?: (?:if (?:you|we|i)|of))?[:,]?\s+",
    r"(?:please |can you |could you |just )*show me (?:what|how) (?:(?:it|this|that|the (?:script|text|result)|things|line \d+|video_\d+)(?:'d| would| will)? looks?(?: like)?|would happen|you(?:'d| would) (?:do|change)|it would be)(?:,)? (?:if (?:you|we|i)(?:'d|'ll)?|with|after|when (?:you|we|i)|to)(?: (?:were to|just|only|did))? ",
    r"what (?:would|will|does|'d) (?:(?:it|this|that|the (?:script|text|result)|line \d+|happen|video_\d+) )?(?:(?:look like|be like|be|read like) )?(?:if (?:you|we|i)|with|after|when (?:you|we))(?: (?:were to|just|only))? ",
    r"(?:i(?:'d| would) like to|i want to|let me) see (?:what|how) (?:it|this|that|the (?:script|text))(?:'d| would| will)? looks?(?: like)? (?:if (?:you|we|i)|with|after|when (?:you|we))(?: (?:were to|just|only))? ",
    r"what if (?:you|we|i)(?: (?:were to|just))? ",
    r"(?:只|仅|先)(?:做)?预览[:,]?\s*(?=\S)",
)
_SUPPOSES = r"(?:如果|要是|假如|假设|若)(?:我|我们|你)?\s*(?=\S)"
_WONDERS = r"(?:的?话)?[,]?\s*(?:脚本|那)?(?:会|将)?(?:是)?(?:个)?(?:变成|变)?(?:什么|怎么|怎|啥|何)样子?(?:的)?(?:呢|啊|呀)?[?。]*$|(?:的?话)?[,]?\s*会(?:如何|怎样|怎么样)(?:呢)?[?。]*$"
_ASKS = r"(?:的话)?(?:呢|怎么样|如何|行吗|好吗)[?。]*$"
_TRIES = r"(?:请|先|帮我)*(?:试着|试试看?|试一?下|尝试)[,:]?\s*(?=\S)"
# After the request, without a joint between.
_CLOSES = (
    rf"\s*\((?:{'|'.join(_FORBIDS)})\)$",
    rf"[,\s]*先(?:别|不要|不)(?:急着)?{_ZH_SAVE}$",
    rf"(?<=[{TOKENS[1:-1]}掉去除了行句段换])(?:看看|看一?下)(?:效果|会怎样|会怎么样|结果|是什么样|怎么样)$",
    r"(?: (?:and|then|but))* show me first$",
    rf"(?<={TOKENS})(?:先?给我|让我|先|帮我)(?:看一?看|看看|看一?下|看下|过目|预览|预览一下)(?:一下)?(?:{_ZH_HOW})?$",
    rf"(?<=[掉去除了行句段换]){_ZH_FOR_ME}(?:看一?看|看看|看一?下|看下|过目|预览|预览一下)(?:一下)?(?:{_ZH_HOW})?$",
    rf"(?<={TOKENS})先?(?:别|不要)(?:急着)?{_ZH_SAVE}$",
    rf"(?<=[掉去除了行句段换])先?(?:别|不要)(?:急着)?{_ZH_SAVE}$",
    r"(?: (?:but|and|then|just))* (?:don't|do not) (?:save|apply|commit)(?: (?:it|them|anything|that|this))?(?: (?:yet|just yet|for now|though))*$",
    r"(?: but| and)? without (?:actually )?(?:saving|applying|committing)(?: (?:it|them|anything|that|this))?(?: (?:yet|just yet|for now))*$",
    r" (?:as a (?:preview|dry run)|preview only|in (?:a )?preview(?: mode)?)$",
    r"(?: (?:and|then|but))* show me (?:a preview|the preview|(?:it|the result) (?:first|before (?:you )?sav(?:e|ing)(?: it)?)|how (?:it|that)(?: would|'d| will) look|what (?:it|that)(?: would|'d| will) look like)(?: first)?$",
)
_EFFECT = rf"(?<=[{TOKENS[1:-1]}掉去除了行句段换])的?(?:{_ZH_HOW})[?。]*$|的(?:效果|样子|结果|预览)[?。]*$"
_JOINT = r"[,;。!?\n]|\.(?=\s|$)|\s(?=but (?:don't|do not|without))|\s(?=and (?:show|tell|give) me)"
_JOINT_AFTER = rf"{_JOINT}|:"


@dataclass(frozen=True, slots=True)
class Look:
    """An instruction that is to be seen before it is saved, without the words that say so."""

    instruction: str


def read_look(phrase: Phrase, language: Language) -> Look | None:
    """Return what is to be previewed, or None when an instruction does not ask for a look first.

    Raises:
        EditRefused: ambiguous_match; such words stand in what may be text after a colon.
    """
    if phrase.is_long:
        return None
    kept, is_found = _without_clauses(phrase, language)
    shorter = _without_edges(kept, is_found=is_found)
    if not shorter or (not is_found and shorter.text == kept.text):
        return None
    return Look(shorter.typed)


# --- clauses that say nothing else ---------------------------------------------------------------


def _without_clauses(phrase: Phrase, language: Language) -> tuple[Phrase, bool]:
    """Take out the clauses that only ask for a look, and say whether there was one."""
    spans = list(_clauses(phrase))
    found = [span for span in spans if _is_one_of(phrase.cut(*span), (*_FORBIDS, *_SHOWS))]
    if not found:
        return phrase, False
    found = sorted({*found, *(span for span in spans if _is_one_of(phrase.cut(*span), _BESIDE))})
    colon = _text_colon(phrase)
    if colon is not None and any(start > colon for start, _end in found):
        raise doubts.uncertain_text(language, phrase.cut(found[-1][0]).literal)
    kept = phrase
    for start, end in reversed(found):
        following = pattern(_JOINT_AFTER).match(phrase.folded, end)
        kept = kept.without(start, following.end() if following else end)
    rest = kept.cut(0)
    return rest.cut(0, len(rest.folded.rstrip(" ,;"))), True


def _clauses(phrase: Phrase) -> Iterator[tuple[int, int]]:
    colon = phrase.folded.find(":")
    is_head = colon > 0 and _is_one_of(phrase.cut(0, colon), _FORBIDS)
    start = colon + 1 if is_head else 0
    if is_head:
        yield 0, colon
    for joint in pattern(_JOINT).finditer(phrase.folded, start):
        yield start, joint.start()
        start = joint.end()
    yield start, len(phrase.folded)


def _is_one_of(clause: Phrase, sources: tuple[str, ...]) -> bool:
    words = without_closing(clause)
    return any(
        pattern(source).fullmatch(said.folded)
        for said in (clause, words, without_opening(words))
        for source in sources
    )


def _text_colon(phrase: Phrase) -> int | None:
    """Return where a colon stands after which all may be text; that of 预览： opens a request."""
    opened = _opening(phrase)
    start = len(phrase.folded) - len(opened.folded) if opened else 0
    head = phrase.folded.find(":")
    if not opened and head > 0 and _is_one_of(phrase.cut(0, head), _FORBIDS):
        start = head + 1
    colon = phrase.folded.find(":", start)
    return colon if colon >= 0 and phrase.folded[colon + 1 :].strip() else None


# --- words around the request --------------------------------------------------------------------


def _without_edges(phrase: Phrase, *, is_found: bool) -> Phrase:
    opened = _opening(phrase)
    if _text_colon(phrase) is not None:  # what ends the words may be the end of the text
        return phrase if opened is None else plain_verb(opened)
    words = _closing(opened or phrase)
    if opened is not None:
        return plain_verb(_without(words, _WONDERS) or _without(words, _EFFECT) or words)
    supposed = pattern(_SUPPOSES).match(words.folded)
    wondered = _without(words, _WONDERS) or (_without(words, _ASKS) if supposed else None)
    if wondered is None:
        trying = pattern(_TRIES).match(words.folded) if is_found or words.text != phrase.text else None
        return words.cut(trying.end()) if trying else words
    return wondered.cut(supposed.end()) if supposed else wondered


def _opening(phrase: Phrase) -> Phrase | None:
    """Return what follows words that open a look, None when nothing opens one."""
    opened = without_opening(phrase)
    for said in (phrase, opened):
        for source in _OPENS:
            match = pattern(source).match(said.folded)
            if match and match.end() < len(said.folded):
                return said.cut(match.end())
    return None


def _closing(phrase: Phrase) -> Phrase:
    bare = phrase.cut(0, len(phrase.folded.rstrip(" .。!?,")))
    for source in _CLOSES:
        match = pattern(source).search(bare.folded)
        if match and match.start() > 0:
            rest = bare.cut(0, match.start())
            return rest.cut(0, len(rest.folded.rstrip(" ,;")))
    return phrase


def _without(phrase: Phrase, source: str) -> Phrase | None:
    match = pattern(source).search(phrase.folded)
    return phrase.cut(0, match.start()) if match and match.start() > 0 else None
