import threading
import time
from collections.abc import Generator

import pytest

from script_editor.llm.deadline import Deadline, DeadlineError, hold_to


def soon(seconds: float = 0.1) -> Deadline:
    return Deadline.after(seconds, time.monotonic)


def test_what_the_work_yields_is_passed_on() -> None:
    assert list(hold_to(soon(), (text for text in ("好", "的")))) == ["好", "的"]


def test_what_the_work_raises_is_raised_after_what_it_yielded() -> None:
    def work() -> Generator[str]:
        yield "好"
        raise ValueError("broken")

    held = hold_to(soon(), work())

    assert next(held) == "好"
    with pytest.raises(ValueError, match="broken"):
        next(held)


def test_work_that_is_stuck_is_left_at_the_deadline() -> None:
    release = threading.Event()

    def work() -> Generator[str]:
        release.wait()
        yield "too late"

    began = time.monotonic()
    with pytest.raises(DeadlineError):
        list(hold_to(soon(0.05), work()))
    release.set()

    assert time.monotonic() - began < 0.5


def test_work_is_closed_when_the_iterator_is_left() -> None:
    closed = threading.Event()

    def work() -> Generator[int]:
        try:
            while True:
                yield 1
                time.sleep(0.001)
        finally:
            closed.set()

    held = hold_to(soon(), work())
    next(held)
    held.close()

    assert closed.wait(1.0)


def test_no_time_is_left_after_the_end() -> None:
    now = [10.0]
    deadline = Deadline.after(2.0, lambda: now[0])

    assert deadline.remaining() == 2.0
    deadline.check()
    now[0] = 12.5
    assert deadline.remaining() == 0.0
    with pytest.raises(DeadlineError):
        deadline.check()
