"""Reading references to lines out of an instruction, in either language.

An atom names lines by itself (第3行, the last line). Atoms combine to ranges (第2行到第4行), lists
(line 2 and line 5), parts of parts (the first sentence of line 3) and exceptions (除了第1行).
"""

from collections.abc import Iterator

from script_editor.offline import en_lines, zh_lines
from script_editor.offline.lines import ALL_LINES, Lines, Run, excluding, nth
from script_editor.offline.wording import Phrase, pattern
from script_editor.offline.zh_lines import Found

_RANGES = rf"(?:{zh_lines.RANGE}|{en_lines.RANGE})"
_LISTS = rf"(?:{en_lines.LIST}(?:in |on |from )?|{zh_lines.LIST}在?)"
_INSIDE = r"\s*(?:里面|里边|里|中|内)?的?\s*"
_OF = r" (?:of|in|from|on|within) "
_EXCEPT_BEFORE = r"除(?:了|去|开)?"
_OTHERS = r"(?:其他|其它|其余|剩下|所有|全部)(?:所有|全部)?的?(?:行|句子|句|内容|部分)?(?:全部|全都|都)?"
_EXCEPT_AFTER = rf"(?:以外|之外|外)的?,?\s*(?:{_OTHERS})?|的?,?\s*{_OTHERS}"
_BUT = (
    r" ?,?\s*(?:except(?:ing)?(?: for)?|but(?: not)?|other than|apart from|besides|excluding)(?: in"
    r"| on| from)? "
)
_EVERYTHING = r"(?:(?:all|every|each)(?: of the| the)?(?: other)? lines?|everything(?: else)?|all)"
_BETWEEN = r"(?:from |between )"

_SMALLER = {"sentence": ("line", "paragraph"), "line": ("paragraph",), "paragraph": ()}
_DECORATION_BEFORE = (
    r"(?:整个|整|(?:the |all )?(?:whole|entire|full|complete)(?: of)?|all of|the (?:text"
    r"|contents?|wording|words) (?:of|in|on)"
    r"|the whole (?:text )?of) ?"
)
_DECORATION_AFTER = (
    r"(?:这一?(?:行|句)|那一?(?:行|句)|整行|整句|整段|整个|全部|全文)?(?:的?(?:全部|所有|整个"
    r"|整行)?的?(?:内容|文字|台词|文案|字幕|话))?"
    r"(?:整行|整句|整段|整个|全部)?(?:'s (?:text|content|wording))?(?: (?:entirely|completely"
    r"|altogether|in full))?"
)


def whole_lines(phrase: Phrase) -> Lines | None:
    """Return what a phrase names when all of it names lines, else None."""
    for piece in _undecorated(phrase):
        found = lines_at(piece, 0)
        if found and pattern(_DECORATION_AFTER).fullmatch(piece.folded, found.end):
            return found.lines
        opened = en_lines.open_holding(piece)
        if opened is not None:
            return opened
    return None


def _undecorated(phrase: Phrase) -> list[Phrase]:
    before = pattern(_DECORATION_BEFORE).match(phrase.folded)
    return [phrase, phrase.cut(before.end())] if before else [phrase]


def lines_at(phrase: Phrase, position: int) -> Found | None:
    """Return the longest reference that starts at `position`."""
    return _exception(phrase, position) or _exception_after(phrase, position) or _list(phrase, position)


def _exception(phrase: Phrase, position: int) -> Found | None:
    """Read 除了第1行以外的所有行."""
    start = pattern(_EXCEPT_BEFORE).match(phrase.folded, position)
    spared = _list(phrase, start.end()) if start else None
    rest = pattern(_EXCEPT_AFTER).match(phrase.folded, spared.end) if spared else None
    if spared is None or rest is None:
        return None
    return Found(excluding(ALL_LINES, spared.lines), rest.end())


def _exception_after(phrase: Phrase, position: int) -> Found | None:
    """Read `every line except line 3`."""
    start = pattern(_EVERYTHING + _BUT).match(phrase.folded, position)
    spared = (_list(phrase, start.end()) or _bare_position(phrase, start.end())) if start else None
    return Found(excluding(ALL_LINES, spared.lines), spared.end) if spared else None


def _bare_position(phrase: Phrase, position: int) -> Found | None:
    """Read `the first` where lines have been named before."""
    match = pattern(rf"(?:the )?(?P<position>{en_lines.POSITION})(?: one)?(?! \w)").match(
        phrase.folded, position
    )
    return Found(nth(en_lines.position_value(match["position"])), match.end()) if match else None


def _list(phrase: Phrase, position: int) -> Found | None:
    found = _range(phrase, position)
    while found:
        joint = pattern(_LISTS).match(phrase.folded, found.end)
        following = _range(phrase, joint.end()) if joint else None
        if following is None or not _can_join(found.lines, following.lines):
            break
        joined = Lines(found.lines.picks + following.lines.picks, found.lines.unit, found.lines.inside)
        found = Found(joined, following.end)
    return found


def _can_join(first: Lines, second: Lines) -> bool:
    plain = first.but is None and second.but is None
    return plain and first.unit == second.unit and first.inside == second.inside


def _range(phrase: Phrase, position: int) -> Found | None:
    opening = pattern(r"(?:从|自|from )").match(phrase.folded, position)
    first = _part(phrase, opening.end() if opening else position)
    if first is None:
        return _rest(phrase, position)
    rest = zh_lines.rest_of(first.lines, phrase, first.end) or en_lines.rest_of(
        first.lines, phrase, first.end
    )
    if rest:
        return rest
    joint = pattern(_RANGES).match(phrase.folded, first.end)
    last = _part(phrase, joint.end()) if joint else None
    return _run(first, last) or first


def _run(first: Found, last: Found | None) -> Found | None:
    if last is None or first.lines.unit != last.lines.unit:
        return None
    start, end = first.lines.single_numbers(), last.lines.single_numbers()
    if start is None or end is None or len(start) + len(end) != 2:
        return None
    return Found(Lines((Run(start[0], end[0]),), first.lines.unit, first.lines.inside), last.end)


def _rest(phrase: Phrase, position: int) -> Found | None:
    """Read `everything after line 5`."""
    start = en_lines.rest_before(phrase, position)
    found = _part(phrase, start[1]) if start else None
    numbers = found.lines.single_numbers() if found else None
    if start is None or found is None or numbers is None or len(numbers) != 1:
        return None
    run = start[0](numbers[0])
    onward = en_lines.rest_of(found.lines, phrase, found.end)
    end = onward.end if onward else found.end
    return Found(Lines((run,), found.lines.unit), end) if run.first and run.last else None


def _part(phrase: Phrase, position: int) -> Found | None:
    """Read an atom, with the larger unit it is counted in: 第2段的第一行, the last sentence of line 3."""
    first = _atom(phrase, position)
    if first is None:
        return None
    for joint_words, outer_first in ((_INSIDE, True), (_OF, False)):
        joint = pattern(joint_words).match(phrase.folded, first.end)
        second = _atom(phrase, joint.end()) if joint and joint.end() < len(phrase.folded) else None
        if second is None:
            continue
        outer, inner = (first.lines, second.lines) if outer_first else (second.lines, first.lines)
        if outer.unit in _SMALLER[inner.unit] and inner.inside is None:
            return Found(Lines(inner.picks, inner.unit, outer, each=inner.each), second.end)
    return first


def _atom(phrase: Phrase, position: int) -> Found | None:
    """Return the longest atom at `position`."""
    found = [*_numbered(phrase, position), *_holding(phrase, position)]
    return max(found, key=lambda atom: atom.end, default=None)


def _numbered(phrase: Phrase, position: int) -> Iterator[Found]:
    for words, read in (*zh_lines.NUMBERED, *en_lines.NUMBERED):
        match = pattern(words).match(phrase.folded, position)
        lines = read(match) if match else None
        if match and lines is not None:
            yield Found(lines, match.end())


def _holding(phrase: Phrase, position: int) -> Iterator[Found]:
    for language in (zh_lines, en_lines):
        for words in language.HOLDING:
            match = pattern(words).match(phrase.folded, position)
            if match:
                yield Found(language.read_holding(match, phrase), match.end())
