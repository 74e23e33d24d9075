"""`batch apply`, `revert`, `discard`, `cancel`, `gc`: what becomes of the results, and of a batch."""

from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.render import count
from script_editor.cli.session import Session, global_options, pass_session, print_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from script_editor.batch.taking import Outcome
    from script_editor.cli.batch.taking import Done

_WITH_PROPOSALS = ("done", "failed", "conflict")
"""Items in these states may have left a proposal."""
_HEARD = 20
"""So many batches tell in which language most of them are."""


@click.command(
    epilog="""Examples:

    \b
      script-editor batch apply b-x7k2m9qp --clean
      script-editor batch apply b-x7k2m9qp --json | jq '.data.left'"""
)
@click.argument("batch", metavar="BATCH")
@click.option("--clean", is_flag=True, help="Only those of which no check even warned.")
@global_options
@pass_session
def apply(session: Session, batch: str, clean: bool) -> int:
    """Save the proposals of a BATCH in which no check found an error.

    A script that was edited meanwhile keeps what it is, and its item becomes a conflict, which `batch retry` takes
    up. What is left is looked at one by one: script-editor review PROPOSAL. Doing it again saves nothing twice, and
    leaves alone what was saved before, what was taken back since, and proposals that were decided on already.

    Where nothing was saved this time, the exit code is 4 when a check is in the way of anything that is left, else
    5 when a script has moved.
    """
    from script_editor.cli.batch.telling import speak

    speak(session, batch)
    author = session.app.settings.author
    return _take(session, batch, session.app.batches.apply(batch, author=author, only_clean=clean), "saved")


@click.command(epilog="Example: script-editor batch revert b-x7k2m9qp")
@click.argument("batch", metavar="BATCH")
@global_options
@pass_session
def revert(session: Session, batch: str) -> None:
    """Bring back what a BATCH changed.

    Each script that it saved a version of gets its old text back as a new version; one that somebody edited
    since keeps what it is. Nothing is removed: the versions of the batch stay.
    """
    from script_editor.cli.batch.telling import speak

    speak(session, batch)
    author = session.app.settings.author
    _take(session, batch, session.app.batches.revert(batch, author=author), "reverted")


@click.command(
    epilog="""Examples:

    \b
      script-editor batch discard b-x7k2m9qp
      script-editor batch discard b-x7k2m9qp --only conflict"""
)
@click.argument("batch", metavar="BATCH")
@click.option(
    "--only", type=click.Choice(_WITH_PROPOSALS), multiple=True, help="Only those of items in this state."
)
@global_options
@pass_session
def discard(session: Session, batch: str, only: tuple[Any, ...]) -> None:
    """Close the open proposals of a BATCH without saving them.

    No script changes, and nothing is removed: the texts stay in the store. What was saved is left as it is; `batch
    revert` brings that back. Work that was discarded is done again where it is planned anew.
    """
    from script_editor.cli.batch.telling import speak

    speak(session, batch)
    author = session.app.settings.author
    _take(session, batch, session.app.batches.discard(batch, author=author, states=only or None), "discarded")


def _take(session: Session, batch_id: str, results: "Iterator[Outcome]", done: "Done") -> int:
    """Tell what was saved, taken back or dropped, script by script, and what was left; return the exit code."""
    from script_editor.cli.batch import taking, words

    taken: list[dict[str, Any]] = []
    left: list[dict[str, Any]] = []
    for result in results:
        (taken if result.left is None else left).append(taking.result_data(result))
        line = taking.result_line(result, done, session.language)
        if line and not session.json:
            click.echo(line, err=result.left is not None)
    data = {"batch": batch_id, done: taken, "left": left}
    told = taking.summary(batch_id, len(taken), left, done, session.language)
    code, name = taking.refusal(left) if done == "saved" and not taken else (0, "")
    if session.json and code:
        print_error(name, told[0], words.joined(told[1:]), data=data, warnings=session.warnings)
    else:
        session.result(data)
    session.say_lines(told)
    return code


@click.command(epilog="Example: script-editor batch cancel b-x7k2m9qp")
@click.argument("batch", metavar="BATCH")
@global_options
@pass_session
def cancel(session: Session, batch: str) -> None:
    """Cancel a BATCH.

    What waits is over at once, what runs stops at its next step, wherever it runs. Versions and
    proposals stay. `batch resume` takes it up again, `batch revert` brings the scripts back.
    """
    from script_editor.cli.batch.standing import standing, tell
    from script_editor.cli.batch.telling import speak

    language = speak(session, batch)
    tell(session, standing(session, batch, language, tally=session.app.batches.cancel(batch)))


@click.command(epilog="Example: script-editor batch gc")
@global_options
@pass_session
def gc(session: Session) -> None:
    """Delete what the engine remembers of items that are over. Results, versions and proposals stay.

    Workers do so by themselves as they go; this is for a store whose workers are all gone.
    """
    from script_editor.cli.batch.telling import speak_of

    language = speak_of(session, (tally.batch for tally in session.app.batches.list(limit=_HEARD)))
    deleted = session.app.batches.gc()
    told = (
        f"已删除引擎里 {deleted:,} 个项目的记录。"
        if language == "zh"
        else f"Deleted the engine's records of {count(deleted, 'item')}."
    )
    session.result({"deleted": deleted}, [told])
