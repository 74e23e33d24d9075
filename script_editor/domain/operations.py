"""Changes to a script as values: seven operations, a plan of them, and what a rewriter returns."""

from dataclasses import dataclass
from typing import Literal

from script_editor.domain.locks import Lock
from script_editor.domain.targets import DurationTarget

Scope = Literal["local", "global"]
Gap = Literal["keep", "before", "after"]


@dataclass(frozen=True, slots=True)
class Replace:
    """Put `text` in place of a segment; it may hold several lines."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class InsertBefore:
    """Put `text` on lines of its own directly before a segment."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class InsertAfter:
    """Put `text` on lines of its own directly after a segment, before any blank line that follows."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a segment with its line end. `gap` says which neighbouring blank lines go with it."""

    id: str
    gap: Gap = "keep"


@dataclass(frozen=True, slots=True)
class Move:
    """Carry a segment to directly before or after another one; exactly one of the two is given."""

    id: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True, slots=True)
class Substitute:
    """Replace `find` by `replace` inside a segment, or anywhere when `id` is None.

    More than one hit needs `all`.
    """

    find: str
    replace: str
    id: str | None = None
    all: bool = False


@dataclass(frozen=True, slots=True)
class BlankLines:
    """Let exactly `count` blank lines stand directly before or behind a segment, up to its old neighbour.

    The program makes it from replies that show blank lines; models and people are not offered it by id.
    """

    id: str
    count: int
    side: Literal["before", "behind"] = "before"


Operation = Replace | InsertBefore | InsertAfter | Delete | Move | Substitute | BlankLines


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Operations against one version of one script.

    `scope` "local" means that lines nobody spoke of must stay as they are; "global" is a request about
    the whole text. `is_literal` says that a program read every operation off the instruction's own
    words (the offline grammar): guards about taste and meaning then have nothing to add. `notes` tell
    the person what was repaired on the way, such as a repeated anchor line that was dropped.
    """

    script_id: str
    base_version: int
    operations: tuple[Operation, ...]
    scope: Scope = "local"
    is_literal: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """What an edit must respect, set by a person or the program, never by a model.

    With `targets`, only these segment numbers may change. `locks` are kept wherever their text stands.
    `duration` is the spoken time the result should have. `avoid` are passages that the result must
    differ from, such as those of an earlier candidate. `asked` are the person's own words, by which a result
    is judged when the instruction was put in other words on the way; "" means that it was not.
    """

    targets: tuple[int, ...] = ()
    locks: tuple[Lock, ...] = ()
    duration: DurationTarget | None = None
    avoid: tuple[str, ...] = ()
    asked: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """A rewriter's result: the plan, what it cost, and `notes` for the person (such as "5 hits replaced").

    `model` names what made the plan. Token counts are None when nothing was spent or reported.
    """

    plan: Plan
    model: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    notes: tuple[str, ...] = ()
