"""Instructions with places to fill in: `{column}` is what a row says, `{{` and `}}` are braces."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from script_editor.batch.planning.quotations import QUOTATIONS, breaks_out
from script_editor.errors import BadRow

_PART = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Template:
    """An instruction as it was typed.

    Its quotation marks stay as they were typed too: where they enclose what goes into the script, other marks would be
    another text. So a cell that would end its quotation early is refused, not put between other marks.
    """

    text: str

    def columns(self) -> tuple[str, ...]:
        """Return the columns that it names, in their order, each once.

        Raises:
            BadRow: a brace stands alone, or names nothing.
        """
        return _columns(self.text)

    def check(self, known: Sequence[str]) -> None:
        """Make sure that every column is there. Raises BadRow, naming those that are."""
        missing = [name for name in self.columns() if name not in known]
        if missing:
            there = list(filter(None, known))
            raise BadRow(
                f"The instruction names the column {missing[0]!r}, which is not there; "
                f"the columns are: {', '.join(there) or 'none'}.",
                f"指令里的“{missing[0]}”列不存在；现有的列：{'、'.join(there) or '没有'}。",
                hint="Correct the name, or write {{ and }} where braces are meant.",
                zh_hint="请改正列名；如果要写的就是花括号，请写 {{ 和 }}。",
            )

    def filled(self, row: Mapping[str, str]) -> str:
        """Return the instruction for one row.

        Raises:
            BadRow: the row lacks a column, or has nothing in it: what is asked for would be a sentence with a hole;
                or the cell has a mark in it that ends the quotation it is put into.
        """
        self.check(tuple(row))
        around = _marks_around(self.text)

        def put(found: re.Match[str]) -> str:
            if found[0] in ("{{", "}}"):
                return found[0][0]
            name = found[1].strip()
            if not row[name]:
                raise BadRow(
                    f"The column {name!r} is empty, and the instruction needs it.",
                    f"“{name}”列是空的，而指令要用到它。",
                    hint="Fill it in, or give the row an instruction of its own.",
                    zh_hint="请填上，或者给这一行单独写一条指令。",
                )
            for marks in around.get(found.start(), ()):
                if breaks_out(row[name], marks):
                    raise _broken_quotation(name, row[name], marks)
            return row[name]

        return _PART.sub(put, self.text)


# A plan fills one template for each of 100,000 rows.
@lru_cache(maxsize=256)
def _marks_around(text: str) -> Mapping[int, Sequence[str]]:
    """Return the quotation marks, opening and closing, around each place to fill in, by where the place begins."""
    # A place is one block, so that no mark in the name of a column counts.
    plain = _PART.sub(lambda found: "_" * len(found[0]), text)
    quotations = [found for pattern in QUOTATIONS.values() for found in pattern.finditer(plain)]
    return {
        place.start(): [
            f"{each[0][0]}{each[0][-1]}" for each in quotations if each.start() < place.start() < each.end()
        ]
        for place in _PART.finditer(text)
        if place[1] is not None
    }


def _broken_quotation(name: str, cell: str, marks: str) -> BadRow:
    opening, closing = marks[0], marks[1]
    mark = closing if closing in cell else opening
    other = next((pair for pair in QUOTATIONS if not set(pair) & {*cell, *marks}), None)
    en, zh = "Write an instruction into the row.", "请给这一行单独写一条指令。"
    if other is not None:
        put = f"{other[0]}{{{name}}}{other[1]}"
        en = f"Put other marks around it, as in {put}, or write an instruction into the row."
        zh = f"请换一种引号，例如 {put}，或者给这一行单独写一条指令。"
    return BadRow(
        f"The column {name!r} has a {mark} in it, and the instruction puts it between {opening} and {closing}: "
        "nobody could tell where it ends.",
        f"“{name}”列里有 {mark}，而指令把它放在 {opening}{closing} 里面，看不出到哪里为止。",
        hint=en,
        zh_hint=zh,
    )


@lru_cache(maxsize=256)
def _columns(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_names(text)))


def _names(text: str) -> Iterator[str]:
    for found in _PART.finditer(text):
        if found[0] in ("{{", "}}"):
            continue
        name = (found[1] or "").strip()
        if not name:
            raise BadRow(
                f"There is a brace without a column in the instruction, at character {found.start() + 1}.",
                f"指令里第 {found.start() + 1} 个字符是花括号，但没有写列名。",
                hint="Name a column, as in {product}, or write {{ and }} where braces are meant.",
                zh_hint="请写上列名，例如 {产品}；如果要写的就是花括号，请写 {{ 和 }}。",
            )
        yield name
