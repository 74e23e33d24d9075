"""The last transaction is made once, where nothing but the engine keeps it from being made twice."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

import pytest
import sqlalchemy as sa

from tests.batch.toys import toy
from tests.store.support import raw

HANG_SECONDS = 60.0

_forked = multiprocessing.get_context("forkserver")


class Toys:
    """Processes that all run the same item."""

    def __init__(self, url: str):
        self.url = url
        self._all: list[tuple[BaseProcess, Connection]] = []

    def begin(
        self, *, takes_from: str | None = None, dies: bool = False, tells: bool = False
    ) -> tuple[Connection, str]:
        """Start one; return its pipe, and its id."""
        pipe, other = _forked.Pipe()
        process = _forked.Process(target=toy, args=(self.url, other, takes_from, dies, tells), daemon=True)
        process.start()
        other.close()
        self._all.append((process, pipe))
        return pipe, said(pipe)

    def made(self) -> int:
        """Return how many results there are."""
        with raw(self.url) as connection:
            return int(connection.execute(sa.text("SELECT count(*) FROM result")).scalar_one())

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Let the newest process stand still, since it would take its item back itself."""
        pid = self._all[-1][0].pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        yield
        os.kill(pid, signal.SIGCONT)

    def wait_for_the_end(self) -> None:
        """Wait until the newest process has died."""
        self._all[-1][0].join(HANG_SECONDS)

    def stop(self) -> None:
        """Kill all of them."""
        for process, pipe in self._all:
            process.kill()
            process.join(HANG_SECONDS)
            pipe.close()


def said(pipe: Connection) -> str:
    assert pipe.poll(HANG_SECONDS), "it hangs"
    return str(pipe.recv())


@pytest.fixture
def toys(store_url: str) -> Iterator[Toys]:
    """Processes over one database, with a table that takes any number of results."""
    with raw(store_url) as connection:
        connection.execute(sa.text("CREATE TABLE result (name VARCHAR(40))"))
    made = Toys(store_url)
    yield made
    made.stop()


def test_a_result_that_was_committed_before_a_crash_is_not_made_again(toys: Toys) -> None:
    first, name = toys.begin(dies=True)
    assert [said(first), said(first)] == ["call", "before"]
    first.send("go on")
    toys.wait_for_the_end()
    assert toys.made() == 1

    second, _ = toys.begin(takes_from=name)
    assert said(second) == "before"  # the call is read from its note
    second.send("go on")

    assert said(second) == "done"
    assert toys.made() == 1


def test_a_process_that_lost_its_item_cannot_commit_before_the_new_one_did(toys: Toys) -> None:
    sleeper, name = toys.begin()
    assert [said(sleeper), said(sleeper)] == ["call", "before"]
    with toys.asleep():
        other, _ = toys.begin(takes_from=name)
        assert said(other) == "before"

    sleeper.send("go on")

    assert said(sleeper) == "interrupted"
    assert toys.made() == 0
    other.send("go on")
    assert said(other) == "done"
    assert toys.made() == 1


def test_a_process_that_lost_its_item_makes_nothing_after_the_new_one_did(toys: Toys) -> None:
    sleeper, name = toys.begin()
    assert [said(sleeper), said(sleeper)] == ["call", "before"]
    with toys.asleep():
        other, _ = toys.begin(takes_from=name)
        assert said(other) == "before"
        other.send("go on")
        assert said(other) == "done"

    sleeper.send("go on")
    said(sleeper)

    assert toys.made() == 1


def test_only_what_a_process_has_can_be_taken_from_it(toys: Toys) -> None:
    owner, name = toys.begin()
    assert [said(owner), said(owner)] == ["call", "before"]

    other, _ = toys.begin(takes_from="somebody else", tells=True)

    assert said(other) == name
    owner.send("go on")
    assert said(owner) == "done"
    assert toys.made() == 1
