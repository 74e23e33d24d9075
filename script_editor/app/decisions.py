"""From a proposal to a save: what a person is shown, what they decide, and what may be saved at all."""

from collections.abc import Sequence

from script_editor.app.drafts import refused
from script_editor.app.parts import ranges
from script_editor.app.proposals import Review
from script_editor.app.scope import Approve, Objection, Pending
from script_editor.domain.selection import take
from script_editor.errors import Declined, EditRefused, Objected


def pending(review: Review, only: Sequence[int] | None = None) -> Pending:
    """Return a proposal, or only some of its changes, as what is about to be saved; changes keep their ids."""
    after = review.proposal.text if only is None else take(review.base.text, review.proposal.text, only)
    return Pending(
        base=review.base,
        after=after,
        changes=tuple(change for change in review.changes if only is None or change.id in only),
        findings=review.findings,
        notes=review.notes,
        proposal_id=review.proposal.id,
        language=review.language,
    )


def decided(approve: Approve, shown: Pending) -> tuple[int, ...] | None:
    """Ask the person; return the ids of the changes to save, None for all that were shown.

    Raises:
        Declined: they said no.
        Objected: they said no and why; the agent is told.
    """
    answer = approve(shown)
    if isinstance(answer, Objection):
        raise Objected(answer.reason, proposal_id=shown.proposal_id, language=shown.language)
    if not answer:
        kept = f"The proposal is kept: script-editor apply {shown.proposal_id}" if shown.proposal_id else ""
        raise Declined(hint=kept) if kept else Declined()
    return answer if isinstance(answer, tuple) and len(answer) < len(shown.changes) else None


def changes_at(review: Review, lines: Sequence[int]) -> tuple[int, ...]:
    """Return the ids of the changes that stand at one of the lines, before or after."""
    ids = tuple(
        change.id for change in review.changes if {change.before_line, change.after_line} & set(lines)
    )
    if not ids:
        raise EditRefused(
            "no_match",
            f"Proposal {review.proposal.id} changes nothing in line {ranges(lines)}.",
            segments=lines,
        )
    return ids


def check_may_be_saved(review: Review) -> None:
    """Raises EditRefused, naming the proposal, for errors and for a missed time: those only a person may save."""
    standing = [f for f in review.findings if f.level == "error" or f.code == "target_missed"]
    if standing:
        raise refused(standing, script=review.base.reference, proposal_id=review.proposal.id)
