"""`usage`: tokens, runs and cost."""

from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.log import SINCE_HELP, moment_since
from script_editor.cli.session import Session, global_options, pass_session

if TYPE_CHECKING:
    from script_editor.app.usage import Prices, Spent
    from script_editor.config import Settings


@click.command(
    epilog="""Examples:

    \b
      script-editor usage --by model --since 30d
      SCRIPT_EDITOR_PRICE_IN=2 SCRIPT_EDITOR_PRICE_OUT=8 script-editor usage"""
)
@click.option("--by", type=click.Choice(("day", "script", "model")), default="day", show_default=True,
              help="What to add up by.")  # fmt: skip
@click.option("--since", metavar="WHEN", help=SINCE_HELP)
@global_options
@pass_session
def usage(session: Session, by: Any, since: str | None) -> None:
    """Add up what the runs of this store took: tokens sent and received, and what they cost.

    The price of a million tokens is yours to set: SCRIPT_EDITOR_PRICE_IN and SCRIPT_EDITOR_PRICE_OUT.
    """
    from script_editor.app.usage import spent_by, spent_on_all
    from script_editor.cli import render

    runs = session.app.store.runs(since=moment_since(since))
    groups, total, prices = spent_by(runs, by), spent_on_all(runs), _prices(session.app.settings)
    rows = [_row(spent.name or "the whole store", spent, prices) for spent in groups]
    if total is not None and len(groups) > 1:
        rows.append(_row("together", total, prices))
    session.result(
        {
            "by": by,
            "usage": [{by: spent.name, **_data(spent, prices)} for spent in groups],
            "total": None if total is None else _data(total, prices),
        },
        render.table(rows, session.columns),
    )
    if total is None:
        session.say(
            "No run matches."
            if since
            else "There was no run yet. Begin one: script-editor edit SCRIPT INSTRUCTION"
        )
    elif total.unreported:
        session.say(
            f"Of {render.count(total.unreported, 'run')} nobody knows the tokens: the service did not tell them."
        )


def _prices(settings: "Settings") -> "Prices | None":
    from script_editor.app.usage import Prices

    if settings.price_in is None or settings.price_out is None:
        return None
    return Prices(sent=settings.price_in, received=settings.price_out)


def _row(name: str, spent: "Spent", prices: "Prices | None") -> tuple[str, ...]:
    from script_editor.cli import render

    unknown = f" (+ {render.count(spent.unreported, 'run')} unknown)" if spent.unreported else ""
    cost = spent.cost(prices)
    return (
        name, render.count(spent.runs, "run"), f"{spent.tokens_in:,} + {spent.tokens_out:,} tokens{unknown}",
        "price unknown" if cost is None else f"{cost:,.4f}",
    )  # fmt: skip


def _data(spent: "Spent", prices: "Prices | None") -> dict[str, Any]:
    cost = spent.cost(prices)
    return {
        "runs": spent.runs,
        "tokens": {"in": spent.tokens_in, "out": spent.tokens_out},
        "runs_with_unknown_tokens": spent.unreported,
        "cost": None if cost is None else {"amount": round(cost, 6)},
        "last_run_at": spent.last.isoformat(),
    }
