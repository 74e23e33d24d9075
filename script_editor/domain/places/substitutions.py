"""Replacing or removing one expression wherever it stands: the places are where it stands.

Only an expression that the script has counts, quoted or not; "all numbers" or 所有英文 name a kind of thing
and could be anywhere.
"""

from script_editor.domain.places.content_words import LineIndex
from script_editor.domain.places.wholeness import QUOTED, Clause
from script_editor.patterns import Pattern

_WHERE_ZH = r"(?:在|把|将)?(?:全文|全篇|通篇|整篇|全稿|脚本|稿子|文案|这篇|文中)?(?:里面?|中|内)?的?"
_ALL_ZH = r"(?:所有|全部|每(?:一)?(?:个|处)|出现)?的?"
_PUT_ZH = r"(?:统一|全部|全都|一律|全|都)*(?:改|换|替换|统一|写|说|译|调整)(?:成|为)"
_GONE_ZH = r"(?:全部|全都|一律|全|都)*(?:删|去|拿)(?:掉|除|了|干净)?"
_EVERY_EN = (
    r"(?:(?:every|all|each|any|both|the) )*"
    r"(?:(?:occurrences?|instances?|mentions?|uses?|words?|phrase|term)(?: of)? )?(?:the )?"
)
_WHERE_EN = r"(?: (?:everywhere|throughout|across|in|all over)\b[^,]*?)?"
_FORMS = (
    Pattern(rf"{_WHERE_ZH}(?:把|将)?{_ALL_ZH}(?P<x>[^,]{{1,60}}?){_PUT_ZH}"),
    Pattern(rf"{_WHERE_ZH}(?:把|将)?{_ALL_ZH}(?P<x>[^,]{{1,60}}?){_GONE_ZH}$"),
    Pattern(rf"{_WHERE_ZH}(?:删|去|拿)(?:掉|除|了)?{_WHERE_ZH}{_ALL_ZH}(?P<x>[^,]{{1,60}})$"),
    Pattern(rf"用[^,]{{1,60}}?(?:替换|代替|取代)(?:掉)?{_WHERE_ZH}{_ALL_ZH}(?P<x>[^,]{{1,60}})$"),
    Pattern(
        rf"\b(?:replace|change|swap|turn|rename|convert|update) {_EVERY_EN}(?P<x>[^,]{{1,80}}?){_WHERE_EN}"
        r" (?:with|to|into|by|for|as)\b"
    ),
    Pattern(
        rf"\b(?:say|use|write|put) [^,]{{1,60}}? (?:instead of|rather than|not|for) {_EVERY_EN}"
        rf"(?P<x>[^,]{{1,60}}?){_WHERE_EN}$"
    ),
    Pattern(
        rf"\b(?:delete|remove|cut|drop|lose|take out|get rid of|strip) {_EVERY_EN}(?P<x>[^,]{{1,80}}?){_WHERE_EN}$"
    ),
)  # fmt: skip
_KIND = Pattern(
    r"(?:数字|数据|英文|中文|标点|句号|逗号|问号|感叹号|引号|空格|空行|时间|日期|单位|价格|金额|人名|名字|称呼"
    r"|术语|专有名词|语气词|口头禅|废话|错别字|重复|形容词|副词|成语|网络用语|流行语"
    r"|长句|短句|句子|问句|反问|例子|比喻|人称|语气|风格|内容|台词|字幕|标题|它|这个|那个)的?"
    r"|(?:it|this|that|these|those|them|everything|numbers?|dates?|names?|prices?|figures?|units?|sentences?"
    r"|lines?|questions?|words?|jargon|slang|fillers?|filler words|typos?|adjectives"
    r"|adverbs|contractions|punctuation|commas?|dashes|quotes?|emojis?|headings?|titles?|tone|style|examples?"
    r"|metaphors?|jokes?|english|chinese|script|text|opening|ending|intro|outro|hook)"
)

_NO_OBJECTS = frozenset({
    "in", "on", "at", "of", "to", "for", "from", "by", "with", "up", "down", "out", "off", "back", "over", "and", "or",
    "what", "how",
})  # fmt: skip


def substituted(clause: Clause, index: LineIndex) -> set[int]:
    """Return the lines with the expression that a clause replaces or removes; none when it is no such clause."""
    for form in _FORMS:
        match = form.search(clause.text)
        if match is None:
            continue
        expression = match["x"].strip()
        if QUOTED in expression:
            return index.with_passage(clause.quoted[clause.text[: match.start("x")].count(QUOTED)])
        if len(expression) > 1 and not _KIND.fullmatch(expression) and expression not in _NO_OBJECTS:
            lines = index.with_passage(expression) or index.with_passage(expression.removesuffix("s"))
            if lines:
                return lines
    return set()
