"""Whether a change is saved: the one policy of every command, and the question to a person on a terminal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, cast

import click

from script_editor.cli import heads, render
from script_editor.cli.questions import Answer, Key, choose, confirm, read_line
from script_editor.cli.session import Session
from script_editor.cli.stepping import step_through
from script_editor.errors import Declined, EditRefused, Language
from script_editor.errors.endings import INTERRUPTED

if TYPE_CHECKING:
    from script_editor.app.proposals import Review
    from script_editor.app.scope import Approve, Objection, Pending
    from script_editor.cli.progress import Progress
    from script_editor.domain.script import Version

Saving = Literal["asks", "saves", "proposes"]

DECLINED: Mapping[Language, str] = {"zh": "没有保存。", "en": "Not saved."}
_ALL_THE_SAME: Mapping[Language, str] = {
    "zh": "有检查没有通过，仍要保存？",
    "en": "A check failed. Save all the same?",
}
_SAVES: Mapping[Language, tuple[str, str]] = {
    "zh": ("回车或 y 保存，n 不保存", "y 保存，n 不保存"),
    "en": ("Enter or y saves, n does not", "y saves, n does not"),
}
"""What may be answered to the save question the first time, and again."""
_WORDS: Mapping[Language, str] = {
    "zh": "；n 后面写的话会告诉助手，例如：n 太长了",
    "en": "; words after n are told to the agent: n too long",
}
_HUNKS: Mapping[Language, str] = {"zh": "，h 逐处选择", "en": ", h goes through the changes"}


def saving(session: Session, *, yes: bool = False, preview: bool = False) -> Saving:
    """Return how changes come to be saved: each is asked about, or all are saved, or none and all stay proposals.

    Raises UsageError when it would ask and there is nobody to answer.
    """
    if yes and preview:
        raise click.UsageError("--yes saves and --preview only proposes: give one of them.")
    if yes or preview:
        return "saves" if yes else "proposes"
    if not session.interactive:
        raise click.UsageError("Nobody can be asked here: give --yes to save, or --preview to propose.")
    return "asks"


def approval(how: Saving, progress: "Progress", *, one_by_one: bool = False) -> "Approve":
    """Return what decides over each save of a run, as `saving` found it; see `ask` for `one_by_one`."""
    match how:
        case "saves":
            return lambda _pending: True
        case "proposes":
            return lambda _pending: False
        case "asks":
            return lambda pending: ask(pending, progress, one_by_one=one_by_one)


def ask(
    pending: "Pending", progress: "Progress", *, one_by_one: bool = False
) -> "bool | tuple[int, ...] | Objection":
    """Return what the person wants saved, all of it or the changes with these ids, or why nothing.

    `progress` steps aside meanwhile. With `one_by_one` the changes are gone through at once, unless they
    are an older text that comes back as a whole.

    Raises:
        Declined: the person said no.
        KeyboardInterrupt: the person left.
    """
    from script_editor.app.scope import Objection  # late: `unlock` asks, and needs none of it

    progress.pause()
    is_proposal = pending.proposal_id is not None
    kept = kept_hint(pending.proposal_id, pending.language) if pending.proposal_id else ""
    one_by_one = one_by_one and is_proposal
    for line in _shown(pending, with_changes=not one_by_one):
        click.echo(line, err=True)
    try:
        answer = Answer("h") if one_by_one else _answer(pending)
        chosen = step_through(pending.changes, language=pending.language) if answer.key == "h" else None
        if chosen:
            answer = _answer_to_part(pending, chosen)
    except (click.Abort, KeyboardInterrupt):
        click.echo("", err=True)
        raise KeyboardInterrupt from None  # how the run ended is told once, by what carried it out
    if answer.reason:
        return Objection(answer.reason)
    if answer.key == "y":
        return chosen or True
    raise Declined(DECLINED[pending.language], hint=kept)


def kept_hint(proposal_id: str, language: Language = "en", *, with_words: bool = False) -> str:
    """Return where a proposal that was not saved can be found again; `with_words` says that the person wrote in it."""
    if language == "zh":
        kept = "提案已连同您写的保留" if with_words else "提案已保留"
        return f"{kept}：script-editor review {proposal_id}"
    what = "The proposal is kept with your words" if with_words else "The proposal is kept"
    return f"{what}: script-editor review {proposal_id}"


@contextmanager
def leaving(kept: Callable[[], str], language: Language = "en") -> Iterator[None]:
    """Keep what is to be kept and say where, when the person leaves a question by Ctrl-C or Ctrl-D.

    Raises Declined then, with the exit code of an interrupt.
    """
    try:
        yield
    except (click.Abort, KeyboardInterrupt):
        click.echo("", err=True)
        left = Declined(DECLINED[language], hint=kept())
        left.exit_code = INTERRUPTED
        raise left from None


def confirm_save(chosen: Sequence[int], total: int, base_number: int, language: Language) -> bool:
    """Ask whether to save the changes that were chosen one by one."""
    return confirm(_save_part(chosen, total, base_number, language), default=True, language=language)


def _save_part(chosen: Sequence[int], total: int, base_number: int, language: Language) -> str:
    if language == "zh":
        count = f" {total} 处改动中的 {len(chosen)} 处" if len(chosen) < total else f"这 {total} 处改动"
        return f"把{count}保存为 v{base_number + 1}？"
    count = f"{len(chosen)} of {total} changes" if len(chosen) < total else render.count(total, "change")
    return f"Save {count} as v{base_number + 1}?"


def overruling(save: "Callable[[bool], Version]", found: "Review") -> "Version":
    """Return what `save(False)` saves; where failed checks forbid it that a person may overrule, ask, then `save(True)`.

    Raises:
        Declined: the person would rather not.
        EditRefused: nobody may overrule it.
    """
    try:
        return save(False)
    except EditRefused as refusal:
        if refusal.proposal_id is None:
            raise
        kept = kept_hint(refusal.proposal_id, found.language)
    errors = [finding for finding in found.findings if finding.level == "error"]
    for line in render.finding_lines(errors, found.language):
        click.echo(line, err=True)
    language = found.language
    with leaving(lambda: kept, language):
        if not confirm(_ALL_THE_SAME[language], default=False, language=language):
            raise Declined(DECLINED[language], hint=kept)
    return save(True)


def _shown(pending: "Pending", *, with_changes: bool) -> list[str]:
    from script_editor.domain.duration import estimate

    base = pending.base
    seconds = estimate(base.text).seconds, estimate(pending.after).seconds
    return [
        heads.edit_line(
            base.script_id, base.number, pending.changes, seconds=seconds, language=pending.language
        ),
        *(render.change_lines(pending.changes, pending.language) if with_changes else ()),
        *render.finding_lines(pending.findings, pending.language),
        *render.note_lines(pending.notes, pending.language),
    ]


def _answer(pending: "Pending") -> Answer:
    """Return what the person wants; h only where there is more than one change to choose from."""
    language = pending.language
    choosable = pending.proposal_id is not None and len(pending.changes) > 1
    rest = f"{_HUNKS[language] if choosable else ''}{_WORDS[language]}"
    first, later = (f"  {saves}{rest}" for saves in _SAVES[language])
    click.echo(first, err=True)
    again = _question(pending, "y", choosable)
    shown, empty = (_question(pending, "Y", choosable), again), cast("Key | None", "y")
    while True:
        answer = choose(
            shown,
            "ynhr" if choosable else "ynr",
            default=empty,
            help=later,
            with_reason=True,
            language=language,
        )
        if answer.key != "r" or answer.reason:
            return answer
        if wish := _wish(language):
            return Answer("r", wish)
        shown, empty = (again, again), None


def _question(pending: "Pending", yes: str, choosable: bool) -> str:
    number, id = pending.base.number + 1, pending.proposal_id
    if pending.language == "zh":
        proposal = f"（提案 {id}）" if id else ""
        return f"保存为 v{number}？{proposal}[{yes}] 保存，[n] 不保存，{'[h] 逐处选择，' if choosable else ''}[r] 重来"
    proposal = f" (proposal {id})" if id else ""
    return f"Save as v{number}?{proposal} [{yes}]es, [n]o, {'[h]unks, ' if choosable else ''}[r]etry"


def _answer_to_part(pending: "Pending", chosen: Sequence[int]) -> Answer:
    """Return whether the changes that were chosen one by one are to be saved; a no may say why."""
    question = _save_part(chosen, len(pending.changes), pending.base.number, pending.language)
    return choose(
        (f"{question} [Y/n]", f"{question} [y/n]"),
        "yn",
        default="y",
        with_reason=True,
        language=pending.language,
    )


def _wish(language: Language) -> str:
    """Return what the person wants otherwise, "" when that is nothing after all."""
    question = "要怎么改？" if language == "zh" else "What should be different?"
    return read_line(question, suffix=" ").strip()
