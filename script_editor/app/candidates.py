"""Several different proposals side by side for one instruction, from one base; a person picks one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from script_editor.agent.language import language_of
from script_editor.agent.steps import Limits
from script_editor.app.desk import Desk
from script_editor.app.edit import EditRequest, MakeRewriter
from script_editor.app.locks import LockService
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.recording import refusal_hooks
from script_editor.app.scope import Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.domain.ports import ScriptStore
from script_editor.domain.refusals import worded
from script_editor.domain.script import canonical_id, check_instruction
from script_editor.errors import EditRefused, ScriptEditorError
from script_editor.llm.chat import ChatModel, Usage
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
    on_exchange: Callable[[str], None] | None = None,
    on_candidate: Callable[[int], None] = lambda _number: None,
) -> Candidates:
    """Make up to `count` different proposals over the head; nothing is saved.

    No planning: the rewriter is asked once for each, and is shown what the earlier ones changed. One that
    comes out like an earlier one is left out. A failure after the first is a warning.

    Raises:
        ScriptEditorError: there is no candidate at all; see `edit_script`.
    """
    instruction = check_instruction(request.instruction)
    base = scripts.read(canonical_id(request.script_id))
    limits = limits or Limits()
    meter = Metered(model, on_exchange, max_tokens=limits.max_tokens, max_seconds=limits.max_seconds)
    run = store.start_run(mode="candidates", model=model.name, input=instruction)
    ledger = Ledger()
    scope = Scope(base.script_id, instruction, request.author, run.id, request.demands)
    rewriter = make_rewriter(meter, refusal_hooks(store, ledger, instruction, run.id))
    desk = Desk(scripts, proposals, locks, rewriter, scope, ledger, lambda _pending: False)
    reviews: list[Review] = []
    warnings: list[str] = []
    stop_reason, failure = "failed", None
    try:
        for number in range(1, count + 1):
            on_candidate(number)
            try:
                review = desk.propose(base.script_id, instruction, avoid=tuple(_passages(reviews)))
            except ScriptEditorError as error:
                if isinstance(error, EditRefused):
                    error = worded(error, language_of(instruction), kept=f"{base.script_id} v{base.number}")
                if not reviews:
                    raise error from None
                warnings.append(f"Candidate {number} was not made: {error}")
                continue
            same = _same_as(review, reviews)
            if same is None:
                reviews.append(review)
                continue
            proposals.reject(review.proposal.id, decided_by=request.author, reason="the same as another")
            warnings.append(f"Candidate {number} came out like candidate {same} and was left out.")
        stop_reason = "finished"
    except KeyboardInterrupt:
        stop_reason = "cancelled"
        if not reviews and ledger.unfinished is not None:
            raise ledger.unfinished from None
        if not reviews:
            raise
        warnings.append(f"Interrupted after {len(reviews)} of {count} candidates.")
    except BaseException as error:
        failure = str(error)
        raise
    finally:
        store.finish_run(
            run.id,
            stop_reason=stop_reason,
            output=f"{len(reviews)} candidates" if reviews else None,
            error=failure,
            prompt_tokens=meter.usage.prompt_tokens,
            completion_tokens=meter.usage.completion_tokens,
        )
    return Candidates(
        script_id=base.script_id,
        base_number=base.number,
        reviews=tuple(reviews),
        model=model.name,
        run_id=run.id,
        usage=meter.usage,
        warnings=tuple(warnings),
    )


def _passages(reviews: list[Review]) -> Iterator[str]:
    """Yield what the earlier candidates wrote, newest first, up to a bound."""
    left = AVOID_CHARS
    for review in reversed(reviews):
        for change in review.changes:
            if change.kind in ("replace", "insert") and len(change.after) <= left:
                left -= len(change.after)
                yield change.after.strip()


def _same_as(review: Review, earlier: list[Review]) -> int | None:
    texts = [other.proposal.text for other in earlier]
    return texts.index(review.proposal.text) + 1 if review.proposal.text in texts else None
