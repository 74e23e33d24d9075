"""Lines that are no speech must not be written on: cue times and numbers, the head of subtitles, fences, rules.

`structure` asks whether a mark is still there. Here it is asked whether something was put before or behind it,
which breaks the file for every player and reader, whatever the edit was to be. Only what is new counts.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from script_editor.domain.findings import Finding, GuardContext
from script_editor.domain.guards.alignment import changed_pairs
from script_editor.domain.guards.suspicion import listed
from script_editor.domain.intent import read_intent
from script_editor.domain.segments import NumberedScript, Segment
from script_editor.patterns import Pattern

_CLOCK = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_ARROW = Pattern(rf"{_CLOCK}\s*-->\s*{_CLOCK}")
_SETTINGS = r"(?:\s+[A-Za-z][\w-]*:[^\s:]+)*"
_CUE_TIMES = Pattern(rf"{_CLOCK}\s*-->\s*{_CLOCK}{_SETTINGS}")
_PAIR = r"\d{1,2}:\d{2}:\d{2}\.\d{3},\d{1,2}:\d{2}:\d{2}\.\d{3}"
_SBV_TIMES, _SBV = Pattern(_PAIR), Pattern(rf"(?<!\d){_PAIR}(?!\d)")
_CUE_NUMBER = Pattern(r"\d{1,6}")
_RANGE = rf"{_CLOCK}(?:\s*(?:-->|[-–—~～至到])\s*{_CLOCK})?"
_LEADING_TIME = Pattern(rf"[\[(（【<]\s*{_RANGE}\s*[\])）】>]")
_FENCE = Pattern(r"(?P<run>`{3,}|~{3,})[^`~]{0,60}")
_HEADING = Pattern(r"#{1,6}\s+\S.*")
_RULE = Pattern(r"(?:-\s?){3,}|(?:\*\s?){3,}|(?:_\s?){3,}|(?:=\s?){3,}|[—－─━═]{3,}|(?:~\s?){3,}")
_ASKS_FOR_TIMES = Pattern(
    r"时间[码轴戳]|時間[碼軸戳]|同一行|格式|纯文本"
    r"|\b(?:time ?codes?|time ?stamps?|timings?|same line|format\w*|convert\w*|plain text)\b",
    re.IGNORECASE,
)
_ASKS_FOR_LABELS = Pattern(
    r"说话人|發言人|发言人|角色|标签|标注|时间|\b(?:speakers?|labels?|names?|tags?|times?|stamps?)\b",
    re.IGNORECASE,
)
_ASKS_FOR_MARKERS = Pattern(
    r"代码|程式碼|分[隔割]|横线|格式|纯文本|markdown|html|\b(?:code|fences?|dividers?|separators?|rules?|format\w*|plain text)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Broken:
    """An old line that is none any more, and the new line that was made of it, if there is one."""

    kind: str
    shown: str
    old: Segment
    new: Segment | None


def frames(before: NumberedScript, after: NumberedScript, context: GuardContext) -> Iterator[Finding]:
    """Find such lines that something was written on. The first of them is told, with how many there are."""
    sides, intent = _Sides(before, after), read_intent(context.instruction)
    if not sides.gone:
        return
    found: list[_Broken] = []
    if not _ASKS_FOR_TIMES.search(context.instruction):
        found += [*sides.broken_times(), *sides.broken_numbers()]
        found += () if _ASKS_FOR_LABELS.search(context.instruction) else sides.buried_times()
        found += () if intent.structure else sides.changed_settings()
        found += () if intent.translation or intent.genre else sides.broken_head()
    if not _ASKS_FOR_MARKERS.search(context.instruction):
        markers = [*sides.broken_markers()]
        may_go = intent.removal or intent.genre or intent.summary
        found += markers if markers or may_go else sides.open_fence()
    if found:
        yield _finding(sorted({broken.old.number: broken for broken in found}.values(), key=_number))


class _Sides:
    """The lines of both texts that are new, or gone as they were."""

    def __init__(self, before: NumberedScript, after: NumberedScript):
        self.before, self.after = before.segments, after.segments
        had, has = (Counter(line.content for line in side) for side in (self.before, self.after))
        gone, fresh = had - has, has - had
        self.pairs = changed_pairs(before, after)
        self.source = {new.number: old for old, new in self.pairs if old is not None and new is not None}
        self.gone = [line for line in self.before if gone[line.content]]
        self.fresh = [line for line in self.after if fresh[line.content]]

    def broken_times(self) -> Iterator[_Broken]:
        """Yield the lines of cue times on which more stands than times and the settings of WebVTT."""
        for sign, whole in ((_ARROW, _CUE_TIMES), (_SBV, _SBV_TIMES)):
            times = {match[0]: line for line in self.gone if (match := sign.match(line.content))}
            for line in self.fresh:
                match = sign.search(line.content)
                if match and match[0] in times and whole.fullmatch(line.content) is None:
                    old = times[match[0]]
                    if whole.fullmatch(old.content):
                        yield _Broken("time code", old.content, old, line)

    def changed_settings(self) -> Iterator[_Broken]:
        """Yield the lines of cue times that kept the times and lost or got what stands behind them."""
        times = {
            match[0]: line
            for line in self.gone
            if _CUE_TIMES.fullmatch(line.content) and (match := _ARROW.match(line.content))
        }
        for line in self.fresh:
            match = _ARROW.match(line.content)
            if match and match[0] in times and _CUE_TIMES.fullmatch(line.content):
                yield _Broken("time code", times[match[0]].content, times[match[0]], line)

    def broken_numbers(self) -> Iterator[_Broken]:
        """Yield the numbers of cues that are still above their times, with words beside them."""
        heads = dict(_heads(self.before))
        gone = {line.content: line for line in self.gone if line.number in heads}
        fresh = {line.number for line in self.fresh}
        for line in _heads(self.after).values():
            if line.number not in fresh:
                continue
            for shown, old in gone.items():
                if _is_glued(line.content, shown):
                    yield _Broken("cue number", shown, old, line)

    def broken_head(self) -> Iterator[_Broken]:
        """Yield the head of WebVTT when the text no longer begins with it as it was."""
        first = self.before[0]
        if first.content.startswith("WEBVTT") and self.after and self.after[0].content != first.content:
            yield _Broken("marker", first.content, first, self.after[0])

    def buried_times(self) -> Iterator[_Broken]:
        """Yield the bracketed times that lines begin with, when words were put before them."""
        times = {match[0]: line for line in self.gone if (match := _LEADING_TIME.match(line.content))}
        for line in self.fresh if times else ():
            match = _LEADING_TIME.search(line.content)
            if match and match[0] in times and _is_word(line.content[: match.start()]):
                yield _Broken("time code", match[0], times[match[0]], line)

    def broken_markers(self) -> Iterator[_Broken]:
        """Yield code fences, rules and headings with words before them, and fences and rules with words behind them."""
        markers = {
            line.content: line
            for line in self.gone
            if _FENCE.fullmatch(line.content) or _RULE.fullmatch(line.content)
        }
        for line in self.fresh if markers else ():
            old = next((old for shown, old in markers.items() if _is_on(line.content, shown)), None)
            if old is not None:
                stood_here = self.source.get(line.number)
                is_it = stood_here is not None and stood_here.content == old.content
                yield _Broken("marker", old.content, stood_here if stood_here and is_it else old, line)
        for old in self.gone:
            if _HEADING.fullmatch(old.content):
                buried = (
                    line
                    for line in self.fresh
                    if _is_word(line.content.partition(old.content)[0]) and old.content in line.content
                )
                yield from (_Broken("heading", old.content, old, line) for line in buried)

    def open_fence(self) -> Iterator[_Broken]:
        """Yield a fence that went without its other half, or became another one."""
        was, is_now = (sum(map(_is_fence, side)) for side in (self.before, self.after))
        gone = [line for line in self.gone if _is_fence(line)]
        if gone and was % 2 == 0 and is_now % 2:
            yield _Broken("marker", gone[0].content, gone[0], None)
        for old, new in self.pairs:
            if old is not None and new is not None and _is_fence(old) and _is_fence(new):
                yield _Broken("marker", old.content, old, new)


def _heads(lines: tuple[Segment, ...]) -> dict[int, Segment]:
    """Return the lines directly above cue times, by number."""
    return {
        line.number: line
        for line, below in pairwise(lines)
        if _CUE_TIMES.fullmatch(below.content) or _SBV_TIMES.fullmatch(below.content)
    }


def _is_glued(content: str, number: str) -> bool:
    """Say whether a line is a number with words before or behind it."""
    if _CUE_NUMBER.fullmatch(number) is None or len(content) <= len(number):
        return False
    behind, before = content.removeprefix(number), content.removesuffix(number)
    return (behind != content and not behind[0].isdigit()) or (before != content and not before[-1].isdigit())


def _is_on(content: str, marker: str) -> bool:
    """Say whether a line is a marker with words before or behind it."""
    rest = content.removeprefix(marker) if content.startswith(marker) else content.removesuffix(marker)
    return rest != content and _is_word(rest)


def _is_word(text: str) -> bool:
    """Say whether a text holds more than signs, such as those of a list or a quotation."""
    return any(char.isalnum() for char in text)


def _is_fence(line: Segment) -> bool:
    return _FENCE.fullmatch(line.content) is not None


def _number(broken: _Broken) -> int:
    return broken.old.number


def _finding(found: list[_Broken]) -> Finding:
    first = found[0]
    places = tuple(sorted({broken.new.number for broken in found if broken.new is not None}))
    see = f"; see {listed(places)}" if places else ""
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    return Finding(
        guard="structure",
        code="structure_lost",
        level="error",
        message=f"The {first.kind} {first.shown}{more} of line {first.old.number} is missing from the edited text{see}.",
        segments=places,
        example=first.new.content[:80] if first.new is not None else "",
        was=first.old.content[:80],
    )
