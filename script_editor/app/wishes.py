"""Does an instruction want a change at all? Sentence by sentence, in both languages.

A sentence orders, asks or does neither. An instruction is only a question when some sentence asks or wants to be
told something, and none orders. What cannot be told from the words counts as an order: "friendlier, please".
A proposal costs nothing, so where a question might be a polite wish it is answered with one, not with a save.
"""

import re
from collections.abc import Iterator
from typing import Literal

from script_editor.app.asked import QUOTED
from script_editor.app.hanzi import simplified
from script_editor.app.ranking import number_in
from script_editor.patterns import Pattern

Kind = Literal["orders", "asks", "neither"]

_SENTENCE = Pattern(r"(?<=[。！？!?；;\n])|(?<=\.)(?=\s)")
_NEW_WORDS = Pattern(
    r"(改成|改为|改為|换成|換成|写成|寫成|变成|變成|说成|替换为|加[一上]?[句行段]|加上|补一?句|插一?句)[^\n]*"
)
"""What follows these is the new text, whatever it asks or says."""

# --- changing --------------------------------------------------------------------------------

_CHANGES_ZH = (
    r"改(?!过|過|动|動|的|版|了(?!吧|它|呗))|换|換|删|刪|(?<![更增])加(?!油|班|载)|增加|添|补充|补一|插|移|挪|调整"
    r"|調整|调[高低快慢]"
    r"|缩|縮|压|壓|扩写|扩展|展开|精简|精簡|润色|潤色|优化|優化|重写|重寫|重做|翻译|翻譯|译成|统一|統一|恢复|恢復"
    r"|还原|還原|回到"
    r"|回退|退回|撤|去掉|拆|合并|合併|替|写(?!了|着|的|错|作)|修(?!改过|改了|改的|改记录|改历史|改次数)|弄|搞|动手"
)
_CHANGES_EN = (
    r"\b(?:chang|replac|delet|remov|insert|append|mov|swap|shorten|trim|tighten|expand|rewrit|rephras|reword|translat"
    r"|correct|updat|mak|turn|merg|combin|revert|restor|bring|simplif|tid|polish|soften|warm|loosen|liven|adapt|revis"
    r"|improv|convert|lengthen|adjust|modif|transform|undo|add|fix|cut|drop|edit|split|clean|clear)(?:e|es|s|ing|y|ies|ify)?\b"
    r"|\b(?:go|roll|change|put|take) (?:it |that |this )?back\b"
)
_DISPOSES = Pattern(
    r"[把将](?![^，。]{0,40}(?:列|告诉|念|读|找|数一|说一|说说|标出|挑出|发给|给我|贴))[^，。]{2,}"
)
"""What is done with something: 把第三段理顺. Telling somebody of it is not."""
_DEGREE = Pattern(
    r"一点|一點|一些|点儿|[^有差早晚]点(?=[吗嗎？?])|再|更|太|\b(?:more|less|a bit|a little|\w{3,}er)\b", re.I
)
_CHANGES = Pattern(f"{_CHANGES_ZH}|{_CHANGES_EN}", re.IGNORECASE)
_NOUNS = Pattern(
    r"(?:怎么|怎麼|如何|怎样)\S{0,2}?(?:改|写|调整|压|删|加|换|优化|润色)|(?:修改|改)(?:思路|建议|方案|意见)"
    r"|(?:修改|改动|改動|更改|编辑|編輯)(?:记录|紀錄|历史|歷史|次数|时间|说明|日志)|改动|改動|(?:删|換|换|改|加|写|调"
    r"|压|替)(?:过|過)"
    r"|\b(?:the|an?|any|no|last|latest|recent|what|which|your|these|those|all|this|first|second|previous|every|last two)\s+"
    r"(?:\w+\s+)?(?:edit|change|update|cut|move|fix|make|revision|version)s?\b"
    r"|\b(?:not|n't|never|was|were|been|got|has|have) \w+ed\b",
    re.IGNORECASE,
)
_NEGATED = Pattern(
    r"(?:不能|不可|不许|不得|不要|不用|无需|不必|先别|先不|别|勿|不)(?:先|再|急着|随便)?(?:修改|改动|改|换|删|加|动"
    r"|動|调|缩|压|移|译|写|碰|存|保存)"
    r"[^，。,.;；!！?？\n]{0,12}"
    r"|\b(?:(?<!why )don't|do not|never|not|without|no need to|hold off on)(?: to)? (?:\w+ing|\w+)(?: (?:it|them"
    r"|anything|this|that))?\b"
    r"|\bno (?:edits?|changes?)\b|\bhands off\b",
    re.IGNORECASE,
)

# --- asking ----------------------------------------------------------------------------------

_QUESTION_ZH = Pattern(
    r"什么|什麼|怎么|怎麼|怎样|怎樣|如何|为何|為何|哪|谁|誰|第?几[个次句段条版处行字遍种]|第?幾[個次句段條版處行字]"
    r"|多[长長少久大快]"
    r"|是不是|有没有|有沒有|是否|该不该|够不够|要不要|对不对|吗(?=[？?。！!\s]*$)|嗎(?=[？?。！!\s]*$)|呢(?=[？?]\s*$)"
)
_ENDS_ASKING = Pattern(r"[？?]\s*$|[吗嗎]\s*[。.]?\s*$")
_WH = r"what|who|whose|whom|which|why|when|where|how"
_AUX = (
    r"is|are|was|were|does|do|did|has|have|had|am|should|would|will|can|could|may|might|isn't|aren't|doesn't"
)
_IS_NO_QUESTION = Pattern(r"没有?什么|什么都|什么的|怎么[^，。]{1,6}怎么|哪[^，。]{1,6}哪|谁[^，。]{1,4}谁")
_WH_EN = Pattern(
    rf"^(?:\W|(?:so|and|but|ok|then|also|well|hmm|now)\b)*(?:{_WH})\b(?! about\b| not\b| don['’]t\b)[^?]*\?\s*$",
    re.I,
)
_ASKS_EN = Pattern(
    rf"(?:^(?:(?:\w{{1,20}} ?){{1,3}}:\s*)?|[,;]\s*|\b(?:and|so|but|then|yet)\s+)(?:{_WH}|{_AUX})\b[^?]{{0,300}}\?\s*$"
    r"|^\W*(?:any|anything)\b[^?]*\?\s*$"
    rf"|^(?:\W|\w{{1,20}}:){{0,3}}(?:{_WH})(?:['’]s| is| are| was| were| did| does| do| has| have| many| much| long"
    rf"| often| old| fast)\b",
    re.IGNORECASE,
)
_POLITE = Pattern(
    r"能不能|可不可以|可否|能否|可以[^，。,]{0,80}[吗嗎]|能[^，。,]{0,80}[吗嗎]|好不好|好[吗嗎]|行[吗嗎]|行不行"
    r"|可以[吗嗎]|成[吗嗎]|帮我|幫我|麻烦|麻煩"
    r"|请(?!问)|請(?!問)|劳驾|拜托"
    r"|(?<!how )(?<!what )(?<!why )(?<!which )(?<!when )(?<!where )(?<!who )\b(?:can|could|would|will|may|might) (?:you|we|i)\b"
    r"|\bplease\b|\bany chance\b|\b(?:how|what) about\b|\bwhy (?:not|don['’]t (?:you|we))\b"
    r"|\bi(?:['’]d| would) (?:like|love|want)\b|\bi (?:want|need)\b|\blet['’]s\b",
    re.IGNORECASE,
)
_SAYS_THERE = Pattern(
    r"(?:在|到)?(?:开头|结尾|最后|中间|[段句里处])(?:再|也|先|多|稍微|简单|要)*(?:提|说|讲|介绍|问|感谢|呼吁|引导"
    r"|强调|点|交代|解释|来|留)(?:一?[下句个]|出)"
    r"|^\W*(?:please )?(?:explain|describe|mention|suggest|tell|show|list|name|give|read|ask)\b(?! me\b"
    r"| us\b)[^?]*?\b(?:better|earlier|later|clearer|more clearly"
    r"|as (?:bullet\w*|an? \w+)|(?:in|at|near|to) the (?:start|beginning|end|opening|ending|hook|intro|outro)"
    r"|in (?:section|paragraph|part) \w+)\b",
    re.IGNORECASE,
)
"""What the script itself is to say or show, and where: no wish to be told it."""
_TELLS = Pattern(
    r"告诉我|告訴我|列出|列一下|列个|列個|罗列|念给|唸給|读给|给我听|给我看|给我核对|说给我|数一?[数下]|統計|统计"
    r"|检查|檢查|核对|朗读|朗讀"
    r"|说说|讲讲|[找挑标]出来"
    r"|(?:^|[，,：:；;]|请|請|帮我|幫我|麻烦|先|再|然后|能不能|可以|你|给我)\s*(?:大概|简单|快速|帮忙)?"
    r"(?:总结|總結|概括|归纳|对比|對比|比较一?下|解释|分析|评价|评估|点评|看看|看下|看一下|看一看|查一?[查下]|查询"
    r"|翻一?[翻下]|找一?[找下]"
    r"|找出|读一?[读下遍]|念一?[念下遍]|介绍一下|说一下|讲一下|显示|打开|推荐)"
    r"|(?:念|读|唸)给?我听"
    r"|(?:^|[,:;.]\s*|\b(?:and|then|please|just|only|you|me|we|to|now|first)\s+)(?:tell|list|show|count|compare|summari[sz]e"
    r"|explain|describe|read|check|look|find|see|review|analy[sz]e|name|report|quote|rate|evaluate|assess|point out"
    r"|give me|walk me through)\b|\b(?:curious|wonder(?:ing)?)\b|\blet me know\b",
    re.IGNORECASE,
)
_TOLD_WHAT = Pattern(rf"\b(?:{_WH}|whether|if|that)\b[^,.;]*?(?=\b(?:and|then|but)\b|[,.;]|$)", re.IGNORECASE)
_TOPIC = Pattern(r"(?:(?<!讲)讲(?!讲|一下|给)|关于|说的是|叫|聊)(?!了)[^，。,？?]{1,20}?(?:的|[，,])")
_COURTESY = Pattern(
    r"\W*(?:谢谢|謝謝|多谢|辛苦了?|你好|您好|嗨|好的?|thanks?(?: you)?|thank you|hi|hello|hey|ok(?:ay)?|just checking"
    r"|for now|yet|其[他余](?:的)?|它|任何|任何地方|正文|anything|please)?\W*",
    re.IGNORECASE,
)


def only_asks(instruction: str) -> bool:
    """Say whether an instruction wants to be told something, and no change: "video_001 有多长？", "list the typos"."""
    kinds = [kind_of(sentence) for sentence in _sentences(instruction)]
    return "asks" in kinds and "orders" not in kinds


def orders_change(instruction: str) -> bool:
    """Say whether an instruction plainly wants a change: "delete line 3", and not only "friendlier, please"."""
    return any(
        kind_of(sentence) == "orders" and (_CHANGES.search(sentence) or _DISPOSES.search(sentence))
        for sentence in _sentences(instruction)
    )


def _without_quotations(instruction: str) -> str:
    return simplified(QUOTED.sub("□", instruction))


def _sentences(instruction: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(_without_quotations(instruction)):
        if sentence.strip():
            yield sentence.strip()


def kind_of(sentence: str) -> Kind:
    """Return what one sentence does; quotations are out of it already."""
    said = _TOPIC.sub(" ", _NEGATED.sub(" ", _NEW_WORDS.sub(r"\1", sentence)))
    if _COURTESY.fullmatch(said):
        return "neither"
    if _SAYS_THERE.search(said) and not _ENDS_ASKING.search(said):
        return "orders"
    bare = _NOUNS.sub(" ", said)
    changes = _CHANGES.search(bare) is not None or _DISPOSES.search(bare) is not None
    if _WH_EN.search(said) or (_ASKS_EN.search(said) and not _POLITE.search(said)):
        return "asks"
    if _POLITE.search(said):
        return _wished(said, bare, changes=changes)
    is_question = _QUESTION_ZH.search(_IS_NO_QUESTION.sub(" ", said)) is not None
    if is_question and (_ENDS_ASKING.search(said) or not changes):
        return "asks"
    if _TELLS.search(said) and not _CHANGES.search(_TOLD_WHAT.sub(" ", bare)):
        return "asks"
    return "orders"


def _wished(said: str, bare: str, *, changes: bool) -> Kind:
    """Return what a polite sentence does: "能不能更口语？" orders, "能告诉我有多长吗" asks."""
    if _TELLS.search(said):
        return "orders" if _CHANGES.search(_TOLD_WHAT.sub(" ", bare)) else "asks"
    if changes or _DEGREE.search(said):
        return "orders"
    return "asks" if _QUESTION_ZH.search(said) else "orders"


# --- what is never done ----------------------------------------------------------------------

_SCRIPT = r"(?:\ue001|(?:这|這|那|整)[个個条條]?(?:脚本|腳本|视频|影片)|脚本|腳本)"
_WHOLE_EN = r"(?:(?:the|this|that|my|whole|entire) )*(?:script |video )?(?:\ue001|script|video)"
_PAST_ZH = r"(?:历史|歷史|版本记录|所有版本|全部版本|旧版本|历史版本|版本历史)"
_DELETES = Pattern(
    rf"(?:删除|删掉|删了|刪除|刪掉|清空|移除|销毁|抹掉|清除)\s*{_SCRIPT}(?=\s*(?:$|[，。,.;；!！?？]|吧|了|和|及|连同"
    rf"|这[个条]|[这]?个?脚本|的?{_PAST_ZH}))"
    rf"|[把将]\s*{_SCRIPT}(?:\s*(?:这|這)?[个個条條]?(?:脚本|腳本))?(?:\s|整个|彻底|永久|都|全部)*(?:删|刪|清空|移除|销毁|抹)"
    rf"|{_SCRIPT}\s*不要了|[把将][^，。]{{0,20}}?{_PAST_ZH}[^，。]{{0,6}}?(?:清|删|刪|抹)|(?:清|删|刪"
    rf"|抹)[^，。]{{0,6}}?{_PAST_ZH}"
    rf"|\b(?:delete|remove|erase|wipe|purge|destroy|drop)(?: permanently| completely)? {_WHOLE_EN}"
    r"(?=\s*(?:$|[.,;!?]|permanently|completely|entirely|for good|forever|and (?:all|every|its)|from (?:the"
    r"|my) (?:store|library|database)))"
    r"|\b(?:delete|remove|erase|wipe|purge|destroy)\b[^.,;]{0,20}\b(?:history|(?:every|all|old|older|previous) versions?)\b",
    re.IGNORECASE,
)


def wants_deletion(instruction: str, names: tuple[str, ...]) -> bool:
    """Say whether the person wants a script or its history gone, which no tool does; `names` are its words for scripts."""
    words = _without_quotations(instruction)
    for name in sorted(names, key=len, reverse=True):
        words = re.sub(re.escape(name), "\ue001", words, flags=re.IGNORECASE)
    return _DELETES.search(words) is not None


# --- an older text ---------------------------------------------------------------------------

_BACK = Pattern(
    r"恢复|恢復|还原|還原|回到|回退|退回|回滚|倒回|改回|换回|換回|用回|撤|取消|不要了|之前|倒|返回|不要(?:这|刚才|上)"
    r"|原来|原來|原先|原本|最初|上一?个?[版次步]|旧版|舊版"
    r"|历史版本|第\s*[\d一二三四五六七八九十]+\s*个?版|\bv\d+\b|重做|反悔"
    r"|\b(?:revert|recover|undo|redo|restor\w*|back|roll\w*|previous|earlier|original|old|older|before|version"
    r"|take (?:it|that) out)\b",
    re.IGNORECASE,
)
_PARTIAL = Pattern(
    r"开头|開頭|结尾|結尾|第\s*[\d一二三四五六七八九十]+\s*(?:句|行|段|条|部分)|那[句段行]|这[句段行]|标题|中间|部分|钩子|片段"
    r"|\b(?:opening|ending|intro|outro|beginning|hook|lines?|sentences?|paragraphs?|sections?|parts?|title|body"
    r"|call to action|cta)\b",
    re.IGNORECASE,
)
_ONE_STEP = Pattern(
    r"撤[销銷回消]|改回去|换回去|退回去|还原|還原|恢复|恢復|回退|回滚|上一[版步个]|退一步|取消(?:刚才|上次)"
    r"|\b(?:undo|revert|roll (?:it |that )?back|go back|(?:change|put|take) (?:it|that|this) back|restore)\b",
    re.IGNORECASE,
)
_FARTHER = Pattern(
    r"\d+\s*[:点月号日]|昨|前天|上周|周[一二三四五六日天]|星期|今天|早上|上午|下午|所有|全部|最初|一开始|最开始|初版"
    r"|首版|原始|原文|第\s*[\d一二三四五六七八九十]+\s*个?版"
    r"|v\d|初稿|终稿|客户|之前的|标签|加.{0,10}之前|改.{0,10}之前"
    r"|\b(?:yesterday|today|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|morning|afternoon|ago"
    r"|all|every|everything|original|first|initial|beginning|versions?|label\w*|since|until)\b|\bbefore \w",
    re.IGNORECASE,
)
_VERSION_NAMED = Pattern(
    r"第\s*(?P<zh>\d{1,4}|[一二三四五六七八九十]{1,3})\s*个?版|\bversion\s+(?P<en>\d{1,4})\b"
    r"|(?<![a-z0-9_])v\s?(?P<v>\d{1,4})(?![\d.])",
    re.IGNORECASE,
)

_TO_A_VERSION = Pattern(
    r"(?:恢复|还原|回到|回退|退回|回滚|退到)[^，。,;；]{0,12}?(?:第\s*[\d一二三四五六七八九十]+\s*个?版本?"
    r"|v\s?\d+)(?=\s*(?:$|[，。,.;；!！]|吧|去|然后|再))"
    r"|\b(?:revert|go back|roll back|restore)\b[^,.;]{0,30}?\b(?:version \d+|v\d+)(?=\s*(?:$|[,.;!]|of\b|and\b|then\b))",
    re.IGNORECASE,
)


def goes_back(instruction: str) -> bool:
    """Say whether the words can mean that an older text is to be brought back."""
    return _BACK.search(_without_quotations(instruction)) is not None


def is_step_back(instruction: str) -> bool:
    """Say whether only the newest changes are to be taken back, and no version, day or part is named: "还是改回去"."""
    words = _without_quotations(instruction)
    return (
        _ONE_STEP.search(words) is not None
        and _FARTHER.search(words) is None
        and _PARTIAL.search(words) is None
    )


def only_goes_back(instruction: str) -> bool:
    """Say whether bringing back an older version as it was is all that is wanted: "把 video_001 恢复到第1版"."""
    words = _without_quotations(instruction)
    if _TO_A_VERSION.search(words) is None or _PARTIAL.search(words) is not None:
        return False
    return _CHANGES.search(_BACK.sub(" ", words)) is None


def versions_named(instruction: str) -> frozenset[int]:
    """Return the numbers of versions that the words name: 第2版, version 4, v3."""
    found = _VERSION_NAMED.finditer(_without_quotations(instruction))
    return frozenset(number_in(next(filter(None, match.groups()))) for match in found)
