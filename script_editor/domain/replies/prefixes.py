"""Line numbers that a model copied from the view: `S5 | …`, `S5:k7 | …`."""

import re
from collections.abc import Sequence

from script_editor.domain.segments import NumberedScript, is_blank
from script_editor.patterns import Pattern

_PREFIX = Pattern(r"\s*[Ss]([1-9][0-9]{0,6})(?::[0-9a-z]{2})?(?:\s?\[(?:locked|锁定|鎖定)\])?\s?[|｜] ?")


def numbered(line: str, script: NumberedScript) -> re.Match[str] | None:
    """Return the copied number at the start of a line, when it is one of this script and no line of it begins so."""
    prefix = _PREFIX.match(line)
    if prefix is None or int(prefix[1]) > len(script.segments):
        return None
    return None if any(_PREFIX.match(segment.content) for segment in script.segments) else prefix


def unnumbered(lines: Sequence[str], script: NumberedScript) -> list[str] | None:
    """Return the lines without copied numbers when every line that is not blank has one; None otherwise.

    New lines may have got numbers that the script does not reach.
    """
    spoken = [line for line in lines if not is_blank(line)]
    if not spoken or not numbered(spoken[0], script) or not all(_PREFIX.match(line) for line in spoken):
        return None
    return [_PREFIX.sub("", line, count=1) for line in lines]


def unnumbered_text(text: str, script: NumberedScript) -> str:
    """Return the text of one operation without copied numbers, when its first line has one."""
    lines = text.split("\n")
    if not numbered(lines[0], script):
        return text
    return "\n".join(_PREFIX.sub("", line, count=1) if numbered(line, script) else line for line in lines)
