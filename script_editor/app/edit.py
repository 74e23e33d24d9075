"""One instruction on one script: pick a planner, run the agent, report what the program knows to be true."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from script_editor.agent.events import Event, Listener, ToolFinished, ignore
from script_editor.agent.executor import Executor
from script_editor.agent.modes import MODES
from script_editor.agent.planner import ModePlanner
from script_editor.agent.steps import AgentStep, Limits, RunResult
from script_editor.agent.tools import Toolbox
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.rewriter import checked_text, language_of, prompt
from script_editor.app.scope import Approve, Ledger, Scope
from script_editor.app.scripts import ScriptService
from script_editor.app.tools import script_tools
from script_editor.domain.diff import Change, changes
from script_editor.domain.operations import Constraints
from script_editor.domain.ports import Rewriter, ScriptStore
from script_editor.domain.script import (
    RunRecord,
    StepRecord,
    Version,
    canonical_id,
    check_instruction,
    check_text,
    utc_now,
)
from script_editor.domain.segments import NumberedScript
from script_editor.errors import BudgetReached, Declined, GaveUp, ScriptEditorError
from script_editor.llm.chat import Usage
from script_editor.llm.metered import Metered

Outcome = Literal["saved", "proposed", "answered", "unchanged"]

_ASKING_TOOLS = frozenset({"history", "diff", "list_scripts"})
_BUDGET_STOPS = frozenset({"token_limit", "time_limit"})


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRequest:
    """What a person asked for. With `preview`, nothing is saved, only proposed."""

    script_id: str
    instruction: str
    author: str
    mode: str = "auto"
    preview: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EditReport:
    """What happened, stated by the program. `version` is the newest saved one, `review` the last proposal made.

    `answer` is what the model said at the end; it proves nothing. `warnings` are sentences a person
    should read, such as a failure after the save.
    """

    outcome: Outcome
    script_id: str
    base_number: int
    version: Version | None
    review: Review | None
    changes: tuple[Change, ...]
    answer: str
    mode: str
    model: str
    run_id: str
    usage: Usage
    steps: tuple[AgentStep, ...]
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def edit_script(
    request: EditRequest,
    *,
    store: ScriptStore,
    scripts: ScriptService,
    proposals: ProposalService,
    model: Metered,
    rewriter: Rewriter,
    approve: Approve,
    limits: Limits | None = None,
    listener: Listener = ignore,
) -> EditReport:
    """Carry out one instruction on one script and report it.

    Everything that was saved is in the report even if the run failed afterwards. A run that saved and
    proposed nothing raises what stopped it: the last refusal, the failure, or GaveUp.

    Raises:
        BadInstruction, BadScriptId, ScriptNotFound: before any model call.
        ScriptEditorError: see errors.py; nothing was saved.
    """
    instruction = check_instruction(request.instruction)
    base = scripts.read(canonical_id(request.script_id))
    mode = "tools" if request.mode == "auto" else request.mode
    run = store.start_run(mode=mode, model=model.name, input=instruction)
    ledger = Ledger()
    toolbox = Toolbox(
        script_tools(
            scripts, proposals, rewriter,
            scope=Scope(base.script_id, instruction, request.author, run.id),
            ledger=ledger, approve=approve, read_only=request.preview,
        )
    )  # fmt: skip
    briefing = prompt("briefing", language_of(instruction)).format(script_id=base.script_id)
    planner = ModePlanner(MODES[mode], model, toolbox, briefing=briefing)
    executor = Executor(planner, toolbox, limits=limits or Limits(), listener=_storing(store, run, listener))
    result = executor.run(instruction)
    _close_run(store, run, result, model.usage)
    return _report(request, base, ledger, result, mode, model, run)


def filter_text(text: str, instruction: str, rewriter: Rewriter) -> tuple[str, tuple[str, ...]]:
    """Return `text` edited by `instruction`, and notes, without any store.

    Raises what `edit_script` raises; an edit that changes nothing raises EditRefused("unchanged").
    """
    instruction = check_instruction(instruction)
    check_text(text)
    script = NumberedScript("stdin", 1, text)
    rewrite = rewriter(script, instruction, Constraints())
    return checked_text(script, rewrite.plan, instruction=instruction).text, rewrite.notes


# --- the run log in the store ----------------------------------------------------------------


def _storing(store: ScriptStore, run: RunRecord, listener: Listener) -> Listener:
    """Return a listener that keeps every step in the store before it tells the next one."""
    count = 0

    def listen(event: Event) -> None:
        nonlocal count
        if isinstance(event, ToolFinished):
            count += 1
            store.record_step(_step_record(run.id, count, event.step))
        listener(event)

    return listen


def _step_record(run_id: str, seq: int, step: AgentStep) -> StepRecord:
    return StepRecord(
        run_id=run_id,
        seq=seq,
        tool=step.action.tool,
        tool_input=json.loads(json.dumps(step.action.arguments)),
        log=step.action.log,
        observation=step.observation if step.ok else None,
        error=None if step.ok else step.observation,
        duration_ms=round(step.seconds * 1000),
        created_at=utc_now(),
    )


def _close_run(store: ScriptStore, run: RunRecord, result: RunResult, usage: Usage) -> None:
    store.finish_run(
        run.id,
        stop_reason=result.stop_reason,
        output=result.output or None,
        error=str(result.error) if result.error else None,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
    )


# --- what to say -----------------------------------------------------------------------------


def _report(
    request: EditRequest,
    base: Version,
    ledger: Ledger,
    result: RunResult,
    mode: str,
    model: Metered,
    run: RunRecord,
) -> EditReport:
    outcome = _outcome(request, ledger, result)
    version = ledger.saved[-1] if ledger.saved else None
    review = ledger.reviews[-1] if ledger.reviews else None
    after = version.text if version else review.proposal.text if review else base.text
    return EditReport(
        outcome=outcome,
        script_id=base.script_id,
        base_number=base.number,
        version=version,
        review=review,
        changes=changes(base.text, after),
        answer=result.output,
        mode=mode,
        model=(review.proposal.provenance.model if review else None) or model.name,
        run_id=run.id,
        usage=model.usage,
        steps=result.steps,
        notes=tuple(note for made in ledger.reviews for note in made.notes),
        warnings=_warnings(result),
    )


def _outcome(request: EditRequest, ledger: Ledger, result: RunResult) -> Outcome:
    if ledger.saved:
        return "saved"
    if result.error is not None and not isinstance(result.error, Declined):
        raise result.error
    if ledger.reviews and request.preview:
        return "proposed"
    if result.error is not None:
        raise result.error
    if ledger.refusal is not None:
        raise ledger.refusal
    if result.stop_reason == "cancelled":
        raise KeyboardInterrupt
    if result.finished and _was_a_question(ledger, result):
        return "answered"
    raise _gave_up(request, result)


def _was_a_question(ledger: Ledger, result: RunResult) -> bool:
    """Say whether the run looked something up and told it, instead of editing."""
    asked = any(step.ok and step.action.tool in _ASKING_TOOLS for step in result.steps)
    return asked or (bool(ledger.answers) and result.output.strip() == ledger.answers[-1].strip())


def _gave_up(request: EditRequest, result: RunResult) -> ScriptEditorError:
    if result.stop_reason in _BUDGET_STOPS:
        return BudgetReached(f"{result.output} Nothing was saved.")
    if result.finished:
        said = " ".join(result.output.split())
        return GaveUp(
            f"The model answered without editing, so nothing was saved. It said: {said[:300]}",
            stop_reason=result.stop_reason,
            hint="Put the request in other words, try --mode react, or choose another model with --model.",
        )
    return GaveUp(
        f"{result.output} Nothing was saved.",
        stop_reason=result.stop_reason,
        hint=f"See each step: script-editor edit {request.script_id} … -v",
    )


def _warnings(result: RunResult) -> tuple[str, ...]:
    if result.finished:
        return ()
    why: Sequence[str] = (str(result.error),) if result.error else (result.output,)
    return tuple(f"The run stopped after this ({result.stop_reason}): {sentence}" for sentence in why)
