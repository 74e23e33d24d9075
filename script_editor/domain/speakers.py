"""Who says which line: labels such as `HOST:`, `主持人：`, `[00:15] HOST:`, `【主持人】` and names on lines of their own.

Labels are found anew in each text. A colon alone makes no speaker ("注意：" is speech), so `speakers` lists
only names that show in some way that they are one, while `speaker_lines` takes the asker's word for it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from script_editor.domain.matching import fold
from script_editor.domain.segments import NumberedScript, Segment
from script_editor.patterns import Pattern

_TIME = r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?:[.,]\d{1,3})?"
_LEAD = rf"(?:[-*>•·]\s+)?(?:[\[(（【]?{_TIME}(?:\s*(?:-->|[-–—~～至到])\s*{_TIME})?[\])）】]?\s*[-–—|]?\s*)?"
_ASIDE = r"(?:\s*[(（][^()（）]{1,30}[)）])?"
_LETTERS = r"[^\s:：()（）\[\]【】<>《》“”\"'，。！？；、,!?;|#/\\]{1,20}"
_NAME = rf"@?{_LETTERS}(?: {_LETTERS}){{0,3}}"
_COLON = Pattern(
    rf"{_LEAD}(?P<mark>\*\*|__|\*|_)?(?P<name>{_NAME}?){_ASIDE}(?:(?P=mark))?\s*[:：](?!//)(?:\*\*|__)?\s*"
)
_BRACKET = Pattern(rf"{_LEAD}(?:【(?P<zh>{_NAME}){_ASIDE}】|\[(?P<en>{_NAME}){_ASIDE}\])[:：]?\s*(?=\S)")
_ALONE = Pattern(rf"(?P<name>{_NAME}){_ASIDE}")
_CAPITALS = Pattern(r"@?[A-Z][A-Z0-9.'’ -]+")
_ROLES = frozenset({
    "主持人", "主持", "嘉宾", "来宾", "旁白", "画外音", "解说", "记者", "主播", "观众", "采访者", "受访者",
    "专家", "老师", "学生", "男", "女", "男声", "女声", "甲", "乙", "丙", "嘉賓", "來賓", "畫外音", "記者",
    "觀眾", "老師", "學生", "host", "guest", "narrator", "narration", "speaker", "interviewer",
    "interviewee", "anchor", "reporter", "presenter", "moderator", "cohost", "co-host", "voiceover",
    "voice-over", "vo", "v.o.", "caller", "expert", "teacher", "student", "man", "woman", "both", "all",
})  # fmt: skip
_PARTS = frozenset({
    "hook", "intro", "opening", "body", "cta", "outro", "ending", "scene", "part", "section", "chapter",
    "note", "notes", "title", "tip", "tips", "step", "q", "a",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Label:
    """A label at the start of a line. `is_alone` says that nothing is spoken on the same line."""

    name: str
    number: int
    is_alone: bool


def speaker_key(name: str) -> str:
    """Return what names are compared by: without case, marks, a colon or a remark in brackets behind it."""
    bare = re.sub(r"[(（][^()（）]*[)）]$", "", fold(name)[0].strip().strip("*_@[]【】").rstrip(":").strip())
    return bare.strip().strip("*_@").casefold()


def speaker_lines(script: NumberedScript, name: str) -> tuple[int, ...]:
    """Return the numbers of all lines that the speaker `name` says, in order; none when no line has that label.

    A label on a line of its own counts together with the lines under it, up to a blank line, a heading
    or the next label. A line without a label after a labelled one is nobody's: it may be a direction.
    """
    key = speaker_key(name)
    if not key:
        return ()
    found: list[int] = []
    for segment in script.segments:
        label = _label(script, segment, key)
        if label is not None and segment.number not in found:
            found.append(segment.number)
            if label.is_alone:
                found.extend(_spoken_under(script, segment))
    return tuple(found)


def speakers(script: NumberedScript) -> tuple[str, ...]:
    """Return the names that label lines, in order of appearance, as first written.

    A name counts when it labels two lines, is a role such as "host" or 嘉宾, or is in capitals before a colon.
    """
    labels = [label for segment in script.segments for label in _labels(segment)]
    times = Counter(speaker_key(label) for label in labels)
    first: dict[str, str] = {}
    for label in labels:
        first.setdefault(speaker_key(label), label)
    return tuple(
        name for key, name in first.items() if _is_speaker(key, name, times[key], len(script.segments))
    )


def _is_speaker(key: str, name: str, times: int, lines: int) -> bool:
    if not key or key.isdigit() or not any(char.isalpha() for char in key):
        return False
    is_short = len(key) <= 12 or key.isascii()
    return (
        is_short
        and key not in _PARTS
        and (times >= 2 or key in _ROLES or (_CAPITALS.fullmatch(name) is not None and lines > 1))
    )


def _labels(segment: Segment) -> Iterator[str]:
    content = segment.content
    colon = _COLON.match(content)
    if colon and colon["name"] and not content.startswith("#"):
        yield colon["name"].strip()
        return
    bracket = _BRACKET.match(content)
    if bracket:
        yield (bracket["zh"] or bracket["en"]).strip()


def _label(script: NumberedScript, segment: Segment, key: str) -> Label | None:
    """Return the label of a line when it is the one asked for."""
    colon = _COLON.match(segment.content)
    if colon and speaker_key(colon["name"]) == key:
        return Label(colon["name"], segment.number, colon.end() == len(segment.content))
    bracket = _BRACKET.match(segment.content)
    if bracket and speaker_key(bracket["zh"] or bracket["en"]) == key:
        return Label(key, segment.number, False)
    alone = _ALONE.fullmatch(segment.content)
    if alone and speaker_key(alone["name"]) == key and _opens_block(script, segment):
        return Label(alone["name"], segment.number, True)
    return None


def _opens_block(script: NumberedScript, segment: Segment) -> bool:
    """Say whether a line stands directly above another one and under a blank line or the top."""
    index = segment.number - 1
    previous = script.segments[index - 1] if index else None
    following = script.segments[index + 1] if index + 1 < len(script.segments) else None
    return (previous is None or previous.line < segment.line - 1) and (
        following is not None and following.line == segment.line + 1
    )


def _spoken_under(script: NumberedScript, label: Segment) -> Iterator[int]:
    line = label.line
    for segment in script.segments[label.number :]:
        if segment.line != line + 1 or segment.content.startswith("#") or any(_labels(segment)):
            return
        yield segment.number
        line = segment.line
