"""What a batch may take and what it took, as far as one line about it cannot say it: limits, and sums that leave
something out."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from script_editor.cli.batch.words import money
from script_editor.cli.render import count
from script_editor.cli.session import Session
from script_editor.domain.batches import Limits, Tally
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.batch.service import HowToRun


# --- how often the service may be asked ------------------------------------------------------


def tell_limits_of_others(session: Session, batch_id: str, how: "HowToRun") -> None:
    """Tell which limits of other batches hold for one that is about to be run, where it is not given its own."""
    found = session.app.batches.limits(batch_id)
    others = Limits(
        requests_per_minute=found.requests_per_minute if how.requests_per_minute in (None, "none") else None,
        tokens_per_minute=found.tokens_per_minute if how.tokens_per_minute in (None, "none") else None,
        requests_by=found.requests_by,
        tokens_by=found.tokens_by,
    )
    session.say_lines([line for by, line in _limits(others, session.language) if by])


def limit_lines(limits: Limits, language: Language) -> list[str]:
    """Return how often a batch may ask its service in a minute, and by whose limits; nothing where there are none."""
    return [line for _, line in _limits(limits, language)]


def _limits(limits: Limits, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the limits of each batch with its id, "" for those of the batch itself."""
    zh = language == "zh"
    for by in dict.fromkeys(("", limits.requests_by, limits.tokens_by)):
        requests = limits.requests_per_minute if limits.requests_by == by else None
        tokens = limits.tokens_per_minute if limits.tokens_by == by else None
        told = [f"{requests:,} 次请求" if zh else count(requests, "request")] if requests else []
        told += [f"{tokens:,} 个 token" if zh else count(tokens, "token")] if tokens else []
        if told:
            yield by, _limit_zh("、".join(told), by) if zh else _limit(" and ".join(told), by)


def _limit(told: str, by: str) -> str:
    if by:
        return f"{by} is at work with the same model, and its limit holds here, too: at most {told} a minute."
    return f"Limited to {told} a minute."


def _limit_zh(told: str, by: str) -> str:
    if by:
        return f"{by} 正在用同一个模型，它的限速在这里也有效：每分钟最多 {told}。"
    return f"限速：每分钟最多 {told}。"


def limits_data(limits: Limits, batch_id: str) -> dict[str, Any]:
    """Return the limits of a batch, each with the batch that was given it, as JSON values."""
    return {
        "requests_per_minute": _limit_data(limits.requests_per_minute, limits.requests_by or batch_id),
        "tokens_per_minute": _limit_data(limits.tokens_per_minute, limits.tokens_by or batch_id),
    }


def _limit_data(limit: int | None, of: str) -> dict[str, Any] | None:
    return None if limit is None else {"limit": limit, "of": of}


# --- what was taken --------------------------------------------------------------------------


def warn(session: Session, tally: Tally) -> None:
    """Warn where a batch cost more than its budget. To be said before its result, which carries the warnings in JSON."""
    budget = tally.batch.bounds.budget
    if not tally.is_over_budget or budget is None:
        return
    spent, limit = money(tally.spent or 0.0), f"{budget:,.12g}"
    zh = session.language == "zh"
    said = (
        f"这个任务花了 {spent}，超出了预算 {limit}：有的调用用得比预计的多。"
        if zh
        else f"This batch cost {spent}, more than its budget of {limit}: calls took more than they were reckoned with."
    )
    if session.app.settings.max_output_tokens is None:
        said += (
            "设置 SCRIPT_EDITOR_MAX_TOKENS 可以限制回复的长度。"
            if zh
            else " SCRIPT_EDITOR_MAX_TOKENS bounds the replies."
        )
    session.warn(said)


def notes(tally: Tally, language: Language) -> list[str]:
    """Return why the tokens and the cost of a batch are not the same calls, nothing where they are."""
    told = []
    if tally.untold:
        told.append(_untold_zh(tally) if language == "zh" else _untold(tally))
    if tally.unpriced and tally.spent is not None:
        told.append(
            f"有 {tally.unpriced:,} 个 token 是在设置价格之前用掉的，没有计入费用。"
            if language == "zh"
            else f"{tally.unpriced:,} tokens were taken before prices were set; they are not in the cost."
        )
    return told


def _untold(tally: Tally) -> str:
    said = f"Of {count(tally.untold, 'call')} nobody told what they took (the answer was lost, or came without it): "
    if tally.reckoned is None:
        return said + "they are neither in the tokens nor in export."
    return (
        f"{said}the cost has {money(tally.reckoned)} for them, the most they were reckoned with; they are neither "
        "in the tokens nor in export."
    )


def _untold_zh(tally: Tally) -> str:
    said = f"有 {tally.untold:,} 次调用没有报告用量（应答丢失，或服务没有说）："
    if tally.reckoned is None:
        return said + "token 数和 export 里没有它们。"
    return f"{said}费用里按上限计入了 {money(tally.reckoned)}，token 数和 export 里没有它们。"
