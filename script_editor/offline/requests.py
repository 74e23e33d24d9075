"""What one part of an instruction asks for, as values; nothing here has looked at the script yet."""

from dataclasses import dataclass
from typing import Literal

from script_editor.offline.lines import Lines
from script_editor.offline.marks import Mark
from script_editor.offline.wording import Phrase

Edge = Literal["start", "end"]
Side = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Emoji:
    """Any emoji, as something to look for."""


Needle = str | Mark | Emoji
"""What to look for: a text, a named punctuation mark, any emoji."""


@dataclass(frozen=True, slots=True)
class Which:
    """Which hits are meant: all, or those at `numbers` (from 1; negative ones from the end).

    `count` is how many hits the words claim there are; `each_line` counts in every line anew.
    """

    numbers: tuple[int, ...] = ()
    count: int | None = None
    each_line: bool = False


@dataclass(frozen=True, slots=True)
class Scope:
    """Where to look: these lines without those, and only at an edge of a line when `edge` is set."""

    lines: Lines | None = None
    but: Lines | None = None
    edge: Edge | None = None


EVERY = Which()
ANYWHERE = Scope()


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """Put new text over the hits of each needle; `new` holds one text for all, or one for each.

    An empty text deletes. `is_quoted` says that the needles stood in quotation marks;
    `beyond_if_absent` that they rather name a quality of the script when they do not occur.
    """

    needles: tuple[Needle, ...]
    new: tuple[str | Mark, ...]
    which: Which = EVERY
    scope: Scope = ANYWHERE
    is_quoted: bool = True
    beyond_if_absent: bool = False


@dataclass(frozen=True, slots=True)
class ExchangeTexts:
    """Put each of two texts where the other stands."""

    first: str
    second: str
    scope: Scope = ANYWHERE


@dataclass(frozen=True, slots=True)
class RewriteLines:
    """Put `text` in place of lines, or of one sentence."""

    lines: Lines
    text: str


@dataclass(frozen=True, slots=True)
class DeleteLines:
    """Delete lines, sentences or paragraphs."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class KeepLines:
    """Delete all lines but these."""

    lines: Lines


@dataclass(frozen=True, slots=True)
class CutFillers:
    """Cut free-standing filler words; no words means the usual ones.

    `is_pointing` is True when the one word was 那个 and may only point at something.

    `is_sure` is False when words were only quoted, not called fillers.
    """

    words: tuple[str, ...] = ()
    scope: Scope = ANYWHERE
    is_sure: bool = True
    is_pointing: bool = False


AnchorKind = Literal["before", "after", "start", "end", "between", "at", "become"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place between lines. "at" is the place that line has now; the ends of the script need no lines."""

    kind: AnchorKind
    lines: Lines | None = None
    each: bool = False


@dataclass(frozen=True, slots=True)
class Inside:
    """A place inside lines: their start or their end."""

    lines: Lines
    edge: Edge


@dataclass(frozen=True, slots=True)
class InsertLines:
    """Put new lines at a place."""

    texts: tuple[str, ...]
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class InsertInline:
    """Put text at the start or the end of lines, inside them."""

    text: str | Mark
    place: Inside


@dataclass(frozen=True, slots=True)
class MoveLines:
    """Carry lines to a place."""

    lines: Lines
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class ShiftLines:
    """Carry a line up (negative) or down by some lines."""

    lines: Lines
    by: int


@dataclass(frozen=True, slots=True)
class SwapLines:
    """Exchange two lines or two paragraphs."""

    first: Lines
    second: Lines


@dataclass(frozen=True, slots=True)
class BlankLines:
    """Drop all blank lines, or put one beside a line."""

    action: Literal["drop", "insert"]
    anchor: Anchor | None = None


@dataclass(frozen=True, slots=True)
class Narrow:
    """Limits the part before: only here, only the first, not there."""

    which: Which = EVERY
    scope: Scope = ANYWHERE


@dataclass(frozen=True, slots=True)
class Nothing:
    """A remark that asks for nothing: leave the rest alone, thanks."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A mechanical request in which something is missing; `words` are those of the instruction."""

    lacks: Literal["target", "text", "place", "certainty", "reading"]
    words: str


@dataclass(frozen=True, slots=True)
class Beyond:
    """A request that needs a writer."""

    words: str


Request = (
    ReplaceText | ExchangeTexts | RewriteLines | DeleteLines | KeepLines | CutFillers | InsertLines | InsertInline
    | MoveLines | ShiftLines | SwapLines | BlankLines | Narrow | Nothing | Unclear | Beyond
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a part. Readings of the lowest `tier` that can be carried out are compared.

    `is_open` says that its text runs to the end of the instruction, because no quotation closes it;
    `topic` are the lines that the part opened with: in line 3, …
    """

    request: Request
    tier: int = 0
    is_open: bool = False
    topic: Lines | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an instruction with its readings, and the phrase they were read from.

    `is_listed` says that it stands after a 、, so that it goes on where the part before it was.
    """

    phrase: Phrase
    readings: tuple[Reading, ...]
    is_listed: bool = False

    @property
    def topic(self) -> Lines | None:
        """The lines that the part opened with, if it did."""
        return self.readings[0].topic
