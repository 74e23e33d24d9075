"""`apply` and `discard`: deciding about proposals without going through them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.questions import confirm
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.errors import Declined, Language, ProposalClosed

if TYPE_CHECKING:
    from script_editor.app.proposals import Review
    from script_editor.domain.script import Proposal, Version


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
    "--rebase",
    is_flag=True,
    help="The script moved: carry over to its newest version what still fits, show it and ask.",
)
@click.option("--force", is_flag=True, help="Save although a check failed that a person may overrule; asks.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
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

    Without an id: the newest open one that still fits; on a terminal you are asked whether it is meant.
    No model is called.
    """
    from script_editor.cli import proposed

    if hunks is not None and leave_out is not None:
        raise click.UsageError("--hunks names what to save, --except what to leave out: give one of them.")
    if rebase and not (hunks is None and leave_out is None):
        raise click.UsageError("After --rebase the changes are numbered anew: look at them, then choose.")
    asks = session.interactive and not yes
    if force and not (yes or asks):
        raise click.UsageError("Nobody can be asked here: give --yes to save although a check failed.")
    found = proposed.find(session, proposal)
    lines: Sequence[str] = ()
    if rebase and session.app.proposals.is_stale(found.proposal):
        found = _rebased(session, found, may_go_on=yes or asks)
        lines = proposed.shown(found)
    taken = _taken(found, hunks, leave_out)
    if asks:
        _agree(found, taken, lines, is_named=proposal is not None, force=force)
    version = _accepted(session, found, taken, force=force, asks=asks, message=message)
    say_saved(session, found, version, taken=len(taken), shown=() if asks else lines)


def _rebased(session: Session, found: "Review", *, may_go_on: bool) -> "Review":
    """Carry over to the head what still fits, unless nobody can say what is to become of it."""
    if not may_go_on:
        raise click.UsageError("Nobody can be asked here: give --yes to save what can be carried over.")
    return session.app.proposals.rebase(
        found.proposal.id, decided_by=session.app.settings.author, only_fitting=True
    )


def _taken(found: "Review", hunks: str | None, leave_out: str | None) -> Sequence[int]:
    """Return the ids of the changes that are to be saved."""
    from script_editor.domain.selection import parse_changes

    count = len(found.changes)
    if hunks is not None:
        return sorted(parse_changes(hunks, count))
    left_out = parse_changes(leave_out, count) if leave_out is not None else frozenset()
    return [id for id in range(1, count + 1) if id not in left_out]


def _agree(
    found: "Review",
    taken: Sequence[int],
    carried: Sequence[str],
    *,
    is_named: bool,
    force: bool,
) -> None:
    """Show what was not seen yet, and ask about it where the person did not name it.

    `carried` is what was carried over, shown as it is. Where a failed check is to be overruled that is
    asked about later (`overruling`), and once is enough.

    Raises:
        Declined: the person said no.
    """
    from script_editor.cli import proposed
    from script_editor.cli.asking import DECLINED, kept_hint, leaving

    failed = any(finding.level == "error" for finding in found.findings)
    asked_later = force and failed
    if asked_later and not carried:
        carried = proposed.shown(found, taken=taken, with_findings=False)
    for line in carried:
        click.echo(line, err=True)
    if asked_later or (is_named and not carried):
        return
    id, language = found.proposal.id, found.language
    with leaving(lambda: kept_hint(id, language), language):
        agreed = confirm(_question(found, taken, is_carried=bool(carried)), default=True, language=language)
    if not agreed:
        raise Declined(DECLINED[language], hint=kept_hint(id, language))


def _question(found: "Review", taken: Sequence[int], *, is_carried: bool) -> str:
    id, script_id, number = found.proposal.id, found.proposal.script_id, found.base.number + 1
    count = _count(len(taken), len(found.changes), found.language)
    if found.language == "zh":
        return (
            f"保存为 v{number}？（提案 {id}）"
            if is_carried
            else f"把提案 {id} 保存到 {script_id}（{count}）？"
        )
    return f"Save as v{number}? (proposal {id})" if is_carried else f"Save {id} into {script_id} ({count})?"


def _accepted(
    session: Session, found: "Review", taken: Sequence[int], *, force: bool, asks: bool, message: str
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

    return overruling(save, found) if force and asks else save(force)


def _count(taken: int, total: int, language: Language) -> str:
    from script_editor.cli.heads import changes_count

    if taken == total:
        return changes_count(total, language)
    return f"{total} 处改动中的 {taken} 处" if language == "zh" else f"{taken} of {total} changes"


def say_saved(
    session: Session, found: "Review", version: "Version", *, taken: int, shown: Sequence[str] = ()
) -> None:
    """Say what was saved; `shown` stands above it, unless only the result is wanted."""
    from script_editor.cli import render
    from script_editor.cli.telling import back_hint
    from script_editor.domain.duration import estimate

    total = len(found.changes)
    before, after = estimate(found.base.text).seconds, estimate(version.text).seconds
    data = {
        **render.version_data(version),
        "proposal": found.proposal.id,
        "changes": taken,
        "left_out": total - taken,
        "seconds": {"before": round(before, 1), "after": round(after, 1)},
    }
    line = _saved_line(found, version, taken=taken, seconds=(before, after))
    session.result(data, [version.reference] if session.quiet else [*shown, line])
    session.say(back_hint(version, found.language))


def _saved_line(found: "Review", version: "Version", *, taken: int, seconds: tuple[float, float]) -> str:
    from script_editor.cli import render

    language, id, saved = found.language, found.proposal.id, f"{version.script_id} v{version.number}"
    count = _count(taken, len(found.changes), language)
    time = render.seconds_change(*seconds, language)
    if language == "zh":
        return f"已保存 {saved}（提案 {id}，{count}），{time}。"
    return f"Saved {saved} ({count} from proposal {id}), {time}."


@click.command(
    epilog="""Examples:

    \b
      script-editor discard p-7f3abcde p-2xkq9m4t
      script-editor discard --stale"""
)
@click.argument("ids", metavar="[PROPOSAL]...", nargs=-1)
@click.option("--stale", is_flag=True, help="All open ones whose script moved after they were made.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@click.option("--reason", metavar="TEXT", default="", help="Why; kept with the proposal.")
@global_options
@pass_session
def discard(session: Session, ids: tuple[str, ...], stale: bool, yes: bool, reason: str) -> None:
    """Close proposals without saving them; all of those named, or none.

    Without an id: the newest open one that still fits. What is not named by its id is asked about on a
    terminal. The texts stay in the store.
    """
    if stale and ids:
        raise click.UsageError("--stale names the proposals already: leave the ids out.")
    found = _stale(session) if stale else _open(session, ids)
    if not ids and found and session.interactive and not yes:
        _confirm_discard(found)
    closed = [
        session.app.proposals.reject(seen.proposal.id, decided_by=session.app.settings.author, reason=reason)
        for seen in found
    ]
    rows: list[dict[str, Any]] = [
        {"proposal": one.id, "script": one.script_id, "status": one.status} for one in closed
    ]
    session.result(
        {"discarded": rows, **(rows[0] if len(rows) == 1 else {})},
        [_discarded(one, seen.language) for one, seen in zip(closed, found, strict=True)],
    )
    if not closed:
        session.say("No open proposal is out of date.")


def _stale(session: Session) -> "list[Review]":
    service = session.app.proposals
    return [service.review(each.id) for each in service.open() if service.is_stale(each)]


def _open(session: Session, ids: Sequence[str]) -> "list[Review]":
    """Return the proposals of these ids, or the newest one. Raises ProposalNotFound, ProposalClosed."""
    from script_editor.cli.proposed import find

    found = [find(session, id) for id in ids or (None,)]
    for seen in found:
        if seen.proposal.status != "pending":
            raise ProposalClosed(seen.proposal.id, seen.proposal.status)
    return list({seen.proposal.id: seen for seen in found}.values())


def _discarded(one: "Proposal", language: Language) -> str:
    if language == "zh":
        return f"已放弃 {one.script_id} 的提案 {one.id}，脚本没有改动。"
    return f"Discarded proposal {one.id} of {one.script_id}; nothing was changed."


def _confirm_discard(found: "Sequence[Review]") -> None:
    """Name them, and ask in the language of all of them, or in English. Raises Declined."""
    from script_editor.cli.heads import changes_count

    for seen in found:
        id, script_id, language = seen.proposal.id, seen.proposal.script_id, seen.language
        count = changes_count(len(seen.changes), language)
        named = f"{script_id} 的 {id}（{count}）" if language == "zh" else f"{id} of {script_id} ({count})"
        click.echo(f"  {named}", err=True)
    if all(seen.language == "zh" for seen in found):
        question = "放弃它？" if len(found) == 1 else f"放弃这 {len(found)} 份提案？"
        if not confirm(question, default=False, language="zh"):
            raise Declined("没有放弃任何提案。")
        return
    question = "Discard it?" if len(found) == 1 else f"Discard these {len(found)} proposals?"
    if not confirm(question, default=False):
        raise Declined("Nothing was discarded.")
