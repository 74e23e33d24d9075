"""Cutting an instruction into its parts: at ；, 然后, `and then`, line breaks and list numbers.

A joint is one only if the words on both sides can be read; so text that holds 再 or `and` without
quotation marks stays whole. The shortest readable piece is taken first, and a text after a colon
runs to the end of the instruction or of its list item.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from script_editor.offline import doubts, refusals
from script_editor.offline.grammar import read_part
from script_editor.offline.remarks import is_trailing
from script_editor.offline.requests import (
    EVERY,
    DeleteLines,
    InsertLines,
    MoveLines,
    Narrow,
    Nothing,
    Part,
    Reading,
    ReplaceText,
    RewriteLines,
    SwapLines,
)
from script_editor.offline.wording import Phrase, language_of, pattern

_MARKS = r"[,;\n]|\((?!\))|(?<!\()\)|、(?!\s*第?[\d一二两三四五六七八九十])|(?<=[。!?])|(?<=\.)(?=\s|$)"
_WORDS = (
    r"(?=然后|接着|接下来|随后|之后|而后|再|并|同时|以及|另外|此外|还有|还要|也|顺便|而且|其次|首先"
    r"|最后|但)|\b(?=(?:and|then|also|next|after that|finally|plus|but|except|as well as)\b)"
)
_JOINT = rf"(?P<mark>{_MARKS})|{_WORDS}"
_ITEM = (
    r"(?:(?:^|(?<=[\s:;,。.]))(?:\(?(?P<number>\d{1,3})\s*[.、):](?!\d)"
    r"|第(?P<step>[一二三四五六七八九十])(?:步|点|条|处)?[,、:])"
    r"|(?:^|(?<=[\s:;,。.]))(?P<zh>[一二三四五六七八九十])、"
    r"|(?P<circled>[①②③④⑤⑥⑦⑧⑨⑩]))\s*"
)
_BULLET = r"(?:^|(?<=\n))\s*[-*•·]\s+"
_INTRO = (
    r"[^:\n]{0,30}(?:如下|以下|下面|几处|几点|修改|改动|following|changes?|edits?|things|this"
    r"|these)[^:\n]{0,12}:\s*"
)
_LEAD_WORDS = (
    r"(?:请|麻烦|你|您|帮我|帮忙|需要|我想|要|做|作|进行|有|以下|下面|这|几|[一二两三四五六1-6]|处|个|点|地方|的|小|按|照|根据"
    r"|稿子|文案|脚本|全文|内容|意见|如|一下|下)"
)
_LEAD_IN = (
    rf"(?:{_LEAD_WORDS}*(?:修改|改动|更改|更正|调整|编辑|改){_LEAD_WORDS}*|(?:please |can you |could you |i'd like |i want "
    r"|make |do |need |the |these |following |here are |a |an |one |two |three |four |few |some |couple of |quick |small "
    r"|minor |more |my )*(?:edits?|changes?|fix(?:es)?|tweaks?|corrections?)(?: please| needed)?)\s*:\s*"
    r"|(?:(?:修改|改|换)一?(?:个|下|处)(?:词|字|地方|名字|地名|数字|时间)?|[^,:;。\s]{1,4}(?:有误|写错了|错了|不对|变了|改了))"
    rf",\s*(?=(?:请|麻烦|帮我)*(?:把|将)|[^,:;。]{{1,20}}(?:→|->|=>))"
)
_STEPS = "一二三四五六七八九十"
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩"
_MAX_PIECE_JOINTS = 8
_MAX_ATTEMPTS = 1500
_MAX_PARTS = 300
_SPACE = " \n\t\r\u3000。！？!?."


@dataclass(frozen=True, slots=True)
class _Joint:
    """Where one piece may end and the next begin; `is_break` for a line break or a list number."""

    end: int
    start: int
    is_break: bool


def read_parts(instruction: Phrase) -> tuple[Part, ...]:
    """Return the parts of an instruction in their order, each with its readings.

    Raises:
        BeyondOffline: some part is no mechanical request, or the instruction is too long to search.
        EditRefused: ambiguous_match, when text after a colon holds what may be the next part.
    """
    body = _without_intro(instruction)
    joints = _joints(body)
    parts = _Search(body, joints, lenient=False).parts()
    if parts is None:
        parts = _Search(body, joints, lenient=True).parts()
    if parts is None:
        raise refusals.beyond(language_of(instruction), instruction.literal)
    for part in parts:
        if any(reading.is_open for reading in part.readings) and _may_go_on(part.phrase):
            raise doubts.several_readings(language_of(instruction), part.phrase.literal)
    return parts


def _may_go_on(phrase: Phrase) -> bool:
    """Say whether what stands after a colon ends with words that may be the next request.

    The rest of an instruction is the text, so only a request that names lines or quotes counts.
    """
    colon = phrase.folded.find(":")
    if _begins_with_request(phrase, colon + 1):
        return False
    for joint in _joints(phrase):
        if joint.end > colon >= 0 and any(_is_explicit(reading) for reading in _read_tail(phrase, joint)):
            return True
    return False


def _begins_with_request(phrase: Phrase, start: int) -> bool:
    """Say whether the text after a colon opens with a request; then what follows is text like it."""
    first = next((joint.end for joint in _joints(phrase) if joint.end > start), start)
    head = phrase.cut(start, first)
    return (
        bool(head)
        and not head.is_long
        and any(_is_explicit(reading) for reading in read_part(head, at_end=True))
    )


def _read_tail(phrase: Phrase, joint: _Joint) -> tuple[Reading, ...]:
    tail = phrase.cut(joint.start)
    return () if tail.is_long else read_part(tail, at_end=True)


def _is_explicit(reading: Reading) -> bool:
    match reading.request:
        case DeleteLines() | MoveLines() | SwapLines() | RewriteLines():
            return True
        case ReplaceText(is_quoted=is_quoted, scope=scope):
            return is_quoted or scope.lines is not None
        case InsertLines(anchor=anchor):
            return anchor.lines is not None
        case _:
            return False


def _without_intro(phrase: Phrase) -> Phrase:
    """Take off 请修改如下： or `please make these changes:`, and 地点有误， before a request."""
    match = pattern(_INTRO).match(phrase.folded)
    if match and (
        pattern(_ITEM).match(phrase.folded, match.end()) or pattern(_BULLET).match(phrase.folded, match.end())
    ):
        return phrase.cut(match.end())
    lead = pattern(_LEAD_IN).match(phrase.folded)
    return phrase.cut(lead.end()) if lead and lead.end() < len(phrase.folded) else phrase


def _joints(phrase: Phrase) -> tuple[_Joint, ...]:
    items = _items(phrase)
    found = [_Joint(start, end, True) for start, end in items]
    for match in pattern(_JOINT).finditer(phrase.folded):
        if not any(start <= match.start() < end for start, end in items):
            found.append(_Joint(match.start(), match.end(), match["mark"] == "\n"))
    return tuple(sorted(found, key=lambda joint: (joint.end, joint.start)))


def _items(phrase: Phrase) -> list[tuple[int, int]]:
    """Return where list numbers stand, if they count up from 1 and something follows each."""
    bullets = [match.span() for match in pattern(_BULLET).finditer(phrase.folded)]
    if bullets:
        return bullets
    for before in (r"\n\s*", r"[\n.;:,。!?)]\s*", ""):
        spans = _counted(phrase, before)
        if spans:
            return spans
    return []


def _counted(phrase: Phrase, before: str) -> list[tuple[int, int]]:
    """Return the list numbers that stand after `before`, or at the start, if they count up from 1."""
    found: list[re.Match[str]] = []
    for match in pattern(_ITEM).finditer(phrase.folded):
        is_begun = not match.start() or pattern(rf"(?:{before})$").search(
            phrase.folded[max(match.start() - 9, 0) : match.start()]
        )
        if is_begun and _number_of(match) == len(found) + 1:
            found.append(match)
    if len(found) < 2 or phrase.folded[: found[0].start()].strip():
        return []
    ends = [match.start() for match in found[1:]] + [len(phrase.folded)]
    is_filled = all(
        len(phrase.cut(match.end(), end).text) > 1 for match, end in zip(found, ends, strict=True)
    )
    return [match.span() for match in found] if is_filled else []


def _number_of(match: re.Match[str]) -> int:
    if match["number"]:
        return int(match["number"])
    step = match["step"] or match["zh"]
    return _STEPS.index(step) + 1 if step else _CIRCLED.index(match["circled"]) + 1


class _Search:
    """Looks for a way to cut a phrase at its joints so that every piece can be read."""

    def __init__(self, phrase: Phrase, joints: tuple[_Joint, ...], *, lenient: bool):
        self._phrase, self._joints, self._lenient = phrase, joints, lenient
        self._attempts = 0
        self._failed: set[tuple[int, bool, bool]] = set()

    def parts(self) -> tuple[Part, ...] | None:
        """Return the parts, or None when there is no such way."""
        found: list[Part] = []
        return tuple(found) if self._extend(found, 0) else None

    def _extend(self, found: list[Part], start: int) -> bool:
        """Add the parts that stand from `start` on, shortest first; leave `found` as it was on failure."""
        start = self._past_joints(start)
        if start >= len(self._phrase.text):
            return bool(found)
        state = (start, bool(found), _ends_with_replacement(found))
        if state in self._failed:
            return False
        if len(found) >= _MAX_PARTS:
            raise refusals.too_many_parts(language_of(self._phrase))
        for end, is_break in self._ends(start):
            part = self._part(found, start, end, is_break)
            if part is None:
                continue
            found.append(part)
            if self._extend(found, end):
                return True
            found.pop()
        self._failed.add(state)
        return False

    def _past_joints(self, start: int) -> int:
        """Step over joints, and white space, with nothing before them."""
        text = self._phrase.text
        moved = True
        while moved:
            moved = False
            for joint in self._joints_from(start):
                if text[start : joint.end].strip(_SPACE):
                    break
                if joint.start > start:
                    start, moved = joint.start, True
        return start

    def _joints_from(self, start: int) -> Iterator[_Joint]:
        first = bisect_left(self._joints, start, key=lambda joint: joint.end)
        yield from islice(self._joints, first, None)

    def _ends(self, start: int) -> Iterator[tuple[int, bool]]:
        """Yield where a piece from `start` may end, nearest first, and at last all of the phrase."""
        for joint in islice(self._joints_from(start + 1), _MAX_PIECE_JOINTS):
            yield joint.end, joint.is_break or not self._phrase.text[joint.end :].strip(_SPACE)
        yield len(self._phrase.text), True

    def _part(self, found: list[Part], start: int, end: int, is_break: bool) -> Part | None:
        piece = self._phrase.cut(start, end)
        if _is_lopsided(piece) and not _is_lopsided(self._phrase):
            return None
        self._attempts += 1
        if self._attempts > _MAX_ATTEMPTS:
            raise refusals.too_many_parts(language_of(self._phrase))
        readings = read_part(
            piece,
            at_end=is_break,
            after_replacement=_ends_with_replacement(found),
            lenient=self._lenient,
        )
        if found and is_trailing(piece) and not (_counts_hits(found[-1]) and piece.folded[0] in "全所都"):
            return Part(piece, (Reading(Nothing()),))
        if not found:  # nothing to limit
            readings = tuple(reading for reading in readings if not isinstance(reading.request, Narrow))
        is_listed = self._phrase.text[:start].rstrip().endswith("、")
        return Part(piece, readings, is_listed) if readings else None


def _is_lopsided(phrase: Phrase) -> bool:
    """Say whether a bracket stands without its partner, so that a cut went through 直播间（新）."""
    return phrase.folded.count("(") != phrase.folded.count(")")


def _counts_hits(part: Part) -> bool:
    """Say whether a part names some of the hits, so that 全部 after it contradicts it."""
    return any(
        isinstance(reading.request, ReplaceText) and reading.request.which != EVERY
        for reading in part.readings
    )


def _ends_with_replacement(found: Sequence[Part]) -> bool:
    """Say whether the last part replaces text, so that the next may leave out its verb."""
    return bool(found) and any(isinstance(reading.request, ReplaceText) for reading in found[-1].readings)
