"""`list`, `new`, `import`, `export`, `seeds load`: scripts on the shelf and in files."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.inputs import STDIN, read_file, read_stdin, stdin_bytes
from script_editor.cli.overwriting import ask_to_overwrite
from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session, write_bytes
from script_editor.errors import BadFile, NotFound, ScriptEditorError

if TYPE_CHECKING:
    from script_editor.app.files import Imported
    from script_editor.domain.script import ScriptInfo, Version


LANG_HELP = "Its language, such as zh or en. Default: the one that it is mainly written in."


@click.command("list", epilog="Example: script-editor list 咖啡")
@click.argument("query", required=False, default="")
@global_options
@pass_session
def list_scripts(session: Session, query: str) -> None:
    """List scripts; QUERY keeps those whose id or title contains it."""
    found = session.app.scripts.list(query)
    data = [
        {
            "script": info.id,
            "title": info.title,
            "language": info.language,
            "version": f"v{info.head_number}",
            "updated_at": info.updated_at.isoformat(),
        }
        for info in sorted(found, key=lambda info: info.updated_at, reverse=True)
    ]
    session.result({"scripts": data}, script_lines(session, found))
    session.say_lines(none_found_hint(session, found, query))


def script_lines(session: Session, found: "Sequence[ScriptInfo]") -> list[str]:
    """Return scripts as lines."""
    from script_editor.cli import render

    rows = [
        (info.id, f"v{info.head_number}", info.updated_at.astimezone().strftime("%Y-%m-%d"), info.language,
         render.one_line(info.title, 200))
        for info in found
    ]  # fmt: skip
    return render.table(rows, session.columns)


def none_found_hint(session: Session, found: "Sequence[ScriptInfo]", query: str) -> list[str]:
    """Return what to do where there is no script, nothing when there is one."""
    if found:
        return []
    if query:
        return [f"No script matches {query!r}. All of them: script-editor list"]
    return [f"The store {session.store_name} is empty. Load samples: script-editor seeds load"]


@click.command(epilog="Example: script-editor new 第一集 --title 开箱 -f draft.txt")
@click.argument("script")
@click.option("-f", "--file", metavar="FILE|-", help="Take the text from a file, or from stdin.")
@click.option("--text", help="The text itself.")
@click.option("--title", default="", help="A title for lists.")
@click.option("--lang", "language", metavar="CODE", help=LANG_HELP)
@click.option("--encoding", metavar="NAME", help="The file's encoding, when it is not UTF-8.")
@global_options
@pass_session
def new(
    session: Session,
    script: str,
    file: str | None,
    text: str | None,
    title: str,
    language: str | None,
    encoding: str | None,
) -> None:
    """Make a new script named SCRIPT from a file, from stdin or from --text."""
    from script_editor.cli import render
    from script_editor.domain.spoken.words import language_of_text

    if file and text is not None:
        raise click.UsageError("Give --file or --text, not both.")
    form = None
    if text is None:
        text, form = read_file(file, encoding) if file else read_stdin(encoding)
    if not text.strip():
        raise BadFile(
            "The text is empty.",
            hint="Give it with -f FILE or --text TEXT, or on stdin; it needs at least one line.",
        )
    version = session.app.scripts.new(
        script,
        text,
        author=session.app.settings.author,
        title=title,
        language=language or language_of_text(text),
        file=form,
        source="manual",
    )
    session.result(render.version_data(version), [f"Made {version.script_id} v1 ({_lines(version)})."])
    session.say(f"Edit it: script-editor edit {version.script_id} INSTRUCTION")


def _lines(version: "Version") -> str:
    from script_editor.cli import render
    from script_editor.domain.segments import NumberedScript

    return render.count(len(NumberedScript(version.script_id, version.number, version.text).segments), "line")


@click.command("import", epilog="Example: script-editor import drafts/*.txt")
@click.argument("paths", nargs=-1, required=True, metavar="PATH...|-")
@click.option(
    "--id", "script", metavar="ID", help="The script's id; needed for stdin. Default: the file name."
)
@click.option("--encoding", metavar="NAME", help="The files' encoding, when it is not UTF-8.")
@click.option("--title", default="", metavar="TEXT", help="A title for lists, of a new script; for one file.")
@click.option("--lang", "language", metavar="CODE", help=LANG_HELP)
@click.option("--on-conflict", type=click.Choice(("new-version", "skip", "error")), default="new-version",
              show_default=True, help="When the id exists with another text.")  # fmt: skip
@global_options
@pass_session
def import_files(
    session: Session, /, paths: tuple[str, ...], script: str | None, title: str, **options: Any
) -> int:
    """Import plain text files, one script each. A text that is there already is not stored again.

    A file that cannot be imported is reported and the rest goes on; the exit code is then that of the first failure.
    """
    if script and len(paths) > 1:
        raise click.UsageError("--id goes with one file.")
    if title and len(paths) > 1:
        raise click.UsageError("--title goes with one file.")
    if STDIN in paths and not script:
        raise click.UsageError("Text from stdin needs a name: --id ID")
    rows: list[dict[str, Any]] = []
    failures: list[ScriptEditorError] = []
    for path in paths:
        try:
            imported = _import_one(session, path, script_id=script, title=title, **options)
        except ScriptEditorError as error:
            if len(paths) == 1:
                raise
            failures.append(error)
            session.warn(f"{error} {error.hint}".strip())
            continue
        version = imported.version
        rows.append(
            {
                "file": path,
                "script": version.script_id,
                "version": f"v{version.number}",
                "outcome": imported.outcome,
            }
        )
        if not session.json:
            click.echo(f"{version.script_id} v{version.number}  {imported.outcome}")
    data = {"imported": rows, "failed": len(failures)}
    if not failures:
        session.result(data)
    elif session.json:
        session.failure(failures[0], data)
    else:  # each was told when it happened
        session.say(f"{len(failures)} of {len(paths)} could not be imported.")
    return failures[0].exit_code if failures else 0


def _import_one(session: Session, path: str, *, script_id: str | None, **options: Any) -> "Imported":
    from script_editor.app.files import import_bytes, import_path

    app, author = session.app, session.app.settings.author
    if path == STDIN:
        return import_bytes(
            app.scripts, stdin_bytes(), script_id=script_id or "", name="stdin", author=author, **options
        )  # fmt: skip
    return import_path(app.scripts, Path(path), author=author, script_id=script_id, **options)


@click.command(
    epilog="""Examples:

    \b
      script-editor export video_001 -o final.txt
      script-editor export --all -o drafts/"""
)
@click.argument("scripts", nargs=-1, metavar="SCRIPT[@VERSION]...")
@click.option("--all", "everything", is_flag=True, help="Every script.")
@click.option(
    "-o", "--output", metavar="PATH|-", default=STDIN, help="A file, a folder (for several), or stdout."
)
@click.option(
    "--encoding", metavar="NAME", help="Write in this encoding instead of the one it was imported in."
)
@click.option(
    "--overwrite", is_flag=True, help="Also over files that hold something else than these scripts."
)
@global_options
@pass_session
def export(
    session: Session,
    scripts: tuple[str, ...],
    everything: bool,
    output: str,
    encoding: str | None,
    overwrite: bool,
) -> None:
    """Write scripts to files, with the bytes they were imported with where nothing changed.

    A file that holds a version of the script is replaced. Any other one only with --overwrite, or when you say so.
    """
    from script_editor.app.exporting import would_be_lost
    from script_editor.app.files import export_bytes, file_name, make_folder, write_atomically

    service = session.app.scripts
    if everything == bool(scripts):
        raise click.UsageError("Name the scripts, or give --all.")
    references = [info.id for info in service.list()] if everything else list(scripts)
    versions = [service.read(reference) for reference in references]
    if not versions:
        raise NotFound("The store is empty, so there is nothing to export.")
    folder = Path(output).is_dir() or output.endswith("/")
    if len(versions) > 1 and not folder:
        named = "FOLDER" if output == STDIN else output
        raise click.UsageError(f"Several scripts go into a folder; a slash at the end says so: -o {named}/")
    if output == STDIN:
        if session.json:
            session.result({"exported": [], "text": versions[0].text})
        else:
            write_bytes(export_bytes(versions[0], encoding))
        return
    paths = [Path(output) / file_name(version) if folder else Path(output) for version in versions]
    if len(set(paths)) < len(paths):
        raise click.UsageError("Two of these would be written to the same file; export them one by one.")
    contents = [export_bytes(version, encoding) for version in versions]
    if not overwrite:
        exports = zip(versions, paths, contents, strict=True)
        ask_to_overwrite(session, [each[1] for each in exports if would_be_lost(service, *each)])
    if folder:
        make_folder(Path(output))
    written = []
    for version, path, data in zip(versions, paths, contents, strict=True):
        write_atomically(path, data)
        written.append({"script": version.script_id, "version": f"v{version.number}", "file": str(path)})
    session.result(
        {"exported": written},
        [printable(f"{row['file']}  {row['script']} {row['version']}") for row in written],
    )


@click.group(epilog="Example: script-editor seeds load")
def seeds() -> None:
    """Load the sample scripts."""


@seeds.command("load", epilog="Example: script-editor seeds load")
@global_options
@pass_session
def seeds_load(session: Session) -> None:
    """Load the sample scripts into the store; what is there already is left as it is."""
    from script_editor.cli import render

    loaded = []
    for sample in session.app.load_seeds():
        loaded.append(sample)
        if not session.json and not session.quiet:
            what = f"{render.count(sample.added, 'version')} added" if sample.added else "already there"
            click.echo(f"{sample.script_id}  {what}")
    data = [{"script": one.script_id, "added": one.added, "versions": one.total} for one in loaded]
    session.result({"seeds": data, "added": sum(one.added for one in loaded)})
    session.say("Try: script-editor edit video_001 把“黄金时代”改成“快车道”")
