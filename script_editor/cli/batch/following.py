"""From the events of a batch to what a person sees, or to lines of JSON; and how a command about it ends."""

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
from script_editor.cli.batch import items, words
from script_editor.cli.batch.data import item_data, numbers_data, results_data, tally_data
from script_editor.cli.batch.drawing import Drawing
from script_editor.cli.batch.telling import spoken
from script_editor.cli.session import Session, print_error
from script_editor.domain.batches import Item, Tally
from script_editor.errors import BatchTroubled, BudgetReached, BudgetShort, ModelFailure, SetupError
from script_editor.errors.endings import INTERRUPTED

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
    tally, lines, troubles = session.app.batches.status(batch_id), Lines(), Troubles()
    last: Last | None = None
    with Drawing(session, tally) as drawing:
        for event in events:
            if session.json:
                lines.print(event)
            _draw(drawing, event, session.language)
            if isinstance(event, Progress) and (told := notice(event.tally)):
                drawing.tell(told)
            if trouble := troubles.new(event):
                drawing.tell(words.unseen(trouble, session.language))
            if isinstance(event, Paused | Left | BatchCancelled | BatchEnded):
                last = event
    return _end(session, batch_id, last)


def attend(session: Session, events: Iterator[Event]) -> int:
    """Tell what happens in all batches that run, a line for each item; return how many items ended."""
    lines, troubles, ended = Lines(), Troubles(), 0
    for event in events:
        ended += isinstance(event, ItemEnded)
        if trouble := troubles.new(event):
            _tell(session, words.unseen(trouble, session.language))
        if session.json:
            lines.print(event)
        elif isinstance(event, ItemEnded) and _is_told(event.item):
            _tell(session, f"{event.item.batch_id}  {items.item_line(event.item, _language(event.item))}")
        elif isinstance(event, Paused | BatchCancelled | BatchEnded):
            _tell(session, words.tally_line(event.tally, spoken(session, event.tally.batch.id)))
    return ended


def _is_told(item: Item) -> bool:
    """Say whether an item has a line of its own: a cancel ends thousands in a moment, and the last line counts them."""
    return item.state != "cancelled"


def _tell(session: Session, line: str) -> None:
    if not session.quiet:
        click.echo(line, err=True)


def _language(item: Item) -> "Language":
    from script_editor.agent.language import language_of

    return language_of(item.job.instruction)


def _draw(drawing: Drawing, event: Event, language: "Language") -> None:
    match event:
        case Began():
            drawing.move(event.tally)
            for line in words.beginning(
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
            )
        case Stopping():
            drawing.move(event.tally, waiting="calls")
            drawing.tell(words.stopping(event.running, event.reason, language))
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


# --- the end ---------------------------------------------------------------------------------


def _end(session: Session, batch_id: str, last: Last | None) -> int:
    tally = last.tally if last else session.app.batches.status(batch_id)
    short = session.app.batches.shortage(batch_id)
    code, error, message = _ending(last, tally, session.language, short)
    results = session.app.batches.results(batch_id)
    data = {**tally_data(tally), **results_data(results)}
    takeable = session.app.batches.takeable(batch_id)
    steps = words.joined(words.next_steps(tally, takeable, session.language, short=short))
    if session.json and code:
        print_error(error, message, steps, data=data, warnings=session.warnings)
    else:
        session.result(data, [words.tally_line(tally, session.language, results)])
    if message:
        session.say(message)
    if steps:
        session.say(steps)
    return code


def _ending(
    last: Last | None, tally: Tally, language: "Language", short: BudgetShort | None
) -> tuple[int, str, str]:
    """Return the exit code, the name of the error and a sentence; "" where the line about the batch says it all."""
    batch_id = tally.batch.id
    match last:
        case BatchEnded():
            lost = tally.count("failed", "conflict", "dead", "cancelled")
            troubled = BatchTroubled(batch_id, troubled=lost, total=tally.batch.total)
            said = words.troubled(lost, tally.batch.total, language)
            return (troubled.exit_code, troubled.code, said) if lost else (0, "", "")
        case Paused(reason="sample"):
            return 0, "", ""
        case Paused(reason="budget"):
            return BudgetReached.exit_code, BudgetReached.code, words.budget_used(language, short)
        case Paused(reason="refused" | "empty"):
            return SetupError.exit_code, SetupError.code, ""
        case Paused(reason="unreachable"):
            return ModelFailure.exit_code, ModelFailure.code, ""
        case Paused():
            return INTERRUPTED, "interrupted", ""
        case BatchCancelled():
            lost = tally.batch.total - tally.count("done", "unchanged")
            return BatchTroubled.exit_code, "cancelled", words.cancelled(lost, tally.batch.total, language)
        case Left():
            return INTERRUPTED, "interrupted", words.left_to_others(last.other_workers, language)
        case None:
            return INTERRUPTED, "interrupted", words.watched(language)
        case _:
            assert_never(last)
