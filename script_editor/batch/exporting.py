"""Where an export of a batch may be written: over nothing that is no export of the same batch."""

import codecs
import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, NamedTuple

from script_editor.app.exporting import content
from script_editor.batch.results import ResultRow
from script_editor.domain.batches import Item

Form = Literal["csv", "jsonl"]
_NAMES = tuple(field.name for field in fields(ResultRow))


class _Planned(NamedTuple):
    """What an export says of an item that never changes, as text; `columns` are its author's own."""

    batch: str
    seq: str
    script: str
    instruction: str
    columns: Mapping[str, str]

    @classmethod
    def of(cls, row: Mapping[str, Any], columns: Mapping[str, str]) -> "_Planned":
        return cls(row["batch"], str(row["seq"]), row["script"], row["instruction"], columns)


def would_be_lost(path: Path, form: Form, items: Iterable[Item], columns: Sequence[str]) -> bool:
    """Say whether writing an export of a batch over a file would lose what is there.

    Nothing is lost of an empty file, of what is no plain file, and of an earlier export of the batch, in the same form, of
    all its items or some, in which nobody has added anything or changed what was planned. `items` are all
    of the batch, `columns` the names of those of its rows' author.
    """
    there = content(path)
    if there is None:
        return True
    if not there.removeprefix(codecs.BOM_UTF8):
        return False
    try:
        text = there.decode("utf-8-sig")
        held = _of_csv(text, columns) if form == "csv" else _of_json_lines(text)
    except (ValueError, TypeError, csv.Error, RecursionError):
        return True
    planned = {str(item.job.seq): item for item in items}
    return not all(row.seq in planned and _is_of(row, planned[row.seq]) for row in held)


def _of_csv(text: str, columns: Sequence[str]) -> list[_Planned]:
    """Return the rows of a table. Raises ValueError for one that no export has written."""
    ours = [name for name in _NAMES if name != "columns"]
    head, *rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    if head[: len(ours)] != ours or {len(head), *map(len, rows)} != {len(ours) + len(columns)}:
        raise ValueError(head)
    return [
        _Planned.of(dict(zip(ours, row, strict=False)), dict(zip(columns, row[len(ours) :], strict=True)))
        for row in rows
    ]


def _of_json_lines(text: str) -> list[_Planned]:
    """Return the rows of JSON lines. Raises ValueError for some that no export has written."""
    rows = [
        json.loads(line) for line in text.removesuffix("\n").split("\n")
    ]  # not splitlines: a text may hold other breaks
    if not all(isinstance(row, dict) and tuple(row) == _NAMES for row in rows):
        raise ValueError(text[:80])
    return [_Planned.of(row, dict(row["columns"])) for row in rows]


def _is_of(row: _Planned, item: Item) -> bool:
    own = dict(item.job.columns)
    return (
        row.batch == item.batch_id
        and _is(row.script, item.job.script_id)
        and _is(row.instruction, item.job.instruction)
        and own.keys() <= row.columns.keys()
        and all(_is(cell, own.get(name, "")) for name, cell in row.columns.items())
    )


def _is(cell: str, text: str) -> bool:
    """Say whether a cell holds a text; before one that looks like a formula an apostrophe is written."""
    return cell in (text, f"'{text}")
