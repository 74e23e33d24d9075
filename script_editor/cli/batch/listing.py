"""A list of batches: a row for each where the terminal is wide enough, else a few short lines; each batch in the language
of its instruction."""

from collections.abc import Sequence

from rich.cells import cell_len

from script_editor.agent.language import language_of
from script_editor.cli import render
from script_editor.cli.batch import words
from script_editor.cli.wrapping import wrapped
from script_editor.domain.batches import OF_EACH_ROW, Batch, Tally

_LEAST_ASKED = 24
"""A row must leave so many cells for the instruction, or it is told in lines."""
_MOST_ASKED = 200
_INDENT = "  "


def lines(found: Sequence[Tally], columns: int | None) -> list[str]:
    """Return batches as lines of at most `columns` cells; with None, as rows of any length."""
    rows = [_row(tally) for tally in found]
    if columns is None or _fits(rows, columns):
        return render.table(rows, columns)
    return [line for row in rows for line in _block(row, columns)]


def _row(tally: Tally) -> tuple[str, ...]:
    batch = tally.batch
    language = language_of(batch.recipe.instruction)
    numbers = " · ".join(words.facts(tally, language))
    state, model = words.state(batch, language), batch.recipe.model
    return batch.id, render.moment(batch.created_at), state, model, numbers, _asked(batch)


def _asked(batch: Batch) -> str:
    asked = render.one_line(batch.recipe.instruction, _MOST_ASKED)
    return asked if batch.recipe.instruction in OF_EACH_ROW.values() else f"“{asked}”"


def _fits(rows: Sequence[tuple[str, ...]], columns: int) -> bool:
    *others, asked = [max(map(cell_len, cells)) for cells in zip(*rows, strict=True)] or [0]
    return sum(others) + 2 * len(others) + min(asked, _LEAST_ASKED) <= columns


def _block(row: tuple[str, ...], columns: int) -> list[str]:
    *head, numbers, asked = row
    return [
        *wrapped("   ".join(head), columns),
        *wrapped(_INDENT + numbers, columns),
        _INDENT + render.one_line(asked, columns - len(_INDENT)),
    ]
