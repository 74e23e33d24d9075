"""What stands between a tag of ours and its end: JSON, child tags, CDATA or plain text.

JSON is read with a real decoder, to its own end. Any other value runs to its closing tag, which counts
only in front of a tag that may follow it, or at the end: what looks like a tag inside a value is text.
Entities are decoded once, after the JSON, and not in CDATA.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass

from script_editor.agent.feedback import unreadable
from script_editor.agent.json_repair import BrokenJson, Decoded, decode, same, starts_value
from script_editor.agent.markup import plain_value, without_entities
from script_editor.agent.noise import skip
from script_editor.agent.scratchpad import XML_TAGS, unescaped
from script_editor.patterns import Pattern

_OWN = rf"</?(?:{'|'.join(XML_TAGS)})>"
_END = r"(?:`{3}\s*+)?\Z"
_INPUT_END = Pattern(r"\s*+</tool_input>", re.IGNORECASE)
_CLOSE = {name: Pattern(f"</{name}>", re.IGNORECASE) for name in ("tool_input", "final_answer")}
_LAST_CLOSE = {name: Pattern(rf"</{name}>(?=\s*+(?:{_OWN}|{_END}))", re.IGNORECASE) for name in _CLOSE}
_OPEN = Pattern(r"<(?:tool|final_answer)>", re.IGNORECASE)
_CDATA = Pattern(r"\s*+<!\[CDATA\[")
_CDATA_END = Pattern(rf"\]\]>(?=\s*+(?:</[\w.-]{{1,100}}>|{_END}))")
_ESCAPED_OBJECT = Pattern(r"\{\s*+&quot;")
_KEY = r"[^\W\d][\w.-]{0,99}"
_CHILD = Pattern(rf"\s*+<(?P<key>{_KEY})>")
_MAX_CHILDREN = 64


@dataclass(frozen=True, slots=True)
class TagValue:
    """A value, and the offset behind its closing tag. `complete` is False when nothing shows where it ends."""

    value: object
    end: int
    complete: bool = True


def input_value(text: str, at: int, *, tool: str, keys: Collection[str]) -> TagValue:
    """Return the arguments behind `<tool_input>`; `keys` are those the tool has, if it is known.

    Raises:
        BrokenJson: an object begins there and cannot be read.
        Unreadable: a value has no end, or one argument has two values.
    """
    start = skip(text, at)
    is_json = starts_value(text[start : start + 1]) and not _ESCAPED_OBJECT.match(text, start)
    if is_json and (found := _json(text, start)):
        return found
    child = _CHILD.match(text, start)
    if child and (child["key"] in keys or text.find(f"</{child['key']}>", child.end()) >= 0):
        return _children(text, start, tool=tool, keys=keys)
    return _text(text, at, "tool_input")


def answer_value(text: str, at: int) -> TagValue:
    """Return the text behind `<final_answer>`, to its closing tag or to the end of `text`."""
    return _text(text, at, "final_answer")


def _json(text: str, start: int) -> TagValue | None:
    """Return the JSON value at `start`; None when a quotation mark there only opens a text."""
    try:
        decoded = decode(text, start)
    except BrokenJson:
        if text[start] in "{｛[［":
            raise
        return None
    behind = _behind_repeated(text, decoded)
    closing = _INPUT_END.match(text, behind)
    if isinstance(decoded.value, str) and not closing and behind < len(text):
        return None
    return TagValue(_as_meant(decoded.value), closing.end() if closing else decoded.end)


def _behind_repeated(text: str, first: Decoded) -> int:
    """Return where the text goes on behind a value, and behind the same value written once more."""
    behind = skip(text, first.end)
    try:
        again = decode(text, behind) if text.startswith(("{", "｛"), behind) else first
    except BrokenJson:
        return behind
    return skip(text, again.end) if same(again.value, first.value) else behind


def _as_meant(value: object) -> object:
    """Return a JSON value with the entities and the escaped tags in its texts decoded."""
    match value:
        case str() if not value.lstrip().startswith("{"):  # an object encoded once more is read later
            return unescaped(without_entities(value))
        case list():
            return [_as_meant(item) for item in value]
        case dict():
            return {key: _as_meant(item) for key, item in value.items()}
        case _:
            return value


def _text(text: str, at: int, name: str) -> TagValue:
    """Return the text that ends at the closing tag `name`.

    Raises:
        Unreadable: an input has none, so that it may be cut.
    """
    cdata = _CDATA.match(text, at)
    cdata_end = _CDATA_END.search(text, cdata.end()) if cdata else None
    closing = _closing(text, cdata_end.end() if cdata_end else at, name)
    limit = closing.start() if closing else len(text)
    end = closing.end() if closing else len(text)
    if closing is None and name == "tool_input" and not cdata_end and text[at:].strip():
        raise unreadable("bad_call")
    value = unescaped(plain_value(text[at:limit])) if not cdata else plain_value(text[at:limit])
    return TagValue(value, end, complete=closing is not None)


def _closing(text: str, at: int, name: str) -> re.Match[str] | None:
    """Return the closing tag of a text: the first that a tag of ours or the end follows, or else the first.

    The first one counts also when another call or answer begins before the one that would be taken.
    """
    first = _CLOSE[name].search(text, at)
    if first is None:
        return None
    opening = _OPEN.search(text, first.end())
    return _LAST_CLOSE[name].search(text, first.start(), opening.end() if opening else len(text)) or first


def _children(text: str, at: int, *, tool: str, keys: Collection[str]) -> TagValue:
    """Return the arguments given as tags of their own."""
    values: dict[str, object] = {}
    for _ in range(_MAX_CHILDREN):
        child = _CHILD.match(text, at)
        if child is None:
            break
        key = child["key"]
        end = _end_of_child(text, child.end(), key, keys)
        value = unescaped(plain_value(text[child.end() : end.start()]))
        if values.setdefault(key, value) != value:
            raise unreadable("two_arguments", tool=tool, where=key)
        at = end.end()
    closing = _INPUT_END.match(text, at)
    return TagValue(values, closing.end() if closing else at, complete=closing is not None)


def _end_of_child(text: str, at: int, key: str, keys: Collection[str]) -> re.Match[str]:
    known = "|".join(map(re.escape, keys)) or _KEY
    for names in (known, _KEY):  # an argument the tool does not have is told of later
        ending = re.compile(rf"</{re.escape(key)}>(?=\s*+(?:<(?:{names})>|{_OWN}|{_END}))", re.IGNORECASE)
        if end := ending.search(text, at):
            return end
    raise unreadable("bad_call")
