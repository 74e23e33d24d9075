"""From the events of a batch to what a person sees, or to lines of JSON."""

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, assert_never

import click

from script_editor.batch.progress import (
    BatchCancelled,
    BatchEnded,
    Began,
    Event,
    ItemEnded,
    Last,
    Left,
    Paused,
    Progress,
    Stopping,
)
from script_editor.cli.batch import items, sentences
from script_editor.cli.batch.data import item_data, numbers_data, tally_data
from script_editor.cli.batch.drawing import Drawing
from script_editor.cli.batch.ending import ended, refused
from script_editor.cli.batch.standing import standing
from script_editor.cli.batch.telling import speak
from script_editor.cli.session import Session
from script_editor.domain.batches import Item, Tally
from script_editor.errors import ModelFailure, SetupError

if TYPE_CHECKING:
    from script_editor.errors import Language


def follow(
    session: Session,
    batch_id: str,
    events: Iterator[Event],
    *,
    notice: Callable[[Tally], str] = lambda _tally: "",
) -> int:
    """Show what happens until the last event, and tell how it ended; return the exit code.

    `notice` is asked at each look for something that a person should know, "" for nothing.
    """
    shown = _Shown(session, notice)
    try:
        with Drawing(session, session.app.batches.status(batch_id)) as drawing:
            for event in events:
                shown.show(event, drawing)
    except (SetupError, ModelFailure) as refusal:
        if not shown.has_begun:
            raise
        return refused(session, batch_id, refusal)
    return ended(session, batch_id, shown.last)


class _Shown:
    """What was shown of a batch so far; `last` is the event that tells how it ended, None while there is none."""

    def __init__(self, session: Session, notice: Callable[[Tally], str]):
        self._session, self._notice = session, notice
        self._lines, self._troubles = Lines(), Troubles()
        self.has_begun = False
        self.last: Last | None = None

    def show(self, event: Event, drawing: Drawing) -> None:
        """Show an event."""
        self.has_begun = True
        if self._session.json:
            self._lines.print(event)
        _draw(drawing, event, self._session.language)
        if isinstance(event, Progress) and (told := self._notice(event.tally)):
            drawing.tell(told)
        if trouble := self._troubles.new(event):
            drawing.tell(sentences.unseen(trouble, self._session.language))
        if isinstance(event, Paused | Left | BatchCancelled | BatchEnded):
            self.last = event


def attend(session: Session, events: Iterator[Event]) -> int:
    """Tell what happens in all batches that run, a line for each item; return how many items ended."""
    lines, troubles, count = Lines(), Troubles(), 0
    paused: list[str] = []
    try:
        for event in events:
            count += isinstance(event, ItemEnded)
            if trouble := troubles.new(event):
                session.say(sentences.unseen(trouble, session.language))
            if session.json:
                lines.print(event)
            elif isinstance(event, ItemEnded) and _is_told(event.item):
                line = items.item_line(event.item, _language(event.item))
                session.say(f"{event.item.batch_id}  {line}")
            elif isinstance(event, Paused):
                # What was under way is back in the queue, and counted as waiting, a moment later.
                paused.append(event.tally.batch.id)
                continue
            elif isinstance(event, BatchCancelled | BatchEnded):
                _tell_standing(session, event.tally.batch.id)
            _tell_all(session, paused)
    finally:
        _tell_all(session, paused)
    return count


def _tell_all(session: Session, batch_ids: list[str]) -> None:
    """Tell where batches stand, each once."""
    while batch_ids:
        _tell_standing(session, batch_ids.pop(0))


def _tell_standing(session: Session, batch_id: str) -> None:
    """Tell on stderr where a batch stands by now, and what can be done with it, in its own language."""
    language = session.language
    stands = standing(session, batch_id, speak(session, batch_id))
    session.say(stands.line)
    if stands.steps:
        session.say(stands.steps)
    session.language, session.as_here = language, str


def _is_told(item: Item) -> bool:
    """Say whether an item has a line of its own: a cancel ends thousands in a moment, and the last line counts them."""
    return item.state != "cancelled"


def _language(item: Item) -> "Language":
    from script_editor.agent.language import language_of

    return language_of(item.job.instruction)


def _draw(drawing: Drawing, event: Event, language: "Language") -> None:
    match event:
        case Began():
            drawing.move(event.tally)
            for line in sentences.beginning(
                event.items, event.tally, event.other_workers, language, prompts_changed=event.prompts_changed
            ):
                drawing.tell(line)
        case ItemEnded(item=item):
            if _is_told(item):
                drawing.item(item)
        case Progress():
            drawing.move(
                event.tally,
                items_per_minute=event.items_per_minute,
                seconds_left=event.seconds_left,
                waiting=event.waiting_for or "",
                running=event.running,
            )
        case Stopping():
            drawing.move(event.tally, waiting="calls", running=event.running)
            drawing.tell(sentences.stopping(event.running, event.reason, language))
        case Paused() | Left() | BatchCancelled() | BatchEnded():
            drawing.move(event.tally)
        case _:
            assert_never(event)


# --- JSON lines ------------------------------------------------------------------------------


class Troubles:
    """What keeps the worker of this process from being seen by others, told once as long as it is the same."""

    def __init__(self) -> None:
        self._before = ""

    def new(self, event: Event) -> str:
        """Return a trouble that was not there at the last look, else ""."""
        if not isinstance(event, Progress) or event.trouble == self._before:
            return ""
        self._before = event.trouble
        return event.trouble


class Lines:
    """Prints events as lines of JSON; the last one is told by the result of the command instead."""

    def __init__(self) -> None:
        self._before: dict[str, Any] = {}

    def print(self, event: Event) -> None:
        """Print one event. A look that found nothing new is left out: a long wait would fill pages."""
        if isinstance(event, Paused | Left | BatchCancelled | BatchEnded):
            return
        data = _data(event)
        if isinstance(event, Progress):
            stands = {key: value for key, value in data.items() if key not in _PACE}
            if stands == self._before:
                return
            self._before = stands
        click.echo(json.dumps(data, ensure_ascii=False))


_PACE = ("items_per_minute", "seconds_left")


def _data(event: "Began | ItemEnded | Progress | Stopping") -> dict[str, Any]:
    match event:
        case Began():
            return {
                "event": "began", **tally_data(event.tally), "open": event.items,
                "other_workers": event.other_workers, "prompts_changed": event.prompts_changed,
            }  # fmt: skip
        case ItemEnded():
            return {"event": "item", **item_data(event.item)}
        case Progress():
            return {
                "event": "progress", **numbers_data(event.tally), "items_per_minute": event.items_per_minute,
                "seconds_left": event.seconds_left, "waiting_for": event.waiting_for, "trouble": event.trouble,
            }  # fmt: skip
        case Stopping():
            return {
                "event": "stopping", **numbers_data(event.tally), "reason": event.reason,
                "waiting_for_items": event.running,
            }  # fmt: skip
