"""What stands around a whole rewrite: taken away where its shape is closed, so that nothing is guessed.

What encloses it (`enclosures`), lines that announce it or take leave, and notes behind it. A line of the
author's, or one that was asked for, is never taken for a wrapper.
"""

import re
from collections.abc import Callable, Sequence

from script_editor.domain.guards import is_placeholder
from script_editor.domain.replies import chatter
from script_editor.domain.replies.alignment import likeness, looks
from script_editor.domain.replies.authorship import Authorship
from script_editor.domain.replies.enclosures import (
    FENCE,
    refuse_open_fence,
    unfenced,
    unnumbered,
    unquoted,
    unserialised,
    untagged,
)
from script_editor.domain.replies.rewriting import own_gaps
from script_editor.domain.segments import is_blank
from script_editor.patterns import Pattern

_MAX_NOTES = 40
_MAX_LAYERS = 16
_ALIKE = 0.3


def unwrapped(lines: Sequence[str], authorship: Authorship) -> list[str]:
    """Return the lines of a whole rewrite without what a model put around it; blank lines at its ends stay.

    Raises:
        EditRefused: commentary when the reply holds several results to choose from, truncated when a
            fence is opened and never closed.
    """
    shown = list(
        lines[:-1] if lines and lines[-1] == "" else lines
    )  # the line behind a final line end is none
    before, kept, behind = _parted(shown)
    for _ in range(_MAX_LAYERS):
        peeled = _peeled(kept, authorship)
        if peeled is None:
            break
        # Blank lines beside a wrapper belong to it; those at an end where nothing was taken off are the text's.
        front = before if peeled[:1] == kept[:1] else []
        back = behind if peeled[-1:] == kept[-1:] else []
        before, kept, behind = _parted([*front, *peeled, *back])
    refuse_open_fence(kept, authorship)
    return [*before, *unquoted(kept, authorship), *behind]


def _parted(lines: list[str]) -> tuple[list[str], list[str], list[str]]:
    """Return the blank lines in front, what stands between, and the blank lines behind."""
    kept = _trimmed(lines)
    start = next((index for index, line in enumerate(lines) if not is_blank(line)), 0)
    return lines[:start], kept, lines[start + len(kept) :]


def _peeled(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Return the lines without one layer of wrapping, or None when there is none."""
    for layer in _LAYERS:
        peeled = layer(lines, authorship) if lines else None
        if peeled is not None:
            return peeled
    return None


def _trimmed(lines: Sequence[str]) -> list[str]:
    """Return the lines without blank ones at both ends."""
    spoken = [index for index, line in enumerate(lines) if not is_blank(line)]
    return list(lines[spoken[0] : spoken[-1] + 1]) if spoken else []


def _is_own(line: str, authorship: Authorship) -> bool:
    """Say whether a line may not be taken off: the author's, asked for, or standing for text (guards must see it)."""
    return authorship.has(line) or authorship.is_asked_for(line) or is_placeholder(line)


_ABOUT_THE_START = Pattern(
    r"开头|開頭|开场|開場|开篇|第一[句行段]|最前|打招呼|问候|問候|片头|片頭|引子|导语"
    r"|\b(?:open(?:ing|s)?|intro\w*|greet\w*|start(?:s|ing)?|begin\w*|first|hook|hello|top)\b",
    re.IGNORECASE,
)


def _without_opening(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off a line that announces the result, with what stands before it when nothing of that is the author's."""
    for index in _first_paragraph_starts(lines):
        shape = chatter.opening(lines[index])
        if shape is None or _is_own(lines[index], authorship):
            continue
        rest = _trimmed(lines[index + 1 :])
        if not rest or any(authorship.resembles_any(line) for line in lines[:index] if not is_blank(line)):
            return None
        if shape == "maybe" and (index or authorship.speaks_of(_ABOUT_THE_START)):
            return None
        is_apart = (
            is_blank(lines[index + 1])
            or chatter.is_rule(lines[index + 1])
            or FENCE.fullmatch(lines[index + 1])
        )
        if shape == "maybe" and not is_apart and chatter.opening(rest[0]) is None:
            return None
        is_wrapper = _is_surplus(lines[index], rest, authorship, at_start=True, is_sure=shape == "sure")
        return rest if is_wrapper else None
    return None


def _first_paragraph_starts(lines: Sequence[str]) -> list[int]:
    """Return where an announcing line may stand: at the top, or below a few lines of prose."""
    return [index for index in range(min(len(lines) - 1, 12)) if not is_blank(lines[index])]


def _is_surplus(
    line: str, rest: Sequence[str], authorship: Authorship, *, at_start: bool, is_sure: bool
) -> bool:
    """Say whether a line is not the new form of the author's line at this end; when unsure, that the rest is complete."""
    own = authorship.lines
    spoken = [other for other in rest if not is_blank(other)]
    if not own or not spoken:
        return bool(spoken)
    own_end = own[0] if at_start else own[-1]
    neighbours = spoken[:2] if at_start else spoken[-2:]
    beside = max(likeness(looks(other), own_end) for other in neighbours)
    itself = likeness(looks(line), own_end)
    if itself >= 0.5 and itself >= beside:
        return False
    return is_sure or beside >= _ALIKE or len(spoken) >= len(own)


_ABOUT_THE_END = Pattern(
    r"结尾|結尾|最后|最後|末尾|收尾|片尾|结束|結束"
    r"|\bend(?:ing|s)?\b|\boutro\b|\bclos(?:e|ing)\b|sign[- ]?off|\blast\b|call to action|\bCTA\b|\bfinish",
    re.IGNORECASE,
)


def _without_closing(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off a last line that takes leave of the one who asked."""
    line, rest = lines[-1], _trimmed(lines[:-1])
    shape = chatter.closing(line)
    if shape is None or not rest or _is_own(line, authorship):
        return None
    is_apart = is_blank(lines[-2]) or chatter.is_rule(lines[-2])
    if shape == "maybe" and not is_apart:
        return None
    if shape == "maybe" and authorship.speaks_of(_ABOUT_THE_END) and not _is_behind_the_end(rest, authorship):
        return None
    is_sure = shape == "sure" and is_apart
    return rest if _is_surplus(line, rest, authorship, at_start=False, is_sure=is_sure) else None


def _is_behind_the_end(rest: Sequence[str], authorship: Authorship) -> bool:
    """Say whether the new end stands in `rest` already, in a script that sets no line apart by a blank one."""
    spoken = [line for line in rest if not is_blank(line)]
    is_dense = len(spoken) == len(rest) and not any(own_gaps(authorship.script)[:-1])
    return is_dense and len(spoken) >= len(authorship.lines) and authorship.ends_like(spoken[-1])


def _without_notes(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off an explanation of the changes at the end, behind a rule, a fence or a blank line."""
    for index in range(len(lines) - 1, max(0, len(lines) - _MAX_NOTES), -1):
        line, before = lines[index], lines[index - 1]
        is_behind_rule = chatter.is_rule(_last_spoken(lines[:index]))
        is_apart = is_behind_rule or is_blank(before) or authorship.ends_like(before)
        if not is_apart or _is_own(line, authorship):
            continue
        shape = chatter.notes(line)
        is_note = shape == "sure" or (is_behind_rule and (shape is not None or chatter.reports_change(line)))
        if is_note and _may_go(lines, index, authorship):
            return lines[:index]
    return None


def _last_spoken(lines: Sequence[str]) -> str:
    return next((line for line in reversed(lines) if not is_blank(line)), "")


def _may_go(lines: Sequence[str], index: int, authorship: Authorship) -> bool:
    """Say whether none of the author's lines would be lost with the lines from `index` on."""
    left = {looks(line) for line in lines[:index]}
    lost = (looks(line) for line in lines[index:] if not is_blank(line) and not chatter.is_rule(line))
    return bool(left - {""}) and not any(seen not in left and seen in authorship.lines for seen in lost)


def _without_rules(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off a rule at an end where the script has none."""
    segments = authorship.script.segments
    if len(lines) < 2 or not segments:
        return None
    if chatter.is_rule(lines[-1]) and not chatter.is_rule(segments[-1].content):
        return lines[:-1]
    if chatter.is_rule(lines[0]) and not chatter.is_rule(segments[0].content):
        return lines[1:]
    return None


def _without_label(lines: list[str], authorship: Authorship) -> list[str] | None:
    """Take off a title that stands in the first line: "修改后：大家好…"."""
    label, colon, rest = lines[0].replace("：", ":").partition(":")
    own = authorship.lines
    if (
        not colon
        or is_blank(rest)
        or not own
        or chatter.opening(f"{label}:") != "sure"
        or authorship.has(lines[0])
    ):
        return None
    text = lines[0][len(label) + 1 :].lstrip().removeprefix("**").lstrip()
    if likeness(looks(text), own[0]) < max(0.5, likeness(looks(lines[0]), own[0])):
        return None
    return [text, *lines[1:]]


_Layer = Callable[[list[str], Authorship], list[str] | None]
_LAYERS: tuple[_Layer, ...] = (
    unserialised, unfenced, untagged, _without_notes, _without_opening,
    _without_closing, _without_rules, unnumbered, _without_label,
)  # fmt: skip
