"""`batch status`, `watch`, `list`, `failures`: where batches stand, from any terminal."""

import time
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.session import Session, global_options, pass_session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from script_editor.domain.batches import Tally
    from script_editor.errors import Language

_LOOK_SECONDS = 5.0
_FAILED = ("failed", "conflict", "dead", "cancelled")


@click.command(epilog="Example: script-editor batch status b-x7k2m9qp")
@click.argument("batch", metavar="BATCH")
@global_options
@pass_session
def status(session: Session, batch: str) -> None:
    """Say where a BATCH stands."""
    from script_editor.cli.batch import words
    from script_editor.cli.batch.data import results_data, tally_data
    from script_editor.cli.batch.telling import speak

    language = speak(session, batch)
    tally, results = session.app.batches.status(batch), session.app.batches.results(batch)
    workers = session.app.batches.workers(batch)
    data = {**tally_data(tally), **results_data(results), "workers": workers}
    session.result(data, [words.tally_line(tally, language, results)])
    if tally.batch.state == "running":
        session.say(words.at_work(workers, batch, language))
    if steps := words.next_steps(
        tally, session.app.batches.takeable(batch), language, short=session.app.batches.shortage(batch)
    ):
        session.say(words.joined(steps))


@click.command(
    epilog="""Examples:

    \b
      script-editor batch watch b-x7k2m9qp
      script-editor batch watch b-x7k2m9qp --json | jq -r 'select(.event == "item") | .script'"""
)
@click.argument("batch", metavar="BATCH")
@global_options
@pass_session
def watch(session: Session, batch: str) -> int:
    """Watch a BATCH that others run, until it ends or pauses; one that has not begun is waited for.

    Ctrl-C ends the watching alone.

    The exit code is that of `batch run`.
    """
    from script_editor.cli.batch.following import follow
    from script_editor.cli.batch.stopping import presses
    from script_editor.cli.batch.telling import speak

    speak(session, batch)
    with presses(drawn_rows=lambda: session.drawn_rows) as told:
        events = session.app.batches.watch(batch, is_stopping=lambda: told.is_stopping)
        return follow(session, batch, events, notice=_Deserted(session).notice)


class _Deserted:
    """Notices that nobody works on a batch, since it has not begun or as after a crash: then nothing will happen however
    long one looks."""

    def __init__(self, session: Session):
        self._session = session
        self._next, self._is_told = 0.0, False

    def notice(self, tally: "Tally") -> str:
        """Return what to tell, once for each time that the last worker is gone; "" for nothing."""
        from script_editor.cli.batch import words

        if tally.batch.state == "planned" and not self._is_told:
            self._is_told = True
            return words.not_begun(tally.batch.id, self._session.language)
        if tally.batch.state != "running" or time.monotonic() < self._next:
            return ""
        self._next = time.monotonic() + _LOOK_SECONDS
        is_deserted = not self._session.app.batches.workers(tally.batch.id)
        is_news, self._is_told = is_deserted and not self._is_told, is_deserted
        return words.at_work(0, tally.batch.id, self._session.language) if is_news else ""


@click.command("list", epilog="Example: script-editor batch list -n 5")
@click.option("-n", "limit", type=click.IntRange(1), default=20, show_default=True, help="At most so many.")
@global_options
@pass_session
def list_batches(session: Session, limit: int) -> None:
    """List batches, newest first."""
    from script_editor.cli.batch.data import tally_data
    from script_editor.cli.batch.telling import speak_of

    found = session.app.batches.list(limit=limit)
    language = speak_of(session, (tally.batch for tally in found))
    rows = _rows(found, session.columns, language)
    session.result({"batches": [tally_data(tally) for tally in found]}, rows)
    if not found:
        session.say("There is no batch yet. Plan one: script-editor batch plan --select '*' --do TEXT")


def _rows(found: "Sequence[Tally]", columns: int | None, language: "Language") -> list[str]:
    from script_editor.cli import render
    from script_editor.cli.batch import words

    rows = []
    for tally in found:
        batch = tally.batch
        numbers = " · ".join(words.facts(tally, language))
        asked = f"“{render.one_line(batch.recipe.instruction, 200)}”"
        facts = (batch.id, render.moment(batch.created_at), words.state(batch, language), batch.recipe.model)
        rows.append((*facts, numbers, asked))
    return render.table(rows, columns)


@click.command(
    epilog="""Examples:

    \b
      script-editor batch failures b-x7k2m9qp
      script-editor batch failures b-x7k2m9qp --only conflict --json"""
)
@click.argument("batch", metavar="BATCH")
@click.option("--only", type=click.Choice(_FAILED), multiple=True, help="Only those that ended so.")
@click.option("-n", "limit", type=click.IntRange(1), help="At most so many; all of them without.")
@global_options
@pass_session
def failures(session: Session, batch: str, only: tuple[Any, ...], limit: int | None) -> None:
    """List what went wrong in a BATCH, and why."""
    from script_editor.cli.batch import items, words
    from script_editor.cli.batch.data import item_data
    from script_editor.cli.batch.telling import speak
    from script_editor.domain.batches import TROUBLED

    language = speak(session, batch)
    found = tuple(session.app.batches.failures(batch, states=only or None, limit=limit))
    data = {"batch": batch, "failures": [item_data(item) for item in found]}
    session.result(data, [] if session.json else items.failure_lines(found, language))
    if not found:
        session.say("没有失败的项目。" if language == "zh" else "Nothing went wrong.")
    elif any(item.state in TROUBLED for item in found):
        session.say(words.try_again(batch, language))
    else:  # cancelled ones are no failures: they wait to be gone on with
        session.say(words.go_on(batch, language))
