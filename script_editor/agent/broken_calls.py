"""What a model is told of a call that is written as JSON and cannot be read."""

import re

from script_editor.agent.arguments import broken_json, why_broken
from script_editor.agent.call_objects import NAME_KEYS, Knows
from script_editor.agent.calls import canonical
from script_editor.agent.feedback import Problem, Unreadable
from script_editor.agent.json_repair import BrokenJson
from script_editor.patterns import Pattern

WINDOW_CHARS = 400
CALL_NAME = Pattern(
    r"[\"'“＂](?:action|tool|tool_name|name|function|tool_calls?|动作|行动)[\"'”＂]\s*+[:：]\s*+"
    r"(?:[\"'“＂](?P<name>[^\"'“”＂\n]{0,80}))?",
    re.IGNORECASE,
)


def broken_call(text: str, at: int, broken: BrokenJson, knows: Knows, *, name: str = "") -> Unreadable:
    """Return what to say of the call object at `at` of `text`, whose reading ended in `broken`.

    `name` is that of the tool if it stands in front of the object. Otherwise it is looked for in the
    object: the last one before the place where it broke, because a list may hold several calls.
    """
    end = min(max(broken.end, at + 1) if broken.end else len(text), at + WINDOW_CHARS)
    named = [name] if name else [found["name"] or "" for found in CALL_NAME.finditer(text, at, end)]
    unnamed = Problem("bad_call_json", why_broken(broken))
    if broken.kind == "duplicate" and broken.key in NAME_KEYS and not name:
        names = ", ".join(dict.fromkeys(filter(None, named)))
        return Unreadable(unnamed, Problem("two_names", {"names": names}))
    known = [tool for tool in named if knows(tool)]
    return Unreadable(broken_json(broken, canonical(known[-1]), "arguments") if known else unnamed)
