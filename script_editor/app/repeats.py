"""A request that is made once more: what would only repeat an open proposal is that proposal."""

from dataclasses import replace

from script_editor.app.drafts import Draft
from script_editor.app.notes import OPEN_ALREADY
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.scope import Ledger, Scope
from script_editor.domain.script import Proposal, Version


def open_twin(
    proposals: ProposalService,
    base: Version,
    made: Draft,
    notes: tuple[str, ...],
    *,
    scope: Scope,
    ledger: Ledger,
) -> Review | None:
    """Return the proposal of an earlier request that one of `made` would only repeat, saying so; None when there is none.

    It has the same base, text, instruction, findings and notes. A person who repeats a request, for instance
    because they left before its proposal was told, means one. What the same run proposed is none: it was refused,
    or is to stand beside this one. Each is taken up once in a run.
    """

    def is_twin(earlier: Proposal) -> bool:
        about = earlier.provenance
        return (
            (earlier.base_number, earlier.text, about.instruction)
            == (base.number, made.text, scope.instruction)
            and (earlier.findings, earlier.notes) == (made.findings, notes)
            and about.run_id != scope.run_id
            and earlier.id not in ledger.reused
        )

    twin = next(filter(is_twin, proposals.open(base.script_id)), None)
    if twin is None:
        return None
    ledger.reused.add(twin.id)
    review = proposals.review(twin.id)
    return replace(review, notes=(*review.notes, OPEN_ALREADY))
