"""The question before a batch that will cost much; a small one, or one with a budget, is run without."""

from collections.abc import Collection
from typing import TYPE_CHECKING

import click

from script_editor.cli.session import Session
from script_editor.errors import Declined, Language

if TYPE_CHECKING:
    from script_editor.batch.outlook import Outlook
    from script_editor.batch.planning.estimate import Estimate
    from script_editor.batch.service import HowToRun
    from script_editor.domain.batches import ItemState

ASK_ABOVE_MONEY = 1.0
"""In the currency of the prices that are set."""
ASK_ABOVE_TOKENS = 1_000_000
"""Where no prices are."""


def check_cost(
    session: Session, batch_id: str, how: "HowToRun", *, yes: bool, states: "Collection[ItemState]" = ()
) -> None:
    """Ask before what is left of a batch is run, with the items in `states`, if that will cost much.

    Raises:
        Declined: the person would rather not.
        UsageError: nobody can be asked.
    """
    from script_editor.batch.terms import budget_of

    service = session.app.batches
    has_budget = budget_of(service.status(batch_id).batch.bounds, how) is not None
    if yes or has_budget:
        return
    left = service.outlook(batch_id, how, again=states)
    if not _is_much(left.estimate):
        return
    said = _said(left, session.language)
    if not session.interactive:
        raise click.UsageError(
            f"{said} Nobody can be asked here: --yes says that it is meant, --budget caps it."
        )
    from script_editor.cli.questions import confirm

    zh = session.language == "zh"
    if not confirm(f"{said}{'现在运行？' if zh else ' Run it?'}", default=False, language=session.language):
        raise Declined("没有运行。" if zh else "Nothing was run.", hint=_hint(batch_id, session.language))


def _is_much(estimate: "Estimate") -> bool:
    if estimate.cost is not None:
        return estimate.cost[1] > ASK_ABOVE_MONEY
    return estimate.sent[1] + estimate.received[1] > ASK_ABOVE_TOKENS


def _said(left: "Outlook", language: Language) -> str:
    from script_editor.cli.batch import plans, words

    number, taken = words.scripts(left.items, language), plans.estimated(left.estimate, language)
    return f"{number}：{taken}。" if language == "zh" else f"{number}: {taken}."


def _hint(batch_id: str, language: Language) -> str:
    run = f"script-editor batch run {batch_id}"
    if language == "zh":
        return f"先试几个：{run} --sample 2     设上限：{run} --budget N"
    return f"Try a few: {run} --sample 2     Cap it: {run} --budget N"
