"""The checks without which no edited text may be saved. Plain functions; each asks what is new.

A pattern is only a suspicion when it was neither in the original nor asked for: a script may talk
about refusals, `<think>` tags or dots. Two kinds stand here: those that look at the reply as it
came (`check_reply`) and those that compare the texts (`check`).
"""

import re
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
    """What the guards may need besides the two texts."""

    instruction: str


# --- the reply as it came --------------------------------------------------------------------

_SORRY = (
    r"(?:i['’]?m sorry|i am sorry|sorry|i apologi[sz]e|unfortunately|i regret)[,.! ]{0,3}(?:but )?"
    r"(?:i(?:['’]m| am)? (?:can(?:['’]t|not)|unable|won['’]t|not able|must decline)|as an ai)"
    r"|i (?:can(?:['’]t|not)|won['’]t|must decline to|am unable to|['’]m unable to) "
    r"(?:help|assist|comply|fulfill|fulfil|do that|do this|provide|continue|create|write|edit|rewrite|process)"
    r"|i(?:['’]m| am) (?:unable|not able) to (?:help|assist|comply|fulfill|fulfil|do|provide|edit|rewrite)"
    r"|as an? (?:ai|large) (?:language )?(?:model|assistant)"
    r"|(?:非常|很|十分)?(?:抱歉|对不起|不好意思|遗憾|對不起)[，,。！! ]{0,2}(?:但是?|不过)?(?:我|本助手|作为)?"
    r"(?:暂时|目前)?(?:无法|不能|没有办法|没办法|不便|不可以|無法|沒辦法)"
    r"|我(?:暂时|目前)?(?:无法|不能|無法)(?:协助|帮助|满足|完成|提供|处理|继续|修改|为您|回答|協助|幫助|提供)"
    r"|(?:作为|作為)一(?:个|個|名|款)?(?:人工智能|AI|ＡＩ|大?语言模型|大型語言模型|AI ?助手)"
)
_REFUSAL = re.compile(rf"\s*(?:{_SORRY})", re.IGNORECASE)


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
    for segment in _new_segments(before, after):
        match = _REFUSAL.match(segment.content)
        if match and not _was_known(match[0], before, context):
            yield _at(segment, "refusal", "reads like the model's refusal, not like script text")


_REASONING_TAG = re.compile(
    r"</?(?:think|thinking|thought|reasoning|reflection)>|<\|(?:channel|thinking)\|?>|◁/?think▷",
    re.IGNORECASE,
)


def reasoning(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find tags of a model's thinking that got into the text."""
    for segment in _new_segments(before, after):
        match = _REASONING_TAG.search(segment.content)
        if match and not _was_known(match[0], before, context):
            yield _at(segment, "reasoning_leak", f"holds the model's thinking ({match[0]})")


_REST_EN = (
    r"(?:the )?(?:rest|remainder|remaining (?:lines?|text|script|content|part|sections?)|other lines?|everything else|all other)"
    r"(?: of (?:the |your |this )?(?:script|text|lines?|content|video|document|original|story|paragraphs?))?"
    r"(?: (?:is|are|stays?|remains?|continues?|goes))?(?: (?:the )?(?:same|unchanged|as (?:is|before|above|in the original)"
    r"|here|omitted|identical|unmodified|untouched|follows?))"
    r"|(?:script|text|content|lines?|original)(?: \w+){0,2} (?:continues?|omitted|unchanged|stays the same"
    r"|remains? (?:the same|unchanged))"
    r"(?: (?:here|as (?:is|before)|below))?"
    r"|(?:same|unchanged|keep|continue[sd]?|continued) (?:as (?:before|above|the original)|from here|the rest|below)"
    r"|(?:no|without) (?:further )?changes? (?:here|below|from here)"
    r"|(?:insert |keep )?(?:the )?(?:rest|remaining|original|existing|previous) (?:text|script|content|lines?)(?: goes)? here"
)
_REST_ZH = (
    r"(?:其余|剩余|剩下|后面|后续|以下|以上|中间|其他|其它|其餘|剩餘|後面|後續)(?:的)?"
    r"(?:部分|内容|內容|文字|脚本|腳本|台词|段落|各?行|句子|原文)?"
    r"(?:都|均|全部)?(?:保持|维持|維持)?(?:不变|不變|同上|同原文|相同|一致|照旧|照舊|略|省略|从略|未改动|未改|没有改动|原样保留|原樣)"
    r"|(?:此处|这里|这段|此處|這裡|中间)(?:内容|部分|原文)?(?:省略|略去|略)(?:若干|部分)?(?:字|行|内容)?"
    r"|(?:下文|后文|以下|後文)(?:内容)?(?:省略|从略|略|同原文|不变|不變)"
    r"|(?:保持|保留)(?:原文|原样|原稿|不变|原樣)(?:不变|不變|不动)?"
    r"|(?:省略|略)(?:若干|部分|其余|后续)?(?:内容|原文|文字|段落)?"
    r"|(?:同|与)(?:上|前|原)(?:文)?(?:相同|一致|一样)?"
)
_ELISION = re.compile(rf"[\W_]*(?:{_REST_EN}|{_REST_ZH})[\W_]*", re.IGNORECASE)
_LONE_DOTS = re.compile(r"[\[（(【<]?\s*(?:\.{3,}|…+|。{3,}|⋯+|·{3,})\s*[\]）)】>]?")


def elision(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find new lines that stand for text instead of being it: "... rest unchanged ...", 其余不变, lone dots.

    A phrase counts only when the whole line is nothing but the phrase and marks round it; what the
    script had before, or what was asked for, is text.
    """
    for segment in _new_segments(before, after):
        content = segment.content
        if (_LONE_DOTS.fullmatch(content) or _ELISION.fullmatch(content)) and not _was_known(
            content, before, context
        ):
            yield _at(segment, "elision", "stands for left-out text instead of being it")


Guard = Callable[[NumberedScript, NumberedScript, GuardContext], Iterable[Finding]]
GUARDS: tuple[Guard, ...] = (empty, refusal, reasoning, elision)


def _new_segments(before: NumberedScript, after: NumberedScript) -> Iterator[Segment]:
    known = {segment.content for segment in before.segments}
    return (segment for segment in after.segments if segment.content not in known)


def _was_known(text: str, before: NumberedScript, context: GuardContext) -> bool:
    wanted = text.strip().casefold()
    return wanted in before.text.casefold() or wanted in context.instruction.casefold()


def _at(segment: Segment, code: str, what: str) -> Finding:
    return Finding(
        code=code, level="error", message=f"Line {segment.number} {what}.",
        segments=(segment.number,), example=first_line(segment.content, 80),
    )  # fmt: skip
