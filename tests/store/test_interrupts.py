"""Ctrl-C at each statement of a transaction, and at steps between them, on both databases."""

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
import sqlalchemy as sa

from script_editor.errors import ScriptNotFound, StoreUnusable
from script_editor.interrupts import PATIENCE
from script_editor.store.engine import open_engine, reading, writing
from script_editor.store.sql import SqlScriptStore
from tests.store.support import ALICE
from tests.support.ctrl_c import Steps, press, steps_of

SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
RANDOM_PRESSES = 200 if SOAK else 20

# What is collected while an interrupt unwinds cannot raise; and the driver of PostgreSQL wants to be told that a
# cursor was given up, where the whole connection was.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def engine(store_url: str) -> Iterator[sa.Engine]:
    """Connections of the kind the store uses, with little patience: a lock that is left shows soon."""
    opened = open_engine(store_url, busy_seconds=0.5)
    yield opened
    opened.dispose()


@pytest.fixture
def store(engine: sa.Engine) -> SqlScriptStore:
    made = SqlScriptStore(engine)
    made.create("a", "one\n", provenance=ALICE)
    return made


@contextmanager
def pressed_at(engine: sa.Engine, number: int, *, times: int = 1, event: str) -> Iterator[None]:
    """Press Ctrl-C at the statement of that number, from 1, just before or after it is carried out."""
    seen = 0

    def at_statement(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == number:
            press(times)

    sa.event.listen(engine, event, at_statement)
    try:
        yield
    finally:
        sa.event.remove(engine, event, at_statement)


def statements_of(engine: sa.Engine, work: Callable[[], object]) -> int:
    seen: list[object] = []

    def at_statement(*_: object) -> None:
        seen.append(None)

    sa.event.listen(engine, "before_cursor_execute", at_statement)
    try:
        work()
    finally:
        sa.event.remove(engine, "before_cursor_execute", at_statement)
    return len(seen)


def appended(store: SqlScriptStore) -> None:
    head = store.script("a").head_number
    store.append("a", f"text {head + 1}\n", expected_head=head, source="edit", provenance=ALICE)


def check_usable(store: SqlScriptStore, *, lost: int = 0) -> None:
    """Make sure that this process and another one can go on writing, with at most `lost` places of the pool gone."""
    appended(store)
    engine = open_engine(store._engine.url.render_as_string(hide_password=False), busy_seconds=0.5)
    try:
        appended(SqlScriptStore(engine))
    finally:
        engine.dispose()
    assert store._engine.pool.checkedout() <= lost  # type: ignore[attr-defined]
    assert store.verify() == ()


EVENTS = pytest.mark.parametrize("event", ["before_cursor_execute", "after_cursor_execute"])


@EVENTS
@pytest.mark.parametrize("times", [1, 2])
def test_a_write_is_whole_whatever_statement_was_interrupted(
    engine: sa.Engine, store: SqlScriptStore, event: str, times: int
) -> None:
    for number in range(1, statements_of(engine, lambda: create(store, "first")) + 1):
        with pytest.raises(KeyboardInterrupt), pressed_at(engine, number, times=times, event=event):
            create(store, f"s{number}")

        assert store.head(f"s{number}").text == "text\n", number
        assert engine.pool.checkedout() == 0, number  # type: ignore[attr-defined]
    check_usable(store)


@EVENTS
def test_the_third_interrupt_ends_a_write_and_leaves_no_lock(
    engine: sa.Engine, store: SqlScriptStore, event: str
) -> None:
    for number in range(1, statements_of(engine, lambda: create(store, "first")) + 1):
        with pytest.raises(KeyboardInterrupt), pressed_at(engine, number, times=3, event=event):
            create(store, f"s{number}")

        check_usable(store)
        assert f"s{number}" not in {found.id for found in store.scripts()}


@EVENTS
def test_a_read_is_interrupted_where_it_is_and_leaves_no_lock(
    engine: sa.Engine, store: SqlScriptStore, event: str
) -> None:
    reached = []
    for number in range(1, statements_of(engine, lambda: store.verify()) + 1):
        with suppress(KeyboardInterrupt), pressed_at(engine, number, event=event):
            store.verify()
            reached.append(number)

        check_usable(store)
    assert reached == []


@pytest.mark.parametrize("times", [1, 2, 3])
def test_an_error_of_the_driver_after_an_interrupt_leaves_no_lock(
    engine: sa.Engine, store: SqlScriptStore, times: int
) -> None:
    with pytest.raises((KeyboardInterrupt, StoreUnusable)), writing(engine) as session:
        press(times)
        session.execute(sa.text("SELECT * FROM no_such_table"))

    check_usable(store)


def test_an_error_while_an_interrupt_is_handled_is_itself(store: SqlScriptStore) -> None:
    with pytest.raises(ScriptNotFound):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt:
            store.head("nothing")


def test_a_read_between_two_statements_is_interrupted(engine: sa.Engine, store: SqlScriptStore) -> None:
    reached = []

    with pytest.raises(KeyboardInterrupt), reading(engine) as session:
        session.execute(sa.text("SELECT 1"))
        press()
        reached.append("on")

    assert reached == []
    check_usable(store)


@pytest.mark.parametrize("times", [1, 2, 3], ids=["once", "twice", "three times"])
def test_at_any_step_of_a_write_the_store_stays_usable(store: SqlScriptStore, times: int) -> None:
    rng = random.Random(times)
    create(store, "warm")
    steps = steps_of(lambda: create(store, "first"))
    for number in range(RANDOM_PRESSES):
        at = [rng.randint(1, steps) for _ in range(times)]
        is_interrupted = False
        try:
            with Steps(*at).counted():
                create(store, f"s{number}")
        except KeyboardInterrupt:
            is_interrupted = True

        is_there = f"s{number}" in {found.id for found in store.scripts()}
        assert is_there or is_interrupted, at
        # The third goes through at once, be it in the step that takes a connection back into the pool.
        check_usable(store, lost=number + 1 if times >= PATIENCE else 0)


@pytest.mark.parametrize("times", [1, 2, 3], ids=["once", "twice", "three times"])
def test_at_any_step_of_a_read_the_store_stays_usable(store: SqlScriptStore, times: int) -> None:
    rng = random.Random(times)
    steps = steps_of(lambda: store.verify())
    for number in range(RANDOM_PRESSES):
        at = [rng.randint(1, steps) for _ in range(times)]
        with suppress(KeyboardInterrupt), Steps(*at).counted():
            assert store.verify() == ()

        check_usable(store, lost=number + 1 if times >= PATIENCE else 0)


def create(store: SqlScriptStore, script_id: str) -> None:
    store.create(script_id, "text\n", provenance=ALICE)
