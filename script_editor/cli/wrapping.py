"""Lines that are too long for a terminal, broken between facts, clauses and words: never inside a word or a command.

What the terminal itself breaks, it breaks anywhere, and a command that was broken cannot be copied.
"""

import re
from collections.abc import Iterator

import click
from rich.cells import cell_len

_HANGING = 2
"""So many cells further in are the lines that go on."""
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_COMMAND = re.compile(r"script-editor(?: [^\s，。；：、（）“”]+)+")
_HELD = "\ue000"
"""Stands for the spaces in a command while a line is taken apart."""
_STEPS = re.compile(r"(?<=\S) {5}(?=\S)")
_PARTS = re.compile(r" {3,}")
_FACTS = re.compile(r" · ")
_CLAUSES = re.compile(rf"(?<=[，。；：、！？）])(?=[^\s，。；：、！？）”])|(?<![{_HAN}\s]) +(?![{_HAN}\s])")
"""A space beside a Chinese character belongs to what it counts, as in "失败 3"."""
_SPACES = re.compile(r" +")
_CHARACTERS = re.compile(rf"(?<=[{_HAN}])(?=[{_HAN}A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[{_HAN}])")
_LEVELS = (_PARTS, _FACTS, _CLAUSES, _SPACES, _CHARACTERS)


def wrapped(line: str, columns: int) -> list[str]:
    """Return a line as lines of at most `columns` terminal cells; one that fits comes back as it is.

    Steps with wide gaps between them get a line each. What cannot be broken, a long command or address, stays whole.
    """
    if _width(line) <= columns:
        return [line]
    indent = " " * (len(line) - len(line.lstrip(" ")))
    return [
        piece
        for step in _STEPS.split(line.strip(" "))
        for piece in _filled(_COMMAND.sub(_held, step), columns, indent)
    ]


def _filled(step: str, columns: int, indent: str) -> Iterator[str]:
    """Yield the lines of one step; a line that goes on further in than it can leaves its indent out."""
    hanging = indent + " " * _HANGING
    room = max(columns - len(hanging), 1)
    for number, line in enumerate(_lines(step, room, 0)):
        told = line.replace(_HELD, " ")
        before = hanging if number else indent
        yield told if _width(told) > columns - len(before) else before + told


def _lines(text: str, room: int, level: int) -> list[str]:
    """Return a text in lines, broken where this level says, and what is too long there where the next one does."""
    if _width(text) <= room or level == len(_LEVELS):
        return [text]
    lines: list[str] = []
    line = ""
    for gap, piece in _pieces(text, _LEVELS[level]):
        if line and _width(line + gap + piece) <= room:
            line += gap + piece
            continue
        lines += [line] if line else []
        *whole, line = _lines(piece, room, level + 1)
        lines += whole
    return [*lines, line]


def _pieces(text: str, between: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield the pieces of a text, each with the gap before it."""
    gap, end = "", 0
    for match in between.finditer(text):
        yield gap, text[end : match.start()]
        gap, end = match.group(), match.end()
    yield gap, text[end:]


def _held(command: re.Match[str]) -> str:
    return command.group().replace(" ", _HELD)


def _width(text: str) -> int:
    return cell_len(click.unstyle(text))
