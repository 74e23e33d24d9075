"""Which column of a source means what, under its English or its Chinese name, and what a row of it says."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from script_editor.errors import BadRow, Language

SCRIPT = "script"
_NAMES = {
    "script": SCRIPT, "脚本": SCRIPT,
    "instruction": "instruction", "指令": "instruction", "修改要求": "instruction",
    "target": "target", "目标时长": "target",
    "only": "only", "只改": "only",
    "keep": "keep", "保留": "keep",
}  # fmt: skip
_LOOSE = {
    "script_id": SCRIPT, "脚本id": SCRIPT, "脚本编号": SCRIPT, "id": SCRIPT, "要求": "instruction",
}  # fmt: skip
"""Names that are understood where nothing has the proper one; beside it they are columns like any other."""
_KEEP_MARKS = ("|", "、", "；", ";")

ARGUMENTS = "arguments"
SELECTION = "selection"
"""Sources that are no file: ids that were typed, and scripts that were chosen by what they are like."""
_SOURCES_EN = {ARGUMENTS: "command line"}
_SOURCES_ZH = {ARGUMENTS: "命令行", SELECTION: "选出的脚本"}


def place(source: str, line: int | None, language: Language = "en") -> str:
    """Return where something stands: `jobs.csv, line 9`, `jobs.csv 第 9 行`; it begins there."""
    if line is None:
        return (_SOURCES_ZH if language == "zh" else _SOURCES_EN).get(source, source)
    return f"{source} 第 {line} 行" if language == "zh" else f"{source}, line {line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What a source says of one script. `fault` says why the row cannot be used, None when it can.

    `cells` are all columns as they were named, for templates; `own` those of them, with something in them, that
    mean nothing to the program; the other fields those with a meaning.
    """

    source: str
    line: int | None
    script: str = ""
    instruction: str = ""
    target: str = ""
    only: str = ""
    keep: tuple[str, ...] = ()
    cells: Mapping[str, str] = field(default_factory=dict)
    own: tuple[tuple[str, str], ...] = ()
    fault: BadRow | None = None


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a row, and the name of the one for each meaning."""

    names: tuple[str, ...]
    by_meaning: Mapping[str, str]

    @property
    def has_script(self) -> bool:
        """Whether one of them names the script."""
        return SCRIPT in self.by_meaning

    def row(
        self,
        cells: Mapping[str, str],
        *,
        source: str,
        line: int,
        lists: Mapping[str, tuple[str, ...]] | None = None,
    ) -> Row:
        """Return what a row with these cells says; `lists` has those that were lists, item by item."""
        cells = {column: cell.strip() for column, cell in cells.items()}

        def said(meaning: str) -> str:
            return cells.get(self.by_meaning.get(meaning, ""), "")

        if fault := _fault(cells, said(SCRIPT)):
            return Row(source=source, line=line, cells=cells, fault=fault)
        keep = (lists or {}).get(self.by_meaning.get("keep", ""))
        known = frozenset(self.by_meaning.values())
        return Row(
            source=source,
            line=line,
            script=said(SCRIPT),
            instruction=said("instruction"),
            target=said("target"),
            only=said("only"),
            keep=_words(said("keep")) if keep is None else keep,
            cells=cells,
            own=tuple((name, cell) for name, cell in cells.items() if name and cell and name not in known),
        )


@lru_cache(maxsize=256)
def columns_of(names: tuple[str, ...]) -> Columns:
    """Return what these names mean. Raises BadRow, without a full stop, when two of them are or mean the same."""
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise BadRow(f"two columns are called {twice!r}", f"有两列都叫“{twice}”")
    found: dict[str, str] = {}
    for known in (_NAMES, _LOOSE):
        taken = frozenset(found)
        for name in names:
            meaning = known.get(_folded(name))
            if meaning is None or meaning in taken:
                continue
            if meaning in found:
                raise BadRow(
                    f"the columns {found[meaning]!r} and {name!r} mean the same",
                    f"“{found[meaning]}”和“{name}”两列是同一个意思",
                )
            found[meaning] = name
    return Columns(names, found)


def _fault(cells: Mapping[str, str], script: str) -> BadRow | None:
    if any("\0" in cell for cell in cells.values()):
        return BadRow("it holds a NUL character", "里面有 NUL 字符")
    return None if script else BadRow("it names no script", "没有写是哪个脚本")


def _words(text: str) -> tuple[str, ...]:
    for mark in _KEEP_MARKS[1:]:
        text = text.replace(mark, _KEEP_MARKS[0])
    return tuple(word.strip() for word in text.split(_KEEP_MARKS[0]) if word.strip())


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).strip().casefold()
