"""What `apply` and `revert` did with each item, and what they left alone: as lines and as JSON values."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from script_editor.cli.printable import printable
from script_editor.errors import Conflict, EditRefused, Language

if TYPE_CHECKING:
    from script_editor.batch.results import Reverted, Saved, WhyLeft

Done = Literal["saved", "reverted"]

_WHY: "Mapping[Language, Mapping[WhyLeft, str]]" = {
    "en": {"no_result": "nothing came of it", "checks": "a check spoke against it",
           "warned": "a check warned", "moved": "edited since",
           "decided": "decided on already", "archived": "archived", "refused": "refused", "already": "done already"},
    "zh": {"no_result": "没有结果", "checks": "检查没有通过",
           "warned": "有警告", "moved": "之后有人改过", "decided": "提案已处理过",
           "archived": "已归档", "refused": "被拒绝", "already": "之前已完成"},
}  # fmt: skip
_QUIET: "frozenset[WhyLeft]" = frozenset({"no_result", "already"})
"""These are only counted: there is nothing for a person to do about them here."""


def result_data(result: "Saved | Reverted") -> dict[str, Any]:
    """Return what was done with one item as JSON values; "left" is why it was left alone."""
    return {
        "item": result.item.name,
        "script": result.item.job.script_id,
        "version": f"v{result.version}" if result.version is not None else None,
        "proposal": result.item.proposal_id,
        "left": result.left,
        "why": result.why or None,
    }


def result_line(result: "Saved | Reverted", done: Done, language: Language) -> str:
    """Return what was done with one item as a line, "" where nothing is to be said of it."""
    script = printable(result.item.job.script_id)
    if result.left is None:
        what = {"saved": "", "reverted": "已恢复，现为 " if language == "zh" else "brought back, now "}[done]
        return f"{click.style('✓', fg='green')} {script}  {what}v{result.version}"
    if result.left in _QUIET:
        return ""
    proposal = result.item.proposal_id if done == "saved" else None
    said = _WHY[language][result.left]
    why = printable(" ".join(result.why.split()))
    told = f"{said}{'：' if language == 'zh' else ': '}{why}" if why else said
    where = (f"（提案 {proposal}）" if language == "zh" else f" (proposal {proposal})") if proposal else ""
    return f"{click.style('!', fg='yellow')} {script}  {told}{where}"


def summary(
    batch_id: str, taken: int, left: Sequence[Mapping[str, Any]], done: Done, language: Language
) -> list[str]:
    """Return how many were taken and left, and what can be done next."""
    zh = language == "zh"
    reasons = Counter(_WHY[language][each["left"]] for each in left)
    rest = "，".join(f"{why} {number:,}" for why, number in reasons.items()) if zh else ", ".join(
        f"{number:,} {why}" for why, number in reasons.items()
    )  # fmt: skip
    if done == "saved":
        head = f"已保存 {taken:,} 个" if zh else f"Saved {taken:,}"
    else:
        head = f"已恢复 {taken:,} 个" if zh else f"Brought {taken:,} back"
    lines = [f"{head}{f'；未动：{rest}' if zh else f'; left: {rest}'}{'。' if zh else '.'}" if rest
             else f"{head}{'。' if zh else '.'}"]  # fmt: skip
    if done == "saved" and taken:
        undo = "全部撤回" if zh else "Undo all of it"
        lines.append(f"{undo}{'：' if zh else ': '}script-editor batch revert {batch_id}")
    if done == "saved" and any(each["left"] == "warned" for each in left):
        too = "有警告的也保存" if zh else "Save those with warnings, too"
        lines.append(f"{too}{'：' if zh else ': '}script-editor batch apply {batch_id}")
    if done == "saved" and any(each["left"] == "moved" for each in left):
        again = "对改过的脚本重做" if zh else "Edit those that moved again"
        lines.append(f"{again}{'：' if zh else ': '}script-editor batch retry {batch_id} --only conflict")
    return lines


def refusal(left: Sequence[Mapping[str, Any]]) -> tuple[int, str]:
    """Return the exit code and the name of what kept everything from being saved; 0 where nothing did.

    What was saved before, or had nothing to save, is no refusal.
    """
    reasons = {each["left"] for each in left}
    if "already" in reasons:
        return 0, ""
    if reasons & {"checks", "warned", "refused"}:
        return EditRefused.exit_code, EditRefused.code
    return (Conflict.exit_code, Conflict.code) if reasons & {"moved", "archived"} else (0, "")
