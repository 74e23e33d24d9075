"""JSON as models write it, read only where there is exactly one way to read it.

Valid JSON means what it always means. Beyond it: trailing commas, Python literals, raw line breaks
in strings, `\\'`, backslash-n between tokens, curly or full-width delimiters, and quotation marks
inside a string that cannot be its end. Nothing is completed, cut away or guessed: a text that ends
too early, or a key given twice with two values, is an error. One pass over the text, no backtracking.
"""

import json
import math
import re
from dataclasses import dataclass
from typing import Literal, NoReturn

_MAX_DEPTH = 64
_MAX_DIGITS = 300

_SPACE = re.compile(r"(?:[\s\u200b\ufeff]|\\[nrt])*+")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?(?![\w.])")
_WORD = re.compile(r"(?:true|false|null|True|False|None)\b")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}

_OBJECT, _ARRAY = ("{｛", "}｝"), ("[［", "]］")
_COLON, _COMMA = ":：", ",，"
_CLOSERS = {'"': '"', "'": "'", "“": "“”", "”": "“”", "‘": "‘’", "’": "‘’", "＂": "＂"}
_NEXT = {opener: re.compile(rf"[{closers}\\]") for opener, closers in _CLOSERS.items()}
_STRUCTURAL = frozenset("{}[]():,｛｝［］（）：，\\").union(_CLOSERS)

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.|\Z)", re.DOTALL)
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_SURROGATE = re.compile("[\ud800-\udfff]")


class BrokenJson(ValueError):
    """A text that is no JSON, or could be read in more than one way.

    `kind` is "cut" when the text ended inside a value; `near` shows where reading stopped, and `key`
    is the one that was given twice; `end` is the offset behind all that was read.
    """

    def __init__(
        self, kind: Literal["cut", "bad", "deep", "duplicate"], *, near: str = "", key: str = "", end: int = 0
    ):
        super().__init__(kind)
        self.kind, self.near, self.key, self.end = kind, near, key, end


@dataclass(frozen=True, slots=True)
class Decoded:
    """A JSON value and the offset behind it."""

    value: object
    end: int


def starts_value(char: str) -> bool:
    """Whether `char` can open an object, a list or a string."""
    return bool(char) and char in "{｛[［\"'“”‘’＂"


def decode(text: str, start: int = 0) -> Decoded:
    """Return the JSON value at `start` of `text`; what follows it is not looked at.

    Raises:
        BrokenJson: there is none, it is cut off, nested too deeply, or has more than one reading.
    """
    reader = _Reader(text, start)
    value = reader.value(_MAX_DEPTH)
    return Decoded(value, reader.at)


def same(left: object, right: object) -> bool:
    """Whether two JSON values are equal; unlike in Python, true is not 1 and 1.0 is not 1."""
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


class _Reader:
    """One pass over a text; `at` is where it stands."""

    def __init__(self, text: str, at: int):
        self.text, self.at = text, at

    def value(self, depth: int) -> object:
        char = self._peek()
        if depth == 0:
            self._fail("deep")
        if char and char in _OBJECT[0]:
            return self._object(depth)
        if char and char in _ARRAY[0]:
            return self._array(depth)
        if char in _CLOSERS:
            return self._string()
        return self._scalar()

    def _object(self, depth: int) -> dict[str, object]:
        members: dict[str, object] = {}
        self.at += 1
        while not self._take(_OBJECT[1]):
            key = self._key()
            value = self.value(depth - 1)
            if key in members and not same(members[key], value):
                raise BrokenJson("duplicate", key=key, end=self.at)
            members[key] = value
            self._separator(_OBJECT[1])
        return members

    def _array(self, depth: int) -> list[object]:
        items: list[object] = []
        self.at += 1
        while not self._take(_ARRAY[1]):
            items.append(self.value(depth - 1))
            self._separator(_ARRAY[1])
        return items

    def _key(self) -> str:
        if self._peek() not in _CLOSERS:
            self._fail("bad")
        key = self._string(inner_quotes=False)
        if not self._take(_COLON):
            self._fail("bad")
        return key

    def _separator(self, closers: str) -> None:
        """Pass one comma; the closing bracket, if it is next, is left for the caller."""
        if not self._take(_COMMA) and self._peek() not in closers:
            self._fail("bad")

    def _string(self, *, inner_quotes: bool = True) -> str:
        opener = self.text[self.at]
        begin = at = self.at + 1
        unpaired = False
        while mark := _NEXT[opener].search(self.text, at):
            at = mark.end()
            if mark[0] == "\\":
                at += 1
            elif not inner_quotes or not self._is_inside(mark.start()):
                break
            elif not self._is_apostrophe(mark.start()):
                unpaired = not unpaired
        else:
            self.at = len(self.text)
            self._fail("cut")
        self.at = at
        if unpaired:
            self._fail("bad")
        return self._unescape(self.text[begin : at - 1])

    def _is_inside(self, at: int) -> bool:
        """Whether the quotation mark at `at` has content on both sides, so that it cannot end the string."""
        around = self.text[at - 1], self.text[at + 1 : at + 2]
        return all(char and char not in _STRUCTURAL and not char.isspace() for char in around)

    def _is_apostrophe(self, at: int) -> bool:
        neighbours = self.text[at - 1] + self.text[at + 1]
        return self.text[at] in "'’" and neighbours.isascii() and neighbours.isalpha()

    def _unescape(self, body: str) -> str:
        if "\\" not in body:
            return body
        plain = _ESCAPE.sub(self._escape, body)
        if _SURROGATE.search(plain):  # two \u escapes may stand for one character
            plain = plain.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
        return plain

    def _escape(self, match: re.Match[str]) -> str:
        code = match[1]
        if len(code) > 1:
            return chr(int(code[1:], 16))
        if code not in _ESCAPES:
            raise BrokenJson("bad", near=match[0])
        return _ESCAPES[code]

    def _scalar(self) -> object:
        if word := _WORD.match(self.text, self.at):
            self.at = word.end()
            return _WORDS[word[0]]
        number = _NUMBER.match(self.text, self.at)
        if number is None or len(number[0]) > _MAX_DIGITS:
            self._fail("bad")
        self.at = number.end()
        if number["fraction"] is None and number["exponent"] is None:
            return int(number[0])
        value = float(number[0])
        if not math.isfinite(value):
            self._fail("bad")
        return value

    def _take(self, chars: str) -> bool:
        """Pass one of `chars` and say so, or stay where it is."""
        char = self._peek()
        if char and char in chars:
            self.at += 1
            return True
        return False

    def _peek(self) -> str:
        """Return the next character that is not space, or "" at the end, and stand before it."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def _fail(self, kind: Literal["cut", "bad", "deep"]) -> NoReturn:
        kind = "cut" if kind == "bad" and not self._peek() else kind
        near = self.text[max(0, self.at - 20) : self.at + 20].strip()
        raise BrokenJson(kind, near=near, end=self.at)
