"""One step in labels: the tool behind Action, and its arguments behind Action Input or in the same line."""

import re
from dataclasses import dataclass

from script_editor.agent.answers import Answer, in_brackets, read_answer, unquoted
from script_editor.agent.arguments import broken_json
from script_editor.agent.broken_calls import broken_call
from script_editor.agent.call_objects import calls_in
from script_editor.agent.calls import RequestedCall, is_finish, is_no_tool
from script_editor.agent.feedback import Unreadable, unreadable
from script_editor.agent.json_repair import BrokenJson, decode, same
from script_editor.agent.labels import Label, Pair, find_pair
from script_editor.agent.markup import find_markup
from script_editor.agent.noise import prose_in, skip
from script_editor.agent.scanner import Scanner
from script_editor.agent.text_arguments import TextArguments, arguments_at, bracketed
from script_editor.agent.tools import Toolbox

_INPUT = "Action Input"
_BRACKETS = "([{（［｛"
_HEAD = re.compile(r"[^\n\[［(（{｛:：]*+")


@dataclass(frozen=True, slots=True)
class Action:
    """What an Action label asks for: calls (one as a rule), or nothing. `end` is behind it.

    `said_no_tool` is what was written to say that no tool is wanted.
    """

    calls: tuple[RequestedCall, ...]
    end: int
    said_no_tool: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """The line of an Action label: its text, and `head`, what stands in it before a bracket or a colon.

    `behind` is the input label if that is the next one; the next label of any kind stands at `limit`.
    """

    label: Label
    start: int
    end: int
    text: str
    head: str
    limit: int
    behind: Label | None

    @property
    def head_end(self) -> int:
        """The offset behind the head."""
        return self.start + len(self.head)


class ActionReader:
    """Reads what stands behind the Action labels of one text."""

    def __init__(self, text: str, toolbox: Toolbox, scanner: Scanner, *, every_action_counts: bool):
        self._text, self._toolbox, self._scanner = text, toolbox, scanner
        self._every_action_counts = every_action_counts

    def is_real(self, label: Label) -> bool:
        """Whether the line is a step: it names a tool, or an input line is the next label behind it.

        A line that says that no tool is wanted is none.
        """
        line = self._line(label)
        return self._toolbox.knows(line.head) or (line.behind is not None and not is_no_tool(line.text))

    def read(self, label: Label) -> Action | Answer:
        """Return what `label` asks for.

        Raises:
            Unreadable: it names no tool, or its arguments are broken.
        """
        line = self._line(label)
        pair = find_pair(self._text, label.start, line.end)
        if pair and pair.start < label.end:
            return self._with_object(pair.name, pair.end)
        if self._toolbox.knows(line.head):
            return self._step(line)
        if is_finish(line.head):
            return self._finish(line)
        if is_no_tool(line.text):
            return Action((), line.behind.end if line.behind else label.end, said_no_tool=line.text)
        is_step = self._every_action_counts or line.behind is not None or self._is_called(line)
        if is_step and find_markup(self._text, line.start) != line.start:
            return self._step(line)
        return Action((), label.end)  # text, or a label in front of markup that speaks for itself

    def read_pair(self, pair: Pair) -> Action | None:
        """Return the step of a one-line pair, or None if it does not name a tool exactly."""
        return self._with_object(pair.name, pair.end) if self._toolbox.knows(pair.name) else None

    def _line(self, label: Label) -> _Line:
        following = self._scanner.next_label(label.end)
        limit = following.start if following else len(self._text)
        start = min(skip(self._text, label.end), limit)
        newline = self._text.find("\n", start, limit)
        end = newline if newline >= 0 else limit
        head = _HEAD.match(self._text, start, end)
        behind = following if following and following.kind == "input" else None
        text = self._text[start:end].strip()
        return _Line(label, start, end, text, head[0] if head else "", limit, behind)

    def _is_called(self, line: _Line) -> bool:
        """Whether the line has the notation of a call with an object, `name({…})`, which no prose has."""
        has_brackets = bool(line.head.strip()) and self._text.startswith(("(", "（"), line.head_end)
        return has_brackets and self._text.startswith(("{", "｛"), skip(self._text, line.head_end + 1))

    def _finish(self, line: _Line) -> Answer:
        start = line.head_end
        if line.behind and not prose_in(self._text[start : line.behind.start]):
            answer = read_answer(self._scanner, line.label, line.behind.end, self.is_real)
            return Answer(unquoted(answer.text), line.label.start)
        opens_bracket = self._text.startswith(("[", "(", "（", "［"), start)
        start += self._text.startswith((":", "："), start)
        answer = read_answer(self._scanner, line.label, start, self.is_real)
        return Answer(unquoted(in_brackets(answer.text) if opens_bracket else answer.text), line.label.start)

    def _step(self, line: _Line) -> Action:
        if not line.text:
            raise unreadable("missing_name")
        if line.text[0] in "{｛[":
            return self._call_object(line.start)
        if (
            line.head_end < line.end
            and self._text[line.head_end] in _BRACKETS
            and self._toolbox.knows(line.head)
        ):
            return self._with_brackets(line)
        return self._with_input(line, line.text, line.end)

    def _call_object(self, start: int) -> Action:
        try:
            decoded = decode(self._text, start)
        except BrokenJson as broken:
            raise broken_call(self._text, start, broken, self._toolbox.knows) from broken
        calls = calls_in(decoded.value, self._toolbox.knows)
        if not calls:
            raise unreadable("missing_name")
        return Action(calls, decoded.end)

    def _with_brackets(self, line: _Line) -> Action:
        name = line.head
        try:
            inline = bracketed(self._text, line.head_end)
        except BrokenJson as broken:
            raise self._broken(name, broken) from broken
        if line.behind and (inline is None or inline.bare):
            return self._with_input(line, name, line.end)  # a remark behind the name
        if inline is None:
            raise unreadable("not_an_object", tool=name, where=_INPUT)
        given = self._with_input(line, name, inline.end) if line.behind else None
        if given and not same(given.calls[0].arguments, inline.value):
            raise unreadable("two_arguments", tool=name, where=_INPUT)
        return given or _action(name, inline)

    def _with_input(self, line: _Line, name: str, name_end: int) -> Action:
        """Return the step with what stands behind its input label, or the object right behind its name."""
        start = skip(self._text, name_end)
        if line.behind:
            return self._labelled(name, line.behind, prose_in(self._text[name_end : line.behind.start]))
        if start < line.limit and self._text[start] in "{｛":
            return self._with_object(name, start)
        return Action((RequestedCall(name=name, where=_INPUT),), name_end)

    def _labelled(self, name: str, behind: Label, prose: str) -> Action:
        following = self._scanner.next_label(behind.end)
        limit = following.start if following else len(self._text)
        try:
            return _action(name, arguments_at(self._text, behind.end, limit), prose)
        except BrokenJson as broken:
            raise self._broken(name, broken) from broken

    def _with_object(self, name: str, start: int) -> Action:
        try:
            decoded = decode(self._text, start)
        except BrokenJson as broken:
            raise self._broken(name, broken) from broken
        return _action(name, TextArguments(decoded.value, decoded.end))

    def _broken(self, name: str, broken: BrokenJson) -> Unreadable:
        tool = self._toolbox.find(name)
        if tool is None:
            return unreadable("unknown_tool", name=name.strip())
        return Unreadable(broken_json(broken, tool.name, _INPUT))


def _action(name: str, found: TextArguments, prose: str = "") -> Action:
    call = RequestedCall(
        name=name,
        arguments=found.value,
        where=_INPUT,
        prose=f"{prose} {found.prose}".strip(),
        complete=found.complete,
    )
    return Action((call,), found.end)
