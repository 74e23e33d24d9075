"""Where a part of an instruction hits the script: needles, within a scope, as often as asked."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from script_editor.domain.segments import NumberedScript
from script_editor.errors import EditRefused
from script_editor.offline import absences, doubts
from script_editor.offline.lines import ALL_LINES, Stretch, excluding, stretches
from script_editor.offline.marks import Mark, MarkHit, find_marks
from script_editor.offline.occurrences import occurrences
from script_editor.offline.requests import Emoji, Needle, Scope, Which
from script_editor.offline.wording import Language

_EMOJI = re.compile(
    r"(?:[\U0001f1e6-\U0001f1ff]{2}"
    r"|[\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff](?=\ufe0f)"
    r"|[\u231a\u231b\u23e9-\u23f3"
    r"\u2600-\u2604\u2614\u2615\u2648-\u2653\u267f\u2693\u26a1\u26bd\u26be\u26c4\u26c5\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a-\u270d\u2728\u274c\u274e"
    r"\u2753-\u2757\u2763\u2764\u2795-\u2797\u27b0\u2b50\u2b55\U0001f300-\U0001faff])[\ufe0f\U0001f3fb-\U0001f3ff]*(?:\u200d[\u2600-\u27bf\U0001f300-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*)*"
)


@dataclass(frozen=True, slots=True)
class Hit:
    """One place in a segment's content, [start, end); `mark` is its form when a mark was looked for."""

    number: int
    start: int
    end: int
    mark: MarkHit | None = None


def shown_needle(needle: Needle) -> str:
    """Return a needle as messages show it."""
    match needle:
        case Mark():
            return next(needle.forms())[0]
        case Emoji():
            return "emoji"
        case str():
            return needle


def scope_stretches(scope: Scope, script: NumberedScript, language: Language) -> tuple[Stretch, ...]:
    """Return the stretches a scope means, in the order of the script."""
    lines = scope.lines or ALL_LINES
    if scope.but is not None:
        lines = excluding(lines, scope.but)
    found = stretches(lines, script, language)
    return tuple(sorted(found, key=lambda stretch: (stretch.number, stretch.start)))


def find_hits(
    needle: Needle, which: Which, scope: Scope, script: NumberedScript, language: Language
) -> tuple[Hit, ...]:
    """Return the hits that are meant, in the order of the script.

    Raises:
        EditRefused: no_match when there are none or too few, ambiguous_match when their number is not
            the one the words claim, and as `stretches`.
    """
    areas = scope_stretches(scope, script, language)
    hits = [hit for area in areas for hit in _hits_in(area, needle, scope, script)]
    if not hits and isinstance(needle, Mark):
        hits = [hit for area in areas for hit in _hits_in(area, needle, scope, script, in_times=True)]
    if not hits:
        raise _absent(needle, scope, areas, script, language)
    if which.count is not None and which.count != len(hits):
        raise doubts.wrong_count(language, shown_needle(needle), len(hits), which.count)
    if not which.numbers:
        return tuple(hits)
    if which.each_line:
        return _in_each_line(hits, which)
    return _counted(hits, which, needle, language)


def _hits_in(
    area: Stretch, needle: Needle, scope: Scope, script: NumberedScript, *, in_times: bool = False
) -> list[Hit]:
    content = script.segment(area.number).content
    return [
        Hit(area.number, start, end, mark)
        for start, end, mark in _finder(needle, in_times)(content)
        if area.start <= start and end <= area.end and _at_edge(scope, start, end, len(content))
    ]


def _finder(needle: Needle, in_times: bool) -> Callable[[str], list[tuple[int, int, MarkHit | None]]]:
    match needle:
        case Mark():
            return lambda content: [
                (hit.start, hit.end, hit) for hit in find_marks(content, needle, in_times=in_times)
            ]
        case Emoji():
            return lambda content: [(*found.span(), None) for found in _EMOJI.finditer(content)]
        case str():
            return lambda content: [(start, end, None) for start, end in occurrences(content, needle)]


def _at_edge(scope: Scope, start: int, end: int, length: int) -> bool:
    if scope.edge is None:
        return True
    return start == 0 if scope.edge == "start" else end == length


def _absent(
    needle: Needle, scope: Scope, areas: tuple[Stretch, ...], script: NumberedScript, language: Language
) -> EditRefused:
    numbers = tuple(dict.fromkeys(area.number for area in areas)) if scope.lines is not None else ()
    contents = [script.segment(area.number).content for area in areas]
    return absences.absent(language, shown_needle(needle), numbers, contents)


def _in_each_line(hits: list[Hit], which: Which) -> tuple[Hit, ...]:
    by_line: dict[int, list[Hit]] = {}
    for hit in hits:
        by_line.setdefault(hit.number, []).append(hit)
    return tuple(
        line_hits[index]
        for line_hits in by_line.values()
        for index in (_index(number) for number in which.numbers)
        if -len(line_hits) <= index < len(line_hits)
    )


def _counted(hits: list[Hit], which: Which, needle: Needle, language: Language) -> tuple[Hit, ...]:
    highest = max(abs(number) for number in which.numbers)
    if highest > len(hits) or 0 in which.numbers:
        raise absences.too_few(language, shown_needle(needle), len(hits), highest)
    return tuple(hits[_index(number)] for number in which.numbers)


def _index(number: int) -> int:
    return number - 1 if number > 0 else number
