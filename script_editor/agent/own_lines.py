"""Call objects that stand on lines of their own, bare or in a fence."""

import re
from dataclasses import dataclass

from script_editor.agent.call_objects import Knows, calls_in
from script_editor.agent.calls import RequestedCall
from script_editor.agent.feedback import unreadable
from script_editor.agent.json_repair import BrokenJson, decode
from script_editor.agent.noise import prose_in, skip

_START = re.compile(r"^[ \t]*+(?:[`~']{1,3}[\w+-]*+[ \t]*+)?(?=[{｛]\s*+[\"'“＂]|\[\s*+[{｛])", re.MULTILINE)
_NAME = re.compile(
    r"[{｛\[\s]*+[\"'“＂](?:action|tool|tool_name|name|function|tool_calls?|动作|行动)[\"'”＂]\s*+[:：]\s*+"
    r"(?:[\"'“＂](?P<name>[^\"'“”＂\n]{0,80}))?",
    re.IGNORECASE,
)
_ARGUMENTS = re.compile(
    r"[\"'“＂](?:action_input|tool_input|args|arguments|input|parameters|动作输入|行动输入)[\"'”＂]\s*+[:：]"
)
_WINDOW_CHARS = 400


@dataclass(frozen=True, slots=True)
class OwnLines:
    """Calls that take up whole lines; none when the lines hold something else."""

    calls: tuple[RequestedCall, ...]
    start: int
    end: int


def find_own_lines(text: str, at: int) -> int | None:
    """Return where a line begins, at or behind `at`, that opens with an object or a list of them."""
    match = _START.search(text, at)
    return match.start() if match else None


def read_own_lines(text: str, start: int, knows: Knows) -> OwnLines:
    """Return the calls in the lines from `start`, as far as one object follows another.

    Raises:
        Unreadable: an object there is meant as a call and cannot be read.
    """
    opening = _START.match(text, start)
    at = opening.end() if opening else start
    calls: list[RequestedCall] = []
    end = at + 1
    while text.startswith(("{", "｛", "["), at):
        try:
            decoded = decode(text, at)
        except BrokenJson as broken:
            if _is_meant_as_call(text, at, knows):
                raise unreadable("bad_call_json", near=broken.near) from broken
            # What is nested too deeply from here is so from every bracket up to there.
            end = broken.end if broken.kind == "deep" else end
            break
        found = calls_in(decoded.value, knows)
        end = decoded.end
        if not found:
            break
        calls.extend(found)
        at = skip(text, end)
    rest_of_line = text[end:].partition("\n")[0] if calls else ""
    return OwnLines(() if prose_in(rest_of_line) else tuple(calls), start, end)


def _is_meant_as_call(text: str, at: int, knows: Knows) -> bool:
    named = _NAME.match(text, at)
    if named is None:
        return False
    cut_in_name = not text[named.end() :].strip()
    has_arguments = _ARGUMENTS.search(text, at, at + _WINDOW_CHARS) is not None
    return cut_in_name or has_arguments or knows(named["name"] or "")
