"""`batch export`: what is planned and what became of it, as a table or as JSON lines."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from script_editor.cli.inputs import STDIN
from script_editor.cli.overwriting import ask_to_overwrite
from script_editor.cli.session import Session, global_options, pass_session, write_bytes
from script_editor.domain.batches import ItemState
from script_editor.errors import Language

if TYPE_CHECKING:
    from script_editor.batch.exporting import Form

_FORMS: "dict[str, Form]" = {
    "": "csv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json-lines": "jsonl",
}
"""What the end of a file's name says."""


@click.command(
    epilog="""Examples:

    \b
      script-editor batch export b-x7k2m9qp -o results.csv
      script-editor batch export b-x7k2m9qp --format jsonl --only failed"""
)
@click.argument("batch", metavar="BATCH")
@click.option("--format", "form", type=click.Choice(("csv", "jsonl")),
              help="Default: that of the file's name; csv where it says none.")  # fmt: skip
@click.option("-o", "--output", metavar="FILE|-", default=STDIN, help="A file, or stdout.")
@click.option(
    "--only", type=click.Choice(get_args(ItemState)), multiple=True, help="Only items in this state."
)
@click.option(
    "--overwrite", is_flag=True, help="Also over a file that holds something else than an export of it."
)
@global_options
@pass_session
def export(
    session: Session, batch: str, form: "Form | None", output: str, only: tuple[Any, ...], overwrite: bool
) -> None:
    """Write every item of a BATCH, what is to be done and what became of it.

    A row has its script, instruction, state, version or proposal, spoken time before and after, tokens, cost,
    warnings, what went wrong, and the columns of your own that its row had.

    A CSV file begins with a mark (BOM) by which spreadsheets know that it is UTF-8; on stdout there is none, for
    programs that read on. In CSV a text that a spreadsheet would take for a formula begins with an apostrophe.

    A file that holds an earlier export of the batch is replaced. Any other one only with --overwrite, or when you
    say so.
    """
    from dataclasses import asdict

    from script_editor.batch.results import as_csv, as_json_lines
    from script_editor.cli.batch.telling import speak

    language = speak(session, batch)
    path = None if output == STDIN else Path(output)
    form = form or _form_of(path, language)
    if path is not None and not overwrite and session.app.batches.would_be_lost(batch, path, form):
        ask_to_overwrite(session, [path])
    rows = session.app.batches.export(batch, states=only or None)
    if path is None and session.json:
        session.result({"batch": batch, "rows": [asdict(row) for row in rows]})
        return
    lines = as_json_lines(rows) if form == "jsonl" else as_csv(rows, session.app.batches.columns(batch))
    if path is None:
        for line in lines:
            write_bytes(line.encode("utf-8"))
    else:
        _write(session, batch, path, "".join(lines), form)


def _write(session: Session, batch: str, path: Path, whole: str, form: "Form") -> None:
    from script_editor.app.files import write_atomically

    write_atomically(path, whole.encode("utf-8-sig" if form == "csv" else "utf-8"))
    session.result({"batch": batch, "file": str(path)}, [str(path)])


def _form_of(path: Path | None, language: Language) -> "Form":
    """Return the form that a file's name says. Raises UsageError for a name that says one which is not written."""
    suffix = "" if path is None else path.suffix
    if (form := _FORMS.get(suffix.lower())) is not None:
        return form
    raise click.UsageError(
        f"不能写成 {suffix} 文件。请把文件名改成 .csv（表格软件可以直接打开）或 .jsonl，或者用 --format 指定格式。"
        if language == "zh"
        else f"No {suffix} file is written here. Name it .csv, which spreadsheets open, or .jsonl, or say with "
        f"--format which of the two it is to hold."
    )
