"""What the words of an instruction ask for besides the edit: how many saves, a stored proposal, a look first, a rate.

Patterns for both languages. What stands in quotation marks is talked about, not said, so quotations are left
out before anything is looked for. Which scripts are meant is read in `pointing`.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from script_editor.app.hanzi import simplified
from script_editor.patterns import Pattern

MOST_SAVES = 5
"""So many saves of one script are the most in one request, whatever its words add up to."""

QUOTED = Pattern(
    r"“[^”\n]{0,400}”|「[^」\n]{0,400}」|『[^』\n]{0,400}』|《[^》\n]{0,400}》|\"[^\"\n]{0,400}\"|`[^`\n]{0,400}`"
)


def plain(text: str) -> str:
    """Return a text for searching only: compatible forms, lower case, simplified, straight quotes, single spaces."""
    folded = simplified(unicodedata.normalize("NFKC", text).casefold()).translate(_STRAIGHT)
    return re.sub(r"\s+", " ", folded).strip()


_STRAIGHT = str.maketrans({**dict.fromkeys("“”„「」『』", '"'), **dict.fromkeys("‘’", "'")})


def without_quotations(instruction: str) -> str:
    """Return an instruction with a space for each quotation."""
    return QUOTED.sub(" ", instruction)


def words_of(instruction: str) -> str:
    """Return what the patterns are looked for in: no quotations, and simplified characters."""
    return simplified(without_quotations(instruction))


def quotations(instruction: str) -> tuple[str, ...]:
    """Return what stands in quotation marks, without them."""
    return tuple(quoted[1:-1].strip() for quoted in QUOTED.findall(instruction) if quoted[1:-1].strip())


# --- how many saves --------------------------------------------------------------------------

_JOINT = Pattern(
    r"然后|接着|随后|之后再|最后|同时|并且|并(?=[把将给在])|再(?=[把将给从用按删加改换翻调压检导恢撤保])|[。；;！!\n]"
    r"|[，,、]\s*(?=(?:再|也|还|并|之后|另外|顺便|同时|还要|还有|最后)*[把将])|(?:^|(?<=[\s，,;；：:]))(?:\d{1,2}"
    r"|[一二三四五六])(?:[)）、]|\.(?=\s))"
    r"|[①-⑨]|\bfollowed by\b"
    r"|\b(?:and then|then|after that|afterwards|finally|and also|and)\b|\.(?=\s|$)",
    re.IGNORECASE,
)
_WRITES = Pattern(
    r"改|换|删|刪|加|添|补|插|移|挪|调|缩|压|扩|展开|精简|润色|重写|重寫|翻译|翻譯|译|写|統一|统一|恢复"
    r"|还原|回到|回退|撤|去掉|拆|合并|替|用回"
    r"|\b(?:chang|replac|delet|remov|cut|add|insert|append|mov|swap|shorten|trim|tighten|expand|rewrit|rephras"
    r"|reword|translat|fix|correct|updat|mak|turn|split|merg|combin|revert|undo|restor|bring|go back|roll"
    r"|simplif|tidy|polish|soften|drop|edit|adapt|appl|sav|revis|improv|put|us)\w*",
    re.IGNORECASE,
)
_FORBIDDEN = Pattern(
    r"(?:不能|不可|不许|不得|不要|不用|无需|别|勿|不)\S{0,3}?(?:改|换|删|加|动|调|缩|压|移|译|写)|修改无关"
    r"|\b(?:don't|do not|never|not|without)(?: to)? \w+",
    re.IGNORECASE,
)
_UNDO_COUNT = Pattern(
    r"(?:撤销|撤回|撤消|回退|退回)[^，。；;]{0,24}?(?P<zh>[两二三四五兩2-5])(?:次|步|个|處|处)"
    r"|(?:undo|take back|revert)\b[^.]{0,30}?\b(?P<en>two|three|four|five|[2-5]|twice)\b",
    re.IGNORECASE,
)
_COUNTS = {
    "二": 2,
    "两": 2,
    "兩": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "two": 2,
    "twice": 2,
    "three": 3,
    "four": 4,
    "five": 5,
}


def saves_allowed(instruction: str) -> int:
    """Return how many versions of one script a request may save: one, or as many as it joins requests.

    A request is what stands between 然后, 再, "then", "and" or the ends of sentences and holds a word for
    changing something. However often the words ask for repetition, it is one: "rewrite it 500 times".
    """
    words = _JOINT.split(_with_quotations_told_apart(instruction))
    pieces = {_FORBIDDEN.sub(" ", _TELLING.sub(" ", piece)).strip() for piece in words}
    requests = sum(_WRITES.search(piece) is not None or _takes_it(piece) for piece in pieces)
    return min(MOST_SAVES, max(1, requests, steps_back(instruction)))


def steps_back(instruction: str) -> int:
    """Return how many changes the words want taken back: one where they name no number."""
    undone = _UNDO_COUNT.search(words_of(instruction))
    counted = (undone["zh"] or undone["en"]).lower() if undone else "1"
    return _COUNTS.get(counted) or int(counted)


def _with_quotations_told_apart(instruction: str) -> str:
    """Return an instruction with a mark for each quotation, the same mark for the same one."""
    marks: dict[str, str] = {}
    return simplified(
        QUOTED.sub(lambda found: marks.setdefault(found[0], f" \ue000{len(marks)} "), instruction)
    )


_TELLING = Pattern(
    r"(?:告诉我|列出|说明|说说|总结)[^，。]*|\b(?:tell|show|let) (?:me|us)\b[^,.;]*|\b(?:list|summari[sz]e|explain"
    r"|say) (?:what|which|how|the)\b[^,.;]*",
    re.IGNORECASE,
)


_UNDO = Pattern(
    r"撤销|撤銷|撤回|撤消|复原|復原|回退一步|退回一步|上一步|取消(?:刚才|上次|上一次|这次|最近)"
    r"|\bundo\b|take (?:it|that|this) back|(?:one|a) step back|back (?:one|a) step",
    re.IGNORECASE,
)


def asks_to_undo(instruction: str) -> bool:
    """Say whether the words want a change taken back, as against naming a version to return to."""
    return _UNDO.search(simplified(instruction)) is not None


# --- a stored proposal -----------------------------------------------------------------------

_PROPOSAL = r"(?:preview|proposal|suggest(?:ion|ed (?:edit|version|change)))s?"
_THAT_ZH = (
    r"(?:(?:刚才|刚刚|上面|之前|前面|上一个|最后|你)的?)?(?:那个|这个|那份|这份|那版|这版|该)?的?(?:预览|預覽"
    r"|提案|方案|草案)"
)
_STOP = r"[^，。,.;；!！?？\n]"
_TAKES = Pattern(
    rf"(?:^|[，,。 ]){_THAT_ZH}(?:我?(?:觉得|看)|看着|看起来|都|也|就|很|挺|还)*"
    r"(?:可以|不错|好(?!一点|一些)|没问题|通过|就行|行|采用|保存|应用)(?:的|了|吧)?(?=[，,。.!！；; ]|$)"
    rf"|[把将]{_STOP}{{0,20}}?(?:预览|提案|方案|草案)(?:给|直接)?(?:保存|采用|应用|存)(?:了|下来|掉|吧|一下)*"
    rf"|(?:采用|保存|应用|套用|使用|接受|通过|就用|用|按|存)(?:了|下)?{_THAT_ZH}(?=[，,。.!！；; 吧了来改保]|里?的?第|$)"
    rf"|\b(?:apply|save|use|accept|take|keep|commit|approve|go (?:ahead )?with)\b[^.;]{{0,60}}?\b(?:the|that|this|your|last) "
    rf"(?:\w+ )?{_PROPOSAL}\b(?!['’])"
    rf"|\b(?:the|that|this) (?:\w+ )?{_PROPOSAL} (?:is|was|looks|seems) (?:good|fine|ok(?:ay)?|great|perfect|right)\b",
    re.IGNORECASE,
)
_TAKES_IT = Pattern(
    r"(?:就|直接)?(?:用|存|保存|采用|应用)(?:它|这个|那个|这版|那版|了)?(?:吧|就行|就好|即可)?|(?:可以"
    r"|好的?|行|不错|没问题)[，, ]*(?:就)?(?:用|存|保存)(?:它|这个|那个)?(?:吧)?"
    r"|(?:ok(?:ay)?|good|great|fine|yes|looks good|perfect)?[,.! ]*(?:please )?(?:apply|save|use|take|keep"
    r"|accept|commit|go with) (?:it|that|this)(?: one)?(?: please)?",
    re.IGNORECASE,
)
_NOT = Pattern(r"别|不要|先不|不用|勿|暂不|\b(?:don't|do not|not|never|without|rather than)\b", re.IGNORECASE)
_NOT_WITHIN_CHARS = 16


def takes_proposal(instruction: str, *, in_conversation: bool = False) -> bool:
    """Say whether the words want a stored proposal saved: "刚才那个预览可以，就用它", "apply that preview".

    Without the noun ("就用它", "save it") only inside a conversation, and only as the whole of what is said.
    """
    words = words_of(instruction).strip()
    found = _TAKES.search(words)
    if found is not None:
        return _NOT.search(words, max(0, found.start() - _NOT_WITHIN_CHARS), found.start()) is None
    first = re.split(
        r"[，,]?\s*(?:然后|接着|再(?=[把将])|\b(?:and then|then)\b)|[。.;；](?=.)", words, maxsplit=1
    )[0]
    return in_conversation and (_takes_it(words) or _takes_it(first))


def _takes_it(words: str) -> bool:
    return _TAKES_IT.fullmatch(words.strip(" ，,。.!！~～")) is not None


_NO_SAVE = Pattern(
    r"(?:先|暂时?|暫時?)(?:都|还)?(?:别|不要|不用|不)(?:急着?)?(?:保存|存|儲存|提交|应用|(?:改|修改|动|動)(?:它"
    r"|了)?(?=[，。,.;；!！?？\s]|$))"
    r"|(?:暂时|暫時)(?:别|不要|不用|不)(?:改|修改|动|動)"
    r"|别急着?(?:改|动)|先(?:别|不)动手|先讨论|(?:让)?我(?:来|再)?(?:选|挑)(?=一|个|[，。！!\s]|$)|\blet me (?:choose"
    r"|pick|decide)\b"
    r"|(?:别|不要|不用|不必|暂不)(?:急着)?(?:保存|存盘|应用|提交)"
    r"|只(?:是|要|需)?(?:预览|預覽|看看|看一下)|仅预览|看看(?:就好|就行|再说|效果)|看了再说|试运行"
    r"|(?<!不用)(?<!不需要)(?<!无需)(?<!不必)(?<!不要)(?:^|先|做|出|来|给|[，,：:。；;]|请|我)(?:我|个|個|一?[个份版]"
    r"|做|出|来|给|\s)*(?:预览|預覽)"
    r"(?!版?(?:ok|可以|不错|我?看|很?好|没问题|通过|里|的|就|保存))"
    r"|(?:先|再|好|后)[^，。,.;；]{0,6}给我(?:看|过目|瞧)(?=[^，。]{0,4}(?:再|，|$))(?<!完给我看)(?<!后给我看)"
    r"|先给我(?:看|过目)|给我过目"
    r"|(?:确认|同意|看过|满意)(?:了|好|后|之后)?(?:以后)?再(?:存|保存|改|应用|说|定)"
    r"|会(?:是)?(?:什么样|怎样|怎么样|如何|什么效果|怎么写|怎么改)"
    r"|(?:出|给|給|来|提|列|想)(?:我|出)?[^，。,.;；]{0,14}?(?:[一二两三四五六几幾\d]+[个個条種种版]|个|一?些"
    r"|点)[^，。,.;；]{0,8}?(?:方案|建议|建議|点子|思路|想法|备选|選擇|选择)"
    r"|写(?:个|一?份|一版)?草稿|打个草稿"
    r"|\b(?:don't|do not|without|not)(?: yet)? (?:apply|applying|save|saving|commit"
    r"|committing)(?: (?:it|them|anything|that|this))?(?: yet)?\b"
    r"|\b(?:don't|do not|without) (?:chang|edit|touch|modify|rewrit)\w*(?: (?:it|them|anything|that|this))? (?:yet"
    r"|for now|at the moment)\b"
    r"|\b(?:don't|do not|without) (?:chang|edit|touch|modify)\w* anything(?=\s*(?:$|[.,;!]))|\b(?:hold off"
    r"|hands off)\b|\bdry[ -]?run\b"
    r"|\bshow me (?:what|how) you (?:would|'d)\b|\b(?:only|just) (?:a )?preview\b|\bpreview only\b"
    r"|(?:^|[,.;:!?]\s*)(?:please |can you |could you |first )?(?:preview|propose|suggest|recommend|mock up"
    r"|sketch out)\b(?! is\b| looks\b| \w+ing\b)"
    r"|\bbefore (?:you (?:save|apply|commit|change)|(?:saving|applying) anything)\b|\bfor (?:my|our|your) (?:review"
    r"|approval|okay|ok)\b"
    r"|\bgive me (?:\w+ ){0,3}(?:ideas|options|suggestions|alternatives|variants)\b"
    r"|\bwhat would (?:\w+ ){1,10}(?:look|sound|read) like\b"
    r"|\b(?:don't|do not) want any (?:changes|edits)\b",
    re.IGNORECASE,
)
_TONGUE = r"(?:中文|英文|日文|韩文|法文|德文|西班牙文|俄文|繁体|简体|双语|英语|日语|韩语|法语|德语)"
_SEPARATE = Pattern(
    rf"另存(?:为|成)?(?!一?个?(?:新的?)?版本|为新|v\d)|另外存|单独(?:存|保存|出|做)一|(?:{_TONGUE}|原)(?:版"
    r"|脚本)(?:不要|别|不)(?:改|动)"
    rf"|出一?(?:份|版|个){_TONGUE}"
    r"|\bas an? (?:separate|(?:script|file) of its own)\b|\bas an? new (?:variant|script|copy|file)\b"
    r"|\bkeep(?:ing)? the original (?:script|version|file|as it is|untouched|unchanged)\b"
    r"|\b(?:the )?original (?:stays|must stay|untouched|must not change)\b",
    re.IGNORECASE,
)


def forbids_saving(instruction: str) -> bool:
    """Say whether the person wants to see an edit before anything is saved: "先别保存", "but don't apply it"."""
    return _NO_SAVE.search(words_of(instruction)) is not None


def wants_separate(instruction: str) -> bool:
    """Say whether the result is to be a script of its own, and the original to stay: "另存为英文版"."""
    return _SEPARATE.search(words_of(instruction)) is not None


# --- how fast --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a person wants a script read: so many words, or Chinese characters, a minute."""

    per_minute: int
    unit: Literal["words", "characters"]


_RATE = Pattern(
    r"(?P<words>\d{2,3})\s*(?:words?|个?(?:英文)?单词|词)\s*(?:a|per|each|every|/|每|一)\s*(?:min(?:ute)?|分钟?)"
    r"|(?P<wpm>\d{2,3})\s*wpm\b"
    r"|每(?:一)?分(?:钟|鐘)\s*(?:读|念|说|讲)?\s*(?P<zh>\d{2,3})\s*(?:个)?(?P<unit>字|词|单词)"
    r"|(?P<chars>\d{2,3})\s*个?字\s*(?:/|每|一)\s*分(?:钟|鐘)?",
    re.IGNORECASE,
)


def rate_asked(instruction: str) -> Rate | None:
    """Return the rate of reading that an instruction names, or None."""
    found = _RATE.search(words_of(instruction))
    if found is None:
        return None
    groups = found.groupdict()
    if number := groups["words"] or groups["wpm"]:
        return Rate(int(number), "words")
    unit: Literal["words", "characters"] = "characters" if groups["unit"] in (None, "字") else "words"
    return Rate(int(groups["zh"] or groups["chars"] or 0), unit)
