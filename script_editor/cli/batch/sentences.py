"""Sentences about a batch at work: how it begins, stops, goes on and ends. Values in, sentences out."""

from typing import TYPE_CHECKING

from script_editor.cli.batch.words import PAUSES, STATES
from script_editor.cli.render import count
from script_editor.domain.batches import Tally
from script_editor.errors import BudgetShort, Language

if TYPE_CHECKING:
    from script_editor.batch.progress import StopReason


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
            else f"Going on with {items:,}; the {tally.ended:,} that {_is_over(tally.ended)} not repeated."
        )
    if items and tally.ended and tally.batch.target == "apply":
        told.append(
            "没有问题的结果会直接保存；要改为只存为提案：--propose"
            if zh
            else "Results that no check speaks against are saved; to keep all as proposals: --propose"
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


def _is_over(number: int) -> str:
    return "is over is" if number == 1 else "are over are"


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


def troubled(number: int, total: int, language: Language) -> str:
    """Return that a batch ended, and that some of it was not done."""
    if language == "zh":
        return f"{total:,} 个中有 {number:,} 个没有完成。"
    return f"{_lost(number, total)} not done."


def _lost(number: int, total: int) -> str:
    return f"{number:,} of {total:,} {'was' if number == 1 else 'were'}"


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
    return f"It was cancelled; {_lost(number, total)} not done. What was done is kept."


def nothing_to_retry(language: Language) -> str:
    """Return that no item went wrong in the way that was asked for."""
    return (
        "没有可以重试的项目：什么都没有改变。"
        if language == "zh"
        else "Nothing to try again: nothing was changed."
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


def working(model: str, language: Language) -> str:
    """Return what a worker works on, and how to end it."""
    if language == "zh":
        return f"正在处理为模型 {model} 计划的任务。按 Ctrl-C 结束。"
    return f"Working on what is planned for {model}. Ctrl-C ends it."


def worked(items: int, language: Language) -> str:
    """Return how many items ended while a worker was there."""
    return (
        f"期间有 {items:,} 个项目结束。" if language == "zh" else f"{count(items, 'item')} ended meanwhile."
    )


def watched(language: Language, *, goes_on: bool) -> str:
    """Return that a person stopped looking at a batch, and whether it goes on without them."""
    if not goes_on:
        return "不再查看。" if language == "zh" else "No longer watching."
    return "不再查看；任务照常进行。" if language == "zh" else "No longer watching; the batch goes on."
