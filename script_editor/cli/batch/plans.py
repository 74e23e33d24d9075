"""A plan as lines and as JSON values: what would be done, what it would about take, and what is wrong."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from script_editor.batch.planning.columns import place
from script_editor.cli.batch import words
from script_editor.cli.printable import printable
from script_editor.cli.render import count
from script_editor.cli.session import error_code
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.app.files import ImportOutcome
    from script_editor.batch.planning.estimate import Estimate
    from script_editor.batch.planning.plan import PlanReport
    from script_editor.batch.planning.wanted import Kind, Problem
    from script_editor.domain.batches import Done

_BEFORE: "Mapping[Language, Mapping[Done, str]]" = {
    "en": {"saved": "done before and not changed since", "proposed": "already has an open proposal",
           "unchanged": "nothing to change, as was seen before"},
    "zh": {"saved": "已完成且未变", "proposed": "已有待处理的提案", "unchanged": "之前已看过，无需改动"},
}  # fmt: skip
_KINDS_ZH: "Mapping[Kind, str]" = {"row": "行", "file": "个文件", "id": "个编号", "script": "个脚本"}
_TRIED = 2
"""How many items a first try is proposed with."""


def plan_lines(report: "PlanReport", imports: "Mapping[ImportOutcome, int]", language: Language) -> list[str]:
    """Return a plan that was stored: what it is about, what it will about take, and what to know of it."""
    batch = report.batch
    assert batch is not None, "a plan for nothing has no lines"
    zh = language == "zh"
    out = [*_imported(imports, language), *_skipped(report.before, language)]
    out += left_out(report.problems, language)
    number, model = words.scripts(batch.total, language), batch.recipe.model
    more = "；".join(out) if zh else "; ".join(out)
    if zh:
        head = f"计划 {batch.id}：{number}" + (f"（{more}）" if more else "") + f"，模型 {model}"
    else:
        head = f"Plan {batch.id}: {number}" + (f" ({more})" if more else "") + f", model {model}"
    about = f"  {estimated(report.estimate, language)}"
    kept = [f"  {line}" for line in kept_lines(imports, language)]
    return [head, about, *kept, *_format_lines(report.formats, language)]


def _imported(imports: "Mapping[ImportOutcome, int]", language: Language) -> list[str]:
    """Return how many files became scripts and versions, nothing where none was read."""
    if not imports:
        return []
    new, versions = imports.get("created", 0), imports.get("new version", 0)
    if language == "zh":
        return ["，".join([f"新 {new:,}", *([f"新版本 {versions:,}"] if versions else [])])]
    return [", ".join([f"{new:,} new", *([count(versions, "new version")] if versions else [])])]


def kept_lines(imports: "Mapping[ImportOutcome, int]", language: Language) -> list[str]:
    """Return that files were not imported again, for their scripts went on since."""
    older = imports.get("older text", 0)
    if not older:
        return []
    if language == "zh":
        return [f"{older:,} 个文件是脚本更早的版本，没有再导入；按脚本现在的版本计划。"]
    which = "has an older text of its script" if older == 1 else "have older texts of their scripts"
    return [f"{count(older, 'file')} {which}: not imported again; planned is what the script is now."]


def _skipped(before: "Mapping[Done, int]", language: Language) -> list[str]:
    """Return how many were done before, by what became of them."""
    said = _BEFORE[language]
    if language == "zh":
        return [f"跳过 {before[how]:,}：{said[how]}" for how in said if before.get(how)]
    return [f"{before[how]:,} left out: {said[how]}" for how in said if before.get(how)]


def left_out(problems: "Sequence[Problem]", language: Language) -> list[str]:
    """Return how many rows, files and ids cannot be used, nothing where all can."""
    if not problems:
        return []
    said = _counted(problems, language)
    return [f"{said}不能用" if language == "zh" else f"{said} cannot be used"]


def _counted(problems: "Sequence[Problem]", language: Language) -> str:
    """Return how many of each kind they are, such as `2 rows and 1 file`."""
    kinds = Counter(problem.kind for problem in problems)
    if language == "zh":
        return "、".join(f"{number:,} {_KINDS_ZH[kind]}" for kind, number in kinds.items())
    *some, last = [count(number, kind) for kind, number in kinds.items()]
    return f"{', '.join(some)} and {last}" if some else last


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
    low, high = map(_short, tokens)
    return low if low == high else f"{low}–{high}"


def _short(number: int) -> str:
    """Return a number with the digits that matter: "9,850", "24k", "2.4M"."""
    if number >= 999_500:
        return f"{number / 1_000_000:,.1f}M"
    return f"{round(number, -3) // 1000:,}k" if number >= 10_000 else f"{number:,}"


def _cost(estimate: "Estimate", language: Language) -> str:
    if estimate.cost is None:
        return "价格未知" if language == "zh" else "price unknown"
    low, high = (words.money(amount) for amount in estimate.cost)
    said = low if low == high else f"{low}–{high}"
    if not estimate.cost[1]:
        return f"费用 {said}" if language == "zh" else f"cost {said}"
    # Prices are numbers without a currency; whoever set them knows which.
    return (
        f"费用 {said}（货币同你设的价格）"
        if language == "zh"
        else f"cost {said} in the currency of your prices"
    )


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


def nothing_left(report: "PlanReport", language: Language) -> list[str]:
    """Return why there is no plan: all of it was done before; and what can be done about it."""
    before = report.before
    zh = language == "zh"
    numbers = {how: words.scripts(number, language) for how, number in before.items()}
    if zh:
        told = {"saved": "已按这条指令改过，之后没有变", "proposed": "已有这条指令的提案，等待处理",
                "unchanged": "之前已看过，无需改动"}  # fmt: skip
        said = "；".join(f"{numbers[how]}{told[how]}" for how in told if how in numbers)
        steps = ["看提案：script-editor proposals"] if before.get("proposed") else []
        return [f"没有要做的：{said}。", words.joined([*steps, "仍要重做：加上 --redo"])]
    told = {"saved": "had this done before and did not change since", "proposed": "already {} an open proposal of this",
            "unchanged": "had nothing to change when this was tried before"}  # fmt: skip
    said = "; ".join(
        f"{numbers[how]} {told[how].format('has' if before[how] == 1 else 'have')}"
        for how in told
        if how in numbers
    )
    steps = ["See the proposals: script-editor proposals"] if before.get("proposed") else []
    return [f"Nothing to do: {said}.", words.joined([*steps, "All the same: --redo"])]


def next_steps(report: "PlanReport", language: Language) -> list[str]:
    """Return how to go on: a first try where there is more to do, and all of it."""
    batch = report.batch
    assert batch is not None, "a plan for nothing cannot be run"
    run = f"script-editor batch run {batch.id}"
    zh = language == "zh"
    everything = f"{'全部' if zh else 'All'}{'：' if zh else ': '}{run}"
    look = f"{'逐项查看：' if zh else 'Look at it: '}script-editor batch export {batch.id}"
    if batch.total <= _TRIED:
        return [look, everything]
    few = f"试跑 {_TRIED} 个：" if zh else f"Try {_TRIED}: "
    return [look, f"{few}{run} --sample {_TRIED}", everything]


# --- what is wrong ---------------------------------------------------------------------------


def problem_lines(
    problems: "Sequence[Problem]", language: Language, *, most: int, known: str = ""
) -> list[tuple[str, str]]:
    """Return why rows are left out, a line for each of the first `most` with what can be done about it.

    The same advice is given once, and "" afterwards; `known` is advice that is given elsewhere.
    """
    mark = click.style("!", fg="yellow", bold=True)
    lines: list[tuple[str, str]] = []
    given = {"", known}
    for problem in problems[:most]:
        said, hint = printable(problem.sentence(language)), problem.hint_in(language)
        lines.append((f"{mark} {said}", "" if hint in given else hint))
        given.add(hint)
    if more := problems[most:]:
        counted = _counted(more, language)
        zh = f"… 还有 {counted}（--json 列出全部）"
        lines.append((zh if language == "zh" else f"… and {counted} more (--json has all)", ""))
    return lines


def problem_data(problem: "Problem") -> dict[str, Any]:
    """Return what is wrong with one row as JSON values."""
    return {
        "where": place(problem.source, problem.line),
        "source": problem.source,
        "line": problem.line,
        "script": problem.script,
        "code": error_code(problem.error),
        "message": problem.message,
        "hint": problem.hint,
    }


def plan_data(report: "PlanReport", imports: "Mapping[ImportOutcome, int]") -> dict[str, Any]:
    """Return a plan as JSON values."""
    from script_editor.cli.batch.data import batch_data

    return {
        **(batch_data(report.batch) if report.batch else {"batch": None, "total": 0}),
        "skipped": report.skipped,
        "done_before": {how: report.before.get(how, 0) for how in _BEFORE["en"]},
        "imported": {
            "created": imports.get("created", 0),
            "new_versions": imports.get("new version", 0),
            "same_text": imports.get("same text", 0),
            "older_text": imports.get("older text", 0),
            "skipped": imports.get("skipped", 0),
        },
        "problems": [problem_data(problem) for problem in report.problems],
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
