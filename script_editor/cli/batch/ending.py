"""How a command about a batch ends: where the batch stands, why, how to go on, and the exit code."""

from typing import assert_never

from script_editor.batch.progress import BatchCancelled, BatchEnded, Last, Left, Paused
from script_editor.cli.batch import sentences, words
from script_editor.cli.batch.standing import standing, tell_steps
from script_editor.cli.batch.telling import fitted
from script_editor.cli.session import Session, error_code, print_error
from script_editor.domain.batches import Tally
from script_editor.errors import (
    BatchTroubled,
    BudgetReached,
    BudgetShort,
    Language,
    ModelFailure,
    ScriptEditorError,
    SetupError,
)
from script_editor.errors.endings import INTERRUPTED


def ended(session: Session, batch_id: str, last: Last | None) -> int:
    """Tell how a batch ended, or that a person stopped looking; return the exit code."""
    tally = last.tally if last else session.app.batches.status(batch_id)
    short = session.app.batches.shortage(batch_id)
    code, error, message = _ending(last, tally, session.language, short)
    stands = standing(session, batch_id, session.language, tally=tally, short=short)
    if session.json and code:
        print_error(error, message, stands.steps, data=stands.data, warnings=session.warnings)
    else:
        session.result(stands.data, fitted(session, [stands.line]))
    if message:
        session.say(message)
    tell_steps(session, stands)
    return code


def refused(session: Session, batch_id: str, refusal: SetupError | ModelFailure) -> int:
    """Tell how a batch stands after no call had a prospect any more, why, and how to go on; return the exit code."""
    try:
        stands = standing(session, batch_id, session.language)
    except ScriptEditorError:  # the store is out of order, and that is what was to be told
        raise refusal from None
    if session.json:
        hint = words.joined([told for told in (session.as_here(refusal.hint), stands.steps) if told])
        print_error(error_code(refusal), str(refusal), hint, data=stands.data, warnings=session.warnings)
        return refusal.exit_code
    session.result(stands.data, fitted(session, [stands.line]))
    session.failure(refusal)
    tell_steps(session, stands)
    return refusal.exit_code


def _ending(
    last: Last | None, tally: Tally, language: Language, short: BudgetShort | None
) -> tuple[int, str, str]:
    """Return the exit code, the name of the error and a sentence; "" where the line about the batch says it all."""
    batch_id = tally.batch.id
    match last:
        case BatchEnded():
            lost = tally.count("failed", "conflict", "dead", "cancelled")
            troubled = BatchTroubled(batch_id, troubled=lost, total=tally.batch.total)
            said = sentences.troubled(lost, tally.batch.total, language)
            return (troubled.exit_code, troubled.code, said) if lost else (0, "", "")
        case Paused(reason="sample"):
            return 0, "", ""
        case Paused(reason="budget"):
            return BudgetReached.exit_code, BudgetReached.code, sentences.budget_used(language, short)
        case Paused(reason="refused" | "empty"):
            return SetupError.exit_code, SetupError.code, ""
        case Paused(reason="unreachable"):
            return ModelFailure.exit_code, ModelFailure.code, ""
        case Paused():
            return INTERRUPTED, "interrupted", ""
        case BatchCancelled():
            lost = tally.batch.total - tally.count("done", "unchanged")
            return (
                BatchTroubled.exit_code,
                "cancelled",
                sentences.cancelled(lost, tally.batch.total, language),
            )
        case Left():
            return INTERRUPTED, "interrupted", sentences.left_to_others(last.other_workers, language)
        case None:
            return (
                INTERRUPTED,
                "interrupted",
                sentences.watched(language, goes_on=tally.batch.state == "running"),
            )
        case _:
            assert_never(last)
