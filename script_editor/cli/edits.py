"""`edit`, `preview`, `apply`, `discard`, `proposals`: from an instruction to a saved version."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.inputs import STDIN, instruction_from, read_stdin
from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session, write_bytes
from script_editor.errors import Declined

if TYPE_CHECKING:
    from script_editor.app.edit import EditReport
    from script_editor.app.scope import Pending
    from script_editor.cli.progress import Progress

MODES = ("auto", "tools", "react")


def _edit_options(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.argument("script", metavar="SCRIPT"),
        click.argument("words", metavar="INSTRUCTION...", nargs=-1),
        click.option("-i", "--instruction-file", metavar="FILE|-", help="Read the instruction from a file or stdin."),
        click.option("--mode", type=click.Choice(MODES), default="auto", show_default=True,
                     help="How the agent talks to the model."),
        click.option("--max-steps", type=click.IntRange(1, 100), default=8, show_default=True,
                     help="Stop after so many turns with tool calls."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return global_options(command)


@click.command(epilog="Example: script-editor edit video_001 把“黄金时代”改成“快车道”，然后删掉第3行")
@_edit_options
@click.option("--yes", "-y", is_flag=True, help="Save without asking.")
@click.option("--preview", is_flag=True, help="Only propose; save later with apply.")
@pass_session
def edit(
    session: Session,
    script: str,
    words: tuple[str, ...],
    instruction_file: str | None,
    mode: str,
    max_steps: int,
    yes: bool,
    preview: bool,
) -> None:
    """Edit SCRIPT by an instruction, show what changes, and save it as the next version.

    Words after the id are joined; quotes are optional. With "-" as SCRIPT the text comes from stdin
    and goes to stdout; nothing is stored.
    """
    from script_editor.domain.script import check_instruction

    instruction = check_instruction(instruction_from(words, instruction_file, stdin_taken=script == STDIN))
    if yes and preview:
        raise click.UsageError("--yes saves, --preview only proposes: give one of them.")
    if script == STDIN:
        if yes or preview:
            raise click.UsageError("With - nothing is stored: --yes and --preview have nothing to do.")
        _filter(session, instruction)
        return
    if not (yes or preview or session.interactive):
        raise click.UsageError("Nobody can be asked here: give --yes to save, or --preview to propose.")
    _carry_out(session, script, instruction, mode=mode, max_steps=max_steps, yes=yes, preview=preview)


@click.command(epilog="Example: script-editor preview video_003 delete line 3")
@_edit_options
@pass_session
def preview(
    session: Session,
    script: str,
    words: tuple[str, ...],
    instruction_file: str | None,
    mode: str,
    max_steps: int,
) -> None:
    """Propose an edit of SCRIPT without saving it; the same as edit --preview."""
    if script == STDIN:
        raise click.UsageError("A preview needs a script in the store; to try a text: script-editor edit - …")
    instruction = instruction_from(words, instruction_file, stdin_taken=False)
    _carry_out(session, script, instruction, mode=mode, max_steps=max_steps, yes=False, preview=True)


def _filter(session: Session, instruction: str) -> None:
    from script_editor.app.files import text_bytes

    text, form = read_stdin(None)
    _say_if_offline(session)
    edited, notes = session.app.filter(text, instruction)
    for note in notes:
        session.say(note)
    if session.json:
        session.result({"text": edited, "notes": list(notes)})
        return
    write_bytes(text_bytes(edited, form))


def _say_if_offline(session: Session) -> None:
    if session.app.is_offline and not session.app.settings.offline_is_meant:
        session.say("Using the offline model (no OPENAI_API_KEY is set): it carries out exact edits only.")


def _carry_out(
    session: Session, script: str, instruction: str, *, mode: str, max_steps: int, yes: bool, preview: bool
) -> None:
    from script_editor.app.edit import EditRequest
    from script_editor.cli.progress import Progress

    if "@" in script:
        raise click.UsageError("An edit works on the newest version; to go back first: script-editor revert")
    app = session.app
    _say_if_offline(session)
    request = EditRequest(
        script_id=script,
        instruction=instruction,
        author=app.settings.author,
        mode=mode,
        preview=preview,
        max_steps=max_steps,
    )
    with Progress(session) as progress:
        report = app.edit(
            request,
            approve=(lambda _pending: True) if yes or preview else lambda pending: _ask(pending, progress),
            listener=progress.listen,
            on_text=progress.draft if session.verbose else None,
        )
    for warning in report.warnings:
        session.warn(warning)
    seen = not (yes or preview) and sys.stdout.isatty()  # on stderr, with the question
    session.result(_report_data(report), _report_lines(session, report, seen=seen))
    _say_next(session, report)


def _ask(pending: "Pending", progress: "Progress") -> bool:
    """Show what would be saved, where the question is, and ask. `progress` steps aside meanwhile."""
    from script_editor.cli import render

    progress.pause()
    head = f"{pending.base.script_id} · from v{pending.base.number} · {render.count(len(pending.changes), 'change')}"
    for line in (head, *render.change_lines(pending.changes), *map(printable, pending.notes)):
        click.echo(line, err=True)
    proposal = f" (proposal {pending.proposal_id})" if pending.proposal_id else ""
    kept = f"The proposal is kept: script-editor apply {pending.proposal_id}" if pending.proposal_id else ""
    try:
        if click.confirm(f"Save as v{pending.base.number + 1}?{proposal}", default=True, err=True):
            return True
    except click.Abort:
        click.echo(f"\nNot saved. {kept}".rstrip(), err=True)
        raise KeyboardInterrupt from None
    raise Declined(hint=kept)


def _report_data(report: "EditReport") -> dict[str, Any]:
    from script_editor.cli import render

    known = report.usage.known
    return {
        "outcome": report.outcome,
        "script": report.script_id,
        "base": f"v{report.base_number}",
        "version": f"v{report.version.number}" if report.version else None,
        "proposal": report.review.proposal.id if report.review else None,
        "changes": len(report.changes),
        "change_list": [render.change_data(change) for change in report.changes],
        "checks": {"errors": 0, "warnings": len(report.review.findings) if report.review else 0},
        "tokens": {"in": report.usage.prompt_tokens, "out": report.usage.completion_tokens}
        if known
        else None,
        "answer": report.answer,
        "notes": list(report.notes),
        "mode": report.mode,
        "model": report.model,
        "run": report.run_id,
    }


def _report_lines(session: Session, report: "EditReport", *, seen: bool) -> list[str]:
    """Return the result as lines; `seen` says that the person has the changes on the screen already."""
    from script_editor.cli import render

    if report.outcome == "answered":
        answer = printable(report.answer, keep="\n\t")
        # The model's words prove nothing, so the program's own stand under them.
        return [answer] if report.is_quotation else [answer, "(Nothing was changed.)"]
    if session.quiet:
        proposal = report.review.proposal.id if report.review else ""
        return [report.version.reference if report.version else proposal]
    lines = []
    if not seen:
        lines = [
            f"{report.script_id} · from v{report.base_number} · {render.count(len(report.changes), 'change')}",
            *render.change_lines(report.changes),
            *map(printable, report.notes),
        ]
    if report.version:
        return [*lines, f"Saved {report.script_id} v{report.version.number}."]
    assert report.review is not None, "an edit that saved nothing has a proposal or raised"
    return [*lines, f"Proposal {report.review.proposal.id}, not saved."]


def _say_next(session: Session, report: "EditReport") -> None:
    if report.outcome == "answered":
        if report.is_quotation:
            session.say("Nothing was changed.")
    elif report.version:
        back = "redo" if report.version.source == "undo" else "undo"
        session.say(f"{back.capitalize()}: script-editor {back} {report.script_id}")
    elif report.review:
        id = report.review.proposal.id
        session.say(f"Save it: script-editor apply {id}     Drop it: script-editor discard {id}")
    if report.usage.prompt_tokens or report.usage.completion_tokens:
        tokens = f"{report.usage.prompt_tokens:,} + {report.usage.completion_tokens:,} tokens"
        session.say(f"{report.model}: {tokens}")


@click.command(epilog="Example: script-editor apply p-7f3abcde")
@click.argument("proposal", required=False)
@click.option("--message", metavar="TEXT", default="", help="A note kept with the version.")
@global_options
@pass_session
def apply(session: Session, proposal: str | None, message: str) -> None:
    """Save a proposal exactly as it was shown; without an id, the newest open one. No model is called."""
    from script_editor.cli import render

    proposals = session.app.proposals
    review = proposals.review(proposal)
    version = proposals.accept(review.proposal.id, decided_by=session.app.settings.author, message=message)
    data = {**render.version_data(version), "proposal": review.proposal.id, "changes": len(review.changes)}
    count = render.count(len(review.changes), "change")
    session.result(
        data, [f"Saved {version.script_id} v{version.number} ({count} from proposal {review.proposal.id})."]
    )
    session.say(f"Undo: script-editor undo {version.script_id}")


@click.command(epilog="Example: script-editor discard p-7f3abcde")
@click.argument("proposal", required=False)
@click.option("--reason", metavar="TEXT", default="", help="Why; kept with the proposal.")
@global_options
@pass_session
def discard(session: Session, proposal: str | None, reason: str) -> None:
    """Close a proposal without saving it; without an id, the newest open one. Its text stays in the store."""
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
        (p.id, p.script_id, f"from v{p.base_number}", p.created_at.astimezone().strftime("%Y-%m-%d %H:%M"),
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
