"""What a person says to a proposal they have seen: yes, no or not yet, or something else instead.

A no is known by its words, and the last clause counts where it says yes: "不用再改了，就用它". Everything else that
asks for no change may be a yes, for there are too many ways to say one.
"""

import re

from script_editor.app.asked import words_of
from script_editor.patterns import Pattern

_NO = Pattern(
    r"不要|(?<!忍)别(?!的)|不用|不行|不好|不对|算了|等|再想|想一?想|先放|不存|不保存|不应用|太(?!好|棒|赞|完美|喜欢"
    r"|满意)|差点|差了|不太|没想好|取消|放弃|丢"
    r"|拒绝|不喜欢|不满意|不可以|不能|没有?感觉|有点|好像|怪|不急|还是原来|不够|撤|不是|改天|以后再"
    r"|\b(?:no|not|nope|nah|don['’]t|doesn['’]t|isn['’]t|never|wait|later|hold|h+m+|think|drop|discard|cancel|reject"
    r"|forget|unsure"
    r"|too|maybe|scrap|else|rather|needs? (?:more )?work|as it was|keep the old|leave it|skip|dislike|hate)\b",
    re.IGNORECASE,
)
_HARMLESS = Pattern(
    r"不错|没问题|不用(?:再)?改|别改了|不改了|不要改|差不多|等于|\b(?:no (?:problem|issues?|notes|more changes"
    r"|need to change)|not bad|why not|no,? that['’]s fine)\b",
    re.IGNORECASE,
)
_REST = Pattern(
    r"(?:其[他它余]|剩下|别的|另外)[^，。]{0,8}(?:用|要|可以|存|行|好|保留)|只(?:要|用|存|保存|采用|应用)第"
    r"|\b(?:rest|others?|everything else|only (?:the|line|change))\b",
    re.IGNORECASE,
)
_YES_AT_END = Pattern(
    r"(?:就|直接|还是)(?:用|这|按|存|保存)|用(?:它|这|那)|存吧|保存吧?|采用|应用吧|通过|可以(?:的|了|吧)?$"
    r"|\b(?:use|save|apply|take|keep|go with|accept|approve) (?:it|that|this)\b",
    re.IGNORECASE,
)
_CLAUSE = Pattern(r"[，。,.;；!！\n]|\bbut\b|但")


def declines(instruction: str) -> bool:
    """Say whether the words turn a proposal down, or put it off: "不要了", "let me think"."""
    words = _HARMLESS.sub(" ", words_of(instruction))
    if _REST.search(words) or _NO.search(words) is None:
        return False
    clauses = [clause for clause in _CLAUSE.split(words) if clause.strip()]
    return _YES_AT_END.search(clauses[-1].strip()) is None or _NO.search(clauses[-1]) is not None


_EDIT = Pattern(
    r"一点|一些|点儿|再(?:短|长|口语|轻|活|改|加|删|压|来|换|写)|更|重新|改(?!动|过)|换|删|加(?!油)|调整|缩短|压缩"
    r"|润色|重写|翻译"
    r"|\b(?:more|less|again|shorter|longer|rewrite|rephrase|shorten|change|replace|remove|delete|add|fix|make"
    r"|translate|warm|soften"
    r"|\w{3,}(?<!oth|hat|nei|lat|aft|und|ove)er)\b",
    re.IGNORECASE,
)
_AS_SHOWN = Pattern(
    r"(?:就|按|照)(?:这么|这样|你说的|上面|那样|那么|这个|那个)?(?:来)?改|改吧|换吧|[改换]成这[个样版]|这(?:个|份|版"
    r"|次)?改动|那(?:个|份|版|次)?改动|不用?再?改了?"
    r"|\b(?:the|that|this|first|second|third|last|only|your|those|these) (?:\w+ )?changes?\b|\b(?:make|do) (?:it|that"
    r"|this) (?:so|then|now)\b"
    r"|\b(?:make|do) (?:the|that|those|these) changes?\b|\bno (?:more )?changes?\b|\bgo(?:es)? together\b",
    re.IGNORECASE,
)


def wants_another_edit(instruction: str) -> bool:
    """Say whether the words ask for a change other than the one that was shown: "再短一点"."""
    return _EDIT.search(_AS_SHOWN.sub(" ", words_of(instruction))) is not None


_WHICH = Pattern(
    r"第|前面|之前|更早|上上|另|那[个版份]|[A-Za-z\u3400-\u9fff]的那|\b(?:first|second|third|other|earlier|previous"
    r"|older|one with)\b",
    re.IGNORECASE,
)


def takes_bare(instruction: str) -> bool:
    """Say whether the words say of no proposal which one it is: "就用它", "use it"."""
    return _WHICH.search(words_of(instruction)) is None
