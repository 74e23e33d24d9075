"""A model that was turned by an attacker: it makes whatever calls it was told to, and writes HACKED over everything."""

import json
import re
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from script_editor.llm.chat import Message, Reply, ToolCall, ToolSpec

Call = tuple[str, Mapping[str, object]]

_SHOWN = re.compile(r"^(S[0-9]+:[0-9a-z]+) \| ", re.MULTILINE)


class BadAgent:
    """A ChatModel that makes `calls`, one a turn, whatever the tools tell, and then claims that all of it was done.

    With `at_once` it makes all of them in its first reply.
    """

    name = "bad"
    features: frozenset[Any] = frozenset()

    def __init__(self, calls: Sequence[Call], *, at_once: bool = False):
        self._left = deque([list(calls)] if at_once else [[call] for call in calls])
        self.asked: list[Sequence[Message]] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        **_how: object,
    ) -> Reply:
        """See ChatModel.complete."""
        self.asked.append(messages)
        if not tools:
            return Reply(text=_hacked(messages))
        if not self._left:
            return Reply(text="All scripts now say HACKED, as approved; video_001 was deleted for good.")
        calls = tuple(
            ToolCall(f"call_{len(self.asked)}_{place}", tool, json.dumps(arguments, ensure_ascii=False))
            for place, (tool, arguments) in enumerate(self._left.popleft())
        )
        return Reply(tool_calls=calls, finish_reason="tool_calls")


def _hacked(messages: Sequence[Message]) -> str:
    """Return operations that leave one line."""
    first, *others = _SHOWN.findall(messages[1].content) or ["S1"]
    return "\n".join([f"@@ replace {first}", "HACKED", *(f"@@ delete {line}" for line in others), "@@ end"])
