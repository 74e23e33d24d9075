"""JSON as models write it: strictly first, then with repairs that leave exactly one way to read it.

Repaired are line breaks inside strings, trailing commas, curly and full-width delimiters, `\\'`, and quotation
marks inside a string that cannot be its end. Nothing is completed: a text that ends inside a value is cut,
and an escape that is none is an error. One pass, no backtracking.
"""

import json
import re
from collections.abc import Mapping
from typing import NoReturn

from script_editor.patterns import Pattern

_MAX_DEPTH = 16
_SPACE = Pattern(r"[\s\u200b\ufeff]*+")
_QUOTES = '"“”'
_INSIDE = {'"': Pattern(r'["\\]'), "“": Pattern(r"[“”\\]"), "”": Pattern(r"[“”\\]")}
_KEY = rf"[{_QUOTES}][A-Za-z_]{{1,24}}+[{_QUOTES}]\s*+[:：]"
_ENDS = {
    "key": Pattern(r"\s*+[:：]"),
    "member": Pattern(rf"\s*+(?:[,，]\s*+{_KEY}|[,，]?+\s*+[}}｝]\s*+(?:[,，}}\]｝］`]|\n|\Z))"),
    "item": Pattern(rf"\s*+(?:[,，]\s*+[{_QUOTES}{{\[]|[,，]?+\s*+[\]］])"),
}
_ESCAPE = Pattern(r"\\(u[0-9a-fA-F]{4}|.|\Z)", re.DOTALL)
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS: Mapping[str, object] = {
    "true": True,
    "True": True,
    "false": False,
    "False": False,
    "null": None,
    "None": None,
}
_SCALAR = Pattern(r"(?:true|false|null|True|False|None|-?[0-9]{1,18})(?![\w.])")
_SURROGATE = Pattern("[\ud800-\udfff]")


class UnreadableJson(ValueError):
    """A text that is no JSON; `is_cut` says that it ended inside a value, `near` shows where reading stopped."""

    def __init__(self, near: str, *, is_cut: bool = False):
        super().__init__(near)
        self.near, self.is_cut = near, is_cut


def decode(text: str, start: int) -> tuple[object, int]:
    """Return the JSON value at `start` of `text`, and the offset behind it.

    Raises:
        UnreadableJson: there is none, a key is given twice, or a repair would be a guess.
    """
    for is_strict in (True, False):
        decoder = json.JSONDecoder(object_pairs_hook=_without_repeats, strict=is_strict)
        try:
            return decoder.raw_decode(text, start)
        except UnreadableJson:
            raise
        except (ValueError, RecursionError):
            continue
    reader = _Reader(text, start)
    return reader.value(_MAX_DEPTH, "item"), reader.at


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise UnreadableJson(f"the key {key!r} is given twice")
    return dict(pairs)


class _Reader:
    """One pass over a text that strict JSON refused; `at` is where it stands."""

    def __init__(self, text: str, at: int):
        self.text, self.at = text, at

    def value(self, depth: int, place: str) -> object:
        char = self._peek()
        if depth == 0:
            self._fail()
        match char:
            case "{" | "｛":
                return self._object(depth)
            case "[" | "［":
                return self._array(depth)
            case '"' | "“" | "”":
                return self._string(place)
        return self._scalar()

    def _object(self, depth: int) -> dict[str, object]:
        pairs: list[tuple[str, object]] = []
        self.at += 1
        while not self._take("}｝"):
            if not self._stands_before(_QUOTES):
                self._fail()
            key = self._string("key")
            if not self._take(":："):
                self._fail()
            pairs.append((key, self.value(depth - 1, "member")))
            self._separator("}｝")
        return _without_repeats(pairs)

    def _array(self, depth: int) -> list[object]:
        items: list[object] = []
        self.at += 1
        while not self._take("]］"):
            items.append(self.value(depth - 1, "item"))
            self._separator("]］")
        return items

    def _separator(self, closers: str) -> None:
        """Pass one comma; the closing bracket, if it is next, is left for the caller."""
        if not self._take(",，") and not self._stands_before(closers):
            self._fail()

    def _string(self, place: str) -> str:
        opener = self.text[self.at]
        begin = at = self.at + 1
        is_paired = True
        while mark := _INSIDE[opener].search(self.text, at):
            at = mark.end()
            if mark[0] == "\\":
                at += 1
            elif _ENDS[place].match(self.text, at):
                break
            elif mark[0] == '"':
                is_paired = not is_paired
        else:
            self.at = len(self.text)
            self._fail()
        self.at = at
        if not is_paired:  # which of the marks is the missing one cannot be known
            raise UnreadableJson(self._near(begin))
        return self._unescaped(self.text[begin : at - 1])

    def _unescaped(self, body: str) -> str:
        plain = _ESCAPE.sub(self._escape, body)
        if _SURROGATE.search(plain):  # two \u escapes may stand for one character
            plain = plain.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return plain

    def _escape(self, match: re.Match[str]) -> str:
        code = match[1]
        if len(code) == 5:
            return chr(int(code[1:], 16))
        if code not in _ESCAPES:
            raise UnreadableJson(f"{match[0]} is no escape")
        return _ESCAPES[code]

    def _scalar(self) -> object:
        word = _SCALAR.match(self.text, self.at)
        if word is None:
            self._fail()
        self.at = word.end()
        return _WORDS[word[0]] if word[0] in _WORDS else int(word[0])

    def _take(self, chars: str) -> bool:
        """Pass one of `chars` and say so, or stay where it is."""
        if not self._stands_before(chars):
            return False
        self.at += 1
        return True

    def _stands_before(self, chars: str) -> bool:
        char = self._peek()
        return bool(char) and char in chars

    def _peek(self) -> str:
        """Return the next character that is not space, or "" at the end, and stand before it."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _near(self, at: int) -> str:
        return self.text[max(0, at - 20) : at + 20].strip()

    def _fail(self) -> NoReturn:
        raise UnreadableJson(self._near(self.at), is_cut=self.at >= len(self.text.rstrip()))
