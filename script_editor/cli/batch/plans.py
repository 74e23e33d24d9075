"""A plan as lines and as JSON values: what would be done, what it would about take, and what is wrong."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.batch import words
from script_editor.cli.printable import printable
from script_editor.cli.render import count
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.batch.estimate import Estimate
    from script_editor.batch.plan import PlanReport, Problem

_Problem = Mapping[str, Any]
_TRIED = 2
"""How many items a first try is proposed with."""


def plan_lines(report: "PlanReport", left_out: int, language: Language) -> list[str]:
    """Return a plan that was stored: what it is about, what it will about take, and what to know of it."""
    batch = report.batch
    assert batch is not None, "a plan for nothing has no lines"
    skipped = f"{report.skipped:,}"
    if language == "zh":
        out = [f"跳过 {skipped}：已完成且未变"] if report.skipped else []
        out += [f"{left_out:,} 行不能用"] if left_out else []
        more = f"（{'；'.join(out)}）" if out else ""
        head = f"计划 {batch.id}：{words.scripts(batch.total, language)}{more}，模型 {batch.recipe.model}"
    else:
        out = [f"{skipped} left out: done before and not changed since"] if report.skipped else []
        out += [f"{count(left_out, 'row')} cannot be used"] if left_out else []
        more = f" ({'; '.join(out)})" if out else ""
        head = f"Plan {batch.id}: {words.scripts(batch.total, language)}{more}, model {batch.recipe.model}"
    return [head, f"  {estimated(report.estimate, language)}", *_format_lines(report.formats, language)]


def estimated(estimate: "Estimate", language: Language) -> str:
    """Return what something will about take: tokens, money, time."""
    tokens = [sum(pair) for pair in zip(estimate.sent, estimate.received, strict=True)]
    zh = language == "zh"
    if not tokens[1]:
        parts = ["不调用模型服务" if zh else "no model service is called"]
    else:
        parts = [f"{'约 ' if zh else 'about '}{_range(tokens)} tokens", _cost(estimate, language)]
    return " · ".join([*parts, _duration(estimate.seconds, language)])


def _range(tokens: Sequence[int]) -> str:
    low, high = (
        f"{round(number, -3) // 1000:,}k" if number >= 10_000 else f"{number:,}" for number in tokens
    )
    return low if low == high else f"{low}–{high}"


def _cost(estimate: "Estimate", language: Language) -> str:
    if estimate.cost is None:
        return "价格未知" if language == "zh" else "price unknown"
    low, high = (words.money(amount) for amount in estimate.cost)
    said = low if low == high else f"{low}–{high}"
    return f"费用 {said}" if language == "zh" else f"cost {said}"


def _duration(seconds: float, language: Language) -> str:
    zh = language == "zh"
    if seconds < 60:
        return "不到 1 分钟" if zh else "less than a minute"
    minutes = round(seconds / 60)
    if minutes < 120:
        return f"约 {minutes} 分钟" if zh else f"about {minutes} min"
    hours = round(minutes / 60)
    return f"约 {hours} 小时" if zh else f"about {hours} hours"


def _format_lines(formats: Mapping[str, int], language: Language) -> list[str]:
    others = {name: number for name, number in formats.items() if name != "text"}
    if not others:
        return []
    names = ", ".join(f"{number} {name.upper()}" for name, number in sorted(others.items()))
    return [
        f"  其中 {names}：时间码等标记必须保持原样"
        if language == "zh"
        else f"  {names}: time codes and marks have to stay"
    ]


def nothing_left(report: "PlanReport", language: Language) -> str:
    """Return why there is no plan: all of it was done before."""
    number = words.scripts(report.skipped, language)
    if language == "zh":
        return f"没有要做的：{number}都已按这条指令改过，之后没有变。仍要重做：加上 --redo"
    return f"Nothing to do: {number} had this done before and did not change since. All the same: --redo"


def next_steps(report: "PlanReport", language: Language) -> list[str]:
    """Return how to go on: a first try where there is more to do, and all of it."""
    batch = report.batch
    assert batch is not None, "a plan for nothing cannot be run"
    run = f"script-editor batch run {batch.id}"
    zh = language == "zh"
    everything = f"{'全部' if zh else 'All'}{'：' if zh else ': '}{run}"
    if batch.total <= _TRIED:
        return [everything]
    few = f"试跑 {_TRIED} 个：" if zh else f"Try {_TRIED}: "
    return [f"{few}{run} --sample {_TRIED}", everything]


# --- what is wrong ---------------------------------------------------------------------------


def problem_lines(problems: Sequence[_Problem], language: Language, *, most: int) -> list[str]:
    """Return why rows are left out, a line for each of the first `most`."""
    mark = click.style("!", fg="yellow", bold=True)
    lines = []
    for problem in problems[:most]:
        script = problem["script"]
        named = f"{script}: " if script and script not in problem["message"] else ""
        lines.append(f"{mark} " + printable(f"{problem['where']}: {named}{problem['message']}"))
    if (more := len(problems) - most) > 0:
        lines.append(
            f"… 还有 {more:,} 行（--json 列出全部）"
            if language == "zh"
            else f"… and {more:,} more (--json has all)"
        )
    return lines


def problem_data(problem: "Problem") -> _Problem:
    """Return what is wrong with one row as JSON values."""
    return {
        "where": problem.where,
        "source": problem.source,
        "line": problem.line,
        "script": problem.script,
        "message": problem.message,
        "hint": problem.hint,
    }


def plan_data(report: "PlanReport", problems: Sequence[_Problem]) -> dict[str, Any]:
    """Return a plan as JSON values."""
    from script_editor.cli.batch.data import batch_data

    return {
        **(batch_data(report.batch) if report.batch else {"batch": None, "total": 0}),
        "skipped": report.skipped,
        "problems": list(problems),
        "estimate": estimate_data(report.estimate),
        "formats": dict(report.formats),
    }


def estimate_data(estimate: "Estimate") -> dict[str, Any]:
    """Return an estimate as JSON values, each from low to high."""
    return {
        "tokens_in": list(estimate.sent),
        "tokens_out": list(estimate.received),
        "cost": None if estimate.cost is None else [round(amount, 6) for amount in estimate.cost],
        "seconds": round(estimate.seconds, 1),
    }
