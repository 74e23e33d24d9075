"""A proposal as it is looked at, and what becomes of it in part or over a newer head."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from script_editor.domain.diff import Change
from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards import check
from script_editor.domain.merge import Region, merge, which_fit
from script_editor.domain.script import Proposal, Version
from script_editor.domain.selection import take
from script_editor.errors import MergeConflict


@dataclass(frozen=True, slots=True)
class Review:
    """A proposal as a person sees it: the base, the changes with ids, what the guards said, notes for the person."""

    proposal: Proposal
    base: Version
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


def standing(
    review: Review, findings: Sequence[Finding], text: str, chosen: Collection[int]
) -> tuple[Finding, ...]:
    """Return the findings that hold when only the changes in `chosen` are saved, which makes `text`.

    A guard that cannot be asked again is heard until all lines that it named are left out.
    """
    asked, again = asked_again(review, findings, review.base.text, text)
    taken = {line for c in review.changes if c.id in chosen for line in (c.before_line, c.after_line)}
    left = {line for c in review.changes if c.id not in chosen for line in (c.before_line, c.after_line)}
    heard = [
        finding
        for finding in findings
        if finding.guard not in asked and not (finding.segments and left - taken >= {*finding.segments})
    ]
    return (*heard, *again)


def asked_again(
    review: Review, findings: Sequence[Finding], before: str, after: str
) -> tuple[frozenset[str], tuple[Finding, ...]]:
    """Return which guards could be asked about other texts than the proposal's, and what they found there.

    Those are the ones that find something in the proposal's texts with what is known here; some need
    more, such as the lines that were allowed to change.
    """
    context = GuardContext(instruction=review.proposal.provenance.instruction or "")
    found = {finding.guard for finding in findings}
    asked = found and found & {f.guard for f in check(review.base.text, review.proposal.text, context)}
    again = check(before, after, context) if asked else ()
    return frozenset(asked), tuple(finding for finding in again if finding.guard in asked)


def carried(review: Review, head: Version, *, only_fitting: bool) -> tuple[str, tuple[int, ...]]:
    """Return the head with the changes of a proposal, and the ids of those that had to be left out."""
    base, text = review.base.text, review.proposal.text
    merged = merge(base, head.text, text)
    if merged.text is not None:
        return merged.text, ()
    fitting, others = which_fit(base, head.text, text)
    text_carried = merge(base, head.text, take(base, text, fitting)).text
    if text_carried is None or text_carried == head.text or not only_fitting:
        raise MergeConflict(
            head.script_id,
            proposal_id=review.proposal.id,
            lines=_lines(merged.conflicts),
            fitting=len(fitting),
            total=len(review.changes),
        )
    return text_carried, others


def _lines(conflicts: Sequence[Region]) -> tuple[int, ...]:
    return tuple(sorted({line for region in conflicts for line in region.ours_lines}))


def carried_notes(review: Review, head: Version, left_out: Sequence[int]) -> tuple[str, ...]:
    note = (
        f"Carried over from proposal {review.proposal.id}, made for v{review.base.number}, to v{head.number}."
    )
    if not left_out:
        return (note,)
    which = f"change {left_out[0]}" if len(left_out) == 1 else f"changes {', '.join(map(str, left_out))}"
    return note, f"Left out: {which} of {len(review.changes)}, because v{head.number} changed the same lines."
