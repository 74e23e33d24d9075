"""What a text looks like to a reader: the same for straight and curly, full and half width, composed or not.

Folding makes alike line ends, kinds and runs of spaces, quotation marks, dashes, dots, width, composed and
decomposed letters, and compatibility characters such as ㎏ and ①. It is for finding and comparing, never
for writing: every folded character knows which characters of the original it stands for.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_LOOKS = str.maketrans(
    {
        **dict.fromkeys("“”„‟″「」『』〝〞＂«»", '"'),
        **dict.fromkeys("‘’‚‛′＇", "'"),
        **dict.fromkeys("‐‑‒–—―－⸺⸻", "-"),
        **dict.fromkeys("•・‧･", "·"),
        **dict.fromkeys("。｡", "."),
        **dict.fromkeys("…⋯", "..."),
        "〜": "~",
    }
)
_SHOWS_NOTHING = frozenset("\u200b\ufeff\u2060\u00ad\ufe0e\ufe0f")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text; character `i` of `text` stands for [starts[i], ends[i]) of the original."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the original span of the folded span, or None when it cuts through a character."""
        if start > 0 and self.starts[start - 1] == self.starts[start]:
            return None
        if end < len(self.text) and self.starts[end] == self.starts[end - 1]:
            return None
        return self.starts[start], self.ends[end - 1]


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a run of dots or spaces, or one other character: what it looks like, and how it is written.

    `tail` is what stands between it and the next token without showing: zero-width characters, and with
    a tight folding the spaces at the border of Chinese and Latin.
    """

    folded: str
    raw: str
    tail: str


def fold_text(text: str, *, tight: bool = False) -> Folded:
    """Return `text` folded. A `tight` folding also drops blank lines, and spaces between Chinese and other signs."""
    folding = _Folding()
    for start, cluster in _clusters(text):
        for char in _looks_like(cluster):
            folding.add(char, start, start + len(cluster), tight)
    return folding.done(tight)


class _Folding:
    """Collects folded characters, joining runs as it goes."""

    def __init__(self) -> None:
        self.chars: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def add(self, char: str, start: int, end: int, tight: bool) -> None:
        chars = self.chars
        last = chars[-1] if chars else ""
        if char == "\n" and last == " ":  # space before a line end belongs to it
            self._pop()
            last = chars[-1] if chars else ""
            if chars and not (tight and last == "\n"):
                start = self.ends[-1]
        is_run = (char == last and (char in " -" or (char == "\n" and tight))) or (
            char == " " and last == "\n"
        )
        if is_run or (char == "." and chars[-3:] == [".", ".", "."]):
            self.ends[-1] = max(end, self.ends[-1])
            return
        chars.append(char)
        self.starts.append(start)
        self.ends.append(end)

    def _pop(self) -> None:
        self.chars.pop()
        self.starts.pop()
        self.ends.pop()

    def done(self, tight: bool) -> Folded:
        chars, starts, ends = self.chars, self.starts, self.ends
        kept: Iterator[int] | range = range(len(chars))
        if tight:
            kept = (i for i in range(len(chars)) if not self._is_border_space(i))
        indices = tuple(kept)
        return Folded(
            "".join(chars[i] for i in indices),
            tuple(starts[i] for i in indices),
            tuple(ends[i] for i in indices),
        )

    def _is_border_space(self, index: int) -> bool:
        chars = self.chars
        if chars[index] != " " or not 0 < index < len(chars) - 1:
            return False
        return is_border(chars[index - 1], chars[index + 1])


def is_border(before: str, after: str) -> bool:
    """Say whether Chinese meets another sign between these two characters, where some writers put a space."""
    return is_chinese(before) != is_chinese(after) and not before.isspace() and not after.isspace()


@lru_cache(maxsize=4096)
def is_chinese(char: str) -> bool:
    """Say whether a character is written without spaces between words: Han or kana."""
    return "\u3005" <= char <= "\u3007" or "\u3040" <= char <= "\u30ff" or "\u3400" <= char <= "\u9fff" or (
        "\uf900" <= char <= "\ufaff" or "\U00020000" <= char <= "\U0003ffff"
    )  # fmt: skip


def tokens(text: str) -> tuple[str, tuple[Token, ...]]:
    """Return what stands before the first token of `text` without showing, and its tokens, folded tightly."""
    folded = fold_text(text, tight=True)
    bounds = list(_token_bounds(folded))
    spans = [(folded.starts[first], folded.ends[end - 1]) for first, end in bounds]
    begins = [*(start for start, _ in spans[1:]), len(text)]
    found = tuple(
        Token(folded.text[first:end], text[span[0] : span[1]], text[span[1] : begin])
        for (first, end), span, begin in zip(bounds, spans, begins, strict=False)
    )
    return (text[: spans[0][0]] if spans else text), found


def _token_bounds(folded: Folded) -> Iterator[tuple[int, int]]:
    text, starts = folded.text, folded.starts
    first = 0
    for index in range(1, len(text) + 1):
        if index < len(text) and (
            starts[index] == starts[index - 1] or _are_one_token(text[index - 1], text[index])
        ):
            continue
        if index > first:
            yield first, index
        first = index


def _are_one_token(before: str, after: str) -> bool:
    if before == after == ".":
        return True
    return before.isalnum() and after.isalnum() and not is_chinese(before) and not is_chinese(after)


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Yield each character with the combining marks after it; CRLF is one cluster."""
    start = 0
    for index in range(1, len(text) + 1):
        joined = index < len(text) and (
            unicodedata.combining(text[index]) != 0 or (text[index] == "\n" and text[index - 1] == "\r")
        )
        if not joined:
            if index > start:
                yield start, text[start:index]
            start = index


@lru_cache(maxsize=16384)
def _looks_like(cluster: str) -> str:
    """Return what one character with its combining marks is folded to; "" when it shows nothing."""
    if cluster in ("\r\n", "\n"):
        return "\n"
    composed = unicodedata.normalize("NFC", cluster)
    if composed.isspace():
        return " "
    if composed in _SHOWS_NOTHING:
        return ""
    seen = composed.translate(_LOOKS)
    plain = unicodedata.normalize("NFKC", seen)
    # ½ and ℃ stay: what they would become is several signs, not one word.
    if len(plain) == 1 or (plain.isascii() and plain.isalnum()):
        seen = plain.translate(_LOOKS)
    return " " if seen.isspace() else seen
