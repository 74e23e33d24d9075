"""On which terms a batch is run: what the run is told, and whether what is configured fits what was planned."""

from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Literal, TypeVar

from script_editor.domain.batches import Batch, Bounds, Target
from script_editor.errors import SetupError

if TYPE_CHECKING:
    from script_editor.app.usage import Prices

N = TypeVar("N", int, float)

DEFAULT_WORKERS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class HowToRun:
    """What one run is told besides the batch; None leaves what the batch has.

    `workers` is how many items run at the same time in this process. The limits hold for all processes together and
    from now on; "none" takes the one away that the batch has. `sample` is how many more items may end before the batch
    pauses; None means all.
    """

    workers: int = DEFAULT_WORKERS
    target: Target | None = None
    requests_per_minute: int | Literal["none"] | None = None
    tokens_per_minute: int | Literal["none"] | None = None
    budget: float | Literal["none"] | None = None
    sample: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Planner:
    """What a plan is made for: the model that is configured, what it is told, and what it costs if that is known."""

    model: str
    prompts: str
    prices: "Prices | None" = None
    is_offline: bool = False

    def prices_of(self, model: str) -> "Prices | None":
        """Return the prices, if they are those of this model."""
        return self.prices if self.prices is not None and self.prices.model == model else None


def check(batch: Batch, how: HowToRun, planner: Planner) -> None:
    """Let a batch be run with what is configured.

    What a batch that has begun asks the model may change with the program: to refuse it would have the rest planned
    again, and what is done paid again.

    Raises:
        SetupError: another model is configured, the prompts are not those of a plan that has not begun, or there is
            a budget without prices.
    """
    if planner.model != batch.recipe.model:
        raise SetupError(
            f"{batch.id} was planned for the model {batch.recipe.model!r}, and {planner.model!r} is configured.",
            hint=f"Name its model: script-editor batch {_verb(batch)} {batch.id} -m {quote(batch.recipe.model)}",
        )
    if batch.state == "planned" and planner.prompts != batch.recipe.prompts:
        raise SetupError(
            f"{batch.id} was planned with another version of the program, which asks in other words.",
            hint="Nothing of it is done yet: plan it again.",
        )
    if isinstance(how.budget, float | int) and prices_of(batch, planner) is None:
        raise SetupError(
            f"A budget needs prices, and those of {batch.recipe.model!r} are not known.",
            hint="Set SCRIPT_EDITOR_PRICE_IN and SCRIPT_EDITOR_PRICE_OUT, both for a million tokens.",
        )


def _verb(batch: Batch) -> str:
    """Return the command that goes on with a batch as it stands."""
    match batch.state:
        case "planned" | "running":
            return "run"
        case "paused" | "cancelled":
            return "resume"
        case "done":
            return "retry"


def prices_of(batch: Batch, planner: Planner) -> tuple[float, float] | None:
    """Return what a million tokens sent and received cost: as it is configured, else as it was planned."""
    prices, bounds = planner.prices_of(batch.recipe.model), batch.bounds
    if prices is not None:
        return prices.sent, prices.received
    if bounds.price_in is None or bounds.price_out is None:
        return None
    return bounds.price_in, bounds.price_out


def agreed(batch: Batch, how: HowToRun, planner: Planner) -> tuple[Target, Bounds]:
    """Return what a batch is to do with its results and what it may take from now on: as this run is told, and where it
    is told nothing as it was."""
    return how.target or batch.target, bounds_of(batch, how, planner)


def bounds_of(batch: Batch, how: HowToRun, planner: Planner) -> Bounds:
    """Return what the batch may take from now on."""
    old, prices = batch.bounds, prices_of(batch, planner)
    return replace(
        old,
        requests_per_minute=_told(how.requests_per_minute, old.requests_per_minute),
        tokens_per_minute=_told(how.tokens_per_minute, old.tokens_per_minute),
        budget=budget_of(old, how),
        price_in=prices[0] if prices else None,
        price_out=prices[1] if prices else None,
        sample=how.sample,
    )


def budget_of(bounds: Bounds, how: HowToRun) -> float | None:
    """Return how much money a batch may take in all, None for any amount."""
    return _told(how.budget, bounds.budget)


def _told(told: N | Literal["none"] | None, before: N | None) -> N | None:
    """Return a limit as a run is told it: another one, none, or the one that there was before."""
    if told is None:
        return before
    return None if told == "none" else told
