"""`batch apply`, `revert`, `export`, `cancel`, `gc`: what becomes of the results, and of a batch."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from script_editor.cli.inputs import STDIN
from script_editor.cli.render import count
from script_editor.cli.session import Session, global_options, pass_session, print_error, write_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from script_editor.batch.results import Reverted, Saved

_HEARD = 20
"""So many batches tell in which language most of them are."""
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
def apply(session: Session, batch: str, clean: bool) -> int:
    """Save the proposals of a BATCH in which no check found an error.

    A script that was edited meanwhile keeps what it is, and its item becomes a conflict, which `batch retry` takes
    up; so does one whose proposal was decided on already. What is left is looked at one by one: script-editor review
    PROPOSAL. Doing it twice saves nothing twice.

    Where nothing was saved, the exit code is 4 when a check was in the way, and 5 when all scripts had moved.
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


def _take(
    session: Session,
    batch_id: str,
    results: "Iterator[Saved] | Iterator[Reverted]",
    done: Literal["saved", "reverted"],
) -> int:
    """Tell what was taken or taken back, script by script, and what was left; return the exit code."""
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
    """Write every item of a BATCH, what is to be done and what became of it.

    A row has its script, instruction, state, version or proposal, spoken time before and after, tokens, cost,
    warnings, what went wrong, and the columns of your own that its row had.

    A CSV file begins with a mark (BOM) by which spreadsheets know that it is UTF-8; on stdout there is none, for
    programs that read on. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe.
    """
    from dataclasses import asdict

    from script_editor.app.files import write_atomically
    from script_editor.batch.results import as_csv, as_json_lines
    from script_editor.cli.batch.telling import speak

    speak(session, batch)
    rows = session.app.batches.export(batch, states=only or None)
    if output == STDIN and session.json:
        session.result({"batch": batch, "rows": [asdict(row) for row in rows]})
        return
    form = form or _form_of(output)
    lines = as_json_lines(rows) if form == "jsonl" else as_csv(rows, session.app.batches.columns(batch))
    if output == STDIN:
        for line in lines:
            write_bytes(line.encode("utf-8"))
        return
    whole = "".join(lines)
    write_atomically(Path(output), whole.encode("utf-8-sig" if form == "csv" else "utf-8"))
    session.result({"batch": batch, "file": output}, [output])


def _form_of(output: str) -> str:
    return "jsonl" if Path(output).suffix.lower() in (".jsonl", ".ndjson") else "csv"


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
    from script_editor.cli.batch.data import results_data, tally_data
    from script_editor.cli.batch.telling import speak

    language = speak(session, batch)
    tally = session.app.batches.cancel(batch)
    results = session.app.batches.results(batch)
    session.result(
        {**tally_data(tally), **results_data(results)}, [words.tally_line(tally, language, results)]
    )
    if steps := words.next_steps(tally, session.app.batches.takeable(batch), language):
        session.say(words.joined(steps))


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
