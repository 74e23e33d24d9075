"""Proposals: what would be saved, kept until a person takes it, leaves it or lets it lie."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from script_editor.app.carrying import Outlook as Outlook
from script_editor.app.carrying import Review as Review
from script_editor.app.carrying import carried, carried_notes, moved, outlook, standing, was_carried
from script_editor.app.drafts import refused
from script_editor.domain.diff import changes
from script_editor.domain.findings import Finding, may_be_overruled
from script_editor.domain.locks import violations
from script_editor.domain.refusals import worded
from script_editor.domain.script import Proposal, Provenance, Version, canonical_id
from script_editor.domain.segments import NumberedScript
from script_editor.domain.selection import choose, take
from script_editor.errors import (
    BadInput,
    EditRefused,
    ProposalClosed,
    ProposalNotFound,
    StaleHead,
    StaleProposal,
)

if TYPE_CHECKING:  # the protocol names every kind of edit; reading a history needs none of them
    from script_editor.domain.ports import ScriptStore

_REBASED = "rebased as {id}"
_AMENDED = "amended as {id}"


class ProposalService:
    """Keeps proposals and turns them into versions, as they were shown: whole, in part, or over a newer head."""

    def __init__(self, store: "ScriptStore"):
        self._store = store

    def propose(
        self,
        base: Version,
        text: str,
        *,
        provenance: Provenance,
        findings: tuple[Finding, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> Review:
        """Keep `text` as an open proposal over `base`; the script does not change."""
        proposal = self._store.save_proposal(
            base.script_id,
            text,
            base_number=base.number,
            provenance=provenance,
            findings=findings,
            notes=notes,
        )
        return _review(proposal, base)

    def open(self, script_id: str | None = None) -> tuple[Proposal, ...]:
        """Return open proposals, newest first, of one script or of all."""
        return self._store.proposals(canonical_id(script_id) if script_id else None)

    def is_stale(self, proposal: Proposal) -> bool:
        """Say whether the script moved after the proposal was made."""
        return self._store.script(proposal.script_id).head_number != proposal.base_number

    def outlook(self, review: Review) -> Outlook:
        """Say what carrying a proposal over to the head would bring, when the script moved."""
        return outlook(review, self._store.head(review.proposal.script_id))

    def review(self, proposal_id: str | None) -> Review:
        """Return a proposal with its changes; None means the newest open one that still fits.

        Raises ProposalNotFound.
        """
        proposal = self._find(proposal_id)
        return _review(proposal, self._store.version(proposal.script_id, proposal.base_number))

    # --- deciding ----------------------------------------------------------------------------

    def accept(
        self,
        proposal_id: str,
        *,
        decided_by: str,
        message: str = "",
        request_id: str | None = None,
        only: Collection[int] | None = None,
        leave_out: Collection[int] | None = None,
        overrule: bool = False,
    ) -> Version:
        """Save the proposed text, or a part of its changes, as the next version; no model is called.

        `decided_by` signs the version, whoever asked for the proposal. `only` and `leave_out` are ids of
        `Review.changes`; one of them at most. What is left out remains in the stored proposal, which is
        closed all the same. With `overrule`, errors that a person may overrule do not stand in the way.

        Raises:
            StaleProposal: the script moved since; the proposal stays open, and the error knows how much fits.
            EditRefused: an error of the guards stands against it, or a lock ("locked_changed"), or the script
                moved and has all of it already ("unchanged"); the proposal stays open.
            BadInput: an id belongs to no change, or nothing would be left to save.
            ProposalNotFound, ProposalClosed.
        """
        review = self._open(proposal_id)
        proposal, base = review.proposal, review.base
        if self.is_stale(proposal):
            raise self._stale(review)
        chosen = choose(len(review.changes), only=only, leave_out=leave_out)
        text = proposal.text if len(chosen) == len(review.changes) else _part(review, chosen)
        self._check(review, text, chosen, overrule=overrule)
        try:
            return self._store.append(
                proposal.script_id,
                text,
                expected_head=base.number,
                source="merge" if was_carried(proposal.notes) else "edit",
                provenance=_signed(proposal.provenance, decided_by, message),
                proposal_id=proposal.id,
                request_id=request_id,
            )
        except StaleHead as error:  # someone wrote in this very moment
            raise self._stale(review) from error

    def pick(
        self,
        proposal_id: str,
        others: Sequence[str],
        *,
        decided_by: str,
        message: str = "",
        request_id: str | None = None,
        overrule: bool = False,
    ) -> Version:
        """Accept one of several candidates and close the others; those that are closed already stay as they are.

        Raises what `accept` raises; then all of them stay open.
        """
        picked = self._find(proposal_id)
        left = [self._find(other) for other in others]
        version = self.accept(
            picked.id, decided_by=decided_by, message=message, request_id=request_id, overrule=overrule
        )
        reason = "another candidate was picked"
        for other in left:
            with suppress(ProposalClosed):  # the picked one, where it is named again, is accepted by now
                self._store.reject_proposal(other.id, decided_by=decided_by, reason=reason)
        return version

    def amend(
        self, proposal_id: str, wanted: Collection[int], rewritten: Mapping[int, str], *, decided_by: str
    ) -> Review:
        """Return a new proposal with only the changes `wanted`, some in a person's own words, and close this one.

        `rewritten` has the new lines for some of the ids in `wanted`. It is over the same version, stale or not.

        Raises:
            BadInput: see `take`; or nothing would be left.
            ProposalNotFound, ProposalClosed.
        """
        review = self._open(proposal_id)
        text = _part(review, wanted, rewritten)
        words = ", ".join(str(id) for id in sorted(rewritten))
        made = self.propose(
            review.base,
            text,
            provenance=review.proposal.provenance,
            findings=standing(review, review.findings, text, wanted),
            notes=(*review.notes, *([f"Written anew by {decided_by}: change {words}."] if words else [])),
        )
        self._replace(review.proposal, made.proposal, _AMENDED, decided_by=decided_by)
        return made

    def reject(self, proposal_id: str | None, *, decided_by: str, reason: str = "") -> Proposal:
        """Close a proposal without saving it, None the newest open one that still fits; its text stays.

        Raises ProposalNotFound, ProposalClosed.
        """
        return self._store.reject_proposal(self._find(proposal_id).id, decided_by=decided_by, reason=reason)

    # --- a head that moved -------------------------------------------------------------------

    def rebase(self, proposal_id: str, *, decided_by: str, only_fitting: bool = False) -> Review:
        """Return a new proposal over the head with what this one changes, and close this one.

        The three texts are merged by lines; what comes of it was seen by nobody, so it is a proposal again,
        and accepting it writes a version of source "merge". One whose script did not move comes back as it
        is. With `only_fitting`, changes that meet newer ones are left out instead of being a conflict; then
        this one stays open, for nothing else has them.

        Raises:
            MergeConflict: the head changed the same lines, or nothing fits; the proposal stays open.
            EditRefused: "unchanged" when the head has all of it already (the proposal is closed then), or
                "locked_changed".
            ProposalNotFound, ProposalClosed.
        """
        review = self._open(proposal_id)
        old, base = review.proposal, review.base
        head = self._store.head(old.script_id)
        if head.number == base.number:
            return review
        text, left_out = carried(review, head, only_fitting=only_fitting)
        if text == head.text:
            reason = f"v{head.number} has all of it"
            self._store.reject_proposal(old.id, decided_by=decided_by, reason=reason)
            raise _has_all(head, old, "it was closed.")
        self._check_locks(review, head, text)
        made = self.propose(
            head,
            text,
            provenance=old.provenance,
            findings=moved(review, head, text),
            notes=carried_notes(review, head, left_out),
        )
        if not left_out:
            self._replace(old, made.proposal, _REBASED, decided_by=decided_by)
        return made

    def _replace(self, old: Proposal, new: Proposal, reason: str, *, decided_by: str) -> None:
        """Close `old` in favour of `new`, or `new` when someone has decided about `old` meanwhile."""
        try:
            self._store.reject_proposal(
                old.id, decided_by=decided_by, reason=reason.format(id=new.id), replaced_by=new.id
            )
        except ProposalClosed:
            self._store.reject_proposal(
                new.id, decided_by=decided_by, reason=f"{old.id} was decided meanwhile"
            )
            raise

    def _stale(self, review: Review) -> StaleProposal | EditRefused:
        proposal = review.proposal
        head = self._store.head(proposal.script_id)
        found = outlook(review, head)
        if found.is_done:
            return _has_all(head, proposal, f"drop it: script-editor discard {proposal.id}")
        return StaleProposal(
            proposal.script_id,
            expected=review.base.number,
            actual=head.number,
            proposal_id=proposal.id,
            fitting=found.fitting,
            total=found.total,
        )

    # --- what stands in the way --------------------------------------------------------------

    def _check(self, review: Review, text: str, chosen: Collection[int], *, overrule: bool) -> None:
        findings = review.findings
        if text != review.proposal.text:
            findings = standing(review, findings, text, chosen)
        errors = [finding for finding in findings if finding.level == "error"]
        is_forceable = may_be_overruled(errors)
        if errors and not (overrule and is_forceable):
            refusal = refused(
                errors,
                script=review.base.reference,
                proposal_id=review.proposal.id if is_forceable else None,
            )
            raise worded(refusal, review.language)
        self._check_locks(review, review.base, text)

    def _check_locks(self, review: Review, head: Version, text: str) -> None:
        before, after = (NumberedScript(head.script_id, head.number, t) for t in (head.text, text))
        broken = tuple(violations(before, after, self._store.locks(head.script_id)))
        if broken:
            raise worded(refused(broken, script=head.reference), review.language)

    def _open(self, proposal_id: str) -> Review:
        review = self.review(proposal_id)
        if review.proposal.status != "pending":
            raise ProposalClosed(review.proposal.id, review.proposal.status)
        return review

    def _find(self, proposal_id: str | None) -> Proposal:
        if proposal_id is not None:
            return self._store.proposal(proposal_id.strip().lower())
        fitting = (proposal for proposal in self._store.proposals() if not self.is_stale(proposal))
        newest = next(fitting, None)
        if newest is None:
            raise ProposalNotFound(None)
        return newest


def _has_all(head: Version, proposal: Proposal, what_now: str) -> EditRefused:
    return EditRefused(
        "unchanged", f"{head.reference} already has everything of proposal {proposal.id}; {what_now}"
    )


def _review(proposal: Proposal, base: Version) -> Review:
    return Review(
        proposal, base, changes(base.text, proposal.text), findings=proposal.findings, notes=proposal.notes
    )


def _signed(about: Provenance, decided_by: str, message: str) -> Provenance:
    return Provenance(
        author=decided_by,
        instruction=about.instruction,
        message=message or about.message,
        model=about.model,
        prompt_tokens=about.prompt_tokens,
        completion_tokens=about.completion_tokens,
        run_id=about.run_id,
    )


def _part(review: Review, chosen: Collection[int], rewritten: Mapping[int, str] | None = None) -> str:
    proposal = review.proposal
    text = take(review.base.text, proposal.text, chosen, rewritten=rewritten or {})
    if text == review.base.text:
        raise BadInput(
            f"That leaves nothing of proposal {proposal.id} to save.",
            hint=f"Name a change that is to be saved, or drop it: script-editor discard {proposal.id}",
        )
    return text
