"""What is left of a regular expression for texts that lack certain characters, and which words it needs.

Most patterns here have alternatives for Chinese and for English, and to compile them takes far longer than to
match a line. Where no Chinese character is, no Chinese alternative can match, and where no letter is, no
English one: what remains finds the same in such a text, with the same groups, and is compiled in half the time.
And where none of its words is, nothing has to be compiled to say so.
"""

import re
from collections.abc import Iterator
from functools import cached_property, lru_cache

_CHARACTER = r"\\(?:u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|x[0-9a-fA-F]{2}|.)|."
_CODE = re.compile(r"\\[uUx]")
_MEMBERS = re.compile(rf"({_CHARACTER})(?:-({_CHARACTER}))?", re.DOTALL)
# Comments, conditions, flags for the whole, references by number, and characters by name. Also the letters whose
# other case is on the other side of U+2E80, which no source has.
_UNKNOWN = re.compile(
    r"(?<!\\)\(\?(?!P<\w+>|P=\w+\)|<?[=!]|[:>]|[a-z-]+:)|\\[0-9N]|[\ua640-\ua7ff\uab70-\uabbf\ufb00-\ufb06]"
)
_NEVER = "(?!)"
# Letters that are no escape, and not repeated.
_WORD = re.compile(r"\\.|([A-Za-z]{2,}(?![?*{])|[^\x00-\u2e7f](?![?*{]))")


class Characters:
    """Characters that a text may lack, with each one all that IGNORECASE takes for the same.

    - `ranges` are the first and the last of those that follow each other.
    - `members` stands in a set for all of them, and `others` for all else but brackets and the backslash; both
      with short ranges, since `re` visits each character of a range to compile it.
    """

    def __init__(self, *ranges: tuple[str, str], members: str, others: str):
        self._ranges, self._members, self._others = ranges, members, others
        self._search = re.compile(f"[{members}]").search
        self._has_ascii = any(first.isascii() for first, _ in ranges)

    def are_in(self, text: str) -> bool:
        """Say whether any of them is in a text."""
        return (self._has_ascii or not text.isascii()) and self._search(text) is not None

    def include(self, first: str, last: str) -> bool:
        """Say whether all from `first` to `last` are among them."""
        return any(low <= first <= last <= high for low, high in self._ranges)

    @cached_property
    def others(self) -> re.Pattern[str]:
        """What else there is in a set without ranges: other characters, and escapes."""
        return re.compile(rf"(?:[{self._others}]|[()[]|\\.)+", re.DOTALL)

    @cached_property
    def pieces(self) -> re.Pattern[str]:
        """What a source is read by: what stays, what cannot match, or what has to be looked into, and how often it comes."""
        return re.compile(
            rf"((?:[{self._others}]|\\[^uUx|])+)"
            rf"|([{self._members}]+(?:\|[{self._members}]+)*(?![?*+{{]))"
            r"|(\((?:\?(?:P<\w+>|P=\w+\)|<?[=!]|[:>]|[a-z-]+:))?"  # the start of a group, or a back-reference
            rf"|\[\^?\]?(?:[^\]\\]|\\.)*\]|{_CHARACTER})"  # a set, or one character
            r"((?:[?*+]|\{(?:\d+(?:,\d*)?|,\d+)\})[?+]?|)",
            re.DOTALL,
        )


EAST_ASIAN = Characters(  # Chinese, and all that comes behind its first block
    ("\u2e80", "\U0010ffff"), members=r"^\x00-\u2e7f", others=r"\x00-'*-Z\]-\u2e7f"
)
LETTERS = Characters(  # with İ, ı, ſ and the sign of kelvin
    ("A", "Z"), ("a", "z"), ("\u0130", "\u0131"), ("\u017f", "\u017f"), ("\u212a", "\u212a"),
    members=r"A-Za-z\u0130\u0131\u017f\u212a", others=r"^\\\[()A-Za-z\u0130\u0131\u017f\u212a",
)  # fmt: skip


def without(source: str, absent: Characters) -> tuple[str, tuple[str, ...]]:
    """Return a source that finds in every text without the characters `absent` what `source` finds there.

    With it the words of which a text must hold one, as `folded` gives it, for anything to be found; none when
    that cannot be told. Groups keep their numbers and names, also those that have no part in it any more. A
    source with parts that are not known here comes back as it is. Not for re.VERBOSE.

    Raises:
        re.error: its brackets do not pair.
    """
    if _UNKNOWN.search(source):
        return source, ()
    whole, end, _ = _Reader(source, absent).group()
    if end:
        raise re.error("unbalanced parenthesis", source)
    if not whole.can_match:
        return _NEVER + _emptied(whole.groups), ()
    return whole.text(), tuple(dict.fromkeys(whole.needed or ()))


def folded(text: str) -> str:
    """Return a text in lower case, with plain letters for those that IGNORECASE takes for the same."""
    if not text.isascii():
        text = text.replace("\u0130", "i").replace("\u0131", "i").replace("\u017f", "s")
    return text.lower()


class _Group:
    """The alternatives of a group that can match, as far as they have been read, and all groups in it."""

    def __init__(self) -> None:
        self.groups: list[str] = []
        self.needed: list[str] | None = []  # every match has one of these words; None for none
        self.can_match = False
        self._alternatives: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self._kept: list[str] | None = []  # None when it cannot match
        self._words: list[str] = []
        self._groups_before = len(self.groups)

    def end(self) -> None:
        """Take in that the alternative ends."""
        if self._kept is not None:
            self.can_match = True
            self._alternatives.append("".join(self._kept))
            if self.needed is not None and self._words:
                self.needed += self._words
            else:
                self.needed = None
        elif own := self.groups[self._groups_before :]:
            self._alternatives.append(_NEVER + _emptied(own))

    def add(self, text: str) -> None:
        """Take in what is kept: pieces of an alternative, or the end of one, whole ones, and the start of another."""
        first, *rest = text.split("|")
        self.add_piece(first, _word_in(first))
        for alternative in rest:
            self.end()
            self._begin()
            self.add_piece(alternative, _word_in(alternative))

    def add_piece(self, text: str, words: list[str]) -> None:
        """Take in what is kept of an alternative, and the words of which one is in all that it matches."""
        if self._kept is not None:
            self._kept.append(text)
            # The longer the words, the fewer texts have them by chance.
            if words and (not self._words or _shortest(words) > _shortest(self._words)):
                self._words = words

    def rule_out(self, text: str) -> None:
        """Take in what cannot match."""
        self._kept = None
        if "|" in text:
            self.end()
            self._begin()
            self._kept = None

    def text(self) -> str:
        return "|".join(self._alternatives)


class _Reader:
    """Reads a source once from left to right, and leaves out what cannot match."""

    def __init__(self, source: str, absent: Characters):
        self._source, self._absent = source, absent
        self._pieces = iter([*absent.pieces.findall(source), ("", "", "", "")])

    def group(self) -> tuple[_Group, str, str]:
        """Read to the end of a group or of the source; return it, what ended it, and how often it comes."""
        read = _Group()
        for kept, gone, piece, repeat in self._pieces:
            if kept:
                read.add(kept)
            elif gone:
                read.rule_out(gone)
            elif piece in (")", ""):
                break
            elif piece[0] == "(" and piece[-1] != ")":
                self._add_group(read, piece)
            else:
                self._add_single(read, piece, repeat)
        read.end()
        return read, piece, repeat

    def _add_group(self, outer: _Group, opening: str) -> None:
        inner, end, repeat = self.group()
        if not end:
            raise re.error("missing ), unterminated subpattern", self._source)
        own = [opening] if opening == "(" or opening.startswith("(?P<") else []
        own += inner.groups
        outer.groups += own
        may_be_missing = _may_be_missing(repeat) or opening in ("(?!", "(?<!")
        if inner.can_match:
            words = [] if may_be_missing else inner.needed or []
            outer.add_piece(f"{opening}{inner.text()}){repeat}", words)
        elif not may_be_missing:
            outer.rule_out("")
        elif own:
            outer.add_piece(f"(?:{_NEVER}{_emptied(own)})?", [])

    def _add_single(self, group: _Group, piece: str, repeat: str) -> None:
        left = self._left_of(piece)
        if left is not None:
            group.add_piece(left + repeat, [])
        elif not _may_be_missing(repeat):
            group.rule_out("")

    def _left_of(self, piece: str) -> str | None:
        """Return what is left of a set or a character, None when it cannot match."""
        if piece[0] == "[":
            return _set_without(piece, self._absent)
        char = _character(piece) if piece[0] != "(" else ""
        return None if self._absent.include(char, char) else piece


@lru_cache(maxsize=1024)  # most sets are in many patterns
def _set_without(piece: str, absent: Characters) -> str | None:
    start = "[^" if piece[1] == "^" else "["
    members = piece[len(start) : -1]
    if "-" in members or _CODE.search(members):
        kept = "".join(_members_without(members, absent))
    else:
        kept = "".join(absent.others.findall(members))
    if not kept:
        return r"[\s\S]" if start == "[^" else None
    return start + ("\\" if kept[0] == "^" and start == "[" else "") + kept + "]"


def _members_without(members: str, absent: Characters) -> Iterator[str]:
    for member in _MEMBERS.finditer(members):
        first, last = member.groups()
        if not absent.include(_character(first), _character(last or first)):
            yield r"\-" if member[0] == "-" else member[0]  # it may stand between others now


def _character(piece: str) -> str:
    """Return the character that a piece stands for, "" when it is another kind of piece."""
    if piece[0] != "\\":
        return piece
    return chr(int(piece[2:], 16)) if len(piece) > 2 else ""


def _word_in(text: str) -> list[str]:
    """Return the longest word that a source without groups and sets demands, in lower case; none when it has none."""
    word = max(_WORD.findall(text), key=len, default="")
    return [word.lower()] if word else []


def _shortest(words: list[str]) -> int:
    return min(map(len, words))


def _may_be_missing(repeat: str) -> bool:
    return repeat.startswith(("?", "*", "{0", "{,"))


def _emptied(groups: list[str]) -> str:
    return "".join(f"{opening})" for opening in groups)
