"""Whether a change is saved: the one policy of every command, and the question to a person on a terminal."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import click

from script_editor.cli import render
from script_editor.cli.session import Session
from script_editor.cli.stepping import step_through
from script_editor.errors import Declined, EditRefused

if TYPE_CHECKING:
    from script_editor.app.proposals import Review
    from script_editor.app.scope import Approve, Objection, Pending
    from script_editor.cli.progress import Progress
    from script_editor.domain.script import Version

Saving = Literal["asks", "saves", "proposes"]
Key = Literal["y", "n", "h", "r"]

_WORDS: Mapping[str, Key] = {
    "y": "y", "yes": "y", "是": "y", "保存": "y", "n": "n", "no": "n", "否": "n", "不": "n", "不要": "n",
    "不行": "n", "不保存": "n", "h": "h", "hunks": "h", "r": "r", "retry": "r", "again": "r", "重来": "r", "再来": "r",
}  # fmt: skip
_WITH_REASON = re.compile(
    r"(?P<word>[a-z]+(?=[^\x00-\x7f])|(?:[a-z]+|[否不重再][要行来]?)(?=[\s,，、:：;；.。!！-]))"
    r"[\s,，、:：;；.。!！-]*(?P<reason>.*\S)",
    re.IGNORECASE | re.DOTALL,
)
"""A no, or another try, and why: "n too long", "no, too long", "n太长了", "不行，太长了"."""


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
    kept = kept_hint(pending.proposal_id) if pending.proposal_id else ""
    one_by_one = one_by_one and is_proposal
    for line in _shown(pending, with_changes=not one_by_one):
        click.echo(line, err=True)
    with leaving(lambda: kept):
        answer = _Answer("h") if one_by_one else _answer(pending)
        if answer.reason:
            return Objection(answer.reason)
        if answer.key == "y":
            return True
        chosen = step_through(pending.changes) if answer.key == "h" else None
        if chosen and confirm_save(chosen, len(pending.changes), pending.base.number):
            return chosen
    raise Declined("没有保存。" if pending.language == "zh" else "Not saved.", hint=kept)


def kept_hint(proposal_id: str, *, with_words: bool = False) -> str:
    """Return where a proposal that was not saved can be found again; `with_words` says that the person wrote in it."""
    what = "The proposal is kept with your words" if with_words else "The proposal is kept"
    return f"{what}: script-editor review {proposal_id}"


@contextmanager
def leaving(kept: Callable[[], str]) -> Iterator[None]:
    """Keep what is to be kept and say where, when the person leaves a question by Ctrl-C or Ctrl-D.

    Raises KeyboardInterrupt then.
    """
    try:
        yield
    except (click.Abort, KeyboardInterrupt):
        click.echo(f"\nNot saved. {kept()}".rstrip(), err=True)
        raise KeyboardInterrupt from None


def confirm_save(chosen: Sequence[int], total: int, base_number: int) -> bool:
    """Ask whether to save the changes that were chosen one by one."""
    count = f"{len(chosen)} of {total} changes" if len(chosen) < total else render.count(total, "change")
    return click.confirm(f"Save {count} as v{base_number + 1}?", default=True, err=True)


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
        kept = kept_hint(refusal.proposal_id)
    errors = [finding for finding in found.findings if finding.level == "error"]
    for line in render.finding_lines(errors, found.language):
        click.echo(line, err=True)
    with leaving(lambda: kept):
        if not click.confirm("A check failed. Save all the same?", default=False, err=True):
            raise Declined(hint=kept)
    return save(True)


def _shown(pending: "Pending", *, with_changes: bool) -> list[str]:
    from script_editor.domain.duration import estimate

    base = pending.base
    seconds = estimate(base.text).seconds, estimate(pending.after).seconds
    return [
        render.edit_line(base.script_id, base.number, pending.changes, seconds=seconds),
        *(render.change_lines(pending.changes) if with_changes else ()),
        *render.finding_lines(pending.findings, pending.language),
        *render.note_lines(pending.notes, pending.language),
    ]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the person typed: a key, and with n and r perhaps a reason."""

    key: Key
    reason: str = ""


def _answer(pending: "Pending") -> _Answer:
    """Return what the person wants; h only where there is more than one change to choose from."""
    proposal = f" (proposal {pending.proposal_id})" if pending.proposal_id else ""
    choosable = pending.proposal_id is not None and len(pending.changes) > 1
    keys = f"[Y]es, [n]o, {'[h]unks, ' if choosable else ''}[r]etry"
    while True:
        raw = click.prompt(
            f"Save as v{pending.base.number + 1}?{proposal} {keys}",
            default="y", show_default=False, err=True,
        )  # fmt: skip
        answer = _read(raw)
        if answer is not None and answer.key == "r" and not answer.reason:
            answer = _Answer("r", _wish())
            if not answer.reason:
                continue
        if answer is not None and (answer.key != "h" or choosable):
            return answer
        click.echo(f"Please answer {keys}.", err=True)
        click.echo("  To have it tried again, say why not, such as: n too long", err=True)


def _read(raw: str) -> _Answer | None:
    """Return what was typed as an answer, None when it is none."""
    typed = raw.strip()
    if key := _WORDS.get(typed.lower().rstrip(".。!！")):
        return _Answer(key)
    said = _WITH_REASON.fullmatch(typed)
    key = _WORDS.get(said["word"].lower()) if said else None
    return _Answer(key, said["reason"].strip()) if said and key in ("n", "r") else None


def _wish() -> str:
    """Return what the person wants otherwise, "" when that is nothing after all."""
    wish: str = click.prompt("What should be different?", default="", show_default=False, err=True)
    return wish.strip()
