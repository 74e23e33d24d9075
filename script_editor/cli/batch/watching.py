"""`batch status`, `watch`, `list`, `failures`: where batches stand, from any terminal."""

from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.session import Session, global_options, pass_session

if TYPE_CHECKING:
    from script_editor.domain.batches import Tally

_FAILED = ("failed", "conflict", "dead", "cancelled")


@click.command(epilog="Example: script-editor batch status b-x7k2m9qp")
@click.argument("batch", metavar="BATCH")
@global_options
@pass_session
def status(session: Session, batch: str) -> None:
    """Say where a BATCH stands."""
    from script_editor.cli.batch import hints, sentences, spending, words
    from script_editor.cli.batch.standing import standing, tell_result, tell_steps
    from script_editor.cli.batch.telling import speak

    language = speak(session, batch)
    stands = standing(session, batch, language, short=session.app.batches.shortage(batch))
    workers = session.app.batches.workers(batch)
    limits = session.app.batches.limits(batch)
    tell_result(session, stands, workers=workers, limits=spending.limits_data(limits, batch))
    if stands.tally.batch.state in ("planned", "running", "paused"):
        session.say_lines(spending.limit_lines(limits, language))
    if stands.tally.batch.state == "running":
        session.say(sentences.at_work(workers, batch, language))
        session.say(words.joined(hints.meanwhile(batch, language)))
    tell_steps(session, stands)


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

    Ctrl-C ends the watching alone. It ends by itself where no process works on the batch any more, as after a crash.

    The exit code is that of `batch run`.
    """
    from script_editor.cli.batch.following import follow
    from script_editor.cli.batch.stopping import presses
    from script_editor.cli.batch.telling import speak

    # First, so that whoever stops in this moment already is answered as later, in the language of the batch.
    with presses(drawn_rows=lambda: session.drawn_rows) as told:
        speak(session, batch)
        events = session.app.batches.watch(batch, is_stopping=lambda: told.is_stopping)
        return follow(session, batch, events, notice=_Deserted(session).notice)


class _Deserted:
    """Notices that nobody works on a batch, since it has not begun or as after a crash."""

    def __init__(self, session: Session):
        self._session, self._told = session, ""

    def notice(self, tally: "Tally") -> str:
        """Return what to tell, once for each time that the last worker is gone; "" for nothing."""
        from script_editor.cli.batch import sentences

        match tally.batch.state, tally.batch.pause_reason:
            case "planned", _:
                now = sentences.not_begun(tally.batch.id, self._session.language)
            case "paused", "deserted":
                now = sentences.at_work(0, tally.batch.id, self._session.language)
            case _:
                now = ""
        before, self._told = self._told, now
        return now if now != before else ""


@click.command("list", epilog="Example: script-editor batch list -n 5")
@click.option("-n", "limit", type=click.IntRange(1), default=20, show_default=True, help="At most so many.")
@global_options
@pass_session
def list_batches(session: Session, limit: int) -> None:
    """List batches, newest first, each in the language of its instruction."""
    from script_editor.cli.batch.data import tally_data
    from script_editor.cli.batch.listing import lines

    found = session.app.batches.list(limit=limit)
    session.result({"batches": [tally_data(tally) for tally in found]}, lines(found, session.columns))
    if not found:
        session.say("There is no batch yet. Plan one: script-editor batch plan --select '*' --do TEXT")


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
    from script_editor.cli.batch import hints
    from script_editor.cli.batch.data import item_data
    from script_editor.cli.batch.failing import failure_lines
    from script_editor.cli.batch.telling import fitted, speak
    from script_editor.domain.batches import TROUBLED

    language = speak(session, batch)
    found = tuple(session.app.batches.failures(batch, states=only or None, limit=limit))
    data = {"batch": batch, "failures": [_named_as_here(session, item_data(item)) for item in found]}
    lines = [] if session.json else failure_lines(found, language)
    session.result(data, fitted(session, map(session.as_here, lines)))
    if not found:
        session.say("没有失败的项目。" if language == "zh" else "Nothing went wrong.")
    elif any(item.state in TROUBLED for item in found):
        session.say(hints.try_again(batch, language))
    else:  # cancelled ones are no failures: they wait to be gone on with
        session.say(hints.go_on(batch, language))


def _named_as_here(session: Session, data: "dict[str, Any]") -> "dict[str, Any]":
    """Return an item as JSON values, with the commands of its hint as they work here."""
    error = data["error"]
    return {**data, "error": {**error, "hint": session.as_here(error["hint"])}} if error else data
