"""The marks of a script's structure: placeholders, time codes, cue numbers, production cues, headings, speaker labels."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from script_editor.domain.segments import NumberedScript
from script_editor.domain.written_numbers import half_width
from script_editor.patterns import Pattern

MarkKind = Literal["placeholder", "time code", "cue number", "cue", "heading", "speaker label"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark on line `number`; `key` is what it is compared by, `shown` how it was written."""

    kind: MarkKind
    key: str
    shown: str
    number: int


_PLACEHOLDER = Pattern(
    r"\{\{[^{}\n]{1,60}\}\}|\$\{[^{}\n]{1,60}\}|(?<![%\w])%[A-Za-z_]\w{0,40}%(?![%\w])"
    r"|(?<![{$])\{[A-Za-z_\u4e00-\u9fff][\w .-]{0,30}\}(?!\})|<[A-Z][A-Z_]{2,30}>"
)
_CLOCK = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_RANGE = rf"{_CLOCK}(?:\s*(?:-->|[-–—~～至到])\s*{_CLOCK})?"
_TIMING = Pattern(rf"{_CLOCK}\s*-->\s*{_CLOCK}")
_TIME_IN_BRACKETS = Pattern(rf"[\[(（【<]\s*{_RANGE}\s*[\])）】>]")
_TIME_FIRST = Pattern(
    rf"{_RANGE}(?=\s|$|[^\w:：.,])|\d+(?:\.\d+)?\s*[-–~～]\s*\d+(?:\.\d+)?\s*(?:s|sec"
    rf"|秒)(?![a-z])[:：]?"
)
_CUE_NUMBER = Pattern(r"\d{1,6}")
_SQUARE_CUE = Pattern(r"\[(?P<square>[^\[\]\n]{1,60})\](?!\()|【(?P<lens>[^【】\n]{1,40})】")
_CUE_WORDS = (
    r"音效|音乐|音樂|配乐|停顿|停頓|停一|顿|笑|掌声|转场|轉場|镜头|鏡頭|画面|畫面|画外|旁白|BGM|SFX"
    r"|VO|特写|特寫|近景|远景|全景|淡入|淡出|切到|切至|叹气|沉默|静默|敲门|鼓掌|环境音|字幕|黑屏|闪回"
    r"|beat|pause|sfx|music|laugh\w*|applause|sighs?|cut to|fade|v\.?o\.?|o\.?s\.?|whisper\w*|sound"
    r"|silence|off[- ]?screen|b-?roll|close[- ]?up|wide shot|montage|transition|smiles?|gasps?"
    r"|clears throat"
)
_ROUND_CUE = Pattern(rf"[(（]\s*(?P<round>(?:{_CUE_WORDS})[^()（）\n]{{0,40}})[)）]", re.IGNORECASE)
_HEADING = Pattern(r"(#{1,6})\s+\S")
_LABEL = Pattern(
    r"(?P<name>[^\s:：()（）\[\]【】<>{}“”\"'，。！？；、,!?;"
    r"|#/\\*_\-•][^:：()（）\[\]【】<>{}“”\"，。！？；、,!?;|#/\\*_]{0,23})"
    r"(?:\s*[(（][^()（）\n]{1,20}[)）])?\s*[:：](?!//)"
)
_BEFORE_LABEL = Pattern(rf"(?:[\[(（【<]?\s*{_RANGE}\s*[\])）】>]?\s*|[*_>-]{{1,3}}\s*)+")
# What leads in speech or a list and is never a person: 老板说：, 第一步：, 注意：, Note:, Step 2:
_NO_PERSON = Pattern(
    r"第.{1,4}[步点條条个種种招件项站集期章节天次名位条]|(?:步骤|方法|技巧|要点|原因|理由|要求|问题"
    r"|答案|结论|重点|提示|小贴士|贴士|注意|注|备注|说明|记住|记得|总之|所以|比如|例如|其实|结果|首先"
    r"|其次|最后|另外|好处|坏处|优点|缺点|口号|地址|时间|地点|价格|电话)\s*[\d一二三四五六七八九十]*"
    r"|.{0,10}(?:说|説|說|道|问道|喊|叫|写道|想|告诉我|问我|表示|认为|回答|心想|提醒|如下|就是|包括"
    r"|一句话|几个字|几点)"
    r"|\d+|(?:note|tip|step|warning|remember|result|answer|question|example|for example|p\.?s"
    r"|important|fact|myth|pro|con|pros|cons|bonus|reason|problem|solution|day|week|part|chapter|rule"
    r"|lesson|stage|level|ingredients|total|price|time|date|address|phone|hint|reminder|update"
    r"|spoiler|disclaimer|caution|first|second|third|finally|next)s?\s*#?\s*(?:\d+|one|two|three|four"
    r"|five)?"
    r"|.*\b(?:says?|said|asks?|asked|replied|is|are|was|things?|this|that|these|following|here|it|to"
    r"|of|the|and)",
    re.IGNORECASE,
)
_CAPITALS = Pattern(r"[A-Z][A-Z0-9.'’ &-]{1,22}")
_MOSTLY = 0.6


@lru_cache(maxsize=4)  # both guards of structure ask for the same two texts
def marks(script: NumberedScript) -> tuple[Mark, ...]:
    """Return the marks of a script in reading order, speaker labels left out: see `labels`."""
    found: list[Mark] = []
    contents = [segment.content for segment in script.segments]
    timed_first = [_TIME_FIRST.match(content) for content in contents]
    recurs = sum(match is not None for match in timed_first) > 1
    for index, (segment, first) in enumerate(zip(script.segments, timed_first, strict=True)):
        line, number = segment.content, segment.number
        heading = _HEADING.match(line)
        if heading:
            found.append(Mark("heading", heading[1], first_words(line), number))
        if _CUE_NUMBER.fullmatch(line) and index + 1 < len(contents) and _TIMING.match(contents[index + 1]):
            found.append(Mark("cue number", line, line, number))
        if timing := _TIMING.match(line):
            found.append(_time_code(timing[0], number))
        elif recurs and first:
            found.append(_time_code(first[0], number))
        if any(sign in line for sign in "[]【】()（）{}<>%$"):
            found += _inline(line, number)
    return tuple(found)


def is_timing_or_number(line: str) -> bool:
    """Say whether a line is a cue's number or timing, and says nothing itself."""
    return _CUE_NUMBER.fullmatch(line) is not None or _TIMING.match(line) is not None


def is_production(line: str) -> bool:
    """Say whether a line is a cue and nothing else: it takes no time to say."""
    return any(pattern.fullmatch(line) for pattern in (_SQUARE_CUE, _ROUND_CUE))


def _inline(line: str, number: int) -> list[Mark]:
    found = [
        (match.start(), Mark("placeholder", _plain(match[0]), match[0], number))
        for match in _PLACEHOLDER.finditer(line)
    ]
    found += [(match.start(), _time_code(match[0], number)) for match in _TIME_IN_BRACKETS.finditer(line)]
    for match in _SQUARE_CUE.finditer(line):
        if not _TIME_IN_BRACKETS.fullmatch(match[0]):
            found.append(
                (match.start(), Mark("cue", _plain(match["square"] or match["lens"]), match[0], number))
            )
    found += [
        (match.start(), Mark("cue", _plain(match["round"]), match[0], number))
        for match in _ROUND_CUE.finditer(line)
    ]
    return [mark for _, mark in sorted(found, key=lambda item: item[0])]


def _time_code(written: str, number: int) -> Mark:
    return Mark(
        "time code",
        re.sub(r"[\s\[\]()（）【】<>:：]+$|^[\s\[\]()（）【】<>]+|\s", "", written),
        written,
        number,
    )


def _plain(text: str) -> str:
    return "".join(half_width(text).replace("：", ":").casefold().split())


def first_words(line: str) -> str:
    """Return the start of a line, for a message."""
    return line if len(line) <= 40 else line[:39] + "…"


def candidates(script: NumberedScript) -> tuple[Mark, ...]:
    """Return what stands before a colon at the start of lines and might be a speaker's name."""
    found = []
    for segment in script.segments:
        line = segment.content[:80]
        lead = _BEFORE_LABEL.match(line)
        match = _LABEL.match(line, lead.end() if lead else 0)
        if match and _may_be_a_name(name := match["name"].strip()):
            found.append(Mark("speaker label", name.casefold(), name, segment.number))
    return tuple(found)


def _may_be_a_name(name: str) -> bool:
    han = sum("\u4e00" <= char <= "\u9fff" for char in name)
    is_short = han <= 8 if han else len(name.split()) <= 4
    return is_short and any(char.isalpha() for char in name) and _NO_PERSON.fullmatch(name) is None


def labels(before: NumberedScript, after: NumberedScript) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the speaker labels of both texts; a name counts in both when the old text shows that it is one.

    It does by recurring, by capitals, or when nearly every line of the script has a label.
    """
    old, new = candidates(before), candidates(after)
    times = Counter(mark.key for mark in old)
    is_dialogue = (
        len(old) >= 2
        and len(old) >= _MOSTLY * len(before.segments)
        and (any(count > 1 for count in times.values()) or len(old) == len(before.segments))
    )
    names = {
        mark.key for mark in old if times[mark.key] > 1 or is_dialogue or _CAPITALS.fullmatch(mark.shown)
    }
    return tuple(mark for mark in old if mark.key in names), tuple(mark for mark in new if mark.key in names)
