"""Search/replace blocks as text: what stands between the markers, and nothing guessed about where it splits.

    <<<<<<< SEARCH
    三分钟
    =======
    四分钟
    >>>>>>> REPLACE

Markers may be 5 to 9 characters long, or those of a similar dialect (`------- SEARCH`, `+++++++ REPLACE`).
A content line that looks like a marker makes the split ambiguous: that is refused.
"""

import re
import unicodedata
from dataclasses import dataclass

from script_editor.domain.guards import first_line
from script_editor.domain.replies.enclosures import FENCE
from script_editor.domain.replies.surroundings import Surroundings
from script_editor.domain.segments import is_blank
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

_OPEN = Pattern(r"\s*(?:<{5,9}|-{5,9})\s?(?:SEARCH|ORIGINAL|OLD|HEAD)\b[^\n]{0,80}", re.IGNORECASE)
_DIVIDER = Pattern(r"\s*={5,9}\s*")
_CLOSE = Pattern(r"\s*(?:>{5,9}|\+{5,9})\s?(?:REPLACE|UPDATED|NEW|MODIFIED)\b[^\n]{0,80}", re.IGNORECASE)
_STRAY = Pattern(r"\s*(?:<{5,9}|>{5,9})\s*")
_FILE_NAME = Pattern(r"\s*(?:#{1,4} |\*\*|`)?[^\s，。！？,!?]{1,80}(?:\*\*|`|:)?\s*")
_ADVICE = "Name lines by their ids instead: then no marker can be taken for text."


@dataclass(frozen=True, slots=True)
class Block:
    """One search/replace pair; LF between lines, no line end after the last."""

    search: str
    replace: str


def is_block_start(line: str) -> bool:
    """Say whether a line opens a search/replace block."""
    return _is(_OPEN, line)


def _is(marker: Pattern, line: str) -> bool:
    return len(line) <= 120 and marker.fullmatch(unicodedata.normalize("NFKC", line)) is not None


def read_blocks(body: str, surroundings: Surroundings) -> list[Block]:
    """Return the blocks of a reply.

    Raises:
        EditRefused: malformed, or truncated when the last block is not closed.
    """
    blocks: list[Block] = []
    outside: list[str] = []
    halves: list[list[str]] = []
    for line in body.split("\n"):
        if not halves:
            if is_block_start(line):
                _check_outside(outside, surroundings, is_first=not blocks)
                halves, outside = [[]], []
            else:
                outside.append(line)
        elif _is(_CLOSE, line):
            blocks.append(_block(halves))
            halves = []
        elif _is(_DIVIDER, line) and len(halves) == 1:
            halves.append([])
        elif _is(_DIVIDER, line) or _is(_OPEN, line) or _is(_STRAY, line):
            raise _malformed(f"{first_line(line)!r} inside a block could be its marker or its text.")
        else:
            halves[-1].append(line)
    if halves:
        raise EditRefused(
            "truncated", "The last block has no end, so the reply may be cut off; nothing of it was used."
        )
    surroundings.check_behind(outside)
    return blocks


def _block(halves: list[list[str]]) -> Block:
    if len(halves) != 2:
        raise _malformed("A block has no divider between the text to find and the text to put there.")
    search, replace = halves
    while search and replace and is_blank(search[0]) and is_blank(replace[0]):
        search, replace = search[1:], replace[1:]
    while search and replace and is_blank(search[-1]) and is_blank(replace[-1]):
        search, replace = search[:-1], replace[:-1]
    return Block("\n".join(search), "\n".join(replace))


def _check_outside(lines: list[str], surroundings: Surroundings, *, is_first: bool) -> None:
    """Accept fences, a file name and lines of closed shapes before a block."""
    spoken = [line for line in lines if not is_blank(line)]
    names = [
        line
        for line in spoken[-2:]
        if _FILE_NAME.fullmatch(line) and not FENCE.fullmatch(line) and _is_path(line)
    ]
    left = [line for line in spoken if line not in names]
    if is_first:
        surroundings.check_before(left)
    else:
        surroundings.check_behind(left)


def _is_path(line: str) -> bool:
    return "." in line or "/" in line or "_" in line


def _malformed(message: str) -> EditRefused:
    return EditRefused("malformed", message, advice=_ADVICE)
