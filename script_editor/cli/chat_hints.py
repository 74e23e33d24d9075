"""Hints inside a chat: commands of the program are named as they are given there."""

import re
from collections.abc import Mapping

from script_editor.cli.chat_place import Place

_WRITES: Mapping[str, bool] = {
    "show": False, "diff": False, "history": False, "proposals": False, "list": False, "undo": True, "redo": True,
    "revert": True, "review": True, "apply": True, "discard": True, "lock": True, "unlock": True,
}  # fmt: skip
"""The commands that are there in a chat as well, and whether they write."""
_ABOUT_PROPOSALS = frozenset({"proposals", "list", "review", "apply", "discard"})
_COMMAND = re.compile(rf"script-editor (?P<name>{'|'.join(_WRITES)})(?![\w-])(?: (?P<id>[^\s,.;，。；]+))?")


def as_slash(place: Place, line: str) -> str:
    """Return a sentence with each command as the chat takes it: `script-editor undo video_001` is `/undo`.

    The chat's own script need not be named. What a chat that is read-only has no command for stays as it is.
    """

    def inside(found: re.Match[str]) -> str:
        name, id = found["name"], found["id"]
        if place.read_only and _WRITES[name]:
            return found[0]
        is_own = id is not None and id == place.chat.chat.script_id and name not in _ABOUT_PROPOSALS
        return f"/{name}" if id is None or is_own else f"/{name} {id}"

    return _COMMAND.sub(inside, line)
