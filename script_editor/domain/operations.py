"""Changes to a script as values: six operations, a plan of them, and what a rewriter returns."""

from dataclasses import dataclass
from typing import Literal

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


Operation = Replace | InsertBefore | InsertAfter | Delete | Move | Substitute


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Operations against one version of one script. `scope` says whether untouched lines must stay untouched."""

    script_id: str
    base_version: int
    operations: tuple[Operation, ...]
    scope: Scope = "local"


@dataclass(frozen=True, slots=True)
class Constraints:
    """What a rewriter must respect: with `targets`, only these segment numbers may change."""

    targets: tuple[int, ...] = ()


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
