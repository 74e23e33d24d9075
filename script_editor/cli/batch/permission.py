"""The question before a batch that will cost much; a small one, or one with a budget, is run without."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from script_editor.cli.session import Session
from script_editor.errors import BadInput, Declined, Language

if TYPE_CHECKING:
    from script_editor.batch.outlook import Outlook
    from script_editor.batch.planning.estimate import Estimate
    from script_editor.batch.service import HowToRun, Verb
    from script_editor.domain.batches import ItemState, Tally

ASK_ABOVE_MONEY = 1.0
"""In the currency of the prices that are set."""
ASK_ABOVE_TOKENS = 1_000_000
"""Where no prices are."""


class Unasked(BadInput):
    """A batch will cost much, nobody can be asked whether it is meant, and nothing says so."""

    code = "unasked"


def check_cost(
    session: Session, verb: "Verb", batch_id: str, how: "HowToRun", *, states: "Collection[ItemState]" = ()
) -> None:
    """Ask before what is left of a batch is run by `verb`, with the items in `states`, if that will cost much.

    Enter alone means no, unlike at the question whether an edit is saved: nothing was shown yet, and money that is
    spent cannot be taken back.

    Raises:
        Declined: the person would rather not.
        Unasked: nobody can be asked.
    """
    from script_editor.batch.terms import budget_of

    service = session.app.batches
    has_budget = budget_of(service.status(batch_id).batch.bounds, how) is not None
    if has_budget:
        return
    left = service.outlook(batch_id, how, again=states)
    if not _is_much(left.estimate):
        return
    language = session.language
    said, cap = _said(left, language), _cap(service.status(batch_id), left)
    if not session.interactive:
        raise _unasked(left, cap)
    from script_editor.cli.questions import confirm

    zh = language == "zh"
    if not confirm(f"{said}{'现在运行？' if zh else ' Run it?'}", default=False, language=language):
        raise Declined(
            "没有运行。" if zh else "Nothing was run.", hint=_hint(verb, batch_id, cap, how.sample, language)
        )


def _is_much(estimate: "Estimate") -> bool:
    if estimate.cost is not None:
        return estimate.cost[1] > ASK_ABOVE_MONEY
    return estimate.sent[1] + estimate.received[1] > ASK_ABOVE_TOKENS


def _said(left: "Outlook", language: Language) -> str:
    from script_editor.cli.batch import plans, words

    number, taken = words.scripts(left.items, language), plans.estimated(left.estimate, language)
    return f"{number}：{taken}。" if language == "zh" else f"{number}: {taken}."


def _unasked(left: "Outlook", cap: str) -> Unasked:
    return Unasked(
        f"{_said(left, 'en')} Nobody can be asked here whether it is to be run.",
        hint="Say that it is meant: --yes" + (f"     Cap it: {cap}" if cap else ""),
        zh=f"{_said(left, 'zh')}这里没法询问是否运行。",
        zh_hint="确实要运行：加上 --yes" + (f"     设上限：{cap}" if cap else ""),
    )


def _hint(verb: str, batch_id: str, cap: str, sample: int | None, language: Language) -> str:
    run, zh = f"script-editor batch {verb} {batch_id}", language == "zh"
    steps = [f"{'先试几个：' if zh else 'Try a few: '}{run} --sample 2"]
    if cap:
        of_sample = "" if sample is None else f" --sample {sample}"  # without it the cap would not be enough
        steps.append(f"{'设上限：' if zh else 'Cap it: '}{run}{of_sample} {cap}")
    return "     ".join(steps)


def _cap(tally: "Tally", left: "Outlook") -> str:
    """Return the option that caps the cost at what it will be at most, "" where no price is known.

    A budget holds for the whole batch, so that what was taken already is part of it, and what is being asked.
    """
    from script_editor.batch.shortage import rounded_up

    cost, taken = left.estimate.cost, (tally.spent or 0.0) + (tally.in_flight or 0.0)
    return "" if cost is None else f"--budget {rounded_up(taken + cost[1]):.12g}"
