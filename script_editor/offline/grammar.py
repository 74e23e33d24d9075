"""What one part of an instruction can mean: the forms in their order, Chinese and English alike.

A form reads all of a part or nothing. Changes of order and limits to the part before are plain to
see and win; insertion, deletion and replacement are read side by side and the script decides.
"""

from dataclasses import replace

from script_editor.offline.courtesy import (
    REQUEST_BEGINS,
    without_closing,
    without_final_mark,
    without_opening,
    without_particle,
)
from script_editor.offline.delete_forms import read_deletion, read_incomplete_deletion
from script_editor.offline.insert_forms import read_incomplete_insertion, read_insertion
from script_editor.offline.line_phrases import lines_at
from script_editor.offline.lines import Lines
from script_editor.offline.narrow_forms import read_narrowing
from script_editor.offline.order_forms import read_incomplete_order, read_order
from script_editor.offline.quotes import TOKENS
from script_editor.offline.remarks import is_remark
from script_editor.offline.replace_forms import read_incomplete_replacement, read_replacement
from script_editor.offline.requests import CutFillers, ExchangeTexts, Nothing, Reading, ReplaceText
from script_editor.offline.text_ends import polite_end
from script_editor.offline.wording import Phrase, pattern

TIERS_PER_RANK = 100
"""Readings without the connective before them come after all those with it: 再见改成拜拜."""

_JOINT = (
    r"(?:(?:然后|接着|接下来|随后|而后|并且|同时|另外|此外|还有|以及|而且"
    rf"|顺便)[,:]?\s*{REQUEST_BEGINS}|[;,]\s*"
    r"|(?:and then|and also|and|then|also|plus|but)\b[,:]?\s*)"
)
_CONNECTIVE = (
    r"(?:(?:之后|跟着|再来|再|并|还要|还|也|外加|其次|首先|先|最后|第[一二三四五]步|其一|其二|和|但是?|不过"
    rf"|(?:完了|弄完|改完|做完|好了)(?:之后|以后)?)[,:]?\s*{REQUEST_BEGINS}"
    r"|(?:after that|afterwards|next|as well as|finally|lastly|first(?:ly)?|second(?:ly)?|third(?:ly)?"
    r"|in addition|additionally|besides|furthermore)\b[,:]?\s*)"
)
_MAX_CONNECTIVES = 3
_TOPIC_START = (
    r"(?:(?:只|仅)?(?:在|对|改|修改|改动)|(?:only |just )?(?:in |on |for |at |within |change |edit "
    r"|update |modify ))?"
)
_TOPIC_JOINT = (
    r"(?:里面|里边|里|中间|中|内|上|那里)?的?(?:\s*[,:]\s*|(?=把|将)|(?=(?:删掉?|删除|去掉|去除"
    rf"|移除|拿掉)\s*{TOKENS})"
    r"|\s+(?=(?:replace|change|swap|use|delete|remove|cut|drop|turn|rename|substitute|please|just)\b))"
)
_QUESTION = (
    r".{0,12}?(?:能不能|能否|可不可以|可否|可以|能|是否)|(?:can|could|would|will|is it possible"
    r"|do you mind|may i|may you|won't)\b"
)
_PAST_QUESTION = r"(?:了(?:吗|么|没有?)|(?<=[改换删加])过?没有?|(?<=[掉去除])了)[?!。.]*$"


def read_part(
    phrase: Phrase, *, at_end: bool, after_replacement: bool = False, lenient: bool = False
) -> tuple[Reading, ...]:
    """Return the readings of one part, none when it is not understood.

    `at_end` says that the part ends its instruction or its list item; `after_replacement` that the
    part before replaced something, so that a verb may be left out; `lenient` also reads requests
    that lack something, to say what.
    """
    readings: list[Reading] = []
    for rank, candidate in enumerate(_candidates(phrase)):
        for reading in _read(candidate, at_end, after_replacement, lenient):
            readings.append(replace(reading, tier=reading.tier + rank * TIERS_PER_RANK))
    return tuple(readings)


def _candidates(phrase: Phrase) -> list[Phrase]:
    """Return the part as it is, then without connectives, then without polite words as well.

    最后 may be a place and 现在 the text to replace, so the longer form is tried first.
    """
    candidates = _without_connectives(_without_question_mark(phrase))
    opened = [shorter for longer in candidates if (shorter := without_opening(longer)).text != longer.text]
    unique = {candidate.text: candidate for candidate in [*candidates, *opened]}
    return list(unique.values())


def _without_connectives(phrase: Phrase) -> list[Phrase]:
    """Return the part without what only joins it, then without a connective that may mean something."""
    joint = pattern(rf"(?:{_JOINT})+").match(phrase.folded)
    candidates = [phrase.cut(joint.end()) if joint and joint.end() < len(phrase.folded) else phrase]
    while len(candidates) <= _MAX_CONNECTIVES:
        match = pattern(_CONNECTIVE).match(candidates[-1].folded)
        shorter = candidates[-1].cut(match.end()) if match else None
        if not shorter:
            break
        candidates.append(shorter)
    return candidates


def _read(opened: Phrase, at_end: bool, after_replacement: bool, lenient: bool) -> tuple[Reading, ...]:
    if opened.is_long:
        replacement = read_replacement(opened, at_end=at_end, after_replacement=False)
        return (*read_insertion(opened, at_end=at_end), *replacement)
    if pattern(_PAST_QUESTION).search(opened.folded) and ":" not in opened.folded:
        return read_insertion(opened, at_end=at_end)
    closed = without_closing(opened)
    if is_remark(opened) or is_remark(closed):
        return (Reading(Nothing()),)
    bare = without_final_mark(closed)
    structure = without_particle(bare)
    readings = read_narrowing(structure) or read_order(structure) or _after_topic(opened, at_end)
    readings = readings or _side_by_side(opened, closed, at_end, after_replacement)
    return readings or (_incomplete(bare) if lenient else ())


def _without_question_mark(phrase: Phrase) -> Phrase:
    """Take the end of the question off a request put as one, so that it is not taken for text."""
    end = pattern(r"[吗么嘛不呢]?\?+$|[吗么嘛]$").search(phrase.folded)
    asked = pattern(_QUESTION).match(phrase.folded, 0, end.start()) if end else None
    return phrase.cut(0, end.start()) if end and asked and asked.end() < end.start() else phrase


def _after_topic(opened: Phrase, at_end: bool) -> tuple[Reading, ...]:
    """Read `in line 3, replace …` and 第3行把…改成…: the lines first, then what to do there."""
    start = pattern(_TOPIC_START).match(opened.folded)
    found = lines_at(opened, start.end()) if start else None
    joint = pattern(_TOPIC_JOINT).match(opened.folded, found.end) if found else None
    if found is None or joint is None:
        return ()
    rest = without_opening(opened.cut(joint.end()))
    readings = _side_by_side(rest, without_closing(rest), at_end, False)
    within = [_within_topic(reading, found.lines) for reading in readings]
    return tuple(reading for reading in within if reading is not None)


def _within_topic(reading: Reading, lines: Lines) -> Reading | None:
    """Return a reading limited to the lines that the part opened with, or None when it cannot be."""
    request = reading.request
    if not isinstance(request, ReplaceText | CutFillers | ExchangeTexts) or request.scope.lines is not None:
        return None
    scope = replace(request.scope, lines=lines)
    return replace(reading, request=replace(request, scope=scope), topic=lines)


def _side_by_side(
    opened: Phrase, closed: Phrase, at_end: bool, after_replacement: bool
) -> tuple[Reading, ...]:
    insertion = read_insertion(opened, at_end=at_end)
    bare = without_final_mark(closed)
    final_mark = closed.text[len(bare.text) :].strip()
    deletion = read_deletion(bare, final_mark=final_mark) or read_deletion(without_particle(bare))
    polite = polite_end(bare.folded)
    if polite:
        shorter = read_deletion(bare.cut(0, len(bare.folded) - len(polite)))
        deletion = (*deletion, *(replace(reading, tier=reading.tier + 1) for reading in shorter))
    replacement = read_replacement(opened, at_end=at_end, after_replacement=after_replacement)
    return (*insertion, *deletion, *replacement)


def _incomplete(closed: Phrase) -> tuple[Reading, ...]:
    return (
        read_incomplete_order(closed)
        or read_incomplete_insertion(closed)
        or read_incomplete_deletion(closed)
        or read_incomplete_replacement(closed)
    )
