"""`lock` and `unlock`: what of a script no edit may change. For people only; no tool of the agent does this."""

import shlex
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

import click

from script_editor.cli.questions import confirm
from script_editor.cli.session import Session, global_options, pass_session
from script_editor.domain.script import canonical_id
from script_editor.errors import BadInput, Declined, ScriptEditorError

if TYPE_CHECKING:
    from script_editor.domain.locks import Lock
    from script_editor.domain.segments import NumberedScript

_MOST_IDS = 3
"""How many new locks a hint names by their ids."""

Wish = tuple[str, dict[str, Any]]
"""What a person names, in words, and as arguments of the service."""


def _what(command: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.option("--lines", metavar="1-2", help="Whole lines, by their numbers."),
        click.option("--section", metavar="HEADING", help="All lines under a heading."),
        click.option("--phrase", metavar="WORDS", multiple=True, help="Words inside a line, such as a brand or a price."),
        click.option("--speaker", metavar="NAME", multiple=True, help="All lines of a speaker."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.command(
    epilog="""Examples:

    \b
      script-editor lock video_002 --phrase 轻盾
      script-editor lock video_003 --section CTA --note "approved by the client\""""
)
@click.argument("script")
@_what
@click.option("--note", metavar="TEXT", default="", help="Why; shown in the list of locks.")
@global_options
@pass_session
def lock(session: Session, /, script: str, note: str, **what: Any) -> int:
    """Lock lines, words or a speaker: every edit keeps them.

    The text is locked, not its place; show --lines marks locked lines. Without options: list the locks.
    """
    service, author = session.app.locks, session.app.settings.author
    script = canonical_id(script)
    asked = _asked(session, script, **what)
    if note and not asked:
        raise click.UsageError(
            "--note says why; say what is locked as well: --lines, --section, --phrase, --speaker."
        )
    if not asked:
        _list(session, script)
        return 0
    known = {held.id for held in service.locks(script)}
    made, failure = _each(asked, lambda wish: service.lock(script, **wish, author=author, note=note))
    lines = [f"{'Locked already' if lock.id in known else 'Locked'}: {_told(lock)}" for lock in made]
    code = _report(session, {"script": script, "locks": [_data(lock) for lock in made]}, lines, failure)
    if failure is None:
        session.say(f"All locks: script-editor lock {script}     Release: {_release(script, made, what)}")
    return code


@click.command(
    epilog="""Examples:

    \b
      script-editor unlock video_002 --phrase 轻盾
      script-editor unlock video_002 --all --yes"""
)
@click.argument("script")
@_what
@click.option("--id", "lock_ids", metavar="LOCK", multiple=True, help="The lock with this id.")
@click.option("--all", "every", is_flag=True, help="All locks of the script.")
@click.option("--yes", "-y", is_flag=True, help="Do not ask.")
@global_options
@pass_session
def unlock(
    session: Session, /, script: str, lock_ids: tuple[str, ...], every: bool, yes: bool, **what: Any
) -> int:
    """Release locks of SCRIPT, after a question.

    The text does not change.
    """
    if not (every or lock_ids or any(what.values())):
        raise click.UsageError("Say which: --lines, --section, --phrase, --speaker, --id or --all.")
    if every and (lock_ids or any(what.values())):
        raise click.UsageError("--all releases every lock: give it alone, or name some of them.")
    script = canonical_id(script)
    service, author = session.app.locks, session.app.settings.author
    asked = _held(session, script, lock_ids, every=every)
    if not every:  # all of them are named already
        asked += _asked(session, script, **what)
    if not asked:
        session.result({"script": script, "released": []})
        session.say(f"{script} has no locks, so there is nothing to release.")
        return 0
    if not yes:
        _confirm(session, script, [name for name, _ in asked])
    released, failure = _each(asked, lambda wish: service.unlock(script, **wish, author=author))
    data = {"script": script, "released": [_data(lock) for lock in released]}
    return _report(session, data, [f"Released: {_told(lock)}" for lock in released], failure)


def _asked(
    session: Session,
    script: str,
    lines: str | None,
    section: str | None,
    phrase: Sequence[str],
    speaker: Sequence[str],
) -> list[Wish]:
    """Return what the options name."""
    asked: list[Wish] = []
    for name, place in (("line", lines), ("section", section)):
        if place is not None:
            numbers = _numbers(session, script, name, place)
            asked.append((f"{name} {place}", {"kind": "segment", "numbers": numbers}))
    asked += [(f"“{words}”", {"kind": "phrase", "text": words}) for words in phrase]
    asked += [(f"speaker {name}", {"kind": "speaker", "text": name}) for name in speaker]
    return asked


def _held(session: Session, script: str, ids: Sequence[str], *, every: bool) -> list[Wish]:
    """Return locks by their ids, or all, each with what it locks; an unknown id is left for the service to refuse."""
    from script_editor.cli import render

    held = {str(lock.id): render.lock_name(lock) for lock in session.app.locks.locks(script)}
    wanted = held if every else dict.fromkeys(id.strip().lower() for id in ids)
    return [(held.get(id, id), {"lock_id": id}) for id in wanted]


def _numbers(session: Session, script: str, name: str, place: str) -> tuple[int, ...]:
    """Return the lines of a place. Raises BadInput also when --lines has no numbers, or --section nothing but them."""
    from script_editor.domain.places import parse_place
    from script_editor.domain.places.outline import Outline, title_key

    head = _head(session, script)
    if name == "line" and not _is_numbers(place):
        raise BadInput(
            f"--lines takes numbers, such as 1-2; {place!r} is none.",
            hint="A heading is named with --section, a speaker with --speaker, words with --phrase.",
        )
    titles = {section.key for section in Outline(head).sections}
    if name == "section" and _is_numbers(place) and title_key(place) not in titles:
        raise BadInput(
            f"--section takes a heading, and {head.script_id} has none named {place!r}.",
            hint=f"Lines are named with --lines {place}",
        )
    return parse_place(place, head)


def _is_numbers(place: str) -> bool:
    """Say whether a place is named by the numbers of lines alone, in whatever words: "1,3-5", "第3-5行", "last 2"."""
    from script_editor.domain.matching import fold
    from script_editor.domain.places.line_numbers import read_list

    named = read_list(fold(place)[0].strip().casefold())
    return bool(named) and all(ordinal.unit != "section" for ordinal in named or ())


def _release(script: str, made: "Sequence[Lock]", what: dict[str, Any]) -> str:
    """Return the command that releases what was just locked."""
    named = [(option, value) for option, value in what.items() if value]
    ids = " ".join(f"--id {lock.id}" for lock in made)
    if len(made) > _MOST_IDS and len(named) == 1 and isinstance(named[0][1], str):
        ids = f"--{named[0][0]} {shlex.quote(named[0][1])}"
    return f"script-editor unlock {script} {ids}"


def _head(session: Session, script: str) -> "NumberedScript":
    from script_editor.domain.segments import NumberedScript

    head = session.app.scripts.read(script)
    return NumberedScript(head.script_id, head.number, head.text)


def _confirm(session: Session, script: str, names: Sequence[str]) -> None:
    if not session.interactive:
        raise click.UsageError("Nobody can be asked here: give --yes to release a lock.")
    for name in names:
        click.echo(f"  {name}", err=True)
    which = "this" if len(names) == 1 else "these"
    if not confirm(f"Release {which} of {script}?", default=False):
        raise Declined("Nothing was released.")


def _each(
    asked: Sequence[Wish], act: "Callable[[dict[str, Any]], Sequence[Lock]]"
) -> "tuple[list[Lock], ScriptEditorError | None]":
    """Return what was done for the wishes in turn, and what stopped a later one; the first may raise."""
    done: list[Lock] = []
    for _, wish in asked:
        try:
            done += (lock for lock in act(wish) if lock.id not in {other.id for other in done})
        except ScriptEditorError as failure:
            if not done:
                raise
            return done, failure
    return done, None


def _report(
    session: Session, data: dict[str, Any], lines: Sequence[str], failure: ScriptEditorError | None
) -> int:
    """Print what was done, and what failed after it; return the exit code."""
    if failure is None:
        session.result(data, lines)
        return 0
    if not session.json:
        session.result(data, lines)
    session.failure(failure, data)
    return failure.exit_code


def _list(session: Session, script: str) -> None:
    from script_editor.cli import render
    from script_editor.domain.locks import missing

    held = session.app.locks.locks(script)
    head = _head(session, script)
    lacking = missing(head.text, held)
    rows = [
        (str(lock.id), render.lock_kind(lock), _where(lock, head, lacking), render.one_line(lock.note, 24),
         render.one_line(lock.text, 200))
        for lock in held
    ]  # fmt: skip
    data = [{**_data(lock), "missing": lock in lacking} for lock in held]
    session.result({"script": script, "locks": data}, render.table(rows, session.columns))
    if not held:
        session.say(f"{script} has no locks. Make one: script-editor lock {script} --lines 1-2")


def _where(lock: "Lock", head: "NumberedScript", lacking: "Collection[Lock]") -> str:
    """Return where a lock holds: its lines, or how often words stand there."""
    from script_editor.domain.locks import marked

    if lock in lacking:
        return f"not in v{head.version}"
    if lock.kind == "phrase":
        return f"{lock.occurrences}×"
    numbers = sorted(marked(head, [lock]))
    return ", ".join(map(str, numbers[:6])) + (" …" if len(numbers) > 6 else "")


def _told(lock: "Lock") -> str:
    from script_editor.cli import render

    times = f" {lock.occurrences}×" if lock.occurrences > 1 else ""
    return f"{render.lock_name(lock)}{times} ({lock.id})"


def _data(lock: "Lock") -> dict[str, Any]:
    from script_editor.cli import render

    return render.lock_data(lock)
