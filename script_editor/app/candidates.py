"""Several different proposals side by side for one instruction, from one base; a person picks one."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from script_editor.agent.language import language_of
from script_editor.agent.steps import Limits, RunResult, StopReason
from script_editor.app.desk import Desk
from script_editor.app.edit import EditRequest
from script_editor.app.errand import MakeRewriter, heard_by
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.app.locks import LockService
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.recording import refusal_hooks
from script_editor.app.scope import Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.domain.ports import ScriptStore
from script_editor.domain.refusals import worded
from script_editor.domain.script import StepRecord, Version, canonical_id, check_instruction, utc_now
from script_editor.errors import BudgetReached, EditRefused, ScriptEditorError, SetupError, Unfinished
from script_editor.llm.chat import ChatModel, Usage
from script_editor.llm.exchange import OnExchange
from script_editor.llm.metered import Metered

AVOID_CHARS = 1_200
"""How much of the earlier candidates the model is shown, so that the next one differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The proposals that were made, in the order they were made; `warnings` say why there are fewer than asked for."""

    script_id: str
    base_number: int
    reviews: tuple[Review, ...]
    model: str
    run_id: str
    usage: Usage
    warnings: tuple[str, ...] = ()


def make_candidates(
    request: EditRequest,
    count: int,
    *,
    store: ScriptStore,
    scripts: ScriptService,
    proposals: ProposalService,
    locks: LockService,
    model: ChatModel,
    make_rewriter: MakeRewriter,
    limits: Limits | None = None,
    on_exchange: OnExchange | None = None,
    journals: Journals = NO_JOURNAL,
    on_candidate: Callable[[int], None] = lambda _number: None,
) -> Candidates:
    """Make up to `count` different proposals over the head; nothing is saved.

    No planning: the rewriter is asked once for each, and is shown what the earlier ones changed. One that
    comes out like an earlier one is left out. One that is refused is a warning, and so is a failure when there
    is a candidate already; a budget that is used up ends the rest.

    Raises:
        ScriptEditorError: there is no candidate at all; see `edit_script`. Of several refusals it is the first.
        KeyboardInterrupt: interrupted before there was one.
    """
    instruction = check_instruction(request.instruction)
    base = scripts.read(canonical_id(request.script_id))
    limits = limits or Limits()
    run = store.start_run(mode="candidates", model=model.name, input=instruction, script_id=base.script_id)
    journal = journals.begin(run)
    heard = heard_by(journal, on_exchange)
    meter = Metered(model, heard, max_tokens=limits.max_tokens, max_seconds=limits.max_seconds)
    ledger = Ledger()
    scope = Scope(base.script_id, instruction, request.author, run.id, request.demands)
    hooks = refusal_hooks(store, ledger, instruction, run.id)
    rewriter = make_rewriter(meter, replace(hooks, on_reply=journal.rewriter_reply))
    desk = Desk(scripts, proposals, locks, rewriter, scope, ledger, lambda _pending: False)
    making = _Making(request, base, desk, ledger, store, proposals, run.id)
    stop_reason: StopReason = "failed"
    failure = None
    try:
        making.run(count, on_candidate)
        stop_reason = making.stop_reason
    except KeyboardInterrupt:
        stop_reason = "cancelled"
        raise
    except BaseException as error:
        failure = str(error)
        stop_reason = "cancelled" if making.stop_reason == "cancelled" else "failed"
        raise
    finally:
        store.finish_run(
            run.id,
            stop_reason=stop_reason,
            output=f"{len(making.reviews)} candidates" if making.reviews else None,
            error=failure,
            prompt_tokens=meter.usage.prompt_tokens,
            completion_tokens=meter.usage.completion_tokens,
            usage_known=meter.usage.known,
        )
        journal.close(RunResult(stop_reason=stop_reason, output=failure or ""), meter.usage)
    return Candidates(
        script_id=base.script_id,
        base_number=base.number,
        reviews=tuple(making.reviews),
        model=model.name,
        run_id=run.id,
        usage=meter.usage,
        warnings=tuple(making.warnings),
    )


@dataclass
class _Making:
    """One candidate after the other, and what became of each."""

    request: EditRequest
    base: Version
    desk: Desk
    ledger: Ledger
    store: ScriptStore
    proposals: ProposalService
    run_id: str
    reviews: list[Review] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    stop_reason: StopReason = "finished"
    refusal: EditRefused | None = None

    def run(self, count: int, on_candidate: Callable[[int], None]) -> None:
        try:
            for number in range(1, count + 1):
                on_candidate(number)
                if not self._make(number):
                    break
        except KeyboardInterrupt:
            self.stop_reason = "cancelled"
            self._interrupted(count)
        if not self.reviews:
            assert self.refusal is not None, "every other way to have none has raised"
            raise self.refusal

    def _make(self, number: int) -> bool:
        """Make one candidate; False when there is no use in trying another."""
        try:
            self._keep(number, self._proposed(number))
        except EditRefused as error:
            kept = f"{self.base.script_id} v{self.base.number}"
            refusal = worded(error, language_of(self.request.instruction), kept=kept)
            self.refusal = self.refusal or refusal
            self._warn(number, refusal)
        except ScriptEditorError as error:
            if not self.reviews:
                raise
            self._warn(number, error)
            cause = error.cause if isinstance(error, Unfinished) else error
            if isinstance(cause, BudgetReached):
                self.stop_reason = "token_limit"
            return not isinstance(cause, BudgetReached | SetupError)
        return True

    def _proposed(self, number: int) -> Review:
        began, sent = time.monotonic(), len(self.ledger.sent)
        self.ledger.reviews.clear()  # a candidate stands beside the one before it, and is no next try of it
        review: Review | None = None
        failure: BaseException | None = None
        instruction = self.request.instruction
        try:
            review = self.desk.propose(self.base.script_id, instruction, avoid=tuple(_passages(self.reviews)))
            return review
        except BaseException as error:
            failure = error
            raise
        finally:
            self.store.record_step(
                StepRecord(
                    run_id=self.run_id,
                    seq=number,
                    tool="propose",
                    tool_input={"script_id": self.base.script_id, "instruction": instruction},
                    log="\n".join(f"sent: {shown}" for shown in self.ledger.sent[sent:]),
                    observation=f"proposal {review.proposal.id}" if review else None,
                    error=(str(failure) or type(failure).__name__) if failure else None,
                    duration_ms=round((time.monotonic() - began) * 1000),
                    created_at=utc_now(),
                )
            )

    def _keep(self, number: int, review: Review) -> None:
        same = _same_as(review, self.reviews)
        if same is None:
            self.reviews.append(review)
            return
        self.proposals.reject(
            review.proposal.id, decided_by=self.request.author, reason="the same as another"
        )
        self.warnings.append(f"Candidate {number} came out like candidate {same} and was left out.")

    def _warn(self, number: int, error: ScriptEditorError) -> None:
        self.warnings.append(f"Candidate {number} was not made: {error}")

    def _interrupted(self, count: int) -> None:
        """Say what there is when the person stopped it; the part of a candidate that was finished is named."""
        unfinished = self.ledger.unfinished
        is_named = any(unfinished is not None and unfinished.proposal_id in said for said in self.warnings)
        if not self.reviews:
            raise unfinished or KeyboardInterrupt
        self.warnings.append(f"Interrupted after {len(self.reviews)} of {count} candidates.")
        if unfinished is not None and not is_named:
            self.warnings.append(str(unfinished))


def _passages(reviews: list[Review]) -> Iterator[str]:
    """Yield what the earlier candidates wrote, or left out, newest first, up to a bound."""
    left = AVOID_CHARS
    for review in reversed(reviews):
        for change in review.changes:
            passage = change.after.strip() or f"[-] {change.before.strip()}"
            if change.kind != "space" and len(passage) <= left:
                left -= len(passage)
                yield passage


def _same_as(review: Review, earlier: list[Review]) -> int | None:
    texts = [other.proposal.text for other in earlier]
    return texts.index(review.proposal.text) + 1 if review.proposal.text in texts else None
