"""One instruction on one script: pick a planner, run the agent, report what the program knows to be true."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from script_editor.agent.events import Event, Listener, ToolFinished, ignore
from script_editor.agent.executor import Executor
from script_editor.agent.language import language_of
from script_editor.agent.modes import MODES
from script_editor.agent.planner import ModePlanner
from script_editor.agent.steps import AgentStep, Limits, RunResult
from script_editor.agent.tools import Toolbox
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.rewriter import checked_text, prompt
from script_editor.app.scope import Approve, Ledger, Scope, is_unchanged
from script_editor.app.scripts import ScriptService
from script_editor.app.tools import script_tools
from script_editor.domain.diff import Change, changes
from script_editor.domain.operations import Constraints
from script_editor.domain.ports import Rewriter, ScriptStore
from script_editor.domain.references import Reference, Selector
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
from script_editor.errors import BadInput, BudgetReached, Declined, EditRefused, GaveUp, ScriptEditorError
from script_editor.llm.chat import ChatModel, Usage
from script_editor.llm.metered import Metered

Outcome = Literal["saved", "proposed", "answered"]

_ASKING_TOOLS = frozenset({"history", "diff", "list_scripts"})
_BUDGET_STOPS = frozenset({"token_limit", "time_limit"})

MakeRewriter = Callable[[ChatModel], Rewriter]
"""Makes a rewriter that talks to the given model, so that one meter counts planner and rewriter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EditRequest:
    """What a person asked for. With `preview`, nothing is saved, only proposed.

    `max_steps` bounds the turns with tool calls, None leaves the default of `Limits`.
    """

    script_id: str
    instruction: str
    author: str
    mode: str = "auto"
    preview: bool = False
    max_steps: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditReport:
    """What happened, stated by the program.

    `version` is the newest saved one and `base_number` what the first save was based on; without a
    save both speak of the last proposal, `review`. `changes` lead from that base to the result.
    `answer` is what the model said at the end; it proves nothing. `is_quotation` says that it is what
    a tool told, word for word. `warnings` are sentences a person should read, such as a failure after
    the save.
    """

    outcome: Outcome
    script_id: str
    base_number: int
    version: Version | None
    review: Review | None
    changes: tuple[Change, ...]
    answer: str
    is_quotation: bool
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
    model: ChatModel,
    make_rewriter: MakeRewriter,
    approve: Approve,
    limits: Limits | None = None,
    listener: Listener = ignore,
    on_exchange: Callable[[str], None] | None = None,
) -> EditReport:
    """Carry out one instruction on one script and report it.

    Everything that was saved is in the report even if the run failed afterwards. A run that saved and
    proposed nothing raises what stopped it: the last refusal, the failure, or GaveUp.

    Raises:
        BadInstruction, BadScriptId, ScriptNotFound, BadInput: before any model call.
        KeyboardInterrupt: the person interrupted before anything was saved; the run is closed.
        ScriptEditorError: see errors.py; nothing was saved.
    """
    instruction = check_instruction(request.instruction)
    base = scripts.read(canonical_id(request.script_id))
    mode = _known_mode(request.mode)
    limits = _limits(limits, request)
    meter = Metered(model, on_exchange, max_tokens=limits.max_tokens, max_seconds=limits.max_seconds)
    ledger = Ledger()
    run = store.start_run(mode=mode, model=model.name, input=instruction)
    toolbox = Toolbox(
        script_tools(
            scripts, proposals, make_rewriter(meter),
            scope=Scope(base.script_id, instruction, request.author, run.id),
            ledger=ledger, approve=approve, read_only=request.preview,
        )
    )  # fmt: skip
    briefing = prompt("briefing", language_of(instruction)).format(script_id=base.script_id)
    planner = ModePlanner(MODES[mode], meter, toolbox, briefing=briefing)
    executor = Executor(planner, toolbox, limits=limits, listener=_storing(store, run, listener))
    try:
        result = executor.run(instruction)
    except BaseException as error:  # a bug, or a second interrupt: the run must not look alive for ever
        _close_run(store, run, RunResult(stop_reason="failed", output=""), meter.usage, type(error).__name__)
        raise
    _close_run(store, run, result, meter.usage, str(result.error) if result.error else None)
    return _Story(request, base, ledger, result).report(scripts, mode=mode, meter=meter, run=run)


def _known_mode(mode: str) -> str:
    chosen = "tools" if mode == "auto" else mode
    if chosen not in MODES:
        raise BadInput(f"There is no mode {mode!r}.", hint=f"Choose auto, {', '.join(MODES)}.")
    return chosen


def _limits(limits: Limits | None, request: EditRequest) -> Limits:
    limits = limits or Limits()
    return limits if request.max_steps is None else replace(limits, max_steps=request.max_steps)


def filter_text(text: str, instruction: str, rewriter: Rewriter) -> tuple[str, tuple[str, ...]]:
    """Return `text` edited by `instruction`, and notes, without any store.

    A text that reads as asked already comes back as it is, with a note. Raises what `edit_script` raises.
    """
    instruction = check_instruction(instruction)
    check_text(text)
    script = NumberedScript("stdin", 1, text)
    if not script.segments:
        raise BadInput("The text is empty, so there is nothing to edit.")
    try:
        rewrite = rewriter(script, instruction, Constraints())
        return checked_text(script, rewrite.plan, instruction=instruction).text, rewrite.notes
    except EditRefused as refusal:
        if not is_unchanged(refusal):
            raise
        return text, (f"Nothing to change. {refusal}",)


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


def _close_run(
    store: ScriptStore, run: RunRecord, result: RunResult, usage: Usage, error: str | None
) -> None:
    store.finish_run(
        run.id,
        stop_reason=result.stop_reason,
        output=result.output or None,
        error=error,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
    )


# --- what to say -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Story:
    """A run that is over: what it came to, told from the ledger and never from the model's words."""

    request: EditRequest
    base: Version
    ledger: Ledger
    result: RunResult

    def report(self, scripts: ScriptService, *, mode: str, meter: Metered, run: RunRecord) -> EditReport:
        outcome = self._outcome()
        saved, reviews = self.ledger.saved, self.ledger.reviews
        before, after = self._ends(scripts)
        return EditReport(
            outcome=outcome,
            script_id=self.base.script_id,
            base_number=before.number,
            version=saved[-1] if saved else None,
            review=reviews[-1] if reviews else None,
            changes=changes(before.text, after),
            answer=self.result.output,
            is_quotation=self._is_quotation(),
            mode=mode,
            model=(reviews[-1].proposal.provenance.model if reviews else None) or meter.name,
            run_id=run.id,
            usage=meter.usage,
            steps=self.result.steps,
            notes=tuple(note for made in reviews for note in made.notes),
            warnings=tuple(self._warnings()),
        )

    def _ends(self, scripts: ScriptService) -> tuple[Version, str]:
        """Return the version that the first save was based on, and the text it all came to."""
        if self.ledger.saved:
            first = self.ledger.saved[0]
            parent = Selector(number=first.parent_number)
            return scripts.read(Reference(first.script_id, parent)), self.ledger.saved[-1].text
        if self.ledger.reviews:
            return self.ledger.reviews[-1].base, self.ledger.reviews[-1].proposal.text
        return self.base, self.base.text

    def _outcome(self) -> Outcome:
        ledger, result = self.ledger, self.result
        if ledger.saved:
            return "saved"
        if result.stop_reason == "cancelled":
            raise KeyboardInterrupt
        if isinstance(result.error, Declined):
            raise result.error
        if ledger.reviews and self.request.preview:
            return "proposed"
        if result.error is not None:
            raise result.error
        if ledger.refusal is not None:
            raise ledger.refusal
        if result.finished and self._was_a_question():
            return "answered"
        raise self._gave_up()

    def _was_a_question(self) -> bool:
        """Say whether the run looked something up and told it, instead of editing."""
        asked = any(step.ok and step.action.tool in _ASKING_TOOLS for step in self.result.steps)
        return asked or self._is_quotation()

    def _is_quotation(self) -> bool:
        told = self.ledger.answers
        return bool(told) and self.result.output.strip() == told[-1].strip()

    def _gave_up(self) -> ScriptEditorError:
        result = self.result
        if self.ledger.reviews:
            id = self.ledger.reviews[-1].proposal.id
            return GaveUp(
                "The model proposed a change but did not save it.",
                stop_reason=result.stop_reason,
                hint=f"Save it: script-editor apply {id}",
            )
        if result.stop_reason in _BUDGET_STOPS:
            return BudgetReached(f"{result.output} Nothing was saved.")
        if result.finished:
            said = " ".join(result.output.split())
            return GaveUp(
                f"The model answered without editing, so nothing was saved. It said: {said[:300]}",
                stop_reason=result.stop_reason,
                hint="Put the request in other words, try another --mode, or another model with --model.",
            )
        return GaveUp(
            f"{result.output} Nothing was saved.",
            stop_reason=result.stop_reason,
            hint="Put the request in other words, try another --mode, or another model with --model.",
        )

    def _warnings(self) -> Iterator[str]:
        if not self.result.finished:
            why = str(self.result.error) if self.result.error else self.result.output
            yield f"The run stopped after this ({self.result.stop_reason}): {why}"
        refusal = self.ledger.refusal
        if refusal is not None and (self.ledger.saved or self.ledger.reviews) and not is_unchanged(refusal):
            yield f"A further part was not done: {refusal}"
