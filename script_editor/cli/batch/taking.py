"""What `apply`, `revert` and `discard` did with each item, and what they left alone: as lines and as JSON values."""

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Literal, assert_never

import click

from script_editor.cli.printable import printable
from script_editor.cli.render import count
from script_editor.errors import Conflict, EditRefused, Language

if TYPE_CHECKING:
    from script_editor.batch.taking import Outcome, WhyLeft

Done = Literal["saved", "reverted", "discarded"]

_WHY: "Mapping[Language, Mapping[WhyLeft, str]]" = {
    "en": {"no_result": "without a result", "failed": "not done", "checks": "stopped by a check",
           "warned": "with a warning", "moved": "edited since",
           "decided": "decided on already", "archived": "archived", "refused": "refused", "already": "done already",
           "reverted": "taken back since"},
    "zh": {"no_result": "没有结果", "failed": "没有完成", "checks": "检查没有通过",
           "warned": "有警告", "moved": "之后有人改过", "decided": "提案已处理过",
           "archived": "已归档", "refused": "被拒绝", "already": "之前已完成",
           "reverted": "之后已撤回"},
}  # fmt: skip
_QUIET: "Mapping[Done, frozenset[WhyLeft]]" = {
    "saved": frozenset({"no_result", "already", "reverted"}),
    "reverted": frozenset({"no_result", "already"}),
    "discarded": frozenset({"no_result", "decided"}),
}
"""These are only counted: there is nothing for a person to do about them here."""


def result_data(result: "Outcome") -> dict[str, Any]:
    """Return what was done with one item as JSON values; "left" is why it was left alone."""
    return {
        "item": result.item.name,
        "script": result.item.job.script_id,
        "version": f"v{result.version}" if result.version is not None else None,
        "proposal": result.item.proposal_id,
        "left": result.left,
        "why": result.why or None,
    }


def result_line(result: "Outcome", done: Done, language: Language) -> str:
    """Return what was done with one item as a line, "" where nothing is to be said of it."""
    script = printable(result.item.job.script_id)
    if result.left is None:
        return f"{click.style('✓', fg='green')} {script}  {_done(result, done, language)}"
    if result.left in _QUIET[done]:
        return ""
    said = _WHY[language][result.left]
    why = printable(" ".join(result.why.split()))
    proposal = result.item.proposal_id if done == "saved" else None
    proposal = None if proposal is not None and proposal in why else proposal
    told = f"{said}{'：' if language == 'zh' else ': '}{why}" if why else said
    where = (f"（提案 {proposal}）" if language == "zh" else f" (proposal {proposal})") if proposal else ""
    return f"{click.style('!', fg='yellow')} {script}  {told}{where}"


def _done(result: "Outcome", done: Done, language: Language) -> str:
    zh = language == "zh"
    match done:
        case "saved":
            return f"v{result.version}"
        case "reverted":
            return f"{'已恢复，现为 ' if zh else 'brought back, now '}v{result.version}"
        case "discarded":
            return f"{'已放弃提案' if zh else 'discarded proposal'} {result.item.proposal_id}"
        case _:
            assert_never(done)


def summary(
    batch_id: str, taken: int, left: Sequence[Mapping[str, Any]], done: Done, language: Language
) -> list[str]:
    """Return how many were taken and left, and what can be done next."""
    zh = language == "zh"
    reasons = Counter(_WHY[language][each["left"]] for each in left)
    if zh:
        rest = "；未动：" + "，".join(f"{why} {number:,}" for why, number in reasons.items())
    else:
        rest = "; left: " + ", ".join(f"{number:,} {why}" for why, number in reasons.items())
    told = f"{_head(taken, done, language)}{rest if reasons else ''}{'。' if zh else '.'}"
    if done != "saved":
        return [told]
    return [told, *_next_steps(batch_id, taken, {each["left"] for each in left}, language)]


def _head(taken: int, done: Done, language: Language) -> str:
    zh = language == "zh"
    match done:
        case "saved":
            return f"已保存 {taken:,} 个" if zh else f"Saved {taken:,}"
        case "reverted":
            return f"已恢复 {taken:,} 个" if zh else f"Brought {taken:,} back"
        case "discarded":
            if zh:
                return f"已放弃 {taken:,} 个提案，脚本没有改动"
            return f"Discarded {count(taken, 'proposal')}; no script was changed"
        case _:
            assert_never(done)


def _next_steps(batch_id: str, taken: int, left: "Set[WhyLeft]", language: Language) -> list[str]:
    """Return what can be done after saving, each with its command."""
    steps = [
        (taken > 0, "revert", "Undo all of it", "全部撤回"),
        ("warned" in left, "apply", "Save those with warnings, too", "有警告的也保存"),
        ("moved" in left, "retry", "Edit those that moved again", "对改过的脚本重做"),
        ("refused" in left, "discard", "Drop all that are still open", "放弃所有没有保存的提案"),
    ]
    more = {"retry": " --only conflict"}
    commands = [(f"{verb} {batch_id}{more.get(verb, '')}", en, zh) for holds, verb, en, zh in steps if holds]
    if language == "zh":
        return [f"{zh}：script-editor batch {command}" for command, _, zh in commands]
    return [f"{en}: script-editor batch {command}" for command, en, _ in commands]


def refusal(left: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """Return the exit code and the name of what kept all that is left from being saved; 0 where nothing did.

    What was saved or decided on before, or had nothing to save, is no refusal. A check counts before a script that moved.
    """
    reasons = {each["left"] for each in left}
    if reasons & {"failed", "checks", "warned", "refused"}:
        return EditRefused.exit_code, EditRefused.code
    return (Conflict.exit_code, Conflict.code) if reasons & {"moved", "archived"} else (0, "")
