"""Instructions with places to fill in: `{column}` is what a row says, `{{` and `}}` are braces."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from script_editor.errors import BadRow

_PART = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Template:
    """An instruction as it was typed."""

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
            BadRow: the row lacks a column, or has nothing in it: what is asked for would be a sentence with a hole.
        """
        self.check(tuple(row))

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
            return row[name]

        return _PART.sub(put, self.text)


# A plan fills one template for each of 100,000 rows.
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
