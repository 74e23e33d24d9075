"""Instructions with places to fill in: `{column}` is what a row says, `{{` and `}}` are braces."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from script_editor.errors import BadInput

_PART = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Template:
    """An instruction as it was typed."""

    text: str

    def columns(self) -> tuple[str, ...]:
        """Return the columns that it names, in their order, each once.

        Raises:
            BadInput: a brace stands alone, or names nothing.
        """
        return tuple(dict.fromkeys(self._names()))

    def check(self, known: Sequence[str]) -> None:
        """Make sure that every column is there. Raises BadInput, naming those that are."""
        missing = [name for name in self.columns() if name not in known]
        if missing:
            there = ", ".join(filter(None, known)) or "none"
            raise BadInput(
                f"The instruction names the column {missing[0]!r}, which is not there; the columns are: {there}.",
                hint="Correct the name, or write {{ and }} where braces are meant.",
            )

    def filled(self, row: Mapping[str, str]) -> str:
        """Return the instruction for one row.

        Raises:
            BadInput: the row lacks a column, or has nothing in it: what is asked for would be a sentence with a hole.
        """
        self.check(tuple(row))

        def put(found: re.Match[str]) -> str:
            if found[0] in ("{{", "}}"):
                return found[0][0]
            name = found[1].strip()
            if not row[name]:
                raise BadInput(
                    f"The column {name!r} is empty, and the instruction needs it.",
                    hint="Fill it in, or give the row an instruction of its own.",
                )
            return row[name]

        return _PART.sub(put, self.text)

    def _names(self) -> Iterator[str]:
        for found in _PART.finditer(self.text):
            if found[0] in ("{{", "}}"):
                continue
            name = (found[1] or "").strip()
            if not name:
                raise BadInput(
                    f"There is a brace without a column in the instruction, at character {found.start() + 1}.",
                    hint="Name a column, as in {product}, or write {{ and }} where braces are meant.",
                )
            yield name
