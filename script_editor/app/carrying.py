"""A proposal as it is looked at, and what becomes of it in part or over a newer head."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from script_editor.agent.language import Language, language_of
from script_editor.domain.diff import Change
from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards import check
from script_editor.domain.merge import Region, merge, which_fit
from script_editor.domain.script import Proposal, Version
from script_editor.domain.selection import take
from script_editor.errors import MergeConflict
from script_editor.patterns import Pattern

_PART_GUARDS = frozenset({"empty", "structure"})
"""What a part of an edit may break although the whole does not, and nobody may overrule; locks are asked apart."""
_CARRIED = Pattern(r"Carried over from proposal p-\w+, made for v\d+, to v\d+\.")


@dataclass(frozen=True, slots=True)
class Review:
    """A proposal as a person sees it: the base, the changes with ids, what the guards said, notes for the person."""

    proposal: Proposal
    base: Version
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def language(self) -> Language:
        """The language that the person asked in."""
        return language_of(self.proposal.provenance.instruction or "")


@dataclass(frozen=True, slots=True)
class Outlook:
    """What carrying a proposal over to a newer head would bring: `fitting` of `total` changes.

    `is_done` says that the head has all of them already.
    """

    fitting: int
    total: int
    is_done: bool = False


def standing(
    review: Review, findings: Sequence[Finding], text: str, chosen: Collection[int]
) -> tuple[Finding, ...]:
    """Return the findings that hold when only the changes in `chosen` are saved, which makes `text`.

    A guard that cannot be asked again is heard until all lines that it named are left out. A part can also
    break what the whole kept, such as a heading that moved and of which only the going is taken.
    """
    taken = {line for c in review.changes if c.id in chosen for line in (c.before_line, c.after_line)}
    left = {line for c in review.changes if c.id not in chosen for line in (c.before_line, c.after_line)}
    asked, again = _asked_again(review, findings, review.base.text, text, new=_PART_GUARDS)
    heard = [
        finding
        for finding in findings
        if finding.guard not in asked and not (finding.segments and left - taken >= {*finding.segments})
    ]
    return (*heard, *again)


def moved(review: Review, head: Version, text: str) -> tuple[Finding, ...]:
    """Return the findings of `text`, which is what a proposal changes carried over to `head`."""
    asked, again = _asked_again(review, review.findings, head.text, text, new=None)
    return (*(finding for finding in review.findings if finding.guard not in asked), *again)


def _asked_again(
    review: Review, findings: Sequence[Finding], before: str, after: str, *, new: Collection[str] | None
) -> tuple[frozenset[str], tuple[Finding, ...]]:
    """Return which guards could be asked about other texts than the proposal's, and what holds of what they found.

    Those that can are the ones that find something in the proposal's texts with what is known here; some need
    more, such as the lines that were allowed to change. What such a guard said then counts again. What a guard
    of `new` (None: any) finds for the first time counts too; what it finds in the proposal as well was no
    fault when that was made.
    """
    context = GuardContext(instruction=review.proposal.provenance.instruction or "")
    known = check(review.base.text, review.proposal.text, context)
    asked = {finding.guard for finding in findings} & {finding.guard for finding in known}
    codes = {(finding.guard, finding.code) for finding in known}
    again = [
        finding
        for finding in check(before, after, context)
        if finding.guard in asked
        or ((finding.guard, finding.code) not in codes and (new is None or finding.guard in new))
    ]
    return frozenset(asked), tuple(again)


def outlook(review: Review, head: Version) -> Outlook:
    """Return what carrying a proposal over to `head` would bring; nothing fits where nothing new would come of it."""
    base, text = review.base.text, review.proposal.text
    fitting, others = which_fit(base, head.text, text)
    total = len(fitting) + len(others)
    merged = merge(base, head.text, text).text if not others else _with_fitting(review, head, fitting)
    if merged is None or merged == head.text:
        return Outlook(0, total, is_done=not others and merged is not None)
    return Outlook(len(fitting), total)


def carried(review: Review, head: Version, *, only_fitting: bool) -> tuple[str, tuple[int, ...]]:
    """Return the head with the changes of a proposal, and the ids of those that had to be left out."""
    base, text = review.base.text, review.proposal.text
    merged = merge(base, head.text, text)
    if merged.text is not None:
        return merged.text, ()
    fitting, others = which_fit(base, head.text, text)
    text_carried = _with_fitting(review, head, fitting)
    brings_nothing = text_carried is None or text_carried == head.text
    if text_carried is None or brings_nothing or not only_fitting:
        raise MergeConflict(
            head.script_id,
            proposal_id=review.proposal.id,
            lines=_lines(merged.conflicts),
            fitting=0 if brings_nothing else len(fitting),
            total=len(review.changes),
        )
    return text_carried, others


def _with_fitting(review: Review, head: Version, fitting: Collection[int]) -> str | None:
    base = review.base.text
    return merge(base, head.text, take(base, review.proposal.text, fitting)).text


def _lines(conflicts: Sequence[Region]) -> tuple[int, ...]:
    return tuple(sorted({line for region in conflicts for line in region.ours_lines}))


def carried_notes(review: Review, head: Version, left_out: Sequence[int]) -> tuple[str, ...]:
    """Return the notes of a proposal that was carried over.

    Those of the proposal itself may be about changes that were left out, and go when there are any.
    """
    old = review.proposal
    note = f"Carried over from proposal {old.id}, made for v{review.base.number}, to v{head.number}."
    if not left_out:
        return *review.notes, note
    which = f"change {left_out[0]}" if len(left_out) == 1 else f"changes {', '.join(map(str, left_out))}"
    why = f"because v{head.number} changed the same or neighbouring lines"
    return (
        note,
        f"Left out: {which} of {len(review.changes)}, {why}.",
        f"Proposal {old.id} stays open with all its changes.",
    )


def was_carried(notes: Iterable[str]) -> bool:
    """Say whether a proposal with these notes stands in for one over an older version."""
    return any(_CARRIED.fullmatch(note) for note in notes)
