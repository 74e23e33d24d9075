"""Batches and items as JSON values."""

from typing import Any

from script_editor.agent.language import language_of
from script_editor.cli.batch.items import warning_sentences
from script_editor.domain.batches import Batch, Item, Results, Tally


def tally_data(tally: Tally) -> dict[str, Any]:
    """Return a batch and where it stands."""
    return {**batch_data(tally.batch), **numbers_data(tally)}


def numbers_data(tally: Tally) -> dict[str, Any]:
    """Return where a batch stands, without what does not change while it runs."""
    return {
        "batch": tally.batch.id,
        "state": tally.batch.state,
        "items": {
            "queued": 0, "running": 0, "done": 0, "unchanged": 0, "conflict": 0, "failed": 0, "dead": 0,
            "cancelled": 0, **tally.counts,
        },
        "tokens": {
            "in": tally.prompt_tokens, "out": tally.completion_tokens, "is_at_least": tally.untold > 0,
        },
        "tokens_unpriced": tally.unpriced,
        "calls_untold": tally.untold,
        "cost": _cost_data(tally),
        "is_over_budget": tally.is_over_budget,
        "cost_in_flight": None if tally.in_flight is None else {"amount": round(tally.in_flight, 6)},
    }  # fmt: skip


def _cost_data(tally: Tally) -> dict[str, Any] | None:
    """Return what a batch cost; `untold` is the part of it that calls were only reckoned with."""
    if tally.spent is None:
        return None
    return {
        "amount": round(tally.spent, 6),
        "is_at_least": tally.unpriced > 0,
        "is_at_most": tally.untold > 0,
        "untold": round(tally.reckoned or 0.0, 6),
    }


def results_data(results: Results) -> dict[str, Any]:
    """Return what became of the results of a batch."""
    return {"results": {"warned": results.warned, "saved": results.saved, "reverted": results.reverted}}


def batch_data(batch: Batch) -> dict[str, Any]:
    """Return a batch as it was planned, and its state."""
    return {
        "batch": batch.id,
        "state": batch.state,
        "pause_reason": batch.pause_reason or None,
        "instruction": batch.recipe.instruction,
        "model": batch.recipe.model,
        "mode": batch.recipe.mode,
        "target": batch.target,
        "budget": batch.bounds.budget,
        "total": batch.total,
        "created_at": batch.created_at.isoformat(),
        "updated_at": batch.updated_at.isoformat(),
    }


def item_data(item: Item) -> dict[str, Any]:
    """Return an item, and what became of it."""
    return {
        "item": item.name,
        "script": item.job.script_id,
        "base": f"v{item.job.base_number}",
        "instruction": item.job.instruction,
        "state": item.state,
        "attempt": item.attempt,
        "version": f"v{item.result_number}" if item.result_number is not None else None,
        "proposal": item.proposal_id,
        "run": item.run_id,
        "error": {"code": item.error_type, "message": item.error, "hint": item.hint} if item.error else None,
        "tokens": tokens_data(item),
        "warnings": warning_sentences(item.warnings, language_of(item.job.instruction)),
        "notes": list(item.notes),
    }


def tokens_data(item: Item) -> dict[str, int | None] | None:
    """Return what an item took; None when nobody reported it."""
    if item.prompt_tokens is None and item.completion_tokens is None:
        return None
    return {"in": item.prompt_tokens, "out": item.completion_tokens}
