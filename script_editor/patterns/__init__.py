"""Regular expressions that are compiled when they are first used, and as far as the text in question needs.

There are several hundred of them, one edit uses about a quarter, and compiling even those took a fifth of its
time. Everyone may import this package; it imports nothing of ours.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

from script_editor.patterns.sources import EAST_ASIAN, LETTERS, Characters, folded, without

_END = sys.maxsize
_NOTHING = re.compile("(?!)")
_LOOKED_THROUGH = 1_000  # characters; beyond, matching takes longer than compiling


class Pattern:
    """A regular expression with those methods of `re.Pattern` that this program uses, which see.

    Until a text with Chinese and Latin writing is asked about, only the alternatives for one of them are compiled,
    and those only for a text that has a word they need.
    """

    def __init__(self, source: str, flags: int | re.RegexFlag = 0):
        self.pattern, self.flags = source, flags
        self._parts: dict[Characters, _Part] = {}

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r})"

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The same for `re` itself, compiled now; raises re.error when the source is none."""
        return re.compile(self.pattern, self.flags)

    def search(self, text: str, pos: int = 0, endpos: int = _END) -> re.Match[str] | None:
        return self._for(text).search(text, pos, endpos)

    def match(self, text: str, pos: int = 0, endpos: int = _END) -> re.Match[str] | None:
        return self._for(text).match(text, pos, endpos)

    def fullmatch(self, text: str, pos: int = 0, endpos: int = _END) -> re.Match[str] | None:
        return self._for(text).fullmatch(text, pos, endpos)

    def finditer(self, text: str, pos: int = 0, endpos: int = _END) -> Iterator[re.Match[str]]:
        return self._for(text).finditer(text, pos, endpos)

    def findall(self, text: str, pos: int = 0, endpos: int = _END) -> list[Any]:  # texts, or tuples of groups
        return self._for(text).findall(text, pos, endpos)

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:  # None for a group that took no part
        return self._for(text).split(text, maxsplit)

    def sub(self, repl: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        found = self._for(text)
        return text if found is _NOTHING else found.sub(repl, text, count)  # it has no groups for `repl`

    def _for(self, text: str) -> re.Pattern[str]:
        """Return what finds in this text all that the whole pattern finds in it."""
        if "compiled" not in self.__dict__ and len(text) <= _LOOKED_THROUGH:
            for absent in (*self._parts, EAST_ASIAN, LETTERS):
                if not absent.are_in(text):
                    return self._part(absent).asked_about(text)
        return self.compiled

    def _part(self, absent: Characters) -> "_Part":
        if absent not in self._parts:
            self._parts[absent] = _Part(*without(self.pattern, absent), self.flags)
        return self._parts[absent]


class _Part:
    """What of a pattern can match in some texts, and the words of which one must be there for it."""

    def __init__(self, source: str, needed: tuple[str, ...], flags: int | re.RegexFlag):
        self._source, self._needed, self._flags = source, needed, flags

    def asked_about(self, text: str) -> re.Pattern[str]:
        """Return it compiled, or what never matches when this text has none of the words."""
        if "_compiled" not in self.__dict__ and self._needed:
            plain = folded(text)
            if not any(word in plain for word in self._needed):
                return _NOTHING
        return self._compiled

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._source, self._flags)
