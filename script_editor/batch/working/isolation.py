"""Keeps an item that may be what ends the process apart from the others, which would be blamed with it."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from script_editor.batch.engine import Interrupted

_LOOK_SECONDS = 0.5


class Isolation:
    """A room that many may share, or one has to itself; whoever wants it alone comes first."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._inside = self._waiting = 0
        self._is_taken = False

    @contextmanager
    def entered(self, *, alone: bool, is_stopping: Callable[[], bool]) -> Iterator[None]:
        """Be in the room, once there is place.

        Raises:
            Interrupted: the process wants to leave before there is.
        """
        with self._changed:
            self._waiting += alone
            try:
                while not self._may_enter(alone):
                    if is_stopping():
                        raise Interrupted
                    self._changed.wait(_LOOK_SECONDS)
            finally:
                self._waiting -= alone
                self._changed.notify_all()
            self._inside += 1
            self._is_taken = alone
        try:
            yield
        finally:
            with self._changed:
                self._inside -= 1
                self._is_taken = False
                self._changed.notify_all()

    def _may_enter(self, alone: bool) -> bool:
        return not self._inside if alone else not (self._is_taken or self._waiting)
