"""A refused edit in words: to the person who asked, to the model that wrote it, to the agent that called.

Each gets what was wrong, where, what stays as it is and what to do next, in the language of the
instruction. Raise sites note the facts in English; nothing here decides whether an edit is refused.
"""

import re
from collections.abc import Callable
from typing import Literal

from script_editor.domain.findings import Finding
from script_editor.domain.refusals.addressing import addressed
from script_editor.domain.refusals.faults import Facts, finding_zh, sentences
from script_editor.domain.refusals.phrases import ROWS, Row
from script_editor.errors import EditRefused, Language
from script_editor.patterns import Pattern

Audience = Literal["person", "writer", "agent"]
"""Who is told: the person who asked, the model that wrote the operations, the agent that called the tool."""

MAX_CHARS = 400
"""How long a refusal may be in all; passages are cut shorter until it fits."""
_PASSAGE_CHARS = (60, 40, 24, 12)


def explain(refusal: EditRefused, language: Language) -> str:
    """Return a refusal as a person is told it, in one paragraph that ends with what to do next."""
    return _paragraph(worded(refusal, language))


def for_model(refusal: EditRefused, language: Language) -> str:
    """Return a refusal as the model is told it whose operations were refused."""
    return _paragraph(worded(refusal, language, audience="writer"))


def worded(
    refusal: EditRefused, language: Language, *, audience: Audience = "person", kept: str = ""
) -> EditRefused:
    """Return the same refusal, its `message` and `advice` whole sentences in `language` for one audience.

    `kept` names what stays as it is where the refusal itself does not. The nearest passage becomes part of
    the message. A refusal that is worded already comes back in its own language; one that was worded for the agent
    speaks to the person as you.
    """
    if refusal.language is not None:
        return addressed(refusal) if audience == "person" else refusal
    refusal = _with_versions_as_written(refusal)
    row, kept = ROWS[refusal.reason], refusal.kept or _VERSION.sub(r"\1 v\2", kept)
    next_step = _NEXT_STEPS[audience](refusal, row, kept, language)
    message = ""
    for chars in _PASSAGE_CHARS:
        message = sentences(
            Facts(
                refusal=refusal,
                row=row,
                kept=kept,
                language=language,
                is_for_person=audience == "person",
                is_for_writer=audience == "writer",
                chars=chars,
            )
        )
        if len(message) + 1 + len(next_step) <= MAX_CHARS:
            break
    return EditRefused(
        refusal.reason,
        message,
        segments=refusal.segments,
        advice=next_step,
        example=refusal.example,
        was=refusal.was,
        kept=kept,
        proposal_id=refusal.proposal_id,
        language=language,
    )


def finding_sentence(finding: Finding, language: Language) -> str:
    """Return what a guard says as one sentence that names the lines, in `language` only."""
    if language == "en":
        says_where = not finding.segments or _NAMES_A_LINE.search(finding.message)
        where = "" if says_where else f"line {', '.join(map(str, finding.segments[:5]))}: "
        return where + finding.message
    noted = EditRefused(
        finding.code,
        finding.message,
        segments=finding.segments,
        example=finding.example,
        was=finding.was,
    )
    row = ROWS[finding.code]
    return finding_zh(
        Facts(refusal=noted, row=row, kept="", language="zh", is_for_person=True, chars=_PASSAGE_CHARS[0])
    )


_NAMES_A_LINE = Pattern(r"\b[Ll]ines? \d")
_VERSION = Pattern(r"(?<![\w@.-])([\w.-]{1,64})@v(\d+)\b")


def _with_versions_as_written(refusal: EditRefused) -> EditRefused:
    """Return the refusal with its versions as people read them: `video_001 v3`, not `video_001@v3`."""
    kept, message = (_VERSION.sub(r"\1 v\2", text) for text in (refusal.kept, refusal.message))
    if (kept, message) == (refusal.kept, refusal.message):
        return refusal
    return EditRefused(
        refusal.reason,
        message,
        segments=refusal.segments,
        nearest=refusal.nearest,
        advice=refusal.advice,
        example=refusal.example,
        was=refusal.was,
        kept=kept,
        proposal_id=refusal.proposal_id,
    )


def _paragraph(refusal: EditRefused) -> str:
    return f"{refusal}{'' if refusal.language == 'zh' else ' '}{refusal.hint}".strip()


# --- what to do next -------------------------------------------------------------------------


def _next_for_person(refusal: EditRefused, row: Row, kept: str, language: Language) -> str:
    zh = language == "zh"
    advice, command = row.phrase(language).next, _command(refusal, row, kept)
    if refusal.proposal_id:
        save = "仍要保存" if zh else "Save it all the same"
        force = "" if refusal.reason == "target_missed" else " --force"  # a missed time is a warning only
        command = f"script-editor apply {refusal.proposal_id}{force}"
        return f"{advice}{save}：{command}" if zh else f"{advice} {save}: {command}"
    if refusal.reason == "locked_changed" and not refusal.advice and _KEPT_WORDS.match(refusal.message):
        return (
            "请避开锁定的文字，或者去掉 --keep。"
            if zh
            else "Ask for an edit without it, or leave out --keep."
        )
    if not command:
        return advice
    return f"{advice.rstrip('。')}：{command}" if zh else f"{advice.rstrip('.')}: {command}"


def _command(refusal: EditRefused, row: Row, kept: str) -> str:
    """Return the row's command, as the raise site wrote it out or for the script that was kept; else ""."""
    written = _ONLY_TYPED.search(refusal.advice)
    if row.command and written and written[0].split()[:2] == row.command.split()[:2]:
        return written[0].rstrip(".")
    if row.command.endswith("…"):  # only the raise site knows the rest of it
        return ""
    script_id = kept.partition(" ")[0].partition("@")[0]
    return row.command.replace("{id}", script_id) if script_id else ""


def _next_for_writer(refusal: EditRefused, row: Row, _kept: str, language: Language) -> str:
    mend = row.phrase(language).mend
    ids = ", ".join(_IDS.findall(refusal.advice))
    if language == "zh":
        again = "否则不要给出任何操作。" if row.turn == "finish" else "请改正后把全部操作重新发一遍。"
        return f"{mend}{f'可用的编号：{ids}。' if ids else ''}{again}"
    again = (
        "Otherwise answer with no operation at all."
        if row.turn == "finish"
        else "Send all operations again, corrected."
    )
    return f"{_advice_for_model(refusal) or mend} {again}"


def _next_for_agent(refusal: EditRefused, row: Row, _kept: str, language: Language) -> str:
    advice = _advice_for_model(refusal)
    if language == "zh":
        calls = "、".join(_CALL_PARTS.findall(advice))
        ids = ", ".join(_IDS.findall(advice))
        beside = f"请用 {calls}。" if calls else f"可用的编号：{ids}。" if ids else ""
        return f"{_TURNS_ZH[row.turn]}{beside}"
    return f"{advice} {_TURNS_EN[row.turn]}".strip()


def _advice_for_model(refusal: EditRefused) -> str:
    """Return the raise site's advice, unless it is about one form of operations or only a person can follow it."""
    return "" if "@@" in refusal.advice or _ONLY_TYPED.search(refusal.advice) else refusal.advice


_ONLY_TYPED = Pattern(r"script-editor \w.*|--\w.*")
_IDS = Pattern(r"\bS\d+:[0-9a-z]{2}\b")
_CALL_PARTS = Pattern(r"\b[a-z_]{2,30}='[^'\n]{1,90}'")
_KEPT_WORDS = Pattern(r"\".{0,400}\" is locked, and the edit would", re.DOTALL)
"""The note of a phrase lock without a person's reason: only such a lock comes from --keep."""
_TURNS_EN = {
    "retry": "Call the tool again with a more exact instruction, or tell the person what stands in the way.",
    "tell": "Do not try it by another way; tell the person what stands in the way.",
    "finish": "There is nothing left to do: tell the person so.",
}
_TURNS_ZH = {
    "retry": "请用更明确的指令再调用一次，或者告诉对方为什么做不到。",
    "tell": "不要换别的办法去做；请告诉对方为什么做不到。",
    "finish": "没有要做的了：请这样告诉对方。",
}
_NEXT_STEPS: dict[Audience, Callable[[EditRefused, Row, str, Language], str]] = {
    "person": _next_for_person,
    "writer": _next_for_writer,
    "agent": _next_for_agent,
}
