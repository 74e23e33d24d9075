"""What is told of a batch and its items, in the language of its instruction. Values in, lines out."""

from collections.abc import Mapping, Sequence

import click

from script_editor.cli.printable import printable
from script_editor.cli.render import count
from script_editor.domain.batches import Batch, BatchState, Item, ItemState, Tally
from script_editor.errors import Language

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
        "budget": "the budget is used up",
        "sample": "the sample is done",
        "interrupted": "interrupted",
        "refused": "the service takes neither key nor model",
    },
    "zh": {
        "budget": "预算已用完",
        "sample": "试跑已完成",
        "interrupted": "已中断",
        "refused": "服务不接受密钥或模型",
    },
}
WAITS: Mapping[Language, Mapping[str, str]] = {
    "en": {"requests": "waiting for requests per minute", "tokens": "waiting for tokens per minute",
           "service": "the service asked to wait", "budget": "waiting for the budget"},
    "zh": {"requests": "等待每分钟请求数额度", "tokens": "等待每分钟 token 额度",
           "service": "服务要求稍等", "budget": "等待预算"},
}  # fmt: skip
_MARKS: Mapping[ItemState, tuple[str, str]] = {
    "done": ("✓", "green"), "unchanged": ("=", "green"), "failed": ("✗", "red"), "dead": ("✗", "red"),
    "conflict": ("!", "yellow"), "cancelled": ("-", "yellow"),
}  # fmt: skip


def tally_line(tally: Tally, language: Language) -> str:
    """Return where a batch stands, on one line that begins with its id."""
    return f"{tally.batch.id}  {state(tally.batch, language)}   {' · '.join(facts(tally, language))}"


def state(batch: Batch, language: Language) -> str:
    """Return the state of a batch, and why it stands still: "paused (the budget is used up)"."""
    said = STATES[language][batch.state]
    if batch.state != "paused" or not batch.pause_reason:
        return said
    why = PAUSES[language].get(batch.pause_reason, batch.pause_reason)
    return f"{said}（{why}）" if language == "zh" else f"{said} ({why})"


def facts(tally: Tally, language: Language) -> list[str]:
    """Return how many items are in each state, none for a state that no item is in, and what all of them took."""
    numbers = [
        f"{said} {number:,}" if language == "zh" else f"{number:,} {said}"
        for key, said in ITEM_STATES[language].items()
        if (number := tally.count(key))
    ]
    return [*numbers, *used(tally, language)]


def used(tally: Tally, language: Language) -> list[str]:
    """Return the tokens and the money that a batch took so far, nothing while nobody was asked."""
    tokens = tally.prompt_tokens, tally.completion_tokens
    told = [f"{tokens[0]:,} + {tokens[1]:,} tokens"] if any(tokens) else []
    if tally.spent is None:
        unknown = "价格未知" if language == "zh" else "price unknown"
        return [*told, unknown] if told else []
    return [*told, _cost(tally, tally.spent, language)]


def _cost(tally: Tally, spent: float, language: Language) -> str:
    budget = tally.batch.bounds.budget
    limit = f"/{money(budget)}" if budget is not None else ""
    name = "费用" if language == "zh" else "cost"
    return f"{name} {money(spent)}{limit}"


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
    items_per_minute: float | None, seconds_left: float | None, waiting: str, language: Language
) -> list[str]:
    """Return how fast it goes, how long it will take, and why nothing moves, as far as that is known."""
    zh = language == "zh"
    told = []
    if items_per_minute is not None:
        speed = f"{items_per_minute:,.0f}" if items_per_minute >= 10 else f"{items_per_minute:.1f}"
        told.append(f"每分钟 {speed} 个" if zh else f"{speed} a minute")
    if seconds_left is not None:
        told.append(f"剩余 {span(seconds_left)}" if zh else f"{span(seconds_left)} left")
    return [*told, WAITS[language].get(waiting, waiting)] if waiting else told


# --- sentences -------------------------------------------------------------------------------


def beginning(
    items: int, tally: Tally, other_workers: int, language: Language, *, prompts_changed: bool
) -> list[str]:
    """Return what is to be known as the work begins: that some of it is done, that others help, that it changed."""
    zh = language == "zh"
    told = []
    if items and tally.ended:
        told.append(
            f"继续 {items:,} 个（已结束的 {tally.ended:,} 个不再重复）。"
            if zh
            else f"Going on with {items:,}; the {tally.ended:,} that are over are not repeated."
        )
    if other_workers:
        told.append(
            f"另有 {other_workers} 个进程在一起处理。"
            if zh
            else f"Other processes work on it as well: {other_workers}."
        )
    if prompts_changed:
        told.append(
            "注意：制定计划之后，程序的提示词变了；剩下的项目会用新的提示词。"
            if zh
            else "Note: the program's prompts have changed since the plan was made; what is left is asked with the new ones."
        )
    return told


def stopping(running: int, batch_id: str, language: Language) -> list[str]:
    """Return that no more items are taken, and how to go on or to leave at once."""
    if language == "zh":
        return [
            f"已停止接收新任务，等待 {running:,} 个进行中的（再按一次 Ctrl-C 立即退出）…",
            f"续跑：script-editor batch resume {batch_id}",
        ]
    return [
        f"No more are taken; waiting for {running:,} under way (Ctrl-C again leaves at once) …",
        f"Go on later: script-editor batch resume {batch_id}",
    ]


def troubled(number: int, total: int, language: Language) -> str:
    """Return that a batch ended, and that some of it was not done."""
    if language == "zh":
        return f"{total:,} 个中有 {number:,} 个没有完成。"
    return f"{number:,} of {total:,} were not done."


def budget_used(language: Language) -> str:
    """Return that no money is left."""
    if language == "zh":
        return "预算已用完；已完成的都已保留。"
    return "The budget is used up; what was done is kept."


def left_to_others(workers: int, language: Language) -> str:
    """Return that this process has left a batch which others go on with."""
    if language == "zh":
        return f"本进程已退出，另外 {workers} 个进程会继续。"
    return f"This process has left; {workers} other{'' if workers == 1 else 's'} will go on."


def at_work(workers: int, batch_id: str, language: Language) -> str:
    """Return how many processes work on the batches of the store; with none, how to begin again."""
    if workers:
        return f"{workers} 个进程正在处理。" if language == "zh" else f"{count(workers, 'worker')} at work."
    if language == "zh":
        return f"现在没有进程在处理。续跑：script-editor batch resume {batch_id}"
    return f"No process works on it at present. Go on: script-editor batch resume {batch_id}"


def watched(language: Language) -> str:
    """Return that a person stopped looking."""
    return "不再查看；任务照常进行。" if language == "zh" else "No longer watching; the batch goes on."


# --- items -----------------------------------------------------------------------------------


def item_line(item: Item, language: Language) -> str:
    """Return what became of one item, on one line: a mark that holds without colour, the script, the result."""
    mark, colour = _MARKS.get(item.state, ("·", "white"))
    told = printable(" ".join(became(item, language).split()))
    return f"{click.style(mark, fg=colour)} {printable(item.job.script_id)}  {told}"


def became(item: Item, language: Language) -> str:
    """Return what an item came to: the version it was saved as, its proposal, or why there is none."""
    kept = [where for where in (_saved(item, language), _proposed(item, language)) if where]
    comma = "，" if language == "zh" else ", "
    if item.state in ("done", "unchanged"):
        return comma.join(kept) or ITEM_STATES[language][item.state]
    why = item.error or ITEM_STATES[language][item.state]
    colon = "：" if language == "zh" else ": "
    said = f"{ITEM_STATES[language][item.state]}{colon}{why}" if item.error else why
    if not kept:
        return said
    return f"{said}（{comma.join(kept)}）" if language == "zh" else f"{said} ({comma.join(kept)})"


def _saved(item: Item, language: Language) -> str:
    if item.result_number is None:
        return ""
    return f"{'已存为' if language == 'zh' else 'saved as'} v{item.result_number}"


def _proposed(item: Item, language: Language) -> str:
    if item.proposal_id is None:
        return ""
    return f"{'提案' if language == 'zh' else 'proposal'} {item.proposal_id}"


# --- what to do next -------------------------------------------------------------------------


def next_steps(tally: Tally, language: Language) -> list[str]:
    """Return the commands that go on from here, those that fit the state of the batch alone."""
    batch = tally.batch
    steps = []
    if batch.state == "planned":
        steps.append(_step("Run it", "运行", f"run {batch.id}", language))
    if batch.state in ("paused", "cancelled") and (tally.left or tally.count("cancelled")):
        more = " --budget N" if batch.pause_reason == "budget" and batch.state == "paused" else ""
        steps.append(_step("Go on", "续跑", f"resume {batch.id}{more}", language))
    if tally.count("failed", "conflict", "dead"):
        steps.append(_step("See why", "查看原因", f"failures {batch.id}", language))
        if batch.state != "running":
            steps.append(_step("Again", "重试", f"retry {batch.id}", language))
    if batch.target == "propose" and tally.count("done") and batch.state != "running":
        steps.append(
            _step("Save the clean ones", "保存没有问题的提案", f"apply {batch.id} --clean", language)
        )
    if batch.target == "apply" and tally.count("done") and batch.state == "done":
        steps.append(_step("Undo", "全部撤回", f"revert {batch.id}", language))
    return steps


def joined(steps: Sequence[str]) -> str:
    """Return steps on one line, with gaps at which a narrow terminal may break it."""
    return "     ".join(steps)


def _step(en: str, zh: str, command: str, language: Language) -> str:
    return (
        f"{zh}：script-editor batch {command}" if language == "zh" else f"{en}: script-editor batch {command}"
    )


def scripts(number: int, language: Language) -> str:
    """Return how many scripts: "12 scripts"."""
    return f"{number:,} 个脚本" if language == "zh" else count(number, "script")
