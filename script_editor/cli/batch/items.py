"""What is told of single items, in the language of their instruction: a line for each."""

from collections.abc import Mapping, Sequence

import click

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


def item_line(item: Item, language: Language) -> str:
    """Return what became of one item, on one line: a mark that holds without colour, the script, the result."""
    told = printable(" ".join(became(item, language).split()))
    return f"{mark(item)} {printable(item.job.script_id)}  {told}"


def mark(item: Item) -> str:
    """Return the mark of what became of an item, in its colour."""
    has_warning = item.state == "done" and item.warnings
    sign, colour = _WARNED if has_warning else _MARKS.get(item.state, ("·", "white"))
    return click.style(sign, fg=colour)


def became(item: Item, language: Language) -> str:
    """Return what an item came to: the version it was saved as, its proposal, or why there is none."""
    said = _said(item, language)
    is_named = item.proposal_id is not None and item.proposal_id in said
    proposed = "" if is_named else _proposed(item, language)
    kept = [where for where in (_saved(item, language), proposed) if where]
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
