"""Regular expressions that are compiled when they are first used.

There are several hundred of them and one edit uses about a quarter; compiling all of them would be a
fifth of its start-up. Everyone may import this module; it imports nothing of ours.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any

_END = sys.maxsize


class Pattern:
    """A regular expression with those methods of `re.Pattern` that this program uses, which see."""

    def __init__(self, source: str, flags: int | re.RegexFlag = 0):
        self.pattern, self.flags = source, flags

    def __repr__(self) -> str:
        return f"Pattern({self.pattern!r})"

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The same for `re` itself, compiled now; raises re.error when the source is none."""
        return re.compile(self.pattern, self.flags)

    def search(self, text: str, pos: int = 0, endpos: int = _END) -> re.Match[str] | None:
        return self.compiled.search(text, pos, endpos)

    def match(self, text: str, pos: int = 0, endpos: int = _END) -> re.Match[str] | None:
        return self.compiled.match(text, pos, endpos)

    def fullmatch(self, text: str, pos: int = 0, endpos: int = _END) -> re.Match[str] | None:
        return self.compiled.fullmatch(text, pos, endpos)

    def finditer(self, text: str, pos: int = 0, endpos: int = _END) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, pos, endpos)

    def findall(self, text: str, pos: int = 0, endpos: int = _END) -> list[Any]:  # texts, or tuples of groups
        return self.compiled.findall(text, pos, endpos)

    def split(self, text: str, maxsplit: int = 0) -> list[str | Any]:  # None for a group that took no part
        return self.compiled.split(text, maxsplit)

    def sub(self, repl: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        return self.compiled.sub(repl, text, count)
