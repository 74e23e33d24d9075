"""The lines that an instruction names, clause by clause; none when it is about the whole text.

A request about the whole must never look like one about a place, so a clause about tone or length that
names no place makes everything of it, except where it goes on about the place of the clause before.
"""

import re
from collections.abc import Iterator

from script_editor.domain.locks.phrases import stands_alone
from script_editor.domain.places.content_words import FEW, LineIndex, lines_meant, place_part
from script_editor.domain.places.line_numbers import Ordinal, read_lists
from script_editor.domain.places.lost import counted_things, named_pieces, pointed_passages
from script_editor.domain.places.numbered_lines import resolve
from script_editor.domain.places.outline import ENDING, OPENING, Outline, clock
from script_editor.domain.places.substitutions import substituted
from script_editor.domain.places.wholeness import (
    QUOTED,
    Clause,
    Wish,
    asks_for_style,
    goes_on_to_everything,
    names_everything,
    only_shows_a_manner,
    read_wish,
)
from script_editor.domain.speakers import speaker_key, speaker_lines
from script_editor.patterns import Pattern

Numbers = tuple[int, ...]

_OPENING_LINES, _ENDING_LINES = 2, 3
_BLOCK_LIMIT = 40
_NEAR = 200
"""So many characters before a quotation say what it is for."""

_OPENING = Pattern(
    r"开头|开场|开篇|片头|引子|钩子|一上来|一开始(?!就)|最前面|起头|\b(?:opening|opener|intro|introduction"
    r"|hook|beginning|(?:at|from|to) the (?:very )?(?:start|top)"
    r"|(?:opens?|starts?|begins?|starting|beginning) (?:it |this |off )?with)\b"
)
_ENDING = Pattern(
    r"结尾|收尾|末尾|片尾|结束语|结语|尾声|文末|最后面?(?=加|补|添|写|放|来|再|的|面|那|部分|,|$|\ue000)"
    r"|\b(?:ending|outro|closing|conclusion|cta|call to action|sign-?off|wrap-?up"
    r"|(?:at|to|towards?|near) the (?:very )?(?:end|bottom)|(?:end|finish|close|wrap up|conclude)s? (?:it "
    r"|this |off )?(?:with|on))\b"
)
_TITLE = Pattern(r"标题|小标题|\b(?:titles?|headings?|headlines?)\b")
_TIME = Pattern(
    r"(?<![\d:])(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,3}))?(?:\s*(?:-->|-|~|到|至|to"
    r"|and)\s*(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,3}))?)?"
)
_LEFT_OUT = Pattern(r"…+|\.{3,}|。{3,}")
_NEW_QUOTED = Pattern(
    r"(?:(?:改|换|替换|变|写|说|统一)(?:成|为)|用|加(?:上|入|一句|一个)?|添上|补上|补一句"
    r"|\b(?:add|insert|append|use|using|call(?:ed)?)|\b(?:replac|swap|chang|substitut)\w* [^,]{1,80} (?:with|to|by|for)) ?:?$"
)
_BLOCK = Pattern(
    r"[那这哪]一?(?:段|部分|块|节)|段落?|部分|\b(?:paragraphs?|parts?|bit|sections?|passage|story|anecdote|scene)\b"
)
_BARE = Pattern(
    r"(?:^|[,;、(&]\s*|\b(?:and|or|then|also|plus|not)\s+|[和与跟及]|还有|以及)\s*(?P<n>\d{1,6})"
    r"(?=\s*(?:$|[,;、)&和与跟及也都]|(?:and|or|too|also|as well|needs?|is|are|should|sounds?|feels?|can|could|gets?|has)\b))"
)
_ALIASES = (
    frozenset({"host", "主持人", "主持", "anchor", "主播"}),
    frozenset({"guest", "嘉宾", "嘉賓", "来宾"}),
    frozenset({"narrator", "narration", "旁白", "画外音", "voiceover", "voice-over", "vo", "解说"}),
)  # fmt: skip


def instructed_places(instruction: str, outline: Outline) -> set[int]:
    """Return the lines that an instruction names; none when it names none or is about the whole text."""
    wish = read_wish(instruction)
    reading = _Reading(outline)
    return reading.only_swapped(wish) if names_everything(wish) else reading.lines(wish)


class _Reading:
    """Instructions read against one script."""

    def __init__(self, outline: Outline):
        self.outline = outline
        self.index = LineIndex((segment.number, segment.content) for segment in outline.script.segments)

    def only_swapped(self, wish: Wish) -> set[int]:
        """Return where the expressions stand that are replaced everywhere; none when more than that is asked for."""
        swapped = {clause: substituted(clause, self.index) for clause in wish.clauses}
        if any(asks_for_style(clause.text) for clause, lines in swapped.items() if not lines):
            return set()
        return set().union(*swapped.values())

    def lines(self, wish: Wish) -> set[int]:
        """Return all lines named, or none when a clause turns out to be about everything or names what is not found."""
        named = [(clause, self._named(clause)) for clause in wish.clauses]
        found = {number for _, lines in named for number in lines}
        if goes_on_to_everything((clause, bool(lines)) for clause, lines in named):
            return set()
        if found and any(self._loses(clause) for clause in (*wish.clauses, *wish.mixed)):
            return set()
        texts = [clause.text for clause in (*wish.clauses, *wish.mixed)] if found else []
        found |= {number for text in texts for o in _ordinals(text) for number in self._numbered(o, text)}
        return found | {number for text in texts for number in self._bare(text)}

    def _bare(self, text: str) -> Iterator[int]:
        """Yield the numbers without a unit that go on with a list of an earlier clause: "but 12 needs work"."""
        for match in _BARE.finditer(text):
            if 0 < int(match["n"]) <= len(self.outline.script.segments):
                yield int(match["n"])

    def _loses(self, clause: Clause) -> bool:
        """Say whether a clause names something by number, by quotation or by name that is nowhere to be found."""
        ordinals = [ordinal for ordinal in _ordinals(clause.text) if not ordinal.is_guess]
        spans = [range(ordinal.start, ordinal.end) for ordinal in ordinals]
        return (
            any(self._is_missing(ordinal, clause.text) for ordinal in ordinals)
            or any(not self.index.with_passage(thing) for thing in counted_things(clause, spans))
            or any(not self._with_passage(passage) for passage in pointed_passages(clause))
            or any(not self._named(Clause(piece, ())) for piece in named_pieces(clause))
            or any(self._is_no_time(match) for match in _TIME.finditer(place_part(clause.text)))
        )

    def _is_missing(self, ordinal: Ordinal, clause: str) -> bool:
        if ordinal.unit == "section" and re.match(r"\s*(?:of|的)", clause[ordinal.end :]):
            return False  # "the first part of line 3" is no section
        most = len(self.outline.script.segments)
        is_outside = ordinal.unit == "line" and max(ordinal.last, ordinal.first, -ordinal.first) > most
        return is_outside or not self._numbered(ordinal, clause)

    def _is_no_time(self, match: re.Match[str]) -> bool:
        return not any(self._times(match[0])) and not self.index.with_passage(match[0])

    def _named(self, clause: Clause) -> set[int]:
        explicit = set(self._by_structure(clause.text))
        quoted = self._with_passages(clause) | substituted(clause, self.index)
        if len(quoted) > FEW and quoted & explicit:
            quoted &= explicit  # the words are in many lines, and the clause says which ones it means
        loose = quoted | lines_meant(_without_numbers(clause.text), self.index)
        if _BLOCK.search(clause.text):
            loose |= {number for hit in loose for number in self._around(hit)}
        return explicit | loose | {number for hit in loose for number in self._under_heading(hit)}

    def _with_passages(self, clause: Clause) -> set[int]:
        """Return the lines that hold the quoted passages of a clause, except new text and what only shows a manner."""
        found: set[int] = set()
        before = clause.text.split(QUOTED)
        for position, text in enumerate(() if only_shows_a_manner(clause) else clause.quoted):
            if not _NEW_QUOTED.search(QUOTED.join(before[max(position - 3, 0) : position + 1])[-_NEAR:]):
                found |= self._with_passage(text)
        return found

    def _with_passage(self, text: str) -> set[int]:
        """Return the lines that hold a passage, or all its pieces where dots stand for what was left out."""
        pieces = [piece.strip() for piece in _LEFT_OUT.split(text) if len(piece.strip()) > 1]
        return self.index.with_passage(text) or set.intersection(
            *(self.index.with_passage(piece) for piece in pieces or [text])
        )

    def _by_structure(self, clause: str) -> Iterator[int]:
        """Yield the lines that numbers, sections, speakers, times and words such as "the opening" name."""
        bases = [*self._sections(clause), *self._speakers(clause), *self._times(clause)]
        ordinals = _ordinals(clause)
        for ordinal in ordinals:
            yield from self._numbered(ordinal, clause)
            for base in bases:
                yield from resolve(ordinal, self.outline, among=base)
        if not ordinals:
            for base in bases:
                yield from base
        yield from self._ends(clause, has_base=bool(bases))
        if _TITLE.search(clause):
            yield from (section.heading for section in self.outline.sections)

    def _numbered(self, ordinal: Ordinal, clause: str) -> Numbers:
        if ordinal.unit == "section":
            name = clause[ordinal.start : ordinal.end].replace(" ", "")
            titled = [s for s in self.outline.sections if s.key.replace(" ", "").startswith(name)]
            if titled:
                return tuple(number for s in titled for number in (s.heading, *s.members))
        return resolve(ordinal, self.outline)

    def _ends(self, clause: str, *, has_base: bool) -> Iterator[int]:
        spoken = self.outline.spoken
        for pattern, keys, lines in (
            (_OPENING, OPENING, spoken[:_OPENING_LINES]),
            (_ENDING, ENDING, spoken[-_ENDING_LINES:]),
        ):
            if not pattern.search(clause):
                continue
            sections = [section for section in self.outline.sections if section.key in keys]
            for section in sections:
                yield from (section.heading, *section.members)
            if not sections and not (has_base and re.search(r"的(?:开头|结尾|末尾)|of the", clause)):
                yield from lines

    def _sections(self, clause: str) -> Iterator[Numbers]:
        for section in self.outline.sections:
            if len(section.key) >= 2 and _has_name(clause, section.key):
                yield (section.heading, *section.members)

    def _speakers(self, clause: str) -> Iterator[Numbers]:
        for name in self.outline.speakers:
            key = speaker_key(name)
            names = next((group | {key} for group in _ALIASES if key in group), frozenset({key}))
            if any(len(alias) >= 2 and _has_name(clause, alias) for alias in names):
                yield speaker_lines(self.outline.script, name)

    def _times(self, clause: str) -> Iterator[Numbers]:
        for match in _TIME.finditer(clause):
            start = clock(*match.group(1, 2, 3, 4))
            end = start if match[5] is None else clock(*match.group(5, 6, 7, 8))
            lines = self.outline.at_time(start) if end <= start else self.outline.in_time(start, end)
            if lines:
                yield lines

    def _around(self, number: int) -> Numbers:
        block = self.outline.block_of(number)
        return block if len(block) <= _BLOCK_LIMIT and len(self.outline.blocks) > 1 else (number,)

    def _under_heading(self, number: int) -> Numbers:
        return next((s.members for s in self.outline.sections if s.heading == number), ())


def named_ordinals(clause: str) -> tuple[tuple[Ordinal, ...], ...]:
    """Return the lists of what a clause names by number, without the numbers of times."""
    return read_lists(_TIME.sub(lambda match: " " * len(match[0]), clause))


def _ordinals(clause: str) -> tuple[Ordinal, ...]:
    return tuple(ordinal for row in named_ordinals(clause) for ordinal in row)


def _without_numbers(clause: str) -> str:
    """Return a clause without the digits that number lines, so that they are not looked for in the lines' words."""
    chars = list(clause)
    for ordinal in _ordinals(clause):
        if ordinal.unit != "section":
            chars[ordinal.start : ordinal.end] = re.sub(r"\d", "_", clause[ordinal.start : ordinal.end])
    return "".join(chars)


def _has_name(clause: str, name: str) -> bool:
    """Say whether a name stands in a clause, and not inside a longer word."""
    start = clause.find(name)
    while start >= 0:
        if stands_alone(clause, start, start + len(name)):
            return True
        start = clause.find(name, start + 1)
    return False
