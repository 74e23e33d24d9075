"""Talk about the edit that came along with it: versions to choose from, notes, offers, and left-overs of the view."""

import re
from collections.abc import Callable, Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import changed_pairs
from script_editor.domain.guards.elision import is_placeholder
from script_editor.domain.guards.refusal import is_refusal
from script_editor.domain.guards.suspicion import found_at, suspects, was_asked_for
from script_editor.domain.intent import read_intent
from script_editor.domain.segments import NumberedScript, Segment
from script_editor.patterns import Pattern

_LEAD = r"[\s#>*_\-=~【\[(（<《「“\"`•·]{0,12}"
_CLOSE = r"[\s*_】\])）>》」”\"`]{0,6}"
_LOOKED_AT = 200
_ORDINAL = r"(?:[A-Ea-e]|[1-5１-５]|[一二三四五]|one|two|three|first|second|I{1,3})"

_CHOICE = Pattern(
    rf"{_LEAD}(?:(?:option|version|alternative|variant|variation|draft|take|choice|rewrite|revision"
    rf"|possibility) ?#?{_ORDINAL}"
    rf"|(?:版本|方案|选项|選項|备选|備選|改写|改法|写法|選擇|选择)[ ]?{_ORDINAL}"
    rf"|第{_ORDINAL}[个種种](?:版本|方案|选项|改法|写法)|(?:或者|另一个版本|备选|另一版"
    rf"|or alternatively|alternatively)(?=[:：]?$))"
    rf"{_CLOSE}(?:[:：.、)）\-–—]|(?:\([^()]*\)|（[^（）]*）)|(?<=[】\])）*])\s*\S|$)",
    re.IGNORECASE,
)
_OLD = Pattern(
    rf"{_LEAD}(?:original|before|old|previous|原文|原句|原版|原稿|原来|原本|修改前|改前|旧版|改动前"
    rf"|优化前|润色前)(?: (?:script|text|line|version))?{_CLOSE}[:：]",
    re.IGNORECASE,
)
_NEW = Pattern(
    rf"{_LEAD}(?:revised|rewritten|edited|updated|new|after|improved|modified|修改后|改后|改为|新版"
    rf"|新句|现版|改写后?|润色后?|优化后?|修订后?|调整后|改动后|修改)(?: (?:script|text|line"
    rf"|version))?{_CLOSE}[:：]",
    re.IGNORECASE,
)
_LABELLED = Pattern(
    rf"{_LEAD}(?:(?:修改|改写|润色|优化|修订|调整|潤色|修訂|優化)(?:后|後|版)|(?:revised|rewritten|edited|polished)"
    rf"(?: (?:script|text|line|version))?){_CLOSE}[:：]",
    re.IGNORECASE,
)
_WORK_EN = (
    r"(?:script|text|version|draft|copy|rewrite|edit|revision|line|lines|dialogue|narration"
    r"|subtitles?|translation|rewritten|result)"
)
_DONE_EN = (
    r"(?:revised|updated|edited|modified|rewritten|polished|improved|new|corrected|shortened"
    r"|translated|refined|adjusted|requested|final|full|complete)"
)
_ANNOUNCED = Pattern(
    rf"{_LEAD}(?:(?:sure|certainly|of course|absolutely|okay|ok|great|got it|no problem|understood"
    rf"|happy to help)[!,.:]* ?)?"
    rf"(?:(?:here(?:['’]s| is| are)|below is|this is|please find|i['’]ve prepared)(?: (?:the|your|a"
    rf"|my))?(?: \w+){{0,3}}? {_DONE_EN}(?: \w+){{0,3}}? {_WORK_EN}\b"
    rf"|{_LEAD}here(?:['’]s| is| are) (?:your|a|the)(?: [\w-]+){{1,4}} (?:version|take|draft|rewrite"
    rf"|script)s?[:!.]?$"
    rf"|(?:the |your )?{_DONE_EN} {_WORK_EN}{_CLOSE}[:：]?$)"
    rf"|{_LEAD}(?:sure(?: thing)?|certainly|of course|absolutely|great|okay"
    rf"|no problem)[!,.:]+ ?(?:here|i(?:['’]ve| have)|below)\b"
    rf"|{_LEAD}here(?:['’]s| is) (?:a|an|your|the) (?:\w+ ){{0,4}}(?:version|take|draft|rewrite|revision|edit)"
    rf" (?:of|on) (?:your|the) (?:script|text|line|draft|opening|ending)\b"
    rf"|{_LEAD}(?:(?:sure|certainly|of course|absolutely|understood|got it|no problem)[!.,:]*"
    rf"|here (?:you go|it is|you are):)$"
    r"|.{0,14}?(?:以下|下面|这)(?:就)?(?:是|为)(?:我|您|你|经过|根据|按照"
    r"|按)?[^，,。！]{0,14}?(?:修改|润色|改写|优化|调整|更新|精简|翻译|改好|重写|修订|完善|缩短"
    r"|扩写)(?:后|过|好)?的?(?:完整|最新|新|最终)?(?:的)?(?:脚本|版本|内容|文案|文本|台词|稿子|结果"
    r"|译文|口播稿|字幕|全文)"
    r"|\W{0,6}(?:以下|下面|这)(?:就)?[是为][^，,。！？]{0,10}(?:版|版本|稿|文案|脚本|全文)\W{0,3}[:：]\W{0,3}$"
    r"|\W{0,6}(?:修改|润色|改写|优化|调整|更新|精简|修订|最终|完整|文艺|正式|口语|幽默|新)版(?:本"
    r"|脚本)?\W{0,3}[:：]\W{0,3}$"
    r"|\W{0,6}(?:修改|润色|改写|优化|调整|更新|精简|翻译|修订)(?:后|完成)(?:的)?(?:脚本|版本|内容"
    r"|文案|文本|全文|结果)(?:如下)?\W{0,4}$"
    r"|\W{0,4}(?:好的|没问题|当然可以|当然|收到|明白|好)[，,！!。]{0,2}(?:(?:以下|这|下面)是|我(?:已|来|会|帮"
    r"|为|将|把)(?:经)?[^，,。]{0,12}(?:改|润色|优化|调整|写|脚本|文案))",
    re.IGNORECASE,
)
_NOTES = Pattern(
    rf"{_LEAD}(?:(?:修改|改动|变更|优化|调整|润色|改写|编辑|更新|翻译)(?:说明|要点|点|理由|原因|思路"
    rf"|备注|记录|内容|总结|摘要|日志|之处|的地方|详情|清单)(?:如下)?|主要(?:修改|改动|变化|调整)"
    rf"|(?:本次|这次)(?:修改|改动|调整|润色)(?:说明|如下)?"
    r"|(?:summary of |list of |key |main |what )?(?:changes?|edits|revisions"
    r"|modifications)(?: (?:made|summary|notes?|log|list|i made|applied|changed))|what (?:i|has|was"
    r"|have)? ?changed|(?:edit|revision|change|editor['’]?s?|rewriter['’]?s?"
    r"|translator['’]?s?) (?:notes?|log|summary)|(?:summary|notes?|comments?) (?:of|on) (?:the "
    r"|this )?(?:changes?|edits?|revisions?|rewrite)"
    r"|rationale|explanation of (?:the )?(?:changes|edits)"
    rf"){_CLOSE}(?:[:：]|$)"
    # "Note:" and 注： are speech unless they talk about the edit.
    rf"|{_LEAD}(?:note|notes|注|备注|附注|说明|explanation|changes"
    rf"|p\.?s\.?){_CLOSE}[:：].{{0,60}}(?:\bI(?:['’]ve| have)? (?:kept|changed|made|left|revised"
    rf"|updated|shortened|removed|added|adjusted|did not|didn['’]t|replaced|rewrote|preserved)\b"
    rf"|\b(?:original|rest of the|the) (?:script|text|wording)\b|\b(?:were|was|has been"
    rf"|have been) (?:kept|left|changed|preserved|removed|adjusted)\b|原文|原稿|脚本|改动|修改|改为"
    rf"|改成|润色|保留了|未改|保持不变|其余|调整了|替换)",
    re.IGNORECASE,
)
_OFFER = Pattern(
    r"(?:.*[.!?] )?(?:please )?(?:let me know|feel free to (?:let me know|tell me|ask)"
    r"|just (?:let me know|tell me|say))\b[^.!?]{0,30}\b(?:if|whether|which"
    r"|what)\b[^.!?]{0,40}\b(?:(?:further|more|other|another|additional|any"
    r"|different) (?:\w+ )?(?:changes?|edits?|adjustments?|revisions?|tweaks?|modifications?"
    r"|versions?|refinements?)|adjust(?:ed|ments?)?|tweak(?:ed|s)?|revis(?:e|ed|ions?)"
    r"|a different tone|you(?:['’]d| would) (?:like|prefer) (?:me|it|this|a))"
    r"|(?:.*[.!?] )?(?:would you like|do you want|shall i|should i"
    r"|want me to)\b(?: me)?[^.!?]{0,20}\b(?:me to|adjust|tweak|revise|rewrite|edit|shorten"
    r"|make (?:it|any|further|the)|change|add more|continue)\b[^.!?]{0,60}\?"
    r"|(?:.*[.!?] )?(?:i can|i['’]m happy to|happy to|i could"
    r"|i['’]d be happy to)\b[^.!?]{0,60}\b(?:adjust|tweak|revise|rewrite|edit|shorten|lengthen"
    r"|make (?:it|this|another|the)|provide|offer|change|add more|try)\b[^.!?]{0,60}\bif (?:you"
    r"|needed|that)\b"
    r"|(?:.*[.!?] )?if you(?:['’]d)? (?:like|prefer|want|need|would like)\b[^.!?]{0,60}\bi (?:can"
    r"|could|will|['’]ll)\b[^.!?]{0,20}\b(?:adjust|tweak|revise|rewrite|edit|shorten|make|provide"
    r"|change|add|try)\b"
    r"|(?:.*[.!?] )?(?:i hope|hope) (?:this|that|these|the)(?: \w+)? (?:version|revision|edit|edits"
    r"|script|rewrite|changes?|draft)\b"
    r"|.{0,30}希望(?:这个|这|以上|该|此)(?:次|些|份|版)?(?:修改|版本|内容|改动|调整|修订|脚本|改写|润色)"
    r"|.{0,30}(?:如果?|若|要是)[^。！]{0,10}(?:需要?|想|要|有)[^。！]{0,10}(?:进一步|其他|其它|再"
    r"|任何|继续|更多|别的|另外)[^。！]{0,8}(?:修改|调整|优化|改动|润色|完善|版本|改)"
    r"|.{0,30}(?:如果|若|要是|需要的话|不满意)[^。！]{0,16}我(?:还|也)?(?:可以|能|来|会"
    r"|帮)[^。！]{0,10}(?:调整|修改|改|润色|重写|缩短|提供|换|再写)"
    r"|.{0,10}(?:还|是否|还有)[^。！？]{0,4}(?:需要|要|想)[^。！？]{0,8}(?:修改|调整|改动|优化"
    r"|润色)[^。！？]{0,6}[吗？?]"
    r"|.{0,20}(?:需要|要不要|是否需要|是否)我?(?:再|继续|帮您|帮你|进一步)[^。！？]{0,14}(?:修改|调整"
    r"|优化|改|润色|写|生成)[^。！？]{0,10}[吗？?]"
    r"|.{0,10}请?(?:告诉我|告知)(?:您|你)?(?:是否|需不需要|哪个版本|喜欢哪|偏好|更喜欢)"
    r"|.{0,10}(?:您|你)(?:更?喜欢|觉得|想要|选)哪(?:个|一)(?:个)?(?:版本|方案)",
    re.IGNORECASE,
)
_REPORT = Pattern(
    rf"{_LEAD}(?:p\.?s\.?[:,]? ?)?(?:i(?:['’]ve| have|['’]ll)?(?: also| just| only)? (?:kept|changed"
    rf"|made|left|revised"
    rf"|updated|shortened|adjusted|replaced|rewrote|rewritten|preserved|edited|modified|tightened"
    rf"|polished|translated|fixed|maintained)"
    r" (?:\w+ ){0,5}?(?:the (?:script|text|tone|rest|original|wording|first line|last line|lines?"
    r"|opening line|ending|timestamps?|structure|punctuation|labels?)|facts|numbers|details|meaning"
    r"|line \d|lines \d|your script"
    r"|it (?:more|less|shorter|to sound)|all (?:the )?(?:other|numbers|facts|lines)|everything else)"
    r"|(?:all|the) (?:other |remaining )?(?:lines|numbers|facts|labels|timestamps|placeholders"
    r"|content)(?: \w+){0,4} (?:were|was|are|have been|has been) (?:kept|left|preserved|unchanged"
    r"|retained|maintained)"
    r"|(?:this|the) (?:revised|edited|rewritten|updated) (?:version|script|text|line) (?:keeps"
    r"|maintains|preserves|uses|makes|is|adds|removes|retains)\b"
    r"|(?:this|the) (?:version|revision|rewrite) (?:keeps|maintains|preserves|retains|removes"
    r"|adds) (?:\w+ ){0,4}?(?:original|structure|numbers|facts|tone|wording|meaning|script|humor"
    r"|lines?)\b"
    r"|as (?:you )?(?:requested|asked|instructed),)"
    rf"|{_LEAD}我(?:已经?|把|将|仅|只|对)(?:[^，,。]{{0,16}})(?:修改|改写|调整|润色|改成|改为|优化"
    rf"|翻译|精简|缩短|替换|保留)[^。]{{0,16}}(?:脚本|原文|文案|语气|其余|其他|句|行|内容|版本|完成"
    rf"|要求)"
    rf"|{_LEAD}我(?:已经?|把|将|仅|只|对|在)[^。！？]{{0,40}}(?:第[一二三四五六七八九十\d]+[句行段]"
    rf"|语气|其余|全文|台词|原文)[^。！？]{{0,24}}(?:改|调整|写得|润色|换成|缩短|精简|保持|未动)"
    rf"|{_LEAD}(?:根据|按照|按|依照|应)(?:您|你)的(?:要求|指示|需求|意见|建议)"
    rf"|{_LEAD}(?:其余|其他|其它|剩余)(?:内容|部分|各?行|段落)?(?:均|都)?(?:未|没有?|无)(?:做"
    rf"|作)?(?:任何)?(?:改动|修改|变动|变化)"
    rf"|{_LEAD}以上(?:内容|脚本|文本|版本|文案)?(?:就是|是|为|仅|只|已|均)[^，,。]{{0,8}}(?:修改|润色"
    rf"|改写|优化|调整|精简|翻译)"
    r"|.{0,80}(?:[（(【\[](?:修改|改动|已改|已修改|改为|原文|原句|原为|注[:：]|此处改|修改处|edited"
    r"|changed|revised|modified|updated|was:|originally|edit:|note:)[^（）()\[\]【】]{0,40}[）)】\]]"
    r"|(?:←|<-|<--|//) ?(?:修改|改|changed|edited|new|updated|revised))\W*$",
    re.IGNORECASE,
)
_OF_THE_VIEW = Pattern(
    r"(?:S\d{1,5}(?::[0-9a-z]{2})?\s*(?:\[locked\]\s*)?[|｜]|\[locked\]\s*[|｜]|\d{1,4}\s?[|｜]\s"
    r"|L\d{1,5}\s?[|｜:：]|"
    r"@@\s*(?:replace|insert_after|insert_before|delete|move|substitute|with|end)\b|<{5,9} ?SEARCH\b"
    r"|>{5,9} ?REPLACE\b|={7}$|<<<<<<<|>>>>>>>)",
    re.IGNORECASE,
)


# At the edges of a text, where chatter comes, a word about the work and one that addresses somebody are enough,
# unless the script itself is about such work.
_ABOUT_WORK = Pattern(
    r"\b(?:this|the|your|another|original) (?:version|script|draft|text|tone|wording)\b"
    r"|\b(?:revisions?|rewrite|rewrote|edit(?:s|ed)?|tweak\w*|wording|adjustments?|rephras\w+)\b"
    r"|修改(?:后|了|说明|要求|意见|建议|内容|的地方|之处)|改动|改写|润色|语气|措辞|原文|供您参考"
    r"|供参考|改为|再改|(?:这个|这一|此|该|以上|新)(?:版本|版|脚本|文案)",
    re.IGNORECASE,
)
_ADDRESSED = Pattern(
    r"\b(?:i|i['’]ve|i['’]m|you|your|let me|here(?:['’]s)?|please|requested|enjoy|hope|below|above)\b"
    r"|您|我|请|如需|如有|告诉|以下|以上|希望|供|参考|^\W*(?:改动|修改|调整|说明|备注)\W",
    re.IGNORECASE,
)


def _has_another_name(line: str) -> bool:
    """Say whether another guard names the fault of a line more exactly."""
    return is_placeholder(line) or is_refusal(line)


def _at_the_edges(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Segment]:
    """Yield lines that came in at the start or the end and talk about the work."""
    if _ABOUT_WORK.search(before.text) or read_intent(context.instruction).longer:
        return  # the script is about such work, or new lines are what was asked for
    pairs = changed_pairs(before, after)
    edges = {segment.number for segment in (*after.segments[:1], *after.segments[-2:])}
    for old, new in pairs:
        if old is not None or new is None or new.number not in edges or len(new.content) > _LOOKED_AT:
            continue
        is_chatter = _ABOUT_WORK.search(new.content) and _ADDRESSED.search(new.content)
        if (
            is_chatter
            and not _has_another_name(new.content)
            and not was_asked_for(new.content, context.instruction)
        ):
            yield new


def commentary(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find new lines that talk about the edit instead of being script text."""
    for pattern, what in (
        (_ANNOUNCED, "announces the edit instead of being script text"),
        (_NOTES, "starts notes about the edit"),
        (_LABELLED, "is labelled as the edited text"),
        (_OFFER, "talks to whoever asked for the edit"),
        (_REPORT, "tells what was edited"),
    ):
        for segment in suspects(before, after, context, _starts_as(pattern)):
            if not _has_another_name(segment.content):
                yield found_at(segment, "commentary", what)
    for segment in _at_the_edges(before, after, context):
        yield found_at(segment, "commentary", "talks about the edit")
    choices = list(suspects(before, after, context, _starts_as(_CHOICE)))
    if len(choices) > 1 or (choices and _stands_alone(choices[0].content)):
        yield found_at(choices[0], "commentary", "heads one of several versions; a person has to choose")
    old = list(suspects(before, after, context, _starts_as(_OLD)))
    new = list(suspects(before, after, context, _starts_as(_NEW))) if old else []
    if new:
        yield found_at(
            new[0], "commentary", "shows the old and the new text side by side", was=old[0].content
        )


def _starts_as(pattern: Pattern) -> Callable[[str], bool]:
    """Return the question whether a line starts as `pattern` says; long lines are speech, so their start is enough."""
    return lambda line: pattern.match(line[:_LOOKED_AT]) is not None


def _stands_alone(line: str) -> bool:
    return (len(line) <= 24 and line.rstrip("*_ 】])）").endswith((":", "："))) or _CHOICE.fullmatch(
        line
    ) is not None


def view_prefix(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find new lines that begin with what only the model's view of the script has: `S5:k7 | `, `@@ replace`."""
    for segment in suspects(before, after, context, _starts_as(_OF_THE_VIEW)):
        yield found_at(segment, "malformed", "begins with a mark of the editing format", guard="view_prefix")
