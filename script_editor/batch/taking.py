"""The results of a batch, item by item: saved where nothing speaks against it, taken back, or dropped."""

from dataclasses import dataclass
from typing import Literal

from script_editor.agent.language import language_of
from script_editor.app.services import Services
from script_editor.batch.results import number_made
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import Item
from script_editor.domain.references import Selector
from script_editor.domain.refusals import finding_sentence
from script_editor.domain.script import Proposal, Version
from script_editor.errors import (
    REASONS,
    EditRefused,
    Overtaken,
    ProposalClosed,
    ScriptArchived,
    ScriptEditorError,
    StaleHead,
)

WhyLeft = Literal[
    "no_result",
    "failed",
    "checks",
    "warned",
    "moved",
    "decided",
    "archived",
    "refused",
    "already",
    "reverted",
]
"""Why an item was left alone: it made nothing to take, it failed with part of an edit, a guard spoke against it, a
guard only warned, somebody wrote a version since, somebody closed the proposal, the script is archived, a lock or
another rule refused it, it is done already, or it was saved and taken back since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What was done with one item. `version` is what it was saved as, or what brought the old text back; where it was
    left "already" or "reverted", what did so before, None where somebody wrote on since.

    `why` is a sentence, "" where the reason says all.
    """

    item: Item
    version: int | None = None
    left: WhyLeft | None = None
    why: str = ""


# --- saving ----------------------------------------------------------------------------------


def saved(item: Item, services: Services, batches: BatchStore, *, author: str, only_clean: bool) -> Outcome:
    """Save what came of an item if it is an open proposal that nothing speaks against; say why otherwise.

    With `only_clean` a warning speaks against it as well as an error. An item whose script moved since becomes a
    conflict, so that it can be tried again over the script as it is now.
    """
    proposal = None if item.proposal_id is None else services.store.proposal(item.proposal_id)
    if (number := number_made(item, proposal)) is not None:
        is_newest = services.store.script(item.job.script_id).head_number == number
        is_back = not is_newest and batches.is_taken_back(item.batch_id, item.job.seq)
        return Outcome(item=item, version=number, left="reverted" if is_back else "already")
    if proposal is None:
        return Outcome(item=item, left="no_result", why=item.error)
    if proposal.status != "pending":
        return Outcome(item=item, left="decided", why=proposal.reason or "")
    if (against := _against(item, proposal, only_clean=only_clean)) is not None:
        return against
    try:
        version = services.proposals.accept(proposal.id, decided_by=author)
    except StaleHead as error:
        return _overtaken(item, error, batches)
    except ScriptEditorError as error:
        return Outcome(item=item, left=_reason(error), why=_said(error, item))
    return Outcome(item=item, version=version.number)


def _against(item: Item, proposal: Proposal, *, only_clean: bool) -> Outcome | None:
    """Return what the checks say against saving, errors before warnings; None for nothing."""
    language = language_of(item.job.instruction)
    errors = [finding for finding in proposal.findings if finding.level == "error"]
    if item.state == "failed" or errors:
        why = item.error or finding_sentence(errors[0], language)
        is_refused = errors or item.error_type in REASONS  # a missed time is no finding of its proposal
        return Outcome(item=item, left="checks" if is_refused else "failed", why=why)
    if only_clean and proposal.findings:
        return Outcome(item=item, left="warned", why=finding_sentence(proposal.findings[0], language))
    return None


def _overtaken(item: Item, error: StaleHead, batches: BatchStore) -> Outcome:
    overtaken = Overtaken(
        error.script_id, expected=item.job.base_number, actual=error.actual, batch_id=item.batch_id
    )
    why = _said(overtaken, item)
    batches.overtake(item.batch_id, item.job.seq, error=why, hint=overtaken.hint)
    return Outcome(item=item, left="moved", why=why)


def _said(error: ScriptEditorError, item: Item) -> str:
    """Return an error in the language of the instruction, where it knows both."""
    if error.is_bilingual:
        error.language = language_of(item.job.instruction)
    return str(error)


def _reason(error: ScriptEditorError) -> WhyLeft:
    match error:
        case StaleHead():
            return "moved"
        case ProposalClosed():
            return "decided"
        case ScriptArchived():
            return "archived"
        case EditRefused():
            return "refused"
        case _:
            raise error


# --- taking back -----------------------------------------------------------------------------


def brought_back(item: Item, services: Services, batches: BatchStore, *, author: str) -> Outcome:
    """Bring a script back to the text before this item's version if that is its newest; say why otherwise."""
    proposal = None if item.proposal_id is None else services.store.proposal(item.proposal_id)
    number = number_made(item, proposal)
    if number is None:
        return Outcome(item=item, left="no_result")
    script_id = item.job.script_id
    made = services.store.version(script_id, number)
    assert made.parent_number is not None, "a batch never makes the first version of a script"
    head = services.store.head(script_id)
    if head.number != number:
        return _left(item, head, services, batches)
    try:
        restored = services.scripts.revert(
            script_id,
            Selector(number=made.parent_number),
            author=author,
            expected_head=number,
            message=f"batch revert {item.batch_id}",
        )
    except ScriptEditorError as error:
        return Outcome(item=item, left=_reason(error), why=_said(error, item))
    return Outcome(item=item, version=restored.version.number)


def _left(item: Item, head: Version, services: Services, batches: BatchStore) -> Outcome:
    """Say why a script that moved is left: the change was taken back before, or somebody wrote a version over it."""
    script_id = item.job.script_id
    if batches.is_taken_back(item.batch_id, item.job.seq):
        is_base = head.text == services.store.version(script_id, item.job.base_number).text
        return Outcome(item=item, version=head.number if is_base else None, left="already")
    is_chinese = language_of(item.job.instruction) == "zh"
    now = f"现在是 v{head.number}。" if is_chinese else f"{script_id} is at v{head.number} by now."
    return Outcome(item=item, left="moved", why=now)


# --- dropping --------------------------------------------------------------------------------


def discarded(item: Item, services: Services, *, author: str) -> Outcome:
    """Close the open proposal that an item left, without saving it; say why otherwise. Its text stays in the store."""
    if item.proposal_id is None:
        return Outcome(item=item, left="no_result")
    try:
        services.proposals.reject(
            item.proposal_id, decided_by=author, reason=f"batch discard {item.batch_id}"
        )
    except ProposalClosed:
        return Outcome(item=item, left="decided")
    return Outcome(item=item)
