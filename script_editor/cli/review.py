"""`review` and `proposals`: looking at edits that were proposed, and going through one of them."""

from typing import TYPE_CHECKING

import click

from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.errors import Declined, ScriptEditorError

if TYPE_CHECKING:
    from collections.abc import Collection

    from script_editor.app.proposals import Review
    from script_editor.domain.script import Version


@click.command(epilog="Example: script-editor review p-7f3abcde")
@click.argument("proposal", required=False)
@global_options
@pass_session
def review(session: Session, proposal: str | None) -> None:
    """Go through a proposal and save the changes you take.

    Without an id: the newest open one that still fits. Each change is answered by a key and Enter: y takes
    it, n leaves it out, e edits it first, a and d decide all that follow, q stops, ? explains the keys.
    Without a terminal the proposal is printed. No model is called.
    """
    from script_editor.cli import render
    from script_editor.cli.proposed import find, shown, what_now

    found = find(session, proposal)
    is_open = found.proposal.status == "pending"
    if is_open and session.interactive and not session.app.proposals.is_stale(found.proposal):
        _stepped(session, found)
        return
    session.result(render.review_data(found), shown(found))
    session.say(what_now(session, found))


def _stepped(session: Session, found: "Review") -> None:
    """Ask for each change, then save what is wanted; what the person wrote meanwhile is kept whatever comes."""
    from script_editor.cli.applying import say_saved
    from script_editor.cli.asking import DECLINED, confirm_save, leaving
    from script_editor.cli.proposed import headed
    from script_editor.cli.render import finding_lines, note_lines
    from script_editor.cli.stepping import step_through

    told = (*finding_lines(found.findings, found.language), *note_lines(found.notes, found.language))
    for line in (*headed(found), *told):
        click.echo(line, err=True)
    edits: dict[int, str] = {}

    def kept() -> str:
        return _kept(session, found, edits)

    with leaving(kept, found.language):
        wanted = step_through(found.changes, edits=edits, language=found.language)
        is_wanted = bool(wanted) and confirm_save(
            wanted or (), len(found.changes), found.base.number, found.language
        )
    if not wanted or not is_wanted:
        raise Declined(DECLINED[found.language], hint=kept())
    say_saved(session, found, _saved(session, found, wanted, edits), taken=len(wanted))


def _kept(session: Session, found: "Review", edits: dict[int, str]) -> str:
    """Return where the proposal can be found again: one with the person's words in it, when there are any."""
    from script_editor.cli.asking import kept_hint

    new = {change.id for change in found.changes if edits.get(change.id, change.before) != change.before}
    if not new:
        return kept_hint(found.proposal.id, found.language)
    every = [change.id for change in found.changes]
    amended = _amended(session, found, every, edits).proposal.id
    return kept_hint(amended, found.language, with_words=True)


def _amended(session: Session, found: "Review", wanted: "Collection[int]", edits: dict[int, str]) -> "Review":
    """Return a proposal with the person's words; those that cannot be kept are at least on the screen again."""
    try:
        return session.app.proposals.amend(
            found.proposal.id, wanted, edits, decided_by=session.app.settings.author
        )
    except ScriptEditorError:
        click.echo("您写的是：" if found.language == "zh" else "You wrote:", err=True)
        for line in "\n".join(edits.values()).split("\n"):
            click.echo(f"  {printable(line)}", err=True)
        raise


def _saved(session: Session, found: "Review", wanted: tuple[int, ...], edits: dict[int, str]) -> "Version":
    from script_editor.cli.asking import kept_hint, overruling

    service, author = session.app.proposals, session.app.settings.author
    chosen = _amended(session, found, wanted, edits) if edits else found
    only = None if edits else wanted

    def save(overrule: bool) -> "Version":
        return service.accept(chosen.proposal.id, decided_by=author, only=only, overrule=overrule)

    try:
        return overruling(save, chosen)
    except Declined:  # names the proposal itself
        raise
    except ScriptEditorError:
        if edits:
            click.echo(kept_hint(chosen.proposal.id, found.language, with_words=True), err=True)
        raise


@click.command(epilog="Example: script-editor proposals video_001")
@click.argument("script", required=False)
@global_options
@pass_session
def proposals(session: Session, script: str | None) -> None:
    """List open proposals, newest first, of one script or of all."""
    from script_editor.cli import render

    service = session.app.proposals
    found = [service.review(proposal.id) for proposal in service.open(script)]
    stale = {seen.proposal.id: service.is_stale(seen.proposal) for seen in found}
    rows = [
        (p.id, p.script_id, f"v{p.base_number}", render.count(len(seen.changes), "change"), render.moment(p.created_at),
         "script moved" if stale[p.id] else "", render.one_line(p.provenance.instruction or "", 200))
        for seen in found for p in (seen.proposal,)
    ]  # fmt: skip
    data = {
        "proposals": [
            {
                "proposal": p.id,
                "script": p.script_id,
                "base": f"v{p.base_number}",
                "changes": len(seen.changes),
                "created_at": p.created_at.isoformat(),
                "stale": stale[p.id],
                "instruction": p.provenance.instruction,
                "model": p.provenance.model,
            }
            for seen in found
            for p in (seen.proposal,)
        ]
    }
    session.result(data, render.table(rows, session.columns))
    if not found:
        session.say("No open proposal. Make one: script-editor preview SCRIPT INSTRUCTION")
