"""What steps came to that could not be recorded so far: a full disk, or a cancel, does not make it be paid twice."""

from collections.abc import Callable, Iterable

from script_editor.batch.engine import ItemRef


class Unrecorded:
    """Keeps the result of a step until it is recorded, for as long as the process lives.

    No run of an item goes past a step that is not recorded, so there is one at most for each item. Where another process
    recorded the step meanwhile, its record counts, and what is kept here is asked for by nobody. Threads may share it.
    """

    def __init__(self) -> None:
        self._kept: dict[ItemRef, tuple[int, str]] = {}

    def result(self, ref: ItemRef, number: int, work: Callable[[], str]) -> str:
        """Return what `work` came to, now or at an earlier try of the step with that number."""
        kept = self._kept.get(ref)
        if kept is not None and kept[0] == number:
            return kept[1]
        result = work()
        self._kept[ref] = number, result
        return result

    def recorded(self, ref: ItemRef, number: int) -> None:
        """Note that the step with that number is recorded, and keep nothing of it any more."""
        kept = self._kept.get(ref)
        if kept is not None and kept[0] <= number:
            self._kept.pop(ref, None)

    def drop(self, items: Iterable[ItemRef]) -> None:
        """Keep nothing of these items any more: they are over, or begin anew."""
        for ref in items:
            self._kept.pop(ref, None)
