"""What runs have cost, added up from what the store knows of them; no log is needed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from script_editor.domain.script import RunCost, RunRecord

By = Literal["day", "script", "model"]

_FREE = "offline"
"""The embedded model: it takes no tokens, so none is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens of one model cost, sent and received, in a currency that the person knows."""

    model: str
    sent: float
    received: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What some runs took. `name` is what they have in common, None for runs over the whole store.

    The sums hold the tokens that are known. `unreported` is how many runs took tokens that no service told, or
    still go on; `partly` is how many took more than was told. `cost` is the price of the known tokens, without those
    of `unpriced` runs, of models whose price nobody set; None when there is no other run. `last` is when the newest
    began.
    """

    name: str | None
    runs: int
    tokens_in: int
    tokens_out: int
    unreported: int
    partly: int
    cost: float | None
    unpriced: int
    last: datetime

    @property
    def is_at_least(self) -> bool:
        """Whether the runs took more tokens than the sums hold."""
        return bool(self.partly or self.unreported)


def spent_by(runs: Sequence[RunCost], by: By, prices: Prices | None) -> tuple[Spent, ...]:
    """Return what the runs took by day (in the user's zone), script or model, the group used last first."""
    groups: dict[str | None, list[RunCost]] = {}
    for run in runs:
        groups.setdefault(_name(run, by), []).append(run)
    spent = (_sum(name, group, prices) for name, group in groups.items())
    return tuple(sorted(spent, key=_last, reverse=True))


def spent_on_all(runs: Sequence[RunCost], prices: Prices | None) -> Spent | None:
    """Return what all of the runs took together, None when there are none."""
    return _sum(None, runs, prices) if runs else None


def is_unreported(run: RunCost | RunRecord) -> bool:
    """Say whether nobody knows the tokens of a run."""
    return run.model != _FREE and not (run.prompt_tokens or run.completion_tokens)


def is_partly_reported(run: RunCost | RunRecord) -> bool:
    """Say whether a run took more tokens than anybody knows of."""
    return run.usage_known is False and not is_unreported(run)


def _name(run: RunCost, by: By) -> str | None:
    match by:
        case "day":
            return run.started_at.astimezone().date().isoformat()
        case "script":
            return run.script_id
        case "model":
            return run.model


def _sum(name: str | None, runs: Iterable[RunCost], prices: Prices | None) -> Spent:
    runs = tuple(runs)
    costs = [cost for run in runs if (cost := _cost(run, prices)) is not None]
    free = sum(run.model == _FREE for run in runs)
    is_priced = len(costs) > free or len(costs) == len(runs)  # what is free anyway says nothing of the others
    return Spent(
        name=name,
        runs=len(runs),
        tokens_in=sum(run.prompt_tokens for run in runs),
        tokens_out=sum(run.completion_tokens for run in runs),
        unreported=sum(map(is_unreported, runs)),
        partly=sum(map(is_partly_reported, runs)),
        cost=sum(costs) if is_priced else None,
        unpriced=len(runs) - len(costs),
        last=max(run.started_at for run in runs),
    )


def _cost(run: RunCost, prices: Prices | None) -> float | None:
    """Return the price of the known tokens of a run, None when it is not known."""
    if run.model == _FREE:
        return 0.0
    if prices is None or run.model != prices.model:
        return None
    return (run.prompt_tokens * prices.sent + run.completion_tokens * prices.received) / 1e6


def _last(spent: Spent) -> datetime:
    return spent.last
