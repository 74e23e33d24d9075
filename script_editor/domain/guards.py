"""The checks without which no edited text may be saved. Plain functions; each asks what is new.

A pattern is only a suspicion, and only where a text has more of it than before and nobody gave it as
wanted text: a script may talk about refusals, `<think>` tags or dots. Two kinds stand here: those that look at the reply as it
came (`check_reply`) and those that compare the texts (`check`).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from script_editor.domain.segments import NumberedScript, Segment, is_blank
from script_editor.errors import EditRefused

Level = Literal["error", "warning"]

_COMPLETE = frozenset({"stop", "tool_calls", "function_call"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a guard says: `code` is a refusal reason, `segments` are line numbers of the new text."""

    code: str
    level: Level
    message: str
    segments: tuple[int, ...] = ()
    example: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuardContext:
    """What the guards may need besides the two texts: the person's own words, never a model's."""

    instruction: str


# --- the reply as it came --------------------------------------------------------------------

_CANNOT_EN = r"i(?:['’]m| am)? (?:can ?not|can['’]t|unable to|not able to|won['’]t be able to|won['’]t|will not|must decline to)"
_CANNOT_ZH = r"(?:无法|不能|没有办法|没办法|不便|不可以|無法|沒有辦法|沒辦法)"
_REFUSAL = re.compile(
    r"\s*(?:"
    # "I'm sorry, but I can't help with that." A bare "I can't wait" or "can't help but smile" is speech.
    r"(?:(?:i['’]?m |i am )?(?:very |so |really )?(?:sorry|afraid)|my apologies|i apologi[sz]e|unfortunately|regrettably)"
    rf"[,.! ]{{0,3}}(?:but |that )?(?:as an ai[^,]{{0,30}}, )?{_CANNOT_EN} "
    r"(?:help(?! (?:but|myself))|assist|comply|fulfil|complete|continue with|provide|create|generate|edit|rewrite|modify"
    r"|process|translate|do (?:that|this)\b(?! again))"
    rf"|{_CANNOT_EN} (?:help|assist)(?: you)?(?: with (?:that|this|your|the request)|[.!]|$)"
    rf"|{_CANNOT_EN} (?:comply|fulfil|fulfill|complete|process|continue|edit|modify|rewrite|change)"
    r" (?:with )?(?:that|this|your|the) (?:request|script|text|content|task|instruction)"
    rf"|as an? (?:ai|large language)(?: language)?(?: model| assistant)?,? (?:{_CANNOT_EN}|i do not|i don['’]t)"
    # 抱歉，我无法协助；对不起，这个请求我无法完成；作为AI助手，我无法修改
    r"|我?(?:非常|很|十分|深感|真的)?(?:抱歉|对不起|對不起|不好意思|遗憾|遺憾)[，,。！! ]{0,2}(?:但是?|不过|可是)?"
    r"[^，,。！!？?]{0,10}?"
    rf"[，,]?(?:我|本助手)?(?:暂时|目前|暫時)?{_CANNOT_ZH}(?:为您|为你|按照?|继续)?"
    r"(?:协助|協助|帮助[您你]|帮[您你]|满足|滿足|完成|提供|处理|處理|修改|改写|编辑|編輯|生成|创作|回答|回应|执行|執行|翻译)"
    rf"|我(?:暂时|目前|暫時)?{_CANNOT_ZH}(?:协助|協助|满足|滿足|回答|处理|處理|完成|提供|执行|帮助|修改|编辑)"
    r"(?:[您你]|这个?|这段|该|此|相关|這|。|！|$)(?!过去)"
    r"|(?:作为|作為)(?:一)?(?:个|個|名|款)?(?:AI|ＡＩ|人工智能|大?语言模型|大型語言模型)"
    r"(?:语言模型|模型|助手|助理)?[，,]? ?我?(?:的)?"
    rf"(?:{_CANNOT_ZH}|没有|不具备|沒有)"
    r")",
    re.IGNORECASE,
)


def is_refusal(text: str) -> bool:
    """Say whether a text opens as a model's refusal, in Chinese or English."""
    return _REFUSAL.match(text) is not None


def check_reply(finish_reason: str, refusal: str | None, text: str) -> None:
    """Accept a reply that ended normally and says something; whatever it says is checked later.

    Raises:
        EditRefused: truncated (cut, or without a stop reason), content_filter, refusal, empty.
    """
    if refusal:
        raise EditRefused("refusal", f"The model refused: {first_line(refusal)}", advice=_OTHER_WORDS)
    if finish_reason == "content_filter":
        raise EditRefused(
            "content_filter", "The service's content filter stopped the reply.", advice=_OTHER_WORDS
        )
    if finish_reason not in _COMPLETE:
        why = (
            "it reached the length limit" if finish_reason == "length" else "the service gave no stop reason"
        )
        raise EditRefused(
            "truncated",
            f"The reply was cut off ({why}), so nothing of it was used.",
            advice="Ask for fewer changes at a time, or allow a longer reply.",
        )
    if is_blank(text):
        raise EditRefused(
            "empty", "The model sent an empty reply.", advice="Try again, or choose another model."
        )


_OTHER_WORDS = "Put the request in other words, or choose another model with --model."


def first_line(text: str, limit: int = 120) -> str:
    """Return the first line of a text, shortened, for use inside a message."""
    line = text.strip().partition("\n")[0].strip()
    return line if len(line) <= limit else line[: limit - 1] + "…"


# --- the two texts ---------------------------------------------------------------------------


def check(before: str, after: str, context: GuardContext) -> tuple[Finding, ...]:
    """Return everything the guards find in `after`, in the order of the guards; none means it may be saved.

    An `after` that equals `before` is no finding here: whether "nothing changed" is an error is the
    caller's question.
    """
    old, new = NumberedScript("", 1, before), NumberedScript("", 1, after)
    return tuple(finding for guard in GUARDS for finding in guard(old, new, context))


def empty(before: NumberedScript, after: NumberedScript, _context: GuardContext) -> Iterator[Finding]:
    """Find a script that had words and has none."""
    if before.segments and not after.segments:
        yield Finding(code="empty", level="error", message="The edit would leave the script empty.")


def refusal(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find new lines in which the model declines instead of editing."""
    for segment in _suspects(before, after, context, is_refusal):
        yield _at(segment, "refusal", "reads like the model's refusal, not like script text")


_REASONING_TAG = re.compile(
    r"[<\[]/?(?:think|thinking|thought|reasoning|reflection)[>\]]|<\|(?:channel|thinking)\|?>|◁/?think▷",
    re.IGNORECASE,
)


def reasoning(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find tags of a model's thinking that got into the text."""
    for segment in _suspects(before, after, context, lambda line: _REASONING_TAG.search(line) is not None):
        yield _at(segment, "reasoning_leak", "holds the model's thinking")


# Phrases that leave no doubt: a line that is nothing but one of them stands for left-out text.
_REST_EN = (
    r"(?:the )?(?:rest|remainder|remaining (?:lines?|text|script|content|part|sections?)|other lines?)"
    r"(?: of (?:the |your |this )?(?:script|text|lines?|content|video|document|original|story|paragraphs?))?"
    r"(?: (?:is|are|stays?|remains?|continues?|goes))?(?: (?:the )?"
    r"(?:same|unchanged|as (?:is|before|above|in the original)|omitted|identical|unmodified|untouched))"
    r"|(?:script|text|content|lines?|original)(?: \w+){0,2} (?:continues?|omitted|unchanged|stays the same"
    r"|remains? (?:the same|unchanged))(?: (?:here|as (?:is|before)|below))?"
    r"|(?:insert |keep )?(?:the )?(?:rest|remaining|original|existing|previous) (?:text|script|content|lines?)(?: goes)? here"
)
_REST_ZH = (
    r"(?:其余|剩余|剩下|余下|后面|后续|以下|以上|中间|其他|其它|其餘|剩餘|餘下|後面|後續)(?:的)?"
    r"(?:部分|内容|內容|文字|脚本|腳本|台词|段落|各?行|句子|原文)?(?:都|均|全部)?(?:与原文|和原文)?"
    r"(?:保持|维持|維持)?(?:不变|不變|同上|同原文|相同|一致|照旧|照舊|略|省略|从略|未改动|未改|没有改动|原样保留|原样|原樣)"
    r"|(?:此处|这里|此處|這裡|中间)(?:内容|部分|原文)?(?:省略|略去)(?:\d+|若干|部分)?(?:字|行|内容)?"
    r"|(?:下文|后文|以下|後文)(?:内容)?(?:省略|从略|略|同原文|不变|不變)|略|省略|从略"
)
_PHRASE_ALONE = re.compile(rf"[\W_]*(?:{_REST_EN}|{_REST_ZH})[\W_]*", re.IGNORECASE)
# In brackets or as a comment a word is enough: [unchanged], （下略）, <rest of script>, <!-- same as before -->
_IN_BRACKETS = re.compile(r"(?:[\[（(【<{].{0,40}[\]）)】>}]|(?://|#|--|\.{3}|…+).{0,40})", re.DOTALL)
_WORD_IN_BRACKETS = re.compile(
    r"unchanged|omitted|rest of|remaining|remainder|as before|as above|keep (?:the )?original|same as|existing (?:text|lines?)"
    r"|不变|不變|省略|下略|从略|原文|原样|原樣|同上|其余|其餘|余下|餘下",
    re.IGNORECASE,
)
_LONE_DOTS = re.compile(r"[\[（(【<]?\s*(?:\.{3,}|…+|。{3,}|⋯+|·{3,})\s*[\]）)】>]?")


def is_placeholder(line: str) -> bool:
    """Say whether a line stands for text instead of being it: "... rest unchanged ...", 其余不变, lone dots."""
    bracketed = _IN_BRACKETS.fullmatch(line) is not None and _WORD_IN_BRACKETS.search(line) is not None
    return bracketed or _LONE_DOTS.fullmatch(line) is not None or _PHRASE_ALONE.fullmatch(line) is not None


def elision(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find new lines that stand for left-out text."""
    for segment in _suspects(before, after, context, is_placeholder):
        yield _at(segment, "elision", "stands for left-out text instead of being it")


Guard = Callable[[NumberedScript, NumberedScript, GuardContext], Iterable[Finding]]
GUARDS: tuple[Guard, ...] = (empty, refusal, reasoning, elision)


def _suspects(
    before: NumberedScript, after: NumberedScript, context: GuardContext, suspicious: Callable[[str], bool]
) -> Iterator[Segment]:
    """Yield new lines that are suspicious, unless the script had as many such lines, or they were asked for."""
    found = [segment for segment in after.segments if suspicious(segment.content)]
    had = [segment.content for segment in before.segments if suspicious(segment.content)]
    if len(found) <= len(had):
        return
    known = Counter(had)
    for segment in found:
        if known[segment.content] > 0:
            known[segment.content] -= 1
        elif not _was_asked_for(segment.content, context.instruction):
            yield segment


_QUOTED = re.compile(r"“([^”]+)”|「([^」]+)」|『([^』]+)』|\"([^\"]+)\"|«([^»]+)»|'([^']+)'")


def _was_asked_for(line: str, instruction: str) -> bool:
    """Say whether the instruction gives this line as wanted text: in quotation marks, or after a colon."""
    quoted = [text for groups in _QUOTED.findall(instruction) for text in groups if text]
    _, colon, rest = instruction.replace("：", ":").partition(":")
    return any(line in text for text in quoted) or (bool(colon) and rest.strip().startswith(line))


def _at(segment: Segment, code: str, what: str) -> Finding:
    return Finding(
        code=code, level="error", message=f"Line {segment.number} {what}.",
        segments=(segment.number,), example=first_line(segment.content, 80),
    )  # fmt: skip
