"""`show`, `history`, `diff`: reading versions."""

import sys
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.inputs import plain_number
from script_editor.cli.printable import printable
from script_editor.cli.session import Session, global_options, pass_session, write_bytes

if TYPE_CHECKING:
    from script_editor.app.comparing import Comparison, HistoryEntry
    from script_editor.domain.script import Version
    from script_editor.domain.segments import NumberedScript

PAGE = 20
"""How many versions a history shows at once."""


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
        locked = _locked_data(session, version) if lines else {}
        session.result({**_described(version)[0], "text": version.text, **locked})
    elif lines:
        session.result({}, numbered(session, version))
    else:
        _print_text(version.text)


def _described(version: "Version") -> tuple[dict[str, Any], list[str]]:
    from script_editor.cli import render

    data = render.version_data(version)
    spent = data["tokens"]["in"] is not None
    shown = {**data, "tokens": f"{data['tokens']['in']} + {data['tokens']['out']}" if spent else None}
    rows = [(f"{key}:", str(value)) for key, value in shown.items() if value not in (None, "")]
    return data, [printable(line) for line in render.table(rows)]


def numbered(session: Session, version: "Version", first: int = 1, last: int | None = None) -> list[str]:
    """Return the numbered lines, all of them or those from `first` to `last`.

    Locked ones are marked, and those that hold locked words with the words.
    """
    from script_editor.cli import render

    script = _script(version)
    shown = script.segments[first - 1 : last]
    rows = render.numbered_lines((segment.number, segment.content) for segment in shown)
    whole, words = _locked(session, script)
    return [f"{row}{_lock_mark(number, whole, words)}" for number, row in enumerate(rows, first)]


def _lock_mark(number: int, whole: Collection[int], words: Mapping[int, Sequence[str]]) -> str:
    if number in whole:
        return "  [locked]"
    return f"  [locked: {', '.join(map(printable, words[number]))}]" if number in words else ""


def _locked_data(session: Session, version: "Version") -> dict[str, Any]:
    whole, words = _locked(session, _script(version))
    return {
        "locked_lines": sorted(whole),
        "locked_words": [{"line": number, "words": list(held)} for number, held in words.items()],
    }


def _script(version: "Version") -> "NumberedScript":
    from script_editor.domain.segments import NumberedScript

    return NumberedScript(version.script_id, version.number, version.text)


def _locked(session: Session, script: "NumberedScript") -> tuple[frozenset[int], dict[int, tuple[str, ...]]]:
    """Return which lines the locks of now hold as wholes, and which hold locked words, by number."""
    from script_editor.domain.locks import marked
    from script_editor.domain.locks.phrases import count_phrase

    locks = session.app.locks.locks(script.script_id)
    phrases = [lock.text for lock in locks if lock.kind == "phrase"]
    words = {
        segment.number: held
        for segment in script.segments
        if (held := tuple(phrase for phrase in phrases if count_phrase(segment.content, phrase)))
    }
    return marked(script, locks), words


def _print_text(text: str) -> None:
    """Write a text exactly; on a terminal, readably: with a line end, and nothing that steers it."""
    if sys.stdout.isatty():
        click.echo(printable(text.replace("\r\n", "\n"), keep="\n\t").removesuffix("\n"))
    else:
        write_bytes(text.encode("utf-8"))


@click.command(epilog="Example: script-editor history video_003")
@click.argument("script")
@click.option("-n", "limit", type=click.IntRange(1), default=PAGE, show_default=True, help="At most so many.")
@click.option("--before", metavar="vN", help="Only versions below this one.")
@click.option("--refused", is_flag=True, help="List the replies of the model that were not used, and why.")
@global_options
@pass_session
def history(session: Session, script: str, limit: int, before: str | None, refused: bool) -> None:
    """List the versions of SCRIPT, newest first."""
    from script_editor.cli import render

    if refused:
        if before:
            raise click.UsageError("--before names a version; with --refused only -n counts.")
        _refused(session, script, limit)
        return
    below = plain_number(before, script) if before else None
    service = session.app.scripts
    entries = service.history(script, limit=limit, before=below)
    versions = [
        {
            **render.version_data(entry.version),
            "changes": entry.change_count,
            "seconds": round(entry.seconds, 1),
        }
        for entry in entries
    ]
    newest = entries[0].version.number if entries and below is None else service.info(script).head_number
    session.result({"versions": versions}, history_lines(session, entries, newest))
    session.say_lines(older_hint(script, entries))


def history_lines(session: Session, entries: "Sequence[HistoryEntry]", newest: int) -> list[str]:
    """Return versions as lines; the one with the number `newest` is marked."""
    from script_editor.cli import render

    return render.table([_history_row(entry, newest) for entry in entries], session.columns)


def older_hint(script: str, entries: "Sequence[HistoryEntry]") -> list[str]:
    """Return how to see the versions before these, nothing when there are none."""
    if not entries or entries[-1].version.number == 1:
        return []
    return [f"Older ones: script-editor history {script} --before v{entries[-1].version.number}"]


def _refused(session: Session, script: str, limit: int) -> None:
    from script_editor.cli import render

    found = session.app.scripts.refusals(script, limit=limit)
    rows = [
        (render.moment(reply.created_at), f"on v{reply.base_number}", reply.reason.replace("_", " "), reply.model or "",
         render.one_line(reply.message, 200))
        for reply in found
    ]  # fmt: skip
    data = [
        {
            "created_at": reply.created_at.isoformat(),
            "base": f"v{reply.base_number}",
            "reason": reply.reason,
            "message": reply.message,
            "lines": list(reply.segments),
            "instruction": reply.instruction,
            "model": reply.model,
            "run": reply.run_id,
            "reply": reply.reply,
        }
        for reply in found
    ]
    session.result({"refused": data}, render.table(rows, session.columns))
    if found:
        session.say(f"The replies themselves: script-editor history {script} --refused --json")
    else:
        session.say(f"No reply about {script} was refused.")


def _history_row(entry: "HistoryEntry", newest: int) -> tuple[str, ...]:
    from script_editor.cli import render

    version = entry.version
    changed = "—" if entry.change_count is None else render.count(entry.change_count, "change")
    mark = "●" if version.number == newest else " "
    return (
        f" {mark} v{version.number}", render.when(version), render.came_from(version),
        render.clock(entry.seconds), changed,
        render.one_line(render.why(version), 200),
    )  # fmt: skip


@click.command(
    epilog="""Examples:

    \b
      script-editor diff video_003
      script-editor diff video_003 v1 v4"""
)
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
    """Show what changed between two versions.

    The newest version against its parent, A against the newest, or A against B.
    """
    from script_editor.cli import render
    from script_editor.domain.duration import estimate

    compared = _compared(session, script, a, b)
    before, after = compared.before, compared.after
    data = {
        "script": after.script_id,
        "from": f"v{before.number}",
        "to": f"v{after.number}",
        "changes": [render.change_data(change) for change in compared.changes],
        "seconds": {
            "before": round(estimate(before.text).seconds, 1),
            "after": round(estimate(after.text).seconds, 1),
        },
    }
    if unified and not session.json:
        _print_text(_unified(before, after))
    else:
        session.result(data, diff_lines(session, compared, stat=stat))
    session.say_lines(identical_hint(compared))
    return 1 if exit_code and compared.changes else 0


def diff_lines(session: Session, compared: "Comparison", *, stat: bool = False) -> list[str]:
    """Return a comparison as lines: its head with the numbers and, unless `stat`, each change."""
    from script_editor.cli import render

    head = render.comparison_lines(compared.before, compared.after, compared.changes, session.columns)
    return head if stat else [*head, *render.change_lines(compared.changes)]


def identical_hint(compared: "Comparison") -> list[str]:
    """Return that two versions are identical, nothing when they are not."""
    ends = f"v{compared.before.number} and v{compared.after.number}"
    return [] if compared.changes else [f"{ends} are identical."]


def _compared(session: Session, script: str, a: str | None, b: str | None) -> "Comparison":
    from script_editor.domain.references import Reference, Selector, parse_reference, parse_version

    service = session.app.scripts
    reference = parse_reference(script)
    named = [parse_version(raw, reference.script_id) for raw in (a, b) if raw is not None]
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
