"""Punctuation that an instruction names in words: 英文逗号, 感叹号, full stops, curly quotes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from script_editor.offline.wording import pattern

Width = Literal["full", "half"]
Side = Literal["open", "close"]


@dataclass(frozen=True, slots=True)
class Mark:
    """One named mark: its forms by width, most usual first. A form of two strings is a pair.

    `width` is set when the words say so; otherwise any form is meant when looking, and the width of
    what stood there before when writing.
    """

    full: tuple[tuple[str, ...], ...]
    half: tuple[tuple[str, ...], ...]
    width: Width | None = None

    def forms(self) -> Iterator[tuple[str, Width, Side]]:
        """Yield the strings this mark may stand as, longest first."""
        widths: tuple[tuple[Width, tuple[tuple[str, ...], ...]], ...] = (
            ("full", self.full),
            ("half", self.half),
        )
        strings = [
            (text, width, side)
            for width, forms in widths
            if self.width in (None, width)
            for form in forms
            for text, side in zip(form, _SIDES, strict=False)
        ]
        yield from sorted(strings, key=lambda entry: -len(entry[0]))


@dataclass(frozen=True, slots=True)
class MarkHit:
    """One mark in a line: offsets, and the form it has there."""

    start: int
    end: int
    width: Width
    side: Side


_SIDES: tuple[Side, Side] = ("open", "close")
_Forms = tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]


def _plain(full: str, half: str, *more_full: str) -> _Forms:
    return tuple((text,) for text in (full, *more_full) if text), ((half,),) if half else ()


_COMMA = _plain("，", ",")
_PERIOD = _plain("。", ".", "．")
_EXCLAMATION = _plain("！", "!")
_QUESTION = _plain("？", "?")
_COLON = _plain("：", ":")
_SEMICOLON = _plain("；", ";")
_LISTING = _plain("、", "")
_ELLIPSIS = _plain("……", "...", "…")
_LONG_DASH = _plain("——", "—", "—")
_DASH = _plain("—", "", "——", "–")
_EN_DASH = _plain("", "–")
_HYPHEN = _plain("－", "-")
_TILDE = _plain("～", "~")
_MIDDLE_DOT = _plain("·", "")
_SPACE: _Forms = ((), ((" ",), ("\u3000",)))
_SLASH = _plain("／", "/")
_DOUBLE_QUOTES = ((("“", "”"),), (('"', '"'),))
_SINGLE_QUOTES = ((("‘", "’"),), (("'", "'"),))
_CORNER_QUOTES = ((("「", "」"), ("『", "』")), ())
_BOOK_MARKS = ((("《", "》"),), ())
_PARENTHESES = ((("（", "）"),), (("(", ")"),))
_BRACKETS = ((("【", "】"),), (("[", "]"),))

_NAMES = {
    "逗号|逗点|commas?": _COMMA,
    "句号|句点|full stops?|periods?|full points?": _PERIOD,
    "感叹号|惊叹号|叹号|exclamation (?:marks?|points?)": _EXCLAMATION,
    "问号|疑问号|question marks?": _QUESTION,
    "冒号|colons?": _COLON,
    "分号|semi-?colons?": _SEMICOLON,
    "顿号|enumeration commas?": _LISTING,
    "省略号|删节号|ellips[ei]s": _ELLIPSIS,
    "破折号|em[- ]?dash(?:es)?|long dash(?:es)?": _LONG_DASH,
    "en[- ]?dash(?:es)?": _EN_DASH,
    "dash(?:es)?": _DASH,
    "连字符|短横线?|hyphens?": _HYPHEN,
    "波浪号|波浪线|tildes?": _TILDE,
    "间隔号|中点": _MIDDLE_DOT,
    "空格|spaces?": _SPACE,
    "斜杠|斜线|slash(?:es)?": _SLASH,
    "双引号|弯引号|引号|curly quotes|double quotes|quotation marks?": _DOUBLE_QUOTES,
    "单引号|single quotes": _SINGLE_QUOTES,
    "直角引号|方引号|corner (?:quotes|brackets)": _CORNER_QUOTES,
    "书名号": _BOOK_MARKS,
    "圆括号|小括号|括号|parenthes[ei]s|round brackets": _PARENTHESES,
    "方括号|方头括号|square brackets": _BRACKETS,
}
_WIDTHS: tuple[tuple[str, Width], ...] = (
    (r"(?:中文|全角|全形|中式)(?:的)?|(?:full[- ]?width|chinese) ", "full"),
    (r"(?:英文|半角|半形|英式|西文)(?:的)?|(?:half[- ]?width|english|western|ascii|straight) ", "half"),
)
_ARTICLE = r"(?:an? |the )?"
_SUFFIX = r"(?:\([^()]{1,3}\)|标点(?:符号)?)?"
_IN_NUMBER = {",", ".", ":"}


def mark_named(words: str) -> Mark | None:
    """Return the mark that folded `words` name, or None when they name none."""
    for names, (full, half) in _NAMES.items():
        for width_words, width in (*_WIDTHS, ("", None)):
            if pattern(rf"{_ARTICLE}(?:{width_words})(?:{names}){_SUFFIX}").fullmatch(words):
                return Mark(full, half, width)
    return None


def find_marks(content: str, mark: Mark, *, in_times: bool = False) -> tuple[MarkHit, ...]:
    """Return where `mark` stands in a line; a mark inside a number is a part of the number.

    With `in_times` the colon of 9:30 counts as well.
    """
    forms = list(mark.forms())
    by_text = {text: (width, side) for text, width, side in reversed(forms)}
    hits: list[MarkHit] = []
    for match in re.finditer("|".join(re.escape(text) for text, _, _ in forms), content):
        if not (in_times and match[0] == ":") and _belongs_elsewhere(content, match):
            continue
        width, side = by_text[match[0]]
        if match[0] in "\"'" and len(hits) % 2:
            side = "close"
        hits.append(MarkHit(match.start(), match.end(), width, side))
    return tuple(hits)


def _belongs_elsewhere(content: str, match: re.Match[str]) -> bool:
    """Say whether what looks like the mark is a piece of a number, an ellipsis or a word."""
    before, after = content[: match.start()][-1:], content[match.end() :][:1]
    if match[0] in _IN_NUMBER and before.isdigit() and after.isdigit():
        return True
    if match[0] in (".", "…", "—", "-"):
        return match[0] in (before, after)
    return match[0] == "'" and before.isalnum() and after.isalnum()


def written(mark: Mark, hit: MarkHit | None, *, default: Width) -> str:
    """Return `mark` as it should be written over `hit`, or at a place where none stood."""
    width = mark.width or (hit.width if hit else default)
    forms = (mark.full if width == "full" else mark.half) or mark.full or mark.half
    form = forms[0]
    return form[-1] if hit is not None and hit.side == "close" else form[0]
