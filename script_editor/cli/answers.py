"""What a reading tool told, drawn as the commands draw it: the tool's own compact rows are for models.

Only an answer that quotes a tool word for word is drawn anew. What a model says in its own words stays its words.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from script_editor.cli.printable import printable
from script_editor.cli.session import Session
from script_editor.errors import ScriptEditorError

if TYPE_CHECKING:
    from script_editor.app.ask import AskReport
    from script_editor.app.edit import EditReport

_Arguments = Mapping[str, Any]  # validated JSON values


@dataclass(frozen=True, slots=True)
class Drawn:
    """An answer as lines for stdout, and what else to say about it on stderr."""

    lines: list[str]
    hints: list[str]


def drawn_answer(session: Session, report: "AskReport | EditReport") -> Drawn:
    """Return the answer of a run: what it quotes as the commands show it, else its words, safe for a terminal."""
    told = _quoted(session, report) if report.is_quotation else None
    return told or Drawn(printable(report.answer, keep="\n\t").split("\n"), [])


def _quoted(session: Session, report: "AskReport | EditReport") -> Drawn | None:
    """Return what the quoted tool found; None where no command shows such a thing."""
    answer = report.answer.strip()
    for step in reversed(report.steps):
        # A step that repeats another one has a note for the model under its observation.
        if step.ok and step.observation.strip().startswith(answer) and step.action.tool in _COMMANDS:
            try:
                return _COMMANDS[step.action.tool](session, step.action.arguments)
            except ScriptEditorError:  # gone meanwhile; what the tool told is still true of then
                return None
    return None


def _script(session: Session, told: _Arguments) -> Drawn:
    from script_editor.cli.history import numbered
    from script_editor.domain.references import Reference, Selector

    version = session.app.scripts.read(Reference(told["script_id"], Selector(number=told.get("version"))))
    first, last = told.get("from_segment") or 1, told.get("to_segment")
    return Drawn(numbered(session, version, first, last), [])


def _history(session: Session, told: _Arguments) -> Drawn:
    from script_editor.cli.history import PAGE, history_lines, older_hint

    service, script_id = session.app.scripts, told["script_id"]
    entries = service.history(script_id, limit=PAGE, before=told.get("before"))
    newest = service.info(script_id).head_number
    return Drawn(history_lines(session, entries, newest), older_hint(script_id, entries))


def _diff(session: Session, told: _Arguments) -> Drawn:
    from script_editor.cli.history import diff_lines, identical_hint
    from script_editor.domain.references import Reference, Selector

    ends = (told["from_version"], told["to_version"])
    compared = session.app.scripts.compare(
        *(Reference(told["script_id"], Selector(number=number)) for number in ends)
    )
    return Drawn(diff_lines(session, compared), identical_hint(compared))


def _scripts(session: Session, told: _Arguments) -> Drawn:
    from script_editor.cli.shelf import none_found_hint, script_lines

    query, after = (told.get("query") or "").strip(), told.get("after")
    if query:
        return _found(session, query, after or "")
    found = session.app.scripts.list(after=after)
    return Drawn(script_lines(session, found), none_found_hint(session, found, query))


def _found(session: Session, query: str, after: str) -> Drawn:
    """Draw a search: it looks into the texts as well, so each script has the line that was found under it."""
    from script_editor.app.finding import find_scripts
    from script_editor.cli.render import numbered_lines
    from script_editor.cli.shelf import none_found_hint, script_lines

    hits = [hit for hit in find_scripts(session.app.scripts, query).hits if hit.info.id > after]
    infos = [hit.info for hit in hits]
    lines = []
    for row, hit in zip(script_lines(session, infos), hits, strict=True):
        lines.append(row)
        lines.extend(numbered_lines([(hit.line.number, hit.line.content)] if hit.line else []))
    return Drawn(lines, none_found_hint(session, infos, query))


_COMMANDS: Mapping[str, Callable[[Session, _Arguments], Drawn]] = {
    "get_script": _script,
    "history": _history,
    "diff": _diff,
    "list_scripts": _scripts,
}
