"""What the words of an instruction ask for besides the edit: how many saves, a stored proposal, a look first, a rate.

Patterns for both languages. What stands in quotation marks is talked about, not said, so quotations are left
out before anything is looked for. Which scripts are meant is read in `pointing`.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

MOST_SAVES = 5
"""So many saves of one script are the most in one request, whatever its words add up to."""

QUOTED = re.compile(
    r"“[^”\n]{0,400}”|「[^」\n]{0,400}」|『[^』\n]{0,400}』|《[^》\n]{0,400}》|\"[^\"\n]{0,400}\"|`[^`\n]{0,400}`"
)


def plain(text: str) -> str:
    """Return a text for searching only: compatible forms, lower case, straight quotes, single spaces."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_STRAIGHT)
    return re.sub(r"\s+", " ", folded).strip()


_STRAIGHT = str.maketrans({**dict.fromkeys("“”„「」『』", '"'), **dict.fromkeys("‘’", "'")})


def without_quotations(instruction: str) -> str:
    """Return an instruction with a space for each quotation."""
    return QUOTED.sub(" ", instruction)


def quotations(instruction: str) -> tuple[str, ...]:
    """Return what stands in quotation marks, without them."""
    return tuple(quoted[1:-1].strip() for quoted in QUOTED.findall(instruction) if quoted[1:-1].strip())


# --- how many saves --------------------------------------------------------------------------

_JOINT = re.compile(
    r"然后|接着|随后|之后再|最后|同时|并且|并(?=[把将给在])|再(?=[把将给从用按删加改换翻调压检导恢撤保])|[。；;！!\n]"
    r"|\b(?:and then|then|after that|afterwards|finally|and also|and)\b|\.(?=\s|$)",
    re.IGNORECASE,
)
_WRITES = re.compile(
    r"改|换|删|刪|加|添|补|插|移|挪|调|缩|压|扩|展开|精简|润色|重写|重寫|翻译|翻譯|译|写|統一|统一|恢复"
    r"|还原|回到|回退|撤|去掉|拆|合并|替|用回"
    r"|\b(?:chang|replac|delet|remov|cut|add|insert|append|mov|swap|shorten|trim|tighten|expand|rewrit|rephras"
    r"|reword|translat|fix|correct|updat|mak|turn|split|merg|combin|revert|undo|restor|bring|go back|roll"
    r"|simplif|tidy|polish|soften|drop|edit|adapt|appl|sav|revis|improv|put|us)\w*",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"(?:不能|不可|不许|不得|不要|不用|无需|别|勿|不)\S{0,3}?(?:改|换|删|加|动|调|缩|压|移|译|写)|修改无关"
    r"|\b(?:don't|do not|never|not|without)(?: to)? \w+",
    re.IGNORECASE,
)
_UNDO_COUNT = re.compile(
    r"(?:撤销|撤回|撤消|回退|退回)\S{0,8}?(?P<zh>[两二三四五兩2-5])(?:次|步|个|處|处)"
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
    words = without_quotations(instruction)
    pieces = {_FORBIDDEN.sub(" ", piece).strip() for piece in _JOINT.split(words)}
    requests = sum(_WRITES.search(piece) is not None for piece in pieces)
    undone = _UNDO_COUNT.search(words)
    counted = (undone["zh"] or undone["en"]).lower() if undone else "1"
    steps = _COUNTS.get(counted) or int(counted)
    return min(MOST_SAVES, max(1, requests, steps))


_UNDO = re.compile(
    r"撤销|撤銷|撤回|撤消|复原|復原|回退一步|退回一步|上一步|取消(?:刚才|上次|上一次|这次|最近)"
    r"|\bundo\b|take (?:it|that|this) back|(?:one|a) step back|back (?:one|a) step",
    re.IGNORECASE,
)


def asks_to_undo(instruction: str) -> bool:
    """Say whether the words want a change taken back, as against naming a version to return to."""
    return _UNDO.search(instruction) is not None


# --- a stored proposal -----------------------------------------------------------------------

_PROPOSAL = r"(?:preview|proposal|suggest(?:ion|ed (?:edit|version|change)))s?"
_THAT_ZH = (
    r"(?:(?:刚才|刚刚|上面|之前|前面|上一个|最后|你)的?)?(?:那个|这个|那份|这份|那版|这版|该)?的?(?:预览|預覽"
    r"|提案|方案|草案)"
)
_TAKES = re.compile(
    rf"(?:^|[，,。 ]){_THAT_ZH}(?:我?(?:觉得|看)|看着|看起来|都|也|就|很|挺|还)*"
    r"(?:可以|不错|好(?!一点|一些)|没问题|通过|就行|行|采用|保存|应用)(?:的|了|吧)?(?=[，,。.!！；; ]|$)"
    rf"|(?:采用|保存|应用|套用|使用|接受|通过|就用|用|按|存)(?:了|下)?{_THAT_ZH}(?=[，,。.!！；; 吧了来改保]|里?的?第|$)"
    rf"|\b(?:apply|save|use|accept|take|keep|commit|approve|go (?:ahead )?with)\b[^.;]{{0,60}}?\b(?:the|that|this|your|last) "
    rf"(?:\w+ )?{_PROPOSAL}\b(?!['’])"
    rf"|\b(?:the|that|this) (?:\w+ )?{_PROPOSAL} (?:is|was|looks|seems) (?:good|fine|ok(?:ay)?|great|perfect|right)\b",
    re.IGNORECASE,
)
_TAKES_IT = re.compile(
    r"(?:就|直接)?(?:用|存|保存|采用|应用)(?:它|这个|那个|这版|那版|了)?(?:吧|就行|就好|即可)?|(?:可以"
    r"|好的?|行|不错|没问题)[，, ]*(?:就)?(?:用|存|保存)(?:它|这个|那个)?(?:吧)?"
    r"|(?:ok(?:ay)?|good|great|fine|yes|looks good|perfect)?[,.! ]*(?:please )?(?:apply|save|use|take|keep"
    r"|accept|commit|go with) (?:it|that|this)(?: one)?(?: please)?",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"别|不要|先不|不用|勿|暂不|\b(?:don't|do not|not|never|without|rather than)\b", re.IGNORECASE
)
_NOT_WITHIN_CHARS = 16


def takes_proposal(instruction: str, *, in_conversation: bool = False) -> bool:
    """Say whether the words want a stored proposal saved: "刚才那个预览可以，就用它", "apply that preview".

    Without the noun ("就用它", "save it") only inside a conversation, and only as the whole of what is said.
    """
    words = without_quotations(instruction).strip()
    found = _TAKES.search(words)
    if found is not None:
        return _NOT.search(words, max(0, found.start() - _NOT_WITHIN_CHARS), found.start()) is None
    return in_conversation and _TAKES_IT.fullmatch(words.strip(" 。.!！~～")) is not None


_NO_SAVE = re.compile(
    r"先(?:别|不要|不用|不)(?:急着?)?(?:保存|存|改|修改|动|应用|提交)(?:它|了)?(?=[，。,.;；!！?？\s]|$)"
    r"|(?:别|不要|不用|不必|暂不)(?:急着)?(?:保存|存盘|应用|提交)"
    r"|只(?:是|要|需)?(?:预览|看看)|仅预览"
    r"|\b(?:don't|do not|without|not)(?: yet)? (?:apply|applying|save|saving|commit"
    r"|committing)(?: (?:it|them|anything|that|this))?(?: yet)?\b"
    r"|\bshow me what you (?:would|'d)\b|\b(?:only|just) (?:a )?preview\b|\bpreview only\b",
    re.IGNORECASE,
)
_TONGUE = r"(?:中文|英文|日文|韩文|法文|德文|西班牙文|俄文|繁体|简体|双语|英语|日语|韩语|法语|德语)"
_SEPARATE = re.compile(
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
    return _NO_SAVE.search(without_quotations(instruction)) is not None


def wants_separate(instruction: str) -> bool:
    """Say whether the result is to be a script of its own, and the original to stay: "另存为英文版"."""
    return _SEPARATE.search(without_quotations(instruction)) is not None


# --- how fast --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rate:
    """How fast a person wants a script read: so many words, or Chinese characters, a minute."""

    per_minute: int
    unit: Literal["words", "characters"]


_RATE = re.compile(
    r"(?P<words>\d{2,3})\s*(?:words?|个?(?:英文)?单词|词)\s*(?:a|per|each|every|/|每|一)\s*(?:min(?:ute)?|分钟?)"
    r"|(?P<wpm>\d{2,3})\s*wpm\b"
    r"|每(?:一)?分(?:钟|鐘)\s*(?:读|念|说|讲)?\s*(?P<zh>\d{2,3})\s*(?:个)?(?P<unit>字|词|单词)"
    r"|(?P<chars>\d{2,3})\s*个?字\s*(?:/|每|一)\s*分(?:钟|鐘)?",
    re.IGNORECASE,
)


def rate_asked(instruction: str) -> Rate | None:
    """Return the rate of reading that an instruction names, or None."""
    found = _RATE.search(without_quotations(instruction))
    if found is None:
        return None
    groups = found.groupdict()
    if number := groups["words"] or groups["wpm"]:
        return Rate(int(number), "words")
    unit: Literal["words", "characters"] = "characters" if groups["unit"] in (None, "字") else "words"
    return Rate(int(groups["zh"] or groups["chars"] or 0), unit)
