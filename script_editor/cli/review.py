"""`review`, `apply`, `discard`, `proposals`: what to do with an edit that was proposed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.errors import Declined

if TYPE_CHECKING:
    from script_editor.app.proposals import Review
    from script_editor.domain.script import Version


@click.command(epilog="Example: script-editor review p-7f3abcde")
@click.argument("proposal", required=False)
@global_options
@pass_session
def review(session: Session, proposal: str | None) -> None:
    """Go through a proposal and save the changes you take.

    Without an id: the newest open one. Keys: y takes a change, n leaves it out, e edits it first, a and
    d decide all that follow, q stops. Without a terminal the proposal is printed. No model is called.
    """
    service = session.app.proposals
    found = service.review(proposal)
    is_open = found.proposal.status == "pending"
    if not is_open or not session.interactive or service.is_stale(found.proposal):
        _print_review(session, found)
        return
    _stepped(session, found)


def _print_review(session: Session, found: "Review") -> None:
    from script_editor.cli import render

    id, status = found.proposal.id, found.proposal.status
    session.result(render.review_data(found), _lines(found))
    if status != "pending":
        session.say(f"It is {({'accepted': 'saved', 'rejected': 'discarded'}).get(status, status)} already.")
    elif session.app.proposals.is_stale(found.proposal):
        session.say(
            f"{found.proposal.script_id} moved after this proposal. Carry it over: script-editor apply {id} --rebase"
        )
    else:
        session.say(f"Save it: {render.apply_command(found)}{_partly(found)}")


def _partly(found: "Review") -> str:
    """Return how to save a part of it, "" when it has one change only."""
    many = len(found.changes) > 1
    return f"     Without change 2: script-editor apply {found.proposal.id} --except 2" if many else ""


def _lines(found: "Review", *, with_changes: bool = True) -> list[str]:
    from script_editor.cli import render

    asked = found.proposal.provenance.instruction
    return [
        render.review_line(found),
        *([f"“{render.one_line(asked, 100)}”"] if asked else []),
        *(render.numbered_change_lines(found.changes) if with_changes else ()),
        *render.finding_lines(found.findings),
        *map(printable, found.notes),
    ]


def _stepped(session: Session, found: "Review") -> None:
    """Ask for each change, then save what is wanted."""
    from script_editor.cli.asking import confirm_save, kept_hint, leaving, overruling
    from script_editor.cli.stepping import step_through

    for line in _lines(found, with_changes=False):
        click.echo(line, err=True)
    service, author, id = session.app.proposals, session.app.settings.author, found.proposal.id
    edits: dict[int, str] = {}
    with leaving(kept_hint(id)):
        wanted = step_through(found.changes, edits=edits)
        if not wanted or not confirm_save(wanted, len(found.changes), found.base.number):
            raise Declined(hint=kept_hint(id))
    chosen = found
    only: tuple[int, ...] | None = wanted
    if edits:
        chosen, only = service.amend(id, wanted, edits, decided_by=author), None
    version = overruling(
        lambda overrule: service.accept(chosen.proposal.id, decided_by=author, only=only, overrule=overrule),
        chosen.findings,
    )
    _saved(session, found, version, taken=len(wanted))


@click.command(
    epilog="""Examples:

    \b
      script-editor apply p-7f3abcde
      script-editor apply p-7f3abcde --except 2"""
)
@click.argument("proposal", required=False)
@click.option("--hunks", metavar="1,3-4", help="Save only these changes, by their numbers in review.")
@click.option("--except", "leave_out", metavar="2", help="Save all changes but these.")
@click.option(
    "--rebase", is_flag=True, help="The script moved: carry over to its newest version what still fits."
)
@click.option("--force", is_flag=True, help="Save although a check failed that a person may overrule; asks.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask, after --rebase or --force.")
@click.option("--message", metavar="TEXT", default="", help="A note kept with the version.")
@global_options
@pass_session
def apply(
    session: Session,
    proposal: str | None,
    hunks: str | None,
    leave_out: str | None,
    rebase: bool,
    force: bool,
    yes: bool,
    message: str,
) -> None:
    """Save a proposal as it was shown, or some of its changes.

    Without an id: the newest open one that still fits. No model is called.
    """
    from script_editor.domain.selection import parse_changes

    if hunks is not None and leave_out is not None:
        raise click.UsageError("--hunks names what to save, --except what to leave out: give one of them.")
    if rebase and not (hunks is None and leave_out is None):
        raise click.UsageError("After --rebase the changes are numbered anew: look at them, then choose.")
    found = session.app.proposals.review(proposal)
    shown: Sequence[str] = ()
    if rebase and session.app.proposals.is_stale(found.proposal):
        found = _rebased(session, found)
        if yes:
            shown = _lines(found)
        elif not _agreed(session, found):
            return
    count = len(found.changes)
    taken: Sequence[int] = range(1, count + 1)
    if hunks is not None:
        taken = sorted(parse_changes(hunks, count))
    elif leave_out is not None:
        taken = sorted(set(taken) - parse_changes(leave_out, count))
    version = _accepted(session, found, taken, force=force, yes=yes, message=message)
    _saved(session, found, version, taken=len(taken), shown=shown)


def _accepted(
    session: Session, found: "Review", taken: Sequence[int], *, force: bool, yes: bool, message: str
) -> "Version":
    """Save the changes in `taken`; with `force` failed checks are overruled, on a terminal after a question."""
    from script_editor.cli.asking import overruling

    def save(overrule: bool) -> "Version":
        return session.app.proposals.accept(
            found.proposal.id,
            decided_by=session.app.settings.author,
            message=message,
            only=taken,
            overrule=overrule,
        )

    if force and session.interactive and not yes:
        return overruling(save, found.findings)
    return save(force)


def _saved(
    session: Session, found: "Review", version: "Version", *, taken: int, shown: Sequence[str] = ()
) -> None:
    """Say what was saved; `shown` stands above it, unless only the result is wanted."""
    from script_editor.cli import render
    from script_editor.domain.duration import estimate

    total = len(found.changes)
    before, after = estimate(found.base.text).seconds, estimate(version.text).seconds
    count = render.count(total, "change") if taken == total else f"{taken} of {total} changes"
    data = {
        **render.version_data(version),
        "proposal": found.proposal.id,
        "changes": taken,
        "left_out": total - taken,
        "seconds": {"before": round(before, 1), "after": round(after, 1)},
    }
    line = (
        f"Saved {version.script_id} v{version.number} ({count} from proposal {found.proposal.id}), "
        f"{render.seconds_change(before, after)}."
    )
    session.result(data, [version.reference] if session.quiet else [*shown, line])
    session.say(f"Undo: script-editor undo {version.script_id}")


def _rebased(session: Session, found: "Review") -> "Review":
    """Carry over to the head what still fits."""
    return session.app.proposals.rebase(
        found.proposal.id, decided_by=session.app.settings.author, only_fitting=True
    )


def _agreed(session: Session, moved: "Review") -> bool:
    """Show what was carried over, which nobody has seen yet, and ask; without a terminal it stays a proposal.

    Raises:
        Declined: the person said no.
    """
    from script_editor.cli import render
    from script_editor.cli.asking import kept_hint, leaving

    id = moved.proposal.id
    if not session.interactive:
        session.result(render.review_data(moved), [*_lines(moved), f"Proposal {id}, not saved."])
        session.say(f"Save it: {render.apply_command(moved)}     Drop it: script-editor discard {id}")
        return False
    for line in _lines(moved):
        click.echo(line, err=True)
    with leaving(kept_hint(id)):
        if not click.confirm(f"Save as v{moved.base.number + 1}? (proposal {id})", default=True, err=True):
            raise Declined(hint=kept_hint(id))
    return True


@click.command(epilog="Example: script-editor discard p-7f3abcde")
@click.argument("proposal", required=False)
@click.option("--reason", metavar="TEXT", default="", help="Why; kept with the proposal.")
@global_options
@pass_session
def discard(session: Session, proposal: str | None, reason: str) -> None:
    """Close a proposal without saving it.

    Without an id: the newest open one that still fits. Its text stays in the store.
    """
    closed = session.app.proposals.reject(proposal, decided_by=session.app.settings.author, reason=reason)
    session.result(
        {"proposal": closed.id, "script": closed.script_id, "status": closed.status},
        [f"Discarded proposal {closed.id} of {closed.script_id}; nothing was changed."],
    )


@click.command(epilog="Example: script-editor proposals video_001")
@click.argument("script", required=False)
@global_options
@pass_session
def proposals(session: Session, script: str | None) -> None:
    """List open proposals, newest first, of one script or of all."""
    from script_editor.cli import render

    service = session.app.proposals
    found = service.open(script)
    stale = {proposal.id: service.is_stale(proposal) for proposal in found}
    rows = [
        (p.id, p.script_id, f"from v{p.base_number}", render.moment(p.created_at),
         "script moved" if stale[p.id] else "", render.one_line(p.provenance.instruction or "", 200))
        for p in found
    ]  # fmt: skip
    data = {
        "proposals": [
            {
                "proposal": p.id,
                "script": p.script_id,
                "base": f"v{p.base_number}",
                "created_at": p.created_at.isoformat(),
                "stale": stale[p.id],
                "instruction": p.provenance.instruction,
                "model": p.provenance.model,
            }
            for p in found
        ]
    }
    session.result(data, render.table(rows, session.columns))
    if not found:
        session.say("No open proposal. Make one: script-editor preview SCRIPT INSTRUCTION")
