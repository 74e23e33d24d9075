"""One instruction on one script without planning: the rewriter is asked at once, and its answer is a proposal."""

from dataclasses import replace

from script_editor import interrupts
from script_editor.agent.language import language_of
from script_editor.agent.steps import Limits, RunResult, StopReason
from script_editor.app.edit import EditReport, EditRequest
from script_editor.app.errand import MakeRewriter
from script_editor.app.proposals import Review
from script_editor.app.services import NOBODY, Audience, Services
from script_editor.app.truth import truth
from script_editor.app.unplanned import Unplanned
from script_editor.domain.batches import DIRECT
from script_editor.domain.duration import estimate
from script_editor.domain.refusals import worded
from script_editor.domain.script import canonical_id, check_instruction
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BudgetReached, EditRefused, ScriptEditorError
from script_editor.llm.chat import ChatModel


def edit_directly(
    request: EditRequest,
    *,
    services: Services,
    model: ChatModel,
    make_rewriter: MakeRewriter,
    limits: Limits | None = None,
    audience: Audience = NOBODY,
) -> EditReport:
    """Make one proposal by one request of the rewriter and report it; nothing is saved, whatever `preview` says.

    A short script takes one model call; more are made in chunks, or to put right what a check refused. The
    instruction is an edit: one that asks something, or wants an older text back, is for an agent.

    Raises:
        BadInstruction, BadScriptId, ScriptNotFound, BadInput: before any model call.
        Unfinished: a part is kept as a proposal.
        ScriptEditorError: see errors.py; nothing came of it.
        KeyboardInterrupt: interrupted before there was anything.
    """
    request = replace(request, instruction=check_instruction(request.instruction))
    base = services.scripts.read(canonical_id(request.script_id))
    request.demands.constraints(NumberedScript(base.script_id, base.number, base.text), request.instruction)
    with interrupts.held() as hold:
        run = Unplanned(
            request,
            base,
            mode=DIRECT,
            services=services,
            model=model,
            make_rewriter=make_rewriter,
            limits=limits or Limits(),
            audience=audience,
        )
        failure: BaseException | None = None
        try:
            review = run.propose()
        except EditRefused as refusal:
            failure = worded(
                refusal, language_of(request.instruction), kept=f"{base.script_id} v{base.number}"
            )
            raise failure from refusal
        except BaseException as error:
            failure = error
            raise
        finally:
            run.close(_result(failure), failure)
        hold.forget()  # there is nothing left to stop, and what was made is to be told
    return _report(run, review)


def _result(failure: BaseException | None) -> RunResult:
    error = failure if isinstance(failure, ScriptEditorError) else None
    return RunResult(stop_reason=_stop_reason(failure), output="", error=error)


def _stop_reason(failure: BaseException | None) -> StopReason:
    match failure:
        case None:
            return "finished"
        case BudgetReached(kind="tokens"):
            return "token_limit"
        case BudgetReached(kind="seconds"):
            return "time_limit"
        case BudgetReached():
            return "model_call_limit"
        case KeyboardInterrupt():
            return "cancelled"
        case ScriptEditorError():
            return "failed"
        case _:
            return "crashed"


def _report(run: Unplanned, review: Review) -> EditReport:
    base, proposal = review.base, review.proposal
    return EditReport(
        outcome="proposed",
        script_id=base.script_id,
        base_number=base.number,
        version=None,
        review=review,
        changes=review.changes,
        seconds_before=round(estimate(base.text).seconds, 1),
        seconds_after=round(estimate(proposal.text).seconds, 1),
        answer="",
        is_quotation=False,
        mode=DIRECT,
        model=proposal.provenance.model or run.run.model,
        run_id=run.run.id,
        usage=run.usage,
        steps=(),
        truth=truth(run.ledger, review.language),
        notes=review.notes,
    )
