"""What is told of single items, in the language of their instruction: a line for each, and failures by their reason."""

import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

import click
from rich.cells import cell_len

from script_editor.cli.batch.words import ITEM_STATES
from script_editor.cli.printable import printable
from script_editor.domain.batches import Item, ItemState
from script_editor.domain.findings import Finding
from script_editor.errors import Language

_MARKS: Mapping[ItemState, tuple[str, str]] = {
    "done": ("✓", "green"), "unchanged": ("=", "green"), "failed": ("✗", "red"), "dead": ("✗", "red"),
    "conflict": ("!", "yellow"), "cancelled": ("-", "yellow"),
}  # fmt: skip
_WARNED = ("!", "yellow")
_NO_NEWS = ("", "unchanged")
"""Why an item is unchanged needs no words where it only says so."""
_COLUMNS = 100
"""How wide lists of names are where there is no terminal."""


def item_line(item: Item, language: Language) -> str:
    """Return what became of one item, on one line: a mark that holds without colour, the script, the result."""
    mark, colour = _mark(item)
    told = printable(" ".join(became(item, language).split()))
    return f"{click.style(mark, fg=colour)} {printable(item.job.script_id)}  {told}"


def _mark(item: Item) -> tuple[str, str]:
    return _WARNED if item.state == "done" and item.warnings else _MARKS.get(item.state, ("·", "white"))


def became(item: Item, language: Language) -> str:
    """Return what an item came to: the version it was saved as, its proposal, or why there is none."""
    kept = [where for where in (_saved(item, language), _proposed(item, language)) if where]
    said = _said(item, language)
    if not said:
        return ("，" if language == "zh" else ", ").join(kept) or ITEM_STATES[language][item.state]
    if not kept:
        return said
    return f"{said}（{'，'.join(kept)}）" if language == "zh" else f"{said} ({', '.join(kept)})"


def _said(item: Item, language: Language) -> str:
    """Return what is to be known of an item besides where its result is, "" for nothing."""
    state, colon = ITEM_STATES[language][item.state], "：" if language == "zh" else ": "
    if item.state == "done":
        return _warned(item.warnings, language) if item.warnings else ""
    if item.state == "unchanged":
        return f"{state}{colon}{item.error}" if item.error_type not in _NO_NEWS else ""
    return f"{state}{colon}{item.error}" if item.error else state


def _warned(warnings: Sequence[Finding], language: Language) -> str:
    first, more = warning_sentences(warnings, language)[0], len(warnings) - 1
    if language == "zh":
        return f"有警告：{first}" + (f"（还有 {more} 条）" if more else "")
    return f"warning: {first}" + (f" (and {more} more)" if more else "")


def warning_sentences(warnings: Sequence[Finding], language: Language) -> list[str]:
    """Return what the checks said of a proposal, as sentences."""
    from script_editor.domain.refusals import finding_sentence  # late: most items have none

    return [finding_sentence(warning, language) for warning in warnings]


def _saved(item: Item, language: Language) -> str:
    if item.result_number is None:
        return ""
    return f"{'已存为' if language == 'zh' else 'saved as'} v{item.result_number}"


def _proposed(item: Item, language: Language) -> str:
    if item.proposal_id is None:
        return ""
    return f"{'提案' if language == 'zh' else 'proposal'} {item.proposal_id}"


# --- many that failed ------------------------------------------------------------------------


def failure_lines(found: Iterable[Item], language: Language) -> list[str]:
    """Return why items failed: one that is alone with its reason on a line of its own, others together by theirs."""
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in found:
        groups.setdefault((item.state, _reason(item)), []).append(item)
    return [line for group in groups.values() for line in _group_lines(group, language)]


def _reason(item: Item) -> str:
    """Return why an item failed without what is its own, which many reasons name: script, versions, proposal."""
    said = item.error
    for own in (item.proposal_id, item.job.script_id, f"v{item.job.base_number}"):
        said = said.replace(own, "…") if own else said
    return " ".join(said.split())


def _group_lines(group: Sequence[Item], language: Language) -> list[str]:
    first = group[0]
    if len(group) == 1:
        return [item_line(first, language), *_hint(first)]
    mark, colour = _mark(first)
    state, number = ITEM_STATES[language][first.state], len(group)
    head = f"{state} {number:,}：" if language == "zh" else f"{number:,} {state}: "
    named = [_named(item, language) for item in group]
    # Of reasons that differ in names alone the first is told as it is.
    return [
        f"{click.style(mark, fg=colour)} {head}{printable(' '.join(first.error.split()) or state)}",
        *_wrapped(named),
        *_hint(first),
    ]


def _named(item: Item, language: Language) -> str:
    if item.proposal_id is None:
        return item.job.script_id
    return (
        f"{item.job.script_id}（{item.proposal_id}）"
        if language == "zh"
        else f"{item.job.script_id} ({item.proposal_id})"
    )


def _wrapped(names: Sequence[str]) -> list[str]:
    """Return names in lines, none of which is broken inside a name."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else _COLUMNS
    lines, line = [], ""
    for name in map(printable, names):
        if line and cell_len(line) + cell_len(name) + 2 > width:
            lines.append(line)
            line = ""
        line = f"{line}  {name}" if line else f"    {name}"
    return [*lines, line]


def _hint(item: Item) -> list[str]:
    return [f"    {printable(' '.join(item.hint.split()))}"] if item.hint else []
