"""The versions of a script as the tool `history` tells them, and where undo and redo lead among them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

_ROW = re.compile(r"^v(?P<number>\d+) \| [^|\n]* \| (?P<source>\w+)(?: of v(?P<restored>\d+))?", re.MULTILINE)
_MORE = re.compile(r"^more: history\(.*before=(\d+)\)", re.MULTILINE)


class NotTold(LookupError):
    """A version that matters stands on a page of the history that was not read."""


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that were told. `restored` maps one made by undo or redo to the version whose text it brought back.

    A state is the number of the version that first had its text in the line of changes: undo and redo step along it.
    """

    numbers: frozenset[int]
    restored: dict[int, int]

    @property
    def head(self) -> int:
        """The newest version. Raises NotTold when none was told."""
        if not self.numbers:
            raise NotTold
        return max(self.numbers)

    def undone(self, steps: int) -> int:
        """Return the state that is `steps` changes back, 0 when there are not so many."""
        state = self._state_at(self.head)
        for _ in range(steps):
            state = self._before(state)
        return state

    def redone(self) -> int:
        """Return the state that the newest undo was made from, step by step, 0 when nothing was undone."""
        here = self._state_at(self.head)
        state = next((number for number in range(self.head, 0, -1) if self._state_at(number) == number), here)
        if state == here:
            return 0
        while (before := self._before(state)) != here:
            if before == 0:
                return 0
            state = before
        return state

    def _state_at(self, number: int) -> int:
        if number not in self.numbers:
            raise NotTold
        return self.restored.get(number, number)

    def _before(self, state: int) -> int:
        return self._state_at(state - 1) if state > 1 else 0


def read_versions(observations: Iterable[str]) -> Versions:
    """Return the versions that the pages of a history tell."""
    numbers: set[int] = set()
    restored: dict[int, int] = {}
    for row in (row for text in observations for row in _ROW.finditer(text)):
        numbers.add(int(row["number"]))
        if row["source"] in ("undo", "redo") and row["restored"]:
            restored[int(row["number"])] = int(row["restored"])
    return Versions(frozenset(numbers), restored)


def next_page(observation: str) -> int | None:
    """Return the version below which the history goes on, or None when this was all of it."""
    more = _MORE.search(observation)
    return int(more[1]) if more else None
