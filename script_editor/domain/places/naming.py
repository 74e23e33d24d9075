"""Which lines of a script a person means: exactly, as in `--only 3-5`, or as candidates, read from an instruction.

`parse_place` decides what may be edited, so it takes nothing that could mean two things. `named_in` only
decides what a model is shown first, so it rather takes a line too many; it never forbids anything.
"""

import re
from collections.abc import Iterator

from script_editor.domain.matching import fold
from script_editor.domain.places.instructed import instructed_places
from script_editor.domain.places.line_numbers import Ordinal, read_list
from script_editor.domain.places.numbered_lines import resolve
from script_editor.domain.places.outline import SYNONYMS, Outline, Section, clock, title_key
from script_editor.domain.places.plain_numbers import plain_line_numbers
from script_editor.domain.places.wholeness import is_whole
from script_editor.domain.segments import NumberedScript
from script_editor.domain.speakers import speaker_lines
from script_editor.errors import BadInput
from script_editor.patterns import Pattern

__all__ = ["is_whole", "named_in", "parse_place"]

Numbers = tuple[int, ...]

_CLOCK = r"(\d{1,2}):(\d{2})(?::(\d{2}))?(?:[.,](\d{1,3}))?"
_TIME = Pattern(rf"[\[(【]?\s*{_CLOCK}(?:\s*(?:-->|-|~|到|至|to)\s*{_CLOCK})?\s*[\])】]?", re.IGNORECASE)
_SUFFIX = Pattern(
    r"(?:\s+(?:section|part|scene)|\s*(?:部分|那段|这段|一段|一节)|'s\s+(?:lines?|part)|\s*的(?:台词|话|部分|词|内容))$",
    re.IGNORECASE,
)
_PIECES = Pattern(r"\s*[,，、;；]\s*")
_MOST_NAMES = 12
_UNITS_ZH = {"line": "行", "sentence": "行", "cue": "条字幕", "paragraph": "段", "section": "部分"}


def parse_place(value: str, script: NumberedScript) -> Numbers:
    """Return the numbers of the lines that `value` names exactly, ascending.

    Named can be line numbers ("3", "1,3-5", "第3-5行", "last 2", "开头三行"), a time ("00:15", "00:08-00:22":
    the lines that begin then, or run then), a section by its heading ("Hook", "# Hook", "【开头】": the lines under
    it up to the next heading of its level or a higher one, without the heading itself unless nothing else is
    under it), a speaker ("HOST", "主持人"), or several of these with commas between. "# X" is only a section
    and "X:" only a speaker, where both have that name.

    Raises:
        BadInput: nothing has that name, or more than one thing; the hint says what there is.
    """
    outline = Outline(script)
    wanted = value.strip()
    numbers = _place(wanted, outline)
    if numbers is None:
        pieces = [piece for piece in _PIECES.split(wanted) if piece]
        found = [_place(piece, outline) for piece in pieces] if len(pieces) > 1 else [None]
        for piece, lines in zip(pieces or [wanted], found, strict=False):
            if lines is None:
                raise _unknown(piece, outline)
        numbers = tuple(number for lines in found if lines for number in lines)
    return tuple(sorted(set(numbers)))


def named_in(instruction: str, script: NumberedScript) -> Numbers | None:
    """Return the lines that an instruction names so plainly that only they and their neighbours need a look.

    Ascending candidates, from line numbers, quoted passages, sections, speakers, times, "the opening", and words
    that few lines have. None when the instruction is about the whole text or names nothing.
    """
    found = instructed_places(instruction, Outline(script))
    if not found:
        return None
    plain = {number for number in plain_line_numbers(instruction) if 1 <= number <= len(script.segments)}
    return tuple(sorted(plain.union(found)))


def _place(value: str, outline: Outline) -> Numbers | None:
    """Return the lines that one value names, None when nothing has that name."""
    folded = fold(value)[0].strip()
    time = _TIME.fullmatch(folded)
    if time:
        return _at_time(value, time, outline)
    ordinals = read_list(folded.casefold())
    if ordinals and all(ordinal.unit != "section" for ordinal in ordinals):
        return tuple(number for ordinal in ordinals for number in _numbered(ordinal, outline))
    named = _named(folded, outline)
    if named is None and ordinals:
        return tuple(number for ordinal in ordinals for number in _numbered(ordinal, outline))
    return named


def _numbered(ordinal: Ordinal, outline: Outline) -> Numbers:
    if 0 < ordinal.last < ordinal.first:
        raise BadInput(
            f"{ordinal.first}-{ordinal.last} runs backwards.", hint=f"Write {ordinal.last}-{ordinal.first}.",
            zh=f"{ordinal.first}-{ordinal.last} 前后颠倒了。", zh_hint=f"请写成 {ordinal.last}-{ordinal.first}。",
        )  # fmt: skip
    lines = resolve(ordinal, outline, exact=True)
    count = len(outline.script.segments)
    is_outside = ordinal.unit in ("line", "sentence") and max(abs(ordinal.first), ordinal.last) > count
    if not lines or is_outside:
        raise _not_that_many(ordinal, outline)
    return lines


def _not_that_many(ordinal: Ordinal, outline: Outline) -> BadInput:
    missing = ordinal.last if ordinal.last > 0 else -ordinal.first
    script, count = outline.script, len(outline.script.segments)
    return BadInput(
        f"There is no {'line' if ordinal.unit == 'sentence' else ordinal.unit} {missing}: "
        f"{script.script_id} v{script.version} has {count} lines (blank lines are not counted).",
        hint=_there_is(outline),
        zh=f"没有第 {missing} {_UNITS_ZH[ordinal.unit]}：{script.script_id} v{script.version} 共 {count} 行（空行不算）。",
        zh_hint=_there_is_zh(outline),
    )


def _at_time(value: str, match: re.Match[str], outline: Outline) -> Numbers:
    start = clock(*match.group(1, 2, 3, 4))
    lines = (
        outline.at_time(start)
        if match[5] is None
        else outline.in_time(start, clock(*match.group(5, 6, 7, 8)))
    )
    if not lines:
        raise BadInput(
            f"No line is spoken at {value}.", hint=_there_is(outline),
            zh=f"{value} 没有台词。", zh_hint=_there_is_zh(outline),
        )  # fmt: skip
    return lines


def _named(value: str, outline: Outline) -> Numbers | None:
    """Return the lines of the section or speaker with that name. Raises BadInput when it is not the only one."""
    is_section, is_speaker = value.startswith("#"), value.endswith(":")
    for name in dict.fromkeys((value, _SUFFIX.sub("", value))):
        sections = () if is_speaker else tuple(_sections(name, outline))
        spoken = () if is_section else speaker_lines(outline.script, name)
        if len(sections) + bool(spoken) > 1:
            raise _ambiguous(value, sections, spoken)
        if sections or spoken:
            return sections[0].members if sections else spoken
    return None


def _sections(name: str, outline: Outline) -> Iterator[Section]:
    """Yield the sections with that title; else those of the same meaning, such as 开头 for "Hook"; else that hold it."""
    key = title_key(name)
    same = [section for section in outline.sections if key and section.key == key]
    if not same:
        meaning = next((words for words in SYNONYMS if key in words), frozenset())
        same = [section for section in outline.sections if section.key in meaning]
    if not same and len(key) >= 2:
        same = [section for section in outline.sections if key in section.key]
    yield from same


def _ambiguous(value: str, sections: tuple[Section, ...], spoken: Numbers) -> BadInput:
    things = [f'the section "{section.title}" (line {section.heading})' for section in sections]
    things_zh = [f"“{section.title}”部分（第 {section.heading} 行）" for section in sections]
    hint, zh_hint = "Name the lines by number.", "请写行号。"
    if spoken:
        things.append(f"a speaker ({len(spoken)} lines)")
        things_zh.append(f"说话人（{len(spoken)} 行）")
        hint = f"Write '# {value}' for the section, '{value}:' for the speaker, or line numbers."
        zh_hint = f"指那一部分请写“# {value}”，指说话人请写“{value}:”，也可以写行号。"
    return BadInput(
        f'"{value}" can mean {" or ".join(things)}.', hint=hint,
        zh=f"“{value}”可能指{'，也可能指'.join(things_zh)}。", zh_hint=zh_hint,
    )  # fmt: skip


def _unknown(value: str, outline: Outline) -> BadInput:
    return BadInput(
        f'There is no line, section, speaker or time "{value}" in {outline.script.script_id}.',
        hint=_there_is(outline),
        zh=f"{outline.script.script_id} 里没有叫“{value}”的行、部分、说话人或时间。",
        zh_hint=_there_is_zh(outline),
    )


def _there_is(outline: Outline) -> str:
    """Say what a person could have named."""
    said = (
        [f"Lines: 1-{len(outline.script.segments)}."] if outline.script.segments else ["The script is empty."]
    )
    for what, names in (
        ("Sections", [section.title for section in outline.sections]),
        ("Speakers", list(outline.speakers)),
    ):
        if names:
            more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
            said.append(f"{what}: {', '.join(names[:_MOST_NAMES])}{more}.")
    if outline.stamps:
        said.append("Times such as 00:15 work too.")
    return " ".join(said)


def _there_is_zh(outline: Outline) -> str:
    """Say the same in Chinese."""
    count = len(outline.script.segments)
    said = [f"行号：1-{count}。" if count else "脚本是空的。"]
    for what, names in (
        ("部分", [section.title for section in outline.sections]),
        ("说话人", list(outline.speakers)),
    ):
        if names:
            more = f"等 {len(names)} 个" if len(names) > _MOST_NAMES else ""
            said.append(f"{what}：{'、'.join(names[:_MOST_NAMES])}{more}。")
    if outline.stamps:
        said.append("也可以写时间，例如 00:15。")
    return "".join(said)
