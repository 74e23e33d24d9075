"""Proposals on the screen: finding the one that is meant, its lines, and what can be done with it."""

from typing import TYPE_CHECKING

from script_editor.cli.session import Session
from script_editor.errors import BadInput, NotFound, ProposalNotFound

if TYPE_CHECKING:
    from collections.abc import Collection

    from script_editor.app.proposals import Review


def find(session: Session, proposal: str | None) -> "Review":
    """Return the proposal with this id, or the newest open one that still fits.

    Raises:
        ProposalNotFound: there is none.
        NotFound: it is the id of a script; the message names the way to its proposals.
    """
    try:
        return session.app.proposals.review(proposal)
    except ProposalNotFound as error:
        if proposal is None or not _is_script(session, proposal):
            raise
        raise NotFound(
            f"{proposal} is a script, not a proposal. Its open proposals: script-editor proposals {proposal}"
        ) from error


def _is_script(session: Session, name: str) -> bool:
    try:
        session.app.scripts.info(name)
    except (NotFound, BadInput):
        return False
    return True


def shown(
    found: "Review", *, taken: "Collection[int] | None" = None, with_findings: bool = True
) -> list[str]:
    """Return a proposal as lines, with all its changes, or only those in `taken`."""
    from script_editor.cli import render

    changes = [change for change in found.changes if taken is None or change.id in taken]
    return [
        *headed(found),
        *render.numbered_change_lines(changes),
        *(render.finding_lines(found.findings, found.language) if with_findings else ()),
        *render.note_lines(found.notes, found.language),
    ]


def headed(found: "Review") -> list[str]:
    """Return which proposal it is, and what was asked for."""
    from script_editor.cli import render

    asked = found.proposal.provenance.instruction
    return [render.review_line(found), *([f"“{render.one_line(asked, 100)}”"] if asked else [])]


def what_now(session: Session, found: "Review") -> str:
    """Return what can be done with a proposal: saving it, carrying it over, or dropping it."""
    from script_editor.cli import render

    id, script = found.proposal.id, found.proposal.script_id
    if found.proposal.status != "pending":
        status = found.proposal.status
        return f"It is {({'accepted': 'saved', 'rejected': 'discarded'}).get(status, status)} already."
    if not session.app.proposals.is_stale(found.proposal):
        many = len(found.changes) > 1
        partly = f"     Without change 2: script-editor apply {id} --except 2" if many else ""
        return f"Save it: {render.apply_command(found)}{partly}"
    seen = session.app.proposals.outlook(found)
    if seen.is_done:
        return f"{script} has everything of it already. Drop it: script-editor discard {id}"
    if not seen.fitting:
        return (
            f"{script} moved after this proposal, and nothing of it fits any more. "
            f"Ask for the edit again, and drop this one: script-editor discard {id}"
        )
    return (
        f"{script} moved after this proposal; {seen.fitting} of {seen.total} changes still fit. "
        f"Carry it over: script-editor apply {id} --rebase"
    )
