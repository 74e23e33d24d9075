"""One instruction over the whole store, and one turn of a chat: what was asked, what came of it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from script_editor import interrupts
from script_editor.agent.language import language_of
from script_editor.agent.steps import AgentStep, Limits
from script_editor.app.errand import Errand, MakeRewriter, Ran, run_errand
from script_editor.app.outcome import Outcome as Outcome
from script_editor.app.outcome import Story
from script_editor.app.proposals import Review
from script_editor.app.reach import check_named
from script_editor.app.scope import Approve
from script_editor.app.scripts import ScriptService
from script_editor.app.services import NOBODY, Audience, Services
from script_editor.app.truth import facts, truth
from script_editor.domain.diff import Change, changes
from script_editor.domain.duration import estimate
from script_editor.domain.references import Reference, Selector
from script_editor.domain.refusals import worded
from script_editor.domain.script import Version, canonical_id, check_instruction
from script_editor.errors import EditRefused
from script_editor.llm.chat import ChatModel, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What a run did to one script: the version before its first save there, and the one after its last."""

    base: Version
    version: Version
    changes: tuple[Change, ...]
    seconds_before: float
    seconds_after: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AskReport:
    """What happened, stated by the program.

    `changed` holds each script that got a new version, in the order of the first save; `proposals` what is kept
    and not saved. `answer` is what the model said at the end, "" when the run was stopped, and proves nothing:
    `truth` is the program's own sentence about what changed, in the language of the instruction. `is_quotation`
    says that the answer is what a tool told, word for word; `claims_unproven` that it tells of an edit that did
    not happen, `is_undone` that an edit was ordered and no script named, so that nothing was done. `facts`
    are the same truth in sentences that a later turn can rely on, one for each version or proposal.
    """

    outcome: Outcome
    changed: tuple[Changed, ...]
    proposals: tuple[Review, ...]
    answer: str
    truth: str
    is_quotation: bool
    claims_unproven: bool
    mode: str
    model: str
    run_id: str
    usage: Usage
    steps: tuple[AgentStep, ...]
    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    is_undone: bool = False


def ask_store(
    request: Errand,
    *,
    services: Services,
    model: ChatModel,
    make_rewriter: MakeRewriter,
    approve: Approve,
    limits: Limits | None = None,
    audience: Audience = NOBODY,
) -> AskReport:
    """Carry out or answer one instruction, over the whole store or as a turn of a chat, and report it.

    Everything that was saved is in the report even if the run failed afterwards. An answer without an edit is
    a result too. What was refused is raised when nothing was saved; in a chat it is a warning, beside the answer.

    Raises:
        BadInstruction, BadScriptId, ScriptNotFound, BadInput: before any model call.
        KeyboardInterrupt: the person interrupted before anything was saved; the run is closed.
        ScriptEditorError: see errors.py; nothing was saved.
    """
    instruction, scripts = check_instruction(request.instruction), services.scripts
    script_id = None if request.script_id is None else scripts.info(canonical_id(request.script_id)).id
    errand = replace(request, instruction=instruction, script_id=script_id)
    if script_id is None and request.chat_id is None:
        check_named(scripts, instruction)
    with interrupts.held() as hold:  # what was saved is told, whenever somebody presses Ctrl-C
        ran = run_errand(
            errand,
            services=services,
            model=model,
            make_rewriter=make_rewriter,
            approve=approve,
            limits=limits,
            audience=audience,
        )
        try:
            return _report(Story(errand, ran), ran, scripts)
        except EditRefused as refusal:
            raise worded(refusal, language_of(instruction), kept=script_id or "") from refusal
        finally:
            hold.forget()  # the run is over: there is nothing left to stop


def _report(story: Story, ran: Ran, scripts: ScriptService) -> AskReport:
    outcome = story.outcome(answering=True)
    ledger = ran.ledger
    return AskReport(
        outcome=outcome,
        changed=tuple(_changed(ran, scripts)),
        proposals=ledger.kept,
        answer=ran.result.output if ran.result.finished or ran.result.concluded else "",
        truth=truth(ledger, story.language),
        is_quotation=story.is_quotation,
        claims_unproven=ran.claims_unproven,
        mode=ran.mode,
        model=ran.model,
        run_id=ran.run.id,
        usage=ran.usage,
        steps=ran.result.steps,
        facts=facts(ledger, story.language),
        notes=tuple(note for made in ledger.reviews for note in made.notes),
        warnings=tuple(story.warnings()),
        is_undone=outcome == "answered" and story.is_undone,
    )


def _changed(ran: Ran, scripts: ScriptService) -> Iterator[Changed]:
    for script_id, versions in ran.ledger.saved_by_script.items():
        first, last = versions[0], versions[-1]
        base = scripts.read(Reference(script_id, Selector(number=first.parent_number)))
        yield Changed(
            base=base,
            version=last,
            changes=changes(base.text, last.text),
            seconds_before=round(estimate(base.text).seconds, 1),
            seconds_after=round(estimate(last.text).seconds, 1),
        )
