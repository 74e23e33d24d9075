"""Carrying out a command about versions, or a question, for one script: which tool comes next, and what is answered."""

import re
from collections.abc import Mapping
from typing import assert_never

from script_editor.offline import answers
from script_editor.offline.answers import sentence
from script_editor.offline.commands import (
    NEWEST,
    Command,
    Compare,
    History,
    LastChange,
    Length,
    ListScripts,
    Redo,
    Revert,
    Show,
    ShowLines,
    Talk,
    Undo,
)
from script_editor.offline.conversation import Step, Turn
from script_editor.offline.decisions import Answer, Call, Decision, by_command
from script_editor.offline.versions import NotTold, Versions, next_page, read_versions
from script_editor.offline.wording import Language

_COUNT = re.compile(r"\| (\d+) lines")
_ROW = re.compile(r"^S\d+:\w+ \| (.*)$", re.MULTILINE)
_MORE = re.compile(r"^more: get_script\(.*from_segment=(\d+)\)", re.MULTILINE)
_SPOKEN = re.compile(r"^(?:整篇口播|all of it:).*$", re.MULTILINE)
_WORD = re.compile(r"[\u3400-\u9fff]|[A-Za-zÀ-ɏ0-9]+(?:[.'’,:%-][A-Za-zÀ-ɏ0-9]+)*")
_UNDO_LINE = re.compile(r"^undo: (?:v(\d+)|none)\s*$", re.MULTILINE)
_MOST_PAGES = 5
"""So many pages of a script or a history are read for one answer."""


def follow(command: Command, turn: Turn, script_id: str, language: Language) -> Decision:
    """Return what to do next for a command about one script.

    Raises:
        BeyondOffline: no tool can do it here; the hint names the command of the program that can.
    """
    match command:
        case Undo(steps=steps):
            return _undo(steps, turn, script_id, language)
        case Redo():
            return _redo(turn, script_id, language)
        case Revert(version=version):
            return _revert(version, turn, script_id, language)
        case Show(version=version):
            wanted = {} if version is None else {"version": version}
            return _look("get_script", wanted, turn, script_id, language)
        case ShowLines(first=first, last=last):
            return _show_lines(first, last, turn, script_id, language)
        case Length():
            return _length(turn, script_id, language)
        case History():
            return _look("history", {}, turn, script_id, language)
        case LastChange():
            return _last_change(turn, script_id, language)
        case Compare(first=first, second=second):
            return _compare(first, second, turn, script_id, language)
        case ListScripts() | Talk():
            return of_the_store(command, turn, language)
        case _:
            assert_never(command)


def of_the_store(command: ListScripts | Talk, turn: Turn, language: Language) -> Decision:
    """Return what to do next for words that are about no single script."""
    if isinstance(command, Talk):
        return Answer(sentence(command.kind, language))
    if turn.steps and turn.steps[-1].tool == "list_scripts":
        return Answer(turn.steps[-1].observation)
    if "list_scripts" not in turn.tools:
        return Answer(sentence("no_tool", language), "failed")
    return Call("list_scripts", {"query": command.query} if command.query else {})


# --- looking -------------------------------------------------------------------------------------


def _look(
    tool: str, arguments: Mapping[str, int], turn: Turn, script_id: str, language: Language
) -> Decision:
    """Call a reading tool; what it answers is the answer."""
    if turn.steps and turn.steps[-1].tool == tool:
        return Answer(turn.steps[-1].observation)
    if tool not in turn.tools:
        return Answer(sentence("no_tool", language), "failed")
    return Call(tool, {"script_id": script_id, **arguments})


def _show_lines(first: int, last: int, turn: Turn, script_id: str, language: Language) -> Decision:
    """Show some lines; how many there are has to be known first when they are counted from the end."""
    told = _answers_of("get_script", turn)
    if min(first, last) > 0:
        low, high = sorted((first, last))
        return _look("get_script", {"from_segment": low, "to_segment": high}, turn, script_id, language)
    count = _COUNT.search(told[0]) if told else None
    if count is None:
        return _look("get_script", {}, turn, script_id, language)
    if len(told) > 1:
        return Answer(told[-1])
    low, high = sorted(max(n if n > 0 else int(count[1]) + 1 + n, 1) for n in (first, last))
    return Call("get_script", {"script_id": script_id, "from_segment": low, "to_segment": high})


def _length(turn: Turn, script_id: str, language: Language) -> Decision:
    """Read all of a script, page by page, and say how long it is."""
    told = _answers_of("get_script", turn)
    if not told:
        return _look("get_script", {}, turn, script_id, language)
    more = _MORE.search(told[-1])
    if more and len(told) < _MOST_PAGES:
        return Call("get_script", {"script_id": script_id, "from_segment": int(more[1])})
    spoken, count = _SPOKEN.search(told[0]), _COUNT.search(told[0])
    if more or spoken is None or count is None:
        return Answer(spoken[0] if spoken else told[0])
    words = [word for text in told for row in _ROW.findall(text) for word in _WORD.findall(row)]
    has_han = any("\u3400" <= word[0] <= "\u9fff" for word in words)
    return Answer(
        answers.measured(script_id, int(count[1]), len(words), spoken[0], language, has_han=has_han)
    )


def _compare(first: int, second: int, turn: Turn, script_id: str, language: Language) -> Decision:
    if NEWEST not in (first, second):
        return _look("diff", {"from_version": first, "to_version": second}, turn, script_id, language)
    told = _answers_of("history", turn)
    if not told:
        return _look("history", {}, turn, script_id, language)
    head = max(read_versions(told).numbers, default=1)
    wanted = {"from_version": first or head, "to_version": second or head}
    return _look("diff", wanted, turn, script_id, language)


def _last_change(turn: Turn, script_id: str, language: Language) -> Decision:
    if turn.steps and turn.steps[-1].tool == "diff":
        return Answer(turn.steps[-1].observation)
    told = _answers_of("history", turn)
    if not told:
        return _look("history", {}, turn, script_id, language)
    head = max(read_versions(told).numbers, default=1)
    if head < 2 or "diff" not in turn.tools:
        return Answer(told[-1])
    return Call("diff", {"script_id": script_id, "from_version": head - 1, "to_version": head})


def _answers_of(tool: str, turn: Turn) -> list[str]:
    return [step.observation for step in turn.steps if step.tool == tool]


# --- going back and forth ------------------------------------------------------------------------


def _revert(version: int, turn: Turn, script_id: str, language: Language) -> Decision:
    if turn.steps and turn.steps[-1].tool == "revert":
        return Answer(answers.restored(version, language), "done")
    if "revert" not in turn.tools:
        raise by_command("read_only", f"revert {script_id} v{version}", language)
    return Call("revert", {"script_id": script_id, "version": version})


def _undo(steps: int, turn: Turn, script_id: str, language: Language) -> Decision:
    """Ask the history where undo goes to, then go there, with one new version however many changes are taken back."""
    command = f"undo {script_id}" if steps == 1 else f"undo {script_id} -n {steps}"
    if not {"revert", "history"} <= turn.tools:
        raise by_command("read_only", command, language)
    if turn.steps and turn.steps[-1].tool == "revert":
        return Answer(answers.undone(steps, language), "done")
    history = _history(turn, script_id)
    if isinstance(history, Call):
        return history
    back = _UNDO_LINE.search(_answers_of("history", turn)[0])
    if back is None or back[1] is None:
        return Answer(sentence("no_undo", language), "done")
    if steps == 1:
        return Call("revert", {"script_id": script_id, "version": int(back[1])})
    try:
        target = history.undone(steps)
    except NotTold:
        return _further_back(turn, script_id) or _refuse(command, language)
    if target == 0:
        return Answer(answers.too_few_to_undo(steps, language), "done")
    return Call("revert", {"script_id": script_id, "version": target})


def _redo(turn: Turn, script_id: str, language: Language) -> Decision:
    if not {"revert", "history"} <= turn.tools:
        raise by_command("read_only", f"redo {script_id}", language)
    if turn.steps and turn.steps[-1].tool == "revert":
        return Answer(sentence("redone", language), "done")
    history = _history(turn, script_id)
    if isinstance(history, Call):
        return history
    try:
        target = history.redone()
    except NotTold:
        return _further_back(turn, script_id) or _refuse(f"redo {script_id}", language)
    if target == 0:
        return Answer(sentence("no_redo", language), "done")
    return Call("revert", {"script_id": script_id, "version": target})


def _refuse(command: str, language: Language) -> Decision:
    raise by_command("no_tool", command, language)


def _history(turn: Turn, script_id: str) -> Versions | Call:
    """Return what the history told so far, or the call that asks for it."""
    told = _answers_of("history", turn)
    return read_versions(told) if told else Call("history", {"script_id": script_id})


def _further_back(turn: Turn, script_id: str) -> Call | None:
    """Return the call for the next page of the history, None when there is none or enough was read."""
    told = _answers_of("history", turn)
    before = next_page(told[-1])
    if before is None or len(told) >= _MOST_PAGES:
        return None
    return Call("history", {"script_id": script_id, "before": before})


def steps_about(steps: tuple[Step, ...], script_id: str) -> tuple[Step, ...]:
    """Return the steps whose call named a script."""
    return tuple(step for step in steps if re.search(rf'"{re.escape(script_id)}"', step.arguments))
