"""Some of the changes between two texts, carried out; and how people name them: `1,3-4`."""

import unicodedata
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

from script_editor.domain.diff import Change, TextLine, align, put_together
from script_editor.errors import BadInput
from script_editor.patterns import Pattern

_ALL = frozenset({"all", "every", "everything", "*", "全部", "所有", "全"})
_NOISE = Pattern(r"[#第处處个個条條项項]|\bchanges?\b|改动|改動|修改")
_DASHES = Pattern(r" ?(?:[-‐‑‒–—―−~〜]|\bto\b|至|到) ?")
_BETWEEN = Pattern(r"(?:[,，、;；。&+/ ]|\band\b|和|与|與|及)+")
_ONE_OR_RANGE = Pattern(r"(\d{1,9})(?:-(\d{1,9}))?")
_SHOWN = 40
_NEWLINE = "\n"
_NOTHING: Mapping[int, str] = MappingProxyType({})


def take(before: str, after: str, wanted: Collection[int], *, rewritten: Mapping[int, str] = _NOTHING) -> str:
    """Return `before` with only the changes `wanted` of `changes(before, after)` carried out.

    All of them give exactly `after`, none exactly `before`. A line that moved is two changes, one that
    takes it away and one that puts it in; each can be had without the other. `rewritten` has, for some
    of the wanted changes, what is to stand there instead: one or more lines, ended as the line they stand for.

    Raises:
        BadInput: an id belongs to no change, or `rewritten` is about a change of no line.
    """
    aligned = align(before, after)
    chosen = known(wanted, len(aligned.changes))
    known(rewritten, len(aligned.changes))

    def is_taken(change: Change | None) -> bool:
        return change is None or change.id in chosen

    old, new = aligned.old, aligned.new
    for change in (aligned.mark, aligned.final_newline):
        if change is not None and change.id in rewritten:
            raise BadInput(f"Change {change.id} ({change.note}) has no line to write anew.")
    lines: list[TextLine] = []
    for row in aligned.rows:
        side, index = (new, row.new) if is_taken(row.change) else (old, row.old)
        if row.change is not None and row.change.id in chosen and row.change.id in rewritten:
            _, end = new.lines[row.new] if row.new is not None else old.lines[row.old or 0]
            lines += _lines(rewritten[row.change.id], end)
        elif index is not None:
            lines.append(side.lines[index])
    mark = new.mark if is_taken(aligned.mark) else old.mark
    # A text without lines has no say in how the last line ends.
    is_ended = new.is_ended if is_taken(aligned.final_newline) and new.is_ended is not None else old.is_ended
    return put_together(mark, lines, is_ended)


def _lines(text: str, end: str) -> Iterator[TextLine]:
    """Yield the lines of what a person wrote, each with the line end of its place."""
    for line in text.split(_NEWLINE):
        yield line.removesuffix("\r"), end


def choose(
    total: int, *, only: Collection[int] | None = None, leave_out: Collection[int] | None = None
) -> frozenset[int]:
    """Return the ids that are meant, of changes 1 to `total`: all of them when nothing is said.

    Raises:
        BadInput: both are given, or an id belongs to no change.
    """
    if only is not None and leave_out is not None:
        raise BadInput("Say which changes to take or which to leave out, not both.")
    if only is not None:
        return known(only, total)
    return frozenset(range(1, total + 1)) - known(leave_out or (), total)


def known(wanted: Collection[int], total: int) -> frozenset[int]:
    """Return the ids as a set. Raises BadInput when one is not from 1 to `total`."""
    strange = sorted(id for id in wanted if not 1 <= id <= total)
    if strange:
        raise _no_such(strange[0], total)
    return frozenset(wanted)


def parse_changes(text: str, total: int) -> frozenset[int]:
    """Return the ids of changes that a person names: `1,3-4`, `1、3到4`, `all`, `全部`.

    Full-width digits, commas and dashes are read as well as spaces. `total` is how many there are.

    Raises:
        BadInput: it names nothing, something that is no number, or a change that is not there.
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).lower().split())
    if plain in _ALL:
        return frozenset(range(1, total + 1))
    listed = _DASHES.sub("-", " ".join(_NOISE.sub(" ", plain).split()))
    found = frozenset(id for part in _BETWEEN.split(listed) if part for id in _numbers(part, total))
    if not found:
        raise BadInput("No change is named.", hint=_how(total))
    return found


def _numbers(part: str, total: int) -> Iterator[int]:
    match = _ONE_OR_RANGE.fullmatch(part)
    if match is None:
        raise BadInput(f"{part[:_SHOWN]!r} is no number of a change.", hint=_how(total))
    first, last = int(match[1]), int(match[2] or match[1])
    for end in (first, last):
        if not 1 <= end <= total:
            raise _no_such(end, total)
    if first > last:
        raise BadInput(f"{part!r} runs backwards.", hint=f"Write {last}-{first}.")
    yield from range(first, last + 1)


def _no_such(id: int, total: int) -> BadInput:
    return BadInput(f"There is no change {id}: {_range(total)}.", hint=_how(total))


def _range(total: int) -> str:
    if total == 0:
        return "there are no changes"
    return "there is only change 1" if total == 1 else f"the changes are 1 to {total}"


def _how(total: int) -> str:
    example = "1,3-4" if total > 3 else "1,2" if total > 1 else "1"
    return f"Name changes by number, such as {example}, or say all."
