"""What a part of an instruction does to the script as shown, before the parts are put together."""

from dataclasses import dataclass

from script_editor.domain.operations import Gap
from script_editor.offline.requests import Side


@dataclass(frozen=True, slots=True)
class Change:
    """Put `text` in place of [start, end) in a segment's content."""

    number: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """Something that comes to stand beside a segment: new text, or the segment `moved`."""

    anchor: int
    side: Side
    text: str = ""
    moved: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effects:
    """What one part does. `notes` tell a person, in the language of the instruction.

    `rewritten` and `deleted` are by segment number; `blanks` are blank lines to put beside a segment.
    """

    changes: tuple[Change, ...] = ()
    rewritten: tuple[tuple[int, str], ...] = ()
    deleted: tuple[tuple[int, Gap], ...] = ()
    arrivals: tuple[Arrival, ...] = ()
    blanks: tuple[tuple[int, Side], ...] = ()
    drops_blank_lines: bool = False
    notes: tuple[str, ...] = ()
