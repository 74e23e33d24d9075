"""What is told of a batch and its items, in the language of its instruction. Values in, lines out."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from script_editor.cli.render import count
from script_editor.domain.batches import TROUBLED, Batch, BatchState, ItemState, Results, Takeable, Tally
from script_editor.errors import BudgetShort, Language

if TYPE_CHECKING:
    from script_editor.batch.progress import StopReason

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
        "refused": "the service takes neither key nor model",
        "empty": "the account at the service is empty",
        "unreachable": "the service does not answer",
    },
    "zh": {
        "budget": "预算不够下一次调用",
        "sample": "试跑已完成",
        "interrupted": "已中断",
        "refused": "服务不接受密钥或模型",
        "empty": "服务账户余额或额度已用完",
        "unreachable": "服务没有响应",
    },
}
_NO_RESULTS = Results()
WAITS: Mapping[Language, Mapping[str, str]] = {
    "en": {"requests": "waiting for requests per minute", "tokens": "waiting for tokens per minute",
           "service": "the service asked to wait", "budget": "waiting for the budget",
           "store": "waiting for the store, which another process keeps locked"},
    "zh": {"requests": "等待每分钟请求数额度", "tokens": "等待每分钟 token 额度",
           "service": "服务要求稍等", "budget": "等待预算", "store": "等待脚本库（被其他进程锁住）"},
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
    """Return how many items are in each state, and what became of the results of those that are done."""
    told = []
    for key, said in ITEM_STATES[language].items():
        told += _number(tally.count(key), said, language)
        if key == "done":
            told += _results(results, language)
    return told


def _results(results: Results, language: Language) -> list[str]:
    zh = language == "zh"
    return [
        *_number(results.warned, "有警告" if zh else "with warnings", language),
        *_number(results.saved - results.reverted, "已保存" if zh else "saved", language),
        *_number(results.reverted, "已撤回" if zh else "reverted", language),
    ]


def _number(number: int, said: str, language: Language) -> list[str]:
    if not number:
        return []
    return [f"{said} {number:,}" if language == "zh" else f"{number:,} {said}"]


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


def stopping(running: int, reason: "StopReason", language: Language) -> str:
    """Return why no more items are taken, and how to leave at once."""
    is_asked = reason == "asked"
    if language == "zh":
        press = "再按一次 Ctrl-C 立即退出" if is_asked else "按 Ctrl-C 立即退出"
        why = "已停止接收新任务" if is_asked else _stopped(reason, language)
        return f"{why}，等待 {running:,} 个进行中的（{press}）…"
    press = "Ctrl-C again leaves at once" if is_asked else "Ctrl-C leaves at once"
    why = "No more are taken" if is_asked else _stopped(reason, language)
    return f"{why}; waiting for {running:,} under way ({press}) …"


def _stopped(reason: "StopReason", language: Language) -> str:
    said = STATES[language]["cancelled"] if reason == "cancelled" else PAUSES[language][reason]
    return said[0].upper() + said[1:]


def unseen(trouble: str, language: Language) -> str:
    """Return that this process cannot say that it lives, or look after the others, and why."""
    if language == "zh":
        return f"注意：本进程暂时无法登记自己在运行，其他进程可能会接手它的项目：{trouble}"
    return f"Note: this process cannot note that it is at work, and others may take over its items: {trouble}"


def try_again(batch_id: str, language: Language) -> str:
    """Return how what went wrong is tried again."""
    return _step("Again", "重试", f"retry {batch_id}", language)


def go_on(batch_id: str, language: Language) -> str:
    """Return how a batch that stands still is gone on with."""
    return _step("Go on", "续跑", f"resume {batch_id}", language)


def troubled(number: int, total: int, language: Language) -> str:
    """Return that a batch ended, and that some of it was not done."""
    if language == "zh":
        return f"{total:,} 个中有 {number:,} 个没有完成。"
    return f"{number:,} of {total:,} were not done."


def told_in(short: BudgetShort, language: Language) -> BudgetShort:
    """Return an error in the language that is spoken."""
    short.language = language
    return short


def budget_used(language: Language, short: BudgetShort | None = None) -> str:
    """Return that the next call does not fit into the budget; `short` says by how much, where that is known."""
    if short is not None:
        return str(told_in(short, language))
    if language == "zh":
        return "预算不够下一次调用；已完成的都已保留。"
    return "The budget does not cover the next call; what was done is kept."


def cancelled(number: int, total: int, language: Language) -> str:
    """Return that a batch was cancelled, and how much of it was not done."""
    if language == "zh":
        return f"任务已取消，{total:,} 个中有 {number:,} 个没有完成；已完成的都已保留。"
    return f"It was cancelled; {number:,} of {total:,} were not done. What was done is kept."


def nothing_to_retry(language: Language) -> str:
    """Return that no item went wrong in the way that was asked for."""
    return (
        "没有可以重试的项目：什么都没有改变。" if language == "zh" else "0 to try again: nothing to change."
    )


def not_begun(batch_id: str, language: Language) -> str:
    """Return that nobody has begun a batch, and how it is begun."""
    if language == "zh":
        return f"还没有开始，正在等待。运行：script-editor batch run {batch_id}"
    return f"It has not begun; waiting until it does. Run it: script-editor batch run {batch_id}"


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


# --- what to do next -------------------------------------------------------------------------


def next_steps(
    tally: Tally, takeable: Takeable, language: Language, *, short: BudgetShort | None = None
) -> list[str]:
    """Return the commands that go on from here: only those that have something to do; `short` is what the budget of
    the batch lacks, where that is known."""
    batch = tally.batch
    steps = []
    if batch.state == "planned":
        steps.append(_step("Look at it", "逐项查看", f"export {batch.id}", language))
        steps.append(_step("Run it", "运行", f"run {batch.id}", language))
    if batch.state in ("paused", "cancelled") and (tally.left or tally.count("cancelled")):
        more = " --budget N" if batch.pause_reason == "budget" and batch.state == "paused" else ""
        steps.append(f"{go_on(batch.id, language)}{more}" if short is None else told_in(short, language).hint)
    if tally.count(*TROUBLED):
        steps.append(_step("See why", "查看原因", f"failures {batch.id}", language))
        if batch.state != "running":
            steps.append(try_again(batch.id, language))
    return steps if batch.state == "running" else [*steps, *_takings(batch.id, takeable, language)]


def _takings(batch_id: str, takeable: Takeable, language: Language) -> list[str]:
    steps = []
    if takeable.clean:
        steps.append(
            _step("Save the clean ones", "保存没有问题的提案", f"apply {batch_id} --clean", language)
        )
    elif takeable.warned:
        steps.append(
            _step("Save those with warnings, too", "有警告的提案也保存", f"apply {batch_id}", language)
        )
    if takeable.saved:
        steps.append(_step("Undo", "全部撤回", f"revert {batch_id}", language))
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
