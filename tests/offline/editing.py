"""What the tests of the offline editor share: running an instruction, and writing down what it must give."""

from collections.abc import Mapping

from script_editor.domain.edits import resolve
from script_editor.domain.operations import Constraints
from script_editor.domain.segments import NumberedScript
from script_editor.domain.splices import apply
from script_editor.errors import BeyondOffline, EditRefused
from script_editor.offline.rewriter import OfflineRewriter

KINDS = {
    "ambiguous_match": "ambiguous",
    "no_match": "not_found",
    "unchanged": "nothing_to_do",
    "empty": "nothing_left",
}
"""What the collections of cases call the refusals of this editor; all else needs a writer."""


def numbered(script: str) -> NumberedScript:
    """Return a text as version 1 of a script."""
    return NumberedScript("video_001", 1, script)


def rewrite_text(script: str, instruction: str, *, targets: tuple[int, ...] = ()) -> str:
    """Return the script after an instruction."""
    before = numbered(script)
    rewrite = OfflineRewriter()(before, instruction, Constraints(targets=targets))
    return apply(script, resolve(before, rewrite.plan))


def outcome(script: str, instruction: str) -> str:
    """Return the script after an instruction, or `refused: ` and the kind of refusal."""
    try:
        return rewrite_text(script, instruction)
    except EditRefused as refused:
        return f"refused: {KINDS.get(refused.reason, refused.reason)}"
    except BeyondOffline:
        return "refused: not_mechanical"


AMBIGUOUS = "refused: ambiguous"
NOT_FOUND = "refused: not_found"
NOTHING_TO_DO = "refused: nothing_to_do"
NOT_MECHANICAL = "refused: not_mechanical"
NOTHING_LEFT = "refused: nothing_left"


# --- expected texts, for scripts of non-blank lines that end with LF ------------------------------


def swapped(script: str, old: str, new: str, count: int = -1) -> str:
    """Return the script with a text it holds replaced as Python does it."""
    assert old in script, old
    return script.replace(old, new, count)


def with_lines(script: str, lines: Mapping[int, str]) -> str:
    """Return the script with other words on some lines; line numbers count from 1."""
    contents = script.splitlines()
    for number, content in lines.items():
        contents[number - 1] = content
    return _joined(contents)


def without(script: str, *numbers: int) -> str:
    """Return the script without some lines."""
    return _joined([line for number, line in enumerate(script.splitlines(), 1) if number not in numbers])


def in_order(script: str, *numbers: int) -> str:
    """Return the script with its lines in another order."""
    contents = script.splitlines()
    assert sorted(numbers) == list(range(1, len(contents) + 1)), numbers
    return _joined([contents[number - 1] for number in numbers])


def after_line(script: str, number: int, *new: str) -> str:
    """Return the script with new lines after line `number`; 0 is the start."""
    contents = script.splitlines()
    return _joined([*contents[:number], *new, *contents[number:]])


def _joined(contents: list[str]) -> str:
    return "".join(f"{content}\n" for content in contents)
