"""Ctrl-C at any moment of an edit: what was saved is told as saved, no run stays open, and everything goes on."""

import os
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import sqlalchemy as sa

from script_editor.agent.events import Event, Listener, RunEnded, ToolFinished, ToolStarted, ignore
from script_editor.app.bootstrap import App, build_app
from script_editor.app.chat import ChatSession, Manner
from script_editor.app.edit import EditRequest
from script_editor.app.errand import Errand, Ran, run_errand
from script_editor.app.journal import NO_JOURNAL, Journals
from script_editor.app.services import Audience
from script_editor.domain.ports import ScriptStore
from script_editor.domain.script import RunRecord
from script_editor.errors import Unfinished
from script_editor.llm.chat import Message, Reply, ToolSpec
from script_editor.llm.scripted import ScriptedModel
from tests.support.ctrl_c import Steps, press
from tests.support.desk import FUNNIER, FUNNIER_TEXT, SEED, settings

SOAK = "SCRIPT_EDITOR_SOAK" in os.environ
SEED_OF_CHANCE = int(os.environ.get("SCRIPT_EDITOR_SOAK_SEED") or 7)
EACH = 84 if SOAK else 10

INSTRUCTION = "改得更轻松幽默一些"

# What is collected while an interrupt unwinds cannot raise.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Office:
    """One process that edits one new script after the other, in one store."""

    def __init__(self, folder: Path):
        self._model = ScriptedModel([self._reply] * 20_000)
        self.app: App = build_app(settings(folder / "store.db"), model=self._model)
        self.script_id = ""
        self.chat: ChatSession | None = None
        self._asked = 0

    def begin(self) -> None:
        """Turn to a new script."""
        self.script_id = f"script_{len(self.app.store.scripts()) + 1}"
        self.chat, self._asked = None, 0
        self.app.scripts.new(self.script_id, SEED, author="tester")

    def _reply(self, _messages: Sequence[Message], _tools: Sequence[ToolSpec]) -> Reply | str:
        self._asked += 1
        match self._asked:
            case 1:
                return ScriptedModel.call("get_script", script_id=self.script_id)
            case 2:
                return self.write
            case 3 if self.write.tool_calls[0].name == "modify_script":
                return FUNNIER
            case _:
                return "改好了。"

    @property
    def write(self) -> Reply:
        """The call that saves."""
        return ScriptedModel.call("modify_script", script_id=self.script_id, instruction=INSTRUCTION)

    @property
    def saved(self) -> bool:
        """Whether the store has the edit."""
        return self.app.scripts.info(self.script_id).head_number > 1

    def check_books(self) -> None:
        """Make sure that nothing is left half done, and that this process can go on."""
        store = self.app.store
        if self.chat is not None:
            facts = [fact for turn in self.chat.turns for fact in turn.facts]
            head = self.app.scripts.info(self.script_id).head_number
            assert any(f"→ v{head}" in fact for fact in facts) == self.saved, facts
        assert [run for run in store.runs() if run.finished_at is None] == []
        assert store.verify() == ()
        if self.saved:
            newest = store.runs()[0]
            assert self.write.tool_calls[0].name in [step.tool for step in store.run(newest.id)[1]]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        self.check_usable()

    def check_usable(self) -> None:
        """Make sure that every later command of this process works."""
        head = self.app.scripts.info(self.script_id).head_number
        self.app.scripts.save(self.script_id, SEED + "再见。\n", expected_head=head, author="tester")


class Restoring(Office):
    """An office whose edit brings an older version back."""

    def begin(self) -> None:
        super().begin()
        self.app.scripts.save(self.script_id, FUNNIER_TEXT, expected_head=1, author="tester")

    @property
    def write(self) -> Reply:
        return ScriptedModel.call("revert", script_id=self.script_id, version=1)

    @property
    def saved(self) -> bool:
        return self.app.scripts.info(self.script_id).head_number > 2


@pytest.fixture(autouse=True)
def usual_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(params=[Office, Restoring], ids=["an edit", "an older version"])
def office(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Office]:
    made: Office = request.param(tmp_path)
    yield made
    made.app.close()


# --- the ways in -------------------------------------------------------------------------------

Door = Callable[[Office, Listener], bool]
"""Carries out the edit, and returns whether it is told as saved."""


def by_errand(office: Office, listener: Listener = ignore) -> bool:
    return bool(ran_by(office, listener).ledger.saved)


def ran_by(
    office: Office,
    listener: Listener = ignore,
    journals: Journals = NO_JOURNAL,
    store: ScriptStore | None = None,
) -> Ran:
    app = office.app
    return run_errand(
        Errand(instruction=instruction_for(office), author="tester", script_id=office.script_id),
        services=replace(app.services, store=store or app.store),
        model=app.model,
        make_rewriter=app._heard(None, None),  # what no other door shows: a run without its report
        approve=lambda _pending: True,
        audience=Audience(listener=listener, journals=journals),
    )


def by_edit(office: Office, listener: Listener = ignore) -> bool:
    request = EditRequest(script_id=office.script_id, instruction=instruction_for(office), author="tester")
    report = office.app.edit(request, approve=lambda _pending: True, listener=listener)
    return report.outcome == "saved"


def by_ask(office: Office, listener: Listener = ignore) -> bool:
    errand = Errand(instruction=instruction_for(office), author="tester", script_id=office.script_id)
    report = office.app.ask(errand, approve=lambda _pending: True, listener=listener)
    return report.outcome == "saved"


def by_chat(office: Office, listener: Listener = ignore) -> bool:
    office.chat = office.app.chats.begin(script_id=office.script_id)
    report = office.chat.turn(
        instruction_for(office), Manner(), approve=lambda _pending: True, listener=listener
    )
    return report.outcome == "saved"


def instruction_for(office: Office) -> str:
    return "恢复到第1版" if isinstance(office, Restoring) else INSTRUCTION


DOORS = pytest.mark.parametrize("door", [by_errand, by_edit, by_ask, by_chat])


# --- at exact moments ---------------------------------------------------------------------------


@contextmanager
def pressed_at(office: Office, number: int, *, times: int, event: str) -> Iterator[list[int]]:
    """Press Ctrl-C at the statement or commit of that number, from 1; yields the number of those that came."""
    engine = office.app.store._engine  # type: ignore[attr-defined]  # no door shows a statement
    seen = [0]

    def at_event(*_: object) -> None:
        seen[0] += 1
        if seen[0] == number:
            press(times)

    sa.event.listen(engine, event, at_event)
    try:
        yield seen
    finally:
        sa.event.remove(engine, event, at_event)


def told(door: Door, office: Office, listener: Listener = ignore) -> bool:
    """Return whether the person is told of a save, however the door ends."""
    try:
        return door(office, listener)
    except (KeyboardInterrupt, Unfinished):
        return False


@DOORS
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("event", ["commit", "after_cursor_execute"])
def test_at_every_statement_and_commit_the_save_is_told_if_and_only_if_it_is_there(
    office: Office, door: Door, times: int, event: str
) -> None:
    office.begin()
    with pressed_at(office, 0, times=0, event=event) as seen:
        assert door(office, ignore)
    # Each statement takes part in a soak only: there are hundreds, and commits lie between them all.
    step = 1 if SOAK or event == "commit" else 9

    for number in range(1, seen[0] + 1, step):
        office.begin()
        with pressed_at(office, number, times=times, event=event):
            is_told = told(door, office)

        assert is_told == office.saved, number
        office.check_books()


@DOORS
@pytest.mark.parametrize(
    ("moment", "is_saved"),
    [
        pytest.param(lambda event: isinstance(event, RunEnded), True, id="when the run has ended"),
        pytest.param(
            lambda event: (
                isinstance(event, ToolFinished) and event.step.action.tool in ("modify_script", "revert")
            ),
            True,
            id="when the save was told",
        ),
        pytest.param(
            lambda event: isinstance(event, ToolStarted) and event.action.tool in ("modify_script", "revert"),
            False,
            id="before the save",
        ),
    ],
)
@pytest.mark.parametrize("times", [1, 2], ids=["once", "twice"])
def test_at_an_event_of_the_run(
    office: Office, door: Door, moment: Callable[[Event], bool], is_saved: bool, times: int
) -> None:
    def listen(event: Event) -> None:
        if moment(event):
            press(times)

    office.begin()
    is_told = told(door, office, listen)

    assert (is_told, office.saved) == (is_saved, is_saved)
    office.check_books()


class PressedIn:
    """A store at which Ctrl-C is pressed as one of its methods begins."""

    def __init__(self, store: ScriptStore, method: str):
        self._store, self._method = store, method

    def __getattr__(self, name: str) -> Any:
        if name == self._method:
            press()
        return getattr(self._store, name)


@pytest.mark.parametrize("method", ["start_run", "record_step", "finish_run"])
def test_before_something_is_written_in_the_books(tmp_path: Path, method: str) -> None:
    office = Office(tmp_path)
    office.begin()
    real = office.app.store

    ran = ran_by(office, store=cast(ScriptStore, PressedIn(real, method)))

    assert bool(ran.ledger.saved) == office.saved
    steps = real.run(ran.run.id)[1]
    assert [step.tool for step in steps] == [step.action.tool for step in ran.result.steps]
    office.check_books()
    office.app.close()


class PressedInClosing:
    """Journals in which Ctrl-C is pressed as they are closed."""

    def begin(self, run: RunRecord, *, tool_names: Sequence[str] = ()) -> "PressedInClosing":
        self._nobody = NO_JOURNAL.begin(run, tool_names=tool_names)
        self.exchange, self.event = self._nobody.exchange, self._nobody.event
        self.rewriter_reply = self._nobody.rewriter_reply
        return self

    def close(self, *_: object) -> None:
        press()


def test_in_the_closing_of_the_journal(office: Office) -> None:
    office.begin()

    ran = ran_by(office, journals=PressedInClosing())

    assert ran.ledger.saved and office.saved
    office.check_books()


def test_in_the_closing_of_a_run_that_saved_nothing_it_is_not_lost(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.begin()
    office._asked = 3  # it only answers

    with pytest.raises(KeyboardInterrupt):
        ran_by(office, journals=PressedInClosing())

    office.check_books()
    office.app.close()


@pytest.mark.parametrize("stopped_by", [KeyboardInterrupt, ZeroDivisionError])
def test_what_stops_a_run_before_its_first_turn_closes_it(
    tmp_path: Path, stopped_by: type[BaseException]
) -> None:
    office = Office(tmp_path)
    office.begin()

    def listen(_event: Event) -> None:
        raise stopped_by

    with suppress(ZeroDivisionError):
        ran = ran_by(office, listen)
        assert ran.result.stop_reason == "cancelled"

    office.check_books()
    office.app.close()


# --- at any moment ------------------------------------------------------------------------------


@DOORS
@pytest.mark.parametrize("times", [1, 2, 3], ids=["once", "twice", "three times"])
def test_at_any_step_the_save_is_told_if_and_only_if_it_is_there(
    office: Office, door: Door, times: int
) -> None:
    """Three are two too many for that: then only the store has to be whole, and its user able to go on."""
    rng = random.Random(SEED_OF_CHANCE * 10 + times)
    steps = Steps()
    for _warm in range(2):
        office.begin()
        steps = Steps()
        with steps.counted():
            assert door(office, ignore)

    for _ in range(EACH):
        at = [rng.randint(1, steps.count) for _ in range(times)]
        office.begin()
        is_told = False
        with suppress(KeyboardInterrupt), Steps(*at).counted():
            is_told = told(door, office)

        if times < 3:
            assert is_told == office.saved, at
            office.check_books()
        else:
            assert office.saved or not is_told, at
            assert office.app.store.verify() == (), at
            office.check_usable()
