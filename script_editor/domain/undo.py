"""Which text undo and redo go to, read from the history alone.

Edits, merges, imports and reverts are changes; undos and redos are not. Undo goes to the text
before the newest change that is not undone yet, redo goes forward again, and any other write ends
redo.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from script_editor.domain.script import VersionInfo


@dataclass(frozen=True, slots=True)
class Track:
    """The states one can step through: version numbers of changes, oldest first, and where we are."""

    states: tuple[int, ...]
    position: int

    def back(self, steps: int = 1) -> int | None:
        """Return the version whose text undo restores, or None when there are not so many changes."""
        return self.states[self.position - steps] if 0 < steps <= self.position else None

    def forward(self, steps: int = 1) -> int | None:
        """Return the version whose text redo restores, or None when nothing was undone."""
        ahead = self.position + steps
        return self.states[ahead] if steps > 0 and ahead < len(self.states) else None

    def undone_by(self, steps: int) -> tuple[int, ...]:
        """Return the changes that undo takes back, newest first."""
        return tuple(reversed(self.states[self.position - steps + 1 : self.position + 1]))


def track(history: Sequence[VersionInfo]) -> Track:
    """Return the track that `history` (all versions, newest first) has left behind."""
    states: list[int] = []
    position = -1
    for version in reversed(history):
        if (version.source == "undo" and version.restored_number in states[:position]) or (
            version.source == "redo" and version.restored_number in states[position + 1 :]
        ):
            position = states.index(version.restored_number)
        else:
            states = [*states[: position + 1], version.number]
            position += 1
    return Track(tuple(states), position)
