"""Call objects that stand on lines of their own, bare or in a fence."""

import re
from dataclasses import dataclass, replace

from script_editor.agent.broken_calls import CALL_NAME, WINDOW_CHARS, broken_call
from script_editor.agent.call_objects import Knows, calls_in
from script_editor.agent.calls import RequestedCall
from script_editor.agent.json_repair import BrokenJson, decode
from script_editor.agent.noise import prose_in, rest_of_line, skip
from script_editor.patterns import Pattern

_SPACE = r"(?:\s|\\[nrt])*+"  # a line break between tokens may come escaped
_OBJECT = rf"[{{｛](?={_SPACE}[\"'“＂])|\[(?={_SPACE}[{{｛])"
_START = Pattern(rf"^[ \t]*+(?:[`~']{{1,3}}[\w+-]*+[ \t]*+)?(?={_OBJECT})", re.MULTILINE)
_ANYWHERE = Pattern(_OBJECT)
_ARGUMENTS = Pattern(
    r"[\"'“＂](?:action_input|tool_input|args|arguments|input|parameters|动作输入|行动输入)[\"'”＂]\s*+[:：]"
)
_MAX_OPENING_CHARS = 60


@dataclass(frozen=True, slots=True)
class OwnLines:
    """Calls that take up whole lines, or stand in a sentence; none when there is something else."""

    calls: tuple[RequestedCall, ...]
    start: int
    end: int


def find_own_lines(text: str, at: int) -> int | None:
    """Return where a line begins, at or behind `at`, that opens with an object or a list of them."""
    match = _START.search(text, at)
    return match.start() if match else None


def find_objects(text: str, at: int) -> int | None:
    """Return where an object or a list of them begins, at or behind `at`: the start of its line, if it opens that."""
    found = _ANYWHERE.search(text, at)
    if found is None:
        return None
    line = text.rfind("\n", max(at, found.start() - _MAX_OPENING_CHARS), found.start()) + 1 or at
    opening = _START.match(text, line)
    return line if opening and opening.end() == found.start() else found.start()


def read_own_lines(text: str, start: int, knows: Knows, *, anywhere: bool = False) -> OwnLines:
    """Return the calls in the lines from `start`, as far as one object follows another.

    A line that ends in prose holds no call, unless it may stand `anywhere`.

    Raises:
        Unreadable: an object there is meant as a call and cannot be read.
    """
    opening = _START.match(text, start)
    at = opening.end() if opening else start
    before = "" if opening or not anywhere else prose_in(_line_before(text, start))
    calls: list[RequestedCall] = []
    end = at + 1
    while text.startswith(("{", "｛", "["), at):
        try:
            decoded = decode(text, at)
        except BrokenJson as broken:
            if _is_meant_as_call(text, at, knows):
                raise broken_call(text, at, broken, knows) from broken
            # What is nested too deeply from here is so from every bracket up to there.
            end = broken.end if broken.kind == "deep" else end
            break
        found = calls_in(decoded.value, knows)
        end = decoded.end
        if not found:
            break
        calls += [replace(call, prose=before) for call in found]
        at = skip(text, end)
    is_text = calls and not anywhere and prose_in(rest_of_line(text, end))
    return OwnLines(() if is_text else tuple(calls), start, end)


def _line_before(text: str, at: int) -> str:
    """Return what stands before `at` in its line, or the end of it."""
    return text[max(0, at - WINDOW_CHARS) : at].rpartition("\n")[2]


def _is_meant_as_call(text: str, at: int, knows: Knows) -> bool:
    window = text[at : at + WINDOW_CHARS]
    if _ARGUMENTS.search(window):
        return CALL_NAME.search(window) is not None
    ends_here = at + WINDOW_CHARS >= len(text)
    return any(
        knows(named["name"] or "") or (ends_here and not window[named.end() :].strip())
        for named in CALL_NAME.finditer(window)
    )
