"""Whether a budget covers one more call, and which one would: for what a person is told before and after a run.

By the plan's own figures, since nobody knows what a call takes before it is made. What is really let through is
decided by the store, call by call (`BatchStore.take_permit`).
"""

from math import ceil, log10

from script_editor.app.parts import tokens
from script_editor.batch.calls.reckoning import cost_of
from script_editor.batch.outlook import outlook
from script_editor.batch.planning.estimate import SAMPLE, one_call
from script_editor.domain.batch_ports import BatchStore
from script_editor.domain.batches import OPEN, Bounds, Tally
from script_editor.domain.ports import ScriptStore
from script_editor.errors import BudgetShort


def cheapest_and_dearest(
    tally: Tally, bounds: Bounds, *, scripts: ScriptStore, batches: BatchStore, max_output_tokens: int | None
) -> tuple[float, float]:
    """Return what an open item's call costs: the smallest one at its lower end, the largest one at its upper end.

    Both are 0 where nothing is open or no price is known.
    """
    found = batches.items(tally.batch.id, states=OPEN, limit=SAMPLE)
    texts = {
        head.script_id: tokens(head.text) for head in scripts.heads([item.job.script_id for item in found])
    }
    low, high = [0.0], [0.0]
    for item in found:
        size = texts.get(item.job.script_id, 0) + tokens(item.job.instruction)
        (least, most), reply = one_call(size, max_output_tokens=max_output_tokens)
        low.append(cost_of(least, reply, bounds) or 0.0)
        high.append(cost_of(most, reply, bounds) or 0.0)
    return min(low[1:], default=0.0), max(high)


def shortage(
    tally: Tally,
    bounds: Bounds,
    *,
    scripts: ScriptStore,
    batches: BatchStore,
    max_output_tokens: int | None,
    is_before: bool,
) -> BudgetShort | None:
    """Return what a batch lacks under `bounds`, None where it lacks nothing that is known.

    With `is_before` that is the budget for any call at all, since none was asked for; without, for the one that did not
    fit.
    """
    if bounds.budget is None or bounds.price_in is None or bounds.price_out is None or not tally.left:
        return None
    taken = (tally.spent or 0.0) + (tally.in_flight or 0.0)
    least, most = cheapest_and_dearest(
        tally, bounds, scripts=scripts, batches=batches, max_output_tokens=max_output_tokens
    )
    refused = tally.batch.refused_cost
    asked = least if is_before else most if refused is None else refused
    left = max(bounds.budget - taken, 0.0)
    if asked <= left:
        return None
    rest = outlook(
        tally.batch.id,
        scripts=scripts,
        batches=batches,
        prices=(bounds.price_in, bounds.price_out),
        workers=1,
    ).estimate.cost
    return BudgetShort(
        tally.batch.id,
        budget=bounds.budget,
        left=left,
        next_cost=asked,
        enough=rounded_up(taken + max(most, asked, rest[1] if rest else 0.0)),
        is_before=is_before,
        is_new=tally.batch.state == "planned",
    )


def rounded_up(amount: float) -> float:
    """Return a sum with two digits that count, or none behind the point, which is not less: 52.2 becomes 53."""
    if amount <= 0:
        return 0.0
    digits = max(0, 1 - int(log10(amount)) + (amount < 1))
    scale = float(10**digits)
    return ceil(amount * scale) / scale
