"""Proposals: what would be saved, kept until a person takes it, leaves it or lets it lie."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from script_editor.domain.diff import Change, changes
from script_editor.domain.guards import Finding
from script_editor.domain.script import Proposal, Provenance, Version, canonical_id
from script_editor.errors import ProposalClosed, ProposalNotFound

if TYPE_CHECKING:  # the protocol names every kind of edit; reading a history needs none of them
    from script_editor.domain.ports import ScriptStore


@dataclass(frozen=True, slots=True)
class Review:
    """A proposal as a person sees it: the base, the changes with ids, what the guards said, notes for the person."""

    proposal: Proposal
    base: Version
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()


class ProposalService:
    """Keeps proposals and turns them into versions, exactly as they were shown."""

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
            base.script_id, text, base_number=base.number, provenance=provenance
        )
        return Review(proposal, base, changes(base.text, text), findings, notes)

    def review(self, proposal_id: str | None) -> Review:
        """Return a proposal with its changes; None means the newest open one that still fits.

        Raises ProposalNotFound.
        """
        proposal = self._find(proposal_id)
        base = self._store.version(proposal.script_id, proposal.base_number)
        return Review(proposal, base, changes(base.text, proposal.text))

    def accept(
        self, proposal_id: str, *, decided_by: str, message: str = "", request_id: str | None = None
    ) -> Version:
        """Save exactly the proposed text as the next version; no model is called.

        `decided_by` signs the version, whoever asked for the proposal.

        Raises:
            StaleHead: the script moved since; the proposal stays open.
            ProposalNotFound, ProposalClosed.
        """
        proposal = self._find(proposal_id)
        if proposal.status != "pending":
            raise ProposalClosed(proposal.id, proposal.status)
        about = proposal.provenance
        return self._store.append(
            proposal.script_id,
            proposal.text,
            expected_head=proposal.base_number,
            source="edit",
            provenance=Provenance(
                author=decided_by,
                instruction=about.instruction,
                message=message or about.message,
                model=about.model,
                prompt_tokens=about.prompt_tokens,
                completion_tokens=about.completion_tokens,
                run_id=about.run_id,
            ),
            proposal_id=proposal.id,
            request_id=request_id,
        )

    def reject(self, proposal_id: str | None, *, decided_by: str, reason: str = "") -> Proposal:
        """Close a proposal without saving it, None the newest open one that still fits; its text stays.

        Raises ProposalNotFound, ProposalClosed.
        """
        return self._store.reject_proposal(self._find(proposal_id).id, decided_by=decided_by, reason=reason)

    def open(self, script_id: str | None = None) -> tuple[Proposal, ...]:
        """Return open proposals, newest first, of one script or of all."""
        return self._store.proposals(canonical_id(script_id) if script_id else None)

    def is_stale(self, proposal: Proposal) -> bool:
        """Say whether the script moved after the proposal was made."""
        return self._store.script(proposal.script_id).head_number != proposal.base_number

    def _find(self, proposal_id: str | None) -> Proposal:
        if proposal_id is not None:
            return self._store.proposal(proposal_id.strip().lower())
        fitting = (proposal for proposal in self._store.proposals() if not self.is_stale(proposal))
        newest = next(fitting, None)
        if newest is None:
            raise ProposalNotFound(None)
        return newest
