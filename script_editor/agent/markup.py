"""Calls that models write as markup into their text: `<tool_call>`, `<function=…>`, `<invoke name=…>` and their kin.

Services are meant to take these out of the text and often do not. The end tag may be missing
behind a complete JSON object, because its end is beyond doubt, and never behind a plain value.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from script_editor.agent.broken_calls import broken_call
from script_editor.agent.call_objects import Knows, calls_in
from script_editor.agent.calls import RequestedCall
from script_editor.agent.feedback import unreadable
from script_editor.agent.json_repair import BrokenJson, Decoded, decode
from script_editor.agent.noise import skip
from script_editor.patterns import Pattern

# Tags: `<tool_call>{…}`, `<function=…>` with parameters, `<invoke name=…>`; a prefix such as DSML may stand in them.
_OPEN, _CLOSE = (rf"<{slash}(?:[|｜]DSML[|｜]|[a-z]+:)?" for slash in ("", "/"))
_GROUP = r"(?:tool_calls?|tools|function_calls?)"
_GROUP_OPEN = Pattern(
    rf"\s*+(?:{_OPEN}{_GROUP}>|<[|｜]tool[▁_ ]calls(?:[▁_ ]section)?[▁_ ]begin[|｜]>"
    r"|<[|｜]tool[▁_ ]calls?[|｜]>|\[TOOL_CALLS\]|<\|python_tag\|>)",
    re.I,
)
_GROUP_CLOSE = Pattern(
    rf"\s*+(?:{_CLOSE}{_GROUP}>|<[|｜]tool[▁_ ]calls?(?:[▁_ ]section)?[▁_ ]end[|｜]>|<[|｜]/tool[▁_ ]calls?[|｜]>|<\|call\|>)",
    re.I,
)
_FUNCTION = Pattern(
    rf"\s*+{_OPEN}(?:function\s*=|(?:function|invoke)\s+name\s*=)\s*[\"']?"
    r"(?P<name>[^\"'<>\s]{1,100}(?: [^\"'<>\s=]{1,100}){0,3})"
    r"[\"']?(?:[\s/][^<>\n]*)?>",
    re.I,
)
_FUNCTION_END = Pattern(rf"\s*+{_CLOSE}(?:function|invoke|{_GROUP})>", re.I)
_PARAMETER = Pattern(
    rf"\s*+{_OPEN}parameter(?:\s*=|\s+name\s*=)\s*[\"']?(?P<key>[^\"'<>\s]{{1,100}})[\"']?[^<>\n]*>",
    re.I,
)
_PARAMETER_END = Pattern(
    rf"{_CLOSE}parameter>(?=\s*+(?:{_OPEN}parameter\b|{_CLOSE}(?:function|invoke|{_GROUP})>|\Z))", re.I
)
# A bare name, and keys and values in tags of their own.
_PLAIN_NAME = Pattern(r"\s*+(?P<name>[\w.-]{1,100})\s*+(?=<arg_key>|</tool_call>)")
_ARG = Pattern(r"\s*+<arg_key>(?P<key>[^<>]{1,100})</arg_key>\s*+<arg_value>")
_ARG_END = Pattern(r"</arg_value>(?=\s*+(?:<arg_key>|</tool_call>|\Z))")
# Special tokens that leaked into the text: `<｜tool▁call▁begin｜>function<｜tool▁sep｜>name`, `<|tool_call_begin|>name:0`.
_TOKEN_CALL = Pattern(
    r"\s*+<[|｜]tool[▁_ ]call[▁_ ]begin[|｜]>\s*+(?:function\s*+<[|｜]tool[▁_ ]sep[|｜]>\s*+)?"
    r"(?P<name>[\w.:-]{1,100}(?: [\w.:-]{1,100}){0,3})"
    r"\s*+(?:<[|｜]tool[▁_ ](?:sep|call[▁_ ]argument[▁_ ]begin)[|｜]>)?"
)
# Channels: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`.
_HARMONY_CALL = Pattern(
    r"\s*+(?:<\|start\|>(?P<head>[^<]*+))?<\|channel\|>(?P<channel>[^<]*+)(?:<\|constrain\|>[^<]*+)?<\|message\|>"
)
# The same when its tokens were taken out: `commentary to=functions.name json{…}`.
_BARE_HARMONY_CALL = Pattern(
    r"\s*+(?:assistant)?(?:commentary|analysis)[ \t]+to=(?P<name>functions\.[\w.-]{1,100})\s*+(?:json|code)?\s*+(?=\{)"
)
# A name in front of its object: `[TOOL_CALLS]name{…}`.
_NAMED_OBJECT = Pattern(r"\s*+(?P<name>[\w.-]{1,100})\s*+(?:\[ARGS\]\s*+)?(?=\{)")
_RECIPIENT = Pattern(r"\bto=(?P<name>[\w.-]{1,100})")
# Where any of these may begin.
_STARTS = Pattern(
    rf"{_OPEN}(?:{_GROUP}>|function\s*=|(?:function|invoke)\s+name\s*=)|<[|｜]tool[▁_ ]call|\[TOOL_CALLS\]"
    r"|<\|python_tag\|>|<\|start\|>assistant[^<]*+<\|channel\|>|<\|channel\|>"
    r"|(?:assistant)?(?:commentary|analysis)[ \t]+to=functions\.",
    re.I,
)
_CDATA = Pattern(r"<!\[CDATA\[(?P<inside>.*)\]\]>", re.DOTALL)
_MAX_INDENT = 200
_MAX_QUOTED = 1000
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』"}
_CDATA_SEAM = "]]]]><![CDATA[>"  # how the end of a section is written inside one
_ENTITY = Pattern(r"&(lt|gt|amp|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


@dataclass(frozen=True, slots=True)
class Markup:
    """Calls in markup and the part of the text they take."""

    calls: tuple[RequestedCall, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Item:
    calls: tuple[RequestedCall, ...]
    end: int


def find_markup(text: str, at: int) -> int | None:
    """Return where markup of a call may begin, at or behind `at`; quoted tags are text."""
    while match := _STARTS.search(text, at):
        if not is_quoted(text, match.start()):
            return match.start()
        at = max(match.end(), _end_of_quotation(text, match.start()))
    return None


def _end_of_quotation(text: str, at: int) -> int:
    """Return where the quotation that opens right before `at` closes in its line; 0 if it does not."""
    newline = text.find("\n", at, at + _MAX_QUOTED)
    return text.find(_QUOTES[text[at - 1]], at, newline if newline >= 0 else at + _MAX_QUOTED) + 1


def is_quoted(text: str, at: int) -> bool:
    """Whether the tag at `at` stands behind a quotation mark in its line, so that it is only mentioned."""
    return text[at - 1 : at] in _QUOTES and not starts_line(text, at, marks="`")


def starts_line(text: str, at: int, *, marks: str = "") -> bool:
    """Whether only space, or one of `marks`, stands before `at` in its line."""
    window = text[max(0, at - _MAX_INDENT) : at]
    newline = window.rfind("\n")
    if newline < 0 and at > _MAX_INDENT:
        return False
    return not window[newline + 1 :].strip(" \t" + marks)


def read_markup(text: str, start: int, knows: Knows) -> Markup:
    """Return the calls whose markup begins at `start`; none if the tags there are only mentioned.

    Raises:
        Unreadable: the markup is empty, cut off or broken.
    """
    reader = _MarkupReader(text, start, knows)
    reader.read()
    if not reader.calls and reader.at > start and starts_line(text, start):
        raise unreadable("bad_call")
    return Markup(tuple(reader.calls), start, max(reader.at, start + 1))


class _MarkupReader:
    """One pass over markup: group tags around items, each of which is one or more calls."""

    def __init__(self, text: str, at: int, knows: Knows):
        self.text, self.at, self.knows = text, at, knows
        self.calls: list[RequestedCall] = []

    def read(self) -> None:
        in_group = False
        while True:
            if match := _GROUP_OPEN.match(self.text, self.at):
                in_group, self.at = True, match.end()
            elif match := _GROUP_CLOSE.match(self.text, self.at):
                in_group, self.at = False, match.end()
            elif item := self._item(in_group):
                self.calls.extend(item.calls)
                self.at = item.end
            else:
                return

    def _item(self, in_group: bool) -> _Item | None:
        readers: list[Callable[[], _Item | None]] = [self._function, self._token_call, self._harmony_call]
        if in_group:
            readers += [self._plain, self._named_object, self._json]
        return next((item for reader in readers if (item := reader())), None)

    def _function(self) -> _Item | None:
        opening = _FUNCTION.match(self.text, self.at)
        if opening is None:
            return None
        name, at = opening["name"], opening.end()
        if self._stands("{", at):
            return self._named_item(name, skip(self.text, at))
        if _PARAMETER.match(self.text, at):
            values, at = self._values(name, at, _PARAMETER, _PARAMETER_END)
            return self._closed(name, values, at, _FUNCTION_END)
        ending = _FUNCTION_END.search(self.text, at)
        if ending is None:
            raise unreadable("bad_call")
        return _Item((RequestedCall(name=name, arguments=self.text[at : ending.start()]),), ending.end())

    def _plain(self) -> _Item | None:
        """A name alone in its tags, with or without key and value tags behind it."""
        name = _PLAIN_NAME.match(self.text, self.at)
        if name is None or not (self.knows(name["name"]) or _ARG.match(self.text, name.end())):
            return None
        values, at = self._values(name["name"], name.end(), _ARG, _ARG_END)
        return self._closed(name["name"], values, at, _GROUP_CLOSE)

    def _token_call(self) -> _Item | None:
        opening = _TOKEN_CALL.match(self.text, self.at)
        return self._named_item(opening["name"], skip(self.text, opening.end())) if opening else None

    def _named_object(self) -> _Item | None:
        """A name and an object right behind it."""
        name = _NAMED_OBJECT.match(self.text, self.at)
        if name is None or not self.knows(name["name"]):
            return None
        return self._named_item(name["name"], name.end())

    def _harmony_call(self) -> _Item | None:
        if bare := _BARE_HARMONY_CALL.match(self.text, self.at):
            return self._named_item(bare["name"], bare.end())
        opening = _HARMONY_CALL.match(self.text, self.at)
        to = opening and _RECIPIENT.search(f"{opening['head'] or ''} {opening['channel']}")
        return self._named_item(to["name"], skip(self.text, opening.end())) if opening and to else None

    def _json(self) -> _Item | None:
        start = skip(self.text, self.at)
        if self.text[start : start + 1] not in ("{", "[", "｛"):
            return None
        decoded = self._decode(start)
        calls = calls_in(decoded.value, self.knows)
        if not calls:
            raise unreadable("bad_call")
        return _Item(calls, skip(self.text, decoded.end))

    def _named_item(self, name: str, at: int) -> _Item:
        decoded = self._decode(at, name)
        ending = _FUNCTION_END.match(self.text, skip(self.text, decoded.end))
        end = ending.end() if ending else skip(self.text, decoded.end)
        return _Item((RequestedCall(name=name, arguments=decoded.value),), end)

    def _closed(self, name: str, values: dict[str, object], at: int, end: Pattern) -> _Item:
        """Return the call if its end tag is there; without it another value may have been cut off."""
        ending = end.match(self.text, at)
        if ending is None:
            raise unreadable("bad_call")
        return _Item((RequestedCall(name=name, arguments=values),), ending.end())

    def _values(self, tool: str, at: int, opening: Pattern, ending: Pattern) -> tuple[dict[str, object], int]:
        values: dict[str, object] = {}
        while match := opening.match(self.text, at):
            end = ending.search(self.text, match.end())
            if end is None:
                raise unreadable("bad_call")
            key, value = match["key"].strip(), plain_value(self.text[match.end() : end.start()])
            if values.setdefault(key, value) != value:
                raise unreadable("two_arguments", tool=tool, where=key)
            at = end.end()
        return values, at

    def _stands(self, char: str, at: int) -> bool:
        return self.text.startswith(char, skip(self.text, at))

    def _decode(self, at: int, name: str = "") -> Decoded:
        try:
            return decode(self.text, at)
        except BrokenJson as broken:
            raise broken_call(self.text, at, broken, self.knows, name=name) from broken


def plain_value(text: str) -> str:
    """Return the text between two tags: entities decoded once, except in CDATA, and no space around it."""
    cdata = _CDATA.fullmatch(text.strip())
    return cdata["inside"].replace(_CDATA_SEAM, "]]>") if cdata else without_entities(text).strip()


def without_entities(text: str) -> str:
    """Return `text` with the entities of XML decoded once; what is no entity stays as it is."""
    return _ENTITY.sub(lambda entity: _ENTITIES.get(entity[1]) or _numbered(entity), text)


def _numbered(entity: re.Match[str]) -> str:
    digits = entity[1].lstrip("#").lower()
    number = int(digits[1:], 16) if digits.startswith("x") else int(digits)
    is_character = 0 < number < 0xD800 or 0xDFFF < number < 0x110000
    return chr(number) if is_character else entity[0]
