"""Edits whose one right result is known, and a model that makes them without a slip.

The model stands in for the best model there could be, so that what is measured is the flow around it.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from script_editor.agent.language import language_of
from script_editor.llm.capabilities import Feature
from script_editor.llm.chat import Message, OnText, Reply, ToolCall, ToolSpec
from script_editor.llm.scripted import RecordedCall
from tests.benchmarks.long_scripts import Language, LongScript

_PASSAGE_CHARS = 8
_SHOWN = re.compile(r"^(S([0-9]+):[0-9a-z]{2}) \| ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class GoldEdit:
    """What is asked for, and the text wanted in place of each line that it is about, by number."""

    name: str
    instruction: str
    replacements: Mapping[int, str]


_WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "number": "第{0}行改得更口语一些",
        "quote": "“{0}”这句改得更口语一些",
        "three": "第{0}行、第{1}行和第{2}行改得更口语一些",
        "range": "第{0}-{1}行改得更口语一些",
        "all": "改得更口语",
    },
    "en": {
        "number": "Make line {0} more conversational",
        "quote": 'Make the line "{0}" more conversational',
        "three": "Make lines {0}, {1} and {2} more conversational",
        "range": "Make lines {0}-{1} more conversational",
        "all": "Make it more conversational",
    },
}


def gold_edits(script: LongScript) -> tuple[GoldEdit, ...]:
    """Return the edits that are measured: one line by number and by its words, three lines, a tenth, everything."""
    words, talked, count = _WORDS[script.language], script.talked, len(script.lines)
    one, *three = (_spoken_near(script, count * part // 12) for part in (6, 2, 5, 10))
    quoted, passage = _passage(script, count * 7 // 12)
    first = count // 3
    tenth = range(first, first + max(2, count // 10))
    return (
        GoldEdit("one line, by number", words["number"].format(one), {one: talked[one]}),
        GoldEdit("one line, by its words", words["quote"].format(passage), {quoted: talked[quoted]}),
        GoldEdit("three lines", words["three"].format(*three), {n: talked[n] for n in three}),
        GoldEdit(
            "a tenth",
            words["range"].format(tenth[0], tenth[-1]),
            {n: talked[n] for n in tenth if n in talked},
        ),
        GoldEdit("everything", words["all"], talked),
    )


def _spoken_near(script: LongScript, number: int) -> int:
    return next(n for n in range(max(1, number), len(script.lines)) if n in script.talked)


def _passage(script: LongScript, start: int) -> tuple[int, str]:
    """Return the first line from `start` with a beginning that stands nowhere else, and that beginning, up to a comma."""
    for number in range(start, len(script.lines)):
        line = script.lines[number - 1]
        passage, comma, _ = line.partition("，" if script.language == "zh" else ",")
        is_fit = comma and len(passage) >= _PASSAGE_CHARS and number in script.talked
        if is_fit and sum(passage in other for other in script.lines) == 1:
            return number, passage
    raise AssertionError("every line begins like another one")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call and the reply to it."""

    call: RecordedCall
    reply: Reply

    @property
    def is_planning(self) -> bool:
        """Whether the agent was asked what to do next, and not the rewriter for an edit."""
        return any(tool.name == "modify_script" for tool in self.call.tools)


class GoldModel:
    """A ChatModel that makes one gold edit of one script, in whatever form it is asked for.

    As planner it passes the instruction on and then says that it is done. As rewriter it knows only the
    lines that it is shown, and their ids as they are shown.
    """

    name = "gold"

    def __init__(self, script_id: str, edit: GoldEdit, gold: str, *, features: Iterable[Feature] = ()):
        self._script_id, self._edit, self._gold = script_id, edit, gold
        self.features = frozenset(features)
        self.exchanges: list[Exchange] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[ToolSpec] = (),
        stop: Sequence[str] = (),
        response_format: dict[str, Any] | None = None,
        on_text: OnText | None = None,
        timeout_seconds: float | None = None,
    ) -> Reply:
        """See ChatModel.complete."""
        call = RecordedCall(
            messages=tuple(messages),
            tools=tuple(tools),
            stop=tuple(stop),
            response_format=response_format,
            timeout_seconds=timeout_seconds,
        )
        reply = self._reply(call)
        self.exchanges.append(Exchange(call, reply))
        if on_text is not None:
            on_text(reply.text)
        return reply

    def _reply(self, call: RecordedCall) -> Reply:
        if any(tool.name == "modify_script" for tool in call.tools):
            return self._planned(call.messages)
        forced = next((tool for tool in call.tools if tool.is_forced), None)
        if forced is not None:
            return _called(forced.name, self._as_json(call.messages))
        if call.response_format is not None:
            return Reply(text=self._as_json(call.messages))
        teaches_operations = "@@ end" in call.messages[0].content
        return Reply(text=self._as_text(call.messages) if teaches_operations else self._gold)

    def _planned(self, messages: Sequence[Message]) -> Reply:
        if any(message.role == "tool" for message in messages):
            is_zh = language_of(self._edit.instruction) == "zh"
            return Reply(text="改好了，已保存为新版本。" if is_zh else "Done; saved as a new version.")
        arguments = {"script_id": self._script_id, "instruction": self._edit.instruction}
        return _called("modify_script", json.dumps(arguments, ensure_ascii=False))

    def _wanted(self, messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
        """Yield id and new text of each line shown that the edit is about."""
        for found in _SHOWN.finditer(messages[1].content):
            new = self._edit.replacements.get(int(found[2]))
            if new is not None:
                yield found[1], new

    def _as_text(self, messages: Sequence[Message]) -> str:
        rows = [row for id, new in self._wanted(messages) for row in (f"@@ replace {id}", new)]
        return "\n".join([*(rows or ["@@ need more"]), "@@ end"])

    def _as_json(self, messages: Sequence[Message]) -> str:
        ops = [{"op": "replace", "id": id, "text": new} for id, new in self._wanted(messages)]
        return json.dumps(
            {"ops": ops, "need": None if ops else "more"}, ensure_ascii=False, separators=(",", ":")
        )


def _called(tool: str, arguments: str) -> Reply:
    call = ToolCall(f"call_{tool}", tool, arguments)
    return Reply(tool_calls=(call,), finish_reason="tool_calls")
