"""References to lines, sentences and paragraphs as values, and what they mean in a script.

Numbers count from 1, negative ones from the end. A line is a segment; a sentence number means the
line of that number where every line is one sentence, else only the first and the last are clear.
"""

from dataclasses import dataclass, replace
from typing import Literal

from script_editor.domain.segments import NumberedScript
from script_editor.offline import absences, doubts
from script_editor.offline.occurrences import occurrences
from script_editor.offline.sentences import paragraphs, sentences
from script_editor.offline.wording import Language

Unit = Literal["line", "sentence", "paragraph"]
Relation = Literal["contains", "starts", "ends", "is"]

_FINAL_MARKS = "。！？!?.…~～”’」』\"'"


@dataclass(frozen=True, slots=True)
class Run:
    """Units `first` to `last`, both included; a single one is a run of itself."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class EveryOther:
    """Every second unit, from unit 1 or from unit 2."""

    first: int


@dataclass(frozen=True, slots=True)
class Holding:
    """Lines found by their text. `which`: 0 is all of them, None the only one, else the Nth found."""

    texts: tuple[str, ...]
    relation: Relation = "contains"
    which: int | None = 0
    negated: bool = False


Pick = Run | EveryOther | Holding


@dataclass(frozen=True, slots=True)
class Lines:
    """A reference: its picks in the order given, counted within `inside` where that is given."""

    picks: tuple[Pick, ...]
    unit: Unit = "line"
    inside: "Lines | None" = None
    but: "Lines | None" = None
    each: bool = False

    @property
    def is_single(self) -> bool:
        """Whether the words name one line, whatever the script holds."""
        pick = self.picks[0]
        if len(self.picks) > 1 or self.but is not None or isinstance(pick, EveryOther):
            return False
        return pick.first == pick.last if isinstance(pick, Run) else pick.which != 0

    def single_numbers(self) -> tuple[int, ...] | None:
        """Return the numbers when every pick is one number, else None."""
        numbers = [pick.first for pick in self.picks if isinstance(pick, Run) and pick.first == pick.last]
        return tuple(numbers) if len(numbers) == len(self.picks) else None


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of one segment's content, [start, end); `is_whole` when it is all of it."""

    number: int
    start: int
    end: int
    is_whole: bool


ALL_LINES = Lines((Run(1, -1),), each=True)


def nth(number: int, unit: Unit = "line") -> Lines:
    """Return the reference to one unit."""
    return Lines((Run(number, number),), unit)


def excluding(lines: Lines, but: Lines) -> Lines:
    """Return `lines` without those of `but`."""
    return replace(lines, but=but)


def stretches(lines: Lines, script: NumberedScript, language: Language) -> tuple[Stretch, ...]:
    """Return what a reference means, in its order, nothing twice.

    Raises:
        EditRefused: no_match when a number is out of range or no line holds the text, ambiguous_match
            when the reference could mean several things.
    """
    units = _units(lines, script, language)
    positions: list[int] = []
    for pick in lines.picks:
        positions += _positions(pick, lines, units, script, language)
    chosen = [stretch for position in dict.fromkeys(positions) for stretch in units[position]]
    if lines.but is None:
        return tuple(chosen)
    spared = {stretch.number for stretch in stretches(lines.but, script, language)}
    return tuple(stretch for stretch in chosen if stretch.number not in spared)


def numbers_of(lines: Lines, script: NumberedScript, language: Language) -> tuple[int, ...]:
    """Return the segments a reference means, for an edit that needs whole lines.

    Raises:
        EditRefused: as `stretches`, and ambiguous_match when a sentence shares its line with others.
    """
    found = stretches(lines, script, language)
    for stretch in found:
        if not stretch.is_whole:
            raise doubts.shares_its_line(language, stretch.number)
    return tuple(stretch.number for stretch in found)


def _units(lines: Lines, script: NumberedScript, language: Language) -> tuple[tuple[Stretch, ...], ...]:
    """Return all units that may be counted, each as its stretches."""
    whole = {s.number: Stretch(s.number, 0, len(s.content), True) for s in script.segments}
    inner = tuple(whole) if lines.inside is None else numbers_of(lines.inside, script, language)
    match lines.unit:
        case "line":
            return tuple((whole[number],) for number in inner)
        case "paragraph":
            return tuple(tuple(whole[number] for number in run) for run in paragraphs(script))
        case "sentence":
            return tuple((stretch,) for number in inner for stretch in _sentences_of(script, number))


def _sentences_of(script: NumberedScript, number: int) -> tuple[Stretch, ...]:
    spans = sentences(script.segment(number).content)
    return tuple(Stretch(number, start, end, len(spans) == 1) for start, end in spans)


def _positions(
    pick: Pick,
    lines: Lines,
    units: tuple[tuple[Stretch, ...], ...],
    script: NumberedScript,
    language: Language,
) -> list[int]:
    match pick:
        case Holding():
            return _holding(pick, units, script, language)
        case EveryOther(first=first):
            return list(range(first - 1, len(units), 2))
        case Run(first=first, last=last):
            if lines.unit == "sentence" and lines.inside is None:
                _check_sentence_numbers(pick, units, script, language)
            return _range(first, last, len(units), lines.unit, language)


def _check_sentence_numbers(
    pick: Run, units: tuple[tuple[Stretch, ...], ...], script: NumberedScript, language: Language
) -> None:
    edges = (Run(1, 1), Run(-1, -1), Run(1, -1))
    if pick not in edges and len(units) != len(script.segments):
        raise doubts.unclear_sentence(language)


def _range(first: int, last: int, count: int, unit: Unit, language: Language) -> list[int]:
    low, high = (number if number > 0 else count + 1 + number for number in (first, last))
    for number, asked in ((low, first), (high, last)):
        if not 1 <= number <= count:
            raise absences.out_of_range(language, unit, asked, count)
    if low <= high:
        return list(range(low - 1, high))
    return list(range(high - 1, low))


def _holding(
    pick: Holding, units: tuple[tuple[Stretch, ...], ...], script: NumberedScript, language: Language
) -> list[int]:
    hits = _matching(pick, units, script)
    if not hits and pick.relation == "is" and _matching(replace(pick, relation="contains"), units, script):
        raise doubts.not_a_line(language, pick.texts[0])
    if not hits:
        raise absences.no_line_with(language, pick.texts, pick.negated, [s.content for s in script.segments])
    if pick.which == 0:
        return hits
    if pick.which is None:
        if len(hits) > 1:
            raise doubts.several_lines(language, pick.texts, [units[hit][0].number for hit in hits])
        return hits
    if abs(pick.which) > len(hits):
        raise absences.too_few_lines(language, pick.texts, len(hits), abs(pick.which))
    return [hits[pick.which - 1 if pick.which > 0 else pick.which]]


def _matching(pick: Holding, units: tuple[tuple[Stretch, ...], ...], script: NumberedScript) -> list[int]:
    texts = [[script.segment(s.number).content[s.start : s.end] for s in unit] for unit in units]
    for trim in (False, True):
        hits = [
            position
            for position, contents in enumerate(texts)
            if any(_holds(content, pick, trim) for content in contents) != pick.negated
        ]
        if hits or pick.relation != "ends":
            return hits
    return []


def _holds(content: str, pick: Holding, trim: bool) -> bool:
    """Say whether a line fits; with `trim` the marks at its end do not count as its end."""
    end = len(content.rstrip(_FINAL_MARKS)) if trim else len(content)
    for text in pick.texts:
        spans = occurrences(content, text)
        match pick.relation:
            case "contains":
                fits = bool(spans)
            case "starts":
                fits = bool(spans) and spans[0][0] == 0
            case "ends":
                fits = bool(spans) and spans[-1][1] == end
            case "is":
                fits = content.rstrip(_FINAL_MARKS) == text.rstrip(_FINAL_MARKS)
        if fits:
            return True
    return False
