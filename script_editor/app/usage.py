"""What runs have cost, added up from what the store knows of them; no log is needed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from script_editor.domain.script import RunRecord

By = Literal["day", "script", "model"]

_FREE = "offline"
"""The embedded model: it takes no tokens, so none is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a million tokens cost, sent and received, in a currency that the person knows."""

    sent: float
    received: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What some runs took. `name` is what they have in common, None for runs over the whole store.

    `unreported` is how many of them took tokens that no service told, or still go on; their tokens are not
    in the sums. `last` is when the newest began.
    """

    name: str | None
    runs: int
    tokens_in: int
    tokens_out: int
    unreported: int
    last: datetime

    def cost(self, prices: Prices | None) -> float | None:
        """Return the price of the tokens that are known, None when the prices are not."""
        if prices is None:
            return None
        return (self.tokens_in * prices.sent + self.tokens_out * prices.received) / 1e6


def spent_by(runs: Sequence[RunRecord], by: By) -> tuple[Spent, ...]:
    """Return what the runs took by day (in the user's zone), script or model, the group used last first."""
    groups: dict[str | None, list[RunRecord]] = {}
    for run in runs:
        groups.setdefault(_name(run, by), []).append(run)
    return tuple(sorted((_sum(name, group) for name, group in groups.items()), key=_last, reverse=True))


def spent_on_all(runs: Sequence[RunRecord]) -> Spent | None:
    """Return what all of the runs took together, None when there are none."""
    return _sum(None, runs) if runs else None


def is_unreported(run: RunRecord) -> bool:
    """Say whether nobody knows the tokens of a run."""
    return run.model != _FREE and not (run.prompt_tokens or run.completion_tokens)


def _name(run: RunRecord, by: By) -> str | None:
    match by:
        case "day":
            return run.started_at.astimezone().date().isoformat()
        case "script":
            return run.script_id
        case "model":
            return run.model


def _sum(name: str | None, runs: Iterable[RunRecord]) -> Spent:
    runs = tuple(runs)
    return Spent(
        name=name,
        runs=len(runs),
        tokens_in=sum(run.prompt_tokens for run in runs),
        tokens_out=sum(run.completion_tokens for run in runs),
        unreported=sum(is_unreported(run) for run in runs),
        last=max(run.started_at for run in runs),
    )


def _last(spent: Spent) -> datetime:
    return spent.last
