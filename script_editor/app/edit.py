"""One instruction on one script: pick a planner, run the agent, report what the program knows to be true."""

from dataclasses import dataclass

from script_editor import interrupts
from script_editor.agent.executor import MAX_THREADS
from script_editor.agent.language import language_of
from script_editor.agent.steps import AgentStep, Limits
from script_editor.app.errand import Errand, MakeRewriter, Ran, run_errand
from script_editor.app.outcome import Outcome, Story
from script_editor.app.proposals import Review
from script_editor.app.scope import NO_DEMANDS, Approve, Demands, Ledger
from script_editor.app.scripts import ScriptService
from script_editor.app.services import NOBODY, Audience, Services
from script_editor.app.truth import truth
from script_editor.domain.diff import Change, changes
from script_editor.domain.duration import estimate
from script_editor.domain.references import Reference, Selector
from script_editor.domain.refusals import worded
from script_editor.domain.script import (
    Version,
    canonical_id,
    check_instruction,
)
from script_editor.domain.segments import NumberedScript
from script_editor.errors import (
    EditRefused,
)
from script_editor.llm.chat import ChatModel, Usage


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
    a tool told, word for word. `truth` is the program's own sentence about what changed, and
    `claims_unproven` says that the answer tells of an edit that did not happen.
    `warnings` are sentences a person should read, such as a failure after the save.
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
    truth: str = ""
    claims_unproven: bool = False
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def edit_script(
    request: EditRequest,
    *,
    services: Services,
    model: ChatModel,
    make_rewriter: MakeRewriter,
    approve: Approve,
    limits: Limits | None = None,
    audience: Audience = NOBODY,
    max_threads: int = MAX_THREADS,
) -> EditReport:
    """Carry out one instruction on one script and report it.

    Everything that was saved is in the report even if the run failed afterwards. A run that saved and
    proposed nothing raises what stopped it: the last refusal, the failure, or GaveUp. `max_threads` is how many
    calls that only read may run beside each other.

    Raises:
        BadInstruction, BadScriptId, ScriptNotFound, BadInput: before any model call.
        KeyboardInterrupt: the person interrupted before anything was saved; the run is closed.
        ScriptEditorError: see errors.py; nothing was saved.
    """
    instruction = check_instruction(request.instruction)
    base = services.scripts.read(canonical_id(request.script_id))
    request.demands.constraints(NumberedScript(base.script_id, base.number, base.text), instruction)
    errand = Errand(
        instruction=instruction,
        author=request.author,
        script_id=base.script_id,
        mode=request.mode,
        read_only=request.preview,
        max_steps=request.max_steps,
        demands=request.demands,
    )
    with interrupts.held() as hold:  # what was saved is told, whenever somebody presses Ctrl-C
        ran = run_errand(
            errand,
            services=services,
            model=model,
            make_rewriter=make_rewriter,
            approve=approve,
            limits=limits,
            audience=audience,
            max_threads=max_threads,
        )
        try:
            return _Told(base, ran, Story(errand, ran)).report(services.scripts)
        except EditRefused as refusal:
            raise worded(
                refusal, language_of(instruction), kept=f"{base.script_id} v{base.number}"
            ) from refusal
        finally:
            hold.forget()  # the run is over: there is nothing left to stop


# --- what to say -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Told:
    """A run that is over: what it came to, told from the ledger and never from the model's words."""

    base: Version
    ran: Ran
    story: Story

    @property
    def ledger(self) -> Ledger:
        return self.ran.ledger

    def report(self, scripts: ScriptService) -> EditReport:
        outcome = self.story.outcome(answering=self.story.looked_up)
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
            answer=self.ran.result.output,
            is_quotation=self.story.is_quotation,
            mode=self.ran.mode,
            model=(reviews[-1].proposal.provenance.model if reviews else None) or self.ran.model,
            run_id=self.ran.run.id,
            usage=self.ran.usage,
            steps=self.ran.result.steps,
            truth=truth(self.ledger, self.story.language),
            claims_unproven=self.ran.claims_unproven,
            notes=tuple(note for made in reviews for note in made.notes),
            warnings=tuple(self.story.warnings()),
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
