"""Commands of the program, given inside a chat: `/undo 2` runs `undo` on the chat's script."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from importlib import import_module
from typing import Any

import click

from script_editor.cli.chat_place import Place, Run, Told
from script_editor.cli.session import Session
from script_editor.errors import BadReference, BadScriptId, NotFound

_FACT_CHARS = 300
_VERSION = re.compile(r"@?v?[0-9]+", re.IGNORECASE)
_LINES = re.compile(r"[0-9]+(?:\s*[-–~至到]\s*[0-9]+)?")


@dataclass
class _Heard(Session):
    """A session of one command inside the chat: same application, own options, and what it printed is heard."""

    lines: list[str] = field(default_factory=list)
    data: Mapping[str, Any] = field(default_factory=dict)

    def result(self, data: Mapping[str, Any], lines: Sequence[str] = ()) -> None:
        """See Session.result."""
        self.lines.extend(lines)
        self.data = data
        super().result(data, lines)


def _invoke(place: Place, name: str, arguments: Sequence[str]) -> _Heard:
    """Run a command of the program with the chat's application. `--help` prints its help."""
    from script_editor.cli.main import COMMANDS  # late: it is what loads this module

    module, _, attribute = COMMANDS[name].partition(":")
    command: click.Command = getattr(import_module(f"script_editor.cli.{module}"), attribute)
    session = place.session
    heard = _Heard(**{each.name: getattr(session, each.name) for each in fields(Session)})
    heard.warnings, heard.language = [], "en"  # what was said before is another request
    heard.__dict__["app"] = session.app  # built once for the whole chat
    context = click.get_current_context(silent=True)
    color = context.color if context else None
    try:
        with command.make_context(f"/{name}", list(arguments), obj=heard, color=color) as own:
            code = command.invoke(own)
    except click.exceptions.Exit as ended:  # --help
        code = ended.exit_code
    finally:
        session.language = heard.language  # what it raises is told in the language that it speaks
    if isinstance(code, int) and code:
        raise click.exceptions.Exit(code)  # the command has said why
    return heard


def _subject(place: Place, words: list[str]) -> tuple[str, list[str]]:
    """Return the script that a command is about, named first or the chat's own, and the other words."""
    if words and not words[0].startswith("-") and (named := _existing(place, words[0])):
        return named, words[1:]
    if place.chat.chat.script_id is None:
        raise click.UsageError("The chat is about no script yet. Choose one: /script ID")
    return place.chat.chat.script_id, words


def _existing(place: Place, word: str) -> str | None:
    id, at, version = word.partition("@")
    try:
        found = place.session.app.scripts.info(id).id
    except (NotFound, BadScriptId, BadReference):
        return None
    return f"{found}{at}{version}"


def show(place: Place, words: list[str]) -> Told:
    script, rest = _subject(place, words)
    numbers = next((word for word in rest if _LINES.fullmatch(word) and not _VERSION.fullmatch(word)), None)
    alone = [word for word in rest if word.isdigit()]
    if numbers or alone:
        return _show_lines(place, script, numbers or alone[0])
    if rest and _VERSION.fullmatch(rest[0]):
        script, rest = f"{script}@{rest[0].removeprefix('@')}", rest[1:]
    options = ["--lines" if word == "lines" else word for word in rest]
    _invoke(place, "show", [script, *options])
    return _looked(f"at {script}")


def _show_lines(place: Place, script: str, named: str) -> Told:
    from script_editor.cli.history import numbered

    first, last = ([int(number) for number in re.findall(r"[0-9]+", named)] * 2)[:2]
    version = place.session.app.scripts.read(script)
    lines = numbered(place.session, version, max(first, 1), last)
    place.session.result(
        {"script": version.script_id, "version": f"v{version.number}", "lines": lines}, lines
    )
    if not lines:
        raise click.UsageError(f"{version.reference} has no line {named}.")
    return _looked(f"at line {named} of {version.reference}")


def diff(place: Place, words: list[str]) -> Told:
    script, rest = _subject(place, words)
    _invoke(place, "diff", [script, *rest])
    return _looked(f"at what changed in {script} {' '.join(rest)}".rstrip())


def history(place: Place, words: list[str]) -> Told:
    script, rest = _subject(place, words)
    options = ["-n", *rest] if rest and rest[0].isdigit() else rest
    _invoke(place, "history", [script, *options])
    return _looked(f"at the versions of {script}")


def listing(name: str) -> Run:
    def run(place: Place, words: list[str]) -> Told:
        _invoke(place, name, words)
        return Told()

    return run


def stepping(name: str) -> Run:
    """Return what runs undo or redo; a bare number says how many changes."""

    def run(place: Place, words: list[str]) -> Told:
        script, rest = _subject(place, words)
        steps = ["-n", *rest] if rest and rest[0].isdigit() else rest
        return _did(_invoke(place, name, [script, *steps]))

    return run


def on_script(name: str) -> Run:
    def run(place: Place, words: list[str]) -> Told:
        script, rest = _subject(place, words)
        return _did(_invoke(place, name, [script, *rest]))

    return run


def lock(name: str) -> Run:
    """Return what runs lock or unlock. The model is told the ids: what is locked is text of a script."""

    def run(place: Place, words: list[str]) -> Told:
        script, rest = _subject(place, words)
        data = _invoke(place, name, [script, *rest]).data
        if not rest:
            return _looked(f"at the locks of {script}")
        ids = [str(each["id"]) for each in data.get("locks", data.get("released", ()))]
        did = "Locked" if name == "lock" else "Released locks"
        return Told(facts=(f"{did} in {script}: {', '.join(ids)}.",) if ids else ())

    return run


def on_proposal(name: str) -> Run:
    """Return what decides about a proposal: the one that is named, else the newest open one of the chat or of its script."""

    def run(place: Place, words: list[str]) -> Told:
        if any(word.startswith("p-") or word in ("--stale", "--help", "-h") for word in words):
            return _did(_invoke(place, name, words))
        newest = place.chat.newest_proposal()
        if newest is None:  # the newest of the whole store is somebody else's matter
            raise click.UsageError(_none_open(place, name))
        return _did(_invoke(place, name, [newest, *words]))

    return run


def _none_open(place: Place, name: str) -> str:
    script = place.chat.chat.script_id
    whose = f"of {script} is open, and this chat made none" if script else "was made in this chat"
    return f"No proposal {whose}. Name one: /{name} p-…; all open ones: /proposals"


def _looked(at: str) -> Told:
    return Told(facts=(f"The person looked {at}.",))


def _did(heard: _Heard) -> Told:
    """Return the last line of a result as what was done: it is the program's sentence, and holds no script text."""
    said = next((line for line in reversed(heard.lines) if line.strip()), "")
    line = " ".join(click.unstyle(said).split())[:_FACT_CHARS]
    return Told(facts=(line,) if line else ())
