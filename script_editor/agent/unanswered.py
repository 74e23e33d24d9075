"""The answer to a call that was not carried out to its end, so that every call of a turn has exactly one."""

from collections.abc import Mapping
from typing import Literal

from script_editor.agent.language import Language
from script_editor.agent.steps import AgentAction, AgentStep, StopReason
from script_editor.errors import ScriptEditorError

Reason = StopReason | Literal["repeated", "unsure"]


def not_executed(action: AgentAction, reason: Reason, language: Language) -> AgentStep:
    """Return the step of a call that was never begun, because the run ended or the call was refused."""
    why = _WHY.get(reason, _LIMIT)[language]
    text = f"这个调用没有执行：{why}" if language == "zh" else f"This call was not executed: {why}"
    return AgentStep(action=action, observation=text, ok=False, executed=False)


def broken_off(action: AgentAction, language: Language, error: BaseException | None = None) -> AgentStep:
    """Return the step of a call that was begun and came to no end: of an error, or of an interrupt without one.

    An error of our own says in its words what happened. Of everything else nobody knows how far it came.
    """
    if isinstance(error, ScriptEditorError):
        return AgentStep(action=action, observation=str(error), ok=False)
    told = f"{type(error).__name__}: {error}".removesuffix(": ") if error else _INTERRUPTED[language]
    return AgentStep(action=action, observation=f"{told} {UNKNOWN[language]}", ok=False, uncertain=True)


UNKNOWN: Mapping[Language, str] = {
    "en": "Whether it took effect is not known: look before you do it again.",
    "zh": "不知道它有没有生效：再做一次之前请先查看。",
}
_INTERRUPTED: Mapping[Language, str] = {
    "en": "This call was broken off before it ended.",
    "zh": "这个调用没有结束就中断了。",
}
_LIMIT: Mapping[Language, str] = {
    "en": "a limit of the run was reached before it.",
    "zh": "在它之前就达到了本次运行的上限。",
}
_ERROR: Mapping[Language, str] = {
    "en": "the run ended before it, because of an error.",
    "zh": "在它之前运行已经因为出错而结束。",
}
_WHY: Mapping[Reason, Mapping[Language, str]] = {
    "repeated": {
        "en": "it was made before, more than once, and always with the same result. Use that, do something else, or answer.",
        "zh": "它已经做过不止一次，每次结果都相同。请用已有的结果，换一种做法，或者直接回答。",
    },
    "unsure": {
        "en": "it is not known whether the same call took effect before. Read what is there first.",
        "zh": "不知道上一次同样的调用有没有生效。请先读取现在的内容。",
    },
    "repeating": {
        "en": "the run ended, because the same call was made again and again with the same result.",
        "zh": "同一个调用一再重复，结果都相同，运行已经结束。",
    },
    "cancelled": {"en": "the person cancelled the run.", "zh": "用户取消了运行。"},
    "declined": {"en": "the person said no to a change before it.", "zh": "在它之前，用户没有同意一处修改。"},
    "failed": _ERROR,
    "crashed": _ERROR,
}
