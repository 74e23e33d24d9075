"""Asks a person on a terminal whether to save, and what. Only where `Session.interactive` says that someone can answer."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from script_editor.cli import render
from script_editor.cli.stepping import step_through
from script_editor.errors import Declined, EditRefused

if TYPE_CHECKING:
    from script_editor.app.proposals import Review
    from script_editor.app.scope import Pending
    from script_editor.cli.progress import Progress
    from script_editor.domain.script import Version

_ANSWERS: Mapping[str, str] = {
    "y": "y", "yes": "y", "是": "y", "n": "n", "no": "n", "否": "n", "h": "h", "hunks": "h",
}  # fmt: skip


def ask(pending: "Pending", progress: "Progress", *, one_by_one: bool = False) -> bool | tuple[int, ...]:
    """Return what the person wants saved: all of it, or the changes with these ids.

    `progress` steps aside meanwhile. With `one_by_one` the changes are gone through at once, unless they
    are an older text that comes back as a whole.

    Raises:
        Declined: the person said no.
        KeyboardInterrupt: the person left.
    """
    progress.pause()
    is_proposal = pending.proposal_id is not None
    kept = kept_hint(pending.proposal_id) if pending.proposal_id else ""
    one_by_one = one_by_one and is_proposal
    for line in _shown(pending, with_changes=not one_by_one):
        click.echo(line, err=True)
    with leaving(lambda: kept):
        answer = "h" if one_by_one else _answer(pending)
        if answer == "y":
            return True
        chosen = step_through(pending.changes) if answer == "h" else None
        if chosen and confirm_save(chosen, len(pending.changes), pending.base.number):
            return chosen
    raise Declined(hint=kept)


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


def _answer(pending: "Pending") -> str:
    """Return y, h or n; h only where there is more than one change to choose from."""
    proposal = f" (proposal {pending.proposal_id})" if pending.proposal_id else ""
    choosable = pending.proposal_id is not None and len(pending.changes) > 1
    keys = "[Y]es, [n]o, [h]unks" if choosable else "[Y]es, [n]o"
    while True:
        raw = click.prompt(
            f"Save as v{pending.base.number + 1}?{proposal} {keys}",
            default="y", show_default=False, err=True,
        )  # fmt: skip
        answer = _ANSWERS.get(raw.strip().lower(), "")
        if answer in ("y", "n") or (answer == "h" and choosable):
            return answer
        click.echo(f"Please answer {keys}.", err=True)
