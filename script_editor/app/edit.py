"""One instruction on one script: pick a planner, run the agent, report what the program knows to be true."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from script_editor.agent.events import Listener, ignore
from script_editor.agent.executor import Executor
from script_editor.agent.language import language_of
from script_editor.agent.modes import MODES
from script_editor.agent.planner import ModePlanner
from script_editor.agent.steps import AgentStep, Limits, RunResult
from script_editor.agent.tools import Toolbox
from script_editor.app.drafts import checked_text
from script_editor.app.hooks import Hooks
from script_editor.app.locks import LockService
from script_editor.app.notes import ending, note_sentence
from script_editor.app.proposals import ProposalService, Review
from script_editor.app.recording import RunLog, close_run, refusal_hooks
from script_editor.app.requests import prompt
from script_editor.app.rewriter import PartlyDone
from script_editor.app.scope import NO_DEMANDS, Approve, Demands, Ledger, Scope, is_unchanged
from script_editor.app.scripts import ScriptService
from script_editor.app.tools import script_tools
from script_editor.domain.diff import Change, changes
from script_editor.domain.duration import estimate
from script_editor.domain.ports import Rewriter, ScriptStore
from script_editor.domain.references import Reference, Selector
from script_editor.domain.refusals import finding_sentence, worded
from script_editor.domain.script import (
    RunRecord,
    Version,
    canonical_id,
    check_instruction,
    check_text,
)
from script_editor.domain.segments import NumberedScript
from script_editor.errors import (
    BadInput,
    BudgetReached,
    Declined,
    EditRefused,
    GaveUp,
    ScriptEditorError,
    Unfinished,
)
from script_editor.llm.chat import ChatModel, Usage
from script_editor.llm.metered import Metered

Outcome = Literal["saved", "proposed", "answered"]

_ASKING_TOOLS = frozenset({"history", "diff", "list_scripts"})
_BUDGET_STOPS = frozenset({"token_limit", "time_limit"})

MakeRewriter = Callable[[ChatModel, Hooks], Rewriter]
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
    demands: Demands = NO_DEMANDS


@dataclass(frozen=True, slots=True, kw_only=True)
class EditReport:
    """What happened, stated by the program.

    `version` is the newest saved one and `base_number` what the first save was based on; without a
    save both speak of the last proposal, `review`. `changes` lead from that base to the result, and the
    seconds are the estimated spoken times of both.
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
    seconds_before: float
    seconds_after: float
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
    locks: LockService,
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
    request.demands.constraints(NumberedScript(base.script_id, base.number, base.text), instruction)
    meter = Metered(model, on_exchange, max_tokens=limits.max_tokens, max_seconds=limits.max_seconds)
    ledger = Ledger()
    run = store.start_run(mode=mode, model=model.name, input=instruction)
    toolbox = Toolbox(
        script_tools(
            scripts, proposals, locks, make_rewriter(meter, refusal_hooks(store, ledger, instruction, run.id)),
            scope=Scope(base.script_id, instruction, request.author, run.id, request.demands),
            ledger=ledger, approve=approve, read_only=request.preview,
        )
    )  # fmt: skip
    briefing = prompt("briefing", language_of(instruction)).format(script_id=base.script_id)
    planner = ModePlanner(MODES[mode], meter, toolbox, briefing=briefing)
    log = RunLog(store, run, ledger, listener)
    executor = Executor(planner, toolbox, limits=limits, listener=log.listen)
    try:
        result = executor.run(instruction)
        log.close(str(result.error or result.stop_reason))
    except BaseException as error:  # a bug, or a second interrupt: the run must not look alive for ever
        close_run(store, run, RunResult(stop_reason="failed", output=""), meter.usage, type(error).__name__)
        raise
    close_run(store, run, result, meter.usage, str(result.error) if result.error else None)
    try:
        return _Story(request, base, ledger, result).report(scripts, mode=mode, meter=meter, run=run)
    except EditRefused as refusal:
        raise worded(refusal, language_of(instruction), kept=f"{base.script_id} v{base.number}") from refusal


def _known_mode(mode: str) -> str:
    chosen = "tools" if mode == "auto" else mode
    if chosen not in MODES:
        raise BadInput(f"There is no mode {mode!r}.", hint=f"Choose auto, {', '.join(MODES)}.")
    return chosen


def _limits(limits: Limits | None, request: EditRequest) -> Limits:
    limits = limits or Limits()
    return limits if request.max_steps is None else replace(limits, max_steps=request.max_steps)


def filter_text(
    text: str, instruction: str, rewriter: Rewriter, demands: Demands | None = None
) -> tuple[str, tuple[str, ...]]:
    """Return `text` edited by `instruction`, and notes, without any store.

    A text that reads as asked already comes back as it is, with a note. Raises what `edit_script` raises.
    """
    instruction = check_instruction(instruction)
    check_text(text)
    script = NumberedScript("stdin", 1, text)
    if not script.segments:
        raise BadInput("The text is empty, so there is nothing to edit.")
    language = language_of(instruction)
    constraints, notes = (demands or NO_DEMANDS).constraints(script, instruction)
    try:
        rewrite = rewriter(script, instruction, constraints)
        made = checked_text(script, rewrite.plan, instruction=instruction, constraints=constraints)
        warned = tuple(finding_sentence(finding, language) for finding in made.findings)
        told_notes = tuple(note_sentence(note, language) for note in (*notes, *rewrite.notes))
        return made.text, (*told_notes, *warned)
    except PartlyDone as partly:
        cause = partly.__cause__
        assert cause is not None, "something stopped it"
        raise worded(cause, language) if isinstance(cause, EditRefused) else cause from None
    except EditRefused as refusal:
        told = worded(refusal, language)
        if not is_unchanged(refusal):
            raise told from refusal
        return text, (f"{'没有改动。' if language == 'zh' else 'Nothing to change. '}{told}",)


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
            seconds_before=round(estimate(before.text).seconds, 1),
            seconds_after=round(estimate(after).seconds, 1),
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
        if ledger.unfinished is not None:
            raise ledger.unfinished
        if result.stop_reason == "cancelled":
            raise self._stopped_by(KeyboardInterrupt())
        if isinstance(result.error, Declined):
            raise result.error
        if ledger.reviews and self.request.preview:
            return "proposed"
        if result.error is not None:
            raise self._stopped_by(result.error)
        if ledger.refusal is not None:
            raise ledger.refusal
        if result.finished and self._was_a_question():
            return "answered"
        raise self._gave_up()

    def _stopped_by(self, cause: ScriptEditorError | KeyboardInterrupt) -> BaseException:
        """Return what to raise for what stopped the run: it names the proposal that is there, if one is."""
        if not self.ledger.reviews:
            return cause
        proposal = self.ledger.reviews[-1].proposal
        language = language_of(self.request.instruction)
        return Unfinished(
            proposal.script_id, proposal_id=proposal.id, untouched="", cause=cause, language=language
        )

    def _was_a_question(self) -> bool:
        """Say whether the run looked something up and told it, instead of editing."""
        asked = any(step.ok and step.action.tool in _ASKING_TOOLS for step in self.result.steps)
        return asked or self._is_quotation()

    def _is_quotation(self) -> bool:
        told = self.ledger.answers
        return bool(told) and self.result.output.strip() == told[-1].strip()

    def _gave_up(self) -> ScriptEditorError:
        result, language = self.result, language_of(self.request.instruction)
        if self.ledger.reviews:
            said, hint = ending("proposed", language, self.ledger.reviews[-1].proposal.id)
        elif result.finished:
            said, hint = ending("answered", language, " ".join(result.output.split())[:300])
        else:
            said, hint = ending("stopped", language, result.output)
            if result.stop_reason in _BUDGET_STOPS:
                return BudgetReached(said, language=language)
        return GaveUp(said, stop_reason=result.stop_reason, hint=hint, language=language)

    def _warnings(self) -> Iterator[str]:
        is_chinese = language_of(self.request.instruction) == "zh"
        if self.ledger.unfinished is not None:
            yield str(self.ledger.unfinished)
            return  # it says what stopped the run and where the rest is
        if not self.result.finished:
            why = str(self.result.error) if self.result.error else self.result.output
            told = f"The run stopped after this ({self.result.stop_reason}): {why}"
            yield f"此后运行中止（{self.result.stop_reason}）：{why}" if is_chinese else told
        refusal = self.ledger.refusal
        if refusal is not None and (self.ledger.saved or self.ledger.reviews) and not is_unchanged(refusal):
            if isinstance(refusal, EditRefused):
                refusal = worded(refusal, language_of(self.request.instruction))
            yield f"还有一部分没有做：{refusal}" if is_chinese else f"A further part was not done: {refusal}"
