"""`show`, `history`, `diff`, `revert`, `undo`, `redo`: reading versions and going back."""

import sys
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session, write_bytes

if TYPE_CHECKING:
    from script_editor.app.scripts import Comparison, HistoryEntry, Restored
    from script_editor.domain.script import Version


@click.command(epilog="Example: script-editor show video_001@v1 > draft.txt")
@click.argument("script", metavar="SCRIPT[@VERSION]")
@click.option("--lines", is_flag=True, help="Number the spoken lines, as instructions and diffs do.")
@click.option("--meta", is_flag=True, help="Print what is known about the version instead of its text.")
@global_options
@pass_session
def show(session: Session, script: str, lines: bool, meta: bool) -> None:
    """Print a script, or one of its versions."""
    version = session.app.scripts.read(script)
    if meta:
        session.result(*_described(version))
    elif session.json:
        session.result({**_described(version)[0], "text": version.text})
    elif lines:
        session.result({}, _numbered(version))
    else:
        _print_text(version.text)


def _described(version: "Version") -> tuple[dict[str, Any], list[str]]:
    from script_editor.cli import render

    data = render.version_data(version)
    spent = data["tokens"]["in"] is not None
    shown = {**data, "tokens": f"{data['tokens']['in']} + {data['tokens']['out']}" if spent else None}
    rows = [(f"{key}:", str(value)) for key, value in shown.items() if value not in (None, "")]
    return data, [printable(line) for line in render.table(rows)]


def _numbered(version: "Version") -> list[str]:
    from script_editor.cli import render
    from script_editor.domain.segments import NumberedScript

    script = NumberedScript(version.script_id, version.number, version.text)
    return render.numbered_lines((segment.number, segment.content) for segment in script.segments)


def _print_text(text: str) -> None:
    """Write a text exactly; on a terminal, readably: with a line end, and nothing that steers it."""
    if sys.stdout.isatty():
        click.echo(printable(text.replace("\r\n", "\n"), keep="\n\t").removesuffix("\n"))
    else:
        write_bytes(text.encode("utf-8"))


@click.command(epilog="Example: script-editor history video_003")
@click.argument("script")
@click.option("-n", "limit", type=click.IntRange(1), default=20, show_default=True, help="At most so many.")
@click.option("--before", metavar="vN", help="Only versions below this one.")
@global_options
@pass_session
def history(session: Session, script: str, limit: int, before: str | None) -> None:
    """List the versions of SCRIPT, newest first."""
    from script_editor.cli import render

    below = _plain_number(before) if before else None
    service = session.app.scripts
    entries = service.history(script, limit=limit, before=below)
    versions = [{**render.version_data(entry.version), "changes": entry.change_count} for entry in entries]
    newest = entries[0].version.number if entries and below is None else service.info(script).head_number
    session.result(
        {"versions": versions},
        render.table([_history_row(entry, newest) for entry in entries], session.columns),
    )
    if entries and entries[-1].version.number > 1:
        session.say(f"Older ones: script-editor history {script} --before v{entries[-1].version.number}")


def _plain_number(raw: str) -> int:
    """Return the number of `v3` or `3`; anything else that names a version is refused here."""
    from script_editor.domain.references import Selector, parse_selector
    from script_editor.errors import BadReference

    selector = parse_selector(raw)
    if selector.number is None or selector != Selector(number=selector.number):
        raise BadReference(raw)
    return selector.number


def _history_row(entry: "HistoryEntry", newest: int) -> tuple[str, ...]:
    from script_editor.cli import render

    version = entry.version
    changed = "—" if entry.change_count is None else render.count(entry.change_count, "change")
    mark = "●" if version.number == newest else " "
    return (
        f" {mark} v{version.number}", render.when(version), render.came_from(version), changed,
        render.one_line(render.why(version), 200),
    )  # fmt: skip


@click.command(epilog="Examples: script-editor diff video_003     script-editor diff video_003 v1 v4")
@click.argument("script")
@click.argument("a", required=False)
@click.argument("b", required=False)
@click.option("--unified", is_flag=True, help="As a patch that other programs can read.")
@click.option("--stat", is_flag=True, help="Only the numbers.")
@click.option("--exit-code", is_flag=True, help="Exit with 1 when the versions differ.")
@global_options
@pass_session
def diff(
    session: Session, script: str, a: str | None, b: str | None, unified: bool, stat: bool, exit_code: bool
) -> int:
    """Show what changed: the newest version against its parent, A against the newest, or A against B."""
    from script_editor.cli import render

    compared = _compared(session, script, a, b)
    before, after = compared.before, compared.after
    data = {
        "script": after.script_id,
        "from": f"v{before.number}",
        "to": f"v{after.number}",
        "changes": [render.change_data(change) for change in compared.changes],
    }
    head = render.comparison_line(before, after, compared.changes)
    if unified and not session.json:
        _print_text(_unified(before, after))
    else:
        session.result(data, [head] if stat else [head, *render.change_lines(compared.changes)])
    if not compared.changes:
        session.say(f"v{before.number} and v{after.number} are identical.")
    return 1 if exit_code and compared.changes else 0


def _compared(session: Session, script: str, a: str | None, b: str | None) -> "Comparison":
    from script_editor.domain.references import Reference, Selector, parse_reference, parse_selector

    service = session.app.scripts
    reference = parse_reference(script)
    named = [parse_selector(raw.removeprefix("@")) for raw in (a, b) if raw is not None]
    if reference.selector != Selector():
        named.insert(0, reference.selector)  # `diff ID@v1 v2` is `diff ID v1 v2`
    ends = [Reference(reference.script_id, selector) for selector in named]
    match ends:
        case []:
            return service.compare_with_parent(reference)
        case [one] if a is None:
            return service.compare_with_parent(one)
        case [first]:
            return service.compare(first, Reference(reference.script_id, Selector()))
        case [first, last]:
            return service.compare(first, last)
    raise click.UsageError("Name two versions at most.")


def _unified(before: "Version", after: "Version") -> str:
    """Return a patch that other programs can apply, line ends and a missing final newline included."""
    from difflib import unified_diff

    rows = unified_diff(_with_ends(before.text), _with_ends(after.text), before.reference, after.reference)
    return "".join(row if row.endswith("\n") else f"{row}\n\\ No newline at end of file\n" for row in rows)


def _with_ends(text: str) -> list[str]:
    """Return the lines of a text with their ends; only LF ends a line, as in other tools."""
    *whole, rest = text.split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


@click.command(epilog="Example: script-editor revert video_001 v1")
@click.argument("script")
@click.argument("version")
@click.option("--message", metavar="TEXT", default="", help="A note kept with the new version.")
@click.option("--expect-head", metavar="vN", help="Refuse when the newest version is another one.")
@global_options
@pass_session
def revert(session: Session, script: str, version: str, message: str, expect_head: str | None) -> None:
    """Bring VERSION's text back as a new version; every version stays in the history."""
    from script_editor.domain.references import parse_selector

    expected = _plain_number(expect_head) if expect_head else None
    restored = session.app.scripts.revert(
        script,
        parse_selector(version),
        author=session.app.settings.author,
        expected_head=expected,
        message=message,
    )
    made, old = restored.version, restored.restored
    session.result(
        _restored_data(restored),
        [f"{made.script_id} v{made.number} = text of v{old.number} (v{made.number - 1} stays in the history). "
         "Compared: identical."],
    )  # fmt: skip
    session.say(f"Undo: script-editor undo {made.script_id}")


@click.command(epilog="Example: script-editor undo video_003 -n 2")
@click.argument("script")
@click.option("-n", "steps", type=click.IntRange(1), default=1, show_default=True, help="So many changes.")
@global_options
@pass_session
def undo(session: Session, script: str, steps: int) -> None:
    """Take the newest changes of SCRIPT back; nothing is lost, and redo brings them again."""
    restored = session.app.scripts.undo(script, author=session.app.settings.author, steps=steps)
    _tell_step(session, restored, "Undid", "redo")


@click.command(epilog="Example: script-editor redo video_003")
@click.argument("script")
@click.option("-n", "steps", type=click.IntRange(1), default=1, show_default=True, help="So many changes.")
@global_options
@pass_session
def redo(session: Session, script: str, steps: int) -> None:
    """Put undone changes of SCRIPT back."""
    restored = session.app.scripts.redo(script, author=session.app.settings.author, steps=steps)
    _tell_step(session, restored, "Redid", "undo")


def _tell_step(session: Session, restored: "Restored", did: str, other: str) -> None:
    from script_editor.cli import render

    made = restored.version
    named = ", ".join(
        f"v{v.number} {render.one_line(render.why(v) or render.came_from(v), 40)}" for v in restored.undone
    )
    count = render.count(len(restored.undone), "change")
    session.result(
        _restored_data(restored),
        [f"{did} {count} of {made.script_id}: {named}. Now v{made.number} = text of v{restored.restored.number}, "
         "compared: identical."],
    )  # fmt: skip
    steps = f" -n {len(restored.undone)}" if len(restored.undone) > 1 else ""
    session.say(f"{other.capitalize()}: script-editor {other} {made.script_id}{steps}")


def _restored_data(restored: "Restored") -> dict[str, Any]:
    from script_editor.cli import render

    return {
        **render.version_data(restored.version),
        "changes": len(restored.changes),
        "identical": True,
        "undone": [f"v{version.number}" for version in restored.undone],
    }
