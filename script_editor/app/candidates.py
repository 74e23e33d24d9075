"""Several different proposals side by side for one instruction, from one base; a person picks one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from script_editor import interrupts
from script_editor.agent.language import language_of
from script_editor.agent.steps import Limits, RunResult, StopReason
from script_editor.app.edit import EditRequest
from script_editor.app.errand import MakeRewriter
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.services import NOBODY, Audience, Services
from script_editor.app.unplanned import Unplanned
from script_editor.domain.refusals import worded
from script_editor.domain.script import Version, canonical_id, check_instruction
from script_editor.errors import BudgetReached, EditRefused, ScriptEditorError, SetupError, Unfinished
from script_editor.llm.chat import ChatModel, Usage

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
    services: Services,
    model: ChatModel,
    make_rewriter: MakeRewriter,
    limits: Limits | None = None,
    audience: Audience = NOBODY,
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
    request = replace(request, instruction=check_instruction(request.instruction))
    base = services.scripts.read(canonical_id(request.script_id))
    with interrupts.held() as hold:
        run = Unplanned(
            request,
            base,
            mode="candidates",
            services=services,
            model=model,
            make_rewriter=make_rewriter,
            limits=limits or Limits(),
            audience=audience,
        )
        making = _Making(request, base, run, services.proposals)
        failure: BaseException | None = None
        try:
            making.run(count, on_candidate)
        except BaseException as error:
            failure = error
            raise
        finally:
            run.close(making.result(failure), failure)
        hold.forget()  # there is nothing left to stop, and what was made is to be told
    return Candidates(
        script_id=base.script_id,
        base_number=base.number,
        reviews=tuple(making.reviews),
        model=model.name,
        run_id=run.run.id,
        usage=run.usage,
        warnings=tuple(making.warnings),
    )


@dataclass
class _Making:
    """One candidate after the other, and what became of each."""

    request: EditRequest
    base: Version
    asked: Unplanned
    proposals: ProposalService
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

    @property
    def _is_chinese(self) -> bool:
        return language_of(self.request.instruction) == "zh"

    def result(self, failure: BaseException | None) -> RunResult:
        """Return how the run ended; `failure` is what it raised."""
        stop_reason = self.stop_reason
        if failure is not None and stop_reason != "cancelled":
            stop_reason = "cancelled" if isinstance(failure, KeyboardInterrupt) else "failed"
        made = f"{len(self.reviews)} candidates" if self.reviews else ""
        error = failure if isinstance(failure, ScriptEditorError) else None
        return RunResult(stop_reason=stop_reason, output=made, error=error)

    def _make(self, number: int) -> bool:
        """Make one candidate; False when there is no use in trying another."""
        try:
            self._keep(number, self._proposed())
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

    def _proposed(self) -> Review:
        # A candidate stands beside the one before it, and is no next try of it.
        self.asked.ledger.reviews.clear()
        return self.asked.propose(avoid=tuple(_passages(self.reviews)))

    def _keep(self, number: int, review: Review) -> None:
        same = _same_as(review, self.reviews)
        if same is None:
            self.reviews.append(review)
            return
        self.proposals.reject(
            review.proposal.id, decided_by=self.request.author, reason="the same as another"
        )
        self.warnings.append(
            f"第 {number} 版和第 {same} 版一样，没有列出。"
            if self._is_chinese
            else f"Candidate {number} came out like candidate {same} and was left out."
        )

    def _warn(self, number: int, error: ScriptEditorError) -> None:
        self.warnings.append(
            f"第 {number} 版没有做成：{error}"
            if self._is_chinese
            else f"Candidate {number} was not made: {error}"
        )

    def _interrupted(self, count: int) -> None:
        """Say what there is when the person stopped it; the part of a candidate that was finished is named."""
        unfinished = self.asked.ledger.unfinished
        is_named = any(unfinished is not None and unfinished.proposal_id in said for said in self.warnings)
        if not self.reviews:
            raise unfinished or KeyboardInterrupt
        self.warnings.append(
            f"已停止：共 {count} 版，做好了 {len(self.reviews)} 版。"
            if self._is_chinese
            else f"Interrupted after {len(self.reviews)} of {count} candidates."
        )
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
