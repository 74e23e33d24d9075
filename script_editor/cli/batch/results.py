"""`batch apply`, `revert`, `export`, `cancel`, `gc`: what becomes of the results, and of a batch."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from script_editor.cli.inputs import STDIN
from script_editor.cli.session import Session, global_options, pass_session, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from script_editor.batch.results import ResultRow, Reverted, Saved

_STATES = ("queued", "running", "done", "unchanged", "conflict", "failed", "dead", "cancelled")


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
def apply(session: Session, batch: str, clean: bool) -> None:
    """Save the proposals of a BATCH in which no check found an error.

    A script that was edited meanwhile keeps what it is; so does one whose proposal was decided on already. What is
    left is looked at one by one: script-editor review PROPOSAL. Doing it twice saves nothing twice.
    """
    from script_editor.cli.batch.telling import speak

    speak(session, batch)
    author = session.app.settings.author
    _take(session, batch, session.app.batches.apply(batch, author=author, only_clean=clean), "saved")


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


def _take(
    session: Session,
    batch_id: str,
    results: "Iterator[Saved] | Iterator[Reverted]",
    done: Literal["saved", "reverted"],
) -> None:
    """Tell what was taken or taken back, script by script, and what was left."""
    from script_editor.cli.batch import taking

    taken: list[dict[str, Any]] = []
    left: list[dict[str, Any]] = []
    for result in results:
        (taken if result.left is None else left).append(taking.result_data(result))
        line = taking.result_line(result, done, session.language)
        if line and not session.json:
            click.echo(line, err=result.left is not None)
    session.result({"batch": batch_id, done: taken, "left": left})
    session.say_lines(taking.summary(batch_id, len(taken), left, done, session.language))


@click.command(
    epilog="""Examples:

    \b
      script-editor batch export b-x7k2m9qp -o results.csv
      script-editor batch export b-x7k2m9qp --format jsonl --only failed"""
)
@click.argument("batch", metavar="BATCH")
@click.option("--format", "form", type=click.Choice(("csv", "jsonl")),
              help="Default: that of the file's name, else csv.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE|-", default=STDIN, help="A file, or stdout.")
@click.option("--only", type=click.Choice(_STATES), multiple=True, help="Only items in this state.")
@global_options
@pass_session
def export(session: Session, batch: str, form: str | None, output: str, only: tuple[Any, ...]) -> None:
    """Write what became of every item of a BATCH.

    A row has its state, version or proposal, spoken time before and after, tokens, cost, and what went wrong.

    In CSV a text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    from dataclasses import asdict

    from script_editor.app.files import write_atomically
    from script_editor.cli.batch.telling import speak

    speak(session, batch)
    rows = session.app.batches.export(batch, states=only or None)
    if output == STDIN and session.json:
        session.result({"batch": batch, "rows": [asdict(row) for row in rows]})
        return
    lines = _written(rows, form or _form_of(output))
    if output == STDIN:
        for line in lines:
            write_bytes(line.encode("utf-8"))
        return
    whole = "".join(lines)
    write_atomically(Path(output), whole.encode("utf-8"))
    session.result({"batch": batch, "file": output}, [output])


def _form_of(output: str) -> str:
    return "jsonl" if Path(output).suffix.lower() in (".jsonl", ".ndjson") else "csv"


def _written(rows: "Iterable[ResultRow]", form: str) -> Iterable[str]:
    from script_editor.batch.results import as_csv, as_json_lines

    return as_json_lines(rows) if form == "jsonl" else as_csv(rows)


@click.command(epilog="Example: script-editor batch cancel b-x7k2m9qp")
@click.argument("batch", metavar="BATCH")
@global_options
@pass_session
def cancel(session: Session, batch: str) -> None:
    """Cancel a BATCH.

    What waits is over at once, what runs stops at its next step, wherever it runs. Versions and
    proposals stay. `batch resume` takes it up again, `batch revert` brings the scripts back.
    """
    from script_editor.cli.batch import words
    from script_editor.cli.batch.data import tally_data
    from script_editor.cli.batch.telling import speak

    language = speak(session, batch)
    tally = session.app.batches.cancel(batch)
    session.result(tally_data(tally), [words.tally_line(tally, language)])
    if steps := words.next_steps(tally, language):
        session.say(words.joined(steps))


@click.command(epilog="Example: script-editor batch gc")
@global_options
@pass_session
def gc(session: Session) -> None:
    """Delete what the engine remembers of items that are over. Results, versions and proposals stay.

    Workers do so by themselves as they go; this is for a store whose workers are all gone.
    """
    deleted = session.app.batches.gc()
    session.result({"deleted": deleted}, [f"Deleted the engine's records of {deleted:,} items."])
