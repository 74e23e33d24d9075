"""Commands about versions and the script as a whole: undo, revert, show, history, compare.

They are no edits, so the grammar of edits does not know them; the offline model turns them into
tool calls. Words are a command only when they are all of the instruction.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from script_editor.offline import command_phrases as phrases
from script_editor.offline import numerals
from script_editor.offline.courtesy import (
    without_closing,
    without_final_mark,
    without_opening,
    without_particle,
)
from script_editor.offline.remarks import is_remark
from script_editor.offline.wording import Phrase, pattern


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back the newest change, or the newest `steps` changes."""

    steps: int = 1


@dataclass(frozen=True, slots=True)
class Redo:
    """Bring back what was undone."""


@dataclass(frozen=True, slots=True)
class Revert:
    """Make the text of a version the newest one."""

    version: int


@dataclass(frozen=True, slots=True)
class Show:
    """Show the script as it is, or as it was in `version`."""

    version: int | None = None


@dataclass(frozen=True, slots=True)
class History:
    """List the versions."""


@dataclass(frozen=True, slots=True)
class Compare:
    """Show what differs between two versions."""

    first: int
    second: int


Command = Undo | Redo | Revert | Show | History | Compare


def read_command(instruction: Phrase) -> Command | None:
    """Return the command that an instruction is, or None when it is something else."""
    whole = _command(instruction)
    if whole is not None:
        return whole
    commands = [_command(piece) for piece in _pieces(instruction) if not is_remark(piece)]
    return commands[0] if commands and len(set(commands)) == 1 else None


def holds_command(instruction: Phrase) -> bool:
    """Say whether some part of an instruction is a command, such as 删掉第3行，然后撤销."""
    return any(_command(piece) is not None for piece in _pieces(instruction))


def _pieces(instruction: Phrase) -> Iterator[Phrase]:
    start = 0
    for joint in pattern(phrases.JOINT).finditer(instruction.folded):
        if instruction.cut(start, joint.start()):
            yield instruction.cut(start, joint.start())
        start = joint.end()
    if instruction.cut(start):
        yield instruction.cut(start)


def _command(phrase: Phrase) -> Command | None:
    if len(phrase.text) > phrases.MAX_CHARS or phrase.quoted():
        return None
    for words in _variants(phrase):
        command = _compare(words) or _revert(words) or _undo(words) or _simple(words)
        if command is not None:
            return command
    return None


def _variants(phrase: Phrase) -> Iterator[str]:
    """Yield the words with and without what politeness adds, since 帮我看看 opens with a courtesy."""
    closed = without_final_mark(without_closing(without_final_mark(phrase)))
    opened = without_opening(closed)
    for variant in (closed, opened, without_particle(closed), without_particle(opened)):
        yield variant.folded


def _number(groups: dict[str, str | None], name: str) -> int:
    """Return the version number that a group of `phrases.version(name)` matched."""
    if groups.get(f"{name}_original"):
        return 1
    found = next(text for key, text in groups.items() if key.startswith(f"{name}_") and text)
    return numerals.value(found)


def _compare(words: str) -> Command | None:
    for source in phrases.COMPARE:
        match = pattern(source).fullmatch(words)
        if match:
            return Compare(_number(match.groupdict(), "a"), _number(match.groupdict(), "b"))
    for source in phrases.CHANGED_IN:
        match = pattern(source).fullmatch(words)
        if match and (number := _number(match.groupdict(), "a")) > 1:
            return Compare(number - 1, number)
    return None


def _revert(words: str) -> Command | None:
    match = pattern(phrases.REVERT).fullmatch(words)
    return Revert(_number(match.groupdict(), "a")) if match else None


def _undo(words: str) -> Command | None:
    match = pattern(phrases.UNDO).fullmatch(words)
    if match is None:
        return None
    counted = next((text for name, text in match.groupdict().items() if name.startswith("n") and text), None)
    if match["twice"]:
        return Undo(2)
    return Undo(numerals.value(counted) if counted else 1)


def _simple(words: str) -> Command | None:
    if pattern(phrases.REDO).fullmatch(words):
        return Redo()
    version = pattern(phrases.SHOW_VERSION).fullmatch(words)
    if version:
        return Show(_number(version.groupdict(), "a"))
    if pattern(phrases.SHOW).fullmatch(words):
        return Show()
    return History() if pattern(phrases.HISTORY).fullmatch(words) else None
