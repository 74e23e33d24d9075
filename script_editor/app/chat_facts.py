"""Sentences of the program for later turns of a chat: how a turn ended, what a person declined, what is open now."""

from collections.abc import Iterable, Mapping, Sequence

from script_editor.agent.language import Language
from script_editor.app.parts import ranges
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.scope import Objection, Pending
from script_editor.domain.script import ScriptInfo
from script_editor.errors import Declined, NotFound, Objected, ScriptEditorError, Unfinished
from script_editor.patterns import Pattern

_MOST_NAMED = 6
_MOST_OF_SCRIPT = 3
_ERROR_CHARS = 400
_PROPOSAL_ID = Pattern(r"(?<![0-9A-Za-z_-])p-[0-9a-z]{8}(?![0-9A-Za-z_-])")

_KEPT: Mapping[Language, str] = {
    "zh": "提案 {id} 留着，还没有保存。",
    "en": "Proposal {id} is kept and not saved.",
}
_UNFINISHED: Mapping[Language, str] = {
    "zh": "这一轮没有记录到结果。",
    "en": "Nothing is recorded of how this turn ended.",
}
_UNPROVEN: Mapping[Language, str] = {
    "zh": "这一轮的回答里说改了，其实没有改。",
    "en": "The answer of this turn speaks of a change that was not made.",
}


def failed(error: BaseException, language: Language) -> tuple[str, ...]:
    """Return what a turn that ended without a report leaves: why, and where a proposal is kept."""
    zh = language == "zh"
    if isinstance(error, Unfinished):
        return (_short(str(error)),)
    if isinstance(error, Objected | Declined):  # what the person said is told by `decided`
        why = "这一轮没有保存任何内容。" if zh else "Nothing was saved in this turn."
    elif isinstance(error, ScriptEditorError):
        why = f"这一轮没有做成：{error}" if zh else f"This turn failed: {error}"
    elif isinstance(error, KeyboardInterrupt):
        why = (
            "用户中断了这一轮，没有做完。" if zh else "The person interrupted this turn; it was not finished."
        )
    else:
        why = "这一轮因程序错误而中止。" if zh else "This turn was stopped by an error of the program."
    kept = getattr(error, "proposal_id", None)
    return (_short(why), *([_KEPT[language].format(id=kept)] if kept else []))


def unproven(language: Language) -> str:
    """Return that an answer told of an edit that did not happen."""
    return _UNPROVEN[language]


def unfinished(language: Language) -> str:
    """Return that nothing is known of how a turn ended."""
    return _UNFINISHED[language]


def decided(
    pending: Pending, answer: bool | tuple[int, ...] | Objection, language: Language
) -> tuple[str, ...]:
    """Return what a person declined of what was to be saved, none when they took all of it."""
    zh = language == "zh"
    name = _name(pending, language)
    if isinstance(answer, Objection):
        reason = _short(answer.reason)
        return (f"用户没有接受{name}，理由：{reason}" if zh else f"The person declined {name}: {reason}",)
    if answer is True:
        return ()
    left_out = (
        sorted({change.id for change in pending.changes} - set(answer)) if isinstance(answer, tuple) else []
    )
    if not left_out and answer:
        return ()
    if not left_out:
        return (f"用户没有接受{name}。" if zh else f"The person declined {name}.",)
    which = ranges(left_out)
    if zh:
        return (f"{name}的第 {which} 处改动被用户拒绝，其余接受。",)
    many, were = ("Changes", "were") if len(left_out) > 1 else ("Change", "was")
    return (f"{many} {which} of {name} {were} declined; the rest was taken.",)


def present(
    facts: Iterable[str],
    script: ScriptInfo | None,
    proposals: ProposalService,
    language: Language,
    *,
    can_save: bool,
) -> tuple[str, ...]:
    """Return how things stand now: the script's newest version, and each proposal that the chat has spoken of.

    With `can_save` an open one is told with the call that saves it.
    """
    named = list(dict.fromkeys(id for fact in facts for id in _named_in(fact)))[-_MOST_NAMED:]
    told = []
    if script is not None:
        head = f"v{script.head_number}"
        told.append(
            f"现在 {script.id} 的最新版本是 {head}。"
            if language == "zh"
            else f"The newest version of {script.id} is {head} now."
        )
        others = [proposal.id for proposal in proposals.open(script.id) if proposal.id not in named]
        named = [*reversed(others[:_MOST_OF_SCRIPT]), *named]
    for id in named:
        try:
            review = proposals.review(id)
        except NotFound:  # a fact quoted something that only looks like an id
            continue
        told.append(_stands(review, proposals.is_stale(review.proposal), language, can_save=can_save))
    return tuple(told)


def newest_open(facts: Sequence[str], script_id: str | None, proposals: ProposalService) -> str | None:
    """Return the open proposal that was spoken of last, or else the newest of the script; None when there is none."""
    last_first = [id for fact in reversed(facts) for id in reversed(_named_in(fact))]
    for id in dict.fromkeys(last_first):
        try:
            if proposals.review(id).proposal.status == "pending":
                return id
        except NotFound:
            continue
    of_script = proposals.open(script_id) if script_id is not None else ()
    return of_script[0].id if of_script else None


def _named_in(fact: str) -> list[str]:
    return [found[0] for found in _PROPOSAL_ID.finditer(fact)]


def _stands(review: Review, is_stale: bool, language: Language, *, can_save: bool) -> str:
    proposal, zh = review.proposal, language == "zh"
    over = f"{proposal.script_id} v{proposal.base_number}"
    if proposal.status == "accepted":
        saved = f"v{proposal.accepted_number}"
        return (
            f"提案 {proposal.id} 已保存为 {saved}。"
            if zh
            else f"Proposal {proposal.id} was saved as {saved}."
        )
    if proposal.status != "pending":
        return f"提案 {proposal.id} 已放弃。" if zh else f"Proposal {proposal.id} was discarded."
    if is_stale:
        moved = f"Proposal {proposal.id} over {over} is open, but the script has moved since."
        return f"提案 {proposal.id}（基于 {over}）还开着，但脚本之后有了新版本。" if zh else moved
    lines = ranges(_lines(review))
    if zh:
        how = f"现在可以保存：modify_script 带上 proposal_id={proposal.id}；只要其中几行就再加 targets。"
        return f"提案 {proposal.id}（基于 {over}，改动在第 {lines} 行）{how if can_save else '还没有保存。'}"
    how = f"can be saved now: modify_script with proposal_id={proposal.id}; with targets as well for some of its lines."
    return (
        f"Proposal {proposal.id} over {over} (changes in line {lines}) {how if can_save else 'is not saved.'}"
    )


def _lines(review: Review) -> Sequence[int]:
    lines = {change.before_line or change.after_line for change in review.changes}
    return sorted(line for line in lines if line is not None)


def _name(pending: Pending, language: Language) -> str:
    base = pending.base.reference
    if pending.proposal_id is None:
        return f"对 {base} 的恢复" if language == "zh" else f"the older text for {base}"
    return (
        f"提案 {pending.proposal_id}（基于 {base}）"
        if language == "zh"
        else f"proposal {pending.proposal_id} over {base}"
    )


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _ERROR_CHARS else f"{line[:_ERROR_CHARS]} …"
