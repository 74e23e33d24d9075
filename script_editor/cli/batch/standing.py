"""How a batch stands and what can be done with it, as every command about it ends."""

from dataclasses import dataclass
from typing import Any

from script_editor.cli.batch import hints, spending, words
from script_editor.cli.batch.data import results_data, tally_data
from script_editor.cli.batch.telling import fitted
from script_editor.cli.session import Session
from script_editor.domain.batches import Tally
from script_editor.errors import BudgetShort, Language


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a batch stands, as a line and as JSON values; `notes` say what its sums leave out, and `steps` are the
    commands that go on from here, "" for none."""

    tally: Tally
    data: dict[str, Any]
    line: str
    notes: list[str]
    steps: str


def standing(
    session: Session,
    batch_id: str,
    language: Language,
    *,
    tally: Tally | None = None,
    short: BudgetShort | None = None,
) -> Standing:
    """Return how a batch stands, by `tally` or as it is now, and warn where it cost more than it was to; `short` is what
    its budget lacks, where that is known.

    Raises BatchNotFound.
    """
    batches = session.app.batches
    tally = batches.status(batch_id) if tally is None else tally
    spending.warn(session, tally)
    results = batches.results(batch_id)
    steps = hints.next_steps(tally, batches.takeable(batch_id), language, short=short)
    return Standing(
        tally=tally,
        data={**tally_data(tally), **results_data(results)},
        line=words.tally_line(tally, language, results),
        notes=spending.notes(tally, language),
        steps=session.as_here(words.joined(steps)),
    )


def tell(session: Session, stands: Standing) -> None:
    """Tell how a batch stands as the result of a command, and what can be done next."""
    tell_result(session, stands)
    tell_steps(session, stands)


def tell_result(session: Session, stands: Standing, **more: Any) -> None:
    """Tell how a batch stands as the result of a command; `more` stands beside it in the JSON object."""
    session.result({**stands.data, **more}, fitted(session, [stands.line]))


def tell_steps(session: Session, stands: Standing) -> None:
    """Tell what the sums leave out, and what can be done next."""
    session.say_lines(stands.notes)
    if stands.steps:
        session.say(stands.steps)
