"""Text that is no script: nothing at all, or a model that declines."""

import re
from collections.abc import Iterator

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.suspicion import found_at, suspects
from script_editor.domain.segments import NumberedScript
from script_editor.patterns import Pattern

_CANNOT_EN = (
    r"i(?:['’]m| am)? (?:can ?not|can['’]t|unable to|not able to|won['’]t be able to|won['’]t"
    r"|will not|must decline to)"
)
_CANNOT_ZH = r"(?:无法|不能|没有办法|没办法|不便|不可以|無法|沒有辦法|沒辦法)"
_REFUSAL = Pattern(
    r"\s*(?:"
    # "I'm sorry, but I can't help with that." A bare "I can't wait" or "can't help but smile" is speech.
    r"(?:(?:i['’]?m |i am )?(?:very |so |really )?(?:sorry|afraid)|my apologies|i apologi[sz]e"
    r"|unfortunately|regrettably)"
    rf"[,.! ]{{0,3}}(?:but |that )?(?:as an ai[^,]{{0,30}}, )?{_CANNOT_EN} "
    r"(?:help(?! (?:but|myself))|assist|comply|fulfil|complete|continue with|provide|create|generate"
    r"|edit|rewrite|modify"
    r"|process|translate|do (?:that|this)\b(?! again))"
    rf"|{_CANNOT_EN} (?:help|assist)(?: you)?(?: with (?:that|this|your|the request)|[.!]|$)"
    rf"|{_CANNOT_EN} (?:comply|fulfil|fulfill|complete|process|continue|edit|modify|rewrite|change)"
    r" (?:with )?(?:that|this|your|the) (?:request|script|text|content|task|instruction|line|sentence|passage|paragraph|part)"
    rf"|as an? (?:ai|large language)(?: language)?(?: model| assistant)?,? (?:{_CANNOT_EN}|i do not|i don['’]t)"
    # 抱歉，我无法协助；对不起，这个请求我无法完成；作为AI助手，我无法修改
    r"|我?(?:非常|很|十分|深感|真的)?(?:抱歉|对不起|對不起|不好意思|遗憾"
    r"|遺憾)[，,。！! ]{0,2}(?:但是?|不过|可是)?"
    r"[^，,。！!？?]{0,10}?"
    rf"[，,]?(?:我|本助手)?(?:暂时|目前|暫時)?{_CANNOT_ZH}(?:为您|为你|按照?|继续)?"
    r"(?:协助|協助|帮助[您你]|帮[您你]|满足|滿足|完成|提供|处理|處理|修改|改写|编辑|編輯|生成|创作"
    r"|回答|回应|执行|執行|翻译)"
    rf"|我(?:暂时|目前|暫時)?{_CANNOT_ZH}(?:协助|協助|满足|滿足|回答|处理|處理|完成|提供|执行|帮助|修改|编辑|改写|重写|润色)"
    r"(?:[您你]|这个?|这段|该|此|相关|這|。|！|$)(?!过去)"
    r"|(?:作为|作為)(?:一)?(?:个|個|名|款)?(?:AI|ＡＩ|人工智能|大?语言模型|大型語言模型)"
    r"(?:语言模型|模型|助手|助理)?[，,]? ?我?(?:的)?"
    rf"(?:{_CANNOT_ZH}|没有|不具备|沒有)"
    r")",
    re.IGNORECASE,
)


_POLICY = Pattern(
    r"\s*(?:(?:抱歉|很抱歉|对不起|不好意思|對不起)[，,。！! ]{0,2})?(?:"
    r"(?:您|你)?的?(?:这个|该|此|这一)?(?:请求|要求|指令|請求)[^，,。]{0,12}(?:违反|违背|不符合|涉及|超出|違反)"
    r"|(?:由于|因为|基于)[^，,。]{0,14}(?:政策|规定|规范|准则|限制|安全"
    r"|原则)[^，,。]{0,8}[，,]?我?(?:无法|不能|不便)"
    r"|(?:该|此|这段|这些)?(?:内容|请求)(?:违反|违背)[^，,。]{0,12}(?:政策|规定|准则|规范)"
    r"|(?:sorry,? ?(?:but )?)?(?:this|that|your) (?:request|content|instruction) (?:violates"
    r"|goes against|is against|conflicts with|is not something i)"
    r"|(?:i['’]?m sorry,? (?:but )?)?i(?:['’]m| am) (?:not (?:comfortable|able|allowed)|unable) (?:with |to )?"
    r"(?:help|assist|provid|writ|creat|generat|edit|rewrit|modify|chang|process|fulfil|complet|mak)"
    r"|(?:i['’]?m sorry,? (?:but )?)?(?:i['’]d rather not|i (?:do not|don['’]t) (?:feel comfortable"
    r"|think i (?:can|should))) (?:help|assist|writ|creat|edit|rewrit|mak|modify)"
    r")",
    re.IGNORECASE,
)

_BLUNT = Pattern(
    r"\b(?:i|we)(?:['’]m| am| are)? (?:can ?not|can['’]t|could ?not|couldn['’]t|won['’]t|will not|unable|not able|not allowed"
    r"|not going to|(?:must |(?:have|need|am going) to )?(?:\w+ly )?(?:decline|refuse))\b"
    r"|\b(?:can['’]t|cannot|unable to) (?:assist|help|comply)\b"
    r"|(?:无法|無法|不能|不便|难以|難以|没办法|沒辦法|没法|拒绝|拒絕|恕)"
    r"[^。！？]{0,12}(?:协助|協助|帮|幫|满足|滿足|完成|提供|处理|處理|修改|改写|编辑|生成|创作|执行|这|該|该|您|你)"
    r"|(?:请求|要求|需求|任务|指令|請求|任務|内容|內容)[^。！？]{0,8}不了|[帮幫]不了[您你]",
    re.IGNORECASE,
)


def declines(text: str) -> bool:
    """Say whether a text that is no script for other reasons says that the model will not do it.

    Wider than `is_refusal`: people in a script say such things too.
    """
    return is_refusal(text) or _BLUNT.search(text) is not None


def is_refusal(text: str) -> bool:
    """Say whether a text opens as a model's refusal, in Chinese or English."""
    return _REFUSAL.match(text) is not None or _POLICY.match(text) is not None


def empty(before: NumberedScript, after: NumberedScript, _context: GuardContext) -> Iterator[Finding]:
    """Find a script that had words and has none: nothing, or marks alone."""
    if _has_words(before) and not _has_words(after):
        yield Finding(
            guard="empty", code="empty", level="error", message="The edit would leave the script empty."
        )


def _has_words(script: NumberedScript) -> bool:
    return any(char.isalnum() for segment in script.segments for char in segment.content)


def refusal(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find new lines in which the model declines instead of editing."""
    for segment in suspects(before, after, context, is_refusal):
        yield found_at(segment, "refusal", "reads like the model's refusal, not like script text")
