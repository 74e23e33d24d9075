"""When to stop asking: with a wrong key, an empty account, or a service that is down, every item of a batch would fail,
one after another.

The pattern is known as a circuit breaker; this one is closed again by the next run, for a person has to mend what
broke it.
"""

import threading

from script_editor.errors import AccountEmpty, KeyRefused, ModelFailure, ModelUnknown, SetupError, Unreachable

HOPELESS_REFUSALS = 3
"""After so many calls in a row that failed for good, and none that was answered, no further one is made."""
HOPELESS_REFUSALS_LATER = 10
"""So many where calls were answered before: a few texts in a row may each have been refused for what they say."""


class CircuitBreaker:
    """Lets the calls of a process through until they have no prospect any more. Safe to share between threads.

    Some failures are certain: an address that cannot be reached, an account without money, a key or a model that is
    refused before anything was answered. One of the others proves nothing, since some services refuse what a text is
    about in the same way.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._has_answer, self._in_row = False, 0
        self.refusal: SetupError | ModelFailure | None = None
        """Why no call has a prospect; None as long as one may have."""

    def answered(self) -> None:
        """Note that a call was answered."""
        with self._lock:
            self._has_answer, self._in_row = True, 0

    def refused(self, error: SetupError | ModelFailure) -> bool:
        """Note that a call failed for good, and return whether there is no prospect any more."""
        with self._lock:
            self._in_row += 1
            if self._in_row >= self._limit(error):
                self.refusal = self.refusal or error
            return self.refusal is not None

    def _limit(self, error: SetupError | ModelFailure) -> int:
        """Return after how many such failures in a row, none of them followed by an answer, there is no prospect."""
        match error:
            case Unreachable() | AccountEmpty(is_certain=True):
                return 1
            case ModelUnknown() | KeyRefused(is_certain=True):
                return HOPELESS_REFUSALS if self._has_answer else 1
            case ModelFailure():
                return HOPELESS_REFUSALS
            case _:
                return HOPELESS_REFUSALS_LATER if self._has_answer else HOPELESS_REFUSALS
