"""How a script is divided: headings with what stands under them, blocks between blank lines, time stamps.

All of it is found anew from the text. A heading is a Markdown heading, or a short line that is nothing but
a title: `【开头】`, `[HOOK]`, `**Hook**`, `Hook:`, `第一部分`, `Part 2`. Cues such as `[PAUSE]` are none.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from script_editor.domain.counting import EN, ZH
from script_editor.domain.matching import fold
from script_editor.domain.segments import NumberedScript, Segment
from script_editor.domain.speakers import speaker_key, speakers
from script_editor.patterns import Pattern

_MARKDOWN = Pattern(r"(#{1,6})\s+(.+?)(?:\s+#+)?")
_BRACKETED = Pattern(
    r"(?:【([^【】]{1,30})】|\[([^\[\]:：]{1,30})\]|\*\*([^*]{1,40})\*\*|__([^_]{1,40})__)[:：]?"
)
_COLON_ONLY = Pattern(r"([^\s:：，。！？,.!?][^:：，。！？,.!?]{0,29})[:：]")
_NUMBERED = Pattern(
    rf"第{ZH}(?:部分|章|节|幕|集|场|讲|课|段|篇|回)(?:[\s:：·—-].{{0,30}}|[^，。！？,.!?]{{0,20}})?"
    rf"|[一二三四五六七八九十]{{1,3}}、[^，。！？,.!?]{{1,20}}"
    rf"|(?:part|section|chapter|scene|act|segment|episode) (?:{EN}|[ivx]{{1,4}}\b)(?:\s*[:：.—-]\s*.{{1,40}})?",
    re.IGNORECASE,
)
_CUE = Pattern(
    r"pause|beat|music|sfx|sound|silence|on[ -]?screen|cut|fade|b-?roll|title card|laugh|applause|zoom|close[ -]?up|v\.?o\.?|"
    r"停顿|音乐|音效|画面|镜头|转场|字幕|特写|切|淡|笑|掌声|空镜|BGM|旁白|配乐|特效",
    re.IGNORECASE,
)
_ASIDE_AT_END = Pattern(r"\s*[(（\[][^()（）\[\]]*[)）\]]\s*$")
_CLOCK = r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,3}))?"
_LEADING_TIME = Pattern(rf"(?:[-*>]\s+)?[\[(（【]?\s*{_CLOCK}(?!\d)")
_CUE_TIMES = Pattern(rf"{_CLOCK}\s*-->\s*{_CLOCK}")
_TRAILING_TIME = Pattern(rf"[\[(（【]\s*{_CLOCK}[^()（）\[\]【】]*[\])）】]$")

OPENING = frozenset({
    "开头", "开场", "开篇", "片头", "引子", "导入", "引言", "开场白", "钩子", "hook", "intro",
    "introduction", "opening", "opener",
})  # fmt: skip
ENDING = frozenset({
    "结尾", "收尾", "结束", "尾声", "结语", "片尾", "结束语", "总结", "行动号召", "outro", "ending",
    "closing", "close", "conclusion", "cta", "wrap-up", "end",
})  # fmt: skip
SYNONYMS = (OPENING, ENDING)
"""Titles, as keys, that mean the same part of a script."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines under it, up to the next heading of its level or a higher one.

    `members` are without the heading itself, unless nothing else is under it.
    """

    title: str
    heading: int
    level: int
    members: tuple[int, ...]

    @property
    def key(self) -> str:
        """What its title is compared by."""
        return title_key(self.title)


@dataclass(frozen=True, slots=True)
class Stamp:
    """A moment at which lines begin; `members` are spoken from then to the next stamp."""

    seconds: float
    members: tuple[int, ...]


def title_key(title: str) -> str:
    """Return a title without marks, case, and a time or remark in brackets behind it."""
    folded = fold(title)[0].strip().lstrip("#").strip().strip("*_【】[]").strip().removesuffix(":")
    return (_ASIDE_AT_END.sub("", folded) or folded).strip().casefold()


class Outline:
    """The divisions of one script, each computed once, when first asked for."""

    def __init__(self, script: NumberedScript):
        self.script = script

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All sections in order of their headings."""
        heads = list(_headings(self.script))
        last = len(self.script.segments)
        found = []
        for index, (number, level, title) in enumerate(heads):
            end = next((n for n, other, _ in heads[index + 1 :] if other <= level), last + 1)
            found.append(Section(title, number, level, tuple(range(number + 1, end)) or (number,)))
        return tuple(found)

    @cached_property
    def speakers(self) -> tuple[str, ...]:
        """The names that label lines."""
        return speakers(self.script)

    @cached_property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The lines between blank lines, without headings; blocks of nothing but headings are left out."""
        headings = {section.heading for section in self.sections}
        groups: list[list[int]] = []
        previous: Segment | None = None
        for segment in self.script.segments:
            if previous is None or segment.line != previous.line + 1 or previous.number in headings:
                groups.append([])
            if segment.number not in headings:
                groups[-1].append(segment.number)
            previous = segment
        return tuple(tuple(group) for group in groups if group)

    @cached_property
    def spoken(self) -> tuple[int, ...]:
        """The lines that are neither headings nor cue numbers and times."""
        headings = {section.heading for section in self.sections}
        machinery = {
            number for segment in self.script.segments for number in _machinery(self.script, segment)
        }
        return tuple(s.number for s in self.script.segments if s.number not in headings | machinery)

    @cached_property
    def stamps(self) -> tuple[Stamp, ...]:
        """The moments named in the text, in order of the lines."""
        starts = [
            (segment.number, seconds)
            for segment in self.script.segments
            if (seconds := _seconds(segment.content)) is not None
        ]
        headings = {section.heading for section in self.sections}
        found = []
        for index, (number, seconds) in enumerate(starts):
            end = starts[index + 1][0] if index + 1 < len(starts) else len(self.script.segments) + 1
            members = [n for n in range(number, end) if n in self.spoken_set or n == number]
            is_bare = number in headings or number not in self.spoken_set
            kept = members[1:] if is_bare and len(members) > 1 else members
            found.append(Stamp(seconds, tuple(kept)))
        return tuple(found)

    @cached_property
    def spoken_set(self) -> frozenset[int]:
        """The same as a set."""
        return frozenset(self.spoken)

    @cached_property
    def has_cues(self) -> bool:
        """Whether the text is in cues with times of their own, as subtitles are."""
        return any(_CUE_TIMES.match(segment.content) for segment in self.script.segments)

    def block_of(self, number: int) -> tuple[int, ...]:
        """Return the block that a line stands in, or the line alone."""
        return next((block for block in self.blocks if number in block), (number,))

    def at_time(self, seconds: float) -> tuple[int, ...]:
        """Return the lines spoken at a moment: those that begin then, else those that began last before it."""
        exact = [stamp for stamp in self.stamps if int(stamp.seconds) == int(seconds)]
        if exact:
            return tuple(sorted({number for stamp in exact for number in stamp.members}))
        earlier = [stamp for stamp in self.stamps if stamp.seconds <= seconds]
        return max(earlier, key=lambda stamp: stamp.seconds).members if earlier else ()

    def in_time(self, start: float, end: float) -> tuple[int, ...]:
        """Return the lines that begin between two moments, both included, or run at the first one."""
        begun = {
            n for stamp in self.stamps if int(start) <= int(stamp.seconds) <= int(end) for n in stamp.members
        }
        return tuple(sorted(begun | set(self.at_time(start))))


def _headings(script: NumberedScript) -> Iterator[tuple[int, int, str]]:
    """Yield number, level and title of each heading; bare titles count only where no Markdown headings are."""
    marked = [
        (segment.number, len(match[1]), match[2].strip())
        for segment in _outside_code(script)
        if (match := _MARKDOWN.fullmatch(segment.content))
    ]
    return iter(marked) if marked else _bare_headings(script)


def _outside_code(script: NumberedScript) -> Iterator[Segment]:
    """Yield the lines that are not between code fences, where "# " opens a comment."""
    is_code = False
    for segment in script.segments:
        if segment.content.startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code:
            yield segment


def _bare_headings(script: NumberedScript) -> Iterator[tuple[int, int, str]]:
    names = {speaker_key(name) for name in speakers(script)}
    times = Counter(segment.content for segment in script.segments)
    above = -2
    for segment in _outside_code(script):
        title = _bare_title(segment.content, has_space_above=segment.line != above + 1)
        if title and times[segment.content] == 1 and speaker_key(title) not in names:
            yield segment.number, 1, title
        above = segment.line


def _bare_title(content: str, *, has_space_above: bool) -> str:
    """Return the title that a line without Markdown is, "" when it is none."""
    if len(content) > 60:
        return ""
    bracketed = _BRACKETED.fullmatch(content)
    if bracketed:
        title = next(group for group in bracketed.groups() if group is not None).strip()
        return "" if _CUE.search(title) or not any(char.isalpha() for char in title) else title
    colon = _COLON_ONLY.fullmatch(content)
    if colon and len(colon[1].split()) <= 4 and len(colon[1]) <= 20:
        return colon[1].strip() if has_space_above else ""  # directly under a line, it announces the next one
    return content if _NUMBERED.fullmatch(content) else ""


def _seconds(content: str) -> float | None:
    """Return the moment that a line names: at its start, or in brackets at the end of a heading."""
    match = _LEADING_TIME.match(content) or (_TRAILING_TIME.search(content) if content[0] in "#【*" else None)
    return clock(match[1], match[2], match[3], match[4]) if match else None


def clock(first: str, second: str, third: str | None, fraction: str | None = None) -> float:
    """Return seconds of "m:ss" or "h:mm:ss", with thousandths."""
    parts: Sequence[str] = (first, second) if third is None else (first, second, third)
    seconds = 0
    for part in parts:
        seconds = seconds * 60 + int(part)
    return seconds + (int(fraction.ljust(3, "0")) / 1000 if fraction else 0)


def _machinery(script: NumberedScript, segment: Segment) -> Iterator[int]:
    """Yield a line of cue times and the cue number above it."""
    if _CUE_TIMES.match(segment.content):
        yield segment.number
        above = script.segments[segment.number - 2] if segment.number > 1 else None
        if above is not None and above.content.isdecimal() and above.line == segment.line - 1:
            yield above.number
