"""Why items failed: one that is alone with its reason on a line of its own, others together by what they have in common."""

import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len

from script_editor.cli.batch.items import item_line, mark
from script_editor.cli.batch.words import ITEM_STATES
from script_editor.cli.printable import printable
from script_editor.domain.batches import Item
from script_editor.errors import Language, Overtaken

_COLUMNS = 100
"""How wide lists of names are where there is no terminal."""
_INDENT = "    "
_OWN = "…"
"""Stands for what each item of a group has of its own: its script, its versions, its proposal."""
_SENTENCES = re.compile(r"(?<=[。；])|(?<=[.;]) ")
_MOVED: Mapping[Language, str] = {
    "en": "somebody edited these scripts meanwhile.", "zh": "这期间有人改过这些脚本。"
}  # fmt: skip
_DO_AGAIN: Mapping[Language, str] = {
    "en": "Do it again over what they are now: ", "zh": "在现在的版本上重做："
}  # fmt: skip


def failure_lines(found: Iterable[Item], language: Language) -> list[str]:
    """Return why items failed, those of one reason together."""
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in found:
        groups.setdefault((item.state, _reason(item)), []).append(item)
    return [line for group in groups.values() for line in _group_lines(group, language)]


def _reason(item: Item) -> str:
    """Return why an item failed without what is its own, which many reasons name: script, versions, proposal."""
    return item.error_type if item.error_type == Overtaken.code else _common(item, item.error)


def _common(item: Item, said: str) -> str:
    """Return what was said of an item with what is its own left open."""
    for own in (item.proposal_id, item.job.script_id):
        said = said.replace(own, _OWN) if own else said
    return " ".join(re.sub(rf"\bv{item.job.base_number}\b", _OWN, said).split())


def _group_lines(group: Sequence[Item], language: Language) -> list[str]:
    first = group[0]
    if len(group) == 1:
        hint = _one_line(first.hint)
        return [item_line(first, language), *([f"{_INDENT}{hint}"] if hint else [])]
    state, number = ITEM_STATES[language][first.state], len(group)
    head = f"{state} {number:,}：" if language == "zh" else f"{number:,} {state}: "
    named = [_named(item, language) for item in group]
    return [
        f"{mark(first)} {head}{printable(_said_of_all(group, language) or state)}",
        *_in_lines(named),
        *_hint(group, language),
    ]


def _said_of_all(group: Sequence[Item], language: Language) -> str:
    """Return what was said of each item of a group: as it was said, or what of it holds for all of them."""
    first = group[0]
    if first.error_type == Overtaken.code:
        return _MOVED[language]
    if len({item.error for item in group}) == 1:
        return " ".join(first.error.split())
    common = _common(first, first.error)
    shared = [part.strip() for part in _SENTENCES.split(common) if part.strip() and _OWN not in part]
    said = (" " if language == "en" else "").join(shared).rstrip("；; ")
    if not said:
        return common
    return said if said[-1] in "。." else said + ("。" if language == "zh" else ".")


def _named(item: Item, language: Language) -> str:
    name = item.job.script_id
    if item.proposal_id is None:
        return name
    return f"{name}（{item.proposal_id}）" if language == "zh" else f"{name} ({item.proposal_id})"


def _in_lines(names: Sequence[str]) -> list[str]:
    """Return names in lines, none of which is broken inside a name."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _COLUMNS
    lines, line = [], ""
    for name in map(printable, names):
        if line and cell_len(line) + cell_len(name) + 2 > width:
            lines.append(line)
            line = ""
        line = f"{line}  {name}" if line else f"{_INDENT}{name}"
    return [*lines, line]


def _hint(group: Sequence[Item], language: Language) -> list[str]:
    """Return what can be done about a group; where that names what is one item's own, it is told as an example."""
    first, hint = group[0], _one_line(group[0].hint)
    if not hint:
        return []
    if len({item.hint for item in group}) == 1:
        return [f"{_INDENT}{hint}"]
    if first.error_type == Overtaken.code:
        again = f"script-editor batch retry {first.batch_id} --only conflict"
        return [f"{_INDENT}{_DO_AGAIN[language]}{again}"]
    name = printable(first.job.script_id)
    return [f"{_INDENT}例如 {name}：{hint}" if language == "zh" else f"{_INDENT}{name}, for one: {hint}"]


def _one_line(hint: str) -> str:
    """Return a hint on one line, with the gaps between its steps."""
    steps = re.split(r" {5}", hint)
    return "     ".join(printable(" ".join(step.split())) for step in steps)
