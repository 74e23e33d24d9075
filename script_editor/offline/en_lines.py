"""How English instructions name lines: line 3, the second-to-last line, lines 2, 4 and 6, every line with "…"."""

import re
from collections.abc import Callable

from script_editor.offline.lines import ALL_LINES, EveryOther, Holding, Lines, Relation, Run, Unit, nth
from script_editor.offline.numerals import EN, EN_ORDINAL, value
from script_editor.offline.quotes import TOKENS
from script_editor.offline.wording import Phrase
from script_editor.offline.zh_lines import Found, texts_in

UNIT = r"(?:lines?|lns?|sentences?|paragraphs?|paras?)\b"
RANGE = r"\s*(?:up to|to|through|thru|until|till|[-–—~]+)\s*"
LIST = r"\s*(?:,\s*(?:and|&)?|and(?: also)?\b|&|plus\b|as well as\b)\s*"

_LAST = r"(?:very )?(?:last|final|closing|bottom)"
_FIRST = r"(?:very )?(?:first|opening|top)"
POSITION = (
    rf"(?:{EN_ORDINAL}[- ](?:to|from)[- ](?:the[- ])?(?:last|end|bottom)\b|{EN_ORDINAL}[- ]last\b"
    rf"|next[- ]to[- ](?:the[- ])?last\b|penultimate\b|last but (?:one|two|three)\b|{_LAST}\b"
    rf"|{_FIRST}\b|{EN_ORDINAL})"
)
"""Pattern of a place in an order: second, last, next-to-last."""

_WORD = r"(?:the (?:words?|phrases?|text|name|number|string|term|character)s? )?"
_TEXTS = rf"(?P<text>{TOKENS}(?:\s*(?:,\s*or|,|or)\s*{TOKENS})*)"
_RELATIONS = (
    r"(?:(?P<starts>(?:start|begin|open)(?:s|ing|ning)? with)|(?P<ends>end(?:s|ing)? (?:with|in|on))"
    r"|containing|contains?|with|has|have|having|including|includes?|mention(?:s|ing)?|say(?:s"
    r"|ing)?|reading|reads?|using|uses?)"
)
_NOT = r"(?P<negated>do(?:es)? not |do(?:es)?n't |not )?"
_QUANTITY = (
    r"(?:(?P<every>all(?: of)?(?: the)?|every(?: single)?|each|any|both)\s+)?(?:the |a "
    rf"|that )?(?:only |one |single )?(?:(?P<order>{POSITION})\s+)?"
)
_HOLDING = (
    rf"{_QUANTITY}(?P<unit>{UNIT}) (?:(?:that |which )?{_NOT}{_RELATIONS}|(?P<without>without)) {_WORD}"
)


def position_value(words: str) -> int:
    """Return the number for words that match POSITION; negative numbers count from the end."""
    words = words.removeprefix("very ")
    fixed = {
        "last": -1, "final": -1, "closing": -1, "bottom": -1, "first": 1, "opening": 1, "top": 1, "penultimate": -2,
        "last but one": -2, "last but two": -3, "last but three": -4,
    }  # fmt: skip
    if words in fixed:
        return fixed[words]
    if words.startswith("next"):
        return -2
    ordinal = re.match(EN_ORDINAL, words)
    assert ordinal is not None, words
    number = value(ordinal[0])
    return -number if len(ordinal[0]) < len(words) else number


def unit_of(word: str) -> Unit:
    """Return the unit a word such as `paragraphs` names."""
    if word.startswith("para"):
        return "paragraph"
    return "sentence" if word.startswith("sentence") else "line"


def _numbers(match: re.Match[str]) -> Lines | None:
    picks = []
    for part in re.split(LIST, match["body"]):
        ends = [value(number) for number in re.findall(EN, part)]
        if not ends:
            return None
        picks.append(Run(ends[0], ends[-1]))
    return None if any(0 in (p.first, p.last) for p in picks) else Lines(tuple(picks), unit_of(match["unit"]))


def _ordinals(match: re.Match[str]) -> Lines:
    picks = []
    for part in re.split(LIST, match["body"]):
        ends = [position_value(found[0]) for found in re.finditer(POSITION, part)]
        picks.append(Run(ends[0], ends[-1]))
    unit = unit_of(match["unit"])
    from_end = match["from_end"] and all(pick.first > 0 for pick in picks)
    if from_end:
        picks = [Run(-pick.first, -pick.last) for pick in picks]
    return Lines(tuple(picks), unit)


def _group(match: re.Match[str]) -> Lines:
    count = value(match["n"])
    run = Run(1, count) if position_value(match["edge"]) > 0 else Run(-count, -1)
    return Lines((run,), unit_of(match["unit"]))


def _all(match: re.Match[str]) -> Lines:
    return Lines(ALL_LINES.picks, unit_of(match["unit"]), each=True)


def _every_other(match: re.Match[str]) -> Lines:
    return Lines((EveryOther(1 if match["odd"] else 2),), unit_of(match["unit"]), each=True)


def _named(match: re.Match[str]) -> Lines | None:
    return nth(value(match["n"])) if value(match["n"]) else None


def read_holding(match: re.Match[str], phrase: Phrase) -> Lines:
    """Return the lines that a match of one of HOLDING names; the text is taken from `phrase`."""
    groups = match.groupdict()
    texts = texts_in(phrase.cut(*match.span("text")))
    many = bool(groups.get("every")) or match["unit"].endswith("s")
    which = position_value(groups["order"]) if groups.get("order") else 0 if many else None
    relation: Relation = "starts" if groups.get("starts") else "ends" if groups.get("ends") else "contains"
    negated = bool(groups.get("negated") or groups.get("without"))
    pick = Holding(texts, relation, which, negated)
    return Lines((pick,), unit_of(match["unit"]), each=bool(groups.get("every")))


Reader = Callable[[re.Match[str]], Lines | None]

_THE = r"(?:the )?"
_SOME_POSITIONS = rf"{POSITION}(?:(?:{LIST}|{RANGE}){_THE}{POSITION})*"

HOLDING = (
    rf"{_HOLDING}{_TEXTS}",
    rf"{_QUANTITY}(?P<unit>{UNIT}) (?:where|in which) (?:the (?:word"
    rf"|phrase) )?{_TEXTS} (?:appears?|occurs?|is|stands?)\b",
    rf"{_THE}(?P<text>{TOKENS}) (?P<unit>{UNIT})",
    rf"(?:the |that )(?P<unit>{UNIT})(?: of| called)? (?P<text>{TOKENS})",
)
"""Patterns of lines that are named by a text in them; read by `read_holding`."""

NUMBERED: tuple[tuple[str, Reader], ...] = (
    (rf"{_THE}(?P<edge>{_FIRST}|{_LAST}) (?P<n>{EN}) (?P<unit>{UNIT})", _group),
    (rf"(?:all )?{_THE}(?:(?P<odd>odd)|even)(?:[- ]numbered)? (?P<unit>{UNIT})", _every_other),
    (
        rf"(?:all(?: of)?(?: the)?|every(?: single)?|each(?: and every)?(?: of the)?|each) (?P<unit>{UNIT})",
        _all,
    ),
    (
        rf"{_THE}(?P<body>{_SOME_POSITIONS}) (?P<unit>{UNIT})(?P<from_end> (?:from"
        r"|counting from) the (?:end|bottom|last)\b)?",
        _ordinals,
    ),
    (
        rf"{_THE}(?P<unit>{UNIT}):?\s*(?:numbers?|nos?\.?|#)?\s*#?(?P<body>{EN}(?:(?:{LIST}"
        rf"|{RANGE})(?:no\.? ?|#)?{EN})*)(?![\w])",
        _numbers,
    ),
    (r"l(?P<n>\d{1,6})(?![a-z0-9])", _named),
)
"""Patterns of lines that are named by their place, each with its reader."""

OPEN_HOLDING = rf"{_HOLDING}(?P<text>[^\n]{{1,60}})"
"""Pattern of a line named by words without quotation marks; they run to the end of the phrase."""


def open_holding(phrase: Phrase) -> Lines | None:
    """Read a whole phrase such as `the line containing jams`."""
    match = re.fullmatch(OPEN_HOLDING, phrase.folded)
    return read_holding(match, phrase) if match and not re.search(TOKENS, match["text"]) else None


_SIDES = (
    (r"(?:after|below|following|past|beyond|under)", lambda n: Run(n + 1, -1)),
    (r"(?:before|above|preceding)", lambda n: Run(1, n - 1)),
    (r"from", lambda n: Run(n, -1)),
)
_WHOLE = r"(?:everything|anything|all (?:of )?(?:the )?lines|every line|all|the lines|lines|the rest)"


def rest_before(phrase: Phrase, position: int) -> tuple[Callable[[int], Run], int] | None:
    """Read `everything after` and its kin; the line it counts from follows."""
    for side, run in _SIDES:
        match = re.compile(rf"{_WHOLE}(?: that comes?| which comes?)? {side} ").match(phrase.folded, position)
        if match:
            return run, match.end()
    return None


_ONWARD = re.compile(
    r"\s*(?:onwards?|on(?= *$|,)|(?:to|until|till|through|thru) (?:the )?(?:very )?(?:end|bottom"
    r"|last line|last)\b(?: of the script)?|down)"
)


def rest_of(lines: Lines, phrase: Phrase, end: int) -> Found | None:
    """Read what turns one line into all from it on: onwards, to the end."""
    numbers = lines.single_numbers()
    match = _ONWARD.match(phrase.folded, end)
    if match is None or numbers is None or len(numbers) != 1:
        return None
    return Found(Lines((Run(numbers[0], -1),), lines.unit), match.end())
