"""The `@@` text form: operations without escaping.

    @@ replace S5:9c
    水开下面，四分钟就好。
    @@ insert_after S2:3d
    …
    @@ delete S4:0f
    @@ move S4:0f before S2:3d
    @@ substitute S5:9c
    三分钟
    @@ with
    四分钟
    @@ end

A text line that begins with `@@` is written `\\@@`. Full-width `＠＠` begins an operation only where the
rest of the line is one; otherwise it is text. Without `@@ end` the reply may be cut off.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from script_editor.domain.guards import first_line
from script_editor.domain.operations import (
    Delete,
    InsertAfter,
    InsertBefore,
    Move,
    Operation,
    Replace,
    Substitute,
)
from script_editor.domain.replies.surroundings import Surroundings
from script_editor.domain.segments import is_blank
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

_HEADER = Pattern(r"@@\s*(?P<name>[a-z_]+)\s*(?P<rest>.*?)\s*", re.IGNORECASE)
_WIDE = Pattern(r"[@＠]{2}")
_NAMES = frozenset(
    {"replace", "insert_before", "insert_after", "delete", "move", "substitute", "with", "end"}
)
_ADVICE = "Answer with @@ operations only, ending with '@@ end'."


@dataclass(frozen=True, slots=True)
class _Block:
    name: str
    rest: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The lines without blank ones at the ends, which only set operations apart."""
        spoken = [index for index, line in enumerate(self.lines) if not is_blank(line)]
        return "\n".join(self.lines[spoken[0] : spoken[-1] + 1]) if spoken else ""


def is_header(line: str) -> bool:
    """Say whether a line begins an operation of the text form."""
    return _header(line) is not None


def _header(line: str) -> re.Match[str] | None:
    plain = _WIDE.sub("@@", line, count=1) if _WIDE.match(line) else line
    header = _HEADER.fullmatch(plain)
    if header is None or (plain != line and header["name"].lower() not in _NAMES):
        return None
    return header


def read_text_form(body: str, surroundings: Surroundings) -> list[Operation]:
    """Return the operations of a reply in the text form.

    Raises:
        EditRefused: malformed, or truncated without its end.
    """
    lines = body.split("\n")
    begin = next(index for index, line in enumerate(lines) if is_header(line))
    surroundings.check_before(lines[:begin])
    blocks: list[_Block] = []
    for index, line in enumerate(lines[begin:], start=begin):
        header = _header(line)
        if header is None and line.startswith("@@"):
            raise _malformed(
                f"{first_line(line)!r} is not an operation; write \\@@ for text that begins with @@."
            )
        if header is None:
            blocks[-1].lines.append(line[1:] if line.startswith("\\@@") else line)
        elif header["name"].lower() != "end":
            blocks.append(_Block(header["name"].lower(), header["rest"]))
        elif header["rest"]:
            raise _malformed(f"{first_line(line)!r} is not '@@ end'.")
        else:
            surroundings.check_behind(lines[index + 1 :])
            return _operations(blocks)
    raise EditRefused(
        "truncated",
        "The reply has no '@@ end', so it may be cut off; nothing of it was used.",
        advice=_ADVICE,
    )


def _operations(blocks: Sequence[_Block]) -> list[Operation]:
    operations: list[Operation] = []
    remaining = iter(blocks)
    for block in remaining:
        if block.name != "substitute":
            operations.append(_operation(block.name, block.rest.split(), block.text))
            continue
        written = next(remaining, None)
        if written is None or written.name != "with":
            raise _malformed("A substitute needs '@@ with' and the new text after it.")
        operations.append(_substitute(block.rest, block.text, written.text))
    return operations


def _substitute(rest: str, find: str, replace: str) -> Substitute:
    words = rest.split()
    every = bool(words) and words[-1].lower() == "all"
    ids = words[:-1] if every else words
    if len(ids) > 1:
        raise _malformed(f"'@@ substitute {rest}': give one segment id, 'all', or both.")
    return Substitute(find=find, replace=replace, id=ids[0] if ids else None, all=every)


def _operation(name: str, words: Sequence[str], text: str) -> Operation:
    match name, words:
        case "replace", [id]:
            return Replace(id, text)
        case "insert_before", [id]:
            return InsertBefore(id, text)
        case "insert_after", [id]:
            return InsertAfter(id, text)
        case "delete", [id] if not text:
            return Delete(id)
        case "move", [id, where, anchor] if where.lower() in ("before", "after") and not text:
            return Move(id, before=anchor) if where.lower() == "before" else Move(id, after=anchor)
    raise _malformed(f"'@@ {name} {' '.join(words)}' is not an operation that can be carried out.")


def _malformed(message: str) -> EditRefused:
    return EditRefused("malformed", message, advice=_ADVICE)
