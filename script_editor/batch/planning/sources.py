"""Where the rows of a plan come from: ids, CSV and JSON lines, each row with the line that it begins on.

What is wrong with a whole source is raised; what is wrong with one row is a fault of that row, and the others stay.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from script_editor.app import files
from script_editor.batch.planning.columns import ARGUMENTS, SCRIPT, Columns, Row, columns_of
from script_editor.batch.planning.json_cells import cell_of, items_of, json_object
from script_editor.errors import BadFile, BadRow, BadRows, Language

if TYPE_CHECKING:
    from _csv import Reader

Form = Literal["csv", "jsonl", "ids"]

_DELIMITERS = (",", ";", "\t")
"""What stands between cells; spreadsheets of some countries write the second, "Unicode text" the third."""
_CSV_ERRORS_ZH = {
    "unexpected end of data": "引号没有结束",
    "expected after": "引号后面应该是分隔符",
    "field limit": "有一格太长",
    "new-line character": "引号外面有换行",
}
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of one source, and the columns that there are; not every row of JSON lines has all of them."""

    rows: Iterable[Row]
    columns: tuple[str, ...]


def of_ids(ids: Sequence[str], *, source: str = ARGUMENTS) -> Rows:
    """Return a row for each id."""
    return Rows([Row(source=source, line=None, script=id, cells={SCRIPT: id}) for id in ids], (SCRIPT,))


def of_files(scripts: Mapping[str, str]) -> Rows:
    """Return a row for each file that became a script: `scripts` are the ids by the path of the file."""
    rows = [Row(source=path, line=None, script=id, cells={SCRIPT: id}) for path, id in scripts.items()]
    return Rows(rows, (SCRIPT,))


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
        line, coding = before.count(chr(10)) + 1, cause.encoding.upper()
        raise BadRows(
            f"{name}, line {line}, is not {coding}.",
            f"{name} 第 {line} 行不是 {coding}。",
            hint="Save it as UTF-8, which spreadsheets call “CSV UTF-8”, or name its encoding: --encoding gb18030",
            zh_hint="请存成 UTF-8（表格软件里叫“CSV UTF-8”），或者写明编码：--encoding gb18030",
        ) from error
    if not text.strip():
        raise BadRows(
            f"{name} is empty.",
            f"{name} 是空的。",
            hint="There is nothing to plan.",
            zh_hint="没有可以计划的内容。",
        )
    return text


def form_of(text: str, *, name: str) -> Form:
    """Return how a text without a file name is written: JSON lines, CSV with a column for the script, or ids.

    Raises:
        BadFile: its first line is longer than any of these can be.
    """
    _, first = _first_line(text)
    if first.startswith("{"):
        return "jsonl"
    return "ids" if _delimiter(text, name) is None else "csv"


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
    delimiter = _delimiter(text, name) or _DELIMITERS[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line, header = next(_records(reader, name), (1, []))
    if isinstance(header, BadRow):
        en, zh = in_both(header)
        raise BadRows(f"{name}, line {line}: {en}.", f"{name} 第 {line} 行：{zh}。")
    columns = _columns(tuple(cell.strip() for cell in header), name)
    return Rows(_csv_rows(reader, columns, name), columns.names)


def _first_line(text: str) -> tuple[int, str]:
    """Return the first line that is not blank, and its number."""
    lines = enumerate(_LINE_END.split(text), 1)
    return next((number, line.strip()) for number, line in lines if line.strip())


def _delimiter(text: str, name: str) -> str | None:
    """Return what stands between the cells of the first line, None when none of them names the script.

    Raises BadFile for a line that is no header of anything.
    """
    number, header = _first_line(text)
    for delimiter in _DELIMITERS:
        try:
            cells = next(csv.reader([header], delimiter=delimiter), [])
        except csv.Error as error:
            raise BadRows(
                f"{name}, line {number}, cannot be read: {error}.",
                f"{name} 第 {number} 行读不出来：{_csv_error_zh(error)}。",
                hint="The first line names the columns, or is the id of a script.",
                zh_hint="第一行应该是各列的名字，或者是一个脚本的编号。",
            ) from error
        if any(columns_of((cell,)).has_script for cell in cells):
            return delimiter
    return None


def _columns(names: tuple[str, ...], name: str) -> Columns:
    try:
        columns = columns_of(names)
    except BadRow as error:
        en, zh = in_both(error)
        raise BadRows(
            f"{name}: {en}.",
            f"{name}：{zh}。",
            hint="Give each column a name of its own.",
            zh_hint="请给每一列起不同的名字。",
        ) from error
    if not columns.has_script:
        there = list(filter(None, names))
        raise BadRows(
            f"{name} has no column for the script; its columns are: {', '.join(there) or 'none'}.",
            f"{name} 里没有写脚本的那一列；现有的列：{'、'.join(there) or '没有'}。",
            hint="Name one of them “script” (or 脚本).",
            zh_hint="请把其中一列叫作“脚本”（或 script）。",
        )
    return columns


def in_both(error: BadRow) -> tuple[str, str]:
    """Return what an error says, in English and in Chinese."""
    said = []
    languages: tuple[Language, ...] = ("en", "zh")
    for error.language in languages:
        said.append(str(error))
    return said[0], said[1]


def _csv_rows(reader: "Reader", columns: Columns, name: str) -> Iterator[Row]:
    width, is_empty = len(columns.names), True
    for line, cells in _records(reader, name):
        is_empty = False
        if isinstance(cells, BadRow):
            yield Row(source=name, line=line, fault=cells)
        elif len(cells) != width:
            yield Row(source=name, line=line, fault=_misfit(len(cells), width))
        else:
            yield columns.row(dict(zip(columns.names, cells, strict=True)), source=name, line=line)
    if is_empty:
        raise BadRows(
            f"{name} has a header and no rows.",
            f"{name} 只有表头，下面一行也没有。",
            hint="Write a row for each script below it.",
            zh_hint="请在表头下面给每个脚本写一行。",
        )


def _misfit(cells: int, width: int) -> BadRow:
    return BadRow(
        f"it has {cells} cells, and the header has {width} columns", f"有 {cells} 格，而表头有 {width} 列"
    )


def _records(reader: "Reader", name: str) -> Iterator[tuple[int, list[str] | BadRow]]:
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
                raise BadRows(
                    f"{name}, line {line}: the row that begins there cannot be read as CSV: {error}.",
                    f"{name} 第 {line} 行开始的那一行不是能读的 CSV：{_csv_error_zh(error)}。",
                    hint="Is a quotation mark missing? Between quotation marks, one is written twice.",
                    zh_hint="是不是少了一个引号？引号里面的引号要写两遍。",
                ) from error
            yield (
                line,
                BadRow(f"it cannot be read as CSV: {error}", f"不是能读的 CSV：{_csv_error_zh(error)}"),
            )
            continue
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield line, cells


def _csv_error_zh(error: csv.Error) -> str:
    """Return what Python's reader says, in Chinese; what is not known stays as it is."""
    return next((zh for en, zh in _CSV_ERRORS_ZH.items() if en in str(error)), str(error))


# --- JSON lines ------------------------------------------------------------------------------


def _of_json_lines(text: str, name: str) -> Rows:
    rows = list(_json_rows(text, name))
    usable = [row for row in rows if not row.fault]
    if not usable:
        en, zh = in_both(rows[0].fault) if rows[0].fault else ("", "")
        raise BadRows(
            f"{name} has no line that can be used; line {rows[0].line}: {en}.",
            f"{name} 没有一行能用；第 {rows[0].line} 行：{zh}。",
        )
    # An object that lacks a column is one bad row; what none of them has is a wrong name.
    return Rows(rows, tuple(dict.fromkeys(column for row in usable for column in row.cells)))


def _json_rows(text: str, name: str) -> Iterator[Row]:
    for line, written in enumerate(text.split("\n"), 1):
        if not written.strip():
            continue
        try:
            yield _json_row(json_object(written), name, line)
        except BadRow as error:
            yield Row(source=name, line=line, fault=error)


def _json_row(values: Mapping[str, object], name: str, line: int) -> Row:
    columns = columns_of(tuple(column.strip() for column in values))
    if any(isinstance(item, list | dict) for value in values.values() for item in items_of(value)):
        raise BadRow(
            "a value is an object; texts, numbers and lists of them are read",
            "有一个值是对象；能读的是文字、数字和它们的列表",
        )
    lists = {
        column.strip(): tuple(filter(None, (cell_of(item).strip() for item in value)))
        for column, value in values.items()
        if isinstance(value, list)
    }
    cells = {column.strip(): ", ".join(map(cell_of, items_of(value))) for column, value in values.items()}
    return columns.row(cells, source=name, line=line, lists=lists)
