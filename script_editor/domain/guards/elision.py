"""Lines that stand for left-out text instead of being it."""

import re
from collections.abc import Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.suspicion import found_at, suspects
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

# Phrases that leave no doubt: a line that is nothing but one of them stands for left-out text.
_WHAT_EN = (
    r"(?:script|text|lines?|content|video|document|original|story|paragraphs?|sections?|narration"
    r"|dialogue|copy|version|cues?|subtitles?|segments?)"
)
_SAME_EN = (
    r"(?:the )?(?:same|unchanged|not changed|as (?:is|it is|they are|it was|they were|before|above"
    r"|in the original|originally written|written|previously)|omitted|identical|unmodified"
    r"|untouched|unaltered|intact|left out|elided|skipped|abbreviated|truncated|no changes?|here)"
    r"(?: (?:as|to|from|in) (?:before|above|the original|(?:the )?previous(?: version)?"
    r"|original))?(?: for brevity)?"
)
_REST_EN = (
    rf"(?:(?:the )?(?:rest|remainder|remaining|others?|following|previous|subsequent|intermediate"
    rf"|middle)(?: {_WHAT_EN})?"
    rf"(?: of (?:the |your |this )?(?:original )?{_WHAT_EN})?|(?:all )?(?:other|remaining"
    rf"|existing) {_WHAT_EN}|everything else|all else|lines? \d+(?: ?(?:-|–|to|through) ?\d+)?)"
    rf"(?: (?:is|are|stays?|remains?|continues?|goes|kept|left|has been|have been|was"
    rf"|were))?(?: (?:exactly|completely|all|kept|left))? {_SAME_EN}"
    rf"|(?:the )?(?:rest|remainder)(?: of (?:the |your |this )?(?:original )?{_WHAT_EN})"
    rf"|(?:the )?(?:original )?{_WHAT_EN}(?: \w+){{0,2}} (?:continues?(?: as (?:is|before"
    rf"|in the original))?|omitted|unchanged|stays the same|remains? (?:the same"
    rf"|unchanged))(?: (?:here|as (?:is|before)|below))?(?: for brevity)?"
    rf"|(?:see|refer to) (?:the )?(?:original|above"
    rf"|previous)(?: {_WHAT_EN})?(?: for (?:the )?rest.{{0,20}})?|as (?:in"
    rf"|per) the original(?: {_WHAT_EN})?"
    rf"|(?:the )?(?:previous|original|existing|above|earlier|remaining) {_WHAT_EN} continues?(?: here"
    rf"| below| as before)?"
    rf"|(?:to )?continues? (?:on )?(?:with|from|as) (?:the )?(?:original|rest|previous"
    rf"|existing)(?: {_WHAT_EN})?(?: \w+){{0,3}}"
    rf"|keep (?:the )?(?:rest|remainder|other lines|remaining lines)(?: of the \w+)? {_SAME_EN}"
    rf"|(?:insert |keep |include |copy |add |paste )?(?:the )?(?:rest|remaining|original|existing"
    rf"|previous|unchanged|same)(?: of the)? {_WHAT_EN}(?: goes)?(?: here| as before| above| below)"
    rf"|(?:same|continue|continues|continued|unchanged) (?:as|from) (?:before|above|the original"
    rf"|original|previous)(?: (?:version|script|text))?"
    r"|no (?:other )?changes? (?:to|in|from) (?:the )?(?:rest|remaining lines|this (?:line|part)"
    r"|lines? .{0,12}|here|other lines)(?: of the \w+)?"
    r"|(?:omitted|abbreviated|shortened|truncated|snipped?) for brevity|and so on (?:as before"
    r"|unchanged)|etc\.?,? (?:unchanged|as before|same as (?:before|original))"
    r"|to be continued as (?:is|before)|snip"
)
_SUBJECT_ZH = (
    r"(?:(?:[前后後](?:面)?[\d一二两三四五六七八九十几]+[行句段条]|其余|其餘|剩余|剩餘|剩下|余下|餘下|后面|後面|后续|後續|后半|前面|前半|以下|以上|下面|上面"
    r"|中间|中間|其他|其它|此后|此处|此處|这里|這裡|接下来|之后|后文|後文|下文|前文|原有|未提及|未修改"
    r"|未涉及|没提到|[本此该該][行句段]|第?[\d一二三四五六七八九十]+[行句段]?(?:[-–—~～到至]第?[\d一二三四五六七八九十]+)?[行句段])"
    r"(?:的)?(?:各|所有|全部)?(?:部分|内容|內容|文字|文本|脚本|腳本|台词|台詞|段落|[行句段]|各?行"
    r"|句子|文案|字幕|镜头|原文|字)?(?:的?(?:部分|内容))?)"
)
_SAME_ZH = (
    r"(?:(?:都|均|全部|全都|一律|也|则|就|将|仍|仍然|依旧|依然|皆|我)?(?:与|和|跟|同|按|照|按照|保持"
    r"|维持|維持|保留)?(?:原来|原文|原稿|原版|原样|原樣|原脚本|原先|之前|以前|前文|上文|上面|前面"
    r"|上一版|原状|旧版)?(?:保持|维持|維持|的)?"
    r"(?:不变|不變|不动|不動|同上|同前|同原文|同原稿|相同|一致|一样|一樣|照旧|照舊|照抄|略|从略|從略"
    r"|省略|略去|略过|未改动|未改動|未改|未变|未变动|未作修改|未做修改|不作修改|不做修改|不作改动"
    r"|不做改动|没有改动|没有变化|没有变动|没变|没改|无改动|无变化|无变动|无改变|無變動|无需修改|原样保留|原樣保留|保留|原样|原樣"
    r"|不再重复|不再赘述|原文|如旧|如故|如前|照原来的?|同原版"
    r"|请?(?:参照|参考|参见|参看|沿用|使用|见|接)(?:原稿|原文|原版|原脚本|上文|前文|之前)))"
)
_REST_ZH = (
    rf"{_SUBJECT_ZH}{_SAME_ZH}(?:[，,](?:不再重复|不再赘述|此处省略|故省略|略|从略|不变))?"
    r"|(?:此处|这里|此處|這裡|中间|中間|以下|以上|后面|下面)(?:内容|部分|原文)?(?:省略|略去|略)(?:约"
    r"|了|掉)?(?:\d+|[一二三四五六七八九十百千万几若干多]+|部分)?(?:字|行|句|段|内容|个字)?(?:内容)?"
    r"|(?:下|后)?接(?:原文|原稿|上文|下文)|(?:保持|保留|沿用)(?:原文|原样|原有内容|原来的内容"
    r"|原稿)(?:不变|不动)?|[前中后下後以]略"
    r"|(?:同上|同前)(?:文)?|同(?:原文|原稿|原版|原句|原来|之前|上一版)(?:一样|一致|相同)?|略|省略|从略|從略|内容略|(?:内容|原文)(?:同上|同前|不变|省略|从略)"
    r"|未完待续（?略）?|(?:与|和|同)(?:原文|上文|之前|原版)(?:相同|一致|一样)"
)
_PHRASE = rf"(?:(?:(?:and|then|with|while|plus) )?(?:{_REST_EN})|(?:然后|以及|接着)?(?:{_REST_ZH}))"
_CLEAR = Pattern(rf"[\W_]*{_PHRASE}[\W_]*", re.IGNORECASE)
_RULE = Pattern(r"[-=*_#]+$")
_OPENERS, _CLOSERS = r"[\[(（【<{〔]", r"[\])）】>}〕]"
# In brackets or as a comment a word is enough: [unchanged], （下略）, <rest of script>, <!-- same as before -->
_IN_BRACKETS = Pattern(
    rf"[\W_]*(?:{_OPENERS}.{{0,60}}{_CLOSERS}|(?://|#|--|/\*|\.{{3}}|…+).{{0,60}})[\W_]*",
    re.DOTALL,
)
_WORD_IN_BRACKETS = Pattern(
    r"unchanged|omitted|\brest of\b|remaining (?:lines?|text|script|content|part)|remainder"
    r"|\bas before\b|\bas above\b|keep (?:the )?original"
    r"|\bsame as\b|existing (?:text|lines?|script|content)|original (?:text|lines?|script|content)"
    r"|continues? (?:as|from)|\bno changes?\b|script continues|for brevity|\bsnip(?:ped)?\b|\belided\b"
    r"|^\W*(?:same|ditto|as is|idem)\W*$|(?<![攻策战戰谋謀侵忽概大粗方胆])略\W*$|[仅只](?:展示|列出|显示|给出|輸出|输出)"
    r"|\b(?:only (?:showing|the changed|changed)|showing only|as in (?:your|the) (?:draft|original|script))\b"
    r"|不变|不變|省略|[前中后下後以]略|从略|從略|原文|原样|原樣|同上|同前|其余|其餘|余下|餘下|剩余"
    r"|剩餘|照旧|照舊|未改|不再重复|原稿|原脚本|不[作做](?:改动|修改)",
    re.IGNORECASE,
)
_LONE_DOTS = Pattern(
    rf"{_OPENERS}?\s*(?:\.\s?){{3,}}\s*{_CLOSERS}?|{_OPENERS}?\s*(?:…+|。{{3,}}|⋯+|·{{3,}}"
    rf"|—{{0,2}}…+—{{0,2}})\s*{_CLOSERS}?"
)
# Left-out text named at the end or the start of a line that says something: 今天做葱油面。（其余不变）
_AT_THE_END = Pattern(rf"{_OPENERS}[\W_]*(?P<end>[^\[(（【<{{〔\])）】>}}〕]{{1,60}}){_CLOSERS}[\W_]*$")
_AT_THE_START = Pattern(rf"[\W_]*{_OPENERS}[\W_]*(?P<start>[^\[(（【<{{〔\])）】>}}〕]{{1,60}}){_CLOSERS}")


# What may stand before it on the same line: a time, and who speaks.
_LED_BY = Pattern(
    r"(?:[\[(（【]?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?[\])）】]?\s*)?"
    r"(?:(?!注|备注|附注|说明|notes?\b|p\.?s\b)"
    r"[^\s:：，。,!?！？\[\]()（）【】]{1,16}(?: [^\s:：，。,!?！？]{1,16}){0,2}[:：]\s*)?",
    re.IGNORECASE,
)


def is_placeholder(line: str) -> bool:
    """Say whether a line stands for text instead of being it: "... rest unchanged ...", 其余不变, lone dots."""
    return _stands_for_text(line) or _is_led(line)


def _is_led(line: str) -> bool:
    """Say so of what stands behind a time, or in brackets behind a name: 价格：同上 may be an answer."""
    led = _LED_BY.match(line)
    if led is None or not led[0]:
        return False
    rest = line[led.end() :]
    is_said = led[0].rstrip().endswith((":", "："))
    return _names_left_out(rest) and (not is_said or _IN_BRACKETS.fullmatch(rest) is not None)


def _stands_for_text(line: str) -> bool:
    """Say so of a whole line; dots alone count, which in somebody's mouth are a silence."""
    if _LONE_DOTS.fullmatch(line) or _names_left_out(line):
        return True
    asides = (_AT_THE_END.search(line[-80:]), _AT_THE_START.match(line[:80]))
    return any(aside is not None and _CLEAR.fullmatch(aside[1]) is not None for aside in asides)


def _names_left_out(line: str) -> bool:
    return len(line) <= 120 and bool(
        (_CLEAR.fullmatch(line) and not _RULE.match(line))
        or (_IN_BRACKETS.fullmatch(line) and _WORD_IN_BRACKETS.search(line))
    )


def _is_in_words(line: str) -> bool:
    """Say whether a line says that text is left out; dots alone may be an author's silence."""
    return _LONE_DOTS.fullmatch(line) is None and is_placeholder(line)


def elision(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find new lines that stand for left-out text; an author's dots are no reason to say so in words."""
    found = {
        segment
        for suspicious in (is_placeholder, _is_in_words)
        for segment in suspects(before, after, context, suspicious)
    }
    for segment in sorted(found, key=lambda segment: segment.number):
        yield found_at(segment, "elision", "stands for left-out text instead of being it")
