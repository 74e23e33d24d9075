"""Line numbers that stand plainly in an instruction, found apart from the careful reading, as a net under it.

A place that is read only in part is worse than one that is not read: the rest of it would never be looked at.
Numbers too many cost a few lines more to show.
"""

from script_editor.domain.matching import fold
from script_editor.domain.places.wholeness import without_quotes
from script_editor.patterns import Pattern

_RUN = r"\d{1,6}(?:(?:[\s,;、&+~-]|and|or|to|through|和|与|跟|及|到|至|第)*\d{1,6})*"
_LISTS = (
    Pattern(rf"\b(?:lines?|rows?)\s+(?P<run>{_RUN})(?![\d.:%])"),
    Pattern(rf"第\s*(?P<run>{_RUN})\s*(?:行|句)"),
)
_RANGE = Pattern(r"(\d+)(?:\s*(?:[~-]+|to|through|到|至)\s*第?(\d+))?")


def plain_line_numbers(instruction: str) -> frozenset[int]:
    """Return the numbers after "lines" or before 行 and 句, ranges filled; quoted text is not looked at."""
    text = fold(without_quotes(instruction))[0].lower()
    found: set[int] = set()
    for pattern in _LISTS:
        for match in pattern.finditer(text):
            for first, last in _RANGE.findall(match["run"]):
                found.update(range(int(first), min(int(last or first), int(first) + 100_000) + 1))
    return frozenset(found)
