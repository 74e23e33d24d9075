"""`usage`: tokens, runs and cost."""

from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.log import SINCE_HELP, moment_since
from script_editor.cli.session import Session, global_options, pass_session

if TYPE_CHECKING:
    from script_editor.app.usage import Prices, Spent


@click.command(
    epilog="""Examples:

    \b
      script-editor usage --by model --since 30d
      MODEL_NAME=deepseek-chat SCRIPT_EDITOR_PRICE_IN=2 SCRIPT_EDITOR_PRICE_OUT=8 script-editor usage"""
)
@click.option("--by", type=click.Choice(("day", "script", "model")), default="day", show_default=True,
              help="What to add up by.")  # fmt: skip
@click.option("--since", metavar="WHEN", help=SINCE_HELP)
@global_options
@pass_session
def usage(session: Session, by: Any, since: str | None) -> None:
    """Add up what the runs of this store took: tokens sent and received, and what they cost.

    The price of a million tokens is yours to set: SCRIPT_EDITOR_PRICE_IN and SCRIPT_EDITOR_PRICE_OUT. It is that of
    the model that MODEL_NAME names; the price of others is not known.
    """
    from script_editor.app.usage import spent_by, spent_on_all
    from script_editor.cli import render

    runs, prices = session.app.runs.costs(since=moment_since(since)), session.app.runs.prices
    groups, total = spent_by(runs, by, prices), spent_on_all(runs, prices)
    rows = [_row(spent.name or "the whole store", spent) for spent in groups]
    if total is not None and len(groups) > 1:
        rows.append(_row("together", total))
    session.result(
        {
            "by": by,
            "usage": [{by: spent.name, **spent_data(spent)} for spent in groups],
            "total": None if total is None else spent_data(total),
        },
        render.table(rows, session.columns),
    )
    if total is not None:
        _say_what_is_unknown(session, total, prices)
    elif since:
        session.say("No run matches.")
    else:
        session.say("There was no run yet. Begin one: script-editor edit SCRIPT INSTRUCTION")


def _say_what_is_unknown(session: Session, total: "Spent", prices: "Prices | None") -> None:
    from script_editor.cli import render

    settings = session.app.settings
    if total.unreported:
        session.say(
            f"Of {render.count(total.unreported, 'run')} nobody knows the tokens: the service did not tell them."
        )
    if total.partly:
        session.say(f"{render.count(total.partly, 'run')} took more tokens than the service told.")
    if prices is not None and total.unpriced:
        session.say(f"The prices that are set are those of {prices.model} alone.")
    elif prices is None and settings.price_in is not None and settings.price_out is not None:
        session.say("Prices are set, but no model that they are those of: name it in MODEL_NAME.")


def spent_data(spent: "Spent") -> dict[str, Any]:
    """Return what runs took as JSON values."""
    return {
        "runs": spent.runs,
        "tokens": {"in": spent.tokens_in, "out": spent.tokens_out},
        "runs_with_unknown_tokens": spent.unreported,
        "runs_with_more_tokens": spent.partly,
        "cost": None if spent.cost is None else {"amount": round(spent.cost, 6)},
        "runs_with_unknown_price": spent.unpriced,
        "last_run_at": spent.last.isoformat(),
    }


def money(spent: "Spent") -> str:
    """Return what is known of the cost in words."""
    from script_editor.cli import render

    if spent.cost is None:
        return "price unknown"
    known = f"{'at least ' if spent.is_at_least else ''}{spent.cost:,.4f}"
    return f"{known} (+ {render.count(spent.unpriced, 'run')}, price unknown)" if spent.unpriced else known


def _row(name: str, spent: "Spent") -> tuple[str, ...]:
    from script_editor.cli import render

    tokens = f"{'at least ' if spent.partly else ''}{spent.tokens_in:,} + {spent.tokens_out:,} tokens"
    unknown = f" (+ {render.count(spent.unreported, 'run')} unknown)" if spent.unreported else ""
    return name, render.count(spent.runs, "run"), tokens + unknown, money(spent)
