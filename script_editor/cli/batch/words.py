"""Where a batch and its items stand, in the language of its instruction. Values in, facts out."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from script_editor.cli.render import count
from script_editor.domain.batches import Batch, BatchState, ItemState, Results, Tally
from script_editor.errors import Language

if TYPE_CHECKING:
    pass

STATES: Mapping[Language, Mapping[BatchState, str]] = {
    "en": {"planned": "planned", "running": "running", "paused": "paused", "cancelled": "cancelled", "done": "done"},
    "zh": {"planned": "未开始", "running": "运行中", "paused": "已暂停", "cancelled": "已取消", "done": "已结束"},
}  # fmt: skip
ITEM_STATES: Mapping[Language, Mapping[ItemState, str]] = {
    "en": {"done": "done", "unchanged": "unchanged", "failed": "failed", "conflict": "conflict", "dead": "dead",
           "cancelled": "cancelled", "running": "running", "queued": "waiting"},
    "zh": {"done": "完成", "unchanged": "无需改动", "failed": "失败", "conflict": "冲突", "dead": "多次崩溃",
           "cancelled": "已取消", "running": "进行中", "queued": "待处理"},
}  # fmt: skip
"""In the order in which they are told."""
PAUSES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "budget": "the budget does not cover the next call",
        "sample": "the sample is done",
        "interrupted": "interrupted",
        "deserted": "interrupted: no process works on it",
        "refused": "the service refused the key, the model or the address",
        "empty": "the account at the service is empty",
        "unreachable": "the service does not answer",
    },
    "zh": {
        "budget": "预算不够下一次调用",
        "sample": "试跑已完成",
        "interrupted": "已中断",
        "deserted": "已中断：没有进程在处理",
        "refused": "服务不接受密钥、模型或地址",
        "empty": "服务账户余额或额度已用完",
        "unreachable": "服务没有响应",
    },
}
_NO_RESULTS = Results()
WAITS: Mapping[Language, Mapping[str, str]] = {
    "en": {"requests": "waiting for requests per minute", "tokens": "waiting for tokens per minute",
           "service": "waiting to ask the service again", "budget": "waiting for the budget",
           "store": "waiting for the store, which another process keeps locked"},
    "zh": {"requests": "等待每分钟请求数额度", "tokens": "等待每分钟 token 额度",
           "service": "稍后再次请求服务", "budget": "等待预算", "store": "等待脚本库（被其他进程锁住）"},
}  # fmt: skip


def tally_line(tally: Tally, language: Language, results: Results = _NO_RESULTS) -> str:
    """Return where a batch stands, on one line that begins with its id."""
    told = " · ".join(facts(tally, language, results))
    return f"{tally.batch.id}  {state(tally.batch, language)}   {told}"


def state(batch: Batch, language: Language) -> str:
    """Return the state of a batch, and why it stands still: "paused (the budget is used up)"."""
    said = STATES[language][batch.state]
    if batch.state != "paused" or not batch.pause_reason:
        return said
    why = PAUSES[language].get(batch.pause_reason, batch.pause_reason)
    return f"{said}（{why}）" if language == "zh" else f"{said} ({why})"


def facts(tally: Tally, language: Language, results: Results = _NO_RESULTS) -> list[str]:
    """Return how many items are in each state, none for a state that no item is in, what became of their results, and
    what all of them took."""
    return [*states(tally, language, results), *used(tally, language)]


def states(tally: Tally, language: Language, results: Results = _NO_RESULTS) -> list[str]:
    """Return how many items are in each state, which adds up to all of them, and, of those that are done, in how many
    there was a warning and what became of the results."""
    told = []
    for key, said in ITEM_STATES[language].items():
        number = _number(tally.count(key), said, language)
        among = _results(results, language) if key == "done" else ""
        told += [f"{number[0]}{among}"] if number else []
    return told


def _results(results: Results, language: Language) -> str:
    zh = language == "zh"
    told = [
        *_number(results.warned, "有警告" if zh else "with warnings", language),
        *_number(results.saved, "已保存" if zh else "saved", language),
        *_number(results.reverted, "已撤回" if zh else "reverted", language),
    ]
    if not told:
        return ""
    return f"（{'，'.join(told)}）" if zh else f" ({', '.join(told)})"


def _number(number: int, said: str, language: Language) -> list[str]:
    if not number:
        return []
    return [f"{said} {number:,}" if language == "zh" else f"{number:,} {said}"]


def used(tally: Tally, language: Language) -> list[str]:
    """Return the tokens and the money that a batch took so far, nothing while nobody was asked."""
    tokens = tally.prompt_tokens, tally.completion_tokens
    least = ("至少 " if language == "zh" else "at least ") if tally.untold else ""
    told = [f"{least}{tokens[0]:,} + {tokens[1]:,} tokens"] if any(tokens) else []
    if tally.spent is None:
        unknown = "价格未知" if language == "zh" else "price unknown"
        return [*told, unknown] if told else []
    return [*told, _cost(tally, tally.spent, language)]


def _cost(tally: Tally, spent: float, language: Language) -> str:
    budget = tally.batch.bounds.budget
    limit = f"/{money(budget)}" if budget is not None else ""
    name = "费用" if language == "zh" else "cost"
    return f"{name}{_bound(tally, language)} {money(spent)}{limit}"


def _bound(tally: Tally, language: Language) -> str:
    """Return whether a cost is a bound: calls of which nobody told what they took are in it with the most they may take,
    those that were made before prices were known are not in it."""
    match bool(tally.untold), bool(tally.unpriced):
        case True, True:
            return "约" if language == "zh" else " about"
        case True, False:
            return "最多" if language == "zh" else " at most"
        case False, True:
            return "至少" if language == "zh" else " at least"
        case _:
            return ""


def money(amount: float) -> str:
    """Return an amount without a currency, for prices have none: two digits behind the point, four for small ones."""
    return f"{amount:,.2f}" if amount >= 100 or not amount else f"{amount:,.4f}"


def span(seconds: float) -> str:
    """Return how long something takes: "0:41", "12:05", "3:04:09"."""
    whole = max(round(seconds), 0)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"


def pace(
    items_per_minute: float | None,
    seconds_left: float | None,
    waiting: str,
    language: Language,
    *,
    running: int = 0,
) -> list[str]:
    """Return why nothing moves, how long it will take and how fast it goes, as far as that is known; by its use."""
    zh = language == "zh"
    told = []
    if waiting == "calls":
        told.append(_calls(running, language))
    elif waiting:
        told.append(WAITS[language].get(waiting, waiting))
    if seconds_left is not None:
        told.append(f"剩余 {span(seconds_left)}" if zh else f"{span(seconds_left)} left")
    if items_per_minute is not None:
        speed = f"{items_per_minute:,.0f}" if items_per_minute >= 10 else f"{items_per_minute:.1f}"
        told.append(f"每分钟 {speed} 个" if zh else f"{speed} a minute")
    return told


def _calls(running: int, language: Language) -> str:
    """Return what is waited for; of a batch that was cancelled nothing counts as running any more."""
    if language == "zh":
        return f"等待 {running:,} 个进行中的调用" if running else "等待进行中的调用"
    return f"waiting for {count(running, 'running call')}" if running else "waiting for running calls"


def scripts(number: int, language: Language) -> str:
    """Return how many scripts: "12 scripts"."""
    return f"{number:,} 个脚本" if language == "zh" else count(number, "script")


def joined(steps: Sequence[str]) -> str:
    """Return steps on one line, with gaps at which a narrow terminal may break it."""
    return "     ".join(steps)
