"""Only the targets of an edit may change: what a whole rewrite did to other lines is taken back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from script_editor.domain.replies.alignment import Column


@dataclass(frozen=True, slots=True)
class Limited:
    """Columns in which only targets change; `restored` are the old lines that were missing and stay all the same.

    With `is_broken` nothing was restored: the reply leaves text out, and guards must see what is missing.
    """

    columns: tuple[Column, ...]
    restored: frozenset[int] = frozenset()
    is_broken: bool = False


def only_targets(
    columns: Sequence[Column],
    targets: frozenset[int],
    old: Sequence[str],
    new: Sequence[str],
    stands_for_text: Callable[[str], bool],
) -> Limited:
    """Return the columns with lines outside the targets restored: none of them goes, and new ones come only beside a target.

    A reply with lines that stand for left-out text, or that breaks off, is left as it is.
    """
    known = set(old)
    is_elided = any(stands_for_text(line) for line in new if line not in known)
    if is_elided or _breaks_off(columns, targets, old, new):
        return Limited(tuple(columns), is_broken=True)
    kept = tuple(
        column
        for index, column in enumerate(columns)
        if column.old is not None
        or _is_beside(columns, index, targets)
        or stands_for_text(new[column.new or 0])
    )
    missing = (column.old for column in kept if column.old is not None and column.new is None)
    return Limited(kept, frozenset(index for index in missing if index not in targets))


def _is_beside(columns: Sequence[Column], index: int, targets: frozenset[int]) -> bool:
    """Say whether only new lines stand between a new line and a target."""
    before = next((columns[at].old for at in range(index - 1, -1, -1) if columns[at].old is not None), None)
    after = next(
        (columns[at].old for at in range(index + 1, len(columns)) if columns[at].old is not None), None
    )
    return before in targets or after in targets


def _breaks_off(
    columns: Sequence[Column], targets: frozenset[int], old: Sequence[str], new: Sequence[str]
) -> bool:
    """Say whether the end of the script is missing behind a changed target, or most of the other lines are."""
    missing = [
        column.old
        for column in columns
        if column.old is not None and column.new is None and column.old not in targets
    ]
    if 2 * len(missing) > max(len(old) - len(targets), 1):
        return True
    last = next((column for column in reversed(columns) if column.new is not None), None)
    if last is None or last.old is None or last.old not in targets or last.new is None:
        return False
    return last.old < len(old) - 1 and old[last.old] != new[last.new]
