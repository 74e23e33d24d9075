"""Commands about versions and the script as a whole: undo, revert, show, history, compare.

They are no edits, so the grammar of edits does not know them; the offline model turns them into
tool calls. Words are a command only when they are all of the instruction.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from script_editor.offline import command_phrases as phrases
from script_editor.offline import numerals
from script_editor.offline import question_phrases as questions
from script_editor.offline.courtesy import (
    without_closing,
    without_final_mark,
    without_opening,
    without_particle,
)
from script_editor.offline.line_phrases import whole_lines
from script_editor.offline.lines import Run
from script_editor.offline.quotes import TOKENS
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
    """Show what differs between two versions; NEWEST stands for the newest one."""

    first: int
    second: int


NEWEST = 0


@dataclass(frozen=True, slots=True)
class ShowLines:
    """Show the lines from `first` to `last`; below zero they count from the end, -1 being the last line."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Length:
    """Tell how many words a script has, and how long it takes to say."""


@dataclass(frozen=True, slots=True)
class LastChange:
    """Show what the newest version changed."""


@dataclass(frozen=True, slots=True)
class ListScripts:
    """List the scripts, all of them or those that hold `query`."""

    query: str = ""


@dataclass(frozen=True, slots=True)
class Talk:
    """Words that want nothing done: thanks, a greeting, or what can be done here."""

    kind: Literal["thanks", "good", "help"]


Command = (
    Undo | Redo | Revert | Show | History | Compare | ShowLines | Length | LastChange | ListScripts | Talk
)
_MOST_PIECES = 100
OF_THE_STORE = (ListScripts, Talk)
"""The commands that are about no single script."""
READING = (Show, History, Compare, ShowLines, Length, LastChange)
"""The commands about a script that change nothing."""


def read_command(instruction: Phrase) -> Command | None:
    """Return the command that an instruction is, or None when it is something else."""
    whole = _command(instruction)
    if whole is not None:
        return whole
    if instruction.is_long:
        return None
    said = [piece for piece in _pieces(instruction) if not is_remark(piece) and not _is_aside(piece)]
    found = {_command(piece) for piece in said}
    commands = {command for command in found if not isinstance(command, Talk)}
    if (not commands and len(said) > 1) or len(found) == 1:
        return next((command for command in map(_command, reversed(said)) if command is not None), None)
    return commands.pop() if len(commands) == 1 else None


def _is_aside(words: Phrase) -> bool:
    return pattern(questions.ASIDE).fullmatch(words.folded.strip(" ,.!?")) is not None


def is_bare_look(words: Phrase) -> bool:
    """Say whether words only ask for a look, so that the script named beside them is what is to be shown."""
    looks = rf"(?:{questions.LOOK_ZH}|{questions.LOOK_EN}|{questions.CONTENT})?"
    return any(pattern(looks).fullmatch(said.folded.strip(" ,.!?")) for said in _variants(words))


def means_all_scripts(words: Phrase) -> bool:
    """Say whether words speak of every script there is: 把所有脚本里的…."""
    return pattern(questions.ALL).search(words.folded) is not None


def asks_which_script(words: Phrase) -> bool:
    """Say whether words ask for a script by what is true of it, which no tool finds: 最近改了哪些脚本."""
    return pattern(questions.WHICH).search(words.folded) is not None


def holds_command(instruction: Phrase) -> bool:
    """Say whether some part of an instruction is a command, such as 删掉第3行，然后撤销."""
    pieces = islice(_pieces(instruction), _MOST_PIECES)
    return any(not isinstance(_command(piece), Talk | None) for piece in pieces)


def _pieces(instruction: Phrase) -> Iterator[Phrase]:
    start = 0
    for joint in pattern(phrases.JOINT).finditer(instruction.folded):
        if instruction.cut(start, joint.start()):
            yield instruction.cut(start, joint.start())
        start = joint.end()
    if instruction.cut(start):
        yield instruction.cut(start)


def _command(phrase: Phrase) -> Command | None:
    if len(phrase.text) > phrases.MAX_CHARS:
        return None
    for words in _variants(phrase):
        found = _finding(words) or (None if phrase.quoted() else _one_script(words))
        if found is not None:
            return found
    return None


def _one_script(words: Phrase) -> Command | None:
    folded = words.folded
    return _compare(folded) or _revert(folded) or _undo(folded) or _simple(folded) or _lines(words)


def _variants(phrase: Phrase) -> Iterator[Phrase]:
    """Yield the words with and without what politeness adds, since 帮我看看 opens with a courtesy."""
    closed = without_final_mark(without_closing(without_final_mark(phrase)))
    opened = without_opening(closed)
    yield from (closed, opened, without_particle(closed), without_particle(opened))
    begun = pattern(questions.BEFORE_COMMAND).match(closed.folded)
    bare = without_opening(closed.cut(begun.end())) if begun else opened
    ended = pattern(rf"(?:{questions.AFTER_COMMAND})$").search(bare.folded)
    if begun:
        yield bare
    if ended and ended.start():
        yield bare.cut(0, ended.start())


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
    for source in phrases.SINCE:
        match = pattern(source).fullmatch(words)
        if match:
            return Compare(_number(match.groupdict(), "a"), NEWEST)
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
    return next(
        (command for source, command in _FIXED if pattern(source).fullmatch(words)),
        None,
    )


_FIXED: tuple[tuple[str, Command], ...] = (
    (phrases.SHOW, Show()),
    (questions.LAST_CHANGE, LastChange()),
    (rf"{phrases.HISTORY}|{questions.CHANGED}", History()),
    (questions.LIST, ListScripts()),
    *((source, Length()) for source in questions.LENGTH),
    (questions.THANKS, Talk("thanks")),
    (questions.GOOD, Talk("good")),
    (rf"{questions.GREETING}|{questions.HELP}", Talk("help")),
)


def _lines(words: Phrase) -> ShowLines | None:
    """Read 看一下第3行, 第3行写了什么 and `show me lines 2 to 4`."""
    for before, after in (questions.LINES_ZH, questions.LINES_EN):
        opening = pattern(before).match(words.folded)
        for start in {opening.end() if opening else 0, 0}:
            ending = pattern(rf"(?:{after})$").search(words.folded, start)
            end = ending.start() if ending else len(words.folded)
            if not (start or end < len(words.folded)):
                continue  # a line alone asks for nothing
            lines = whole_lines(words.cut(start, end))
            pick = lines.picks[0] if lines is not None and len(lines.picks) == 1 else None
            if (
                lines is not None
                and isinstance(pick, Run)
                and lines.unit == "line"
                and lines.inside is lines.but is None
            ):
                return ShowLines(pick.first, pick.last)
    return None


def _finding(words: Phrase) -> ListScripts | None:
    """Read 哪些脚本提到了咖啡 and `which scripts mention "coffee"`."""
    for source in questions.FIND:
        match = pattern(source).fullmatch(words.folded)
        if match is None:
            continue
        query = words.cut(*match.span("words"))
        is_plain = not pattern(rf"{TOKENS}|{questions.EDITS}").search(query.folded)
        if query.is_quotation or is_plain:
            return ListScripts(query.literal)
    return None
