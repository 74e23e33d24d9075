"""Search/replace blocks carried out on a script's text, and the result as operations on its lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from script_editor.domain.intent import Intent
from script_editor.domain.operations import Operation
from script_editor.domain.projection import project
from script_editor.domain.replies.alignment import looks
from script_editor.domain.replies.blocks import Block
from script_editor.domain.replies.locating import Locator, unescaped, without_outer_blank_lines
from script_editor.domain.replies.prefixes import unnumbered
from script_editor.domain.replies.splicing import lines_exchanged
from script_editor.domain.segments import NumberedScript, is_blank
from script_editor.domain.splices import Splice
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

_BLANK_START = Pattern(r"\A(?:[^\S\n]*\n)+")
_BLANK_END = Pattern(r"(?:\n[^\S\n]*)+\Z")
_DOTS = Pattern(r"\s*(?:\.{3,}|…+|⋯+)\s*")


def exchange(
    blocks: Sequence[Block], script: NumberedScript, intent: Intent, instruction: str
) -> tuple[Operation, ...]:
    """Return what the blocks change, as operations; all of it or nothing.

    Raises:
        EditRefused: no_match, ambiguous_match, empty_search, elision, conflict when blocks overlap, and
            unchanged when every block is carried out already.
    """
    locator = Locator(script)
    splices: list[Splice] = []
    done = 0
    for block in blocks:
        if block.search.strip() == "":
            raise EditRefused(
                "empty_search",
                "A block has nothing to find.",
                advice="Quote the line beside which the text belongs.",
            )
        fitting = _fitting(block if intent.blank_lines else _framed(block), script, locator)
        if block.search == block.replace or (len(blocks) == 1 and _is_done(fitting, locator)):
            done += 1
            continue
        splices += _splices(fitting, script, locator, instruction)
    if done == len(blocks):
        raise EditRefused("unchanged", "The script reads so already; nothing was changed.")
    return lines_exchanged(_checked(splices, script), script)


def _is_done(block: Block, locator: Locator) -> bool:
    """Say whether the new text stands in the script, as lines of its own or at some length, and the old one does not."""
    new = without_outer_blank_lines(block.replace).strip()
    if not new or _count_dots(block.search) or looks(new) in looks(block.search):
        return False
    if locator.has(block.search) or not locator.has(new):
        return False
    return len(new) >= 8 or "\n" in new or any(new == line for line in locator.contents)


def _framed(block: Block) -> Block:
    """Return the block without blank lines at the ends of its new text that the old text does not have there."""
    spoken = [line for line in block.replace.split("\n") if line.strip()]
    if not spoken or block.search != without_outer_blank_lines(block.search):
        return block
    replace = block.replace
    if f"{spoken[-1]}\n\n" not in block.search:
        replace = _BLANK_END.sub("", replace)
    if f"\n\n{spoken[0]}" not in block.search:
        replace = _BLANK_START.sub("", replace)
    return Block(block.search, replace)


# --- one block --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Piece:
    search: str
    replace: str


def _splices(block: Block, script: NumberedScript, locator: Locator, instruction: str) -> Iterator[Splice]:
    last = -1
    for piece in _pieces(block, locator, instruction):
        start, end = locator.locate(piece.search)
        if start < last:
            raise EditRefused(
                "no_match", "The passages of a block with '...' do not stand in this order in the script."
            )
        last = end
        written = project(script.text[start:end], piece.search, piece.replace)
        changed = _without_context(Splice(start, end, written), script.text)
        if changed is not None:
            yield _whole_lines(changed, script)


def _fitting(block: Block, script: NumberedScript, locator: Locator) -> Block:
    """Return the block in the first form in which its search text stands in the script; as it is when in none.

    The other forms are without space and blank lines around, without copied line numbers, and unescaped once.
    """
    forms = [
        block,
        _without_space_around(block),
        _without_numbers(block, script),
        Block(unescaped(block.search), unescaped(block.replace)),
    ]
    for form in forms:
        if all(locator.has(passage) for passage in _passages(form.search)):
            return form
    return block


def _without_space_around(block: Block) -> Block:
    """Return the block without space at its ends; blank lines of the new text stay where the old one had none."""
    if block.search != without_outer_blank_lines(block.search):
        return Block(block.search.strip(), block.replace.strip())
    replace = block.replace
    first, last = replace.lstrip(), replace.rstrip()
    before, behind = replace[: len(replace) - len(first)], replace[len(last) :]
    return Block(
        block.search.strip(), "\n" * before.count("\n") + replace.strip() + "\n" * behind.count("\n")
    )


def _passages(search: str) -> list[str]:
    pieces = "\n".join("\0" if _DOTS.fullmatch(line) else line for line in search.split("\n")).split("\0")
    return [search] if len(pieces) == 1 else [piece.strip("\n") for piece in pieces if piece.strip()]


def _without_numbers(block: Block, script: NumberedScript) -> Block:
    search = unnumbered(block.search.split("\n"), script)
    if search is None:
        return block
    replace = unnumbered(block.replace.split("\n"), script)
    return Block("\n".join(search), block.replace if replace is None else "\n".join(replace))


def _pieces(block: Block, locator: Locator, instruction: str) -> list[_Piece]:
    """Return the block, or its pieces between lines of dots that stand for skipped lines on both sides."""
    own, new = _count_dots(block.search), _count_dots(block.replace)
    is_literal = own == 0 or locator.has(block.search)
    if (own != new and not is_literal) or (new > own and not _DOTS_ASKED_FOR.search(instruction)):
        raise EditRefused(
            "elision",
            "Dots stand for left-out lines on one side of a block only, so lines would be lost.",
            advice="Write all lines, or the same line of dots on both sides.",
        )
    if is_literal:
        return [_Piece(block.search, block.replace)]
    searches, replaces = _between_dots(block.search), _between_dots(block.replace)
    pairs = zip(searches, replaces, strict=True)
    pieces = [_Piece(search, replace) for search, replace in pairs if search.strip() or replace.strip()]
    if any(not piece.search.strip() for piece in pieces):
        raise EditRefused("empty_search", "Beside a line of dots there is new text with nothing to find.")
    return [piece for piece in pieces if piece.search != piece.replace or not locator.has(piece.search)]


_DOTS_ASKED_FOR = Pattern(r"\.{3}|…|⋯|省略号|ellipsis|\bdots?\b|停顿|pause", re.IGNORECASE)


def _between_dots(text: str) -> list[str]:
    parts: list[list[str]] = [[]]
    for line in text.split("\n"):
        if _DOTS.fullmatch(line):
            parts.append([])
        else:
            parts[-1].append(line)
    return [without_outer_blank_lines("\n".join(part)) for part in parts]


def _count_dots(text: str) -> int:
    return sum(_DOTS.fullmatch(line) is not None for line in text.split("\n"))


def _without_context(splice: Splice, text: str) -> Splice | None:
    """Return the splice without whole lines at its ends that stay as they are; None when nothing is left.

    A line that is quoted only to make a place unique may be changed by another block.
    """
    old, new = text[splice.start : splice.end].split("\n"), splice.text.replace("\r\n", "\n").split("\n")
    bare = [line.removesuffix("\r") for line in old[:-1]] + old[-1:]
    shorter = min(len(old), len(new))
    head = next((index for index in range(shorter) if bare[index] != new[index]), shorter)
    if head == len(old) == len(new):
        return None
    if head == shorter:  # lines are added or go behind the last one that stays
        start = splice.start + sum(len(line) + 1 for line in old[: head - 1]) + len(bare[head - 1])
        return Splice(start, splice.end, "".join(f"\n{line}" for line in new[head:]))
    tail = next(
        (index for index in range(shorter - head) if bare[-1 - index] != new[-1 - index]), shorter - head
    )
    start = splice.start + sum(len(line) + 1 for line in old[:head])
    if not tail:
        return Splice(start, splice.end, "\n".join(new[head:]))
    end = splice.start + sum(len(line) + 1 for line in old[: len(old) - tail])
    return Splice(start, end, "".join(f"{line}\n" for line in new[head : len(new) - tail]))


def _whole_lines(splice: Splice, script: NumberedScript) -> Splice:
    """Let lines that lose all their text go with their line ends."""
    if splice.text.strip():
        return splice
    if splice.start == splice.end or script.text[splice.start] in "\r\n":
        return splice
    touched = [line for line in script.lines if line.start < splice.end and splice.start <= line.content_end]
    first, last = touched[0], touched[-1]
    text = script.text
    if not is_blank(text[first.start : splice.start]) or not is_blank(text[splice.end : last.content_end]):
        return splice
    if last.end > last.content_end or first.start == 0:
        return Splice(first.start, last.end, "")
    return Splice(_line_end_before(first.start, text), last.end, "")


def _line_end_before(start: int, text: str) -> int:
    return start - 2 if text[max(0, start - 2) : start] == "\r\n" else start - 1


# --- all blocks together ------------------------------------------------------------------------------


def _checked(splices: Sequence[Splice], script: NumberedScript) -> list[Splice]:
    ordered = sorted(splices)
    for left, right in pairwise(ordered):
        if right.start < left.end or (left.start, left.end) == (right.start, right.end):
            numbers = [s.number for s in script.segments if s.start < left.end and right.start < s.end]
            raise EditRefused(
                "conflict",
                "Two blocks change the same text.",
                segments=numbers,
                advice="Put all changes of a line in one block.",
            )
    return ordered
