"""A reply in our own tags: `<tool>`, `<tool_input>`, `<final_answer>`, and an invented `<observation>`.

As with labels, the input of a step is read to its own end before anything behind it is looked at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from script_editor.agent.arguments import broken_json
from script_editor.agent.broken_calls import broken_call
from script_editor.agent.call_objects import calls_in
from script_editor.agent.calls import RequestedCall, is_no_tool
from script_editor.agent.feedback import Unreadable, unreadable
from script_editor.agent.json_repair import BrokenJson, decode
from script_editor.agent.markup import Markup, is_quoted, starts_line
from script_editor.agent.noise import is_in_sentence, prose_in, skip
from script_editor.agent.own_lines import OwnLines
from script_editor.agent.scanner import Scanner, find_result
from script_editor.agent.schema import argument_names
from script_editor.agent.scratchpad import XML_TAGS
from script_editor.agent.tag_values import answer_value, input_value
from script_editor.agent.text_arguments import bracketed
from script_editor.agent.tools import Toolbox
from script_editor.patterns import Pattern

_INPUT = "tool_input"
_ENOUGH_CHARS = 200  # of the prose behind a call, to say what it was
_TAG = Pattern(rf"<(?P<close>/?)(?P<name>{'|'.join(XML_TAGS)})>", re.IGNORECASE)
_NAME = Pattern(r"[^<>\n\[{(（［｛]{1,100}")
_NAME_END = Pattern(r"\s*+(?:</tool>|(?=<tool_input>))", re.IGNORECASE)
_STEP_LINE = Pattern(r"^[ \t]*+<tool>\s*+(?P<name>[^<>\n]{1,100})</tool>", re.IGNORECASE | re.MULTILINE)


def find_tag(text: str) -> int | None:
    """Return where the first tag of ours stands that is not only quoted."""
    tag = _next_tag(text, 0)
    return tag.start() if tag else None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaggedReply:
    """What the tags of a text ask for. `log` is the text as far as it counts, `preamble` what stands before a step."""

    log: str
    calls: tuple[RequestedCall, ...] = ()
    preamble: str = ""
    answer: str | None = None


def read_tags(text: str, toolbox: Toolbox) -> TaggedReply:
    """Return what the tags in `text`, free of reasoning, ask for; neither calls nor an answer when there are none.

    Raises:
        Unreadable: a step or an answer is there and may not be used.
    """
    return _TagReader(text, toolbox).read()


class _TagReader:
    """One pass over a text, from tag to tag."""

    def __init__(self, text: str, toolbox: Toolbox):
        self._text, self._toolbox = text, toolbox
        self._turns = Scanner(text, kinds={"turn", "observation"}, knows=toolbox.knows)
        self._calls: list[RequestedCall] = []
        self._answers: list[str] = []
        self._first_step = 0
        self._said_no_tool = ""

    def read(self) -> TaggedReply:
        at, cut = 0, len(self._text)
        while tag := _next_tag(self._text, at):
            limit = self._end_before(tag.start(), at)
            self._hear(at, limit)
            if limit < tag.start() or (self._has_something and _opens(tag, "observation")):
                cut = limit
                break
            at = self._take(tag)
        else:
            cut = self._end_before(cut, at)
            self._hear(at, cut)
        return self._result(cut)

    @property
    def _has_something(self) -> bool:
        return bool(self._calls or self._answers)

    def _end_before(self, limit: int, at: int) -> int:
        """Return where somebody else's turn begins behind a step or an answer, `limit` if not before that."""
        if not self._has_something:
            return limit
        turn = self._turns.next_label(at)
        end = min(turn.start, limit) if turn else limit
        result = find_result(self._text, at, end)
        return end if result is None else result

    def _take(self, tag: re.Match[str]) -> int:
        """Return where to read on behind what `tag` opens."""
        if _opens(tag, "tool"):
            calls, end = self._step(tag)
            if calls and not self._calls:
                self._first_step = tag.start()
            self._calls += calls
            return end
        if _opens(tag, "final_answer"):
            return self._answer(tag.end())
        if _opens(tag, _INPUT) and not self._has_something and not self._said_no_tool:
            raise unreadable("missing_action")
        return tag.end()

    def _hear(self, start: int, end: int) -> None:
        """Give the newest call the prose behind it, which may take it back; a call of another form there counts."""
        if not self._has_something:
            return
        others, said = self._others(start, end)
        if self._calls and not self._answers and len(self._calls[-1].prose) <= _ENOUGH_CHARS:
            newest = self._calls[-1]
            self._calls[-1] = replace(newest, prose=f"{newest.prose} {said}".strip())
        self._calls += others

    def _others(self, start: int, end: int) -> tuple[list[RequestedCall], str]:
        """Return the calls of other forms between `start` and `end`, and the prose around them.

        Raises:
            Unreadable: such a call is broken.
        """
        part = self._text[start:end]
        scanner = Scanner(part, kinds=(), knows=self._toolbox.knows)
        calls: list[RequestedCall] = []
        prose, at, said_until = "", 0, 0
        while event := scanner.next_event(at):
            at = event.end
            if isinstance(event, Markup | OwnLines):
                calls += event.calls
                prose += f" {prose_in(part[said_until : event.start])}"
                said_until = at
        return calls, f"{prose} {prose_in(part[said_until:])}".strip()

    def _calls_in_answer(self, start: int, end: int) -> list[str]:
        """Return the names of the calls of another form between `start` and `end`; one in a sentence is text."""
        part = self._text[start:end]
        scanner = Scanner(part, kinds=(), knows=self._toolbox.knows)
        names, at = [], 0
        while event := scanner.next_event(at):
            at = event.end
            if isinstance(event, Markup | OwnLines) and not is_in_sentence(part, event.start, event.end):
                names += [call.name for call in event.calls]
        return names

    def _result(self, cut: int) -> TaggedReply:
        if self._calls and self._answers:
            names = ", ".join(dict.fromkeys(call.name for call in self._calls))
            raise unreadable("step_and_answer", names=names)
        if len(set(self._answers)) > 1:
            raise unreadable("several_answers")
        if self._said_no_tool and not self._has_something:
            raise unreadable("no_tool", said=self._said_no_tool)
        return TaggedReply(
            log=self._text[:cut].strip(),
            calls=tuple(self._calls),
            preamble=self._text[: self._first_step].strip(),
            answer=self._answers[0] if self._answers else None,
        )

    def _answer(self, start: int) -> int:
        found, is_cdata = answer_value(self._text, start), _is_cdata(self._text, start)
        for step in _STEP_LINE.finditer(self._text, start, found.end):
            if self._toolbox.knows(step["name"]) and not is_cdata:
                raise unreadable("step_and_answer", names=step["name"].strip())
        if not is_cdata and (names := self._calls_in_answer(start, found.end)):
            raise unreadable("step_and_answer", names=", ".join(names))
        if not str(found.value).strip():
            raise unreadable("empty_answer")
        self._answers.append(str(found.value))
        return found.end

    def _step(self, tag: re.Match[str]) -> tuple[Sequence[RequestedCall], int]:
        """Return the calls that `<tool>` asks for (one as a rule), and where to read on."""
        start = skip(self._text, tag.end())
        if self._text.startswith("{", start):
            return self._call_object(start)
        name = _NAME.match(self._text, start)
        ending = _NAME_END.match(self._text, name.end() if name else start)
        if name and ending:
            return self._named(name[0].strip(), ending.end())
        if ending:
            raise unreadable("missing_name")
        if name and self._toolbox.knows(name[0]):
            return self._with_brackets(name)
        if starts_line(self._text, tag.start()):
            raise unreadable("bad_call")
        return (), tag.end()  # the tag is mentioned in a sentence

    def _named(self, name: str, at: int) -> tuple[Sequence[RequestedCall], int]:
        if is_no_tool(name):
            self._said_no_tool = name
            return (), at
        call = RequestedCall(name=name, where=_INPUT)
        tag = _next_tag(self._text, at)
        if tag is None or not _opens(tag, _INPUT):
            return (call,), at
        prose = prose_in(self._text[at : tag.start()])
        tool = self._toolbox.find(name)
        keys = argument_names(tool.args) if tool else ()
        try:
            found = input_value(self._text, tag.end(), tool=name, keys=keys)
        except BrokenJson as broken:
            raise self._broken(name, broken) from broken
        given = replace(call, arguments=found.value, prose=prose, complete=found.complete)
        return (given,), found.end

    def _call_object(self, start: int) -> tuple[Sequence[RequestedCall], int]:
        try:
            decoded = decode(self._text, start)
        except BrokenJson as broken:
            raise broken_call(self._text, start, broken, self._toolbox.knows) from broken
        calls = calls_in(decoded.value, self._toolbox.knows)
        if not calls:
            raise unreadable("missing_name")
        return calls, decoded.end

    def _with_brackets(self, name: re.Match[str]) -> tuple[Sequence[RequestedCall], int]:
        """Return the call of a tool with its arguments behind it, as in `history[tea-ad]`."""
        try:
            inline = bracketed(self._text, name.end()) if name.end() < len(self._text) else None
        except BrokenJson as broken:
            raise self._broken(name[0], broken) from broken
        ending = inline and _NAME_END.match(self._text, inline.end)
        if not inline or not ending:
            raise unreadable("bad_call")
        return (RequestedCall(name=name[0], arguments=inline.value, where=_INPUT),), ending.end()

    def _broken(self, name: str, broken: BrokenJson) -> Unreadable:
        tool = self._toolbox.find(name)
        if tool is None:
            return unreadable("unknown_tool", name=name)
        return Unreadable(broken_json(broken, tool.name, _INPUT))


def refuse_tags_behind(text: str, at: int, name: str) -> None:
    """Refuse a step or an answer in our tags behind the call of `name`, which ends at `at` and has another form.

    Raises:
        Unreadable: there is one.
    """
    while tag := _next_tag(text, at):
        at = tag.end()
        if _opens(tag, "final_answer"):
            raise unreadable("step_and_answer", names=name)
        if _opens(tag, "tool"):
            other = _NAME.match(text, at)
            raise unreadable("several_steps", names=f"{name}, {other[0].strip() if other else ''}")


def _next_tag(text: str, at: int) -> re.Match[str] | None:
    while tag := _TAG.search(text, at):
        if not is_quoted(text, tag.start()):
            return tag
        at = tag.end()
    return None


def _opens(tag: re.Match[str], name: str) -> bool:
    return not tag["close"] and tag["name"].casefold() == name


def _is_cdata(text: str, at: int) -> bool:
    return text.startswith("<![CDATA[", skip(text, at))
