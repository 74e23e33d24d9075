"""One item: the same edit as `edit` makes, over a store that stands still, and what came of it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

from script_editor.agent.language import Language, language_of
from script_editor.agent.steps import Limits
from script_editor.app.decisions import check_may_be_saved
from script_editor.app.direct import edit_directly
from script_editor.app.edit import EditReport, EditRequest, edit_script
from script_editor.app.errand import MakeRewriter
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.app.notes import ending as said_of
from script_editor.app.scope import Demands, is_unchanged
from script_editor.app.services import Audience, Services
from script_editor.batch.items.durable_model import DurableModel
from script_editor.batch.items.loaded import Loaded
from script_editor.batch.items.pinned import Collected, PinnedStore
from script_editor.domain.batches import DIRECT, Ending, Item, Made, Recipe, RunTaken, Wishes
from script_editor.domain.ports import ScriptStore
from script_editor.domain.refusals import worded
from script_editor.domain.refusals.failures_zh import failure_zh, next_step_zh
from script_editor.domain.script import Proposal
from script_editor.domain.targets import parse_target
from script_editor.errors import (
    OF_THE_STORE,
    EditRefused,
    GaveUp,
    Overtaken,
    ScriptArchived,
    ScriptEditorError,
)

_LIMITS = Limits(max_seconds=None)
"""A replay must not depend on the clock: steps and calls are counted instead."""


def demands_of(wishes: Wishes) -> Demands:
    """Return what the wishes of an item ask for. Raises BadInput for a target that says no time."""
    duration = None if wishes.target is None else parse_target(wishes.target)
    return Demands(only=wishes.only, keep=wishes.keep, duration=duration)


def run_item(
    item: Item,
    recipe: Recipe,
    loaded: Loaded,
    *,
    store: ScriptStore,
    model: DurableModel,
    make_rewriter: MakeRewriter,
    journals: Journals = NO_JOURNAL,
) -> Ending:
    """Carry out one item and return what it came to; nothing is written.

    Calls of `model` are all that the ending depends on besides the arguments, and of `store` only versions, which never
    change: with the same replies it is the same, byte for byte. A script that has moved or is archived costs no
    call. Every error that the program raises on purpose is an ending.

    Raises:
        StoreUnusable, StoreFull: nothing is wrong with the item, and it should be tried again.
        Interrupted: see `Steps.step`.
    """
    if loaded.is_archived or loaded.head_number != loaded.base_number:
        return _overtaken(item, loaded)
    language = language_of(item.job.instruction)
    pinned = _pinned(item, loaded, store, model)
    report, failure = _tried(
        partial(_edited, item, recipe, Services.over(pinned), model, make_rewriter, journals),
        kept=f"{item.job.script_id} v{loaded.base_number}",
        language=language,
    )
    model.check()
    warnings = report.warnings if report else ()
    return _ending(pinned.collected, failure, warnings=warnings, language=language)


def _pinned(item: Item, loaded: Loaded, store: ScriptStore, model: DurableModel) -> PinnedStore:
    return PinnedStore(
        store,
        item.job.script_id,
        loaded.base_number,
        locks=loaded.locks,
        run_id=f"r-{item.batch_id.removeprefix('b-')}-{item.job.seq}-{item.attempt}",
        now=lambda: loaded.at + timedelta(seconds=model.seconds),
    )


def _tried(
    edit: Callable[[], EditReport], *, kept: str, language: Language
) -> tuple[EditReport | None, ScriptEditorError | None]:
    """Return what an edit reports, and what speaks against saving it as it stands; both where a result was refused.

    `kept` is the version that stays where it was refused. What the store is to blame for is raised.
    """
    report: EditReport | None = None
    try:
        report = edit()
        _check(report, language)
    except OF_THE_STORE:
        raise
    except EditRefused as refusal:
        return report, worded(refusal, language, kept=kept)
    except ScriptEditorError as error:
        return report, error
    return report, None


def _overtaken(item: Item, loaded: Loaded) -> Ending:
    script_id, language = item.job.script_id, language_of(item.job.instruction)
    if loaded.is_archived:
        return _told(Ending(state="failed", language=language), ScriptArchived(script_id))
    overtaken = Overtaken(
        script_id, expected=loaded.base_number, actual=loaded.head_number, batch_id=item.batch_id
    )
    return _told(Ending(state="conflict", language=language), overtaken)


def _edited(
    item: Item,
    recipe: Recipe,
    services: Services,
    model: DurableModel,
    make_rewriter: MakeRewriter,
    journals: Journals,
) -> EditReport:
    job = item.job
    request = EditRequest(
        script_id=job.script_id,
        instruction=job.instruction,
        author=recipe.author,
        mode=recipe.mode,
        preview=True,
        demands=demands_of(job.wishes),
    )
    audience = Audience(journals=journals, streams=False)
    if recipe.mode == DIRECT:
        return edit_directly(
            request,
            services=services,
            model=model,
            make_rewriter=make_rewriter,
            limits=_LIMITS,
            audience=audience,
        )
    return edit_script(
        request,
        services=services,
        model=model,
        make_rewriter=make_rewriter,
        approve=lambda _pending: False,
        limits=_LIMITS,
        audience=audience,
        max_threads=1,  # the order of the calls is the order of the steps
    )


def _check(report: EditReport, language: Language) -> None:
    """Raises EditRefused for a result that only a person may save, and GaveUp where there is none."""
    if report.review is not None:
        check_may_be_saved(report.review)
        return
    said, hint = said_of("answered", language, " ".join(report.answer.split())[:300])
    raise GaveUp(said, stop_reason="finished", hint=hint, language=language)


def _ending(
    collected: Collected,
    failure: ScriptEditorError | None,
    *,
    warnings: tuple[str, ...] = (),
    language: Language,
) -> Ending:
    proposal, run = collected.standing, collected.run
    notes = () if proposal is None else proposal.notes
    ending = Ending(
        state="done",
        made=None if proposal is None else _made(proposal),
        run=_run(collected),
        prompt_tokens=run.prompt_tokens if run and run.usage_known else None,
        completion_tokens=run.completion_tokens if run and run.usage_known else None,
        notes=(*notes, *warnings),
        language=language,
    )
    if failure is None:
        return ending
    needs_nothing = ending.made is None and (is_unchanged(failure) or _is_moot(failure))
    return _told(replace(ending, state="unchanged" if needs_nothing else "failed"), failure)


def _is_moot(failure: BaseException | None) -> bool:
    """Say whether what was to be edited is not in the script, and nothing else was asked for.

    It is known of the first of the errors; it was worded, or told as the end of a run, since.
    """
    while failure is not None:
        if isinstance(failure, EditRefused) and failure.is_moot:
            return True
        # One that was worded already is raised from itself.
        failure = None if failure.__cause__ is failure else failure.__cause__
    return False


def _told(ending: Ending, failure: ScriptEditorError) -> Ending:
    """Return an ending with what went wrong, in the language of the instruction."""
    if failure.is_bilingual:
        failure.language = ending.language
    said, hint = str(failure), failure.hint
    if ending.language == "zh" and failure.language is None:
        said, hint = failure_zh(said), next_step_zh(hint)
    return replace(
        ending,
        error_type=failure.reason if isinstance(failure, EditRefused) else failure.code,
        error=said,
        hint=hint,
    )


def _made(proposal: Proposal) -> Made:
    return Made(
        text=proposal.text,
        provenance=proposal.provenance,
        findings=proposal.findings,
        notes=proposal.notes,
        proposal_id=proposal.id,
    )


def _run(collected: Collected) -> RunTaken | None:
    run = collected.run
    if run is None:
        return None
    return RunTaken(
        id=run.id,
        mode=run.mode,
        model=run.model,
        input=run.input,
        started_at=run.started_at,
        stop_reason=run.stop_reason or "failed",
        output=run.output,
        error=run.error,
        prompt_tokens=run.prompt_tokens,
        completion_tokens=run.completion_tokens,
        usage_known=run.usage_known is not False,
        steps=tuple(collected.steps),
        refusals=tuple(collected.refusals),
    )
