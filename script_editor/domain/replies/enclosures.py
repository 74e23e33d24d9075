"""What encloses a whole rewrite: fences, tags, JSON strings, quotation marks, copied line numbers.

Each function takes the lines of a reply, and returns them without one layer, or None when there is none.
What the script has itself is never taken off.
"""

import json
from collections.abc import Sequence

from script_editor.domain.replies.authorship import Authorship
from script_editor.domain.replies.prefixes import unnumbered as without_numbers_of
from script_editor.domain.segments import is_blank
from script_editor.errors import EditRefused
from script_editor.patterns import Pattern

FENCE = Pattern(r"\s*(?:`{3,}[^`]{0,60}|~{3,}[^~`]{0,60})\s*")
"""A line that opens or closes a code block."""
_CLOSING_FENCE = Pattern(r"\s*(?:`{3,}|~{3,})\s*")
_OPENING_TAG = Pattern(r"\s*<([A-Za-z_][\w-]{0,30})>\s*")
_MAX_OUTSIDE = 40


def unfenced(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off the outer pair of fences, and prose outside it, when there is one pair more than the script has."""
    fences = [index for index, line in enumerate(lines) if FENCE.fullmatch(line)]
    surplus = len(fences) - authorship.count(FENCE)
    if surplus == 1 and len(fences) == 1 and fences[0] == len(lines) - 1:
        return lines[:-1]
    if surplus != 2 or not _CLOSING_FENCE.fullmatch(lines[fences[-1]]):
        return None
    outside = [line for line in (*lines[: fences[0]], *lines[fences[-1] + 1 :]) if not is_blank(line)]
    if len(outside) > _MAX_OUTSIDE or any(authorship.resembles_any(line) for line in outside):
        return None
    return lines[fences[0] + 1 : fences[-1]]


def refuse_open_fence(lines: list[str], authorship: Authorship) -> None:
    """Accept lines whose fences are closed. Raises EditRefused: truncated."""
    if not lines or not FENCE.fullmatch(lines[0]) or authorship.has(lines[0]):
        return
    fences = sum(FENCE.fullmatch(line) is not None for line in lines)
    if (fences - authorship.count(FENCE)) % 2:
        raise EditRefused(
            "truncated", "The reply opens a code fence and never closes it, so it may be cut off."
        )


def unserialised(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take a text out of a JSON string, or of a JSON object whose only value it is."""
    body = "\n".join(lines).strip()
    if body[:1] not in ('"', "{") or body[-1:] not in ('"', "}") or authorship.begins_with(body[:1]):
        return None
    try:
        value = json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, dict) and len(value) == 1:
        value = next(iter(value.values()))
    if not isinstance(value, str) or (len(lines) == 1 and "\n" not in value and body[0] == '"'):
        return None
    return value.replace("\r\n", "\n").split("\n")


def untagged(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off one pair of tags around everything, such as `<script>` … `</script>`."""
    tag = _OPENING_TAG.fullmatch(lines[0])
    if tag is None or len(lines) < 3 or lines[-1].strip().casefold() != f"</{tag[1]}>".casefold():
        return None
    return None if authorship.has(lines[0]) else lines[1:-1]


_PAIRS = {"“": "”", '"': '"', "「": "」", "『": "』", "‘": "’", "«": "»", "'": "'", "„": "“", "＂": "＂"}


def unquoted(lines: list[str], authorship: Authorship) -> list[str]:
    """Take off one pair of quotation marks that opens in the first line and closes in the last."""
    segments = authorship.script.segments
    if not lines or not segments:
        return lines
    first, last = lines[0].lstrip(), lines[-1].rstrip()
    close = _PAIRS.get(first[:1], "")
    if not close or not last.endswith(close) or len(first) < 2 or (len(lines) == 1 and len(last.strip()) < 3):
        return lines
    own_first, own_last = segments[0].content, segments[-1].content
    is_surplus = _lead(first) == _lead(own_first) + 1 and _trail(last) == _trail(own_last) + 1
    if not is_surplus or not _encloses(lines, first[0], close):
        return lines
    inner = [*lines]
    inner[0] = inner[0].replace(first[0], "", 1)
    inner[-1] = inner[-1].rstrip()[: -len(close)]
    return inner


_MARKS = "".join(_PAIRS) + "".join(_PAIRS.values())
_MARKS_AND_SPACE = _MARKS + " \u3000\u00a0\t"


def _lead(line: str) -> int:
    """Return how many quotation marks a line begins with, spaces between them not counted."""
    return sum(char in _MARKS for char in line[: len(line) - len(line.lstrip(_MARKS_AND_SPACE))])


def _trail(line: str) -> int:
    return sum(char in _MARKS for char in line[len(line.rstrip(_MARKS_AND_SPACE)) :])


def _encloses(lines: Sequence[str], opener: str, closer: str) -> bool:
    """Say whether the first mark stays open in its line, and the last one closes nothing in its own."""
    if len(lines) > 1:
        if opener == closer:
            return lines[0].count(opener) % 2 == 1 and lines[-1].count(closer) % 2 == 1
        first, last = lines[0], lines[-1]
        return first.count(opener) > first.count(closer) and last.count(closer) > last.count(opener)
    inner = lines[0].strip()[1:-1]
    if opener == closer:
        return opener not in inner
    depth = 0
    for char in inner:
        depth += (char == opener) - (char == closer)
        if depth < 0:
            return False
    return depth == 0


def unnumbered(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off the line numbers of the view when every line has one."""
    return without_numbers_of(lines, authorship.script)
