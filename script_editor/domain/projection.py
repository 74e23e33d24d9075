"""Writing only what differs: a new wording over an author's text, everything they share in the author's form.

Two texts are compared token by token. What both have is taken from the author's bytes (quotation marks,
width, no-break spaces, decomposed letters); what is new is taken as it was written.
"""

from collections.abc import Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise

from script_editor.domain.folding import Token, is_border, is_chinese, tokens

_LONG = 800
"""From this many tokens on, sentences are compared before the tokens in them."""
_SENTENCE_ENDS = frozenset(".!?;\n")


def project(original: str, search: str, replacement: str) -> str:
    """Return `replacement` as it should be written over `original`, which matched `search` after folding.

    Only the difference between `search` and `replacement` is written, as it is. When the two texts
    do not look the same after all, that is the whole `replacement`.
    """
    if original == search:
        return replacement
    (head, author), (_, sought), (new_head, new) = tokens(original), tokens(search), tokens(replacement)
    if [token.folded for token in author] != [token.folded for token in sought]:
        return replacement
    partners = dict(_matches([token.raw for token in sought], [token.raw for token in new]))
    writer = _Writer(author, sought, new, partners, is_spaced=None)
    return (head if partners.get(0) == 0 else new_head) + writer.written()


def adopt(author_line: str, written: str, *, is_spaced: bool | None) -> str:
    """Return a changed line with everything it shares with the author's line in the author's form.

    `is_spaced` says how the author writes Chinese beside Latin, with a space or without, where the line
    itself does not show it; None takes spaces as they were written. A line that is another one
    altogether keeps its own marks.
    """
    (head, author), (new_head, new) = tokens(author_line), tokens(written)
    partners = dict(_matches([token.folded for token in author], [token.folded for token in new]))
    own_habit = spacing_habit(author)
    is_spaced = is_spaced if own_habit is None else own_habit
    if _shared(author, new, partners) < 0.5:
        partners = {}
    writer = _Writer(author, author, new, partners, is_spaced=is_spaced)
    return (head if partners.get(0) == 0 else new_head) + writer.written()


def spacing_habit(line: Sequence[Token]) -> bool | None:
    """Say whether Chinese and Latin stand apart in these tokens; None when they do not meet, or both occur."""
    habits = {bool(left.tail) for left, right in pairwise(line) if _meet(left, right)}
    return habits.pop() if len(habits) == 1 else None


def _meet(left: Token, right: Token) -> bool:
    """Say whether Chinese meets a Latin word or a figure between these tokens."""
    before, after = left.folded[-1], right.folded[0]
    return is_border(before, after) and before.isalnum() and after.isalnum()


def _shared(author: Sequence[Token], new: Sequence[Token], partners: dict[int, int]) -> float:
    """Return the share of words and characters that two lines have in common, from 0 to 1."""
    total = _weight(author) + _weight(new)
    return 2 * _weight([new[index] for index in partners]) / total if total else 1.0


def _weight(line: Sequence[Token]) -> int:
    return sum(len(token.folded) for token in line if token.folded[0].isalnum())


class _Writer:
    """Writes the tokens of `new`, each in the author's form where it has a partner among the author's tokens.

    `partners` maps positions in `new` to positions in `author`; `sought` are the author's tokens as the
    other side saw them.
    """

    def __init__(
        self,
        author: Sequence[Token],
        sought: Sequence[Token],
        new: Sequence[Token],
        partners: dict[int, int],
        *,
        is_spaced: bool | None,
    ):
        self._author, self._sought, self._new = author, sought, new
        self._partners, self._is_spaced = partners, is_spaced

    def written(self) -> str:
        return "".join(self._form(index) + self._behind(index) for index in range(len(self._new)))

    def _form(self, index: int) -> str:
        if index in self._partners:
            return self._author[self._partners[index]].raw
        return _in_width_of(self._replaced(index), self._new[index].raw)

    def _replaced(self, index: int) -> str:
        """Return the one author's token that a new token stands in for, or "" when that is not clear."""
        before = self._partners.get(index - 1, -1 if index == 0 else None)
        after = self._partners.get(index + 1, len(self._author) if index == len(self._new) - 1 else None)
        if before is None or after is None or after - before != 2:
            return ""
        token = self._author[before + 1]
        return token.raw if token.raw != self._sought[before + 1].raw or self._sought is self._author else ""

    def _behind(self, index: int) -> str:
        """Return what stands behind token `index` without showing, up to the next token."""
        own, here, there = self._new[index].tail, self._partners.get(index), self._partners.get(index + 1)
        if index == len(self._new) - 1:
            return self._author[here].tail if here == len(self._author) - 1 and here is not None else own
        if here is not None and there == here + 1:
            is_explicit = self._sought is not self._author and self._sought[here].tail != own
            return own if is_explicit else self._author[here].tail
        left, right = self._new[index], self._new[index + 1]
        if not is_border(left.folded[-1], right.folded[0]):
            return own
        nearby = self._nearby(index, here, there)
        if nearby is not None:
            return nearby
        if not _meet(left, right) or self._is_spaced is None:
            return own
        return (own or " ") if self._is_spaced else ""

    def _nearby(self, index: int, here: int | None, there: int | None) -> str | None:
        """Return the author's spacing beside a partner whose other neighbour is new but of the same kind."""
        for left, is_before in ((here, True), (there - 1 if there is not None else None, False)):
            if left is None or not 0 <= left < len(self._author) - 1:
                continue
            new = self._new[index + 1] if is_before else self._new[index]
            old = self._author[left + 1] if is_before else self._author[left]
            if _kind(new) == _kind(old):
                return self._author[left].tail
        return None


def _kind(token: Token) -> str:
    """Return what a token is beside another: a word or figure, a Chinese character, or a sign of its own."""
    first = token.folded[0]
    return "Chinese" if is_chinese(first) else "word" if first.isalnum() else token.folded


def _in_width_of(old: str, new: str) -> str:
    """Return an ASCII word in full width where it stands in for one in full width."""
    is_wide = bool(old) and all("\uff01" <= char <= "\uff5e" for char in old)
    if is_wide and new.isascii() and new.isalnum():
        return "".join(chr(ord(char) + 0xFEE0) for char in new)
    return new


def _matches(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield which positions of `new` and `old` are the same, in order; whole lines first.

    Otherwise a new line in front of an old one would take the words they begin with from it.
    """
    old_lines, new_lines = _lines(old), _lines(new)
    if len(old_lines) == len(new_lines) == 1:
        yield from _of_a_line(old, new)
        return
    matcher = SequenceMatcher(None, _texts(old, old_lines), _texts(new, new_lines), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag in ("equal", "replace"):
            (i, end_i), (j, end_j) = _stretch(old_lines, i1, i2, old), _stretch(new_lines, j1, j2, new)
            yield from ((j + to, i + at) for to, at in _of_a_line(old[i:end_i], new[j:end_j]))


def _texts(words: Sequence[str], lines: Sequence[tuple[int, int]]) -> list[tuple[str, ...]]:
    return [tuple(words[start:end]) for start, end in lines]


def _stretch(lines: Sequence[tuple[int, int]], first: int, end: int, words: Sequence[str]) -> tuple[int, int]:
    """Return where some lines stand among the tokens, with the line end behind the last of them."""
    return lines[first][0], min(lines[end - 1][1] + 1, len(words))


def _lines(words: Sequence[str]) -> list[tuple[int, int]]:
    """Return where the lines of a text begin and end among its tokens, line ends left out."""
    ends = [index for index, word in enumerate(words) if "\n" in word]
    return list(zip([0, *(end + 1 for end in ends)], [*ends, len(words)], strict=True))


def _of_a_line(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    yield from ((index, index) for index in range(head))
    yield from _middle(old[head : len(old) - tail], new[head : len(new) - tail], head)
    yield from ((len(new) - index, len(old) - index) for index in range(tail, 0, -1))


def _middle(old: Sequence[str], new: Sequence[str], shift: int) -> Iterator[tuple[int, int]]:
    if max(len(old), len(new)) <= _LONG:
        for i, j, size in _blocks(old, new):
            yield from ((shift + j + step, shift + i + step) for step in range(size))
        return
    old_parts, new_parts = _sentences(old), _sentences(new)
    i = j = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old_parts, new_parts, autojunk=False).get_opcodes():
        old_size = sum(map(len, old_parts[i1:i2]))
        new_size = sum(map(len, new_parts[j1:j2]))
        if tag == "equal":
            yield from ((shift + j + step, shift + i + step) for step in range(new_size))
        elif max(old_size, new_size) <= _LONG:
            for at, to, size in _blocks(old[i : i + old_size], new[j : j + new_size]):
                yield from ((shift + j + to + step, shift + i + at + step) for step in range(size))
        i, j = i + old_size, j + new_size


def _blocks(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[tuple[int, int, int]]:
    return [
        (match.a, match.b, match.size)
        for match in SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    ]


def _sentences(words: Sequence[str]) -> list[tuple[str, ...]]:
    parts: list[tuple[str, ...]] = []
    start = 0
    for index, word in enumerate(words):
        if word[:1] in _SENTENCE_ENDS or word[:1] in "。！？；":
            parts.append(tuple(words[start : index + 1]))
            start = index + 1
    if start < len(words):
        parts.append(tuple(words[start:]))
    return parts
