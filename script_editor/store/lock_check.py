"""The last look at what is locked, before a version is written.

It asks for presence only: a locked line or phrase stands in the new text as often as it was locked, or
as often as in the head where that is less, and a locked speaker says the same lines in the same order.
Whether an edit may move what is locked is for the guards; a person may, in a text of his own.
"""

import shlex
from collections.abc import Sequence

from script_editor.domain.locks import Lock, marked, missing
from script_editor.domain.locks.phrases import count_phrase
from script_editor.domain.segments import NumberedScript
from script_editor.domain.speakers import speaker_lines
from script_editor.errors import EditRefused

_SHOWN_CHARS = 80


def require_kept(before: NumberedScript, after: str, locks: Sequence[Lock]) -> None:
    """Refuse a text that lacks what is locked and stands in `before`.

    Raises:
        EditRefused: "locked_changed", with the lines of `before` concerned and how to unlock the first.
    """
    new = NumberedScript(before.script_id, before.version + 1, after)
    lacking = missing(after, locks)
    broken = [lock for lock in locks if _is_broken(lock, before, new, is_lacking=lock in lacking)]
    if not broken:
        return
    more = f" Other locks it would break: {len(broken) - 1}." if len(broken) > 1 else ""
    lines = sorted({number for lock in broken for number in _lines(before, lock)})
    raise EditRefused(
        "locked_changed",
        f"{_sentence(broken[0], before)}{more}",
        segments=lines,
        advice=f"Leave it as it is, or unlock it first: {_unlocking(broken[0], before.script_id)}",
    )


def _is_broken(lock: Lock, before: NumberedScript, after: NumberedScript, *, is_lacking: bool) -> bool:
    # A lock that a revert has broken must not forbid every later edit.
    if lock.kind == "speaker":
        said = _said(before, lock.text)
        return said != [] and said != _said(after, lock.text)
    return is_lacking and _presence(lock, after) < _presence(lock, before)


def _presence(lock: Lock, script: NumberedScript) -> int:
    """Return how much of a locked line or phrase stands in a text: in lines, or in places."""
    return count_phrase(script.text, lock.text) if lock.kind == "phrase" else len(marked(script, [lock]))


def _said(script: NumberedScript, name: str) -> list[str]:
    return [script.segment(number).content for number in speaker_lines(script, name)]


def _lines(script: NumberedScript, lock: Lock) -> list[int]:
    if lock.kind != "phrase":
        return sorted(marked(script, [lock]))
    return [segment.number for segment in script.segments if count_phrase(segment.content, lock.text)]


def _sentence(lock: Lock, before: NumberedScript) -> str:
    shown = lock.text.replace("\n", " / ")
    if len(shown) > _SHOWN_CHARS:
        shown = f"{shown[: _SHOWN_CHARS - 1]}…"
    lines = _lines(before, lock)
    where = f"{'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines))} of {before.script_id}"
    reason = f" ({lock.note})" if lock.note else ""
    match lock.kind:
        case "segment":
            return f"{where[0].upper()}{where[1:]} {_is_or_are(lines)} locked{reason}: “{shown}” must stay as it is."
        case "phrase":
            return f"“{shown}” is locked on {where}{reason}: it must stay there as often as it stands now."
        case "speaker":
            return f"All that {shown} says is locked{reason}: {where} must stay, and none may be added."


def _is_or_are(lines: list[int]) -> str:
    return "is" if len(lines) == 1 else "are"


def _unlocking(lock: Lock, script_id: str) -> str:
    """Return the command that releases a lock."""
    match lock.kind:
        case "segment":
            what = f"--id {lock.id}"
        case "phrase":
            what = f"--phrase {_typed(lock.text)}"
        case "speaker":
            what = f"--speaker {_typed(lock.text)}"
    return f"script-editor unlock {script_id} {what}"


def _typed(words: str) -> str:
    # shlex quotes all that is not ASCII, which a shell does not need.
    return words if words.isalnum() else shlex.quote(words)
