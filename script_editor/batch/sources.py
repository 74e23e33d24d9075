"""Where the rows of a plan come from: ids, CSV and JSON lines, each row with the line that it begins on.

What is wrong with a whole source is raised; what is wrong with one row is a fault of that row, and the others stay.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from script_editor.app import files
from script_editor.batch.columns import SCRIPT, Columns, Row, columns_of
from script_editor.errors import BadFile, BadInput

if TYPE_CHECKING:
    from _csv import Reader

Form = Literal["csv", "jsonl", "ids"]

_DELIMITERS = (",", ";", "\t")
"""What stands between cells; spreadsheets of some countries write the second, "Unicode text" the third."""
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one source, and the columns that there are; not every row of JSON lines has all of them."""

    rows: Iterable[Row]
    columns: tuple[str, ...]


def of_ids(ids: Sequence[str], *, source: str = "arguments") -> Rows:
    """Return a row for each id."""
    return Rows([Row(source=source, line=None, script=id, cells={SCRIPT: id}) for id in ids], (SCRIPT,))


def decoded(data: bytes, *, name: str, encoding: str | None = None) -> str:
    """Return the text of a source: as its BOM says, else in `encoding`, else in UTF-8.

    Raises:
        BadFile: it is not, with the line; or it is empty.
    """
    try:
        text, _ = files.decoded(data, name=name, encoding=encoding)
    except BadFile as error:
        cause = error.__cause__
        if not isinstance(cause, UnicodeDecodeError):
            raise
        before = cause.object[: cause.start].decode(cause.encoding, errors="ignore")
        raise BadFile(
            f"{name}, line {before.count(chr(10)) + 1}, is not {cause.encoding.upper()}.",
            hint="Save it as UTF-8, which spreadsheets call “CSV UTF-8”, or name its encoding: --encoding gb18030",
        ) from error
    if not text.strip():
        raise BadFile(f"{name} is empty.", hint="There is nothing to plan.")
    return text


def form_of(text: str) -> Form:
    """Return how a text without a file name is written: JSON lines, CSV with a column for the script, or ids."""
    first = _first_line(text)
    if first.startswith("{"):
        return "jsonl"
    return "ids" if _delimiter(first) is None else "csv"


def of_text(text: str, *, name: str, form: Form) -> Rows:
    """Return the rows of a text. Raises BadFile for what is wrong with all of it, also while they are read."""
    match form:
        case "csv":
            return _of_csv(text, name)
        case "jsonl":
            return _of_json_lines(text, name)
        case "ids":
            rows = [
                Row(source=name, line=number, script=line.strip(), cells={SCRIPT: line.strip()})
                for number, line in enumerate(_LINE_END.split(text), 1)
                if line.strip() and not line.lstrip().startswith("#")
            ]
            return Rows(rows, (SCRIPT,))


# --- CSV -------------------------------------------------------------------------------------


def _of_csv(text: str, name: str) -> Rows:
    delimiter = _delimiter(_first_line(text)) or _DELIMITERS[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line, header = next(_records(reader, name), (1, []))
    if isinstance(header, str):
        raise BadFile(f"{name}, line {line}: {header}.")
    columns = _columns(tuple(cell.strip() for cell in header), name)
    return Rows(_csv_rows(reader, columns, name), columns.names)


def _first_line(text: str) -> str:
    return next(line for line in _LINE_END.split(text) if line.strip()).strip()


def _delimiter(header: str) -> str | None:
    """Return what stands between the cells of a header, None when none of them names the script."""
    for delimiter in _DELIMITERS:
        names = next(csv.reader([header], delimiter=delimiter), [])
        if any(columns_of((name,)).has_script for name in names):
            return delimiter
    return None


def _columns(names: tuple[str, ...], name: str) -> Columns:
    try:
        columns = columns_of(names)
    except BadInput as error:
        raise BadFile(f"{name}: {error}.", hint="Give each column a name of its own.") from error
    if not columns.has_script:
        there = ", ".join(filter(None, names)) or "none"
        raise BadFile(
            f"{name} has no column for the script; its columns are: {there}.",
            hint="Name one of them “script” (or 脚本).",
        )
    return columns


def _csv_rows(reader: "Reader", columns: Columns, name: str) -> Iterator[Row]:
    width = len(columns.names)
    for line, cells in _records(reader, name):
        if isinstance(cells, str):
            yield Row(source=name, line=line, fault=cells)
        elif len(cells) != width:
            fault = f"it has {len(cells)} cells, and the header has {width} columns"
            yield Row(source=name, line=line, fault=fault)
        else:
            yield columns.row(dict(zip(columns.names, cells, strict=True)), source=name, line=line)


def _records(reader: "Reader", name: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield the line that each record begins on, and its cells, or what is wrong with it; blank ones are left out.

    Raises:
        BadFile: a record of several lines cannot be read, so that nobody knows where it ends.
    """
    while True:
        line = reader.line_num + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            if reader.line_num > line:
                raise BadFile(
                    f"{name}, line {line}: the row that begins there cannot be read as CSV: {error}.",
                    hint="Is a quotation mark missing? Between quotation marks, one is written twice.",
                ) from error
            yield line, f"it cannot be read as CSV: {error}"
            continue
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield line, cells


# --- JSON lines ------------------------------------------------------------------------------


def _of_json_lines(text: str, name: str) -> Rows:
    rows = list(_json_rows(text, name))
    usable = [row for row in rows if not row.fault]
    if not usable:
        raise BadFile(f"{name} has no line that can be used; line {rows[0].line}: {rows[0].fault}.")
    # An object that lacks a column is one bad row; what none of them has is a wrong name.
    return Rows(rows, tuple(dict.fromkeys(column for row in usable for column in row.cells)))


def _json_rows(text: str, name: str) -> Iterator[Row]:
    for line, written in enumerate(text.split("\n"), 1):
        if not written.strip():
            continue
        try:
            yield _json_row(_object(written), name, line)
        except BadInput as error:
            yield Row(source=name, line=line, fault=str(error))


def _json_row(values: Mapping[str, object], name: str, line: int) -> Row:
    columns = columns_of(tuple(column.strip() for column in values))
    if any(isinstance(item, list | dict) for value in values.values() for item in _items(value)):
        raise BadInput("a value is an object; texts, numbers and lists of them are read")
    lists = {
        column.strip(): tuple(filter(None, (_cell(item).strip() for item in value)))
        for column, value in values.items()
        if isinstance(value, list)
    }
    cells = {column.strip(): ", ".join(map(_cell, _items(value))) for column, value in values.items()}
    return columns.row(cells, source=name, line=line, lists=lists)


def _object(written: str) -> Mapping[str, object]:
    """Return the object on a line. Raises BadInput."""
    try:
        value = json.loads(written, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise BadInput("it is not a JSON object") from error
    if not isinstance(value, dict):
        raise BadInput("it is not a JSON object")
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadInput("it holds half of a character") from error
    return value


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise BadInput("two columns have the same name")
    return values


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else [value]


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return json.dumps(value)
        case _:
            return str(value)
